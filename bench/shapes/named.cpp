// Graphs that were answered wrongly once, or that lost the device: they run first.
#include "hopwave/generate.h"
#include "shapes/trial.h"

namespace hopwave::shapes {
namespace {

using generate_detail::Composition;
using generate_detail::Shape;

Graph built(const Composition& composed) {
  EdgeList list;
  list.num_vertices = static_cast<VertexId>(composed.vertices());
  list.directed = composed.directed();
  list.ids = Ids::consecutive(list.num_vertices);
  list.edges = Array<Edge>::copy_of(composed.edges());
  return build_graph(std::move(list));
}

Graph generated(const char* spec) { return build_graph(generate(spec)); }

/// More levels of one vertex in a row than twelve bits count, after a hub and before a wide level.
Graph hub_tail_fan(std::uint64_t leaves, std::uint64_t tail, std::uint64_t fan) {
  Composition graph(false);
  Draws draws(1);
  graph.add(Shape::star, leaves, draws);
  const auto path = graph.add(Shape::chain, tail - 1, draws);
  graph.join(1, path.near);
  const auto end = graph.add(Shape::star, fan, draws);
  graph.join(path.far, end.near);
  return built(graph);
}

/// A path with a long chain at each vertex.
Graph comb(std::uint64_t edges, std::uint64_t seed) {
  Composition graph(false);
  Draws draws(seed);
  graph.add(Shape::comb, edges, draws);
  return built(graph);
}

Graph long_thin_grid() { return generated("grid:7x40000"); }

/// A chain on a random part, and one on a skewed part, both longer than 4,095.
Graph tailed(Shape shape) {
  Composition graph(false);
  Draws draws(3);
  const auto part = graph.add(shape, 300'000, draws);
  const auto tail = graph.add(Shape::chain, 9000, draws);
  graph.join(part.near, tail.near);
  return built(graph);
}

}  // namespace

const std::vector<Named>& named_graphs() {
  static const std::vector<Named> all = {
      {"star-path-fan", [] { return hub_tail_fan(101'000, 6000, 3000); }, {0, 1}},
      {"star-path-fan-short", [] { return hub_tail_fan(500, 4096, 30); }, {0, 1}},
      {"complete-129", [] { return generated("complete:129"); }, {0, 1}},
      {"complete-200", [] { return generated("complete:200"); }, {0, 1, 199}},
      {"complete-257", [] { return generated("complete:257"); }, {0, 1}},
      {"clique-189", [] { return generated("complete:189"); }, {0, 1, 2}},
      {"comb-1", [] { return comb(150'000, 1); }, {0}},
      {"comb-2", [] { return comb(150'000, 2); }, {0}},
      {"comb-3", [] { return comb(150'000, 5); }, {0}},
      {"thin-grid", long_thin_grid, {0}},
      {"tail-on-random", [] { return tailed(Shape::random); }, {0}},
      {"tail-on-skewed", [] { return tailed(Shape::skewed); }, {0}},
  };
  return all;
}

namespace {

/// From the named sources one by one, then together, then from random ones.
Session named_session(const Named& named, Session session, bool prepare, bool briefly) {
  session.options.prepare = prepare && session.options.strategy == "auto";
  session.origin = Origin::built;
  // Parameters as the engine sets them: the error occurred with these.
  if (session.way == "free") session.options.parameters.clear();
  std::vector<Act> acts;
  for (const VertexId s : named.sources) acts.push_back({.query = {.sources = {s}}, .each = {}});
  acts.push_back({.query = {.sources = named.sources}, .each = {}});
  acts.insert(acts.end(), session.acts.begin(), session.acts.end());
  if (briefly) acts.resize(1);
  session.acts = std::move(acts);
  return session;
}

}  // namespace

Trial named_trial(const Named& named, const Config& config) {
  Trial trial{.name = named.name, .graph = named.make()};
  trial.oracle = true;
  Config few = config;
  few.searches = config.small_launches ? 2 : 12;
  // In the simulator a deep graph takes minutes per search: one search must suffice there.
  const bool briefly = config.small_launches && trial.graph.num_vertices() > 1000;
  std::uint64_t seed = 0;
  for (const std::string& way : ways())
    for (const bool prepare : {false, true}) {
      Session session = draw_sessions(trial.graph, ++seed, few, way).front();
      if ((briefly || config.device == DeviceKind::cpu) && (prepare || way != "free")) continue;
      trial.sessions.push_back(named_session(named, std::move(session), prepare, briefly));
    }
  return trial;
}

}  // namespace hopwave::shapes

#include "shapes/shrink.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "hopwave/io.h"

namespace hopwave::shapes {
namespace {

using Clock = std::chrono::steady_clock;

class Shrinker {
 public:
  Shrinker(Case failing, const Fails& fails, double seconds)
      : best_(std::move(failing)),
        fails_(fails),
        until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

  Case run(std::size_t act) {
    acts(act);
    settings();
    for (std::size_t before = 0; before != size() && !late();) {
      before = size();
      remove_edges();
      contract_edges();
      remove_vertices();
      sources();
      acts(best_.session.acts.size() - 1);
    }
    settings();
    return best_;
  }

 private:
  [[nodiscard]] bool late() const { return Clock::now() >= until_; }
  [[nodiscard]] std::size_t size() const { return best_.edges.size() + best_.num_vertices + best_.session.acts.size(); }

  bool take(Case candidate) {
    if (late() || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Calls attempt(begin, end) on ever smaller ranges of [0, size()); it returns whether it made the case smaller.
  template <class Size, class Attempt>
  void stretches(Size&& count, Attempt&& attempt) {
    for (std::size_t length = (count() + 1) / 2; length > 0 && !late(); length /= 2)
      for (std::size_t at = 0; at < count() && !late();) {
        const std::size_t end = std::min(at + length, count());
        if (!attempt(at, end)) at = end;
      }
  }

  /// Keeps the act that fails alone, on a new Searcher; or as few acts before it as possible.
  void acts(std::size_t last) {
    auto& all = best_.session.acts;
    Case alone = best_;
    alone.session.acts = {all[last]};
    if (all.size() == 1 || take(std::move(alone))) return;
    Case until = best_;
    until.session.acts.resize(last + 1);
    take(std::move(until));
    stretches([&] { return best_.session.acts.size(); },
              [&](std::size_t begin, std::size_t end) {
                Case less = best_;
                auto& left = less.session.acts;
                left.erase(left.begin() + begin, left.begin() + end);
                return !left.empty() && take(std::move(less));
              });
  }

  template <class Change>
  void attempt(Change&& change) {
    Case other = best_;
    change(other);
    take(std::move(other));
  }

  /// Resets every setting that is not at its default, one after the other.
  void settings() {
    attempt([](Case& c) { c.session.origin = Origin::built; });
    attempt([](Case& c) { c.session.options.prepare = false; });
    attempt([](Case& c) { c.session.options.direction = Direction::out; });
    attempt([](Case& c) { c.session.options.trace = false; });
    attempt([](Case& c) { c.build.keep_duplicates = c.build.keep_self_loops = false; });
    for (const auto& parameter : Parameters(best_.session.options.parameters))
      attempt([&](Case& c) { c.session.options.parameters.erase(parameter.first); });
    for (std::size_t i = 0; i < best_.session.acts.size(); ++i) {
      attempt([&](Case& c) { c.session.acts[i].query.parents = false, c.session.acts[i].query.ties = Ties::any; });
      attempt([&](Case& c) { c.session.acts[i].query.target = no_vertex; });
      attempt([&](Case& c) { c.session.acts[i].query.max_depth = -1; });
    }
  }

  void remove_edges() {
    stretches([&] { return best_.edges.size(); },
              [&](std::size_t begin, std::size_t end) {
                Case less = best_;
                less.edges.erase(less.edges.begin() + begin, less.edges.begin() + end);
                return take(std::move(less));
              });
  }

  /// Contracts edges: the ends of an edge become one vertex, so that tails get shorter and stay connected.
  void contract_edges() {
    stretches([&] { return best_.edges.size(); },
              [&](std::size_t begin, std::size_t end) {
                std::vector<VertexId> one(best_.num_vertices);
                std::iota(one.begin(), one.end(), VertexId{0});
                const auto root = [&](VertexId v) {
                  while (one[v] != v) v = one[v] = one[one[v]];
                  return v;
                };
                for (std::size_t i = begin; i < end; ++i) {
                  const VertexId a = root(best_.edges[i].source), b = root(best_.edges[i].target);
                  one[std::max(a, b)] = std::min(a, b);
                }
                std::vector<std::uint8_t> gone(best_.num_vertices, 0);
                for (VertexId v = 0; v < best_.num_vertices; ++v) gone[v] = root(v) != v;
                return take(renamed(root, gone));
              });
  }

  /// Removes vertices that are in no edge and in no query.
  void remove_vertices() {
    std::vector<std::uint8_t> used = used_vertices();
    const auto unused = [&] {
      used = used_vertices();
      return static_cast<std::size_t>(std::count(used.begin(), used.end(), 0));
    };
    stretches(unused, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint8_t> gone(best_.num_vertices, 0);
      std::size_t number = 0;
      for (VertexId v = 0; v < best_.num_vertices; ++v)
        if (!used[v]) {
          gone[v] = number >= begin && number < end;
          ++number;
        }
      return take(renamed([](VertexId v) { return v; }, gone));
    });
  }
  std::vector<std::uint8_t> used_vertices() const {
    std::vector<std::uint8_t> used(best_.num_vertices, 0);
    for (const Edge e : best_.edges) used[e.source] = used[e.target] = 1;
    for (const Act& act : best_.session.acts) {
      for (const VertexId s : act.query.sources) used[s] = 1;
      for (const VertexId s : act.each) used[s] = 1;
      if (act.query.target != no_vertex) used[act.query.target] = 1;
    }
    return used;
  }

  /// Vertex v becomes root(v), and removed vertices leave no gap.
  template <class Root>
  Case renamed(Root&& root, const std::vector<std::uint8_t>& gone) const {
    std::vector<VertexId> name(best_.num_vertices);
    VertexId next = 0;
    for (VertexId v = 0; v < best_.num_vertices; ++v) name[v] = gone[v] ? no_vertex : next++;
    const auto to = [&](VertexId v) { return name[root(v)]; };
    Case other = best_;
    other.num_vertices = next;
    other.edges.clear();
    for (const Edge e : best_.edges)
      if (to(e.source) != to(e.target)) other.edges.push_back({to(e.source), to(e.target)});
    for (Act& act : other.session.acts) {
      for (VertexId& s : act.query.sources) s = to(s);
      for (VertexId& s : act.each) s = to(s);
      if (act.query.target != no_vertex) act.query.target = to(act.query.target);
    }
    return other;
  }

  void sources() {
    for (std::size_t i = 0; i < best_.session.acts.size(); ++i) {
      const bool pass = !best_.session.acts[i].each.empty();
      const auto list = [&, i](Case& c) -> std::vector<VertexId>& {
        return pass ? c.session.acts[i].each : c.session.acts[i].query.sources;
      };
      stretches([&] { return list(best_).size(); },
                [&](std::size_t begin, std::size_t end) {
                  Case less = best_;
                  list(less).erase(list(less).begin() + begin, list(less).begin() + end);
                  return !list(less).empty() && take(std::move(less));
                });
    }
  }

  Case best_;
  const Fails& fails_;
  Clock::time_point until_;
};

}  // namespace

Graph Case::graph() const {
  EdgeList list;
  list.num_vertices = num_vertices;
  list.directed = directed;
  list.ids = Ids::consecutive(num_vertices);
  list.edges = Array<Edge>::copy_of(edges);
  return build_graph(std::move(list), build);
}

Case case_of(const Graph& graph, const BuildOptions& build, const Session& session) {
  Case c{.num_vertices = graph.num_vertices(), .directed = graph.directed(), .build = build, .session = session};
  for (VertexId u = 0; u < graph.num_vertices(); ++u)
    for (const VertexId v : graph.out_neighbors(u))
      if (c.directed || u <= v) c.edges.push_back({u, v});
  return c;
}

Case shrink(Case failing, std::size_t act, const Fails& fails, double seconds) {
  return Shrinker(std::move(failing), fails, seconds).run(act);
}

void write_edge_list(const Case& small, const std::string& path) {
  std::string text;
  std::vector<std::uint8_t> named(small.num_vertices, 0);
  for (const Edge e : small.edges) {
    named[e.source] = named[e.target] = 1;
    text += std::to_string(e.source) + " " + std::to_string(e.target) + "\n";
  }
  for (VertexId v = 0; v < small.num_vertices; ++v)
    if (!named[v]) text += std::to_string(v) + " " + std::to_string(v) + "\n";
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace hopwave::shapes

// Strongly connected components: forward–backward search for the largest (Fleischer, Hendrickson, Pinar 2000), trimming
// (McLendon et al. 2005), and Tarjan's algorithm (1972), without recursion, for what is left. Real graphs have one component
// that is far larger than all others, and many of one vertex. Ours differs: only vertices without a row are trimmed before the
// search, since looking for open neighbours takes as long as the search itself.
#include "algorithm/strong/tarjan.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/strategy/cpu/level_search.h"
#include "core/refuse.h"
#include "core/watch.h"
#include "graph/build.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

using thresholds::Strong;

constexpr std::size_t steps_between_checks = std::size_t{1} << 16;  // of one thread

class Finder {
 public:
  Finder(const Graph& graph, Team& team, const std::function<void(VertexId done)>& check)
      : graph_(graph), team_(team), n_(graph.num_vertices()), check_(check) {}

  Array<VertexId> labels() {
    label_ = Array<VertexId>(n_);
    const VertexId pivot = trim_ends();
    if (pivot == no_vertex) return std::move(label_);
    around(pivot);
    std::vector<VertexId> left = kept(
        n_, [&](std::size_t v) { return static_cast<VertexId>(v); }, [&](VertexId v) { return label_[v] == no_vertex; });
    while (team_.size() >= Strong::threads_to_trim && worth_trimming(left)) {
      check(0);
      left = trim(left);
    }
    tarjan(left);
    return std::move(label_);
  }

  /// By Tarjan's algorithm alone, which needs no incoming rows.
  Array<VertexId> labels_without_in() {
    label_ = Array<VertexId>::filled(n_, no_vertex);
    std::vector<VertexId> all(n_);
    std::iota(all.begin(), all.end(), VertexId{0});
    tarjan(all);
    return std::move(label_);
  }

 private:
  [[nodiscard]] bool open(VertexId v) const {
    return std::atomic_ref<VertexId>(label_[v]).load(std::memory_order_relaxed) == no_vertex;
  }
  [[nodiscard]] bool has_open(std::span<const VertexId> row, VertexId v) const {
    return std::any_of(row.begin(), row.end(), [&](VertexId u) { return u != v && open(u); });
  }

  void check(VertexId done) const {
    if (check_) check_(done);
  }

  /// Of `count` vertices, given by `at`, those for which `keep` is true, in their order.
  template <class At, class Keep>
  std::vector<VertexId> kept(std::size_t count, At&& at, Keep&& keep) {
    const std::size_t parts = count < thresholds::Cpu::vertex_grain ? 1 : static_cast<std::size_t>(team_.size());
    std::vector<std::vector<VertexId>> found(parts);
    parallel_for(team_, parts, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t part = begin; part < end; ++part)
        for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
          if (const VertexId v = at(i); keep(v)) found[part].push_back(v);
    });
    for (std::size_t part = 1; part < parts; ++part) found[0].insert(found[0].end(), found[part].begin(), found[part].end());
    return std::move(found[0]);
  }

  /// A vertex is a component of its own if no open vertex leads to it, or if it leads to none. Another vertex that is trimmed
  /// in the same round may still count as open: then this one waits for the next round, or for Tarjan.
  std::vector<VertexId> trim(const std::vector<VertexId>& left) {
    return kept(
        left.size(), [&](std::size_t i) { return left[i]; },
        [&](VertexId v) {
          if (!ends(v)) return true;
          std::atomic_ref<VertexId>(label_[v]).store(v, std::memory_order_relaxed);
          return false;
        });
  }

  [[nodiscard]] bool ends(VertexId v) const {
    return !has_open(graph_.out_neighbors(v), v) || !has_open(graph_.in_neighbors(v), v);
  }

  /// A round by all threads reads as much as Tarjan's algorithm by one, so many vertices must go: of a sample, a quarter.
  [[nodiscard]] bool worth_trimming(const std::vector<VertexId>& left) const {
    std::size_t trimmed = 0;
    for (std::size_t i = 0; i < Strong::trim_sample; ++i)
      trimmed += !left.empty() && ends(left[i * left.size() / Strong::trim_sample]);
    return trimmed >= Strong::trim_sample / Strong::trim_part;
  }

  /// Labels vertices without outgoing or incoming arcs, and opens all others. Of these, the one with the greatest product of
  /// degrees, the smallest of equals.
  VertexId trim_ends() {
    struct alignas(128) Best {
      double ways = 0;
      VertexId vertex = no_vertex;
    };
    std::vector<Best> bests(static_cast<std::size_t>(team_.size()));
    const auto better = [](const Best& a, const Best& b) { return a.ways != b.ways ? a.ways > b.ways : a.vertex < b.vertex; };
    parallel_for(team_, n_, thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int rank) {
      Best best = bests[static_cast<std::size_t>(rank)];
      for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
        const double ways = static_cast<double>(graph_.out_degree(v)) * static_cast<double>(graph_.in_neighbors(v).size());
        label_[v] = ways == 0 ? v : no_vertex;
        if (const Best mine{ways, v}; ways > 0 && better(mine, best)) best = mine;
      }
      bests[static_cast<std::size_t>(rank)] = best;
    });
    return std::min_element(bests.begin(), bests.end(), better)->vertex;
  }

  /// Searches from the pivot, unless levels are many and small, as on rings and lattices: Tarjan's algorithm goes through all
  /// arcs once, these searches twice, and threads would wait for each other.
  bool search(strategy::cpu::LevelSearch& levels, VertexId pivot) {
    const VertexId part = n_ / Strong::least_part;
    const VertexId least = team_.size() == 1 ? part : std::min(part, Strong::wide_level * Strong::many_levels);
    SearchReport report;
    strategy::RunControl control{.stats = &report};
    levels.run({.sources = {pivot}, .max_depth = Strong::many_levels}, control);
    check(0);
    if (levels.complete()) return true;
    if (levels.reached() < least) return false;
    levels.run({.sources = {pivot}}, control);
    check(0);
    return true;
  }

  /// Labels what the pivot reaches and what reaches it.
  void around(VertexId pivot) {
    const auto request = [this](const Adjacency& forward, const Adjacency& backward) {
      return strategy::PlanRequest{
          .view = {.num_vertices = n_, .forward = &forward, .backward = &backward}, .parameters = {}, .team = &team_};
    };
    const strategy::cpu::Tuning tuning{
        .pull = true, .alpha = thresholds::Cpu::alpha, .beta = thresholds::Cpu::beta, .alone = thresholds::Cpu::alone_arcs};
    strategy::cpu::LevelSearch there(request(graph_.out(), graph_.in()), tuning);
    if (!search(there, pivot)) return;
    strategy::cpu::LevelSearch back(request(graph_.in(), graph_.out()), tuning);
    if (!search(back, pivot)) return;
    const auto both = [&](std::size_t v) { return there.distances()[v] != unreached && back.distances()[v] != unreached; };
    std::atomic<VertexId> smallest{no_vertex};
    parallel_for(team_, n_, thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int) {
      if (begin >= smallest.load(std::memory_order_relaxed)) return;
      for (std::size_t v = begin; v < end; ++v) {
        if (!both(v)) continue;
        auto least = smallest.load(std::memory_order_relaxed);
        while (v < least && !smallest.compare_exchange_weak(least, static_cast<VertexId>(v), std::memory_order_relaxed)) {
        }
        return;
      }
    });
    const VertexId label = smallest;
    parallel_for(team_, n_, thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t v = begin; v < end; ++v)
        if (both(v)) label_[v] = label;
    });
  }

  /// Labels the components of `roots`: all open vertices.
  void tarjan(const std::vector<VertexId>& roots) {
    struct Frame {
      VertexId vertex;
      EdgeIndex next;
    };
    if (roots.empty()) return;
    Array<VertexId> index(n_), low(n_);  // index: the order of first visits, from 1 on
    for (const VertexId v : roots) index[v] = 0;
    std::vector<VertexId> stack;
    std::vector<Frame> frames;
    VertexId visits = 0;
    std::size_t steps = 0;
    const auto enter = [&](VertexId v) {
      index[v] = low[v] = ++visits;
      stack.push_back(v);
      frames.push_back({v, graph_.out().offsets[v]});
    };
    for (const VertexId root : roots) {
      if (label_[root] != no_vertex || index[root] != 0) continue;
      enter(root);
      while (!frames.empty()) {
        if (++steps % steps_between_checks == 0) check(visits - static_cast<VertexId>(stack.size()));
        const VertexId v = frames.back().vertex;
        if (frames.back().next < graph_.out().offsets[v + std::size_t{1}]) {
          const VertexId u = graph_.out().neighbors[frames.back().next++];
          if (label_[u] != no_vertex) continue;  // of a component that is done
          if (index[u] == 0)
            enter(u);
          else
            low[v] = std::min(low[v], index[u]);  // on the stack, since it has no label yet
          continue;
        }
        frames.pop_back();
        if (!frames.empty()) low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
        if (low[v] == index[v]) close(v, stack);
      }
    }
  }

  /// Those above `v` on the stack, and `v`, are a component.
  void close(VertexId v, std::vector<VertexId>& stack) {
    const auto begin = std::find(stack.rbegin(), stack.rend(), v).base() - 1;
    const VertexId smallest = *std::min_element(begin, stack.end());
    for (auto at = begin; at != stack.end(); ++at) label_[*at] = smallest;
    stack.erase(begin, stack.end());
  }

  const Graph& graph_;
  Team& team_;
  const VertexId n_;
  const std::function<void(VertexId done)>& check_;
  mutable Array<VertexId> label_;
};

/// Passes over rows by one thread; a vertex is a unit of work, and so is each of its arcs.
class Passes {
 public:
  Passes(const Graph& graph, const Progress& report, int passes)
      : graph_(graph), reporter_(report, passes * (std::uint64_t{graph.num_vertices()} + graph.num_arcs())) {
    reporter_.add(0, 0);
  }
  std::span<const VertexId> operator[](VertexId v) {
    const auto row = graph_.out_neighbors(v);
    if ((waiting_ += 1 + row.size()) >= steps_between_checks) reporter_.add(std::exchange(waiting_, 0), 0);
    return row;
  }

 private:
  const Graph& graph_;
  core::Reporter reporter_;
  std::uint64_t waiting_ = 0;
};

/// Kahn's algorithm, a generation at a time; false where a cycle is left over.
bool find_generations(const Graph& graph, const RunOptions& run, Array<VertexId>& generation) {
  const core::Watch watch(run.limits);
  const Progress report = core::watched(watch, run.progress, "the generations are not known yet");
  const VertexId n = graph.num_vertices();
  generation = Array<VertexId>(n);
  Passes rows(graph, report, 2);
  std::vector<EdgeIndex> waits(n, 0);  // for as many arcs that lead to it, self-loops among them
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId u : rows[v]) ++waits[u];
  std::vector<VertexId> ready;
  for (VertexId v = 0; v < n; ++v)
    if (waits[v] == 0) ready.push_back(v), generation[v] = 0;
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const VertexId u : rows[ready[i]])
      if (--waits[u] == 0) ready.push_back(u), generation[u] = generation[ready[i]] + 1;
  return ready.size() == n;
}

[[noreturn]] void refuse_labels(std::string found) {
  core::refuse("HW-RESULT-GRAPH", std::move(found), "the strongly connected components of this graph");
}

Verdict broken(const char* rule, std::string message) { return {.ok = false, .rule = rule, .message = std::move(message)}; }

/// The vertices that are reached from their label along the arcs of `rows` without leaving the component.
std::vector<bool> reached_within(const Adjacency& rows, const Array<VertexId>& label) {
  const std::size_t n = label.size();
  std::vector<bool> reached(n, false);
  std::vector<VertexId> queue;
  for (VertexId v = 0; v < n; ++v)
    if (label[v] == v) queue.push_back(v), reached[v] = true;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (EdgeIndex a = rows.offsets[queue[i]]; a < rows.offsets[queue[i] + std::size_t{1}]; ++a) {
      const VertexId u = rows.neighbors[a];
      if (reached[u] || label[u] != label[queue[i]]) continue;
      reached[u] = true;
      queue.push_back(u);
    }
  return reached;
}

}  // namespace

}  // namespace hopwave::inline v0_1

namespace hopwave::graph {

StrongComponents strong_components(const Graph& graph, int threads, const std::function<void(VertexId done)>& check) {
  const std::size_t size_of_graph = graph.num_vertices() + graph.num_arcs();
  const bool without_in = !graph.has_in() && size_of_graph < Strong::small_without_in;
  Team team((without_in || size_of_graph < 4 * thresholds::Cpu::row_grain) && threads == 0 ? 1 : threads);
  StrongComponents found;
  if (without_in || (!graph.has_in() && team.size() == 1)) {
    found.label = Finder(graph, team, check).labels_without_in();
  } else {
    Graph both = graph;
    both.ensure_in();
    found.label = Finder(both, team, check).labels();
  }
  count_strong(found, team);
  return found;
}

void count_strong(StrongComponents& components, Team& team) {
  const std::size_t n = components.label.size();
  if (n == 0) return;
  // Most vertices are often of one component: those of the label in the middle of a sorted sample are counted apart, so that
  // members do not all write its size.
  constexpr std::size_t samples = 63;
  std::vector<VertexId> sample;
  for (std::size_t i = 0; i < samples; ++i) sample.push_back(components.label[i * n / samples]);
  std::nth_element(sample.begin(), sample.begin() + samples / 2, sample.end());
  const VertexId frequent = sample[samples / 2];
  auto size = Array<VertexId>(n);
  parallel_for(team, n, thresholds::Cpu::fill_grain,
               [&](std::size_t begin, std::size_t end, int) { std::fill(size.begin() + begin, size.begin() + end, 0); });
  struct alignas(128) Counts {
    VertexId frequent = 0, components = 0, largest_size = 0, largest_label = 0;
  };
  std::vector<Counts> counts(static_cast<std::size_t>(team.size()));
  parallel_for(team, n, thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t v = begin; v < end; ++v)
      if (const VertexId label = components.label[v]; label == v)  // counted with the component
        continue;
      else if (label == frequent)
        ++counts[static_cast<std::size_t>(rank)].frequent;
      else
        std::atomic_ref<VertexId>(size[label]).fetch_add(1, std::memory_order_relaxed);
  });
  for (const Counts& c : counts) size[frequent] += c.frequent;
  parallel_for(team, n, thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int rank) {
    Counts& mine = counts[static_cast<std::size_t>(rank)];
    for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
      if (components.label[v] != v) continue;
      const VertexId members = size[v] + 1;
      ++mine.components;
      if (members > mine.largest_size || (members == mine.largest_size && v < mine.largest_label))
        mine.largest_size = members, mine.largest_label = v;
    }
  });
  for (const Counts& c : counts) {
    components.count += c.components;
    if (c.largest_size > components.largest_size ||
        (c.largest_size == components.largest_size && c.largest_label < components.largest_label))
      components.largest_size = c.largest_size, components.largest_label = c.largest_label;
  }
}

// The arcs are gathered, and built into a graph: halves of the work.
std::uint64_t condensing_work(const Graph& graph) { return 2 * (std::uint64_t{graph.num_vertices()} + graph.num_arcs()); }

Graph condensation(const Graph& graph, const StrongComponents& components, const Progress& report) {
  const VertexId n = graph.num_vertices();
  if (components.label.size() != n)
    refuse_labels(std::to_string(components.label.size()) + " labels for " + std::to_string(n) + " vertices");
  std::vector<VertexId> number(n, no_vertex), labels;
  for (VertexId v = 0; v < n; ++v) {
    const VertexId label = components.label[v];
    if (label > v || components.label[label] != label)
      refuse_labels("label " + std::to_string(label) + " of vertex " + std::to_string(v));
    if (label == v) number[v] = static_cast<VertexId>(labels.size()), labels.push_back(v);
  }
  std::vector<Edge> arcs;
  Passes rows(graph, report, 2);
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId u : rows[v])
      if (components.label[u] != components.label[v])
        arcs.push_back({number[components.label[v]], number[components.label[u]]});
  EdgeList list;
  list.num_vertices = static_cast<VertexId>(labels.size());
  list.edges = Array<Edge>::copy_of({arcs.data(), arcs.size()});
  if (graph.ids().kind() == Ids::Kind::strings) {
    std::vector<std::string> names;
    for (const VertexId v : labels) names.push_back(graph.name(v));
    list.ids = Ids::strings(std::move(names));
  } else {
    Array<std::int64_t> numbers(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) numbers[i] = graph.ids().number(labels[i]);
    list.ids = Ids::integers(std::move(numbers));
  }
  const std::uint64_t all = condensing_work(graph);
  Progress of_build;
  if (report)
    of_build = [&](const Step& step) {
      const double part = static_cast<double>(step.done) / static_cast<double>(std::max<std::uint64_t>(step.total, 1));
      return report(
          {.what = step.what, .done = all / 2 + static_cast<std::uint64_t>(part * static_cast<double>(all / 2)), .total = all});
    };
  return build_on_cpu(std::move(list), {}, {.progress = of_build});
}

}  // namespace hopwave::graph

namespace hopwave::inline v0_1 {

Graph condensation(const Graph& graph, const StrongComponents& components, const RunOptions& run) {
  const core::Watch watch(run.limits);
  return graph::condensation(graph, components, core::watched(watch, run.progress, "the graph of components is not made yet"));
}

Array<VertexId> topological_generations(const Graph& graph, const RunOptions& run) {
  Array<VertexId> generation;
  if (!find_generations(graph, run, generation))
    throw Error({.failure = Failure::input,
                 .id = "HW-GRAPH-CYCLE",
                 .found = "a graph with a cycle",
                 .expected = "a directed graph without one",
                 .hint = "its condensation has none"});
  return generation;
}

bool is_acyclic(const Graph& graph, const RunOptions& run) {
  Array<VertexId> generation;
  return find_generations(graph, run, generation);
}

Verdict validate(const Graph& graph, const StrongComponents& components) {
  const VertexId n = graph.num_vertices();
  const auto& label = components.label;
  if (label.size() != n) return broken("size", std::to_string(label.size()) + " labels for " + std::to_string(n) + " vertices");
  for (VertexId v = 0; v < n; ++v)
    if (label[v] > v || label[label[v]] != label[v])
      return broken("label", "vertex " + std::to_string(v) + " has label " + std::to_string(label[v]));
  Graph both = graph;
  both.ensure_in();
  for (const Adjacency* rows : {&both.out(), &both.in()}) {
    const std::vector<bool> reached = reached_within(*rows, label);
    for (VertexId v = 0; v < n; ++v)
      if (!reached[v])
        return broken("mutual-paths",
                      "vertices " + std::to_string(v) + " and " + std::to_string(label[v]) + " do not reach each other");
  }
  if (!is_acyclic(condensation(graph, components)))
    return broken("acyclic", "the components form a cycle: some belong together");
  VertexId count = 0;
  for (VertexId v = 0; v < n; ++v) count += label[v] == v;
  if (count != components.count)
    return broken("count", std::to_string(components.count) + " components, but " + std::to_string(count) + " labels");
  return {};
}

}  // namespace hopwave::inline v0_1

// Graph::from_edges and Graph::from_csr: makes a graph of the caller's arrays.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/refuse.h"
#include "graph/weight_copy.h"
#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "io/compact_ids.h"

namespace hopwave::inline v0_1 {
namespace {

using detail::Column;

constexpr std::size_t grain = std::size_t{1} << 16;

using core::refuse;

const char* value(const Column& column, std::size_t i) { return static_cast<const char*>(column.first) + i * column.stride; }
std::string_view text(const Column& column, std::size_t i) { return column.text(value(column, i)); }

template <class T>
T as(const char* p) {
  T v{};
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// Calls use(read), where read(i) is the i-th number: the width of numbers is determined once, not for each of them.
template <class Use>
void with_numbers(const Column& c, Use&& use) {
  const auto reader = [&]<class T>(T) { use([&c](std::size_t i) { return as<T>(value(c, i)); }); };
  switch (c.bytes * 2 + c.is_signed) {
    case 3:
      return reader(std::int8_t{});
    case 2:
      return reader(std::uint8_t{});
    case 5:
      return reader(std::int16_t{});
    case 4:
      return reader(std::uint16_t{});
    case 9:
      return reader(std::int32_t{});
    case 8:
      return reader(std::uint32_t{});
    case 17:
      return reader(std::int64_t{});
    default:
      return reader(std::uint64_t{});
  }
}

/// Calls use(i, key) for every id of both columns, with all threads; `key` is the id's 64 bits as a signed number.
template <class Use>
void each_number(Team& team, const Column& c, Use&& use) {
  with_numbers(c, [&](const auto& read) {
    parallel_for(team, c.size, grain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) use(i, static_cast<std::int64_t>(read(i)));
    });
  });
}

/// The first invalid id of a column: found by all threads, reported by one.
class FirstBad {
 public:
  void at(std::size_t i) {
    std::size_t before = first_.load(std::memory_order_relaxed);
    while (i < before && !first_.compare_exchange_weak(before, i, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] bool any() const { return first_.load(std::memory_order_relaxed) != none; }
  [[nodiscard]] std::size_t first() const { return first_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::atomic<std::size_t> first_{none};
};

std::string number_text(const Column& c, std::size_t i) {
  std::string result;
  with_numbers(c, [&](const auto& read) { result = std::to_string(read(i)); });
  return result;
}

VertexId checked_count(std::uint64_t count) {
  if (count > max_vertices)
    throw Error({.failure = Failure::input,
                 .id = "HW-VERTICES-MAX",
                 .found = std::to_string(count) + " vertices",
                 .expected = "at most " + std::to_string(max_vertices),
                 .hint = "vertex ids have 32 bits here"});
  return static_cast<VertexId>(count);
}

/// Writes the ends of the edges: source or target of the i-th is map(id).
template <class Map>
void write_ends(Team& team, const Column& sources, const Column& targets, Array<Edge>& edges, Map&& map) {
  edges = Array<Edge>(sources.size);
  each_number(team, sources, [&](std::size_t i, std::int64_t id) { edges[i].source = map(id); });
  each_number(team, targets, [&](std::size_t i, std::int64_t id) { edges[i].target = map(id); });
}

/// Ids are the vertices 0 … n − 1.
void take_vertices(Team& team, const Column& sources, const Column& targets, VertexId n, EdgeList& list) {
  for (const Column* c : {&sources, &targets}) {
    if (c->text) refuse("HW-EDGES-ID", "texts as ids, and a number of vertices", "numbers from 0", "leave num_vertices out");
    FirstBad bad;
    each_number(team, *c, [&](std::size_t i, std::int64_t id) {
      if (static_cast<std::uint64_t>(id) >= n) bad.at(i);
    });
    if (bad.any())
      refuse("HW-EDGES-RANGE",
             std::string(c == &sources ? "source " : "target ") + number_text(*c, bad.first()) + " of edge " +
                 std::to_string(bad.first()),
             n == 0 ? "no edge: there are no vertices" : "a vertex from 0 to " + std::to_string(n - 1),
             "without num_vertices, ids may be any integers");
  }
  write_ends(team, sources, targets, list.edges, [](std::int64_t id) { return static_cast<VertexId>(id); });
  list.num_vertices = n;
  list.ids = Ids::consecutive(n);
}

struct Range {
  std::int64_t smallest = INT64_MAX, largest = INT64_MIN;
};

/// Returns the range of a column's ids. Throws HW-EDGES-ID for ids that do not fit a signed 64-bit number, and for
/// −2^63.
Range range_of(Team& team, const Column& c, const char* what) {
  std::vector<Range> parts(static_cast<std::size_t>(team.size()));
  FirstBad bad;
  const bool huge = c.bytes == 8 && !c.is_signed;
  with_numbers(c, [&](const auto& read) {
    parallel_for(team, c.size, grain, [&](std::size_t begin, std::size_t end, int rank) {
      Range part;
      for (std::size_t i = begin; i < end; ++i) {
        const auto id = static_cast<std::int64_t>(read(i));
        if (id == INT64_MIN || (huge && id < 0)) bad.at(i);
        part = {std::min(part.smallest, id), std::max(part.largest, id)};
      }
      Range& all = parts[static_cast<std::size_t>(rank)];
      all = {std::min(all.smallest, part.smallest), std::max(all.largest, part.largest)};
    });
  });
  if (bad.any())
    refuse("HW-EDGES-ID", std::string(what) + " " + number_text(c, bad.first()) + " of edge " + std::to_string(bad.first()),
           "an id from -2^63 + 1 to 2^63 - 1", "other ids may be given as texts");
  Range all;
  for (const Range& part : parts) all = {std::min(all.smallest, part.smallest), std::max(all.largest, part.largest)};
  return all;
}

void compact_numbers(Team& team, const Column& sources, const Column& targets, EdgeList& list) {
  const Range a = range_of(team, sources, "source"), b = range_of(team, targets, "target");
  const std::int64_t least = std::min(a.smallest, b.smallest), most = std::max(a.largest, b.largest);
  if (least > most) {  // no edges
    list.ids = Ids::consecutive(0);
    return;
  }
  const auto base = static_cast<std::uint64_t>(least);
  const std::uint64_t span = static_cast<std::uint64_t>(most) - base;
  const auto add_all = [&](auto&& add) {
    each_number(team, sources, [&](std::size_t, std::int64_t id) { add(id); });
    each_number(team, targets, [&](std::size_t, std::int64_t id) { add(id); });
  };
  const auto finish = [&](std::uint64_t count, auto&& table, auto&& rank) {
    list.num_vertices = checked_count(count);
    const bool gaps = count - 1 != span;
    list.ids = gaps ? Ids::integers(table()) : Ids::consecutive(list.num_vertices, least);
    write_ends(team, sources, targets, list.edges, rank);
  };
  if (io::DenseIds::suits(span, sources.size)) {
    io::DenseIds ids(span, team);
    add_all([&](std::int64_t id) { ids.add(static_cast<std::uint64_t>(id) - base); });
    const std::uint64_t count = ids.rank_all();
    return finish(
        count, [&] { return ids.table(count, least); },
        [&](std::int64_t id) { return ids.rank(static_cast<std::uint64_t>(id) - base); });
  }
  io::ScatteredIds ids(2 * sources.size);
  add_all([&](std::int64_t id) { ids.add(static_cast<std::uint64_t>(id)); });
  Array<std::int64_t> table = ids.rank_all(team);
  finish(
      table.size(), [&] { return std::move(table); },
      [&](std::int64_t id) { return ids.rank(static_cast<std::uint64_t>(id)); });
}

/// Numbers texts in order of first appearance. One thread: the time is that of the table.
void compact_texts(const Column& sources, const Column& targets, EdgeList& list) {
  std::unordered_map<std::string_view, VertexId> known;  // views of the caller's texts
  std::vector<std::string> names;
  const auto vertex = [&](std::string_view name) {
    const auto [at, fresh] = known.try_emplace(name, static_cast<VertexId>(names.size()));
    if (fresh) {
      checked_count(names.size() + 1);
      names.emplace_back(name);
    }
    return at->second;
  };
  list.edges = Array<Edge>(sources.size);
  for (std::size_t i = 0; i < sources.size; ++i) {
    const VertexId source = vertex(text(sources, i));
    list.edges[i] = {source, vertex(text(targets, i))};
  }
  list.num_vertices = static_cast<VertexId>(names.size());
  list.ids = Ids::strings(std::move(names));
}

/// Returns an invalid neighbour for a number that does not fit 32 bits: the check of the arrays reports it.
template <class T>
VertexId neighbor(T value) {
  return static_cast<std::uint64_t>(value) < no_vertex ? static_cast<VertexId>(value) : no_vertex;
}

bool ascending(const Array<EdgeIndex>& offsets, std::size_t arcs) {
  return !offsets.empty() && offsets[0] == 0 && offsets[offsets.size() - 1] == arcs &&
         std::is_sorted(offsets.begin(), offsets.end());
}

Weights sort_rows(Team& team, const Array<EdgeIndex>& offsets, Array<VertexId>& neighbors, const Weights& weights) {
  graph::WeightCopy sorted(weights.type(), weights.size());
  parallel_for(team, offsets.size() - 1, 1 << 10, [&](std::size_t begin, std::size_t end, int) {
    std::vector<std::pair<VertexId, std::size_t>> row;  // with the positions of weights
    for (std::size_t v = begin; v < end; ++v) {
      VertexId* const first = neighbors.data() + offsets[v];
      const std::size_t degree = offsets[v + 1] - offsets[v];
      if (weights.empty()) {
        std::sort(first, first + degree);
        continue;
      }
      row.clear();
      for (std::size_t i = 0; i < degree; ++i) row.emplace_back(first[i], offsets[v] + i);
      std::sort(row.begin(), row.end());
      for (std::size_t i = 0; i < degree; ++i) {
        first[i] = row[i].first;
        sorted.put(offsets[v] + i, weights, row[i].second);
      }
    }
  });
  return std::move(sorted).done();
}

}  // namespace

Graph Graph::from_columns(const Column& sources, const Column& targets, const EdgeOptions& options) {
  if (sources.size != targets.size)
    refuse("HW-EDGES-COLUMNS", std::to_string(sources.size) + " sources and " + std::to_string(targets.size) + " targets",
           "as many of both");
  if (!options.weights.empty() && options.weights.size() != sources.size)
    refuse("HW-EDGES-COLUMNS",
           std::to_string(options.weights.size()) + " weights of " + std::to_string(sources.size) + " edges",
           "none, or one per edge");
  if ((sources.text == nullptr) != (targets.text == nullptr))
    refuse("HW-EDGES-ID", "numbers on one side and texts on the other", "ids of one kind");
  EdgeList list;
  {
    Team team(sources.size < grain && options.run.threads == 0 ? 1 : options.run.threads);
    if (options.num_vertices)
      take_vertices(team, sources, targets, checked_count(*options.num_vertices), list);
    else if (sources.text)
      compact_texts(sources, targets, list);
    else
      compact_numbers(team, sources, targets, list);
  }
  list.directed = options.directed;
  if (options.build.keep_weights) list.weights = Weights::smallest(Weights::copy_of(options.weights), options.run.threads);
  list.report = {.source = "memory", .format = "edges", .rows = sources.size};
  return build_graph(std::move(list), options.build, options.run);
}

Graph Graph::from_rows(const Column& offsets, const Column& neighbors, const CsrOptions& options) {
  const VertexId n = checked_count(offsets.size ? offsets.size - 1 : 0);
  if (!options.weights.empty() && options.weights.size() != neighbors.size)
    refuse("HW-EDGES-COLUMNS",
           std::to_string(options.weights.size()) + " weights of " + std::to_string(neighbors.size) + " arcs",
           "none, or one per arc");
  Team team(offsets.size + neighbors.size < grain ? 1 : 0);
  Array<EdgeIndex> starts(offsets.size);
  each_number(team, offsets, [&](std::size_t i, std::int64_t x) { starts[i] = static_cast<EdgeIndex>(x); });
  Array<VertexId> ends(neighbors.size);
  each_number(team, neighbors, [&](std::size_t i, std::int64_t x) { ends[i] = neighbor(x); });
  Weights weights = Weights::smallest(Weights::copy_of(options.weights));
  if (options.sort_rows && (options.trusted || ascending(starts, ends.size())) && !starts.empty())
    weights = sort_rows(team, starts, ends, weights);
  Adjacency out{std::move(starts), std::move(ends), std::move(weights)};
  Ids ids = options.ids.count() ? options.ids : Ids::consecutive(n);
  return options.trusted ? trusted(n, options.directed, std::move(out), std::nullopt, std::move(ids))
                         : Graph(n, options.directed, std::move(out), std::nullopt, std::move(ids));
}

}  // namespace hopwave::inline v0_1

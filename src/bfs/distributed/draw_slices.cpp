#include "bfs/distributed/draw_slices.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/rank_memory.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"
#include "generate/part.h"

namespace hopwave::ranks {
namespace {

/// Sends what each of `count` items puts to the owners of vertices, some items at a time: each(item, put) calls put(owned,
/// message) any number of times; at the owner, take(message) gets it. Collective.
template <class Message, class Each, class Take>
void deliver(Transport& transport, const Cut& cut, std::size_t count, Each&& each, Take&& take) {
  std::vector<std::vector<Message>> to(static_cast<std::size_t>(transport.size())), from;
  std::size_t item = 0;
  for (bool more = true; more;) {
    for (auto& messages : to) messages.clear();
    for (const std::size_t end = std::min(count, item + std::size_t{thresholds::Distributed::edges_per_round}); item < end;
         ++item)
      each(item,
           [&](VertexId owned, const Message& message) { to[static_cast<std::size_t>(cut.owner(owned))].push_back(message); });
    transport.exchange(to, from);
    for (const auto& messages : from)
      for (const Message& message : messages) take(message);
    more = transport.all_reduce(item < count ? 1 : 0, Reduce::max) != 0;
  }
}

/// Arcs of this rank's edges. Each goes to the owner of its tail.
class DrawnArcs {
 public:
  DrawnArcs(Array<Edge> edges, bool mirror, bool keep_self_loops)
      : edges_(std::move(edges)), mirror_(mirror), keep_self_loops_(keep_self_loops) {}

  /// f(u, v) for the arcs u → v of edge i.
  template <class F>
  void of_edge(std::size_t i, F&& f) const {
    const Edge e = edges_[i];
    if (e.source != e.target || keep_self_loops_) f(e.source, e.target);
    if (mirror_ && e.source != e.target) f(e.target, e.source);
  }

  /// take(message) at the owner of u, for each arc u → v; message = make(u, v). Collective.
  template <class Message, class Make, class Take>
  void deliver_each(Transport& transport, const Cut& cut, Make&& make, Take&& take) const {
    deliver<Message>(
        transport, cut, edges_.size(),
        [&](std::size_t i, auto&& put) { of_edge(i, [&](VertexId u, VertexId v) { put(u, make(u, v)); }); }, take);
  }

  [[nodiscard]] const Array<Edge>& edges() const { return edges_; }

 private:
  Array<Edge> edges_;
  bool mirror_, keep_self_loops_;
};

/// As even as Cut::balanced() makes it of the rows before parallel arcs are merged, by the arcs of at most 65,536 blocks of
/// vertices: no rank holds a number for every vertex.
Cut even_cut(Transport& transport, const DrawnArcs& arcs, VertexId n) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(n)) - 16);
  std::vector<std::uint64_t> before((std::size_t{n} >> shift) + 2, 0);
  for (std::size_t i = 0; i < arcs.edges().size(); ++i)
    arcs.of_edge(i, [&](VertexId u, VertexId) { ++before[(u >> shift) + std::size_t{1}]; });
  transport.all_reduce(before, Reduce::sum);
  for (std::size_t b = 1; b < before.size(); ++b) before[b] += before[b - 1];
  return Cut::balanced(transport.size(), n, [&](VertexId v) {
    const std::size_t block = v >> shift;
    const EdgeIndex within = before[block + 1] - before[block], part = v & ((VertexId{1} << shift) - 1);
    const EdgeIndex up_to = before[block] + static_cast<EdgeIndex>(static_cast<unsigned __int128>(within) * part >> shift);
    return v == n ? before.back() : up_to;
  });
}

/// Counts over all ranks for the report: arcs of the list, parallel ones (merged or kept), and self-loops.
struct DrawnCounts {
  std::uint64_t arcs = 0, duplicates = 0, self_loops = 0;
};

/// Sorts each row and, unless they are kept, merges parallel arcs, in place.
std::uint64_t tidy(Rows& rows, VertexId count, bool keep_duplicates) {
  std::uint64_t duplicates = 0;
  EdgeIndex end = 0, begin = 0;  // begin: of the row as it was delivered; end: of what is kept
  for (VertexId row = 0; row < count; ++row) {
    const EdgeIndex stop = rows.offsets[row + std::size_t{1}];
    std::sort(rows.neighbors.data() + begin, rows.neighbors.data() + stop);
    const EdgeIndex first = end;
    for (EdgeIndex i = begin; i < stop; ++i) {
      const VertexId v = rows.neighbors[i];
      const bool again = end > first && rows.neighbors[end - 1] == v;
      duplicates += again;
      if (!again || keep_duplicates) rows.neighbors[end++] = v;
    }
    begin = stop;
    rows.offsets[row + std::size_t{1}] = end;
  }
  if (end < rows.neighbors.size()) rows.neighbors = Array<VertexId>::copy_of(std::span(rows.neighbors.data(), end));
  return duplicates;
}

/// Two rounds of messages: the length of each row, and then its content. So a rank holds no second copy of its arcs.
Rows build_rows(Transport& transport, const Cut& cut, const DrawnArcs& arcs) {
  const VertexId begin = cut.begin(transport.rank()), count = cut.count(transport.rank());
  // offsets[row + 1] is where the row's next arc goes, and its end once all are there.
  Array<EdgeIndex> offsets = Array<EdgeIndex>::filled(count + std::size_t{2}, 0);
  arcs.deliver_each<VertexId>(
      transport, cut, [](VertexId u, VertexId) { return u; }, [&](VertexId u) { ++offsets[u - begin + std::size_t{2}]; });
  for (VertexId row = 0; row < count; ++row) offsets[row + std::size_t{2}] += offsets[row + std::size_t{1}];
  Array<VertexId> neighbors(offsets[count + std::size_t{1}]);
  arcs.deliver_each<Edge>(
      transport, cut,
      [](VertexId u, VertexId v) {
        return Edge{u, v};
      },
      [&](const Edge& arc) { neighbors[offsets[arc.source - begin + std::size_t{1}]++] = arc.target; });
  return {Array<EdgeIndex>::copy_of(std::span(offsets.data(), count + std::size_t{1})), std::move(neighbors)};
}

Array<std::uint32_t> count_ends(Transport& transport, const Share& share, const Array<Edge>& edges) {
  auto ends = Array<std::uint32_t>::filled(share.count(), 0);
  deliver<VertexId>(
      transport, share.cut, edges.size(),
      [&](std::size_t i, auto&& put) {
        for (const VertexId v : {edges[i].source, edges[i].target}) put(v, v);
      },
      [&](VertexId v) { ++ends[v - share.begin()]; });
  return ends;
}

}  // namespace

std::optional<Sliced> draw_slices(Transport& transport, const std::string& spec, const BuildOptions& build,
                                  const Progress& progress, Array<std::uint32_t>* ends) {
  bool by_parts = false;
  agree(transport, [&] { by_parts = generate_detail::draws_parts(spec); });
  if (!by_parts) return std::nullopt;
  const generate_detail::EdgePart part{static_cast<std::uint64_t>(transport.rank()),
                                       static_cast<std::uint64_t>(transport.size())};
  EdgeList list;
  agree(transport, [&] { list = generate_part(spec, part, progress); });
  const core::Stopwatch watch;
  const VertexId n = list.num_vertices;
  DrawnCounts counts;
  const bool directed = list.directed && !build.make_undirected;
  for (const Edge& e : list.edges) {
    const bool loop = e.source == e.target;
    counts.self_loops += loop;
    counts.arcs += directed || loop ? 1 : 2;
  }
  std::optional<DrawnArcs> arcs(std::in_place, std::move(list.edges), !directed, build.keep_self_loops);

  Sliced sliced;
  Share& share = sliced.share;
  share.cut = even_cut(transport, *arcs, n);
  share.rank = transport.rank();
  share.directed = directed;
  share.out = build_rows(transport, share.cut, *arcs);
  if (ends) *ends = count_ends(transport, share, arcs->edges());
  arcs.reset();
  counts.duplicates = tidy(share.out, share.count(), build.keep_duplicates);

  std::uint64_t sums[] = {share.out.neighbors.size(), list.report.rows, counts.arcs, counts.duplicates, counts.self_loops};
  transport.all_reduce(sums, Reduce::sum);
  share.num_arcs = sums[0];
  if (transport.rank() != 0) return sliced;
  About& about = sliced.about;
  about.ids = std::move(list.ids);
  about.default_source = list.default_source;
  about.read = std::move(list.report);
  about.read.rows = sums[1];
  about.build = {.arcs_in = sums[2],
                 .duplicates = sums[3],
                 .self_loops = sums[4],
                 .duplicates_kept = build.keep_duplicates,
                 .self_loops_kept = build.keep_self_loops,
                 .time = watch.elapsed()};
  return sliced;
}

}  // namespace hopwave::ranks

#include "bfs/distributed/verify.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/deliver.h"
#include "bfs/plan/thresholds.h"
#include "core/parallel.h"

namespace hopwave::ranks {
namespace {

class Verifier {
 public:
  Verifier(Transport& transport, const Share& share, const Query& query, const Answer& answer, Direction direction, int threads)
      : transport_(transport),
        share_(share),
        query_(query),
        answer_(answer),
        direction_(share.directed ? direction : Direction::out),
        is_source_(share.count()),
        has_nearer_(share.count()),
        has_parent_arc_(share.count()),
        replies_(static_cast<std::size_t>(transport.size())),
        team_(threads) {}

  void run() {
    check_size();
    set_limit();
    for (const VertexId s : query_.sources)
      if (share_.has(s)) is_source_[s - share_.begin()] = 1;
    for (VertexId row = 0; row < share_.count(); ++row) check_vertex(row);
    report();
    if (verify_by_blocks(share_.cut.num_vertices(), share_.num_arcs, share_.directed,
                         static_cast<std::uint64_t>(transport_.size())))
      check_blocks();
    else
      check_arcs();
    for (VertexId row = 0; row < share_.count(); ++row) check_found(row);
    report();
    check_counts();
    report();
  }

 private:
  /// What travels along an arc u → v: all that the owner of v cannot know.
  struct Message {
    VertexId u, v;
    Distance distance;  ///< of u
    VertexId parent;    ///< of u
  };
  static_assert(sizeof(Message) == verify_message_bytes);
  struct Reply {
    VertexId u;
    std::uint32_t is_parent;  ///< of u, whose search came from v
  };
  static_assert(sizeof(Reply) == verify_reply_bytes);
  /// A vertex with what the answer says of it.
  struct End {
    VertexId vertex;
    Distance distance;
    VertexId parent;
  };

  [[nodiscard]] End end(VertexId v) const {
    const VertexId row = v - share_.begin();
    return {v, answer_.distance[row], answer_.parent.empty() ? no_vertex : answer_.parent[row]};
  }

  static std::string named(const End& e) {
    return "vertex " + std::to_string(e.vertex) + " has distance " + std::to_string(e.distance);
  }

  /// The greatest distance that the query keeps, as depth_limit() of bfs/searcher/trim.h computes it from the query and the
  /// distances only. The depth at which the search stopped may be wrong.
  void set_limit() {
    if (query_.max_depth >= 0) limit_ = query_.max_depth;
    if (query_.target == no_vertex) return;
    // no vertex: none is that far
    std::uint64_t target = std::numeric_limits<Distance>::max();
    if (share_.has(query_.target)) {
      const Distance d = answer_.distance[query_.target - share_.begin()];
      if (d >= 0) target = static_cast<std::uint64_t>(d);
    }
    limit_ = std::min(limit_, static_cast<Distance>(transport_.all_reduce(target, Reduce::min)));
  }

  /// Nothing else may be looked at before: a part too short would be read beyond its end.
  void check_size() {
    const std::size_t count = share_.count(), parents = query_.parents ? count : 0;
    if (answer_.distance.size() != count || answer_.parent.size() != parents)
      broken("size", std::to_string(answer_.distance.size()) + " distances and " + std::to_string(answer_.parent.size()) +
                         " parents for " + std::to_string(count) + " vertices");
    report();
  }

  /// From any thread.
  void broken(const char* rule, const std::string& what) {
    const std::scoped_lock lock(broken_mutex_);
    if (!broken_) broken_ = what + " (rule " + rule + ")";
  }

  void check_vertex(VertexId row) {
    const End v = end(share_.begin() + row);
    const bool source = is_source_[row] != 0;
    if (source != (v.distance == 0)) broken("source-distance", named(v) + (source ? ", but it is a source" : ""));
    if (v.distance < unreached || (v.distance > 0 && static_cast<VertexId>(v.distance) >= share_.cut.num_vertices()))
      broken("distance-range", named(v));
    if (v.distance > limit_) broken("depth-limit", named(v) + ", beyond " + std::to_string(limit_));
    if (answer_.parent.empty()) return;
    const bool wants_parent = v.distance > 0;
    if (wants_parent != (v.parent != no_vertex)) broken(wants_parent ? "parent-range" : "no-parent", named(v));
  }

  /// Undirected graphs: a rank's distances at a time go to all others. Each looks along its own arcs that lead there, which has
  /// both ends at hand, in both ways.
  void check_blocks() {
    const Rows& rows = share_.out;
    Array<EdgeIndex> next(share_.count());  // in each row, the first arc that was not looked along
    std::copy_n(rows.offsets.data(), share_.count(), next.data());
    std::vector<Distance> block;
    for (int rank = 0; rank < transport_.size(); ++rank) {
      if (rank == share_.rank) block.assign(answer_.distance.begin(), answer_.distance.end());
      transport_.broadcast(rank, block);
      const VertexId begin = share_.cut.begin(rank), end = share_.cut.end(rank);
      parallel_for(team_, share_.count(), thresholds::Distributed::check_grain, [&](std::size_t from, std::size_t to, int) {
        for (std::size_t row = from; row < to; ++row) {
          EdgeIndex& arc = next[row];
          for (; arc < rows.offsets[row + 1] && rows.neighbors[arc] < end; ++arc) {  // neighbours ascend
            const VertexId v = rows.neighbors[arc];
            check_edge(static_cast<VertexId>(row), v, block[v - begin]);
          }
        }
      });
    }
  }

  /// An edge of this rank's vertex and another one.
  void check_edge(VertexId row, VertexId other, Distance distance) {
    if (distance == answer_.distance[row]) return;
    const End mine = end(share_.begin() + row);
    const Step step = check_step({other, distance, no_vertex}, mine);
    note(row, step.nearer, step.is_parent);
    check_step(mine, {other, distance, 0});  // its parent is looked at by its owner; none is less than 0
  }

  /// Undirected graphs have each arc in both rows, so that one direction is enough.
  void check_arcs() {
    deliver_arcs<Message>(
        transport_, share_, share_.out,
        [&](VertexId u, VertexId v, Message& message) {
          const End from = end(u);
          message = {u, v, from.distance, from.parent};
          return direction_ != Direction::out || from.distance != unreached;
        },
        [&](const Message& m) {
          const End u{m.u, m.distance, m.parent}, v = end(m.v);
          if (direction_ != Direction::in) {
            const Step step = check_step(u, v);
            note(m.v - share_.begin(), step.nearer, step.is_parent);
          }
          if (direction_ == Direction::out) return;
          const Step step = check_step(v, u);
          if (step.nearer) replies_[owner(m.u)].push_back({m.u, step.is_parent});
        },
        [&] { hear_replies(); });
  }

  struct Step {
    bool nearer = false, is_parent = false;
  };

  /// A step that the search may take; what it proves about its end.
  Step check_step(const End& from, const End& to) {
    if (from.distance == unreached) return {};
    const auto arc = [&] {
      return "arc " + std::to_string(from.vertex) + " to " + std::to_string(to.vertex) + ": " + named(to);
    };
    if (to.distance == unreached) {
      // What lies one step beyond the limit is rightly unreached.
      if (from.distance < limit_) broken("spanning", arc());
      return {};
    }
    if (to.distance > from.distance + 1) broken("edge-levels", arc() + ", the other " + std::to_string(from.distance));
    if (to.distance != from.distance + 1) return {};
    if (query_.ties == Ties::min && !answer_.parent.empty() && to.parent > from.vertex) broken("least-parent", arc());
    return {true, to.parent == from.vertex};
  }

  void note(VertexId row, bool nearer, bool is_parent) {
    if (nearer) has_nearer_[row] = 1;
    if (is_parent) has_parent_arc_[row] = 1;
  }

  void hear_replies() {
    if (direction_ == Direction::out) return;
    std::vector<std::vector<Reply>> heard;
    transport_.exchange(replies_, heard);
    for (auto& replies : replies_) replies.clear();
    for (const auto& replies : heard)
      for (const Reply& reply : replies) note(reply.u - share_.begin(), true, reply.is_parent != 0);
  }

  [[nodiscard]] std::size_t owner(VertexId v) const {
    const auto& first = share_.cut.first();
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), v) - first.begin()) - 1;
  }

  void check_found(VertexId row) {
    const End v = end(share_.begin() + row);
    if (v.distance <= 0) return;
    if (!has_nearer_[row]) broken("distance-witness", named(v) + ", but no neighbour is one hop nearer");
    if (!answer_.parent.empty() && !has_parent_arc_[row])
      broken("tree-edge", named(v) + ", and no arc joins it and its parent " + std::to_string(v.parent));
  }

  void check_counts() {
    std::uint64_t reached = 0, depth = 0;
    for (const Distance d : answer_.distance) {
      reached += d != unreached;
      depth = std::max(depth, static_cast<std::uint64_t>(std::max(d, 0)));
    }
    reached = transport_.all_reduce(reached, Reduce::sum);
    depth = transport_.all_reduce(depth, Reduce::max);
    if (reached != answer_.reached || depth != static_cast<std::uint64_t>(answer_.depth))
      broken("counts", std::to_string(reached) + " vertices reached to depth " + std::to_string(depth) + ", not " +
                           std::to_string(answer_.reached) + " to " + std::to_string(answer_.depth));
  }

  void report() {
    std::optional<Error> mine;
    if (broken_)
      mine = Error({.failure = Failure::verification,
                    .id = "HW-VERIFY",
                    .found = "the result of the partitioned search is wrong: " + *broken_,
                    .hint = "please report it with the graph and the command; one process alone gives a right answer"});
    agree_on(transport_, mine);
  }

  Transport& transport_;
  const Share& share_;
  const Query& query_;
  const Answer& answer_;
  const Direction direction_;
  Distance limit_ = std::numeric_limits<Distance>::max();
  std::vector<std::uint8_t> is_source_, has_nearer_, has_parent_arc_;
  std::vector<std::vector<Reply>> replies_;
  std::mutex broken_mutex_;
  std::optional<std::string> broken_;
  Team team_;
};

}  // namespace

void verify(Transport& transport, const Share& share, const Query& query, const Answer& answer, Direction direction,
            int threads) {
  Verifier(transport, share, query, answer, direction, threads).run();
}

}  // namespace hopwave::ranks

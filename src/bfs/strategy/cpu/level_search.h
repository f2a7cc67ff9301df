// The machinery of the CPU strategies: levels by push from a sliding queue, levels by pull through bitmaps, and the choice.
// Source: Beamer, Asanović, Patterson, Direction-Optimizing Breadth-First Search, SC'12; their queue and buffers from GAP.
// Ours differs: a level of few arcs is expanded by the calling thread alone, with no barrier, no atomic and no branch on what
// it finds, unless the frontier is so regular that a processor guesses the branches; a bitmap says who is visited, which fits a
// cache that distances would not; in a push by all, members read the bitmap while they collect neighbours, and then each writes
// its own part of it, so that no line of memory is fought for; unreachable vertices are never looked at; push and pull are
// weighed by the arcs each is expected to look at (pull: unvisited vertices times the probes until a hit; later: what the last
// pull looked at in vain).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "bfs/plan/plan.h"
#include "bfs/strategy/cpu/collect.h"
#include "core/parallel.h"

namespace hopwave::strategy::cpu {

struct Tuning {
  bool pull = false;          ///< may levels be pulled? Needs View::backward
  std::int64_t alpha = 0;     ///< pull when alpha / 16 times the frontier's arcs exceed the arcs a pull is expected to look at
  std::int64_t beta = 0;      ///< pull on while beta / 16 times the frontier's arcs exceed those the last pull read in vain
  std::int64_t alone = -1;    ///< arcs up to which a level is left to one thread; -1: by the graph
  std::int64_t sixteen = -1;  ///< 1: sixteen neighbours at a time, if the processor can; 0: one; -1: by the graph
  std::int64_t regular = -1;  ///< 1: every frontier is taken for a regular one; 0: none; -1: by a look at it
};

class LevelSearch final : public Plan {
 public:
  LevelSearch(const PlanRequest& request, const Tuning& tuning);
  void run(const Query& query, RunControl& control) override;
  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override;
  [[nodiscard]] Milliseconds prepare_time() const override { return prepare_time_; }

  // Of the last run.
  [[nodiscard]] const Array<Distance>& distances() const { return distance_; }
  [[nodiscard]] std::uint64_t reached() const { return reachable_ - unvisited_; }
  [[nodiscard]] bool complete() const { return frontier_ == 0 || unvisited_ == 0; }  ///< a deeper search would find no more

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;

  static constexpr std::size_t most_owners = 32;

  /// A member's place in a level that all push, and what it has collected for each owner.
  struct alignas(128) Member {
    std::size_t at = 0, end = 0;           ///< its part of the queue
    EdgeIndex arc = 0, row_end = 0;        ///< what is left of a long row
    VertexId vertex = 0;                   ///< whose it is
    std::size_t hub = 0, first_piece = 0;  ///< how far it has counted the pieces of hubs
    EdgeIndex arcs = 0;                    ///< looked at
    Array<VertexId> neighbors, from;       ///< list_capacity_ for each owner
    std::size_t counts[most_owners] = {};
  };
  struct alignas(128) PullCounts {
    std::uint64_t arcs = 0, in_vain = 0, found = 0;
  };

  void begin(const Query& query);
  void look_at_vertices();
  void find_heads();
  void one_level(Distance level, LevelTrace& trace);
  void choose_and_expand(Distance level, LevelTrace& trace);
  [[nodiscard]] bool may_share() const;
  [[nodiscard]] EdgeIndex most_alone() const;

  [[nodiscard]] Rows rows() const;
  template <bool parents>
  bool expand_alone(Distance level, EdgeIndex allowance, LevelTrace& trace);
  template <bool parents>
  void expand_with_branches(Distance level, EdgeIndex& left);
  template <bool parents>
  void expand_in_one_pass(Distance level, EdgeIndex& left);
  template <bool parents>
  void expand_in_batches(Distance level, EdgeIndex& left);
  template <bool parents>
  void settle(Batch& batch, Distance level);
  [[nodiscard]] bool worth_a_look(Distance level) const;
  [[nodiscard]] bool looks_regular() const;
  void learn_visited();
  void visited_from_distances();

  void expand_rest_alone(Distance level, LevelTrace& trace);
  void push(Distance level, EdgeIndex arcs, LevelTrace& trace);
  void push_thin(Distance level, EdgeIndex arcs, LevelTrace& trace);
  template <bool parents>
  void claim(std::size_t begin, std::size_t end, Distance level, Member& mine);
  void take_members();
  template <bool parents>
  void push_member(int rank, Distance level);
  template <bool parents>
  bool collect_share(Member& member, bool hubs);
  bool next_rows(Member& member, bool hubs);
  void begin_long_row(Member& member);
  bool next_hub_piece(Member& member);
  [[nodiscard]] std::size_t owner_of(VertexId v) const;
  template <bool parents>
  bool deal(const Batch& batch, Member& member) const;
  template <bool parents>
  void settle_own(std::size_t owner, Distance level);

  void pull(Distance level, LevelTrace& trace);
  template <bool parents>
  void pull_words(std::size_t begin, std::size_t end, Distance level, PullCounts& counts);
  template <bool parents>
  std::size_t try_heads(std::size_t word, Word todo, Distance level, VertexId* left);

  [[nodiscard]] EdgeIndex frontier_arcs() const;
  [[nodiscard]] bool should_pull(EdgeIndex arcs) const;
  [[nodiscard]] bool keep_pulling() const;
  void queue_to_bitmap(Distance level);
  template <class Wanted>
  void bits_of_distances(Array<Word>& bits, Wanted wanted);
  void bitmap_to_queue();

  [[nodiscard]] static bool test(const Array<Word>& bits, VertexId v) { return bits[v / word_bits] >> (v % word_bits) & 1; }
  static void set(Array<Word>& bits, VertexId v) { bits[v / word_bits] |= Word{1} << (v % word_bits); }
  /// Sets v's bit of visited_; 1 if it was not set, else 0.
  std::size_t visit(VertexId v) {
    Word& word = visited_[v / word_bits];
    const std::size_t fresh = ~word >> (v % word_bits) & 1;
    word |= Word{1} << (v % word_bits);
    return fresh;
  }

  // The graph.
  const View view_;
  const VertexId n_;
  const std::size_t words_;
  const EdgeIndex *offsets_, *in_offsets_;
  const VertexId *neighbors_, *in_neighbors_;
  const Tuning tuning_;
  const double average_degree_;
  const bool thin_;        ///< few vertices have more than four neighbours
  const bool by_sixteen_;  ///< neighbours at a time
  Team& team_;
  Array<Word> unreachable_;  ///< vertices without incoming arcs, and the bits beyond the last vertex
  VertexId reachable_ = 0;   ///< the other vertices
  Array<VertexId> head_;     ///< prepared: each vertex's in-neighbour of highest degree
  std::size_t hub_count_ = 0;
  bool claims_ = false;  ///< members claim what they find, see push_thin()
  Milliseconds prepare_time_ = {};

  // The result.
  Array<Distance> distance_;
  Array<VertexId> parent_;
  bool parents_ = false;

  // The frontier: queue_[first_, end_), or the bits of front_. Each vertex enters the queue at most once, at tail_.
  Array<VertexId> queue_;
  std::size_t first_ = 0, end_ = 0;
  std::atomic<std::size_t> tail_{0};
  bool in_bitmap_ = false;
  std::uint64_t frontier_ = 0;
  std::uint64_t in_vain_ = 0;  ///< arcs that the last pull read for vertices it did not reach
  EdgeIndex unexplored_ = 0;   ///< arcs that no push has looked at

  bool regular_ = false;  ///< a processor can guess what each vertex of the frontier finds

  VertexId unvisited_ = 0;  ///< reachable vertices without a distance

  Array<Word> visited_;       ///< knows queue_[0, known_) and all that was pulled
  Array<Word> front_, next_;  ///< of a pull
  std::size_t known_ = 0;

  // Sharing of one level.
  int sharing_ = 1;              ///< members that push
  std::size_t queue_chunk_ = 1;  ///< vertices a member takes at once
  alignas(128) std::atomic<std::size_t> cursor_{0};
  alignas(128) std::atomic<std::size_t> hub_cursor_{0}, hubs_met_{0};
  std::atomic<std::size_t> full_{0};     ///< times that a member stopped for want of room
  std::vector<PullCounts> pull_counts_;  ///< of each member
  Array<VertexId> hubs_;
  std::size_t owners_ = 0, list_capacity_ = 0;
  std::vector<Member> members_;  ///< empty until the first push by all
};

}  // namespace hopwave::strategy::cpu

// The machinery of the CPU strategies: levels by push from a sliding queue, levels by pull through bitmaps, and the choice.
// Source: Beamer, Asanović, Patterson, Direction-Optimizing Breadth-First Search, SC'12; their queue and buffers from GAP.
// Ours differs: a level of few arcs is expanded by the calling thread alone, with no barrier, no atomic and no branch on
// what it finds; pushing filters a batch of neighbours before it claims any; bitmaps exist only from the first pull on;
// vertices nobody can reach are never looked at; push and pull are weighed by the arcs each is expected to look at (pull:
// unvisited vertices times the probes until a hit; later: what the last pull looked at in vain).
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "plan/plan.h"

namespace hopwave::strategy::cpu {

struct Tuning {
  bool pull = false;       ///< may levels be pulled? Needs View::backward
  std::int64_t alpha = 0;  ///< pull when alpha / 16 times the frontier's arcs exceed the arcs a pull is expected to look at
  std::int64_t beta = 0;   ///< pull on while beta / 16 times the frontier's arcs exceed those the last pull read in vain
  std::int64_t alone = 0;  ///< arcs up to which a level is left to one thread
};

class LevelSearch final : public Plan {
 public:
  LevelSearch(const PlanRequest& request, const Tuning& tuning);
  void run(const Query& query, RunControl& control) override;
  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override;
  [[nodiscard]] double prepare_seconds() const override { return prepare_seconds_; }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;

  struct Batch;
  struct PullCounts {
    std::uint64_t arcs = 0, in_vain = 0, found = 0;
  };

  void begin(const Query& query);
  void find_unreachable();
  void find_hubs();
  void find_heads();
  void one_level(Distance level, LevelTrace& trace);

  void fetch_ahead(std::size_t at, std::size_t end) const;
  template <bool parents>
  bool expand_alone(Distance level, EdgeIndex allowance, LevelTrace& trace);
  void push(Distance level, LevelTrace& trace);
  template <bool parents>
  void push_member(Distance level, std::uint64_t& arcs);
  template <bool parents>
  void push_row(VertexId u, EdgeIndex begin, EdgeIndex end, Batch& batch);
  template <bool parents>
  void push_hubs(Batch& batch);

  void pull(Distance level, LevelTrace& trace);
  template <bool parents>
  void pull_words(std::size_t begin, std::size_t end, Distance level, PullCounts& counts);
  template <bool parents>
  std::size_t try_heads(std::size_t word, Word todo, Distance level, VertexId* left);

  [[nodiscard]] EdgeIndex frontier_arcs() const;
  [[nodiscard]] bool should_pull() const;
  [[nodiscard]] bool keep_pulling() const;
  void queue_to_bitmap(Distance level);
  void bits_from_queue();
  void bits_from_distances(Distance level);
  void bitmap_to_queue();

  [[nodiscard]] static bool test(const Array<Word>& bits, VertexId v) { return bits[v / word_bits] >> (v % word_bits) & 1; }
  static void set(Array<Word>& bits, VertexId v) { bits[v / word_bits] |= Word{1} << (v % word_bits); }

  // The graph.
  const View view_;
  const VertexId n_;
  const std::size_t words_;
  const EdgeIndex *offsets_, *in_offsets_;
  const VertexId *neighbors_, *in_neighbors_;
  const Tuning tuning_;
  const bool thin_;  ///< few vertices have more than four neighbours
  Team& team_;
  Array<Word> unreachable_;  ///< vertices without incoming arcs, and the bits beyond the last vertex
  VertexId reachable_ = 0;   ///< the other vertices
  Array<VertexId> head_;     ///< prepared: each vertex's in-neighbour of highest degree
  std::size_t hub_count_ = 0;
  double prepare_seconds_ = 0;

  // The result.
  Array<Distance> distance_;
  Array<VertexId> parent_;
  bool parents_ = false;

  // The frontier: queue_[first_, end_), or the bits of front_. Each vertex enters the queue at most once, behind tail_.
  Array<VertexId> queue_;
  std::size_t first_ = 0, end_ = 0;
  std::atomic<std::size_t> tail_{0};
  bool in_bitmap_ = false;
  std::uint64_t frontier_ = 0;
  std::uint64_t in_vain_ = 0;  ///< arcs that the last pull read for vertices it did not reach
  EdgeIndex unexplored_ = 0;   ///< arcs that no push has looked at

  VertexId unvisited_ = 0;  ///< reachable vertices without a distance

  // Bits, made for the first pull. visited_ knows queue_[0, known_) and all that was pulled.
  Array<Word> visited_, front_, next_;
  std::size_t known_ = 0;
  bool bits_ready_ = false;

  // Sharing of one level.
  std::atomic<std::size_t> cursor_{0}, hub_cursor_{0}, hubs_met_{0};
  Array<VertexId> hubs_;
};

}  // namespace hopwave::strategy::cpu

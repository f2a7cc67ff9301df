// Levels of a rank that searches on its CPU, with one thread.
#include <algorithm>

#include "bfs/distributed/levels.h"

namespace hopwave::ranks {

namespace {

/// The frontier of all ranks, one bit per vertex.
class GatheredFrontier {
 public:
  explicit GatheredFrontier(const Cut& cut);
  /// Words that hold this rank's vertices, from the one of its first vertex on.
  [[nodiscard]] std::size_t words_of(int rank) const { return words_[static_cast<std::size_t>(rank)]; }
  /// Puts all ranks' words together. Collective.
  void gather(Transport& transport, std::span<const std::uint64_t> mine);
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return all_; }
  [[nodiscard]] bool has(VertexId v) const { return (all_[word_of(v)] & bit_of(v)) != 0; }

 private:
  const Cut& cut_;
  std::vector<std::uint64_t> words_;     // how many words hold each rank's vertices
  std::vector<std::uint64_t> gathered_;  // words of all ranks, one after the other
  std::vector<std::uint64_t> all_;
};

GatheredFrontier::GatheredFrontier(const Cut& cut) : cut_(cut), all_(words_for(0, cut.num_vertices())) {
  std::uint64_t sum = 0;
  for (int r = 0; r < cut.ranks(); ++r) {
    words_.push_back(words_for(cut.begin(r), cut.end(r)));
    sum += words_.back();
  }
  gathered_.resize(sum);
}

void GatheredFrontier::gather(Transport& transport, std::span<const std::uint64_t> mine) {
  transport.all_gather<std::uint64_t>(mine, gathered_, words_);
  std::fill(all_.begin(), all_.end(), 0);
  std::size_t at = 0;
  for (int r = 0; r < cut_.ranks(); ++r) {
    const std::size_t first = word_of(cut_.begin(r));
    for (std::size_t w = 0; w < words_of(r); ++w) all_[first + w] |= gathered_[at++];
  }
}

class CpuLevels final : public Levels {
 public:
  explicit CpuLevels(const LevelsRequest& request)
      : transport_(request.transport),
        share_(request.share),
        steps_(request.steps),
        wait_(request.wait),
        known_(words_for(0, share_.cut.num_vertices())),
        to_(static_cast<std::size_t>(transport_.size())) {
    if (steps_.backward()) gathered_.emplace(share_.cut);
  }

  Counts begin(const Query& query) override {
    target_ = query.target;
    parents_ = query.parents;
    std::fill(known_.begin(), known_.end(), 0);
    distance_ = Array<Distance>::filled(share_.count(), unreached);
    parent_ = parents_ ? Array<VertexId>::filled(share_.count(), no_vertex) : Array<VertexId>{};
    next_.clear();
    mine_ = {};
    for (const VertexId s : query.sources)
      if (share_.has(s)) claim(s, no_vertex, 0);
    std::sort(next_.begin(), next_.end());
    return mine_;
  }

  /// Each rank sends a vertex once, with the least parent in its frontier. Messages are read in ascending order of ranks, so
  /// the first one has the least parent of all.
  Counts top_down(Distance level) override {
    advance();
    for (auto& messages : to_) messages.clear();
    for (const VertexId u : frontier_) {
      int owner = 0;  // neighbours ascend, and so do their owners
      for (const VertexId v : steps_.forward().row(u - share_.begin())) {
        ++mine_.examined;
        if (known_[word_of(v)] & bit_of(v)) continue;
        known_[word_of(v)] |= bit_of(v);
        while (v >= share_.cut.end(owner)) ++owner;
        to_[static_cast<std::size_t>(owner)].push_back(v);
        if (parents_) to_[static_cast<std::size_t>(owner)].push_back(u);
      }
    }
    wait_();
    transport_.exchange(to_, from_);
    for (const auto& messages : from_)
      for (std::size_t i = 0; i < messages.size(); i += parents_ ? 2 : 1)
        claim(messages[i], parents_ ? messages[i + 1] : no_vertex, level);
    std::sort(next_.begin(), next_.end());
    return mine_;
  }

  /// Rows ascend, so the first neighbour in the frontier is the least.
  Counts bottom_up(Distance level) override {
    advance();
    std::vector<std::uint64_t> mine(gathered_->words_of(transport_.rank()));
    for (const VertexId u : frontier_) mine[word_of(u) - word_of(share_.begin())] |= bit_of(u);
    wait_();
    gathered_->gather(transport_, mine);
    for (std::size_t w = 0; w < known_.size(); ++w) known_[w] |= gathered_->words()[w];
    for (VertexId row = 0; row < share_.count(); ++row) {
      if (distance_[row] != unreached) continue;
      for (const VertexId u : steps_.backward()->row(row)) {
        ++mine_.examined;
        if (!gathered_->has(u)) continue;
        claim(share_.begin() + row, u, level);
        break;
      }
    }
    return mine_;
  }

  void fetch(Array<Distance>& distance, Array<VertexId>& parent) override {
    distance = std::move(distance_);
    parent = std::move(parent_);
  }

 private:
  void advance() {
    std::swap(frontier_, next_);
    next_.clear();
    mine_ = {};
  }

  /// The vertex is this rank's; the first parent is kept.
  void claim(VertexId v, VertexId parent, Distance level) {
    const VertexId row = v - share_.begin();
    if (distance_[row] != unreached) return;
    distance_[row] = level;
    if (parents_) parent_[row] = parent;
    known_[word_of(v)] |= bit_of(v);
    next_.push_back(v);
    ++mine_.vertices;
    mine_.arcs += steps_.forward().degree(row);
    mine_.at_target += v == target_;
  }

  Transport& transport_;
  const Share& share_;
  const Steps& steps_;
  const std::function<void()> wait_;
  std::vector<std::uint64_t> known_;  // one bit per vertex: sent to its owner, or known to be visited; not sent again
  std::optional<GatheredFrontier> gathered_;

  // Of one search.
  VertexId target_ = no_vertex;
  bool parents_ = false;
  Array<Distance> distance_;
  Array<VertexId> parent_;
  std::vector<VertexId> frontier_, next_;  // this rank's, ascending
  std::vector<std::vector<VertexId>> to_, from_;
  Counts mine_;
};

}  // namespace

std::unique_ptr<Levels> make_cpu_levels(const LevelsRequest& request) { return std::make_unique<CpuLevels>(request); }

}  // namespace hopwave::ranks

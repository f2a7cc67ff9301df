// Two shapes of plan that most strategies have: one launch per level with a flag, or with queues. A strategy that has one
// of them writes its kernel, its launch and its descriptor.
#pragma once

#include "bfs/strategy/gpu/level_kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

/// One launch per level over all vertices or arcs; the kernel raises a flag when it found something.
class FlagPlan : public LevelPlan {
 public:
  void run(const Query& query, RunControl& control) override {
    loop_.run(
        query, control, level_, [&] { start(query); },
        [&](Distance current, std::uint32_t) {
          const char* const direction = expand(current);
          return LevelStep{.more = last_found_.value() == current, .direction = direction};
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

 protected:
  FlagPlan(const PlanRequest& request, const Needs& needs)
      : LevelPlan(request, needs), last_found_(device_, 1), counter_(device_) {}

  /// Brings the device to the state before level 1.
  virtual void start(const Query& query) {
    start_levels(device_, sources_, query.sources, level_);
    last_found_.fill_bytes(0);
    parents_ = start_parents(query);
  }
  /// Launches what finds level `current` and raises last_found_ to it; says its direction.
  virtual const char* expand(Distance current) = 0;

  Buffer<Distance> last_found_;  ///< the last level in which something was found
  VertexId* parents_ = nullptr;  ///< where this run's parents go; may be null
  LevelCounter counter_;
};

/// One launch per level over the vertices of a queue; a thread that finds a vertex appends it to the next queue. Queues and
/// their sizes take turns: a kernel counts in sizes_[next_turn()] and sets sizes_[turn_], which the host has read, to zero.
class QueuePlan : public LevelPlan {
 public:
  void run(const Query& query, RunControl& control) override {
    loop_.run(
        query, control, level_, [&] { start(query); },
        [&](Distance current, std::uint32_t most) {
          const LevelStep done = expand(current, most);
          size_ = static_cast<std::uint32_t>(done.discovered);
          turn_ = next_turn();
          return done;
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

 protected:
  QueuePlan(const PlanRequest& request, const Needs& needs)
      : LevelPlan(request, needs), queues_{new_queue(), new_queue()}, sizes_(device_, 2), counter_(device_) {}

  /// Expands queues_[turn_], size_ vertices, into the other; says how many it found.
  virtual LevelStep expand(Distance current, std::uint32_t most) = 0;

  [[nodiscard]] std::uint32_t next_turn() const { return 1 - turn_; }
  /// The round trip of a level: how many vertices the launch found.
  [[nodiscard]] LevelStep found_by_launch() const {
    const std::uint32_t found = sizes_.value(next_turn());
    return {.more = found != 0, .discovered = found};
  }

  Buffer<VertexId> queues_[2];  ///< a vertex is found once in a run: n entries are enough
  Buffer<std::uint32_t> sizes_;
  std::uint32_t size_ = 0, turn_ = 0;
  VertexId* parents_ = nullptr;  ///< where this run's parents go; may be null

 private:
  void start(const Query& query) {
    sizes_.fill_bytes(0);
    start_levels(device_, sources_, query.sources, level_, queues_[0].data(), sizes_.data());
    parents_ = start_parents(query);
    turn_ = 0;
    // One source needs no asking; of several, some may be the same.
    size_ = query.sources.size() == 1 ? 1 : sizes_.value(0);
  }

  LevelCounter counter_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

// bfs/strategy: the strategies of the literature, a file each, with what they share in cpu/ and gpu/. No strategy uses another.
//
// What GPU strategies share on the host side: parameters, the query's sources, the loop over levels.
// Included by src/bfs/strategy/*.cu, each of which nvcc, hipcc and the host compiler (for the simulator) compile.
#pragma once

#include <algorithm>

#include "bfs/plan/plan.h"
#include "bfs/plan/upload.h"
#include "device/device.h"
#include "device/kernel.h"

namespace hopwave::strategy {

using device::blocks_for;
using device::Buffer;
using device::Device;
using device::grid_for;
using device::launch;

/// Parameters that most GPU strategies have. Kernels walk their items in strides of the whole grid, so any value is right.
inline constexpr ParameterInfo block_parameter{"block", 256, 1, 1024, "threads per block"};
inline constexpr ParameterInfo grid_parameter{"grid", 0, 0, 1 << 20, "blocks; 0: enough for one thread an item"};

/// A query's sources on their way to the device, in pieces of a fixed size: no memory is taken by a run.
class SourceList {
 public:
  static constexpr std::size_t piece = 4096;
  SourceList(Device& device, VertexId num_vertices) : staged_(device, std::min<std::size_t>(num_vertices, piece)) {}

  /// Calls each(device_pointer, count) until every source had its turn; a source that is given twice comes twice.
  template <class Each>
  void each(std::span<const VertexId> sources, Each&& call) {
    while (!sources.empty() && !staged_.empty()) {
      const std::size_t count = std::min(sources.size(), staged_.size());
      staged_.upload(sources.first(count));
      call(static_cast<const VertexId*>(staged_.data()), static_cast<std::uint32_t>(count));
      sources = sources.subspan(count);
    }
  }

 private:
  Buffer<VertexId> staged_;
};

/// What one step of a strategy says when it is done.
struct LevelStep {
  bool more = false;               ///< something was discovered, so there is a next level
  std::uint64_t discovered = 0;    ///< vertices found, where the method knows
  const char* direction = "push";  ///< as in LevelTrace
  std::uint32_t levels = 1;        ///< levels taken by this step; the last of them found nothing unless there is more
  [[nodiscard]] bool relaxes() const { return std::string_view(direction) == "relax"; }
};

/// The host's side of a level-synchronous traversal: times it, stops it at max_depth or target, reports levels.
class LevelLoop {
 public:
  explicit LevelLoop(Device& device) : device_(device), total_(device), part_(device) {}

  /// start() prepares the device; step(current, most) finds the vertices of level `current` and, if the method takes
  /// several levels at a time, at most `most` levels in all; count(trace) fills frontier, edges and discovered of the
  /// level trace.level when someone wants a trace: it runs outside the timed part and its work is not charged.
  template <class Start, class Step, class Count>
  void run(const Query& query, RunControl& control, const Buffer<Distance>& level, Start&& start, Step&& step, Count&& count) {
    begin(control);
    device_.begin_level(0);
    start();
    started(control);
    bool more = true, relaxes = false;
    for (Distance current = 1; more && (query.max_depth < 0 || current <= query.max_depth);) {
      before_level(control);
      device_.begin_level(current);
      const LevelStep done = step(current, most_levels(query, control, current));
      device_.end_level(done.levels);
      if (control.trace) {
        LevelTrace trace{.level = current, .direction = done.direction, .discovered = done.discovered};
        trace.time = after_level();
        const Spent spent = now();
        const Device::Uncounted uncounted(device_);
        count(trace);
        uncharge(spent);
        control.stats->edges_examined += trace.edges;
        control.stats->trace.push_back(trace);
      }
      current += static_cast<Distance>(done.levels);
      control.stats->steps = static_cast<std::uint32_t>(current - 1);
      control.stats->levels = static_cast<std::uint32_t>(current - (done.more ? 1 : 2));  // the last step found nothing
      relaxes = done.relaxes();
      more = done.more && !(query.target != no_vertex && settled(level.value(query.target), current - 1));
      control.level_done(static_cast<std::uint32_t>(current - 1), done.discovered);
    }
    finish(control);
    if (relaxes) control.stats->levels = greatest(level);  // a pass is no level
  }

 private:
  struct Spent {
    std::uint64_t launches, round_trips;
  };
  [[nodiscard]] Spent now() const { return {device_.launches(), device_.round_trips()}; }
  /// Relaxing strategies hold distances that are still too large: those of levels not yet done.
  static bool settled(Distance d, Distance done) { return d != unreached && d <= done; }
  void uncharge(const Spent& since);
  void begin(RunControl& control);
  void started(RunControl& control);
  void before_level(RunControl& control);
  Milliseconds after_level();
  void finish(RunControl& control);
  static std::uint32_t greatest(const Buffer<Distance>& level);
  /// One at a time while someone watches each level, in batches while someone may interrupt.
  static std::uint32_t most_levels(const Query& query, const RunControl& control, Distance current);

  Device& device_;
  device::Timer total_, part_;
  Spent from_{};
  Milliseconds traced_ = {};
};

/// What every plan with one distance per vertex holds. A strategy derives from it and writes run().
class LevelPlan : public Plan {
 public:
  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    level_.download(distances);
    if (!parent_.empty()) parent_.download(parents);
  }
  [[nodiscard]] DeviceAnswer answer() const override { return {level_.data(), parent_.data()}; }

 protected:
  LevelPlan(const PlanRequest& request, const Needs& needs)
      : device_(*request.device),
        graph_(upload(device_, request.view, needs, request.wide_offsets)),
        block_(static_cast<std::uint32_t>(parameter(request, "block"))),
        grid_(static_cast<std::uint32_t>(parameter(request, "grid"))),
        level_(Buffer<Distance>(device_, graph_.num_vertices).as(MemoryKind::levels)),
        sources_(device_, graph_.num_vertices),
        loop_(device_) {}

  [[nodiscard]] std::uint32_t grid(std::uint64_t items) const { return grid_for(items, block_, grid_); }

  /// Room for each vertex once.
  [[nodiscard]] Buffer<VertexId> new_queue() const {
    return Buffer<VertexId>(device_, graph_.num_vertices).as(MemoryKind::queues);
  }
  /// One byte per vertex.
  [[nodiscard]] Buffer<std::uint8_t> new_flags() const {
    return Buffer<std::uint8_t>(device_, graph_.num_vertices).as(MemoryKind::flags);
  }
  /// Where kernels write parents, all no_vertex now; null if the query wants none. Only for strategies that find parents.
  VertexId* start_parents(const Query& query) {
    if (!query.parents) return nullptr;
    if (parent_.empty()) parent_ = Buffer<VertexId>(device_, graph_.num_vertices).as(MemoryKind::parents);
    parent_.fill_bytes(0xFF);
    return parent_.data();
  }

  Device& device_;
  DeviceGraph graph_;
  std::uint32_t block_, grid_;
  Buffer<Distance> level_;
  Buffer<VertexId> parent_;  ///< taken by the first query that wants parents
  SourceList sources_;
  LevelLoop loop_;
};

/// Arcs that may leave `vertices` vertices with at most `longest` each, of a graph with `arcs`; `vertices` may count some
/// twice.
inline std::uint64_t most_arcs(std::uint64_t vertices, std::uint64_t longest, std::uint64_t arcs) {
  return longest && vertices > arcs / longest ? arcs : vertices * longest;
}

}  // namespace hopwave::strategy

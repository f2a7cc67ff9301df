// auto: the engine, which picks its steps on the device by what each level costs; what users get when they name nothing.
// Source: ours, on direction-optimizing search (Beamer, Asanović, Patterson, SC'12); docs/performance-engine.md has the
// account.
#include <chrono>

#include "engine/wide_host.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace hopwave::strategy;
using engine::Wide;
using engine::WideOptions;

constexpr const char* direction_names[] = {"push", "push", "pull", "stop"};

WideOptions wide_options(const PlanRequest& request) {
  return {.pull_edges = parameter(request, "pull"),
          .flood_edges = parameter(request, "flood"),
          .back_edges = parameter(request, "back"),
          .hub_words = parameter(request, "hubs"),
          .fast_degree = parameter(request, "fast"),
          .stage_limit = parameter(request, "stage"),
          .block = static_cast<std::uint32_t>(parameter(request, "block")),
          .grid = static_cast<std::uint32_t>(parameter(request, "grid"))};
}

template <class Offset>
class Auto final : public Plan {
 public:
  explicit Auto(const PlanRequest& request)
      : device_(*request.device),
        timer_(device_),
        copied_(device_, request.view, {.out = true, .in = true}, sizeof(Offset) == 8),
        wide_(device_, as_copied(), wide_options(request)) {}

  void run(const Query& query, RunControl& control) override {
    control.level_done(0, query.sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    timer_.start();
    wide_.run(query, control.trace);
    timer_.stop();
    control.stats->search_ms = timer_.milliseconds();
    wide_.finish();
    control.stats->levels = wide_.control().levels;
    control.stats->launches = device_.launches() - launches;
    control.stats->round_trips = device_.round_trips() - trips;
    control.stats->chosen = "wide: all multiprocessors in one launch, " + std::to_string(wide_.grid()) + " blocks";
    if (control.trace) trace(*control.stats);
    control.level_done(control.stats->levels, wide_.control().visited);
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    wide_.levels().download(distances);
    if (!parents.empty()) wide_.parents().download(parents);
  }

 private:
  engine::Graph<Offset> as_copied() const {
    return {.num_vertices = copied_.num_vertices,
            .num_arcs = copied_.num_arcs,
            .offsets = copied_.template offsets<Offset>(),
            .neighbors = copied_.neighbors.data(),
            .in_offsets = copied_.template in_offsets<Offset>(),
            .in_neighbors = copied_.in_neighbor_data(),
            .head = nullptr,
            .rank = nullptr,
            .order = nullptr,
            .giant = 0};
  }

  void trace(RunStats& stats) const {
    std::uint64_t clock = wide_.control().began;
    for (const engine::LevelRecord& r : wide_.records()) {
      stats.trace.push_back({.level = static_cast<Distance>(r.level),
                             .direction = direction_names[r.mode],
                             .frontier = r.frontier,
                             .edges = r.mode == engine::pull ? 0 : r.edges,
                             .discovered = r.found,
                             .milliseconds = static_cast<double>(r.clock - clock) * 1e-6});
      clock = r.clock;
    }
  }

  Device& device_;
  device::Timer timer_;
  DeviceGraph copied_;
  Wide<Offset> wide_;
};

std::unique_ptr<Plan> make_plan(const PlanRequest& request) {
  const bool wide_offsets = request.view.num_arcs() > 0xFFFF0000ull || parameter(request, "offsets") == 64;
  if (wide_offsets) return std::make_unique<Auto<std::uint64_t>>(request);
  return std::make_unique<Auto<std::uint32_t>>(request);
}

constexpr std::int64_t many = std::int64_t{1} << 62;

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    auto,
    {.info = {.name = "auto",
              .summary = "the engine: picks push or pull, wide or narrow, by itself",
              .source = "ours; direction switching after Beamer, Asanovic, Patterson, SC'12",
              .device = "any",
              .differs = "one launch a search; decisions on the device; visited bitmap serves as the frontier when pulling",
              .needs = {.out = true, .in = true, .cooperative = true},
              .native_parents = true,
              .parameters = {{"pull", -1, -1, HW_MACHINE::many, "pull when the frontier has so many edges; -1: by the graph"},
                             {"flood", -1, -1, HW_MACHINE::many, "push without a queue at so many edges; -1: by the graph"},
                             {"back", -1, -1, HW_MACHINE::many, "push again below so many edges; -1: by the graph"},
                             {"hubs", -1, -1, 32768, "bitmap words kept in shared memory while pulling; -1: by the graph"},
                             {"fast", -1, -1, 64, "largest degree of a source that every block expands for itself; -1: 64"},
                             {"stage", -1, -1, 1 << 20, "vertices a warp may find in a pull and still queue; -1: by the warp"},
                             {"offsets", 32, 32, 64, "width of row offsets on the device; 64 is forced beyond 2^32 arcs"},
                             {"block", 0, 0, 1024, "threads a block; 0: as many as there may be"},
                             {"grid", 0, 0, 1 << 20, "blocks; 0: one a multiprocessor"}}},
     .plan = [](const PlanRequest& request) { return HW_MACHINE::make_plan(request); }})

// Which method a WeightedSearcher runs, and on which machine. A strategy that was named is never exchanged for another.
#include <algorithm>
#include <cmath>

#include "algorithm/sssp/gpu/near_far.h"
#include "algorithm/sssp/searcher.h"
#include "bfs/catalogue/catalogue.h"
#include "bfs/plan/thresholds.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "device/usable_gpu.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

const StrategyInfo& near_far_info() {
  static const StrategyInfo info{
      .name = "near-far",
      .device = "gpu",
      .native_parents = false,
      .parameters = {
          {"block", 0, 0, 512, "threads per block; 0: what suits the device"},
          {"grid", 0, 0, 65535, "blocks; 0: one per multiprocessor"},
          {"narrow", 0, 0, std::int64_t{1} << 40, "arcs up to which one block takes a step alone; 0: 2 per thread"},
          {"steps", 0, 0, 1 << 30, "most steps per launch; 0: 32,768"},
          {"aim", 0, 0, std::int64_t{1} << 40, "arcs per step that widths are fitted to; 0: by threads and degrees"}}};
  return info;
}

sssp::NearFarTuning tuning_of(const Parameters& given) {
  Parameters all;
  try {
    all = search_detail::complete_parameters(near_far_info(), given);
  } catch (const Error& e) {
    auto parts = e.parts();
    parts.hint = "docs/sssp.md explains them";
    throw Error(parts);
  }
  const auto value = [&](const char* name) { return static_cast<std::uint64_t>(all.find(name)->second); };
  return {.block = static_cast<std::uint32_t>(value("block")),
          .grid = static_cast<std::uint32_t>(value("grid")),
          .narrow = value("narrow"),
          .steps = static_cast<std::uint32_t>(value("steps")),
          .aim = value("aim")};
}

[[noreturn]] void wrong_device(const std::string& strategy, const char* device, const char* expected) {
  core::refuse("HW-STRATEGY-DEVICE", "strategy " + strategy + " on device " + device, expected);
}

bool is_known(const std::string& name) {
  return name == "auto" || name == "cpu-dijkstra" || name == "cpu-delta-stepping" || name == "near-far";
}

}  // namespace

/// Twice the mean weight over the mean degree (less where a few heavy weights make the mean: all others would be in one bin); a
/// quarter of that where degrees are high: there vertices of many arcs would be relaxed again and again. Narrower bins bring
/// more barriers. Measured on rmat:18,16 and rmat:20,16, streets:700 and streets:1400 with one thread; near-far widens its own
/// as it goes, and delta-stepping takes several bins at once.
double WeightedSearcher::State::delta() const {
  if (options.delta > 0) return options.delta;
  const sssp::Arcs arcs = rows.arcs();
  if (figures.typical == 0 || arcs.count() == 0) return 1;
  const double degree = static_cast<double>(arcs.count()) / arcs.num_vertices;
  return figures.typical *
         (degree < thresholds::Weighted::high_degree ? thresholds::Weighted::wide_bin : thresholds::Weighted::narrow_bin) /
         degree;
}

/// On one thread the width hardly matters where degrees are low (streets:1400: 2 % between one and five times `delta`), and
/// fewer bins have fewer barriers. No bin is narrower than what divides all weights: the bins between would be empty.
sssp::Bins WeightedSearcher::State::bins() const {
  if (options.delta > 0) return {options.delta, true};
  const sssp::Arcs arcs = rows.arcs();
  const double wanted =
      delta() * (arcs.count() < thresholds::Weighted::high_degree * arcs.num_vertices ? thresholds::Weighted::cpu_bin : 1);
  return {std::max(wanted, std::ldexp(1.0, figures.exponent)), false};
}

void WeightedSearcher::State::choose() {
  if (!is_known(options.strategy))
    core::refuse("HW-STRATEGY-UNKNOWN", "strategy '" + options.strategy + "' for shortest paths",
                 "auto, cpu-dijkstra, cpu-delta-stepping or near-far");
  (void)tuning_of(options.parameters);  // wrong parameters are an error on every device
  const bool any = options.strategy == "auto", near_far = options.strategy == "near-far";
  if (!any && !near_far && options.run.device == DeviceKind::gpu) wrong_device(options.strategy, "gpu", "device cpu");
  if (!any && !near_far && options.run.device == DeviceKind::sim) wrong_device(options.strategy, "sim", "device cpu");
  if (near_far && options.run.device == DeviceKind::cpu) wrong_device(options.strategy, "cpu", "device gpu or sim");
  if (near_far || options.run.device == DeviceKind::gpu || options.run.device == DeviceKind::sim ||
      (any && options.run.device == DeviceKind::automatic)) {
    std::string why_not;
    const device::Api* gpu = options.run.device == DeviceKind::sim ? nullptr : device::usable_gpu(why_not);
    choose_device(why_not, gpu);
  } else {
    choose_cpu();
  }
  if (options.run.simulator.schedule == ScheduleKind::uniform || kind == DeviceKind::sim) return;
  core::refuse("HW-OPTION-SCHEDULE", "a kind of schedule for a search outside the simulator",
               "the simulator as device, or the uniform schedule", "--device sim");
}

/// The simulator, a GPU or, if that was left open, what there is instead of one.
void WeightedSearcher::State::choose_device(const std::string& why_not_gpu, const device::Api* gpu) {
  const bool open = options.run.device == DeviceKind::automatic, any = options.strategy == "auto";
  if (options.run.device == DeviceKind::sim) return make_near_far(*device::sim_api());
  if (!gpu && !open)
    device::refuse_without_gpu(why_not_gpu, any ? "--device cpu" : "--device sim runs it on a simulated one, slowly");
  if (!gpu) {
    notes.push_back("no GPU (" + why_not_gpu + "): " + (any ? "using the CPU" : "running near-far in the simulator"));
    return any ? choose_cpu() : make_near_far(*device::sim_api());
  }
  try {
    make_near_far(*gpu);
  } catch (const Error& e) {
    // Only `auto` may change the device, and only if the caller left it open.
    if (!any || !open || (e.failure() != Failure::does_not_fit && e.failure() != Failure::device)) throw;
    notes.push_back("the GPU could not be used (" + e.parts().found + "): using the CPU");
    method.reset();
    device.reset();
    choose_cpu();
  }
}

void WeightedSearcher::State::make_near_far(const device::Api& api) {
  const sssp::NearFarOptions how{.delta = delta(),
                                 .fixed_delta = options.delta > 0,
                                 .float_weights = figures.floats,
                                 .tuning = tuning_of(options.parameters)};
  const core::Stopwatch watch;
  const device::KeepCurrent keep(&api);
  kind = &api == device::sim_api() ? DeviceKind::sim : DeviceKind::gpu;
  name = "near-far";
  device = std::make_unique<device::Device>(api, options.run.on);
  device->set_schedule(device::schedule_of(options.run.simulator.seed, options.run.simulator.schedule));
  method = sssp::make_near_far(api)(*device, rows.arcs(), how);
  if (options.strategy == "auto") chosen = "near-far: a device";
  copy_in = watch.elapsed();
}

void WeightedSearcher::State::choose_cpu() {
  if (!options.parameters.empty()) notes.emplace_back("parameters of near-far have no effect on the CPU");
  kind = DeviceKind::cpu;
  name = options.strategy;
  if (name == "auto") {
    const bool small = graph->num_vertices() + graph->num_arcs() < thresholds::Cpu::few_for_threads;
    name = small ? "cpu-dijkstra" : "cpu-delta-stepping";
    chosen = name + (small ? ": a small graph" : ": " + std::to_string(team.size()) + " threads");
  }
  if (name == "cpu-dijkstra")
    method = sssp::make_dijkstra(rows.arcs());
  else
    method = sssp::make_delta_stepping(team, rows.arcs(), bins());
}

}  // namespace hopwave::inline v0_1

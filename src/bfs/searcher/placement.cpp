// The rules of placement: a strategy named by the caller is never exchanged for another; `auto` may go to the CPU.
#include "bfs/searcher/placement.h"

#include "bfs/catalogue/catalogue.h"
#include "device/usable_gpu.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {
namespace {

[[noreturn]] void no_gpu(const std::string& why_not, std::string_view strategy) {
  device::refuse_without_gpu(why_not, strategy == "auto" ? "--device cpu" : "--device sim runs it on a simulated one, slowly");
}

[[noreturn]] void wrong_device(const StrategyInfo& info, std::string_view asked) {
  const bool cpu = info.device == "cpu";
  throw Error({.failure = Failure::usage,
               .id = "HW-STRATEGY-DEVICE",
               .found = "strategy " + std::string(info.name) + " on device " + std::string(asked),
               .expected = cpu ? "device cpu" : "device gpu or sim",
               .hint = cpu ? "leave the device out, or choose a GPU strategy" : "strategies for the CPU are named cpu-…"});
}

bool built_for(const strategy::TableRow* row, const device::Api& api) {
  return row && (&api == device::cuda_api() ? row->cuda : row->hip) != nullptr;
}

/// Where `auto` goes: to a GPU if one can be used, else to the CPU.
Placement place_auto(const SearchOptions& options, const strategy::TableRow* row, std::vector<std::string>& notes) {
  if (options.run.device == DeviceKind::sim) {
    if (!row) wrong_device(find_strategy("auto"), "sim");
    return {DeviceKind::sim, device::sim_api(), row};
  }
  if (options.run.device == DeviceKind::cpu) return {};
  std::string why_not;
  const device::Api* gpu = device::usable_gpu(why_not);
  if (gpu && built_for(row, *gpu)) return {DeviceKind::gpu, gpu, row};
  if (gpu) why_not = "this build has no engine for it";
  if (options.run.device == DeviceKind::gpu) no_gpu(why_not, "auto");
  notes.push_back("no GPU (" + why_not + "): using the CPU");
  return {};
}

/// A printed listing: the effect of its faults on a GPU is undefined.
Placement place_literal(const SearchOptions& options, const StrategyInfo& info, const strategy::TableRow* row,
                        std::vector<std::string>& notes) {
  if (options.run.device == DeviceKind::cpu || options.run.device == DeviceKind::gpu)
    throw Error({.failure = Failure::usage,
                 .id = "HW-STRATEGY-DEVICE",
                 .found = "strategy " + std::string(info.name) + " on device " +
                          (options.run.device == DeviceKind::cpu ? "cpu" : "gpu"),
                 .expected = "device sim",
                 .hint = "a printed listing runs in the simulator alone; the strategies without literal: are mended"});
  notes.push_back("a printed listing, with its faults, in the simulator: its answer may be wrong, --verify checks it");
  return {DeviceKind::sim, device::sim_api(), row};
}

}  // namespace

Placement place(const SearchOptions& options, std::vector<std::string>& notes) {
  const StrategyInfo& info = find_strategy(options.strategy);
  const strategy::TableRow* row = find_row(info.name);
  if (info.name == "auto") return place_auto(options, row, notes);
  if (info.device == "sim") return place_literal(options, info, row, notes);
  if (row->cpu) {
    if (options.run.device == DeviceKind::gpu) wrong_device(info, "gpu");
    if (options.run.device == DeviceKind::sim) wrong_device(info, "sim");
    return {DeviceKind::cpu, nullptr, row};
  }
  if (options.run.device == DeviceKind::cpu) wrong_device(info, "cpu");
  if (options.run.device == DeviceKind::sim) return {DeviceKind::sim, device::sim_api(), row};
  std::string why_not;
  const device::Api* gpu = device::usable_gpu(why_not);
  if (gpu && built_for(row, *gpu)) return {DeviceKind::gpu, gpu, row};
  if (gpu) why_not = "this build lacks the strategy for it";
  if (options.run.device == DeviceKind::gpu) no_gpu(why_not, info.name);
  notes.push_back("no GPU (" + why_not + "): running " + std::string(info.name) + " in the simulator");
  return {DeviceKind::sim, device::sim_api(), row};
}

const strategy::Descriptor& descriptor_on(const Placement& placement) {
  const strategy::TableRow& row = *placement.row;
  if (placement.kind == DeviceKind::cpu) return row.cpu();
  if (placement.kind == DeviceKind::sim) return row.sim();
  return placement.api == device::cuda_api() ? row.cuda() : row.hip();
}

void check_needs(const StrategyInfo& info, const device::Properties& properties) {
  const auto lacks = [&](const char* id, const char* what, const char* hint) {
    throw Error({.failure = Failure::device,
                 .id = id,
                 .found = properties.name + " without " + what,
                 .expected = std::string(info.name) + " needs them",
                 .hint = hint});
  };
  if (info.needs.cooperative && !properties.cooperative)
    lacks("HW-NEEDS-COOPERATIVE", "cooperative launches", "choose a strategy with one launch per level, or auto");
  if (info.needs.clusters && !properties.clusters)
    lacks("HW-NEEDS-CLUSTERS", "thread block clusters",
          "they came with compute capability 9.0; choose another strategy, or auto");
}

}  // namespace hopwave::search_detail

// The rules of placement: a strategy named by the caller is never exchanged for another; `auto` may go to the CPU.
#include "search/machine.h"

#include "hopwave/error.h"
#include "search/catalogue.h"

namespace hopwave::search_detail {
namespace {

bool shows_device(const device::Api& api, std::string& why_not) {
  int count = 0;
  if (const device::Status status = api.device_count(&count); status != 0) {
    why_not = std::string(api.name) + ": " + api.message(status);
    return false;
  }
  if (count == 0) why_not = std::string(api.name) + " sees no device";
  return count > 0;
}

[[noreturn]] void no_gpu(const std::string& why_not, std::string_view strategy) {
  const std::string other = strategy == "auto" ? "--device cpu" : "--device sim runs it on a simulated one, slowly";
  throw Error({.failure = Failure::device,
               .id = "HW-DEVICE-NONE",
               .found = "no usable GPU (" + why_not + ")",
               .expected = "a GPU with its driver",
               .hint = other + "; `hopwave doctor` says more"});
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
  if (options.device == DeviceKind::sim) {
    if (!row) wrong_device(find_strategy("auto"), "sim");
    return {DeviceKind::sim, device::sim_api(), row};
  }
  if (options.device == DeviceKind::cpu) return {};
  std::string why_not;
  const device::Api* gpu = usable_gpu(why_not);
  if (gpu && built_for(row, *gpu)) return {DeviceKind::gpu, gpu, row};
  if (gpu) why_not = "this build has no engine for it";
  if (options.device == DeviceKind::gpu) no_gpu(why_not, "auto");
  notes.push_back("no GPU (" + why_not + "): using the CPU");
  return {};
}

}  // namespace

const device::Api* usable_gpu(std::string& why_not) {
  why_not = "this build has no GPU backend";
  for (const device::Api* api : {device::cuda_api(), device::hip_api()})
    if (api && shows_device(*api, why_not)) return api;
  return nullptr;
}

Placement place(const SearchOptions& options, std::vector<std::string>& notes) {
  const StrategyInfo& info = find_strategy(options.strategy);
  const strategy::TableRow* row = find_row(info.name);
  if (info.name == "auto") return place_auto(options, row, notes);
  if (row->cpu) {
    if (options.device == DeviceKind::gpu) wrong_device(info, "gpu");
    if (options.device == DeviceKind::sim) wrong_device(info, "sim");
    return {DeviceKind::cpu, nullptr, row};
  }
  if (options.device == DeviceKind::cpu) wrong_device(info, "cpu");
  if (options.device == DeviceKind::sim) return {DeviceKind::sim, device::sim_api(), row};
  std::string why_not;
  const device::Api* gpu = usable_gpu(why_not);
  if (gpu && built_for(row, *gpu)) return {DeviceKind::gpu, gpu, row};
  if (gpu) why_not = "this build lacks the strategy for it";
  if (options.device == DeviceKind::gpu) no_gpu(why_not, info.name);
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
    lacks("HW-NEEDS-COOPERATIVE", "cooperative launches", "choose a strategy with one launch a level, or auto");
  if (info.needs.clusters && !properties.clusters)
    lacks("HW-NEEDS-CLUSTERS", "thread block clusters",
          "they came with compute capability 9.0; choose another strategy, or auto");
}

}  // namespace hopwave::search_detail

namespace hopwave {

DeviceInfo device_info() {
  DeviceInfo info;
  info.built_with_cuda = device::cuda_api() != nullptr;
  const device::Api* gpu = search_detail::usable_gpu(info.why_not);
  if (!gpu) return info;
  device::Properties properties;
  if (const device::Status status = gpu->properties(0, &properties); status != 0) {
    info.why_not = gpu->message(status);
    return info;
  }
  info.gpu = true;
  info.why_not.clear();
  info.name = properties.name;
  info.multiprocessors = properties.multiprocessors;
  info.compute = std::to_string(properties.compute_major) + "." + std::to_string(properties.compute_minor);
  info.cooperative = properties.cooperative;
  info.clusters = properties.clusters;
  info.driver = properties.driver;
  info.runtime = properties.runtime;
  info.memory_total = properties.memory_total;
  if (gpu->use(0) != 0 || gpu->memory(&info.memory_free, &info.memory_total) != 0) info.memory_free = 0;
  return info;
}

}  // namespace hopwave

// Looks for a GPU with each backend of the build.
#include "device/usable_gpu.h"

#include "device/device.h"
#include "hopwave/error.h"
#include "hopwave/search.h"

namespace hopwave::device {
namespace {

bool shows_device(const Api& api, std::string& why_not) {
  int count = 0;
  if (const Status status = api.device_count(&count); status != 0) {
    why_not = std::string(api.name) + ": " + api.message(status);
    return false;
  }
  if (count == 0) why_not = std::string(api.name) + " sees no device";
  return count > 0;
}

}  // namespace

const Api* usable_gpu(std::string& why_not) {
  why_not = "this build has no GPU backend";
  for (const Api* api : {cuda_api(), hip_api()})
    if (api && shows_device(*api, why_not)) return api;
  return nullptr;
}

bool may_have_gpu() {
  for (const Api* api : {cuda_api(), hip_api()})
    if (api && api->has_driver()) return true;
  return false;
}

void refuse_without_gpu(const std::string& why_not, const std::string& instead) {
  throw Error({.failure = Failure::device,
               .id = "HW-DEVICE-NONE",
               .found = "no usable GPU (" + why_not + ")",
               .expected = "a GPU with its driver",
               .hint = instead + "; `hopwave doctor` says more"});
}

}  // namespace hopwave::device

namespace hopwave::inline v0_1 {

DeviceInfo device_info() {
  DeviceInfo info;
  info.built_with_cuda = device::cuda_api() != nullptr;
  const device::Api* gpu = device::usable_gpu(info.why_not);
  if (!gpu) return info;
  const device::KeepCurrent keep(gpu);
  device::Properties properties;
  if (const device::Status status = gpu->properties(0, &properties); status != 0) {
    info.why_not = gpu->message(status);
    return info;
  }
  if (const device::Architecture* const limits = device::find_architecture({})) device::limit(properties, *limits);
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

}  // namespace hopwave::inline v0_1

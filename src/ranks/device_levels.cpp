// Which machine's kernels a rank's device runs.
#include "ranks/levels.h"

namespace hopwave::ranks {

std::unique_ptr<Levels> device_levels_sim(const LevelsRequest& request, std::shared_ptr<device::Device> device,
                                          std::unique_ptr<DeviceMessages> messages);
#ifdef HOPWAVE_WITH_CUDA
std::unique_ptr<Levels> device_levels_cuda(const LevelsRequest& request, std::shared_ptr<device::Device> device,
                                           std::unique_ptr<DeviceMessages> messages);
#endif
#ifdef HOPWAVE_WITH_HIP
std::unique_ptr<Levels> device_levels_hip(const LevelsRequest& request, std::shared_ptr<device::Device> device,
                                          std::unique_ptr<DeviceMessages> messages);
#endif

std::unique_ptr<Levels> make_device_levels(const LevelsRequest& request, std::shared_ptr<device::Device> device,
                                           std::unique_ptr<DeviceMessages> messages) {
  const device::Api* api = &device->api();
#ifdef HOPWAVE_WITH_CUDA
  if (api == device::cuda_api()) return device_levels_cuda(request, std::move(device), std::move(messages));
#endif
#ifdef HOPWAVE_WITH_HIP
  if (api == device::hip_api()) return device_levels_hip(request, std::move(device), std::move(messages));
#endif
  static_cast<void>(api);
  return device_levels_sim(request, std::move(device), std::move(messages));
}

}  // namespace hopwave::ranks

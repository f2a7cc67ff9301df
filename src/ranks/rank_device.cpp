#include "ranks/rank_device.h"

#include <string>

#include "core/checksum.h"
#include "device/usable_gpu.h"
#include "ranks/agree.h"
#include "ranks/memory.h"

namespace hopwave::ranks {
namespace {

const device::Api& api_of(DeviceKind kind) {
  if (kind == DeviceKind::sim) return *device::sim_api();
  std::string why_not;
  const device::Api* const api = device::usable_gpu(why_not);
  if (!api) device::refuse_without_gpu(why_not, "--device cpu");
  return *api;
}

}  // namespace

std::shared_ptr<device::Device> device_of_rank(Transport& transport, DeviceKind kind, const std::vector<int>& ordinals,
                                               const std::string& visible) {
  const std::string seen = std::to_string(number_of_this_system()) + " " + visible;
  const std::uint64_t mine = core::piece_checksum(seen.data(), seen.size());
  std::vector<std::uint64_t> all(static_cast<std::size_t>(transport.size()));
  transport.all_gather<std::uint64_t>(std::span(&mine, 1), all, std::vector<std::uint64_t>(all.size(), 1));
  std::size_t before = 0, together = 0;  // of the ranks that see what this one sees
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r] != mine) continue;
    ++together;
    before += r < static_cast<std::size_t>(transport.rank());
  }
  std::shared_ptr<device::Device> device;
  agree(transport, [&] {
    const device::Api& api = api_of(kind);
    int count = 0;
    api.device_count(&count);
    const std::size_t devices = ordinals.empty() ? static_cast<std::size_t>(count) : ordinals.size();
    if (kind == DeviceKind::gpu && together > devices)
      throw Error({.failure = Failure::usage,
                   .id = "HW-RANKS-GPUS",
                   .found = std::to_string(together) + " processes that see " + std::to_string(devices) +
                            (devices == 1 ? " GPU" : " GPUs") + " of their machine",
                   .expected = "a GPU for each process",
                   .hint =
                       "start as many processes a machine as it has GPUs (mpirun --map-by ppr:N:node), or have the launcher "
                       "show each process its own"});
    const std::size_t at = before % devices;
    device =
        std::make_shared<device::Device>(api, DeviceOptions{.ordinal = ordinals.empty() ? static_cast<int>(at) : ordinals[at]});
  });
  return device;
}

}  // namespace hopwave::ranks

// planted --list | planted NAME bug|right [SEEDS]: runs one planted bug (or its right twin) over so many schedules.
// Prints "result: right", "result: wrong" or "result: HW-…"; a sanitizer may end the process before that.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "hopwave/error.h"
#include "planted/case.h"

namespace {

using hopwave::planted::Case;

const hopwave::device::Api* api() {
#if defined(__HIPCC__) || defined(HOPWAVE_HIP_NVIDIA)
  return hopwave::device::hip_api();
#elif defined(__CUDACC__)
  return hopwave::device::cuda_api();
#else
  return hopwave::device::sim_api();
#endif
}

std::span<const Case> groups[] = {hopwave::planted::barrier_cases(), hopwave::planted::warp_cases(),
                                  hopwave::planted::memory_cases(),  hopwave::planted::race_cases(),
                                  hopwave::planted::send_cases(),    hopwave::planted::hardware_cases(),
                                  hopwave::planted::weak_cases()};

int list() {
  static constexpr const char* detectors[] = {"error", "answer", "address", "thread"};
  for (const auto& group : groups)
    for (const Case& c : group)
      std::printf("%s\t%s\t%s\t%s\n", c.name, detectors[static_cast<int>(c.detector)], c.report, c.what);
  return 0;
}

int run(const Case& c, bool bug, int seeds) {
  try {
    if (!api()) {
      std::printf("result: no device\n");
      return 3;
    }
    hopwave::device::Device device(*api());
    for (int seed = 1; seed <= seeds; ++seed) {
      device.set_schedule({.seed = static_cast<std::uint64_t>(seed),
                           .interrupt_every = seed % 4u * 2u,
                           .patience = 20000,
                           .weak = seed % 8 >= 4});
      if (c.run(device, bug)) continue;
      std::printf("result: wrong\n");
      return 0;
    }
    std::printf("result: right\n");
  } catch (const hopwave::Error& e) {
    std::printf("%s\nresult: %s\n", e.what(), e.id().c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) return list();
  if (argc < 3) return 2;
  const std::string_view name = argv[1], which = argv[2];
  const int seeds = argc > 3 ? std::atoi(argv[3]) : 20;
  for (const auto& group : groups)
    for (const Case& c : group)
      if (c.name == name) return run(c, which == "bug", seeds);
  return 2;
}

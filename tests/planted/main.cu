// planted --list | planted NAME bug|right [SEEDS [KIND]]: runs one planted bug (or its right twin) over so many schedules.
// KIND: the number of a kind of schedule, or -1 for all by turns; without it, the case's own.
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

std::span<const Case> groups[] = {hopwave::planted::barrier_cases(),  hopwave::planted::warp_cases(),
                                  hopwave::planted::memory_cases(),   hopwave::planted::unwritten_cases(),
                                  hopwave::planted::race_cases(),     hopwave::planted::send_cases(),
                                  hopwave::planted::hardware_cases(), hopwave::planted::weak_cases()};

int list() {
  static constexpr const char* detectors[] = {"error", "answer", "address", "thread", "memcheck"};
  for (const auto& group : groups)
    for (const Case& c : group)
      std::printf("%s\t%s\t%s\t%s\n", c.name, detectors[static_cast<int>(c.detector)], c.report, c.what);
  return 0;
}

int run(const Case& c, bool bug, int seeds, const int* own_kind) {
  try {
    if (!api()) {
      std::printf("result: no device\n");
      return 3;
    }
    hopwave::device::Device device(*api());
    for (int seed = 1; seed <= seeds; ++seed) {
      const int kind = !own_kind ? static_cast<int>(c.schedule) : *own_kind < 0 ? seed % 5 : *own_kind;
      device.set_schedule({.seed = static_cast<std::uint64_t>(seed),
                           .interrupt_every = seed % 4u * 2u,
                           .patience = 20000,
                           .weak = seed % 8 >= 4,
                           .kind = static_cast<hopwave::ScheduleKind>(kind)});
      if (c.run(device, bug)) continue;
      std::printf("seed %d\nresult: wrong\n", seed);
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
  const int kind = argc > 4 ? std::atoi(argv[4]) : 0;
  for (const auto& group : groups)
    for (const Case& c : group)
      if (c.name == name) return run(c, which == "bug", seeds, argc > 4 ? &kind : nullptr);
  return 2;
}

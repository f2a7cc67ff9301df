// A planted bug: a kernel that is right when `bug` is false and wrong in one named way when it is true.
// The program `planted` runs them one at a time, so that a sanitizer may end the process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/device.h"
#include "device/kernel.h"

namespace hopwave::planted {

using device::Buffer;
using device::Device;
using device::launch;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// What finds the bug. Errors and wrong answers show in every build, the rest in a build with that sanitizer or for memcheck.
enum class Detector { error, answer, address, thread, memcheck };

struct Case {
  const char* name;
  Detector detector;
  const char* report;  ///< the error's id, or words of the sanitizer's report
  const char* what;
  bool (*run)(Device& device, bool bug);          ///< whether the answer is right
  ScheduleKind schedule = ScheduleKind::uniform;  ///< under which the bug is found
};

/// Values i · scale + first.
inline std::vector<u32> ramp(u32 count, u32 scale = 1, u32 first = 0) {
  std::vector<u32> values(count);
  for (u32 i = 0; i < count; ++i) values[i] = i * scale + first;
  return values;
}

inline Buffer<u32> upload(Device& device, const std::vector<u32>& values) {
  return Buffer<u32>(device, std::span<const u32>(values));
}

inline std::vector<u32> download(const Buffer<u32>& buffer) {
  std::vector<u32> values(buffer.size());
  buffer.download(values);
  return values;
}

inline Buffer<u32> filled(Device& device, u32 count, u32 value) { return upload(device, std::vector<u32>(count, value)); }

std::span<const Case> barrier_cases();
std::span<const Case> warp_cases();
std::span<const Case> memory_cases();
std::span<const Case> unwritten_cases();
std::span<const Case> race_cases();
std::span<const Case> send_cases();
std::span<const Case> hardware_cases();
std::span<const Case> weak_cases();

}  // namespace hopwave::planted

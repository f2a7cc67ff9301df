// What the tests of src/device/primitives/ share: block sizes, values, and a device whose schedules interrupt.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "hopwave/error.h"
#include "support/device_values.h"

namespace hopwave::device {

namespace dev = sim::dev;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The error id of what `run` throws, or nothing.
template <class Run>
std::string refusal(Run&& run) {
  try {
    run();
    return "";
  } catch (const Error& e) {
    return e.id();
  }
}

/// All blocks of whole warps.
inline std::vector<u32> whole_blocks() {
  std::vector<u32> blocks;
  for (u32 block = dev::lanes; block <= 1024; block += dev::lanes) blocks.push_back(block);
  return blocks;
}
/// The same, and blocks whose last warp lacks lanes.
inline std::vector<u32> all_blocks() {
  std::vector<u32> blocks = whole_blocks();
  for (const u32 block : {1u, 2u, 17u, 33u, 48u, 63u, 100u, 1023u}) blocks.push_back(block);
  return blocks;
}

/// A value of a thread that looks random, on the host and in kernels.
inline u32 drawn(u32 i) { return (i * 2654435761u + 12345) >> 7; }

struct TestDevice : Device {
  explicit TestDevice(u64 seed) : Device(*sim_api()) { set_schedule({.seed = seed, .interrupt_every = seed % 3 ? 0u : 2u}); }
};

}  // namespace hopwave::device

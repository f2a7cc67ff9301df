// The limits of other GPUs, put upon the device that is there: so that every choice that depends on them can be tried, in the
// simulator and on a GPU that has more. docs/architectures.md has the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/device_api.h"

namespace hopwave::device {

/// Upper limits of a device; 0: the device's own.
struct Architecture {
  std::string_view name;
  std::string_view gpu;  ///< of which these are the figures
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  std::size_t shared_per_block = 0;  ///< of a multiprocessor it is 1 KiB more
  std::size_t l2_bytes = 0;
  int largest_cluster = 0;  ///< blocks; 1: no clusters
  bool cooperative = true;
};

[[nodiscard]] std::span<const Architecture> architectures();
/// By its name; of an empty one what limit_process() has named, and null where it has not. Throws HW-DEVICE-LIMITS.
[[nodiscard]] const Architecture* find_architecture(std::string_view name);
/// For programs whose environment says it (HOPWAVE_LIMITS_OF): the limits of devices that are made from now on without a name.
/// Null or empty: none. Looked at when a device is made. Before other threads start.
void limit_process(const char* name);

/// "compute capability 8.6", "a device without clusters".
[[nodiscard]] std::string text_of(const Architecture& one);

/// Lowers what `p` says to what the other GPU has, and says so in the name.
void limit(Properties& p, const Architecture& to);
/// Blocks of which so many fit on a multiprocessor of the other GPU, if its registers are enough for as many as here.
[[nodiscard]] int blocks_within(const Architecture& to, int blocks, std::uint32_t block, std::size_t shared_bytes);
/// What a launch asks for beyond the limits of `p`; empty: nothing.
[[nodiscard]] std::string_view beyond(const Properties& p, const LaunchShape& shape);

}  // namespace hopwave::device

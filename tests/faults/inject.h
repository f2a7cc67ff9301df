// Faults on request: the k-th call of a kind fails. One source for two uses: linked into a test program, where the linker
// sends the library's calls here (--wrap), and as a library that is loaded before the tool (LD_PRELOAD).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace hopwave::faults {

/// Device calls are counted by the test program itself.
enum class Kind : std::uint32_t { memory, thread, open, read, write, sync, rename, map, device };
inline constexpr std::size_t num_kinds = 9;
inline constexpr std::array<std::string_view, num_kinds> kind_names = {"memory", "thread", "open", "read",  "write",
                                                                       "fsync",  "rename", "mmap", "device"};

enum class Mode : std::uint32_t {
  once,         ///< this call alone fails
  onwards,      ///< this call and every later one of the kind
  interrupted,  ///< EINTR, once: open, read, write
  partial,      ///< half of what was asked for is read or written
  kill,         ///< the process is killed before the call
  kill_half     ///< the process is killed when half of the bytes are written
};
inline constexpr std::array<std::string_view, 6> mode_names = {"once", "onwards", "EINTR", "partial", "kill", "kill-half"};

/// What is asked for, and what has happened. In the tool's case it lies in a file that both processes map.
struct State {
  std::atomic<std::uint32_t> active{0};  ///< nothing is counted and nothing fails while this is 0
  std::atomic<std::uint32_t> kind{0}, mode{0};
  std::atomic<std::uint64_t> fail_at{0};  ///< counted from 1; 0: never
  std::atomic<std::uint32_t> hit{0};
  std::atomic<std::uint32_t> in_launch{0};  ///< the simulator runs a kernel: what it takes is the machine's, not the library's
  std::array<std::atomic<std::uint64_t>, num_kinds> calls{};
  std::atomic<std::int64_t> live{0};  ///< blocks of memory not yet freed (test program only)
};

/// The state in use; never null.
State& state();

/// Counts a call; true if it must fail. Kills the process where that is asked for and the call is not a write.
bool fails(Kind kind);

}  // namespace hopwave::faults

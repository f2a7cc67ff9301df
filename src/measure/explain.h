// Strategies side by side by what their launches did, and which number explains the difference.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/counts.h"

namespace hopwave::report {

/// All launches of one search added up.
struct SearchCounts {
  std::uint64_t launches = 0, round_trips = 0;
  std::uint64_t threads = 0, working = 0, labelling = 0, labelled = 0;
  std::uint64_t warps = 0, divergent = 0, work = 0, lane_steps = 0;
  std::uint64_t longest = 0;  ///< the longest thread of each launch, one launch after the other
  std::uint64_t shared_atomics = 0, global_atomics = 0;
  std::uint64_t waiting_atomics = 0;  ///< those that met at the one address of each launch where most did
  ByteCounts read{}, written{};
  RequestCounts device{}, shared{};       ///< to device memory and to shared memory
  std::vector<RequestCounts> requests{};  ///< by place of the source
  [[nodiscard]] std::uint64_t idle() const { return threads - working; }
  [[nodiscard]] std::uint64_t bytes() const { return read.total() + written.total(); }
};
SearchCounts sum(const std::vector<LaunchCounts>& launches, std::uint64_t round_trips);

/// What a number costs on a large GPU, roughly: docs/explain.md has the model and what it is good for.
enum class Cause { launches, bytes, atomics, longest, threads };
inline constexpr std::array<Cause, 5> causes = {Cause::launches, Cause::bytes, Cause::atomics, Cause::longest, Cause::threads};
std::string_view cause_name(Cause cause);
/// Microseconds.
double cost(const SearchCounts& counts, Cause cause);
double cost(const SearchCounts& counts);

/// One sentence on why `slow` costs more than `fast`, or that no count differs between them. The order of the two
/// does not matter.
std::string explain_difference(std::string_view a, const SearchCounts& a_counts, std::string_view b,
                               const SearchCounts& b_counts);

}  // namespace hopwave::report

// Graph generators. The same spec and seed give the same graph for any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/edge_list.h"
#include "hopwave/run.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct GeneratorInfo {
  std::string_view name;       ///< "rmat"
  std::string_view arguments;  ///< "SCALE,EDGEFACTOR[,SEED]"
  std::string_view summary;
  std::string_view example;  ///< "rmat:20,16"
};
const std::vector<GeneratorInfo>& generators();

/// Returns true if the text is the spec of a generator ("rmat:20,16"). A file of that name takes precedence.
bool is_generator_spec(std::string_view spec);
/// Returns the edges. Throws HW-GEN-SPEC, HW-GEN-RANGE. `progress` is called from time to time, by the calling thread,
/// with the units of work done and the total; returning false ends the call with HW-INTERRUPTED. All generators of many
/// edges call it.
EdgeList generate(std::string_view spec, const Progress& progress = {});
/// Throws what generate() would throw for this spec, without making edges.
void check_generator_spec(std::string_view spec);

/// Returns a hash of `z` (splitmix64), a pure function. All generators use it for their random numbers.
std::uint64_t splitmix64(std::uint64_t z);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

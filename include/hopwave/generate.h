// Graph generators. The same spec and seed give the same graph on any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/edge_list.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct GeneratorInfo {
  std::string_view name;       ///< "rmat"
  std::string_view arguments;  ///< "SCALE,EDGEFACTOR[,SEED]"
  std::string_view summary;
  std::string_view example;  ///< "rmat:20,16"
};
const std::vector<GeneratorInfo>& generators();

/// Does this text name a generator ("rmat:20,16")? A file of that name wins.
bool is_generator_spec(std::string_view spec);
/// Makes the edges. Throws HW-GEN-SPEC, HW-GEN-RANGE. `progress` is called now and then, by the calling thread, with units of
/// work done and in all; false ends with HW-INTERRUPTED. Every generator that makes many edges reports.
EdgeList generate(std::string_view spec, const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress = {});
/// Throws what generate() would throw for this spec, and makes nothing.
void check_generator_spec(std::string_view spec);

/// splitmix64, by which all generators draw: a pure function of its argument.
std::uint64_t splitmix64(std::uint64_t z);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

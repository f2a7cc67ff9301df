// The fuzz targets of mazes, scenarios and netlists, like read.h for graphs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mutate/mutate.h"

namespace hopwave::fuzz {

/// Reads the bytes after the first with the reader and with the plain reader, and compares. Aborts with the difference.
/// The first byte is ignored (files of all corpora begin with one).
int compare_maze(const std::uint8_t* data, std::size_t size);
/// On the map of plain/compare_grids.cpp, 6 wide and 5 high.
int compare_scenarios(const std::uint8_t* data, std::size_t size);
int compare_netlist(const std::uint8_t* data, std::size_t size);

}  // namespace hopwave::fuzz

/// Defines the target.
#define HOPWAVE_FUZZ_GRID(COMPARE)                                                                                            \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {                                         \
    return hopwave::fuzz::COMPARE(data, size);                                                                                \
  }                                                                                                                           \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed) { \
    return hopwave::fuzz::mutate_route_text(data, size, most, seed);                                                          \
  }

// What a fuzz target is: a reader's name, its plain twin, and the words or fields of its format for mutation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mutate/mutate.h"
#include "plain/plain.h"

namespace hopwave::fuzz {

/// Reads the bytes behind the first, which chooses the options, by the reader and by `plain`, and compares: both refuse the
/// file, or both give the same graph. Aborts, with what differs, otherwise. Without `plain` any answer will do that makes
/// sense. `name` is the input's file name; an empty format is sniffed.
int read(const std::uint8_t* data, std::size_t size, const char* format, const char* name, plain::Reader plain);

}  // namespace hopwave::fuzz

/// Defines the target: FORMAT as in formats(), its file name, its plain reader, and a mutator of mutate/mutate.h.
#define HOPWAVE_FUZZ(FORMAT, NAME, PLAIN, MUTATE)                                                                             \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {                                         \
    return hopwave::fuzz::read(data, size, FORMAT, NAME, PLAIN);                                                              \
  }                                                                                                                           \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed) { \
    return hopwave::fuzz::MUTATE(data, size, most, seed);                                                                     \
  }

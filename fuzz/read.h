// A fuzz target: a reader's name, its plain reader, and the words or fields of its format for mutation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mutate/mutate.h"
#include "plain/plain.h"

namespace hopwave::fuzz {

/// Reads the bytes after the first, which chooses the options, with the reader and with `plain`, and compares: both
/// must reject the file, or both must return the same graph. Otherwise it aborts with the difference. Without `plain`
/// any consistent answer is accepted. `name` is the input's file name; an empty format is detected.
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

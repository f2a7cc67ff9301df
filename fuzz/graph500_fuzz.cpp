// Fuzzes reading of the format graph500.
#include "read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return hopwave::fuzz::read(data, size, "graph500", "g.g500");
}

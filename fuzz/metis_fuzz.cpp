// Fuzzes reading of the format metis.
#include "read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return hopwave::fuzz::read(data, size, "metis", "g.graph");
}

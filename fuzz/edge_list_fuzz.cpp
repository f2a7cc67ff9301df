// Fuzzes reading of the format edge-list.
#include "read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return hopwave::fuzz::read(data, size, "edge-list", "g.txt");
}

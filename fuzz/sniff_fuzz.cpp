// Fuzzes reading of whatever the content looks like, packed or not.
#include "read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return hopwave::fuzz::read(data, size, "", "g");
}

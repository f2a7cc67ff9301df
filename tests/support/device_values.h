// What lies in device memory, for comparing.
#pragma once

#include <vector>

#include "device/device.h"

namespace hopwave::device {

template <class T>
std::vector<T> values_of(const Buffer<T>& buffer) {
  std::vector<T> values(buffer.size());
  buffer.download(values);
  return values;
}

}  // namespace hopwave::device

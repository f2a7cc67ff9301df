// The simulator as another device: few multiprocessors, little memory, no clusters.
#pragma once

#include "core/device_api.h"

namespace hopwave::testing {

/// The simulator with other properties. `change` is a function of a Properties&.
template <auto change>
const device::Api& changed_api() {
  static const device::Api api = [] {
    device::Api other = *device::sim_api();
    other.properties = [](int index, device::Properties* p) {
      const device::Status status = device::sim_api()->properties(index, p);
      change(*p);
      return status;
    };
    return other;
  }();
  return api;
}

}  // namespace hopwave::testing

// Where the answer of a search lies in device memory. Apart from device_graph.h, so that CPU code sees no device.
#pragma once

#include "hopwave/types.h"

namespace hopwave::device {

/// Where an answer lies on the device; `parent` means something only after a query for parents.
struct DeviceAnswer {
  const Distance* distance = nullptr;
  const VertexId* parent = nullptr;
};

}  // namespace hopwave::device

// Where the answer of a search lies in device memory. Apart from device_graph.h, so that CPU code sees no device.
#pragma once

#include <cstddef>
#include <optional>

#include "hopwave/types.h"

namespace hopwave::device {

/// What an answer's distances come to.
struct AnswerSums {
  VertexId reached = 0;
  std::uint32_t depth = 0;
};

/// Where an answer lies on the device; `parent` means something only after a query for parents.
struct DeviceAnswer {
  const Distance* distance = nullptr;
  const VertexId* parent = nullptr;
  std::optional<AnswerSums> sums;  ///< where the traversal has counted them itself; of a search that nothing ended early
};

/// Answers of many searches: `count` rows of distances, a row each, `stride` values apart. Whatever lies between two rows was
/// written once.
struct DeviceRows {
  const Distance* first = nullptr;
  std::size_t stride = 0, count = 0;
};

}  // namespace hopwave::device

// Weight columns: what every text reader does with a number beside an edge.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "io/input.h"
#include "io/scan.h"

namespace hopwave::io {

/// What --lenient mended, counted by all threads.
struct Mended {
  std::atomic<std::uint64_t> rows_skipped{0};
  std::atomic<std::uint64_t> weights_replaced{0};

  void tell(ReadReport& report) const {
    if (const auto n = rows_skipped.load())
      report.repairs.push_back(std::to_string(n) + " rows that could not be read were left out");
    if (const auto n = weights_replaced.load())
      report.repairs.push_back(std::to_string(n) +
                               " weights that are not finite or too large were replaced by the nearest number");
  }
};

/// Reads a weight at `p`; `id` is the error's. `lowest`: 0 where the format has no negative ones.
inline const char* scan_weight(const Block& block, const char* p, const char* id, bool lenient, Mended& mended, Weight& weight,
                               bool negative_allowed = true) {
  const char* at = p;
  switch (scan_real(p, block.end, weight)) {
    case Real::none:
      block.fail(at, id, "a number (the weight)");
    case Real::not_finite:
      if (!lenient) block.fail(at, id, "a finite number (the weight)", "--lenient takes the nearest number, 0 for nan");
      mended.weights_replaced.fetch_add(1, std::memory_order_relaxed);
      break;
    case Real::out_of_range:
      if (!lenient)
        block.fail(at, id, "a weight of at most 3.4e38 (weights are kept in 32 bits)", "--lenient takes the largest there is");
      mended.weights_replaced.fetch_add(1, std::memory_order_relaxed);
      break;
    case Real::ok:
      break;
  }
  if (weight < 0 && !negative_allowed) block.fail(at, id, "a weight that is not negative");
  return p;
}

}  // namespace hopwave::io

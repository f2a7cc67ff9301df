// The answer of the rows whose components have labels.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hopwave/algorithms.h"

namespace hopwave::algorithm {

inline std::vector<AlgorithmOutput> label_outputs() {
  using Kind = AlgorithmOutput::Kind;
  return {{"label", Kind::naturals, "One label per vertex: the component's smallest vertex."},
          {"count", Kind::count},
          {"largest_label", Kind::count, "The label of the largest component; of equally large ones the smallest label."},
          {"largest_size", Kind::count}};
}

template <class Components>
AlgorithmAnswer label_answer(Components found) {
  return {{std::move(found.label), std::uint64_t{found.count}, std::uint64_t{found.largest_label},
           std::uint64_t{found.largest_size}},
          std::move(found.run)};
}

}  // namespace hopwave::algorithm

// Parts of a generator's edges, for several processes that draw one graph together.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "hopwave/edge_list.h"

namespace hopwave::generate_detail {

/// Part `number` of `of`: what a generator goes through is cut into so many runs of almost equal length.
struct EdgePart {
  std::uint64_t number = 0, of = 1;

  /// The first of `count` items that is this part's; the next part's first is the end of this one.
  [[nodiscard]] std::uint64_t begin(std::uint64_t count) const { return cut(count, number); }
  [[nodiscard]] std::uint64_t end(std::uint64_t count) const { return cut(count, number + 1); }

 private:
  [[nodiscard]] std::uint64_t cut(std::uint64_t count, std::uint64_t at) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(count) * at / of);
  }
};

/// Does each edge follow from its number alone, so that a part takes its share of the time and memory?
bool draws_parts(std::string_view spec);

/// The edges of one part, by one thread; the parts one behind the other are the edges of generate(). Weights are left out.
/// For specs that draws_parts() allows. Throws what generate() throws.
EdgeList generate_part(std::string_view spec, EdgePart part,
                       const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress = {});

}  // namespace hopwave::generate_detail

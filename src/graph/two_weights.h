// Weighted undirected graphs that list every edge in both directions: both weights must be equal.
#pragma once

#include <atomic>
#include <bit>
#include <random>
#include <string>

#include "core/mix.h"
#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// Returns whether each edge has the same weights in both directions. It compares sums of 64-bit hashes under a random
/// key, as Graph's constructor does for the arcs. `each(begin, end, f)` calls f(source, target, position of the
/// weight).
template <class Each>
bool weights_agree(Team& team, std::size_t items, const Weights& weights, Each each) {
  std::random_device device;
  const std::uint64_t key = std::uint64_t{device()} << 32 | device();
  std::atomic<std::uint64_t> sum{0};
  weights.with([&]<class T>(std::span<const T> values) {
    parallel_for(team, items, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end, int) {
      std::uint64_t hashes = 0;
      each(begin, end, [&](VertexId u, VertexId v, std::size_t i) {
        if (u == v) return;
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        const std::uint64_t pair = u < v ? std::uint64_t{u} << 32 | v : std::uint64_t{v} << 32 | u;
        const T value = values[i] == 0 ? T{0} : values[i];  // -0 equals 0
        const std::uint64_t h = core::mix(core::mix(key ^ pair) ^ std::bit_cast<Bits>(value));
        hashes += u < v ? h : -h;
      });
      sum.fetch_add(hashes, std::memory_order_relaxed);
    });
  });
  return sum.load() == 0;
}

/// Throws HW-GRAPH-SYMMETRY unless the weights in the rows of an undirected graph agree. `file`: the input's name.
void check_weights(Team& team, const Adjacency& rows, const Ids& ids, const std::string& file);

}  // namespace hopwave::graph

// Preparation: data that a strategy derives from a graph to make its searches faster, as named arrays that a .hwg can
// store.
// A preparation fits one graph, one strategy and one layout of its arrays. Every user of a preparation checks all
// three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct Preparation {
  std::string strategy = {};  ///< the strategy that made it
  std::string kind = {};      ///< the form within the strategy: "grid-wide", "high-diameter"
  std::uint32_t layout = 0;   ///< version of the arrays' layout; other versions are not read
  std::uint64_t graph = 0;    ///< fingerprint() of the graph from which it was made
  Milliseconds time = {};     ///< time that making it took
  std::vector<std::pair<std::string, Array<const std::byte>>> arrays = {};  ///< names have at most 16 characters

  [[nodiscard]] std::uint64_t bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& [name, values] : arrays) sum += values.size();
    return sum;
  }
};

/// Returns a checksum of all offsets and neighbours, which distinguishes graphs; weights and ids do not count. The
/// first call passes over the arrays once, with all threads, at memory speed. The graph and its copies keep the value,
/// and a .hwg stores it: its sections are summed up when it is opened. The checksum does not protect against forgery.
/// Threads may call it at the same time.
std::uint64_t fingerprint(const Graph& graph);

/// Returns the preparation of the graph for the strategy that `options` name, in host memory. After
/// Graph::set_preparation(), searchers with options.prepare use it instead of making it again, and write_graph() stores
/// it in a .hwg.
/// Errors: those of Searcher; HW-PREPARATION-NONE if the strategy has nothing to prepare or its preparation cannot be
/// stored.
std::shared_ptr<const Preparation> prepare(const Graph& graph, const SearchOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

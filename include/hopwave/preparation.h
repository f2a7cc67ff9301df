// Preparation: what a strategy makes of a graph so that its searches get faster, as named arrays that a .hwg file keeps.
// A preparation is of use to one graph, one strategy and one layout of its arrays; whoever uses it checks all three.
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
  std::string strategy = {};  ///< who made it
  std::string kind = {};      ///< which of the strategy's forms: "grid-wide", "high-diameter"
  std::uint32_t layout = 0;   ///< version of the kind's arrays; no other version is read
  std::uint64_t graph = 0;    ///< fingerprint() of the graph that it was made from
  double seconds = 0;         ///< that making it took
  std::vector<std::pair<std::string, Array<const std::byte>>> arrays = {};  ///< names of at most 16 characters

  [[nodiscard]] std::uint64_t bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& [name, values] : arrays) sum += values.size();
    return sum;
  }
};

/// Tells graphs apart by a checksum of all their offsets and neighbours; the weights and the ids do not matter to it. One pass
/// over the arrays by all threads, at the speed of memory, the first time; the graph and its copies remember it, and so does a
/// .hwg, whose sections are summed up when it opens. Not made against forgery. Any number of threads may ask at a time.
std::uint64_t fingerprint(const Graph& graph);

/// Lets the strategy that `options` name prepare the graph, and takes the preparation to the host. Set it into the graph, and
/// searchers with options.prepare use it instead of making it again; write_graph() keeps it in a .hwg.
/// Errors as of Searcher; HW-PREPARATION-NONE for strategies that have nothing to prepare or whose preparation cannot be kept.
std::shared_ptr<const Preparation> prepare(const Graph& graph, const SearchOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

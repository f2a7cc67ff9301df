// The text of a strategy's kernels, and the steps of a printed listing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The words in which a kernel is shown.
enum class KernelWords {
  hopwave,  ///< as it is in the sources, which CUDA, HIP and the simulator compile
  cuda      ///< those of CUDA C++; a printed listing is a file that nvcc compiles
};

/// Returns the kernels of a strategy or a printed listing (`literal:…`), after the functions and types of src/bfs/strategy that
/// they use; of a CPU strategy and of `auto` the whole file. Needs no files: the text is in the library. Throws
/// HW-STRATEGY-UNKNOWN; HW-STRATEGY-SOURCE for CUDA's words of what is no kernel. Threads may call it at the same time.
std::string strategy_source(std::string_view name, KernelWords words = KernelWords::hopwave);

/// A step of a printed listing.
struct ListingStep {
  std::string place = {};  ///< "line 26" of the figure; "step 7" where the print's line is not known
  std::string what = {};   ///< what a thread does there
};
/// Returns the steps of a printed listing, in the print's order. Throws HW-STRATEGY-UNKNOWN, and HW-STRATEGY-SOURCE for a
/// strategy that is no listing. Threads may call it at the same time.
std::vector<ListingStep> listing_steps(std::string_view name);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

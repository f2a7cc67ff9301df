// The texts of the strategies and of the printed listings, which CMake puts into the library, and the steps that listings cite.
//
// A line of a listing's kernel that does a step of the print ends in `// 26: what it does`: 26 is the line of the figure, 06-07
// are two lines, and - means that the line is not known. Such steps are numbered in the order of the file, which is
// that of the print.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hopwave::source_text {

struct File {
  std::string_view path;  ///< "src/bfs/strategy/pmpp_edge.cu"
  std::string_view text;
};
/// Of src/bfs/strategy/ and src/bfs/engine/auto.cu. Generated.
std::span<const File> files();

struct Step {
  unsigned at;        ///< the line of our file
  std::string place;  ///< "line 26", "lines 06-07", "step 7"
  std::string what;
};
/// The steps of a listing, in the print's order.
std::vector<Step> steps_of(std::string_view listing);

/// "fig. 15.14 line 26", or "step 7 of the listing": what the line of a listing's file does in the print; where the step begins
/// on a line before, that one. Empty for other files.
std::string figure_step(std::string_view file, std::uint64_t line);

}  // namespace hopwave::source_text

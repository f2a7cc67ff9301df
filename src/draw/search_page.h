// Pages that step through something: buttons, arrow keys, everything in one file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/drawings.h"

namespace hopwave::picture {

struct PageStep {
  std::string id;       ///< of the address: page.html#step-2
  std::string heading;  ///< plain text
  std::string body;     ///< HTML
};
struct Page {
  std::string title, rule;       ///< plain text
  std::string key = {};          ///< HTML: a paragraph of what the colours mean
  InlineDrawings drawings = {};  ///< those of the steps' bodies
  std::vector<PageStep> steps = {};
  std::string after = {};  ///< HTML below the steps
};
std::string page_of(const Page& page);
/// What the colours mean.
std::string key_of(const std::vector<LegendEntry>& entries);

/// A search and what its threads do.
struct SearchOnPage {
  Drawing drawing;
  Roles roles;
};
/// The levels of a search, or of two searches of one graph from the same sources, side by side.
std::string to_page(const std::string& title, const std::vector<SearchOnPage>& searches);

}  // namespace hopwave::picture

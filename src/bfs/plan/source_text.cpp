// What a listing's comments say of the print.
#include "bfs/plan/source_text.h"

#include <algorithm>
#include <regex>

namespace hopwave::source_text {
namespace {

/// "fig. 15.14" of the listing's description; empty where it is no figure.
std::string figure_of(const std::string& listing) {
  static const std::regex figure(R"(fig\. \d+(\.\d+)?)");
  std::smatch found;
  return std::regex_search(listing, found, figure) ? found.str() : "";
}

}  // namespace

std::vector<Step> steps_of(std::string_view listing) {
  static const std::regex mark(R"(// (-|\d\d(-\d\d)?): (.+)$)");
  std::vector<Step> steps;
  unsigned number = 0;
  for (std::size_t from = 0; from < listing.size();) {
    const std::size_t end = std::min(listing.find('\n', from), listing.size());
    const std::string line(listing.substr(from, end - from));
    from = end + 1;
    ++number;
    std::smatch found;
    if (!std::regex_search(line, found, mark)) continue;
    const std::string place = found[1] == "-"    ? "step " + std::to_string(steps.size() + 1)
                              : found[2].matched ? "lines " + found[1].str()
                                                 : "line " + found[1].str();
    steps.push_back({.at = number, .place = place, .what = found[3]});
  }
  return steps;
}

std::string figure_step(std::string_view file, std::uint64_t line) {
  for (const File& listing : files()) {
    if (listing.path.find("/literal/") == std::string_view::npos || !file.ends_with(listing.path)) continue;
    std::string place;
    for (const Step& step : steps_of(listing.text))
      if (step.at <= line) place = step.place;
    const std::string figure = figure_of(std::string(listing.text));
    return place.empty() ? place : figure.empty() ? place + " of the listing" : figure + " " + place;
  }
  return {};
}

}  // namespace hopwave::source_text

// Words of a command that is made of an algorithm's row, beyond the graph: what it cannot do without.
#pragma once

#include <string>
#include <vector>

#include "algorithm/algorithm.h"

namespace hopwave::testing {

/// `source` and `target`: vertices. Directions are ignored where they can be: some algorithms need paths both ways.
inline std::vector<std::string> needed_words(const algorithm::Row& row, const std::string& source, const std::string& target) {
  std::vector<std::string> words;
  if (row.sources == algorithm::Sources::required) words = {"-s", source};
  if (row.running != algorithm::Running::device) words.insert(words.end(), {"--direction", "both"});
  if (row.name == "flow") words.insert(words.end(), {"--target", target});
  return words;
}

}  // namespace hopwave::testing

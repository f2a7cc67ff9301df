#include "engine/partitioned/turns.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hopwave::engine {
namespace {

std::mutex& turn_of(int ordinal) {
  static std::mutex registry;
  static std::map<int, std::mutex> all;  // places in a map stay
  const std::lock_guard lock(registry);
  return all[ordinal];
}

}  // namespace

DeviceTurns::DeviceTurns(std::vector<int> ordinals) {
  std::sort(ordinals.begin(), ordinals.end());  // all in one order: nobody waits in a circle
  held_.reserve(ordinals.size());
  for (const int ordinal : ordinals) held_.emplace_back(turn_of(ordinal));
}

}  // namespace hopwave::engine

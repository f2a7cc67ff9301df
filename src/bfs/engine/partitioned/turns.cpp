#include "bfs/engine/partitioned/turns.h"

#include <algorithm>
#include <map>

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
  std::sort(ordinals.begin(), ordinals.end());
  ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
  for (const int ordinal : ordinals) mutexes_.push_back(&turn_of(ordinal));
}

void DeviceTurns::lock() {
  for (std::mutex* mutex : mutexes_) mutex->lock();
}

void DeviceTurns::unlock() {
  for (std::mutex* mutex : mutexes_) mutex->unlock();
}

}  // namespace hopwave::engine

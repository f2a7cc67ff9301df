// Searches that share a device take turns.
#pragma once

#include <mutex>
#include <vector>

namespace hopwave::engine {

/// Kernels of a partitioned search wait for each other on all of its devices. Those of two searches must not stand crosswise in
/// the queues of two devices: each would wait for one that comes behind the other. So a search has its devices for itself while
/// this lives; other kinds of searches wait for nobody, and may be on the devices meanwhile.
class DeviceTurns {
 public:
  /// Devices by number, each once.
  explicit DeviceTurns(std::vector<int> ordinals);

 private:
  std::vector<std::unique_lock<std::mutex>> held_;
};

}  // namespace hopwave::engine

// Searches that share a device take turns.
#pragma once

#include <mutex>
#include <vector>

namespace hopwave::engine {

/// Kernels of a partitioned search wait for each other on all of its devices. Those of two searches must not be crosswise in
/// the queues of two devices: each would wait for one that comes after the other. And taking or giving back memory of a device
/// may wait for its kernels. So who does any of these has the devices for itself while this is locked (std::lock_guard); other
/// kinds of searches wait for no other, and may be on the devices meanwhile.
class DeviceTurns {
 public:
  DeviceTurns() = default;
  /// Devices by number, in any order.
  explicit DeviceTurns(std::vector<int> ordinals);
  void lock();
  void unlock();

 private:
  std::vector<std::mutex*> mutexes_;  ///< of the process; in one order for all, so that no circle of waiting threads forms
};

}  // namespace hopwave::engine

// FiberPool: fibers that no simulated device uses at the moment. Making one is expensive, especially under
// ThreadSanitizer (a thread for the sanitizer, and a stack whose shadow must be cleared), and every plan has its own
// simulated device.
#pragma once

#include <memory>
#include <vector>

#include "simulator/fiber.h"

namespace hopwave::sim {

/// One pool for the process; any thread may call it.
///
/// A fiber keeps its state in ThreadSanitizer, as it does from one launch to the next. What it acquired earlier is
/// before the launch that uses it now, so it orders no two accesses of one launch.
class FiberPool {
 public:
  /// Returns a fiber that waits to be switched to, kept or new. Throws std::bad_alloc.
  static std::unique_ptr<Fiber> take();
  /// Returns fibers whose threads have all ended to the pool. Those beyond its capacity are destroyed.
  static void give(std::vector<std::unique_ptr<Fiber>>& fibers) noexcept;
  /// Destroys fibers whose threads will never continue.
  static void destroy(std::vector<std::unique_ptr<Fiber>>& fibers) noexcept;
};

}  // namespace hopwave::sim

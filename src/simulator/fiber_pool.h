// FiberPool: fibers that no simulated device uses at the moment. Making one is dear, above all under ThreadSanitizer (a
// thread to the sanitizer, and a stack whose shadow must be cleared), and every plan has a simulated device of its own.
#pragma once

#include <memory>
#include <vector>

#include "simulator/fiber.h"

namespace hopwave::sim {

/// One pool for the process; any thread may call.
///
/// A fiber keeps what ThreadSanitizer knows of it, as it does from one launch to the next. What it once acquired lies before
/// the launch that uses it now, so no two accesses of one launch seem ordered by it.
class FiberPool {
 public:
  /// A fiber that waits to be switched to, kept or new. Throws std::bad_alloc.
  static std::unique_ptr<Fiber> take();
  /// Gives back fibers whose threads have all returned. What is too many is destroyed.
  static void give(std::vector<std::unique_ptr<Fiber>>& fibers) noexcept;
  /// Destroys fibers on which threads stand that will never go on.
  static void destroy(std::vector<std::unique_ptr<Fiber>>& fibers) noexcept;
};

}  // namespace hopwave::sim

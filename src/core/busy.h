// Only one call at a time on an object that several threads, or a callback, can reach: a second call gets an error
// instead of a race.
#pragma once

#include <atomic>
#include <string>

#include "hopwave/error.h"

namespace hopwave::core {

class Busy {
 public:
  /// Marks the object as busy during the lifetime of the Hold. Throws HW-BUSY if another call is running.
  class Hold {
   public:
    Hold(Busy& object, const char* what) : object_(object) {
      if (!object_.taken_.exchange(true, std::memory_order_acquire)) return;
      throw Error({.failure = Failure::usage,
                   .id = "HW-BUSY",
                   .found = std::string("a second call while ") + what + " is busy",
                   .expected = "one call at a time",
                   .hint = "make one for each thread, and for each callback that searches; searchers may share a graph"});
    }
    ~Hold() { object_.taken_.store(false, std::memory_order_release); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Busy& object_;
  };

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace hopwave::core

// Threads that do not start.
#pragma once

#include <pthread.h>

#include <cstddef>

namespace hopwave::testing {

/// While it lives, threads want `bytes` for their stacks. With the standard no machine has as much; with less, a few may start.
class HugeStacks {
 public:
  explicit HugeStacks(std::size_t bytes = std::size_t{1} << 47) {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, bytes);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~HugeStacks() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  HugeStacks(const HugeStacks&) = delete;
  HugeStacks& operator=(const HugeStacks&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace hopwave::testing

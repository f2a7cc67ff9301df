// Event and Timer: points in a device's stream, and the time between two of them. A timer may open with the next launch, whose
// record then costs no call of its own. Destructors never throw, and leave a lost device alone.
#include <utility>

#include "device/device.h"

namespace hopwave::device {

Event::Event(Device& device, const SourceLocation& where) : device_(device) {
  device_.begin_call(where);
  device_.check(device_.api().event_create(&event_), where);
}

Event::~Event() {
  if (!device_.lost_) device_.api().event_destroy(event_);
}

void Event::record(const SourceLocation& where) {
  device_.begin_call(where);
  device_.check(device_.api().event_record(event_, device_.stream()), where);
}

void Event::wait(const SourceLocation& where) {
  device_.begin_call(where);
  ++device_.round_trips_;
  device_.check(device_.api().event_wait(event_), where);
}

Timer::Timer(Device& device) : device_(device) {
  const auto where = SourceLocation::current();
  device_.begin_call(where);
  device_.check(device_.api().event_create(&from_), where);
  try {
    device_.begin_call(where);
    device_.check(device_.api().event_create(&to_), where);
  } catch (...) {
    device_.api().event_destroy(from_);
    throw;
  }
}

Timer::~Timer() {
  if (device_.opening_ == this) device_.opening_ = nullptr;
  if (device_.closed_ == this) device_.closed_ = nullptr;
  if (device_.lost_) return;
  if (kept_) device_.api().forget_launch(kept_);
  device_.api().event_destroy(from_);
  device_.api().event_destroy(to_);
}

void Timer::start() {
  const auto where = SourceLocation::current();
  device_.begin_call(where);
  device_.check(device_.api().event_record(from_, device_.stream()), where);
}

void Timer::start_with_launch() {
  if (!device_.api().launch_between) return start();
  device_.begin_call(SourceLocation::current());
  device_.opening_ = this;
}

void Timer::stop() {
  const auto where = SourceLocation::current();
  const bool stopped = std::exchange(device_.closed_, nullptr) == this;
  device_.begin_call(where);
  if (stopped) return;
  device_.check(device_.api().event_record(to_, device_.stream()), where);
}

Milliseconds Timer::elapsed() {
  const auto where = SourceLocation::current();
  device_.begin_call(where);
  float time = 0;
  device_.check(device_.api().event_wait(to_), where);
  device_.check(device_.api().event_elapsed(&time, from_, to_), where);
  return Milliseconds(time);
}

}  // namespace hopwave::device

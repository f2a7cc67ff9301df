// Limits of a call: when it must end although it is not done.
#pragma once

#include <stop_token>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Both end a search within a level on every device; docs/cancelling.md says which work is never cut short.
struct Limits {
  /// A request to stop ends the call with HW-CANCELLED. Any thread may make it.
  std::stop_token stop = {};
  /// Seconds from the call's beginning, after which it ends with HW-TIME-LIMIT. 0: none; negative or not a number:
  /// HW-OPTION-TIME-LIMIT.
  double seconds = 0;
  /// Searcher::run() returns what is done instead of an error: see Result::complete. Other calls end with the error.
  bool partial = false;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

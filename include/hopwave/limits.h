// Limits of a call: when it ends although its work is not finished.
#pragma once

#include <stop_token>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Each limit ends a search within one level, on every device. docs/cancelling.md lists the work that is never
/// interrupted.
struct Limits {
  /// A request to stop, from any thread, ends the call with HW-CANCELLED.
  std::stop_token stop = {};
  /// Time limit in seconds, counted from the start of the call; the call then ends with HW-TIME-LIMIT. 0: no limit. A
  /// negative value or NaN is the error HW-OPTION-TIME-LIMIT.
  double seconds = 0;
  /// true: Searcher::run() returns what it has found instead of an error, see Result::complete. Other calls still end
  /// with the error.
  bool partial = false;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

// How a call runs, and what it reports about its run: the same for every call that can take long.
//
// Options structs contain what only their call knows, and `RunOptions run`. Calls without options of their own take
// RunOptions itself. Results contain `RunReport run`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/device.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// All durations in options and results. Any duration of <chrono> converts to it: `.time = std::chrono::seconds(5)`.
using Milliseconds = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;  ///< for limits in parts of a second: `.time = Seconds(0.5)`

/// How far a call has got.
struct Step {
  std::string_view what = {};  ///< the unit of `done`: "levels", "searches", "rounds", "vertices", "bytes", "work" …
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0: not known
  /// "levels": vertices in the frontier. "rounds" of shortest paths: arcs relaxed so far. "rounds" of routing: the
  /// overflow. "searches" of eccentricities(): vertices that may still need a search. Otherwise 0.
  std::uint64_t amount = 0;
  Distance longest = 0;  ///< "searches" of eccentricities(): the longest shortest path found so far. Otherwise 0
};

/// Called from time to time by the calling thread. Returning false ends the call with HW-INTERRUPTED, or early where
/// its result has End::interrupted. May be empty. An exception that it throws is passed on.
using Progress = std::function<bool(const Step& step)>;

/// When a call ends although its work is not finished. A limit is checked after each level where the host sees the
/// levels, and otherwise at the end of a launch or at a barrier inside it. docs/cancelling.md lists when each kind of
/// search checks its limits, and the work that is never interrupted.
struct Limits {
  /// A request to stop, from any thread, ends the call with HW-CANCELLED.
  std::stop_token stop = {};
  /// Time limit, counted from the start of the call, which then ends with HW-TIME-LIMIT. 0: no limit. A negative value
  /// or NaN is the error HW-OPTION-TIME-LIMIT.
  Milliseconds time = {};
  /// true: Searcher::run() and reach() return what they have found instead of an error, see RunReport::end. Other calls
  /// have no partial answer, and ignore it, or always return what they have found.
  bool partial = false;
};

/// What the simulator does differently in each run.
struct SimulatorOptions {
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds on another device: HW-OPTION-SCHEDULE
  std::uint64_t seed = 1;                         ///< seed of the schedule
};

struct RunOptions {
  /// `automatic`: a GPU if one can be used, otherwise the CPU. Calls for which copying the graph to a GPU takes longer
  /// than the work itself run on the CPU; they say so.
  DeviceKind device = DeviceKind::automatic;
  DeviceOptions on = {};  ///< device, stream and memory; ignored for a graph in device memory, which has its own
  /// Numbers of further devices, each of which gets a copy of the graph. Searches from many sources are distributed
  /// over all devices; single searches run on `on.ordinal`. Callbacks are still called by the calling thread.
  /// HW-OPTION-REPLICAS on the CPU, and for a device that occurs twice. Calls that do not search hop by hop ignore it.
  std::vector<int> replicas = {};
  int threads = 0;         ///< CPU threads; 0: all
  std::uint64_t seed = 1;  ///< seed of random choices, where a call makes any
  SimulatorOptions simulator = {};
  Limits limits = {};  ///< of each call
  Progress progress = {};
};

/// How a call ended.
enum class End : unsigned char {
  complete,      ///< with the whole answer
  interrupted,   ///< RunOptions::progress returned false
  cancelled,     ///< by Limits::stop
  time_limit,    ///< by Limits::time
  max_searches,  ///< by the call's own limit of searches
};

/// What a call reports about its run. Durations are 0 where a call has no such part.
struct RunReport {
  End end = End::complete;              ///< if it is not `complete`, the result contains what had been found by then
  DeviceKind device = DeviceKind::cpu;  ///< where it ran
  std::string strategy = {};            ///< the strategy that ran; on a CPU, what "auto" chose; empty if the call has none
  std::string chosen = {};              ///< the strategy that `auto` chose and the reason; otherwise empty
  Milliseconds prepare = {};            ///< transposing, reordering, checking weights
  Milliseconds copy_in = {};            ///< copying the graph to the device
  Milliseconds work = {};               ///< the algorithm itself: device events on a GPU, wall clock on a CPU
  Milliseconds copy_out = {};           ///< copying results to the host
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU", or that fewer threads could be started

  [[nodiscard]] bool complete() const noexcept { return end == End::complete; }
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

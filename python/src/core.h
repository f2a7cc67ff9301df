// Shared by the files of the Python extension: graphs held for Python, arrays returned to it, calls that Ctrl-C ends.
#pragma once

#include <hopwave/hopwave.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gil.h"
#include "worker.h"

namespace hopwave::python {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;

/// Returns a NumPy array that keeps `values` alive and uses their memory: nothing is copied.
template <class Values>
auto to_numpy(Values&& values, std::vector<std::size_t> shape = {}) {
  using T = std::remove_cvref_t<decltype(*values.data())>;
  auto* kept = new std::remove_cvref_t<Values>(std::forward<Values>(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::remove_cvref_t<Values>*>(p); });
  if (shape.empty()) shape = {kept->size()};
  return Out<T>(const_cast<T*>(kept->data()), shape.size(), shape.data(), owner);
}

/// How a caller wants a call to run, follows it and ends it: the keywords device, threads, seed, time_limit, progress and
/// stop. `report(what, done, total, amount, longest)` is called several times per second by the caller's thread, at the
/// first step at once; false ends the call. A second thread that works never enters Python: if the interpreter ends
/// meanwhile, Python can end only its own threads without harm.
class Caller {
 public:
  /// Without wishes.
  Caller() = default;
  /// `report` and `stop` may be None. `seconds` from now on; 0: no limit. `stop.is_set()` is asked several times per second.
  Caller(const std::string& device, int threads, std::uint64_t seed, double seconds, nb::object report, nb::object stop);
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  [[nodiscard]] bool listens() const { return report_.is_valid() && !report_.is_none(); }
  /// Returns true if the caller may end the call, other than by Ctrl-C and the time limit.
  [[nodiscard]] bool watches() const { return listens() || (stop_.is_valid() && !stop_.is_none()); }

  // For the working thread.
  /// Returns the options of the library's call that starts now, without limits and progress.
  [[nodiscard]] RunOptions settings() const {
    return {.device = device_, .threads = threads_, .seed = seed_, .simulator = {.seed = seed_}};
  }
  /// Returns the options of a call with Limits.
  [[nodiscard]] RunOptions options(std::stop_token stop) {
    RunOptions run = settings();
    run.limits = limits(std::move(stop));
    if (watches()) run.progress = [this](const Step& step) { return reached(step); };
    return run;
  }
  /// Returns the options of a call that has progress and no Limits.
  [[nodiscard]] RunOptions options_without_limits() {
    RunOptions run = settings();
    run.progress = [this](const Step& step) { return reached(step) && goes_on(); };
    return run;
  }
  /// Returns the limits of a call that starts now: the remaining time.
  [[nodiscard]] Limits limits(std::stop_token stop) {
    const double left = std::exchange(begun_, true) ? std::max(seconds_ - since_begin(), 1e-9) : seconds_;
    return {.stop = std::move(stop), .time = Seconds(seconds_ == 0 ? 0 : left)};
  }
  /// Notes how far the work has got. Returns false if it is to end.
  bool reached(const Step& step) {
    {
      const std::lock_guard lock(mutex_);
      set(step, step.what);
    }
    return polled();
  }
  /// Asks the caller, if this is the caller's thread. Returns false if the work is to end.
  bool polled() {
    if (here_ && watches() && !ended()) {
      const auto now = std::chrono::steady_clock::now();
      if (now - polled_ >= std::chrono::milliseconds(20)) {
        polled_ = now;
        here_->in_python([this] { look(); });
      }
    }
    return !ended();
  }
  /// Does the same, and ends the work by HW-INTERRUPTED.
  void go_on(const Step& step) {
    if (!reached(step)) refuse();
  }
  /// Notes that all work is done.
  void finished() {
    const std::lock_guard lock(mutex_);
    if (step_.second.total) step_.second.done = step_.second.total;
  }
  /// Throws HW-TIME-LIMIT, HW-CANCELLED or HW-INTERRUPTED if the call is to end.
  void check() {
    if (!goes_on()) refuse();
  }
  /// Returns how a call ended that has an answer nevertheless. After a report that returned false it is `interrupted`, even
  /// if all work was done by then: which of the two came first would be a matter of luck.
  [[nodiscard]] End end(End found) const {
    if (refused_) return End::interrupted;
    return found == End::interrupted && cancelled_ ? End::cancelled : found;  // `stop` also ends the work by its progress
  }
  /// The call returns what it has found if it ends early, and all if it does not.
  void allow_part() { part_ = true; }

  // For the caller's thread, with the GIL.
  /// Looks for signals, shows the last step, and asks `stop`. Python's error may be set afterwards.
  void look(bool last = false);
  /// Notes a step and checks, for work of the caller's own.
  void step(const std::string& what, std::uint64_t done, std::uint64_t total);
  /// Shows the last step, and throws what ended the call: the caller's own exception, or `failure`.
  void settle(const std::exception_ptr& failure);
  /// The calling thread works itself, and gets the GIL back by `released` meanwhile.
  void works_here(WithoutGil* released) { here_ = released; }
  /// Returns the token of `stop`, of the caller's progress and of Ctrl-C; `alone`: one that never stops where the caller
  /// has no means to do so.
  [[nodiscard]] std::stop_token token(bool alone) {
    if (alone && !watches()) return {};
    if (!source_) source_.emplace();
    if (ended()) source_->request_stop();
    return source_->get_token();
  }
  [[nodiscard]] bool ended() const { return raised_ || refused_ || cancelled_; }

 private:
  [[nodiscard]] double since_begin() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  [[nodiscard]] bool goes_on() {
    over_time_ = over_time_ || (seconds_ != 0 && since_begin() >= seconds_);
    return !over_time_ && !ended();
  }
  /// Throws the error for what ended the call.
  [[noreturn]] void refuse() const;
  /// With the mutex.
  void set(const Step& step, std::string_view what) {
    if (what != step_.first && !step_.first.empty()) ended_parts_.push_back(std::move(step_));
    step_ = {std::string(what), step};
  }
  void show(bool last);
  void show(const std::pair<std::string, Step>& step, bool last);
  void end_by(std::atomic<bool>& reason) {
    reason = true;
    if (source_) source_->request_stop();
  }

  const DeviceKind device_ = DeviceKind::automatic;
  const int threads_ = 0;
  const std::uint64_t seed_ = 1;
  const double seconds_ = 0;
  const nb::object report_ = {}, stop_ = {};
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<std::stop_source> source_;
  std::atomic<bool> raised_{false};     // a signal handler, the report or `stop` raised
  std::atomic<bool> refused_{false};    // the report returned false
  std::atomic<bool> cancelled_{false};  // `stop` is set
  std::atomic<bool> over_time_{false};
  bool begun_ = false, part_ = false;
  WithoutGil* here_ = nullptr;
  std::chrono::steady_clock::time_point polled_{}, shown_at_{};
  std::mutex mutex_;
  std::pair<std::string, Step> step_ = {}, shown_ = {};  // with their `what`
  std::vector<std::pair<std::string, Step>>
      ended_parts_;  // last steps that are not shown yet, of parts that counted other things
};

/// Work on fewer arcs is over before a user could press Ctrl-C; it runs in the caller's thread.
inline constexpr std::uint64_t arcs_worth_a_thread = 1u << 20;

/// Runs `work(stop_token)` without the GIL. Long work runs on `worker`, or on its own thread if there is none, and the
/// caller's thread checks for signals and reports meanwhile. If a signal handler or a report raises, the work is asked
/// to stop.
template <class Work>
auto interruptible(std::uint64_t arcs, Caller& caller, Work&& work, Worker* worker = nullptr) {
  using Answer = decltype(work(std::stop_token()));
  (void)take_thread_memory();  // of the caller's thread, while there is some
  std::optional<Answer> answer;
  std::exception_ptr failure;
  const bool here = arcs < arcs_worth_a_thread;
  if (caller.watches()) or_sleep([&] { caller.look(); });  // a caller that has stopped already gets no work
  const std::stop_token stop = caller.token(here);
  const auto all = [&] {
    try {
      answer.emplace(work(stop));
    } catch (...) {
      failure = std::current_exception();
    }
  };
  {
    WithoutGil released;
    if (here) {
      caller.works_here(&released);
      all();
      caller.works_here(nullptr);
    } else {
      std::optional<Worker> own;
      if (!worker) worker = &own.emplace(false);
      // The exception stays set until the work has ended.
      worker->run(all, [&] { released.in_python([&] { caller.look(); }); });
    }
  }
  caller.settle(failure);
  return std::move(*answer);
}

/// The same without reports and time limit.
template <class Work>
auto interruptible(std::uint64_t arcs, Work&& work) {
  Caller silent;
  return interruptible(arcs, silent, std::forward<Work>(work));
}

/// A graph as Python holds it. Searchers share it, and it never changes.
struct HeldGraph {
  std::shared_ptr<const Graph> graph;
};

/// Convert from the words of Python callers, and back.
DeviceKind device_kind(const std::string& name);
std::string device_name(DeviceKind kind);
Direction direction_of(const std::string& name);

void bind_errors(nb::module_& module);
void bind_run(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_algorithms(nb::module_& module);
void bind_components(nb::module_& module);
void bind_betweenness(nb::module_& module);
void bind_search(nb::module_& module);
void bind_shortest_paths(nb::module_& module);

}  // namespace hopwave::python

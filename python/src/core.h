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
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
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

/// How a caller follows a call and ends it: `report(done, total)`, called several times per second by the caller's
/// thread (total 0: unknown), and a time limit. The working thread never enters Python: if the interpreter ends
/// meanwhile, Python can end only its own threads without harm.
class Caller {
 public:
  /// `report` may be None. `seconds` from now on; 0: no limit.
  Caller(nb::object report, double seconds) : report_(std::move(report)), seconds_(seconds) {}

  [[nodiscard]] bool listens() const { return !report_.is_none(); }

  // Called by the working thread.
  void reached(std::uint64_t done, std::uint64_t total) {
    total_.store(total, std::memory_order_relaxed);
    done_.store(done, std::memory_order_release);
  }
  /// Reports all work as done.
  void finished() { done_.store(total_.load(std::memory_order_relaxed), std::memory_order_release); }
  /// Returns the remaining time, for a call of the library that starts now.
  [[nodiscard]] Limits limits(std::stop_token stop) {
    const double left = std::exchange(begun_, true) ? std::max(seconds_ - since_begin(), 1e-9) : seconds_;
    return {.stop = std::move(stop), .seconds = seconds_ == 0 ? 0 : left};
  }
  /// Returns the library's `progress` of done and total; empty if the caller has no report.
  [[nodiscard]] std::function<bool(std::uint64_t, std::uint64_t)> listener() {
    if (!listens()) return {};
    return [this](std::uint64_t done, std::uint64_t total) {
      reached(done, total);
      return true;
    };
  }
  /// For calls of the library without Limits. Afterwards, over_time() states which of the two ended the call.
  [[nodiscard]] std::function<bool(std::uint64_t, std::uint64_t)> progress(std::stop_token stop, bool shown = true) {
    return [this, shown, stop = std::move(stop)](std::uint64_t done, std::uint64_t total) {
      if (shown) reached(done, total);
      over_time_ = seconds_ != 0 && since_begin() >= seconds_;
      return !over_time_ && !stop.stop_requested();
    };
  }
  [[nodiscard]] bool over_time() const { return over_time_; }
  /// Throws HW-TIME-LIMIT where the library returns a partial answer and the caller wants the whole.
  [[noreturn]] void fail(const std::string& done) const {
    throw Error({.failure = Failure::time_limit,
                 .id = "HW-TIME-LIMIT",
                 .found = "the time limit of " + seconds_text() + " s is reached: " + done});
  }

  // Called by the caller's thread, with the GIL.
  /// Returns false if the caller's function raised; its error is set.
  bool show() {
    const std::uint64_t done = done_.load(std::memory_order_acquire);
    if (!listens() || done == shown_) return true;
    shown_ = done;
    PyObject* given = PyObject_CallFunction(report_.ptr(), "KK", static_cast<unsigned long long>(done),
                                            static_cast<unsigned long long>(total_.load(std::memory_order_relaxed)));
    Py_XDECREF(given);
    return given != nullptr;
  }
  bool show_sometimes() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return true;
    last_ = now;
    return show();
  }

 private:
  [[nodiscard]] double since_begin() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  [[nodiscard]] std::string seconds_text() const {
    std::ostringstream text;
    text << seconds_;
    return text.str();
  }

  nb::object report_;
  const double seconds_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> done_{0}, total_{0};
  bool begun_ = false, over_time_ = false;
  std::uint64_t shown_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

/// Work on fewer arcs is over before a user could press Ctrl-C; it runs in the caller's thread.
inline constexpr std::uint64_t arcs_worth_a_thread = 1u << 20;

/// Runs `work(stop_token)` without the GIL. Long work runs on `worker`, or on its own thread if there is none, and the
/// caller's thread checks for signals and reports meanwhile. If a signal handler or a report raises, the work is asked
/// to stop.
template <class Work>
auto interruptible(std::uint64_t arcs, Caller& caller, Work&& work, Worker* worker = nullptr) {
  using Answer = decltype(work(std::stop_token()));
  std::optional<Answer> answer;
  if (arcs < arcs_worth_a_thread) {
    const WithoutGil released;
    answer.emplace(work(std::stop_token()));
  } else {
    std::exception_ptr failure;
    bool raised = false;
    {
      WithoutGil released;
      std::optional<Worker> own;
      if (!worker) worker = &own.emplace(false);
      std::stop_source stop;
      const auto all = [&] {
        try {
          answer.emplace(work(stop.get_token()));
        } catch (...) {
          failure = std::current_exception();
        }
      };
      worker->run(all, [&] {
        if (raised) return;
        // The exception stays set until the work has ended.
        released.in_python([&] { raised = PyErr_CheckSignals() != 0 || !caller.show_sometimes(); });
        if (raised) stop.request_stop();
      });
    }
    if (raised) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
  }
  if (!or_sleep([&] { return caller.show(); })) throw nb::python_error();
  return std::move(*answer);
}

/// The same without reports and time limit.
template <class Work>
auto interruptible(std::uint64_t arcs, Work&& work) {
  Caller silent(nb::none(), 0);
  return interruptible(arcs, silent, std::forward<Work>(work));
}

/// Runs `work(stop_token)` for calls of the library that have a progress function and no Limits: Caller::progress().
template <class Work>
auto reported(std::uint64_t arcs, Caller& caller, Work&& work) {
  return interruptible(arcs, caller, [&](const std::stop_token& stop) {
    try {
      return work(stop);
    } catch (const Error& error) {
      if (error.id() == "HW-INTERRUPTED" && caller.over_time()) caller.fail("the work is not complete");
      throw;
    }
  });
}

/// A graph as Python holds it. Searchers share it, and it never changes.
struct HeldGraph {
  std::shared_ptr<const Graph> graph;
};

/// Convert from the words of Python callers, and back.
DeviceKind device_kind(const std::string& name);
std::string device_name(DeviceKind kind);
Direction direction_of(const std::string& name);

/// Returns one dict per step of the search, and one dict per launch; empty unless the searcher was asked for them.
nb::list steps_of(const SearchReport& stats);
nb::list launches_of(const SearchReport& stats);

void bind_errors(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_components(nb::module_& module);
void bind_eccentricity(nb::module_& module);
void bind_kcore(nb::module_& module);
void bind_flow(nb::module_& module);
void bind_sampled(nb::module_& module);
void bind_betweenness(nb::module_& module);
void bind_search(nb::module_& module);
void bind_shortest_paths(nb::module_& module);

}  // namespace hopwave::python

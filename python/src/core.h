// What the files of the Python extension share: graphs held for Python, arrays handed out, calls that Ctrl-C ends.
#pragma once

#include <hopwave/hopwave.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <exception>
#include <memory>
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

/// A NumPy array that keeps `values` alive and stands on their memory: nothing is copied.
template <class Values>
auto to_numpy(Values&& values, std::vector<std::size_t> shape = {}) {
  using T = std::remove_cvref_t<decltype(*values.data())>;
  auto* kept = new std::remove_cvref_t<Values>(std::forward<Values>(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::remove_cvref_t<Values>*>(p); });
  if (shape.empty()) shape = {kept->size()};
  return Out<T>(const_cast<T*>(kept->data()), shape.size(), shape.data(), owner);
}

/// Work below this many arcs is over before anybody could press Ctrl-C; it runs in the caller's thread.
inline constexpr std::uint64_t arcs_worth_a_thread = 1u << 20;

/// Runs `work(stop_token)` without the GIL. Long work is done by `worker`, or by a thread of its own where there is none, and
/// the caller's thread looks for signals meanwhile. A handler that raises requests the stop. So does `meanwhile`, called with
/// the GIL some times a second, where it gives false: then Python's error is set.
template <class Work, class Meanwhile = bool (*)()>
auto interruptible(
    std::uint64_t arcs, Work&& work, Worker* worker = nullptr, const Meanwhile& meanwhile = [] { return true; }) {
  using Answer = decltype(work(std::stop_token()));
  if (arcs < arcs_worth_a_thread) {
    const WithoutGil released;
    return work(std::stop_token());
  }
  std::optional<Answer> answer;
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
      released.in_python([&] { raised = PyErr_CheckSignals() != 0 || !meanwhile(); });
      if (raised) stop.request_stop();
    });
  }
  if (raised) throw nb::python_error();
  if (failure) std::rethrow_exception(failure);
  return std::move(*answer);
}

/// A graph as Python holds it. Searchers share it, and it never changes.
struct HeldGraph {
  std::shared_ptr<const Graph> graph;
};

/// From the words that Python callers use, and back.
DeviceKind device_kind(const std::string& name);
std::string device_name(DeviceKind kind);
Direction direction_of(const std::string& name);

/// A dict a step of the search, and a dict a launch; empty unless the searcher was asked for them.
nb::list steps_of(const RunStats& stats);
nb::list launches_of(const RunStats& stats);

void bind_errors(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_components(nb::module_& module);
void bind_eccentricity(nb::module_& module);
void bind_sampled(nb::module_& module);
void bind_betweenness(nb::module_& module);
void bind_search(nb::module_& module);
void bind_shortest_paths(nb::module_& module);

}  // namespace hopwave::python

// How calls run, and what they report: the keywords that all calls have, RunReport and its kinds.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <sstream>
#include <string>

#include "core.h"

namespace hopwave::python {

Caller::Caller(const std::string& device, int threads, std::uint64_t seed, double seconds, nb::object report, nb::object stop)
    : device_(device_kind(device)),
      threads_(threads),
      seed_(seed),
      seconds_(seconds),
      report_(std::move(report)),
      stop_(std::move(stop)) {}

void Caller::show(bool last) {
  if (!listens()) return;
  const auto now = std::chrono::steady_clock::now();
  if (!last && now - shown_at_ < std::chrono::milliseconds(100)) return;
  std::vector<std::pair<std::string, Step>> steps;
  {
    const std::lock_guard lock(mutex_);
    steps.swap(ended_parts_);
    if (!step_.first.empty()) steps.push_back(step_);
  }
  if (steps.empty()) return;
  shown_at_ = now;
  for (const auto& step : steps)
    if (!ended()) show(step, last);
}

void Caller::show(const std::pair<std::string, Step>& step, bool last) {
  const auto& [what, now] = step;
  const Step& before = shown_.second;
  // While the work goes on the same step is shown again: the caller may want to end a call whose next step is far away.
  if (last && what == shown_.first && now.done == before.done && now.total == before.total && now.amount == before.amount &&
      now.longest == before.longest)
    return;
  shown_ = step;
  PyObject* given = PyObject_CallFunction(report_.ptr(), "sKKKi", what.c_str(), static_cast<unsigned long long>(now.done),
                                          static_cast<unsigned long long>(now.total),
                                          static_cast<unsigned long long>(now.amount), static_cast<int>(now.longest));
  if (!given) return end_by(raised_);
  const bool on = given != Py_False;
  Py_DECREF(given);
  if (!on) end_by(refused_);
}

void Caller::look(bool last) {
  if (ended()) return;
  if (PyErr_CheckSignals() != 0) return end_by(raised_);
  show(last);
  if (ended() || !stop_.is_valid() || stop_.is_none()) return;
  PyObject* set = PyObject_CallMethod(stop_.ptr(), "is_set", nullptr);
  const int yes = set ? PyObject_IsTrue(set) : -1;
  Py_XDECREF(set);
  if (yes < 0) end_by(raised_);
  if (yes > 0) end_by(cancelled_);
}

void Caller::refuse() const {
  const bool interrupted = refused_ || raised_;
  if (!interrupted && !cancelled_ && over_time_) {
    std::ostringstream seconds;
    seconds << seconds_;
    throw Error({.failure = Failure::time_limit,
                 .id = "HW-TIME-LIMIT",
                 .found = "the time limit of " + seconds.str() + " s is reached: the work is not complete"});
  }
  throw Error({.failure = Failure::interrupted,
               .id = interrupted ? "HW-INTERRUPTED" : "HW-CANCELLED",
               .found = interrupted ? "stopped by progress" : "a request to stop: the work is not complete"});
}

void Caller::step(const std::string& what, std::uint64_t done, std::uint64_t total) {
  {
    const std::lock_guard lock(mutex_);
    set({.done = done, .total = total}, what);
  }
  or_sleep([this] { look(true); });
  if (raised_) throw nb::python_error();
  if (!goes_on()) refuse();
}

void Caller::settle(const std::exception_ptr& failure) {
  if (!failure && listens() && !ended()) or_sleep([this] { show(true); });
  if (raised_) throw nb::python_error();
  if (failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      // The library has been stopped by a token, or by its progress, for another reason.
      if (refused_ && error.id() == "HW-CANCELLED") refuse();
      if (error.id() == "HW-INTERRUPTED" && (refused_ || cancelled_ || over_time_)) refuse();
      throw;
    }
  }
  if (refused_ && !part_) refuse();
}

namespace {

const char* end_name(End end) {
  switch (end) {
    case End::complete:
      return "complete";
    case End::interrupted:
      return "interrupted";
    case End::cancelled:
      return "cancelled";
    case End::time_limit:
      return "time-limit";
    case End::max_searches:
      return "searches";
  }
  return "";
}

nb::dict fields_of(const RunReport& run) {
  nb::dict d;
  d["end"] = end_name(run.end);
  d["device"] = device_name(run.device);
  d["strategy"] = run.strategy;
  d["chosen"] = run.chosen;
  d["prepare_ms"] = run.prepare.count();
  d["copy_in_ms"] = run.copy_in.count();
  d["work_ms"] = run.work.count();
  d["copy_out_ms"] = run.copy_out.count();
  d["notes"] = run.notes;
  return d;
}

nb::dict bytes_by_kind(const ByteCounts& bytes) {
  nb::dict d;
  for (std::size_t kind = 0; kind < num_memory_kinds; ++kind) {
    d[nb::str(memory_kind_names[kind].data(), memory_kind_names[kind].size())] = bytes[kind];
  }
  return d;
}

nb::list trace_of(const SearchReport& run) {
  nb::list steps;
  for (const LevelTrace& t : run.trace) {
    nb::dict d;
    d["level"] = t.level;
    d["direction"] = t.direction;
    d["frontier"] = t.frontier;
    d["arcs"] = t.edges;
    d["found"] = t.discovered;
    d["ms"] = t.time.count();
    steps.append(d);
  }
  return steps;
}

nb::list requests_of(const LaunchCounts& launch) {
  nb::list places;
  const auto text = [](std::string_view s) { return nb::str(s.data(), s.size()); };
  for (const RequestCounts& r : launch.requests) {
    nb::dict d;
    d["file"] = text(r.file);
    d["line"] = r.line;
    d["access"] = text(memory_access_names[static_cast<std::size_t>(r.access)]);
    d["memory"] = r.shared ? "shared" : "device";
    d["kind"] = text(memory_kind_names[static_cast<std::size_t>(r.kind)]);
    d["requests"] = r.requests;
    d["accesses"] = r.accesses;
    d["transfers"] = r.transfers;
    d["least_transfers"] = r.least_transfers;
    d["most_transfers"] = r.most_transfers;
    places.append(d);
  }
  return places;
}

nb::list counts_of(const SearchReport& run) {
  nb::list launches;
  for (const LaunchCounts& c : run.counts) {
    nb::dict d;
    d["level"] = c.level;
    d["levels"] = c.levels;
    d["grid"] = c.grid;
    d["block"] = c.block;
    d["threads"] = c.threads();
    d["counted"] = c.counted;
    d["working"] = c.working;
    d["working_warps"] = c.working_warps;
    d["average_lanes"] = c.average_lanes();
    d["divergence"] = c.divergence();
    d["work"] = c.work;
    d["longest"] = c.longest;
    d["labelled"] = c.labelled;
    d["shared_atomics"] = c.shared_atomics;
    d["global_atomics"] = c.global_atomics;
    d["most_on_one_address"] = c.most_global;
    d["read"] = bytes_by_kind(c.read);
    d["written"] = bytes_by_kind(c.written);
    d["requests"] = requests_of(c);
    launches.append(d);
  }
  return launches;
}

nb::list devices_of(const SearchReport& run) {
  nb::list parts;
  for (const DeviceLevel& level : run.devices) {
    nb::dict d;
    d["level"] = level.level;
    d["device"] = level.device;
    d["compute_ms"] = level.compute.count();
    d["exchange_ms"] = level.exchange.count();
    d["wait_ms"] = level.wait.count();
    d["bytes_read"] = level.bytes_read;
    parts.append(d);
  }
  return parts;
}

nb::dict fields_of_search(const SearchReport& run) {
  nb::dict d = fields_of(run);
  d["host_ms"] = run.host.count();
  d["levels"] = run.levels;
  d["steps"] = run.steps;
  d["launches"] = run.launches;
  d["round_trips"] = run.round_trips;
  d["edges_examined"] = run.edges_examined;
  d["grid"] = run.grid;
  d["block"] = run.block;
  d["trace"] = trace_of(run);
  d["counts"] = counts_of(run);
  d["devices"] = devices_of(run);
  nb::dict parts;
  for (const PartTime& part : run.parts) parts[part.name] = part.time.count();
  d["parts_ms"] = parts;
  return d;
}

nb::dict fields_of_weighted(const WeightedReport& run) {
  nb::dict d = fields_of(run);
  d["parents_ms"] = run.parents.count();
  d["delta"] = run.delta;
  d["steps"] = run.steps;
  d["relaxations"] = run.relaxations;
  d["launches"] = run.launches;
  d["round_trips"] = run.round_trips;
  return d;
}

}  // namespace

void bind_run(nb::module_& module) {
  const auto fields = nb::sig("def fields(self) -> dict[str, typing.Any]");
  nb::class_<RunReport>(module, "RunReport").def("fields", &fields_of, fields);
  nb::class_<SearchReport>(module, "SearchReport").def("fields", &fields_of_search, fields);
  nb::class_<WeightedReport>(module, "WeightedReport").def("fields", &fields_of_weighted, fields);
  nb::class_<Caller>(module, "Asked")
      .def(nb::init<const std::string&, int, std::uint64_t, double, nb::object, nb::object>(), nb::arg("device"),
           nb::arg("threads"), nb::arg("seed"), nb::arg("seconds"), nb::arg("report").none(), nb::arg("stop").none())
      .def("step", &Caller::step, nb::arg("what"), nb::arg("done"), nb::arg("total"));
}

}  // namespace hopwave::python

// The statistics of a search: its steps, and what the threads of its launches did.
#include "core.h"

namespace hopwave::python {

namespace {

nb::dict bytes_by_kind(const ByteCounts& bytes) {
  nb::dict d;
  for (std::size_t kind = 0; kind < num_memory_kinds; ++kind) {
    d[nb::str(memory_kind_names[kind].data(), memory_kind_names[kind].size())] = bytes[kind];
  }
  return d;
}

}  // namespace

nb::list steps_of(const SearchReport& stats) {
  nb::list steps;
  for (const LevelTrace& t : stats.trace) {
    nb::dict d;
    d["level"] = t.level;
    d["direction"] = t.direction;
    d["frontier"] = t.frontier;
    d["arcs"] = t.edges;
    d["found"] = t.discovered;
    d["ms"] = t.milliseconds;
    steps.append(d);
  }
  return steps;
}

nb::list launches_of(const SearchReport& stats) {
  nb::list launches;
  for (const LaunchCounts& c : stats.counts) {
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
    launches.append(d);
  }
  return launches;
}

}  // namespace hopwave::python

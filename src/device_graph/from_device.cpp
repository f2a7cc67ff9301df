// ResidentGraph::from_device: a graph of the caller's arrays.
#include <cstdint>
#include <string>

#include "device_graph/resident_state.h"
#include "hopwave/error.h"
#include "hopwave/resident.h"

namespace hopwave::inline v0_1 {

using device::Buffer;

namespace {

[[noreturn]] void bad_arrays(const std::string& found, const std::string& expected) {
  throw Error({.failure = Failure::usage, .id = "HW-RESIDENT-ARRAYS", .found = found, .expected = expected});
}

/// Returns the arrays of one direction.
resident::RowsOnDevice rows_of(const DeviceArrays& a, bool in) {
  return {.num_vertices = a.num_vertices,
          .num_arcs = a.num_arcs,
          .offsets32 = in ? a.in_offsets32 : a.offsets32,
          .offsets64 = in ? a.in_offsets64 : a.offsets64,
          .neighbors = in ? a.in_neighbors : a.neighbors};
}

void check_arrays(const DeviceArrays& a) {
  constexpr EdgeIndex most_narrow_arcs = 0xFFFFFFFFull - 4096;
  if (a.num_vertices > max_vertices) bad_arrays("too many vertices", "at most " + std::to_string(max_vertices));
  if (a.offsets32 && a.num_arcs > most_narrow_arcs)
    bad_arrays(std::to_string(a.num_arcs) + " arcs with offsets of 32 bits", "offsets of 64 bits");
  if (!a.directed && (a.in_offsets32 || a.in_offsets64 || a.in_neighbors))
    bad_arrays("incoming arcs of an undirected graph", "none: they are the same as the outgoing ones");
  for (const bool in : {false, true}) {
    if (in && !a.directed) continue;
    const auto rows = rows_of(a, in);
    const std::string which = in ? "incoming arcs" : "arcs";
    if ((rows.offsets32 != nullptr) == (rows.offsets64 != nullptr) || (rows.offsets64 != nullptr) != (a.offsets64 != nullptr))
      bad_arrays(which + " with " + (rows.offsets32 || rows.offsets64 ? "offsets of two widths" : "no offsets"),
                 in ? "incoming arcs, offsets in the same width" : "offsets of 32 or of 64 bits");
    if (a.num_arcs && !rows.neighbors) bad_arrays(which + " without neighbours", "their neighbours");
    for (const void* p : {static_cast<const void*>(rows.offsets32), static_cast<const void*>(rows.offsets64),
                          static_cast<const void*>(rows.neighbors)})
      if (reinterpret_cast<std::uintptr_t>(p) % 16 != 0) bad_arrays(which + " in memory that is not aligned", "16 bytes");
  }
}

void borrow_rows(resident::State& s, const resident::RowsOnDevice& rows, bool in) {
  const std::size_t n = rows.num_vertices + std::size_t{1};
  if (rows.offsets64)
    (in ? s.graph.in_offsets64 : s.graph.offsets64) = Buffer<std::uint64_t>::borrowed(*s.device, rows.offsets64, n);
  else
    (in ? s.graph.in_offsets32 : s.graph.offsets32) = Buffer<std::uint32_t>::borrowed(*s.device, rows.offsets32, n);
  (in ? s.graph.in_neighbors : s.graph.neighbors) = Buffer<VertexId>::borrowed(*s.device, rows.neighbors, rows.num_arcs);
}

}  // namespace

ResidentGraph ResidentGraph::from_device(const DeviceArrays& arrays, DeviceKind device, const DeviceOptions& on) {
  check_arrays(arrays);
  const device::KeepCurrent keep(&resident::api_of(device));
  ResidentGraph made;
  made.state_ = std::make_shared<resident::State>();
  resident::State& s = *made.state_;
  s.device = resident::open_device(device, on);
  s.kind = device == DeviceKind::sim ? device : DeviceKind::gpu;
  s.directed = arrays.directed;
  s.graph.num_vertices = arrays.num_vertices;
  s.graph.num_arcs = arrays.num_arcs;
  s.graph.wide = arrays.offsets64 != nullptr;
  s.ids = Ids::consecutive(arrays.num_vertices);
  s.owner = arrays.owner;
  for (const bool in : {false, true}) {
    if (in && !s.directed) continue;
    const auto rows = rows_of(arrays, in);
    borrow_rows(s, rows, in);
    const VertexId bad =
        arrays.trusted || arrays.num_vertices == 0 ? no_vertex : resident::first_bad_row(s.device->api())(*s.device, rows);
    if (bad != no_vertex)
      bad_arrays(std::string(in ? "incoming row " : "row ") + std::to_string(bad),
                 "ascending offsets from 0 to " + std::to_string(arrays.num_arcs) + ", and vertices in ascending order");
  }
  return made;
}

}  // namespace hopwave::inline v0_1

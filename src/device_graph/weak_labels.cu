// Weakly connected components: a forest over the vertices in which no parent is larger than its child. So the root of a
// component is finally its smallest vertex, whatever the order of the work.
// Source: J. Jaiganesh, M. Burtscher, A high-performance connected components implementation for GPUs, HPDC 2018
// (ECL-CC: the first smaller neighbour as the first parent, hooking of roots, pointer jumping on the way). This
// implementation differs: arcs are distributed evenly over warps instead of vertices by degree; forest.h describes the
// other differences.
#include "device_graph/each_arc.h"
#include "device_graph/forest.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Device;

constexpr u32 threads = 256;

template <class Offset>
HW_KERNEL void begin_forest(u32 n, const Offset* offsets, const u32* neighbors, u32* parent) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u64 at = offsets[v];
    const u32 first = at < offsets[v + 1] ? neighbors[at] : static_cast<u32>(v);
    dev::plain_write(&parent[v], first < v ? first : static_cast<u32>(v));  // rows ascend: the first is the smallest
  }
}

/// If every arc occurs in both directions, the one to the smaller vertex is sufficient.
template <class Offset>
HW_KERNEL void hook_arcs(u32 n, const Offset* offsets, const u32* neighbors, u64 arcs, bool symmetric, u32* parent) {
  each_arc(n, offsets, arcs, [&](u32 row, u64 i) {
    const u32 to = neighbors[i];
    HW_CHECK(to < n);
    if (to != row && !(symmetric && to > row)) forest::join(parent, row, to);
  });
}

device::LaunchShape shape(const Device& device, u64 items) { return device::strided(device, items, threads, 8192); }

template <class Offset>
void label(Device& device, const RowsOnDevice& rows, const Offset* offsets, bool symmetric, VertexId* parent) {
  const u32 n = rows.num_vertices;
  device::launch(device, {shape(device, n)}, begin_forest<Offset>, n, offsets, rows.neighbors, parent);
  if (rows.num_arcs)
    device::launch(device, {shape(device, arc_threads(rows.num_arcs))}, hook_arcs<Offset>, n, offsets, rows.neighbors,
                   u64{rows.num_arcs}, symmetric, parent);
  device::launch(device, {shape(device, n)}, forest::flatten, n, parent);
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

void HW_ON_MACHINE(label_components)(device::Device& device, const RowsOnDevice& rows, bool symmetric, VertexId* label) {
  if (rows.num_vertices == 0) return;
  if (rows.offsets64)
    HW_MACHINE::label(device, rows, rows.offsets64, symmetric, label);
  else
    HW_MACHINE::label(device, rows, rows.offsets32, symmetric, label);
}

}  // namespace hopwave::inline v0_1::resident

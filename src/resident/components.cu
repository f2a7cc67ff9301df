// Weakly connected components: a forest over the vertices in which no parent is larger than its child, so that the root of a
// component in the end is its smallest vertex, whatever the order of the work.
// Source: J. Jaiganesh, M. Burtscher, A high-performance connected components implementation for GPUs, HPDC 2018 (ECL-CC:
// the first smaller neighbour as the first parent, hooking of roots, pointer jumping on the way). Ours differs: arcs are shared
// out evenly over warps instead of vertices by degree, and every access to the forest is an atomic one.
#include "device/primitives/search.h"
#include "resident/machine.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Device;

constexpr u32 threads = 256;
constexpr u32 chunk_strips = 32;
constexpr u64 chunk = u64{dev::lanes} * chunk_strips;  ///< arcs a warp looks at before it looks for its next row

/// The root above `v`. On the way every second vertex is moved up: what is stored is an ancestor, so that it may be stale.
/// Relaxed: a vertex's parent only ever falls, and always to a vertex of the same component.
HW_DEVICE u32 find_root(u32* parent, u32 v) {
  u32 above = dev::load(&parent[v]);
  for (u32 before = v; above != before;) {
    const u32 next = dev::load(&parent[above]);
    if (next == above) break;
    dev::store(&parent[before], next);
    before = above;
    above = next;
  }
  return above;
}

/// Only a root is hooked, and only once: an exchange that fails says who hooked it meanwhile.
HW_DEVICE void join(u32* parent, u32 u, u32 v) {
  u32 a = find_root(parent, u), b = find_root(parent, v);
  while (a != b) {
    const u32 high = a > b ? a : b, low = a > b ? b : a;
    const u32 found = dev::compare_exchange(&parent[high], high, low);
    if (found == high) return;
    a = found;
    b = low;
  }
}

template <class Offset>
HW_KERNEL void begin_forest(u32 n, const Offset* offsets, const u32* neighbors, u32* parent) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u64 at = offsets[v];
    const u32 first = at < offsets[v + 1] ? neighbors[at] : static_cast<u32>(v);
    dev::plain_write(&parent[v], first < v ? first : static_cast<u32>(v));  // rows ascend: the first is the smallest
  }
}

/// A warp takes a chunk of arcs; each lane follows the rows by itself from the chunk's first on. Where every arc is there both
/// ways, the one towards the smaller vertex is enough.
template <class Offset>
HW_KERNEL void hook_arcs(u32 n, const Offset* offsets, const u32* neighbors, u64 arcs, bool symmetric, u32* parent) {
  const u64 chunks = (arcs + chunk - 1) / chunk, warps = u64{dev::grid_size()} * dev::warps();
  for (u64 c = u64{dev::block()} * dev::warps() + dev::warp(); c < chunks; c += warps) {
    const u64 begin = c * chunk;
    u32 row = dev::last_at_most(n, begin, [&](u32 v) { return u64{offsets[v]}; });
    for (u32 k = 0; k < chunk_strips; ++k) {
      const u64 i = begin + u64{k} * dev::lanes + dev::lane();
      if (i >= arcs) break;
      while (offsets[row + 1ull] <= i) ++row;
      const u32 to = neighbors[i];
      HW_CHECK(to < n);
      if (to == row || (symmetric && to > row)) continue;
      join(parent, row, to);
    }
  }
}

HW_KERNEL void flatten(u32 n, u32* parent) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    u32 root = dev::load(&parent[v]);
    for (u32 above = dev::load(&parent[root]); above != root; above = dev::load(&parent[root])) root = above;
    dev::store(&parent[v], root);
  }
}

device::LaunchShape shape(const Device& device, u64 items) { return device::strided(device, items, threads, 8192); }

template <class Offset>
void label(Device& device, const RowsOnDevice& rows, const Offset* offsets, bool symmetric, VertexId* parent) {
  const u32 n = rows.num_vertices;
  device::launch(device, {shape(device, n)}, begin_forest<Offset>, n, offsets, rows.neighbors, parent);
  if (rows.num_arcs)
    device::launch(device, {shape(device, rows.num_arcs / chunk_strips + dev::lanes)}, hook_arcs<Offset>, n, offsets,
                   rows.neighbors, u64{rows.num_arcs}, symmetric, parent);
  device::launch(device, {shape(device, n)}, flatten, n, parent);
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

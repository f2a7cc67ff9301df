// A forest over the vertices in which no parent is larger than its child: sets of vertices, whose smallest vertex is
// the root. Any thread may join two sets at any time, and the order does not matter. Source: J. Jaiganesh, M.
// Burtscher, A high-performance connected components implementation for GPUs, HPDC 2018 (ECL-CC: hooking of roots,
// pointer jumping on the way). This implementation differs: an exchange alone hooks a root, and reads on the way to a
// root may be stale.
#pragma once

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::forest {

using dev::u32;
using dev::u64;

/// Returns the root above `v`, or a former root. On the way every second vertex is moved up. Reads may be stale: every
/// former parent of a vertex, other than the vertex itself, stays above it, and join() detects a root that has been
/// hooked meanwhile.
HW_DEVICE u32 find_root(u32* parent, u32 v) {
  u32 above = dev::peek(&parent[v]);
  for (u32 before = v; above != before;) {
    const u32 next = dev::peek(&parent[above]);
    if (next == above) break;
    dev::store(&parent[before], next);
    before = above;
    above = next;
  }
  return above;
}

/// Only a root is hooked, and only once: a failed exchange returns the vertex to which it was hooked meanwhile.
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

/// Sets every vertex's parent to its root. No thread joins meanwhile, so no root is stale.
HW_HEADER_KERNEL void flatten(u32 n, u32* parent) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    u32 root = dev::peek(&parent[v]);
    for (u32 above = dev::peek(&parent[root]); above != root; above = dev::peek(&parent[root])) root = above;
    dev::store(&parent[v], root);
  }
}

}  // namespace hopwave::HW_MACHINE::forest

// Edge-balanced expansion: the edges of many rows are shared evenly, whatever the rows' lengths.
// Source: Merrill, Garland, Grimshaw (PPoPP'12) and Baxter's moderngpu, for sharing by a search in the
// prefix of lengths.
// Ours differs: a warp reads a window of rows once and finds its edges' rows by shuffles, without shared memory.
#pragma once

#include "device/primitives/search.h"

namespace hopwave::HW_MACHINE::dev {

/// Cuts [lo, hi) of all rows' items at every window of as many rows as a warp has lanes: calls window(first, from, to) with
/// the window's first row and the items of it that are asked for. before(i): the items of all rows before row i, which rises;
/// `total`: of all rows. Lanes then take a row each, and find the row of an item x in [from, to) by last_lane_at_most.
/// Who calls: all lanes of a full warp, with the same arguments. Shared memory and barriers: none.
/// Cost: log(size) / log(lanes) reads one after the other, then one per window.
template <class X, class Before, class Window>
HW_DEVICE void warp_windows(u32 size, X total, X lo, X hi, Before&& before, Window&& window) {
  HW_CHECK(lo >= hi || (size > 0 && hi <= total));
  if (lo >= hi) return;
  for (u32 first = warp_window_at_most(size, lo, before); lo < hi; first += lanes) {
    const X end = first + lanes < size ? before(first + lanes) : total;
    const X to = end < hi ? end : hi;
    window(first, lo, to);
    lo = to;
  }
}

/// Rows in a queue. An Entry has `begin`, where its row begins in `neighbors`, and `before`, the edges of all entries
/// before it; both are of type Offset. A Neighbor is what read_only() reads: a vertex, or a vertex and a weight.
template <class Entry, class Offset, class Neighbor = u32>
struct RowQueue {
  const Entry* entries;
  u32 size;
  Offset edges;  ///< of all entries
  const Neighbor* neighbors;
};

/// Expands edges [lo, hi) of a queue: calls take(to, value, open) for `batch` edges per lane at a time.
///   own(entry)   a lane's value of an entry that it has read, of any type that can be shuffled
///   shared       false: the rows' values are not needed; value[j] is T{} then
///   open[j]      is there a j-th edge for this lane? If not, to[j] is Neighbor{} and value[j] is T{}
///   to[j]        the edge's end; value[j]: own() of its row
/// take may change all three arrays. Edges come in rising order: edge e + j · lanes + lane, batch after batch.
/// Who calls: all lanes of a full warp, with the same arguments; take is called by all of them, too.
/// Shared memory and barriers: none. The queue was written before the launch, or before a barrier of all blocks that wrote
/// it. `neighbors` is read as memory that no thread writes during the launch.
/// Cost: an entry is read once for each warp that has edges of it; an edge costs log2(lanes) + 2 shuffles and one read.
template <u32 batch, class Entry, class Offset, class Neighbor, class Own, class Take>
HW_DEVICE void warp_expand(const RowQueue<Entry, Offset, Neighbor>& rows, Offset lo, Offset hi, bool shared, Own&& own,
                           Take&& take) {
  using T = decltype(own(Entry{}));
  const auto before = [&](u32 i) { return plain_read(&rows.entries[i].before); };
  warp_windows(rows.size, rows.edges, lo, hi, before, [&](u32 at, Offset e, Offset stop) {
    Entry entry{};
    entry.before = rows.edges;
    T mine{};
    if (at + lane() < rows.size) {
      entry = plain_read(&rows.entries[at + lane()]);
      mine = own(entry);
    }
    for (; e < stop; e += batch * lanes) {
      Neighbor to[batch];
      T value[batch];
      bool open[batch];
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        to[j] = Neighbor{};
        value[j] = T{};
        open[j] = false;
        if (e + j * lanes >= stop) continue;  // the whole warp
        const Offset x = e + j * lanes + lane();
        const u32 owner = last_lane_at_most(entry.before, x);
        const Offset shift = shuffle(all_lanes, static_cast<Offset>(entry.begin - entry.before), owner);
        T theirs{};
        if (shared) theirs = shuffle(all_lanes, mine, owner);
        if (x >= stop) continue;
        open[j] = true;
        value[j] = theirs;
        to[j] = read_only(&rows.neighbors[static_cast<Offset>(shift + x)]);
      }
      take(to, value, open);
    }
  });
}

}  // namespace hopwave::HW_MACHINE::dev

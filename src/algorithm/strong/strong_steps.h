// The steps of strong.cu as kernels and as visits of rounds: trimming, reaching, sets of pairs, spreading.
#pragma once

#include "algorithm/strong/strong_rounds.h"
#include "device_graph/each_arc.h"
#include "device_graph/forest.h"

namespace hopwave::HW_MACHINE::strong {

constexpr u32 none = ~u32{0};
constexpr u64 closed = ~u64{0};  ///< the region of vertices whose component is known
constexpr u32 hops = 8;

/// A number for each vertex, none twice, in no order (the mixer of C. Wellons' hash prospector; `unmixed` turns it back).
constexpr HW_DEVICE u32 mixed(u32 x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
constexpr HW_DEVICE u32 unmixed(u32 x) {
  x = (x ^ x >> 16) * 0x43021123u;
  x = (x ^ x >> 15 ^ x >> 30) * 0x1d69e2a5u;
  return x ^ x >> 16;
}
static_assert(unmixed(mixed(0)) == 0 && unmixed(mixed(12345)) == 12345 && unmixed(mixed(none)) == none);

/// Arrays of one value per vertex. Those that are not needed at the same time share memory.
struct Vertices {
  u32* label;   ///< none: not known yet
  u32* in;      ///< trimming: arcs from others that are left. Then: the greatest number that reaches the vertex
  u32* out;     ///< the same of arcs to others, and of what the vertex reaches
  u32* marks;   ///< reaching: along, against. Spreading: a vertex of the same component. Then: see find_leasts
  u32* stamps;  ///< two per vertex: the last round that has its rows of outgoing, of incoming arcs in its queue
  u64* region;  ///< vertices that differ in it cannot be of one component
};

HW_DEVICE u64 warp_of_all() { return u64{dev::block()} * dev::warps() + dev::warp(); }
/// Calls f(v) in all lanes of full warps; v is n where a lane has no vertex.
template <class F>
HW_DEVICE void each_vertex(u32 n, F&& f) {
  for (u64 first = warp_of_all() * dev::lanes; first < n; first += u64{dev::global_threads()})
    f(first + dev::lane() < n ? static_cast<u32>(first + dev::lane()) : n);
}
/// Raises a counter to the greatest that the lanes have.
HW_DEVICE void raise(u64* counter, u64 mine) {
  for (u32 k = dev::lanes / 2; k > 0; k /= 2) {
    const u64 other = dev::shuffle_xor(dev::all_lanes, mine, k);
    mine = other > mine ? other : mine;
  }
  if (dev::lane() == 0 && mine > dev::load(counter)) dev::fetch_max(counter, mine);
}
/// Adds what the lanes have to a counter, by one atomic per warp.
HW_DEVICE void add_counts(u64* counter, u32 mine) {
  const u32 all = dev::reduce_add(dev::all_lanes, mine);
  if (all && dev::lane() == 0) dev::fetch_add(counter, u64{all});
}

// ---- Trimming ----

/// The first place in the row of `v` whose value is not below `limit`: rows ascend.
template <class Offset>
HW_DEVICE u64 first_at_least(const Offset* offsets, const u32* neighbors, u32 v, u64 limit) {
  u64 low = offsets[v], high = offsets[v + 1ull];
  while (low < high) {
    const u64 half = low + (high - low) / 2;
    if (neighbors[half] < limit)
      low = half + 1;
    else
      high = half;
  }
  return low;
}
/// Arcs from `v` to itself.
template <class Offset>
HW_DEVICE u64 loops_of(const Rounds<Offset>& q, u32 v) {
  return first_at_least(q.out_offsets, q.out_neighbors, v, u64{v} + 1) - first_at_least(q.out_offsets, q.out_neighbors, v, v);
}

/// A number of arcs too great to count down from is never counted.
HW_DEVICE u32 countable(u64 arcs) { return arcs < none ? static_cast<u32>(arcs) : none; }

template <class Offset>
HW_KERNEL void start_trimming(Rounds<Offset> q, Vertices s, u64 round) {
  each_vertex(q.n, [&](u32 v) {
    bool alone = false;
    if (v < q.n) {
      const u64 loops = loops_of(q, v);
      const u64 out = degree(q.out_offsets, v) - loops, in = degree(q.in_offsets, v) - loops;
      alone = out == 0 || in == 0;
      dev::plain_write(&s.label[v], alone ? v : none);
      dev::plain_write(&s.out[v], countable(out));
      dev::plain_write(&s.in[v], countable(in));
      dev::plain_write(&s.marks[v], 0u);
    }
    append(q, round, v, alone ? along | against : 0);
  });
}

struct Trim {
  Vertices s;
  HW_DEVICE Brought bring(u32, u32) const { return {}; }
  /// The thread that takes the last arc closes the vertex; the other side's last arc may go in the same round.
  HW_DEVICE u32 visit(u64, u32 from, const Brought&, u32 side, u32 to) const {
    if (to == from || dev::load(&s.label[to]) != none) return 0;
    u32* left = side == along ? &s.in[to] : &s.out[to];
    if (dev::load(left) == none) return 0;
    const u32 before = dev::fetch_add(left, ~u32{0});
    HW_CHECK(before > 0);
    return before == 1 && dev::compare_exchange(&s.label[to], none, to) == none ? along | against : 0;
  }
};

// ---- The component around one vertex ----

/// The vertex with the greatest product of arcs left on both sides, the smallest of equals; 0: none is left.
HW_HEADER_KERNEL void choose_pivot(u32 n, Vertices s, u64* pivot) {
  u64 best = 0;
  each_vertex(n, [&](u32 v) {
    if (v == n || dev::plain_read(&s.label[v]) != none) return;
    const u64 ways = u64{dev::plain_read(&s.in[v])} * dev::plain_read(&s.out[v]);
    const u64 mine = (ways < none ? ways : u64{none}) << 32 | (none - v);
    best = mine > best ? mine : best;
  });
  raise(pivot, best);
}

template <class Offset>
HW_KERNEL void start_reaching(Rounds<Offset> q, Vertices s, u64 round, u32 pivot) {
  if (dev::lane() == 0) dev::plain_write(&s.marks[pivot], along | against);
  append(q, round, pivot, dev::lane() == 0 ? along | against : 0);
}

struct Reach {
  Vertices s;
  HW_DEVICE Brought bring(u32, u32) const { return {}; }
  HW_DEVICE u32 visit(u64, u32, const Brought&, u32 side, u32 to) const {
    if (dev::plain_read(&s.label[to]) != none || dev::load(&s.marks[to]) & side) return 0;
    return dev::fetch_or(&s.marks[to], side) & side ? 0 : side;
  }
};

/// Two vertices with arcs both ways are of one component, and so are all vertices that such pairs connect: a set, whose root is
/// its smallest vertex.
HW_HEADER_KERNEL void begin_sets(u32 n, u32* parent) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) dev::plain_write(&parent[v], static_cast<u32>(v));
}
template <class Offset>
HW_KERNEL void join_pairs(Rounds<Offset> q, u64 arcs, u32* parent) {
  each_arc(q.n, q.out_offsets, arcs, [&](u32 row, u64 i) {
    const u32 to = q.out_neighbors[i];
    if (to >= row) return;
    const u64 back = first_at_least(q.in_offsets, q.in_neighbors, row, to);
    if (back < q.in_offsets[row + 1ull] && q.in_neighbors[back] == to) forest::join(parent, row, to);
  });
}

/// Members of each set, counted at its root. One set often has nearly all: those of a warp that are in the set of its first
/// vertex are counted together.
HW_HEADER_KERNEL void count_members(u32 n, Vertices s, const u32* parent, u32* members) {
  each_vertex(n, [&](u32 v) {
    const u32 root = v < n && dev::plain_read(&s.label[v]) == none ? dev::plain_read(&parent[v]) : none;
    const u32 first = dev::shuffle(dev::all_lanes, root, 0);
    const u32 same = dev::popcount(dev::ballot(dev::all_lanes, root == first));
    if (root != none && (dev::lane() == 0 || root != first)) dev::fetch_add(&members[root], root == first ? same : 1u);
  });
}

/// The largest set, the one with the smallest root of equals: as in choose_pivot.
HW_HEADER_KERNEL void choose_set(u32 n, const u32* members, u64* largest) {
  u64 best = 0;
  each_vertex(n, [&](u32 v) {
    if (v == n) return;
    const u64 mine = u64{dev::plain_read(&members[v])} << 32 | (none - v);
    best = mine > best ? mine : best;
  });
  raise(largest, best);
}

/// Both searches begin anew, from all members of a set.
template <class Offset>
HW_KERNEL void start_from_set(Rounds<Offset> q, Vertices s, u64 round, const u32* parent, u32 root) {
  each_vertex(q.n, [&](u32 v) {
    const bool member = v < q.n && dev::plain_read(&s.label[v]) == none && dev::plain_read(&parent[v]) == root;
    if (v < q.n) dev::plain_write(&s.marks[v], member ? along | against : 0);
    append(q, round, v, member ? along | against : 0);
  });
}

HW_HEADER_KERNEL void find_least(u32 n, Vertices s, u64* least) {
  each_vertex(n, [&](u32 v) {
    if (v < n && dev::plain_read(&s.label[v]) == none && dev::plain_read(&s.marks[v]) == (along | against) &&
        v < dev::load(least))
      dev::fetch_min(least, u64{v});
  });
}

/// Closes the vertices that both searches have reached, and separates the others by which of the two has reached them.
/// `reached` of false: no vertex counts as reached, because the searches were given up.
HW_HEADER_KERNEL void close_reached(u32 n, Vertices s, bool reached, const u64* least, u64* open) {
  u32 left = 0;
  each_vertex(n, [&](u32 v) {
    if (v == n) return;
    u64 region = closed;
    if (dev::plain_read(&s.label[v]) == none) {
      region = reached ? dev::plain_read(&s.marks[v]) : 0;
      if (region == (along | against)) {
        dev::plain_write(&s.label[v], static_cast<u32>(dev::plain_read(least)));
        region = closed;
      }
    }
    dev::plain_write(&s.region[v], region);
    left += region != closed;
  });
  add_counts(open, left);
}

// ---- All others ----

template <class Offset>
HW_KERNEL void start_spreading(Rounds<Offset> q, Vertices s, u64 round) {
  each_vertex(q.n, [&](u32 v) {
    const bool open = v < q.n && dev::plain_read(&s.region[v]) != closed;
    if (open) {
      dev::plain_write(&s.in[v], mixed(v));
      dev::plain_write(&s.out[v], mixed(v));
      dev::plain_write(&s.marks[v], v);
      dev::plain_write(&s.stamps[2ull * v], static_cast<u32>(round));
      dev::plain_write(&s.stamps[2ull * v + 1], static_cast<u32>(round));
    }
    append(q, round, v, open ? along | against : 0);
  });
}

/// A number names a vertex, which has a number itself: what reaches the first vertex reaches what that one reaches.
HW_DEVICE u32 jumped(const u32* numbers, u32 n, u32 number) {
  for (u32 k = 0; k < hops; ++k) {
    const u32 by = unmixed(number);
    HW_CHECK(by < n);
    const u32 next = dev::load(&numbers[by]);
    if (next <= number) break;
    number = next;
  }
  return number;
}
/// True for the first thread that puts this side of `v` into the queue of that round.
HW_DEVICE bool stamp(const Vertices& s, u32 v, u32 side, u64 round) {
  const u32 number = dev::narrowed<u32>(round);
  return dev::exchange(&s.stamps[2ull * v + (side == along ? 0 : 1)], number) != number;
}

struct Spread {
  u32 n;
  Vertices s;
  HW_DEVICE Brought bring(u32 v, u32 side) const {
    const u32* numbers = side == along ? s.in : s.out;
    return {jumped(numbers, n, dev::load(&numbers[v])), dev::plain_read(&s.region[v])};
  }
  /// Numbers only rise: what a look finds too low may have risen meanwhile, and the atomic decides.
  HW_DEVICE u32 visit(u64 round, u32, const Brought& brought, u32 side, u32 to) const {
    if (dev::plain_read(&s.region[to]) != brought.region) return 0;
    u32* number = side == along ? &s.in[to] : &s.out[to];
    if (dev::load(number) >= brought.value || dev::fetch_max(number, brought.value) >= brought.value) return 0;
    return stamp(s, to, side, round + 1) ? side : 0;
  }
};

/// Every open vertex follows its numbers, so that on a long path the ways double. A vertex whose number has risen joins the
/// queue of the round that comes next. A vertex both of whose numbers are that of `p` is of p's component, and stays so when
/// they rise: what it then learns is true of p, and what p learns is true of it. Without that a greater number would cross the
/// vertices that know p one by one.
template <class Offset>
HW_KERNEL void jump_all(Rounds<Offset> q, Vertices s, u64 round) {
  each_vertex(q.n, [&](u32 v) {
    u32 mate = v, mine = 0, its = 0;  // whose rows the queue gets
    if (v < q.n && dev::plain_read(&s.region[v]) != closed) {
      mate = dev::load(&s.marks[dev::load(&s.marks[v])]);
      HW_CHECK(mate < q.n);
      const auto follow = [&](u32* numbers, u32 side) {
        const u32 now = dev::load(&numbers[v]), of_mate = dev::load(&numbers[mate]);
        const u32 next = jumped(numbers, q.n, now > of_mate ? now : of_mate);
        if (next > now && dev::fetch_max(&numbers[v], next) < next && stamp(s, v, side, round)) mine |= side;
        if (next > of_mate && dev::fetch_max(&numbers[mate], next) < next && stamp(s, mate, side, round)) its |= side;
        return next;
      };
      const u32 in = follow(s.in, along), out = follow(s.out, against);
      dev::store(&s.marks[v], in == out ? unmixed(in) : mate);
    }
    append(q, round, v, mine);
    append(q, round, mate, its);
  });
}

HW_HEADER_KERNEL void forget_mates(u32 n, Vertices s) {
  each_vertex(n, [&](u32 v) {
    if (v < n) dev::plain_write(&s.marks[v], none);
  });
}

/// Of vertices that share a number, at the vertex that it names: the least.
HW_HEADER_KERNEL void find_leasts(u32 n, Vertices s) {
  each_vertex(n, [&](u32 v) {
    if (v == n || dev::plain_read(&s.region[v]) == closed) return;
    const u32 number = dev::plain_read(&s.in[v]);
    if (number != dev::plain_read(&s.out[v])) return;
    u32* least = &s.marks[unmixed(number)];
    if (v < dev::load(least)) dev::fetch_min(least, v);
  });
}

HW_HEADER_KERNEL void close_equal(u32 n, Vertices s, u64* open) {
  u32 left = 0;
  each_vertex(n, [&](u32 v) {
    if (v == n || dev::plain_read(&s.region[v]) == closed) return;
    const u32 in = dev::plain_read(&s.in[v]), out = dev::plain_read(&s.out[v]);
    if (in == out) dev::plain_write(&s.label[v], dev::plain_read(&s.marks[unmixed(in)]));
    // A number is of a vertex of the same region, so the pair also distinguishes earlier regions.
    dev::plain_write(&s.region[v], in == out ? closed : u64{in} << 32 | out);
    left += in != out;
  });
  add_counts(open, left);
}

}  // namespace hopwave::HW_MACHINE::strong

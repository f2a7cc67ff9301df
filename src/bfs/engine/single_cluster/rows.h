// The graph of the single-cluster traversal: vertices are partitioned among the blocks of one cluster, eight neighbouring ids
// at a time, so that hubs are shared evenly and answers are written in whole sectors. A vertex's place gives its owner, and its
// bit in every bitmap. A prepared graph's rows hold places themselves, begin at whole quads, and are filled up with a place
// that is never visited. There each block has its vertices by falling degree, so that a warp's rows have similar lengths.
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

using dev::Quad;

inline constexpr u32 partition_bits = 3;  ///< log2 of the vertices that go to a block together
inline constexpr u32 partition_mask = (1u << partition_bits) - 1;
inline constexpr u32 slice_step = 128;  ///< a block owns a multiple of this: its bits are whole quads
inline constexpr u32 quad_pad = 3;      ///< in a prepared row's begin: how many neighbours fill its last quad up

/// Place = owner × slice + local; local follows the caller's ids unless the graph is prepared. Nine bounds of rows are
/// stored for eight vertices, so that a group needs no other's.
struct Partition {
  u32 owner_bits;
  u32 slice;  ///< vertices a block owns at most
  u32 magic;  ///< place / slice = (place / slice_step) × magic >> 32

  HW_DEVICE u32 place(u32 v) const {
    return (v >> partition_bits & ((1u << owner_bits) - 1)) * slice +
           (v >> (partition_bits + owner_bits) << partition_bits | (v & partition_mask));
  }
  HW_DEVICE u32 vertex(u32 owner, u32 local) const {
    return (local >> partition_bits << owner_bits | owner) << partition_bits | (local & partition_mask);
  }
  /// How many of the vertices below n a block owns.
  HW_DEVICE u32 owned(u32 owner, u32 n) const {
    const u32 whole = n >> (partition_bits + owner_bits) << partition_bits,
              remainder = n & ((1u << (partition_bits + owner_bits)) - 1);
    const u32 before = owner << partition_bits, last = remainder > before ? remainder - before : 0;
    return whole + (last < 1u << partition_bits ? last : 1u << partition_bits);
  }
  HW_DEVICE u32 owner(u32 place) const { return static_cast<u32>((static_cast<u64>(place / slice_step) * magic) >> 32); }
  HW_DEVICE u32 nowhere() const { return slice << owner_bits; }  ///< a place with a bit that is never set
};
HW_DEVICE u32 bound_at(u32 local) { return local + (local >> partition_bits); }
inline constexpr u32 bounds_for(u32 slice) { return slice + (slice >> partition_bits); }
/// The words of a prepared graph that a block copies: first neighbours, bounds, and locals in the caller's order.
inline constexpr u32 own_words(u32 slice) { return slice + bounds_for(slice) + slice / 2; }
/// How many words of a block's own bits hold vertices below `limit` only.
HW_DEVICE u32 full_words(const Partition& partition, u32 limit) {
  return (limit >> (partition_bits + partition.owner_bits) << partition_bits) / word_bits;
}
/// In word w of the own bits of `owner`: the bits that are none of the `n` vertices.
HW_DEVICE Word bits_from(const Partition& partition, u32 owner, u32 w, u32 n) {
  const u32 owned = partition.owned(owner, n), first = w * word_bits;
  if (owned >= first + word_bits) return 0;
  return owned <= first ? ~Word{0} : static_cast<Word>(~Word{0} << (owned - first));
}

/// One direction's rows, as the caller has them; or partitioned: `neighbors` are places, and each block's bounds lie together.
struct Rows {
  const u32* bounds;
  const u32* neighbors;
  u32 count;  ///< neighbours in all
};

struct Graph {
  Partition partition;
  u32 num_vertices;
  u32 num_arcs;
  u32 largest_component;  ///< vertices of the component that `closed` is about; 0: not known
  u32 symmetric;
  u32 warp_words;       ///< words of a block's own bits that a warp settles at most
  u32 byte_marks;       ///< is there room for a byte a place
  u32 near_locals;      ///< partitioned: is there room for locals in the caller's order
  u32 quad_bits;        ///< 1 << quad_bits: at least as many as a block's own bits take quads
  Rows in, out;         ///< against the search and along it
  const u32* own;       ///< partitioned: for each block first in-neighbours (| single), bounds of its vertices' rows, locals
  const Quad* sources;  ///< partitioned: of each of the caller's ids: place, its out-row, is it in the largest component
  const u32* vertices;  ///< partitioned: the vertex at each place, or no_vertex
  const Word* closed;   ///< partitioned: the bits of all places outside the largest component; null: none is
};

/// One for each place, and one for the place that is never visited.
inline constexpr u64 byte_marks(u64 slice, u64 blocks) { return slice * blocks + 16; }
/// Words of a bitmap of all places, and a quad for the place that is never visited.
inline constexpr u32 copy_words(u32 words, u32 blocks) { return words * blocks + 16 / u32{sizeof(Word)}; }
/// Places in a list: as many for each warp.
constexpr u32 list_places(const Graph& g, u32 warps) { return g.warp_words * warps * word_bits; }

/// The parts of a block's dynamic shared memory, in this order. Bits and rows are cleared, and loaded, in one stretch each.
struct Layout {
  u32 copy;                       ///< words of a bitmap of all places; there are two in `bits`
  u32 bits, rows, levels, lists;  ///< words
  u32 marks;                      ///< bytes
  constexpr u64 bytes() const { return sizeof(u32) * (u64{bits} + rows + levels + lists) + marks; }
};
constexpr Layout layout_of(const Graph& g, u32 warps, bool partitioned) {
  const u32 slice = g.partition.slice, blocks = 1u << g.partition.owner_bits, words = slice / word_bits;
  const u32 copy = copy_words(words, blocks), levels = partitioned ? slice : 0;
  return {.copy = copy,
          .bits = 2 * copy + 3 * words,
          .rows = levels + bounds_for(slice) + (partitioned && g.near_locals ? slice / 2 : 0),
          .levels = levels,
          .lists = list_places(g, warps),
          .marks = g.byte_marks ? static_cast<u32>(byte_marks(slice, blocks)) : 0};
}

/// Neighbours [begin, end) of `neighbors`; `begin` is at a whole quad if partitioned.
struct Row {
  u32 begin, end;
  HW_DEVICE u32 degree() const { return end - begin; }
  HW_DEVICE u32 first_quad() const { return begin / 4; }
  HW_DEVICE u32 last_quad() const { return begin < end ? (end + 3) / 4 : begin / 4; }
};

template <bool partitioned>
HW_DEVICE Row row_between(u32 a, u32 b) {
  if constexpr (partitioned) return {a & ~quad_pad, (b & ~quad_pad) - (a & quad_pad)};
  return {a, b};
}

/// A row along the search, from global memory. `owner` and `local` say whose.
template <bool partitioned>
HW_DEVICE Row row_along(const Graph& g, u32 owner, u32 local) {
  const u32 at = partitioned ? owner * own_words(g.partition.slice) + bound_at(local) : g.partition.vertex(owner, local);
  return row_between<partitioned>(dev::read_only(&g.out.bounds[at]), dev::read_only(&g.out.bounds[at + 1]));
}

/// Quad `q` of all neighbours, as stored.
template <bool partitioned>
HW_DEVICE Quad quad_at(const Rows& rows, u32 q) {
  const auto* quads = reinterpret_cast<const Quad*>(rows.neighbors);
  if (partitioned || q * 4 + 4 <= rows.count) return dev::read_only(&quads[q]);
  const u32 first = q * 4;
  Quad x{};
  x.x = dev::read_only(&rows.neighbors[first]);
  if (first + 1 < rows.count) x.y = dev::read_only(&rows.neighbors[first + 1]);
  if (first + 2 < rows.count) x.z = dev::read_only(&rows.neighbors[first + 2]);
  return x;
}
/// A quad's places; `nowhere` for neighbours outside the row.
template <bool partitioned>
HW_DEVICE Quad places_in(const Graph& g, const Row& row, u32 q, const Quad& x) {
  if constexpr (partitioned) return x;
  const u32 first = q * 4, nowhere = g.partition.nowhere();
  const auto place = [&](u32 k, u32 v) {
    return first + k >= row.begin && first + k < row.end ? g.partition.place(v) : nowhere;
  };
  return {place(0, x.x), place(1, x.y), place(2, x.z), place(3, x.w)};
}
/// Four places of a row: those of quad `q`.
template <bool partitioned>
HW_DEVICE Quad places_of(const Graph& g, const Rows& rows, const Row& row, u32 q) {
  return places_in<partitioned>(g, row, q, quad_at<partitioned>(rows, q));
}

/// The vertex at a place, or no_vertex.
HW_DEVICE u32 partitioned_vertex(const Partition& partition, u64 place, u32 n) {
  const u32 owner = partition.owner(static_cast<u32>(place)),
            v = partition.vertex(owner, static_cast<u32>(place) - owner * partition.slice);
  return v < n ? v : no_vertex;
}
/// The place of one of the caller's ids.
template <bool partitioned>
HW_DEVICE u32 place_of(const Graph& g, u32 v) {
  return partitioned ? dev::read_only(&g.sources[v]).x : g.partition.place(v);
}

/// Which block owns the vertex of each rank, block by block: 1 or 0. Their sums number each owner's vertices by falling degree.
HW_HEADER_KERNEL void partition_owners(const u32* order, u32 n, Partition partition, u32* is_owner) {
  for (u64 r = dev::global_thread(); r < n; r += dev::global_threads()) {
    const u32 owner = order[r] >> partition_bits & ((1u << partition.owner_bits) - 1);
    for (u32 k = 0; k < 1u << partition.owner_bits; ++k) is_owner[k * u64{n} + r] = k == owner;
  }
}

/// Each rank's place, each place's rank and vertex, and in `own` the locals of a block's vertices in the caller's order.
struct Numbers {
  u32 *place_of_rank, *rank_at, *vertices, *own;
};
HW_HEADER_KERNEL void partition_ranks(const u32* order, u32 n, Partition partition, const u32* before, Numbers to) {
  for (u64 r = dev::global_thread(); r < n; r += dev::global_threads()) {
    const u32 v = order[r], given = partition.place(v), owner = partition.owner(given);
    const u32 local = before[owner * u64{n} + r] - before[owner * u64{n}], place = owner * partition.slice + local;
    to.place_of_rank[r] = place;
    to.rank_at[place] = static_cast<u32>(r);
    to.vertices[place] = v;
    auto* locals = reinterpret_cast<std::uint16_t*>(to.own + owner * own_words(partition.slice) + partition.slice +
                                                    bounds_for(partition.slice));
    locals[given - owner * partition.slice] = dev::narrowed<std::uint16_t>(local);
  }
}

/// How many neighbours each place's row takes in whole quads.
template <class Offset>
HW_KERNEL void partition_lengths(const Offset* offsets, const u32* rank_at, Partition partition, u32* length) {
  const u32 places = partition.nowhere();
  for (u64 p = dev::global_thread(); p <= places; p += dev::global_threads()) {
    const u32 r = p < places ? rank_at[p] : no_vertex;
    length[p] = r == no_vertex ? 0 : static_cast<u32>(offsets[r + 1ull] - offsets[r] + 3) / 4 * 4;
  }
}

/// The bounds of all places' rows, one thread per place, and the rows of those that have a vertex, one warp per row.
/// Of the numbers `rank_at` and `place_of_rank` are read.
struct NewRows {
  const u32* begin;  ///< of each place's row
  u32 *bounds, *rows;
};
template <class Offset>
HW_KERNEL void partition_rows(const Offset* offsets, const u32* neighbors, u32 n, Numbers numbers, Partition partition,
                              NewRows to) {
  const u32 places = partition.nowhere();
  for (u64 i = dev::global_thread(); i < places; i += dev::global_threads()) {
    const u32 p = static_cast<u32>(i), r = numbers.rank_at[p], owner = partition.owner(p);
    const u32 degree = r == no_vertex ? 0 : static_cast<u32>(offsets[r + 1ull] - offsets[r]);
    const u32 at = owner * own_words(partition.slice) + bound_at(p - owner * partition.slice);
    to.bounds[at] = to.begin[p] | (to.begin[p + 1] - to.begin[p] - degree);
    if ((p & partition_mask) == partition_mask) to.bounds[at + 1] = to.begin[p + 1];
  }
  const u32 warps = dev::grid_size() * dev::warps();
  for (u32 r = dev::block() * dev::warps() + dev::warp(); r < n; r += warps) {
    const u32 p = numbers.place_of_rank[r], from_place = to.begin[p], length = to.begin[p + 1] - from_place;
    const Offset from = offsets[r];
    const u32 degree = static_cast<u32>(offsets[r + 1ull] - from);
    for (u32 k = dev::lane(); k < length; k += dev::lanes)
      to.rows[from_place + k] = k < degree ? numbers.place_of_rank[neighbors[from + k]] : places;
  }
}

/// Writes what else belongs to a place: the first neighbour of its in-row, and whether it is outside the largest component.
template <class Offset>
HW_KERNEL void partition_places(engine::Graph<Offset> g, Partition partition, const u32* rank_at, const u32* place_of_rank,
                                u32* own, Word* closed) {
  for (u64 p = dev::global_thread(); p < partition.nowhere(); p += dev::global_threads()) {
    const u32 r = rank_at[p];
    const bool empty = r == no_vertex || g.in_offsets[r] == g.in_offsets[r + 1ull];
    const u32 owner = partition.owner(static_cast<u32>(p));
    own[owner * own_words(partition.slice) + (p - owner * partition.slice)] =
        empty ? partition.nowhere() | single : place_of_rank[g.first_neighbor[r] & id_mask] | (g.first_neighbor[r] & single);
    if (closed && r >= g.largest_component) dev::fetch_or(&closed[p / word_bits], bit_of(static_cast<u32>(p)));
  }
}

/// Writes what a search needs of its source, so that it is one read.
HW_HEADER_KERNEL void partition_sources(Graph g, const u32* rank, const u32* place_of_rank, Quad* sources) {
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) {
    const u32 r = rank[v], place = place_of_rank[r], owner = g.partition.owner(place);
    const Row row = row_along<true>(g, owner, place - owner * g.partition.slice);
    sources[v] = {place, row.begin, row.end, r < g.largest_component};
  }
}

/// Row bounds in 32 bits.
template <class Offset>
HW_KERNEL void narrow_bounds(const Offset* offsets, u32 n, u32* bounds) {
  for (u64 v = dev::global_thread(); v <= n; v += dev::global_threads()) bounds[v] = static_cast<u32>(offsets[v]);
}

}  // namespace hopwave::HW_MACHINE::engine::single_cluster

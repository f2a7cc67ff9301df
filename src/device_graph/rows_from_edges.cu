// Edge list → sorted rows in device memory, part by part: select the arcs of a range of vertices, sort them, drop
// duplicates. The graph is bit for bit the one that build_graph makes. Source: sorting is CUB's onesweep radix sort
// (Adinets, Merrill 2022). This implementation packs each arc of a part into one key.
#include <vector>

#include "device/algorithms.h"
#include "device/packed.h"
#include "device/primitives/block.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Buffer;
using device::Device;

constexpr u32 threads = 256;
constexpr u32 most_slices = 4096;  ///< of the vertices: parts consist of whole slices
constexpr u32 strips = 8;          ///< edges per thread and selection step
constexpr u32 tile_strips = 16;    ///< keys per lane and tile
constexpr u64 tile = u64{dev::lanes} * tile_strips;
/// The most arcs for which 32-bit offsets suffice in the engine.
constexpr EdgeIndex most_narrow_arcs = 0xFFFF0000ull;

device::LaunchShape shape(u64 items, u32 most = 8192) {
  return {.grid = std::min(device::blocks_for(items, threads), most), .block = threads};
}

struct ListShape {
  const u64* edges;
  u64 count;
  u32 num_vertices;
  bool mirror, reversed, keep_loops, check_symmetry;
};

HW_DEVICE Edge edge_at(const ListShape& list, u64 i) {
  const u64 e = list.edges[i];
  const auto low = static_cast<u32>(e), high = static_cast<u32>(e >> 32);
  return list.reversed ? Edge{high, low} : Edge{low, high};
}

struct Counts {
  u64 self_loops, hash, first_bad;
};

/// Counts the arcs of every slice of 2^shift vertices, and the self-loops; computes the hash that is 0 if every arc has
/// its reverse.
HW_KERNEL void count_arcs(ListShape list, u32 shift, u32 slices, u64* slice_arcs, Counts* counts) {
  HW_SHARED(u32, own, most_slices);
  for (u32 i = dev::thread(); i < slices; i += dev::block_size()) own[i] = 0;
  dev::sync_block();
  u64 loops = 0, hash = 0, bad = ~u64{0};
  for (u64 i = dev::global_thread(); i < list.count; i += dev::global_threads()) {
    const Edge e = edge_at(list, i);
    if (e.source >= list.num_vertices || e.target >= list.num_vertices) {
      bad = i < bad ? i : bad;
      continue;
    }
    const bool loop = e.source == e.target;
    loops += loop;
    if (list.check_symmetry && !loop) {
      const u64 h =
          e.source < e.target ? core::mix(u64{e.source} << 32 | e.target) : u64{0} - core::mix(u64{e.target} << 32 | e.source);
      hash += h;
    }
    HW_CHECK(e.source >> shift < slices && e.target >> shift < slices);
    if (!loop || list.keep_loops) dev::fetch_add(&own[e.source >> shift], 1u);
    if (!loop && list.mirror) dev::fetch_add(&own[e.target >> shift], 1u);
  }
  loops = dev::reduce_add(dev::all_lanes, loops);
  hash = dev::reduce_add(dev::all_lanes, hash);
  if (dev::lane() == 0) {
    if (loops) dev::fetch_add(&counts->self_loops, loops);
    if (hash) dev::fetch_add(&counts->hash, hash);
  }
  if (bad != ~u64{0}) dev::fetch_min(&counts->first_bad, bad);
  dev::sync_block();
  for (u32 i = dev::thread(); i < slices; i += dev::block_size())
    if (own[i]) dev::fetch_add(&slice_arcs[i], u64{own[i]});
}

/// Vertices [first, end); a key holds (source − first) above `bits` bits of the target.
struct Part {
  u64 first, end;
  int bits;
};

/// Selects the keys of the part's arcs, in any order. A block counts what it will write before it reserves places.
HW_KERNEL void select_keys(ListShape list, Part part, u64* keys, u64* cursor) {
  HW_SHARED(dev::BlockReservation, reservation, 1);
  dev::open_reservation(reservation[0]);
  dev::sync_block();
  const u64 span = u64{dev::block_size()} * strips;
  for (u64 begin = dev::block() * span; begin < list.count; begin += dev::grid_size() * span) {
    u64 forward[strips], backward[strips];
    bool has_forward[strips], has_backward[strips];
    u32 mine = 0;
    HW_UNROLL
    for (u32 k = 0; k < strips; ++k) {
      const u64 i = begin + u64{k} * dev::block_size() + dev::thread();
      const Edge e = i < list.count ? edge_at(list, i) : Edge{0, 0};
      const bool loop = e.source == e.target;
      has_forward[k] = i < list.count && (!loop || list.keep_loops) && e.source >= part.first && e.source < part.end;
      has_backward[k] = i < list.count && !loop && list.mirror && e.target >= part.first && e.target < part.end;
      HW_CHECK(u64{e.source} >> part.bits == 0 && u64{e.target} >> part.bits == 0);  // and so is every difference
      forward[k] = (e.source - part.first) << part.bits | e.target;
      backward[k] = (e.target - part.first) << part.bits | e.source;
      mine += has_forward[k] + has_backward[k];
    }
    const u32 ours = dev::reduce_add(dev::all_lanes, mine);
    const u64 begin_of_warp = dev::block_reserve(reservation[0], cursor, dev::lane() == 0 ? ours : 0);
    u64 at = dev::shuffle(dev::all_lanes, begin_of_warp, 0);
    HW_UNROLL
    for (u32 k = 0; k < strips; ++k) {
      const dev::LaneMask f = dev::ballot(dev::all_lanes, has_forward[k]), b = dev::ballot(dev::all_lanes, has_backward[k]);
      if (has_forward[k]) keys[at + dev::rank_in(f)] = forward[k];
      at += dev::popcount(f);
      if (has_backward[k]) keys[at + dev::rank_in(b)] = backward[k];
      at += dev::popcount(b);
    }
  }
}

HW_DEVICE bool is_new(const u64* keys, u64 i) { return i == 0 || keys[i] != keys[i - 1]; }

/// Counts the keys of each tile that differ from the previous key; a zero follows the counts. One warp per tile.
HW_KERNEL void count_new(const u64* keys, u64 count, u32* tile_new) {
  const u64 tiles = (count + tile - 1) / tile, warps = u64{dev::grid_size()} * dev::warps();
  if (dev::global_thread() == 0) tile_new[tiles] = 0;
  for (u64 t = u64{dev::block()} * dev::warps() + dev::warp(); t < tiles; t += warps) {
    u32 found = 0;
    for (u32 k = 0; k < tile_strips; ++k) {
      const u64 i = t * tile + k * dev::lanes + dev::lane();
      found += i < count && is_new(keys, i);
    }
    found = dev::reduce_add(dev::all_lanes, found);
    if (dev::lane() == 0) tile_new[t] = found;
  }
}

struct Output {
  u64 base;  ///< arcs of the previous parts
  u32* neighbors;
  u64* degree;  ///< initially zero
  bool keep;    ///< keep duplicates
};

/// Writes targets to their places. A row's length is computed from its two ends, each of which adds its place (modulo
/// 2^64).
HW_KERNEL void write_rows(const u64* keys, u64 count, Part part, const u64* tile_place, Output out) {
  const u64 tiles = (count + tile - 1) / tile, warps = u64{dev::grid_size()} * dev::warps();
  const u64 low = (u64{1} << part.bits) - 1;
  for (u64 t = u64{dev::block()} * dev::warps() + dev::warp(); t < tiles; t += warps) {
    u64 at = out.base + tile_place[t];
    for (u32 k = 0; k < tile_strips; ++k) {
      const u64 i = t * tile + k * dev::lanes + dev::lane();
      const bool valid = i < count, fresh = valid && is_new(keys, i);
      const dev::LaneMask all_new = dev::ballot(dev::all_lanes, fresh);
      const u64 p = out.keep ? out.base + i : at + dev::rank_in(all_new);
      const bool put = out.keep ? valid : fresh;
      at += dev::popcount(all_new);
      if (!valid) continue;
      const u64 key = keys[i], row = key >> part.bits;
      if (put) out.neighbors[p] = dev::narrowed<u32>(key & low);
      const u64 before = i ? keys[i - 1] >> part.bits : ~u64{0};
      if (row != before) {
        dev::fetch_add(&out.degree[part.first + row], u64{0} - p);
        if (i) dev::fetch_add(&out.degree[part.first + before], p);
      }
      if (i == count - 1) dev::fetch_add(&out.degree[part.first + row], p + put);
    }
  }
}

HW_KERNEL void narrow_offsets(const u64* wide, u64 count, u32* narrow) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) narrow[i] = dev::narrowed<u32>(wide[i]);
}

HW_KERNEL void draw_edges(generate_detail::Rmat draw, u64 count, u64* edges) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) edges[i] = packed(draw(i));
}

HW_KERNEL void count_each_source(const u64* edges, u64 count, u32* times) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) {
    [[maybe_unused]] const u32 before = dev::fetch_add(&times[static_cast<u32>(edges[i])], 1u);
    HW_CHECK(before != ~0u);
  }
}

int bits_for(u64 below) {
  int bits = 1;
  while (u64{1} << bits < below) ++bits;
  return bits;
}

/// One direction of a list, with the data that its parts share.
class RowBuilder {
 public:
  RowBuilder(Device& device, const RowRequest& request, RowTally& tally)
      : device_(device),
        request_(request),
        tally_(tally),
        list_{request.edges,    request.num_edges,       request.num_vertices,  request.mirror,
              request.reversed, request.keep_self_loops, request.check_symmetry},
        sort_(device) {}

  Rows make() {
    const u32 n = request_.num_vertices;
    count();
    if (tally_.first_bad != UINT64_MAX || !tally_.symmetric) return {};
    cut();
    degree_ = Buffer<u64>(device_, n + 1ull);
    degree_.fill_bytes(0);
    rows_.neighbors = Buffer<u32>(device_, kept_);
    for (int i = 0; i < 2; ++i) keys_[i] = Buffer<u64>(device_, largest_);
    const u64 tiles = (largest_ + tile - 1) / tile;
    tile_new_ = Buffer<u32>(device_, tiles + 1);
    tile_place_ = Buffer<u64>(device_, tiles + 1);
    for (const auto& part : parts_) make_part(part);
    for (auto& keys : keys_) keys.reset();
    make_offsets();
    return std::move(rows_);
  }

 private:
  struct Planned {
    Part part;
    u64 arcs;
  };

  void count() {
    while (request_.num_vertices && (request_.num_vertices - 1ull) >> shift_ >= most_slices) ++shift_;
    const u32 slices = request_.num_vertices ? ((request_.num_vertices - 1) >> shift_) + 1 : 1;
    Buffer<u64> arcs(device_, slices);
    arcs.fill_bytes(0);
    const Counts start{0, 0, ~u64{0}};
    Buffer<Counts> counts(device_, std::span<const Counts>(&start, 1));
    device::launch(device_, {shape(request_.num_edges, 1024)}, count_arcs, list_, shift_, slices, arcs.data(), counts.data());
    slice_arcs_.resize(slices);
    arcs.download(std::span<u64>(slice_arcs_));
    const Counts found = counts.value();
    tally_.self_loops = found.self_loops;
    tally_.first_bad = found.first_bad;
    tally_.symmetric = found.hash == 0;
    tally_.arcs = request_.num_edges + (request_.mirror ? request_.num_edges - found.self_loops : 0);
  }

  /// Combines neighbouring slices, as many as may be sorted at a time.
  void cut() {
    const u64 n = request_.num_vertices, bits = bits_for(n);
    u64 begin = 0, here = 0;
    const auto close = [&](u64 slice) {
      if (here) parts_.push_back({{begin << shift_, std::min(n, slice << shift_), static_cast<int>(bits)}, here});
      largest_ = std::max(largest_, here);
      kept_ += here;
      begin = slice;
      here = 0;
    };
    for (u64 s = 0; s < slice_arcs_.size(); ++s) {
      if (here && here + slice_arcs_[s] > request_.part_arcs) close(s);
      here += slice_arcs_[s];
    }
    close(slice_arcs_.size());
    tally_.parts = static_cast<u32>(parts_.size());
  }

  void make_part(const Planned& planned) {
    const Part& part = planned.part;
    Buffer<u64> cursor(device_, 1);
    cursor.fill_bytes(0);
    device::launch(device_, {shape((list_.count + strips - 1) / strips, 1024)}, select_keys, list_, part, keys_[0].data(),
                   cursor.data());
    const int bits = part.bits + bits_for(part.end - part.first);
    const u64* keys = sort_.run(keys_[0].data(), keys_[1].data(), planned.arcs, bits);
    const u64 tiles = (planned.arcs + tile - 1) / tile;
    device::launch(device_, {shape(tiles * dev::lanes)}, count_new, keys, planned.arcs, tile_new_.data());
    ExclusiveSum<u32, u64>(device_, tiles + 1).run(tile_new_.data(), tile_place_.data());
    device::launch(device_, {shape(tiles * dev::lanes)}, write_rows, keys, planned.arcs, part, tile_place_.data(),
                   Output{rows_.num_arcs, rows_.neighbors.data(), degree_.data(), request_.keep_duplicates});
    const u64 fresh = tile_place_.value(tiles);
    tally_.duplicates += planned.arcs - fresh;
    rows_.num_arcs += request_.keep_duplicates ? planned.arcs : fresh;
  }

  void make_offsets() {
    const u64 count = request_.num_vertices + 1ull;
    Buffer<u64> offsets(device_, count);
    ExclusiveSum<u64, u64>(device_, count).run(degree_.data(), offsets.data());
    degree_.reset();
    if (rows_.num_arcs > most_narrow_arcs) {
      rows_.offsets64 = std::move(offsets);
    } else {
      rows_.offsets32 = Buffer<u32>(device_, count);
      device::launch(device_, {shape(count)}, narrow_offsets, offsets.data(), count, rows_.offsets32.data());
    }
    if (rows_.num_arcs < kept_ - kept_ / 8) {  // much was dropped, so that the memory is worth returning
      Buffer<u32> packed_rows(device_, rows_.num_arcs);
      device_.copy(packed_rows.data(), rows_.neighbors.data(), rows_.num_arcs * sizeof(u32));
      rows_.neighbors = std::move(packed_rows);
    }
  }

  Device& device_;
  const RowRequest& request_;
  RowTally& tally_;
  ListShape list_;
  SortKeys sort_;
  u32 shift_ = 0;
  u64 largest_ = 0, kept_ = 0;
  std::vector<u64> slice_arcs_;
  std::vector<Planned> parts_;
  Buffer<u64> keys_[2], degree_, tile_place_;
  Buffer<u32> tile_new_;
  Rows rows_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

void HW_ON_MACHINE(draw_rmat)(device::Device& device, const generate_detail::Rmat& draw, std::uint64_t count,
                              std::uint64_t* edges) {
  device::launch(device, {HW_MACHINE::shape(count)}, HW_MACHINE::draw_edges, draw, count, edges);
}

void HW_ON_MACHINE(count_sources)(device::Device& device, const std::uint64_t* edges, std::uint64_t count,
                                  device::Buffer<std::uint32_t>& times) {
  times.fill_bytes(0);
  device::launch(device, {HW_MACHINE::shape(count)}, HW_MACHINE::count_each_source, edges, count, times.data());
}

Rows HW_ON_MACHINE(make_rows)(device::Device& device, const RowRequest& request, RowTally& tally) {
  return HW_MACHINE::RowBuilder(device, request, tally).make();
}

}  // namespace hopwave::inline v0_1::resident

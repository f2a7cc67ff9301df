// Processing of an answer in device memory: cut off at a limit, counted level by level, or packed into fewer bytes.
#include <algorithm>

#include "device/kernel.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Buffer;
using device::Device;

constexpr u32 threads = 256;
constexpr u32 most_blocks = 2048;  ///< all kernels here stride over the vertices
constexpr u32 shared_levels = 1024;

device::LaunchShape shape(const Device& device, u64 items) { return device::strided(device, items, threads, most_blocks); }

/// As many blocks for each row.
device::LaunchShape shape_of_rows(const Device& device, const device::DeviceRows& rows, u64 items) {
  const u32 number = static_cast<u32>(rows.count);
  device::LaunchShape of_row = device::strided(device, items, threads, std::max(most_blocks / number, 1u));
  of_row.grid *= number;
  return of_row;
}

/// Sets vertices deeper than `limit` to unreached. `parent` may be null.
HW_KERNEL void trim(Distance* distance, VertexId* parent, u32 count, Distance limit) {
  for (u64 v = dev::global_thread(); v < count; v += dev::global_threads()) {
    if (distance[v] <= limit) continue;
    distance[v] = unreached;
    if (parent) parent[v] = no_vertex;
  }
}

/// Several blocks share a row: block b processes part b / rows of row b % rows. sums[row] must be zero before.
HW_KERNEL void sum_up(const Distance* distance, u64 stride, u32 rows, u32 count, AnswerSums* sums) {
  HW_SHARED(u32, mine, 2);
  if (dev::thread() < 2) dev::store(&mine[dev::thread()], 0u);
  dev::sync_block();
  const u32 row = dev::block() % rows, parts = dev::grid_size() / rows;
  u32 reached = 0, depth = 0;
  for (u64 v = u64{dev::block() / rows} * dev::block_size() + dev::thread(); v < count; v += u64{parts} * dev::block_size()) {
    const Distance d = distance[row * stride + v];
    if (d == unreached) continue;
    ++reached;
    depth = static_cast<u32>(d) > depth ? static_cast<u32>(d) : depth;
  }
  reached = dev::reduce_add(dev::all_lanes, reached);
  if (dev::lane() == 0 && reached) dev::fetch_add(&mine[0], reached);
  if (depth) dev::fetch_max(&mine[1], depth);
  dev::sync_block();
  if (dev::thread() != 0) return;
  if (const u32 all = dev::load(&mine[0])) dev::fetch_add(&sums[row].reached, all);
  if (const u32 deepest = dev::load(&mine[1])) dev::fetch_max(&sums[row].depth, deepest);
}

/// The first levels, which have most vertices, are counted in shared memory. at[d] is one of `levels` counters.
HW_KERNEL void count_by_level(const Distance* distance, u32 count, u64* at, u32 levels) {
  HW_SHARED(u32, mine, shared_levels);
  for (u32 i = dev::thread(); i < shared_levels; i += dev::block_size()) dev::store(&mine[i], 0u);
  dev::sync_block();
  for (u64 v = dev::global_thread(); v < count; v += dev::global_threads()) {
    const Distance d = distance[v];
    if (d == unreached) continue;
    HW_CHECK(static_cast<u32>(d) < levels);
    if (static_cast<u32>(d) < shared_levels)
      dev::fetch_add(&mine[d], 1u);
    else
      dev::fetch_add(&at[d], u64{1});
  }
  dev::sync_block();
  for (u32 i = dev::thread(); i < shared_levels && i < levels; i += dev::block_size())
    if (const u32 n = dev::load(&mine[i])) dev::fetch_add(&at[i], u64{n});
}

/// Row r begins at from[r · stride] and, packed, at to[r · count]. Blocks share a row as in sum_up().
template <class Narrow>
HW_KERNEL void pack(const Distance* from, u64 stride, u32 rows, u32 count, Distance limit, Narrow* to, u32* deepest) {
  constexpr Narrow none = static_cast<Narrow>(~Narrow{0});
  const u32 row = dev::block() % rows, parts = dev::grid_size() / rows;
  from += row * stride;
  to += u64{row} * count;
  Distance depth = 0;
  for (u64 v = u64{dev::block() / rows} * dev::block_size() + dev::thread(); v < count; v += u64{parts} * dev::block_size()) {
    const Distance d = from[v];
    const bool there = d != unreached && d <= limit;
    if (there && d > depth) depth = d;
    to[v] = !there ? none : d < none - 1 ? static_cast<Narrow>(d) : static_cast<Narrow>(none - 1);
  }
  if (depth >= none - 1) dev::fetch_max(deepest, static_cast<u32>(depth));
}

/// Checks that a search may use the rows: offsets ascend from 0 to the number of arcs, and neighbours are vertices in
/// ascending order.
template <class Offset>
HW_KERNEL void look_at_rows(const Offset* offsets, const VertexId* neighbors, u32 count, u64 arcs, u32* bad) {
  for (u64 v = dev::global_thread(); v < count; v += dev::global_threads()) {
    const u64 begin = offsets[v], end = offsets[v + 1];
    bool good = begin <= end && end <= arcs && (v > 0 || begin == 0) && (v + 1 < count || end == arcs);
    for (u64 e = begin; good && e < end; ++e) good = neighbors[e] < count && (e == begin || neighbors[e - 1] <= neighbors[e]);
    if (!good) dev::fetch_min(bad, static_cast<u32>(v));
  }
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

using namespace HW_MACHINE;

void HW_ON_MACHINE(trim_answer)(device::Device& device, Distance* distance, VertexId* parent, VertexId count, Distance limit) {
  device::launch(device, {shape(device, count)}, trim, distance, parent, count, limit);
}

void HW_ON_MACHINE(sum_answers)(device::Device& device, const device::DeviceRows& rows, VertexId count, AnswerSums* sums) {
  if (rows.count == 0) return;
  device.fill_bytes(sums, 0, rows.count * sizeof(AnswerSums));
  if (count == 0) return;
  device::launch(device, {shape_of_rows(device, rows, count)}, sum_up, rows.first, rows.stride, static_cast<u32>(rows.count),
                 count, sums);
}

std::vector<std::uint64_t> HW_ON_MACHINE(count_answer)(device::Device& device, const Distance* distance, VertexId count,
                                                       Distance depth) {
  std::vector<std::uint64_t> at(static_cast<std::size_t>(depth) + 1);
  device::Buffer<std::uint64_t> counters(device, at.size());
  counters.fill_bytes(0);
  device::launch(device, {shape(device, count)}, count_by_level, distance, count, counters.data(),
                 static_cast<std::uint32_t>(at.size()));
  counters.download(std::span<std::uint64_t>(at));
  return at;
}

void HW_ON_MACHINE(pack_answers)(device::Device& device, const device::DeviceRows& rows, VertexId count, Distance limit,
                                 int bytes, void* to, std::uint32_t* deepest) {
  if (count == 0 || rows.count == 0) return;
  const device::LaunchShape of_rows = shape_of_rows(device, rows, count);
  const u32 number = static_cast<u32>(rows.count);
  if (bytes == 1)
    device::launch(device, {of_rows}, pack<std::uint8_t>, rows.first, rows.stride, number, count, limit,
                   static_cast<std::uint8_t*>(to), deepest);
  else
    device::launch(device, {of_rows}, pack<std::uint16_t>, rows.first, rows.stride, number, count, limit,
                   static_cast<std::uint16_t*>(to), deepest);
}

VertexId HW_ON_MACHINE(first_bad_row)(device::Device& device, const RowsOnDevice& rows) {
  device::Buffer<VertexId> bad(device, 1);
  bad.fill_bytes(0xFF);
  if (rows.offsets64)
    device::launch(device, {shape(device, rows.num_vertices)}, look_at_rows<std::uint64_t>, rows.offsets64, rows.neighbors,
                   rows.num_vertices, rows.num_arcs, bad.data());
  else
    device::launch(device, {shape(device, rows.num_vertices)}, look_at_rows<std::uint32_t>, rows.offsets32, rows.neighbors,
                   rows.num_vertices, rows.num_arcs, bad.data());
  return bad.value();
}

}  // namespace hopwave::inline v0_1::resident

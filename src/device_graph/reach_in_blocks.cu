// Searches whose cost depends on what they reach: one block each, with a queue, and one bit per vertex, which is
// cleared through the queue afterwards.
#include <algorithm>

#include "device/result_memory.h"
#include "device_graph/each_arc.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Device;

constexpr u32 threads = 256;
constexpr u32 blocks_a_multiprocessor = 4;

struct Task {
  u32 searches;
  u32 sources;  ///< per search: one, or all
  const u32* source;
  Distance max_depth;
  u32 target;
  u64 nearest, most_arcs;
  bool parents;
};

/// The data of each block: its words of bits, and the vertices in its queue.
struct Own {
  u64 words;
  u32 vertices, room;
  u32* bits;
  u32* parent;  ///< one per vertex, if parents are wanted: no_vertex between searches
  u32* queue;
  Distance* depth;
};

/// The place of the answers. next[0]: the next search.
struct Answers {
  u32* next;
  u64* used;
  u64 room;
  ReachedThere* search;
  u32 *vertex, *parent;
  Distance* distance;
};

HW_DEVICE bool mark(u32* bits, u32 v) { return !(dev::fetch_or(&bits[v / 32], 1u << v % 32) >> v % 32 & 1); }
HW_DEVICE bool marked(const u32* bits, u32 v) { return dev::load(&bits[v / 32]) >> v % 32 & 1; }

// A value by which all threads of the block decide is read between two barriers, so that all decide the same.
template <class Offset>
HW_KERNEL void reach_by_blocks(const Offset* offsets, const u32* neighbors, Task task, Own own, Answers to) {
  HW_SHARED(u32, turn, 1);
  HW_SHARED(u32, size, 1);
  HW_SHARED(u64, looked, 1);
  HW_SHARED(u64, place, 1);
  u32* const bits = own.bits + dev::block() * own.words;
  u32* const parent = task.parents ? own.parent + u64{dev::block()} * own.vertices : nullptr;
  u32* const queue = own.queue + u64{dev::block()} * own.room;
  Distance* const depth = own.depth + u64{dev::block()} * own.room;
  const auto push = [&](u32 v, u32 level) {
    const u32 at = dev::fetch_add(&size[0], 1u);
    if (at >= own.room) return;
    dev::plain_write(&queue[at], v);
    dev::plain_write(&depth[at], static_cast<Distance>(level));
  };
  for (;;) {
    if (dev::thread() == 0) {
      dev::store(&turn[0], dev::fetch_add(to.next, 1u));
      dev::store(&size[0], 0u);
      dev::store(&looked[0], u64{0});
    }
    dev::sync_block();
    const u32 search = dev::load(&turn[0]);
    if (search >= task.searches) return;
    for (u32 i = dev::thread(); i < task.sources; i += dev::block_size()) {
      const u32 v = dev::plain_read(&task.source[u64{search} * task.sources * (task.searches > 1) + i]);
      if (mark(bits, v)) push(v, 0);
    }
    dev::sync_block();
    u32 begin = 0, end, sources = 0;
    bool large;
    for (u32 level = 1;; ++level) {
      end = dev::load(&size[0]);
      large = end > own.room || dev::load(&looked[0]) > task.most_arcs;
      if (level == 1) sources = end;
      const bool on = !large && begin < end && (task.nearest == 0 || end - sources < task.nearest) &&
                      (task.max_depth < 0 || level <= static_cast<u32>(task.max_depth)) &&
                      (task.target == no_vertex || !marked(bits, task.target));
      dev::sync_block();
      if (!on) break;
      u64 arcs = 0;
      for (u32 i = begin + dev::warp(); i < end; i += dev::warps()) {
        const u32 u = dev::plain_read(&queue[i]);
        const u64 first = offsets[u], last = offsets[u + u64{1}];
        arcs += last - first;
        for (u64 e = first + dev::lane(); e < last; e += dev::lanes) {
          const u32 v = neighbors[e];
          HW_CHECK(v < own.vertices);
          // With parents, bits mark the previous levels, and a vertex is new for the first thread that names itself its
          // parent.
          if (parent ? !marked(bits, v) && dev::fetch_min(&parent[v], u) == no_vertex : mark(bits, v)) push(v, level);
        }
      }
      if (dev::lane() == 0 && arcs) dev::fetch_add(&looked[0], arcs);
      dev::sync_block();
      begin = end;
      if (!parent) continue;
      const u32 found = dev::load(&size[0]);
      for (u32 i = begin + dev::thread(); i < found && i < own.room; i += dev::block_size())
        (void)mark(bits, dev::plain_read(&queue[i]));
      dev::sync_block();
    }
    const u32 count = end < own.room ? end : own.room;
    if (dev::thread() == 0) {
      u64 at = 0;
      if (!large) at = dev::fetch_add(to.used, u64{count});
      const bool fits = !large && at + count <= to.room;
      dev::store(&place[0], fits ? at : to.room);
      dev::plain_write(&to.search[search], {.arcs = dev::load(&looked[0]),
                                            .begin = at,
                                            .size = count,
                                            .state = large  ? ReachedThere::too_large
                                                     : fits ? ReachedThere::done
                                                            : ReachedThere::no_room});
    }
    dev::sync_block();
    const u64 at = dev::load(&place[0]);
    for (u32 i = dev::thread(); at < to.room && i < count; i += dev::block_size()) {
      const u32 v = dev::plain_read(&queue[i]);
      dev::plain_write(&to.vertex[at + i], v);
      dev::plain_write(&to.distance[at + i], dev::plain_read(&depth[i]));
      if (parent) dev::plain_write(&to.parent[at + i], dev::load(&parent[v]));
    }
    dev::sync_block();
    if (end <= own.room) {
      for (u32 i = dev::thread(); i < count; i += dev::block_size()) {
        const u32 v = dev::plain_read(&queue[i]);
        dev::store(&bits[v / 32], 0u);
        if (parent) dev::store(&parent[v], static_cast<u32>(no_vertex));
      }
    } else {  // the queue does not have all of them
      for (u64 i = dev::thread(); i < own.words; i += dev::block_size()) dev::store(&bits[i], 0u);
      for (u64 v = dev::thread(); parent && v < own.vertices; v += dev::block_size())
        dev::store(&parent[v], static_cast<u32>(no_vertex));
    }
  }
}

/// Finds the smallest of all vertices before it on a shortest path. `parent` holds no_vertex.
template <class Offset>
HW_KERNEL void name_least_parents(u32 n, const Offset* offsets, const u32* neighbors, u64 arcs, const Distance* distance,
                                  u32* parent) {
  each_arc(n, offsets, arcs, [&](u32 row, u64 i) {
    const u32 v = neighbors[i];
    const Distance d = distance[row];
    if (d != unreached && distance[v] == d + 1) dev::fetch_min(&parent[v], row);
  });
}

template <class Offset>
void run(Device& device, const RowsOnDevice& rows, const Offset* offsets, u32 blocks, const Task& task, const Own& own,
         const Answers& to) {
  device::launch(device, {{.grid = blocks, .block = threads}}, reach_by_blocks<Offset>, offsets, rows.neighbors, task, own, to);
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

using namespace HW_MACHINE;

void HW_ON_MACHINE(reach)(device::Device& device, const ReachRequest& request, ReachMemory& memory, ReachAnswer& answer) {
  const VertexId n = request.rows.num_vertices;
  const std::uint64_t words = n / 32 + std::uint64_t{1};
  const auto searches = static_cast<u32>(request.together ? 1 : request.sources.size());
  if (memory.blocks == 0 || (request.parents && memory.parent.empty())) {
    const std::uint64_t of_a_block = 4 * words + 8ull * ReachMemory::queue_room + (request.parents ? 4ull * n : 0);
    const std::uint64_t most = static_cast<u32>(device.properties().multiprocessors) * blocks_a_multiprocessor;
    memory = {};
    memory.blocks = static_cast<u32>(std::clamp<std::uint64_t>(device.memory_free() / 4 / of_a_block, 1, most));
    memory.bits = {device, memory.blocks * words};
    memory.bits.fill_bytes(0);
    if (request.parents) {
      memory.parent = {device, std::uint64_t{memory.blocks} * n};
      memory.parent.fill_bytes(0xFF);
    }
    memory.queue = {device, std::uint64_t{memory.blocks} * ReachMemory::queue_room};
    memory.depth = {device, memory.queue.size()};
    memory.next = {device, 1};
    memory.used = {device, 1};
    memory.vertex = {device, ReachMemory::answer_room};
    memory.found_from = {device, ReachMemory::answer_room};
    memory.distance = {device, ReachMemory::answer_room};
  }
  if (memory.source.size() < request.sources.size()) memory.source = {device, request.sources.size()};
  if (memory.search.size() < searches) memory.search = {device, searches};
  memory.source.upload(request.sources);
  memory.next.fill_bytes(0);
  memory.used.fill_bytes(0);
  const Task task{.searches = searches,
                  .sources = static_cast<u32>(request.together ? request.sources.size() : 1),
                  .source = memory.source.data(),
                  .max_depth = request.max_depth,
                  .target = request.target,
                  .nearest = request.nearest,
                  .most_arcs = request.most_arcs,
                  .parents = request.parents};
  const Own own{.words = words,
                .vertices = n,
                .room = ReachMemory::queue_room,
                .bits = memory.bits.data(),
                .parent = memory.parent.data(),
                .queue = memory.queue.data(),
                .depth = memory.depth.data()};
  const Answers to{.next = memory.next.data(),
                   .used = memory.used.data(),
                   .room = ReachMemory::answer_room,
                   .search = memory.search.data(),
                   .vertex = memory.vertex.data(),
                   .parent = memory.found_from.data(),
                   .distance = memory.distance.data()};
  const u32 blocks = std::min(memory.blocks, searches);
  if (request.rows.offsets64)
    run(device, request.rows, request.rows.offsets64, blocks, task, own, to);
  else
    run(device, request.rows, request.rows.offsets32, blocks, task, own, to);
  answer.search.resize(searches);
  memory.search.download(std::span(answer.search));
  std::uint64_t used = 0;
  for (const ReachedThere& s : answer.search)
    if (s.state == ReachedThere::done) used = std::max(used, s.begin + s.size);
  answer.vertex = answer.parent = {};  // the memory of the previous answers is used again
  answer.distance = {};
  answer.vertex = device::host_array<VertexId>(device, used, device::Pin::to_keep);
  answer.distance = device::host_array<Distance>(device, used, device::Pin::to_keep);
  if (request.parents) answer.parent = device::host_array<VertexId>(device, used, device::Pin::to_keep);
  memory.vertex.download(answer.vertex.span());
  memory.distance.download(answer.distance.span());
  memory.found_from.download(answer.parent.span());
}

void HW_ON_MACHINE(least_parents)(device::Device& device, const RowsOnDevice& rows, const Distance* distance,
                                  VertexId* parent) {
  if (rows.num_vertices == 0) return;
  device.fill_bytes(parent, 0xFF, std::uint64_t{rows.num_vertices} * sizeof(VertexId));
  if (rows.num_arcs == 0) return;
  const device::LaunchShape shape = device::strided(device, arc_threads(rows.num_arcs), threads, 8192);
  if (rows.offsets64)
    device::launch(device, {shape}, name_least_parents<std::uint64_t>, rows.num_vertices, rows.offsets64, rows.neighbors,
                   u64{rows.num_arcs}, distance, parent);
  else
    device::launch(device, {shape}, name_least_parents<std::uint32_t>, rows.num_vertices, rows.offsets32, rows.neighbors,
                   u64{rows.num_arcs}, distance, parent);
}

}  // namespace hopwave::inline v0_1::resident

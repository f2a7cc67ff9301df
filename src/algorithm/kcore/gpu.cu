// Core numbers by peeling level by level. A queue holds each removed vertex once, in the order of removal; a round processes
// what the round before has added. One block takes rounds of few vertices, many of them per launch.
// Source: H. Kabir, K. Madduri, Parallel k-core decomposition on multicore platforms, IPDPSW 2017; A. Ahmad et al.,
// Accelerating k-core decomposition by a GPU, ICDE 2023. Ours differs: vertices that are left are packed in every level, and a
// level without vertices is skipped, so that all passes together look at no more than n vertices and m arcs; one queue
// instead of one per block.
#include <functional>

#include "bfs/plan/thresholds.h"
#include "device/device.h"
#include "device/primitives/block.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Device;

constexpr u32 threads = 256, alone_threads = 1024, few_threads = 128;
constexpr u32 rounds_alone = 4096;  ///< of a launch, so that the caller can end the search

/// In device memory.
struct Words {
  u64 end;    ///< of the queue
  u64 begun;  ///< entries before it have been taken out
  u64 left;   ///< vertices that stay
  u64 least;  ///< the least degree among them
};

template <class Offset>
struct Rows {
  const Offset* offsets;
  const u32* neighbors;
};

template <class Offset>
struct Peeled {
  u32 n;
  Rows<Offset> out, in;  ///< in.offsets is null where `out` has both ends
  u32* degree;
  u32* queue;
  Words* words;
};

HW_HEADER_KERNEL void all_left(u32 n, u32* left) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) dev::plain_write(&left[v], static_cast<u32>(v));
}

/// Vertices with k arcs go into the queue, those with more into `after`; those with fewer are in the queue already.
HW_HEADER_KERNEL void sort_out(u32 k, const u32* before, u64 count, u32* after, const u32* degree, u32* queue, Words* words) {
  HW_CHECK(dev::block_size() <= threads);
  HW_SHARED(dev::BlockReservation, taken, 1);
  HW_SHARED(dev::BlockReservation, kept, 1);
  dev::open_reservation(taken[0]);
  dev::open_reservation(kept[0]);
  dev::sync_block();
  u64 least = ~u64{0};
  for (u64 first = u64{dev::block()} * dev::block_size(); first < count; first += dev::global_threads()) {
    const u64 i = first + dev::thread();
    const u32 v = i < count ? dev::plain_read(&before[i]) : 0;
    const u32 d = i < count ? dev::plain_read(&degree[v]) : 0;
    const bool goes = i < count && d == k, stays = i < count && d > k;
    const u64 place = dev::block_reserve(taken[0], &words->end, goes);
    const u64 next = dev::block_reserve(kept[0], &words->left, stays);
    if (goes) dev::plain_write(&queue[place], v);
    if (stays) dev::plain_write(&after[next], v);
    if (stays && d < least) least = d;
  }
  if (least != ~u64{0} && least < dev::load(&words->least)) dev::fetch_min(&words->least, least);
}

/// The warp takes vertex v out: each arc is one less for its neighbour. The thread that lowers it from k + 1 to k puts the
/// neighbour into the queue; one that is there already gets back what it lost.
template <class Offset>
HW_DEVICE void take_out(const Peeled<Offset>& p, u32 k, u32 v) {
  for (const Rows<Offset>* rows : {&p.out, &p.in}) {
    if (!rows->offsets) continue;
    const u64 end = rows->offsets[v + 1ull];
    for (u64 first = rows->offsets[v]; first < end; first += dev::lanes) {
      const u64 e = first + dev::lane();
      const u32 u = e < end ? dev::read_only(&rows->neighbors[e]) : v;
      HW_CHECK(u < p.n);
      bool goes = false;
      if (u != v && dev::load(&p.degree[u]) > k) {
        const u32 had = dev::fetch_add(&p.degree[u], ~u32{0});
        goes = had == k + 1;
        if (had <= k) dev::fetch_add(&p.degree[u], 1u);
      }
      const dev::LaneBits all = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, goes));
      if (!all) continue;
      const u64 place = dev::warp_reserve(&p.words->end, static_cast<u64>(dev::popcount(all))) + dev::rank_in(all);
      HW_CHECK(!goes || place < p.n);
      if (goes) dev::plain_write(&p.queue[place], u);
    }
  }
}

template <class Offset>
HW_KERNEL void take_out_round(Peeled<Offset> p, u32 k, u64 begin, u64 end) {
  const u64 warps = u64{dev::grid_size()} * dev::warps();
  for (u64 i = begin + u64{dev::block()} * dev::warps() + dev::warp(); i < end; i += warps)
    take_out(p, k, dev::plain_read(&p.queue[i]));
}

/// Rounds until one finds nothing, or more than a block should take.
template <class Offset>
HW_KERNEL void take_out_alone(Peeled<Offset> p, u32 k, u64 begin, u64 most) {
  HW_SHARED(u64, shared_end, 1);
  u64 from = begin;
  for (u32 round = 0; round < rounds_alone; ++round) {
    if (dev::thread() == 0) shared_end[0] = dev::load(&p.words->end);
    dev::sync_block();
    const u64 to = shared_end[0];
    dev::sync_block();
    if (to == from || to - from > most) break;
    for (u64 i = from + dev::warp(); i < to; i += dev::warps()) take_out(p, k, dev::plain_read(&p.queue[i]));
    from = to;
    dev::sync_block();
  }
  if (dev::thread() == 0) dev::plain_write(&p.words->begun, from);
}

device::LaunchShape shape(const Device& device, u64 items) { return device::strided(device, items, threads, 8192); }

template <class Offset>
bool peel(Device& device, Peeled<Offset> p, const std::function<bool(std::uint64_t)>& go_on) {
  const device::Buffer<u32> queue(device, p.n);
  device::Buffer<u32> left[2] = {device::Buffer<u32>(device, p.n), device::Buffer<u32>(device, p.n)};
  device::Buffer<Words> there(device, 1);
  p.queue = queue.data();
  p.words = there.data();
  device::launch(device, {shape(device, p.n)}, all_left, p.n, left[0].data());
  Words words{.left = p.n};
  const auto look = [&] { there.download(std::span(&words, 1)); };
  for (u32 k = 0, turn = 0; words.left > 0; turn = 1 - turn) {
    const u64 count = words.left, begin = words.end;
    words.left = 0;
    words.least = ~u64{0};
    there.upload(std::span<const Words>(&words, 1));
    device::launch(device, {shape(device, count)}, sort_out, k, left[turn].data(), count, left[1 - turn].data(), p.degree,
                   queue.data(), p.words);
    look();
    for (u64 from = begin; from < words.end;) {
      const u64 to = words.end;
      const bool alone = to - from <= thresholds::KCore::most_alone, little = to - from <= thresholds::KCore::few;
      if (alone)
        device::launch(device, {{.grid = 1, .block = little ? few_threads : alone_threads}}, take_out_alone<Offset>, p, k, from,
                       little ? 4 * thresholds::KCore::few : thresholds::KCore::most_alone);
      else
        device::launch(device, {shape(device, (to - from) * dev::lanes)}, take_out_round<Offset>, p, k, from, to);
      look();
      from = alone ? words.begun : to;
      if (!go_on(from)) return false;
    }
    k = words.end == begin ? static_cast<u32>(words.least) : k + 1;
  }
  return true;
}

template <class Offset>
Rows<Offset> rows_of(const RowsOnDevice* rows) {
  if (!rows) return {};
  if constexpr (sizeof(Offset) == 4)
    return {rows->offsets32, rows->neighbors};
  else
    return {rows->offsets64, rows->neighbors};
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::kcore {

bool HW_ON_MACHINE(peel)(device::Device& device, const resident::RowsOnDevice& out, const resident::RowsOnDevice* in,
                         std::uint32_t* degree, const std::function<bool(std::uint64_t)>& go_on) {
  const auto as = [&]<class Offset>(Offset) {
    using namespace HW_MACHINE;
    return HW_MACHINE::peel(
        device,
        Peeled<Offset>{.n = out.num_vertices, .out = rows_of<Offset>(&out), .in = rows_of<Offset>(in), .degree = degree},
        go_on);
  };
  return out.offsets64 ? as(std::uint64_t{}) : as(std::uint32_t{});
}

}  // namespace hopwave::inline v0_1::kcore

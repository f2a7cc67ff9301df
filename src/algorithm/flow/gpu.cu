// Push–relabel in rounds. All active vertices push, one warp per vertex, while heights do not change. Then all vertices with
// excess left are relabelled, while capacities do not change. After a certain number of relabellings the heights are computed
// anew by a breadth-first search from the sink, against the arcs.
// Source: A. V. Goldberg, R. E. Tarjan, A new approach to the maximum-flow problem, 1988 (its parallel version); B. Hong, Z.
// He, An asynchronous multithreaded algorithm for the maximum network flow problem with nonblocking global relabeling
// heuristic, 2011. Ours differs: two launches per round instead of an asynchronous one, so that heights are right after each; a
// queue of active vertices.
#include <algorithm>
#include <functional>

#include "algorithm/flow/push_relabel.h"
#include "bfs/plan/thresholds.h"
#include "device/device.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE {
namespace {

using dev::u32;
using dev::u64;
using device::Device;

constexpr u32 threads = 256;

/// In device memory.
struct Words {
  u64 next;    ///< entries of the next queue
  u64 pushes;  ///< along single arcs
  u64 work;    ///< of relabelling since heights were measured: entries looked at, and some for each vertex
};

/// The residual network, and what is pushed through it. Amounts are below 2^63.
/// Holds here: (1) left[e] + left[mate[e]] does not change; (2) height[v] <= height[u] + 1 where something is left from v to u,
/// after each launch; (3) in a launch of push() no height changes, in one of relabel() nothing else does.
struct Network {
  u32 n, source, target, sink;
  u64 entries;
  const u64* offsets;
  const u32* neighbors;
  const u64* mate;
  u64* left;
  u64* excess;
  u32* height;
  u32* queued;  ///< the round that put a vertex into the next one's queue
  Words* words;
};

HW_DEVICE bool takes_part(const Network& g, u32 v) { return v != g.source && v != g.target && v != g.sink; }

/// By whole warps: lanes with `goes` put their vertices into the queue, each once in a round.
HW_DEVICE void put(const Network& g, bool goes, u32 v, u32 round, u32* queue) {
  const bool first = goes && dev::exchange(&g.queued[v], round) != round;
  const dev::LaneBits all = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, first));
  if (!all) return;
  const u64 place = dev::warp_reserve(&g.words->next, static_cast<u64>(dev::popcount(all))) + dev::rank_in(all);
  HW_CHECK(!first || place < g.n);
  if (first) dev::plain_write(&queue[place], v);
}

/// A warp has a vertex: lanes look at its entries, and those that lead one down share its excess in their order.
HW_HEADER_KERNEL void push(Network g, const u32* active, u64 count, u32 round, u32* queue) {
  const u64 warps = u64{dev::grid_size()} * dev::warps();
  u64 pushes = 0;
  for (u64 i = u64{dev::block()} * dev::warps() + dev::warp(); i < count; i += warps) {
    const u32 v = dev::plain_read(&active[i]);
    const u32 height = dev::plain_read(&g.height[v]);
    u64 rest = dev::shuffle(dev::all_lanes, dev::load(&g.excess[v]), 0), sent = 0;
    const u64 end = g.offsets[v + 1ull];
    for (u64 first = g.offsets[v]; first < end && rest > 0; first += dev::lanes) {
      const u64 e = first + dev::lane();
      const u32 u = e < end ? dev::read_only(&g.neighbors[e]) : v;
      // Heights first: a lower vertex pushes nothing to this one, so no other thread touches this entry.
      const bool down = u != v && dev::plain_read(&g.height[u]) + 1 == height;
      const u64 can = down ? dev::plain_read(&g.left[e]) : 0;
      const u64 offer = can < rest ? can : rest;
      // Sums end at `rest`, which is below 2^63: two of them never overflow.
      u64 upto = offer;
      for (u32 k = 1; k < dev::lanes; k *= 2) {
        const u64 other = dev::shuffle_up(dev::all_lanes, upto, k);
        if (dev::lane() >= k) upto = upto + other < rest ? upto + other : rest;
      }
      const u64 before = dev::shuffle_up(dev::all_lanes, upto, 1), below = dev::lane() ? before : 0;
      const u64 amount = offer < rest - below ? offer : rest - below;
      if (amount) {
        const u64 mate = dev::read_only(&g.mate[e]);
        HW_CHECK(amount <= can);
        dev::plain_write(&g.left[e], can - amount);
        dev::plain_write(&g.left[mate], dev::plain_read(&g.left[mate]) + amount);
        dev::fetch_add(&g.excess[u], amount);
        ++pushes;
      }
      put(g, amount > 0 && takes_part(g, u), u, round, queue);
      const u64 taken = dev::shuffle(dev::all_lanes, upto, dev::lanes - 1);
      rest -= taken, sent += taken;
    }
    if (dev::lane() == 0 && sent) dev::fetch_add(&g.excess[v], ~sent + 1);
  }
  u64 all = 0;
  dev::warp_exclusive_sum(pushes, all);
  if (dev::lane() == 0 && all) dev::fetch_add(&g.words->pushes, all);
}

/// One above the lowest neighbour that can take something; n: the sink is out of reach.
HW_HEADER_KERNEL void relabel(Network g, const u32* active, u64 count, u32 round, u32* queue) {
  const u64 warps = u64{dev::grid_size()} * dev::warps();
  for (u64 i = u64{dev::block()} * dev::warps() + dev::warp(); i < count; i += warps) {
    const u32 v = dev::plain_read(&active[i]);
    if (dev::plain_read(&g.excess[v]) == 0) continue;
    u32 lowest = g.n;
    const u64 end = g.offsets[v + 1ull];
    for (u64 first = g.offsets[v]; first < end; first += dev::lanes) {
      const u64 e = first + dev::lane();
      if (e >= end || dev::plain_read(&g.left[e]) == 0) continue;
      const u32 h = dev::load(&g.height[dev::read_only(&g.neighbors[e])]);
      if (h < lowest) lowest = h;
    }
    for (u32 k = dev::lanes / 2; k; k /= 2) {
      const u32 other = dev::shuffle_xor(dev::all_lanes, lowest, k);
      if (other < lowest) lowest = other;
    }
    const u32 before = dev::shuffle(dev::all_lanes, dev::load(&g.height[v]), 0);
    const u32 above = lowest < g.n ? lowest + 1 : g.n, now = above > before ? above : before;
    if (dev::lane() == 0 && now != before) dev::store(&g.height[v], now);
    put(g, dev::lane() == 0 && now < g.n, v, round, queue);
    if (dev::lane() == 0) dev::fetch_add(&g.words->work, end - g.offsets[v] + 12);
  }
}

HW_HEADER_KERNEL void forget_heights(Network g) {
  for (u64 v = dev::global_thread(); v < g.n; v += dev::global_threads()) dev::plain_write(&g.height[v], v == g.sink ? 0 : g.n);
}

/// Vertices that can send something to one of the last level get the next height.
HW_HEADER_KERNEL void next_heights(Network g, const u32* frontier, u64 count, u32 level, u32* queue) {
  const u64 warps = u64{dev::grid_size()} * dev::warps();
  for (u64 i = u64{dev::block()} * dev::warps() + dev::warp(); i < count; i += warps) {
    const u32 v = dev::plain_read(&frontier[i]);
    const u64 end = g.offsets[v + 1ull];
    for (u64 first = g.offsets[v]; first < end; first += dev::lanes) {
      const u64 e = first + dev::lane();
      const u32 u = e < end ? dev::read_only(&g.neighbors[e]) : v;
      const bool can = u != v && dev::load(&g.height[u]) == g.n && dev::plain_read(&g.left[dev::read_only(&g.mate[e])]) > 0;
      const bool first_here = can && dev::compare_exchange(&g.height[u], g.n, level) == g.n;
      const dev::LaneBits all = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, first_here));
      if (!all) continue;
      const u64 place = dev::warp_reserve(&g.words->next, static_cast<u64>(dev::popcount(all))) + dev::rank_in(all);
      HW_CHECK(!first_here || place < g.n);
      if (first_here) dev::plain_write(&queue[place], u);
    }
  }
}

HW_HEADER_KERNEL void find_active(Network g, u32 round, u32* queue) {
  const u64 all = (u64{g.n} + dev::lanes - 1) / dev::lanes * dev::lanes;
  for (u64 v = dev::global_thread(); v < all; v += dev::global_threads()) {
    const u32 at = static_cast<u32>(v);
    const bool goes =
        v < g.n && takes_part(g, at) && dev::plain_read(&g.excess[at]) > 0 && dev::plain_read(&g.height[at]) < g.n;
    put(g, goes, at, round, queue);
  }
}

class Drain {
 public:
  Drain(Device& device, Network network, u32* queues[2], device::Buffer<Words>& words, u32& round)
      : device_(device), g_(network), queues_{queues[0], queues[1]}, words_(words), round_(round) {}

  void run(u64& searches, const std::function<void()>& go_on) {
    const u64 much = thresholds::Flow::relabels_per_entry * g_.entries + 8ull * g_.n;
    for (u64 count = begin_again(searches, go_on); count > 0;) {
      go_on();
      if (work_ > much || rounds_ >= std::max(thresholds::Flow::device_rounds, levels_)) {
        count = begin_again(searches, go_on);
        continue;
      }
      ++round_, ++rounds_;
      const device::LaunchShape shape = device::strided(device_, count * dev::lanes, threads, 8192);
      device::launch(device_, {shape}, push, g_, queues_[turn_], count, round_, queues_[1 - turn_]);
      device::launch(device_, {shape}, relabel, g_, queues_[turn_], count, round_, queues_[1 - turn_]);
      count = taken();
      turn_ = 1 - turn_;
    }
  }

 private:
  /// Entries of the queue that the last launches have filled; the next one begins at 0.
  u64 taken(bool forget_work = false) {
    Words words;
    words_.download(std::span(&words, 1));
    const u64 count = words.next;
    words.next = 0;
    work_ = words.work;
    if (forget_work) words.work = 0;
    words_.upload(std::span<const Words>(&words, 1));
    return count;
  }

  u64 begin_again(u64& searches, const std::function<void()>& go_on) {
    ++searches;
    const device::LaunchShape whole = device::strided(device_, g_.n, threads, 8192);
    device::launch(device_, {whole}, forget_heights, g_);
    u32 turn = 0;
    const u32 sink = g_.sink;
    device_.copy_in(queues_[0], &sink, sizeof sink);
    u64 count = 1;
    levels_ = rounds_ = 0;
    for (u32 level = 1; count > 0; ++level) {
      ++levels_;
      device::launch(device_, {device::strided(device_, count * dev::lanes, threads, 8192)}, next_heights, g_, queues_[turn],
                     count, level, queues_[1 - turn]);
      count = taken();
      turn = 1 - turn;
      go_on();
    }
    ++round_;
    turn_ = 0;
    device::launch(device_, {whole}, find_active, g_, round_, queues_[0]);
    const u64 count_active = taken(true);
    work_ = 0;
    return count_active;
  }

  Device& device_;
  Network g_;
  u32* queues_[2];
  device::Buffer<Words>& words_;
  u32& round_;
  u32 turn_ = 0;
  u64 work_ = 0;                 ///< as Words::work
  u64 rounds_ = 0, levels_ = 0;  ///< since heights were measured; of that measuring
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::flow {

void HW_ON_MACHINE(drain_on_device)(device::Device& device, Residual& residual, Preflow& preflow, VertexId source,
                                    VertexId target, const std::function<void(std::int64_t)>& go_on) {
  using namespace HW_MACHINE;
  const std::size_t n = residual.num_vertices;
  const auto words_of = [](Array<std::int64_t>& values) {
    return std::span<std::uint64_t>(reinterpret_cast<std::uint64_t*>(values.data()), values.size());
  };
  const device::Buffer<u64> offsets(device, std::span<const u64>(residual.offsets.span()));
  const device::Buffer<u32> neighbors(device, std::span<const u32>(residual.neighbors.span()));
  const device::Buffer<u64> mate(device, std::span<const u64>(residual.mate.span()));
  const device::Buffer<u64> left(device, std::span<const u64>(words_of(residual.left)));
  const device::Buffer<u64> excess(device, std::span<const u64>(words_of(preflow.excess)));
  const Array<u32> zeros = Array<u32>::filled(n, 0);
  const device::Buffer<u32> queued(device, std::span<const u32>(zeros.span()));
  const device::Buffer<u32> height(device, n), first(device, n), second(device, n);
  const Words none{};
  device::Buffer<Words> words(device, std::span<const Words>(&none, 1));
  u32* queues[2] = {first.data(), second.data()};
  u32 round = 0;
  for (const VertexId sink : {target, source}) {
    Drain({device,
           Network{.n = residual.num_vertices,
                   .source = source,
                   .target = target,
                   .sink = sink,
                   .entries = residual.size(),
                   .offsets = offsets.data(),
                   .neighbors = neighbors.data(),
                   .mate = mate.data(),
                   .left = left.data(),
                   .excess = excess.data(),
                   .height = height.data(),
                   .queued = queued.data(),
                   .words = words.data()},
           queues, words, round})
        .run(preflow.searches, [&] { go_on(preflow.excess[target]); });
    excess.download(words_of(preflow.excess));
  }
  left.download(words_of(residual.left));
  Words counted;
  words.download(std::span(&counted, 1));
  preflow.pushes += counted.pushes;
}

}  // namespace hopwave::inline v0_1::flow

// Betweenness on a device: several searches at a time, level by level. A state is a vertex in one of them.
// Source: U. Brandes, A faster algorithm for betweenness centrality, 2001; one frontier for many searches after A. McLaughlin
// and D. Bader, Scalable and high performance betweenness centrality on the GPU, SC 2014. Ours differs: paths are pulled along
// incoming arcs and shares along outgoing ones, so that nothing is added atomically and every sum has one order.
#include <algorithm>
#include <bit>
#include <vector>

#include "algorithm/betweenness/gpu.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Buffer;
using device::Device;

constexpr u32 threads = 256;
constexpr u32 none = ~u32{0};
constexpr u64 most_states = u64{1} << 24;  ///< 36 bytes each
constexpr u32 most_searches = 64;
constexpr double step_up = 0x1p512, step_down = 0x1p-512;

struct States {
  u32 n;          ///< vertices
  u32 searches;   ///< state i is vertex i % n of search i / n
  u32* distance;  ///< from the source; none: unreached
  double* paths;  ///< shortest paths from the source, times 2^(512 · exponent)
  u32* exponent;
  double* carried;  ///< what one of these paths carries on the way back, times 2^(−512 · exponent)
  double* share;    ///< of all paths that begin in the source and end beyond the vertex
  u32* queue;       ///< states as they were found
  u32* fill;        ///< of the queue
};

/// Numbers of paths, of any size.
struct Paths {
  double value = 0;
  u32 exponent = 0;
};

/// `value` of exponent `from`, as it is next to numbers of the greater exponent `to`.
HW_DEVICE double moved(double value, u32 from, u32 to) {
  for (u32 k = from; k < to && k < from + 4; ++k) value *= step_down;
  return value;
}
HW_DEVICE Paths add(Paths a, Paths b) {
  const u32 exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
  Paths sum{moved(a.value, a.exponent, exponent) + moved(b.value, b.exponent, exponent), exponent};
  if (sum.value > step_up) sum.value *= step_down, ++sum.exponent;
  return sum;
}
/// Of all lanes; in every lane the same.
HW_DEVICE Paths add_lanes(Paths mine) {
  for (u32 k = dev::lanes / 2; k > 0; k /= 2)
    mine = add(mine, {dev::shuffle_xor(dev::all_lanes, mine.value, k), dev::shuffle_xor(dev::all_lanes, mine.exponent, k)});
  return mine;
}

HW_DEVICE u64 global_warp() { return u64{dev::block()} * dev::warps() + dev::warp(); }
HW_DEVICE u64 global_warps() { return u64{dev::grid_size()} * dev::warps(); }

HW_KERNEL void start(States s, const u32* sources) {
  for (u32 b = dev::global_thread(); b < s.searches; b += dev::global_threads()) {
    const u64 i = u64{b} * s.n + sources[b];
    s.distance[i] = 0;
    s.paths[i] = 1;
    s.exponent[i] = 0;
    s.queue[b] = static_cast<u32>(i);
    if (b == 0) dev::store(s.fill, s.searches);
  }
}

/// One warp per state of the level. A neighbour that its search has not found yet goes into the queue.
template <class Offset>
HW_KERNEL void expand(States s, const Offset* offsets, const u32* neighbors, u32 begin, u32 end, u32 next) {
  for (u64 k = begin + global_warp(); k < end; k += global_warps()) {
    const u32 i = dev::plain_read(&s.queue[k]), v = i % s.n, base = i - v;
    const u64 last = offsets[v + 1ull];
    for (u64 strip = offsets[v]; strip < last; strip += dev::lanes) {
      const u64 arc = strip + dev::lane();
      const u32 j = base + (arc < last ? neighbors[arc] : 0);
      const bool found =
          arc < last && dev::load(&s.distance[j]) == none && dev::compare_exchange(&s.distance[j], none, next) == none;
      const auto kept = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, found));
      if (!kept) continue;
      const u32 at = dev::warp_reserve(s.fill, static_cast<u32>(dev::popcount(kept))) + dev::rank_in(kept);
      if (found) dev::plain_write(&s.queue[at], j);
    }
  }
}

/// A warp a state: its paths are those of the states before it.
template <class Offset>
HW_KERNEL void count_paths(States s, const Offset* in_offsets, const u32* in_neighbors, u32 begin, u32 end, u32 level) {
  for (u64 k = begin + global_warp(); k < end; k += global_warps()) {
    const u32 i = dev::plain_read(&s.queue[k]), v = i % s.n, base = i - v;
    const u64 last = in_offsets[v + 1ull];
    Paths mine;
    for (u64 arc = in_offsets[v] + dev::lane(); arc < last; arc += dev::lanes) {
      const u32 j = base + in_neighbors[arc];
      if (dev::plain_read(&s.distance[j]) == level - 1)
        mine = add(mine, {dev::plain_read(&s.paths[j]), dev::plain_read(&s.exponent[j])});
    }
    mine = add_lanes(mine);
    if (dev::lane() != 0) continue;
    dev::plain_write(&s.paths[i], mine.value);
    dev::plain_write(&s.exponent[i], mine.exponent);
  }
}

/// A warp a state, on the way back.
template <class Offset>
HW_KERNEL void add_shares(States s, const Offset* offsets, const u32* neighbors, const unsigned char* is_target, u32 begin,
                          u32 end, u32 level) {
  for (u64 k = begin + global_warp(); k < end; k += global_warps()) {
    const u32 i = dev::plain_read(&s.queue[k]), v = i % s.n, base = i - v;
    const u64 last = offsets[v + 1ull];
    const u32 exponent = dev::plain_read(&s.exponent[i]);
    double carried = 0;
    for (u64 arc = offsets[v] + dev::lane(); arc < last; arc += dev::lanes) {
      const u32 j = base + neighbors[arc];
      if (dev::plain_read(&s.distance[j]) == level + 1)
        carried += moved(dev::plain_read(&s.carried[j]), exponent, dev::plain_read(&s.exponent[j]));
    }
    for (u32 half = dev::lanes / 2; half > 0; half /= 2) carried += dev::shuffle_xor(dev::all_lanes, carried, half);
    if (dev::lane() != 0) continue;
    const double paths = dev::plain_read(&s.paths[i]), share = paths * carried;
    const double ends = level > 0 && (!is_target || is_target[v]) ? 1 : 0;
    dev::plain_write(&s.share[i], share);
    dev::plain_write(&s.carried[i], (ends + share) / paths);
  }
}

/// One thread per vertex, search by search. `ends`: of each search how many targets it has reached; null: ends do not count.
HW_KERNEL void add_up(States s, const unsigned char* is_target, double* sums, u32* ends, u64* most_paths) {
  for (u64 v = dev::global_thread(); v < s.n; v += dev::global_threads()) {
    const bool target = !is_target || is_target[v];
    double sum = dev::plain_read(&sums[v]), most = 0;
    for (u32 b = 0; b < s.searches; ++b) {
      const u64 i = u64{b} * s.n + v;
      const u32 distance = dev::plain_read(&s.distance[i]);
      if (distance == none || distance == 0) continue;
      sum += dev::plain_read(&s.share[i]);
      if (ends && target) {
        sum += 1;
        dev::fetch_add(&ends[b], 1u);
      }
      const u32 exponent = dev::plain_read(&s.exponent[i]);
      double paths = dev::plain_read(&s.paths[i]);
      for (u32 k = 0; k < exponent && k < 2; ++k) paths *= step_up;
      most = paths > most ? paths : most;
    }
    dev::plain_write(&sums[v], sum);
    // Of numbers that are not negative the greater has the greater bits.
    const u64 bits = std::bit_cast<u64>(most);
    if (bits > dev::load(most_paths)) dev::fetch_max(most_paths, bits);
  }
}
HW_KERNEL void add_ends(States s, const u32* sources, const u32* ends, double* sums) {
  if (dev::global_thread() != 0) return;
  for (u32 b = 0; b < s.searches; ++b) sums[sources[b]] += ends[b];
}

/// One warp per vertex, one lane per arc, search by search.
template <class Offset>
HW_KERNEL void add_up_arcs(States s, const Offset* offsets, const u32* neighbors, double* sums) {
  for (u64 v = global_warp(); v < s.n; v += global_warps()) {
    const u64 last = offsets[v + 1];
    for (u64 arc = offsets[v] + dev::lane(); arc < last; arc += dev::lanes) {
      double sum = dev::plain_read(&sums[arc]);
      for (u32 b = 0; b < s.searches; ++b) {
        const u64 i = u64{b} * s.n + v, j = u64{b} * s.n + neighbors[arc];
        const u32 distance = dev::plain_read(&s.distance[i]);
        if (distance == none || dev::plain_read(&s.distance[j]) != distance + 1) continue;
        sum += dev::plain_read(&s.paths[i]) *
               moved(dev::plain_read(&s.carried[j]), dev::plain_read(&s.exponent[i]), dev::plain_read(&s.exponent[j]));
      }
      dev::plain_write(&sums[arc], sum);
    }
  }
}

template <class Offset>
class Run {
 public:
  Run(Device& device, const BetweennessRequest& request, const Offset* offsets, const Offset* in_offsets)
      : device_(device),
        request_(request),
        offsets_(offsets),
        in_offsets_(in_offsets),
        most_(most_at_once(request)),
        distance_(device, most_ * request.out.num_vertices),
        exponent_(device, distance_.size()),
        queue_(device, distance_.size()),
        fill_(device, 1),
        sources_(device, most_),
        ends_(device, most_),
        paths_(device, distance_.size()),
        carried_(device, distance_.size()),
        share_(device, distance_.size()),
        most_paths_(device, 1) {}

  BetweennessTally all() {
    BetweennessTally tally;
    most_paths_.fill_bytes(0);
    while (tally.searched < request_.sources.size()) {
      const std::size_t count = std::min(most_, request_.sources.size() - tally.searched);
      if (!pass(request_.sources.subspan(tally.searched, count), tally.searched)) break;
      tally.searched += count;
    }
    tally.max_paths = std::max(tally.searched ? 1.0 : 0.0, std::bit_cast<double>(most_paths_.value()));
    return tally;
  }

 private:
  static std::size_t most_at_once(const BetweennessRequest& request) {
    const u64 fit = most_states / std::max<u64>(request.out.num_vertices, 1);
    return std::min<std::size_t>(request.sources.size(), std::clamp<u64>(fit, 1, most_searches));
  }
  /// A warp each.
  [[nodiscard]] device::LaunchShape warps(u64 items) const {
    return device::strided(device_, items * dev::lanes, threads, 8192);
  }
  [[nodiscard]] device::LaunchShape each(u64 items) const { return device::strided(device_, items, threads, 8192); }

  /// Searches from all of them; false: the call is to end, and nothing was added.
  bool pass(std::span<const VertexId> sources, u64 done) {
    const u32 n = request_.out.num_vertices, count = static_cast<u32>(sources.size());
    const States s{
        n,           count, distance_.data(), paths_.data(), exponent_.data(), carried_.data(), share_.data(), queue_.data(),
        fill_.data()};
    sources_.upload(sources);
    distance_.fill_bytes(0xFF);
    device::launch(device_, {each(count)}, start, s, sources_.data());
    std::vector<u32> starts = {0, count};  // of levels in the queue
    while (starts.back() > starts[starts.size() - 2]) {
      if (!request_.go_on(done)) return false;
      const u32 begin = starts[starts.size() - 2], end = starts.back(), level = static_cast<u32>(starts.size() - 1);
      device::launch(device_, {warps(end - begin)}, expand<Offset>, s, offsets_, request_.out.neighbors, begin, end, level);
      starts.push_back(fill_.value());
      if (starts.back() > end)
        device::launch(device_, {warps(starts.back() - end)}, count_paths<Offset>, s, in_offsets_, request_.in.neighbors, end,
                       starts.back(), level);
    }
    for (std::size_t level = starts.size() - 2; level-- > 0;)
      device::launch(device_, {warps(starts[level + 1] - starts[level])}, add_shares<Offset>, s, offsets_,
                     request_.out.neighbors, request_.is_target, starts[level], starts[level + 1], static_cast<u32>(level));
    if (request_.endpoints) ends_.fill_bytes(0);
    device::launch(device_, {each(n)}, add_up, s, request_.is_target, request_.vertex,
                   request_.endpoints ? ends_.data() : nullptr, most_paths_.data());
    if (request_.endpoints) device::launch(device_, {each(1)}, add_ends, s, sources_.data(), ends_.data(), request_.vertex);
    if (request_.arc)
      device::launch(device_, {warps(n)}, add_up_arcs<Offset>, s, offsets_, request_.out.neighbors, request_.arc);
    return true;
  }

  Device& device_;
  const BetweennessRequest& request_;
  const Offset *offsets_, *in_offsets_;
  std::size_t most_;
  Buffer<u32> distance_, exponent_, queue_, fill_, sources_, ends_;
  Buffer<double> paths_, carried_, share_;
  Buffer<u64> most_paths_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

BetweennessTally HW_ON_MACHINE(betweenness)(device::Device& device, const BetweennessRequest& request) {
  if (request.out.offsets64) return HW_MACHINE::Run(device, request, request.out.offsets64, request.in.offsets64).all();
  return HW_MACHINE::Run(device, request, request.out.offsets32, request.in.offsets32).all();
}

}  // namespace hopwave::inline v0_1::resident

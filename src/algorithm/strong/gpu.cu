// Strongly connected components on a device: vertices without arcs in or out are trimmed, then the component around one vertex
// is found by two searches (in deep graphs from all vertices that arcs both ways connect), then all others at once: the
// greatest number that reaches a vertex and the greatest that it reaches are spread along the arcs; where both are the same, it
// is of that vertex's component, and vertices that differ in one are in different components. Source: J. Alabandi, W. Sands, G.
// Biros, M. Burtscher, A high-performance algorithm for identifying strongly connected components on GPUs, SC 2023 (ECL-SCC:
// numbers spread both ways, arcs between different pairs dropped, pointer jumping); McLendon et al. 2005 (trimming); Fleischer
// et al. 2000 (forwards and backwards). Ours differs: numbers are mixed, so that ids in order make no long way; only vertices
// whose number has changed are looked at again; arcs are not removed, but compared.
#include <algorithm>
#include <array>

#include "algorithm/strong/gpu.h"
#include "algorithm/strong/strong_steps.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using namespace strong;
using device::Buffer;
using device::Device;

constexpr u32 threads = 256;
constexpr u64 rounds_a_launch = 1024;  ///< by one block, so that a call can end

template <class Offset>
class Run {
 public:
  Run(Device& device, const StrongRequest& request, const Offset* out_offsets, const Offset* in_offsets)
      : device_(device),
        request_(request),
        n_(request.out.num_vertices),
        numbers_(device, 2ull * n_),
        marks_(device, n_),
        stamps_(device, 2ull * n_),
        region_(device, n_),
        capacity_(2ull * n_ + 2 * request.out.num_arcs / piece_arcs),
        even_(device, capacity_),
        odd_(device, capacity_),
        counters_(device, strong::counters),
        rounds_{
            n_,        out_offsets,     in_offsets, request.out.neighbors, request.in.neighbors, {even_.data(), odd_.data()},
            capacity_, counters_.data()},
        s_{request.label, numbers_.data(), numbers_.data() + n_, marks_.data(), stamps_.data(), region_.data()} {}

  StrongTally all() {
    StrongTally tally;
    counters_.fill_bytes(0);
    start();
    device::launch(device_, {each()}, start_trimming<Offset>, rounds_, s_, round_);
    tally.complete = go(Trim{s_}, thresholds::Strong::device_trim_rounds) != End::asked && reach();
    for (; tally.complete && left_ > 0; ++tally.spreads) tally.complete = spread();
    tally.rounds = round_;
    return tally;
  }

 private:
  enum class End { nothing_left, too_many_rounds, asked };

  [[nodiscard]] device::LaunchShape each() const { return device::strided(device_, n_, threads, most_blocks()); }
  [[nodiscard]] u32 most_blocks() const { return 8 * static_cast<u32>(device_.properties().multiprocessors); }
  /// Entries of a round that one block takes, and its threads.
  [[nodiscard]] u64 small() const { return std::min<u64>(512, n_ / 8); }
  [[nodiscard]] u32 small_block() const {
    const u32 lanes = static_cast<u32>(device_.properties().lanes);
    return static_cast<u32>(std::clamp<u64>(n_ / 4 / lanes * lanes, lanes, 512));
  }
  [[nodiscard]] std::array<u64, strong::counters> look() const {
    std::array<u64, strong::counters> seen{};
    counters_.download(std::span<u64>(seen));
    return seen;
  }
  void set(u32 at, int byte) { device_.fill_bytes(counters_.data() + at, byte, sizeof(u64)); }

  /// All queues are empty from here on. Round numbers go on, since stamps have them.
  void start() {
    device_.fill_bytes(counters_.data(), 0, 3 * sizeof(u64));
    ++round_;
  }

  /// One round, or several small ones, of which the last is below `end`.
  template <class Visit>
  void step(const Visit& visit, u64 entries, u64 end) {
    if (entries <= small()) {
      device::launch(device_, {{1, small_block()}}, small_rounds<Offset, Visit>, rounds_, visit, round_,
                     std::min(end, round_ + rounds_a_launch), small());
    } else {
      const u64 lanes = static_cast<u64>(device_.properties().lanes);
      device::launch(device_, {device::strided(device_, entries * lanes, threads, most_blocks())}, one_round<Offset, Visit>,
                     rounds_, visit, round_);
    }
  }
  /// Entries of the round that comes next.
  u64 waiting() {
    const auto seen = look();
    round_ = std::max(round_, seen[round_at]);
    return seen[round_ % 3];
  }

  template <class Visit>
  End go(const Visit& visit, u64 most) {
    const u64 end = round_ + most;
    while (const u64 entries = waiting()) {
      if (round_ >= end) return End::too_many_rounds;
      if (!request_.go_on(n_ - left_, round_)) return End::asked;
      step(visit, entries, end);
    }
    return End::nothing_left;
  }

  bool reach() {
    bool reached = false;
    set(least_at, 0xFF);
    device::launch(device_, {each()}, choose_pivot, n_, s_, counters_.data() + pivot_at);
    const u64 pivot = look()[pivot_at];
    // A path without branches would take one round per vertex: spreading jumps along it.
    if (pivot >> 32 >= thresholds::Strong::device_least_ways) {
      start();
      device::launch(device_, {{1, static_cast<u32>(device_.properties().lanes)}}, start_reaching<Offset>, rounds_, s_, round_,
                     none - static_cast<u32>(pivot));
      const u64 most = std::clamp<u64>(n_ / thresholds::Strong::device_reach_part, thresholds::Strong::device_least_reach,
                                       thresholds::Strong::device_most_reach);
      End end = go(Reach{s_}, thresholds::Strong::device_early_rounds);
      if (end == End::too_many_rounds) {
        reach_from_set();
        end = go(Reach{s_}, most);
      }
      if (end == End::asked) return false;
      reached = end == End::nothing_left;
      if (reached) device::launch(device_, {each()}, find_least, n_, s_, counters_.data() + least_at);
    }
    device::launch(device_, {each()}, close_reached, n_, s_, reached, counters_.data() + least_at, counters_.data() + open_at);
    left_ = look()[open_at];
    return true;
  }

  /// A deep graph: the two searches begin with a whole set of vertices that arcs both ways connect, if there is a large one. In
  /// a net of streets, most of them for both directions, that is nearly all.
  void reach_from_set() {
    u32* const parent = stamps_.data();    // spreading fills the stamps
    u32* const members = numbers_.data();  // and the numbers; the pivot is chosen
    device::launch(device_, {each()}, begin_sets, n_, parent);
    device::launch(device_, {device::strided(device_, arc_threads(request_.out.num_arcs), threads, most_blocks())},
                   join_pairs<Offset>, rounds_, u64{request_.out.num_arcs}, parent);
    device::launch(device_, {each()}, forest::flatten, n_, parent);
    device_.fill_bytes(members, 0, n_ * sizeof(u32));
    device::launch(device_, {each()}, count_members, n_, s_, parent, members);
    set(pivot_at, 0);
    device::launch(device_, {each()}, choose_set, n_, members, counters_.data() + pivot_at);
    const u64 largest = look()[pivot_at];
    if (largest >> 32 < n_ / 16) return;  // the searches go on from the pivot
    start();
    device::launch(device_, {each()}, start_from_set<Offset>, rounds_, s_, round_, parent, none - static_cast<u32>(largest));
  }

  /// Closes one component at least of each region.
  bool spread() {
    start();
    device::launch(device_, {each()}, start_spreading<Offset>, rounds_, s_, round_);
    u64 next_jump = round_ + 8, apart = 8;
    while (u64 entries = waiting()) {
      if (!request_.go_on(n_ - left_, round_)) return false;
      if (round_ >= next_jump) {
        device::launch(device_, {each()}, jump_all<Offset>, rounds_, s_, round_);
        const u64 more = waiting();
        // Where jumps bring little, a wave is on its way that only arcs carry on.
        apart = more >= 2 * entries + left_ / 64 ? 8 : std::min<u64>(2 * apart, 4096);
        next_jump = round_ + apart;
        entries = more;
      }
      step(Spread{n_, s_}, entries, next_jump);
    }
    device::launch(device_, {each()}, forget_mates, n_, s_);
    device::launch(device_, {each()}, find_leasts, n_, s_);
    set(open_at, 0);
    device::launch(device_, {each()}, close_equal, n_, s_, counters_.data() + open_at);
    left_ = look()[open_at];
    return true;
  }

  Device& device_;
  const StrongRequest& request_;
  const u32 n_;
  Buffer<u32> numbers_, marks_, stamps_;
  Buffer<u64> region_;
  u64 capacity_;
  Buffer<Entry> even_, odd_;
  Buffer<u64> counters_;
  Rounds<Offset> rounds_;
  Vertices s_;
  u64 round_ = 0;
  u64 left_ = n_;  ///< vertices without a label
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

StrongTally HW_ON_MACHINE(label_strong)(device::Device& device, const StrongRequest& request) {
  if (request.out.num_vertices == 0) return {.complete = true};
  if (request.out.offsets64) return HW_MACHINE::Run(device, request, request.out.offsets64, request.in.offsets64).all();
  return HW_MACHINE::Run(device, request, request.out.offsets32, request.in.offsets32).all();
}

}  // namespace hopwave::inline v0_1::resident

// Shortest paths by the near-far method: memory, the beginning, launches. Compiled by nvcc, hipcc and, for the simulator, the
// host compiler. Source: A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for single-source
// shortest paths, IPDPS'14 (near-far pile, width from mean weight and degree); Merrill, Garland, Grimshaw, PPoPP'12 (arcs
// shared evenly); K. Wang, D. Fussell, C. Lin, A fast work-efficient SSSP algorithm for GPUs, PPoPP'21 (a width that is fitted
// during the search). Ours differs: all steps run in one launch, which chooses before each of them whether the grid or one
// block takes it; a mark with the step's number keeps a vertex from entering a queue twice; an arc and its weight are one
// access; distances are doubles.
#include <algorithm>
#include <string>
#include <vector>

#include "algorithm/sssp/gpu/near_far.h"
#include "algorithm/sssp/gpu/steps.h"
#include "algorithm/sssp/gpu/tree.h"
#include "bfs/plan/plan.h"
#include "bfs/plan/thresholds.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE {
namespace {

using device::Buffer;
using device::Device;
using namespace sssp;
using hopwave::sssp::Arcs;
using hopwave::sssp::Control;
using hopwave::sssp::NearFarOptions;

using ControlWords = sssp::Control;

/// Brings an arc's end and weight together.
template <class Weight, class Arc>
HW_KERNEL void pack_arcs(const u32* neighbors, const Weight* weights, u64 count, Arc* arcs) {
  for (u64 e = dev::global_thread(); e < count; e += dev::global_threads()) {
    Arc arc{};
    make_arc(arc, dev::read_only(&neighbors[e]), weights ? static_cast<double>(dev::read_only(&weights[e])) : 1.0);
    arcs[e] = arc;
  }
}

template <class Offset, class Arc>
HW_KERNEL void clear_vertices(NearFar<Offset, Arc> s) {
  for (u64 v = dev::global_thread(); v < s.num_vertices; v += dev::global_threads()) {
    s.distance[v] = infinite;
    s.queued[v] = s.piled[v] = 0;
  }
}

/// Puts the sources into the first queue. One warp.
template <class Offset, class Arc>
HW_KERNEL void add_sources(NearFar<Offset, Arc> s, const u32* sources, u32 count) {
  for (u32 i = 0; i < count; i += dev::lanes) {
    const u32 v = i + dev::lane() < count ? dev::read_only(&sources[i + dev::lane()]) : 0;
    bool first = i + dev::lane() < count;
    if (first) first = dev::exchange(&s.queued[v], 1u) != 1;
    if (first) dev::store(&s.distance[v], u64{0});
    append_near(s, 1, v, first);
  }
}

template <class Offset, class Arc>
class NearFarSearch final : public hopwave::sssp::Method {
 public:
  NearFarSearch(Device& device, const Arcs& arcs, const NearFarOptions& options)
      : device_(device),
        n_(arcs.num_vertices),
        options_(options),
        high_degree_(arcs.count() >= thresholds::Weighted::high_degree * n_),
        distance_(device, n_),
        queued_(device, n_),
        piled_(device, n_),
        control_(device, 1) {
    take_graph(arcs);
    for (auto& each : entries_) each = Buffer<Entry<Offset>>(device, n_);
    for (auto& each : far_) each = Buffer<u32>(device, n_);
    choose_shape();
  }

  void run(const WeightedQuery& query, const Control& control) override {
    if (n_ == 0) return;
    strategy::RunControl limits{.watch = control.watch};
    const engine::HaltGuard guard(halt_, device_, limits);
    const std::uint64_t launches = device_.launches(), round_trips = device_.round_trips();
    NearFar<Offset, Arc> s = state(query, limits.halt);
    device::Timer timer(device_);
    timer.start();
    begin(s, query);
    ControlWords words = launch_all(s, control);
    timer.stop();
    control.stats->work = timer.elapsed();
    control.stats->steps = words.progress.step - 1;
    control.stats->relaxations = words.progress.relaxed;
    control.stats->delta = options_.delta;
    control.stats->launches = device_.launches() - launches;
    control.stats->round_trips = device_.round_trips() - round_trips;
  }

  void fetch(std::span<double> distance) override {
    distance_.download(std::span(reinterpret_cast<u64*>(distance.data()), distance.size()));
  }

  bool fetch_parents(double bound, std::span<VertexId> parent) override {
    if (n_ == 0) return true;
    if (parent_.empty()) parent_ = Buffer<u32>(device_, n_);
    const NearFar<Offset, Arc> s = state({}, nullptr);
    device::launch(device_, {device::strided(device_, n_, 256, 4096)}, list_vertices<Offset, Arc>, s, parent_.data());
    const std::uint32_t blocks = std::min<std::uint32_t>(device::blocks_for(arcs_.size(), shape_.block), 8 * shape_.grid);
    device::launch(device_, {{.grid = blocks, .block = shape_.block}}, find_nearer_parents<Offset, Arc>, s, u64{arcs_.size()},
                   bits_of(bound), parent_.data());
    parent_.download(parent);
    return true;
  }

 private:
  void take_graph(const Arcs& arcs) {
    const EdgeIndex m = arcs.count();
    arcs_ = Buffer<Arc>(device_, m);
    if constexpr (sizeof(Offset) == sizeof(EdgeIndex)) {
      offsets_ = Buffer<Offset>(device_, std::span(arcs.offsets, n_ + std::size_t{1}));
    } else {
      const std::vector<Offset> narrow(arcs.offsets, arcs.offsets + n_ + 1);
      offsets_ = Buffer<Offset>(device_, std::span<const Offset>(narrow));
    }
    if (m == 0) return;
    const Buffer<u32> neighbors(device_, std::span<const u32>(arcs.neighbors, m));
    arcs.weights.with([&]<class Weight>(std::span<const Weight> values) {
      Buffer<Weight> weights;
      if (arcs.weighted()) weights = Buffer<Weight>(device_, values.first(m));
      device::launch(device_, {device::strided(device_, m, 256, 4096)}, pack_arcs<Weight, Arc>, neighbors.data(),
                     weights.data(), m, arcs_.data());
      device_.wait();
    });
  }

  /// One block per multiprocessor: more blocks cost more in the barrier after each step than they save.
  void choose_shape() {
    const device::Properties& p = device_.properties();
    const hopwave::sssp::NearFarTuning& tuning = options_.tuning;
    const auto lanes = static_cast<std::uint32_t>(p.lanes);
    const bool small = p.multiprocessors < 16;  // the simulator's device: few threads, or it takes long
    shape_.block = std::clamp(tuning.block ? tuning.block : small ? 2 * lanes : 512u, lanes, 512u) / lanes * lanes;
    shape_.cooperative = p.cooperative;
    const std::uint32_t most =
        p.cooperative ? device_.resident_grid(reinterpret_cast<const void*>(near_far<Offset, Arc>), shape_.block) : 1;
    const std::uint32_t wanted = tuning.grid ? tuning.grid : small ? 3 : static_cast<std::uint32_t>(p.multiprocessors);
    shape_.grid = std::clamp(wanted, 1u, std::max(most, 1u));
    if (shape_.grid == 1) shape_.cooperative = false;
  }

  NearFar<Offset, Arc> state(const WeightedQuery& query, const u32* halt) {
    const hopwave::sssp::NearFarTuning& tuning = options_.tuning;
    const u64 threads = u64{shape_.grid} * shape_.block;
    return {.num_vertices = n_,
            .offsets = offsets_.data(),
            .arcs = arcs_.data(),
            .distance = distance_.data(),
            .queued = queued_.data(),
            .piled = piled_.data(),
            .entries = {entries_[0].data(), entries_[1].data()},
            .far = {far_[0].data(), far_[1].data()},
            .control = control_.data(),
            .halt = halt,
            .target = query.target,
            .limit = bits_of(query.max_distance),
            .narrow = tuning.narrow ? tuning.narrow : thresholds::Weighted::near_far_narrow * shape_.block,
            .aim = tuning.aim             ? tuning.aim
                   : options_.fixed_delta ? 0
                   : high_degree_         ? thresholds::Weighted::near_far_aim * threads
                                          : std::max<u64>(threads / thresholds::Weighted::near_far_aim_part, 1),
            .narrowest = bits_of(options_.delta),
            .widest = bits_of(options_.delta * 4096),
            .steps = tuning.steps ? tuning.steps : thresholds::Weighted::near_far_steps};
  }

  void begin(const NearFar<Offset, Arc>& s, const WeightedQuery& query) {
    ControlWords words{};
    for (Counters& turn : words.turn) turn.far_low = infinite;
    words.progress = {
        .threshold = bits_of(options_.delta), .delta = bits_of(options_.delta), .step = 1, .epoch = 1, .began = 1};
    control_.upload(std::span(&words, 1));
    if (query.sources.size() > sources_.size()) sources_ = Buffer<u32>(device_, query.sources.size());
    sources_.upload(query.sources);
    device::launch(device_, {device::strided(device_, n_, 256, 4096)}, clear_vertices<Offset, Arc>, s);
    device::launch(device_, {{.grid = 1, .block = static_cast<std::uint32_t>(device_.properties().lanes)}},
                   add_sources<Offset, Arc>, s, sources_.data(), static_cast<u32>(query.sources.size()));
  }

  /// One launch, unless it takes very many steps.
  ControlWords launch_all(const NearFar<Offset, Arc>& s, const Control& control) {
    ControlWords words{};
    for (;;) {
      device::launch(device_, {shape_}, near_far<Offset, Arc>, s);
      control_.download(std::span(&words, 1));
      control.step_done(words.progress.step - 1, words.progress.relaxed);
      if (words.progress.done) return words;
      if (words.progress.halted)  // the watch was not over when it was asked just now, but the timer's thread was quicker
        control.watch->fail("the search ended after " + std::to_string(words.progress.step - 1) + " steps");
    }
  }

  Device& device_;
  u32 n_;
  NearFarOptions options_;
  bool high_degree_;
  device::LaunchShape shape_;
  Buffer<Offset> offsets_;
  Buffer<Arc> arcs_;
  Buffer<u64> distance_;
  Buffer<u32> queued_, piled_, sources_, parent_;
  Buffer<Entry<Offset>> entries_[2];
  Buffer<u32> far_[2];
  Buffer<ControlWords> control_;
  engine::HaltWord halt_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::sssp {

std::unique_ptr<Method> HW_ON_MACHINE(make_near_far)(device::Device& device, const Arcs& arcs, const NearFarOptions& options) {
  if (arcs.num_vertices > HW_MACHINE::sssp::most_vertices || arcs.count() > HW_MACHINE::sssp::most_arcs)
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-SSSP-SIZE",
                 .found = std::to_string(arcs.num_vertices) + " vertices and " + std::to_string(arcs.count()) + " arcs",
                 .expected = "fewer than 2^31 vertices and 2^33 arcs on one GPU",
                 .hint = "--device cpu"});
  const bool narrow_offsets = arcs.count() <= HW_MACHINE::sssp::most_narrow_arcs && !options.tuning.wide_offsets;
  const auto make = [&]<class Arc>(Arc) -> std::unique_ptr<Method> {
    if (narrow_offsets) return std::make_unique<HW_MACHINE::NearFarSearch<std::uint32_t, Arc>>(device, arcs, options);
    return std::make_unique<HW_MACHINE::NearFarSearch<std::uint64_t, Arc>>(device, arcs, options);
  };
  return options.float_weights ? make(std::uint64_t{}) : make(HW_MACHINE::sssp::WideArc{});
}

}  // namespace hopwave::sssp

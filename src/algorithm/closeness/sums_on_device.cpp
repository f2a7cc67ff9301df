// Sums of distances to pivots on devices: 24 bytes per vertex on each, copied in and out once.
//
// Several devices: each adds the rows that it has found to sums of its own. Integers and least values are put together at the
// end. Sums of doubles depend on the order of their additions, which is that of the pivots, so there is one array of them. The
// device that adds next copies it from the device that added last, directly, or by way of the host where the two cannot reach
// each other. The calling thread starts the additions in the order of the pivots, so that the sums are at any time those that
// one device would have.
#include "algorithm/closeness/sums_on_device.h"

#include <string>
#include <utility>
#include <vector>

#include "algorithm/closeness/pivot_sums.h"
#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "device/peer_buffer.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {
namespace {

template <class T>
void bring(const device::Buffer<T>& from, Array<T>& to) {
  if (to.empty()) to = Array<T>(from.size());
  from.download(to.span());
}

/// to[v] = join(to[v], from[v]).
template <class T, class Join>
void bring_joined(Team& team, const device::Buffer<T>& from, Array<T>& to, const Join& join) {
  Array<T> further;
  bring(from, further);
  parallel_for(team, to.size(), thresholds::Cpu::fill_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) to[v] = join(to[v], further[v]);
  });
}

}  // namespace

/// The sums of what one device has found.
struct SumsOnDevice::Part {
  explicit Part(Searcher::State& s) : state(s) {}
  /// `for_peers`: other devices are to read the sums of doubles.
  void take(bool for_peers) {
    device::Device& device = *state.device;
    const device::KeepCurrent keep(device);
    const std::size_t n = state.num_vertices;
    met = device::Buffer<std::uint32_t>(device, n);
    sum = device::Buffer<std::uint64_t>(device, n);
    longest = device::Buffer<Distance>(device, n);
    if (for_peers) {
      shared = device::PeerBuffer(device, n * sizeof(double));
      inverse_sum = device::Buffer<double>::borrowed(device, reinterpret_cast<double*>(shared.data()), n);
    } else {
      inverse_sum = device::Buffer<double>(device, n);
    }
  }
  ~Part() {
    const device::KeepCurrent keep(*state.device);
    met.reset();
    sum.reset();
    longest.reset();
    inverse_sum.reset();
    shared = {};
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  [[nodiscard]] const device::Api& api() const { return state.device->api(); }
  [[nodiscard]] resident::PivotSumsThere there() const { return {met.data(), sum.data(), inverse_sum.data(), longest.data()}; }

  Searcher::State& state;
  device::Buffer<std::uint32_t> met;
  device::Buffer<std::uint64_t> sum;
  device::Buffer<Distance> longest;
  device::PeerBuffer shared;           ///< the memory of `inverse_sum`, if other devices can read it
  device::Buffer<double> inverse_sum;  ///< of all devices, on the one that added last
};

class SumsOnDevice::Memory {
 public:
  explicit Memory(const Searcher& searcher) : use(searcher.state_) {
    states_.push_back(&*use);
    for (const auto& replica : use->replicas) states_.push_back(replica.get());
  }
  /// Copies between devices may be under way where an error has ended the run.
  ~Memory() {
    for (const auto& part : parts_) {
      const device::KeepCurrent keep(*part->state.device);
      static_cast<void>(part->state.device->api().stream_wait(part->state.device->stream()));
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void take() {
    by_peers_ = reach_each_other();
    for (Searcher::State* state : states_) {
      parts_.push_back(std::make_unique<Part>(*state));
      parts_.back()->take(by_peers_);
    }
    if (several() && !by_peers_) through_ = Array<double>(use->num_vertices);
  }
  /// The first device goes on from `sums`, the others begin.
  void begin(const PivotSums& sums) {
    for (const auto& part : parts_) {
      const device::KeepCurrent keep(*part->state.device);
      if (part == parts_[0] && !sums.met.empty()) {
        part->met.upload(sums.met.span());
        part->sum.upload(sums.sum.span());
        part->inverse_sum.upload(sums.inverse_sum.span());
        part->longest.upload(sums.longest.span());
      } else {
        resident::begin_pivot_sums(part->api())(*part->state.device, part->there(), use->num_vertices,
                                                longest_of_any(use->num_vertices));
      }
    }
    last_ = parts_[0].get();
    if (!through_.empty()) last_->inverse_sum.download(through_.span());
    if (by_peers_) last_->state.device->wait();  // others read it
  }
  /// With the state's device as the current one, which does nothing else meanwhile.
  void add(Searcher::State& state, const device::DeviceRows& rows, std::span<const Distance> beyond) {
    Part& part = **std::ranges::find_if(parts_, [&](const auto& each) { return &each->state == &state; });
    if (&part != last_) take_over(part);
    resident::add_to_pivot_sums(part.api())(*state.device, rows, beyond, use->num_vertices, part.there());
    if (!through_.empty()) part.inverse_sum.download(through_.span());
    if (by_peers_) state.device->wait();  // what it has added must be there for the device that adds next
  }
  void bring(PivotSums& sums) const {
    for (const auto& part : parts_) {
      const device::KeepCurrent keep(*part->state.device);
      if (part.get() == last_) search_detail::bring(part->inverse_sum, sums.inverse_sum);
      if (part == parts_[0]) {
        search_detail::bring(part->met, sums.met);
        search_detail::bring(part->sum, sums.sum);
        search_detail::bring(part->longest, sums.longest);
      } else {
        bring_joined(use->team, part->met, sums.met, std::plus());
        bring_joined(use->team, part->sum, sums.sum, std::plus());
        bring_joined(use->team, part->longest, sums.longest, [](Distance a, Distance b) { return std::min(a, b); });
      }
    }
  }
  [[nodiscard]] const std::vector<Searcher::State*>& states() const { return states_; }

  const Searcher::Use use;  // before the memory of its devices

 private:
  [[nodiscard]] bool several() const { return states_.size() > 1; }

  /// May every device read of every other one? Not from the caller's memory.
  [[nodiscard]] bool reach_each_other() const {
    if (!several() || use->num_vertices == 0 || use->options.run.on.memory) return false;
    for (const Searcher::State* one : states_)
      for (const Searcher::State* other : states_)
        if (one != other && !one->device->can_reach(*other->device)) return false;
    for (Searcher::State* one : states_) {
      const device::KeepCurrent keep(*one->device);
      for (const Searcher::State* other : states_)
        if (one != other) try {
            one->device->reach(*other->device);
          } catch (const Error&) {  // some GPUs reach no more than eight others
            return false;
          }
    }
    return true;
  }
  /// The array that goes from device to device. It is not written while it is copied: the device that added last adds again
  /// only after it has taken it over.
  void take_over(Part& part) {
    device::Device& device = *part.state.device;
    if (by_peers_)
      device.copy(part.inverse_sum.data(), last_->inverse_sum.data(), part.inverse_sum.size() * sizeof(double));
    else
      part.inverse_sum.upload(through_.span());
    last_ = &part;
  }

  std::vector<Searcher::State*> states_;
  std::vector<std::unique_ptr<Part>> parts_;  ///< a state each
  Part* last_ = nullptr;                      ///< that has added
  bool by_peers_ = false;
  Array<double> through_;  ///< what goes round, where it does so by way of the host
};

SumsOnDevice::SumsOnDevice(std::unique_ptr<Memory> memory) : memory_(std::move(memory)) {}
SumsOnDevice::~SumsOnDevice() = default;

std::unique_ptr<SumsOnDevice> SumsOnDevice::make(const Searcher& searcher, const PivotSums& sums) {
  auto memory = std::make_unique<Memory>(searcher);
  for (const Searcher::State* state : memory->states())
    if (!state->leaves_answer()) return nullptr;
  try {
    memory->take();
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
    memory->use->noted->push_back("adding up distances on the host: " + e.parts().found);
    return nullptr;
  }
  memory->begin(sums);
  return std::unique_ptr<SumsOnDevice>(new SumsOnDevice(std::move(memory)));
}

void SumsOnDevice::run(std::span<const VertexId> pivots, PivotSums& sums, const std::function<Distance(Distance)>& beyond,
                       const std::function<void(const SearchReport&)>& done) {
  Searcher::State& state = *memory_->use;
  const core::Watch watch(state.options.run.limits);
  sums.pivot.reserve(sums.pivot.size() + pivots.size());  // so that nothing fails once a pass is added
  const auto add = [&](Searcher::State& on, const device::DeviceRows& rows, std::span<const LevelCounts> counts) {
    std::vector<Distance> of;
    for (const LevelCounts& each : counts) of.push_back(beyond(each.depth()));
    memory_->add(on, rows, of);
    for (const LevelCounts& each : counts) sums.pivot.push_back(source_distances(each));
  };
  state.replicas.empty() ? state.visit_each(pivots, watch, add, done) : state.deal_visits(pivots, watch, add, done);
}

void SumsOnDevice::bring(PivotSums& sums) const { memory_->bring(sums); }

}  // namespace hopwave::search_detail

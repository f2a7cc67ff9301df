// Sums of distances to pivots on a device: 24 bytes a vertex there, copied in and out once.
#include "search/sums_on_device.h"

#include <utility>
#include <vector>

#include "hopwave/error.h"
#include "search/searcher.h"

namespace hopwave::search_detail {
namespace {

template <class T>
void bring(const device::Buffer<T>& from, Array<T>& to) {
  if (to.empty()) to = Array<T>(from.size());
  from.download(to.span());
}

}  // namespace

struct SumsOnDevice::Memory {
  explicit Memory(const Searcher& searcher) : use(searcher.state_) {}

  void take() {
    device::Device& device = *use->device;
    const std::size_t n = use->num_vertices;
    met = device::Buffer<std::uint32_t>(device, n);
    sum = device::Buffer<std::uint64_t>(device, n);
    inverse_sum = device::Buffer<double>(device, n);
    longest = device::Buffer<Distance>(device, n);
  }
  [[nodiscard]] const resident::Machine& machine() const { return resident::machine(use->device->api()); }
  [[nodiscard]] resident::PivotSumsThere there() const { return {met.data(), sum.data(), inverse_sum.data(), longest.data()}; }

  const Searcher::Use use;  // before the memory of its device
  device::Buffer<std::uint32_t> met;
  device::Buffer<std::uint64_t> sum;
  device::Buffer<double> inverse_sum;
  device::Buffer<Distance> longest;
};

SumsOnDevice::SumsOnDevice(std::unique_ptr<Memory> memory) : memory_(std::move(memory)) {}
SumsOnDevice::~SumsOnDevice() = default;

std::unique_ptr<SumsOnDevice> SumsOnDevice::make(const Searcher& searcher, const PivotSums& sums) {
  auto memory = std::make_unique<Memory>(searcher);
  Searcher::State& state = *memory->use;
  if (!state.leaves_answer()) return nullptr;
  if (!state.replicas.empty()) {
    state.noted->push_back("adding up distances on the host, as several devices find them; one device alone is faster");
    return nullptr;
  }
  try {
    memory->take();
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
    state.noted->push_back("adding up distances on the host: " + e.parts().found);
    return nullptr;
  }
  if (sums.met.empty()) {
    memory->machine().begin_pivot_sums(*state.device, memory->there(), state.num_vertices, longest_of_any(state.num_vertices));
  } else {
    memory->met.upload(sums.met.span());
    memory->sum.upload(sums.sum.span());
    memory->inverse_sum.upload(sums.inverse_sum.span());
    memory->longest.upload(sums.longest.span());
  }
  return std::unique_ptr<SumsOnDevice>(new SumsOnDevice(std::move(memory)));
}

void SumsOnDevice::run(std::span<const VertexId> pivots, PivotSums& sums, const std::function<Distance(Distance)>& beyond,
                       const std::function<void(const RunStats&)>& done) {
  Searcher::State& state = *memory_->use;
  const core::Watch watch(state.options.limits);
  sums.pivot.reserve(sums.pivot.size() + pivots.size());  // so that nothing fails once a pass is added
  const auto add = [&](const device::DeviceRows& rows, std::span<const LevelCounts> counts) {
    std::vector<Distance> of;
    for (const LevelCounts& each : counts) of.push_back(beyond(each.depth()));
    memory_->machine().add_to_pivot_sums(*state.device, rows, of, state.num_vertices, memory_->there());
    for (const LevelCounts& each : counts) sums.pivot.push_back(source_distances(each));
  };
  state.visit_each(pivots, watch, add, done);
}

void SumsOnDevice::bring(PivotSums& sums) const {
  search_detail::bring(memory_->met, sums.met);
  search_detail::bring(memory_->sum, sums.sum);
  search_detail::bring(memory_->inverse_sum, sums.inverse_sum);
  search_detail::bring(memory_->longest, sums.longest);
}

}  // namespace hopwave::search_detail

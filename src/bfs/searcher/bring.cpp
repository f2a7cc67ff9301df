// Copies answers to the host: through pinned memory, with their sums computed on the device, so that the host reads no distance
// and a caller waits for the bus only.
#include <algorithm>
#include <cstring>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "bfs/searcher/trim.h"
#include "core/stopwatch.h"
#include "device/result_memory.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;
using device::Pin;

using thresholds::AnyDevice;

template <class T>
Array<T> array_in(std::shared_ptr<void> memory, std::size_t at, std::size_t size) {
  T* const data = static_cast<T*>(memory.get()) + at;
  return Array<T>(std::move(memory), data, size);
}

void take_sums(const device::AnswerSums& sums, Result& result) {
  result.reached = sums.reached;
  result.depth = static_cast<Distance>(sums.depth);
}

/// Some results of a pass that are copied into one block of memory; the first result begins at its value `begin`.
struct Slab {
  std::shared_ptr<void> memory;
  std::size_t begin = 0, first = 0, count = 0, stride = 0;
  core::Stopwatch since;
  device::Event* arrived = nullptr;
};

}  // namespace

void Searcher::State::sum_later(const device::DeviceRows& rows, std::size_t at) {
  if (!sums_here.data()) sums_here = device::HostValue<std::array<resident::AnswerSums, engine::MsBfsCpu::width>>(*device);
  if (sums.empty()) sums = device::Buffer<resident::AnswerSums>(*device, sums_here.data()->size());
  resident::sum_answers(device->api())(*device, rows, num_vertices, sums.data() + at);
  device->copy_out_later(sums_here.data()->data() + at, sums.data() + at, rows.count * sizeof(resident::AnswerSums));
}

/// Eight small copies, or two large ones. A caller that says `result = …` in a loop still holds one result when the next search
/// begins, but not the one before.
Pin Searcher::State::pin_for(std::size_t bytes) const {
  const std::uint64_t saves =
      bytes >= AnyDevice::fast_pin_bytes ? AnyDevice::searches_before_fast_pinning : AnyDevice::searches_before_pinning;
  return searches >= saves && results_given[1].expired() ? Pin::anew : Pin::if_kept;
}

Searcher::State::Arrival::Arrival(State& state, bool parents) : s_(state), parents_(parents) {
  if (!s_.device || s_.num_vertices == 0) return;
  const bool first = s_.searches == 0;
  const std::size_t bytes = s_.num_vertices * sizeof(Distance);
  if (bytes <= AnyDevice::small_answer_bytes) {
    if (!s_.small_answer.data() && !first) s_.small_answer = device::HostValue<SmallAnswer>(*s_.device);
    small_ = s_.small_answer.data();
    return;
  }
  pin_ = s_.pin_for(bytes);
}

Searcher::State::Arrival::~Arrival() {
  if (under_way_) (void)s_.device->api().stream_wait(s_.device->stream());
}

void Searcher::State::Arrival::start(const device::DeviceAnswer& answer) {
  const std::size_t bytes = s_.num_vertices * sizeof(Distance);
  if (!small_ && pin_) {
    distances_ = device::take_result_memory(*s_.device, bytes, *pin_);
    if (distances_ && parents_) tree_ = device::take_result_memory(*s_.device, bytes, *pin_);
    pin_.reset();
  }
  if (!small_ && (!distances_ || (parents_ && !tree_))) return;
  if (!answer.distance || (parents_ && !answer.parent)) return;
  if (!s_.arrived) s_.arrived = std::make_unique<device::Event>(*s_.device);
  under_way_ = true;
  s_.device->copy_out_later(small_ ? small_->distance : distances_.get(), answer.distance, bytes);
  if (parents_) s_.device->copy_out_later(small_ ? small_->parent : tree_.get(), answer.parent, bytes);
  s_.arrived->record();
}

Searcher::State::Brought Searcher::State::Arrival::finish(bool whole, Result& result) {
  if (!s_.device) return Brought::nothing;
  const device::DeviceAnswer answer = s_.plan->answer();
  if (!under_way_) start(answer);
  if (!under_way_) return Brought::nothing;
  const bool add_up = whole && !answer.sums && !small_;
  if (add_up) s_.sum_later({answer.distance, s_.num_vertices, 1});
  add_up ? s_.device->wait() : s_.arrived->wait();
  under_way_ = false;
  const std::size_t n = s_.num_vertices;
  if (!small_) s_.gave(distances_);
  result.distance = small_ ? Array<Distance>::copy_of({small_->distance, n}) : array_in<Distance>(std::move(distances_), 0, n);
  if (parents_)
    result.parent = small_ ? Array<VertexId>::copy_of({small_->parent, n}) : array_in<VertexId>(std::move(tree_), 0, n);
  if (!whole || (!answer.sums && !add_up)) return Brought::arrays;
  take_sums(add_up ? s_.sums_now() : *answer.sums, result);
  return Brought::sums;
}

HostRows Searcher::State::host_rows(std::size_t count, std::size_t value_bytes) {
  std::size_t values = 0;
  if (__builtin_mul_overflow(count, std::size_t{num_vertices}, &values)) values = ~std::size_t{0};  // refused below
  HostRows rows;
  // Pinning takes longer than the page faults that it saves, so it pays for memory that comes back. A caller that says
  // `rows = …` in a loop still holds the rows of one call when the next begins, but not those of the call before.
  const bool come_back = rows_calls == 2 && rows_given[1].expired();
  if (device && values < (~std::size_t{0} >> 8) && values * value_bytes > AnyDevice::small_answer_bytes)
    rows.memory = device::take_result_memory(*device, values * value_bytes, come_back ? Pin::to_keep : Pin::if_kept);
  rows.pinned = rows.memory != nullptr;
  if (!rows.memory) rows.memory = detail::allocate_values(values, value_bytes);
  rows_given[1] = std::exchange(rows_given[0], rows.memory);
  rows_calls = std::min(rows_calls + 1, 2);
  return rows;
}

void Searcher::State::bring_each(std::size_t count, bool whole, const std::function<void(std::size_t, Result&&)>& give,
                                 const HostRows& to) {
  const auto row = [&](std::size_t i) {
    return to.memory ? array_in<Distance>(to.memory, to.begin + i * std::size_t{num_vertices}, num_vertices)
                     : Array<Distance>(num_vertices);
  };
  const auto one = [&](std::size_t i) {
    Result result;
    const core::Stopwatch copying;
    result.distance = row(i);
    device ? plan->fetch_each(i, result.distance.span()) : ms_bfs_cpu->fetch(i, result.distance.span());
    result.run.copy_out = copying.elapsed();
    if (whole) trim_and_count(team, {}, result);
    give(i, std::move(result));
  };
  const auto arrive = [&](Slab& slab) {
    slab.arrived->wait();
    const auto memory = std::move(slab.memory);
    const Milliseconds copy_out = slab.since.elapsed() / static_cast<double>(slab.count);
    for (std::size_t k = 0; k < slab.count; ++k) {
      Result result;
      result.distance = array_in<Distance>(memory, slab.begin + k * slab.stride, num_vertices);
      result.run.copy_out = copy_out;
      if (whole) take_sums(sums_now(slab.first + k), result);
      give(slab.first + k, std::move(result));
    }
  };
  if (!device || num_vertices == 0 || num_vertices * sizeof(Distance) * count <= AnyDevice::small_answer_bytes) {
    for (std::size_t i = 0; i < count; ++i) one(i);
    return;
  }
  device::Event events[2] = {device::Event(*device), device::Event(*device)};
  Slab slabs[2];
  UnderWay copies(*device);
  int turn = 0;
  std::size_t summed = 0;  // searches whose distances are added up, all that are there in one launch
  for (std::size_t i = 0; i < count; turn ^= 1) {
    device::DeviceRows rows = plan->each_rows(i);
    if (whole && rows.count && i == summed) {
      rows.count = std::min(rows.count, count - i);
      sum_later(rows, i);
      summed += rows.count;
    }
    const std::size_t row_bytes = rows.stride * sizeof(Distance);
    rows.count = std::min({rows.count, count - i, row_bytes ? std::max<std::size_t>(AnyDevice::slab_bytes / row_bytes, 1) : 0});
    Slab& slab = slabs[turn] = {.first = i, .count = rows.count, .stride = rows.stride, .arrived = &events[turn]};
    // Rows without gaps on both sides come in one copy, large ones in one each; small ones are copied once more on the host.
    const bool straight = to.pinned && (rows.stride == num_vertices || row_bytes > AnyDevice::small_answer_bytes);
    if (straight && rows.count) {
      slab.memory = to.memory;
      slab.begin = to.begin + i * std::size_t{num_vertices};
      slab.stride = num_vertices;
    } else if (rows.count) {
      slab.memory = device::take_result_memory(*device, rows.count * row_bytes, Pin::anew);
    }
    if (slab.memory) {
      const std::size_t at_once = slab.stride == rows.stride ? rows.count : 1;  // rows a copy
      for (std::size_t k = 0; k < rows.count; k += at_once)
        device->copy_out_later(static_cast<Distance*>(slab.memory.get()) + slab.begin + k * slab.stride,
                               rows.first + k * rows.stride, ((at_once - 1) * rows.stride + num_vertices) * sizeof(Distance));
      slab.arrived->record();
      i += rows.count;
    }
    if (slabs[turn ^ 1].memory) arrive(slabs[turn ^ 1]);  // while this one is on its way
    if (!slab.memory) one(i++);
  }
  if (slabs[turn ^ 1].memory) arrive(slabs[turn ^ 1]);
  copies.ended();
}

}  // namespace hopwave::inline v0_1

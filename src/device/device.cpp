// Device: every call counted, checked and turned into an Error with its place; destructors never throw.
// A sticky error (an illegal address, say) spoils the device for the whole process: said once, and the device left alone.
#include "device/device.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/bytes_text.h"
#include "hopwave/error.h"

namespace hopwave::device {

namespace {
#ifdef HOPWAVE_CHECKS
constexpr bool checked_kernels = true;
#else
constexpr bool checked_kernels = false;
#endif

Place place(const SourceLocation& where) { return {.file = where.file_name(), .line = where.line()}; }

}  // namespace

void KeepCurrent::go_to(int index) noexcept {
  if (!api_ || api_->current(&before_) != 0 || (before_ != index && api_->use(index) != 0)) api_ = nullptr;
}
KeepCurrent::KeepCurrent(const Device& device) noexcept : api_(&device.api_) { go_to(device.index_); }
KeepCurrent::KeepCurrent(const Device* device) noexcept : api_(device ? &device->api_ : nullptr) {
  if (device) go_to(device->index_);
}
KeepCurrent::~KeepCurrent() {
  int now = before_;
  if (api_ && api_->current(&now) == 0 && now != before_) api_->use(before_);
}

Device::Device(const Api& api, const DeviceOptions& options)
    : api_(api), index_(options.ordinal), memory_(options.memory), limits_(find_architecture(options.limits_of)) {
  const int index = index_;
  int count = 0;
  const Status status = api_.device_count(&count);
  if (status != 0 || index < 0 || index >= count)
    throw Error({.failure = Failure::device,
                 .id = "HW-DEVICE-NONE",
                 .found = status != 0 ? std::string("no usable ") + api_.name + " device: " + api_.message(status)
                                      : std::to_string(count) + " " + api_.name + (count == 1 ? " device" : " devices") +
                                            ", device " + std::to_string(index) + " wanted",
                 .hint = count > 0
                             ? "devices are numbered from 0 on"
                             : "run without a GPU with --device cpu or --device sim; `hopwave doctor` prints what is missing"});
  check(api_.use(index_));
  check(api_.properties(index_, &properties_));
  if (limits_) limit(properties_, *limits_);
  open(options.stream);
}

Device::Device(const Device& other, std::uint64_t number)
    : api_(other.api_), index_(other.index_), memory_(other.memory_), properties_(other.properties_), limits_(other.limits_) {
  open(nullptr);
  if (!other.schedule_) return;
  Schedule schedule = *other.schedule_;
  schedule.seed += number;
  set_schedule(schedule);
}

void Device::open(StreamHandle adopted) {
  own_stream_ = !adopted;
  check(adopted ? api_.stream_adopt(&stream_, adopted) : api_.stream_create(&stream_));
  if (limits_ && api_.limit_shared) api_.limit_shared(stream_, properties_.shared_per_block);
}

Device Device::another_stream() { return Device(*this, ++streams_); }

void Device::take_account_of(Device& other) noexcept {
  launches_ += std::exchange(other.launches_, 0);
  round_trips_ += std::exchange(other.round_trips_, 0);
  allocations_ += std::exchange(other.allocations_, 0);
  const auto threads = [](const std::pair<std::uint32_t, std::uint32_t>& shape) {
    return std::uint64_t{shape.first} * shape.second;
  };
  if (threads(other.largest_) > threads(largest_)) largest_ = other.largest_;
  other.forget_largest();
}

Device::~Device() {
  if (lost_ || !stream_) return;
  const KeepCurrent keep(*this);
  api_.stream_wait(stream_);
  api_.stream_destroy(stream_);
}

void Device::check(Status status, const SourceLocation& where) const {
  if (status == 0) return;
  if (api_.is_out_of_memory(status)) no_memory(0, where);
  if (api_.is_sticky(status)) {
    lost_ = true;
    throw Error(
        {.failure = Failure::device,
         .id = "HW-DEVICE-LOST",
         .where = place(where),
         .found =
             std::string("the ") + api_.name + " device failed and is of no more use to this process: " + api_.message(status),
         .hint = checked_kernels ? "a kernel's check may have failed: its place was written to standard error; please report it"
                                 : "start again; if it comes back, run under compute-sanitizer and report it"});
  }
  throw Error({.failure = Failure::device,
               .id = "HW-DEVICE-CALL",
               .where = place(where),
               .found = std::string(api_.name) + " call failed: " + api_.message(status)});
}

void Device::no_memory(std::size_t bytes, const SourceLocation& where) const {
  std::uint64_t free = 0, total = 0;
  const bool known = api_.memory(&free, &total) == 0;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-DEVICE-MEMORY",
               .where = place(where),
               .found = (bytes ? bytes_text(bytes) + " of device memory wanted" : std::string("out of device memory")) +
                        (known ? ", " + bytes_text(free) + " of " + bytes_text(total) + " free" : std::string()),
               .hint = "use a smaller graph, a strategy with fewer arrays (`hopwave estimate`), or --device cpu"});
}

void Device::begin_call(const SourceLocation& where, bool allocates) {
  count_call(where, allocates);
  closed_ = nullptr;
  if (Timer* timer = std::exchange(opening_, nullptr)) check(api_.event_record(timer->from_, stream_), where);
}

void Device::count_call(const SourceLocation& where, bool allocates) {
  if (lost_)
    throw Error({.failure = Failure::device,
                 .id = "HW-DEVICE-LOST",
                 .where = place(where),
                 .found = "an earlier failure took the device away from this process",
                 .hint = "start again"});
  if (++calls_ != fail_at_) return;
  if (allocates)
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-DEVICE-MEMORY",
                 .where = place(where),
                 .found = "device memory refused on a test's request"});
  throw Error({.failure = Failure::device,
               .id = "HW-DEVICE-CALL",
               .where = place(where),
               .found = "device call failed on a test's request"});
}

std::uint64_t Device::memory_free() const {
  std::uint64_t free = 0, total = 0;
  check(api_.memory(&free, &total));
  return free;
}

void* Device::allocate(std::size_t bytes, const SourceLocation& where) {
  begin_call(where, true);
  void* p = nullptr;
  if (memory_) {
    try {
      p = memory_->allocate(bytes, native_stream());
      if (p) sizes_[p] = bytes;
    } catch (const std::bad_alloc&) {  // of the resource, which has taken nothing then, or of the map
      if (p) memory_->deallocate(p, bytes, native_stream());
      p = nullptr;
    }
    if (!p)
      throw Error({.failure = Failure::does_not_fit,
                   .id = "HW-DEVICE-MEMORY",
                   .where = place(where),
                   .found = bytes_text(bytes) + " of device memory wanted, which the caller's DeviceMemory refused",
                   .hint = "give it more, or use a smaller graph or a strategy with fewer arrays (`hopwave estimate`)"});
    if (api_.taken) api_.taken(p, bytes, stream_);
    ++allocations_;
    return p;
  }
  const Status status = api_.allocate(&p, bytes, stream_);
  if (status != 0 && api_.is_out_of_memory(status)) no_memory(bytes, where);
  check(status, where);
  ++allocations_;
  return p;
}

void Device::release(void* p) noexcept {
  if (!p) return;
  if (memory_) {
    const auto at = sizes_.find(p);
    if (api_.given_back) api_.given_back(p, stream_);
    memory_->deallocate(p, at->second, native_stream());
    sizes_.erase(at);
    return;
  }
  if (!lost_) api_.release(p, stream_);
}

void* Device::allocate_pinned(std::size_t bytes, const SourceLocation& where) {
  begin_call(where, true);
  void* p = nullptr;
  check(api_.allocate_pinned(&p, bytes), where);
  ++allocations_;
  return p;
}

void Device::release_pinned(void* p) noexcept {
  if (!p || lost_) return;
  if (api_.stream_wait(stream_) == 0) api_.release_pinned(p);  // a launch may still write there
}

void* Device::pin(std::size_t bytes, const SourceLocation& where) {
  begin_call(where);
  void* p = nullptr;
  const Status status = api_.allocate_pinned(&p, bytes);
  if (status == 0) return p;
  if (!api_.is_out_of_memory(status)) check(status, where);
  return nullptr;
}

void* Device::allocate_for_peers(std::size_t bytes, const SourceLocation& where) {
  begin_call(where, true);
  void* p = nullptr;
  const Status status = api_.allocate_for_peers(&p, bytes, stream_);
  if (status != 0 && api_.is_out_of_memory(status)) no_memory(bytes, where);
  check(status, where);
  ++allocations_;
  return p;
}

void Device::release_for_peers(void* p) noexcept {
  if (p && !lost_) api_.release_for_peers(p, stream_);
}

bool Device::can_reach(const Device& peer) const {
  if (&api_ != &peer.api_ || index_ == peer.index_ || !api_.can_reach) return false;
  bool can = false;
  check(api_.can_reach(&can, index_, peer.index_));
  return can;
}

void Device::reach(const Device& peer, const SourceLocation& where) {
  begin_call(where);
  check(api_.reach(peer.index_), where);
}

void Device::copy_in(void* to, const void* from, std::size_t bytes, const SourceLocation& where) {
  begin_call(where);
  check(api_.copy_in(to, from, bytes, stream_), where);
}

void Device::copy_out(void* to, const void* from, std::size_t bytes, const SourceLocation& where) {
  begin_call(where);
  ++round_trips_;
  check(api_.copy_out(to, from, bytes, stream_), where);
  check(api_.stream_wait(stream_), where);
}

void Device::copy_out_later(void* pinned, const void* from, std::size_t bytes, const SourceLocation& where) {
  begin_call(where);
  check(api_.copy_out_pinned(pinned, from, bytes, stream_), where);
}

void Device::copy(void* to, const void* from, std::size_t bytes, const SourceLocation& where) {
  begin_call(where);
  check(api_.copy(to, from, bytes, stream_), where);
}

void Device::fill_bytes(void* p, int byte, std::size_t bytes, const SourceLocation& where) {
  begin_call(where);
  check(api_.fill(p, byte, bytes, stream_), where);
}

void Device::wait(const SourceLocation& where) {
  begin_call(where);
  ++round_trips_;
  check(api_.stream_wait(stream_), where);
}

void Device::look_after(std::uint32_t times, const SourceLocation& where) {
  constexpr std::uint32_t patience = 20;
  if (times >= patience) check(api_.stream_wait(stream_), where);  // as the driver likes to wait
  bool done = false;
  check(api_.stream_done(stream_, &done), where);
  if (!done || times <= patience) return;
  throw Error({.failure = Failure::device,
               .id = "HW-DEVICE-CALL",
               .where = place(where),
               .found = "all work is done, and what it was to write into host memory is not there"});
}

void Device::start_counts() {
  launch_counts_.clear();
  counting_ = true;
  level_ = -1;
}

std::vector<LaunchCounts> Device::take_counts() {
  counting_ = false;
  return std::exchange(launch_counts_, {});
}

void Device::end_level(std::uint32_t levels) noexcept {
  for (auto at = launch_counts_.rbegin(); at != launch_counts_.rend() && at->level == level_; ++at) at->levels = levels;
}

void Device::count_launch(const LaunchShape& shape, const void* kernel, const SourceLocation& where) {
  int resident = 0;
  check(api_.blocks_per_multiprocessor(&resident, kernel, static_cast<int>(shape.block), shape.shared_bytes), where);
  launch_counts_.push_back({.level = level_,
                            .grid = shape.grid,
                            .block = shape.block,
                            .cluster = shape.cluster,
                            .cooperative = shape.cooperative,
                            .dynamic_shared = shape.shared_bytes,
                            .resident_blocks = static_cast<std::uint32_t>(std::max(resident, 0))});
}

void Device::launch_raw(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk,
                        const SourceLocation& where) {
  if (opening_)
    count_call(where);
  else
    begin_call(where);
  if (limits_)
    if (const std::string_view what = beyond(properties_, shape); !what.empty())
      throw Error({.failure = Failure::device,
                   .id = "HW-DEVICE-CALL",
                   .where = place(where),
                   .found = "a launch with " + std::string(what) + " on " + properties_.name});
  ++launches_;
  if (std::uint64_t{shape.grid} * shape.block > std::uint64_t{largest_.first} * largest_.second)
    largest_ = {shape.grid, shape.block};
  if (counting_) count_launch(shape, kernel, where);
  if (api_.count_into) api_.count_into(counting_ ? &launch_counts_.back() : nullptr, stream_);
  if (Timer* timer = std::exchange(opening_, nullptr)) {
    check(api_.launch_between(&timer->kept_, timer->from_, timer->to_, shape, kernel, arguments, thunk, stream_), where);
    closed_ = timer;
    return;
  }
  check(api_.launch(shape, kernel, arguments, thunk, stream_), where);
}

std::uint32_t Device::resident_grid(const void* kernel, std::uint32_t block, std::size_t shared_bytes,
                                    const SourceLocation& where) {
  begin_call(where);
  int blocks = 0;
  check(api_.blocks_per_multiprocessor(&blocks, kernel, static_cast<int>(block), shared_bytes), where);
  if (limits_) blocks = blocks_within(*limits_, blocks, block, shared_bytes);
  return static_cast<std::uint32_t>(std::max(blocks, 0) * properties_.multiprocessors);
}

std::uint32_t Device::largest_cluster(const void* kernel, std::uint32_t wanted, std::uint32_t block, std::size_t shared_bytes,
                                      const SourceLocation& where) {
  begin_call(where);
  if (!properties_.clusters || (limits_ && blocks_within(*limits_, 1, block, shared_bytes) == 0)) return 0;
  int blocks = 0;
  const int most = std::min(static_cast<int>(wanted), properties_.largest_cluster);
  check(api_.largest_cluster(&blocks, kernel, most, static_cast<int>(block), shared_bytes), where);
  return static_cast<std::uint32_t>(std::max(blocks, 0));
}

}  // namespace hopwave::device

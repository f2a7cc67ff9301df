// device: GPUs as the rest sees them: memory, launches, the words of kernels. The only folder that names CUDA or HIP; nothing
// that knows how a search goes.
//
// Device, Stream, Event, Buffer, launch: owned device resources in a few move-only types.
// Everything takes its Device (no current device, no globals); every call is checked at its place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/device_api.h"
#include "core/source_location.h"
#include "device/architecture.h"
#include "hopwave/device.h"
#include "hopwave/run.h"

namespace hopwave::device {

class Timer;
class Device;

/// Puts the calling thread's current device back at the end of a call.
class KeepCurrent {
 public:
  /// `api` may be null: nothing to keep.
  explicit KeepCurrent(const Api* api) noexcept : api_(api) {
    if (api_ && api_->current(&before_) != 0) api_ = nullptr;
  }
  /// The same, with `device` current until then.
  explicit KeepCurrent(const Device& device) noexcept;
  /// The same; null: nothing to keep.
  explicit KeepCurrent(const Device* device) noexcept;
  ~KeepCurrent();
  KeepCurrent(const KeepCurrent&) = delete;
  KeepCurrent& operator=(const KeepCurrent&) = delete;

 private:
  void go_to(int index) noexcept;
  const Api* api_;
  int before_ = 0;
};

/// One device of one backend, with the stream its work goes through. Neither copied nor moved: others point at it.
class Device {
 public:
  /// Leaves it the thread's current device (KeepCurrent). Throws HW-DEVICE-NONE when there is no such device,
  /// and HW-DEVICE-LIMITS.
  Device(const Api& api, const DeviceOptions& options = {});
  /// The same device with a stream of its own, whose work may run at the same time as this one's; the same limits, memory and
  /// schedule.
  [[nodiscard]] Device another_stream();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const Api& api() const noexcept { return api_; }
  [[nodiscard]] const Properties& properties() const noexcept { return properties_; }
  [[nodiscard]] StreamHandle stream() const noexcept { return stream_; }
  [[nodiscard]] int ordinal() const noexcept { return index_; }
  /// For calls of the vendor's libraries, which do not use the table; null in the simulator.
  [[nodiscard]] void* native_stream() const noexcept { return api_.native_stream ? api_.native_stream(stream_) : nullptr; }
  [[nodiscard]] std::uint64_t launches() const noexcept { return launches_; }
  [[nodiscard]] std::uint64_t round_trips() const noexcept { return round_trips_; }
  /// Blocks and threads per block of the launch with most threads since forget_largest(); 0 × 0 if there was none.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> largest_launch() const noexcept { return largest_; }
  void forget_largest() noexcept { largest_ = {0, 0}; }
  /// What another stream of this device has counted is counted here, and there no more.
  void take_account_of(Device& other) noexcept;
  /// False: the stream is the caller's.
  [[nodiscard]] bool own_stream() const noexcept { return own_stream_; }
  [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_; }
  [[nodiscard]] std::uint64_t memory_free() const;

  /// Turns a failed status into an Error: HW-DEVICE-MEMORY (does_not_fit), HW-DEVICE-LOST (sticky), HW-DEVICE-CALL.
  void check(Status status, const SourceLocation& where = SourceLocation::current()) const;

  /// Keeps LaunchCounts of the launches that follow, in the simulator with all that their threads do.
  void start_counts();
  /// Ends that. Where the launches were bound to levels, begin_level() said so.
  std::vector<LaunchCounts> take_counts();
  [[nodiscard]] bool counts() const noexcept { return counting_; }
  /// The launches that follow find `level`; 0: they prepare the sources.
  void begin_level(Distance level) noexcept { level_ = level; }
  /// The launches since begin_level() took so many levels.
  void end_level(std::uint32_t levels) noexcept;
  /// No counts while this lives: what is launched is no part of the search.
  class Uncounted {
   public:
    explicit Uncounted(Device& device) noexcept : device_(device), counting_(std::exchange(device.counting_, false)) {}
    ~Uncounted() { device_.counting_ = counting_; }
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

   private:
    Device& device_;
    bool counting_;
  };
  /// Says what an allocation holds.
  void set_kind(const void* p, std::size_t bytes, MemoryKind kind) const {
    if (api_.set_kind) api_.set_kind(p, bytes, kind, stream_);
  }

  void* allocate(std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  void release(void* p) noexcept;
  /// Pinned host memory; on CUDA from a pool. It is let go when all work before is done.
  void* allocate_pinned(std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  void release_pinned(void* p) noexcept;
  /// Pinned memory that the caller can do without; null: there is none. api().release_pinned() lets it go.
  void* pin(std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  /// Memory that other devices may touch by its address once they reach this one; not from the caller's DeviceMemory. Only
  /// where can_reach() said so of some device. To be given back when none of them uses it any more.
  void* allocate_for_peers(std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  void release_for_peers(void* p) noexcept;
  /// May kernels of this device touch memory of the other? False for devices of different kinds, and for itself.
  [[nodiscard]] bool can_reach(const Device& peer) const;
  /// Lets them. This device must be the thread's current one.
  void reach(const Device& peer, const SourceLocation& where = SourceLocation::current());
  void copy_in(void* to, const void* from, std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  /// Copies to the host and waits: one round trip.
  void copy_out(void* to, const void* from, std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  /// Copies to pinned memory and does not wait: it is there after the next wait(), and that memory must stay until then.
  void copy_out_later(void* pinned, const void* from, std::size_t bytes,
                      const SourceLocation& where = SourceLocation::current());
  void copy(void* to, const void* from, std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  void fill_bytes(void* p, int byte, std::size_t bytes, const SourceLocation& where = SourceLocation::current());
  void wait(const SourceLocation& where = SourceLocation::current());
  /// Until `there()` says so, of what a launch writes into pinned memory: seen sooner than the launch's end. One round trip.
  template <class There>
  void wait_until(There&& there, const SourceLocation& where = SourceLocation::current()) {
    begin_call(where);
    ++round_trips_;
    constexpr std::uint32_t glances = 1 << 20;  // a millisecond or two: asking the driver takes long
    for (std::uint32_t k = 1; !there(); ++k)
      if (k % glances == 0) look_after(k / glances, where);
  }

  void launch_raw(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, const SourceLocation& where);

  /// Grid that fills the device with resident blocks of this kernel: what a cooperative launch may have at most.
  std::uint32_t resident_grid(const void* kernel, std::uint32_t block, std::size_t shared_bytes = 0,
                              const SourceLocation& where = SourceLocation::current());
  std::uint32_t largest_cluster(const void* kernel, std::uint32_t wanted, std::uint32_t block, std::size_t shared_bytes,
                                const SourceLocation& where = SourceLocation::current());

  /// How the simulator interleaves from now on; real devices ignore it.
  void set_schedule(const Schedule& schedule) noexcept {
    schedule_ = schedule;
    if (api_.schedule) api_.schedule(stream_, schedule);
  }

  /// Tests: the k-th checked call from now on fails with out-of-memory (if it allocates) or a plain error. 0: never.
  void fail_call(std::uint64_t k) noexcept { fail_at_ = k ? calls_ + k : 0; }
  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }

 private:
  friend class Timer;
  friend class Event;

  Device(const Device& other, std::uint64_t number);
  void open(StreamHandle adopted);

  /// Before every call: refuses a lost device, counts, and fails where a test wants it.
  void count_call(const SourceLocation& where, bool allocates = false);
  /// The same, and a timer that waits for a launch to start with starts now.
  void begin_call(const SourceLocation& where, bool allocates = false);
  /// Adds a launch to the counts; the simulator fills it in.
  void count_launch(const LaunchShape& shape, const void* kernel, const SourceLocation& where);
  /// A wait takes long: is the device still at work? Throws if not, and sleeps if it has been `times` that long.
  void look_after(std::uint32_t times, const SourceLocation& where);
  [[noreturn]] void no_memory(std::size_t bytes, const SourceLocation& where) const;

  friend class KeepCurrent;

  const Api& api_;
  int index_;
  std::shared_ptr<DeviceMemory> memory_;  ///< the caller's; null: the table's
  std::map<void*, std::size_t> sizes_;    ///< of what came from there
  mutable bool lost_ = false;
  Properties properties_;
  const Architecture* limits_;  ///< null: its own
  StreamHandle stream_ = nullptr;
  bool own_stream_ = true;
  std::uint64_t streams_ = 0;  ///< others made from this one
  std::optional<Schedule> schedule_;
  std::uint64_t launches_ = 0, round_trips_ = 0, allocations_ = 0, calls_ = 0, fail_at_ = 0;
  std::pair<std::uint32_t, std::uint32_t> largest_{0, 0};
  bool counting_ = false;
  Distance level_ = -1;
  std::vector<LaunchCounts> launch_counts_;
  Timer* opening_ = nullptr;  ///< starts with the next launch
  Timer* closed_ = nullptr;   ///< was stopped with the last launch, after which nothing came
};

/// `size` values of T in device memory; move-only. Not initialised.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(Device& device, std::size_t size, const SourceLocation& where = SourceLocation::current())
      : device_(&device), data_(size ? static_cast<T*>(device.allocate(size * sizeof(T), where)) : nullptr), size_(size) {}
  /// A copy of host values.
  Buffer(Device& device, std::span<const T> values, const SourceLocation& where = SourceLocation::current())
      : Buffer(device, values.size(), where) {
    if (size_) device.copy_in(data_, values.data(), values.size_bytes(), where);
  }
  /// Memory of another owner, which is only read.
  static Buffer borrowed(Device& device, const T* data, std::size_t size) {
    Buffer buffer;
    buffer.device_ = &device;
    buffer.data_ = const_cast<T*>(data);
    buffer.size_ = size;
    buffer.owned_ = false;
    return buffer;
  }
  ~Buffer() { reset(); }
  Buffer(Buffer&& other) noexcept
      : device_(other.device_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        owned_(std::exchange(other.owned_, true)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      reset();
      device_ = other.device_;
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      owned_ = std::exchange(other.owned_, true);
    }
    return *this;
  }

  /// Says what it holds, for counts.
  Buffer&& as(MemoryKind kind) && {
    if (size_) device_->set_kind(data_, size_ * sizeof(T), kind);
    return std::move(*this);
  }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  void fill_bytes(int byte, const SourceLocation& where = SourceLocation::current()) {
    if (size_) device_->fill_bytes(data_, byte, size_ * sizeof(T), where);
  }
  void upload(std::span<const T> values, std::size_t at = 0, const SourceLocation& where = SourceLocation::current()) {
    if (!values.empty()) device_->copy_in(data_ + at, values.data(), values.size_bytes(), where);
  }
  void download(std::span<T> values, std::size_t at = 0, const SourceLocation& where = SourceLocation::current()) const {
    if (!values.empty()) device_->copy_out(values.data(), data_ + at, values.size_bytes(), where);
  }
  [[nodiscard]] T value(std::size_t at = 0, const SourceLocation& where = SourceLocation::current()) const {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>,
                  "a hole in it would be bytes that no kernel writes");
    T v{};
    device_->copy_out(&v, data_ + at, sizeof(T), where);
    return v;
  }
  void reset() noexcept {
    if (data_ && owned_) device_->release(data_);
    data_ = nullptr;
    size_ = 0;
    owned_ = true;
  }

 private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  bool owned_ = true;
};

/// One T in pinned host memory, for copies that need not be waited for at once. Move-only.
template <class T>
class HostValue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HostValue() = default;
  explicit HostValue(Device& device, const SourceLocation& where = SourceLocation::current())
      : device_(&device), data_(static_cast<T*>(device.allocate_pinned(sizeof(T), where))) {
    *data_ = T{};
  }
  ~HostValue() {
    if (data_) device_->release_pinned(data_);
  }
  HostValue(HostValue&& other) noexcept : device_(other.device_), data_(std::exchange(other.data_, nullptr)) {}
  HostValue& operator=(HostValue&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    return *this;
  }
  [[nodiscard]] T* data() const noexcept { return data_; }

 private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
};

/// A place in a device's work that the host can wait for.
class Event {
 public:
  explicit Event(Device& device, const SourceLocation& where = SourceLocation::current());
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  /// After all work that was enqueued before.
  void record(const SourceLocation& where = SourceLocation::current());
  /// One round trip.
  void wait(const SourceLocation& where = SourceLocation::current());

 private:
  Device& device_;
  EventHandle event_ = nullptr;
};

/// A span of device time: start(), work, stop(), then elapsed() waits for it.
class Timer {
 public:
  explicit Timer(Device& device);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  void start();
  /// With the next launch, if nothing comes before it, and stopped with it, if nothing comes after: events and launch are
  /// handed over together, which takes two microseconds less than one by one. Before elapsed() the caller waits for work
  /// of after stop(): such an event counts as recorded only once its graph has come to it.
  void start_with_launch();
  void stop();
  [[nodiscard]] Milliseconds elapsed();

 private:
  friend class Device;
  Device& device_;
  void* kept_ = nullptr;  ///< by launch_between()
  EventHandle from_ = nullptr, to_ = nullptr;
};

/// Grid that covers `items` with one thread each, `block` threads per block; at least 1, and at most 2^31 threads,
/// so that a 32-bit thread number never wraps.
inline std::uint32_t blocks_for(std::uint64_t items, std::uint32_t block) {
  const std::uint64_t blocks = (items + block - 1) / block;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(blocks, 1, (std::uint64_t{1} << 31) / block));
}
/// The same, unless the caller fixed the grid.
inline std::uint32_t grid_for(std::uint64_t items, std::uint32_t block, std::uint32_t grid) {
  return grid ? grid : blocks_for(items, block);
}
/// For kernels that stride over their items: at most `most` blocks of `block` threads. Where less than a block has something
/// to do, one of the warps that do: in the simulator idle threads cost as much as others.
inline LaunchShape strided(const Device& device, std::uint64_t items, std::uint32_t block, std::uint32_t most) {
  const auto lanes = static_cast<std::uint64_t>(device.properties().lanes);
  const std::uint64_t wanted = std::max<std::uint64_t>((items + lanes - 1) / lanes, 1) * lanes;
  return {.grid = std::min(blocks_for(items, block), most),
          .block = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, block))};
}

namespace detail {
template <class... P, std::size_t... I>
void call_kernel(const void* kernel, void** arguments, std::index_sequence<I...>) {
  reinterpret_cast<void (*)(P...)>(const_cast<void*>(kernel))(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
}
template <class... P>
void thunk(const void* kernel, void** arguments) {
  call_kernel<P...>(kernel, arguments, std::index_sequence_for<P...>{});
}
}  // namespace detail

/// A launch's shape and its place in the source, one argument so that variadic arguments can follow.
struct LaunchAt {
  LaunchShape shape;
  SourceLocation where;
  LaunchAt(LaunchShape s, const SourceLocation& w = SourceLocation::current()) : shape(s), where(w) {}
};

/// Launches `kernel`; arguments are converted to its parameter types. Errors of the launch itself throw here.
template <class... P, class... A>
void launch(Device& device, const LaunchAt& at, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel takes exactly its parameters");
  std::tuple<std::remove_cv_t<std::remove_reference_t<P>>...> values(static_cast<P>(arguments)...);
  std::apply(
      [&](auto&... value) {
        void* pointers[] = {const_cast<void*>(static_cast<const void*>(&value))..., nullptr};
        device.launch_raw(at.shape, reinterpret_cast<const void*>(kernel), pointers, &detail::thunk<P...>, at.where);
      },
      values);
}

}  // namespace hopwave::device

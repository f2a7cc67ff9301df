// Planted bugs that leave the answer right: what nobody has written is read, and decides something that does not matter here.
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
constexpr u32 block = 64;
constexpr u32 capacity = 16;

/// Squares what is odd: at once where the queue has no place, and from the queue otherwise. A counter that the host did not
/// clear is above all places, mostly.
HW_KERNEL void square_odd(u32* values, u32* queue, u32* queued) {
  const u32 i = dev::global_thread();
  if (values[i] % 2 == 0) return;
  const u32 at = dev::fetch_add(queued, 1u);
  if (at < capacity)
    dev::store(&queue[at], i);
  else
    values[i] *= values[i];
}
HW_KERNEL void square_queued(u32* values, const u32* queue) {
  const u32 i = dev::thread() < capacity ? queue[dev::thread()] : ~0u;
  if (i != ~0u) values[i] *= values[i];
}

bool queue_not_cleared(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  auto queue = filled(device, capacity, ~0u);
  Buffer<u32> queued(device, 1);
  if (!bug) queued.fill_bytes(0);
  launch(device, {{.grid = 1, .block = block}}, square_odd, values.data(), queue.data(), queued.data());
  launch(device, {{.grid = 1, .block = block}}, square_queued, values.data(), queue.data());
  const auto got = download(values);
  for (u32 i = 0; i < block; ++i)
    if (got[i] != (i % 2 ? i * i : i)) return false;
  return true;
}

/// A warp's guess of the lowest value spares a look at shared memory, if it is right. Nobody has written the first guess.
HW_KERNEL void lowest_of_warps(const u32* values, u32* lowest, bool guess_unwritten) {
  HW_SHARED(u32, guess, block / dev::lanes);
  const u32 t = dev::thread(), lane = dev::lane(), w = dev::warp();
  if (!guess_unwritten && lane == 0) guess[w] = ~0u;
  dev::sync_block();
  u32 least = values[t];
  for (u32 k = dev::lanes / 2; k > 0; k /= 2) {
    const u32 other = dev::shuffle_xor(dev::all_lanes, least, k);
    if (other < least) least = other;
  }
  if (lane == 0 && guess[w] != least) dev::fetch_min(lowest, least);
}

bool shared_not_written(Device& device, bool bug) {
  auto values = upload(device, ramp(block, 3, 5));
  auto lowest = filled(device, 1, ~0u);
  launch(device, {{.grid = 1, .block = block}}, lowest_of_warps, values.data(), lowest.data(), bug);
  return lowest.value() == 5;
}

/// An index that nobody has written is brought back into range before it is used.
HW_KERNEL void look_up(const u32* table, const u32* index, u32* out) {
  const u32 i = dev::global_thread();
  out[i] = table[index[i] % capacity];
}

bool index_not_written(Device& device, bool bug) {
  auto table = filled(device, capacity, 7);
  auto out = filled(device, block, 0);
  Buffer<u32> index(device, block);
  if (!bug) index.upload(ramp(block));
  launch(device, {{.grid = 1, .block = block}}, look_up, table.data(), index.data(), out.data());
  for (const u32 v : download(out))
    if (v != 7) return false;
  return true;
}

/// Keeps one piece of memory and gives it again.
class Pool final : public DeviceMemory {
 public:
  explicit Pool(Device& device) : device_(device) {}
  ~Pool() override { device_.release(kept_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  void* allocate(std::size_t, void*) override { return kept_ ? std::exchange(kept_, nullptr) : device_.allocate(piece); }
  void deallocate(void* p, std::size_t, void*) noexcept override { device_.release(std::exchange(kept_, p)); }

 private:
  static constexpr std::size_t piece = 1024;
  Device& device_;
  void* kept_ = nullptr;
};

/// What was there before is taken for what is there now.
bool pool_not_written(Device& device, bool bug) {
  Device pooled(device.api(), {.memory = std::make_shared<Pool>(device)});
  auto table = filled(device, capacity, 7);
  auto out = filled(device, block, 0);
  upload(pooled, ramp(block)).reset();
  Buffer<u32> index(pooled, block);
  if (!bug) index.upload(ramp(block));
  pooled.wait();
  launch(device, {{.grid = 1, .block = block}}, look_up, table.data(), index.data(), out.data());
  for (const u32 v : download(out))
    if (v != 7) return false;
  return true;
}

/// Every second place of the result is somebody else's to write, and nobody does.
HW_KERNEL void write_even(u32* out, bool leave_odd) {
  const u32 i = dev::global_thread();
  if (!leave_odd || i % 2 == 0) dev::store(&out[i], i);
}

bool result_not_written(Device& device, bool bug) {
  Buffer<u32> out(device, block);
  launch(device, {{.grid = 1, .block = block}}, write_even, out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < block; i += 2)
    if (got[i] != i) return false;
  return true;
}

/// A ballot of what nobody has written; who wins does not matter.
HW_KERNEL void vote(const u32* wish, u32* votes) {
  const auto mask = dev::ballot(dev::all_lanes, wish[dev::thread()] % 2 == 0);
  if (dev::lane() == 0) dev::store(votes, mask ? 1u : 1u + static_cast<u32>(mask));
}

bool vote_not_written(Device& device, bool bug) {
  Buffer<u32> wish(device, block);
  if (!bug) wish.upload(ramp(block));
  auto votes = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = block}}, vote, wish.data(), votes.data());
  return votes.value() == 1;
}

}  // namespace

// The report names the kernel, the host's function where the host asks for the bytes.
std::span<const Case> unwritten_cases() {
  static constexpr Case cases[] = {
      {"queue-not-cleared", Detector::memcheck, "square_odd", "a queue's counter that the host has not cleared",
       queue_not_cleared},
      {"shared-not-written", Detector::memcheck, "lowest_of_warps", "a shared array is read before it is written",
       shared_not_written},
      {"index-not-written", Detector::memcheck, "look_up", "an address made of what nobody has written", index_not_written},
      {"pool-not-written", Detector::memcheck, "look_up", "memory of a pool, as it was given back", pool_not_written},
      {"result-not-written", Detector::memcheck, "result_not_written", "the host asks for what no kernel has written",
       result_not_written},
      {"vote-not-written", Detector::memcheck, "::vote(", "a ballot of what nobody has written", vote_not_written},
  };
  return cases;
}

}  // namespace hopwave::planted

// Planted bugs with memory: beyond the end of shared and global arrays, after release, before the first write where that
// shows in the answer.
#include <optional>

#include "device/shared_layout.h"
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
constexpr u32 block = 64;
constexpr u32 capacity = 16;

/// Collects multiples of `divisor` in a block's queue of 16; what does not fit goes straight to the global queue.
HW_KERNEL void collect(const u32* values, u32 count, u32 divisor, u32* queue, u32* queued, bool unchecked) {
  HW_SHARED(u32, mine, capacity);
  HW_SHARED(u32, mine_count, 1);
  HW_SHARED(u32, base, 1);
  const u32 t = dev::thread(), i = dev::global_thread();
  if (t == 0) mine_count[0] = 0;
  dev::sync_block();
  if (i < count && values[i] % divisor == 0) {
    const u32 at = dev::fetch_add(&mine_count[0], 1u);
    if (at < capacity || unchecked)
      mine[at] = values[i];
    else
      queue[dev::fetch_add(queued, 1u)] = values[i];
  }
  dev::sync_block();
  const u32 n = mine_count[0] < capacity ? mine_count[0] : capacity;
  if (t == 0) base[0] = dev::fetch_add(queued, n);
  dev::sync_block();
  if (t < n) queue[base[0] + t] = mine[t];
}

bool run_collect(Device& device, u32 divisor, bool bug) {
  auto values = upload(device, ramp(2 * block));
  auto queue = filled(device, 2 * block, 0), queued = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = block}}, collect, values.data(), 2 * block, divisor, queue.data(), queued.data(), bug);
  const u32 n = queued.value();
  if (n != (2 * block + divisor - 1) / divisor) return false;
  u64 sum = 0;
  const auto got = download(queue);
  for (u32 i = 0; i < n; ++i) sum += got[i];
  return sum == u64{divisor} * n * (n - 1) / 2;
}
bool queue_overflow(Device& device, bool bug) { return run_collect(device, 2, bug); }

HW_KERNEL void shift_left(u32* values, bool beyond) {
  HW_SHARED(u32, tile, block);
  HW_SHARED(u32, after, 4);
  const u32 t = dev::thread();
  tile[t] = values[t];
  if (t < 4) after[t] = 0;
  dev::sync_block();
  u32* const from = tile;
  values[t] = t + 1 < block || beyond ? from[t + 1] : 0;
  if (after[t % 4] != 0) values[t] = 99;
}

bool shared_read_beyond(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  launch(device, {{.grid = 1, .block = block}}, shift_left, values.data(), bug);
  const auto got = download(values);
  for (u32 t = 0; t < block; ++t)
    if (got[t] != (t + 1) % block) return false;
  return true;
}

HW_KERNEL void dynamic_tile(u32* values, u32 count) {
  HW_DYNAMIC_SHARED(u32, tile);
  for (u32 i = dev::thread(); i < count; i += dev::block_size()) tile[i] = values[i];
  dev::sync_block();
  for (u32 i = dev::thread(); i < count; i += dev::block_size()) values[i] = tile[count - 1 - i];
}

/// Two parts side by side: on a GPU the element behind the first is the first of the second.
HW_KERNEL void two_parts(u32* values, bool beyond) {
  HW_SHARED_PARTS(u32, memory);
  u32* const first = dev::shared_part(memory, block);
  u32* const second = dev::shared_part(memory + block, block);
  const u32 t = dev::thread();
  first[t] = values[t];
  second[t] = 0;
  dev::sync_block();
  values[t] = t + 1 < block || beyond ? first[t + 1] : second[0];
}

bool part_read_beyond(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  launch(device, {{.grid = 1, .block = block, .shared_bytes = 2 * block * sizeof(u32)}}, two_parts, values.data(), bug);
  const auto got = download(values);
  for (u32 t = 0; t < block; ++t)
    if (got[t] != (t + 1) % block) return false;
  return true;
}

/// Two steps, each with a layout of its own: what the first keeps in one array, the second keeps in two.
HW_KERNEL void two_layouts(u32* values, bool beyond) {
  HW_SHARED_PARTS(u32, memory);
  const u32 t = dev::thread();
  u32* const whole = dev::shared_part(memory, 2 * block);
  whole[t + block] = values[t];
  dev::sync_block();
  const u32 kept = whole[t + block];
  dev::sync_block();
  HW_SHARED_LAYOUT(1);
  u32* const first = HW_PART(memory, block, 1);
  u32* const second = HW_PART(memory + block, block, 1);
  first[t] = kept;
  second[t] = 0;
  dev::sync_block();
  values[t] = t + 1 < block || beyond ? first[t + 1] : second[0];
}

bool layout_read_beyond(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  launch(device, {{.grid = 1, .block = block, .shared_bytes = 2 * block * sizeof(u32)}}, two_layouts, values.data(), bug);
  const auto got = download(values);
  for (u32 t = 0; t < block; ++t)
    if (got[t] != (t + 1) % block) return false;
  return true;
}

/// A part of a layout that is no more.
HW_KERNEL void earlier_layout(u32* values, bool late) {
  HW_SHARED_PARTS(u32, memory);
  const u32 t = dev::thread();
  u32* const before = dev::shared_part(memory, 2 * block);
  before[t + block] = values[t];
  dev::sync_block();
  u32 kept = before[t + block];
  dev::sync_block();
  HW_SHARED_LAYOUT(1);
  HW_PART(memory, block, 1)[t] = 0;
  dev::sync_block();
  if (late) kept = before[t + block];
  values[t] = kept + 1;
}

bool earlier_layout_read(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  launch(device, {{.grid = 1, .block = block, .shared_bytes = 2 * block * sizeof(u32)}}, earlier_layout, values.data(), bug);
  return download(values)[block - 1] == block;
}

/// The same with members of a struct.
struct Pair {
  u32 first[block];
  HW_BORDER(between);
  u32 second[block];
};
HW_KERNEL void two_members(u32* values, bool beyond) {
  HW_SHARED(Pair, pair, 1);
  const u32 t = dev::thread();
  u32* const first = pair[0].first;
  if (t == 0) HW_CLOSE_BORDER(pair[0].between);
  first[t] = values[t];
  pair[0].second[t] = 0;
  dev::sync_block();
  values[t] = t + 1 < block || beyond ? first[t + 1] : pair[0].second[0];
}

bool member_read_beyond(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  launch(device, {{.grid = 1, .block = block}}, two_members, values.data(), bug);
  const auto got = download(values);
  for (u32 t = 0; t < block; ++t)
    if (got[t] != (t + 1) % block) return false;
  return true;
}

bool too_little_dynamic(Device& device, bool bug) {
  constexpr u32 count = 100;
  auto values = upload(device, ramp(count));
  launch(device, {{.grid = 1, .block = block, .shared_bytes = (bug ? count - 1 : count) * sizeof(u32)}}, dynamic_tile,
         values.data(), count);
  return download(values)[0] == count - 1;
}

#if !defined(__CUDACC__) && !defined(__HIPCC__)  // a real device's compiler refuses it
HW_KERNEL void too_much_shared(u32* out) {
  HW_SHARED(u32, big, 15000);
  big[dev::thread()] = dev::thread();
  dev::sync_block();
  out[dev::thread()] = big[block - 1 - dev::thread()];
}
#endif
HW_KERNEL void enough_shared(u32* out) {
  HW_SHARED(u32, big, 12000);
  big[dev::thread()] = dev::thread();
  dev::sync_block();
  out[dev::thread()] = big[block - 1 - dev::thread()];
}

bool shared_too_big(Device& device, bool bug) {
  auto out = filled(device, block, 0);
#if defined(__CUDACC__) || defined(__HIPCC__)
  if (bug) return false;
#else
  if (bug) launch(device, {{.grid = 1, .block = block}}, too_much_shared, out.data());
#endif
  if (!bug) launch(device, {{.grid = 1, .block = block}}, enough_shared, out.data());
  return download(out)[0] == block - 1;
}

/// Degrees from offsets; n vertices have n + 1 offsets.
HW_KERNEL void degrees(const u32* offsets, u32 n, u32* degree) {
  const u32 v = dev::global_thread();
  if (v < n) degree[v] = dev::read_only(&offsets[v + 1]) - dev::read_only(&offsets[v]);
}

bool global_read_beyond(Device& device, bool bug) {
  auto offsets = upload(device, ramp(bug ? 100 : 101, 3));
  auto degree = filled(device, 100, 0);
  launch(device, {{.grid = 2, .block = block}}, degrees, offsets.data(), 100u, degree.data());
  return download(degree)[99] == 3;
}

HW_KERNEL void number(u32* out, u32 n, bool no_check) {
  const u32 i = dev::global_thread();
  if (no_check || i < n) dev::store(&out[i], i);
}

bool global_write_beyond(Device& device, bool bug) {
  auto out = filled(device, 100, 0);
  launch(device, {{.grid = 2, .block = block}}, number, out.data(), 100u, bug);
  return download(out)[99] == 99;
}

bool used_after_release(Device& device, bool bug) {
  std::optional<Buffer<u32>> out(filled(device, 100, 0));
  u32* const p = out->data();
  if (bug) out.reset();
  launch(device, {{.grid = 2, .block = block}}, number, p, 100u, false);
  return !bug && download(*out)[99] == 99;
}

/// A count in shared memory that nobody set to zero.
HW_KERNEL void count_odd(const u32* values, u32* out, bool not_zeroed) {
  HW_SHARED(u32, count, 1);
  if (!not_zeroed && dev::thread() == 0) count[0] = 0;
  dev::sync_block();
  if (values[dev::global_thread()] % 2) dev::fetch_add(&count[0], 1u);
  dev::sync_block();
  if (dev::thread() == 0) out[dev::block()] = count[0];
}

bool uninitialised_shared(Device& device, bool bug) {
  auto values = upload(device, ramp(2 * block));
  auto out = filled(device, 2, 0);
  launch(device, {{.grid = 2, .block = block}}, count_odd, values.data(), out.data(), bug);
  return out.value(0) == block / 2 && out.value(1) == block / 2;
}

/// Sums into a buffer that the host did not clear.
HW_KERNEL void add_up(const u32* values, u32* sum) { dev::fetch_add(sum, values[dev::global_thread()]); }

bool uninitialised_global(Device& device, bool bug) {
  auto values = upload(device, ramp(block));
  Buffer<u32> sum(device, 1);
  if (!bug) sum.fill_bytes(0);
  launch(device, {{.grid = 1, .block = block}}, add_up, values.data(), sum.data());
  return sum.value() == block * (block - 1) / 2;
}

HW_KERNEL void double_each(const u32* values, u32* out, bool index_in_block) {
  const u32 i = index_in_block ? dev::thread() : dev::global_thread();
  dev::store(&out[i], 2 * values[i]);
}

bool wrong_scope_index(Device& device, bool bug) {
  auto values = upload(device, ramp(2 * block));
  auto out = filled(device, 2 * block, 0);
  launch(device, {{.grid = 2, .block = block}}, double_each, values.data(), out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < 2 * block; ++i)
    if (got[i] != 2 * i) return false;
  return true;
}

}  // namespace

std::span<const Case> memory_cases() {
  static constexpr Case cases[] = {
      {"queue-overflow", Detector::address, "out of bounds", "a block's queue filled beyond its capacity", queue_overflow},
      {"shared-read-beyond", Detector::address, "use-after-poison", "one element past the end of a shared array",
       shared_read_beyond},
      {"part-read-beyond", Detector::address, "use-after-poison", "one element past the end of a part of dynamic shared memory",
       part_read_beyond},
      {"layout-read-beyond", Detector::address, "use-after-poison", "one element past the end of a part in a step's layout",
       layout_read_beyond},
      {"earlier-layout", Detector::address, "use-after-poison", "a part of the layout that an earlier step had",
       earlier_layout_read},
      {"member-read-beyond", Detector::address, "use-after-poison", "one element past the end of a member in shared memory",
       member_read_beyond},
      {"too-little-dynamic", Detector::address, "use-after-poison", "a launch with less shared memory than is used",
       too_little_dynamic},
      {"shared-too-big", Detector::error, "HW-SIM-SHARED", "60 kB of static shared memory", shared_too_big},
      {"global-read-beyond", Detector::address, "heap-buffer-overflow", "n offsets where n + 1 are needed", global_read_beyond},
      {"global-write-beyond", Detector::address, "heap-buffer-overflow", "the last block writes past the end",
       global_write_beyond},
      {"used-after-release", Detector::address, "heap-use-after-free", "a kernel writes to a buffer that is gone",
       used_after_release},
      {"uninitialised-shared", Detector::answer, "", "shared memory taken for zeros", uninitialised_shared},
      {"uninitialised-global", Detector::answer, "", "device memory taken for zeros", uninitialised_global},
      {"wrong-scope-index", Detector::answer, "", "the index in the block where that in the grid is meant", wrong_scope_index},
  };
  return cases;
}

}  // namespace hopwave::planted

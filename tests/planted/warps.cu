// Planted bugs within a warp: wrong masks, absent lanes, and shared memory passed on without a warp barrier.
#include "device/packed.h"
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
constexpr u32 block = 64;

/// Each warp sums its values by shuffles; lanes without a value take part with zero.
HW_KERNEL void warp_sum(const u32* values, u32 count, u32* sum, bool leave_early) {
  const u32 i = dev::global_thread();
  if (leave_early && i >= count) return;
  u32 v = i < count ? values[i] : 0;
  for (u32 k = dev::lanes / 2; k; k /= 2) v += dev::shuffle_down(dev::all_lanes, v, k);
  if (dev::lane() == 0) dev::fetch_add(sum, v);
}

bool exited_lanes(Device& device, bool bug) {
  auto values = upload(device, ramp(50));
  auto sum = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = block}}, warp_sum, values.data(), 50u, sum.data(), bug);
  return sum.value() == 1225;
}

/// Lanes that found something agree on who they are; the mask must be the same for all of them.
HW_KERNEL void count_finders(u32* out, bool own_mask) {
  const bool found = dev::lane() % 3 == 0;
  auto mask = dev::ballot(dev::all_lanes, found);
  if (own_mask) mask &= ~(dev::LaneMask{1} << ((dev::lane() + 3) % (dev::lanes - dev::lanes % 3)));
  if (found) dev::fetch_add(out, static_cast<u32>(dev::popcount(dev::ballot(mask, true))));
}

bool disagreeing_masks(Device& device, bool bug) {
  auto out = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = dev::lanes}}, count_finders, out.data(), bug);
  const u32 finders = (dev::lanes + 2) / 3;
  return out.value() == finders * finders;
}

HW_KERNEL void ballot_without_self(u32* out, bool bug) {
  const dev::LaneMask low = dev::all_lanes >> (dev::lanes / 2);
  if (dev::lane() < dev::lanes / 2 || bug) dev::fetch_add(out, static_cast<u32>(dev::popcount(dev::ballot(low, true))));
}

bool mask_without_self(Device& device, bool bug) {
  auto out = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = dev::lanes}}, ballot_without_self, out.data(), bug);
  return out.value() == dev::lanes * dev::lanes / 4;
}

/// The leader reserves places for its group; asking lane 0 works only as long as lane 0 belongs to it.
HW_KERNEL void reserve(u32* counter, u32* out, bool lane_zero) {
  const bool has = dev::lane() >= 4;
  const auto group = dev::ballot(dev::all_lanes, has);
  if (!has) return;
  const u32 leader = static_cast<u32>(dev::find_first_set(group)) - 1;
  u32 base = 0;
  if (dev::lane() == leader) base = dev::fetch_add(counter, static_cast<u32>(dev::popcount(group)));
  base = dev::shuffle(group, base, lane_zero ? 0 : leader);
  out[base + static_cast<u32>(dev::popcount(group & dev::lanes_below()))] = dev::thread();
}

bool shuffle_from_outsider(Device& device, bool bug) {
  auto counter = filled(device, 1, 5), out = filled(device, 5 + dev::lanes, 0);
  launch(device, {{.grid = 1, .block = dev::lanes}}, reserve, counter.data(), out.data(), bug);
  const auto got = download(out);
  for (u32 i = 4; i < dev::lanes; ++i)
    if (got[5 + i - 4] != i) return false;
  return true;
}

/// Lanes have different amounts of work; a lane that is done must go on answering the ballot.
HW_KERNEL void work_while_any(u32* rounds, bool leave_when_done) {
  u32 left = dev::lane() % 5;
  for (;;) {
    if (leave_when_done && left == 0) break;
    if (dev::ballot(dev::all_lanes, left > 0) == 0) break;
    if (left) --left;
    dev::fetch_add(rounds, 1u);
  }
}

bool lane_leaves_loop(Device& device, bool bug) {
  auto rounds = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = dev::lanes}}, work_while_any, rounds.data(), bug);
  return rounds.value() == 4 * dev::lanes;
}

HW_KERNEL void ballot_or_any(u32* out, bool bug) {
  const bool odd = dev::lane() % 2 == 1;
  const bool some = bug && odd ? dev::any(dev::all_lanes, odd) : dev::ballot(dev::all_lanes, odd) != 0;
  if (some) dev::fetch_add(out, 1u);
}

bool two_words(Device& device, bool bug) {
  auto out = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = dev::lanes}}, ballot_or_any, out.data(), bug);
  return out.value() == dev::lanes;
}

/// Lanes hand values to their neighbours through shared memory. A ballot in between makes them meet, but orders nothing.
HW_KERNEL void pass_on(u32* out, bool ballot_only) {
  HW_SHARED(u32, box, block);
  const u32 t = dev::thread(), first = dev::warp() * dev::lanes;
  box[t] = t * t;
  if (ballot_only)
    dev::ballot(dev::all_lanes, true);
  else
    dev::sync_warp();
  out[t] = box[first + (dev::lane() + 1) % dev::lanes];
}

bool missing_warp_sync(Device& device, bool bug) {
  auto out = filled(device, block, 0);
  launch(device, {{.grid = 1, .block = block}}, pass_on, out.data(), bug);
  const auto got = download(out);
  for (u32 t = 0; t < block; ++t) {
    const u32 next = t / dev::lanes * dev::lanes + (t + 1) % dev::lanes;
    if (got[t] != next * next) return false;
  }
  return true;
}

/// An inclusive scan; a lane's own value must be taken before the shuffle's guard, not from a lane that is not there.
HW_KERNEL void warp_scan(const u32* values, u32* out, bool no_guard) {
  u32 v = values[dev::thread()];
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const u32 below = dev::shuffle_up(dev::all_lanes, v, k);
    if (no_guard || dev::lane() >= k) v += below;
  }
  out[dev::thread()] = v;
}

bool unguarded_scan(Device& device, bool bug) {
  auto values = filled(device, dev::lanes, 1), out = filled(device, dev::lanes, 0);
  launch(device, {{.grid = 1, .block = dev::lanes}}, warp_scan, values.data(), out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < dev::lanes; ++i)
    if (got[i] != i + 1) return false;
  return true;
}

/// A field of three bits that is given four.
using Small = dev::Field<4, 3>;
HW_KERNEL void fill_field(u64* out, bool too_large) { *out = Small::put(Small::max + (too_large ? 1 : 0)); }

bool field_overflow(Device& device, bool bug) {
  Buffer<u64> out(device, 1);
  launch(device, {{.grid = 1, .block = 1}}, fill_field, out.data(), bug);
  return out.value() == 7u << 4;
}

}  // namespace

std::span<const Case> warp_cases() {
  static constexpr Case cases[] = {
      {"exited-lanes", Detector::error, "HW-SIM-MASK", "a shuffle's mask names lanes that have returned", exited_lanes},
      {"disagreeing-masks", Detector::error, "HW-SIM-MASK", "lanes wait for each other under different masks",
       disagreeing_masks},
      {"mask-without-self", Detector::error, "HW-SIM-MASK", "a lane calls with a mask that does not name it",
       mask_without_self},
      {"shuffle-from-outsider", Detector::error, "HW-SIM-SHUFFLE", "the value of a lane that does not take part",
       shuffle_from_outsider},
      {"lane-leaves-loop", Detector::error, "HW-SIM-", "a lane leaves a loop whose ballot names it", lane_leaves_loop},
      {"two-words", Detector::error, "HW-SIM-DIVERGENT", "half a warp at a ballot, half at any()", two_words},
      {"missing-warp-sync", Detector::thread, "data race", "a ballot taken for a warp barrier", missing_warp_sync},
      {"unguarded-scan", Detector::answer, "", "a scan adds a lane's own value twice", unguarded_scan},
      {"field-overflow", Detector::error, "HW-SIM-CHECK", "a packed field is given a value that it cannot hold",
       field_overflow},
  };
  return cases;
}

}  // namespace hopwave::planted

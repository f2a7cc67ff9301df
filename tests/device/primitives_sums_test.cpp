// Sums and reservations of src/device/primitives/ in the simulator, by warps and blocks: on all block sizes, on partial warps
// where they are allowed, under schedules that interrupt, and used wrongly where a check can see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "device/primitives/block.h"
#include "support/primitives.h"

namespace hopwave::device {
namespace of_primitives_sums_test {

// ---- warp ----------------------------------------------------------------------------------------------------------------

template <class T>
void warp_sums(T* inclusive, T* exclusive) {
  const T value = static_cast<T>(drawn(dev::thread())) << (8 * sizeof(T) - 32);
  inclusive[dev::thread()] = dev::warp_inclusive_sum(value);
  exclusive[dev::thread()] = dev::warp_exclusive_sum(value);
}

template <class T>
void check_warp_sums(u32 block) {
  TestDevice device(block);
  Buffer<T> inclusive(device, block), exclusive(device, block);
  launch(device, {{.grid = 1, .block = block}}, warp_sums<T>, inclusive.data(), exclusive.data());
  const auto got = values_of(inclusive), below = values_of(exclusive);
  T sum = 0;
  for (u32 t = 0; t < block; ++t) {
    if (t % dev::lanes == 0) sum = 0;
    ASSERT_EQ(below[t], sum) << "thread " << t << " of " << block;
    sum += static_cast<T>(drawn(t)) << (8 * sizeof(T) - 32);
    ASSERT_EQ(got[t], sum) << "thread " << t << " of " << block;
  }
}

TEST(WarpSum, OfLanesBelow) {
  for (const u32 block : all_blocks()) {
    check_warp_sums<u32>(block);
    check_warp_sums<u64>(block);
  }
}

void warp_totals(u32* below, u32* totals) {
  u32 total = 0;
  below[dev::thread()] = dev::warp_exclusive_sum(drawn(dev::thread()), total);
  totals[dev::thread()] = total;
}

TEST(WarpSum, WithTotal) {
  for (const u32 block : whole_blocks()) {
    TestDevice device(block);
    Buffer<u32> below(device, block), totals(device, block);
    launch(device, {{.grid = 1, .block = block}}, warp_totals, below.data(), totals.data());
    const auto got = values_of(totals), before = values_of(below);
    for (u32 first = 0; first < block; first += dev::lanes) {
      u32 sum = 0;
      for (u32 t = first; t < first + dev::lanes; sum += drawn(t++)) ASSERT_EQ(before[t], sum) << t << " of " << block;
      for (u32 t = first; t < first + dev::lanes; ++t) ASSERT_EQ(got[t], sum) << t << " of " << block;
    }
  }
}

/// Each warp lists in its own stretch of `list` the threads whose drawn bits are set, in two rounds.
void appended(u32* list, u32* fills) {
  u32* own = list + dev::warp() * 2 * dev::lanes;
  u32 fill = 0;
  for (u32 round = 0; round < 2; ++round) {
    const bool keep = drawn(dev::thread()) >> round & 1;
    const u32 at = dev::warp_append(fill, keep);
    if (keep) own[at] = round << 16 | dev::thread();
  }
  if (dev::lane() == 0) fills[dev::warp()] = fill;
}

TEST(WarpAppend, KeepsTheOrderOfLanes) {
  for (const u32 block : all_blocks()) {
    TestDevice device(block);
    const u32 warps = (block + dev::lanes - 1) / dev::lanes;
    Buffer<u32> list(device, warps * 2 * dev::lanes), fills(device, warps);
    list.fill_bytes(0xFF);
    launch(device, {{.grid = 1, .block = block}}, appended, list.data(), fills.data());
    const auto got = values_of(list), counts = values_of(fills);
    for (u32 w = 0; w < warps; ++w) {
      std::vector<u32> expected;
      for (u32 round = 0; round < 2; ++round)
        for (u32 t = w * dev::lanes; t < std::min(block, (w + 1) * dev::lanes); ++t)
          if (drawn(t) >> round & 1) expected.push_back(round << 16 | t);
      ASSERT_EQ(counts[w], expected.size()) << block;
      expected.resize(2 * dev::lanes, ~0u);
      const auto first = got.begin() + w * 2 * dev::lanes;
      ASSERT_EQ(std::vector<u32>(first, first + 2 * dev::lanes), expected) << block;
    }
  }
}

/// Each warp takes a few places, and all its lanes write who has them.
template <class T>
void reserved(T* counter, u32* owner) {
  for (u32 round = 0; round < 3; ++round) {
    const u32 id = (dev::block() * dev::warps() + dev::warp()) * 3 + round, count = drawn(id) % 5;
    const T first = dev::warp_reserve(counter, count);
    for (u32 k = dev::lane(); k < count; k += dev::block_size() < dev::lanes ? dev::block_size() : 1)
      if (dev::lane() == k) owner[first + k] = id;
    dev::sync_warp();
  }
}

template <class T>
void check_reserve(u32 block, u64 seed) {
  TestDevice device(seed);
  const u32 grid = 3, warps = grid * ((block + dev::lanes - 1) / dev::lanes);
  std::vector<u32> want;
  for (u32 id = 0; id < 3 * warps; ++id)
    for (u32 k = 0; k < drawn(id) % 5; ++k) want.push_back(id);
  Buffer<T> counter(device, 1);
  Buffer<u32> owner(device, want.size() + 1);
  counter.fill_bytes(0);
  launch(device, {{.grid = grid, .block = block}}, reserved<T>, counter.data(), owner.data());
  ASSERT_EQ(counter.value(), want.size());
  auto got = values_of(owner);
  got.pop_back();
  std::sort(got.begin(), got.end());
  ASSERT_EQ(got, want);
}

TEST(WarpReserve, GivesEachPlaceOnce) {
  for (const u32 block : whole_blocks()) check_reserve<u32>(block, block);
  for (u64 seed = 1; seed <= 6; ++seed) {
    check_reserve<u32>(100, seed);  // the last warp has four lanes, which is the most that anybody asks for
    check_reserve<u64>(36, seed);
  }
}

void reserved_unlike(u32* counter) { dev::warp_reserve(counter, dev::lane() == 3 ? 2 : 1); }

TEST(WarpReserve, SeesCountsThatDiffer) {
  Device device(*sim_api());
  Buffer<u32> counter(device, 1);
  counter.fill_bytes(0);
  EXPECT_EQ(refusal([&] {
              launch(device, {{.grid = 1, .block = dev::lanes}}, reserved_unlike, counter.data());
              device.wait();
            }),
            "HW-SIM-CHECK");
}

// ---- block ---------------------------------------------------------------------------------------------------------------

/// Sums a long array tile by tile; the barrier between two tiles is the caller's.
template <class T>
void block_sums(T* before, T* totals, u32 tiles) {
  HW_SHARED(T, sums, 1024 / dev::lanes);
  T carry = 0;
  for (u32 k = 0; k < tiles; ++k) {
    const u32 i = k * dev::block_size() + dev::thread();
    const dev::BlockSum<T> sum = dev::block_exclusive_sum(static_cast<T>(drawn(i)) << (8 * sizeof(T) - 32), sums);
    before[i] = carry + sum.before;
    carry += sum.total;
    dev::sync_block();
  }
  totals[dev::thread()] = carry;
}

template <class T>
void check_block_sums(u32 block, u32 tiles, u64 seed) {
  TestDevice device(seed);
  Buffer<T> before(device, block * tiles), totals(device, block);
  launch(device, {{.grid = 1, .block = block}}, block_sums<T>, before.data(), totals.data(), tiles);
  const auto got = values_of(before);
  T sum = 0;
  for (u32 i = 0; i < got.size(); sum += static_cast<T>(drawn(i++)) << (8 * sizeof(T) - 32))
    ASSERT_EQ(got[i], sum) << i << " in blocks of " << block;
  ASSERT_EQ(values_of(totals), std::vector<T>(block, sum)) << block;
}

TEST(BlockSum, OfThreadsBelow) {
  for (const u32 block : whole_blocks()) {
    check_block_sums<u32>(block, 2, block);
    check_block_sums<u64>(block, 2, block);
  }
  for (u64 seed = 1; seed <= 9; ++seed) check_block_sums<u32>(4 * dev::lanes, 4, seed);
}

TEST(BlockSum, SeesAPartialWarp) {
  Device device(*sim_api());
  Buffer<u32> before(device, 48), totals(device, 48);
  EXPECT_EQ(refusal([&] {
              launch(device, {{.grid = 1, .block = 48}}, block_sums<u32>, before.data(), totals.data(), 1u);
              device.wait();
            }),
            "HW-SIM-CHECK");
}

/// Several reservations one after the other, with no barrier between them but their own.
void block_reserved(u64* cursor, u32* owner, u32 rounds) {
  HW_SHARED(dev::BlockReservation, reservation, 1);
  dev::open_reservation(reservation[0]);
  dev::sync_block();
  for (u32 round = 0; round < rounds; ++round) {
    const u32 id = dev::global_thread() * rounds + round, count = drawn(id) % 3;
    const u64 first = dev::block_reserve(reservation[0], cursor, round == 1 ? 0 : count);
    for (u32 k = 0; round != 1 && k < count; ++k) owner[first + k] = id;
  }
}

TEST(BlockReserve, GivesEachPlaceOnceAndABlockItsPlacesTogether) {
  for (const u32 block : all_blocks()) {
    TestDevice device(block);
    const u32 grid = 3, rounds = 4;
    std::vector<u32> want;
    for (u32 id = 0; id < grid * block * rounds; ++id)
      for (u32 k = 0; id % rounds != 1 && k < drawn(id) % 3; ++k) want.push_back(id);
    Buffer<u64> cursor(device, 1);
    Buffer<u32> owner(device, want.size() + 1);
    cursor.fill_bytes(0);
    launch(device, {{.grid = grid, .block = block}}, block_reserved, cursor.data(), owner.data(), rounds);
    ASSERT_EQ(cursor.value(), want.size()) << block;
    auto got = values_of(owner);
    got.pop_back();
    u32 stretches = 0;  // of one block and round
    const auto whose = [&](u32 id) { return id / rounds / block * rounds + id % rounds; };
    for (u32 i = 0; i < got.size(); ++i) stretches += i == 0 || whose(got[i]) != whose(got[i - 1]);
    ASSERT_LE(stretches, grid * rounds) << block;
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got, want) << block;
  }
}

void reserved_too_much(u64* cursor) {
  HW_SHARED(dev::BlockReservation, reservation, 1);
  dev::open_reservation(reservation[0]);
  dev::sync_block();
  dev::block_reserve(reservation[0], cursor, 1u << 31);
}

TEST(BlockReserve, SeesThatTheSumDoesNotFit) {
  Device device(*sim_api());
  Buffer<u64> cursor(device, 1);
  cursor.fill_bytes(0);
  const auto run = [&](u32 block) {
    launch(device, {{.grid = 1, .block = block}}, reserved_too_much, cursor.data());
    device.wait();
  };
  EXPECT_EQ(refusal([&] { run(1); }), "");
  EXPECT_EQ(refusal([&] { run(2); }), "HW-SIM-CHECK");
}

}  // namespace of_primitives_sums_test
}  // namespace hopwave::device

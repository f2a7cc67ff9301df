// Races that the plain build finds: each planted one is reported with its two places, and its ordered twin is not.
// Not under ThreadSanitizer, which would report them itself.
#include "simulator/races.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/sanitized.h"
#include "device/device.h"
#include "device/kernel.h"

#if !defined(HW_THREAD_SANITIZER)

namespace hopwave::device {
namespace of_races_test {

namespace dev = sim::dev;
using u32 = std::uint32_t;
using sim::Race;

constexpr u32 block = 64, words = 4096;

/// What orders the write of thread 0 and the read of the thread farthest away. The odd ones do not.
enum class Between : u32 {
  barrier,
  no_barrier,
  warp,
  other_warp,
  shuffle,
  part,
  outside_part,
  release,
  relaxed,
  fences,
  one_fence,
  grid,
  block_of_grid,
  cluster,
  block_of_cluster
};

HW_KERNEL void hand_over(u32* data, u32* flag, Between between) {
  const u32 me = dev::global_thread(), last = dev::global_threads() - 1;
  const bool in_warp = between == Between::warp || between == Between::other_warp || between == Between::shuffle;
  const u32 reader = between == Between::warp || between == Between::shuffle      ? dev::lanes - 1
                     : between == Between::other_warp || between == Between::part ? dev::lanes
                                                                                  : last;
  if (me == 0) dev::plain_write(&data[7], 5u);
  switch (between) {
    case Between::barrier:
    case Between::block_of_grid:
    case Between::block_of_cluster:
      dev::sync_block();
      break;
    case Between::warp:
    case Between::other_warp:
      dev::sync_warp();
      break;
    case Between::shuffle:
      dev::shuffle(dev::all_lanes, me, 0);
      break;
    case Between::part:
      if (dev::thread() < 2 * dev::lanes) dev::sync_first(2 * dev::lanes);
      break;
    case Between::outside_part:
      if (dev::thread() < dev::lanes) dev::sync_first(dev::lanes);
      break;
    case Between::grid:
      dev::sync_grid();
      break;
    case Between::cluster:
      dev::sync_cluster();
      break;
    case Between::no_barrier:
      break;
    case Between::release:
      if (me == 0) dev::store_release(flag, 1u);
      if (me == last)
        while (dev::load_acquire(flag) == 0) dev::pause();
      break;
    case Between::relaxed:
      if (me == 0) dev::store(flag, 1u);
      if (me == last)
        while (dev::load(flag) == 0) dev::pause();
      break;
    case Between::fences:
      if (me == 0) dev::fence(), dev::store(flag, 1u);
      if (me == last) {
        while (dev::load(flag) == 0) dev::pause();
        dev::fence();
      }
      break;
    case Between::one_fence:
      if (me == 0) dev::fence(), dev::store(flag, 1u);
      if (me == last)
        while (dev::load(flag) == 0) dev::pause();
      break;
  }
  if (in_warp ? dev::thread() == reader && dev::block() == 0 : me == reader) dev::plain_read(&data[7]);
}

template <class Kernel, class... Arguments>
std::vector<Race> races_of(const LaunchShape& shape, Kernel kernel, u32 seeds, Arguments... arguments) {
  Device device(*sim_api());
  sim::Races races;
  const sim::RaceWatch watch(races);
  for (u32 seed = 1; seed <= seeds; ++seed) {
    device.set_schedule({.seed = seed, .interrupt_every = 3});
    Buffer<u32> data(device, std::vector<u32>(words, 0)), flag(device, std::vector<u32>(1, 0));
    launch(device, {shape}, kernel, data.data(), flag.data(), arguments...);
  }
  return races.all();
}

std::vector<Race> handed_over(Between between) {
  LaunchShape shape{.grid = 1, .block = 4 * block};
  if (between == Between::release || between == Between::relaxed || between == Between::fences || between == Between::one_fence)
    shape.grid = 2;
  if (between == Between::grid || between == Between::block_of_grid) shape.grid = 2, shape.cooperative = true;
  if (between == Between::cluster || between == Between::block_of_cluster) shape.grid = shape.cluster = 2;
  return races_of(shape, hand_over, 5, between);
}

TEST(Races, AreFoundWhereNothingOrders) {
  for (const Between between : {Between::no_barrier, Between::other_warp, Between::shuffle, Between::outside_part,
                                Between::relaxed, Between::one_fence, Between::block_of_grid, Between::block_of_cluster}) {
    const auto races = handed_over(between);
    ASSERT_EQ(races.size(), 1u) << static_cast<u32>(between);
    const Race& race = races[0];
    EXPECT_EQ(race.times, 5u);
    EXPECT_EQ(race.different, 5u);  // 0 or 5
    EXPECT_FALSE(race.shared);
    EXPECT_TRUE(race.write.writes && !race.write.atomic && !race.other.writes);
    EXPECT_LT(race.write.at.line(), race.other.at.line());
    EXPECT_EQ(race.write.block + race.write.thread, 0u);
    EXPECT_NE(race.other.block + race.other.thread, 0u);
  }
}

TEST(Races, AreNotFoundBetweenOrderedAccesses) {
  for (const Between between :
       {Between::barrier, Between::warp, Between::part, Between::release, Between::fences, Between::grid, Between::cluster})
    EXPECT_TRUE(handed_over(between).empty()) << static_cast<u32>(between);
}

/// How many threads access one word.
enum class Writing : u32 { same, own, atomic, atomic_and_plain, bytes, none };
HW_KERNEL void write_together(u32* data, u32* flag, Writing writing) {
  const u32 me = dev::global_thread();
  if (writing == Writing::same) dev::plain_write(data, 1u);
  if (writing == Writing::own) dev::plain_write(data, me);
  if (writing == Writing::atomic) dev::fetch_add(data, 1u);
  if (writing == Writing::atomic_and_plain) {
    if (me % 2)
      dev::fetch_add(data, 1u);
    else
      dev::plain_write(data, 1u);
  }
  if (writing == Writing::none) dev::plain_read(data);
  if (writing == Writing::bytes)
    dev::plain_write(reinterpret_cast<unsigned char*>(flag) + me % 4, static_cast<unsigned char>(1));
}

TEST(Races, TellSameValuesFromDifferentOnes) {
  const LaunchShape shape{.grid = 2, .block = block};
  const auto same = races_of(shape, write_together, 1, Writing::same), own = races_of(shape, write_together, 1, Writing::own);
  ASSERT_EQ(same.size(), 1u);
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(same[0].times, 2 * block - 1);
  EXPECT_EQ(same[0].different, 0u);
  EXPECT_EQ(own[0].different, 2 * block - 1);
  EXPECT_TRUE(own[0].write.at == own[0].other.at);
  EXPECT_TRUE(races_of(shape, write_together, 1, Writing::atomic).empty());
  const auto mixed = races_of(shape, write_together, 1, Writing::atomic_and_plain);
  ASSERT_EQ(mixed.size(), 2u);  // plain stores race with themselves, too
  EXPECT_EQ(mixed[0].write.atomic + mixed[0].other.atomic + mixed[1].write.atomic + mixed[1].other.atomic, 1);
  EXPECT_TRUE(races_of(shape, write_together, 1, Writing::none).empty());
  // Four threads, each with a byte of one word.
  EXPECT_TRUE(races_of({.grid = 1, .block = 4}, write_together, 1, Writing::bytes).empty());
}

/// Each block writes its own shared memory, which lies where another block's was.
HW_KERNEL void use_shared(u32* data, u32*, bool barrier) {
  HW_SHARED(u32, mine, block);
  dev::plain_write(&mine[dev::thread()], dev::thread());
  if (barrier) dev::sync_block();
  dev::plain_read(&mine[(dev::thread() + 1) % block]);
  if (dev::thread() == 0) dev::plain_write(&data[dev::block()], 1u);
}

TEST(Races, OfSharedMemoryStayInTheirBlock) {
  EXPECT_TRUE(races_of({.grid = 40, .block = block}, use_shared, 3, true).empty());
  const auto races = races_of({.grid = 40, .block = block}, use_shared, 1, false);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_TRUE(races[0].shared);
  EXPECT_EQ(races[0].write.block, races[0].other.block);
}

TEST(Races, AreNoneBetweenLaunches) {
  Device device(*sim_api());
  Buffer<u32> data(device, std::vector<u32>(words, 0));
  sim::Races races;
  const sim::RaceWatch watch(races);
  for (const Writing writing : {Writing::none, Writing::bytes, Writing::atomic, Writing::none})
    launch(device, {{.grid = 1, .block = 4}}, write_together, data.data(), data.data(), writing);
  EXPECT_TRUE(races.all().empty());
  launch(device, {{.grid = 1, .block = 4}}, write_together, data.data(), data.data(), Writing::own);
  EXPECT_EQ(races.all().size(), 1u);
}

/// Block 0 releases what it has written, block 1 acquires it, block 2 only reads it.
HW_KERNEL void one_acquires(u32* data, u32* flag, u32 last) {
  if (dev::block() == 0) {
    dev::plain_write(data, 5u);
    dev::store_release(flag, 1u);
  } else if (dev::block() == 1) {
    dev::load_acquire(flag);
  }
  if (dev::block() == last) dev::plain_read(data);
}

// All run in one place, one after the other, which orders nothing.
TEST(Races, ABlockKnowsNothingOfTheOneBefore) {
  for (const u32 last : {1u, 2u}) {
    Device device(*sim_api());
    device.set_schedule({.resident_blocks = 1});
    Buffer<u32> data(device, std::vector<u32>(words, 0)), flag(device, std::vector<u32>(1, 0));
    sim::Races races;
    const sim::RaceWatch watch(races);
    launch(device, {{.grid = 3, .block = 1}}, one_acquires, data.data(), flag.data(), last);
    EXPECT_EQ(races.all().size(), last - 1);
  }
}

TEST(Races, AreLookedForOnlyWhileWatched) {
  sim::Races races;
  { const sim::RaceWatch watch(races); }
  Device device(*sim_api());
  Buffer<u32> data(device, std::vector<u32>(words, 0));
  launch(device, {{.grid = 2, .block = block}}, write_together, data.data(), data.data(), Writing::own);
  EXPECT_TRUE(races.all().empty());
}

}  // namespace of_races_test
}  // namespace hopwave::device

#endif

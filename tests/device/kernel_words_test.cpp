// The kernel vocabulary as the simulator speaks it, word by word, and the schedules that seeds draw.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "device/device.h"
#include "device/held.h"
#include "device/kernel.h"
#include "device/packed.h"
#include "hopwave/error.h"
#include "support/device_values.h"

namespace hopwave::device {
namespace of_kernel_words_test {

namespace dev = sim::dev;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// ---- words ---------------------------------------------------------------------------------------------------------------

template <class T>
void memory_words(T* p, T* old) {
  old[0] = dev::fetch_add(&p[0], 5);
  old[1] = dev::fetch_or(&p[1], 6);
  old[2] = dev::fetch_and(&p[2], 6);
  old[3] = dev::fetch_min(&p[3], 2);
  old[4] = dev::fetch_max(&p[4], 9);
  old[5] = dev::exchange(&p[5], 8);
  old[6] = dev::compare_exchange(&p[6], 3, 77);
  old[7] = dev::compare_exchange(&p[7], 4, 77);
  old[8] = dev::load(&p[8]) + dev::load_acquire(&p[8]) + dev::peek(&p[8]) + dev::read_only(&p[10]) + dev::read_once(&p[10]);
  dev::poke(&p[7], 6);
  dev::store(&p[8], 1);
  dev::store_release(&p[9], 2);
  if constexpr (std::is_same_v<T, u64>)
    dev::add_release(&p[9], 3);
  else
    dev::fetch_add(&p[9], 3);
}

template <class T>
void check_memory_words() {
  Device device(*sim_api());
  Buffer<T> p(device, 11), old(device, 9);
  p.upload(std::vector<T>(11, 3));
  launch(device, {{.grid = 1, .block = 1}}, memory_words<T>, p.data(), old.data());
  EXPECT_EQ(values_of(p), (std::vector<T>{8, 7, 2, 2, 9, 8, 77, 6, 1, 5, 3}));
  EXPECT_EQ(values_of(old), (std::vector<T>{3, 3, 3, 3, 3, 3, 3, 3, 15}));
}

TEST(Words, OfMemory) {
  check_memory_words<u32>();
  check_memory_words<u64>();
  check_memory_words<std::int32_t>();
}

// What no instruction of a GPU does, does not compile here either.
template <class T>
concept Adds = requires(T* p) {
  dev::fetch_add(p, T{1});
};
template <class T>
concept Swaps = requires(T* p) {
  dev::compare_exchange(p, T{0}, T{1});
};
template <class T>
concept Lowers = requires(T* p) {
  dev::fetch_min(p, T{1});
};
template <class T>
concept Shuffles = requires(T v) {
  dev::shuffle(dev::all_lanes, v, 0u);
};
template <class T>
concept AddsReleasing = requires(T* p) {
  dev::add_release(p, T{1});
};
struct Pair {
  u32 a, b;
};
static_assert(Adds<u32> && Adds<u64> && Adds<int> && !Adds<std::int64_t> && !Adds<unsigned char> && !Adds<std::uint16_t>);
static_assert(Swaps<u64> && !Swaps<std::int64_t> && !Swaps<bool> && Lowers<std::int64_t> && !Lowers<short> && !Lowers<float>);
static_assert(Shuffles<u32> && Shuffles<double> && Shuffles<std::uint16_t> && !Shuffles<Pair> && !Shuffles<bool>);
static_assert(AddsReleasing<u64> && !AddsReleasing<u32>);

void stream_words(const dev::Quad* from, dev::Quad* to) {
  const dev::Quad q = dev::read_stream(from + dev::lane());
  dev::write_stream(to + dev::lane(), {q.w, q.z, q.y, q.x});
}

TEST(Words, OfStreams) {
  Device device(*sim_api());
  Buffer<u32> from(device, 4 * dev::lanes), to(device, 4 * dev::lanes);
  std::vector<u32> values(from.size()), turned(from.size());
  for (u32 i = 0; i < values.size(); ++i) values[i] = turned[i / 4 * 4 + 3 - i % 4] = 7 * i;
  from.upload(values);
  launch(device, {{.grid = 1, .block = dev::lanes}}, stream_words, reinterpret_cast<const dev::Quad*>(from.data()),
         reinterpret_cast<dev::Quad*>(to.data()));
  EXPECT_EQ(values_of(to), turned);
}

void warp_words(u32* out, u32 count) {
  const u32 t = dev::thread();
  const u32 here = std::min(dev::lanes, count - dev::warp() * dev::lanes);  // lanes of this warp
  u32 right = 0;
  right += dev::popcount(dev::ballot(dev::all_lanes, true)) == static_cast<int>(here);
  right += dev::any(dev::all_lanes, dev::lane() == 0) && !dev::any(dev::all_lanes, false);
  right += dev::all(dev::all_lanes, true) && !dev::all(dev::all_lanes, dev::lane() != 0);
  right += dev::shuffle(dev::all_lanes, t, 0) == dev::warp() * dev::lanes;
  const double up = dev::shuffle_up(dev::all_lanes, 2.0 * t, 1);
  right += dev::lane() == 0 ? up == 2.0 * t : up == 2.0 * (t - 1);
  const u32 sum = dev::reduce_add(dev::all_lanes, dev::lane());
  right += sum == here * (here - 1) / 2;
  dev::sync_warp();
  const auto odd = dev::ballot(dev::all_lanes, dev::lane() % 2 == 1);
  if (dev::lane() % 2 == 1)  // half a warp on its own
    right += dev::reduce_add(odd, 3u) == 3u * static_cast<u32>(dev::popcount(odd));
  else
    right += dev::ballot(dev::all_lanes & ~odd & (~dev::LaneMask{0} >> (64 - here)), true) != odd;
  out[t] = right;
}

TEST(Words, OfAWarp) {
  for (const u32 block : {dev::lanes, 2 * dev::lanes, 48u, 1u, 100u})
    for (u64 seed = 1; seed <= 5; ++seed) {
      Device device(*sim_api());
      device.set_schedule({.seed = seed});
      Buffer<u32> out(device, block);
      launch(device, {{.grid = 1, .block = block}}, warp_words, out.data(), block);
      EXPECT_EQ(values_of(out), std::vector<u32>(block, 7)) << block;
    }
}

void block_words(u32* out) {
  const u32 t = dev::thread();
  u32 right = dev::sync_block_or(t == 7);
  right += !dev::sync_block_or(false);
  out[dev::global_thread()] = right;
}

TEST(Words, OfABlock) {
  Device device(*sim_api());
  Buffer<u32> out(device, 300);
  launch(device, {{.grid = 3, .block = 100}}, block_words, out.data());
  EXPECT_EQ(values_of(out), std::vector<u32>(300, 2));
}

template <u32 N>
HW_DEVICE u32 sum_of_first(u32 v) {
  HW_SHARED(u32, box, N);
  if (dev::thread() < N) box[dev::thread()] = v;
  dev::sync_block();
  u32 sum = 0;
  for (u32 x : box) sum += x;
  dev::sync_block();
  return sum;
}
void shared_arrays(u32* out) {
  HW_DYNAMIC_SHARED(u32, dynamic);
  HW_SHARED(unsigned char, odd, 3);
  HW_SHARED(u64, wide, 2);
  const u32 t = dev::thread();
  if (t < 3) odd[t] = static_cast<unsigned char>(t + dev::block());
  if (t < 2) wide[t] = u64{1} << 40;
  dynamic[t] = 1;
  u32 sum = 0;
  for (int round = 0; round < 3; ++round) {
    HW_SHARED(u32, again, 1);  // one array, not one a round
    if (t == 0) again[0] = (round == 0 ? 0 : again[0]) + 1;
    sum += sum_of_first<4>(t) + sum_of_first<8>(t);
    if (t == 0) sum += again[0];
  }
  u32 ones = 0;
  for (u32 i = 0; i < dev::block_size(); ++i) ones += dynamic[i];
  if (t == 0) out[dev::block()] = sum + ones + odd[2] + (wide[0] == wide[1]);
}

TEST(Words, SharedArraysAreOneABlockAndDeclaration) {
  Device device(*sim_api());
  Buffer<u32> out(device, 6);
  launch(device, {{.grid = 6, .block = 64, .shared_bytes = 64 * sizeof(u32)}}, shared_arrays, out.data());
  for (u32 b = 0; b < 6; ++b) EXPECT_EQ(out.value(b), 3 * (6 + 28) + 6 + 64 + (2 + b) + 1);
}

void cluster_words(u32* out) {
  HW_SHARED(u32, mine, 32);
  mine[dev::thread()] = dev::block() * 100 + dev::thread();
  dev::sync_cluster();
  u32 sum = 0;
  for (u32 r = 0; r < dev::cluster_size(); ++r) sum += *dev::cluster_map(&mine[dev::thread()], r);
  dev::sync_cluster();
  out[dev::global_thread()] = sum + 10000 * dev::cluster_rank();
}

TEST(Words, OfACluster) {
  Device device(*sim_api());
  Buffer<u32> out(device, 8 * 32);
  launch(device, {{.grid = 8, .block = 32, .cluster = 4}}, cluster_words, out.data());
  const auto got = values_of(out);
  for (u32 i = 0; i < got.size(); ++i) {
    const u32 c = i / 128, rank = i / 32 % 4, t = i % 32;
    ASSERT_EQ(got[i], (4 * c * 4 + 6) * 100 + 4 * t + 10000 * rank);
  }
}

void split_barrier(u32* out) {
  HW_SHARED(u32, mine, 32);
  u32 right = 0;
  for (u32 round = 0; round < 5; ++round) {
    mine[dev::thread()] = round * 100 + dev::cluster_rank();
    dev::arrive_cluster();
    for (u32 i = 0; i < 3; ++i) dev::load(&mine[dev::thread()]);  // work of its own between the halves
    dev::wait_cluster();
    const u32 next = (dev::cluster_rank() + 1) % dev::cluster_size();
    right += *dev::cluster_map(&mine[(dev::thread() + 5) % 32], next) == round * 100 + next;
    dev::sync_cluster();
  }
  out[dev::global_thread()] = right;
}

TEST(Words, OfACluster_InTwoHalves) {
  for (u64 seed = 1; seed <= 10; ++seed) {
    Device device(*sim_api());
    device.set_schedule({.seed = seed, .interrupt_every = 2});
    Buffer<u32> out(device, 4 * 32);
    launch(device, {{.grid = 4, .block = 32, .cluster = 2}}, split_barrier, out.data());
    EXPECT_EQ(values_of(out), std::vector<u32>(128, 5));
  }
}

/// Rounds of sends by turns between two blocks, and what came is passed on. No barrier in between.
void sent_around(const u32* first, u32* out) {
  HW_SHARED(dev::Inbox, boxes, 2);
  HW_SHARED(dev::Quad, slots, 2 * 32);
  HW_SHARED(u32, copied, 32);
  const u32 t = dev::thread(), next = (dev::cluster_rank() + 1) % dev::cluster_size();
  dev::copy_later(&copied[t], &first[t]);
  if (t == 0)
    for (u32 k = 0; k < 2; ++k) dev::open_inbox(&boxes[k], 32 * sizeof(dev::Quad));
  dev::wait_copies();
  dev::sync_cluster();
  dev::Quad value{copied[(t + 1) % 32], dev::cluster_rank(), t, 0};
  for (u32 round = 0; round < 7; ++round) {
    const u32 turn = round & 1;
    dev::send(&slots[turn * 32 + t], value, &boxes[turn], next);
    dev::await_sends(&boxes[turn], round / 2);
    value = slots[turn * 32 + (t + 1) % 32];
    ++value.w;
  }
  out[dev::global_thread()] = value.x + 100 * value.y + 1000 * value.z + 100'000 * value.w;
  dev::sync_cluster();
}

TEST(Words, OfSendsInACluster) {
  for (u64 seed = 1; seed <= 10; ++seed) {
    Device device(*sim_api());
    device.set_schedule({.seed = seed, .interrupt_every = 2});
    Buffer<u32> first(device, 32), out(device, 4 * 32);
    std::vector<u32> values(32);
    for (u32 i = 0; i < 32; ++i) values[i] = i;
    first.upload(values);
    launch(device, {{.grid = 4, .block = 32, .cluster = 2}}, sent_around, first.data(), out.data());
    const auto got = values_of(out);
    for (u32 i = 0; i < got.size(); ++i) {
      const u32 rank = i / 32 % 2, from = (i % 32 + 7) % 32;  // seven rounds, a slot and a block further in each
      ASSERT_EQ(got[i], (from + 1) % 32 + 100 * (1 - rank) + 1000 * from + 700'000) << i << ", seed " << seed;
    }
  }
}

// ---- fields ---------------------------------------------------------------------------------------------------------------

using Middle = dev::Field<4, 3>;
using Top = dev::Field<60, 4>;
using Whole = dev::Field<0, 32, u32>;

std::string refusal(void (*what)(u64), u64 value) {
  try {
    what(value);
    return "";
  } catch (const Error& e) {
    return e.id();
  }
}

TEST(Fields, TakeTheirLargestValueAndNoMore) {
  EXPECT_EQ(Middle::put(6), 0x60u);
  EXPECT_EQ(Middle::put(7), 0x70u);
  EXPECT_EQ(refusal([](u64 v) { Middle::put(v); }, 8), "HW-SIM-CHECK");
  EXPECT_EQ(Middle::get(~0ull), 7u);
  EXPECT_EQ(Top::put(15), 15ull << 60);
  EXPECT_EQ(refusal([](u64 v) { Top::put(v); }, 16), "HW-SIM-CHECK");
  EXPECT_EQ(Top::get(~0ull), 15u);
  EXPECT_EQ(Whole::put(~0u), ~0u);
  EXPECT_EQ(Whole::get(~0u), ~0u);
}

TEST(Fields, NarrowedValuesFit) {
  EXPECT_EQ(dev::narrowed<std::uint16_t>(u64{65534}), 65534);
  EXPECT_EQ(dev::narrowed<std::uint16_t>(u64{65535}), 65535);
  EXPECT_EQ(refusal([](u64 v) { dev::narrowed<std::uint16_t>(v); }, 65536), "HW-SIM-CHECK");
  EXPECT_EQ(dev::narrowed<std::int32_t>(u64{0x7FFFFFFF}), 0x7FFFFFFF);
  EXPECT_EQ(refusal([](u64 v) { dev::narrowed<std::int32_t>(v); }, u64{1} << 32), "HW-SIM-CHECK");
  EXPECT_EQ(refusal([](u64 v) { dev::narrowed<std::int32_t>(v); }, u64{1} << 31), "HW-SIM-CHECK") << "negative as an int";
  EXPECT_EQ(refusal([](u64 v) { dev::narrowed<std::int32_t>(static_cast<u32>(v)); }, u64{1} << 31), "HW-SIM-CHECK");
}

// ---- schedules -----------------------------------------------------------------------------------------------------------

void arrival_order(u32* order, u32* count) { order[dev::fetch_add(count, 1u)] = dev::global_thread(); }

std::vector<u32> arrivals(const Schedule& schedule) {
  Device device(*sim_api());
  device.set_schedule(schedule);
  Buffer<u32> order(device, 256), count(device, 1);
  count.fill_bytes(0);
  launch(device, {{.grid = 4, .block = 64}}, arrival_order, order.data(), count.data());
  return values_of(order);
}

TEST(Schedule, IsItsSeed) {
  for (const u32 every : {0u, 2u, 64u}) {
    EXPECT_EQ(arrivals({.seed = 5, .interrupt_every = every}), arrivals({.seed = 5, .interrupt_every = every}));
    EXPECT_NE(arrivals({.seed = 5, .interrupt_every = every}), arrivals({.seed = 6, .interrupt_every = every}));
  }
  auto sorted = arrivals({.seed = 9, .interrupt_every = 1});
  std::sort(sorted.begin(), sorted.end());
  for (u32 i = 0; i < 256; ++i) EXPECT_EQ(sorted[i], i);
}

void two_writers(u32* p) {
  const u32 old = dev::load(p);
  dev::store(p, old * 10 + dev::thread() + 1);
}

TEST(Schedule, SeedsReachAllInterleavings) {
  std::set<u32> outcomes;
  for (u64 seed = 1; seed <= 100; ++seed) {
    Device device(*sim_api());
    device.set_schedule({.seed = seed, .interrupt_every = 2});
    Buffer<u32> p(device, 1);
    p.fill_bytes(0);
    launch(device, {{.grid = 1, .block = 2}}, two_writers, p.data());
    outcomes.insert(p.value());
  }
  EXPECT_EQ(outcomes, (std::set<u32>{1, 2, 12, 21}));
}

// A barrier made by hand: those who wait pause, and the one at work may take as long as it likes.
void hand_made_barrier(u32* arrived, u32* work) {
  if (dev::global_thread() == 77)
    for (u32 i = 0; i < 300000; ++i) dev::store(work, i);
  dev::fence();
  dev::fetch_add(arrived, 1u);
  while (dev::load(arrived) < dev::global_threads()) dev::pause();
  dev::fence();
}

TEST(Schedule, PatientWithThoseAtWork) {
  Device device(*sim_api());
  device.set_schedule({.seed = 3, .interrupt_every = 8, .patience = 5000});
  Buffer<u32> cells(device, 2);
  cells.fill_bytes(0);
  launch(device, {{.grid = 4, .block = 256, .cooperative = true}}, hand_made_barrier, cells.data(), cells.data() + 1);
  EXPECT_EQ(cells.value(0), 1024u);
}

TEST(Schedule, DevicesAreIndependent) {
  std::vector<std::vector<u32>> got(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&got, i] { got[i] = arrivals({.seed = static_cast<u64>(i % 2 + 1), .interrupt_every = 2}); });
  for (auto& t : threads) t.join();
  EXPECT_EQ(got[0], got[2]);
  EXPECT_EQ(got[1], got[3]);
  EXPECT_NE(got[0], got[1]);
}

}  // namespace of_kernel_words_test
}  // namespace hopwave::device

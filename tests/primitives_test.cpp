// The primitives of src/device/primitives/ in the simulator: on all block sizes, on partial warps where they are
// allowed, under schedules that interrupt, and used wrongly where a check can see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/block.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/expand.h"
#include "device/primitives/search.h"
#include "hopwave/error.h"
#include "support/device_values.h"

namespace hopwave::device {
namespace {

namespace dev = sim::dev;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The error id of what `run` throws, or nothing.
template <class Run>
std::string refusal(Run&& run) {
  try {
    run();
    return "";
  } catch (const Error& e) {
    return e.id();
  }
}

/// All blocks of whole warps.
std::vector<u32> whole_blocks() {
  std::vector<u32> blocks;
  for (u32 block = dev::lanes; block <= 1024; block += dev::lanes) blocks.push_back(block);
  return blocks;
}
/// The same, and blocks whose last warp lacks lanes.
std::vector<u32> all_blocks() {
  std::vector<u32> blocks = whole_blocks();
  for (const u32 block : {1u, 2u, 17u, 33u, 48u, 63u, 100u, 1023u}) blocks.push_back(block);
  return blocks;
}

/// A value of a thread that looks random, on the host and in kernels.
u32 drawn(u32 i) { return (i * 2654435761u + 12345) >> 7; }

struct TestDevice : Device {
  explicit TestDevice(u64 seed) : Device(*sim_api()) { set_schedule({.seed = seed, .interrupt_every = seed % 3 ? 0u : 2u}); }
};

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

// ---- search --------------------------------------------------------------------------------------------------------------

/// Edges before each of `size` rows, some of which are empty, and at last all edges.
std::vector<u64> prefix_of(u32 size, u32 salt) {
  std::vector<u64> before(size + 1ull);
  for (u32 i = 0; i < size; ++i) {
    const u32 draw = drawn(i + 1000 * salt), degree = draw % 4 == 0 ? 0 : draw % 11 == 0 ? 90 : draw % 5;
    before[i + 1ull] = before[i] + degree;
  }
  return before;
}

/// The last row with at most x edges before it, by looking at all.
u32 row_of(const std::vector<u64>& before, u64 x) {
  u32 row = 0;
  for (u32 i = 0; i + 1 < before.size(); ++i)
    if (before[i] <= x) row = i;
  return row;
}

TEST(Search, ByOneThread) {
  for (u32 size = 1; size <= 70; ++size) {
    const auto before = prefix_of(size, size);
    for (u64 x = 0; x <= before.back() + 1; ++x)
      ASSERT_EQ(dev::last_at_most(size, x, [&](u32 i) { return before[i]; }), row_of(before, x)) << x << " of " << size;
  }
  const auto one = [](u32) { return 5u; };
  EXPECT_EQ(refusal([&] { dev::last_at_most(1, 5u, one); }), "");
  EXPECT_EQ(refusal([&] { dev::last_at_most(1, 4u, one); }), "HW-SIM-CHECK") << "x lies before the first";
  EXPECT_EQ(refusal([&] { dev::last_at_most(0, 5u, one); }), "HW-SIM-CHECK") << "nothing to find";
}

void found_in_lanes(const u64* before, u64 edges, u32* row) {
  for (u64 x0 = 0; x0 < edges; x0 += dev::lanes) {
    const u32 found = dev::last_lane_at_most(before[dev::lane()], x0 + dev::lane());
    if (x0 + dev::lane() < edges) row[x0 + dev::lane()] = found;
  }
}

TEST(Search, AmongLanes) {
  for (u32 salt = 0; salt < 20; ++salt) {
    TestDevice device(salt + 1);
    auto before = prefix_of(dev::lanes, salt);
    const u64 edges = before.back();
    Buffer<u64> given(device, before);
    Buffer<u32> row(device, edges + 1);
    launch(device, {{.grid = 1, .block = dev::lanes}}, found_in_lanes, given.data(), edges, row.data());
    const auto got = values_of(row);
    for (u64 x = 0; x < edges; ++x) ASSERT_EQ(got[x], row_of(before, x)) << salt;
  }
}

void lane_zero_lies_behind(u32* out) { out[dev::lane()] = dev::last_lane_at_most(dev::lane() + 1, dev::lane()); }

TEST(Search, AmongLanesSeesAnEdgeBeforeTheFirst) {
  Device device(*sim_api());
  Buffer<u32> out(device, dev::lanes);
  EXPECT_EQ(refusal([&] {
              launch(device, {{.grid = 1, .block = dev::lanes}}, lane_zero_lies_behind, out.data());
              device.wait();
            }),
            "HW-SIM-CHECK");
}

/// One warp an x.
void found_windows(const u64* before, u32 size, u64 edges, u32* base) {
  const u64 warps = u64{dev::grid_size()} * dev::warps();
  for (u64 x = u64{dev::block()} * dev::warps() + dev::warp(); x < edges; x += warps) {
    const u32 at = dev::warp_window_at_most(size, x, [&](u32 i) { return before[i]; });
    if (dev::lane() == 0) base[x] = at;
  }
}

TEST(Search, ByAWarp) {
  for (const u32 size : {1u, 2u, 31u, 32u, 33u, 64u, 65u, 500u, 1023u, 1024u, 1025u, 3000u}) {
    TestDevice device(size);
    const auto before = prefix_of(size, size);
    const u64 edges = std::min<u64>(before.back(), 700);
    const u64 skip = before.back() - edges;  // the last edges, whose rows are the farthest
    std::vector<u64> shifted(before);
    for (u64& b : shifted) b = b > skip ? b - skip : 0;
    Buffer<u64> given(device, shifted);
    Buffer<u32> base(device, edges + 1);
    launch(device, {{.grid = 2, .block = 8 * dev::lanes}}, found_windows, given.data(), size, edges, base.data());
    const auto got = values_of(base);
    for (u64 x = 0; x < edges; ++x) ASSERT_EQ(got[x], size <= dev::lanes ? 0 : row_of(shifted, x)) << x << " of " << size;
  }
}

// ---- expansion -----------------------------------------------------------------------------------------------------------

template <class Offset>
struct TestEntry {
  Offset begin, before;
  u32 name;
};

/// All warps of the grid share the edges; each adds to an edge's end how often it was taken and by which row.
template <class Offset, u32 batch>
void expand_all(dev::RowQueue<TestEntry<Offset>, Offset> rows, bool shared, u32* taken, u32* names) {
  const u64 warps = u64{dev::grid_size()} * dev::warps(), own = u64{dev::block()} * dev::warps() + dev::warp();
  const u64 lo = rows.edges * own / warps, hi = rows.edges * (own + 1) / warps;
  dev::warp_expand<batch>(
      rows, static_cast<Offset>(lo), static_cast<Offset>(hi), shared, [](const TestEntry<Offset>& e) { return e.name; },
      [&](const u32(&to)[batch], const u32(&name)[batch], const bool(&open)[batch]) {
        for (u32 j = 0; j < batch; ++j) {
          HW_CHECK(open[j] || (to[j] == 0 && name[j] == 0));
          if (!open[j]) continue;
          dev::fetch_add(&taken[to[j]], 1u);
          dev::fetch_add(&names[to[j]], name[j]);
        }
      });
}

/// Rows stand in memory in another order than in the queue; an edge's end is its place in the queue, so it is known who
/// has it.
template <class Offset, u32 batch>
void check_expand(u32 size, u32 grid, u32 block, bool shared) {
  TestDevice device(size + block);
  const auto before = prefix_of(size, size);
  const u64 edges = before.back();
  std::vector<TestEntry<Offset>> entries(size);
  std::vector<u32> neighbors(edges + 1), want(edges + 1, 0);
  u64 end = edges;  // the queue's first row is the last in memory
  for (u32 i = 0; i < size; ++i) {
    end -= before[i + 1ull] - before[i];
    entries[i] = {static_cast<Offset>(end), static_cast<Offset>(before[i]), i + 7};
    for (u64 e = before[i]; e < before[i + 1ull]; ++e) {
      neighbors[end + (e - before[i])] = static_cast<u32>(e);
      want[e] = shared ? i + 7 : 0;
    }
  }
  Buffer<TestEntry<Offset>> queue(device, entries);
  Buffer<u32> rows(device, neighbors), taken(device, edges + 1), names(device, edges + 1);
  taken.fill_bytes(0);
  names.fill_bytes(0);
  launch(device, {{.grid = grid, .block = block}}, expand_all<Offset, batch>,
         dev::RowQueue<TestEntry<Offset>, Offset>{queue.data(), size, static_cast<Offset>(edges), rows.data()}, shared,
         taken.data(), names.data());
  std::vector<u32> once(edges + 1, 1);
  once[edges] = 0;
  ASSERT_EQ(values_of(taken), once) << size << " rows, blocks of " << block;
  ASSERT_EQ(values_of(names), want) << size << " rows, blocks of " << block;
}

TEST(Expand, TakesEveryEdgeOnce) {
  for (const u32 block : whole_blocks()) check_expand<u32, 4>(200, 2, block, true);
  for (const u32 size : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 1500u}) {
    check_expand<u32, 4>(size, 3, 4 * dev::lanes, true);
    check_expand<u32, 1>(size, 1, dev::lanes, true);
    check_expand<u64, 4>(size, 3, 2 * dev::lanes, true);
    check_expand<u64, 2>(size, 2, dev::lanes, false);
  }
}

void expand_too_far(dev::RowQueue<TestEntry<u32>, u32> rows) {
  dev::warp_expand<1>(
      rows, 0u, rows.edges + 1, false, [](const TestEntry<u32>& e) { return e.name; },
      [](const u32(&)[1], const u32(&)[1], const bool(&)[1]) {});
}

TEST(Expand, SeesEdgesThatTheQueueHasNot) {
  Device device(*sim_api());
  const std::vector<TestEntry<u32>> entries{{0, 0, 0}};
  Buffer<TestEntry<u32>> queue(device, entries);
  Buffer<u32> neighbors(device, 8);
  neighbors.fill_bytes(0);
  EXPECT_EQ(refusal([&] {
              launch(device, {{.grid = 1, .block = dev::lanes}}, expand_too_far,
                     dev::RowQueue<TestEntry<u32>, u32>{queue.data(), 1, 4, neighbors.data()});
              device.wait();
            }),
            "HW-SIM-CHECK");
}

// ---- bitmap --------------------------------------------------------------------------------------------------------------

/// Every thread of every block claims the same bits, each in another order.
template <class Word>
void claim_all(Word* words, u32 bits, u32* winners) {
  for (u32 k = 0; k < bits; ++k) {
    const u32 i = (k * 7 + dev::global_thread()) % bits;
    if (i % 5 != 3 && dev::claim_bit(words, i)) dev::fetch_add(&winners[i], 1u);
  }
}
template <class Word>
void test_all(const Word* words, u32 bits, u32* set) {
  for (u32 i = dev::global_thread(); i < bits; i += dev::global_threads()) set[i] = dev::test_bit(words, i);
}

template <class Word>
void check_bits(u32 block, u64 seed) {
  TestDevice device(seed);
  const u32 bits = 131;
  Buffer<Word> words(device, (bits + dev::bits_of<Word> - 1) / dev::bits_of<Word>);
  Buffer<u32> winners(device, bits), set(device, bits);
  words.fill_bytes(0);
  winners.fill_bytes(0);
  launch(device, {{.grid = 2, .block = block}}, claim_all<Word>, words.data(), bits, winners.data());
  launch(device, {{.grid = 1, .block = block}}, test_all<Word>, words.data(), bits, set.data());
  std::vector<u32> want(bits, 1);
  for (u32 i = 3; i < bits; i += 5) want[i] = 0;
  ASSERT_EQ(values_of(winners), want) << block;
  ASSERT_EQ(values_of(set), want) << block;
}

TEST(Bitmap, EachBitHasOneWinner) {
  for (const u32 block : {1u, 32u, 48u, 256u}) {
    check_bits<u32>(block, block);
    check_bits<u64>(block, block);
  }
  for (u64 seed = 1; seed <= 9; ++seed) check_bits<u32>(32, 3 * seed);
}

// ---- double buffer -------------------------------------------------------------------------------------------------------

TEST(DoubleBuffer, TakesItsTurn) {
  int a = 0, b = 0;
  int* const pair[2] = {&a, &b};
  EXPECT_EQ(dev::current_of(pair, 0), &a);
  EXPECT_EQ(dev::alternate_of(pair, 0), &b);
  for (const u32 turn : {1u, 2u, ~0u}) {
    EXPECT_EQ(dev::current_of(pair, turn), &b);
    EXPECT_EQ(dev::alternate_of(pair, turn), &a);
  }
}

}  // namespace
}  // namespace hopwave::device

// Searches, expansion, bitmaps and double buffers of src/device/primitives/ in the simulator: on all block sizes, on partial
// warps where they are allowed, under schedules that interrupt, and used wrongly where a check can see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "device/primitives/bitmap.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/expand.h"
#include "device/primitives/search.h"
#include "support/primitives.h"

namespace hopwave::device {
namespace of_primitives_expand_test {

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

TEST(Search, FromARowNearby) {
  for (u32 size = 1; size <= 70; ++size) {
    const auto before = prefix_of(size, size);
    for (u64 x = 0; x <= before.back() + 1; ++x)
      for (u32 from = 0; from <= row_of(before, x); ++from)
        ASSERT_EQ(dev::last_at_most_from(from, size, x, [&](u32 i) { return before[i]; }), row_of(before, x))
            << x << " of " << size << " from " << from;
  }
  // Near the greatest size, and how often it looks.
  for (const u32 answer : {0u, 1u, 7u, 8u, 1000000u, 0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xFFFFFFFDu, 0xFFFFFFFEu})
    for (const u32 from : {0u, answer / 2, answer}) {
      u32 looks = 0;
      const auto step = [&](u32 i) { return ++looks, i > answer ? 9u : 5u; };
      ASSERT_EQ(dev::last_at_most_from(from, 0xFFFFFFFFu, 5u, step), answer) << from;
      EXPECT_LE(looks, 2 * static_cast<u32>(std::bit_width(answer - from)) + 4)
          << answer << " from " << from;  // two of them are checks
    }
  const auto five = [](u32) { return 5u; };
  EXPECT_EQ(refusal([&] { dev::last_at_most_from(0, 1, 5u, five); }), "");
  EXPECT_EQ(refusal([&] { dev::last_at_most_from(0, 1, 4u, five); }), "HW-SIM-CHECK") << "x lies before the first";
  EXPECT_EQ(refusal([&] { dev::last_at_most_from(1, 1, 5u, five); }), "HW-SIM-CHECK") << "nothing to find";
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

/// An edge's end, alone or with a weight above it: its complement, so that a word that was put together wrongly is seen.
template <class Neighbor>
Neighbor word_of(u32 to) {
  if constexpr (sizeof(Neighbor) == 8) return u64{~to} << 32 | to;
  return to;
}

/// All warps of the grid share the edges; each adds to an edge's end how often it was taken and by which row.
template <class Offset, u32 batch, class Neighbor>
void expand_all(dev::RowQueue<TestEntry<Offset>, Offset, Neighbor> rows, bool shared, u32* taken, u32* names) {
  const u64 warps = u64{dev::grid_size()} * dev::warps(), own = u64{dev::block()} * dev::warps() + dev::warp();
  const u64 lo = rows.edges * own / warps, hi = rows.edges * (own + 1) / warps;
  dev::warp_expand<batch>(
      rows, static_cast<Offset>(lo), static_cast<Offset>(hi), shared, [](const TestEntry<Offset>& e) { return e.name; },
      [&](const Neighbor(&word)[batch], const u32(&name)[batch], const bool(&open)[batch]) {
        for (u32 j = 0; j < batch; ++j) {
          HW_CHECK(open[j] || (word[j] == 0 && name[j] == 0));
          if (!open[j]) continue;
          const u32 to = static_cast<u32>(word[j]);
          HW_CHECK(word[j] == word_of<Neighbor>(to));
          dev::fetch_add(&taken[to], 1u);
          dev::fetch_add(&names[to], name[j]);
        }
      });
}

/// Rows stand in memory in another order than in the queue; an edge's end is its place in the queue, so it is known who
/// has it.
template <class Offset, u32 batch, class Neighbor = u32>
void check_expand(u32 size, u32 grid, u32 block, bool shared) {
  TestDevice device(size + block);
  const auto before = prefix_of(size, size);
  const u64 edges = before.back();
  std::vector<TestEntry<Offset>> entries(size);
  std::vector<Neighbor> neighbors(edges + 1);
  std::vector<u32> want(edges + 1, 0);
  u64 end = edges;  // the queue's first row is the last in memory
  for (u32 i = 0; i < size; ++i) {
    end -= before[i + 1ull] - before[i];
    entries[i] = {static_cast<Offset>(end), static_cast<Offset>(before[i]), i + 7};
    for (u64 e = before[i]; e < before[i + 1ull]; ++e) {
      neighbors[end + (e - before[i])] = word_of<Neighbor>(static_cast<u32>(e));
      want[e] = shared ? i + 7 : 0;
    }
  }
  Buffer<TestEntry<Offset>> queue(device, entries);
  Buffer<Neighbor> rows(device, neighbors);
  Buffer<u32> taken(device, edges + 1), names(device, edges + 1);
  taken.fill_bytes(0);
  names.fill_bytes(0);
  launch(device, {{.grid = grid, .block = block}}, expand_all<Offset, batch, Neighbor>,
         dev::RowQueue<TestEntry<Offset>, Offset, Neighbor>{queue.data(), size, static_cast<Offset>(edges), rows.data()},
         shared, taken.data(), names.data());
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
    check_expand<u32, 4, u64>(size, 3, 2 * dev::lanes, true);
  }
}

/// All warps share the items; each adds which rows' window it was given, and checks that windows are whole and in order.
void windows_of_all(const u32* before, u32 size, u32 total, u32* row) {
  const u32 warps = dev::grid_size() * dev::warps(), own = dev::block() * dev::warps() + dev::warp();
  const u32 lo = total * own / warps, hi = total * (own + 1) / warps;
  u32 next = lo;
  dev::warp_windows(
      size, total, lo, hi, [&](u32 i) { return before[i]; },
      [&](u32 first, u32 from, u32 to) {
        HW_CHECK(from == next && to <= hi && first < size);
        next = to;
        const u32 lanes_before = first + dev::lane() < size ? before[first + dev::lane()] : total;
        for (u32 x0 = from; x0 < to; x0 += dev::lanes) {
          const u32 x = x0 + dev::lane(), k = first + dev::last_lane_at_most(lanes_before, x);
          if (x < to) dev::fetch_add(&row[x], k + 1);
        }
      });
  HW_CHECK(next == hi);
}

TEST(Windows, EveryItemOnceWithItsRow) {
  for (const u32 size : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 1500u})
    for (const u32 grid : {1u, 3u}) {
      TestDevice device(size + grid);
      const auto wide = prefix_of(size, size);
      const std::vector<u32> before(wide.begin(), wide.end());
      const u32 total = before.back();
      Buffer<u32> given(device, before), row(device, total + 1);
      row.fill_bytes(0);
      launch(device, {{.grid = grid, .block = 4 * dev::lanes}}, windows_of_all, given.data(), size, total, row.data());
      const auto got = values_of(row);
      for (u32 x = 0; x < total; ++x) ASSERT_EQ(got[x], row_of(wide, x) + 1) << x << " of " << size;
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

}  // namespace of_primitives_expand_test
}  // namespace hopwave::device

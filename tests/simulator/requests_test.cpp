// Sectors and banks (RequestCounts): kernels whose requests are known by hand, and drawn ones against sets of plain code.
#include "simulator/requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "device/device.h"
#include "device/kernel.h"

namespace hopwave::device {
namespace of_requests_test {

namespace dev = sim::dev;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The first `active` lanes read, each `stride` words after the one before.
template <class T>
HW_KERNEL void read_by_stride(const T* in, u32 begin, u32 stride, u32 active) {
  if (dev::lane() < active) dev::plain_read(&in[begin + dev::lane() * stride]);
}
HW_KERNEL void read_streams(const dev::Quad* in) { dev::read_stream(&in[dev::thread()]); }
HW_KERNEL void write_and_add(u32* out) {
  dev::store(&out[dev::thread() * 8], 1u);
  dev::fetch_add(&out[0], 1u);
  dev::fetch_add(&out[dev::thread()], 1u);
}

template <class T>
HW_KERNEL void shared_by_stride(u32 stride) {
  HW_SHARED(T, words, 33 * 31 + 1);
  dev::plain_read(&words[dev::thread() * stride]);  // lanes meet in a word: writes would race
}

/// A lane reads as many words as its number plus one: the k-th reads of all are one request.
HW_KERNEL void read_more_and_more(const u32* in) {
  for (u32 k = 0; k <= dev::lane(); ++k) dev::plain_read(&in[32 * k + dev::lane()]);
}

enum class Between : u32 { nothing, block, part, warp, shuffle, half_warp, cluster, grid };
HW_DEVICE void read_one(const u32* in, u32 at) { dev::plain_read(&in[at]); }
/// Lane 0 comes by once more than the others before they meet.
HW_KERNEL void read_around(const u32* in, Between between) {
  const u32 lane = dev::lane();
  read_one(in, lane);
  if (lane == 0) read_one(in, 1000);
  switch (between) {
    case Between::nothing:
      break;
    case Between::block:
      dev::sync_block();
      break;
    case Between::part:
      dev::sync_first(dev::lanes);
      break;
    case Between::warp:
      dev::sync_warp();
      break;
    case Between::shuffle:
      dev::shuffle(dev::all_lanes, lane, 0);
      break;
    case Between::half_warp:
      dev::ballot(lane < 16 ? 0xFFFF : 0xFFFF0000, true);
      break;
    case Between::cluster:
      dev::sync_cluster();
      break;
    case Between::grid:
      dev::sync_grid();
      break;
  }
  read_one(in, 2000 + lane);
}

/// One line, two arrays, and not every lane reads both.
HW_KERNEL void read_two(const u32* first, const u32* second) {
  for (u32 k = 0; k < 2; ++k)
    if (dev::plain_read(&first[dev::lane()]) == dev::lane() % 2) dev::plain_read(&second[32 * k + dev::lane()]);
}

HW_KERNEL void gather(const u32* from, const u32* in) { dev::plain_read(&in[dev::read_only(&from[dev::global_thread()])]); }
template <class T>
HW_KERNEL void gather_shared(const u32* from) {
  HW_SHARED(T, words, 1024);
  dev::plain_read(&words[dev::read_only(&from[dev::thread()])]);
}

/// Rounds of shared memory for elements of so many words, of a half or a quarter of a warp at a time where they are wide.
u64 rounds_of(const std::vector<u32>& at, u32 width) {
  u64 rounds = 0;
  for (std::size_t first = 0; first < at.size(); first += 32 / width) {
    std::map<u32, std::set<u32>> banks;
    for (std::size_t t = first; t < std::min<std::size_t>(at.size(), first + 32 / width); ++t)
      for (u32 word = at[t] * width; word < (at[t] + 1) * width; ++word) banks[word % 32].insert(word);
    std::size_t worst = 0;
    for (const auto& bank : banks) worst = std::max(worst, bank.second.size());
    rounds += worst;
  }
  return rounds;
}

class Requests : public ::testing::Test {
 protected:
  void SetUp() override {
    if (dev::lanes != 32) GTEST_SKIP() << "the numbers are for warps of 32 lanes";
  }
  template <class Kernel, class... Arguments>
  LaunchCounts counted(const LaunchShape& shape, Kernel kernel, Arguments... arguments) {
    device_.start_counts();
    launch(device_, {shape}, kernel, arguments...);
    const std::vector<LaunchCounts> all = device_.take_counts();
    EXPECT_EQ(all.size(), 1u);
    return all.at(0);
  }
  template <class T>
  RequestCounts by_stride(u32 stride, u32 active = 32, u32 begin = 0) {
    const Buffer<T> in(device_, std::vector<T>(2048, T{}));
    return counted(one_warp, read_by_stride<T>, in.data(), begin, stride, active).requests_of(false);
  }
  template <class T>
  RequestCounts in_banks(u32 stride) {
    return counted(one_warp, shared_by_stride<T>, stride).requests_of(true);
  }
  static constexpr LaunchShape one_warp{.grid = 1, .block = 32};
  Device device_{*sim_api()};
};

TEST_F(Requests, ByStride) {
  for (const auto& [stride, sectors] : std::map<u32, u64>{{0, 1}, {1, 4}, {2, 8}, {4, 16}, {8, 32}, {32, 32}, {33, 32}}) {
    const RequestCounts r = by_stride<u32>(stride);
    EXPECT_EQ(r.requests, 1u);
    EXPECT_EQ(r.accesses, 32u);
    EXPECT_EQ(r.transfers, sectors) << "stride " << stride;
    EXPECT_EQ(r.most_transfers, sectors);
    EXPECT_EQ(r.least_transfers, stride ? 4u : 1u);
    EXPECT_EQ(r.spread(), stride ? static_cast<double>(sectors) / 4 : 1);
  }
  EXPECT_EQ(by_stride<u32>(1, 32, 1).transfers, 5u) << "one word further, across one more sector";
  EXPECT_EQ(by_stride<u64>(1).transfers, 8u);
  EXPECT_EQ(by_stride<std::uint8_t>(1).transfers, 1u);
}

TEST_F(Requests, OfLanesThatDoNotTakePartAreNone) {
  const RequestCounts half = by_stride<u32>(1, 16), none = by_stride<u32>(1, 0);
  EXPECT_EQ(half.accesses, 16u);
  EXPECT_EQ(half.transfers, 2u);
  EXPECT_EQ(half.least_transfers, 2u);
  EXPECT_EQ(none.requests, 0u);
  EXPECT_EQ(none.spread(), 0);
}

/// Arrays begin at a multiple of 256 bytes on a GPU; where the host has put them does not matter.
TEST_F(Requests, DoNotDependOnAddresses) {
  std::vector<Buffer<std::uint8_t>> between;
  for (u32 bytes = 1; bytes < 300; bytes += 37) {
    between.emplace_back(device_, bytes);
    EXPECT_EQ(by_stride<u32>(1).transfers, 4u);
    EXPECT_EQ(by_stride<u32>(2).transfers, 8u);
  }
}

TEST_F(Requests, OfWritesAtomicsAndWideWords) {
  Buffer<dev::Quad> quads(device_, 32);
  quads.fill_bytes(0);
  EXPECT_EQ(counted(one_warp, read_streams, quads.data()).requests_of(false).transfers, 16u);
  Buffer<u32> out(device_, 32 * 8);
  out.fill_bytes(0);
  const LaunchCounts all = counted(one_warp, write_and_add, out.data());
  ASSERT_EQ(all.requests.size(), 3u);
  EXPECT_EQ(all.requests[0].access, MemoryAccess::write);
  EXPECT_EQ(all.requests[0].transfers, 32u);
  EXPECT_EQ(all.requests[0].least_transfers, 4u);
  EXPECT_EQ(all.requests[1].access, MemoryAccess::atomic);
  EXPECT_EQ(all.requests[1].transfers, 1u);
  EXPECT_EQ(all.requests[2].transfers, 4u);
  EXPECT_EQ(all.requests[1].line + 1, all.requests[2].line) << "in the order of the source";
  EXPECT_TRUE(all.requests[0].file.ends_with("tests/simulator/requests_test.cpp")) << all.requests[0].file;
}

TEST_F(Requests, OfBanks) {
  for (const auto& [stride, ways] : std::map<u32, u64>{{0, 1}, {1, 1}, {2, 2}, {4, 4}, {16, 16}, {32, 32}, {31, 1}, {33, 1}}) {
    const RequestCounts r = in_banks<u32>(stride);
    EXPECT_EQ(r.requests, 1u);
    EXPECT_EQ(r.transfers, ways) << "stride " << stride;
    EXPECT_EQ(r.least_transfers, 1u);
    EXPECT_EQ(r.spread(), static_cast<double>(ways));
  }
  EXPECT_EQ(in_banks<std::uint8_t>(1).transfers, 1u) << "four lanes in one word";
  EXPECT_EQ(in_banks<u64>(1).transfers, 2u) << "256 bytes take two rounds";
  EXPECT_EQ(in_banks<u64>(1).spread(), 1);
  EXPECT_EQ(in_banks<u64>(2).transfers, 4u);
  EXPECT_EQ(counted(one_warp, shared_by_stride<u32>, 1u).requests_of(false).requests, 0u);
}

TEST_F(Requests, AreTheNthAccessesOfAPlace) {
  const Buffer<u32> in(device_, std::vector<u32>(32 * 32, 0));
  const RequestCounts r = counted(one_warp, read_more_and_more, in.data()).requests_of(false);
  EXPECT_EQ(r.requests, 32u);
  EXPECT_EQ(r.accesses, 32u * 33 / 2);
  u64 sectors = 0;  // lanes k to 31 read the words 32 k + lane
  for (u64 k = 0; k < 32; ++k) sectors += 4 - k / 8;
  EXPECT_EQ(r.transfers, sectors);
}

TEST_F(Requests, BeginAnewWhereAllLanesMeet) {
  const Buffer<u32> in(device_, std::vector<u32>(4096, 0));
  const auto sectors = [&](Between between) {
    LaunchShape shape = one_warp;
    shape.cooperative = between == Between::grid;
    shape.cluster = between == Between::cluster ? 1 : 0;
    const RequestCounts r = counted(shape, read_around, in.data(), between).requests_of(false);
    EXPECT_EQ(r.accesses, 65u);
    return r.transfers;
  };
  // In step: 4 sectors, 1 of lane 0 alone, 4. Out of step, lane 0 is one access behind: 4; 1 and 4; 1.
  for (const Between met : {Between::block, Between::part, Between::warp, Between::shuffle, Between::cluster, Between::grid})
    EXPECT_EQ(sectors(met), 9u) << static_cast<u32>(met);
  for (const Between not_met : {Between::nothing, Between::half_warp})
    EXPECT_EQ(sectors(not_met), 10u) << static_cast<u32>(not_met);
}

TEST_F(Requests, OfTwoArraysInOneLineAreTwo) {
  std::vector<u32> odd(32);
  for (u32 lane = 0; lane < 32; ++lane) odd[lane] = lane % 4 == 0 ? 0 : 9;
  const Buffer<u32> first(device_, odd), second(device_, std::vector<u32>(64, 0));
  const RequestCounts r = counted(one_warp, read_two, first.data(), second.data()).requests_of(false);
  EXPECT_EQ(r.requests, 4u);
  EXPECT_EQ(r.accesses, 64u + 16);
  EXPECT_EQ(r.transfers, 16u);  // two of four sectors of each array; every sector has a lane divisible by four
}

TEST_F(Requests, OfDrawnWordsAreTheSetsOfThem) {
  std::mt19937 draw(7);
  for (u32 round = 0; round < 40; ++round) {
    const u32 range = 1u << (round % 11), threads = 1 + draw() % 200;
    std::vector<u32> at(threads);
    for (u32& one : at) one = draw() % range;
    u64 sectors = 0;
    for (u32 first = 0; first < threads; first += 32) {
      std::set<u32> touched;
      for (u32 t = first; t < std::min(threads, first + 32); ++t) touched.insert(at[t] / 8);
      sectors += touched.size();
    }
    const Buffer<u32> from(device_, at), in(device_, std::vector<u32>(1024, 0));
    const LaunchShape shape{.grid = 1, .block = threads};
    const RequestCounts all = counted(shape, gather, from.data(), in.data()).requests_of(false);
    EXPECT_EQ(all.transfers, sectors + (threads + 7) / 8) << "round " << round;
    const RequestCounts shared = counted(shape, gather_shared<u32>, from.data()).requests_of(true);
    EXPECT_EQ(shared.transfers, rounds_of(at, 1)) << "round " << round;
    EXPECT_EQ(shared.requests, (threads + 31) / 32);
    EXPECT_EQ(counted(shape, gather_shared<u64>, from.data()).requests_of(true).transfers, rounds_of(at, 2))
        << "round " << round;
    EXPECT_EQ(counted(shape, gather_shared<dev::Quad>, from.data()).requests_of(true).transfers, rounds_of(at, 4))
        << "round " << round;
  }
}

TEST_F(Requests, AreNotKeptFromLaunchToLaunch) {
  const Buffer<u32> in(device_, std::vector<u32>(2048, 0));
  device_.start_counts();
  for (u32 k = 0; k < 3; ++k) launch(device_, {one_warp}, read_by_stride<u32>, in.data(), 0u, k, 32u);
  const std::vector<LaunchCounts> all = device_.take_counts();
  ASSERT_EQ(all.size(), 3u);
  for (u32 k = 0; k < 3; ++k) EXPECT_EQ(all[k].requests_of(false).transfers, std::max(1u, 4 * k));
}

// nonsense: RequestCounts::spread RequestCounts::add LaunchCounts::requests_of add_requests
TEST(RequestsOfNothing, AreZeroAndOverflowNothing) {
  RequestCounts none;
  EXPECT_EQ(none.spread(), 0);
  none.add(none);
  EXPECT_EQ(none.requests, 0u);
  EXPECT_EQ(LaunchCounts{}.requests_of(true).transfers, 0u);
  std::vector<RequestCounts> all;
  add_requests(all, {.file = "b", .line = 2, .requests = 1});
  add_requests(all, {.file = "b", .line = 1, .requests = 1});
  add_requests(all, {.file = "a", .line = 9, .requests = 1});
  add_requests(all, {.file = "b", .line = 2, .requests = 2, .most_transfers = 5});
  add_requests(all, {.file = "b", .line = 2, .access = MemoryAccess::write, .requests = 4});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].file, "a");
  EXPECT_EQ(all[2].requests, 3u);
  EXPECT_EQ(all[2].most_transfers, 5u);
  EXPECT_EQ(all[3].access, MemoryAccess::write);
}

}  // namespace of_requests_test
}  // namespace hopwave::device

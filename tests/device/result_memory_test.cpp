// Results in pinned memory, in the simulator: who holds it, when it goes back, and that it holds the answer.
#include "device/result_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "hopwave/hopwave.h"

namespace hopwave {
namespace of_result_memory_test {

std::size_t held() { return device::result_memory(*device::sim_api()).held; }
std::size_t kept() { return device::result_memory(*device::sim_api()).kept; }

/// Vertices whose distances fill more than the piece that pinned memory comes in, and end within a line of memory.
constexpr VertexId many = 17'001;

/// Chains of 39 from one vertex: few levels for the simulator, and more than one.
Graph ladder(VertexId n = many) {
  EdgeList list{.num_vertices = n, .edges = Array<Edge>(n - 1)};
  for (VertexId v = 1; v < n; ++v) list.edges[v - 1] = {v % 40 ? v - 1 : 0, v};
  return build_graph(std::move(list), {.make_undirected = true});
}

const SearchOptions on_sim{.parameters = {{"block", 64}, {"grid", 2}, {"ms_bfs", 1}}, .run = {.device = DeviceKind::sim}};

void expect_same(const Result& result, const Result& expected) {
  ASSERT_EQ(result.distance.size(), expected.distance.size());
  EXPECT_TRUE(std::equal(result.distance.begin(), result.distance.end(), expected.distance.begin()));
  EXPECT_EQ(result.reached, expected.reached);
  EXPECT_EQ(result.depth, expected.depth);
}

TEST(ResultMemory, GoesBackWithTheLastOwner) {
  const Graph g = ladder();
  Searcher plain(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  const Query query{.sources = {5}, .parents = true};
  const Result expected = plain.run(query);
  const std::size_t before = held();
  std::optional<Searcher> searcher(std::in_place, g, on_sim);
  Result first = searcher->run(query);
  for (int i = 0; i < 7; ++i) expect_same(searcher->run(query), expected);
  EXPECT_EQ(held(), before) << "the first searches pin nothing new";
  Result second = searcher->run(query);
  EXPECT_GE(held(), before + 2 * many * sizeof(Distance));
  Result third = searcher->run(query);
  const Distance* const at = third.distance.data();
  third = {};
  EXPECT_GE(kept(), 2 * many * sizeof(Distance));
  third = searcher->run(query);
  EXPECT_TRUE(third.distance.data() == at || third.parent.data() == reinterpret_cast<const VertexId*>(at)) << "used again";
  searcher.reset();  // results outlive the searcher and its device
  for (const Result* result : {&first, &second, &third}) {
    expect_same(*result, expected);
    EXPECT_TRUE(validate(g, query, *result));
  }
  std::thread([&] { second = {}; }).join();  // on any thread
  const Array<const Distance> shared(std::move(third.distance));
  third = {};
  EXPECT_GT(held(), before);
  EXPECT_EQ(shared[5], 0);
}

TEST(ResultMemory, HoldsCutOffAnswersToo) {
  const Graph g = ladder();
  Searcher plain(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  Searcher searcher(g, on_sim);
  const auto memory = [&] {  // for the pool to keep
    device::Device device(*device::sim_api());
    device::take_result_memory(device, many * sizeof(Distance), device::Pin::anew);
  };
  memory();
  for (const Query& query :
       {Query{.sources = {7}, .max_depth = 3}, Query{.sources = {7}, .target = 2}, Query{.sources = {7, 999}}})
    expect_same(searcher.run(query), plain.run(query));
}

TEST(ResultMemory, OfAPass) {
  const Graph g = ladder();
  Searcher plain(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  std::vector<VertexId> sources(70);
  std::iota(sources.begin(), sources.end(), 40);
  const std::size_t before = held();
  for (const std::int64_t rows : {0, 3}) {  // rows: how many answers are widened at a time
    SearchOptions options = on_sim;
    options.parameters["rows"] = rows;
    Searcher searcher(g, options);
    for (const Distance limit : {-1, 2}) {
      std::vector<Result> kept(sources.size());
      searcher.run_each(sources, limit, [&](std::size_t i, Result&& result) { kept[i] = std::move(result); });
      EXPECT_GE(held(), before + 64 * many * sizeof(Distance));
      for (std::size_t i = 0; i < sources.size(); ++i)
        expect_same(kept[i], plain.run({.sources = {sources[i]}, .max_depth = limit}));
      kept.clear();
      EXPECT_EQ(held(), before);
      kept = searcher.run_each(sources, limit);
      EXPECT_EQ(held(), before) << "results that come together are ordinary memory";
      for (std::size_t i = 0; i < sources.size(); ++i)
        expect_same(kept[i], plain.run({.sources = {sources[i]}, .max_depth = limit}));
    }
  }
  EXPECT_EQ(held(), before);
}

/// Rows that are copied one by one, all at once, and on the host; the answer is right and the memory goes back whichever way.
TEST(ResultMemory, OfRows) {
  for (const VertexId n : {many, VertexId{17'024}, VertexId{700}}) {
    const Graph g = ladder(n);
    Searcher plain(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
    std::vector<VertexId> sources(n == 17'024 ? 3 : 66);  // more than a pass, where rows are copied one by one
    std::iota(sources.begin(), sources.end(), 40);
    const std::size_t bytes = sources.size() * n * sizeof(Distance);
    const auto expect_rows = [&](const Array<Distance>& rows, Distance limit) {
      ASSERT_EQ(rows.size(), sources.size() * n);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Result expected = plain.run({.sources = {sources[i]}, .max_depth = limit});
        ASSERT_TRUE(std::equal(expected.distance.begin(), expected.distance.end(), rows.data() + i * n)) << "row " << i;
      }
    };
    device::release_kept_results(*device::sim_api());
    const std::size_t before = held();
    std::optional<Searcher> searcher(std::in_place, g, on_sim);
    Array<Distance> rows = searcher->distances_from_each(sources);
    Array<Distance> more = searcher->distances_from_each(sources, 2);
    const bool blocks = n != many;  // what they came through is kept, and will do for rows
    if (!blocks) EXPECT_EQ(held(), before) << "nothing is pinned for a caller who may keep it all";
    expect_rows(rows, -1);
    expect_rows(more, 2);
    EXPECT_EQ(searcher->distances_from_each(sources).size(), rows.size());
    if (!blocks) EXPECT_EQ(held(), before) << "the caller kept it all";
    rows = {};
    more = {};
    rows = searcher->distances_from_each(sources);
    EXPECT_GE(held(), before + bytes) << "nobody has what the calls before gave";
    expect_rows(rows, -1);
    more = searcher->distances_from_each(sources, 3);
    expect_rows(more, 3);
    const std::size_t all = held() + kept();
    rows = {};
    rows = searcher->distances_from_each(sources, 1);
    EXPECT_EQ(held() + kept(), all) << "used again";
    searcher.reset();  // rows outlive the searcher and its device
    expect_rows(rows, 1);
    std::thread([&] { rows = {}; }).join();  // on any thread
    more = {};
    EXPECT_EQ(held(), before);
  }
}

TEST(ResultMemory, OfRowsGoesBackWhenASearchFails) {
  const Graph g = ladder(many);
  Searcher searcher(g, on_sim);
  const std::vector<VertexId> sources(64, 3);
  for (int i = 0; i < 3; ++i) (void)searcher.distances_from_each(sources);
  const std::size_t before = held();
  std::stop_source stop;
  stop.request_stop();
  searcher.set_limits({.stop = stop.get_token()});
  EXPECT_THROW((void)searcher.distances_from_each(sources), Error);
  EXPECT_EQ(held(), before);
  searcher.set_limits({});
  EXPECT_EQ(searcher.distances_from_each(sources)[3], 0);
}

TEST(ResultMemory, GoesBackWhenTheCallerThrows) {
  const Graph g = ladder();
  Searcher searcher(g, on_sim);
  const std::vector<VertexId> sources(64, 3);
  const std::size_t before = held();
  for (const std::size_t last : {0u, 31u, 63u}) {
    EXPECT_THROW(searcher.run_each(sources, -1,
                                   [&](std::size_t i, Result&&) {
                                     if (i == last) throw std::runtime_error("enough");
                                   }),
                 std::runtime_error);
    EXPECT_EQ(held(), before);
  }
  EXPECT_EQ(searcher.run({.sources = {3}}).reached, many);
}

TEST(ResultMemory, KeepsWhatFitsOnly) {
  device::Device device(*device::sim_api());
  const std::size_t before = held();
  EXPECT_EQ(device::take_result_memory(device, std::size_t{1} << 50, device::Pin::anew), nullptr)
      << "more than answers may hold";
  EXPECT_EQ(held(), before);
  auto block = device::take_result_memory(device, 300'000, device::Pin::anew);
  ASSERT_TRUE(block);
  void* const at = block.get();
  block.reset();
  EXPECT_EQ(device::take_result_memory(device, 290'000, device::Pin::if_kept).get(), at) << "a little larger will do";
  EXPECT_EQ(device::take_result_memory(device, 100'000'000, device::Pin::if_kept), nullptr);
  EXPECT_EQ(device::take_result_memory(device, (std::size_t{1} << 30) + 1, device::Pin::to_keep), nullptr) << "never kept";
  EXPECT_TRUE(device::take_result_memory(device, 400'000, device::Pin::to_keep));
  EXPECT_GT(kept(), 0u);
  device::release_kept_results(*device::sim_api());
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(held(), before);
}

TEST(ResultMemory, MakesRoomForWhatIsUsedNow) {
  device::Device device(*device::sim_api());
  device::release_kept_results(*device::sim_api());
  std::size_t most = std::size_t{1} << 30;  // half of what the pool keeps, or more
  std::shared_ptr<void> large;
  while (!large && most > 1 << 20) {
    large = device::take_result_memory(device, most, device::Pin::to_keep);
    if (!large) most /= 2;
  }
  ASSERT_TRUE(large);
  auto small = device::take_result_memory(device, 300'000, device::Pin::anew);
  auto other = device::take_result_memory(device, most / 4 * 3, device::Pin::anew);
  ASSERT_TRUE(small && other);
  void *const small_at = small.get(), *const other_at = other.get();
  large.reset();
  small.reset();
  other.reset();
  EXPECT_EQ(device::take_result_memory(device, most, device::Pin::if_kept), nullptr) << "the oldest";
  EXPECT_EQ(device::take_result_memory(device, most / 4 * 3, device::Pin::if_kept).get(), other_at);
  EXPECT_EQ(device::take_result_memory(device, 300'000, device::Pin::if_kept).get(), small_at);
  device::release_kept_results(*device::sim_api());
  EXPECT_EQ(kept(), 0u);
}

/// What another thread does while the pool lets go of what it keeps: no thread may get memory that is already released, nor see
/// the pool half empty.
std::function<void()> meanwhile;
const device::Api& slow_to_release() {
  static const device::Api api = [] {
    device::Api other = *device::sim_api();
    other.release_pinned = [](void* p) {
      if (meanwhile) std::exchange(meanwhile, nullptr)();
      return device::sim_api()->release_pinned(p);
    };
    return other;
  }();
  return api;
}

TEST(ResultMemory, NoThreadGetsWhatIsBeingReleased) {
  struct Act {
    const char* what;
    std::function<void(device::Device&, std::shared_ptr<void>&)> run;
  };
  const std::vector<Act> acts = {
      {"take what is kept",
       [](device::Device& device, std::shared_ptr<void>& block) {
         block = device::take_result_memory(device, 300'000, device::Pin::if_kept);
       }},
      {"give back", [](device::Device&, std::shared_ptr<void>& block) { block.reset(); }},
      {"read the sizes", [](device::Device& device, std::shared_ptr<void>&) { (void)device::result_memory(device.api()); }},
      {"release, too", [](device::Device& device, std::shared_ptr<void>&) { device::release_kept_results(device.api()); }}};
  for (const Act& act : acts) {
    const device::Api& api = slow_to_release();
    device::Device device(api);
    auto held = device::take_result_memory(device, 5'000'000, device::Pin::anew);
    device::take_result_memory(device, 300'000, device::Pin::anew).reset();
    ASSERT_GT(device::result_memory(api).kept, 0u);
    std::future<void> other;
    meanwhile = [&] {
      other = std::async(std::launch::async, [&] { act.run(device, held); });
      EXPECT_EQ(other.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout) << act.what << ": did not wait";
    };
    device::release_kept_results(api);
    ASSERT_TRUE(other.valid()) << act.what;
    other.get();
    held.reset();
    device::release_kept_results(api);
    EXPECT_EQ(device::result_memory(api).held, 0u) << act.what;
    EXPECT_EQ(device::result_memory(api).kept, 0u) << act.what;
  }
}

/// Two threads take and drop memory for results: the pool's sums come out, and no piece has two owners.
TEST(ResultMemory, IsTakenAndDroppedByTwoThreads) {
  const std::size_t before = held();
  std::atomic<int> waiting{2}, shared{0};
  const auto work = [&](unsigned char own) {
    device::Device device(*device::sim_api());
    --waiting;
    while (waiting.load() > 0) {
    }
    for (int i = 0; i < 50'000; ++i) {
      const std::size_t bytes = (std::size_t{1} + i % 3) << 16;
      const auto a = device::take_result_memory(device, bytes, i % 2 ? device::Pin::to_keep : device::Pin::anew);
      const auto b = device::take_result_memory(device, bytes, device::Pin::anew);
      auto* const at = static_cast<volatile unsigned char*>(a.get());
      at[0] = own;
      at[bytes - 1] = own;
      static_cast<volatile unsigned char*>(b.get())[0] = static_cast<unsigned char>(own + 1);
      if (at[0] != own || at[bytes - 1] != own) ++shared;
    }
  };
  std::jthread other(work, static_cast<unsigned char>(10));
  work(20);
  other.join();
  EXPECT_EQ(shared.load(), 0);
  EXPECT_EQ(held(), before);
  device::release_kept_results(*device::sim_api());
  EXPECT_EQ(kept(), 0u);
}

/// The same by searches, whose results end on either thread.
TEST(ResultMemory, OfSearchesOnTwoThreads) {
  const Graph g = ladder();
  Searcher plain(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  const Query query{.sources = {5}};
  const Result expected = plain.run(query);
  const std::size_t before = held();
  const auto work = [&] {
    Searcher searcher(g, on_sim);
    std::vector<Result> kept(3);
    for (int i = 0; i < 9; ++i) kept[static_cast<std::size_t>(i % 3)] = searcher.run(query);
    for (const Result& result : kept) expect_same(result, expected);
  };
  {
    std::jthread other(work);
    work();
  }
  EXPECT_EQ(held(), before);
}

}  // namespace of_result_memory_test
}  // namespace hopwave

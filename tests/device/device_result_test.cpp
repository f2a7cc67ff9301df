// Answers that stay on the device, memory and arrays of the caller's, and what ends a view. In the simulator, where device
// pointers are host pointers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "device/device.h"
#include "hopwave/hopwave.h"
#include "support/hostile.h"
#include "support/sanitized.h"

namespace hopwave {
namespace of_device_result_test {

const SearchOptions sim{.run = {.device = DeviceKind::sim}};

std::vector<Distance> distances(const DeviceResult& view) { return {view.distance(), view.distance() + view.num_vertices()}; }
std::vector<Distance> distances(const Result& result) { return {result.distance.begin(), result.distance.end()}; }

Graph graph_of(const char* spec) { return load_graph(spec); }

/// Memory from malloc, counted; refuses what goes beyond `most` bytes, and the `refused`-th call.
struct CountedMemory final : DeviceMemory {
  std::map<void*, std::size_t> held;
  std::size_t bytes = 0, most = ~std::size_t{0}, calls = 0, refused = 0;
  bool returns_null = false;

  void* allocate(std::size_t size, void*) override {
    ++calls;
    if (bytes + size > most || calls == refused) {
      if (returns_null) return nullptr;
      throw std::bad_alloc();
    }
    void* p = std::aligned_alloc(256, (size + 255) / 256 * 256);
    held[p] = size;
    bytes += size;
    return p;
  }
  void deallocate(void* p, std::size_t size, void*) noexcept override {
    EXPECT_EQ(held.at(p), size);
    held.erase(p);
    bytes -= size;
    std::free(p);
  }
};

TEST(DeviceResult, HoldsTheAnswerOfEveryGpuStrategy) {
  const Graph g = graph_of("rmat:8,8");
  for (const auto& info : strategies()) {
    if (info.device == "cpu") continue;
    Searcher searcher(g, {.strategy = std::string(info.name), .run = {.device = DeviceKind::sim}});
    Searcher other(g, {.run = {.device = DeviceKind::cpu}});
    const Query query{.sources = {3}};
    const Result expected = other.run(query);
    if (info.name == "survey-reorder-physical") {
      EXPECT_EQ(id_of([&] { searcher.run_on_device(query); }), "HW-VIEW-DEVICE");
      EXPECT_EQ(searcher.count_levels(query).reached(), expected.reached);
      continue;
    }
    const DeviceResult view = searcher.run_on_device(query);
    EXPECT_EQ(distances(view), distances(expected)) << info.name;
    EXPECT_EQ(view.reached(), expected.reached) << info.name;
    EXPECT_EQ(view.depth(), expected.depth) << info.name;
    EXPECT_EQ(view.run().levels, expected.run.levels) << info.name;
    EXPECT_EQ(view.parent(), nullptr) << info.name;
  }
}

TEST(DeviceResult, IsTrimmedAsRunTrims) {
  for (const char* spec : {"rmat:8,8", "grid:20x30", "chain:3000"}) {
    const Graph g = graph_of(spec);
    Searcher searcher(g, sim);
    Searcher cpu(g, {.run = {.device = DeviceKind::cpu}});
    for (const Query& query :
         {Query{.sources = {1}, .max_depth = 2, .parents = true}, Query{.sources = {1}, .max_depth = 0},
          Query{.sources = {1, 7}, .target = 40, .parents = true}, Query{.sources = {5}, .parents = true}}) {
      const Result expected = cpu.run(query);
      const DeviceResult view = searcher.run_on_device(query);
      EXPECT_EQ(distances(view), distances(expected)) << spec;
      EXPECT_EQ(view.reached(), expected.reached) << spec;
      EXPECT_EQ(view.depth(), expected.depth) << spec;
      if (!query.parents) continue;
      Result on_host{.distance = Array<Distance>::copy_of({view.distance(), g.num_vertices()}),
                     .parent = Array<VertexId>::copy_of({view.parent(), g.num_vertices()}),
                     .reached = view.reached(),
                     .depth = view.depth()};
      const Verdict verdict = validate(g, query, on_host);
      EXPECT_TRUE(verdict) << spec << ": " << verdict.message;
    }
  }
}

TEST(DeviceResult, CountsLevels) {
  for (const char* spec : {"rmat:9,8", "chain:5000"}) {  // 5000 levels: more than a block counts in shared memory
    const Graph g = graph_of(spec);
    Searcher searcher(g, sim);
    Searcher cpu(g, {.run = {.device = DeviceKind::cpu}});
    for (const Distance limit : {-1, 3}) {
      const Query query{.sources = {2}, .max_depth = limit};
      std::vector<std::uint64_t> expected;
      for (const Distance d : distances(cpu.run(query))) {
        if (d == unreached) continue;
        if (expected.size() <= static_cast<std::size_t>(d)) expected.resize(static_cast<std::size_t>(d) + 1);
        ++expected[static_cast<std::size_t>(d)];
      }
      EXPECT_EQ(searcher.run_on_device(query).level_counts().at, expected) << spec;
      EXPECT_EQ(searcher.count_levels(query).at, expected) << spec;
      EXPECT_EQ(cpu.count_levels(query).at, expected) << spec;
    }
  }
}

TEST(DeviceResult, ManySearchesIntoTheCallersMemory) {
  std::uint64_t i = 0;
  for (const char* spec : {"rmat:8,4", "grid:12x12", "chain:300"}) {
    const Graph g = graph_of(spec);
    const std::size_t n = g.num_vertices();
    std::vector<VertexId> sources;
    for (VertexId i = 0; i < 70; ++i) sources.push_back(i * 31 % g.num_vertices());
    for (const std::int64_t least : {0, 1}) {  // one by one, and passes
      SearchOptions options = sim;
      options.parameters = {{"ms_bfs", least}};
      Searcher searcher(g, options);
      for (const Distance limit : {-1, 2}) {
        if (!testing::tried(i++)) continue;
        std::vector<Distance> rows(sources.size() * n, -7);
        searcher.run_each_on_device(sources, limit, rows.data());
        Searcher cpu(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
        for (std::size_t i = 0; i < sources.size(); ++i) {
          const auto expected = distances(cpu.run({.sources = {sources[i]}, .max_depth = limit}));
          ASSERT_TRUE(std::equal(expected.begin(), expected.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * n)))
              << spec << " from " << sources[i] << ", " << least << ", up to " << limit;
        }
      }
    }
  }
}

template <class Narrow>
void check_narrow(const char* spec) {
  const Graph g = graph_of(spec);
  Searcher searcher(g, sim);
  const DeviceResult view = searcher.run_on_device({.sources = {0}});
  constexpr Distance most = static_cast<Narrow>(~Narrow{0}) - 1;
  std::vector<Narrow> packed(g.num_vertices()), on_host(g.num_vertices());
  const auto all = distances(view);
  if (view.depth() >= most) {
    EXPECT_EQ(id_of([&] { view.copy_to(packed); }), "HW-DISTANCE-NARROW");
    EXPECT_EQ(id_of([&] { narrow(all, on_host); }), "HW-DISTANCE-NARROW");
  } else {
    view.copy_to(packed);
    narrow(all, on_host);
    EXPECT_EQ(packed, on_host);
  }
  view.copy_to(packed, Deeper::clamp);
  narrow(all, on_host, Deeper::clamp);
  EXPECT_EQ(packed, on_host);
  for (VertexId v = 0; v < g.num_vertices(); ++v)
    ASSERT_EQ(packed[v], all[v] == unreached ? static_cast<Narrow>(~Narrow{0}) : static_cast<Narrow>(std::min(all[v], most)));
  std::vector<Distance> wide(g.num_vertices());
  view.copy_to(wide);
  EXPECT_EQ(wide, all);
}

TEST(DeviceResult, NarrowDistances) {
  check_narrow<std::uint8_t>("rmat:8,4");
  check_narrow<std::uint8_t>("chain:254");  // the deepest that has room
  check_narrow<std::uint8_t>("chain:255");
  check_narrow<std::uint16_t>("chain:255");
}

// nonsense: Searcher::run_on_device Searcher::run_each_on_device Searcher::count_levels DeviceResult::valid
// DeviceResult::distance DeviceResult::parent DeviceResult::num_vertices DeviceResult::reached DeviceResult::depth
// DeviceResult::run DeviceResult::level_counts DeviceResult::copy_to narrow
TEST(DeviceResult, EndsWithTheNextSearch) {
  const Graph g = graph_of("grid:8x8");
  std::vector<std::uint8_t> bytes(g.num_vertices()), few(3);
  std::vector<std::uint16_t> shorts(g.num_vertices());
  std::vector<Distance> wide(g.num_vertices());
  const auto is_gone = [&](const DeviceResult& view) {
    EXPECT_FALSE(view.valid());
    EXPECT_EQ(id_of([&] { (void)view.distance(); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { (void)view.parent(); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { (void)view.num_vertices(); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { (void)view.reached(); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { (void)view.depth(); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { (void)view.level_counts(); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { view.copy_to(bytes); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { view.copy_to(shorts); }), "HW-VIEW-ENDED");
    EXPECT_EQ(id_of([&] { view.copy_to(wide); }), "HW-VIEW-ENDED");
    (void)view.run();
  };
  is_gone(DeviceResult());
  DeviceResult view;
  {
    Searcher searcher(g, sim);
    view = searcher.run_on_device({.sources = {0}});
    EXPECT_TRUE(view.valid());
    EXPECT_EQ(id_of([&] { view.copy_to(few); }), "HW-VIEW-SIZE");
    EXPECT_EQ(id_of([&] { view.copy_to(bytes, unnamed<Deeper>()); }), "HW-OPTION-VALUE");
    EXPECT_EQ(id_of([&] { searcher.run_on_device({}); }), "HW-QUERY-EMPTY");
    EXPECT_EQ(id_of([&] { searcher.count_levels({.sources = {far_vertex}}); }), "HW-QUERY-SOURCE");
    EXPECT_EQ(id_of([&] { searcher.run_on_device({.sources = {0}, .parents = true, .ties = Ties::min}); }), "HW-VIEW-PARENTS");
    EXPECT_EQ(id_of([&] { searcher.run_each_on_device(std::vector<VertexId>{far_vertex}, -1, wide.data()); }),
              "HW-QUERY-SOURCE");
    EXPECT_EQ(id_of([&] { searcher.run_each_on_device(std::vector<VertexId>{0}, -2, wide.data()); }), "HW-QUERY-DEPTH");
    EXPECT_EQ(id_of([&] { searcher.run_each_on_device(std::vector<VertexId>{0}, -1, nullptr); }), "HW-VIEW-SIZE");
    EXPECT_EQ(id_of([&] { searcher.run_each_on_device({}, -1, nullptr); }), "none");
    EXPECT_TRUE(view.valid());  // no search has begun
    searcher.run({.sources = {1}});
    is_gone(view);
    const VertexId two[] = {1, 2};
    view = searcher.run_on_device({.sources = {0}});
    searcher.traverse_each(two);
    is_gone(view);
    view = searcher.run_on_device({.sources = {0}});
    Searcher moved(std::move(searcher));
    EXPECT_TRUE(view.valid());
    EXPECT_EQ(id_of([&] { searcher.run_on_device({.sources = {0}}); }), "HW-MOVED-FROM");
  }
  is_gone(view);
  Searcher cpu(g, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(id_of([&] { cpu.run_on_device({.sources = {0}}); }), "HW-VIEW-DEVICE");
  EXPECT_EQ(id_of([&] { cpu.run_each_on_device(std::vector<VertexId>{0}, -1, wide.data()); }), "HW-VIEW-DEVICE");
  EXPECT_EQ(id_of([&] { narrow(wide, few); }), "HW-VIEW-SIZE");
}

TEST(DeviceResult, OfAFailedSearchIsNone) {
  const Graph g = graph_of("grid:8x8");
  bool go_on = true;
  Searcher searcher(g, {.run = {.device = DeviceKind::sim, .progress = [&](const Step&) { return go_on; }}});
  const DeviceResult view = searcher.run_on_device({.sources = {0}});
  go_on = false;
  EXPECT_EQ(id_of([&] { searcher.run({.sources = {1}}); }), "HW-INTERRUPTED");
  EXPECT_FALSE(view.valid());
}

TEST(DeviceMemory, EverythingComesFromItAndGoesBack) {
  const Graph g = graph_of("rmat:8,8");
  const auto memory = std::make_shared<CountedMemory>();
  {
    Searcher searcher(g, {.prepare = true, .run = {.device = DeviceKind::sim, .on = {.memory = memory}}});
    EXPECT_GT(memory->bytes, g.num_arcs() * sizeof(VertexId));
    const std::size_t after_first = (searcher.run({.sources = {0}}), memory->calls);
    searcher.run({.sources = {1}});
    EXPECT_EQ(memory->calls, after_first);  // searches allocate nothing
  }
  EXPECT_EQ(memory->bytes, 0u);
  EXPECT_TRUE(memory->held.empty());
  EXPECT_EQ(memory.use_count(), 1);
}

TEST(DeviceMemory, WithoutMemoryIsAnErrorAndLosesNothing) {
  const Graph g = graph_of("rmat:8,8");
  for (const bool null : {false, true})
    for (const std::size_t most : {0u, 1000u, 8000u}) {
      const auto memory = std::make_shared<CountedMemory>();
      memory->most = most;
      memory->returns_null = null;
      EXPECT_EQ(id_of([&] { Searcher(g, {.run = {.device = DeviceKind::sim, .on = {.memory = memory}}}); }),
                "HW-DEVICE-MEMORY");
      EXPECT_TRUE(memory->held.empty());
    }
}

/// What a search takes for the first time, one piece after the other refused: the next search takes all that is missing.
TEST(DeviceMemory, WhatOneSearchWasRefusedTheNextOneTakes) {
  const Graph g = graph_of("rmat:6,4");
  const Query query{.sources = {1}, .parents = true};
  std::vector<SearchOptions> all;
  for (const auto& info : strategies())
    if (info.device != "cpu") all.push_back({.strategy = std::string(info.name), .run = {.device = DeviceKind::sim}});
  for (const Parameters& forced :
       {Parameters{{"shared_memory", 1}}, Parameters{{"single_cluster", 1}}, Parameters{{"high_diameter", 1}},
        Parameters{{"single_cluster", 0}, {"shared_memory", 0}, {"block", 64}, {"grid", 2}}})
    all.push_back({.parameters = forced, .trace = true, .run = {.device = DeviceKind::sim}});
  for (SearchOptions& options : all)
    for (std::size_t k = 1;; ++k) {
      const auto memory = std::make_shared<CountedMemory>();
      options.run.on.memory = memory;
      Searcher searcher(g, options);
      searcher.run({.sources = {1}});  // takes no memory for parents
      memory->refused = memory->calls + k;
      const std::string id = id_of([&] { searcher.run(query); });
      const bool was_refused = memory->calls >= memory->refused;
      ASSERT_EQ(id, was_refused ? "HW-DEVICE-MEMORY" : "none") << options.strategy << ", piece " << k;
      const Verdict verdict = validate(g, query, searcher.run(query));
      ASSERT_TRUE(verdict.ok) << options.strategy << ", piece " << k << ": " << verdict.message;
      if (!was_refused) break;
    }
}

TEST(DeviceOptions, NonsenseIsRefused) {
  const Graph g = graph_of("chain:3");
  for (const int ordinal : {-1, 4, 77})
    EXPECT_EQ(id_of([&] { Searcher(g, {.run = {.device = DeviceKind::sim, .on = {.ordinal = ordinal}}}); }), "HW-DEVICE-NONE");
}

/// A machine of two devices, which records what is current.
int current_of_two = 0;
device::Api two_devices() {
  device::Api api = *device::sim_api();
  api.device_count = [](int* count) { return *count = 2, 0; };
  api.current = [](int* now) { return *now = current_of_two, 0; };
  api.use = [](int to) { return current_of_two = to, 0; };
  static auto properties = api.properties;
  api.properties = [](int, device::Properties* p) { return properties(0, p); };
  return api;
}

TEST(KeepCurrent, PutsTheDeviceBack) {
  static const device::Api api = two_devices();
  current_of_two = 0;
  {
    std::unique_ptr<device::Device> device;
    {
      const device::KeepCurrent keep(&api);
      device = std::make_unique<device::Device>(api, DeviceOptions{.ordinal = 1});
      EXPECT_EQ(current_of_two, 1);
    }
    EXPECT_EQ(current_of_two, 0);
    {
      const device::KeepCurrent keep(*device);
      EXPECT_EQ(current_of_two, 1);
    }
    EXPECT_EQ(current_of_two, 0);
  }
  EXPECT_EQ(current_of_two, 0);  // its end, too
  const device::KeepCurrent none(static_cast<const device::Device*>(nullptr));
}

/// Rows as a program might hold them.
struct OwnRows {
  alignas(16) std::uint32_t offsets[5] = {0, 2, 3, 4, 4};
  alignas(16) std::uint64_t wide[5] = {0, 2, 3, 4, 4};
  alignas(16) VertexId neighbors[4] = {1, 2, 3, 3};
  alignas(16) std::uint32_t in_offsets[5] = {0, 0, 1, 2, 4};
  alignas(16) std::uint64_t in_wide[5] = {0, 0, 1, 2, 4};
  alignas(16) VertexId in_neighbors[4] = {0, 0, 1, 2};
  [[nodiscard]] DeviceArrays arrays() const {
    return {.num_vertices = 4,
            .num_arcs = 4,
            .offsets32 = offsets,
            .neighbors = neighbors,
            .in_offsets32 = in_offsets,
            .in_neighbors = in_neighbors};
  }
};

TEST(FromDevice, SearchesTheCallersArrays) {
  const auto rows = std::make_shared<OwnRows>();
  DeviceArrays narrow = rows->arrays(), wide = rows->arrays();
  wide.offsets32 = wide.in_offsets32 = nullptr;
  wide.offsets64 = rows->wide;
  wide.in_offsets64 = rows->in_wide;
  for (DeviceArrays* arrays : {&narrow, &wide}) {
    arrays->owner = rows;
    const auto memory = std::make_shared<CountedMemory>();
    const ResidentGraph g = ResidentGraph::from_device(*arrays, DeviceKind::sim, {.memory = memory});
    EXPECT_EQ(memory->bytes, 0u);  // no copy
    Searcher searcher(g, {});
    const DeviceResult view = searcher.run_on_device({.sources = {0}, .parents = true});
    EXPECT_EQ(distances(view), (std::vector<Distance>{0, 1, 1, 2}));
    EXPECT_TRUE(g.check(searcher, {.sources = {0}, .parents = true}).verdict);
    EXPECT_EQ(g.out_degree(0), 2u);
    EXPECT_EQ(g.download().num_arcs(), 4u);
  }
  narrow.owner = wide.owner = nullptr;
  EXPECT_EQ(rows.use_count(), 1);
}

// nonsense: ResidentGraph::from_device
TEST(FromDevice, NonsenseIsRefused) {
  OwnRows rows;
  const auto refused = [&](auto&& spoil, DeviceKind kind = DeviceKind::sim) {
    DeviceArrays arrays = rows.arrays();
    spoil(arrays);
    return id_of([&] { ResidentGraph::from_device(arrays, kind); });
  };
  EXPECT_EQ(refused([](DeviceArrays&) {}), "none");
  EXPECT_EQ(refused([](DeviceArrays&) {}, DeviceKind::cpu), "HW-DEVICE-NONE");
  const std::string id = "HW-RESIDENT-ARRAYS";
  EXPECT_EQ(refused([](DeviceArrays& a) { a.offsets32 = nullptr; }), id);
  EXPECT_EQ(refused([&](DeviceArrays& a) { a.offsets64 = rows.wide; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.neighbors = nullptr; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.in_neighbors = nullptr; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.in_offsets32 = nullptr; }), id);
  EXPECT_EQ(refused([&](DeviceArrays& a) { a.in_offsets64 = rows.in_wide, a.in_offsets32 = nullptr; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.directed = false; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { ++a.neighbors; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.num_vertices = no_vertex; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.num_arcs = 0xFFFFFFFF; }), id);
  EXPECT_EQ(refused([](DeviceArrays& a) { a.num_arcs = 3; }), id);
  for (VertexId* value : {&rows.neighbors[3], &rows.in_neighbors[3], &rows.offsets[1], &rows.in_offsets[1], &rows.offsets[0],
                          &rows.offsets[4], &rows.neighbors[0]}) {
    const VertexId right = *value;
    *value = 4000;
    EXPECT_EQ(refused([](DeviceArrays&) {}), id);
    *value = right;
  }
  EXPECT_EQ(refused([](DeviceArrays&) {}), "none");
}

}  // namespace of_device_result_test
}  // namespace hopwave

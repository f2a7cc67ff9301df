// What threads may share: a graph, among any number of searchers. And what they may not: a searcher, which says so.
#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "support/diameter.h"
#include "support/hostile.h"

namespace hopwave {
namespace of_threads_test {

constexpr int members = 4;

void on_threads(const std::function<void(int rank)>& work) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < members; ++rank) threads.emplace_back(work, rank);
  for (auto& thread : threads) thread.join();
}

bool same(const Array<Distance>& a, const Array<Distance>& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

TEST(Threads, ManySearchersShareAGraph) {
  const Graph g = build_graph(generate("rmat:9,8"));
  const Array<Distance> right = search(g, {.sources = {1}}, {.run = {.device = DeviceKind::cpu}}).distance;
  for (const char* strategy : {"auto", "cpu-sequential", "cpu-parallel", "cpu-direction"})
    on_threads([&](int rank) {
      Searcher searcher(g, {.strategy = strategy, .run = {.device = DeviceKind::cpu, .threads = 1 + rank % 2}});
      for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(same(searcher.run({.sources = {1}, .parents = i % 2 != 0}).distance, right)) << strategy;
        EXPECT_EQ(fingerprint(g), fingerprint(Graph(g)));
      }
      EXPECT_TRUE(same(searcher.run_each(std::vector<VertexId>(20, 1))[19].distance, right)) << strategy;
    });
}

TEST(Threads, SearchersOfTheSimulatorShareAGraph) {
  const Graph g = build_graph(generate("rmat:6,4"));
  const Array<Distance> right = search(g, {.sources = {1}}, {.run = {.device = DeviceKind::cpu}}).distance;
  on_threads([&](int rank) {
    Searcher searcher(
        g, {.strategy = rank % 2 ? "pmpp-vertex-push" : "auto", .prepare = rank == 0, .run = {.device = DeviceKind::sim}});
    EXPECT_TRUE(same(searcher.run({.sources = {1}}).distance, right));
  });
}

TEST(Threads, OtherQuestionsShareAGraph) {
  const Graph g = build_graph(generate("rmat:9,8"));
  const Result right = search(g, {.sources = {1}}, {.run = {.device = DeviceKind::cpu}});
  const Distance diameter = estimate_diameter(g, 1);
  on_threads([&](int) {
    EXPECT_TRUE(validate(g, {.sources = {1}}, right));
    EXPECT_EQ(estimate_diameter(g, 1), diameter);
    EXPECT_EQ(profile(g).num_arcs, g.num_arcs());
    EXPECT_EQ(connected_components(Graph(g)).label.size(), g.num_vertices());
    EXPECT_TRUE(shortest_path(g, 1, 1).found);
  });
}

/// Calls of one searcher from several threads: each answers rightly or is turned away; some of both.
void expect_one_at_a_time(Searcher& searcher, const Array<Distance>& right) {
  std::atomic<int> done{0}, busy{0};
  on_threads([&](int) {
    for (int i = 0; i < 50; ++i) {
      Result result;
      const std::string error = id_of([&] { result = searcher.run({.sources = {1}}); });
      if (error == "none") {
        EXPECT_TRUE(same(result.distance, right));
        ++done;
      } else {
        EXPECT_EQ(error, "HW-BUSY");
        ++busy;
      }
    }
  });
  EXPECT_GT(done, 0);
  EXPECT_EQ(done + busy, 50 * members);
}

TEST(Threads, OneSearcherWorksForOneAtATime) {
  const Graph g = build_graph(generate("rmat:8,8"));
  const Array<Distance> right = search(g, {.sources = {1}}, {.run = {.device = DeviceKind::cpu}}).distance;
  for (const char* strategy : {"auto", "cpu-parallel"}) {
    Searcher searcher(g, {.strategy = strategy, .run = {.device = DeviceKind::cpu, .threads = 2}});
    expect_one_at_a_time(searcher, right);
    EXPECT_TRUE(same(searcher.run({.sources = {1}}).distance, right));
  }
  // Surely at the same time: the second call comes while the first waits in its callback.
  std::atomic<bool> within{false}, tried{false};
  Searcher waits(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu, .progress = [&](const Step&) {
                                                             within = true;
                                                             within.notify_all();
                                                             tried.wait(false);
                                                             return true;
                                                           }}});
  std::thread first([&] { EXPECT_TRUE(same(waits.run({.sources = {1}}).distance, right)); });
  within.wait(false);
  EXPECT_EQ(id_of([&] { (void)waits.run({.sources = {1}}); }), "HW-BUSY");
  EXPECT_EQ(id_of([&] { (void)waits.traverse({.sources = {1}}); }), "HW-BUSY");
  EXPECT_EQ(id_of([&] { (void)waits.run_each(std::vector<VertexId>{1}); }), "HW-BUSY");
  EXPECT_EQ(id_of([&] { (void)waits.traverse_each(std::vector<VertexId>{1}); }), "HW-BUSY");
  EXPECT_EQ(id_of([&] { (void)waits.preparation(); }), "HW-BUSY");
  EXPECT_EQ(waits.strategy(), "cpu-sequential");
  tried = true;
  tried.notify_all();
  first.join();
}

TEST(Threads, OneGraphInDeviceMemoryWorksForOneAtATime) {
  EdgeList list = generate("rmat:6,4");
  const Array<Distance> right = search(build_graph(list), {.sources = {1}}, {.run = {.device = DeviceKind::cpu}}).distance;
  const ResidentGraph g(ResidentEdges(list, DeviceKind::sim), {});
  std::vector<Searcher> searchers;
  for (int i = 0; i < members; ++i) searchers.emplace_back(g, SearchOptions{});
  std::atomic<int> done{0};
  on_threads([&](int rank) {
    for (int i = 0; i < 5; ++i) {
      Result result;
      const std::string error = id_of([&] { result = searchers[rank].run({.sources = {1}}); });
      done += error == "none";
      if (error == "none") EXPECT_TRUE(same(result.distance, right));
      if (error != "none") EXPECT_EQ(error, "HW-BUSY");
      const std::string degree = id_of([&] { (void)g.out_degree(1); });
      EXPECT_TRUE(degree == "none" || degree == "HW-BUSY") << degree;
    }
  });
  EXPECT_GT(done, 0);
}

}  // namespace of_threads_test
}  // namespace hopwave

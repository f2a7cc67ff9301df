// Long jobs say how far they are, and end when their caller wants no more: generating, building, transposing, writing.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "hopwave/generate.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "support/hostile.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_told_test {

using Report = Progress;

/// What a job reported. Reports come by the calling thread, never go back, never pass the total, and the total stays.
struct Reports {
  std::uint64_t calls = 0, done = 0, total = 0;
  std::string what;

  Report watch() {
    return [this, caller = std::this_thread::get_id()](const Step& step) {
      const auto [now, all] = std::pair(step.done, step.total);
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_GT(all, 0u);
      EXPECT_LE(now, all);
      if (what == step.what) EXPECT_GE(now, done);
      if (calls++ && what == step.what) EXPECT_EQ(all, total);
      what = step.what;
      done = now, total = all;
      return true;
    };
  }
};

struct Job {
  const char* name;
  std::function<void(const Report&)> run;
};

Graph big_graph(bool directed) {
  EdgeList list = generate("rmat:15,16");
  list.directed = directed;
  return build_graph(std::move(list), {.keep_duplicates = directed, .keep_self_loops = directed}, {.threads = 1});
}

class ToldTest : public ::testing::Test {
 protected:
  ToldTest() {
    for (const char* spec :
         {"rmat:15,16", "uniform:16,16", "streets:500", "grid:900x900", "chain:300000", "mesh:600x600", "grid:300000x1",
          "maze:500x400", "graphgen:200000", "roadnet-ca-like", "wikitalk-like", "shapes:7,300000", "shapes:8,300000",
          "star:200000", "tree:17", "complete:500", "hub-chain:50,5000,30"})
      jobs_.push_back({spec, [spec](const Report& report) { (void)generate(spec, report); }});
    jobs_.push_back(
        {"load_graph of a spec", [](const Report& report) { (void)load_graph("rmat:15,16", {.run = {.progress = report}}); }});
    jobs_.push_back({"build_graph", [](const Report& report) {
                       (void)build_graph(generate("rmat:15,16"), {}, {.threads = 1, .progress = report});
                     }});
    jobs_.push_back({"build_graph with the transpose", [](const Report& report) {
                       EdgeList list = generate("streets:600");
                       list.directed = true;
                       (void)build_graph(std::move(list), {.build_in = true}, {.threads = 1, .progress = report});
                     }});
    for (const char* name : {"g.txt", "g.mtx", "g.hwg", "g.txt.gz", "g.graph", "g.gr", "g.adj"})
      jobs_.push_back({name, [this, name](const Report& report) {
                         write_graph(undirected_, folder_.path(name), {.run = {.progress = report}});
                       }});
  }

  TempDir folder_;
  const Graph undirected_ = big_graph(false), directed_ = big_graph(true);
  std::vector<Job> jobs_;
};

TEST_F(ToldTest, LongJobsSayHowFarTheyAre) {
  for (const Job& job : jobs_) {
    Reports reports;
    // The caller's thread may be kept from working until the others have done all: then there is nothing to tell.
    for (int attempt = 0; attempt < 20 && reports.calls == 0; ++attempt) job.run(reports.watch());
    EXPECT_GT(reports.calls, 0u) << job.name;
  }
  Reports reports;
  Graph graph = directed_;
  for (int attempt = 0; attempt < 20 && reports.calls == 0; ++attempt) graph = directed_, graph.ensure_in(reports.watch());
  EXPECT_GT(reports.calls, 0u) << "transposing";
}

/// One thread alone reports everything, so the last report is the end.
TEST_F(ToldTest, TheLastReportIsTheEnd) {
  for (const char* spec : {"streets:600", "rmat:12,8", "rmat:15,16"})
    for (const bool directed : {false, true})
      for (const bool build_in : {false, true}) {
        EdgeList list = generate(spec);
        list.directed = directed;
        Reports reports;
        (void)build_graph(std::move(list), {.build_in = build_in}, {.threads = 1, .progress = reports.watch()});
        EXPECT_GT(reports.calls, directed && build_in ? 5u : 2u) << spec;
        EXPECT_EQ(reports.done, reports.total) << spec << (directed ? ", directed" : "") << (build_in ? ", build_in" : "");
      }
  EdgeList loops{.num_vertices = 3, .ids = Ids::consecutive(3)};
  loops.edges = Array<Edge>(3);
  for (VertexId v = 0; v < 3; ++v) loops.edges[v] = {v, v};
  Reports building;
  (void)build_graph(std::move(loops), {}, {.threads = 1, .progress = building.watch()});
  EXPECT_EQ(building.done, building.total) << "self-loops only";
  for (const char* name : {"g.txt", "g.hwg"}) {
    Reports reports;
    write_graph(undirected_, folder_.path(name), {.run = {.progress = reports.watch()}});
    EXPECT_EQ(reports.done, reports.total) << name;
  }
}

TEST_F(ToldTest, WatchingChangesNothing) {
  Reports reports;
  const EdgeList watched = generate("rmat:15,16", reports.watch()), plain = generate("rmat:15,16");
  EXPECT_TRUE(std::equal(watched.edges.begin(), watched.edges.end(), plain.edges.begin(), plain.edges.end(),
                         [](Edge a, Edge b) { return a.source == b.source && a.target == b.target; }));
  Reports building, transposing;
  EdgeList list = generate("rmat:15,16");
  list.directed = true;
  Graph graph =
      build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true}, {.progress = building.watch()});
  graph.ensure_in(transposing.watch());
  Graph other = directed_;
  other.ensure_in();
  EXPECT_EQ(fingerprint(graph), fingerprint(other));
  EXPECT_TRUE(std::equal(graph.in().neighbors.begin(), graph.in().neighbors.end(), other.in().neighbors.begin(),
                         other.in().neighbors.end()));
}

TEST_F(ToldTest, FalseEndsTheJob) {
  const Report no = [](const Step&) { return false; };
  for (const Job& job : jobs_) {
    std::string error = "none";
    for (int attempt = 0; attempt < 20 && error == "none"; ++attempt) error = id_of([&] { job.run(no); });
    EXPECT_EQ(error, "HW-INTERRUPTED") << job.name;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path(""))) << "a file that was not finished is there";
  Graph graph = directed_;
  std::string error = "none";
  for (int attempt = 0; attempt < 20 && error == "none"; ++attempt)
    graph = directed_, error = id_of([&] { graph.ensure_in(no); });
  EXPECT_EQ(error, "HW-INTERRUPTED");
  EXPECT_FALSE(graph.has_in());
  graph.ensure_in();
  EXPECT_TRUE(graph.has_in());
}

/// What the caller's function throws reaches the caller as it is.
TEST_F(ToldTest, WhatTheFunctionThrowsComesOut) {
  struct Mine {};
  const Report throws = [](const Step&) -> bool { throw Mine{}; };
  EXPECT_THROW((void)build_graph(generate("rmat:15,16"), {}, {.threads = 1, .progress = throws}), Mine);
  EXPECT_THROW(write_graph(undirected_, folder_.path("g.txt"), {.run = {.progress = throws}}), Mine);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path("")));
}

/// Nothing to do is nothing to tell.
TEST_F(ToldTest, SmallJobs) {
  Reports reports;
  (void)build_graph({}, {.build_in = true}, {.progress = reports.watch()});
  (void)generate("chain:1", [](const Step&) { return true; });
  Graph().ensure_in(reports.watch());
}

}  // namespace of_told_test
}  // namespace hopwave

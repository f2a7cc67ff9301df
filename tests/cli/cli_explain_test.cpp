// hopwave explain and the counts of bfs --explain through the tool, and the model that names the number that matters.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hopwave/hopwave.h"
#include "measure/explain.h"
#include "support/sanitized.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_explain_test {

using nlohmann::json;

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

json explained(const std::string& graph, const std::string& strategies, const std::string& source = "0") {
  const Outcome run = run_tool({"explain", graph, "-s", source, "--strategy", strategies, "--json", "-q"});
  EXPECT_EQ(run.code, 0) << run.err;
  return json::parse(run.out);
}

TEST(CliExplain, LaysStrategiesSideBySide) {
  const json e = explained("pmpp", "pmpp-vertex-push,pmpp-single-grid");
  EXPECT_EQ(e["schema"], "hopwave-explain/1");
  ASSERT_EQ(e["strategies"].size(), 2u);
  EXPECT_EQ(e["strategies"][0]["name"], "pmpp-vertex-push");
  EXPECT_EQ(e["strategies"][0]["threads"], 1025);
  EXPECT_EQ(e["strategies"][0]["working"], 9);
  EXPECT_EQ(e["strategies"][0]["labelled"], 9);
  EXPECT_EQ(e["strategies"][0]["launches"].size(), 5u);
  EXPECT_EQ(e["strategies"][1]["launches"].size(), 2u);
  ASSERT_EQ(e["sentences"].size(), 1u);
  EXPECT_EQ(
      e["sentences"][0],
      "pmpp-vertex-push costs more than pmpp-single-grid by its launches: 5 with 4 round trips against 2 with 1 round trip.");
}

TEST(CliExplain, NamesTheRowOfAHub) {
  // A star from its middle: one thread reads all 20,000 neighbours, or each of 20,000 threads reads one.
  const json e = explained("star:20001", "pmpp-vertex-push,pmpp-edge");
  ASSERT_EQ(e["sentences"].size(), 1u);
  EXPECT_TRUE(has(e["sentences"][0], "pmpp-vertex-push costs more than pmpp-edge by its steps of the longest thread: "))
      << e["sentences"][0];
}

TEST(CliExplain, NamesTheSourceThatItTakes) {
  const Outcome run = run_tool({"explain", "grid:1x3", "--strategy", "pmpp-edge"});
  EXPECT_TRUE(has(run.err, "source: 1 (the vertex with most arcs out: 2)")) << run.err;
}

TEST(CliExplain, PrintsTextAndMarkdown) {
  const Outcome few = run_tool({"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edge,pmpp-vertex-pull", "-q"});
  EXPECT_EQ(few.code, 0);
  EXPECT_TRUE(has(few.out, "strategy        pmpp-edge  pmpp-vertex-pull\n")) << few.out;
  EXPECT_TRUE(has(few.out, "threads             1,025             1,025\n")) << few.out;
  const Outcome all = run_tool({"explain", "pmpp", "-s", "0", "--strategy", "all", "--markdown", "-q"});
  EXPECT_EQ(all.code, 0);
  for (const auto& s : json::parse(run_tool({"strategies", "--json"}).out)) {
    const auto name = s["name"].get<std::string>();
    EXPECT_EQ(has(all.out, "\n| " + name + " |"), s["device"] != "cpu") << name;
  }
}

/// Counts per warp: the sum over the places is what the table of strategies has.
TEST(CliExplain, ByPlaceHasARowForEachAccess) {
  const std::vector<std::string> words{"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edge"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return run_tool(more);
  };
  const std::string rows = with({"--by-place", "--markdown"}).out;
  EXPECT_TRUE(has(rows, "| strategy | place | access | memory | requests | lanes | sectors | spread | bank ways |")) << rows;
  EXPECT_TRUE(has(rows, " | read | tails | 4 | 15.0 | 2.0 | 1.0 | – |")) << rows;  // 15 arcs in each of four levels
  const json edge = json::parse(with({"--json"}).out)["strategies"][0];
  std::uint64_t all = 0, of_launches = 0;
  for (const json& place : edge["requests"]) all += place["transfers"].get<std::uint64_t>();
  for (const json& launch : edge["launches"])
    for (const json& place : launch["requests"]) of_launches += place["transfers"].get<std::uint64_t>();
  EXPECT_EQ(all, of_launches);
  const Outcome table = with({"--markdown"});
  EXPECT_TRUE(has(table.out, "| " + std::to_string(all) + " | ")) << table.out;
  const Outcome both = with({"--by-place", "--by-level"});
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(has(both.err, "HW-USAGE-OPTION")) << both.err;
#if !defined(HW_THREAD_SANITIZER)
  EXPECT_TRUE(has(run_tool({"explain", "pmpp", "-s", "0", "--by-place", "--strategy", "literal:pmpp-vertex-push"}).out,
                  " (fig. 15.6 line "))
      << "the line of the print";
#endif
}

TEST(CliExplain, TakesPrintedListingsAndRefusesWhatHasNoKernels) {
#if !defined(HW_THREAD_SANITIZER)  // the listing races as printed: docs/literal.md
  EXPECT_EQ(explained("pmpp", "literal:pmpp-vertex-push")["strategies"][0]["working"], 8);
#endif
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--strategy", "cpu-parallel"}, {"--strategy", ""}, {"--strategy", "all", "--markdown", "--json"}}) {
    std::vector<std::string> call{"explain", "pmpp", "-s", "0"};
    call.insert(call.end(), words.begin(), words.end());
    const Outcome run = run_tool(call);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_TRUE(has(run.err, "HW-USAGE-")) << run.err;
  }
  EXPECT_TRUE(has(run_tool({"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edgy"}).err, "HW-STRATEGY-UNKNOWN"));
}

// Sanitizers report what the listing does, and end the process.
#if !defined(HW_THREAD_SANITIZER) && !defined(HW_ADDRESS_SANITIZER)
/// A kernel that breaks is a row without numbers: the others are compared.
TEST(CliExplain, GoesOnAfterAKernelThatBreaks) {
  const std::vector<std::string> call{"explain", "rmat:5,2",   "-s",
                                      "maxdeg",  "--strategy", "literal:notebook-edge,pmpp-edge,pmpp-single-grid"};
  const auto with = [&](const std::string& more) {
    std::vector<std::string> words = call;
    words.push_back(more);
    return run_tool(words);
  };
  const Outcome documented = with("--json");
  EXPECT_EQ(documented.code, 6);
  const json strategies = json::parse(documented.out)["strategies"];
  ASSERT_EQ(strategies.size(), 3u);
  EXPECT_EQ(strategies[0]["error"]["id"], "HW-SIM-BOUNDS");
  EXPECT_GT(strategies[1]["working"], 0);
  EXPECT_EQ(json::parse(documented.out)["sentences"].size(), 1u);
  const Outcome printed = with("--markdown");
  EXPECT_EQ(printed.code, 6);
  EXPECT_TRUE(has(printed.out, "| literal:notebook-edge | broke |") && has(printed.out, "| pmpp-edge |")) << printed.out;
  EXPECT_TRUE(has(printed.err, "HW-SIM-BOUNDS")) << printed.err;
  EXPECT_TRUE(has(run_tool(call).out, "pmpp-edge"));
}
#endif

TEST(CliExplain, GivesAParameterToThoseThatHaveIt) {
  const auto run = [](const std::string& strategies, const std::string& parameter) {
    return run_tool({"explain", "rmat:9,8", "-s", "maxdeg", "--strategy", strategies, "--param", parameter, "--json", "-q"});
  };
  const std::string both = "pmpp-frontier,pmpp-private-frontier";
  const json usual = explained("rmat:9,8", both, "maxdeg")["strategies"],
             small = json::parse(run(both, "capacity=2").out)["strategies"];
  EXPECT_EQ(small[0]["launches"].size(), usual[0]["launches"].size());
  EXPECT_GT(small[1]["atomics_on_one_address"], 10 * usual[1]["atomics_on_one_address"].get<int>());
  EXPECT_TRUE(has(run("pmpp-frontier", "capacity=2").err, "HW-PARAM-UNKNOWN"));
  EXPECT_TRUE(has(run(both, "capacity=60000").err, "HW-PARAM-RANGE"));
  EXPECT_TRUE(has(run(both, "best").err, "HW-USAGE-VALUE"));
}

json by_level(const std::string& graph, const std::string& strategy, const std::vector<std::string>& more = {},
              const std::string& source = "0") {
  std::vector<std::string> words{"explain", graph, "-s", source, "--strategy", strategy, "--by-level", "--json", "-q"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome run = run_tool(words);
  EXPECT_EQ(run.code, 0) << run.err;
  return json::parse(run.out)["strategies"][0]["by_level"];
}

/// The exercise of PMPP's chapter: three arcs lead to the last vertex, and one of them labels it.
TEST(CliExplainByLevel, AnswersTheExercise) {
  const json edge = by_level("pmpp", "pmpp-edge");
  ASSERT_EQ(edge.size(), 4u);
  EXPECT_EQ(edge[2]["level"], 3);
  EXPECT_EQ(edge[2]["threads"], 15);
  EXPECT_EQ(edge[2]["iterate"], 8);
  EXPECT_EQ(edge[2]["looks"], 8);
  EXPECT_EQ(edge[2]["may_label"], 3);
  EXPECT_EQ(edge[2]["label"], 1);
  const Outcome text = run_tool({"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edge", "--by-level", "--markdown", "-q"});
  EXPECT_TRUE(has(text.out, "\n| pmpp-edge | 3 | 1 | 15 | 8 | 8 | 3 | 1 |\n")) << text.out;
  EXPECT_TRUE(explained("pmpp", "pmpp-edge")["strategies"][0]["by_level"].is_null());
}

TEST(CliExplainByLevel, CountsAThreadOnceAndALaunchForItself) {
  EXPECT_EQ(by_level("pmpp", "pmpp-vertex-push", {"--param", "grid=1", "--param", "block=4"})[0]["threads"], 4);
  const json two = by_level("pmpp", "hn-two-kernel");
  ASSERT_EQ(two.size(), 8u) << "two launches in each of four levels";
  EXPECT_EQ(two[4]["iterate"], 5);
  EXPECT_EQ(two[5]["launch"], 2);
  EXPECT_EQ(two[5]["iterate"], 0) << "the second only updates marks";
  const Outcome none = run_tool({"explain", "pmpp", "-s", "0", "--strategy", "auto,survey-simple", "--by-level"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "HW-USAGE-VALUE")) << none.err;
  const Outcome some = run_tool({"explain", "pmpp", "-s", "0", "--strategy", "auto,pmpp-edge", "--by-level"});
  EXPECT_EQ(some.code, 0);
  EXPECT_TRUE(has(some.err, "no fixed rule for threads: auto")) << some.err;
}

/// Against counts from the distances alone, on a graph too large to be drawn.
TEST(CliExplainByLevel, IsWhatTheDistancesGive) {
  const std::string spec = "rmat:8,4";
  const Graph graph = build_graph(generate(spec));
  VertexId hub = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (graph.out_neighbors(v).size() > graph.out_neighbors(hub).size()) hub = v;
  const Result right = search(graph, {.sources = {hub}}, {.strategy = "cpu-sequential"});
  const auto& level = right.distance;
  const auto of = [&](const char* strategy) { return by_level(spec, strategy, {}, std::to_string(hub)); };
  const json push = of("pmpp-vertex-push"), pull = of("pmpp-vertex-pull"), edge = of("pmpp-edge"), queue = of("pmpp-frontier");
  ASSERT_GE(push.size(), 3u);
  for (Distance d = 1; d <= right.depth + 1; ++d) {
    SCOPED_TRACE(d);
    std::uint64_t frontier = 0, unvisited = 0, found = 0, arcs = 0, arcs_that_may = 0, vertices_that_may = 0, looks = 0;
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      std::uint64_t may = 0, before = 0;
      bool parent = false;
      for (const VertexId w : graph.out_neighbors(v)) {
        may += level[w] == d;
        before += !parent;  // undirected: the same neighbours the other way
        parent |= level[w] == d - 1;
      }
      found += level[v] == d;
      if (level[v] == d - 1) {
        ++frontier;
        arcs += graph.out_neighbors(v).size();
        arcs_that_may += may;
        vertices_that_may += may != 0;
      }
      if (level[v] != unreached && level[v] < d) continue;
      ++unvisited;
      looks += before;
    }
    const auto i = static_cast<std::size_t>(d - 1);
    EXPECT_EQ(push[i]["threads"], graph.num_vertices());
    EXPECT_EQ(push[i]["iterate"], frontier);
    EXPECT_EQ(push[i]["looks"], arcs);
    EXPECT_EQ(push[i]["may_label"], vertices_that_may);
    EXPECT_LE(push[i]["label"].get<std::uint64_t>(), std::min(found, vertices_that_may));
    EXPECT_EQ(push[i]["label"].get<std::uint64_t>() > 0, found > 0);
    EXPECT_EQ(pull[i]["iterate"], unvisited);
    EXPECT_EQ(pull[i]["looks"], looks);
    EXPECT_EQ(pull[i]["may_label"], found);
    EXPECT_EQ(pull[i]["label"], found);
    EXPECT_EQ(edge[i]["threads"], graph.num_arcs());
    EXPECT_EQ(edge[i]["iterate"], arcs);
    EXPECT_EQ(edge[i]["may_label"], arcs_that_may);
    EXPECT_EQ(edge[i]["label"], found);
    EXPECT_EQ(queue[i]["threads"], frontier);
    EXPECT_EQ(queue[i]["looks"], arcs);
  }
}

TEST(CliExplain, BfsTellsCountsOfEachLaunch) {
  std::vector<std::string> words{"bfs", "pmpp", "-s", "0", "--strategy", "pmpp-frontier", "--device", "sim", "--explain", "-q"};
  const std::string text = run_tool(words).out;
  EXPECT_TRUE(has(text, "global atom.")) << text;
  EXPECT_TRUE(has(text, "bytes read: rows 72, neighbors 60, ")) << text;  // 9 rows of two offsets, 15 arcs
  words.push_back("--json");
  const json counts = json::parse(run_tool(words).out)["searches"][0]["counts"];
  ASSERT_EQ(counts["launches"].size(), 5u);
  EXPECT_EQ(counts["note"], nullptr);
  EXPECT_EQ(counts["launches"][2]["level"], 2);
  EXPECT_EQ(counts["launches"][2]["working"], 2);
  EXPECT_EQ(counts["launches"][2]["global_atomics"], 7);
  const Outcome cpu = run_tool({"bfs", "pmpp", "-s", "0", "--strategy", "cpu-sequential", "--explain", "--json"});
  EXPECT_EQ(json::parse(cpu.out)["searches"][0]["counts"], nullptr);
}

TEST(ExplainModel, NamesTheNumberWhosePriceDiffersMost) {
  const report::SearchCounts base{.launches = 1, .round_trips = 1, .threads = 256, .working = 256};
  EXPECT_EQ(report::explain_difference("a", base, "b", base), "a and b cost the same by what was counted.");
  const auto sentence = [&](auto&& change) {
    report::SearchCounts other = base;
    change(other);
    const std::string forth = report::explain_difference("a", base, "b", other);
    EXPECT_EQ(forth, report::explain_difference("b", other, "a", base));
    return forth;
  };
  EXPECT_EQ(sentence([](auto& c) { c.launches = 9; }),
            "b costs more than a by its launches: 9 with 1 round trip against 1 with 1 round trip.");
  EXPECT_EQ(sentence([](auto& c) { c.read[0] = 50'000'000; }),
            "b costs more than a by its bytes of device memory: 50,000,000 against 0.");
  EXPECT_EQ(sentence([](auto& c) { c.waiting_atomics = 10'000; }),
            "b costs more than a by its atomics on one address: 10,000 against 0.");
  EXPECT_EQ(sentence([](auto& c) { c.longest = 500; }),
            "b costs more than a by its steps of the longest thread: 500 against 0.");
  EXPECT_EQ(sentence([](auto& c) { c.threads = 50'000'256; }),
            "b costs more than a by its threads without work: 50,000,000 against 0.");
}

}  // namespace of_cli_explain_test
}  // namespace hopwave::test

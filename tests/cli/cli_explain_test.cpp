// hopwave explain and the counts of bfs --explain through the tool, and the model that names the number that matters.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

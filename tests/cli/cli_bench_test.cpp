// bench, report and tune: what is refused before anything is measured, what stands in the files, and that nothing is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/refused.h"

namespace hopwave::test {
namespace of_cli_bench_test {

using nlohmann::json;

/// hopwave bench with little to do.
Words bench(const Words& more) {
  Words words{"bench"};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--device", "cpu"});
  return words;
}

Words quick(Words more) {
  more.insert(more.end(), {"--strategy", "cpu-sequential", "--runs", "1", "--sources", "1", "--warmup", "0"});
  return bench(more);
}

TEST(CliBench, ReportSaysWhatCannotBeWrittenBeforeItWrites) {
  const Folder folder;
  const std::string file = folder / "r.json", page = folder / "page.html", taken = folder / "taken.txt";
  ASSERT_EQ(run_tool(quick({"chain:5", "--export-json", file})).code, 0);
  spit(taken, "kept");
  for (const std::string& pictures : {taken, taken + "/x", std::string("/proc/nope/x")}) {
    expect_refused({"report", file, "-o", page, "--pictures", pictures}, 3, "HW-IO-WRITE", pictures);
    EXPECT_FALSE(std::filesystem::exists(page)) << pictures;
  }
  EXPECT_EQ(slurp(taken), "kept");
  EXPECT_EQ(run_tool({"report", file, "-o", page, "--pictures", folder / "a/b"}).code, 0);
  EXPECT_FALSE(std::filesystem::is_empty(folder / "a/b"));
}

TEST(CliBench, ReportNeverReplacesItsMeasurements) {
  const Folder folder;
  const std::string file = folder / "r.json", other = folder / "s.json";
  ASSERT_EQ(run_tool(quick({"chain:5", "--export-json", file})).code, 0);
  std::filesystem::copy(file, other);
  std::filesystem::create_symlink(file, folder / "link");
  const std::string before = slurp(file);
  for (const std::string& output : {file, folder / "./r.json", folder / "link"})
    expect_refused({"report", other, file, "-o", output}, 2, "HW-USAGE-VALUE", "one of the bench files");
  EXPECT_EQ(slurp(file), before);
}

TEST(CliBench, TuneMakesFoldersOnlyForWhatItWrites) {
  const Folder folder;
  expect_refused({"tune", folder / "nofile", "-o", folder / "new/deep/t.json"}, 3, "HW-IO-OPEN", "nofile");
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
  const auto kept = run_tool(
      {"tune", "chain:9", "--strategy", "cpu-direction", "--runs", "1", "--sources", "1", "-o", folder / "new/deep/t.json"});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "new/deep/t.json"));
}

TEST(CliBench, StandardOutputHoldsOneDocument) {
  const Folder folder;
  EXPECT_TRUE(json::accept(run_tool(quick({"chain:5", "--export-json", "-"})).out));
  const auto rows = run_tool(quick({"chain:5", "--export-csv", "-"})).out;
  EXPECT_EQ(rows.substr(0, 15), "graph,vertices,");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2) << rows;
  expect_refused(quick({"chain:5", "--export-csv", "-", "--json"}), 2, "HW-USAGE-OPTION", "standard output");
  expect_refused(quick({"chain:5", "--export-csv", "-", "--export-json", "-"}), 2, "HW-USAGE-OPTION", "standard output");
  const std::string file = folder / "x";
  expect_refused(quick({"chain:5", "--export-csv", file, "--export-markdown", folder / "./x"}), 2, "HW-USAGE-OPTION",
                 "--export-csv and --export-markdown");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(CliBench, ExportsArePackedAsTheirNamesSay) {
  const Folder folder;
  const std::string plain = folder / "r.json";
  std::vector<std::string> files;
  for (const char* ending : {".gz", ".zst"}) {
    const auto run = run_tool(quick({"chain:5", "--export-json", plain + ending}));
    if (holds(run.err, "[HW-FORMAT-WRITE]")) continue;  // a build without that library
    ASSERT_EQ(run.code, 0) << run.err;
    files.push_back(plain + ending);
    EXPECT_NE(slurp(files.back()).front(), '{') << ending;
    EXPECT_EQ(run_tool({"report", files.back(), "-o", folder / "page.html"}).code, 0);
    EXPECT_EQ(slurp(folder / "page.html").front(), '<');
  }
  if (files.empty()) GTEST_SKIP() << "nothing is packed in this build";
}

TEST(CliBench, AnErrorLosesNothingOfWhatWasMeasured) {
  const Folder folder;
  const std::string file = folder / "r.json";
  const auto run = run_tool(quick({"chain:5", folder / "nofile", "--export-json", file, "--export-csv", folder / "r.csv"}));
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_TRUE(holds(run.err, "[HW-IO-OPEN]") && holds(run.err, "1 measurement kept")) << run.err;
  EXPECT_TRUE(holds(run.out, "chain:5")) << run.out;
  const auto kept = json::parse(slurp(file));
  EXPECT_EQ(kept["measurements"].size(), 1u);
  EXPECT_TRUE(holds(kept["ended"], "HW-IO-OPEN") || holds(kept["ended"], "nofile")) << kept["ended"];
  EXPECT_TRUE(holds(slurp(folder / "r.csv"), "chain:5"));
  EXPECT_EQ(run_tool({"report", file, "-o", folder / "page.html"}).code, 0);
  // With --json standard output has the error alone.
  const auto document = run_tool(quick({"chain:5", folder / "nofile", "--json"}));
  EXPECT_EQ(json::parse(document.out)["error"]["id"], "HW-IO-OPEN") << document.out;
  // Nothing measured, nothing written.
  EXPECT_EQ(run_tool(quick({folder / "nofile", "--export-json", folder / "none.json"})).code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "none.json"));
}

TEST(CliBench, WhatAProcedureDoesNotUseIsRefused) {
  const auto refused = [](Words more, const std::string& part) { expect_refused(bench(more), 2, "HW-USAGE-OPTION", part); };
  for (const Words& option :
       {Words{"--sources", "4"}, {"--runs", "5"}, {"--warmup", "0"}, {"--parameter-scan", "alpha=1,2"}, {"--pictures"}}) {
    Words words{"graph500", "--scale", "5"};
    words.insert(words.end(), option.begin(), option.end());
    refused(words, option[0] + " with bench graph500");
    words = {"gap", "rmat:5"};
    words.insert(words.end(), option.begin(), option.end());
    refused(words, option[0] + " with bench gap");
  }
  for (const Words& option : {Words{"--trace"},
                              {"--no-verify"},
                              {"--undirected"},
                              {"--keep-duplicates"},
                              {"--keep-self-loops"},
                              {"--lenient"},
                              {"--drop-zeros"},
                              {"--cache", "on"},
                              {"--input-format", "edge-list"}}) {
    Words words{"graph500", "--scale", "5"};
    words.insert(words.end(), option.begin(), option.end());
    refused(words, option[0] + " with bench graph500");
  }
  refused({"graph500", "rmat:5", "--scale", "5"}, "the graph rmat:5 with bench graph500");
  for (const char* option : {"--scale", "--edgefactor"}) {
    refused({"chain:5", option, "5"}, std::string(option) + " with bench GRAPH");
    refused({"survey", "chain:5", option, "5"}, std::string(option) + " with bench survey");
    refused({"gap", "chain:5", option, "5"}, std::string(option) + " with bench gap GRAPH");
  }
  // What is of use stays.
  for (const Words& words :
       {Words{"graph500", "--scale", "5", "--threads", "1", "--seed", "2", "--allow-huge", "--trace=false"},
        {"gap", "--scale", "5", "--edgefactor", "2", "--trace", "--no-verify"},
        {"gap", "chain:9", "--undirected", "--keep-duplicates"}})
    EXPECT_EQ(run_tool(bench(words)).code, 0) << words[0];
}

TEST(CliBench, OneValueOfAParameter) {
  const auto refused = [](const Words& more, const std::string& part) {
    Words words{"bench", "chain:5", "--device", "cpu", "--strategy", "cpu-direction"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, 2, "HW-USAGE-VALUE", part);
  };
  refused({"--param", "alpha=3", "--param", "alpha=4"}, "gives alpha twice");
  refused({"--parameter-scan", "alpha=3,4", "--parameter-scan", "alpha=5"}, "one scan of alpha");
  refused({"--param", "alpha=3", "--parameter-scan", "alpha=4,5"}, "not by both");
  refused({"--param", "alpha"}, "NAME=NUMBER");
  // What is measured is said, not looked up: neither the error nor the help offers it.
  refused({"--param", "best"}, "not looked up");
  EXPECT_FALSE(holds(run_tool({"bench", "--help"}).out, "'best'"));
}

TEST(CliBench, ABaselineIsComparedOrRefused) {
  const Folder folder;
  const std::string file = folder / "r.json", before = folder / "before.json";
  ASSERT_EQ(run_tool(quick({"chain:50", "--export-json", file})).code, 0);
  // A baseline that nothing is slower than, and one that everything is.
  const auto baseline = [&](double ms) {
    auto content = json::parse(slurp(file));
    content["measurements"][0]["search_ms"]["median"] = ms;
    spit(before, content.dump());
  };
  baseline(1e9);
  const auto fine = run_tool(quick({"chain:50", "--baseline", before}));
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_TRUE(holds(fine.err, "1 of 1 measurement compared")) << fine.err;
  const auto part = run_tool(quick({"chain:50", "chain:51", "--baseline", before}));
  EXPECT_EQ(part.code, 0) << part.err;
  EXPECT_TRUE(holds(part.err, "note: 1 of 2 measurements compared")) << part.err;
  baseline(1e-9);
  EXPECT_EQ(run_tool(quick({"chain:50", "--baseline", before, "--max-regression", "1.5"})).code, 1);
  // Another graph or strategy: nothing to compare, and the results are told all the same.
  expect_refused(quick({"chain:51", "--baseline", before}), 3, "HW-BENCH-FILE", "nothing of what was measured: 1 measurement");
  expect_refused(bench({"chain:50", "--strategy", "cpu-parallel", "--baseline", before}), 3, "HW-BENCH-FILE", "hint");
  const auto document = run_tool(quick({"chain:51", "--baseline", before, "--json"}));
  EXPECT_EQ(document.code, 3);
  EXPECT_EQ(json::parse(document.out)["measurements"].size(), 1u);
  // Its own result may take its place: it is read first.
  EXPECT_EQ(run_tool(quick({"chain:50", "--baseline", before, "--export-json", before})).code, 1);
}

/// A graph that would take minutes.
TEST(CliBench, ABaselineIsLookedAtBeforeTheWork) {
  const Folder folder;
  const std::string wrong = folder / "wrong.json", graph = "complete:200000";
  spit(wrong, "[]");
  expect_refused(bench({graph, "--allow-huge", "--max-regression", "1.2"}), 2, "HW-USAGE-OPTION", "without --baseline");
  expect_refused(bench({graph, "--allow-huge", "--baseline", wrong}), 3, "HW-BENCH-FILE", wrong);
  expect_refused(bench({graph, "--allow-huge", "--baseline", folder / "none"}), 3, "HW-IO-OPEN", "none");
  for (const char* value : {"0", "x", "nan", "inf"})
    expect_refused(bench({graph, "--allow-huge", "--baseline", wrong, "--max-regression", value}), 2, "HW-USAGE-VALUE",
                   "--max-regression");
}

}  // namespace of_cli_bench_test
}  // namespace hopwave::test

// The tool as a process: signals, limits, closed descriptors, pipes, files left behind, a home that cannot be entered.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "support/sanitized.h"
#include "support/temp_dir.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_process_test {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CliProcess, AMappedFileThatShrinksIsAnError) {
  // Searches read the mapped graph again and again; meanwhile the file loses all but its first page.
  Folder folder, written;
  const std::string graph = folder / "g.hwg";
  ASSERT_EQ(run_tool({"gen", "grid:200x200", "-o", graph}).code, 0);
  Running tool({.words = {"bfs", graph, "-s", "random:9000@1", "--mode", "each", "-o", written / "out"}});
  ASSERT_TRUE(tool.makes(written, "out.part"));
  std::filesystem::resize_file(graph, 4096);
  const Outcome run = tool.end();
  EXPECT_EQ(run.code, 3) << run.signal << run.err;
  EXPECT_TRUE(holds(run.err, "HW-IO-CHANGED") && holds(run.err, "g.hwg")) << run.err;
  EXPECT_EQ(written.files(), 0u) << "nothing half-written stays";
}

/// The reader waits for bytes that do not come: the command cannot stop in order.
TEST(CliProcess, InterruptWhileReadingStandardInput) {
  Folder folder;
  Running tool({.words = {"bfs", "-", "-s", "0", "-o", folder / "out"}, .from = Input::open});
  ASSERT_TRUE(tool.reads_input());
  tool.send(SIGINT);
  const Outcome run = tool.end();
  EXPECT_EQ(run.signal, SIGINT) << run.code << run.err;
  EXPECT_EQ(folder.files(), 0u);
}

TEST(CliProcess, InterruptWhileWritingLeavesNothing) {
  Folder folder;
  Running tool({.words = {"bfs", "grid:300x300", "-s", "random:90000@1", "--mode", "each", "-o", folder / "out"}});
  ASSERT_TRUE(tool.makes(folder, "out.part", 1));
  tool.send(SIGINT);
  const Outcome run = tool.end();
  EXPECT_EQ(run.signal, SIGINT) << run.code << run.err;
  EXPECT_EQ(folder.files(), 0u);
}

TEST(CliProcess, InterruptWithoutCallbacksLeavesNothing) {
  Folder folder;
  Running tool({.words = {"gen", "rmat:21,16", "--threads", "1", "-o", folder / "big.txt"}, .errors = Errors::terminal});
  ASSERT_TRUE(tool.shows("generating"));
  tool.send(SIGINT);
  const Outcome run = tool.end();
  EXPECT_EQ(run.signal, SIGINT) << run.code << run.err;
  EXPECT_EQ(folder.files(), 0u);
}

TEST(CliProcess, InterruptWhileAMazeIsMade) {
  Folder folder;
  Running tool({.words = {"route", "maze:20001x20001", "-o", folder / "route.txt"}, .errors = Errors::terminal});
  ASSERT_TRUE(tool.shows("generating"));
  tool.send(SIGINT);
  const Outcome run = tool.end();
  EXPECT_EQ(run.signal, SIGINT) << run.code << run.err;
  EXPECT_EQ(folder.files(), 0u);
}

TEST(CliProcess, FailureKeepsTheOldFile) {
  Folder folder;
  const std::string out = folder / "out";
  spit(out, "old");
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "99", "-o", out}).code, 3);
  EXPECT_EQ(slurp(out), "old");
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "0", "-o", out}).code, 0);
  EXPECT_EQ(slurp(out), "0\t0\n1\t1\n2\t2\n");
}

TEST(CliProcess, ClosedPipesEndQuietly) {
  for (const char* line : {"$HOPWAVE bfs chain:500000 -s 0 -o - | head -1",
                           "$HOPWAVE gen chain:500000 -o - --to edge-list | head -1", "$HOPWAVE strategies | true"}) {
    const auto run = run_shell(std::string("set -o pipefail\n") + line);
    EXPECT_EQ(run.code, 0) << line << run.err;
    EXPECT_FALSE(holds(run.err, "error")) << run.err;
  }
}

TEST(CliProcess, FullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "/dev/full is not here";
  EXPECT_EQ(run_tool({"bfs", "chain:100", "-s", "0", "-o", "/dev/full"}).code, 3);
  EXPECT_EQ(run_shell("$HOPWAVE strategies > /dev/full").code, 3);
}

/// Only a process that dies of the signal ends its shell's loop too.
TEST(CliProcess, DiesOfTheSignalThatEndedIt) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    Running tool({.words = {"bfs", "-", "-s", "0"}, .from = Input::open});
    ASSERT_TRUE(tool.reads_input());
    tool.send(signal);
    const Outcome run = tool.end();
    EXPECT_EQ(run.signal, signal) << run.code << run.err;
  }
}

TEST(CliProcess, LimitsLeaveNoUnfinishedFile) {
  const auto large = run_shell("cd $(mktemp -d); (ulimit -f 64; $HOPWAVE bfs grid:300x300 -s 0 -o f.tsv); echo code $?; ls -A");
  EXPECT_EQ(large.out, "code 3\n") << large.err;
  EXPECT_TRUE(holds(large.err, "HW-IO-WRITE")) << large.err;
  if (sanitized) GTEST_SKIP() << "a sanitizer takes the time that this limit allows";
  const auto slow = run_shell("cd $(mktemp -d); (ulimit -St 1; $HOPWAVE gen rmat:21,16 -o f.txt); echo code $?; ls -A");
  EXPECT_EQ(slow.out, "code 152\n") << slow.err;  // 128 + SIGXCPU
  EXPECT_TRUE(holds(slow.err, "processor time")) << slow.err;
}

TEST(CliProcess, FewerThreadsThanAskedForAreEnough) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs more address space than any limit here; see TeamTest";
  bool fewer = false;
  for (const char* kib : {"60000", "80000", "100000", "120000", "140000"}) {
    const auto run = run_shell(std::string("ulimit -c 0; ulimit -v ") + kib +
                               "; $HOPWAVE bfs chain:100 -s 0 --threads 64 --verify -o - --allow-huge");
    EXPECT_TRUE(run.code == 0 || run.code == 4) << kib << ": " << run.code << run.err;
    if (run.code == 0) EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 100) << run.err;
    fewer |= holds(run.err, "of 64 threads could be started");
  }
  EXPECT_TRUE(fewer);
}

/// The memory that `hopwave estimate` counts as free under a limit.
std::string free_under(const std::string& size) {
  const auto run = run_tool({"estimate", "pmpp", "--memory-limit", size});
  EXPECT_EQ(run.code, 0) << size << run.err;
  const auto at = run.out.find(" search), "), end = run.out.find(" free");
  return at < end ? run.out.substr(at + 10, end - at - 10) : run.out;
}

TEST(CliProcess, MemoryLimitTakesSizesWithUnits) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own memory counts";
  for (const char* size : {"300M", "300m", "300Mi", "300MiB", "307200K", "314572800", "314572800B", "0.29296875G"})
    EXPECT_EQ(free_under(size), "300.0 MiB") << size;
  EXPECT_EQ(free_under("300MB"), "286.1 MiB");
  for (const char* size : {"M", "0", "0G", "-1G", "1Q", "1 G", "1GiBs", "1e9", "nan", "inf", "8388608T"}) {
    const auto run = run_tool({"estimate", "pmpp", "--memory-limit", size});
    EXPECT_EQ(run.code, 2) << size;
    EXPECT_TRUE(holds(run.err, "HW-USAGE-VALUE")) << size << run.err;
  }
}

TEST(CliProcess, MemoryLimitRefusesBeforeReadingAndWhileAtWork) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own memory counts";
  const auto before = run_tool({"bfs", "rmat:20,16", "-s", "0", "--memory-limit", "100M"});
  EXPECT_EQ(before.code, 4) << before.err;
  EXPECT_TRUE(holds(before.err, "HW-MEMORY-HOST") && holds(before.err, "100.0 MiB free")) << before.err;
  EXPECT_TRUE(holds(before.err, "--memory-limit is 100M: allow more")) << before.err;
  // What the estimate lets through, the system refuses: an error, never a crash, from any size on.
  for (const char* size : {"1K", "1M", "8M", "16M", "24M", "32M", "48M", "64M"}) {
    const auto run = run_tool({"bfs", "rmat:18,16", "-s", "0", "--allow-huge", "--threads", "4", "--memory-limit", size});
    EXPECT_EQ(run.code, 4) << size << ": " << run.err;
    EXPECT_TRUE(holds(run.err, "[HW-MEMORY]") && holds(run.err, "hint: ")) << size << ": " << run.err;
    EXPECT_TRUE(holds(run.err, "--memory-limit")) << size << ": " << run.err;
  }
}

/// What is mapped already takes no memory: the hint does not say to convert it.
TEST(CliProcess, MemoryHintsFitTheGraphsFile) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own memory counts";
  const TempDir dir;
  const std::string mapped = dir.path("g.hwg"), text = dir.path("g.txt");
  ASSERT_EQ(run_tool({"convert", "rmat:18,8", mapped}).code, 0);
  ASSERT_EQ(run_tool({"convert", mapped, text}).code, 0);
  const auto hint = [](const std::string& graph, std::vector<std::string> words, const char* limit, const char* id) {
    words.insert(words.begin() + 1, graph);
    words.insert(words.end(), {"--memory-limit", limit});
    const auto run = run_tool(words);
    EXPECT_EQ(run.code, 4) << graph << run.err;
    EXPECT_TRUE(holds(run.err, id)) << graph << run.err;
    return run.err;
  };
  // Before reading: searches at once, one search, and a text.
  const std::string many = hint(mapped, {"betweenness", "--threads", "4"}, "60M", "[HW-MEMORY-HOST]");
  EXPECT_TRUE(holds(many, "memory of the work: take fewer threads, samples or sources") && !holds(many, "convert")) << many;
  const std::string one = hint(mapped, {"sssp", "-s", "0"}, "15M", "[HW-MEMORY-HOST]");
  EXPECT_TRUE(holds(one, "memory of the work: use a machine") && !holds(one, "threads") && !holds(one, "convert")) << one;
  EXPECT_TRUE(holds(hint(text, {"bfs", "-s", "0"}, "15M", "[HW-MEMORY-HOST]"), "convert the graph to .hwg there once"));
  const std::string pairs = hint("grid:100x100", {"matrix"}, "100M", "[HW-MEMORY-HOST]");
  EXPECT_TRUE(holds(pairs, "8 bytes per pair of 100,000,000 pairs") && holds(pairs, "fewer sources or targets")) << pairs;
  const std::string rows = hint("grid:60x60", {"matrix", "-o", "-"}, "150M", "[HW-MEMORY-HOST]");
  EXPECT_TRUE(holds(rows, "16 bytes per pair of 12,960,000 pairs")) << rows;
  // While at work.
  const std::string later = hint(mapped, {"bfs", "-s", "0", "--allow-huge"}, "1M", "[HW-MEMORY]");
  EXPECT_TRUE(holds(later, "memory of the work: take fewer threads") && !holds(later, "convert")) << later;
  EXPECT_TRUE(holds(hint(text, {"bfs", "-s", "0", "--allow-huge"}, "4M", "[HW-MEMORY]"), "convert the graph to .hwg once"));
}

/// A hint to allow more would not help where another limit is lower, or the machine has no more.
TEST(CliProcess, HintsNameAMemoryLimitWhereItIsTheLeast) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own memory counts";
  const auto machine = run_tool({"bfs", "rmat:31,31", "-s", "0", "--memory-limit", "999999T"});
  EXPECT_EQ(machine.code, 4) << machine.err;
  EXPECT_TRUE(holds(machine.err, "HW-MEMORY-HOST") && !holds(machine.err, "--memory-limit")) << machine.err;
  const auto other = run_shell("ulimit -d 65536; $HOPWAVE bfs rmat:20,16 -s 0 --allow-huge --memory-limit 1G");
  EXPECT_EQ(other.code, 4) << other.err;
  EXPECT_TRUE(holds(other.err, "[HW-MEMORY]") && !holds(other.err, "--memory-limit")) << other.err;
}

/// The simulator's device memory is the host's.
TEST(CliProcess, AMemoryLimitHoldsInTheSimulator) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own memory counts";
  for (const char* size : {"1K", "8M", "24M", "28M", "32M", "40M"}) {
    const auto run = run_tool({"bfs", "pmpp", "-s", "0", "--device", "sim", "--memory-limit", size});
    EXPECT_TRUE(run.code == 0 || run.code == 4) << size << ": " << run.code << run.err;
    if (run.code == 4) EXPECT_TRUE(holds(run.err, std::string("--memory-limit is ") + size)) << size << ": " << run.err;
    EXPECT_FALSE(holds(run.err, "GiB of ")) << size << ": " << run.err;
  }
}

TEST(CliProcess, MappedFilesDoNotCountUnderAMemoryLimit) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own memory counts";
  const Folder folder;
  ASSERT_EQ(run_tool({"gen", "rmat:18,16", "-o", folder / "g.hwg"}).code, 0);
  ASSERT_GT(std::filesystem::file_size(folder / "g.hwg"), 32u << 20);
  const auto run = run_tool({"bfs", folder / "g.hwg", "-s", "0", "--device", "cpu", "--threads", "1", "--memory-limit", "32M"});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(CliProcess, ClosedDescriptorsLoseNothingSilently) {
  const auto both = run_shell("$HOPWAVE bfs chain:2 -s 0 -o - <&- >&-");
  EXPECT_EQ(both.code, 3) << both.err;
  EXPECT_TRUE(holds(both.err, "HW-IO-WRITE")) << both.err;
  const auto in = run_shell("$HOPWAVE bfs chain:2 -s 0 -o - -q <&-");
  EXPECT_EQ(in.code, 0) << in.err;
  EXPECT_EQ(in.out, "0\t0\n1\t1\n");
  EXPECT_EQ(run_shell("$HOPWAVE bfs - -s 0 <&-").code, 3);
  // With descriptor 2 closed a file of ours must not get its number, and an error's words with it.
  const auto err = run_shell("cd $(mktemp -d); $HOPWAVE bfs chain:2 -s 0 -o f 2>&- >/dev/null; echo $?; cat f");
  EXPECT_EQ(err.out, "0\n0\t0\n1\t1\n");
}

/// What stands where the tuning file would be is no reason not to search.
TEST(CliProcess, ATuningFileThatCannotBeUsedIsANote) {
  const Folder folder;
  const std::string config = folder / "config", hopwave = config + "/hopwave", file = hopwave + "/tuning.json";
  const auto search = [](const std::string& at, const std::string& more = "") {
    return run_shell("XDG_CONFIG_HOME=" + at + " timeout 20 $HOPWAVE bfs chain:5 -s 0" + more);
  };
  const auto noted = [&](const std::string& at, const std::string& why) {
    const auto run = search(at);
    EXPECT_EQ(run.code, 0) << why << run.err;
    EXPECT_TRUE(holds(run.err, "note: searching untuned") && holds(run.err, why)) << why << run.err;
    EXPECT_EQ(search(at, " --param best").code, 3) << why;
  };
  std::filesystem::create_directories(hopwave);
  // Every command that takes --param looks there.
  for (const char* command :
       {"reach chain:5 -s 0", "closeness chain:5", "closeness chain:5 --samples 2", "eccentricity chain:5"}) {
    const auto none = run_shell("XDG_CONFIG_HOME=" + config + " $HOPWAVE " + command + " --param best");
    EXPECT_EQ(none.code, 2) << command;
    EXPECT_TRUE(holds(none.err, "HW-TUNE-NONE")) << command << none.err;
  }
  EXPECT_EQ(search(config).err.find("untuned"), std::string::npos);  // nothing there is nothing to tell
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  noted(config, "no regular file");
  std::filesystem::remove(file);
  spit(file, "{\"schema\":");
  noted(config, "no JSON");
  spit(file, R"({"schema": "hopwave-tuning/1", "entries": [{"device": 1}]})");
  noted(config, "a field is missing or of another kind");
  const std::string loop = folder / "loop";
  std::filesystem::create_symlink(loop, loop);
  noted(loop, "symbolic links");
  noted("/" + std::string(5000, 'a'), "too long");
}

TEST(CliProcess, ATunedValueOutOfRangeIsANote) {
  const Folder folder;
  const std::string config = folder / "", file = config + "hopwave/tuning.json";
  const auto tool = [&](const std::string& line) { return run_shell("XDG_CONFIG_HOME=" + config + " $HOPWAVE " + line); };
  std::filesystem::create_directory(config + "hopwave");
  const auto parameters = nlohmann::json::parse(tool("strategies show auto --json").out)["parameters"];
  const std::string known = parameters[0]["name"];
  nlohmann::json tuned = {{"schema", "hopwave-tuning/1"}};
  tuned["entries"] = {{{"device", "simulator"},
                       {"graphs", "deep"},
                       {"strategy", "auto"},
                       {"parameters", {{known, parameters[0]["default"]}}},
                       {"ms", 1},
                       {"standard_ms", 1},
                       {"measured_on", "x"}}};
  const auto search = [&] { return tool("bfs chain:9 -s 0 --device sim"); };
  spit(file, tuned.dump());
  EXPECT_TRUE(holds(search().err, "tuned for deep graphs")) << search().err;
  tuned["entries"][0]["parameters"] = {{known, parameters[0]["max"].get<std::int64_t>() + 1}};
  spit(file, tuned.dump());
  EXPECT_TRUE(holds(search().err, "note: searching untuned")) << search().err;
  tuned["entries"][0]["parameters"] = {{"no-such-parameter", 1}};
  spit(file, tuned.dump());
  const auto run = search();
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(holds(run.err, "no-such-parameter")) << run.err;
}

}  // namespace of_cli_process_test
}  // namespace hopwave::test

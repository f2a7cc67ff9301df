// hopwave bfs under mpirun: the same answers as one process, and what happens when a rank fails.
// Open MPI's options that root and machines with few cores need stand in mpirun().
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/commit.h"
#include "support/places.h"
#include "support/tool.h"

namespace hopwave {
namespace of_cli_mpi_test {

using nlohmann::json;
using test::Folder;
using test::Outcome;
using test::run_shell;
using test::run_tool;
using test::Running;
using test::slurp;
using test::spit;

const std::string tool = hopwave::testing::places::tool;

/// A shell's line: mpirun with so many ranks, and what each runs.
std::string mpirun(int ranks, const std::string& what, const std::string& more = "") {
  return "mpirun --allow-run-as-root --oversubscribe " + more + " -n " + std::to_string(ranks) + " " + what;
}

/// So that a line's temporary files have a folder of their own: Open MPI's mpirun removes one that all share
/// (/tmp/ompi.HOST.USER) when it ends, and another that starts at that moment fails.
std::string with_temporary(const Folder& folder, const std::string& line) {
  return "export TMPDIR=" + (folder / "") + "; " + line;
}

/// Runs a shell's line; standard input is empty.
Outcome shell(const std::string& line) {
  const Folder temporary;
  return run_shell(with_temporary(temporary, line));
}

int count(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

TEST(CliMpi, ThePluginKeepsWhatATransportPromises) {
  for (const int ranks : {1, 2, 3, 4})
    for (const char* piece : {"1073741824", "100"}) {  // whole messages, and messages in many pieces
      const auto run = shell(mpirun(ranks, std::string(HOPWAVE_MPI_TRANSPORT) + " " + HOPWAVE_MPI_PLUGIN + " " + piece));
      EXPECT_EQ(run.code, 0) << run.out << run.err;
      EXPECT_EQ(run.out, "size " + std::to_string(ranks) + "\n");
    }
}

TEST(CliMpi, ARankThatAbortsEndsAllWithItsMessageAndExitCode) {
  const auto run = shell(mpirun(3, std::string(HOPWAVE_MPI_TRANSPORT) + " " + HOPWAVE_MPI_PLUGIN + " 1000 abort"));
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_EQ(count(run.err, "reported: rank 1 ends it"), 1) << run.err;
}

/// The file that a search writes, by one process and by several. `where`: options of the several alone.
void expect_same(const std::string& arguments, std::initializer_list<int> sizes, const std::string& ending = "tsv",
                 const std::string& where = "") {
  Folder folder;
  const auto alone = shell(tool + " bfs " + arguments + " -o " + (folder / "1." + ending));
  ASSERT_TRUE(alone.code == 0 || alone.code == 1) << arguments << alone.err;
  const std::string want = slurp(folder / "1." + ending);
  for (const int ranks : sizes) {
    const std::string file = folder / (std::to_string(ranks) + "-ranks." + ending);
    const auto run = shell(mpirun(ranks, tool + " bfs " + arguments + where + " --verify -o " + file));
    EXPECT_EQ(run.code, alone.code) << arguments << ", " << ranks << " ranks\n" << run.err;
    EXPECT_TRUE(slurp(file) == want) << arguments << ", " << ranks << " ranks";
    EXPECT_EQ(count(run.out, "every distance "), 1) << run.out;
  }
}

TEST(CliMpi, TheSameAnswersAsOneProcessForAllOptions) {
  expect_same("rmat:11,8 -s 0 --parents --ties min", {1, 2, 3, 4});
  expect_same("rmat:11,8 -s maxdeg --graph500-parents --ties min --format csv", {3});
  expect_same("rmat:11,8 -s random:5@3 --max-depth 2", {3});
  expect_same("rmat:11,8 -s random:70@3 --mode each", {3}, "npy");
  expect_same("rmat:11,8 --sources 1,7,7,40 --parents --ties min", {3}, "json");
  expect_same("rmat:11,8 -s first --target 9 --strategy cpu-parallel", {3});
  expect_same("chain:700 -s 3 --target 500", {2});
  expect_same("chain:50 -s 30 --target 5 --direction out", {2});
  expect_same("rmat:11,8 -s 0 --format rodinia", {2});
  expect_same("rmat:10,8 -s 0 --keep-duplicates --keep-self-loops", {3});
  for (const char* way : {"out", "in", "both"})
    expect_same("pmpp -s 3 --parents --ties min --direction " + std::string(way), {2, 4});
  for (const char* graph : {"rmat:9,1", "pmpp", "shapes:5,300"})
    expect_same(std::string(graph) + " -s lcc --parents --ties min", {3});
  Folder folder;
  spit(folder / "out", "7\n3\n\n200\n7\n");
  for (const char* graph : {"rmat:8,8", "streets:40", "shapes:5,300"})
    expect_same(std::string(graph) + " -s first --parents --ties min --without " + (folder / "out"), {2, 5});
}

TEST(CliMpi, TheSameAnswersFromADeviceForEachProcess) {
  for (const char* where : {" --device sim", " --device sim --gpus 2,0,1,3"}) {
    expect_same("rmat:11,8 -s maxdeg --parents --ties min", {2, 5}, "tsv", where);
    expect_same("rmat:10,8 -s random:9@3 --mode each", {3}, "npy", where);
    expect_same("chain:300 -s 3 --target 200 --parents --ties min", {2}, "tsv", where);
    for (const char* way : {"out", "in", "both"})
      expect_same("pmpp -s 3 --parents --ties min --max-depth 2 --direction " + std::string(way), {2, 4}, "tsv", where);
  }
  const auto run = shell(mpirun(3, tool + " bfs rmat:8,8 -s maxdeg --device sim --exchange host"));
  EXPECT_NE(run.out.find("strategy  auto on sim, along arcs"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" sent in all by MPI\n"), std::string::npos) << run.out;
  const auto bench = shell(mpirun(3, tool + " bench graph500 --scale 8 --device sim"));
  EXPECT_EQ(bench.code, 0) << bench.err;
  EXPECT_NE(bench.out.find("num_mpi_processes: 3"), std::string::npos) << bench.out;
  const auto none = shell(mpirun(2, tool + " bfs rmat:8,8 -s 0 --device sim --gpus 0,7"));
  EXPECT_EQ(none.code, 6);
  EXPECT_EQ(count(none.err, "HW-DEVICE-NONE"), 1) << none.err;
}

TEST(CliMpi, TheSameAnswersAsOneProcessFromFilesOfAllFormats) {
  Folder folder;
  for (const char* name : {"g.hwg", "g.mtx", "g.tsv", "g.csv.gz", "g.graph", "g.gr", "g.sg", "g.npz", "g.el.zst"}) {
    const std::string file = folder / name;
    const auto made = run_tool({"gen", "rmat:9,6", "-o", file});
    if (made.code != 0) continue;  // no such ending in this build
    expect_same(file + " -s first --parents --ties min", {3});
  }
  // Directed graphs, with and without incoming arcs; names; gapped ids; arcs beside the rows; a file that names its source.
  spit(folder / "d.tsv", "10 20\n20 30\n30 10\n30 40\n40 40\n40 50\n40 50\n70 10\n90 91\n");
  spit(folder / "n.tsv", "anna bert\nbert carl\ncarl anna\ndora anna\n");
  for (const char* more : {"", " --no-in"})
    for (const char* name : {"d", "n"}) {
      const std::string file = folder / std::string(name) + ".hwg";
      ASSERT_EQ(shell(tool + " convert " + (folder / std::string(name)) + ".tsv " + file + more).code, 0);
      const std::string from = name[0] == 'd' ? " -s 30" : " -s carl";
      for (const char* way : {"out", "in", "both"})
        expect_same(file + from + " --parents --ties min --direction " + way, {2, 5});
      expect_same(file + from + " --undirected", {2});
      expect_same(file + from + " --keep-duplicates --keep-self-loops", {2});
    }
  const auto piped = shell("cat " + (folder / "d.tsv") + " | " + mpirun(2, tool + " bfs - -s 10 -o -"));
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, shell("cat " + (folder / "d.tsv") + " | " + tool + " bfs - -s 10 -o -").out);
}

TEST(CliMpi, OnlyRank0Speaks) {
  const auto run = shell(mpirun(4, tool + " bfs rmat:10,8 -s 0 --json"));
  EXPECT_EQ(run.code, 0) << run.err;
  const json told = json::parse(run.out);
  EXPECT_EQ(told["ranks"], 4);
  const json alone = json::parse(run_tool({"bfs", "rmat:10,8", "-s", "0", "--json"}).out);
  EXPECT_EQ(alone["ranks"], 1);
  for (const char* key : {"reached", "depth", "level_sizes", "edges", "sources"})
    EXPECT_EQ(told["searches"][0][key], alone["searches"][0][key]) << key;
  EXPECT_EQ(told["graph"]["edges"], alone["graph"]["edges"]);
  const auto tiny = shell(mpirun(2, tool + " bfs rmat:8,8 -s 0"));
  EXPECT_EQ(count(tiny.err, "in a tiny component; -s lcc starts"), 1) << tiny.err;
  const auto text = shell(mpirun(3, tool + " bfs rmat:10,8 -s 0 --explain"));
  EXPECT_EQ(count(text.out, "reached "), 1) << text.out;
  EXPECT_EQ(count(text.out, "ranks     3, "), 1) << text.out;
  EXPECT_EQ(count(text.out, "\033"), 0) << "no colours in a file";
}

/// Exit code, and the ids of the errors told.
std::string ended(const std::string& line) {
  const auto run = shell(line);
  std::string ids;
  for (std::size_t at = run.err.find("[HW-"); at != std::string::npos; at = run.err.find("[HW-", at + 1))
    ids += " " + run.err.substr(at + 1, run.err.find(']', at) - at - 1);
  return std::to_string(run.code) + ids;
}

TEST(CliMpi, ErrorsAreToldOnceWithTheExitCodeOfOneProcess) {
  const auto bfs = [](const std::string& arguments) { return ended(mpirun(3, tool + " bfs " + arguments)); };
  EXPECT_EQ(bfs("rmat:8,8 -s 999"), "3 HW-QUERY-SOURCE");
  EXPECT_EQ(bfs("rmat:8,8 -s 0 --target 999"), "3 HW-QUERY-TARGET");
  EXPECT_EQ(bfs("rmat:8,8"), "2 HW-USAGE-SOURCE");
  EXPECT_EQ(bfs("rmat:8,8 -s random:999"), "3 HW-QUERY-SOURCE");
  EXPECT_EQ(bfs("/nosuch/file -s 0"), "3 HW-IO-OPEN");
  EXPECT_EQ(bfs("rmat:x -s 0"), "2 HW-GEN-SPEC");
  EXPECT_EQ(bfs("rmat:8,8 -s 0 --nosuch"), "2 HW-USAGE-OPTION");
  EXPECT_EQ(bfs("rmat:8,8 -s 0 --max-depth -5"), "2 HW-USAGE-VALUE");
  EXPECT_EQ(bfs("rmat:8,8 -s 0 -o /nosuch/folder/file"), "3 HW-IO-WRITE");
  EXPECT_EQ(bfs("rmat:8,8 -s 0 --without /nosuch/file"), "3 HW-IO-OPEN");
  EXPECT_EQ(bfs("rmat:31,1000000 -s 0"), "4 HW-MEMORY-HOST");
  const auto in_ticks = [](const std::string& arguments) {
    return ended(mpirun(3, tool + " bfs " + arguments, "-x HOPWAVE_TICKS=1"));
  };
  EXPECT_EQ(in_ticks("chain:300 -s 0 --time-limit 0.01"), "124 HW-TIME-LIMIT");
  EXPECT_EQ(in_ticks("chain:300 -s 0 --time-limit 1"), "0");
  EXPECT_EQ(in_ticks("chain:300 -s random:100 --mode each --time-limit 1"), "124 HW-TIME-LIMIT") << "of all together";
}

TEST(CliMpi, WhatSeveralProcessesCannotDoIsRefused) {
  for (const char* option :
       {"--strategy cpu-sequential", "--strategy pmpp-edge --device sim", "--strategy cpu-direction --device sim",
        "--gpus 2 --device sim --partition", "--exchange nccl", "--exchange host", "--exchange nccl --device sim",
        "--param alpha=1", "--prepare", "--picture p.svg", "--schedule pct"})
    EXPECT_EQ(ended(mpirun(2, tool + " bfs rmat:8,8 -s 0 " + option)), "2 HW-RANKS-OPTION") << option;
  // What is wrong with one process too has its id.
  EXPECT_EQ(ended(mpirun(2, tool + " bfs rmat:8,8 -s 0 --strategy nosuch")), "2 HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(ended(mpirun(2, tool + " bfs rmat:8,8 -s 0 --param alpha")), "2 HW-USAGE-VALUE");
  EXPECT_EQ(ended(mpirun(3, tool + " info rmat:8,8")), "2 HW-RANKS-COMMAND");
  const auto apart = shell(mpirun(2, tool + " info rmat:8,8", "-x HOPWAVE_RANKS=off"));
  EXPECT_EQ(apart.code, 0);
  EXPECT_EQ(count(apart.out, "vertices            256\n"), 2) << apart.out;
}

TEST(CliMpi, AFullDiskEndsAllAndLeavesNoFile) {
  EXPECT_EQ(ended(mpirun(3, tool + " bfs rmat:14,8 -s 0 -o /dev/full")), "3 HW-IO-WRITE");
  Folder folder;
  if (::mount("tmpfs", (folder / "").c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "only root mounts a small disk";
  EXPECT_EQ(ended(mpirun(3, tool + " bfs rmat:14,8 -s 0 -o " + (folder / "big.tsv"))), "3 HW-IO-WRITE");
  EXPECT_EQ(folder.files(), 0u);
  ::umount((folder / "").c_str());
}

/// A copy of tool and plug-in that says it is of another commit.
void make_other_build(const Folder& folder, bool of_tool, bool of_plugin) {
  const std::string commit = source_commit, other(commit.size(), 'x');
  const auto copy = [&](const std::string& from, const std::string& name, bool change) {
    std::string bytes = slurp(from);
    for (std::size_t at = bytes.find(commit); change && at != std::string::npos; at = bytes.find(commit, at + 1))
      bytes.replace(at, commit.size(), other);
    spit(folder / name, bytes);
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  };
  copy(tool, "hopwave", of_tool);
  copy(HOPWAVE_MPI_PLUGIN, "libhopwave-mpi.so", of_plugin);
}

TEST(CliMpi, OtherBuildsAreRefusedBeforeAnythingIsTaken) {
  Folder folder;
  make_other_build(folder, false, true);
  EXPECT_EQ(ended(mpirun(3, (folder / "hopwave") + " bfs rmat:8,8 -s 0")), "2 HW-RANKS-BUILD");
  Folder whole;
  make_other_build(whole, true, true);
  const auto run = shell(mpirun(1, tool + " bfs rmat:8,8 -s 0") + " : -n 1 " + (whole / "hopwave") + " bfs rmat:8,8 -s 0");
  EXPECT_EQ(run.code, 2) << run.err;
  EXPECT_EQ(count(run.err, "error: rank 1: hopwave "), 1) << run.err;
  EXPECT_EQ(count(run.err, "[HW-RANKS-BUILD]"), 1) << run.err;
  EXPECT_EQ(ended(mpirun(1, tool + " bfs rmat:8,8 -s 0") + " : -n 1 " + tool + " bfs rmat:8,8 -s 1"), "2 HW-RANKS-WORDS");
}

TEST(CliMpi, APluginThatIsNotThereOrIsNoneIsTold) {
  EXPECT_EQ(ended(mpirun(3, tool + " bfs rmat:8,8 -s 0", "-x HOPWAVE_MPI=/nosuch.so")), "2 HW-RANKS-PLUGIN");
  EXPECT_EQ(ended(mpirun(3, tool + " bfs rmat:8,8 -s 0", "-x HOPWAVE_MPI=/dev/null")), "2 HW-RANKS-PLUGIN");
  // Ranks that do not see each other: the variables of a launcher that is not this MPI's.
  EXPECT_EQ(ended("PMI_RANK=0 PMI_SIZE=3 " + tool + " bfs rmat:8,8 -s 0"), "2 HW-RANKS-LAUNCHER");
  EXPECT_EQ(ended("HOPWAVE_RANKS=maybe " + tool + " bfs rmat:8,8 -s 0"), "2 HW-USAGE-VALUE");
  // A batch script is no step of Slurm's.
  EXPECT_EQ(ended("SLURM_PROCID=0 SLURM_NTASKS=8 " + tool + " bfs rmat:8,8 -s 0"), "0");
}

/// Searches for minutes. Rank 0 begins to write when all ranks have found each other, and goes on after each few searches.
const std::string long_search = tool + " bfs grid:200x200 -s random:5000@1 --mode each -o ";

/// Three ranks that make a long search into a folder of their own.
class LongSearch {
 public:
  /// `more`: words for mpirun.
  explicit LongSearch(const std::string& more = "") : running_({.line = with_temporary(temporary_, line(more))}) {}

  /// Sends it to a rank, or to mpirun itself (−1), once so many bytes are written.
  Outcome send(int signal, int rank, std::int64_t bytes) {
    EXPECT_TRUE(running_.makes(output, "out.part-", bytes));
    // Each process has noted its number before it began.
    const pid_t process = std::atoi(slurp(notes_ / (rank < 0 ? "mpirun" : "rank-" + std::to_string(rank))).c_str());
    EXPECT_GT(process, 0);
    if (process > 0) kill(process, signal);
    return running_.end();
  }

  const Folder output;

 private:
  [[nodiscard]] std::string line(const std::string& more) const {
    spit(notes_ / "run",
         "echo $$ >" + (notes_ / "rank-$OMPI_COMM_WORLD_RANK") + "\nexec " + long_search + (output / "out") + "\n");
    return "echo $$ >" + (notes_ / "mpirun") + "; exec " + mpirun(3, "sh " + (notes_ / "run"), more);
  }

  const Folder notes_, temporary_;
  Running running_;
};

TEST(CliMpi, AKilledRankEndsTheOthersAndIsNamed) {
  constexpr int moments = 3;
  std::vector<std::jthread> threads;  // most of the time is the launcher's waiting
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([rank] {
      for (int moment = 0; moment < moments; ++moment) {
        LongSearch search;
        const Outcome run = search.send(SIGKILL, rank, std::int64_t{moment} << 20);
        EXPECT_EQ(run.code, 137) << "moment " << moment << run.out << run.err;
        EXPECT_NE(run.err.find("process rank " + std::to_string(rank)), std::string::npos) << moment << run.err;
        // Killed, rank 0 leaves what it has begun to write; else too if it takes longer than mpirun waits.
        EXPECT_EQ(search.output.files(), search.output.bytes_of("out.part-") >= 0 ? 1u : 0u) << moment << run.err;
      }
    });
}

TEST(CliMpi, CtrlCEndsAllAndLeavesNoFile) {
  std::vector<std::jthread> threads;
  for (const std::int64_t bytes : {0, 1 << 20})
    threads.emplace_back([bytes] {
      LongSearch search("--mca odls_base_sigkill_timeout 5");  // seconds that mpirun gives its ranks to end in order
      const Outcome run = search.send(SIGINT, -1, bytes);
      EXPECT_NE(run.code, 0);
      EXPECT_EQ(search.output.files(), 0u) << run.err;
      EXPECT_LE(count(run.err, "interrupted"), 1) << run.err;
    });
}

/// The line of a Graph500 run that begins with `key`.
std::string line_of(const std::string& text, const std::string& key) {
  const auto at = text.find(key + ": ");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(CliMpi, Graph500IsTheProcedureOfOneProcess) {
  Folder folder;
  for (const char* size : {"--scale 9 --edgefactor 1", "--scale 11 --seed 5"}) {
    const std::string bench = tool + " bench graph500 --device cpu " + size;
    const auto alone = shell(bench), together = shell(mpirun(3, bench + " --export-json " + (folder / "g.json")));
    EXPECT_EQ(together.code, 0) << together.err;
    // The same sources, and the same edges in their components.
    for (const char* key : {"SCALE", "edgefactor", "NBFS", "min_nedge", "firstquartile_nedge", "median_nedge",
                            "thirdquartile_nedge", "max_nedge", "mean_nedge", "stddev_nedge"}) {
      EXPECT_EQ(line_of(together.out, key), line_of(alone.out, key)) << size;
      EXPECT_NE(line_of(alone.out, key), "");
    }
    EXPECT_EQ(line_of(together.out, "num_mpi_processes"), "num_mpi_processes: 3");
    const json file = json::parse(slurp(folder / "g.json"));
    EXPECT_EQ(file["procedure"], "graph500");
    EXPECT_EQ(file["environment"]["command"].get<std::string>().find("mpirun -n 3 hopwave bench graph500"), 0u);
  }
  for (const char* other : {"rmat:6,8", "graph500 --device sim --strategy cpu-parallel", "graph500 --prepare",
                            "graph500 --param alpha=1", "graph500 --trace"})
    EXPECT_EQ(ended(mpirun(2, tool + " bench " + other)), "2 HW-RANKS-OPTION") << other;
  // Told before the run: the procedure has its own number of runs.
  EXPECT_EQ(ended(mpirun(2, tool + " bench graph500 --scale 31 --edgefactor 1000 --runs 1")), "2 HW-USAGE-OPTION");
  EXPECT_EQ(ended(mpirun(2, tool + " bench graph500 --scale 31 --edgefactor 1000")), "4 HW-MEMORY-HOST");
}

/// A line that runs `what` on hosts with so many ranks each, which are namespaces of this machine (scripts/rank-hosts).
std::string on_hosts(const std::string& ranks, const std::string& what, const std::string& more = "") {
  return std::string(hopwave::testing::places::tests) + "/../scripts/rank-hosts " + more + " " + ranks + " " + what;
}

bool lends_hosts() { return shell(on_hosts("1,1", "true")).code != 77; }

TEST(CliMpi, RanksOnSeveralHostsGiveTheSameAnswers) {
  if (!lends_hosts()) GTEST_SKIP() << "no namespaces here";
  Folder folder;
  const std::string file = folder / "g.hwg", alone = folder / "1.tsv", together = folder / "2.tsv";
  ASSERT_EQ(run_tool({"gen", "rmat:12,8", "-o", file}).code, 0);
  const auto names = shell(on_hosts("2,1", "hostname"));
  EXPECT_EQ(count(names.out, "hw1\n"), 2) << names.out << names.err;
  EXPECT_EQ(count(names.out, "hw2\n"), 1) << names.out;
  // Read in slices, drawn in parts, dealt out by rank 0.
  for (const auto& [graph, ranks] :
       {std::pair{file, "2,1,2"}, {std::string("uniform:11,4"), "1,2"}, {std::string("shapes:3,900"), "1,1"}}) {
    const std::string asked = " bfs " + graph + " -s maxdeg --parents --ties min -o ";
    ASSERT_EQ(shell(tool + asked + alone).code, 0);
    const auto run = shell(on_hosts(ranks, tool + asked + together + " --verify"));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(slurp(together) == slurp(alone)) << graph << " on " << ranks;
  }
}

/// A FIFO in which one line waits for a reader.
class Signpost {
 public:
  explicit Signpost(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
    end_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);  // so that neither side waits for the other's open()
  }
  ~Signpost() { close(end_); }
  Signpost(const Signpost&) = delete;
  Signpost& operator=(const Signpost&) = delete;
  void go() const { EXPECT_EQ(write(end_, "go\n", 3), 3); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int end_;
};

TEST(CliMpi, ARankKilledOnAnotherHostEndsAll) {
  if (!lends_hosts()) GTEST_SKIP() << "no namespaces here";
  const Folder folder, output, temporary;
  const Signpost kill_it(folder / "kill");
  // The ranks have process numbers of their own namespace, so that one is killed from there.
  spit(folder / "run", "test $OMPI_COMM_WORLD_RANK = 2 && { read -r go <" + kill_it.path() + "; kill -KILL $$; } &\nexec " +
                           long_search + (output / "out") + "\n");
  Running running({.line = with_temporary(temporary, on_hosts("1,1,1", "sh " + (folder / "run")))});
  ASSERT_TRUE(running.makes(output, "out.part-"));
  kill_it.go();
  const Outcome run = running.end();
  EXPECT_EQ(run.code, 137) << run.err;
  EXPECT_NE(run.err.find("process rank 2"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(output / "out"));
}

TEST(CliMpi, AHostThatIsCutOffEndsAllWhereMpirunLooksForIt) {
  if (!lends_hosts()) GTEST_SKIP() << "no namespaces here";
  const Folder folder, output, temporary;
  const Signpost cut(folder / "cut");
  std::string options = "-d " + cut.path();  // the words that docs/several-machines.md gives
  for (const char* word : {"--mca", "oob_tcp_keepalive_time", "2", "--mca", "oob_tcp_keepalive_intvl", "1", "--mca",
                           "oob_tcp_keepalive_probes", "3"})
    options += std::string(" -o ") + word;
  Running running({.line = with_temporary(temporary, on_hosts("1,1", long_search + (output / "out"), options))});
  ASSERT_TRUE(running.makes(output, "out.part-"));
  cut.go();
  const Outcome run = running.end();
  EXPECT_GT(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("on node hw2"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(output / "out"));
}

}  // namespace of_cli_mpi_test
}  // namespace hopwave

// Every file of tests/bad_input ends as expected.tsv says: with its error, or with its counts; never with a signal or a
// hang, and within the memory that refusing may take: 64 MiB and 32 times the bytes of the file.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/places.h"
#include "support/sanitized.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_bad_input_test {

namespace fs = std::filesystem;

/// Counts and sanitizers make bombs take minutes, and reach nothing that others do not: what they are for is memory, which
/// sanitizers use in their own way.
#if defined(HOPWAVE_COVERAGE)
constexpr bool unlike_release = true;
#else
constexpr bool unlike_release = sanitized;
#endif

const std::string folder = std::string(hopwave::testing::places::tests) + "/bad_input/";

struct Row {
  std::string file, format, expected, vertices, edges;
};

std::vector<Row> expected_rows() {
  std::vector<Row> rows;
  std::ifstream in(folder + "expected.tsv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.file, '\t');
    std::getline(cells, row.format, '\t');
    std::getline(cells, row.expected, '\t');
    std::getline(cells, row.vertices, '\t');
    std::getline(cells, row.edges, '\t');
    rows.push_back(row);
  }
  return rows;
}

/// 128 MiB when unpacked: read once is enough.
bool is_bomb(const Row& row) { return row.file.find("-bomb-") != std::string::npos; }

/// "ok VERTICES EDGES" or the error's id; anything else that is thrown is a fault of the reader.
std::string outcome_of(const Row& row, int threads) {
  try {
    const EdgeList list =
        read_edges(folder + "files/" + row.file, {.format = row.format == "-" ? "" : row.format, .run = {.threads = threads}});
    for (const Edge& e : list.edges)
      if (e.source >= list.num_vertices || e.target >= list.num_vertices) return "edge out of range";
    return "ok " + std::to_string(list.num_vertices) + " " + std::to_string(list.edges.size());
  } catch (const Error& error) {
    return error.id();
  } catch (const std::exception& error) {
    return std::string("foreign exception: ") + error.what();
  }
}

struct Outcome {
  std::string text;
  long peak_kilobytes = 0;
};

/// In a process of its own, so that signals, hangs and memory show.
Outcome run_apart(const Row& row, int threads) {
#if defined(HOPWAVE_COVERAGE)
  return {outcome_of(row, threads), 0};  // the child's counts would be lost
#endif
  int ends[2];
  if (::pipe(ends) != 0) return {"no pipe", 0};
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit processor{sanitized ? 120u : 20u, RLIM_INFINITY};  // seconds; a busy machine takes none of them
    ::setrlimit(RLIMIT_CPU, &processor);
    const std::string text = outcome_of(row, threads);
    const ssize_t put = ::write(ends[1], text.data(), text.size());
    ::_exit(put == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  Outcome outcome;
  char buffer[512];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    outcome.text.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  if (WIFSIGNALED(status)) outcome.text = "signal " + std::to_string(WTERMSIG(status));
  outcome.peak_kilobytes = usage.ru_maxrss;
  return outcome;
}

TEST(BadInput, EveryFileEndsAsExpected) {
  const auto rows = expected_rows();
  std::size_t wrong = 0;
  std::set<std::string> named;
  for (const Row& row : rows) {
    const std::string expected = row.expected == "ok" ? "ok " + row.vertices + " " + row.edges : row.expected;
    named.insert(row.file);
    if (unlike_release && is_bomb(row)) continue;
    const Outcome outcome = run_apart(row, 2);
    EXPECT_EQ(outcome.text, expected) << row.file;
    if (row.expected == "ok") continue;
    ++wrong;
    const auto bytes = fs::file_size(folder + "files/" + row.file);
    if (!sanitized) {
      EXPECT_LE(outcome.peak_kilobytes, 64 * 1024 + static_cast<long>(32 * bytes / 1024)) << row.file;
    }
  }
  EXPECT_GE(wrong, 200u);
  for (const auto& entry : fs::directory_iterator(folder + "files"))
    EXPECT_TRUE(named.count(entry.path().filename().string()) || entry.path().extension() == ".v") << entry.path();
}

TEST(BadInput, OneThreadSaysTheSame) {
  for (const Row& row : expected_rows())
    if (!is_bomb(row)) {
      EXPECT_EQ(outcome_of(row, 1), row.expected == "ok" ? "ok " + row.vertices + " " + row.edges : row.expected) << row.file;
    }
}

TEST(BadInput, BytesInMemoryEndLikeFiles) {
  for (const Row& row : expected_rows()) {
    if (is_bomb(row)) continue;
    if (row.file.ends_with(".e")) continue;  // these have a vertex list beside them
    std::ifstream in(folder + "files/" + row.file, std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    const std::string text = bytes.str();
    std::string outcome;
    try {
      const EdgeList list = read_edges(std::span<const char>(text), row.file,
                                       {.format = row.format == "-" ? "" : row.format, .run = {.threads = 1}});
      outcome = "ok " + std::to_string(list.num_vertices) + " " + std::to_string(list.edges.size());
    } catch (const Error& error) {
      outcome = error.id();
    }
    EXPECT_EQ(outcome, row.expected == "ok" ? "ok " + row.vertices + " " + row.edges : row.expected) << row.file;
  }
}

struct Read {
  std::string error;  ///< empty: it was read
  EdgeList list;
};

Read read_row(const Row& row, const std::string& path, ReadOptions options) {
  options.format = row.format == "-" ? "" : row.format;
  options.run.threads = 1;
  try {
    return {"", read_edges(path, options)};
  } catch (const Error& error) {
    return {error.id(), {}};
  }
}

/// use(row, path, what reading it without options gives) for every file that is no bomb.
template <class Use>
void for_each_file(Use&& use) {
  for (const Row& row : expected_rows()) {
    const std::string path = folder + "files/" + row.file;
    if (!is_bomb(row)) use(row, path, read_row(row, path, {}));
  }
}

void expect_same_edges(const EdgeList& a, const EdgeList& b, const std::string& file) {
  ASSERT_EQ(a.num_vertices, b.num_vertices) << file;
  ASSERT_EQ(a.edges.size(), b.edges.size()) << file;
  for (std::size_t i = 0; i < a.edges.size(); ++i) {
    ASSERT_EQ(a.edges[i].source, b.edges[i].source) << file << ", edge " << i;
    ASSERT_EQ(a.edges[i].target, b.edges[i].target) << file << ", edge " << i;
  }
}

TEST(ReadOptions, WithoutWeightsTheEdgesAreTheSame) {
  for_each_file([](const Row& row, const std::string& path, const Read& plain) {
    const Read bare = read_row(row, path, {.weights = false});
    EXPECT_TRUE(bare.list.weights.empty()) << row.file;
    if (!plain.error.empty()) return;
    EXPECT_EQ(bare.error, "") << row.file;
    expect_same_edges(plain.list, bare.list, row.file);
  });
}

TEST(ReadOptions, UndirectedChangesTheDirectionAlone) {
  for_each_file([](const Row& row, const std::string& path, const Read& plain) {
    const Read both = read_row(row, path, {.undirected = true});
    EXPECT_EQ(both.error, plain.error) << row.file;
    if (!plain.error.empty()) return;
    EXPECT_FALSE(both.list.directed) << row.file;
    expect_same_edges(plain.list, both.list, row.file);
  });
}

TEST(ReadOptions, LenientSaysWhatItMends) {
  int mended = 0;
  for_each_file([&](const Row& row, const std::string& path, const Read& plain) {
    const Read lenient = read_row(row, path, {.lenient = true});
    if (plain.error.empty()) {
      EXPECT_EQ(lenient.error, "") << row.file;
      expect_same_edges(plain.list, lenient.list, row.file);
    } else if (lenient.error.empty()) {
      EXPECT_FALSE(lenient.list.report.repairs.empty()) << row.file;
      ++mended;
    }
  });
  EXPECT_GE(mended, 30);
}

/// Through a pipe of the file's name. What is not read is not written.
Read read_piped(const Row& row, const std::string& from, const TempDir& dir) {
  const std::string pipe = dir.path(row.file);
  if (::mkfifo(pipe.c_str(), 0600) != 0) return {"no pipe", {}};
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << std::ifstream(from, std::ios::binary).rdbuf(); });
  Read read = read_row(row, pipe, {});
  writer.join();
  return read;
}

TEST(ReadOptions, PipesEndLikeFiles) {
  std::signal(SIGPIPE, SIG_IGN);
  const TempDir dir;
  for_each_file([&](const Row& row, const std::string& path, const Read& plain) {
    if (row.file.ends_with(".e")) return;       // these have a vertex list beside them
    if (row.file == "wsg-named-sg.sg") return;  // only its size says that it has weights, and a pipe has none
    const Read piped = read_piped(row, path, dir);
    EXPECT_EQ(piped.error, plain.error) << row.file;
    if (piped.error.empty()) expect_same_edges(plain.list, piped.list, row.file);
  });
}

}  // namespace of_bad_input_test
}  // namespace hopwave

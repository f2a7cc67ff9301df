// A cache beside a graph file: used while it fits the file, and never when it is stale, damaged or another's.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "hopwave/preparation.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_cache_test {

namespace fs = std::filesystem;

const ReadOptions cached{.cache = true};
constexpr auto long_ago = std::chrono::hours(-24);

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override { put(text_, "1 2\n2 3\n2 3\n3 3\n9 1\n"); }

  static void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  /// Was the file parsed, or its cache opened?
  static bool from_cache(const Graph& graph) { return graph.read_report().format == "hwg"; }
  /// Loads with a cache, and compares with a load without.
  static Graph load(const std::string& path, ReadOptions read = cached, const BuildOptions& build = {}) {
    Graph graph = load_graph(path, read, build);
    read.cache = false;
    const Graph plain = load_graph(path, read, build);
    EXPECT_EQ(fingerprint(graph), fingerprint(plain));
    EXPECT_EQ(graph.directed(), plain.directed());
    EXPECT_EQ(graph.has_weights(), plain.has_weights());
    EXPECT_TRUE(std::equal(graph.out().weights.begin(), graph.out().weights.end(), plain.out().weights.begin(),
                           plain.out().weights.end()));
    for (VertexId v = 0; v < plain.num_vertices(); ++v) EXPECT_EQ(graph.name(v), plain.name(v));
    EXPECT_EQ(graph.read_report().source, path);
    EXPECT_EQ(graph.build_report().duplicates, plain.build_report().duplicates);
    EXPECT_EQ(graph.build_report().self_loops, plain.build_report().self_loops);
    return graph;
  }

  /// Until the last change, a time that cannot be set, is so long ago that it is believed.
  static void let_age(const std::string& path) {
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    const double step = info.st_ctim.tv_nsec == 0 ? 2 : .1;
    for (double age = 0; age <= step; std::this_thread::yield()) {
      timespec now{};
      ::clock_gettime(CLOCK_REALTIME, &now);
      age = static_cast<double>(now.tv_sec - info.st_ctim.tv_sec) +
            static_cast<double>(now.tv_nsec - info.st_ctim.tv_nsec) * 1e-9;
    }
  }

  TempDir dir_;
  std::string text_ = dir_.path("g.txt"), cache_ = dir_.path("g.txt.cache.hwg");
};

TEST_F(CacheTest, IsOffUnlessAskedFor) {
  (void)load(text_, {});
  EXPECT_FALSE(fs::exists(cache_));
}

TEST_F(CacheTest, IsMadeOnceAndThenUsed) {
  EXPECT_FALSE(from_cache(load(text_)));
  ASSERT_TRUE(fs::exists(cache_));
  const auto made = fs::last_write_time(cache_);
  const Graph again = load(text_);
  EXPECT_TRUE(from_cache(again));
  EXPECT_EQ(again.read_report().parse, Milliseconds());
  EXPECT_EQ(again.build_report().time, Milliseconds());
  EXPECT_NE(again.read_report().details.find(cache_), std::string::npos);
  EXPECT_EQ(fs::last_write_time(cache_), made);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path("")), fs::directory_iterator()), 2);
  const BuildOptions all{.keep_duplicates = true, .keep_self_loops = true};
  EXPECT_TRUE(from_cache(load(text_, cached, all)));
  EXPECT_EQ(load(text_, cached, all).num_arcs(), 5u);
  EXPECT_TRUE(load(text_, cached, {.build_in = true}).has_in());
}

TEST_F(CacheTest, EveryKindOfGraphComesBack) {
  for (const char* spec : {"shapes:3,500", "rmat:9,8", "grid:20x20"}) {
    const Graph graph = build_graph(generate(spec), {.keep_duplicates = true, .keep_self_loops = true});
    for (const char* name : {"a.mtx", "a.txt.gz", "a.gr", "a.adj", "a.csv", "a.npz"}) {
      if (!build_features().zlib && std::string_view(name).ends_with(".gz")) continue;
      write_graph(graph, dir_.path(name));
      for (const bool undirected : {false, true}) {
        const ReadOptions read{.undirected = undirected, .cache = true};
        EXPECT_FALSE(from_cache(load(dir_.path(name), read))) << name;
        EXPECT_TRUE(from_cache(load(dir_.path(name), read))) << name;
      }
    }
  }
  put(dir_.path("names.csv"), "source,target,weight\nA,B,2\nA,B,1\nB,\"C, D\",7\n");
  EXPECT_FALSE(from_cache(load(dir_.path("names.csv"))));
  EXPECT_TRUE(from_cache(load(dir_.path("names.csv"))));
}

TEST_F(CacheTest, AnotherWayOfReadingIsAnotherGraph) {
  put(text_, "1 2 3\n2 3 4\n");
  (void)load(text_);
  ReadOptions other = cached;
  other.format = "names";
  EXPECT_FALSE(from_cache(load(text_, other)));
  EXPECT_TRUE(from_cache(load(text_, other)));
  EXPECT_FALSE(from_cache(load(text_)));
  other = cached, other.weights = false;
  EXPECT_FALSE(from_cache(load(text_, other)));
  other = cached, other.lenient = true;
  EXPECT_FALSE(from_cache(load(text_, other)));
}

TEST_F(CacheTest, AFileThatGrewOrShrankIsReadAgain) {
  (void)load(text_);
  put(text_, "1 2\n2 3\n2 3\n3 3\n9 1\n4 4\n");
  EXPECT_FALSE(from_cache(load(text_)));
  EXPECT_TRUE(from_cache(load(text_)));
  put(text_, "1 2\n");
  EXPECT_FALSE(from_cache(load(text_)));
}

/// Of the same length: at once, and with its old time set again.
TEST_F(CacheTest, AFileThatWasChangedInPlaceIsReadAgain) {
  for (const bool old : {false, true}) {
    put(text_, "1 2\n2 3\n2 3\n3 3\n9 1\n");
    const auto time = fs::last_write_time(text_) + (old ? long_ago : std::chrono::hours(0));
    fs::last_write_time(text_, time);
    if (old) let_age(text_);
    (void)load(text_);
    EXPECT_TRUE(from_cache(load(text_)));
    put(text_, "1 2\n2 3\n2 3\n3 3\n8 1\n");
    fs::last_write_time(text_, time);
    const Graph changed = load(text_);
    EXPECT_FALSE(from_cache(changed)) << old;
    EXPECT_EQ(changed.name(changed.num_vertices() - 1), "8");
  }
}

TEST_F(CacheTest, TheSameBytesAtAnotherTimeAreTheSameFile) {
  (void)load(text_);
  fs::last_write_time(text_, fs::last_write_time(text_) + long_ago);
  EXPECT_TRUE(from_cache(load(text_)));
  const std::string bytes = content_of(text_);
  fs::remove(text_);
  put(text_, bytes);
  EXPECT_TRUE(from_cache(load(text_)));
}

TEST_F(CacheTest, ADamagedCacheIsMadeAnew) {
  (void)load(text_);
  const std::string good = content_of(cache_);
  for (std::size_t at = 8; at < good.size(); at += 13) {  // behind the magic
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    put(cache_, bad);
    (void)load(text_);  // right, whatever the byte was
    EXPECT_TRUE(from_cache(load(text_))) << at;
  }
  for (std::size_t size = 8; size < good.size(); size += 29) {
    put(cache_, good.substr(0, size));
    EXPECT_FALSE(from_cache(load(text_))) << size;
    EXPECT_TRUE(from_cache(load(text_))) << size;
  }
}

TEST_F(CacheTest, AnotherFilesCacheIsNotUsed) {
  (void)load(text_);
  const std::string other = dir_.path("h.txt"), others = other + ".cache.hwg";
  put(other, "1 2\n2 3\n2 3\n3 3\n7 1\n");  // as long
  fs::copy_file(cache_, others);
  EXPECT_FALSE(from_cache(load(other)));
  put(other, content_of(text_));
  fs::copy_file(cache_, others, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(from_cache(load(other)));  // the name is another, and endings may decide on the format
}

TEST_F(CacheTest, AFileOfThatNameThatIsNoCacheStays) {
  write_graph(build_graph(generate("chain:5")), cache_);
  for (const std::string& bytes : {content_of(cache_), std::string("words"), std::string()}) {
    put(cache_, bytes);
    for (int i = 0; i < 2; ++i) {
      const Graph graph = load(text_);
      EXPECT_FALSE(from_cache(graph));
      ASSERT_EQ(graph.read_report().notes.size(), 1u);
      EXPECT_NE(graph.read_report().notes[0].find("is not a cache"), std::string::npos) << graph.read_report().notes[0];
    }
    EXPECT_EQ(content_of(cache_), bytes);
  }
  fs::remove(cache_);
  fs::create_directory(cache_);
  EXPECT_EQ(load(text_).read_report().notes.size(), 1u);
}

TEST_F(CacheTest, ALinkIsNotFollowedForWriting) {
  const std::string elsewhere = dir_.path("elsewhere");
  fs::create_symlink(elsewhere, cache_);
  EXPECT_EQ(load(text_).read_report().notes.size(), 1u);
  EXPECT_FALSE(fs::exists(elsewhere));
}

TEST_F(CacheTest, OfAnotherUserItIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  (void)load(text_);
  EXPECT_TRUE(from_cache(load(text_)));
  ASSERT_EQ(::chown(cache_.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(from_cache(load(text_)));
  EXPECT_TRUE(from_cache(load(text_)));  // it was made anew, by this user
  ASSERT_EQ(::chown(cache_.c_str(), 12345, 12345), 0);
  ASSERT_EQ(::chown(text_.c_str(), 12345, 12345), 0);
  EXPECT_TRUE(from_cache(load(text_)));  // of the file's own user
}

TEST_F(CacheTest, WhoMayNotReadTheFileMayNotReadTheCache) {
  ASSERT_EQ(::chmod(text_.c_str(), 0600), 0);
  (void)load(text_);
  struct stat info {};
  ASSERT_EQ(::stat(cache_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(CacheTest, AFolderThatCannotBeWrittenHindersNothing) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(dir_.path(""), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(load(text_).read_report().notes.size(), 1u);
  fs::permissions(dir_.path(""), fs::perms::owner_all);
}

TEST_F(CacheTest, StreamsSpecsAndListsOfVerticesHaveNone) {
  EXPECT_EQ(load_graph("grid:3x3", cached).num_vertices(), 9u);
  const std::string edges = dir_.path("k.e");
  put(edges, "1 2\n");
  put(dir_.path("k.v"), "1\n2\n3\n");
  EXPECT_EQ(load_graph(edges, cached).num_vertices(), 3u);
  const std::string hwg = dir_.path("k.hwg");
  write_graph(build_graph(generate("chain:5")), hwg);
  EXPECT_EQ(load_graph(hwg, cached).num_vertices(), 5u);
  const std::string pipe = dir_.path("pipe.txt");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { put(pipe, "1 2\n"); });
  EXPECT_EQ(load_graph(pipe, {.format = "edge-list", .cache = true}).num_vertices(), 2u);
  writer.join();
  for (const auto& entry : fs::directory_iterator(dir_.path("")))
    EXPECT_EQ(entry.path().string().find(".cache."), std::string::npos) << entry.path();
}

/// What --lenient mended is told each time, not only when the text was read.
TEST_F(CacheTest, KeepsWhatWasRepaired) {
  put(text_, "1 2\n2 3\nx y\n");
  ReadOptions lenient = cached;
  lenient.lenient = true;
  const std::vector<std::string> repairs = load_graph(text_, lenient).read_report().repairs;
  EXPECT_EQ(repairs.size(), 1u);
  ASSERT_TRUE(fs::exists(cache_));
  EXPECT_EQ(load_graph(text_, lenient).read_report().repairs, repairs);
  const std::string converted = dir_.path("mended.hwg");
  write_graph(load_graph(text_, lenient), converted);
  EXPECT_EQ(load_graph(converted).read_report().repairs, repairs);
}

TEST_F(CacheTest, ErrorsAreThoseOfTheFile) {
  for (int i = 0; i < 2; ++i) {
    put(text_, "1 2\n2 x\n");
    EXPECT_THROW((void)load_graph(text_, cached), Error);
    EXPECT_THROW((void)load_graph(dir_.path("none.txt"), cached), Error);
    EXPECT_FALSE(fs::exists(cache_));
  }
}

/// Who stops it finds no cache, and no part of one.
TEST_F(CacheTest, StoppedItLeavesNothing) {
  write_graph(build_graph(generate("rmat:16,8")), text_);
  std::uint64_t calls = 0;
  ReadOptions stopped = cached;
  stopped.run.threads = 1;
  stopped.run.progress = [&](const Step&) { return ++calls < 4; };
  EXPECT_EQ(testing::id_of([&] { (void)load_graph(text_, stopped); }), "HW-INTERRUPTED");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path("")), fs::directory_iterator()), 1);
}

TEST_F(CacheTest, ManyAtOnceGetTheSameGraph) {
  write_graph(build_graph(generate("rmat:12,8")), text_);
  const std::uint64_t right = fingerprint(load_graph(text_));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(fingerprint(load_graph(text_, {.cache = true, .run = {.threads = 1}})), right);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path("")), fs::directory_iterator()), 2);
}

}  // namespace of_cache_test
}  // namespace hopwave

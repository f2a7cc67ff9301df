// Text is read in blocks of 512 KiB: rows, faults and long lines at every border of them, in memory, in files, in streams and
// in packed files, by one thread and by several.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "io/input_text.h"
#include "support/error_id.h"
#include "support/sanitized.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_text_blocks_test {

constexpr std::size_t block = io::block_bytes;

/// A text in a format, row by row. All rows are padded with blanks to `row_bytes`, so that few make a block.
struct Sort {
  std::string name, format, head;
  std::function<std::string(VertexId)> row;  ///< an edge from vertex i to vertex i + 1, as the format counts them
  std::string bad_row, id;                   ///< and the error that it is
  std::uint64_t bad_column = 0;
  VertexId first = 0;  ///< what the format calls the first vertex
};

constexpr VertexId rows = 1300;
constexpr std::size_t row_bytes = 1021;

std::vector<Sort> sorts() {
  const auto pair = [](VertexId first) {
    return [first](VertexId i) { return std::to_string(i + first) + " " + std::to_string(i + first + 1); };
  };
  const std::string n = std::to_string(rows + 1), m = std::to_string(rows);
  return {{"g.txt", "", "", pair(0), "5 x", "HW-EDGE-ID", 3, 0},
          {"g.txt", "", "# one\n\n  # two\n", pair(0), "5 x", "HW-EDGE-ID", 3, 0},
          {"g.csv", "", "source,target\n", [](VertexId i) { return std::to_string(i) + "," + std::to_string(i + 1); }, "5,x",
           "HW-EDGE-ID", 3, 0},
          {"g.txt", "names", "", [](VertexId i) { return std::to_string(10000 + i) + " " + std::to_string(10001 + i); },
           "5 6 7", "HW-EDGE-COLUMNS", 1, 0},
          {"g.mtx", "", "%%MatrixMarket matrix coordinate pattern general\n" + n + " " + n + " " + m + "\n", pair(1), "5 x",
           "HW-MTX-INDEX", 3, 1},
          {"g.gr", "", "c arcs\np sp " + n + " " + m + "\n",
           [](VertexId i) { return "a " + std::to_string(i + 1) + " " + std::to_string(i + 2) + " 1"; }, "a 5 x 1",
           "HW-GR-LINE", 5, 1},
          {"g.cedge", "", "",
           [](VertexId i) { return std::to_string(i) + " " + std::to_string(i) + " " + std::to_string(i + 1) + " 1"; },
           "5 5 x 1", "HW-CEDGE-ROW", 5, 0},
          {"g.adj", "", "", pair(0), "5 x", "HW-ADJ-ID", 3, 0}};
}

struct Text {
  std::string bytes;
  std::vector<std::size_t> begins;  ///< of each row
};

/// `shift` more blanks stand in the first row; row `bad` is the bad one.
Text text_of(const Sort& sort, std::size_t shift, VertexId bad = no_vertex) {
  Text text{.bytes = sort.head, .begins = {}};
  for (VertexId i = 0; i < rows; ++i) {
    text.begins.push_back(text.bytes.size());
    const std::string row = i == bad ? sort.bad_row : sort.row(i);
    text.bytes += row + std::string(row_bytes - 1 - row.size() + (i == 0 ? shift : 0), ' ') + "\n";
  }
  return text;
}

/// How many more blanks let some row end `distance` bytes behind the border of the first block.
std::size_t shift_to_border(std::ptrdiff_t distance) {
  return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(block % row_bytes + row_bytes) + distance) % row_bytes;
}

/// Through a pipe called `name`; `put` writes to it.
class Piped {
 public:
  /// The writer comes after `before`.
  Piped(
      const TempDir& dir, const std::string& name, const std::function<void(int)>& put,
      const std::function<void()>& before = [] {})
      : path_(dir.path("pipe-" + name)) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that fails leaves the rest
    if (::mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
    writer_ = std::thread([this, put, before] {
      sigset_t all;
      sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      before();
      const int fd = ::open(path_.c_str(), O_WRONLY);
      opened_.store(true);
      put(fd);
      ::close(fd);
    });
  }
  Piped(const Piped&) = delete;
  Piped& operator=(const Piped&) = delete;
  ~Piped() {
    const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);  // the writer may still wait for one
    while (!opened_.load()) std::this_thread::yield();
    ::close(reader);
    writer_.join();
    ::unlink(path_.c_str());
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::atomic<bool> opened_{false};
  std::thread writer_;
};

void put_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

/// use(how, read) for memory, a file and a pipe.
void each_way(const TempDir& dir, const std::string& name, const std::string& bytes,
              const std::function<void(const std::string&, const std::function<EdgeList(const ReadOptions&)>&)>& use) {
  use("memory", [&](const ReadOptions& options) { return read_edges(std::span<const char>(bytes), name, options); });
  const std::string file = dir.path(name);
  std::ofstream(file, std::ios::binary) << bytes;
  use("file", [&](const ReadOptions& options) { return read_edges(file, options); });
  use("pipe", [&](const ReadOptions& options) {
    const Piped pipe(dir, name, [&](int fd) { put_all(fd, bytes); });
    return read_edges(pipe.path(), options);
  });
}

TEST(TextBlocks, RowsAtTheirBorders) {
  const TempDir dir;
  std::uint64_t turn = 0;
  for (const Sort& sort : sorts())
    for (std::ptrdiff_t distance = -2; distance <= 2; ++distance) {
      const Text text = text_of(sort, shift_to_border(distance));
      each_way(dir, sort.name, text.bytes, [&](const std::string& how, const auto& read) {
        for (const int threads : {1, 3}) {
          if (!testing::tried(turn++)) continue;
          const std::string where = sort.name + " " + sort.format + " in " + how + ", distance " + std::to_string(distance);
          const EdgeList list = read({.format = sort.format, .run = {.threads = threads}});
          ASSERT_EQ(list.edges.size(), rows) << where;
          ASSERT_EQ(list.num_vertices, rows + 1) << where;
          EXPECT_EQ(list.report.rows, rows) << where;
          EXPECT_EQ(list.report.text_bytes, text.bytes.size()) << where;
          for (VertexId i = 0; i < rows; ++i)
            ASSERT_TRUE(list.edges[i].source == i && list.edges[i].target == i + 1) << where << ", row " << i;
        }
      });
    }
}

void expect_fault(const Sort& sort, const Text& text, VertexId bad, const std::string& how,
                  const std::function<EdgeList(const ReadOptions&)>& read) {
  static std::uint64_t turn = 0;
  const std::string where = sort.name + " " + sort.format + " in " + how + ", row " + std::to_string(bad);
  const auto lines = static_cast<std::uint64_t>(std::count(sort.head.begin(), sort.head.end(), '\n'));
  for (const int threads : {1, 3}) {
    if (!testing::tried(turn++)) continue;
    const Error::Parts error = testing::parts_of([&] { (void)read({.format = sort.format, .run = {.threads = threads}}); });
    EXPECT_EQ(error.id, sort.id) << where;
    EXPECT_EQ(error.where.line, lines + bad + 1) << where;
    EXPECT_EQ(error.where.column, sort.bad_column) << where;
    EXPECT_EQ(error.where.byte, text.begins[bad] + sort.bad_column - 1) << where;
  }
}

/// The rows around a border are those that may be counted twice or not at all.
TEST(TextBlocks, FaultsAtTheirBorders) {
  const TempDir dir;
  constexpr VertexId border = block / row_bytes;
  for (const Sort& sort : sorts())
    for (const std::ptrdiff_t distance : {-1, 0, 1})
      for (const VertexId bad : {border, border + 1, rows - 1}) {
        const Text text = text_of(sort, shift_to_border(distance), bad);
        each_way(dir, sort.name, text.bytes,
                 [&](const std::string& how, const auto& read) { expect_fault(sort, text, bad, how, read); });
      }
}

TEST(TextBlocks, TheFirstOfManyFaultsIsReported) {
  const TempDir dir;
  const Sort sort = sorts()[0];
  Text text = text_of(sort, 0, 600);
  for (VertexId later = 601; later < rows; later += 7) text.bytes.replace(text.begins[later], 3, "6 y");
  for (int turn = 0; turn < 5; ++turn)
    each_way(dir, sort.name, text.bytes,
             [&](const std::string& how, const auto& read) { expect_fault(sort, text, 600, how, read); });
}

/// A line that begins in a block is read to its end, which is found in steps of 4, 8, 16 … KiB.
TEST(TextBlocks, LinesBeyondTheirEnds) {
  const TempDir dir;
  std::uint64_t turn = 0;
  for (const std::size_t length : {block - 1, block, block + 1, block + 4095, block + 4096, block + 4097, block + 12288,
                                   2 * block, 2 * block + 1, 3 * block + 5})
    for (const std::string end : {"", "\n9 7\n"}) {
      const std::string text = "7" + std::string(length - 2, ' ') + "8" + end;
      each_way(dir, "g.txt", text, [&](const std::string& how, const auto& read) {
        if (!testing::tried(turn++)) return;
        const EdgeList list = read({.run = {.threads = 2}});
        const std::size_t edges = end.size() > 1 ? 2 : 1;
        ASSERT_EQ(list.edges.size(), edges) << how << " " << length;
        EXPECT_TRUE(list.edges[0].source == 0 && list.edges[0].target == 1) << how << " " << length;
        if (edges == 2) EXPECT_TRUE(list.edges[1].source == 2 && list.edges[1].target == 0) << how << " " << length;
        EXPECT_EQ(list.report.text_bytes, text.size()) << how << " " << length;  // blanks that streams leave out count too
      });
    }
}

/// A word of a million letters, behind a million blanks, is found where it stands.
TEST(TextBlocks, FaultsInLongLines) {
  const TempDir dir;
  for (const std::size_t blanks : {std::size_t{3}, std::size_t{70'000}, block - 1, block, block + 1, 2 * block - 1}) {
    const std::string text = "0 1\n1" + std::string(blanks, ' ') + "x\n2 3\n";
    each_way(dir, "g.txt", text, [&](const std::string& how, const auto& read) {
      const Error::Parts error = testing::parts_of([&] { (void)read({.format = "edge-list", .run = {.threads = 2}}); });
      EXPECT_EQ(error.where.line, 2u) << how << " " << blanks;
      EXPECT_EQ(error.where.column, blanks + 2) << how << " " << blanks;
      EXPECT_EQ(error.where.byte, blanks + 5) << how << " " << blanks;
      EXPECT_EQ(error.found, "'x'") << how << " " << blanks;
    });
  }
}

TEST(TextBlocks, CommentsAndBlankLinesBeforeTheFirstRow) {
  const TempDir dir;
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{32'766}, std::size_t{32'767}, std::size_t{32'768}, std::size_t{65'534},
        std::size_t{65'535}, std::size_t{65'536}, std::size_t{65'537}, block})
    for (const std::string& before :
         {"#" + std::string(length, 'c') + "\n", std::string(length, '\n'), std::string(length, ' ') + "\n",
          std::string(length, '\n') + "//c\n" + std::string(length, ' ') + "% c\n"}) {
      const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
      each_way(dir, "g.txt", before + "0 1\n1 2\n",
               [&](const std::string& how, const auto& read) { EXPECT_EQ(read({}).edges.size(), 2u) << how << " " << length; });
      each_way(dir, "g.txt", before + "0 1\n  1 x\n", [&](const std::string& how, const auto& read) {
        const Error::Parts error = testing::parts_of([&] { (void)read({}); });
        EXPECT_EQ(error.where.line, lines + 2) << how << " " << length;
        EXPECT_EQ(error.where.column, 5u) << how << " " << length;
        EXPECT_EQ(error.where.byte, before.size() + 8) << how << " " << length;
      });
    }
}

/// The first 64 KiB hold nothing but a comment and blanks: the row begins with what is read next.
TEST(TextBlocks, BlanksUpToTheEndOfWhatIsReadFirst) {
  const TempDir dir;
  constexpr std::size_t head = std::size_t{1} << 16;
  for (const char blank : {'\n', ' '})
    for (const std::size_t size : {head - 1, head, head + 1, 2 * head, 2 * head + 3}) {
      const std::string text = "#c\n" + std::string(size - 3, blank) + "10 11\n11 12\n";
      each_way(dir, "g.txt", text, [&](const std::string& how, const auto& read) {
        const EdgeList list = read({});
        ASSERT_EQ(list.edges.size(), 2u) << how << " " << size;
        EXPECT_EQ(list.ids.number(0), 10) << how << " " << size;
        EXPECT_EQ(list.num_vertices, 3u) << how << " " << size;
      });
    }
}

/// A comment that ends beyond what is read first is told once, however many blank lines stand before it: telling it once a
/// line made the time grow with the square of their number.
TEST(TextBlocks, ACommentBehindBlankLinesIsToldOnce) {
  for (const std::size_t lines : {0, 1, 1000, 30'000, 100'000})
    for (const std::size_t length : {100'000, 300'000}) {
      const std::string comment = "#" + std::string(length, 'c');
      io::Input input(io::owned_source(std::string(lines, '\n') + comment + "\n10 11\n", "g.txt"), {});
      input.set_rules({io::edge_list_comment, true});
      int told = 0;
      const auto row = input.first_line([&](std::string_view text) { told += text.starts_with('#'); });
      ASSERT_TRUE(row) << lines;
      EXPECT_EQ(*row, "10 11") << lines;
      EXPECT_EQ(told, 1) << lines;
    }
}

TEST(TextBlocks, ProgressEndsWithTheWholeFile) {
  const TempDir dir;
  for (const Sort& sort : sorts()) {
    const Text text = text_of(sort, 5);
    std::ofstream(dir.path(sort.name), std::ios::binary) << text.bytes;
    std::uint64_t last = 0, calls = 0;
    const auto progress = [&](const Step& step) {
      EXPECT_GE(step.done, last);
      EXPECT_LE(step.done, text.bytes.size()) << sort.name;
      EXPECT_EQ(step.total, text.bytes.size()) << sort.name;
      last = step.done, ++calls;
      return true;
    };
    (void)read_edges(dir.path(sort.name), {.format = sort.format, .run = {.threads = 1, .progress = progress}});
    EXPECT_GE(calls, 3u) << sort.name;
    EXPECT_GE(last, text.bytes.size() - sort.head.size()) << sort.name;
    EXPECT_EQ(testing::id_of([&] {
                (void)read_edges(dir.path(sort.name),
                                 {.format = sort.format, .run = {.threads = 1, .progress = [](const Step&) { return false; }}});
              }),
              "HW-INTERRUPTED");
  }
}

std::atomic<int> signals{0};

/// Waits until a thread sleeps: the reader of a pipe does so when it has taken all that is there.
void await_sleep(pid_t thread) {
  for (char state = 'R'; state != 'S'; std::this_thread::yield()) {
    std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string text;
    std::getline(in, text);
    const auto at = text.rfind(") ");  // before it is a name
    ASSERT_NE(at, std::string::npos);
    state = text.at(at + 2);
  }
}

/// A pipe may give one byte at a time, and a signal may come while it is waited for.
TEST(TextStreams, ComeInPiecesAndAreInterrupted) {
  const TempDir dir;
  const std::string text = "10 11\n11 12\n12 10\n";
  std::vector<std::string> names = {"g.txt"};
  for (const char* name : {"g.txt.gz", "g.txt.zst"}) {
    write_graph(build_graph(read_edges(std::span<const char>(text), "g.txt")), dir.path(name));
    names.emplace_back(name);
  }
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) { signals.fetch_add(1); };  // without SA_RESTART: read() ends with EINTR
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  for (const std::string& name : names) {
    const std::string bytes = name == "g.txt" ? text : content_of(dir.path(name));
    const pthread_t reader = ::pthread_self();
    const pid_t thread = ::gettid();
    std::size_t sent = 0;
    signals = 0;
    const auto interrupt = [&] {
      await_sleep(thread);  // it waits for a writer, or for a byte
      ::pthread_kill(reader, SIGALRM);
      for (++sent; signals < static_cast<int>(sent);) std::this_thread::yield();
    };
    const auto drip = [&](int fd) {
      for (const char c : bytes) {
        interrupt();
        put_all(fd, {&c, 1});
      }
      interrupt();  // while it waits for the end
    };
    {
      const Piped pipe(dir, name, drip, interrupt);
      const EdgeList list = read_edges(pipe.path(), {.run = {.threads = 1}});
      EXPECT_EQ(list.edges.size(), 3u) << name;
      EXPECT_EQ(list.num_vertices, 3u) << name;
    }
    EXPECT_EQ(sent, bytes.size() + 2);
  }
  ASSERT_EQ(::sigaction(SIGALRM, &before, nullptr), 0);
}

/// A text may begin with some of the bytes that packed files begin with, but not with all of them.
TEST(TextStreams, ArePackedOnlyIfEveryByteOfTheMagicIsThere) {
  const TempDir dir;
  struct Magic {
    std::string bytes;
    std::size_t needed;
  };
  for (const Magic& magic : {Magic{"\x1f\x8b\x08x", 2}, Magic{"\x28\xb5\x2f\xfd", 4}, Magic{"\x53\x2a\x4d\x18", 4}})
    for (unsigned kept = 0; kept < 1u << magic.needed; ++kept) {
      std::string word = magic.bytes;
      for (std::size_t i = 0; i < magic.needed; ++i)
        if (!(kept >> i & 1)) word[i] = 'a';
      const bool packed = kept + 1 == 1u << magic.needed;
      each_way(dir, "g.txt", word + " y\ny z\n", [&](const std::string& how, const auto& read) {
        try {
          const EdgeList list = read({.format = "names"});
          EXPECT_FALSE(packed) << how << " " << kept;
          EXPECT_EQ(list.ids.name(0), word) << how << " " << kept;
          EXPECT_EQ(list.edges.size(), 2u) << how << " " << kept;
        } catch (const Error& error) {
          EXPECT_TRUE(packed) << how << " " << kept << ": " << error.what();
        }
      });
    }
}

std::string found_at(const std::string& text) {
  try {
    (void)read_edges(std::span<const char>(text), "g.txt", {.format = "edge-list"});
  } catch (const Error& error) {
    return error.parts().found;
  }
  return "none";
}

TEST(TextFaults, QuoteEveryByteReadably) {
  for (int c = 1; c < 128; ++c) {
    if (std::strchr("\t\n\r 0123456789#%", c)) continue;
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(c));
    const std::string shown = c < 32 || c == 127 ? hex : std::string(1, static_cast<char>(c));
    EXPECT_EQ(found_at("0 1\n2 " + std::string(1, static_cast<char>(c)) + "z 3\n"), "'" + shown + "z'") << c;
  }
}

TEST(TextFaults, QuoteAtMost24BytesOfAWord) {
  const std::string word = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t length = 1; length <= word.size(); ++length)
    for (const std::string end : {"\n", " 3\n", "\t3\n", "\r\n", ""})
      EXPECT_EQ(found_at("0 1\n2 " + word.substr(0, length) + end),
                "'" + word.substr(0, std::min<std::size_t>(length, 24)) + (length > 24 ? "…'" : "'"))
          << length << end;
}

}  // namespace of_text_blocks_test
}  // namespace hopwave

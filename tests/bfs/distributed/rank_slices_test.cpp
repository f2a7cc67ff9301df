// Each rank reads its slice of a .hwg: the same shares as dealt out, few bytes, and damage found as when one process opens it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/read_slices.h"
#include "bfs/distributed/thread_ranks.h"
#include "core/checksum.h"
#include "hopwave/io.h"
#include "io/hwg_layout.h"
#include "support/graphs.h"
#include "support/hostile.h"
#include "support/sanitized.h"
#include "support/tool.h"

namespace hopwave {
namespace of_rank_slices_test {

using namespace testing;
using ranks::Rows;
using ranks::Share;
using ranks::Transport;
using test::Folder;

std::vector<VertexId> neighbors_of(const Rows& rows) { return {rows.neighbors.begin(), rows.neighbors.end()}; }
std::vector<EdgeIndex> offsets_of(const Rows& rows) { return {rows.offsets.begin(), rows.offsets.end()}; }

void expect_same(const Share& read, const Share& dealt) {
  EXPECT_EQ(read.cut.first(), dealt.cut.first());
  EXPECT_EQ(read.directed, dealt.directed);
  EXPECT_EQ(read.num_arcs, dealt.num_arcs);
  EXPECT_EQ(offsets_of(read.out), offsets_of(dealt.out));
  EXPECT_EQ(neighbors_of(read.out), neighbors_of(dealt.out));
  ASSERT_EQ(read.in.has_value(), dealt.in.has_value());
  if (!read.in) return;
  EXPECT_EQ(offsets_of(*read.in), offsets_of(*dealt.in));
  EXPECT_EQ(neighbors_of(*read.in), neighbors_of(*dealt.in));
}

TEST(ReadSlices, GivesEachRankWhatDealingOutGives) {
  Folder folder;
  const std::string file = folder / "g.hwg";
  std::vector<Graph> graphs;
  for (const TestGraph& test : named_graphs()) graphs.push_back(build(test, false));
  for (std::uint64_t seed = 0; seed < 20; ++seed) graphs.push_back(build(random_graph(seed), false));
  graphs.push_back(build({"none", 0, {}}));
  for (const Graph& graph : graphs)
    for (const bool with_in : {true, false}) {
      write_graph(graph, file, {.with_in = with_in});
      const Graph stored = load_graph(file);
      for (const int size : {1, 2, 3, 7})
        ranks::run_as_threads(size, [&](Transport& transport) {
          const auto sliced = read_slices(transport, file, {}, {});
          ASSERT_TRUE(sliced.has_value());
          expect_same(sliced->share, deal(transport, transport.rank() == 0 ? &stored : nullptr));
          EXPECT_EQ(sliced->about.ids.count(), transport.rank() == 0 ? stored.num_vertices() : 0);
        });
    }
}

TEST(ReadSlices, TellsRank0NamesAndHistory) {
  Folder folder;
  for (const char* text : {"10 20\n20 30\n40 40\n20 30\n", "anna bert\nbert carl\nbert carl\n"}) {
    test::spit(folder / "g.tsv", text);
    write_graph(load_graph(folder / "g.tsv", {}, {.keep_duplicates = true, .keep_self_loops = true}), folder / "g.hwg");
    const Graph stored = load_graph(folder / "g.hwg");
    ranks::run_as_threads(3, [&](Transport& transport) {
      const auto sliced = read_slices(transport, folder / "g.hwg", {}, {});
      ASSERT_TRUE(sliced.has_value());
      if (transport.rank() != 0) return;
      for (VertexId v = 0; v < stored.num_vertices(); ++v) EXPECT_EQ(sliced->about.ids.name(v), stored.name(v));
      EXPECT_EQ(sliced->about.build.duplicates, stored.build_report().duplicates);
      EXPECT_EQ(sliced->about.build.self_loops, stored.build_report().self_loops);
      EXPECT_EQ(sliced->about.read.details, stored.read_report().details);
      EXPECT_EQ(sliced->about.read.bytes, stored.read_report().bytes);
      EXPECT_EQ(sliced->about.read.rows, stored.read_report().rows);
    });
  }
}

TEST(ReadSlices, LeavesOtherGraphsThanTheStoredOneToOthers) {
  Folder folder;
  test::spit(folder / "g.tsv", "1 2\n2 3\n3 3\n2 3\n");
  write_graph(load_graph(folder / "g.tsv", {}, {.keep_duplicates = true, .keep_self_loops = true}), folder / "g.hwg");
  const auto reads = [&](const std::string& name, const ReadOptions& read, const BuildOptions& build) {
    std::atomic<int> yes = 0;
    ranks::run_as_threads(2, [&](Transport& transport) { yes += read_slices(transport, name, read, build).has_value(); });
    return yes == 2;
  };
  EXPECT_TRUE(reads(folder / "g.hwg", {}, {}));
  EXPECT_FALSE(reads(folder / "g.hwg", {}, {.keep_duplicates = true}));
  EXPECT_FALSE(reads(folder / "g.hwg", {}, {.keep_self_loops = true}));
  EXPECT_FALSE(reads(folder / "g.hwg", {.undirected = true}, {}));
  EXPECT_FALSE(reads(folder / "g.tsv", {}, {}));
  EXPECT_FALSE(reads("rmat:5,5", {}, {}));
}

/// Bytes that this thread has asked the system for, with read() and the like.
std::uint64_t bytes_read() {
  std::ifstream io("/proc/thread-self/io");
  std::string key;
  std::uint64_t value = 0;
  while (io >> key >> value)
    if (key == "rchar:") return value;
  return 0;
}

TEST(ReadSlices, ReadsItsRowsAndAtMostTwoPiecesMoreOfEachSection) {
  if (bytes_read() == 0) GTEST_SKIP() << "the system does not count what a thread reads";
  Folder folder;
  const std::string file = folder / "g.hwg";
  write_graph(load_graph("rmat:18,16"), file);
  const std::uint64_t whole = std::filesystem::file_size(file);
  ASSERT_GT(whole, 25u << 20);
  std::mutex mutex;
  ranks::run_as_threads(4, [&](Transport& transport) {
    const std::uint64_t before = bytes_read();
    const auto sliced = read_slices(transport, file, {}, {});
    const std::uint64_t took = bytes_read() - before;
    const Rows& rows = sliced->share.out;
    const std::uint64_t share = rows.offsets.size() * sizeof(EdgeIndex) + rows.neighbors.size() * sizeof(VertexId);
    const std::lock_guard lock(mutex);
    EXPECT_GE(took, share);
    EXPECT_LE(took, share + (4u << 20) + (128u << 10)) << "rank " << transport.rank();  // 128 KiB: the head, and cutting
    EXPECT_LT(took, whole / 2);
  });
}

TEST(ReadSlices, FindsDamageWhereOneProcessFindsIt) {
  Folder folder;
  const std::string good = folder / "good.hwg", bad = folder / "bad.hwg";
  write_graph(build(random_graph(3, 3000), false), good);
  const std::string bytes = test::slurp(good);
  int found = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 150) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    test::spit(bad, damaged);
    const std::string alone = id_of([&] { load_graph(bad); });
    std::atomic<int> told = 0;
    const std::string together = id_of([&] {
      ranks::run_as_threads(3, [&](Transport& transport) {
        try {
          read_slices(transport, bad, {}, {});
        } catch (const ranks::AgreedError&) {
          ++told;
          throw;
        }
      });
    });
    if (at < 8) continue;  // no .hwg any more
    EXPECT_EQ(together, alone) << "byte " << at;
    EXPECT_EQ(told, alone == "none" ? 0 : 3) << "byte " << at;
    found += alone != "none";
  }
  EXPECT_GT(found, 100);
  for (const std::size_t size : {std::size_t{20}, std::size_t{200}, bytes.size() - 1}) {
    test::spit(bad, bytes.substr(0, size));
    EXPECT_EQ(id_of([&] { ranks::run_as_threads(3, [&](Transport& t) { read_slices(t, bad, {}, {}); }); }), "HW-HWG-SIZE")
        << size;
  }
}

/// Machines have copies of their own: what one rank reads of a piece that another sums up must be as sound.
TEST(ReadSlices, FindsDamageInOneRanksOwnCopy) {
  Folder folder;
  const std::string good = folder / "good.hwg", bad = folder / "bad.hwg";
  write_graph(build(random_graph(3, 3000), false), good);
  const Graph stored = load_graph(good);
  const std::string bytes = test::slurp(good);
  int found = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 41) {
    std::string damaged = bytes;
    damaged[at] ^= 1;  // few such bits put rows out of order
    test::spit(bad, damaged);
    for (const int rank : {1, 2}) {
      if (!tried(at + static_cast<std::uint64_t>(rank))) continue;
      const std::string id = id_of([&] {
        ranks::run_as_threads(3, [&](Transport& transport) {
          const auto sliced = read_slices(transport, transport.rank() == rank ? bad : good, {}, {});
          ASSERT_TRUE(sliced.has_value());
          expect_same(sliced->share, deal(transport, transport.rank() == 0 ? &stored : nullptr));
        });
      });
      found += id == "HW-HWG-CHECKSUM";
    }
  }
  EXPECT_GT(found, 100);
}

/// These bytes behind another header and table, with a checksum that is right.
std::string forged(const std::string& bytes, io::hwg::Header header, const std::vector<io::hwg::Section>& table) {
  Team one(1);
  header.checksum = 0;
  std::string head(sizeof header + table.size() * sizeof table[0], '\0');
  std::memcpy(head.data(), &header, sizeof header);
  std::memcpy(head.data() + sizeof header, table.data(), table.size() * sizeof table[0]);
  header.checksum = core::checksum(head, one);
  std::memcpy(head.data(), &header, sizeof header);
  return head + bytes.substr(head.size());
}

io::hwg::Header header_of(const std::string& bytes) {
  io::hwg::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

std::vector<io::hwg::Section> table_of(const std::string& bytes) {
  std::vector<io::hwg::Section> table(header_of(bytes).sections);
  std::memcpy(table.data(), bytes.data() + sizeof(io::hwg::Header), table.size() * sizeof table[0]);
  return table;
}

/// The same with headers and tables whose checksum is right.
TEST(ReadSlices, RefusesForgedHeadsAsOneProcessDoes) {
  Folder folder;
  const std::string good = folder / "good.hwg", bad = folder / "bad.hwg";
  write_graph(build(random_graph(3, 3000), false), good);
  const std::string bytes = test::slurp(good);
  const io::hwg::Header header = header_of(bytes);
  const std::vector<io::hwg::Section> table = table_of(bytes);
  using Forge = std::function<void(io::hwg::Header&, std::vector<io::hwg::Section>&)>;
  std::vector<Forge> all = {[](auto& h, auto&) { ++h.arcs; },
                            [](auto& h, auto&) { --h.arcs; },
                            [](auto& h, auto&) { h.arcs = 1u << 30; },
                            [](auto& h, auto&) { h.arcs = ~std::uint64_t{0}; },
                            [](auto& h, auto&) { ++h.vertices; },
                            [](auto& h, auto&) { --h.vertices; },
                            [](auto& h, auto&) { h.ids_kind = 2; },
                            [](auto& h, auto&) { h.ids_kind = 1; },
                            [](auto& h, auto&) { h.ids_first = -(std::int64_t{1} << 62); }};
  for (std::size_t i = 0; i < table.size(); ++i) {
    all.push_back([i](auto&, auto& t) { t[i].name[0] = 'x'; });
    all.push_back([i](auto&, auto& t) { t[i].bytes -= std::min<std::uint64_t>(t[i].bytes, 4); });
    all.push_back([i](auto&, auto& t) { t[i].checksum ^= 1; });
  }
  int refused = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    io::hwg::Header h = header;
    std::vector<io::hwg::Section> t = table;
    all[i](h, t);
    test::spit(bad, forged(bytes, h, t));
    const std::string alone = id_of([&] { load_graph(bad); });
    const std::string together = id_of([&] { ranks::run_as_threads(3, [&](Transport& t3) { read_slices(t3, bad, {}, {}); }); });
    EXPECT_EQ(together == "none", alone == "none") << "forgery " << i << ": " << together << ", alone " << alone;
    refused += together != "none";
  }
  EXPECT_GT(refused, 8);
}

/// Rows out of order, with checksums that are right: nobody writes such a file.
TEST(ReadSlices, RefusesRowsOutOfOrder) {
  Folder folder;
  write_graph(build({"row", 70, {{0, 1}, {0, 69}, {1, 2}, {2, 40}, {40, 3}}, true}), folder / "g.hwg");
  std::string bytes = test::slurp(folder / "g.hwg");
  std::vector<io::hwg::Section> table = table_of(bytes);
  Team one(1);
  for (io::hwg::Section& section : table) {
    if (std::string(section.name) != "out.neighbors") continue;
    VertexId first[2];
    std::memcpy(first, bytes.data() + section.offset, sizeof first);
    ASSERT_LT(first[0], first[1]);
    std::swap(first[0], first[1]);
    std::memcpy(bytes.data() + section.offset, first, sizeof first);
    section.checksum = core::checksum(std::string_view(bytes).substr(section.offset, section.bytes), one);
  }
  test::spit(folder / "g.hwg", forged(bytes, header_of(bytes), table));
  EXPECT_EQ(id_of([&] { load_graph(folder / "g.hwg"); }), "none") << "the checksums are right";
  for (const int size : {1, 2, 3})
    EXPECT_EQ(id_of([&] {
                ranks::run_as_threads(size, [&](Transport& transport) { read_slices(transport, folder / "g.hwg", {}, {}); });
              }),
              "HW-HWG-ARRAYS");
}

TEST(ReadSlices, RefusesAnotherFileOnAnotherRank) {
  Folder folder;
  write_graph(build(chain(9)), folder / "a.hwg");
  write_graph(build(chain(10)), folder / "b.hwg");
  EXPECT_EQ(id_of([&] {
              ranks::run_as_threads(3, [&](Transport& transport) {
                read_slices(transport, transport.rank() == 2 ? folder / "b.hwg" : folder / "a.hwg", {}, {});
              });
            }),
            "HW-RANKS-FILE");
  EXPECT_EQ(id_of([&] {
              ranks::run_as_threads(3, [&](Transport& transport) {
                read_slices(transport, transport.rank() == 2 ? folder / "c.hwg" : folder / "a.hwg", {}, {});
              });
            }),
            "HW-IO-OPEN");
}

}  // namespace of_rank_slices_test
}  // namespace hopwave

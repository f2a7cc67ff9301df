// Nonsense for reading, writing and errors themselves: an Error of a documented id, or a defined answer; never a crash.
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "support/hostile.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_hostile_io_test {

// nonsense: read_edges load_graph formats build_features
TEST(HostileFiles, Reading) {
  const TempDir dir;
  for (const char* path : {"", "/nowhere/at/all", "rmat:", "no:thing"}) {
    EXPECT_NE(id_of([&] { (void)read_edges(path); }).find("HW-"), std::string::npos) << path;
    EXPECT_NE(id_of([&] { (void)load_graph(path); }).find("HW-"), std::string::npos) << path;
    EXPECT_NE(id_of([&] { (void)load_graph(path, {.cache = true}); }).find("HW-"), std::string::npos) << path;
  }
  EXPECT_EQ(id_of([&] { (void)read_edges(dir.path("")); }), "HW-IO-DIRECTORY");
  EXPECT_EQ(id_of([&] { (void)read_edges(std::string(100'000, 'x')); }), "HW-IO-OPEN");
  EXPECT_EQ(id_of([&] { (void)load_graph(std::string(100'000, 'x'), {.cache = true}); }), "HW-IO-OPEN");
  EXPECT_EQ(id_of([&] { (void)load_graph(dir.path(""), {.cache = true}); }), "HW-IO-DIRECTORY");
  EXPECT_EQ(id_of([] { (void)read_edges(std::span<const char>{}, ""); }), "HW-IO-EMPTY");
  const std::string text = "0 1\n1 2\n";
  const auto error_with = [&](const ReadOptions& options) { return id_of([&] { (void)read_edges(text, "g", options); }); };
  EXPECT_EQ(error_with({}), "none");
  EXPECT_EQ(error_with({.format = "?"}), "HW-FORMAT-UNKNOWN");
  EXPECT_EQ(error_with({.format = std::string(1, '\0')}), "HW-FORMAT-UNKNOWN");
  EXPECT_EQ(error_with({.run = {.threads = -1}}), "HW-OPTION-THREADS");
  EXPECT_EQ(error_with({.run = {.threads = std::numeric_limits<int>::max()}}), "HW-OPTION-THREADS");
  for (const FormatInfo& format : formats()) {
    const std::string error = error_with({.format = std::string(format.name)});
    EXPECT_TRUE(error == "none" || error.starts_with("HW-")) << format.name << ": " << error;
  }
  (void)build_features();
}

// nonsense: write_graph
TEST(HostileFiles, Writing) {
  const TempDir dir;
  const Graph g = build_graph(generate("grid:3x3"));
  EXPECT_EQ(id_of([&] { write_graph(g, ""); }), "HW-FORMAT-WRITE");
  EXPECT_EQ(id_of([&] { write_graph(g, dir.path("g.nothing")); }), "HW-FORMAT-WRITE");
  EXPECT_EQ(id_of([&] { write_graph(g, dir.path("g.mtx"), {.format = "?"}); }), "HW-FORMAT-UNKNOWN");
  EXPECT_EQ(id_of([&] { write_graph(g, dir.path("no/such/folder/g.mtx")); }), "HW-IO-WRITE");
  EXPECT_EQ(id_of([&] { write_graph(g, dir.path("")); }).substr(0, 3), "HW-");
  for (const FormatInfo& format : formats())
    if (format.writes)
      for (const Graph& graph : {Graph(), g, build_graph(generate("chain:1"))}) {
        const std::string error = id_of([&] { write_graph(graph, dir.path("g"), {.format = std::string(format.name)}); });
        EXPECT_TRUE(error == "none" || error.starts_with("HW-WRITE-")) << format.name << ": " << error;
      }
}

// nonsense: OutputFile::OutputFile OutputFile::write OutputFile::commit
TEST(HostileFiles, Output) {
  const TempDir dir;
  EXPECT_EQ(id_of([] { OutputFile("").commit(); }), "HW-IO-WRITE");
  EXPECT_EQ(id_of([&] { OutputFile(dir.path("no/such/folder")); }), "HW-IO-WRITE");
  EXPECT_EQ(id_of([&] { OutputFile(dir.path("")); }), "HW-IO-WRITE");
  EXPECT_EQ(id_of([&] { OutputFile(std::string(100'000, 'x')).commit(); }), "HW-IO-WRITE");
  OutputFile(dir.path("modes"), ~0u).commit();
  EXPECT_EQ(std::filesystem::status(dir.path("modes")).permissions() & static_cast<std::filesystem::perms>(07111),
            std::filesystem::perms::none);
  OutputFile file(dir.path("f"));
  file.write({});
  file.write("abc");
  file.commit();
  EXPECT_EQ(content_of(dir.path("f")), "abc");
  file.commit();  // nothing is left to do
  EXPECT_EQ(content_of(dir.path("f")), "abc");
  EXPECT_EQ(id_of([&] { file.write("d"), file.commit(); }), "HW-IO-WRITE");
  EXPECT_EQ(content_of(dir.path("f")), "abc");
}

// nonsense: Error::Error Error::what Error::id Error::parts Error::failure
TEST(HostileFiles, ErrorsOfErrors) {
  const Error empty{Error::Parts()};
  EXPECT_TRUE(empty.id().empty());
  EXPECT_NE(empty.what(), nullptr);
  const std::string odd(3, '\0');
  Error strange(
      {.failure = unnamed<Failure>(), .id = odd, .where = {.file = odd, .line = ~0ull}, .found = std::string(100'000, '%')});
  EXPECT_EQ(strange.id(), odd);
  EXPECT_EQ(strange.failure(), unnamed<Failure>());
  EXPECT_EQ(strange.parts().found.size(), 100'000u);
  const Error taken = std::move(strange);
  EXPECT_NE(strange.what(), nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_NE(taken.what(), nullptr);
}

}  // namespace of_hostile_io_test
}  // namespace hopwave

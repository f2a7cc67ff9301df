// What a user is told of every file of tests/bad_input, word for word: the place, what was found, what was expected, the hint;
// of a file that is read, its report and a checksum of its edges. tests/bad_input/messages.txt holds the texts.
//
// HOPWAVE_ACCEPT_MESSAGES=1 writes that file anew. Read its difference before you commit it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/places.h"

namespace hopwave {
namespace of_bad_input_messages_test {

const std::string folder = std::string(hopwave::testing::places::tests) + "/bad_input/";

class Checksum {
 public:
  void add(const void* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum_ = (sum_ ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    out << std::hex << sum_;
    return out.str();
  }

 private:
  std::uint64_t sum_ = 14695981039346656037u;
};

std::string checksum_of(const EdgeList& list) {
  Checksum sum;
  if (!list.edges.empty()) sum.add(list.edges.data(), list.edges.size() * sizeof(Edge));
  if (!list.weights.empty()) sum.add(list.weights.data(), list.weights.bytes().size());
  for (VertexId v = 0; v < list.num_vertices; ++v) {
    const std::string name = list.ids.name(v);
    sum.add(name.c_str(), name.size() + 1);
  }
  return sum.text();
}

std::string described(const EdgeList& list) {
  std::ostringstream out;
  const ReadReport& report = list.report;
  out << list.num_vertices << " vertices, " << list.edges.size() << (list.directed ? " directed" : " undirected") << " edges, "
      << list.weights.size() << (list.weights.empty() ? "" : " " + std::string(name(list.weights.type()))) << " weights, "
      << report.rows << " rows, " << report.text_bytes << " bytes as " << report.format << " (" << report.details << ")";
  if (list.default_source) out << ", source " << *list.default_source;
  for (const std::string& repair : report.repairs) out << "; " << repair;
  out << "; checksum " << checksum_of(list);
  return out.str();
}

/// Libraries say in their own words what is wrong with packed data, and how far they had read.
bool of_a_library(const std::string& id) { return id == "HW-GZIP-DATA" || id == "HW-ZSTD-DATA"; }

std::string one_line(std::string text) {
  for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
  for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, " /");
  return text;
}

std::string told(const std::string& path, const ReadOptions& options) {
  try {
    return one_line(described(read_edges(path, options)));
  } catch (const Error& error) {
    if (of_a_library(error.id())) {
      const std::string begins = error.id() == "HW-GZIP-DATA" ? "gzip data with " : "zstd data: ";
      EXPECT_TRUE(error.parts().found.starts_with(begins) && error.parts().found.size() > begins.size()) << error.what();
      EXPECT_LE(error.parts().where.byte, std::filesystem::file_size(path)) << error.what();
      return "[" + error.id() + "]";
    }
    return one_line(error.what()) + " @" + std::to_string(error.parts().where.byte);
  }
}

/// File, options → text; in the order of expected.tsv.
std::string told_of_all(int threads) {
  std::ifstream in(folder + "expected.tsv");
  std::string line, all;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string file, format;
    std::getline(cells, file, '\t');
    std::getline(cells, format, '\t');
    if (file.find("-bomb-") != std::string::npos) continue;  // 128 MiB each
    const std::string path = folder + "files/" + file;
    const ReadOptions strict{.format = format == "-" ? "" : format, .run = {.threads = threads}};
    ReadOptions lenient = strict, changed = strict;
    lenient.lenient = true;
    changed.undirected = true, changed.weights = false, changed.allow_huge = true;
    const std::string text = told(path, strict), mended = told(path, lenient);
    all += file + " (" + format + "): " + text + "\n";
    if (mended != text) all += "  lenient: " + mended + "\n";
    if (text.find("; checksum ") != std::string::npos) all += "  changed: " + told(path, changed) + "\n";
  }
  return all;
}

void expect_same_lines(const std::string& wanted, const std::string& found) {
  std::istringstream a(wanted), b(found);
  std::string expected, actual, last;
  int differing = 0;
  while (differing < 20 && std::getline(a, expected) && std::getline(b, actual)) {
    EXPECT_EQ(actual, expected) << "after " << last;
    differing += actual != expected;
    last = expected;
  }
  EXPECT_EQ(found.size(), wanted.size());
}

TEST(BadInputMessages, AreThese) {
  const std::string found = told_of_all(1);
  if (std::getenv("HOPWAVE_ACCEPT_MESSAGES")) std::ofstream(folder + "messages.txt", std::ios::binary) << found;
  std::ifstream in(folder + "messages.txt", std::ios::binary);
  const std::string wanted{std::istreambuf_iterator<char>(in), {}};
  ASSERT_FALSE(wanted.empty());
  expect_same_lines(wanted, found);
  expect_same_lines(wanted, told_of_all(3));
}

}  // namespace of_bad_input_messages_test
}  // namespace hopwave

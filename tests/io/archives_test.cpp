// .npz archives as other programs may write them: every kind of number, arrays of every length around the pieces in which they
// are read, and ZIP files with comments, extra fields and sizes of 64 bits.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_archives_test {

using namespace std::string_literals;

template <class T>
void append(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void patch(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// A .npy of `header` bytes of description (0: as many as it takes).
std::string numpy(const std::string& descr, const std::string& shape, const std::string& data, std::size_t header = 0) {
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  if (header > dict.size()) dict.append(header - dict.size(), ' ');
  std::string out("\x93NUMPY\x02\x00", 8);
  append(out, static_cast<std::uint32_t>(dict.size()));
  return out + dict + data;
}

template <class T>
std::string array(const std::string& descr, const std::vector<T>& values) {
  return numpy(descr, "(" + std::to_string(values.size()) + ",)", bytes_of(values));
}

std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

/// Deflate's blocks of bytes as they are.
std::string deflated(const std::string& bytes) {
  std::string out;
  for (std::size_t at = 0; at == 0 || at < bytes.size(); at += 65535) {
    const std::string piece = bytes.substr(at, 65535);
    const auto length = static_cast<std::uint16_t>(piece.size());
    out += at + piece.size() == bytes.size() ? '\1' : '\0';
    append(out, length);
    append(out, static_cast<std::uint16_t>(~length));
    out += piece;
  }
  return out;
}

struct Part {
  std::string name, bytes;
};

struct Layout {
  bool deflate = false, zip64 = false;
  std::string extra = {};  ///< fields before the one of ZIP64
  std::size_t entry_comment = 0, comment = 0;
};

std::string extra_field(std::uint16_t kind, const std::string& bytes) {
  std::string out;
  append(out, kind), append(out, static_cast<std::uint16_t>(bytes.size()));
  return out + bytes;
}

std::string archive(const std::vector<Part>& parts, const Layout& layout = {}) {
  constexpr std::uint32_t elsewhere = 0xFFFFFFFF;
  std::string out, directory;
  for (const Part& part : parts) {
    const std::string packed = layout.deflate ? deflated(part.bytes) : part.bytes;
    const std::uint32_t size = static_cast<std::uint32_t>(part.bytes.size()), less = static_cast<std::uint32_t>(packed.size());
    const auto place = static_cast<std::uint32_t>(out.size());
    std::string wide, extra = layout.extra;
    append(wide, std::uint64_t{size}), append(wide, std::uint64_t{less}), append(wide, std::uint64_t{place});
    if (layout.zip64) extra += extra_field(1, wide);
    std::string entry;
    append(entry, std::uint16_t{45}), append(entry, std::uint16_t{0});
    append(entry, static_cast<std::uint16_t>(layout.deflate ? 8 : 0));
    append(entry, std::uint32_t{0x00210000}), append(entry, crc_of(part.bytes));
    append(entry, layout.zip64 ? elsewhere : less), append(entry, layout.zip64 ? elsewhere : size);
    append(entry, static_cast<std::uint16_t>(part.name.size())), append(entry, static_cast<std::uint16_t>(extra.size()));
    out += "PK\3\4" + entry + part.name + extra + packed;
    directory += "PK\1\2\x2d\0"s + entry;
    append(directory, static_cast<std::uint16_t>(layout.entry_comment));
    append(directory, std::uint64_t{0}), append(directory, layout.zip64 ? elsewhere : place);
    directory += part.name + extra + std::string(layout.entry_comment, 'c');
  }
  const auto at = static_cast<std::uint32_t>(out.size());
  out += directory + "PK\5\6\0\0\0\0"s;
  append(out, static_cast<std::uint16_t>(parts.size())), append(out, static_cast<std::uint16_t>(parts.size()));
  append(out, static_cast<std::uint32_t>(directory.size())), append(out, at);
  append(out, static_cast<std::uint16_t>(layout.comment));
  return out + std::string(layout.comment, 'z');
}

/// 0 → 1 → 2 → 0 with data 1, 2, 3, all of them changeable.
struct Matrix {
  std::string format = numpy("|S3", "()", "coo");
  std::string shape = array<std::int64_t>("<i8", {3, 3});
  std::string row = array<std::int32_t>("<i4", {0, 1, 2}), col = array<std::int32_t>("<i4", {1, 2, 0});
  std::string data = array<float>("<f4", {1, 2, 3});

  [[nodiscard]] std::vector<Part> parts() const {
    return {{"format.npy", format}, {"shape.npy", shape}, {"row.npy", row}, {"col.npy", col}, {"data.npy", data}};
  }
};

EdgeList read(const std::string& bytes) { return read_edges(std::span<const char>(bytes), "g.npz"); }
EdgeList read(const Matrix& matrix, const Layout& layout = {}) { return read(archive(matrix.parts(), layout)); }

std::string error_of(const std::string& bytes) {
  try {
    (void)read(bytes);
  } catch (const Error& error) {
    return error.id() + ": " + error.parts().found;
  }
  return "none";
}

void expect_triangle(const EdgeList& list, const std::string& where) {
  ASSERT_EQ(list.edges.size(), 3u) << where;
  for (VertexId v = 0; v < 3; ++v) {
    EXPECT_EQ(list.edges[v].source, v) << where;
    EXPECT_EQ(list.edges[v].target, (v + 1) % 3) << where;
  }
  EXPECT_EQ(std::vector<float>(list.weights.begin(), list.weights.end()), (std::vector<float>{1, 2, 3})) << where;
}

template <class T>
void expect_kind(const std::string& descr, bool of_indices) {
  Matrix m;
  const T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
  m.data = array<T>(descr, {low, static_cast<T>(low + T{1}), high});
  if constexpr (std::is_same_v<T, std::uint64_t>) {  // beyond what any type of weights has
    EXPECT_EQ(error_of(archive(m.parts())), "HW-NPZ-WEIGHT: entry 2 with the value 18446744073709551615") << descr;
    m.data = array<T>(descr, {low, 1, high / 2});
  }
  const EdgeList list = read(m);
  ASSERT_EQ(list.weights.size(), 3u) << descr;
  EXPECT_EQ(list.weights.whole(), std::is_integral_v<T>) << descr;
  const bool narrow = sizeof(T) < 4 || std::is_same_v<T, std::int32_t> || std::is_same_v<T, float>;
  EXPECT_EQ(size_of(list.weights.type()), narrow ? 4u : 8u) << descr;
  list.weights.with([&]<class Kept>(std::span<const Kept> kept) {
    EXPECT_EQ(kept[0], static_cast<Kept>(low)) << descr;
    EXPECT_EQ(kept[1], static_cast<Kept>(static_cast<T>(low + T{1}))) << descr;
    EXPECT_EQ(kept[2], static_cast<Kept>(std::is_same_v<T, std::uint64_t> ? high / 2 : high)) << descr;
  });
  if (!of_indices) return;
  m = {};
  m.row = array<T>(descr, {0, 1, 2});
  m.col = array<T>(descr, {1, 2, 0});
  m.shape = array<T>(descr, {3, 3});
  expect_triangle(read(m), descr);
  if constexpr (std::is_signed_v<T>) {
    m.col = array<T>(descr, {1, -2, 0});
    EXPECT_EQ(error_of(archive(m.parts())), "HW-NPZ-INDEX: -2 in col") << descr;
  }
}

TEST(NumpyArrays, OfEveryKind) {
  expect_kind<std::int8_t>("|i1", true);
  expect_kind<std::uint8_t>("|u1", true);
  expect_kind<std::int16_t>("<i2", true);
  expect_kind<std::uint16_t>("<u2", true);
  expect_kind<std::int32_t>("<i4", true);
  expect_kind<std::uint32_t>("<u4", true);
  expect_kind<std::int64_t>("<i8", true);
  expect_kind<std::uint64_t>("<u8", true);
  expect_kind<float>("<f4", false);
}

TEST(NumpyArrays, TheirLayoutIsAShortText) {
  Matrix m;
  m.format = numpy("<U3", "()", "c\0\0\0o\0\0\0o\0\0\0"s);
  expect_triangle(read(m), "UTF-32");
  m.format = numpy("<U3", "()", "c\0\0\0o\1\0\0o\0\0\0"s);
  EXPECT_EQ(error_of(archive(m.parts())), "HW-NPZ-FORMAT: a sparse matrix of the layout 'c?o'") << "U+016F is no o";
  m.format = numpy("|S64", "()", "coo" + std::string(61, '\0'));
  expect_triangle(read(m), "64 bytes");
  m.format = numpy("|S65", "()", "coo" + std::string(62, '\0'));
  EXPECT_EQ(error_of(archive(m.parts())), "HW-NPZ-ARRAY: no short text in format.npy");
}

/// Arrays are read in pieces of 64 KiB and a value.
template <class T>
void expect_length(const std::string& descr, std::size_t length) {
  std::vector<T> row(length), col(length);
  std::vector<float> data(length);
  for (std::size_t i = 0; i < length; ++i)
    row[i] = static_cast<T>(i % 100), col[i] = static_cast<T>(i * 7 % 101), data[i] = static_cast<float>(i);
  Matrix m;
  m.shape = array<std::int64_t>("<i8", {101, 101});
  m.row = array<T>(descr, row), m.col = array<T>(descr, col), m.data = array<float>("<f4", data);
  for (const bool deflate : {false, true}) {
    const EdgeList list = read(m, {.deflate = deflate});
    ASSERT_EQ(list.edges.size(), length) << descr;
    ASSERT_EQ(list.weights.size(), length) << descr;
    for (std::size_t i = 0; i < length; ++i)
      ASSERT_TRUE(list.edges[i].source == i % 100 && list.edges[i].target == i * 7 % 101 && list.weights[i] == data[i])
          << descr << " " << length << ", entry " << i;
  }
}

TEST(NumpyArrays, OfLengthsAroundTheirPieces) {
  for (const std::size_t length : {0, 1, 16384, 16385, 16386, 32770, 32771}) expect_length<std::int32_t>("<i4", length);
  for (const std::size_t length : {8192, 8193, 8194}) expect_length<std::int64_t>("<i8", length);
  for (const std::size_t length : {65536, 65537, 65538}) expect_length<std::uint8_t>("|u1", length);
}

TEST(NumpyArrays, HeadersOf64KiB) {
  Matrix m;
  m.col = numpy("<i4", "(3,)", bytes_of<std::int32_t>({1, 2, 0}), 65536);
  expect_triangle(read(m), "65536");
  m.col = numpy("<i4", "(3,)", bytes_of<std::int32_t>({1, 2, 0}), 65537);
  EXPECT_EQ(error_of(archive(m.parts())), "HW-NPZ-ARRAY: a NumPy header of 65537 bytes in col.npy");
}

TEST(ZipFiles, OfEveryLayout) {
  for (const bool deflate : {false, true})
    for (const bool zip64 : {false, true})
      for (const std::size_t comment : {0, 1, 21, 22, 65534, 65535})
        for (const std::string& extra : {std::string(), extra_field(9, ""), extra_field(9, "a"),
                                         extra_field(9, "abcde") + extra_field(0x5455, "\1\0\0\0\0\0\0\0\0"s)})
          expect_triangle(read(Matrix(), {.deflate = deflate, .zip64 = zip64, .extra = extra, .comment = comment}),
                          "comment of " + std::to_string(comment) + ", extra of " + std::to_string(extra.size()));
}

TEST(ZipFiles, DirectoriesOfOneMebibyte) {
  std::vector<Part> parts = Matrix().parts();
  while (parts.size() < 20) parts.push_back({"m" + std::to_string(parts.size()), ""});
  std::size_t names = 0;
  for (const Part& part : parts) names += 46 + part.name.size();
  const std::size_t comment = ((std::size_t{1} << 20) - names) / parts.size();
  parts.back().name += std::string((std::size_t{1} << 20) - names - comment * parts.size(), 'x');
  expect_triangle(read(archive(parts, {.entry_comment = comment})), "1 MiB");
  parts.back().name += 'x';
  EXPECT_EQ(error_of(archive(parts, {.entry_comment = comment})), "HW-NPZ-ZIP: a ZIP directory of 1048577 bytes");
}

TEST(ZipFiles, MembersAtTheEndOfTheFile) {
  const Matrix m;
  const std::string good = archive(m.parts());
  // The first member is empty, and its header says that its name ends with the file, then a byte behind it.
  std::string bytes = good;
  const std::size_t entry = bytes.find("PK\1\2");
  patch(bytes, entry + 20, std::uint64_t{0});
  patch(bytes, 28, static_cast<std::uint16_t>(bytes.size() - 30 - 10));
  EXPECT_EQ(error_of(bytes), "HW-NPZ-ZIP: the member format.npy ends early");
  patch(bytes, 28, static_cast<std::uint16_t>(bytes.size() - 30 - 10 + 1));
  EXPECT_EQ(error_of(bytes), "HW-NPZ-ZIP: the member format.npy reaches beyond the file");
  // A member that takes all that is left, then a byte more.
  bytes = good;
  const std::size_t begin = 30 + 10;
  const auto rest = static_cast<std::uint32_t>(bytes.size() - begin);
  patch(bytes, entry + 20, rest), patch(bytes, entry + 24, rest);
  EXPECT_EQ(error_of(bytes), "HW-NPZ-ARRAY: a size that does not match its shape in format.npy");
  patch(bytes, entry + 20, rest + 1), patch(bytes, entry + 24, rest + 1);
  EXPECT_EQ(error_of(bytes), "HW-NPZ-ZIP: the member format.npy reaches beyond the file");
  bytes = good;
  patch(bytes, entry + 20, std::uint32_t{100'000});
  EXPECT_EQ(error_of(bytes), "HW-NPZ-ZIP: the member format.npy reaches beyond the file");
}

TEST(ZipFiles, AreWrittenAsTheyAreRead) {
  const TempDir dir;
  for (const VertexId vertices : {16383u, 16384u, 16385u, 32768u, 32769u}) {
    const Graph graph = build_graph(generate("chain:" + std::to_string(vertices)));
    for (const std::string layout : {"csr", "csc", "coo"}) {
      write_graph(graph, dir.path("g.npz"), {.layout = layout});
      const EdgeList list = read_edges(dir.path("g.npz"));
      ASSERT_EQ(list.edges.size(), graph.num_arcs()) << layout;
      std::uint64_t sum = 0;
      for (const Edge& e : list.edges) {
        ASSERT_TRUE(e.source + 1 == e.target || e.target + 1 == e.source) << layout;
        sum += e.source;
      }
      EXPECT_EQ(sum, std::uint64_t{vertices - 1} * (vertices - 1)) << layout;
    }
  }
}

}  // namespace of_archives_test
}  // namespace hopwave

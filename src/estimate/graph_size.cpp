// The expected size of a graph, from a generator's spec, a header, or a sample of the rows.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

#include "hopwave/estimate.h"
#include "hopwave/generate.h"
#include "io/byte_source.h"
#include "io/hwg.h"
#include "io/hwg_layout.h"
#include "io/stated.h"

namespace hopwave::inline v0_1 {
namespace {

/// The first numbers in a text, with any characters between them.
struct Numbers {
  explicit Numbers(std::string_view text) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p < end && count < value.size()) {
      while (p < end && (*p < '0' || *p > '9')) ++p;
      const auto [next, error] = std::from_chars(p, end, value[count]);
      if (error != std::errc{}) break;
      ++count;
      p = next;
    }
  }
  [[nodiscard]] std::uint64_t get(std::size_t i, std::uint64_t otherwise) const { return i < count ? value[i] : otherwise; }

  std::array<std::uint64_t, 4> value{};
  std::size_t count = 0;
};

GraphSize spec_size(std::string_view spec) {
  GraphSize size{.undirected = true, .exact = true, .basis = "generator"};
  const auto colon = spec.find(':');
  const auto name = spec.substr(0, colon);
  const Numbers n(colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1));
  const std::uint64_t a = n.get(0, 0), b = n.get(1, 1), c = n.get(2, 1);
  const auto are = [&](std::uint64_t vertices, std::uint64_t rows, bool exact = true) {
    size.vertices = vertices;
    size.rows = rows;
    size.exact = exact;
  };
  if ((name == "rmat" || name == "kron" || name == "uniform") && a < 32)
    are(std::uint64_t{1} << a, n.get(1, 16) << a);
  else if (name == "grid")
    are(a * b * c, a * b * c * 3 - a * b - b * c - a * c);
  else if (name == "mesh")
    are(a * b, 3 * a * b, false);
  else if (name == "maze")
    are(a * b, a * b, false);
  else if (name == "streets")
    are(a * a, a * a * 11 / 8, false);
  else if (name == "chain" || name == "star")
    are(a, a - std::min<std::uint64_t>(a, 1));
  else if (name == "tree" && a < 40)
    are((std::uint64_t{2} << a) - 1, (std::uint64_t{2} << a) - 2);
  else if (name == "complete")
    are(a, a * (a - std::min<std::uint64_t>(a, 1)) / 2);
  else if (name == "graphgen")
    are(a, 3 * a, false);
  else if (name == "hub-chain")
    are(a * (b + c), a * (b + c), false);
  else if (name == "shapes")
    are(3 * b, b, false);  // at most; the seed determines whether it is directed
  else if (name == "roadnet-ca-like")
    are(1965206, 2766607);
  else if (name == "wikitalk-like")
    are(2394385, 5021410), size.undirected = false;
  else if (name == "pmpp")
    are(9, 15), size.undirected = false;
  else if (name == "genrmf")
    are(a * a * b, 4 * a * (a - 1) * b + a * a * (b - 1)), size.undirected = false;
  else if (name == "rlg")
    are(a * b + 2, a * (3 * b - 1)), size.undirected = false;
  else if (name == "gridcut")
    are(a * b + 2, 5 * a * b - 2 * (a + b)), size.undirected = false;
  else
    size.known = false;
  if (name == "genrmf" || name == "rlg" || name == "gridcut") size.weight_bytes = 8;
  return size;
}

/// Returns the next line; an empty view at the end.
std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return line;
}

/// Reads sizes from headers: Matrix Market, DIMACS, METIS and GAP (the last two by name, for their content looks like
/// others).
bool header_size(std::string_view head, const std::string& path, const ReadOptions& read, GraphSize& size) {
  size.exact = true;
  size.basis = "header";
  const auto called = [&](std::string_view ending) { return path.find(ending) != std::string::npos; };
  if (head.starts_with("%%MatrixMarket")) {
    const auto banner = next_line(head);
    size.undirected = banner.find("symmetric") != std::string_view::npos || banner.find("hermitian") != std::string_view::npos;
    while (head.starts_with("%") || head.starts_with("\n")) next_line(head);
    const Numbers n(next_line(head));
    size.vertices = std::max(n.get(0, 0), n.get(1, 0));
    size.rows = n.get(2, 0);
    return n.count >= 3;
  }
  if (read.format == "metis" || (read.format.empty() && called(".graph"))) {
    while (head.starts_with("%")) next_line(head);
    const Numbers n(next_line(head));
    size.undirected = true;
    size.vertices = n.get(0, 0);
    size.rows = n.get(1, 0);
    return n.count >= 2;
  }
  if (head.starts_with("c ") || head.starts_with("c\n") || head.starts_with("p ")) {
    io::Stated stated;
    while (!head.empty() && !head.starts_with("p ")) io::read_words(next_line(head), stated);
    const Numbers n(next_line(head));
    size.undirected = stated.undirected;
    size.vertices = n.get(0, 0);
    size.rows = n.get(1, 0) / (stated.both_ways ? 2 : 1);
    return n.count >= 2;
  }
  if (io::hwg::Header own{}; head.size() >= sizeof own && head.starts_with(io::hwg_magic)) {
    std::memcpy(&own, head.data(), sizeof own);
    size.undirected = own.directed == 0;
    size.vertices = own.vertices;
    size.rows = own.directed ? own.arcs : own.arcs / 2;
    size.mapped = true;
    for (const WeightType type : {WeightType::int64, WeightType::float64})
      if (head.find(std::string("out.weights") + io::hwg::suffix(type)) != std::string_view::npos) size.weight_bytes = 8;
    return true;
  }
  if ((path.ends_with(".sg") || path.ends_with(".wsg")) && head.size() > 17) {
    std::uint64_t edges = 0, vertices = 0;
    std::memcpy(&edges, head.data() + 1, 8);
    std::memcpy(&vertices, head.data() + 9, 8);
    size.undirected = head[0] == 0;
    size.vertices = vertices;
    size.rows = size.undirected ? edges / 2 : edges;  // this format counts arcs
    return true;
  }
  size = {};
  return false;
}

/// Returns the rows of an edge list, estimated from the rows of its first bytes.
GraphSize sampled_size(std::string_view head, std::uint64_t bytes) {
  GraphSize size{.basis = "sample of " + std::to_string(head.size()) + " bytes"};
  std::uint64_t rows = 0, row_bytes = 0, comment_bytes = 0, greatest = 0;
  io::Stated stated;
  while (!head.empty()) {
    const auto line = next_line(head);
    const bool row = !line.empty() && line.front() != '#' && line.front() != '%';
    (row ? row_bytes : comment_bytes) += line.size() + 1;
    if (!row && !rows) io::read_words(line, stated);
    if (!row) continue;
    const Numbers n(line);
    ++rows;
    greatest = std::max({greatest, n.get(0, 0), n.get(1, 0)});
  }
  size.known = rows > 0;
  size.undirected = stated.undirected || stated.two_sided;
  if (rows == 0) return size;
  const double average = static_cast<double>(row_bytes) / static_cast<double>(rows);
  size.rows = static_cast<std::uint64_t>(static_cast<double>(bytes - std::min(bytes, comment_bytes)) / average);
  // Ids usually have no large gaps, and at most two per row can be new.
  size.vertices = std::min(2 * size.rows, greatest + 1);
  return size;
}

/// Returns the first bytes, decompressed. If the file can be read at any place, it adds whole lines from the middle and
/// the end, because files are often sorted. `bytes`: the total number.
std::string read_sample(const std::string& path, std::uint64_t most, std::uint64_t& bytes) {
  const auto source = io::open_source(path);
  std::string sample(most, '\0');
  if (const auto size = source->size()) {
    bytes = *size;
    sample.resize(source->read_at(0, sample.data(), std::min(most, *size)));
    if (*size <= 2 * most) return sample;
    for (const std::uint64_t at : {*size / 2, *size - most / 2}) {
      std::string piece(most / 2, '\0');
      piece.resize(source->read_at(at, piece.data(), piece.size()));
      sample.resize(sample.rfind('\n') + 1);
      const auto line = piece.find('\n');
      if (line != std::string::npos) sample += piece.substr(line + 1);
    }
    return sample;
  }
  std::size_t have = 0;
  for (std::size_t n = 1; n > 0 && have < sample.size(); have += n)
    n = source->read(sample.data() + have, sample.size() - have);
  const double whole = static_cast<double>(source->raw_size().value_or(0));
  const double taken = static_cast<double>(std::max<std::uint64_t>(source->raw_bytes(), 1));
  bytes = have < sample.size() ? have : static_cast<std::uint64_t>(static_cast<double>(have) * std::max(1.0, whole / taken));
  sample.resize(have);
  return sample;
}

}  // namespace

GraphSize graph_size(const std::string& path, const ReadOptions& read, std::uint64_t sample_bytes) {
  if (path == "-") return {.known = false, .basis = "standard input"};
  struct stat status {};
  const bool there = stat(path.c_str(), &status) == 0;
  if (!there && is_generator_spec(path)) {
    check_generator_spec(path);  // numbers out of range are not a matter of memory
    return spec_size(path);
  }
  // A pipe's bytes can be read only once, and the reader needs them.
  if (there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return {.known = false, .basis = "not a regular file"};
  std::uint64_t bytes = 0;
  const std::string head = read_sample(path, std::min(sample_bytes, std::uint64_t{64} << 20), bytes);
  GraphSize size;
  if (header_size(head, path, read, size)) {
    // If a header states more than the file can hold, the reader rejects it as bad input, not for lack of memory.
    const bool holds = size.mapped ? size.vertices <= bytes / 8 && size.rows <= bytes / 4
                                   : size.vertices <= 1'000'000 + 4 * bytes && size.rows <= bytes;
    if (!holds) return {.known = false, .basis = "a header that states more than the file holds"};
    return size;
  }
  if (std::string_view(head).substr(0, 4096).find('\0') != std::string_view::npos) return {.known = false, .basis = "binary"};
  return sampled_size(head, bytes);
}

}  // namespace hopwave::inline v0_1

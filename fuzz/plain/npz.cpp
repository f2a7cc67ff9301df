// SciPy's .npz: a ZIP archive (PKWARE's APPNOTE 6.3) of .npy arrays (NEP 1).
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "plain/text.h"
#include "plain/words.h"

namespace hopwave::plain {
namespace {

struct Member {
  std::uint64_t flags = 0, method = 0, crc = 0, packed = 0, size = 0, at = 0;
};

std::map<std::string, Member> members_of(std::string_view zip) {
  constexpr std::uint64_t in_extra = 0xFFFFFFFF;
  std::size_t end = std::string_view::npos;
  for (std::size_t i = 0; i + 22 <= zip.size(); ++i)
    if (zip.substr(i, 4) == "PK\x05\x06") end = i;
  if (end == std::string_view::npos) refuse("no directory");
  Words in{zip, end + 10};
  std::uint64_t count = in.word(2), bytes = in.word(4), at = in.word(4);
  if ((count == 0xFFFF || bytes == in_extra || at == in_extra) && end >= 20 && zip.substr(end - 20, 4) == "PK\x06\x07") {
    Words locator{zip, end - 12};
    Words end64{zip, locator.word(8)};
    if (end64.text(4) != "PK\x06\x06") refuse("no ZIP64 end record");
    end64.text(28);
    count = end64.word(8);
    bytes = end64.word(8);
    at = end64.word(8);
    end64.text(0);
  }
  if (bytes > 1 << 20) refuse("a large directory");
  Words whole{zip, at};
  Words entry{whole.text(bytes)};
  std::map<std::string, Member> members;
  for (std::uint64_t i = 0; i < count; ++i) {
    Member m;
    if (entry.text(4) != "PK\x01\x02") refuse("no entry");
    entry.text(4);
    m.flags = entry.word(2);
    m.method = entry.word(2);
    entry.text(4);
    m.crc = entry.word(4);
    m.packed = entry.word(4);
    m.size = entry.word(4);
    const std::uint64_t name = entry.word(2), extra = entry.word(2), comment = entry.word(2);
    entry.text(8);
    m.at = entry.word(4);
    const std::string key(entry.text(name));
    std::string_view fields = entry.text(extra);
    if (m.flags & 1) refuse("encrypted");
    while (fields.size() >= 4) {
      Words field{fields};
      const std::uint64_t kind = field.word(2), length = field.word(2);
      const std::string_view content = fields.substr(4, length);
      if (kind == 1) {
        std::size_t taken = 0;
        for (std::uint64_t* value : {&m.size, &m.packed, &m.at})
          if (*value == in_extra && content.size() >= taken + 8) *value = Words{content, taken}.word(8), taken += 8;
      }
      fields.remove_prefix(4 + content.size());
    }
    entry.at = std::min<std::uint64_t>(entry.at + comment, i + 1 == count ? entry.bytes.size() : ~std::uint64_t{0});
    members[key] = m;
  }
  return members;
}

/// All of a member, unpacked; only so much as `limit` is unpacked.
std::string content_of(std::string_view zip, const Member& m) {
  Words local{zip, m.at};
  if (local.text(4) != "PK\x03\x04") refuse("no member");
  local.text(22);
  const std::uint64_t skip = local.word(2) + local.word(2);
  local.at += skip;
  const std::string_view packed = local.text(m.packed);
  std::string content;
  if (m.method == 0) {
    if (m.packed != m.size) refuse("sizes");
    content = packed;
  } else if (m.method == 8) {
    if (m.size > (16u << 20)) throw Open{};
    content.resize(m.size + 1);
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) throw Open{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int result = inflate(&stream, Z_FINISH);
    const std::uint64_t got = stream.total_out;
    inflateEnd(&stream);
    if (got < m.size) refuse("too few bytes");
    if (result != Z_STREAM_END) throw Open{};  // all bytes are there, but the packed data goes on
    content.resize(got);
    if (got > m.size) throw Open{};
  } else {
    refuse("method");
  }
  if (crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())) != m.crc) refuse("CRC");
  return content;
}

struct NumpyArray {
  char kind = 0;
  std::uint64_t width = 0, count = 1;
  std::string data;

  [[nodiscard]] std::uint64_t integer(std::uint64_t i) const {
    const std::uint64_t value = Words{data, i * width}.word(width);
    const std::uint64_t unused = 64 - 8 * width;
    return kind == 'i' ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused) : value;
  }
  [[nodiscard]] double real(std::uint64_t i) const {
    return width == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(Words{data, i * 4}.word(4))))
                      : std::bit_cast<double>(Words{data, i * 8}.word(8));
  }
};

/// The text behind 'key': in the header's dictionary.
std::string_view value_of(std::string_view header, const std::string& key) {
  const std::size_t at = header.find("'" + key + "'");
  if (at == std::string_view::npos) refuse("no " + key);
  header.remove_prefix(at + key.size() + 2);
  while (!header.empty() && (header[0] == ' ' || header[0] == ':')) header.remove_prefix(1);
  return header;
}

NumpyArray array_in(std::string_view npy) {
  Words in{npy};
  if (in.text(6) != "\x93NUMPY") refuse("no NumPy header");
  const std::uint64_t version = in.word(2) & 0xFF;
  if (version < 1 || version > 3) refuse("version");
  const std::uint64_t length = in.word(version == 1 ? 2 : 4);
  if (length > 65536) refuse("a long header");
  const std::string_view header = in.text(length);
  NumpyArray array;
  std::string_view type = value_of(header, "descr"), shape = value_of(header, "shape");
  if (type.size() < 4 || type[0] != '\'' || type[1] == '>') refuse("descr");
  array.kind = type[2];
  std::size_t digits = 3;
  for (; digits < type.size() && digit(type[digits]); ++digits) {
    array.width = array.width * 10 + static_cast<std::uint64_t>(type[digits] - '0');
    if (array.width > 10000) refuse("width");
  }
  if (digits == type.size() || type[digits] != '\'') throw Open{};
  if (array.kind == 'U') array.width *= 4;
  if (array.width == 0) refuse("width");
  if (array.kind == 'i' || array.kind == 'u' || array.kind == 'b')
    if (array.width != 1 && array.width != 2 && array.width != 4 && array.width != 8) refuse("width");
  const std::size_t close = shape.find(')');
  if (shape.empty() || shape[0] != '(' || close == std::string_view::npos) refuse("shape");
  bool any = false;
  for (std::string_view rest = shape.substr(1, close - 1); !rest.empty();) {
    const std::size_t comma = rest.find(',');
    std::string_view word = rest.substr(0, comma);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (word.empty()) throw Open{};
    if (!plain::integer(word) || word.size() > 14) refuse("shape");
    if (any) throw Open{};  // more dimensions than one
    array.count = *plain::integer(word);
    any = true;
  }
  array.data = npy.substr(in.at);
  if (array.count > array.data.size() || array.count * array.width != array.data.size()) refuse("size and shape");
  return array;
}

bool integral(const NumpyArray& a) { return a.kind == 'i' || a.kind == 'u' || a.kind == 'b'; }

}  // namespace

Graph read_npz(std::string_view bytes, const Options& options) {
  const auto members = members_of(bytes);
  const auto array = [&](const std::string& name) {
    const auto it = members.find(name + ".npy");
    if (it == members.end()) refuse("no " + name);
    return array_in(content_of(bytes, it->second));
  };
  const NumpyArray text = array("format");
  if ((text.kind != 'S' && text.kind != 'U') || text.count != 1 || text.width > 64) refuse("format");
  std::string layout;
  const std::size_t width = text.kind == 'U' ? 4 : 1;
  for (std::size_t i = 0; i < text.data.size(); i += width) {
    const std::uint64_t letter = Words{text.data, i}.word(width);
    if (letter > 127) refuse("layout");
    if (letter) layout += static_cast<char>(letter);
  }
  if (layout != "csr" && layout != "csc" && layout != "coo") refuse("layout");
  const NumpyArray shape = array("shape");
  if (shape.count != 2 || !integral(shape)) refuse("shape");
  const std::uint64_t rows = shape.integer(0), columns = shape.integer(1);
  if (rows != columns) throw Open{};  // two kinds of vertices, which this reader does not know
  Graph graph;
  graph.vertices = std::max(rows, columns);
  graph.directed = !options.undirected;
  believe(graph.vertices, bytes);
  const NumpyArray targets = array(layout == "coo" ? "col" : "indices");
  if (!integral(targets)) refuse("indices");
  graph.rows.resize(targets.count);
  if (layout == "coo") {
    const NumpyArray sources = array("row");
    if (!integral(sources) || sources.count != targets.count) refuse("row");
    for (std::uint64_t i = 0; i < targets.count; ++i) graph.rows[i].source = sources.integer(i);
  } else {
    const NumpyArray ends = array("indptr");
    if (!integral(ends) || ends.count != (layout == "csr" ? rows : columns) + 1) refuse("indptr");
    if (ends.integer(0) != 0 || ends.integer(ends.count - 1) != targets.count) refuse("indptr");
    for (std::uint64_t v = 1; v < ends.count; ++v) {
      if (ends.integer(v) < ends.integer(v - 1) || ends.integer(v) > targets.count) refuse("indptr");
      for (std::uint64_t i = ends.integer(v - 1); i < ends.integer(v); ++i) graph.rows[i].source = v - 1;
    }
  }
  for (std::uint64_t i = 0; i < targets.count; ++i) {
    Row& row = graph.rows[i];
    row.target = targets.integer(i);
    if (row.source >= graph.vertices || row.target >= graph.vertices) refuse("index");
    if (layout == "csc") std::swap(row.source, row.target);
  }
  if (!options.weights) return graph;
  const NumpyArray data = array("data");
  if (data.count != targets.count) refuse("data");
  if (data.kind == 'b' || data.kind == 'c') return graph;
  if (!integral(data) && (data.kind != 'f' || (data.width != 4 && data.width != 8))) refuse("data");
  graph.weighted = options.weights;
  const double largest = data.width == 4 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  for (std::uint64_t i = 0; i < data.count; ++i) {
    if (data.kind == 'u' && data.integer(i) >> 63) refuse("a value beyond 63 bits");
    long double value = static_cast<std::int64_t>(data.integer(i));
    if (data.kind == 'f') value = data.real(i);
    if (data.kind == 'f' && !std::isfinite(data.real(i))) {
      if (!options.lenient) refuse("a value that is not finite");
      value = std::isnan(data.real(i)) ? 0 : std::copysign(largest, data.real(i));
    }
    graph.rows[i].weight = value;
  }
  return graph;
}

}  // namespace hopwave::plain

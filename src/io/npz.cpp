// SciPy's sparse matrices (.npz of scipy.sparse.save_npz): CSR, CSC and COO, stored or deflated. An entry is an edge.
// A matrix of booleans has no weights; complex values are not kept.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/refuse.h"
#include "io/binary.h"
#include "io/format.h"
#include "io/stated.h"
#include "io/zip.h"

namespace hopwave::io {
namespace {

/// A .npy member whose header has been read.
struct NumpyArray {
  const ZipMember* member = nullptr;
  char kind = 0;  ///< i u f b c S U
  std::size_t width = 0;
  std::uint64_t count = 1;  ///< values in all
};

/// The text after "'key':" of the header's dictionary.
std::string_view entry(std::string_view text, std::string_view key) {
  const std::size_t at = text.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size() + 2);
  const std::size_t value = text.find_first_not_of(" :");
  return value == std::string_view::npos ? std::string_view{} : text.substr(value);
}

class NumpyReader {
 public:
  NumpyReader(Input& input, const ZipMember& member) : input_(input), zip_(input, member) {
    array.member = &member;
    char start[8];
    zip_.read(start, 8);
    if (std::string_view(start, 6) != "\x93NUMPY" || start[6] < 1 || start[6] > 3) fail("no NumPy header");
    std::uint32_t length = 0;
    zip_.read(&length, start[6] == 1 ? 2 : 4);
    if (length > 65536) fail("a NumPy header of " + std::to_string(length) + " bytes");
    std::string text(length, '\0');
    zip_.read(text.data(), length);
    parse(text);
    const std::uint64_t data = member.size - 8 - (start[6] == 1 ? 2 : 4) - length;
    if (array.count > data || array.count * array.width != data) fail("a size that does not match its shape");
  }

  NumpyArray array;

  /// use(i, value) for integers and booleans, negative ones as huge numbers.
  template <class Use>
  void integers(Use use) {
    if (array.kind != 'i' && array.kind != 'u' && array.kind != 'b') fail("values that are not integers");
    const bool is_signed = array.kind == 'i';
    each([&](std::uint64_t i, const char* p) {
      std::uint64_t value = 0;
      std::memcpy(&value, p, array.width);
      const int unused = 64 - 8 * static_cast<int>(array.width);
      if (is_signed) value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
      use(i, value);
    });
  }

  template <class Use>
  void reals(Use use) {
    if (array.width != 4 && array.width != 8) fail("real numbers of " + std::to_string(array.width) + " bytes");
    each([&](std::uint64_t i, const char* p) {
      use(i, array.width == 4 ? static_cast<double>(read_as<float>(p)) : read_as<double>(p));
    });
  }

  /// Values that are not needed: checks only that they are there, and their CRC.
  void pass() {
    each([](std::uint64_t, const char*) {});
  }

  /// A short text, as format.npy holds.
  std::string text() {
    std::string out;
    if ((array.kind != 'S' && array.kind != 'U') || array.count != 1 || array.width > 64) fail("no short text");
    each([&](std::uint64_t, const char* p) {
      const std::size_t step = array.kind == 'U' ? 4 : 1;  // UTF-32: layouts have ASCII letters only
      for (std::size_t i = 0; i < array.width; i += step)
        if (step == 4 && (p[i + 1] || p[i + 2] || p[i + 3]))
          out += '?';
        else if (p[i])
          out += p[i];
    });
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& found) {
    input_.fail_file("HW-NPZ-ARRAY", found + " in " + array.member->name, "an array as scipy.sparse.save_npz writes it");
  }

  template <class T>
  static T read_as(const char* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
  }

  void parse(std::string_view text) {
    std::string_view type = entry(text, "descr");
    const std::string_view shape = entry(text, "shape");
    if (type.size() < 4 || type[0] != '\'' || shape.empty() || shape[0] != '(') fail("a header that cannot be read");
    if (type[1] == '>') fail("big-endian values");
    array.kind = type[2];
    for (std::size_t i = 3; i < type.size() && type[i] >= '0' && type[i] <= '9' && array.width < 1000; ++i)
      array.width = array.width * 10 + static_cast<std::size_t>(type[i] - '0');
    if (array.kind == 'U') array.width *= 4;
    const bool integer = array.kind == 'i' || array.kind == 'u' || array.kind == 'b';
    if (array.width == 0 || (integer && array.width != 1 && array.width != 2 && array.width != 4 && array.width != 8))
      fail("a type that is not known");
    bool any = false;
    std::uint64_t length = 0;
    for (const char c : shape.substr(1)) {
      if (c >= '0' && c <= '9') {
        if (length >> 48) fail("a shape beyond all bounds");
        length = length * 10 + static_cast<std::uint64_t>(c - '0');
        any = true;
      } else if (c == ',' || c == ')') {
        if (any && array.count != 1) fail("more than one dimension");
        if (any) array.count = length;
        if (c == ')') return;
        any = false;
        length = 0;
      } else if (c != ' ') {
        fail("a shape that cannot be read");
      }
    }
    fail("a shape that cannot be read");
  }

  template <class Use>
  void each(Use use) {
    const std::size_t step = (std::size_t{1} << 16) / array.width + 1;
    std::vector<char> chunk(static_cast<std::size_t>(std::min<std::uint64_t>(array.count, step)) * array.width);
    for (std::uint64_t done = 0; done < array.count;) {
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(array.count - done, step));
      zip_.read(chunk.data(), some * array.width);
      for (std::size_t i = 0; i < some; ++i) use(done + i, chunk.data() + i * array.width);
      done += some;
    }
    zip_.finish();
  }

  Input& input_;
  ZipReader zip_;
};

class SparseReader {
 public:
  explicit SparseReader(Input& input) : input_(input) {
    input.load(std::uint64_t{1} << 46, "HW-NPZ-ZIP");
    for (ZipMember& member : zip_directory(input)) members_[member.name] = std::move(member);
  }

  EdgeList read() {
    const std::string layout = NumpyReader(input_, member("format")).text();
    if (layout != "csr" && layout != "csc" && layout != "coo")
      input_.fail_file("HW-NPZ-FORMAT", "a sparse matrix of the layout '" + layout + "'", "csr, csc or coo",
                       "convert it: matrix.tocsr()");
    read_shape();
    const bool coordinates = layout == "coo";
    NumpyReader targets(input_, member(coordinates ? "col" : "indices"));
    entries_ = targets.array.count;
    check_sizes(coordinates ? std::vector<const char*>{"row", "col"} : std::vector<const char*>{"indptr", "indices"});
    list_.edges = Array<Edge>(entries_);
    if (coordinates) {
      NumpyReader rows(input_, member("row"));
      if (rows.array.count != entries_)
        input_.fail_file("HW-NPZ-ARRAY", "row and col of different lengths", "one of each an entry");
      rows.integers([&](std::uint64_t i, std::uint64_t v) { list_.edges[i].source = checked(v, shape_[0], "row"); });
    } else {
      read_offsets(layout == "csr" ? shape_[0] : shape_[1]);
    }
    targets.integers([&](std::uint64_t i, std::uint64_t v) {
      list_.edges[i].target = checked(v, shape_[layout == "csc" ? 0 : 1], coordinates ? "col" : "indices");
    });
    if (layout == "csc")
      for (Edge& e : list_.edges) std::swap(e.source, e.target);
    read_weights();
    Stated stated;
    stated.undirected = stated.both_ways = members_.contains("undirected.npy");
    settle(input_, stated, list_, Sides{shape_[0], shape_[1]});
    list_.report.rows = entries_;
    list_.report.format = "npz";
    list_.report.details = layout + (list_.weights.empty() ? "" : ", weights");
    return std::move(list_);
  }

 private:
  const ZipMember& member(const std::string& name) {
    const auto it = members_.find(name + ".npy");
    if (it == members_.end())
      input_.fail_file("HW-NPZ-ARRAY", "an archive without " + name + ".npy", "one that scipy.sparse.save_npz wrote");
    return it->second;
  }

  void read_shape() {
    NumpyReader reader(input_, member("shape"));
    if (reader.array.count != 2)
      input_.fail_file("HW-NPZ-ARRAY", "a shape of " + std::to_string(reader.array.count) + " numbers", "rows and columns");
    reader.integers([&](std::uint64_t i, std::uint64_t v) { shape_[i] = v; });
    const std::uint64_t n = std::max(shape_[0], shape_[1]);
    input_.check_plausible(n, "HW-NPZ-HUGE");
    list_.num_vertices = static_cast<VertexId>(n);
    list_.ids = Ids::consecutive(list_.num_vertices);
  }

  /// Deflate can promise a thousand times what is there.
  void check_sizes(const std::vector<const char*>& names) {
    std::uint64_t bytes = 0;
    for (const char* name : names) bytes += std::min(member(name).size, std::uint64_t{1} << 60);
    const std::uint64_t limit = (std::uint64_t{32} << 20) + 12 * *input_.size();
    if (bytes > limit && !input_.options().allow_huge)
      input_.fail_file("HW-NPZ-HUGE",
                       "index arrays of " + std::to_string(bytes) + " bytes in a file of " + std::to_string(*input_.size()),
                       "at most " + std::to_string(limit), "if it is true, allow it with --allow-huge");
  }

  void read_offsets(std::uint64_t rows) {
    NumpyReader reader(input_, member("indptr"));
    if (reader.array.count != rows + 1)
      input_.fail_file("HW-NPZ-OFFSETS", "indptr of " + std::to_string(reader.array.count) + " values",
                       std::to_string(rows + 1));
    std::uint64_t before = 0;
    reader.integers([&](std::uint64_t i, std::uint64_t v) {
      if (i == 0 ? v != 0 : v < before || v > entries_)
        input_.fail_file("HW-NPZ-OFFSETS", "indptr that falls or leaves the entries",
                         "values from 0 to their number that never fall");
      if (i)
        for (std::uint64_t k = before; k < v; ++k) list_.edges[k].source = static_cast<VertexId>(i - 1);
      before = v;
    });
    if (before != entries_)
      input_.fail_file("HW-NPZ-OFFSETS", "indptr that ends at " + std::to_string(before),
                       std::to_string(entries_) + ", the number of entries");
  }

  VertexId checked(std::uint64_t v, std::uint64_t limit, const char* array) {
    if (v >= limit)
      input_.fail_file("HW-NPZ-INDEX", std::to_string(static_cast<std::int64_t>(v)) + " in " + array,
                       "an index from 0 to " + std::to_string(static_cast<std::int64_t>(limit) - 1));
    return static_cast<VertexId>(v);
  }

  void read_weights() {
    if (!input_.options().weights) return;
    NumpyReader data(input_, member("data"));
    if (data.array.count != entries_)
      input_.fail_file("HW-NPZ-ARRAY", "data of " + std::to_string(data.array.count) + " values",
                       std::to_string(entries_) + ", one per entry");
    const bool complex = data.array.kind == 'c';
    if (complex) list_.report.notes.emplace_back("complex values are not read: edges have no weights (--no-weights)");
    if (data.array.kind == 'b' || complex) return data.pass();
    if (data.array.kind != 'f') return read_whole_weights(data);
    Array<double> weights(entries_);
    const double most = data.array.width == 4 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    std::uint64_t replaced = 0;
    data.reals([&](std::uint64_t i, double v) {
      if (!std::isfinite(v)) {
        if (!input_.options().lenient)
          input_.fail_file("HW-NPZ-WEIGHT", "entry " + std::to_string(i) + " with a value that is not finite", "finite values",
                           "--lenient takes the nearest number; --no-weights reads none");
        ++replaced;
        v = std::isnan(v) ? 0 : std::copysign(most, v);
      }
      weights[i] = v;
    });
    list_.weights = Weights::smallest(std::move(weights), input_.options().run.threads);
    if (replaced)
      list_.report.repairs.push_back(std::to_string(replaced) +
                                     " values that are not finite were replaced by the nearest number");
  }

  void read_whole_weights(NumpyReader& data) {
    Array<std::int64_t> weights(entries_);
    const bool is_unsigned = data.array.kind == 'u';
    data.integers([&](std::uint64_t i, std::uint64_t v) {
      if (is_unsigned && v >> 63)
        input_.fail_file("HW-NPZ-WEIGHT", "entry " + std::to_string(i) + " with the value " + std::to_string(v),
                         "values of at most 9223372036854775807",
                         "in SciPy matrix.astype(float) takes the nearest numbers; --no-weights reads none");
      weights[i] = static_cast<std::int64_t>(v);
    });
    list_.weights = Weights::smallest(std::move(weights), input_.options().run.threads);
  }

  Input& input_;
  std::map<std::string, ZipMember> members_;
  std::uint64_t shape_[2] = {0, 0}, entries_ = 0;
  EdgeList list_;
};

Match sniff_npz(std::string_view head, bool, const Input& input) {
  const bool zip = head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
  const bool arrays = head.find(".npy") != std::string_view::npos || extension_of(input.name()) == "npz";
  return zip && arrays ? Match::certain : Match::no;  // .xlsx and many others are ZIP archives, too
}

/// A .npy of `count` values of type `descr`; value(i) makes each.
template <class T, class Value>
void put_array(ZipWriter& zip, const std::string& name, const char* descr, const std::string& shape, std::uint64_t count,
               Value value) {
  std::string dict = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  dict.append(64 - (10 + dict.size() + 1) % 64, ' ');
  dict += '\n';
  const auto length = static_cast<std::uint16_t>(dict.size());
  zip.member(name + ".npy", [&](const ZipWriter::Put& put) {
    put(std::string_view("\x93NUMPY\x01\x00", 8));
    put({reinterpret_cast<const char*>(&length), 2});
    put(dict);
    std::vector<T> chunk;
    for (std::uint64_t i = 0; i < count; ++i) {
      chunk.push_back(value(i));
      if (chunk.size() == 1 << 14 || i + 1 == count) {
        put({reinterpret_cast<const char*>(chunk.data()), chunk.size() * sizeof(T)});
        chunk.clear();
      }
    }
  });
}

/// Index arrays of 32 bits where all values fit, else of 64: SciPy wants those of one matrix to be of one type.
template <class Values>
void put_indices(ZipWriter& zip, bool narrow, const std::string& name, const Values& values) {
  const std::uint64_t count = values.size();
  const std::string shape = std::to_string(count) + ",";
  if (!narrow)
    return put_array<std::int64_t>(zip, name, "<i8", shape, count,
                                   [&](std::uint64_t i) { return static_cast<std::int64_t>(values[i]); });
  put_array<std::int32_t>(zip, name, "<i4", shape, count,
                          [&](std::uint64_t i) { return static_cast<std::int32_t>(values[i]); });
}

void check_npz(const Graph&, const WriteOptions& options) {
  const std::string& layout = options.layout;
  if (!layout.empty() && layout != "csr" && layout != "csc" && layout != "coo")
    core::refuse("HW-WRITE-LAYOUT", "the layout '" + layout + "'", "csr, csc or coo");
}

/// As scipy.sparse.save_npz: a matrix whose rows are sources and whose columns are targets.
void write_npz(const Graph& graph, Sink& out, const WriteOptions& options) {
  const std::string layout = options.layout.empty() ? "csr" : options.layout;
  Graph both = graph;  // shares its arrays
  if (layout == "csc") both.ensure_in();
  const Adjacency& rows = layout == "csc" ? both.in() : both.out();
  const std::uint64_t n = graph.num_vertices(), m = graph.num_arcs();
  const bool narrow = n < 0x7FFFFFFFu && m < 0x7FFFFFFFu;
  ZipWriter zip(out);
  if (layout == "coo") {
    put_indices(zip, narrow, "row", graph.arc_sources());
    put_indices(zip, narrow, "col", rows.neighbors);
  } else {
    put_indices(zip, narrow, "indices", rows.neighbors);
    put_indices(zip, narrow, "indptr", rows.offsets);
  }
  put_array<char>(zip, "format", "|S3", "", 3, [&](std::uint64_t i) { return layout[i]; });
  put_array<std::int64_t>(zip, "shape", "<i8", "2,", 2, [&](std::uint64_t) { return static_cast<std::int64_t>(n); });
  if (!graph.directed())  // SciPy passes over it; without it the matrix would come back as a directed graph
    put_array<char>(zip, "undirected", "|b1", "", 1, [](std::uint64_t) { return char{1}; });
  const std::string length = std::to_string(m) + ",";
  if (options.weights && graph.has_weights())
    rows.weights.with([&]<class T>(std::span<const T> values) {
      const char* descr = std::is_integral_v<T> ? (sizeof(T) == 4 ? "<i4" : "<i8") : (sizeof(T) == 4 ? "<f4" : "<f8");
      put_array<T>(zip, "data", descr, length, m, [&](std::uint64_t i) { return values[i]; });
    });
  else
    put_array<char>(zip, "data", "|b1", length, m, [](std::uint64_t) { return char{1}; });
  zip.finish();
}

}  // namespace

const Format& npz_format() {
  static const Format format{{"npz", "SciPy's sparse matrix: CSR, CSC or COO", "npz"},
                             sniff_npz,
                             [](Input& input) { return SparseReader(input).read(); },
                             write_npz,
                             {.ids = Holds::Naming::from_0, .weights = Holds::Weighing::finite},
                             check_npz};
  return format;
}

}  // namespace hopwave::io

#include "io/hwg_slice.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/checksum.h"
#include "hopwave/error.h"
#include "io/hwg_bytes.h"

namespace hopwave::io {
namespace {

constexpr std::uint64_t slice_piece = core::checksum_piece;

[[noreturn]] void fail_io(const std::string& path, const char* id, const char* doing) {
  throw Error({.id = id, .where = {.file = path}, .found = std::string(doing) + ": " + std::strerror(errno)});
}

}  // namespace

HwgSlices::HwgSlices(std::string path) : path_(std::move(path)) {
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) fail_io(path_, "HW-IO-OPEN", "cannot open");
  try {
    struct stat info {};
    if (::fstat(fd_, &info) != 0) fail_io(path_, "HW-IO-READ", "cannot read");
    const auto bytes = static_cast<std::uint64_t>(info.st_size);
    std::vector<char> head(std::min<std::uint64_t>(bytes, most_head_bytes));
    read(0, head.size(), head.data());
    head_ = parse_hwg_head(path_, head, bytes);
    if (head_.header.arcs > bytes)
      fail_hwg(path_, "HW-HWG-HEADER", std::to_string(head_.header.arcs) + " arcs", "fewer than the file has bytes");
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

HwgSlices::~HwgSlices() { ::close(fd_); }

void HwgSlices::read(std::uint64_t offset, std::uint64_t bytes, char* to) const {
  while (bytes > 0) {
    const ssize_t got = ::pread(fd_, to, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io(path_, "HW-IO-READ", "cannot read");
    if (got == 0) fail_hwg(path_, "HW-IO-CHANGED", "a file that shrank", "a file that stays as it is", offset);
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
    to += got;
  }
}

const hwg::Section& HwgSlices::section(const std::string& name, std::uint64_t bytes) const {
  const hwg::Section* const found = head_.find(name);
  if (!found || found->bytes != bytes)
    fail_hwg(path_, "HW-HWG-SECTION",
             found ? "section " + name + " of " + std::to_string(found->bytes) + " bytes" : "no section " + name,
             std::to_string(bytes) + " bytes");
  return *found;
}

std::uint64_t HwgSlices::extra_arcs() const noexcept {
  const hwg::Section* const sources = head_.find("extra.sources");
  return sources ? sources->bytes / sizeof(VertexId) : 0;
}

EdgeIndex HwgSlices::arcs_before(VertexId v) const {
  const hwg::Section& offsets = section("out.offsets", (header().vertices + 1) * sizeof(EdgeIndex));
  EdgeIndex value = 0;
  read(offsets.offset + v * sizeof value, sizeof value, reinterpret_cast<char*>(&value));
  return std::min(value, header().arcs);
}

template <class T>
HwgSlices::Part<T> HwgSlices::part(const hwg::Section& s, std::uint64_t begin, std::uint64_t end, std::uint64_t also) const {
  Part<T> part{Array<T>(end + also - begin), {}};
  const std::uint64_t from = begin * sizeof(T), summed = end * sizeof(T), to = (end + also) * sizeof(T);
  if (from == to) return part;  // nothing to read a piece for
  char* const values = reinterpret_cast<char*>(part.values.data());
  std::vector<char> piece;
  for (std::uint64_t at = from / slice_piece * slice_piece; at < to; at += slice_piece) {
    const std::uint64_t piece_end = std::min(at + slice_piece, s.bytes);
    const std::uint64_t wanted = std::max(at, from), wanted_end = std::min(piece_end, to);
    piece.resize(piece_end - at);
    read(s.offset + at, piece.size(), piece.data());
    const std::uint64_t sum = core::piece_checksum(piece.data(), piece.size());
    if (at < from || at >= summed)
      part.sums.others.push_back({at / slice_piece, sum});
    else
      part.sums.own.push_back(sum);
    std::memcpy(values + (wanted - from), piece.data() + (wanted - at), wanted_end - wanted);
  }
  return part;
}

HwgSlices::Part<EdgeIndex> HwgSlices::offsets(const std::string& name, EdgeIndex begin, EdgeIndex end, EdgeIndex also) const {
  return part<EdgeIndex>(section(name, (header().vertices + 1) * sizeof(EdgeIndex)), begin, end, also);
}

HwgSlices::Part<VertexId> HwgSlices::neighbors(const std::string& name, EdgeIndex begin, EdgeIndex end) const {
  return part<VertexId>(section(name, header().arcs * sizeof(VertexId)), begin, end, 0);
}

void HwgSlices::check(const std::string& name, const std::vector<std::uint64_t>& sums,
                      const std::vector<Sums::Other>& others) const {
  const hwg::Section* const found = head_.find(name);
  std::uint64_t sum = found->bytes;
  for (const std::uint64_t each : sums) sum = core::join_checksums(sum, each);
  const auto is_of_sums = [&](const Sums::Other& other) { return other.piece < sums.size() && sums[other.piece] == other.sum; };
  if (sums.size() != (found->bytes + slice_piece - 1) / slice_piece || sum != found->checksum ||
      !std::ranges::all_of(others, is_of_sums))
    fail_hwg(path_, "HW-HWG-CHECKSUM", "section " + name + " does not match its checksum", "an intact file", found->offset);
}

template <class T>
Array<T> HwgSlices::whole(const std::string& name, std::uint64_t count) const {
  Part<T> all = part<T>(section(name, count * sizeof(T)), 0, count, 0);
  check(name, all.sums.own, all.sums.others);
  return std::move(all.values);
}

Ids HwgSlices::ids() const {
  const auto n = static_cast<VertexId>(header().vertices);
  const auto refuse = [&] { fail_hwg(path_, "HW-HWG-ARRAYS", "ids that are none", "each once, in order"); };
  switch (static_cast<Ids::Kind>(header().ids_kind)) {
    case Ids::Kind::integers: {
      Array<std::int64_t> table = whole<std::int64_t>("ids.table", n);
      if (std::adjacent_find(table.begin(), table.end(), std::greater_equal<>{}) != table.end()) refuse();
      return Ids::integers(std::move(table));
    }
    case Ids::Kind::strings: {
      const Array<std::uint64_t> ends = whole<std::uint64_t>("ids.offsets", n + std::uint64_t{1});
      const hwg::Section* const found = head_.find("ids.names");
      if (!found) fail_hwg(path_, "HW-HWG-SECTION", "no section ids.names", "the vertices' names");
      const Array<char> text = whole<char>("ids.names", found->bytes);
      if (ends[0] != 0 || ends[n] != text.size() || !std::is_sorted(ends.begin(), ends.end())) refuse();
      std::vector<std::string> names;
      for (VertexId v = 0; v < n; ++v) names.emplace_back(text.data() + ends[v], ends[v + std::size_t{1}] - ends[v]);
      return Ids::strings(std::move(names));
    }
    case Ids::Kind::consecutive:
      break;
  }
  return Ids::consecutive(n, header().ids_first);
}

HwgHistory HwgSlices::history() const {
  const hwg::Section* const found = head_.find("history");
  if (!found) return {};
  const Array<char> text = whole<char>("history", found->bytes);
  return parse_hwg_history({text.data(), text.size()});
}

}  // namespace hopwave::io

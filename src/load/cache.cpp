// A cache is used if its mark fits the file. If the file's times prove that it has not changed, they are enough.
// Otherwise the file's checksum decides, which requires reading the file, but still takes much less time than parsing
// it.
#include "load/cache.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/checksum.h"
#include "hopwave/error.h"
#include "hopwave/version.h"
#include "io/byte_source.h"
#include "io/format.h"
#include "io/sink.h"

namespace hopwave::load {
namespace {

constexpr std::string_view way_section = "cache.way", mark_section = "cache.mark";

/// Describes how the file is read, as far as that changes the graph, and the file's name, whose extension may decide
/// the format.
std::string way_of(const std::string& path, const ReadOptions& read, bool undirected) {
  const auto flag = [](const char* name, bool value) { return std::string(name) + (value ? "\t1\n" : "\t0\n"); };
  return std::string("hopwave\t") + version + "\nformat\t" + read.format + "\n" + flag("lenient", read.lenient) +
         flag("drop_zeros", read.drop_zeros) + flag("weights", read.weights) + "columns\t" + read.columns + "\nheader\t" +
         (read.header ? *read.header ? "1" : "0" : "") + "\nmissing\t" + read.missing_weight +
         (read.decimal_comma ? "\ncomma" : "") + "\n" + flag("undirected", undirected) + flag("directed", read.directed) +
         (read.bipartite ? flag("bipartite", *read.bipartite) : "") + "name\t" + path.substr(path.rfind('/') + 1);
}

/// File systems store times in steps: of up to two seconds without nanoseconds, of a clock tick with them.
bool is_old(const std::int64_t (&time)[2], const timespec& now) {
  const double step = time[1] == 0 ? 2 : .1;
  return static_cast<double>(now.tv_sec - time[0]) + static_cast<double>(now.tv_nsec - time[1]) * 1e-9 > step;
}

const Array<const std::byte>* section(const io::HwgContent& content, std::string_view name) {
  for (const auto& [other, bytes] : content.extras)
    if (other == name) return &bytes;
  return nullptr;
}

}  // namespace

std::optional<Cache::Stamp> Cache::stamp_of(const std::string& path, unsigned* mode, unsigned* owner) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) return std::nullopt;
  if (mode) *mode = info.st_mode & 0666;
  if (owner) *owner = info.st_uid;
  return Stamp{.bytes = static_cast<std::uint64_t>(info.st_size),
               .device = info.st_dev,
               .inode = info.st_ino,
               .modified = {info.st_mtim.tv_sec, info.st_mtim.tv_nsec},
               .changed = {info.st_ctim.tv_sec, info.st_ctim.tv_nsec}};
}

std::optional<Cache> Cache::of(const std::string& path, const ReadOptions& read, bool undirected) {
  Cache cache;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const auto stamp = path == "-" ? std::nullopt : stamp_of(path, &cache.mode_, &cache.owner_);
  if (!stamp || !io::vertex_list_of(path).empty()) return std::nullopt;
  cache.path_ = path;
  cache.name_ = path + (undirected ? ".undirected" : "") + ".cache.hwg";
  cache.way_ = way_of(path, read, undirected);
  cache.stamp_ = *stamp;
  cache.settled_ = is_old(stamp->modified, now) && is_old(stamp->changed, now);
  return cache;
}

std::optional<std::uint64_t> Cache::checksum(int threads) const {
  try {
    const auto source = io::open_file(path_);
    const std::uint64_t bytes = source->size().value_or(0);
    if (bytes != stamp_.bytes) return std::nullopt;
    Team team(bytes < (1u << 22) ? 1 : threads);
    std::vector<std::uint64_t> sums((bytes + core::checksum_piece - 1) / core::checksum_piece);
    std::vector<std::vector<char>> buffers(static_cast<std::size_t>(team.size()));
    parallel_for(team, sums.size(), 1, [&](std::size_t begin, std::size_t end, int rank) {
      auto& buffer = buffers[static_cast<std::size_t>(rank)];
      buffer.resize(core::checksum_piece);
      for (std::size_t i = begin; i < end; ++i)
        sums[i] =
            core::piece_checksum(buffer.data(), source->read_at(i * core::checksum_piece, buffer.data(), core::checksum_piece));
    });
    std::uint64_t sum = bytes;
    for (const std::uint64_t piece : sums) sum = core::join_checksums(sum, piece);
    return sum;
  } catch (const Error&) {  // unreadable, or shortened: the next reader reports it
    return std::nullopt;
  }
}

std::optional<io::HwgContent> Cache::open(const ReadOptions& read) const {
  unsigned owner = 0;
  if (!stamp_of(name_, nullptr, &owner) || (owner != ::geteuid() && owner != owner_) || !io::is_hwg_file(name_))
    return std::nullopt;
  try {
    io::HwgContent content = io::open_hwg(name_, read);
    const auto *way = section(content, way_section), *bytes = section(content, mark_section);
    Mark mark;
    if (!way || !bytes || bytes->size() != sizeof mark ||
        std::string_view(reinterpret_cast<const char*>(way->data()), way->size()) != way_)
      return std::nullopt;
    std::memcpy(&mark, bytes->data(), sizeof mark);
    if (mark.stamp.bytes != stamp_.bytes) return std::nullopt;
    if (!(mark.settled == 1 && mark.stamp == stamp_) && checksum(read.run.threads) != mark.checksum) return std::nullopt;
    return content;
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    return std::nullopt;  // damaged
  }
}

std::string Cache::why_not_store() const {
  const auto slash = name_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : name_.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK) != 0) return std::string("no file can be created there: ") + std::strerror(errno);
  struct stat info {};
  if (::lstat(name_.c_str(), &info) != 0) return errno == ENOENT ? "" : std::strerror(errno);
  const char* const taken = "the file of this name is not a cache";
  if (!S_ISREG(info.st_mode) || !io::is_hwg_file(name_)) return taken;
  try {
    return section(io::open_hwg(name_, {}), way_section) ? "" : taken;
  } catch (const Error& error) {
    return error.failure() == Failure::input ? "" : taken;  // a damaged .hwg
  }
}

bool Cache::store(const Graph& graph, const ReadOptions& read, const Progress& progress) const {
  const auto sum = checksum(read.run.threads);
  if (!sum || stamp_of(path_) != stamp_) return false;
  static_assert(std::has_unique_object_representations_v<Mark>);  // it is written as it is in memory
  const Mark mark{.stamp = stamp_, .settled = settled_, .checksum = *sum};
  const io::ExtraSection sections[] = {{std::string(way_section), std::as_bytes(std::span(way_))},
                                       {std::string(mark_section), std::as_bytes(std::span(&mark, 1))}};
  OutputFile file(name_, mode_);
  const auto sink = io::make_sink(file, name_, 1);
  sink->report_to(&progress);
  io::write_hwg(graph, sections, {}, *sink);
  sink->finish();
  file.commit();
  return true;
}

}  // namespace hopwave::load

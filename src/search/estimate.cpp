// Estimates from headers, samples and specs, and what the machine has free.
// The model counts the arrays that reading, building and searching hold at once; tests compare it with measured peaks.
#include "hopwave/estimate.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"

namespace hopwave {
namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// The number behind `key` in a file of "key value" lines; nothing if there is none.
std::uint64_t number_in_file(const std::string& path, std::string_view key = {}) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (!key.empty() && word != key) continue;
    if (!key.empty() && !(file >> word)) break;
    std::uint64_t value = no_limit;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;  // "max" stays no_limit
  }
  return no_limit;
}

/// This process's control group below /sys/fs/cgroup (version 2), or empty.
std::string control_group() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("0::")) return "/sys/fs/cgroup" + line.substr(3);
  return {};
}

std::uint64_t control_group_free() {
  const std::string group = control_group();
  if (group.empty()) return no_limit;
  const std::uint64_t most = number_in_file(group + "/memory.max");
  const std::uint64_t used = number_in_file(group + "/memory.current");
  if (most == no_limit || used == no_limit) return no_limit;
  // File pages are given up when memory is short, so they count as free.
  const std::uint64_t cached = number_in_file(group + "/memory.stat", "file");
  const std::uint64_t held = used - std::min(used, cached == no_limit ? 0 : cached);
  return most - std::min(most, held);
}

std::uint64_t numbers_at(std::string_view text, std::uint64_t* values, int wanted) {
  int found = 0;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end && found < wanted) {
    while (p < end && (*p < '0' || *p > '9')) ++p;
    const auto [next, error] = std::from_chars(p, end, values[found]);
    if (error != std::errc{}) break;
    ++found;
    p = next;
  }
  return static_cast<std::uint64_t>(found);
}

}  // namespace

std::uint64_t host_memory_total() {
  const std::uint64_t kib = number_in_file("/proc/meminfo", "MemTotal:");
  return kib == no_limit ? 0 : kib * 1024;
}

std::uint64_t host_memory_free() {
  const std::uint64_t kib = number_in_file("/proc/meminfo", "MemAvailable:");
  std::uint64_t free = kib == no_limit ? no_limit : kib * 1024;
  free = std::min(free, control_group_free());
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    free = std::min<std::uint64_t>(free, limit.rlim_cur);
  return free;
}

namespace {

GraphSize spec_size(std::string_view spec) {
  GraphSize size{.exact = true, .basis = "generator"};
  const auto colon = spec.find(':');
  const auto name = spec.substr(0, colon);
  std::uint64_t value[3] = {0, 0, 0};
  const auto found = colon == std::string_view::npos ? 0 : numbers_at(spec.substr(colon + 1), value, 3);
  if (name == "rmat" && found >= 1 && value[0] < 32) {
    size.vertices = std::uint64_t{1} << value[0];
    size.rows = size.vertices * (found > 1 ? value[1] : 16);
  } else if (name == "uniform" && found >= 2) {
    size.vertices = value[0];
    size.rows = value[1];
  } else if ((name == "grid" || name == "streets") && found >= 1) {
    size.vertices = value[0] * (found > 1 && name == "grid" ? value[1] : value[0]);
    size.rows = 2 * size.vertices;
  } else if ((name == "chain" || name == "star" || name == "tree") && found >= 1) {
    size.vertices = size.rows = value[0];
  } else if (name == "complete" && found >= 1) {
    size.vertices = value[0];
    size.rows = value[0] * (value[0] - (value[0] > 0)) / 2;
  } else if (name == "graphgen" && found >= 1) {
    size.vertices = value[0];
    size.rows = 3 * value[0];
    size.exact = false;
  } else if (name == "roadnet-ca-like") {
    size.vertices = 1965206;
    size.rows = 2766607;
  } else if (name == "wikitalk-like") {
    size.vertices = 2394385;
    size.rows = 5021410;
  } else {
    size.known = false;
  }
  return size;
}

bool is_compressed(std::string_view head) { return head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd"); }

/// Rows of a text file from the rows of its first bytes.
GraphSize sampled_size(std::string_view head, std::uint64_t bytes) {
  GraphSize size{.basis = "sample of " + std::to_string(head.size()) + " bytes"};
  std::uint64_t rows = 0, row_bytes = 0, comment_bytes = 0, greatest = 0;
  while (!head.empty()) {
    const auto end = head.find('\n');
    const auto line = head.substr(0, end);
    head = end == std::string_view::npos ? std::string_view{} : head.substr(end + 1);
    const bool row = !line.empty() && line.front() != '#' && line.front() != '%' && line.front() != 'c';
    (row ? row_bytes : comment_bytes) += line.size() + 1;
    std::uint64_t ids[2] = {0, 0};
    if (!row || numbers_at(line, ids, 2) < 1) continue;
    ++rows;
    greatest = std::max({greatest, ids[0], ids[1]});
  }
  if (rows == 0) {
    size.known = false;
    return size;
  }
  const double average = static_cast<double>(row_bytes) / static_cast<double>(rows);
  size.rows = static_cast<std::uint64_t>(static_cast<double>(bytes - std::min(bytes, comment_bytes)) / average);
  // An id that a row names is a vertex; what later rows name is not known yet. Twice the rows is the most there can be.
  size.vertices = std::min(std::max<std::uint64_t>(greatest + 1, rows), 2 * size.rows);
  return size;
}

}  // namespace

GraphSize graph_size(const std::string& path, const ReadOptions&, std::uint64_t sample_bytes) {
  if (path == "-") return {.known = false, .basis = "standard input"};
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 && is_generator_spec(path)) return spec_size(path);
  if (!S_ISREG(status.st_mode)) return {.known = false, .basis = "not a regular file"};
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  std::ifstream file(path, std::ios::binary);
  std::string head(std::min(bytes, sample_bytes), '\0');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size()))) return {.known = false, .basis = "unreadable"};
  if (is_compressed(head)) return {.known = false, .basis = "compressed"};
  if (std::memchr(head.data(), 0, std::min<std::size_t>(head.size(), 4096))) return {.known = false, .basis = "binary"};
  return sampled_size(head, bytes);
}

MemoryEstimate estimate_memory(const GraphSize& size, const EstimateOptions& options) {
  MemoryEstimate e;
  e.size = size;
  e.host_free = host_memory_free();
  if (!size.known) return e;
  const std::uint64_t n = size.vertices;
  e.arcs = size.rows * (options.undirected ? 2 : 1);
  const std::uint64_t adjacency = 8 * (n + 1) + 4 * e.arcs;
  e.graph_bytes = adjacency * (options.build_in && !options.undirected ? 2 : 1);
  const std::uint64_t list = 8 * size.rows;
  e.load_peak_bytes = list + adjacency + 8 * n;
  e.search_bytes = n * (4 + 4 + 4 + (options.parents ? 4 : 0)) + n / 4;
  const std::uint64_t offset_width = e.arcs < (std::uint64_t{1} << 32) ? 4 : 8;
  e.device_bytes = offset_width * (n + 1) + 4 * e.arcs + n * (4 + 4 + 4 + (options.parents ? 4 : 0));
  return e;
}

MemoryEstimate estimate_memory(const std::string& path_or_spec, const ReadOptions& read, const EstimateOptions& options) {
  return estimate_memory(graph_size(path_or_spec, read), options);
}

void require_host_memory(const MemoryEstimate& e) {
  // A sample may mislead, so only what is far beyond is refused on its word.
  const std::uint64_t allowed = e.size.exact ? e.host_free : e.host_free + e.host_free / 2;
  if (!e.size.known || e.host_free == no_limit || e.host_peak() <= allowed) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-MEMORY-HOST",
               .found = "about " + std::to_string(e.host_peak()) + " bytes of memory needed and " +
                        std::to_string(e.host_free) + " free",
               .expected = "a graph that fits",
               .hint =
                   "use a machine with more memory, or convert the graph to .hwg there once (a .hwg is mapped, not loaded); "
                   "--allow-huge starts all the same"});
}

}  // namespace hopwave

// How much memory a job takes, and what the machine has free.
// The model counts the arrays that reading, building and searching hold at once; tests compare it with measured peaks.
#include "hopwave/estimate.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

#include "bfs/plan/thresholds.h"
#include "core/bytes_text.h"
#include "core/options.h"
#include "estimate/estimate_jobs.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
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

}  // namespace

std::uint64_t host_memory_total() {
  const std::uint64_t kib = number_in_file("/proc/meminfo", "MemTotal:");
  return kib == no_limit ? 0 : kib * 1024;
}

}  // namespace hopwave::inline v0_1

namespace hopwave::search_detail {

std::uint64_t shared_memory_free() {
  const std::uint64_t kib = number_in_file("/proc/meminfo", "MemAvailable:");
  return std::min(kib == no_limit ? no_limit : kib * 1024, control_group_free());
}

std::uint64_t process_memory_limit() {
  const auto least = [](auto resource) {
    rlimit limit{};
    const bool limited = getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? std::uint64_t{limit.rlim_cur} : no_limit;
  };
  return std::min(least(RLIMIT_AS), least(RLIMIT_DATA));
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

std::uint64_t host_memory_free() {
  return std::min(search_detail::shared_memory_free(), search_detail::process_memory_limit());
}

namespace {

/// What preparing for a GPU adds at most: the rows once more under other names, or, on graphs that may be narrow, rows of
/// several hops. Those hold 64 neighbours of four bytes on average at most, in units of 32 bytes, with a fiftieth of slack.
std::uint64_t prepared_bytes(std::uint64_t n, std::uint64_t arcs, std::uint64_t offset_width, std::uint64_t sides) {
  const std::uint64_t wide = sides * (offset_width * (n + 1) + 4 * arcs) + (3 * 4 + 16) * n;
  const std::uint64_t hops = n * 4 + (n * (64 + 7) / 8 / 50 * 51 + 4096) * 32;
  return arcs <= 8 * n ? std::max(wide, hops) : wide;
}

/// What searches from many sources take on a thin graph, each in a block of its own: rows in fours, the distances of 64, and of
/// each block a list and its visited bits. So many blocks a GPU of today holds at most.
std::uint64_t per_source_bytes(std::uint64_t n, std::uint64_t arcs, std::uint64_t searches) {
  constexpr std::uint64_t most_blocks = 264, of_counts = std::uint64_t{1} << 20;
  const std::uint64_t rows = 16 * (n + arcs / 3), distances = 4 * n * std::min<std::uint64_t>(searches, 64);
  const std::uint64_t blocks = std::min(searches, most_blocks) *
                               (8 * std::min<std::uint64_t>(n, thresholds::AnyDevice::per_source_widest_level) + n / 8);
  return rows + distances + blocks + std::min<std::uint64_t>((searches + 63) / 64, 16) * of_counts;
}

/// What shortest paths by weight take beyond the graph. On a CPU: distances, a copy of them as the result, parents, and a heap
/// of two entries of 16 bytes a vertex, with half of them beside while it grows; twelve entries of 4 bytes in bins are as much.
/// On a GPU: arcs as words of 64 bits, or of 128 where weights have 64, distances, two queues of entries, two piles, marks,
/// parents; neighbours and weights beside them only while the graph is brought there.
void count_weights(MemoryEstimate& e, std::uint64_t n, std::uint64_t rows, bool undirected, const EstimateOptions& options) {
  const std::uint64_t wide = e.arcs < (std::uint64_t{1} << 32) - 4096 ? 4 : 8;
  const std::uint64_t entry = wide == 4 ? 12 : 24, parents = options.parents ? 4 : 0;
  const auto each = static_cast<std::uint64_t>(e.size.weight_bytes);
  const std::uint64_t weights = each * e.arcs * (options.build_in && !undirected ? 2 : 1);
  e.graph_bytes += e.size.mapped ? 0 : weights;
  e.load_peak_bytes += e.size.mapped ? 0 : each * rows + weights;
  e.search_bytes = n * (8 + 8 + parents + 1 + 3 * 16) + 3 * 16 * 1024;
  const std::uint64_t rows_there = wide * (n + 1) + (each == 8 ? 16 : 8) * e.arcs;
  e.device_bytes = std::max(rows_there + n * (8 + 2 * entry + 2 * 4 + 2 * 4 + parents),
                            rows_there + (4 + each) * e.arcs + n * (8 + 2 * 4));  // while the graph is brought there
}

}  // namespace

MemoryEstimate estimate_memory(const GraphSize& size, const EstimateOptions& options) {
  core::require_named(options.job, EstimateJob::max_flow, "job");
  if (options.job != EstimateJob::search) return search_detail::estimate_job(size, options);
  MemoryEstimate e;
  e.size = size;
  e.host_free = host_memory_free();
  if (!size.known) return e;
  // Products of these stay far below 64 bits. No generator makes more rows, and no file has as many.
  const std::uint64_t n = std::min(size.vertices, std::uint64_t{1} << 32), rows = std::min(size.rows, std::uint64_t{1} << 51);
  const bool undirected = size.undirected || options.undirected;
  e.arcs = rows * (undirected ? 2 : 1);
  const std::uint64_t adjacency = 8 * (n + 1) + 4 * e.arcs;
  constexpr std::uint64_t around = std::uint64_t{24} << 20;  // the program itself, and blocks being read
  e.graph_bytes = adjacency * (options.build_in && !undirected ? 2 : 1);
  const std::uint64_t list = 8 * rows;
  e.load_peak_bytes = list + adjacency + 8 * n + around;
  if (size.mapped) {  // pages of the file, which the system can drop
    e.graph_bytes = 0;
    e.load_peak_bytes = around;
  }
  e.search_bytes = n * (4 + 4 + 4 + (options.parents ? 4 : 0)) + n / 4;
  e.searches = std::max<std::uint64_t>(options.searches, 1);
  if (options.weights) {
    count_weights(e, n, rows, undirected, options);
    return e;
  }
  const std::uint64_t offset_width = e.arcs < (std::uint64_t{1} << 32) ? 4 : 8;
  const std::uint64_t sides = options.build_in && !undirected ? 2 : 1, entry = offset_width == 4 ? 16 : 32;
  // Distances, two queues, hints of earlier searches, bits and bytes: what `auto` asks for before it takes anything.
  const std::uint64_t device_search = n * (4 + 2 * entry + 4 + 2 + (options.parents ? 4 : 0));
  e.device_bytes = (offset_width * (n + 1) + 4 * e.arcs) * sides + device_search;
  if (options.prepare) e.device_bytes += prepared_bytes(n, e.arcs, offset_width, sides);
  if (options.searches > 1) {  // words, queues and digits of a pass; on a GPU all its distances, if they fit
    const std::uint64_t pass = std::min<std::uint64_t>(options.searches, 64);
    e.search_bytes += n * (4 * 8 + 2 * 4 + 4 * 8);
    const std::uint64_t passes = n * (5 * 8 + 8 * 8 + 3 * (offset_width == 4 ? 16 : 32) + 4 + 4 * pass);
    e.device_bytes += e.arcs <= 24 * n ? std::max(passes, per_source_bytes(n, e.arcs, options.searches)) : passes;
  }
  return e;
}

MemoryEstimate estimate_memory(const std::string& path_or_spec, const ReadOptions& read, const EstimateOptions& options) {
  return estimate_memory(graph_size(path_or_spec, read), options);
}

void require_host_memory(const MemoryEstimate& e) {
  // A sample may mislead, so only what is far beyond is refused on its word.
  const std::uint64_t allowed = e.size.exact ? e.host_free : std::max(e.host_free, e.host_free + e.host_free / 2);
  if (!e.size.known || e.host_free == no_limit || e.host_peak() <= allowed) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-MEMORY-HOST",
               .found = "about " + bytes_text(e.host_peak()) + " of memory needed and " + bytes_text(e.host_free) + " free",
               .expected = "a graph that fits",
               .hint =
                   "use a machine with more memory, or convert the graph to .hwg there once (a .hwg is mapped, not loaded); "
                   "--allow-huge starts all the same"});
}

}  // namespace hopwave::inline v0_1

#include "bfs/engine/partitioned/drawn_memory.h"

#include <cmath>

#include "core/bytes_text.h"
#include "generate/rmat.h"
#include "hopwave/error.h"
#include "hopwave/types.h"

namespace hopwave::engine {
namespace {

using generate_detail::Rmat;

/// An upper bound of what is `expected` with a variance of no more.
double at_most(double expected) { return expected + 6 * std::sqrt(expected) + 1; }
std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::ceil(number)); }

/// Vertices whose numbers, before they are permuted, have as many ones: they have as many arcs.
struct Alike {
  std::uint64_t vertices;
  double arcs;       ///< of each, expected
  double with_arcs;  ///< how many have any, expected
};

/// By falling degree.
std::vector<Alike> expected_vertices(int scale, std::uint64_t edges) {
  // A bit is one with the same probability at both ends of an edge.
  static_assert(Rmat::b == Rmat::c);
  constexpr double zero = Rmat::a + Rmat::b, one = 1 - zero, both_one = one - Rmat::b;
  const auto drawn = static_cast<double>(edges);
  std::vector<Alike> all;
  std::uint64_t vertices = 1;  // `scale` over `ones`
  for (int ones = 0; ones <= scale; ++ones) {
    const double end = std::pow(zero, scale - ones) * std::pow(one, ones);
    const double loop = std::pow(Rmat::a, scale - ones) * std::pow(both_one, ones);
    const double without = std::exp(drawn * std::log1p(-(2 * end - loop)));
    all.push_back({vertices, 2 * drawn * end, static_cast<double>(vertices) * (1 - without)});
    vertices = vertices * static_cast<std::uint64_t>(scale - ones) / static_cast<std::uint64_t>(ones + 1);
  }
  return all;
}

/// A device's rows, at most.
struct Rows {
  std::uint64_t count = 0, arcs = 0;
  std::uint64_t longest = 0;
  double split = 0, pieces = 0;  ///< rows that several blocks put in order, and their pieces
};

/// Ranks are dealt out in turn, by falling degree.
Rows rows_of(const std::vector<Alike>& vertices, std::uint64_t devices, std::uint64_t device) {
  const auto own_below = [&](std::uint64_t rank) { return (rank + devices - 1 - device) / devices; };
  Rows rows;
  double dealt = 0, arcs = 0;
  std::uint64_t all = 0;
  for (const Alike& alike : vertices) {
    const auto own = static_cast<double>(own_below(all + alike.vertices) - own_below(all));
    all += alike.vertices;
    dealt += alike.with_arcs;
    arcs += own * alike.arcs;
    const double longest = at_most(alike.arcs);
    rows.longest = std::max(rows.longest, whole(longest));
    if (longest < static_cast<double>(least_split_arcs)) continue;
    rows.split += own;
    // They are counted by the greatest degree of their class, which is a quarter more at most.
    rows.pieces += own * (1.25 * longest / static_cast<double>(least_split_arcs) + 1);
  }
  rows.count = (std::min(whole(at_most(dealt)), all) + devices - 1) / devices;
  rows.arcs = whole(at_most(arcs));
  return rows;
}

constexpr std::uint64_t word = sizeof(std::uint32_t);
constexpr std::uint64_t classes = (degree_classes + 1) * word;  ///< where each one begins

/// What RowMaker takes for long rows among so many arcs.
std::uint64_t splitting(const Rows& rows, std::uint64_t arcs) {
  const double by_arcs = static_cast<double>(arcs) / static_cast<double>(least_split_arcs) + rows.split;
  return whole(std::min(rows.pieces, by_arcs)) * (1 + degree_classes / 2) * word + 2 * word * (whole(rows.split) + 1);
}

DrawnSteps steps_of(const DrawnSize& size, const Rows& rows, bool is_first) {
  const std::uint64_t vertices = std::uint64_t{1} << size.scale, block = (vertices + size.devices - 1) / size.devices;
  const bool wide = size.wide_offsets || 2 * size.edges > most_narrow_arcs;
  const std::uint64_t offset = wide ? 8 : 4, entry = wide ? 32 : 16;
  const std::uint64_t degrees = word * vertices, ranks = word * vertices + classes;
  const std::uint64_t places = offset * (rows.count + 1), answers = 2 * word * rows.count, neighbors = word * rows.arcs;
  DrawnSteps steps{.ordering = degrees};
  // Offsets, vertices and ranks of all; two counts a class of each 4,096 vertices, and what adding them up takes.
  if (is_first)
    steps.ordering += offset * (vertices + 1) + word * vertices + ranks +
                      2 * word * degree_classes * ((vertices + 4095) / 4096) + vertices / 1024 + 1;
  steps.placing = degrees + ranks + answers + 2 * places;
  const std::uint64_t at_once = std::min(rows.arcs, std::max(size.arcs_at_once, rows.longest));
  steps.dealing = ranks + answers + places + neighbors + word * at_once + places + word * rows.count + splitting(rows, at_once);
  const std::uint64_t ids = size.devices * (rows.count + 31), bitmap = ids / 8 + 256, own_bitmap = rows.count / 8 + 256;
  const std::uint64_t search = word * rows.count              // first neighbours
                               + 2 * entry * rows.count       // two queues
                               + 2 * bitmap + 3 * own_bitmap  // reached and the frontier; two of what was found, visited
                               + word * list_size(ids, size.devices) + 4096;  // and messages between blocks
  const std::uint64_t parents = word * (ids + rows.count) + word * block, check = rows.count;
  steps.searching = places + neighbors + answers + 2 * word * block + search + parents + check;
  return steps;
}

}  // namespace

DrawnMemory drawn_memory(const DrawnSize& size) {
  const auto vertices = expected_vertices(size.scale, size.edges);
  DrawnMemory memory{.first = steps_of(size, rows_of(vertices, size.devices, 0), true),
                     .other = {},
                     .on_host = sizeof(VertexId) << size.scale};
  for (std::uint64_t device = 1; device < size.devices; ++device) {
    const DrawnSteps steps = steps_of(size, rows_of(vertices, size.devices, device), false);
    if (steps.total() > memory.other.total()) memory.other = steps;
  }
  return memory;
}

void require_drawn_memory(const DrawnMemory& memory, const std::vector<std::shared_ptr<device::Device>>& devices,
                          const std::string& graph, std::uint64_t host_free) {
  const auto refuse = [&](const std::string& found) {
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-ENGINE-MEMORY",
                 .where = {.file = graph},
                 .found = found,
                 .expected = "a graph whose shares fit",
                 .hint =
                     "take a smaller --scale or more --gpus; `hopwave estimate rmat:SCALE --gpus N` shows it beforehand, and "
                     "--allow-huge starts all the same"});
  };
  std::uint64_t host = memory.on_host;
  for (const auto& device : devices) {
    const DrawnSteps& steps = device == devices.front() ? memory.first : memory.other;
    const device::KeepCurrent keep(*device);
    const std::uint64_t free = device->memory_free();
    const bool simulated = device->api().schedule != nullptr;
    if (simulated) host += steps.total();
    if (steps.total() > free)
      refuse("device " + std::to_string(device->ordinal()) + " needs about " + bytes_text(steps.total()) + " of memory (" +
             bytes_text(steps.ordering) + " while degrees are counted, " + bytes_text(steps.dealing) +
             " while rows are made, " + bytes_text(steps.searching) + " to search), and " + bytes_text(free) + " are free");
  }
  if (host > host_free)
    refuse("the host needs about " + bytes_text(host) + " of memory (" + bytes_text(memory.on_host) +
           " for the order of the vertices" + (host > memory.on_host ? ", the rest for simulated devices" : "") + "), and " +
           bytes_text(host_free) + " are free");
}

}  // namespace hopwave::engine

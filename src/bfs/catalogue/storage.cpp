// Arrays and blocks of the GPU strategies. Strategies are alike: a shape of plan holds the same arrays for all that have it.
#include "bfs/catalogue/storage.h"

#include <algorithm>
#include <initializer_list>

namespace hopwave::search_detail {
namespace {

/// Arcs up to which offsets are of 32 bits, as in bfs/plan/upload.cpp.
constexpr std::uint64_t most_narrow_arcs = 0xFFFFFFFFull - 4096;
constexpr std::uint64_t source_piece = 4096;  ///< SourceList::piece
constexpr std::uint64_t scan_tile = 512, scan_tree = scan_tile + scan_tile / 32;

std::uint64_t offset_bytes(const StorageShape& s) { return s.arcs > most_narrow_arcs ? 8 : 4; }
std::uint64_t row_bytes(const StorageShape& s) { return offset_bytes(s) * (s.vertices + 1); }

/// Sums of the work-efficient scan: one a tile, and again of those until one is left.
std::uint64_t scan_sums(std::uint64_t count) {
  std::uint64_t sums = 0;
  do {
    count = count ? (count + scan_tile - 1) / scan_tile : 1;
    sums += count;
  } while (count > 1);
  return sums;
}

class Counter {
 public:
  Counter(const StrategyInfo& strategy, const StorageShape& shape, const Parameters& parameters)
      : info_(strategy), s_(shape), parameters_(parameters) {}

  std::optional<Storage> count() {
    if (info_.device != "gpu") return {};
    graph();
    levels();
    const std::string_view name = info_.name;
    if (!(name.starts_with("survey-") ? survey() : name.starts_with("pmpp-") ? pmpp() : others())) return {};
    return std::move(storage_);
  }

 private:
  void add(Held held, std::string what, std::uint64_t bytes) {
    if (bytes) storage_.arrays.push_back({held, std::move(what), bytes});
  }
  [[nodiscard]] std::uint64_t parameter(std::string_view name) const {
    return static_cast<std::uint64_t>(parameters_.find(name)->second);
  }
  void block(std::string kernel, std::uint64_t dynamic_shared = 0, std::uint64_t static_shared = 0) {
    block_of(std::move(kernel), parameter("block"), dynamic_shared, static_shared);
  }
  void block_of(std::string kernel, std::uint64_t threads, std::uint64_t dynamic_shared, std::uint64_t static_shared) {
    storage_.blocks.push_back({std::move(kernel), static_cast<std::uint32_t>(threads), dynamic_shared, static_shared});
  }

  /// As bfs/plan/upload.cpp copies it.
  void graph() {
    const Needs& needs = info_.needs;
    const bool in_is_out = needs.in && s_.symmetric;
    if (needs.out || in_is_out) {
      add(Held::csr, "offsets", row_bytes(s_));
      add(Held::csr, "neighbours", 4 * s_.arcs);
    } else if (needs.arc_sources) {
      add(Held::coo, "targets", 4 * s_.arcs);
    }
    if (needs.in && !in_is_out) {
      add(Held::csc, "offsets", row_bytes(s_));
      add(Held::csc, "neighbours", 4 * s_.arcs);
    }
    if (needs.arc_sources) add(Held::coo, "sources", 4 * s_.arcs);
  }

  /// What every plan has: distances, room for the query's sources, three counters of a trace.
  void levels() {
    add(Held::levels, "distances", 4 * s_.vertices);
    if (s_.parents && info_.native_parents) add(Held::parents, "parents", 4 * s_.vertices);
    add(Held::counters, "sources of the query", 4 * std::min(s_.vertices, source_piece));
    add(Held::counters, "counts of a trace", 3 * 8);
  }

  void flag() { add(Held::counters, "the last level that found something", 4); }
  void queues(std::uint64_t sizes) {
    add(Held::queues, "two queues", 2 * 4 * s_.vertices);
    add(Held::counters, "sizes of the queues", 4 * sizes);
  }
  void flags(std::uint64_t bytes_of_vertex) { add(Held::flags, "flags", bytes_of_vertex * s_.vertices); }

  bool survey() {
    const std::string_view name = info_.name;
    flag();
    if (name == "survey-edge-simple" || name == "survey-edge-numbers") return block("a level"), true;
    add(Held::records, "lengths of the lists", offset_bytes(s_) * s_.vertices);
    if (name == "survey-simple" || name == "survey-frontier-numbers") return block("a level"), true;
    if (name == "survey-frontier") return flags(3), block("expand, update"), true;
    if (name == "survey-virtual-warp") return virtual_warp(), true;
    if (name == "survey-defer") return block("a level", 4 * parameter("queue_size"), 4), true;
    if (name == "survey-hierarchical-queue") return queues(2), block("a level", 4 * parameter("queue_size"), 8), true;
    if (name == "survey-scan-queue") return scan_queue(), true;
    if (name == "survey-reorder-redirect") {
      add(Held::queues, "vertices by degree", 4 * s_.vertices);
    } else if (name == "survey-reorder-physical") {
      add(Held::levels, "new ids", 4 * s_.vertices);
      add(Held::levels, "distances in the caller's order", 4 * s_.vertices);
    } else {
      return false;
    }
    return block("a level"), true;
  }

  /// The block is rounded up to whole virtual warps, whose width is a power of two.
  void virtual_warp() {
    std::uint64_t width = 1;
    while (2 * width <= std::min<std::uint64_t>(parameter("width"), 32)) width *= 2;
    block_of("a level", (parameter("block") + width - 1) / width * width, 0, 0);
  }

  void scan_queue() {
    flags(3);
    add(Held::queues, "places", 4 * s_.vertices);
    add(Held::queues, "queue", 4 * s_.vertices);
    add(Held::counters, "size of the queue", 4);
    block("expand, flags, fill");
    if (parameter("library_scan")) {
      storage_.uncounted = "the library's temporary storage for the scan, and its kernels";
      return;
    }
    add(Held::counters, "sums of the scan's tiles", 4 * scan_sums(s_.vertices));
    block_of("scan", scan_tile / 2, 0, 4 * scan_tree);
  }

  bool pmpp() {
    const std::string_view name = info_.name;
    if (name == "pmpp-direction") {
      add(Held::counters, "totals of a level", 4 * 8 + 2 * 8);
      return block("push, pull, count", 0, 16), true;
    }
    if (name == "pmpp-vertex-push" || name == "pmpp-vertex-pull" || name == "pmpp-edge") return flag(), block("a level"), true;
    if (name == "pmpp-frontier") return queues(2), block("a level"), true;
    if (name != "pmpp-private-frontier" && name != "pmpp-single-grid") return false;
    queues(2);
    const std::uint64_t queue = 4 * parameter("capacity");
    block("a level", queue, 8);
    if (name == "pmpp-single-grid") {
      add(Held::counters, "size and levels of a launch", 8);
      block_of("many levels in one block", parameter("single_block"), 2 * queue, 12);
    }
    return true;
  }

  bool others() {
    if (info_.name == "hn-two-kernel") {
      flag();
      flags(3);
      add(Held::records, "start and length of each node", 2 * offset_bytes(s_) * s_.vertices);
      return block("visit, update"), true;
    }
    if (info_.name != "gpu101-block-per-vertex") return false;
    queues(3);
    add(Held::counters, "size and levels of a launch", 8);
    return block("all levels", 4 * parameter("capacity"), 8), true;
  }

  const StrategyInfo& info_;
  const StorageShape& s_;
  const Parameters& parameters_;
  Storage storage_;
};

}  // namespace

std::string_view held_name(Held held) {
  switch (held) {
    case Held::csr:
      return "CSR";
    case Held::csc:
      return "CSC";
    case Held::coo:
      return "COO";
    case Held::records:
      return "node records";
    case Held::levels:
      return "levels";
    case Held::parents:
      return "parents";
    case Held::queues:
      return "queues";
    case Held::flags:
      return "flags";
    case Held::counters:
      return "counters";
  }
  return {};
}

std::uint64_t Storage::bytes() const {
  std::uint64_t sum = 0;
  for (const StoredArray& array : arrays) sum += array.bytes;
  return sum;
}

std::uint64_t Storage::bytes(Held held) const {
  std::uint64_t sum = 0;
  for (const StoredArray& array : arrays) sum += array.held == held ? array.bytes : 0;
  return sum;
}

std::optional<Storage> device_storage(const StrategyInfo& strategy, const StorageShape& shape, const Parameters& parameters) {
  return Counter(strategy, shape, parameters).count();
}

std::uint64_t representation_bytes(Held held, const StorageShape& shape) {
  if (held == Held::coo) return 8 * shape.arcs;
  const std::uint64_t rows = row_bytes(shape) + 4 * shape.arcs;
  return held == Held::records ? 2 * offset_bytes(shape) * shape.vertices + 4 * shape.arcs : rows;
}

std::uint64_t Residency::blocks() const { return std::min({by_threads, by_shared, by_blocks}); }

const char* Residency::limit() const {
  if (by_shared < std::min(by_threads, by_blocks)) return "shared memory";
  return by_threads <= by_blocks ? "threads" : "blocks";
}

Residency residency(const BlockNeeds& needs, const Multiprocessor& on) {
  const std::uint64_t threads = (std::uint64_t{needs.threads} + on.warp - 1) / on.warp * on.warp;
  Residency r{.by_blocks = on.blocks};
  r.by_threads = on.threads / std::max<std::uint64_t>(threads, 1);
  r.by_shared = needs.shared() > on.shared_of_block ? 0 : on.shared / (needs.shared() + on.reserved_of_block);
  return r;
}

}  // namespace hopwave::search_detail

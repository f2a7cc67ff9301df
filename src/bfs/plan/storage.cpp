// Arrays and blocks of the GPU strategies: what they have in common.
#include "bfs/plan/storage.h"

#include <algorithm>

#include "bfs/plan/upload.h"

namespace hopwave::strategy {
namespace {

constexpr std::uint64_t source_piece = 4096;  ///< SourceList::piece

std::uint64_t offset_bytes_of(const StorageShape& s) { return s.arcs > most_narrow_arcs ? 8 : 4; }
std::uint64_t row_bytes(const StorageShape& s) { return offset_bytes_of(s) * (s.vertices + 1); }

}  // namespace

StorageCount::StorageCount(const StrategyInfo& strategy, const StorageShape& shape, const Parameters& parameters)
    : shape_(shape), parameters_(parameters) {
  graph(strategy.needs);
  add(Held::levels, "distances", 4 * shape.vertices);
  if (shape.parents && strategy.native_parents) add(Held::parents, "parents", 4 * shape.vertices);
  add(Held::counters, "sources of the query", 4 * std::min(shape.vertices, source_piece));
  add(Held::counters, "counts of a trace", 3 * 8);
}

/// As upload.cpp copies it.
void StorageCount::graph(const Needs& needs) {
  const bool in_is_out = needs.in && shape_.symmetric;
  if (needs.out || in_is_out) {
    add(Held::csr, "offsets", row_bytes(shape_));
    add(Held::csr, "neighbours", 4 * shape_.arcs);
  } else if (needs.arc_sources) {
    add(Held::coo, "targets", 4 * shape_.arcs);
  }
  if (needs.in && !in_is_out) {
    add(Held::csc, "offsets", row_bytes(shape_));
    add(Held::csc, "neighbours", 4 * shape_.arcs);
  }
  if (needs.arc_sources) add(Held::coo, "sources", 4 * shape_.arcs);
}

std::uint64_t StorageCount::parameter(std::string_view name) const {
  return static_cast<std::uint64_t>(parameters_.find(name)->second);
}

std::uint64_t StorageCount::offset_bytes() const { return offset_bytes_of(shape_); }

void StorageCount::add(Held held, std::string what, std::uint64_t bytes) {
  if (bytes) storage_.arrays.push_back({held, std::move(what), bytes});
}

void StorageCount::block(std::string kernel, std::uint64_t dynamic_shared, std::uint64_t static_shared) {
  block_of(parameter("block"), std::move(kernel), dynamic_shared, static_shared);
}

void StorageCount::block_of(std::uint64_t threads, std::string kernel, std::uint64_t dynamic_shared,
                            std::uint64_t static_shared) {
  storage_.blocks.push_back({std::move(kernel), static_cast<std::uint32_t>(threads), dynamic_shared, static_shared});
}

void StorageCount::uncounted(std::string what) { storage_.uncounted = std::move(what); }

void StorageCount::two_queues(std::uint64_t sizes) {
  add(Held::queues, "two queues", 2 * 4 * shape_.vertices);
  add(Held::counters, "sizes of the queues", 4 * sizes);
}

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

std::uint64_t representation_bytes(Held held, const StorageShape& shape) {
  if (held == Held::coo) return 8 * shape.arcs;
  const std::uint64_t rows = row_bytes(shape) + 4 * shape.arcs;
  return held == Held::records ? 2 * offset_bytes_of(shape) * shape.vertices + 4 * shape.arcs : rows;
}

}  // namespace hopwave::strategy

// Mapping caller's ids: the bitmap way, the hash way, and the pass that writes the final edges.
#include "io/id_map.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "hopwave/generate.h"

namespace hopwave::io {
namespace {

constexpr std::uint64_t no_id = ~std::uint64_t{0};

/// Ids present, as bits, and how many stand before each word.
class DenseIds {
 public:
  explicit DenseIds(std::uint64_t largest) : words_(static_cast<std::size_t>(largest / 64 + 1)), before_(words_.size()) {
    std::fill(words_.begin(), words_.end(), 0);
  }
  void add(std::uint64_t id) {
    std::atomic_ref<std::uint64_t> word(words_[id / 64]);
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
  }
  /// Returns how many there are.
  std::uint64_t rank_all() {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      before_[i] = static_cast<VertexId>(count);
      count += std::popcount(words_[i]);
    }
    return count;
  }
  [[nodiscard]] VertexId rank(std::uint64_t id) const {
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<VertexId>(std::popcount(below));
  }
  [[nodiscard]] Array<std::int64_t> table(std::uint64_t count) const {
    Array<std::int64_t> table(count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t bits = words_[i]; bits; bits &= bits - 1)
        table[at++] = static_cast<std::int64_t>(64 * i + std::countr_zero(bits));
    return table;
  }

 private:
  Array<std::uint64_t> words_;
  Array<VertexId> before_;
};

/// Ids anywhere in 64 bits: an open-addressing set that is filled by all threads, then given ranks.
class ScatteredIds {
 public:
  explicit ScatteredIds(std::uint64_t most)
      : keys_(std::bit_ceil(std::max<std::uint64_t>(most + most / 2, 64))), ranks_(keys_.size()) {
    std::fill(keys_.begin(), keys_.end(), no_id);
  }
  void add(std::uint64_t id) {
    for (std::size_t i = slot(id);; i = (i + 1) & (keys_.size() - 1)) {
      std::atomic_ref<std::uint64_t> key(keys_[i]);
      std::uint64_t found = key.load(std::memory_order_relaxed);
      // Relaxed is enough: only the key itself is shared, and the slot never changes once taken.
      if (found == no_id && key.compare_exchange_strong(found, id, std::memory_order_relaxed)) return;
      if (found == id) return;
    }
  }
  /// The ids in ascending order; afterwards rank() works.
  Array<std::int64_t> rank_all(Team& team) {
    std::vector<std::int64_t> ids;
    for (const std::uint64_t key : keys_)
      if (key != no_id) ids.push_back(static_cast<std::int64_t>(key));
    sort(ids, team);
    if (ids.size() <= max_vertices)
      parallel_for(team, ids.size(), 1 << 14, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i) ranks_[find(static_cast<std::uint64_t>(ids[i]))] = static_cast<VertexId>(i);
      });
    return Array<std::int64_t>::copy_of(ids);
  }
  [[nodiscard]] VertexId rank(std::uint64_t id) const { return ranks_[find(id)]; }

 private:
  [[nodiscard]] std::size_t slot(std::uint64_t id) const {
    return static_cast<std::size_t>(splitmix64(id)) & (keys_.size() - 1);
  }
  [[nodiscard]] std::size_t find(std::uint64_t id) const {
    std::size_t i = slot(id);
    while (keys_[i] != id) i = (i + 1) & (keys_.size() - 1);
    return i;
  }
  /// Each member sorts a part, then neighbours merge.
  static void sort(std::vector<std::int64_t>& ids, Team& team) {
    const std::size_t parts = std::bit_floor(static_cast<std::size_t>(team.size()));
    const auto cut = [&](std::size_t i) { return ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * i / parts); };
    parallel_for(team, parts, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) std::sort(cut(i), cut(i + 1));
    });
    for (std::size_t width = 1; width < parts; width *= 2)
      parallel_for(team, parts / (2 * width), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i)
          std::inplace_merge(cut(2 * width * i), cut(2 * width * i + width), cut(2 * width * (i + 1)));
      });
  }
  Array<std::uint64_t> keys_;
  Array<VertexId> ranks_;
};

template <class Use>
void for_each_id(const std::vector<RawRows>& parts, const std::vector<std::uint64_t>& extra, Team& team, Use use) {
  parallel_for(team, parts.size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      for (const Edge& e : parts[i].narrow) use(e.source), use(e.target);
      for (const WideEdge& e : parts[i].wide) use(e.source), use(e.target);
    }
  });
  for (const std::uint64_t id : extra) use(id);
}

/// The final arrays, each row at its place.
template <class Map>
void write_edges(RawEdges& raw, const std::vector<RawRows>& parts, Team& team, EdgeList& list, Map map) {
  std::vector<std::size_t> first(parts.size() + 1, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) first[i + 1] = first[i] + parts[i].size();
  list.edges = Array<Edge>(first.back());
  if (raw.weighted) list.weights = Array<Weight>(first.back());
  parallel_for(team, parts.size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      Edge* to = list.edges.data() + first[i];
      for (const Edge& e : parts[i].narrow) *to++ = {map(e.source), map(e.target)};
      for (const WideEdge& e : parts[i].wide) *to++ = {map(e.source), map(e.target)};
      if (raw.weighted && !parts[i].weights.empty())
        std::memcpy(list.weights.data() + first[i], parts[i].weights.data(), parts[i].weights.size_bytes());
    }
  });
  list.report.rows = first.back();
  raw.slabs.clear();
  raw.parts.clear();
}

void check_count(std::uint64_t count, const Input& input) {
  if (count > max_vertices)
    input.fail_file("HW-VERTICES-MAX", std::to_string(count) + " vertices", "at most " + std::to_string(max_vertices),
                    "vertex ids have 32 bits here");
}

}  // namespace

char* Slab::take(std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{8} << 20;
  if (pieces_.empty() || pieces_.back().size() - used_ < bytes) {
    // The first piece is small, so that small files do not cost megabytes.
    pieces_.emplace_back(std::max(bytes, pieces_.empty() ? std::size_t{1} << 18 : piece));
    used_ = 0;
  }
  used_ += bytes;
  return pieces_.back().data() + used_ - bytes;
}

std::vector<RawRows> RawEdges::in_order() {
  std::vector<RawRows> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), [](const RawRows& a, const RawRows& b) { return a.index < b.index; });
  return all;
}

void RowBuffer::add_wide(std::uint64_t u, std::uint64_t v) {
  for (const Edge& e : narrow_) wide_.push_back({e.source, e.target});
  narrow_.clear();
  wide_.push_back({u, v});
}

void RowBuffer::drop_last_row() { wide_.empty() ? narrow_.pop_back() : wide_.pop_back(); }

void RowBuffer::store(RawEdges& to, int rank, std::uint64_t block_index) {
  RawRows rows;
  rows.index = block_index;
  for (const Edge& e : narrow_) {
    rows.largest = std::max<std::uint64_t>(rows.largest, std::max(e.source, e.target));
    rows.smallest = std::min<std::uint64_t>(rows.smallest, std::min(e.source, e.target));
  }
  for (const WideEdge& e : wide_) {
    rows.largest = std::max(rows.largest, std::max(e.source, e.target));
    rows.smallest = std::min(rows.smallest, std::min(e.source, e.target));
  }
  rows.narrow = to.slabs[rank].copy(narrow_, narrow_.size());
  rows.wide = to.slabs[rank].copy(wide_, wide_.size());
  rows.weights = to.slabs[rank].copy(weights_, weights_.size());
  to.parts[rank].push_back(rows);
  clear();
}

void map_ids(RawEdges& raw, std::optional<std::uint64_t> promised, Input& input, EdgeList& list) {
  Team& team = input.team();
  const auto parts = raw.in_order();
  std::uint64_t rows = 0, largest = 0, smallest = no_id;
  for (const RawRows& part : parts) {
    rows += part.size();
    largest = std::max(largest, part.largest);
    smallest = std::min(smallest, part.smallest);
  }
  for (const std::uint64_t id : raw.extra_ids) largest = std::max(largest, id), smallest = std::min(smallest, id);
  if (smallest == no_id) {  // no id at all
    list.num_vertices = static_cast<VertexId>(promised.value_or(0));
    list.ids = Ids::consecutive(list.num_vertices);
    return write_edges(raw, parts, team, list, [](std::uint64_t id) { return static_cast<VertexId>(id); });
  }
  const auto consecutive = [&](std::uint64_t count, std::uint64_t first) {
    check_count(count, input);
    list.num_vertices = static_cast<VertexId>(count);
    list.ids = Ids::consecutive(list.num_vertices, static_cast<std::int64_t>(first));
    write_edges(raw, parts, team, list, [first](std::uint64_t id) { return static_cast<VertexId>(id - first); });
  };
  if (promised && largest < *promised) return consecutive(*promised, 0);
  if (promised && smallest >= 1 && largest == *promised) return consecutive(*promised, 1);

  if (largest / 64 <= 1024 + rows + raw.extra_ids.size()) {
    DenseIds ids(largest);
    for_each_id(parts, raw.extra_ids, team, [&](std::uint64_t id) { ids.add(id); });
    const std::uint64_t count = ids.rank_all();
    if (count == largest - smallest + 1) return consecutive(count, smallest);
    check_count(count, input);
    list.num_vertices = static_cast<VertexId>(count);
    list.ids = Ids::integers(ids.table(count));
    return write_edges(raw, parts, team, list, [&](std::uint64_t id) { return ids.rank(id); });
  }
  ScatteredIds ids(2 * rows + raw.extra_ids.size());
  for_each_id(parts, raw.extra_ids, team, [&](std::uint64_t id) { ids.add(id); });
  Array<std::int64_t> table = ids.rank_all(team);
  check_count(table.size(), input);
  if (table.size() == largest - smallest + 1) return consecutive(table.size(), smallest);
  list.num_vertices = static_cast<VertexId>(table.size());
  list.ids = Ids::integers(std::move(table));
  write_edges(raw, parts, team, list, [&](std::uint64_t id) { return ids.rank(id); });
}

void take_ids(RawEdges& raw, VertexId num_vertices, std::int64_t first, Team& team, EdgeList& list) {
  list.num_vertices = num_vertices;
  list.ids = Ids::consecutive(num_vertices, first);
  const auto parts = raw.in_order();
  write_edges(raw, parts, team, list, [](std::uint64_t id) { return static_cast<VertexId>(id); });
}

}  // namespace hopwave::io

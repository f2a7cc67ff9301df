// Mapping caller's ids: the bitmap way, the hash way, and the pass that writes the final edges.
#include "io/id_map.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "io/compact_ids.h"

namespace hopwave::io {
namespace {

constexpr std::uint64_t no_id = ~std::uint64_t{0};

void check_count(std::uint64_t count, const Input& input) {
  if (count > max_vertices)
    input.fail_file("HW-VERTICES-MAX", std::to_string(count) + " vertices", "at most " + std::to_string(max_vertices),
                    "vertex ids have 32 bits here");
}

}  // namespace

void RowBuffer::add_wide(std::uint64_t u, std::uint64_t v) {
  for (const Edge& e : narrow_) wide_.push_back({e.source, e.target});
  narrow_.clear();
  wide_.push_back({u, v});
}

RowStore::RowStore(Input& input, bool weighted) : input_(input), weighted_(weighted) {
  constexpr std::size_t sample = std::size_t{1} << 16;
  const std::string_view head = input.head(sample);
  if (!input.size() || *input.size() <= sample || head.empty()) return;
  // The last lines of a file tend to be longer than its first (ids grow), so a guess from the head is ample.
  const auto lines = static_cast<std::uint64_t>(std::count(head.begin(), head.end(), '\n')) + 1;
  const std::uint64_t room = *input.size() / (std::max<std::uint64_t>(head.size() / lines, 4)) + 1024;
  edges_ = Array<Edge>(room);
}

void RowStore::put(RowBuffer& rows, std::uint64_t block_index) {
  std::vector<std::pair<std::size_t, RowBuffer>> ready;
  {
    const std::lock_guard lock(mutex_);
    std::swap(waiting_[block_index], rows);
    for (auto it = waiting_.find(next_index_); it != waiting_.end(); it = waiting_.find(next_index_)) {
      placed_.push_back({next_index_++, total_, it->second.size()});
      needs_.add(it->second.weights_.needs());
      if (weighted_ && weights_.empty() && !edges_.empty() && it->second.size())
        weights_ = WeightArray(it->second.weights_.needs().type(), edges_.size());
      ready.emplace_back(total_, std::move(it->second));
      total_ += placed_.back().count;
      waiting_.erase(it);
    }
    if (!spare_.empty()) {
      rows = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  for (auto& [first, buffer] : ready) place(first, std::move(buffer));
}

/// Copies rows to their place, which is theirs alone, so no lock is held; what does not fit is kept.
void RowStore::place(std::size_t first, RowBuffer rows) {
  std::uint64_t largest = 0, smallest = no_id;
  for (const Edge& e : rows.narrow_) {
    largest = std::max<std::uint64_t>(largest, std::max(e.source, e.target));
    smallest = std::min<std::uint64_t>(smallest, std::min(e.source, e.target));
  }
  for (const WideEdge& e : rows.wide_) {
    largest = std::max({largest, e.source, e.target});
    smallest = std::min({smallest, e.source, e.target});
  }
  const std::size_t count = rows.size();
  const bool typed = !weighted_ || (!weights_.empty() && rows.weights_.needs().fit(weights_.type()));
  const bool fits = rows.wide_.empty() && typed && first + count <= edges_.size();
  std::uint64_t rounded = 0;
  Piece piece{.first = first, .narrow = {}, .wide = {}, .weights = {}};
  if (fits && count) {
    std::memcpy(edges_.data() + first, rows.narrow_.data(), count * sizeof(Edge));
    if (weighted_) rounded = weights_.put(first, rows.weights_);
  } else if (count) {
    piece.narrow = Array<Edge>::copy_of(rows.narrow_);
    piece.wide = std::move(rows.wide_);
    piece.weights = std::move(rows.weights_);
  }
  rows.clear();
  const std::lock_guard lock(mutex_);
  largest_ = std::max(largest_, largest);
  smallest_ = std::min(smallest_, smallest);
  rounded_ += rounded;
  if (!fits && count) apart_.push_back(std::move(piece));
  spare_.push_back(std::move(rows));
}

/// Brings the rows kept apart to their places; those with ids beyond 32 bits follow when they are mapped.
void RowStore::join() {
  if (total_ > edges_.size()) {
    Array<Edge> all(total_);
    std::size_t copied = 0;  // rows that are in edges_ come before all that did not fit
    for (const Placed& p : placed_)
      if (p.first + p.count <= edges_.size()) copied = p.first + p.count;
    if (copied) std::memcpy(all.data(), edges_.data(), copied * sizeof(Edge));
    edges_ = std::move(all);
  }
  if (weighted_ && total_ && (weights_.size() < total_ || weights_.type() != needs_.type())) {
    WeightArray all(needs_.type(), total_);
    // Of another type, too: pieces that needed that type are placed where weights_ has nothing.
    rounded_ += all.take(weights_, std::min(total_, weights_.size()), input_.team());
    weights_ = std::move(all);
  }
  std::atomic<std::uint64_t> rounded{0};
  parallel_for(input_.team(), apart_.size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      Piece& piece = apart_[i];
      if (!piece.narrow.empty())
        std::memcpy(edges_.data() + piece.first, piece.narrow.data(), piece.narrow.span().size_bytes());
      if (piece.weights.size()) rounded.fetch_add(weights_.put(piece.first, piece.weights), std::memory_order_relaxed);
      piece.narrow = {};
      piece.weights = {};
    }
  });
  rounded_ += rounded.load();
  std::erase_if(apart_, [](const Piece& piece) { return piece.wide.empty(); });
  std::sort(apart_.begin(), apart_.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  edges_.truncate(total_);
  weights_.truncate(total_);
  spare_.clear();
}

std::span<Edge> RowStore::edges() {
  join();
  return edges_.span();
}

/// Calls use(edge) for all rows with 32-bit ids and use_wide(place, edge) for the others.
template <class Use, class UseWide>
void RowStore::for_each(Use use, UseWide use_wide) {
  std::size_t at = 0;
  const auto stretch = [&](std::size_t first, std::size_t last) {  // between wide rows
    parallel_for(input_.team(), last - first, 1 << 16, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = first + begin; i < first + end; ++i) use(edges_[i]);
    });
  };
  for (const Piece& piece : apart_) {
    stretch(at, piece.first);
    at = piece.first + piece.wide.size();
  }
  stretch(at, total_);
  parallel_for(input_.team(), apart_.size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < apart_[i].wide.size(); ++k) use_wide(edges_[apart_[i].first + k], apart_[i].wide[k]);
  });
}

template <class Add>
void RowStore::add_all_ids(Add add) {
  for_each([&](const Edge& e) { add(e.source), add(e.target); },
           [&](const Edge&, const WideEdge& e) { add(e.source), add(e.target); });
  for (const std::uint64_t id : extra_ids) add(id);
}

/// Maps in place and hands the arrays over.
template <class Map>
void RowStore::finish(VertexId num_vertices, Ids ids, EdgeList& list, Map map) {
  for_each(
      [&](Edge& e) {
        e = {map(e.source), map(e.target)};
      },
      [&](Edge& to, const WideEdge& e) {
        to = {map(e.source), map(e.target)};
      });
  hand_over(num_vertices, std::move(ids), list);
}

void RowStore::hand_over(VertexId num_vertices, Ids ids, EdgeList& list) {
  list.num_vertices = num_vertices;
  list.ids = std::move(ids);
  list.report.rows = total_;
  list.edges = std::move(edges_);
  list.weights = std::move(weights_).done();
  list.report.weights_rounded += rounded_;
}

void RowStore::consecutive(std::uint64_t count, std::uint64_t first, EdgeList& list) {
  check_count(count, input_);
  const auto n = static_cast<VertexId>(count);
  Ids ids = Ids::consecutive(n, static_cast<std::int64_t>(first));
  if (first == 0 && apart_.empty()) return hand_over(n, std::move(ids), list);
  finish(n, std::move(ids), list, [first](std::uint64_t id) { return static_cast<VertexId>(id - first); });
}

void RowStore::map_ids(std::optional<std::uint64_t> promised, EdgeList& list) {
  join();
  for (const std::uint64_t id : extra_ids) largest_ = std::max(largest_, id), smallest_ = std::min(smallest_, id);
  if (smallest_ == no_id) return consecutive(promised.value_or(0), 0, list);  // no id at all
  if (promised && largest_ < *promised) return consecutive(*promised, 0, list);
  if (promised && smallest_ >= 1 && largest_ == *promised) return consecutive(*promised, 1, list);

  if (DenseIds::suits(largest_, total_ + extra_ids.size())) {
    DenseIds ids(largest_, input_.team());
    add_all_ids([&](std::uint64_t id) { ids.add(id); });
    const std::uint64_t count = ids.rank_all();
    if (count == largest_ - smallest_ + 1) return consecutive(count, smallest_, list);
    check_count(count, input_);
    return finish(static_cast<VertexId>(count), Ids::integers(ids.table(count)), list,
                  [&](std::uint64_t id) { return ids.rank(id); });
  }
  ScatteredIds ids(2 * total_ + extra_ids.size());
  add_all_ids([&](std::uint64_t id) { ids.add(id); });
  Array<std::int64_t> table = ids.rank_all(input_.team());
  check_count(table.size(), input_);
  if (table.size() == largest_ - smallest_ + 1) return consecutive(table.size(), smallest_, list);
  const auto count = static_cast<VertexId>(table.size());
  finish(count, Ids::integers(std::move(table)), list, [&](std::uint64_t id) { return ids.rank(id); });
}

void RowStore::take_ids(VertexId num_vertices, std::int64_t first, EdgeList& list) {
  join();
  hand_over(num_vertices, Ids::consecutive(num_vertices, first), list);
}

}  // namespace hopwave::io

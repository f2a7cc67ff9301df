// Octile routes: A* (Hart, Nilsson & Raphael 1968) with buckets one unit wide as its queue. Cells of a bucket may be
// expanded again if a shorter route appears. The goal's bucket is emptied before the search ends, so the length is
// exact.
#include <algorithm>
#include <cmath>

#include "core/refuse.h"
#include "hopwave/error.h"
#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

const double root2 = std::sqrt(2.0);

double value(std::uint32_t straight, std::uint32_t diagonal) { return straight + diagonal * root2; }

/// Returns a lower bound for a route that begins with these steps. The added part is never more than what remains, and
/// a step changes it by at most its own length.
double estimate(const Cell& a, const Cell& b, std::uint32_t straight, std::uint32_t diagonal) {
  const std::uint32_t dx = a.x > b.x ? a.x - b.x : b.x - a.x, dy = a.y > b.y ? a.y - b.y : b.y - a.y;
  return value(straight + std::max(dx, dy) - std::min(dx, dy), diagonal + std::min(dx, dy));
}

constexpr std::uint8_t no_step = 8;
constexpr int step_x[] = {-1, 1, 0, 0, -1, 1, -1, 1}, step_y[] = {0, 0, -1, 1, -1, -1, 1, 1};

}  // namespace

OctileSearch::OctileSearch(const Grid& grid) : grid_(grid) {
  if (grid.layers() != 1)
    core::refuse("HW-ROUTE-LAYERS", "diagonal steps on " + std::to_string(grid.layers()) + " layers", "a maze of one layer");
  labels_.resize(grid.num_bits());
}

void OctileSearch::push(const Entry& entry, const Cell* goal, double base) {
  const double least =
      goal ? estimate(grid_.cell(entry.cell), *goal, entry.straight, entry.diagonal) : value(entry.straight, entry.diagonal);
  // A rounding error must not put a cell before the current bucket: the sum is raised by far less than a bucket.
  const auto bucket = static_cast<std::size_t>(std::max(0.0, least - base + 1e-7));
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  buckets_[bucket].push_back(entry);
}

void OctileSearch::expand(const Entry& entry, const Cell* goal, double base) {
  ++expanded_;
  const auto row = static_cast<std::int64_t>(grid_.row_words() * 64);
  const std::int64_t cell = entry.cell;
  const auto open = [&](std::int64_t i) { return grid_.free(static_cast<CellIndex>(i)); };
  const bool west = open(cell - 1), east = open(cell + 1), north = open(cell - row), south = open(cell + row);
  const bool ways[] = {west,
                       east,
                       north,
                       south,
                       west && north && open(cell - row - 1),
                       east && north && open(cell - row + 1),
                       west && south && open(cell + row - 1),
                       east && south && open(cell + row + 1)};
  for (std::uint8_t k = 0; k < 8; ++k) {
    if (!ways[k]) continue;
    const auto to = static_cast<CellIndex>(cell + step_x[k] + step_y[k] * row);
    const Entry next{to, entry.straight + (k < 4), entry.diagonal + (k >= 4)};
    Label& label = labels_[to];
    if (label.round == round_ && value(label.straight, label.diagonal) <= value(next.straight, next.diagonal)) continue;
    label = {round_, next.straight, next.diagonal, k};
    push(next, goal, base);
  }
}

void OctileSearch::search(CellIndex start, const Cell* goal) {
  if (++round_ == 0) {  // the counter wrapped around: reset all labels
    std::fill(labels_.begin(), labels_.end(), Label{});
    round_ = 1;
  }
  for (auto& bucket : buckets_) bucket.clear();
  const double base = goal ? estimate(grid_.cell(start), *goal, 0, 0) : 0;
  const Label* const end = goal ? &labels_[grid_.index(*goal)] : nullptr;
  // In an open grid most cells are on a shortest route: once one route is found, the other cells need not be examined.
  const auto no_nearer = [&](const Entry& entry) {
    return end && end->round == round_ &&
           estimate(grid_.cell(entry.cell), *goal, entry.straight, entry.diagonal) >= value(end->straight, end->diagonal);
  };
  labels_[start] = {round_, 0, 0, no_step};
  push({start, 0, 0}, goal, base);
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    while (!buckets_[b].empty()) {
      const Entry entry = buckets_[b].back();
      buckets_[b].pop_back();
      const Label& label = labels_[entry.cell];
      if (label.straight != entry.straight || label.diagonal != entry.diagonal || no_nearer(entry)) continue;
      expand(entry, goal, base);
    }
    // The bucket of the goal's own label is empty: no shorter route can follow.
    if (end && end->round == round_ && value(end->straight, end->diagonal) - base + 1e-7 < static_cast<double>(b + 1)) return;
  }
}

double OctileSearch::length(const Cell& start, const Cell& goal, std::vector<Cell>* path) {
  require_free(grid_, start);
  require_free(grid_, goal);
  expanded_ = 0;
  search(grid_.index(start), &goal);
  const auto row = static_cast<std::int64_t>(grid_.row_words() * 64);
  CellIndex cell = grid_.index(goal);
  if (labels_[cell].round != round_) return -1;
  straight_ = labels_[cell].straight;
  diagonal_ = labels_[cell].diagonal;
  if (path) {
    path->clear();
    for (;;) {
      path->push_back(grid_.cell(cell));
      const std::uint8_t k = labels_[cell].from;
      if (k == no_step) break;
      cell = static_cast<CellIndex>(cell - step_x[k] - step_y[k] * row);
    }
    std::reverse(path->begin(), path->end());
  }
  return value(straight_, diagonal_);
}

std::vector<float> OctileSearch::lengths(const Cell& start) {
  require_free(grid_, start);
  expanded_ = 0;
  search(grid_.index(start), nullptr);
  std::vector<float> all(labels_.size(), -1.0f);
  for (std::size_t i = 0; i < labels_.size(); ++i)
    if (labels_[i].round == round_) all[i] = static_cast<float>(value(labels_[i].straight, labels_[i].diagonal));
  return all;
}

}  // namespace hopwave::inline v0_1::route

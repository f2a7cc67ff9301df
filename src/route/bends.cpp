// Cheapest routes with vias at a cost, and of these one with the fewest bends. A state is a cell and the direction in
// which it was entered; its label is cost, then bends. Buckets by cost (Dial 1969): when the search reaches a bucket,
// its labels are final, since every step costs at least 1. A heap holds the costs of the nonempty buckets: with
// expensive vias there are few.
#include <algorithm>
#include <functional>
#include <queue>

#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

constexpr int headings = 5;                           // west, east, north, south; 4: none yet
constexpr std::uint32_t unset = ~std::uint32_t{0};    // bends
constexpr std::uint64_t no_cost = ~std::uint64_t{0};  // vias may cost 65,535 each: a sum has 64 bits

struct Label {
  std::uint64_t cost = no_cost;
  std::uint32_t bends = unset;
  std::uint8_t step = 6;     // the last step: 0 … 3 within the layer, 4 and 5 between layers, 6: source
  std::uint8_t heading = 4;  // before that step
};

class Bends {
 public:
  Bends(const Grid& grid, const RouteOptions& options)
      : grid_(grid),
        options_(options),
        labels_(grid.num_bits() * headings),
        target_(grid.num_bits()),
        buckets_(options.via_cost + 1) {
    const auto row = static_cast<std::int64_t>(grid.row_words() * 64),
               plane = static_cast<std::int64_t>(grid.plane_words() * 64);
    const std::int64_t steps[] = {-1, 1, -row, row, -plane, plane};
    std::copy(std::begin(steps), std::end(steps), steps_);
  }

  Way run(std::span<const CellIndex> sources, std::span<const CellIndex> targets) {
    for (const CellIndex t : targets) target_[t] = true;
    for (const CellIndex s : sources) improve(s, 4, {.cost = 0, .bends = 0});
    Way way;
    std::vector<bool> counted(grid_.num_bits());
    for (std::uint64_t turn = 1; !costs_.empty(); ++turn) {
      const std::uint64_t cost = costs_.top();
      costs_.pop();
      auto& bucket = buckets_[cost % buckets_.size()];
      if (turn % 256 == 0) report_level(options_, turn);
      std::uint64_t best = ~std::uint64_t{0};
      for (const std::uint64_t state : bucket) {
        const auto cell = static_cast<CellIndex>(state / headings);
        if (labels_[state].cost != cost) continue;
        way.reached += !counted[cell];
        counted[cell] = true;
        way.levels = cost;
        if (target_[cell] && (best == ~std::uint64_t{0} || labels_[state].bends < labels_[best].bends)) best = state;
      }
      if (best != ~std::uint64_t{0}) {
        trace(best, way);
        return way;
      }
      std::vector<std::uint64_t> states;
      states.swap(bucket);  // with a via cost of 1 this bucket does not grow meanwhile, but its memory may move
      for (const std::uint64_t state : states)
        if (labels_[state].cost == cost) expand(state);
    }
    return way;
  }

 private:
  void improve(std::uint64_t cell, int heading, const Label& label) {
    Label& mine = labels_[cell * headings + static_cast<std::uint64_t>(heading)];
    if (mine.cost < label.cost || (mine.cost == label.cost && mine.bends <= label.bends)) return;
    const bool listed = mine.cost == label.cost;  // it is in this bucket already
    mine = label;
    if (listed) return;
    auto& bucket = buckets_[label.cost % buckets_.size()];
    if (bucket.empty()) costs_.push(label.cost);
    bucket.push_back(cell * headings + static_cast<std::uint64_t>(heading));
  }

  void expand(std::uint64_t state) {
    const auto cell = static_cast<std::int64_t>(state / headings);
    const int heading = static_cast<int>(state % headings);
    const Label label = labels_[state];
    const int count = grid_.layers() > 1 ? 6 : 4;
    for (int k = 0; k < count; ++k) {
      const std::int64_t to = cell + steps_[k];
      if (to < 0 || to >= static_cast<std::int64_t>(grid_.num_bits()) || !grid_.free(static_cast<CellIndex>(to))) continue;
      const bool bend = k < 4 && heading != 4 && heading != k;
      improve(static_cast<std::uint64_t>(to), k < 4 ? k : heading,
              {.cost = label.cost + (k < 4 ? 1 : options_.via_cost),
               .bends = label.bends + bend,
               .step = static_cast<std::uint8_t>(k),
               .heading = static_cast<std::uint8_t>(heading)});
    }
  }

  void trace(std::uint64_t state, Way& way) const {
    way.found = true;
    way.cost = labels_[state].cost;
    for (;;) {
      const Label& label = labels_[state];
      const auto cell = static_cast<std::int64_t>(state / headings);
      way.cells.push_back(static_cast<CellIndex>(cell));
      if (label.step == 6) break;
      state = static_cast<std::uint64_t>(cell - steps_[label.step]) * headings + label.heading;
    }
    std::reverse(way.cells.begin(), way.cells.end());
  }

  const Grid& grid_;
  const RouteOptions& options_;
  std::vector<Label> labels_;
  std::vector<bool> target_;
  std::vector<std::vector<std::uint64_t>> buckets_;
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> costs_;  // of the nonempty buckets
  std::int64_t steps_[6] = {};
};

}  // namespace

Way find_by_bends(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options) {
  return Bends(grid, options).run(sources, targets);
}

}  // namespace hopwave::inline v0_1::route

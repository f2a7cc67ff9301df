// The wavefront, 64 cells at a time: a word of the frontier spreads by two shifts, and to the words on both sides,
// above and below. Source: Lee (1961); tracing back by the level modulo three is Akers (1967). This implementation
// keeps a list of the frontier's words, so a level costs in proportion to its frontier and not to the grid.
#include <bit>

#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;

/// The state of 64 cells, in one cache line.
struct alignas(64) Word {
  std::uint64_t open = 0;  // free and not yet reached
  std::uint64_t low = 0;   // level mod 3, two bits per cell: 01, 10 or 11; 00: not reached
  std::uint64_t high = 0;  //
  std::uint64_t target = 0;
  std::uint64_t front[2] = {};  // the frontier of even and of odd levels
};

class Wave {
 public:
  Wave(const Grid& grid, const RouteOptions& options)
      : options_(options), row_(grid.row_words()), plane_(grid.plane_words()), words_(grid.words().size()) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w].open = grid.words()[w];
  }

  Way run(std::span<const CellIndex> sources, std::span<const CellIndex> targets) {
    for (const CellIndex t : targets) words_[t >> 6].target |= std::uint64_t{1} << (t & 63);
    for (const CellIndex s : sources) {
      const std::uint64_t bit = std::uint64_t{1} << (s & 63);
      discover(s >> 6, bit, 0);
    }
    Way way;
    for (std::uint64_t level = 0;; ++level) {
      // The frontier of `level` is complete: label it, count it, check for targets.
      std::size_t hit = words_.size();
      const int now = level & 1;
      for (const std::uint32_t w : list_[now]) {
        Word& word = words_[w];
        if (level % 3 != 1) word.low |= word.front[now];
        if (level % 3 != 0) word.high |= word.front[now];
        way.reached += static_cast<std::uint64_t>(std::popcount(word.front[now]));
        if ((word.front[now] & word.target) && w < hit) hit = w;
      }
      way.levels = level;
      if (hit < words_.size()) {
        way.found = true;
        way.cost = level;
        trace(hit * 64 + static_cast<std::size_t>(std::countr_zero(words_[hit].front[now] & words_[hit].target)), level, way);
        return way;
      }
      if (list_[now].empty()) {
        way.levels = level ? level - 1 : 0;  // the last level with a cell
        return way;
      }
      if (level % 256 == 255) report_level(options_, level);
      spread(now);
    }
  }

 private:
  void discover(std::size_t w, std::uint64_t cells, int which) {
    Word& word = words_[w];
    cells &= word.open;
    if (!cells) return;
    if (!word.front[which]) list_[which].push_back(static_cast<std::uint32_t>(w));
    word.front[which] |= cells;
    word.open ^= cells;
  }

  void spread(int now) {
    const int next = now ^ 1;
    list_[next].clear();
    for (const std::uint32_t w : list_[now]) {
      const std::uint64_t f = words_[w].front[now];
      words_[w].front[now] = 0;
      discover(w, (f << 1) | (f >> 1), next);
      if (f & 1) discover(w - 1, top_bit, next);
      if (f & top_bit) discover(w + 1, 1, next);
      discover(w - row_, f, next);  // the rows of walls around a layer keep this inside the layer
      discover(w + row_, f, next);
      if (w >= plane_) discover(w - plane_, f, next);
      if (w + plane_ < words_.size()) discover(w + plane_, f, next);
    }
  }

  /// Returns level mod 3, plus 1; 0: not reached.
  [[nodiscard]] std::uint64_t label(std::size_t cell) const {
    const Word& word = words_[cell >> 6];
    const auto bit = cell & 63;
    const std::uint64_t low = word.low >> bit & 1, high = word.high >> bit & 1;
    // 0 → 01, 1 → 10, 2 → 11
    return high * 2 + low;
  }

  void trace(std::size_t cell, std::uint64_t level, Way& way) const {
    way.cells.resize(level + 1);
    way.cells[level] = static_cast<CellIndex>(cell);
    const std::ptrdiff_t up = static_cast<std::ptrdiff_t>(row_ * 64), below = static_cast<std::ptrdiff_t>(plane_ * 64);
    const std::ptrdiff_t steps[] = {-1, 1, -up, up, -below, below};
    std::ptrdiff_t last = 0;
    const auto all = static_cast<std::ptrdiff_t>(words_.size() * 64);
    while (level > 0) {
      --level;
      // A neighbour's level differs by one, so modulo three distinguishes the previous level from the next one. It
      // continues straight on where possible.
      const auto fits = [&](std::ptrdiff_t step) {
        const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(cell) + step;
        return step != 0 && to >= 0 && to < all && label(static_cast<std::size_t>(to)) == level % 3 + 1;
      };
      if (!fits(last))
        for (const std::ptrdiff_t step : steps)
          if (fits(step)) {
            last = step;
            break;
          }
      cell = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + last);
      way.cells[level] = static_cast<CellIndex>(cell);
    }
  }

  const RouteOptions& options_;
  const std::size_t row_, plane_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> list_[2];
};

}  // namespace

Way find_by_words(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options) {
  return Wave(grid, options).run(sources, targets);
}

}  // namespace hopwave::inline v0_1::route

// Mazes made rather than read: corridors one cell wide with exactly one way between any two cells, and walls at random.
#include <algorithm>
#include <charconv>
#include <utility>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/route.h"

namespace hopwave::inline v0_1::route {
namespace {

/// A stream of random numbers that a seed fixes on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(splitmix64(seed)) {}
  std::uint64_t operator()() { return splitmix64(state_++); }

 private:
  std::uint64_t state_;
};

[[noreturn]] void bad_spec(const std::string& spec) {
  throw Error({.failure = Failure::usage,
               .id = "HW-MAZE-SPEC",
               .found = "'" + spec + "'",
               .expected = "maze:WIDTHxHEIGHT[,SEED] or random:WIDTHxHEIGHT[,WALLS[,SEED]], walls in per cent"});
}

std::vector<std::uint64_t> numbers(const std::string& spec) {
  std::vector<std::uint64_t> all;
  const char* at = spec.data() + spec.find(':') + 1;
  const char* const end = spec.data() + spec.size();
  while (true) {
    std::uint64_t value = 0;
    const auto [next, status] = std::from_chars(at, end, value);
    if (status != std::errc{}) bad_spec(spec);
    all.push_back(value);
    if (next == end) return all;
    if (*next != (all.size() == 1 ? 'x' : ',')) bad_spec(spec);
    at = next + 1;
  }
}

/// Free cells in a row, without a wall between them.
struct Run {
  std::uint32_t begin, end, y;
};

/// Calls run(Run) for all runs, row by row.
template <class Take>
void each_run(const Grid& grid, Take&& take) {
  for (std::uint32_t y = 0; y < grid.height(); ++y)
    for (std::uint32_t x = 0; x < grid.width();) {
      if (!grid.free({x, y})) {
        ++x;
        continue;
      }
      const std::uint32_t begin = x;
      while (x < grid.width() && grid.free({x, y})) ++x;
      take(Run{begin, x, y});
    }
}

/// Regions of free cells, as sets of runs; a region's name is its first run's number.
class Regions {
 public:
  explicit Regions(const Grid& grid) {
    std::vector<Numbered> above, row;
    std::size_t from = 0;
    each_run(grid, [&](const Run& run) {
      if (!row.empty() && row.back().run.y != run.y) above = std::exchange(row, {}), from = 0;
      if (!above.empty() && above.back().run.y + 1 != run.y) above.clear();
      const auto number = static_cast<std::uint32_t>(first_.size());
      first_.push_back(number);
      cells_.push_back(run.end - run.begin);
      row.push_back({run, number});
      while (from < above.size() && above[from].run.end <= run.begin) ++from;
      for (std::size_t i = from; i < above.size() && above[i].run.begin < run.end; ++i) join(above[i].number, number);
    });
  }

  std::uint32_t region(std::uint32_t run) {
    while (first_[run] != run) run = first_[run] = first_[first_[run]];
    return run;
  }
  /// The first of the largest ones.
  std::uint32_t largest() const {
    return static_cast<std::uint32_t>(std::max_element(cells_.begin(), cells_.end()) - cells_.begin());
  }
  std::uint64_t cells(std::uint32_t region) const { return cells_[region]; }
  bool none() const { return first_.empty(); }

 private:
  struct Numbered {
    Run run;
    std::uint32_t number;
  };

  void join(std::uint32_t a, std::uint32_t b) {
    a = region(a), b = region(b);
    if (a == b) return;
    if (a > b) std::swap(a, b);
    first_[b] = a;
    cells_[a] += std::exchange(cells_[b], 0);
  }

  std::vector<std::uint32_t> first_;
  std::vector<std::uint64_t> cells_;
};

/// From the first cell of the largest region to its last: those of the whole maze may be walled in.
void choose_ends(Maze& maze) {
  Regions regions(maze.grid);
  if (regions.none()) return;
  const std::uint32_t largest = regions.largest();
  std::uint32_t number = 0;
  each_run(maze.grid, [&](const Run& run) {
    if (regions.region(number++) != largest) return;
    if (maze.starts.empty()) maze.starts = {{run.begin, run.y}};
    maze.ends = {{run.end - 1, run.y}};
  });
  maze.ends_chosen =
      "the first and the last cell of the largest free region, which has " + std::to_string(regions.cells(largest)) + " cells";
}

}  // namespace

Grid perfect_maze(std::uint64_t width, std::uint64_t height, std::uint64_t seed) {
  Grid grid(width, height);
  if (width < 3 || height < 3) return grid;
  const auto across = static_cast<std::uint32_t>((width - 1) / 2), down = static_cast<std::uint32_t>((height - 1) / 2);
  Draw draw(seed);
  // Rooms on odd cells; a step back needs only the direction that led there.
  std::vector<std::uint8_t> came(std::size_t{across} * down, 4);
  std::uint32_t x = 0, y = 0;
  came[0] = 5;
  grid.set_free({1, 1});
  for (;;) {
    int open[4], count = 0;
    const auto unseen = [&](std::uint32_t cx, std::uint32_t cy) {
      return cx < across && cy < down && came[std::size_t{cy} * across + cx] == 4;
    };
    if (unseen(x + 1, y)) open[count++] = 0;
    if (unseen(x - 1, y)) open[count++] = 1;
    if (unseen(x, y + 1)) open[count++] = 2;
    if (unseen(x, y - 1)) open[count++] = 3;
    const int way = count ? open[draw() % static_cast<unsigned>(count)] : came[std::size_t{y} * across + x] ^ 1;
    if (!count && came[std::size_t{y} * across + x] == 5) return grid;
    const std::uint32_t dx = way == 0 ? 1 : way == 1 ? ~0u : 0, dy = way == 2 ? 1 : way == 3 ? ~0u : 0;
    if (count) {
      grid.set_free({2 * x + 1 + dx, 2 * y + 1 + dy});
      grid.set_free({2 * (x + dx) + 1, 2 * (y + dy) + 1});
      came[std::size_t{y + dy} * across + (x + dx)] = static_cast<std::uint8_t>(way);
    }
    x += dx;
    y += dy;
  }
}

Grid random_walls(std::uint64_t width, std::uint64_t height, unsigned percent, std::uint64_t seed) {
  Grid grid(width, height);
  Draw draw(seed);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      if (draw() % 100 >= percent) grid.set_free({x, y});
  return grid;
}

bool is_maze_spec(const std::string& text) { return text.starts_with("maze:") || text.starts_with("random:"); }

Maze make_maze(const std::string& spec) {
  if (!is_maze_spec(spec)) bad_spec(spec);
  const std::vector<std::uint64_t> n = numbers(spec);
  const bool perfect = spec.starts_with("maze:");
  if (n.size() < 2 || n.size() > (perfect ? 3u : 4u) || (!perfect && n.size() > 2 && n[2] > 100)) bad_spec(spec);
  Maze maze;
  maze.name = spec;
  maze.format = "made";
  maze.grid = perfect ? perfect_maze(n[0], n[1], n.size() > 2 ? n[2] : 1)
                      : random_walls(n[0], n[1], n.size() > 2 ? static_cast<unsigned>(n[2]) : 30, n.size() > 3 ? n[3] : 1);
  choose_ends(maze);
  return maze;
}

}  // namespace hopwave::inline v0_1::route

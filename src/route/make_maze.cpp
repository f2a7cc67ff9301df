// Generated mazes: corridors one cell wide with exactly one path between any two cells, and random walls.
#include <algorithm>
#include <charconv>
#include <utility>

#include "core/refuse.h"
#include "core/reporter.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/route.h"

namespace hopwave::inline v0_1::route {
namespace {

/// A stream of random numbers that the seed determines, the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(splitmix64(seed)) {}
  std::uint64_t operator()() { return splitmix64(state_++); }

 private:
  std::uint64_t state_;
};

[[noreturn]] void bad_spec(const std::string& spec) {
  core::refuse("HW-MAZE-SPEC", "'" + spec + "'",
               "maze:WIDTHxHEIGHT[,SEED] or random:WIDTHxHEIGHT[,WALLS[,SEED]], walls in per cent");
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

/// Progress in cells: those of the grid are counted row by row.
using Cells = core::Reporter;
constexpr std::uint64_t cells_between_reports = std::uint64_t{1} << 13;

/// Calls run(Run) for all runs, row by row.
template <class Take>
void each_run(const Grid& grid, Cells& cells, Take&& take) {
  for (std::uint32_t y = 0; y < grid.height(); ++y) {
    cells.add(grid.width(), 0);
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
}

/// Regions of free cells, as sets of runs; a region is identified by its first run's number.
class Regions {
 public:
  Regions(const Grid& grid, Cells& cells) {
    std::vector<Numbered> above, row;
    std::size_t from = 0;
    each_run(grid, cells, [&](const Run& run) {
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
  /// Returns the first of the largest regions.
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

/// Sets the ends to the first and the last cell of the largest region: the first and last free cell of the whole maze
/// may be enclosed.
void choose_ends(Maze& maze, Cells& cells) {
  Regions regions(maze.grid, cells);
  if (regions.none()) return;
  const std::uint32_t largest = regions.largest();
  std::uint32_t number = 0;
  each_run(maze.grid, cells, [&](const Run& run) {
    if (regions.region(number++) != largest) return;
    if (maze.starts.empty()) maze.starts = {{run.begin, run.y}};
    maze.ends = {{run.end - 1, run.y}};
  });
  maze.ends_chosen =
      "the first and the last cell of the largest free region, which has " + std::to_string(regions.cells(largest)) + " cells";
}

void carve(Grid& grid, std::uint64_t seed, Cells& cells) {
  if (grid.width() < 3 || grid.height() < 3) return;
  const std::uint32_t across = (grid.width() - 1) / 2, down = (grid.height() - 1) / 2;
  Draw draw(seed);
  // Rooms on odd cells; a step back needs only the direction of the step forward.
  std::vector<std::uint8_t> came(std::size_t{across} * down, 4);
  std::uint32_t x = 0, y = 0;
  came[0] = 5;
  grid.set_free({1, 1});
  for (std::uint64_t steps = 1;; ++steps) {  // into each room and out of it, two cells each
    if (steps % cells_between_reports == 0) cells.add(2 * cells_between_reports, 0);
    int open[4], count = 0;
    const auto unseen = [&](std::uint32_t cx, std::uint32_t cy) {
      return cx < across && cy < down && came[std::size_t{cy} * across + cx] == 4;
    };
    if (unseen(x + 1, y)) open[count++] = 0;
    if (unseen(x - 1, y)) open[count++] = 1;
    if (unseen(x, y + 1)) open[count++] = 2;
    if (unseen(x, y - 1)) open[count++] = 3;
    const int way = count ? open[draw() % static_cast<unsigned>(count)] : came[std::size_t{y} * across + x] ^ 1;
    if (!count && came[std::size_t{y} * across + x] == 5) return;
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

void strew(Grid& grid, unsigned percent, std::uint64_t seed, Cells& cells) {
  Draw draw(seed);
  for (std::uint32_t y = 0; y < grid.height(); ++y) {
    cells.add(grid.width(), 0);
    for (std::uint32_t x = 0; x < grid.width(); ++x)
      if (draw() % 100 >= percent) grid.set_free({x, y});
  }
}

}  // namespace

Grid perfect_maze(std::uint64_t width, std::uint64_t height, std::uint64_t seed, const Progress& progress) {
  Grid grid(width, height);
  Cells cells(progress, grid.num_cells());
  carve(grid, seed, cells);
  return grid;
}

Grid random_walls(std::uint64_t width, std::uint64_t height, unsigned percent, std::uint64_t seed, const Progress& progress) {
  Grid grid(width, height);
  Cells cells(progress, grid.num_cells());
  strew(grid, percent, seed, cells);
  return grid;
}

bool is_maze_spec(const std::string& text) { return text.starts_with("maze:") || text.starts_with("random:"); }

Maze make_maze(const std::string& spec, const Progress& progress) {
  if (!is_maze_spec(spec)) bad_spec(spec);
  const std::vector<std::uint64_t> n = numbers(spec);
  const bool perfect = spec.starts_with("maze:");
  if (n.size() < 2 || n.size() > (perfect ? 3u : 4u) || (!perfect && n.size() > 2 && n[2] > 100)) bad_spec(spec);
  Maze maze;
  maze.name = spec;
  maze.format = "made";
  maze.grid = Grid(n[0], n[1]);
  Cells cells(progress, 3 * maze.grid.num_cells());  // generated, then visited twice
  if (perfect)
    carve(maze.grid, n.size() > 2 ? n[2] : 1, cells);
  else
    strew(maze.grid, n.size() > 2 ? static_cast<unsigned>(n[2]) : 30, n.size() > 3 ? n[3] : 1, cells);
  choose_ends(maze, cells);
  return maze;
}

}  // namespace hopwave::inline v0_1::route

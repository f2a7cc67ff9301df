// Routing on grids. The grid is the graph: one bit per cell is stored, and neighbours are computed.
// Source: Lee (1961), Akers (1967), and PMPP figure 15.5. This implementation moves 64 cells at a time, and keeps two
// bits per cell to trace a route back.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hopwave/run.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1::route {

/// Column, row and layer of a cell, all from 0. Row 0 is at the top.
struct Cell {
  std::uint32_t x = 0, y = 0, layer = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Number of a cell in a Grid: the position of its bit.
using CellIndex = std::uint32_t;
inline constexpr CellIndex no_cell = 0xFFFFFFFFu;  ///< number of a Cell outside the grid; no grid has so many bits

/// Free cells and walls, one bit per cell. A row is a whole number of words, with at least one wall bit after its last
/// cell. A row of walls lies above and below each layer. So a cell's neighbours are at fixed steps, and the border
/// needs no test.
/// Threads may read one grid at the same time. An object that keeps a reference to it (OctileSearch, DeviceGrid)
/// requires that it does not change.
class Grid {
 public:
  Grid() = default;
  /// A grid of walls only. Throws HW-ROUTE-SIZE beyond 2³² bits, HW-MEMORY.
  Grid(std::uint64_t width, std::uint64_t height, std::uint64_t layers = 1);
  Grid(const Grid&) = default;
  /// A moved-from grid has no cells.
  Grid(Grid&& other) noexcept : Grid() { swap(other); }
  Grid& operator=(Grid other) noexcept {
    swap(other);
    return *this;
  }
  ~Grid() = default;

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
  [[nodiscard]] std::uint32_t layers() const noexcept { return layers_; }
  [[nodiscard]] std::uint64_t num_cells() const noexcept { return std::uint64_t{width_} * height_ * layers_; }
  [[nodiscard]] std::uint64_t num_free() const;

  [[nodiscard]] bool contains(const Cell& c) const noexcept { return c.x < width_ && c.y < height_ && c.layer < layers_; }
  /// Returns the number of a cell; no_cell outside the grid.
  [[nodiscard]] CellIndex index(const Cell& c) const noexcept {
    return contains(c) ? static_cast<CellIndex>((c.layer * plane_words_ + (c.y + 1) * row_words_) * 64 + c.x) : no_cell;
  }
  /// Returns the cell of a bit. For a bit that is not a cell, the result is outside the grid: contains() returns false.
  [[nodiscard]] Cell cell(CellIndex i) const noexcept;
  /// Returns true if the cell is free; false outside the grid.
  [[nodiscard]] bool free(CellIndex i) const noexcept { return i >> 6 < words_.size() && (words_[i >> 6] >> (i & 63) & 1); }
  [[nodiscard]] bool free(const Cell& c) const noexcept { return free(index(c)); }
  /// Throws HW-ROUTE-OUTSIDE for a cell outside the grid.
  void set_free(const Cell& c, bool is_free = true);

  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
  [[nodiscard]] std::size_t row_words() const noexcept { return row_words_; }
  [[nodiscard]] std::size_t plane_words() const noexcept { return plane_words_; }
  [[nodiscard]] std::size_t num_bits() const noexcept { return words_.size() * 64; }

 private:
  void swap(Grid& other) noexcept;

  std::uint32_t width_ = 0, height_ = 0, layers_ = 0;
  std::size_t row_words_ = 0, plane_words_ = 0;
  std::vector<std::uint64_t> words_;
};

struct MazeOptions {
  std::string format = {};  ///< empty: detect the format; otherwise ascii, png or movingai
  int threshold = 128;      ///< PNG: a channel of this value or more is light
  bool allow_huge = false;  ///< accept dimensions that are implausible for the file's size
};

struct Maze {
  Grid grid = {};
  std::string name = {}, format = {};
  std::vector<Cell> starts = {};  ///< at most one
  std::vector<Cell> ends = {};
  std::string ends_chosen = {};  ///< how the ends were chosen, if the maze does not state them
};

/// Return the maze of a file ("-" is standard input); .gz and .zst are decompressed. Errors: HW-MAZE-…, HW-IO-….
Maze read_maze(const std::string& path, const MazeOptions& options = {});
Maze read_maze(std::span<const char> bytes, const std::string& name, const MazeOptions& options = {});

/// Returns a maze of corridors one cell wide, with exactly one path between any two cells. It is made by depth-first
/// search, so corridors are long and winding.
Grid perfect_maze(std::uint64_t width, std::uint64_t height, std::uint64_t seed = 1, const Progress& progress = {});
/// Returns a grid in which each cell is a wall with a probability of `percent` per cent.
Grid random_walls(std::uint64_t width, std::uint64_t height, unsigned percent = 30, std::uint64_t seed = 1,
                  const Progress& progress = {});
/// Returns the maze of a spec: "maze:1023x1023,1" or "random:1000x1000,30,1". The seed, and the percentage of walls,
/// may be left out. It leads from the first cell of the largest free region to the last one. Throws HW-MAZE-SPEC.
Maze make_maze(const std::string& spec, const Progress& progress = {});
bool is_maze_spec(const std::string& text);

/// One line of a MovingAI .scen file.
struct Scenario {
  Cell start = {}, goal = {};
  double length = 0;        ///< octile length, as the file states it
  double tolerance = 1e-3;  ///< greater if six digits are less precise
  std::uint64_t line = 0;
};
/// Return the scenarios of a file. Errors: HW-SCEN-…, also if a scenario does not fit the grid.
std::vector<Scenario> read_scenarios(const std::string& path, const Grid& grid);
std::vector<Scenario> read_scenarios(std::span<const char> bytes, const std::string& name, const Grid& grid);

enum class Method {
  automatic,
  words,  ///< wavefront, 64 cells at a time
  queue,  ///< cell by cell
  tiles,  ///< on a GPU or in the simulator: tiles of 32 × 32 cells, 16 levels at a time
  bends   ///< search over cells and directions: the cheapest routes, of these those with the fewest bends; vias at any cost
};
std::string_view name_of(Method method);

struct RouteOptions {
  Method method = Method::automatic;
  bool fewest_bends = false;   ///< of the shortest routes, find one with the fewest bends
  std::uint32_t via_cost = 1;  ///< cost of a step between layers, 1 … 65535; a step within a layer costs 1
  RunOptions run = {};         ///< `device`: a GPU and the simulator have one method: tiles. Progress: "levels"
};

/// A shortest route from one of several sources to the nearest of several targets.
struct Way {
  bool found = false;
  std::uint64_t cost = 0;
  std::vector<CellIndex> cells = {};  ///< from source to target
  std::uint64_t reached = 0;          ///< number of cells that the wavefront covered, sources included
  std::uint64_t levels = 0;
};
/// Returns a shortest route. Sources and targets must be free cells: HW-ROUTE-OUTSIDE, HW-ROUTE-WALL. If either list is
/// empty, nothing is found. Other errors: HW-ROUTE-COST, -METHOD, -DEVICE, HW-DEVICE-…, HW-OPTION-VALUE, HW-INTERRUPTED,
/// HW-CANCELLED, HW-TIME-LIMIT.
Way find_way(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
             const RouteOptions& options = {});
/// Returns the method that `automatic` chooses, and the reason. Throws HW-DEVICE-NONE, HW-ROUTE-METHOD,
/// HW-OPTION-VALUE.
std::pair<Method, std::string> choose_method(const Grid& grid, const RouteOptions& options);

/// Statistics of a search on a device.
struct WaveStats {
  Milliseconds device = {};  ///< the device's own time: preparing the tiles and searching
  std::uint64_t windows = 0, levels_a_window = 0;
  std::uint64_t thin_windows = 0, wide_windows = 0;  ///< windows searched by one cluster, and by the whole device
  std::uint64_t tiles = 0;                           ///< number of tiles advanced, summed over all windows
  std::uint64_t launches = 0;
};

/// A grid in the memory of a GPU (or of the simulator), for any number of searches. One call at a time: a second call
/// at the same time, also from its progress, throws HW-BUSY. The grid must outlive the object and must not change. A
/// moved-from object throws HW-MOVED-FROM.
class DeviceGrid {
 public:
  /// Throws HW-DEVICE-NONE if there is no such device. `tuning`: null for the values that suit the device.
  explicit DeviceGrid(const Grid& grid, DeviceKind kind = DeviceKind::gpu, const struct WaveTuning* tuning = nullptr);
  explicit DeviceGrid(const Grid&&, DeviceKind = DeviceKind::gpu, const struct WaveTuning* = nullptr) = delete;
  ~DeviceGrid();
  DeviceGrid(DeviceGrid&&) noexcept;
  /// Returns a shortest route, with the errors of find_way(). If `level` is given, it gets the level of each covered
  /// cell, by CellIndex; −1 for other cells.
  Way find(std::span<const CellIndex> sources, std::span<const CellIndex> targets, const RouteOptions& options = {},
           std::vector<std::int32_t>* level = nullptr);
  /// Returns the number of steps of each scenario, −1 without a route. Many searches run at the same time, each in one
  /// warp. Searches that need more room than a warp has are repeated one by one with find(); `one_by_one` counts them.
  /// Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL.
  std::vector<std::int64_t> hops(std::span<const Scenario> scenarios, std::uint64_t* one_by_one = nullptr);
  [[nodiscard]] const WaveStats& stats() const;
  [[nodiscard]] const std::string& device() const;  ///< the device's name

 private:
  struct [[gnu::visibility("hidden")]] State;
  static Way find(State& state, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options, std::vector<std::int32_t>* level);
  std::shared_ptr<State> state_;  // shared with a running call, in case its progress moves or destroys this object
};

struct Route {
  bool complete = false;
  std::vector<std::vector<Cell>> branches = {};  ///< each leads from a cell of the tree so far to a new terminal
  std::vector<Cell> missing = {};                ///< terminals that were not reached
  std::uint64_t cost = 0, steps = 0, vias = 0, bends = 0;
  std::uint64_t reached = 0;  ///< cells that the last search covered; if it failed, all cells that can be reached
  std::uint64_t levels = 0;   ///< of all searches together
  std::string method = {}, why = {};
  std::string device = "cpu";
  Milliseconds work = {};         ///< the searches, with copying routes back from a device
  Milliseconds device_work = {};  ///< of that, the device's own time
  Milliseconds setup =
      {};  ///< time before: preparing the device, including its first use by the process, and copying the grid to it
};
/// Returns a tree that joins terminals[0] with all others. Each step adds the terminal nearest to the tree so far.
/// Throws HW-ROUTE-WALL or HW-ROUTE-OUTSIDE for a terminal that is not a free cell.
Route find_route(const Grid& grid, const std::vector<Cell>& terminals, const RouteOptions& options = {});

/// Shortest routes with diagonal steps of length √2, which cut no corners: both cells next to a diagonal step must be
/// free. Only for grids with one layer. Lengths are kept as pairs of step counts, so they are exact until the last
/// rounding. The object keeps its memory between searches: one thread at a time. The grid must outlive the object and
/// must not change.
class OctileSearch {
 public:
  /// Throws HW-ROUTE-LAYERS for a grid with several layers.
  explicit OctileSearch(const Grid& grid);
  explicit OctileSearch(const Grid&&) = delete;
  /// Returns the length of a shortest route; negative if there is none. `path`, if given, gets the cells from start to
  /// goal. Throws HW-ROUTE-OUTSIDE and HW-ROUTE-WALL; so does lengths().
  double length(const Cell& start, const Cell& goal, std::vector<Cell>* path = nullptr);
  /// Returns the lengths from `start` to all cells, by CellIndex; negative: unreached.
  std::vector<float> lengths(const Cell& start);
  [[nodiscard]] std::uint64_t expanded() const noexcept { return expanded_; }
  /// Return the numbers of straight and of diagonal steps of the last route found.
  [[nodiscard]] std::uint32_t straight() const noexcept { return straight_; }
  [[nodiscard]] std::uint32_t diagonal() const noexcept { return diagonal_; }

 private:
  struct Label {
    std::uint32_t round = 0, straight = 0, diagonal = 0;
    std::uint8_t from = 0;
  };
  struct Entry {
    CellIndex cell = {};
    std::uint32_t straight = {}, diagonal = {};
  };
  void expand(const Entry& entry, const Cell* goal, double base);
  void search(CellIndex start, const Cell* goal);
  void push(const Entry& entry, const Cell* goal, double base);

  const Grid& grid_;
  std::vector<Label> labels_;
  std::vector<std::vector<Entry>> buckets_;
  std::uint32_t round_ = 0, straight_ = 0, diagonal_ = 0;
  std::uint64_t expanded_ = 0;
};

/// An octile route. `length` is the sum of its steps, with diagonal ones of length √2.
struct OctileRoute {
  bool found = false;
  double length = 0;
  std::vector<Cell> cells = {};
  std::uint64_t reached = 0;
  Milliseconds work = {};
};
/// Returns a shortest octile route. Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL, HW-ROUTE-LAYERS.
OctileRoute find_octile_route(const Grid& grid, const Cell& start, const Cell& goal);

/// Returns the cost of the cheapest route from `start`, by CellIndex, up to `limit`; −1 beyond it. Pictures use it.
/// Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL, HW-ROUTE-COST.
std::vector<std::int32_t> distances(const Grid& grid, const Cell& start, std::uint32_t via_cost = 1,
                                    std::int32_t limit = std::numeric_limits<std::int32_t>::max());

struct CheckReport {
  struct Wrong {
    Scenario scenario = {};
    double found = 0;
    std::string what = {};
  };
  std::uint64_t scenarios = 0;
  std::vector<Wrong> wrong = {};
  Milliseconds hops = {}, octile = {};  ///< summed over all threads
  Milliseconds work = {};
  std::uint64_t sum_hops = 0, without_diagonals = 0;
  std::string device = {};  ///< the device's name, its own time, and the time with transfers; empty without a device
  Milliseconds device_work = {}, device_total = {};
  std::uint64_t one_by_one = 0;  ///< scenarios that the device searched one by one
};
struct CheckOptions {
  bool compare_methods = true;
  DeviceGrid* device = nullptr;
  RunOptions run = {};  ///< progress: "scenarios", by one thread at a time
};
/// Returns the errors found by solving every scenario 4-connected and octile. A scenario is wrong in these cases: its
/// octile length is off by more than its tolerance; its hops are not between the number of steps of the octile route
/// with diagonals counted once and with diagonals counted twice (without diagonals: not equal to the length); with
/// `compare_methods`, the methods words and queue find different hops; with a `device`, the device finds different
/// hops. Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL, HW-ROUTE-LAYERS, HW-OPTION-THREADS, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT.
CheckReport check_scenarios(const Grid& grid, std::span<const Scenario> scenarios, const CheckOptions& options = {});

/// The content of a picture besides the walls.
struct Drawing {
  const Grid* grid = nullptr;
  std::vector<std::int32_t> distance = {};  ///< by CellIndex; −1: not reached. May be empty
  std::vector<std::vector<Cell>> branches = {};
  std::vector<Cell> terminals = {};  ///< the first is the start
};
/// Writes a picture as .png or .svg, by the file name's extension; HW-ROUTE-ENDING for others. Layers are drawn next to
/// each other. Throws HW-ROUTE-DRAWING for a drawing without cells, with distances of another size or with cells
/// outside; HW-PNG-…, HW-IO-….
void write_picture(const Drawing& drawing, const std::string& path);
/// Writes the wavefront level by level, as .svg (animated) or .html (with a slider), and returns the number of levels
/// per step. It has at most `steps` steps: with more levels, several share a step. Throws the errors of
/// write_picture().
std::uint64_t write_animation(const Drawing& drawing, const std::string& path, std::uint32_t steps = 400);

}  // namespace hopwave::inline v0_1::route
#pragma GCC visibility pop

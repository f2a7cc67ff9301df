// Routing on grids, where the grid is the graph: cells are bits, neighbours are computed, nothing else is stored.
// Source: Lee (1961), Akers (1967), and PMPP figure 15.5. Ours moves 64 cells at a time and keeps two bits a cell to trace
// back.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hopwave/search.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1::route {

/// Column, row and layer, all from 0; row 0 is the top one.
struct Cell {
  std::uint32_t x = 0, y = 0, layer = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Number of a cell inside a Grid: the place of its bit.
using CellIndex = std::uint32_t;
inline constexpr CellIndex no_cell = 0xFFFFFFFFu;  ///< of a Cell outside the grid; no grid has so many bits

/// Free cells and walls, a bit each. A row is whole words with at least one wall bit behind the last cell, and a row of walls
/// lies above and below each layer, so that a cell's neighbours are at fixed steps and need no test for the border.
/// Threads may read one grid together. What keeps a reference to it (OctileSearch, DeviceGrid) wants it to stay as it is.
class Grid {
 public:
  Grid() = default;
  /// All walls. Throws HW-ROUTE-SIZE beyond 2³² bits, HW-MEMORY.
  Grid(std::uint64_t width, std::uint64_t height, std::uint64_t layers = 1);
  Grid(const Grid&) = default;
  /// What was moved from has no cell any more.
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
  /// no_cell outside the grid.
  [[nodiscard]] CellIndex index(const Cell& c) const noexcept {
    return contains(c) ? static_cast<CellIndex>((c.layer * plane_words_ + (c.y + 1) * row_words_) * 64 + c.x) : no_cell;
  }
  /// Of a bit that is no cell, a Cell that contains() refuses.
  [[nodiscard]] Cell cell(CellIndex i) const noexcept;
  /// False outside the grid.
  [[nodiscard]] bool free(CellIndex i) const noexcept { return i >> 6 < words_.size() && (words_[i >> 6] >> (i & 63) & 1); }
  [[nodiscard]] bool free(const Cell& c) const noexcept { return free(index(c)); }
  /// Throws HW-ROUTE-OUTSIDE.
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
  std::string format = {};  ///< empty: sniff; else ascii, png or movingai
  int threshold = 128;      ///< PNG: a channel from this value on is light
  bool allow_huge = false;  ///< believe dimensions that a file of this size makes implausible
};

struct Maze {
  Grid grid = {};
  std::string name = {}, format = {};
  std::vector<Cell> starts = {};  ///< at most one
  std::vector<Cell> ends = {};
  std::string ends_chosen = {};  ///< how, if the maze did not say them itself
};

/// Reads a maze ("-" is standard input), unpacking .gz and .zst. Errors: HW-MAZE-…, HW-IO-….
Maze read_maze(const std::string& path, const MazeOptions& options = {});
Maze read_maze(std::span<const char> bytes, const std::string& name, const MazeOptions& options = {});

/// Mazes made: `progress` is called now and then, by the calling thread, with units of work done and in all; false ends the
/// call with HW-INTERRUPTED. It may be empty.
using MazeProgress = std::function<bool(std::uint64_t done, std::uint64_t total)>;
/// Corridors one cell wide with exactly one way between any two cells, by depth-first search: long and winding.
Grid perfect_maze(std::uint64_t width, std::uint64_t height, std::uint64_t seed = 1, const MazeProgress& progress = {});
/// Each cell is a wall with so many per cent.
Grid random_walls(std::uint64_t width, std::uint64_t height, unsigned percent = 30, std::uint64_t seed = 1,
                  const MazeProgress& progress = {});
/// "maze:1023x1023,1" or "random:1000x1000,30,1" (seed, and walls in per cent, may be left out), from the first cell of
/// the largest free region to its last. Throws HW-MAZE-SPEC.
Maze make_maze(const std::string& spec, const MazeProgress& progress = {});
bool is_maze_spec(const std::string& text);

/// A line of a MovingAI .scen file.
struct Scenario {
  Cell start = {}, goal = {};
  double length = 0;        ///< octile, as its authors found it
  double tolerance = 1e-3;  ///< more where six digits say less
  std::uint64_t line = 0;
};
/// Errors: HW-SCEN-…; also if a scenario does not fit the grid.
std::vector<Scenario> read_scenarios(const std::string& path, const Grid& grid);
std::vector<Scenario> read_scenarios(std::span<const char> bytes, const std::string& name, const Grid& grid);

enum class Method {
  automatic,
  words,  ///< wavefront, 64 cells at a time
  queue,  ///< cell by cell
  tiles,  ///< on a GPU or in the simulator: tiles of 32 × 32 cells, 16 levels at a time
  bends   ///< cell and direction: the cheapest routes, of those the fewest bends, and vias at any cost
};
std::string_view name_of(Method method);

struct RouteOptions {
  Method method = Method::automatic;
  DeviceKind device = DeviceKind::automatic;  ///< a GPU or the simulator has one method: tiles
  bool fewest_bends = false;                  ///< of the shortest routes one with the fewest
  std::uint32_t via_cost = 1;                 ///< of a step between layers, against 1 within; 1 … 65535
  std::function<bool()> go_on = {};           ///< asked now and then; false ends with HW-INTERRUPTED
};

/// A shortest way from one of several sources to the nearest of several targets.
struct Way {
  bool found = false;
  std::uint64_t cost = 0;
  std::vector<CellIndex> cells = {};  ///< from source to target
  std::uint64_t reached = 0;          ///< cells that the wavefront covered, sources included
  std::uint64_t levels = 0;
};
/// Sources and targets are free cells: HW-ROUTE-OUTSIDE, HW-ROUTE-WALL. Without any of either nothing is found. Other errors:
/// HW-ROUTE-COST, -METHOD, -DEVICE, HW-DEVICE-…, HW-OPTION-VALUE. What go_on throws comes out.
Way find_way(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
             const RouteOptions& options = {});
/// What `automatic` becomes, and why. Throws HW-DEVICE-NONE, HW-ROUTE-METHOD, HW-OPTION-VALUE.
std::pair<Method, std::string> choose_method(const Grid& grid, const RouteOptions& options);

/// How a search on a device went.
struct WaveStats {
  double device_ms = 0;  ///< the device's own time: making the tiles ready and searching
  std::uint64_t windows = 0, levels_a_window = 0;
  std::uint64_t thin_windows = 0, wide_windows = 0;  ///< by one cluster, by the whole device
  std::uint64_t tiles = 0;                           ///< moved on, over all windows
  std::uint64_t launches = 0;
};

/// A grid in the memory of a GPU (or of the simulator), for any number of searches. One call at a time: another meanwhile, also
/// from go_on, throws HW-BUSY. The grid must outlive it and stay as it is. What was moved from throws HW-MOVED-FROM.
class DeviceGrid {
 public:
  /// Throws HW-DEVICE-NONE where there is no such device. `tuning`: null for what the device suits.
  explicit DeviceGrid(const Grid& grid, DeviceKind kind = DeviceKind::gpu, const struct WaveTuning* tuning = nullptr);
  explicit DeviceGrid(const Grid&&, DeviceKind = DeviceKind::gpu, const struct WaveTuning* = nullptr) = delete;
  ~DeviceGrid();
  DeviceGrid(DeviceGrid&&) noexcept;
  /// As find_way() does, with the same errors. With `level`, also the level of each cell that was covered, by CellIndex; −1
  /// elsewhere.
  Way find(std::span<const CellIndex> sources, std::span<const CellIndex> targets, const RouteOptions& options = {},
           std::vector<std::int32_t>* level = nullptr);
  /// Steps of each scenario, −1 without a route: many searches at once, each by one warp. Those that find too little room
  /// there are searched one by one by find(); `one_by_one` counts them. Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL.
  std::vector<std::int64_t> hops(std::span<const Scenario> scenarios, std::uint64_t* one_by_one = nullptr);
  [[nodiscard]] const WaveStats& stats() const;
  [[nodiscard]] const std::string& device() const;  ///< its name

 private:
  struct [[gnu::visibility("hidden")]] State;
  static Way find(State& state, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options, std::vector<std::int32_t>* level);
  std::shared_ptr<State> state_;  // shared with the call under way, should go_on move or end this object
};

struct Route {
  bool complete = false;
  std::vector<std::vector<Cell>> branches = {};  ///< each from a cell of the tree so far to a new terminal
  std::vector<Cell> missing = {};                ///< terminals not reached
  std::uint64_t cost = 0, steps = 0, vias = 0, bends = 0;
  std::uint64_t reached = 0;  ///< cells that the last search covered: if it failed, all that can be reached
  std::uint64_t levels = 0;   ///< of all searches
  std::string method = {}, why = {};
  std::string device = "cpu";
  double milliseconds = 0;  ///< of the searches, with their ways back from a device
  double device_ms = 0;     ///< of that the device's own time
  double setup_ms = 0;  ///< before that: a device made ready, the process's first use of it included, and the grid taken there
};
/// Joins terminals[0] with all others: each time the nearest terminal to what is joined already. Throws HW-ROUTE-WALL or
/// HW-ROUTE-OUTSIDE for a terminal that is no free cell.
Route find_route(const Grid& grid, const std::vector<Cell>& terminals, const RouteOptions& options = {});

/// Shortest ways with diagonal steps of length √2 that cut no corner: both cells beside the step must be free. One layer.
/// Keeps its memory from search to search: one thread at a time. Lengths are pairs of counts, so they are exact until the last
/// rounding. The grid must outlive it and stay as it is.
class OctileSearch {
 public:
  /// Throws HW-ROUTE-LAYERS.
  explicit OctileSearch(const Grid& grid);
  explicit OctileSearch(const Grid&&) = delete;
  /// Throws HW-ROUTE-OUTSIDE and HW-ROUTE-WALL, as lengths() does. A negative length: there is none. With `path`, the cells
  /// from start to goal.
  double length(const Cell& start, const Cell& goal, std::vector<Cell>* path = nullptr);
  /// From `start` everywhere, by CellIndex; negative: unreached.
  std::vector<float> lengths(const Cell& start);
  [[nodiscard]] std::uint64_t expanded() const noexcept { return expanded_; }
  /// Steps of the last way found.
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

/// The same as a Route; steps counts moves, `length` is what they sum to.
struct OctileRoute {
  bool found = false;
  double length = 0;
  std::vector<Cell> cells = {};
  std::uint64_t reached = 0;
  double milliseconds = 0;
};
/// Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL, HW-ROUTE-LAYERS.
OctileRoute find_octile_route(const Grid& grid, const Cell& start, const Cell& goal);

/// Cost of the cheapest way from `start`, by CellIndex, up to `limit`; −1 beyond. What pictures show.
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
  double hops_seconds = 0, octile_seconds = 0;  ///< of all members together
  double seconds = 0;
  std::uint64_t sum_hops = 0, without_diagonals = 0;
  std::string device = {};  ///< if one took part: its name, its own time, and with transfers
  double device_seconds = 0, device_total_seconds = 0;
  std::uint64_t one_by_one = 0;  ///< scenarios that had to be searched on their own there
};
/// Solves every scenario 4-connected and octile. Wrong: an octile length beyond the scenario's tolerance; hops that are not
/// between the octile way's steps with diagonals as one and as two (without diagonals: equal to the length); and, with
/// `compare_methods`, hops on which words and queue differ; with a `device`, hops that it finds others. progress: false ends
/// with HW-INTERRUPTED; it is called by one thread at a time. Throws HW-ROUTE-OUTSIDE, HW-ROUTE-WALL, HW-ROUTE-LAYERS,
/// HW-OPTION-THREADS.
CheckReport check_scenarios(const Grid& grid, std::span<const Scenario> scenarios, int threads = 0, bool compare_methods = true,
                            const std::function<bool(std::uint64_t done)>& progress = {}, DeviceGrid* device = nullptr);

/// What a picture shows beside the walls.
struct Drawing {
  const Grid* grid = nullptr;
  std::vector<std::int32_t> distance = {};  ///< by CellIndex; −1: not touched. May be empty
  std::vector<std::vector<Cell>> branches = {};
  std::vector<Cell> terminals = {};  ///< the first is the start
};
/// By the path's ending: .png or .svg, else HW-ROUTE-ENDING. Layers stand side by side. Throws HW-ROUTE-DRAWING for a drawing
/// without cells, with distances of another size or cells outside; HW-PNG-…, HW-IO-….
void write_picture(const Drawing& drawing, const std::string& path);
/// The wavefront level by level: .svg (moves by itself) or .html (with a slider). At most `steps` pictures: levels are grouped
/// beyond. Returns the levels a step shows. Throws as write_picture() does.
std::uint64_t write_animation(const Drawing& drawing, const std::string& path, std::uint32_t steps = 400);

}  // namespace hopwave::inline v0_1::route
#pragma GCC visibility pop

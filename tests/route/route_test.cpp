// Routing on grids: readers and their errors, every search against a plain one, trees, bends, vias, pictures and scenarios.
#include "hopwave/route.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <queue>
#include <random>
#include <set>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/grids.h"
#include "support/places.h"
#include "support/tool.h"
#include "support/xml.h"

namespace hopwave::inline v0_1::route {
namespace of_route_test {

namespace fs = std::filesystem;

Maze maze_of(const std::string& text, const MazeOptions& options = {}) { return read_maze(std::span(text), "maze", options); }

using test::slurp;

std::vector<Cell> neighbors(const Grid& grid, const Cell& c) {
  std::vector<Cell> all;
  for (const auto& [dx, dy, dl] :
       std::vector<std::array<int, 3>>{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}) {
    const Cell n{c.x + static_cast<std::uint32_t>(dx), c.y + static_cast<std::uint32_t>(dy),
                 c.layer + static_cast<std::uint32_t>(dl)};
    if (grid.free(n)) all.push_back(n);
  }
  return all;
}

/// The oracle: (cost, bends) by a priority queue over (cell, heading), written without any of the library's searches.
/// Returns {−1, −1} if there is no way, and how many cells cost no more than the goal (all that can be reached without one).
struct Answer {
  std::int64_t cost = -1, bends = -1;
  std::uint64_t within = 0;
};
Answer oracle(const Grid& grid, const Cell& from, const Cell& to, std::int64_t via_cost) {
  using Key = std::array<std::int64_t, 2>;
  using State = std::pair<CellIndex, int>;
  std::map<State, Key> best;
  std::map<CellIndex, std::int64_t> cheapest;
  std::priority_queue<std::pair<Key, State>, std::vector<std::pair<Key, State>>, std::greater<>> queue;
  queue.push({{0, 0}, {grid.index(from), -1}});
  Answer answer;
  while (!queue.empty()) {
    const auto [key, state] = queue.top();
    queue.pop();
    if (best.count(state)) continue;
    best[state] = key;
    cheapest.try_emplace(state.first, key[0]);
    const Cell c = grid.cell(state.first);
    if (c == to && answer.cost < 0) answer = {key[0], key[1]};
    for (const Cell& n : neighbors(grid, c)) {
      const bool via = n.layer != c.layer;
      const int heading = via ? state.second : n.x != c.x ? (n.x > c.x ? 0 : 1) : (n.y > c.y ? 2 : 3);
      queue.push(
          {{key[0] + (via ? via_cost : 1), key[1] + (state.second >= 0 && heading != state.second)}, {grid.index(n), heading}});
    }
  }
  for (const auto& [cell, cost] : cheapest) answer.within += answer.cost < 0 || cost <= answer.cost;
  return answer;
}

void expect_way(const Grid& grid, const std::vector<CellIndex>& cells, const Cell& from, const Cell& to) {
  ASSERT_FALSE(cells.empty());
  EXPECT_EQ(grid.cell(cells.front()), from);
  EXPECT_EQ(grid.cell(cells.back()), to);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_TRUE(grid.free(cells[i]));
    if (i == 0) continue;
    const auto near = neighbors(grid, grid.cell(cells[i - 1]));
    EXPECT_NE(std::find(near.begin(), near.end(), grid.cell(cells[i])), near.end());
  }
}

TEST(Grid, CellsAndIndices) {
  for (const std::uint32_t width : {1u, 63u, 64u, 65u, 130u}) {
    const Grid grid = random_grid(width, 5, 2, 0, 1);
    EXPECT_EQ(grid.num_free(), grid.num_cells());
    for (const Cell c : {Cell{0, 0, 0}, Cell{width - 1, 4, 1}, Cell{width / 2, 2, 1}}) {
      EXPECT_EQ(grid.cell(grid.index(c)), c);
      EXPECT_TRUE(grid.free(c));
    }
    EXPECT_FALSE(grid.free(Cell{width, 0, 0}));
    EXPECT_FALSE(grid.free(grid.index({width - 1, 0, 0}) + 1));  // the border behind a row
  }
  EXPECT_EQ(testing::parts_of([] { Grid(1u << 16, 1u << 16); }).id, "HW-ROUTE-SIZE");
  EXPECT_EQ(testing::parts_of([] { Grid(~std::uint64_t{0}, ~std::uint64_t{0}, 3); }).id, "HW-ROUTE-SIZE");
}

TEST(Search, AllMethodsAgreeWithTheOracle) {
  std::mt19937 random(11);
  int found = 0, lost = 0;
  const struct {
    std::uint32_t width, height, layers;
  } shapes[] = {{7, 6, 1}, {64, 9, 1}, {130, 7, 1}, {1, 40, 1}, {40, 1, 1}, {20, 15, 3}, {65, 5, 2}};
  for (unsigned round = 0; round < 6; ++round)
    for (const auto& shape : shapes) {
      const Grid grid = random_grid(shape.width, shape.height, shape.layers, 10 * round, round * 31 + shape.width);
      const Cell from = random_free(grid, random), to = random_free(grid, random);
      const CellIndex a = grid.index(from), b = grid.index(to);
      const Answer right = oracle(grid, from, to, 1);
      (right.cost < 0 ? lost : found)++;
      for (const Method method : {Method::automatic, Method::words, Method::queue, Method::bends}) {
        const Way way = find_way(grid, {&a, 1}, {&b, 1}, {.method = method});
        ASSERT_EQ(way.found, right.cost >= 0) << name_of(method);
        if (!way.found) {
          EXPECT_EQ(way.reached, right.within) << name_of(method);
          continue;
        }
        EXPECT_EQ(static_cast<std::int64_t>(way.cost), right.cost) << name_of(method);
        EXPECT_EQ(way.cells.size(), way.cost + 1);
        expect_way(grid, way.cells, from, to);
        if (method == Method::words) {
          EXPECT_EQ(way.reached, right.within);
        }
      }
      EXPECT_EQ(distances(grid, from)[b], right.cost);
    }
  EXPECT_GT(found, 10);
  EXPECT_GT(lost, 5);
}

TEST(Search, BendsAndViaCostsAgreeWithTheOracle) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 40; ++round) {
    const Grid grid = random_grid(12, 9, 1 + round % 3, 10 + round % 4 * 10, round);
    const Cell from = random_free(grid, random), to = random_free(grid, random);
    const std::uint32_t via = 1 + round % 7;
    const Answer right = oracle(grid, from, to, via);
    const Route route = find_route(grid, {from, to}, {.fewest_bends = true, .via_cost = via});
    ASSERT_EQ(route.complete, right.cost >= 0);
    EXPECT_EQ(distances(grid, from, via)[grid.index(to)], right.cost);
    if (!route.complete) {
      EXPECT_EQ(route.reached, right.within);
      continue;
    }
    EXPECT_EQ(static_cast<std::int64_t>(route.cost), right.cost);
    EXPECT_EQ(static_cast<std::int64_t>(route.bends), right.bends);
    EXPECT_EQ(route.steps + route.vias * via, route.cost);
  }
}

// A way that has to change layers every second cell, at the highest cost of a via: its cost is just below and just above 2^32.
TEST(Search, CostsBeyond32Bits) {
  constexpr std::uint32_t dear = 65535;
  for (const std::uint32_t vias : {65534u, 65536u}) {
    const std::uint32_t width = 2 * vias + 1;
    Grid grid(width, 1, 2);
    for (std::uint32_t x = 0; x < width; ++x) {
      grid.set_free({x, 0, 0}, x % 4 != 3);
      grid.set_free({x, 0, 1}, x % 4 != 1);
    }
    const Route route = find_route(grid, {{0, 0, 0}, {width - 1, 0, 0}}, {.fewest_bends = true, .via_cost = dear});
    ASSERT_TRUE(route.complete);
    EXPECT_EQ(route.vias, vias);
    EXPECT_EQ(route.steps, 2ull * vias);
    EXPECT_EQ(route.cost, 2ull * vias + std::uint64_t{dear} * vias);
    EXPECT_EQ(route.cost > ~std::uint32_t{0}, vias > 65534u);
  }
}

TEST(Search, NearestOfSeveralAndTrees) {
  const Maze maze = maze_of("E...S\n.###.\n.....\n..E..\n....E\n");
  ASSERT_EQ(maze.ends.size(), 3u);
  std::vector<Cell> terminals = maze.starts;
  terminals.insert(terminals.end(), maze.ends.begin(), maze.ends.end());
  for (const Method method : {Method::words, Method::queue, Method::bends}) {
    const Route route = find_route(maze.grid, terminals, {.method = method});
    EXPECT_TRUE(route.complete);
    // The start's nearest ends are both at 4; down the right side the third is then 2 from the tree.
    EXPECT_EQ(route.cost, 10u) << name_of(method);
    ASSERT_EQ(route.branches.size(), 3u);
    std::set<CellIndex> tree{maze.grid.index(maze.starts[0])};
    for (const auto& branch : route.branches) {
      EXPECT_TRUE(tree.count(maze.grid.index(branch.front())));  // it begins in what is joined already
      for (const Cell& c : branch) tree.insert(maze.grid.index(c));
    }
    for (const Cell& c : terminals) EXPECT_TRUE(tree.count(maze.grid.index(c)));
  }
}

TEST(Search, UnsolvableTellsWhatWasReachable) {
  const Maze maze = maze_of("S..#E\n..##.\nE.#..\n");
  const Route route = find_route(maze.grid, {maze.starts[0], maze.ends[0], maze.ends[1]});
  EXPECT_FALSE(route.complete);
  EXPECT_EQ(route.missing, std::vector<Cell>{(Cell{4, 0, 0})});
  EXPECT_EQ(route.reached, 7u);
  EXPECT_EQ(route.cost, 2u);  // the other end is joined all the same
}

TEST(Search, RefusesBadTerminalsAndOptions) {
  const Maze maze = maze_of("S.#E\n");
  EXPECT_EQ(testing::parts_of([&] { find_route(maze.grid, {{0, 0, 0}, {2, 0, 0}}); }).id, "HW-ROUTE-WALL");
  EXPECT_EQ(testing::parts_of([&] { find_route(maze.grid, {{0, 0, 0}, {4, 0, 0}}); }).id, "HW-ROUTE-OUTSIDE");
  EXPECT_EQ(testing::parts_of([&] { find_route(maze.grid, {{0, 0, 0}, {1, 0, 0}}, {.via_cost = 0}); }).id, "HW-ROUTE-COST");
  EXPECT_EQ(testing::parts_of([&] {
              find_route(maze.grid, {{0, 0, 0}, {1, 0, 0}}, {.method = Method::queue, .fewest_bends = true});
            }).id,
            "HW-ROUTE-METHOD");
  const Grid layers(3, 3, 2);
  EXPECT_EQ(testing::parts_of([&] { OctileSearch search(layers); }).id, "HW-ROUTE-LAYERS");
  const Grid large = random_grid(2000, 2000, 1, 0, 1);
  EXPECT_EQ(testing::parts_of([&] {
              find_route(large, {{0, 0, 0}, {1999, 1999, 0}}, {.run = {.progress = [](const Step&) { return false; }}});
            }).id,
            "HW-INTERRUPTED");
}

/// Octile lengths by Bellman-Ford-like relaxation until nothing changes: slow and plain.
std::vector<double> octile_oracle(const Grid& grid, const Cell& from) {
  std::vector<double> length(grid.num_bits(), 1e18);
  length[grid.index(from)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t y = 0; y < grid.height(); ++y)
      for (std::uint32_t x = 0; x < grid.width(); ++x)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            const Cell a{x, y, 0}, b{x + static_cast<std::uint32_t>(dx), y + static_cast<std::uint32_t>(dy), 0};
            if ((dx == 0 && dy == 0) || !grid.free(a) || !grid.free(b)) continue;
            if (dx && dy && (!grid.free(Cell{b.x, y, 0}) || !grid.free(Cell{x, b.y, 0}))) continue;
            const double sum = length[grid.index(a)] + (dx && dy ? std::sqrt(2.0) : 1);
            if (sum < length[grid.index(b)] - 1e-9) {
              length[grid.index(b)] = sum;
              changed = true;
            }
          }
  }
  return length;
}

TEST(Octile, AgreesWithTheOracle) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 12; ++round) {
    const Grid grid = random_grid(10 + round * 7, 14, 1, 5 * (round % 8), round);
    OctileSearch search(grid);
    const Cell from = random_free(grid, random);
    const auto right = octile_oracle(grid, from);
    const auto all = search.lengths(from);
    for (int i = 0; i < 30; ++i) {
      const Cell to = random_free(grid, random);
      std::vector<Cell> path;
      const double length = search.length(from, to, &path);
      const double wanted = right[grid.index(to)];
      if (wanted > 1e17) {
        EXPECT_LT(length, 0);
        EXPECT_LT(all[grid.index(to)], 0);
        continue;
      }
      EXPECT_NEAR(length, wanted, 1e-6);
      EXPECT_NEAR(all[grid.index(to)], wanted, 1e-3);
      double sum = 0;
      for (std::size_t k = 1; k < path.size(); ++k) {
        const Cell &a = path[k - 1], &b = path[k];
        const bool diagonal = a.x != b.x && a.y != b.y;
        sum += diagonal ? std::sqrt(2.0) : 1;
        EXPECT_TRUE(grid.free(b));
        EXPECT_TRUE(!diagonal || (grid.free(Cell{a.x, b.y, 0}) && grid.free(Cell{b.x, a.y, 0})));
      }
      EXPECT_NEAR(sum, length, 1e-6);
      EXPECT_EQ(path.front(), from);
      EXPECT_EQ(path.back(), to);
    }
  }
}

TEST(Maze, ReadsAsciiWithLayersAndLineEnds) {
  const Maze maze = maze_of("\xEF\xBB\xBFS.#\r\n#.#\r\n\r\n###\r\n#.E");
  EXPECT_EQ(maze.format, "ascii");
  EXPECT_EQ(maze.grid.layers(), 2u);
  EXPECT_EQ(maze.starts, std::vector<Cell>{(Cell{0, 0, 0})});
  EXPECT_EQ(maze.ends, std::vector<Cell>{(Cell{2, 1, 1})});
  EXPECT_EQ(maze.grid.num_free(), 5u);
  const Route route = find_route(maze.grid, {maze.starts[0], maze.ends[0]}, {.via_cost = 10});
  EXPECT_EQ(route.cost, 13u);
  EXPECT_EQ(route.vias, 1u);
}

TEST(Maze, ReadsMovingAi) {
  const Maze maze = maze_of("type octile\nheight 2\nwidth 4\nmap\n.GST\n@OW.\n");
  EXPECT_EQ(maze.format, "movingai");
  EXPECT_EQ(maze.grid.num_free(), 4u);
  EXPECT_TRUE(maze.grid.free(Cell{3, 1, 0}));
}

TEST(Maze, BadTextIsRefusedWithItsPlace) {
  const struct {
    const char *text, *id;
    std::uint64_t line, column;
  } cases[] = {
      {"S.E\n..\n", "HW-MAZE-COLUMNS", 2, 3},
      {"S.E\n....\n", "HW-MAZE-COLUMNS", 2, 4},
      {"S.E\n.x.\n", "HW-MAZE-LETTER", 2, 2},
      {"S.E\n.\t.\n", "HW-MAZE-LETTER", 2, 2},
      {"S.E\n.S.\n", "HW-MAZE-STARTS", 2, 2},
      {"S.E\n...\n\n...\n", "HW-MAZE-ROWS", 5, 1},
      {"\n\n", "HW-MAZE-ROWS", 3, 1},
      {"type tile\nheight 1\nwidth 1\nmap\n.\n", "HW-MAZE-HEADER", 1, 6},
      {"type octile\nheight 0\nwidth 1\nmap\n.\n", "HW-MAZE-HEADER", 2, 8},
      {"type octile\nheight x\nwidth 1\nmap\n.\n", "HW-MAZE-HEADER", 2, 8},
      {"type octile\nwidth 1\nheight 1\nmap\n.\n", "HW-MAZE-HEADER", 2, 1},
      {"type octile\nheight 1\n", "HW-MAZE-HEADER", 3, 1},
      {"type octile\nheight 1\nwidth 3\nmap\n...\n...\n", "HW-MAZE-ROWS", 6, 1},
      {"type octile\nheight 2\nwidth 3\nmap\n...\n", "HW-MAZE-ROWS", 6, 1},
      {"type octile\nheight 2\nwidth 3\nmap\n....\n..\n", "HW-MAZE-COLUMNS", 5, 4},
      {"type octile\nheight 1\nwidth 3\nmap\n.?.\n", "HW-MAZE-LETTER", 5, 2},
      {"type octile\nheight 4000000000\nwidth 4000000000\nmap\n...\n", "HW-MAZE-COUNT", 3, 7},
  };
  for (const auto& c : cases) {
    const auto parts = testing::parts_of([&] { maze_of(c.text); });
    EXPECT_EQ(parts.id, c.id) << c.text;
    EXPECT_EQ(parts.where.line, c.line) << c.text;
    EXPECT_EQ(parts.where.column, c.column) << c.text;
    EXPECT_EQ(parts.failure, Failure::input);
  }
  EXPECT_EQ(testing::parts_of([] { maze_of(""); }).id, "HW-IO-EMPTY");
  EXPECT_EQ(testing::parts_of([] { maze_of("S.E\n", {.format = "gif"}); }).id, "HW-MAZE-FORMAT");
  EXPECT_EQ(testing::parts_of([] { read_maze("/nowhere/at/all.map"); }).id, "HW-IO-OPEN");
}

TEST(Maze, ScenariosAreReadAndRefused) {
  const Grid grid = maze_of("type octile\nheight 2\nwidth 4\nmap\n....\n.@..\n").grid;
  const auto scenarios_of = [&](const std::string& text) { return read_scenarios(std::span(text), "scen", grid); };
  const auto good = scenarios_of("version 1.0\n0\tmaps/a.map\t4\t2\t0\t0\t3\t1\t3.41421356\r\n\n1 a.map 4 2 0 1 2 1 4\n");
  ASSERT_EQ(good.size(), 2u);
  EXPECT_EQ(good[1].line, 4u);
  const auto report = check_scenarios(grid, good, {.run = {.threads = 2}});
  EXPECT_TRUE(report.wrong.empty());
  EXPECT_EQ(report.without_diagonals, 1u);
  const auto wrong =
      check_scenarios(grid, scenarios_of("version 1\n0 a 4 2 0 0 3 1 3.4\n0 a 4 2 0 0 3 1 3.41421\n"), {.run = {.threads = 1}});
  ASSERT_EQ(wrong.wrong.size(), 1u);
  EXPECT_EQ(wrong.wrong[0].scenario.line, 2u);
  const struct {
    const char *text, *id;
    std::uint64_t line, column;
  } cases[] = {
      {"1 a 4 2 0 0 3 1 3.4\n", "HW-SCEN-HEADER", 1, 1},
      {"version 2\n", "HW-SCEN-HEADER", 1, 9},
      {"version 1\n", "HW-SCEN-ROW", 2, 1},
      {"version 1\n0 a 5 2 0 0 3 1 3.4\n", "HW-SCEN-SIZE", 2, 5},
      {"version 1\n0 a 4 3 0 0 3 1 3.4\n", "HW-SCEN-SIZE", 2, 7},
      {"version 1\n0 a 4 2 4 0 3 1 3.4\n", "HW-SCEN-ROW", 2, 9},
      {"version 1\n0 a 4 2 -1 0 3 1 3.4\n", "HW-SCEN-ROW", 2, 9},
      {"version 1\n0 a 4 2 1 1 3 1 3.4\n", "HW-SCEN-WALL", 2, 11},
      {"version 1\n0 a 4 2 0 0 3 1\n", "HW-SCEN-ROW", 2, 16},
      {"version 1\n0 a 4 2 0 0 3 1 nan\n", "HW-SCEN-ROW", 2, 17},
      {"version 1\n0 a 4 2 0 0 3 1 3.4 x\n", "HW-SCEN-ROW", 2, 21},
  };
  for (const auto& c : cases) {
    const auto parts = testing::parts_of([&] { scenarios_of(c.text); });
    EXPECT_EQ(parts.id, c.id) << c.text;
    EXPECT_EQ(parts.where.line, c.line) << c.text;
    EXPECT_EQ(parts.where.column, c.column) << c.text;
  }
}

TEST(Picture, PngIsReadBackAndMissesNothing) {
  if (!build_features().png) GTEST_SKIP() << "built without libpng";
  const test::Folder folder;
  // 600 wide, so that a cell is a pixel.
  const Grid grid = random_grid(600, 30, 1, 30, 4);
  std::mt19937 random(1);
  const Cell from = random_free(grid, random);
  const auto distance = distances(grid, from);
  write_picture({&grid, {}, {}, {from}}, folder / "plain.png");
  const Maze plain = read_maze(folder / "plain.png");
  EXPECT_EQ(plain.format, "png");
  EXPECT_TRUE(std::ranges::equal(plain.grid.words(), grid.words()));  // white free, dark wall, green start
  EXPECT_EQ(plain.starts, std::vector<Cell>{from});
  // A red route becomes one red area: its first cell in reading order is the end.
  const Cell ends[] = {{0, 0, 0}, {1, 0, 0}};
  Grid open(600, 2);
  for (std::uint32_t x = 0; x < 600; ++x) open.set_free({x, 0, 0});
  write_picture({&open, {}, {{ends[0], ends[1]}}, {}}, folder / "red.png");
  EXPECT_EQ(read_maze(folder / "red.png").ends, std::vector<Cell>{ends[0]});
  EXPECT_EQ(read_maze(folder / "red.png", {.threshold = 255}).ends.size(), 0u);

  std::string bytes = slurp(folder / "plain.png");
  EXPECT_EQ(testing::parts_of([&] { maze_of(bytes.substr(0, bytes.size() / 2)); }).id, "HW-MAZE-PNG");
  EXPECT_EQ(testing::parts_of([&] { maze_of(bytes.substr(0, 20)); }).id, "HW-MAZE-PNG");
  EXPECT_EQ(testing::parts_of([&] { write_picture({&grid, distance, {}, {}}, folder / "a.gif"); }).id, "HW-ROUTE-ENDING");
}

TEST(Picture, SmallMazesHaveTheWavefrontsNumbers) {
  const test::Folder folder;
  const Maze maze = maze_of("S...\n.##.\n...E\n");
  const auto levels = distances(maze.grid, maze.starts[0]);
  const Drawing drawing{&maze.grid, levels, {}, {maze.starts[0], maze.ends[0]}};
  write_picture(drawing, folder / "a.svg");
  const std::string svg = slurp(folder / "a.svg");
  EXPECT_EQ(test::xml_fault(svg), "");
  for (const char* const cell : {"x=\"0.5\" y=\"0.70\">0<", "x=\"3.5\" y=\"2.70\">5<", "x=\"0.5\" y=\"2.70\">2<"})
    EXPECT_NE(svg.find(cell), std::string::npos) << cell << svg;
  EXPECT_EQ(svg.find("x=\"1.5\" y=\"1.70\""), std::string::npos) << "a wall has no number";
  write_picture({&maze.grid, {}, {}, {}}, folder / "bare.svg");
  EXPECT_EQ(slurp(folder / "bare.svg").find("text-anchor"), std::string::npos) << "no search, no numbers";
  for (const std::uint32_t side : {40u, 41u}) {
    Grid open(side, side);
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t x = 0; x < side; ++x) open.set_free({x, y, 0});
    write_picture({&open, distances(open, {0, 0, 0}), {}, {}}, folder / "open.svg");
    EXPECT_EQ(slurp(folder / "open.svg").find(">78</text>") != std::string::npos, side == 40);
  }
  if (!build_features().png) return;
  // What the numbers add to the PNG are dark or white points within cells of the same size.
  write_picture(drawing, folder / "a.png");
  write_picture({&maze.grid, {}, {}, {}}, folder / "bare.png");
  EXPECT_GT(slurp(folder / "a.png").size(), slurp(folder / "bare.png").size() + 100);
}

TEST(Picture, SvgAndAnimationsShowEveryLevel) {
  const test::Folder folder;
  const Maze maze = maze_of("S...\n.##.\n...E\n");
  const Route route = find_route(maze.grid, {maze.starts[0], maze.ends[0]});
  const Drawing drawing{&maze.grid, distances(maze.grid, maze.starts[0]), route.branches, {maze.starts[0], maze.ends[0]}};
  write_picture(drawing, folder / "a.svg");
  const std::string svg = slurp(folder / "a.svg");
  EXPECT_NE(svg.find("M1 1h2v1h-2z"), std::string::npos);  // the wall
  EXPECT_NE(svg.find("M0 0h1v1h-1z"), std::string::npos);  // level 0
  const auto count = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(write_animation(drawing, folder / "b.svg"), 1u);
  const std::string appears = "<set attributeName=\"visibility\"", is_lit = "<set attributeName=\"fill\"";
  EXPECT_EQ(count(slurp(folder / "b.svg"), appears), 5 + 1);  // levels 1 to 5, and the route; level 0 is there from the start
  EXPECT_EQ(count(slurp(folder / "b.svg"), is_lit), 6);       // each level in its turn
  EXPECT_EQ(slurp(folder / "b.svg").find("visibility=\"hidden\""), std::string::npos)
      << "where nothing is played, all is shown";
  EXPECT_EQ(write_animation(drawing, folder / "b.html"), 1u);
  EXPECT_EQ(count(slurp(folder / "b.html"), "class=\"s\""), 6);
  EXPECT_EQ(write_animation(drawing, folder / "c.svg", 3), 2u);
  EXPECT_EQ(count(slurp(folder / "c.svg"), appears), 2 + 1);
  EXPECT_EQ(count(slurp(folder / "c.svg"), is_lit), 3);
  EXPECT_EQ(testing::parts_of([&] { write_animation(drawing, folder / "c.png"); }).id, "HW-ROUTE-ENDING");
}

/// Samples of each scenario file; all of them with HOPWAVE_ALL_SCENARIOS set.
TEST(MovingAi, ScenariosHaveTheRightLengths) {
  const fs::path folder = fs::path(hopwave::testing::places::shared_data) / "maze";
  if (!fs::exists(folder)) GTEST_SKIP() << "no MovingAI data at " << folder;
  const bool all = std::getenv("HOPWAVE_ALL_SCENARIOS") != nullptr;
  std::uint64_t maps = 0, checked = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const bool packed = path.ends_with(".map.zst");
    if (!packed && !path.ends_with(".map")) continue;
    if (packed && !build_features().zstd) continue;
    std::string scen = (packed ? path.substr(0, path.size() - 4) : path) + ".scen";
    if (!fs::exists(scen)) scen += ".zst";
    const Maze maze = read_maze(path);
    auto scenarios = read_scenarios(scen, maze.grid);
    if (!all) {
      const std::size_t step = std::max<std::size_t>(1, scenarios.size() / 12);
      std::vector<Scenario> some;
      for (std::size_t i = 0; i < scenarios.size(); i += step) some.push_back(scenarios[i]);
      scenarios = some;
    }
    const CheckReport report = check_scenarios(maze.grid, scenarios, {.run = {.threads = 2}});
    for (const auto& wrong : report.wrong)
      ADD_FAILURE() << scen << ":" << wrong.scenario.line << ": " << wrong.what << " is " << wrong.found << ", expected "
                    << wrong.scenario.length;
    // One-cell corridors have no room for diagonals: there the optima are hop counts, and all were compared as such.
    if (path.find("maze512-1-0") != std::string::npos) {
      EXPECT_EQ(report.without_diagonals, report.scenarios);
    }
    ++maps;
    checked += report.scenarios;
  }
  EXPECT_GT(maps, 0u);
  RecordProperty("scenarios", static_cast<int>(checked));
}

}  // namespace of_route_test
}  // namespace hopwave::inline v0_1::route

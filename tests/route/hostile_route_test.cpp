// Nonsense for grids, routes and netlists: an Error of a documented id, or a defined answer; never a crash.
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "route/gpu/grid_search.h"
#include "support/hostile.h"
#include "support/temp_dir.h"

namespace hopwave::inline v0_1::route {
namespace of_hostile_route_test {

constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
constexpr Cell far_away[] = {{5, 0, 0}, {0, 4, 0}, {0, 0, 1}, {most, 0, 0}, {0, most, 0}, {0, 0, most}, {most, most, most}};

// What keeps a reference takes no temporary.
static_assert(std::is_constructible_v<OctileSearch, const Grid&> && !std::is_constructible_v<OctileSearch, Grid> &&
              !std::is_constructible_v<OctileSearch, const Grid>);
static_assert(std::is_constructible_v<DeviceGrid, const Grid&, DeviceKind> && !std::is_constructible_v<DeviceGrid, Grid> &&
              !std::is_constructible_v<DeviceGrid, Grid, DeviceKind> &&
              !std::is_constructible_v<DeviceGrid, const Grid, DeviceKind>);

/// Five columns, four rows; all free but 1,1.
Grid open_grid(std::uint64_t layers = 1) {
  Grid grid(5, 4, layers);
  for (std::uint32_t layer = 0; layer < layers; ++layer)
    for (std::uint32_t y = 0; y < 4; ++y)
      for (std::uint32_t x = 0; x < 5; ++x) grid.set_free({x, y, layer}, x != 1 || y != 1);
  return grid;
}

// nonsense: Grid::Grid Grid::num_cells Grid::num_bits Grid::width Grid::height Grid::layers Grid::num_free Grid::words
// Grid::row_words Grid::plane_words
TEST(HostileGrid, Sizes) {
  constexpr std::uint64_t end = std::uint64_t{1} << 32, huge = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t sizes[][3] = {{end, 1, 1},           {1, end, 1},           {1, 1, end},           {huge, huge, huge},
                                    {end - 1, end - 2, 1}, {huge, 0, 0},          {end - 1, end - 2, 0}, {64, end - 1, 64},
                                    {1, 1, end - 1},       {1 << 16, 1 << 16, 1}, {0, huge, huge}};
  for (const auto& s : sizes)
    EXPECT_EQ(id_of([&] { Grid(s[0], s[1], s[2]); }), "HW-ROUTE-SIZE") << s[0] << " " << s[1] << " " << s[2];
  const Grid nothing, flat(0, 0, 0), thin(7, 0), unlayered(7, 3, 0);
  for (const Grid* g : {&nothing, &flat, &thin, &unlayered}) {
    EXPECT_EQ(g->num_cells(), 0u);
    EXPECT_EQ(g->num_free(), 0u);
    EXPECT_FALSE(g->contains({0, 0, 0}));
    EXPECT_EQ(g->index({0, 0, 0}), no_cell);
    EXPECT_FALSE(g->contains(g->cell(0)));
    EXPECT_EQ(id_of([&] { Grid(*g).set_free({0, 0, 0}); }), "HW-ROUTE-OUTSIDE");
  }
  Grid full = open_grid();
  const Grid taken = std::move(full);
  EXPECT_EQ(taken.num_free(), 19u);
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_EQ(full.width() + full.height() + full.layers() + full.row_words() + full.plane_words() + full.num_bits(), 0u);
  EXPECT_TRUE(full.words().empty());
  EXPECT_EQ(id_of([&] { full.set_free({0, 0, 0}); }), "HW-ROUTE-OUTSIDE");
  // NOLINTEND(bugprone-use-after-move)
}

// nonsense: Grid::set_free Grid::free Grid::index Grid::cell Grid::contains
TEST(HostileGrid, CellsOutside) {
  Grid grid = open_grid();
  const std::vector<std::uint64_t> before(grid.words().begin(), grid.words().end());
  for (const Cell& c : far_away) {
    EXPECT_FALSE(grid.contains(c));
    EXPECT_FALSE(grid.free(c));
    EXPECT_EQ(grid.index(c), no_cell);
    for (const bool is_free : {true, false}) EXPECT_EQ(id_of([&] { grid.set_free(c, is_free); }), "HW-ROUTE-OUTSIDE");
  }
  EXPECT_TRUE(std::equal(before.begin(), before.end(), grid.words().begin(), grid.words().end()));
  for (const CellIndex i : {static_cast<CellIndex>(grid.num_bits()), most, most - 1, CellIndex{1} << 31}) {
    EXPECT_FALSE(grid.free(i));
    EXPECT_FALSE(grid.contains(grid.cell(i)));
  }
  std::size_t cells = 0;  // all bits that are no cells, borders too
  for (CellIndex i = 0; i < grid.num_bits(); ++i)
    if (grid.contains(grid.cell(i))) {
      EXPECT_EQ(grid.index(grid.cell(i)), i);
      ++cells;
    }
  EXPECT_EQ(cells, grid.num_cells());
}

// nonsense: find_way find_route choose_method name_of DeviceGrid::find DeviceGrid::DeviceGrid DeviceGrid::hops
// DeviceGrid::stats DeviceGrid::device
TEST(HostileRoute, WaysBetweenWhatIsNoCell) {
  const Grid grid = open_grid();
  const CellIndex a = grid.index({0, 0}), b = grid.index({4, 3}), wall = grid.index({1, 1});
  DeviceGrid device(grid, DeviceKind::sim);
  const auto error_with = [&](std::vector<CellIndex> from, std::vector<CellIndex> to, RouteOptions options = {}) {
    std::string error;
    for (const Method method : {Method::words, Method::queue, Method::bends}) {
      options.method = method;
      const std::string now = id_of([&] { (void)find_way(grid, from, to, options); });
      EXPECT_TRUE(error.empty() || now == error) << now << " after " << error;
      error = now;
    }
    options.method = Method::automatic;
    EXPECT_EQ(id_of([&] { (void)device.find(from, to, options); }), error);
    return error;
  };
  EXPECT_EQ(error_with({a}, {b}), "none");
  EXPECT_EQ(error_with({a, a, a}, {b, b}), "none");
  EXPECT_EQ(error_with({}, {b}), "none");
  EXPECT_EQ(error_with({a}, {}), "none");
  for (const CellIndex i : {static_cast<CellIndex>(grid.num_bits()), most, most - 1, CellIndex{0}, CellIndex{5 + 64}}) {
    EXPECT_EQ(error_with({i}, {b}), "HW-ROUTE-OUTSIDE") << i;
    EXPECT_EQ(error_with({a}, {b, i}), "HW-ROUTE-OUTSIDE") << i;
  }
  EXPECT_EQ(error_with({wall}, {b}), "HW-ROUTE-WALL");
  EXPECT_EQ(error_with({a}, {wall}), "HW-ROUTE-WALL");
  for (const std::uint32_t cost : {0u, 65536u, most}) EXPECT_EQ(error_with({a}, {b}, {.via_cost = cost}), "HW-ROUTE-COST");
  for (const Method method : {Method::words, Method::queue}) {
    const Way way = find_way(grid, std::vector{a, a}, std::vector{b, b}, {.method = method});
    EXPECT_EQ(way.cost, 7u);
    const Way none = find_way(grid, std::vector{a, a}, std::vector<CellIndex>{}, {.method = method});
    EXPECT_EQ(none.reached, 19u) << name_of(method);  // a source given twice is one cell
  }
  const std::vector from{a}, to{b};
  EXPECT_EQ(id_of([&] { (void)find_way(grid, from, to, {.method = unnamed<Method>()}); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { (void)find_way(grid, from, to, {.run = {.device = unnamed<DeviceKind>()}}); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { (void)choose_method(grid, {.run = {.device = unnamed<DeviceKind>()}}); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { (void)device.find(from, to, {.fewest_bends = true}); }), "HW-ROUTE-METHOD");
  EXPECT_EQ(id_of([&] { (void)device.find(from, to, {.method = Method::queue}); }), "HW-ROUTE-METHOD");
  EXPECT_EQ(id_of([&] { DeviceGrid(grid, unnamed<DeviceKind>()); }), "HW-OPTION-VALUE");
  EXPECT_EQ(name_of(unnamed<Method>()), "");
  EXPECT_FALSE(device.device().empty());
  EXPECT_GT(device.stats().launches, 0u);
  for (const Cell& c : far_away) {
    const Scenario outside{.start = c, .goal = {0, 0}};
    EXPECT_EQ(id_of([&] { (void)device.hops({&outside, 1}); }), "HW-ROUTE-OUTSIDE");
    EXPECT_EQ(id_of([&] { (void)find_route(grid, {{0, 0}, c}); }), "HW-ROUTE-OUTSIDE");
  }
  EXPECT_TRUE(device.hops({}).empty());
  EXPECT_EQ(id_of([&] { (void)find_route(grid, {{1, 1}}); }), "HW-ROUTE-WALL");
  EXPECT_EQ(id_of([&] { (void)find_route(grid, {{0, 0}, {1, 0}}, {.method = unnamed<Method>()}); }), "HW-OPTION-VALUE");
  EXPECT_TRUE(find_route(grid, {}).complete);
  EXPECT_TRUE(find_route(grid, {{0, 0}, {0, 0}}).complete);
  DeviceGrid taken = std::move(device);
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_EQ(id_of([&] { (void)device.find(from, to); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { (void)device.hops({}); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { (void)device.stats(); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { (void)device.device(); }), "HW-MOVED-FROM");
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(taken.find(from, to).cost, 7u);
}

TEST(HostileRoute, CallbacksThatThrowOrCallBackIn) {
  const Grid grid = perfect_maze(255, 255);
  const Maze maze = make_maze("maze:255x255");
  const std::vector from{grid.index(maze.starts[0])}, to{grid.index(maze.ends[0])};
  const WaveTuning often{.max_windows = 4};  // the host is asked between launches
  DeviceGrid device(grid, DeviceKind::sim, &often);
  const Way right = find_way(grid, from, to);
  const RouteOptions throws{.run = {.progress = [](const Step&) -> bool { throw std::out_of_range("mine"); }}};
  for (const Method method : {Method::words, Method::queue, Method::bends}) {
    RouteOptions options = throws;
    options.method = method;
    EXPECT_THROW((void)find_way(grid, from, to, options), std::out_of_range);
    std::uint64_t inner = 0;
    options.run.progress = [&](const Step&) { return (inner = find_way(grid, from, to, {.method = method}).cost) > 0; };
    EXPECT_EQ(find_way(grid, from, to, options).cost, right.cost);
    EXPECT_EQ(inner, right.cost);
  }
  EXPECT_THROW((void)device.find(from, to, throws), std::out_of_range);
  std::string inner;
  EXPECT_EQ(
      device
          .find(from, to,
                {.run = {.progress =
                             [&](const Step&) { return !(inner = id_of([&] { (void)device.find(from, to); })).empty(); }}})
          .cost,
      right.cost);
  EXPECT_EQ(inner, "HW-BUSY");
}

// nonsense: OctileSearch::OctileSearch OctileSearch::length OctileSearch::lengths OctileSearch::expanded
// OctileSearch::straight OctileSearch::diagonal find_octile_route distances
TEST(HostileRoute, OctileWaysAndDistances) {
  const Grid grid = open_grid(), nothing, layers = open_grid(2);
  OctileSearch search(grid);
  EXPECT_EQ(search.expanded() + search.straight() + search.diagonal(), 0u);
  for (const Cell& c : far_away) {
    EXPECT_EQ(id_of([&] { (void)search.length(c, {0, 0}); }), "HW-ROUTE-OUTSIDE");
    EXPECT_EQ(id_of([&] { (void)search.length({0, 0}, c); }), "HW-ROUTE-OUTSIDE");
    EXPECT_EQ(id_of([&] { (void)search.lengths(c); }), "HW-ROUTE-OUTSIDE");
    EXPECT_EQ(id_of([&] { (void)find_octile_route(grid, {0, 0}, c); }), "HW-ROUTE-OUTSIDE");
    EXPECT_EQ(id_of([&] { (void)distances(grid, c); }), "HW-ROUTE-OUTSIDE");
    EXPECT_EQ(id_of([&] { (void)distances(nothing, c); }), "HW-ROUTE-OUTSIDE");
  }
  EXPECT_EQ(id_of([&] { (void)search.length({1, 1}, {0, 0}); }), "HW-ROUTE-WALL");
  EXPECT_EQ(id_of([&] { (void)distances(grid, {1, 1}); }), "HW-ROUTE-WALL");
  EXPECT_EQ(id_of([&] { OctileSearch bad(layers); }), "HW-ROUTE-LAYERS");
  EXPECT_EQ(id_of([&] { OctileSearch bad(nothing); }), "HW-ROUTE-LAYERS");
  for (const std::uint32_t cost : {0u, 65536u, most})
    EXPECT_EQ(id_of([&] { (void)distances(grid, {0, 0}, cost); }), "HW-ROUTE-COST");
  const auto none = distances(grid, {0, 0}, 1, -5);
  EXPECT_EQ(none[grid.index({1, 0})], -1);
  EXPECT_EQ(search.length({0, 0}, {0, 0}), 0);
}

// nonsense: perfect_maze random_walls make_maze is_maze_spec read_maze read_scenarios check_scenarios
TEST(HostileRoute, MazesAndScenarios) {
  const std::uint64_t end = std::uint64_t{1} << 32;
  EXPECT_EQ(id_of([&] { (void)perfect_maze(end, end); }), "HW-ROUTE-SIZE");
  EXPECT_EQ(id_of([&] { (void)random_walls(end, 1); }), "HW-ROUTE-SIZE");
  EXPECT_EQ(perfect_maze(0, 0).num_cells() + perfect_maze(1, 2).num_free(), 0u);
  EXPECT_EQ(random_walls(9, 9, most).num_free(), 0u);
  EXPECT_EQ(random_walls(9, 9, 0).num_free(), 81u);
  for (const char* spec : {"", ":", "3x4", "maze", "maze:", "maze:3", "maze:3x", "maze:3x4x5", "maze:3,4", "random:3x4,101",
                           "maze:-1x3", "random:3x4,30,1,1", "bogus:3x4"})
    EXPECT_EQ(id_of([&] { (void)make_maze(spec); }), "HW-MAZE-SPEC") << spec;
  EXPECT_EQ(id_of([] { (void)make_maze("maze:99999999999x3"); }), "HW-ROUTE-SIZE");
  EXPECT_TRUE(make_maze("random:0x0").starts.empty());
  // Each reports, and ends at whichever report says so.
  const std::function<void(const Progress&)> makers[] = {[](const Progress& p) { (void)perfect_maze(701, 301, 1, p); },
                                                         [](const Progress& p) { (void)random_walls(90, 70, 30, 1, p); },
                                                         [](const Progress& p) { (void)make_maze("maze:701x301", p); },
                                                         [](const Progress& p) { (void)make_maze("random:9x70", p); }};
  for (const auto& make : makers) {
    std::uint64_t looks = 0, most = 0, all = 0;
    make([&](const Step& step) {
      const auto [done, total] = std::pair(step.done, step.total);
      EXPECT_TRUE(most <= done && done <= total && (looks == 0 || total == all)) << done << " of " << total;
      ++looks, most = done, all = total;
      return true;
    });
    EXPECT_GT(looks, 5u);
    EXPECT_GT(10 * most, 9 * all) << "of all work the greatest part is reported";
    for (std::uint64_t last = 1; last <= looks; ++last) {
      std::uint64_t asked = 0;
      EXPECT_EQ(id_of([&] { make([&](const Step&) { return ++asked < last; }); }), "HW-INTERRUPTED");
      EXPECT_EQ(asked, last);
    }
    struct Thrown {};
    EXPECT_THROW(make([](const Step&) -> bool { throw Thrown(); }), Thrown);
  }
  EXPECT_FALSE(is_maze_spec(""));
  EXPECT_EQ(id_of([] { (void)read_maze("/nowhere/at/all"); }), "HW-IO-OPEN");
  EXPECT_NE(id_of([] { (void)read_maze(std::span<const char>{}, ""); }), "none");
  EXPECT_EQ(id_of([] { (void)read_maze(std::span<const char>("..", 2), "m", {.format = "?"}); }), "HW-MAZE-FORMAT");
  const Grid grid = open_grid();
  EXPECT_EQ(id_of([&] { (void)read_scenarios("/nowhere/at/all", grid); }), "HW-IO-OPEN");
  EXPECT_NE(id_of([&] { (void)read_scenarios(std::span<const char>{}, "", grid); }), "none");
  const Scenario good{.start = {0, 0}, .goal = {4, 0}, .length = 4};
  EXPECT_TRUE(check_scenarios(grid, {&good, 1}).wrong.empty());
  EXPECT_EQ(check_scenarios(grid, {}).scenarios, 0u);
  for (const double length : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    Scenario wrong = good;
    wrong.length = length;
    EXPECT_FALSE(check_scenarios(grid, {&wrong, 1}).wrong.empty()) << length;
  }
  for (const Cell& c : far_away) {
    const Scenario outside{.start = {0, 0}, .goal = c};
    EXPECT_EQ(id_of([&] { (void)check_scenarios(grid, {&outside, 1}); }), "HW-ROUTE-OUTSIDE");
  }
  EXPECT_EQ(id_of([&] { (void)check_scenarios(grid, {&good, 1}, {.run = {.threads = -1}}); }), "HW-OPTION-THREADS");
  const std::vector<Scenario> many(500, good);
  EXPECT_THROW(
      (void)check_scenarios(grid, many,
                            {.run = {.threads = 4, .progress = [](const Step&) -> bool { throw std::out_of_range("mine"); }}}),
      std::out_of_range);
  std::uint64_t calls = 0;  // one thread at a time: no atomic needed
  (void)check_scenarios(grid, many, {.run = {.threads = 4, .progress = [&](const Step&) { return ++calls > 0; }}});
  EXPECT_EQ(calls, 500u);
}

// nonsense: write_picture write_animation
TEST(HostileRoute, Pictures) {
  const TempDir dir;
  const Grid grid = open_grid(), nothing;
  const auto error_with = [&](const Drawing& drawing) {
    const std::string error = id_of([&] { write_picture(drawing, dir.path("p.svg")); });
    Drawing moving = drawing;
    if (moving.distance.empty() && moving.grid) moving.distance.assign(moving.grid->num_bits(), 0);
    EXPECT_EQ(id_of([&] { (void)write_animation(moving, dir.path("a.svg")); }), error);
    if (build_features().png) EXPECT_EQ(id_of([&] { write_picture(drawing, dir.path("p.png")); }), error);
    return error;
  };
  EXPECT_EQ(error_with({.grid = &grid}), "none");
  EXPECT_EQ(error_with({}), "HW-ROUTE-DRAWING");
  EXPECT_EQ(error_with({.grid = &nothing}), "HW-ROUTE-DRAWING");
  EXPECT_EQ(error_with({.grid = &grid, .distance = {1, 2, 3}}), "HW-ROUTE-DRAWING");
  EXPECT_EQ(error_with({.grid = &grid, .distance = std::vector<std::int32_t>(grid.num_bits(), most / 2)}), "none");
  EXPECT_EQ(error_with({.grid = &grid, .distance = std::vector<std::int32_t>(grid.num_bits(), -77)}), "none");
  EXPECT_EQ(error_with({.grid = &grid, .branches = {{}}}), "none");
  for (const Cell& c : far_away) {
    EXPECT_EQ(error_with({.grid = &grid, .branches = {{{0, 0}, c}}}), "HW-ROUTE-DRAWING");
    EXPECT_EQ(error_with({.grid = &grid, .terminals = {c}}), "HW-ROUTE-DRAWING");
  }
  const Drawing good{.grid = &grid, .distance = std::vector<std::int32_t>(grid.num_bits(), 1)};
  for (const char* name : {"x", "x.gif", ".svg.", ""}) {
    EXPECT_EQ(id_of([&] { write_picture(good, dir.path(name)); }), "HW-ROUTE-ENDING");
    EXPECT_EQ(id_of([&] { (void)write_animation(good, dir.path(name)); }), "HW-ROUTE-ENDING");
  }
  for (const std::uint32_t steps : {0u, 1u, most})
    EXPECT_EQ(id_of([&] { (void)write_animation(good, dir.path("a.html"), steps); }), "none");
  EXPECT_EQ(id_of([&] { (void)write_animation({.grid = &grid}, dir.path("a.html")); }), "HW-ROUTE-DRAWING");
  EXPECT_EQ(id_of([&] { write_picture(good, dir.path("no/such/folder.svg")); }), "HW-IO-WRITE");
}

/// Three by two tiles, one net.
Netlist small_netlist() {
  Netlist n;
  n.width = 3, n.height = 2;
  n.capacity.assign(18, 1);
  n.nets = {{.name = "a", .id = 0, .width = 1, .pins = {{0, 0}, {2, 1}}}};
  return n;
}

// nonsense: route_nets write_solution Netlist::tile Netlist::num_tiles Netlist::demand read_netlist is_netlist holds_netlist
TEST(HostileNetlist, ArraysThatDoNotFit) {
  constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max(), least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t wide = std::numeric_limits<std::int64_t>::max();
  const TempDir dir;
  const auto error_with = [&](auto&& spoil) {
    Netlist bad = small_netlist();
    const GlobalRoute route = route_nets(bad);
    spoil(bad);
    const std::string error = id_of([&] { (void)route_nets(bad); });
    EXPECT_EQ(id_of([&] { write_solution(bad, route, dir.path("s")); }), error);
    return error;
  };
  const std::string arrays = "HW-NET-ARRAYS";
  EXPECT_EQ(error_with([](Netlist&) {}), "none");
  EXPECT_EQ(error_with([](Netlist& n) { n.capacity.clear(); }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.width = 4; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.width = n.height = n.layers = most; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.layers = 0; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.min_width = {1}; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.min_spacing = {1}; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.min_width = n.min_spacing = {1, 1}; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.min_width = n.min_spacing = {largest}; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.min_width = {-1}, n.min_spacing = {0}; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.nets[0].width = -1; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.left = wide; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.tile_height = wide; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.tile_width = -1; }), arrays);
  EXPECT_EQ(error_with([](Netlist& n) { n.nets[0].pins.clear(); }), "HW-NET-PIN");
  for (const Cell& c : {Cell{3, 0, 0}, Cell{0, 2, 0}, Cell{0, 0, 1}, Cell{most, most, most}})
    EXPECT_EQ(error_with([&](Netlist& n) { n.nets[0].pins.push_back(c); }), "HW-NET-PIN");
  EXPECT_EQ(error_with([=](Netlist& n) { n.capacity.assign(18, least); }), "none");
  EXPECT_EQ(error_with([=](Netlist& n) { n.capacity.assign(18, largest); }), "none");

  const Netlist good = small_netlist();
  EXPECT_EQ(id_of([&] { (void)good.tile({3, 0, 0}); }), "HW-NET-PIN");
  EXPECT_EQ(good.demand(good.nets[0], most), 1);
  Netlist layered = good;
  layered.min_width = {1};
  EXPECT_EQ(id_of([&] { (void)layered.demand(good.nets[0], 0); }), arrays);
  layered.width = layered.height = layered.layers = most;
  EXPECT_EQ(layered.num_tiles(), ~std::size_t{0});
  EXPECT_EQ(id_of([&] { (void)route_nets(good, {.order = unnamed<NetOrder>()}); }), "HW-OPTION-VALUE");
  EXPECT_EQ(route_nets(good, {.rounds = least}).rounds, 1);
  EXPECT_THROW((void)route_nets(good, {.run = {.progress = [](const Step&) -> bool { throw std::out_of_range("mine"); }}}),
               std::out_of_range);
  EXPECT_EQ(route_nets(Netlist()).rounds, 1);
  GlobalRoute route = route_nets(good);
  route.wires.clear();
  EXPECT_EQ(id_of([&] { write_solution(good, route, dir.path("s")); }), arrays);
  route = route_nets(good);
  route.wires[0][0].first.x = most;
  EXPECT_EQ(id_of([&] { write_solution(good, route, dir.path("s")); }), "HW-NET-PIN");
  EXPECT_EQ(id_of([&] { write_solution(good, route_nets(good), dir.path("no/such/folder")); }), "HW-IO-WRITE");
  EXPECT_EQ(id_of([] { (void)read_netlist("/nowhere/at/all"); }), "HW-IO-OPEN");
  EXPECT_NE(id_of([] { (void)read_netlist(std::span<const char>{}, ""); }), "none");
  for (const char* path : {"", "/nowhere/at/all", "/"}) (void)id_of([&] { EXPECT_FALSE(is_netlist(path)) << path; });
  for (const std::string& text :
       {std::string(), std::string("\0", 1), std::string("gri"), std::string("grids 1 1"), std::string(99, ' ')})
    EXPECT_FALSE(holds_netlist(text)) << text;
  for (const std::string& text :
       {std::string("grid 2 1"), std::string("\n \n\tgrid\t2\t1\r\n"), std::string("\xEF\xBB\xBFgrid 2 1")})
    EXPECT_TRUE(holds_netlist(text)) << text;
}

}  // namespace of_hostile_route_test
}  // namespace hopwave::inline v0_1::route

// One input through a reader of mazes, scenarios or netlists and through its plain twin.
#include "compare_grids.h"

#include <optional>
#include <span>

#include "differs.h"
#include "hopwave/error.h"
#include "hopwave/netlist.h"
#include "hopwave/route.h"
#include "plain/grids.h"

namespace hopwave::fuzz {
namespace {

void need_place(const route::Cell& cell, const plain::Place& place, const char* what) {
  need(cell.x == place[0] && cell.y == place[1] && cell.layer == place[2], what);
}

void same(const route::Maze& maze, const plain::Maze& expected) {
  need(maze.grid.width() == expected.width && maze.grid.height() == expected.height && maze.grid.layers() == expected.layers,
       "the size of a maze");
  std::uint64_t count = 0;
  for (std::uint32_t layer = 0; layer < expected.layers; ++layer)
    for (std::uint32_t y = 0; y < expected.height; ++y)
      for (std::uint32_t x = 0; x < expected.width; ++x) {
        need(maze.grid.free(route::Cell{x, y, layer}) == expected.is_free(x, y, layer), "a cell");
        count += expected.is_free(x, y, layer);
      }
  need(maze.grid.num_free() == count, "number of free cells");
  need(maze.starts.size() == expected.starts.size() && maze.ends.size() == expected.ends.size(), "number of starts or ends");
  for (std::size_t i = 0; i < expected.starts.size(); ++i) need_place(maze.starts[i], expected.starts[i], "a start");
  for (std::size_t i = 0; i < expected.ends.size(); ++i) need_place(maze.ends[i], expected.ends[i], "an end");
}

void same(const std::vector<route::Scenario>& all, const std::vector<plain::Scenario>& expected) {
  need(all.size() == expected.size(), "number of scenarios");
  for (std::size_t i = 0; i < all.size(); ++i) {
    need_place(all[i].start, expected[i].start, "a scenario's start");
    need_place(all[i].goal, expected[i].goal, "a scenario's goal");
    need(all[i].length == expected[i].length, "a scenario's length");
    need(all[i].line == expected[i].line, "a scenario's line");
    need(all[i].tolerance >= 1e-3, "a scenario's tolerance");
  }
}

void same(const route::Netlist& list, const plain::Netlist& expected) {
  need(list.width == expected.width && list.height == expected.height && list.layers == expected.layers, "a netlist's size");
  need(list.capacity.size() == expected.capacity.size() / 2 * 3, "number of capacities");
  for (std::size_t tile = 0; 2 * tile < expected.capacity.size(); ++tile)
    for (const std::size_t way : {0, 1}) need(list.capacity[3 * tile + way] == expected.capacity[2 * tile + way], "a capacity");
  const auto equal = [](const std::vector<std::int32_t>& values, const std::vector<std::int64_t>& others) {
    return std::vector<std::int64_t>(values.begin(), values.end()) == others;
  };
  need(equal(list.min_width, expected.min_width) && equal(list.min_spacing, expected.min_spacing), "least widths or spacings");
  need(list.left == expected.left && list.bottom == expected.bottom && list.tile_width == expected.tile_width &&
           list.tile_height == expected.tile_height,
       "the place of the tiles");
  need(list.nets.size() == expected.nets.size(), "number of nets");
  for (std::size_t i = 0; i < list.nets.size(); ++i) {
    const route::Net& net = list.nets[i];
    const plain::Net& other = expected.nets[i];
    need(net.name == other.name && static_cast<std::uint64_t>(net.id) == other.id &&
             static_cast<std::uint64_t>(net.width) == other.width,
         "a net's name, id or width");
    need(net.pins.size() == other.pins.size(), "number of pins");
    for (std::size_t p = 0; p < net.pins.size(); ++p) need_place(net.pins[p], other.pins[p], "a pin");
  }
}

/// `read` and `plain` get the bytes behind the first.
template <class Read, class Plain>
int compare(const std::uint8_t* data, std::size_t size, Read&& read, Plain&& plain) {
  if (size == 0) return 0;
  const std::span<const char> bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::optional<decltype(plain(std::string_view()))> expected;
  std::string why;
  bool open = packed({bytes.data(), bytes.size()});
  if (!open) try {
      expected = plain(std::string_view(bytes.data(), bytes.size()));
    } catch (const plain::Refused& refused) {
      why = refused.why;
    } catch (const plain::Open&) {
      open = true;
    }
  try {
    const auto found = read(bytes);
    if (open) return 0;
    if (!expected) differs("read, but the plain reader refuses: " + why);
    same(found, *expected);
  } catch (const Error& error) {
    need(error.id().starts_with("HW-") && !error.parts().found.empty(), "an error that says nothing");
    if (!open && expected) differs(std::string("refused, but not by the plain reader: ") + error.what());
  }
  return 0;
}

constexpr std::string_view map = "type octile\nheight 5\nwidth 6\nmap\n......\n.@@@..\n.TGSW.\nOOOO..\n......\n";

}  // namespace

int compare_maze(const std::uint8_t* data, std::size_t size) {
  return compare(
      data, size, [](std::span<const char> bytes) { return route::read_maze(bytes, "m", {}); },
      [](std::string_view bytes) { return plain::read_maze(bytes); });
}

int compare_scenarios(const std::uint8_t* data, std::size_t size) {
  static const route::Maze maze = route::read_maze(std::span<const char>(map), "m");
  static const plain::Maze plain_maze = plain::read_maze(map);
  return compare(
      data, size, [](std::span<const char> bytes) { return route::read_scenarios(bytes, "s", maze.grid); },
      [](std::string_view bytes) { return plain::read_scenarios(bytes, plain_maze); });
}

int compare_netlist(const std::uint8_t* data, std::size_t size) {
  return compare(
      data, size, [](std::span<const char> bytes) { return route::read_netlist(bytes, "n"); },
      [](std::string_view bytes) { return plain::read_netlist(bytes); });
}

}  // namespace hopwave::fuzz

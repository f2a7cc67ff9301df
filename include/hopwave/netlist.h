// Global routing: many nets on a grid whose edges have capacities, by rip-up and re-route with negotiated congestion.
// Source: PathFinder (McMurchie & Ebeling 1995). Inputs are those of the ISPD 2008 contest and of two routing courses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hopwave/route.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1::route {

struct Net {
  std::string name = {};
  std::int64_t id = 0;
  std::int32_t width = 1;       ///< ISPD: least wire width
  std::vector<Cell> pins = {};  ///< row 0 is at the bottom, as in these formats
};

/// Tiles in columns, rows and layers. Each tile has edges to the right (0), up (1) and to the next layer (2).
struct Netlist {
  std::string name = {}, format = {};  ///< format: course (2 pins per line), course-named, ispd2008
  std::uint32_t width = 0, height = 0, layers = 1;
  std::vector<std::int32_t> capacity = {};                     ///< by edge; vias have no limit
  std::vector<std::int32_t> min_width = {}, min_spacing = {};  ///< by layer; empty: each net uses 1 of the capacity
  std::int64_t left = 0, bottom = 0, tile_width = 1, tile_height = 1;
  std::vector<Net> nets = {};

  /// Returns the index of a tile. Throws HW-NET-PIN for a tile outside the grid.
  [[nodiscard]] std::size_t tile(const Cell& c) const {
    if (c.x >= width || c.y >= height || c.layer >= layers) refuse_tile(c);
    return (std::size_t{c.layer} * height + c.y) * width + c.x;
  }
  /// Returns the number of tiles, or the greatest std::size_t if there are more.
  [[nodiscard]] std::size_t num_tiles() const {
    std::size_t all = 0;
    return __builtin_mul_overflow(std::size_t{width} * height, layers, &all) ? ~std::size_t{0} : all;
  }
  /// Returns the capacity that a net uses on an edge of a layer. Throws HW-NET-ARRAYS for a layer without width and
  /// spacing.
  [[nodiscard]] std::int32_t demand(const Net& net, std::uint32_t layer) const {
    if (min_width.empty()) return 1;
    if (layer >= min_width.size() || layer >= min_spacing.size()) refuse_layer(layer);
    return std::max(net.width, min_width[layer]) + min_spacing[layer];
  }

 private:
  [[noreturn]] void refuse_tile(const Cell& c) const;
  [[noreturn]] void refuse_layer(std::uint32_t layer) const;
};

/// Return true if a file is a netlist rather than a maze: its first word is "grid". false for "-" and for what else is no
/// regular file, such as a pipe: it can be read only once. Of that, read the bytes first.
bool is_netlist(const std::string& path);
bool holds_netlist(std::span<const char> bytes);
/// Return the netlist of a file. Errors: HW-NET-….
Netlist read_netlist(const std::string& path, bool allow_huge = false);
Netlist read_netlist(std::span<const char> bytes, const std::string& name, bool allow_huge = false);

struct GlobalRoute;

enum class NetOrder { shortest, longest, file };

struct GlobalOptions {
  NetOrder order = NetOrder::shortest;  ///< by half the perimeter of the pins' bounding box
  bool sequential = false;              ///< route each net once, and close full edges: the plain maze router
  int rounds = 40;                      ///< of rip-up and re-route, at most
  RunOptions run = {};                  ///< progress: "rounds"
  /// Called after each round with its routes, whose `rounds` is the number of the round, from 1 on. What it throws ends the
  /// routing and is passed on.
  std::function<void(const GlobalRoute& round)> each_round = {};
};

struct GlobalRoute {
  /// By net: pairs of neighbouring tiles.
  std::vector<std::vector<std::pair<Cell, Cell>>> wires = {};
  std::vector<std::size_t> unrouted = {};   ///< nets with a pin that could not be reached (sequential only)
  std::vector<std::size_t> congested = {};  ///< nets that use an overfull edge
  std::uint64_t wirelength = 0, vias = 0, bends = 0;
  std::uint64_t overflow = 0, max_overflow = 0;
  std::uint64_t rerouted = 0;  ///< nets that were routed again, over all rounds
  int rounds = 0;
  Milliseconds time = {};
};
/// Returns the routes of all nets: those of the round with the least overflow. The same input gives the same routes.
/// Throws HW-NET-ARRAYS for a netlist whose arrays do not fit its size or whose numbers are too large, and HW-NET-PIN
/// for nets without pins or with pins outside the grid.
GlobalRoute route_nets(const Netlist& netlist, const GlobalOptions& options = {});

/// Writes the solution in ISPD 2008 format: a net's name and id, its wires from tile to tile in the input's units, "!".
/// If the file name ends in .gz or .zst, the file is compressed. Throws the errors of route_nets(), HW-NET-ARRAYS also
/// for a route with more or fewer nets, and HW-IO-….
void write_solution(const Netlist& netlist, const GlobalRoute& route, const std::string& path);

/// Writes a picture as .png or .svg, by the file name's extension; HW-ROUTE-ENDING for others. Layers are next to each
/// other. A tile's shade is the use of its fullest edge, against the edge's capacity; overfull tiles are framed. Small
/// netlists show every net with its pins and vias, large ones the congestion and where vias are. Throws the errors of
/// write_solution(), HW-NET-ARRAYS also for a wire between tiles that are not neighbours, and HW-PNG-….
void write_picture(const Netlist& netlist, const GlobalRoute& route, const std::string& path);

}  // namespace hopwave::inline v0_1::route
#pragma GCC visibility pop

// Global routing: many nets on a grid whose edges have capacities, by rip-up and re-route with negotiated congestion.
// Source: PathFinder (McMurchie & Ebeling 1995); inputs of the ISPD 2008 contest and of two routing courses.
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
  std::vector<Cell> pins = {};  ///< row 0 at the bottom, as these formats count
};

/// Tiles in columns, rows and layers; edges to the right (0), up (1) and to the next layer (2) of each tile.
struct Netlist {
  std::string name = {}, format = {};  ///< format: course (2 pins a line), course-named, ispd2008
  std::uint32_t width = 0, height = 0, layers = 1;
  std::vector<std::int32_t> capacity = {};                     ///< by edge(); vias have no limit
  std::vector<std::int32_t> min_width = {}, min_spacing = {};  ///< by layer; empty: a net takes 1
  std::int64_t left = 0, bottom = 0, tile_width = 1, tile_height = 1;
  std::vector<Net> nets = {};

  /// Throws HW-NET-PIN for a tile outside.
  [[nodiscard]] std::size_t tile(const Cell& c) const {
    if (c.x >= width || c.y >= height || c.layer >= layers) refuse_tile(c);
    return (std::size_t{c.layer} * height + c.y) * width + c.x;
  }
  /// The greatest number there is where there are more.
  [[nodiscard]] std::size_t num_tiles() const {
    std::size_t all = 0;
    return __builtin_mul_overflow(std::size_t{width} * height, layers, &all) ? ~std::size_t{0} : all;
  }
  /// What a net takes of an edge in a layer. Throws HW-NET-ARRAYS for a layer without width and spacing.
  [[nodiscard]] std::int32_t demand(const Net& net, std::uint32_t layer) const {
    if (min_width.empty()) return 1;
    if (layer >= min_width.size() || layer >= min_spacing.size()) refuse_layer(layer);
    return std::max(net.width, min_width[layer]) + min_spacing[layer];
  }

 private:
  [[noreturn]] void refuse_tile(const Cell& c) const;
  [[noreturn]] void refuse_layer(std::uint32_t layer) const;
};

/// Whether a file is a netlist rather than a maze: its first word is "grid".
bool is_netlist(const std::string& path);
/// Errors: HW-NET-….
Netlist read_netlist(const std::string& path, bool allow_huge = false);
Netlist read_netlist(std::span<const char> bytes, const std::string& name, bool allow_huge = false);

enum class NetOrder { shortest, longest, file };

struct GlobalOptions {
  NetOrder order = NetOrder::shortest;  ///< by half the perimeter around the pins
  bool sequential = false;              ///< once each, full edges are closed: the plain maze router
  int rounds = 40;                      ///< of rip-up and re-route, at most
  std::function<bool(int round, std::uint64_t overflow)> progress = {};  ///< false ends with HW-INTERRUPTED
};

struct GlobalRoute {
  /// By net: pairs of neighbouring tiles.
  std::vector<std::vector<std::pair<Cell, Cell>>> wires = {};
  std::vector<std::size_t> unrouted = {};   ///< nets of which a pin could not be reached (sequential only)
  std::vector<std::size_t> congested = {};  ///< nets over an edge that holds too much
  std::uint64_t wirelength = 0, vias = 0, bends = 0;
  std::uint64_t overflow = 0, max_overflow = 0;
  std::uint64_t rerouted = 0;  ///< nets routed again, over all rounds
  int rounds = 0;
  double seconds = 0;
};
/// Of several rounds the one with the least overflow. The same input gives the same routes. Throws HW-NET-ARRAYS for a netlist
/// whose arrays do not fit its size or whose numbers are too large, HW-NET-PIN for nets without pins or with pins outside.
GlobalRoute route_nets(const Netlist& netlist, const GlobalOptions& options = {});

/// The solution in ISPD 2008 format: a net's name and id, its wires from tile to tile in the input's units, "!".
/// A name that ends in .gz or .zst is compressed.
/// Throws as route_nets() does, HW-NET-ARRAYS also for a route with more or fewer nets, and HW-IO-….
void write_solution(const Netlist& netlist, const GlobalRoute& route, const std::string& path);

}  // namespace hopwave::inline v0_1::route
#pragma GCC visibility pop

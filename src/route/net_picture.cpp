// A picture of routed nets: layers next to each other, congestion as the tiles' shade, nets side by side on it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/people_text.h"
#include "core/refuse.h"
#include "draw/font.h"
#include "draw/scene.h"
#include "draw/style.h"
#include "draw/theme.h"
#include "hopwave/error.h"
#include "hopwave/io.h"
#include "route/maze_picture.h"
#include "route/nets.h"

namespace hopwave::inline v0_1::route {
namespace {

using picture::Point, picture::Scene, picture::Style;

constexpr double track = 6;             // between two nets in a tile
constexpr std::size_t most_tracks = 8;  // beyond, or with more tiles per side, nets are not drawn one by one
constexpr std::uint32_t most_drawn_side = 64, most_bins = 128;
constexpr std::string_view overfull_color = picture::appearance_of(Style::overfull).stroke;
constexpr double edge = 16, letter = 12, caption = 11, between = 24;

/// What the picture shows of each tile.
struct Congestion {
  std::vector<double> fullest;               ///< by tile: the greatest use ÷ capacity of its edges
  std::vector<std::int64_t> excess;          ///< by tile: the greatest use above the capacity
  std::vector<std::uint32_t> vias;           ///< by column and row: vias there, of all layers
  std::uint64_t all_vias = 0, overfull = 0;  ///< overfull: edges
};

/// The edge between two neighbours: the lower tile and the direction.
std::pair<std::size_t, int> edge_of(const Netlist& n, const Cell& a, const Cell& b) {
  const std::size_t from = std::min(n.tile(a), n.tile(b));
  const auto apart = [](std::uint32_t p, std::uint32_t q) { return p > q ? p - q : q - p; };
  const std::uint32_t x = apart(a.x, b.x), y = apart(a.y, b.y), z = apart(a.layer, b.layer);
  if (std::uint64_t{x} + y + z != 1)
    core::refuse("HW-NET-ARRAYS", "a wire between tiles that are not neighbours", "pairs of neighbouring tiles");
  return {from, x ? 0 : y ? 1 : 2};
}

Congestion congestion_of(const Netlist& n, const GlobalRoute& route) {
  const std::size_t tiles = n.num_tiles(), plane = std::size_t{n.width} * n.height;
  Congestion c{.fullest = std::vector<double>(tiles),
               .excess = std::vector<std::int64_t>(tiles),
               .vias = std::vector<std::uint32_t>(plane)};
  std::vector<std::int64_t> use(2 * tiles);
  for (std::size_t net = 0; net < route.wires.size(); ++net)
    for (const auto& [a, b] : route.wires[net]) {
      const auto [from, direction] = edge_of(n, a, b);
      if (direction < 2) {
        use[2 * from + static_cast<std::size_t>(direction)] += n.demand(n.nets[net], a.layer);
      } else {
        ++c.vias[from % plane];
        ++c.all_vias;
      }
    }
  for (std::size_t tile = 0; tile < tiles; ++tile)
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
      const std::int64_t used = use[2 * tile + direction], capacity = n.capacity[3 * tile + direction];
      if (used == 0) continue;
      const double full = static_cast<double>(used) / static_cast<double>(std::max<std::int64_t>(capacity, 1));
      c.overfull += used > capacity;
      for (const std::size_t end : {tile, tile + (direction ? n.width : 1)}) {
        c.fullest[end] = std::max(c.fullest[end], full);
        c.excess[end] = std::max(c.excess[end], used - capacity);
      }
    }
  return c;
}

/// For each net the first track that no net has with which it shares a tile; empty if that takes too many.
std::vector<std::size_t> tracks_of(const Netlist& n, const GlobalRoute& route) {
  if (std::max(n.width, n.height) > most_drawn_side) return {};
  std::vector<std::uint32_t> taken(n.num_tiles());  // a bit per track
  std::vector<std::size_t> tracks(n.nets.size());
  for (std::size_t net = 0; net < tracks.size(); ++net) {
    std::vector<std::size_t> tiles;
    for (const Cell& pin : n.nets[net].pins) tiles.push_back(n.tile(pin));
    for (const auto& [a, b] : route.wires[net]) tiles.insert(tiles.end(), {n.tile(a), n.tile(b)});
    std::uint32_t others = 0;
    for (const std::size_t t : tiles) others |= taken[t];
    std::size_t mine = 0;
    while (others >> mine & 1) ++mine;
    if (mine >= most_tracks) return {};
    for (const std::size_t t : tiles) taken[t] |= std::uint32_t{1} << mine;
    tracks[net] = mine;
  }
  return tracks;
}

class Picture {
 public:
  Picture(const Netlist& netlist, const GlobalRoute& route)
      : n_(netlist), route_(route), congestion_(congestion_of(netlist, route)), tracks_(tracks_of(netlist, route)) {
    nets_ = n_.nets.empty() || !tracks_.empty();
    for (const std::size_t t : tracks_) used_tracks_ = std::max(used_tracks_, t + 1);
    const std::uint32_t side = std::max(n_.width, n_.height);
    per_bin_ = nets_ ? 1 : (side + most_bins - 1) / most_bins;
    columns_ = (n_.width + per_bin_ - 1) / per_bin_;
    rows_ = (n_.height + per_bin_ - 1) / per_bin_;
    const double drawn = track * static_cast<double>(used_tracks_ + 1);
    cell_ = nets_ ? std::max(drawn, 320.0 / side) : std::max(2.0, std::floor(360.0 / std::max(columns_, rows_)));
    bin_vias_.resize(std::size_t{columns_} * rows_);
    for (std::uint32_t y = 0; y < n_.height; ++y)
      for (std::uint32_t x = 0; x < n_.width; ++x) {
        std::uint64_t& count = bin_vias_[bin_of(x, y)];
        most_vias_ = std::max(most_vias_, count += congestion_.vias[std::size_t{y} * n_.width + x]);
      }
  }

  Scene draw() {
    // Panels: a layer each, then the vias of a netlist whose nets are not drawn. Each has room for its name, too.
    const bool with_vias = !nets_ && n_.layers > 1;
    const std::size_t panels = n_.layers + with_vias;
    const std::string longest = with_vias ? vias_name() : n_.layers > 1 ? layer_name(n_.layers - 1) : "";
    const double wide = std::max(columns_ * cell_, picture::drawn_width(longest, letter)), high = rows_ * cell_;
    const std::size_t in_row =
        std::clamp<std::size_t>(static_cast<std::size_t>(1000 / (wide + between)), 1, std::max<std::size_t>(panels, 1));
    const double width = std::max(static_cast<double>(in_row) * (wide + between) - between, 520.0);
    double y = head(width);
    for (std::size_t panel = 0; panel < panels; ++panel) {
      const double x = edge + static_cast<double>(panel % in_row) * (wide + between);
      const double top = y + static_cast<double>(panel / in_row) * (high + letter + between);
      if (panel < n_.layers)
        layer(static_cast<std::uint32_t>(panel), {x, top + letter + 4}, n_.layers > 1);
      else
        vias({x, top + letter + 4});
    }
    scene_.width = width + 2 * edge;
    scene_.height = y + static_cast<double>((panels + in_row - 1) / in_row) * (high + letter + between) + edge;
    return std::move(scene_);
  }

 private:
  /// Title, sums, and the key; returns where the panels begin.
  double head(double width) {
    scene_.title = fmt::format("{} routed on {} × {} tiles", core::plural(n_.nets.size(), "net"), n_.width, n_.height);
    double y = edge + 12;
    scene_.text(Style::title, {edge, y}, scene_.title, 14);
    const std::string sums = fmt::format(
        "wirelength {}, {}; {} overfull{}; {} unrouted", picture::short_number(static_cast<double>(route_.wirelength)),
        core::plural(route_.vias, "via"), core::plural(congestion_.overfull, "edge"),
        congestion_.overfull ? fmt::format(" by at most {}", route_.max_overflow) : "", route_.unrouted.size());
    for (const std::string& line : picture::text_lines(sums, width, caption))
      scene_.text(Style::soft, {edge, y += 16}, line, caption);
    return key(y + 24, width);
  }

  double key(double y, double width) {
    double x = edge;
    const auto words = [&](const std::string& text) {
      scene_.text(Style::soft, {x, y}, text, caption);
      x += picture::drawn_width(text, caption) + 18;
    };
    const auto place = [&](double room) {
      if (x > edge && x + room > edge + width) x = edge, y += 20;
    };
    constexpr std::array<double, 5> parts = {0.2, 0.4, 0.6, 0.8, 1.0};
    picture::Cells cells{.corner = {x, y - 10}, .cell = 12, .width = parts.size(), .height = 1, .dark = {}, .ramp = true};
    for (const double part : parts) cells.dark.push_back(dark_of(part));
    scene_.cells.push_back(std::move(cells));
    x += 12 * parts.size() + 6;
    words("use of the tile's fullest edge: 20 to 100 % of its capacity");
    place(90);
    if (nets_)
      scene_.rect(Style::overfull, x, y - 10, 12, 12);
    else
      scene_.cells.push_back(
          {.corner = {x, y - 10}, .cell = 12, .width = 1, .height = 1, .dark = {255}, .color = overfull_color});
    x += 18;
    words("overfull");
    if (!nets_) return y + 8;
    place(120);
    scene_.circle(Style::pin, {x + 5, y - 4}, 4.4);
    scene_.shapes.back().color = picture::series_color(0);
    x += 16;
    words("pin of a net");
    if (n_.layers > 1) {
      place(120);
      via({x + 5, y - 4}, picture::series_color(0), "");
      x += 16;
      words("via");
    }
    return y + 8;
  }

  /// Up to full in the pale half of the ramp, so that nets are seen on it.
  [[nodiscard]] static unsigned char dark_of(double full) {
    return full > 0 ? static_cast<unsigned char>(std::lround(20 + 120 * std::min(full, 1.0))) : 0;
  }

  [[nodiscard]] std::size_t bin_of(std::uint32_t x, std::uint32_t y) const {
    return std::size_t{(n_.height - 1 - y) / per_bin_} * columns_ + x / per_bin_;  // row 0 is at the bottom
  }

  static std::string layer_name(std::uint32_t number) { return fmt::format("layer {}", number + 1); }

  [[nodiscard]] std::string vias_name() const {
    return fmt::format("vias of all layers, up to {} in a cell", picture::short_number(static_cast<double>(most_vias_)));
  }

  void frame(Point corner, const std::string& name) {
    if (!name.empty()) scene_.text(Style::words, {corner.x, corner.y - 5}, name, letter);
    const double right = corner.x + columns_ * cell_, bottom = corner.y + rows_ * cell_;
    scene_.line(Style::arc, corner, {right, corner.y});
    scene_.line(Style::arc, {right, corner.y}, {right, bottom});
    scene_.line(Style::arc, {right, bottom}, {corner.x, bottom});
    scene_.line(Style::arc, {corner.x, bottom}, corner);
  }

  void layer(std::uint32_t number, Point corner, bool named) {
    const std::size_t bins = std::size_t{columns_} * rows_;
    std::vector<double> full(bins);
    std::vector<std::int64_t> excess(bins);
    for (std::uint32_t y = 0; y < n_.height; ++y)
      for (std::uint32_t x = 0; x < n_.width; ++x) {
        const std::size_t tile = n_.tile({x, y, number}), bin = bin_of(x, y);
        full[bin] = std::max(full[bin], congestion_.fullest[tile]);
        excess[bin] = std::max(excess[bin], congestion_.excess[tile]);
      }
    picture::Cells cells{.corner = corner, .cell = cell_, .width = columns_, .height = rows_, .dark = {}, .ramp = true};
    for (const double f : full) cells.dark.push_back(dark_of(f));
    scene_.cells.push_back(std::move(cells));
    frame(corner, named ? layer_name(number) : "");
    if (!nets_) {
      picture::Cells over{
          .corner = corner, .cell = cell_, .width = columns_, .height = rows_, .dark = {}, .color = overfull_color};
      for (const std::int64_t e : excess) over.dark.push_back(e > 0 ? 255 : 0);
      scene_.cells.push_back(std::move(over));
      return;
    }
    for (std::size_t bin = 0; bin < bins; ++bin)
      if (excess[bin] > 0)
        scene_.rect(Style::overfull, corner.x + cell_ * static_cast<double>(bin % columns_) + 1.5,
                    corner.y + cell_ * static_cast<double>(bin / columns_) + 1.5, cell_ - 3, cell_ - 3,
                    fmt::format("overfull by {}", excess[bin]));
    for (const Style style : {Style::casing, Style::wire})
      for (std::size_t net = 0; net < n_.nets.size(); ++net)
        for (const auto& [from, to] : runs_of(net, number))
          scene_.line(style, place(corner, net, from), place(corner, net, to),
                      style == Style::wire ? picture::series_color(net) : std::string_view{});
    for (std::size_t net = 0; net < n_.nets.size(); ++net) ends(number, corner, net);
  }

  /// A net's straight runs in a layer: one line each instead of one per tile.
  [[nodiscard]] std::vector<std::pair<Cell, Cell>> runs_of(std::size_t net, std::uint32_t number) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> across, along;  // by (row, column) and (column, row)
    for (const auto& [a, b] : route_.wires[net]) {
      if (a.layer != number || b.layer != number) continue;
      if (a.y == b.y)
        across[{a.y, std::min(a.x, b.x)}] = true;
      else
        along[{a.x, std::min(a.y, b.y)}] = true;
    }
    std::vector<std::pair<Cell, Cell>> runs;
    for (const bool horizontal : {true, false})
      for (auto at = (horizontal ? across : along).begin(); at != (horizontal ? across : along).end();) {
        const auto [line, begin] = at->first;
        std::uint32_t end = begin;
        for (; at != (horizontal ? across : along).end() && at->first == std::pair{line, end}; ++at) ++end;
        runs.push_back(horizontal ? std::pair{Cell{begin, line, number}, Cell{end, line, number}}
                                  : std::pair{Cell{line, begin, number}, Cell{line, end, number}});
      }
    return runs;
  }

  void ends(std::uint32_t number, Point corner, std::size_t net) {
    const std::string name = "net " + core::printable(n_.nets[net].name);
    for (const Cell& pin : n_.nets[net].pins)
      if (pin.layer == number) {
        scene_.circle(Style::pin, place(corner, net, pin), 4.4, fmt::format("{}: pin at {}, {}", name, pin.x, pin.y));
        scene_.shapes.back().color = picture::series_color(net);
      }
    for (const auto& [a, b] : route_.wires[net])
      if (a.layer != b.layer && (a.layer == number || b.layer == number))
        via(place(corner, net, a), picture::series_color(net),
            fmt::format("{}: via between layers {} and {}", name, std::min(a.layer, b.layer) + 1,
                        std::max(a.layer, b.layer) + 1));
  }

  void via(Point at, std::string_view color, std::string tip) {
    scene_.rect(Style::pin, at.x - 2.4, at.y - 2.4, 4.8, 4.8, std::move(tip));
    scene_.shapes.back().color = color;
  }

  /// Where a net is in a tile: on its track, in both directions, so that its lines meet.
  [[nodiscard]] Point place(Point corner, std::size_t net, const Cell& c) const {
    const double aside = track * (static_cast<double>(tracks_[net]) - (static_cast<double>(used_tracks_) - 1) / 2);
    return {corner.x + cell_ * (c.x + 0.5) + aside, corner.y + cell_ * (n_.height - 1 - c.y + 0.5) + aside};
  }

  /// Where vias are, from a single one to the most in a bin.
  void vias(Point corner) {
    picture::Cells cells{.corner = corner, .cell = cell_, .width = columns_, .height = rows_, .dark = {}, .ramp = true};
    for (const std::uint64_t count : bin_vias_) {
      const double part = std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most_vias_));
      cells.dark.push_back(count ? static_cast<unsigned char>(std::lround(20 + 235 * part)) : 0);
    }
    scene_.cells.push_back(std::move(cells));
    frame(corner, vias_name());
  }

  const Netlist& n_;
  const GlobalRoute& route_;
  Congestion congestion_;
  std::vector<std::size_t> tracks_;
  std::size_t used_tracks_ = 0;
  bool nets_ = false;  ///< are drawn one by one
  std::uint32_t per_bin_ = 1, columns_ = 1, rows_ = 1;
  double cell_ = 1;
  std::vector<std::uint64_t> bin_vias_;
  std::uint64_t most_vias_ = 1;
  Scene scene_ = {};
};

}  // namespace

namespace {

Scene drawn(const Netlist& netlist, const GlobalRoute& route) {
  require_sound(netlist, route);
  if (netlist.num_tiles() == 0) core::refuse("HW-NET-ARRAYS", "a netlist without tiles", "one at least");
  return Picture(netlist, route).draw();
}

}  // namespace

RoundsPage::RoundsPage(const Netlist& netlist, std::string path) : netlist_(netlist), path_(std::move(path)) {
  if (ending_of(path_) != "html")
    core::refuse("HW-ROUTE-ENDING", "an animation of a netlist whose name has another ending", ".html, a page of the rounds");
  page_.title = fmt::format("{} on {} × {} tiles, round by round", core::plural(netlist.nets.size(), "net"), netlist.width,
                            netlist.height);
  page_.rule = "In each round the nets with an overfull edge are ripped up and routed again, while such edges get dearer.";
}

void RoundsPage::add(const GlobalRoute& round) {
  const std::string overflow =
      round.overflow ? fmt::format("overflow {}, at most {} on an edge, {}", core::grouped(round.overflow),
                                   core::grouped(round.max_overflow), core::plural(round.congested.size(), "net") + " there")
                     : "no edge is overfull";
  page_.steps.push_back({fmt::format("round-{}", round.rounds),
                         fmt::format("Round {}: {}; wirelength {}", round.rounds, overflow, core::grouped(round.wirelength)),
                         page_.drawings.draw(drawn(netlist_, round))});
}

void RoundsPage::write(int kept) {
  page_.steps.at(static_cast<std::size_t>(kept) - 1).heading += " (the answer)";
  OutputFile out(path_);
  out.write(picture::page_of(page_));
  out.commit();
}

void write_picture(const Netlist& netlist, const GlobalRoute& route, const std::string& path) {
  check_picture_name(path);
  const Scene scene = drawn(netlist, route);
  const std::string bytes = ending_of(path) == "png" ? picture::to_png(scene, path) : picture::to_svg(scene);
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

}  // namespace hopwave::inline v0_1::route

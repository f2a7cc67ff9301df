// Netlists: ISPD 2008's .gr, and the two simpler formats of routing courses. All start with "grid".
#include "hopwave/netlist.h"

#include <filesystem>
#include <system_error>

#include "core/refuse.h"
#include "io/byte_source.h"
#include "route/text.h"

namespace hopwave::inline v0_1::route {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 31;
constexpr const char *header_id = "HW-NET-HEADER", *row_id = "HW-NET-ROW", *pin_id = "HW-NET-PIN";

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, bool allow_huge)
      : cursor_(text, name), bytes_(text.size()), huge_(allow_huge) {
    netlist_.name = name;
  }

  Netlist read() {
    cursor_.next_full_line();
    cursor_.keyword(header_id, "grid");
    netlist_.width = static_cast<std::uint32_t>(cursor_.integer(header_id, "the grid's columns", 1, most));
    netlist_.height = static_cast<std::uint32_t>(cursor_.integer(header_id, "the grid's rows", 1, most));
    const bool ispd = !peek().empty();
    if (ispd) netlist_.layers = static_cast<std::uint32_t>(cursor_.integer(header_id, "the layers", 1, 1000));
    check_size();
    cursor_.end_of_line(header_id);
    if (ispd)
      read_ispd();
    else
      read_course();
    return std::move(netlist_);
  }

 private:
  /// Returns the next word of the line without taking it.
  std::string_view peek() {
    TextCursor copy = cursor_;
    return copy.word();
  }

  void check_size() {
    const std::uint64_t tiles = std::uint64_t{netlist_.width} * netlist_.height;
    const bool overflows = tiles > (std::uint64_t{1} << 30) / netlist_.layers;
    if (overflows || (!huge_ && tiles * netlist_.layers > 4'000'000 + 16 * bytes_))
      cursor_.fail("HW-NET-HUGE",
                   "a grid of " + std::to_string(netlist_.width) + " × " + std::to_string(netlist_.height) + " × " +
                       std::to_string(netlist_.layers) + " tiles in a file of " + std::to_string(bytes_) + " bytes",
                   overflows ? "at most 2³⁰ tiles" : "at most 4 million + 16 per byte",
                   overflows ? "" : "--allow-huge reads it");
    netlist_.capacity.assign(netlist_.num_tiles() * 3, 0);
  }

  void line() {
    if (!cursor_.next_full_line()) cursor_.fail_at(1, row_id, "the end of the file", "another line");
  }

  /// Sets the capacity of the edges in one direction, one value per layer.
  void set_capacity(int direction, const std::vector<std::int32_t>& by_layer) {
    for (std::uint32_t l = 0; l < netlist_.layers; ++l)
      for (std::uint32_t y = 0; y < netlist_.height; ++y)
        for (std::uint32_t x = 0; x < netlist_.width; ++x)
          netlist_.capacity[netlist_.tile({x, y, l}) * 3 + static_cast<std::size_t>(direction)] = by_layer[l];
  }

  std::vector<std::int32_t> by_layer(const char* what) {
    std::vector<std::int32_t> values;
    for (std::uint32_t l = 0; l < netlist_.layers; ++l)
      values.push_back(static_cast<std::int32_t>(cursor_.integer(header_id, what, 0, 1'000'000'000)));
    cursor_.end_of_line(header_id);
    return values;
  }

  void count_line(std::int64_t& count) {
    line();
    cursor_.keyword(header_id, "num");
    cursor_.keyword(header_id, "net");
    count = cursor_.integer(header_id, "the number of nets", 0, most);
    if (static_cast<std::uint64_t>(count) > cursor_.left())
      cursor_.fail("HW-NET-COUNT", std::to_string(count) + " nets stated", "at most one per byte that follows");
    cursor_.end_of_line(header_id);
  }

  std::uint32_t coordinate(const char* what, std::uint32_t end) {
    return static_cast<std::uint32_t>(cursor_.integer(pin_id, what, 0, std::int64_t{end} - 1));
  }

  void read_course() {
    line();
    std::int64_t count = 0;
    const bool named = peek() != "capacity";
    netlist_.format = named ? "course-named" : "course";
    if (named) {
      cursor_.keyword(header_id, "vertical");
      cursor_.keyword(header_id, "capacity");
      set_capacity(1, by_layer("the vertical capacity"));
      line();
      cursor_.keyword(header_id, "horizontal");
      cursor_.keyword(header_id, "capacity");
      set_capacity(0, by_layer("the horizontal capacity"));
    } else {
      cursor_.keyword(header_id, "capacity");
      const auto both = by_layer("the capacity");
      set_capacity(0, both);
      set_capacity(1, both);
    }
    count_line(count);
    for (std::int64_t i = 0; i < count; ++i) {
      Net net;
      line();
      std::int64_t pins = 2;
      if (named) {
        net.name = cursor_.word();
        net.id = cursor_.integer(row_id, "the net's id", 0, most);
        pins = cursor_.integer(row_id, "the number of pins", 1, most);
        cursor_.end_of_line(row_id);
      } else {
        net.id = cursor_.integer(row_id, "the net's id", 0, most);
        net.name = std::to_string(net.id);
      }
      for (std::int64_t p = 0; p < pins; ++p) {
        if (named) line();
        Cell pin;
        pin.x = coordinate("a pin's column", netlist_.width);
        pin.y = coordinate("a pin's row", netlist_.height);
        if (named) cursor_.end_of_line(pin_id);
        net.pins.push_back(pin);
      }
      cursor_.end_of_line(pin_id);
      netlist_.nets.push_back(std::move(net));
    }
    nothing_more();
  }

  void read_ispd() {
    netlist_.format = "ispd2008";
    const auto layer_line = [&](const char* first, const char* second, const char* what) {
      line();
      cursor_.keyword(header_id, first);
      cursor_.keyword(header_id, second);
      return by_layer(what);
    };
    set_capacity(1, layer_line("vertical", "capacity", "a vertical capacity"));
    set_capacity(0, layer_line("horizontal", "capacity", "a horizontal capacity"));
    netlist_.min_width = layer_line("minimum", "width", "a least width");
    netlist_.min_spacing = layer_line("minimum", "spacing", "a least spacing");
    layer_line("via", "spacing", "a via spacing");
    line();
    netlist_.left = cursor_.integer(header_id, "the left edge", -most, most);
    netlist_.bottom = cursor_.integer(header_id, "the lower edge", -most, most);
    netlist_.tile_width = cursor_.integer(header_id, "a tile's width", 1, most);
    netlist_.tile_height = cursor_.integer(header_id, "a tile's height", 1, most);
    cursor_.end_of_line(header_id);
    std::int64_t count = 0;
    count_line(count);
    for (std::int64_t i = 0; i < count; ++i) {
      Net net;
      line();
      net.name = cursor_.word();
      net.id = cursor_.integer(row_id, "the net's id", 0, most);
      const auto pins = cursor_.integer(row_id, "the number of pins", 1, most);
      net.width = static_cast<std::int32_t>(cursor_.integer(row_id, "the least width", 0, 1'000'000'000));
      cursor_.end_of_line(row_id);
      for (std::int64_t p = 0; p < pins; ++p) {
        line();
        Cell pin;
        pin.x = tile_of(netlist_.left, netlist_.tile_width, netlist_.width, "a pin's x");
        pin.y = tile_of(netlist_.bottom, netlist_.tile_height, netlist_.height, "a pin's y");
        pin.layer = static_cast<std::uint32_t>(cursor_.integer(pin_id, "a pin's layer", 1, netlist_.layers)) - 1;
        cursor_.end_of_line(pin_id);
        net.pins.push_back(pin);
      }
      netlist_.nets.push_back(std::move(net));
    }
    read_adjustments();
    nothing_more();
  }

  std::uint32_t tile_of(std::int64_t origin, std::int64_t size, std::uint32_t count, const char* what) {
    return static_cast<std::uint32_t>((cursor_.integer(pin_id, what, origin, origin + size * count - 1) - origin) / size);
  }

  void read_adjustments() {
    if (!cursor_.next_full_line()) return;  // the section may be missing
    const auto count = cursor_.integer(row_id, "the number of changed capacities", 0, most);
    cursor_.end_of_line(row_id);
    for (std::int64_t i = 0; i < count; ++i) {
      line();
      Cell ends[2];
      for (Cell& c : ends) {
        c.x = coordinate("a column", netlist_.width);
        c.y = coordinate("a row", netlist_.height);
        c.layer = static_cast<std::uint32_t>(cursor_.integer(pin_id, "a layer", 1, netlist_.layers)) - 1;
      }
      const auto capacity = cursor_.integer(row_id, "the capacity", 0, 1'000'000'000);
      cursor_.end_of_line(row_id);
      const Cell &a = ends[0], &b = ends[1];
      const auto apart = [](std::uint32_t u, std::uint32_t v) { return u > v ? u - v : v - u; };
      if (a.layer != b.layer || apart(a.x, b.x) + apart(a.y, b.y) != 1)
        cursor_.fail_at(1, "HW-NET-EDGE", "two tiles that are not neighbours in a layer", "neighbours");
      const Cell low{std::min(a.x, b.x), std::min(a.y, b.y), a.layer};
      netlist_.capacity[netlist_.tile(low) * 3 + (a.x == b.x ? 1 : 0)] = static_cast<std::int32_t>(capacity);
    }
  }

  void nothing_more() {
    if (cursor_.next_full_line()) cursor_.fail_at(1, "HW-NET-COUNT", "more after the last row", "the end of the file");
  }

  TextCursor cursor_;
  Netlist netlist_;
  std::uint64_t bytes_;
  bool huge_;
};

}  // namespace

void Netlist::refuse_tile(const Cell& c) const {
  core::refuse(
      "HW-NET-PIN", "tile " + std::to_string(c.x) + "," + std::to_string(c.y) + "," + std::to_string(c.layer),
      "x below " + std::to_string(width) + ", y below " + std::to_string(height) + ", layer below " + std::to_string(layers));
}

void Netlist::refuse_layer(std::uint32_t layer) const {
  core::refuse("HW-NET-ARRAYS", "layer " + std::to_string(layer), "a layer with a least width and a spacing");
}

namespace {

bool begins_as_netlist(io::ByteSource& source) {
  char head[64];
  const std::size_t got = source.size() ? source.read_at(0, head, sizeof head) : source.read(head, sizeof head);
  TextCursor cursor({head, got}, source.name());
  return cursor.next_full_line() && cursor.word() == "grid";
}

}  // namespace

bool is_netlist(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored) && begins_as_netlist(*io::open_source(path));
}

bool holds_netlist(std::span<const char> bytes) { return begins_as_netlist(*io::memory_source(bytes, "")); }

Netlist read_netlist(const std::string& path, bool allow_huge) {
  return Reader(read_text(path, allow_huge), path, allow_huge).read();
}

Netlist read_netlist(std::span<const char> bytes, const std::string& name, bool allow_huge) {
  return Reader(read_text(bytes, name, allow_huge), name, allow_huge).read();
}

}  // namespace hopwave::inline v0_1::route

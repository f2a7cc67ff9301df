// Mazes, scenarios and netlists, one line and one word after the other.
#include "plain/grids.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "plain/text.h"

namespace hopwave::plain {
namespace {

/// Lines without their ends, LF or CR LF; blanks are kept. Passes over a byte order mark.
std::vector<std::string> whole_lines(std::string_view bytes) {
  if (begins(bytes, "\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::vector<std::string> lines;
  std::string line;
  for (const char c : bytes) {
    if (c != '\n') {
      line += c;
      continue;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
    line.clear();
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (!bytes.empty() && bytes.back() != '\n') lines.push_back(line);
  return lines;
}

/// Words between spaces and tabs: a CR is none.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c != ' ' && c != '\t')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// A whole number, perhaps with a minus, in a range.
std::int64_t number(const std::string& word, std::int64_t least, std::int64_t most) {
  const bool negative = !word.empty() && word[0] == '-';
  const auto value = integer(std::string_view(word).substr(negative ? 1 : 0));
  if (!value || *value == huge) refuse("no number: " + word);
  const auto with_sign = negative ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
  if (with_sign < least || with_sign > most) refuse("out of range: " + word);
  return with_sign;
}

/// A finite decimal number without a plus. What is too small for a double is 0; what is too large is refused.
double decimal(const std::string& word) {
  std::size_t i = !word.empty() && word[0] == '-';
  std::size_t digits = 0;
  const auto pass_digits = [&] {
    for (; i < word.size() && digit(word[i]); ++i) ++digits;
  };
  pass_digits();
  if (i < word.size() && word[i] == '.') {
    ++i;
    pass_digits();
  }
  if (digits == 0) refuse("no number");
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    ++i;
    if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
    const std::size_t had = digits;
    pass_digits();
    if (digits == had) refuse("no exponent");
  }
  if (i != word.size()) refuse("more than a number");
  const double value = std::strtod(word.c_str(), nullptr);
  if (!std::isfinite(value)) refuse("too large");
  return value;
}

/// Lines that are not blank, one after the other.
class Rows {
 public:
  explicit Rows(std::string_view bytes) : lines_(whole_lines(bytes)) {}
  /// Nothing at the end.
  std::vector<std::string> next_or_none() {
    while (at_ < lines_.size()) {
      auto words = split(lines_[at_++]);
      if (!words.empty()) return words;
    }
    return {};
  }
  std::vector<std::string> next() {
    auto words = next_or_none();
    if (words.empty()) refuse("the end of the file");
    return words;
  }
  [[nodiscard]] std::uint64_t line() const { return at_; }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

void need_words(const std::vector<std::string>& words, std::size_t count) {
  if (words.size() != count) refuse("another number of words");
}

}  // namespace

Maze read_ascii_maze(std::string_view bytes) {
  std::vector<std::vector<std::string>> layers(1);
  for (const std::string& line : whole_lines(bytes)) {
    if (!line.empty())
      layers.back().push_back(line);
    else if (!layers.back().empty())
      layers.emplace_back();
  }
  if (layers.back().empty()) layers.pop_back();
  if (layers.empty()) refuse("no row");
  Maze maze;
  maze.layers = layers.size();
  maze.height = layers[0].size();
  maze.width = layers[0][0].size();
  for (std::uint64_t layer = 0; layer < maze.layers; ++layer) {
    if (layers[layer].size() != maze.height) refuse("a layer of another height");
    for (std::uint64_t y = 0; y < maze.height; ++y) {
      const std::string& row = layers[layer][y];
      if (row.size() != maze.width) refuse("a row of another length");
      for (std::uint64_t x = 0; x < maze.width; ++x) {
        const char c = row[x];
        if (c != '#' && c != '.' && c != 'S' && c != 'E') refuse("a letter");
        maze.free.push_back(c != '#');
        if (c == 'S') maze.starts.push_back({x, y, layer});
        if (c == 'E') maze.ends.push_back({x, y, layer});
      }
    }
  }
  if (maze.starts.size() > 1) refuse("two starts");
  return maze;
}

Maze read_movingai_maze(std::string_view bytes) {
  const auto lines = whole_lines(bytes);
  std::size_t at = 0;
  while (at < lines.size() && split(lines[at]).empty()) ++at;
  if (lines.size() < at + 4) refuse("no header");
  const auto type = split(lines[at]), height = split(lines[at + 1]), width = split(lines[at + 2]), map = split(lines[at + 3]);
  need_words(type, 2);
  need_words(height, 2);
  need_words(width, 2);
  need_words(map, 1);
  if (type[0] != "type" || type[1] != "octile" || height[0] != "height" || width[0] != "width" || map[0] != "map")
    refuse("header");
  Maze maze;
  maze.layers = 1;
  maze.height = static_cast<std::uint64_t>(number(height[1], 1, std::int64_t{1} << 32));
  maze.width = static_cast<std::uint64_t>(number(width[1], 1, std::int64_t{1} << 32));
  for (std::uint64_t y = 0; y < maze.height; ++y) {
    if (at + 4 + y >= lines.size()) refuse("too few rows");
    const std::string& row = lines[at + 4 + y];
    if (row.size() != maze.width) refuse("a row of another length");
    for (const char c : row) {
      const bool is_free = c == '.' || c == 'G' || c == 'S';
      if (!is_free && c != '@' && c != 'O' && c != 'T' && c != 'W') refuse("a letter");
      maze.free.push_back(is_free);
    }
  }
  for (std::size_t i = at + 4 + maze.height; i < lines.size(); ++i)
    if (!split(lines[i]).empty()) refuse("more rows");
  return maze;
}

Maze read_maze(std::string_view bytes) {
  if (begins(bytes, "\x89PNG\r\n\x1a\n")) throw Open{};
  std::string_view text = bytes;
  if (begins(text, "\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && (blank(text[0]) || text[0] == '\n')) text.remove_prefix(1);
  return begins(text, "type") ? read_movingai_maze(bytes) : read_ascii_maze(bytes);
}

std::vector<Scenario> read_scenarios(std::string_view bytes, const Maze& maze) {
  Rows rows(bytes);
  const auto version = rows.next();
  need_words(version, 2);
  if (version[0] != "version" || decimal(version[1]) != 1) refuse("version");
  std::vector<Scenario> all;
  for (auto words = rows.next_or_none(); !words.empty(); words = rows.next_or_none()) {
    need_words(words, 9);
    number(words[0], 0, std::int64_t{1} << 40);
    const auto size = [&](std::size_t word, std::uint64_t expected) {
      if (static_cast<std::uint64_t>(number(words[word], 1, std::int64_t{1} << 32)) != expected)
        refuse("a map of another size");
    };
    size(2, maze.width);
    size(3, maze.height);
    const auto place = [&](std::size_t word) {
      const auto x = static_cast<std::uint64_t>(number(words[word], 0, static_cast<std::int64_t>(maze.width) - 1));
      const auto y = static_cast<std::uint64_t>(number(words[word + 1], 0, static_cast<std::int64_t>(maze.height) - 1));
      if (!maze.is_free(x, y)) refuse("a wall");
      return Place{x, y, 0};
    };
    Scenario scenario{place(4), place(6), decimal(words[8]), rows.line()};
    if (scenario.length < 0) refuse("a negative length");
    all.push_back(scenario);
  }
  if (all.empty()) refuse("no scenario");
  return all;
}

namespace {

constexpr std::int64_t most = std::int64_t{1} << 31, most_capacity = 1'000'000'000;

/// "WORD WORD value…", a value for each layer.
std::vector<std::int64_t> by_layer(const std::vector<std::string>& words, std::vector<std::string> names,
                                   std::uint64_t layers) {
  need_words(words, names.size() + layers);
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i < names.size()) {
      if (words[i] != names[i]) refuse("not " + names[i]);
    } else {
      values.push_back(number(words[i], 0, most_capacity));
    }
  return values;
}

void set_capacities(Netlist& list, const std::vector<std::int64_t>& right, const std::vector<std::int64_t>& up) {
  for (std::uint64_t layer = 0; layer < list.layers; ++layer)
    for (std::uint64_t tile = 0; tile < list.width * list.height; ++tile) {
      list.capacity.push_back(right[layer]);
      list.capacity.push_back(up[layer]);
    }
}

std::uint64_t count_of_nets(const std::vector<std::string>& words) {
  need_words(words, 3);
  if (words[0] != "num" || words[1] != "net") refuse("no number of nets");
  return static_cast<std::uint64_t>(number(words[2], 0, most));
}

std::uint64_t tile(const std::string& word, std::uint64_t count) {
  return static_cast<std::uint64_t>(number(word, 0, static_cast<std::int64_t>(count) - 1));
}

void read_short_nets(Rows& rows, Netlist& list) {
  for (std::uint64_t left = count_of_nets(rows.next()); left > 0; --left) {
    const auto words = rows.next();
    need_words(words, 5);
    Net net;
    net.id = static_cast<std::uint64_t>(number(words[0], 0, most));
    net.name = std::to_string(net.id);
    for (const std::size_t word : {1, 3})
      net.pins.push_back({tile(words[word], list.width), tile(words[word + 1], list.height), 0});
    list.nets.push_back(net);
  }
}

void read_named_nets(Rows& rows, Netlist& list) {
  for (std::uint64_t left = count_of_nets(rows.next()); left > 0; --left) {
    const auto words = rows.next();
    need_words(words, 3);
    Net net{.name = words[0], .id = static_cast<std::uint64_t>(number(words[1], 0, most))};
    for (std::int64_t pins = number(words[2], 1, most); pins > 0; --pins) {
      const auto pin = rows.next();
      need_words(pin, 2);
      net.pins.push_back({tile(pin[0], list.width), tile(pin[1], list.height), 0});
    }
    list.nets.push_back(net);
  }
}

std::uint64_t layer_of(const std::string& word, const Netlist& list) {
  return static_cast<std::uint64_t>(number(word, 1, static_cast<std::int64_t>(list.layers))) - 1;
}

void read_contest_nets(Rows& rows, Netlist& list) {
  for (std::uint64_t left = count_of_nets(rows.next()); left > 0; --left) {
    const auto words = rows.next();
    need_words(words, 4);
    Net net{.name = words[0], .id = static_cast<std::uint64_t>(number(words[1], 0, most))};
    const std::int64_t pins = number(words[2], 1, most);
    net.width = static_cast<std::uint64_t>(number(words[3], 0, most_capacity));
    for (std::int64_t p = 0; p < pins; ++p) {
      const auto pin = rows.next();
      need_words(pin, 3);
      const std::int64_t x = number(pin[0], INT64_MIN + 1, INT64_MAX), y = number(pin[1], INT64_MIN + 1, INT64_MAX);
      if (x < list.left || y < list.bottom) refuse("left of or below the grid");
      // Differences of 64-bit numbers fit into 64 bits without a sign.
      const auto from = [](std::int64_t at, std::int64_t begin) {
        return static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(begin);
      };
      const std::uint64_t column = from(x, list.left) / static_cast<std::uint64_t>(list.tile_width),
                          row = from(y, list.bottom) / static_cast<std::uint64_t>(list.tile_height);
      if (column >= list.width || row >= list.height) refuse("right of or above the grid");
      net.pins.push_back({column, row, layer_of(pin[2], list)});
    }
    list.nets.push_back(net);
  }
}

void read_changed_capacities(Rows& rows, Netlist& list) {
  const auto words = rows.next_or_none();
  if (words.empty()) return;
  need_words(words, 1);
  for (std::int64_t left = number(words[0], 0, most); left > 0; --left) {
    const auto row = rows.next();
    need_words(row, 7);
    Place ends[2];
    for (const std::size_t i : {0, 1})
      ends[i] = {tile(row[3 * i], list.width), tile(row[3 * i + 1], list.height), layer_of(row[3 * i + 2], list)};
    const std::int64_t capacity = number(row[6], 0, most_capacity);
    Place &a = ends[0], &b = ends[1];
    if (b < a) std::swap(a, b);
    const bool right = b[0] == a[0] + 1 && b[1] == a[1], up = b[0] == a[0] && b[1] == a[1] + 1;
    if (a[2] != b[2] || !(right || up)) refuse("no neighbours");
    list.capacity[2 * ((a[2] * list.height + a[1]) * list.width + a[0]) + (up ? 1 : 0)] = capacity;
  }
}

}  // namespace

Netlist read_netlist(std::string_view bytes) {
  Rows rows(bytes);
  Netlist list;
  const auto header = rows.next();
  if (header.size() != 3 && header.size() != 4) refuse("header");
  if (header[0] != "grid") refuse("header");
  list.width = static_cast<std::uint64_t>(number(header[1], 1, most));
  list.height = static_cast<std::uint64_t>(number(header[2], 1, most));
  const bool contest = header.size() == 4;
  if (contest) list.layers = static_cast<std::uint64_t>(number(header[3], 1, 1000));
  const auto tiles = static_cast<unsigned __int128>(list.width) * list.height * list.layers;
  if (tiles > 1u << 30 || tiles > 4'000'000 + 16 * bytes.size()) refuse("too many tiles");
  if (contest) {
    const auto up = by_layer(rows.next(), {"vertical", "capacity"}, list.layers);
    const auto right = by_layer(rows.next(), {"horizontal", "capacity"}, list.layers);
    set_capacities(list, right, up);
    list.min_width = by_layer(rows.next(), {"minimum", "width"}, list.layers);
    list.min_spacing = by_layer(rows.next(), {"minimum", "spacing"}, list.layers);
    by_layer(rows.next(), {"via", "spacing"}, list.layers);
    const auto corner = rows.next();
    need_words(corner, 4);
    list.left = number(corner[0], -most, most);
    list.bottom = number(corner[1], -most, most);
    list.tile_width = number(corner[2], 1, most);
    list.tile_height = number(corner[3], 1, most);
    read_contest_nets(rows, list);
    read_changed_capacities(rows, list);
  } else {
    const auto first = rows.next();
    if (first[0] == "capacity") {
      const auto both = by_layer(first, {"capacity"}, 1);
      set_capacities(list, both, both);
      read_short_nets(rows, list);
    } else {
      const auto up = by_layer(first, {"vertical", "capacity"}, 1);
      set_capacities(list, by_layer(rows.next(), {"horizontal", "capacity"}, 1), up);
      read_named_nets(rows, list);
    }
  }
  if (!rows.next_or_none().empty()) refuse("more");
  return list;
}

}  // namespace hopwave::plain

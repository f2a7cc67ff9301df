// The picture of the matrix, binned, so that it takes one pass over the arcs and any size of graph.
// Source: GPU101's spy plot (MATLAB's spy). Ours shows density by shades, so that big graphs are no black squares.
#include "hopwave/spy.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/parallel.h"
#include "core/people_text.h"
#include "core/png_memory.h"
#include "draw/font.h"
#include "draw/scene.h"
#include "draw/theme.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

#ifdef HOPWAVE_WITH_PNG
#include <png.h>
#endif

namespace hopwave::inline v0_1 {

SpyGrid spy_grid(const Graph& graph, std::uint32_t side) {
  SpyGrid grid;
  const VertexId n = graph.num_vertices();
  grid.side = std::min<std::uint32_t>({std::max<std::uint32_t>(side, 1), 4096, std::max<VertexId>(n, 1)});
  const std::uint64_t cells = grid.side;
  grid.counts.assign(cells * cells, 0);
  const auto cell = [&](VertexId v) { return std::uint64_t{v} * cells / n; };
  // A member takes whole rows of cells, so that no two write the same count.
  Team team(graph.num_arcs() < (1 << 16) ? 1 : 0);
  parallel_for(team, n ? cells : 0, 16, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t row = from; row < to; ++row) {
      const std::uint64_t begin = (row * n + cells - 1) / cells, end = ((row + 1) * n + cells - 1) / cells;
      for (std::uint64_t v = begin; v < end; ++v)
        for (const VertexId w : graph.out_neighbors(static_cast<VertexId>(v))) ++grid.counts[row * cells + cell(w)];
    }
  });
  for (const std::uint64_t count : grid.counts) grid.most = std::max(grid.most, count);
  return grid;
}

namespace {

/// 0 where there is no arc. Even a single arc is clearly seen: shades begin at a light grey.
std::vector<unsigned char> darkness(const SpyGrid& grid) {
  std::vector<unsigned char> dark(grid.counts.size());
  const double full = std::log1p(static_cast<double>(grid.most));
  for (std::size_t i = 0; i < dark.size(); ++i)
    if (grid.counts[i])
      dark[i] =
          static_cast<unsigned char>(std::lround(255 * (0.35 + 0.65 * std::log1p(static_cast<double>(grid.counts[i])) / full)));
  return dark;
}

bool ends_with(const std::string& path, std::string_view ending) {
  return path.size() > ending.size() &&
         std::equal(ending.begin(), ending.end(), path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

constexpr double edge = 16, least_side = 384, letter = 7;
constexpr std::size_t longest_id = 10, longest_title = 120, most_all_ids = 40;

std::string shortened(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t cut = longest - 1;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not within a letter of UTF-8
  return text.substr(0, cut) + "…";
}

/// Cells that are labelled: all where they are few, else about six in even steps of 1, 2 or 5 times a power of ten.
std::vector<VertexId> ticks(VertexId vertices) {
  const std::uint64_t step =
      vertices > most_all_ids ? static_cast<std::uint64_t>(std::llround(picture::nice_step(vertices, 7))) : 1;
  std::vector<VertexId> at;
  for (std::uint64_t v = 0; v < vertices; v += step) at.push_back(static_cast<VertexId>(v));
  return at;
}

void label_axes(picture::Scene& scene, const picture::Cells& cells, const SpyLabels& labels, double size) {
  using picture::Style;
  const bool all = labels.vertices <= most_all_ids;
  const double each = size / std::max<double>(labels.vertices, 1);
  for (const auto& [v, name] : labels.ids) {
    const double at = (static_cast<double>(v) + 0.5) * each;
    const std::string id = shortened(name, longest_id);
    scene.text(Style::words, {cells.corner.x - 7, cells.corner.y + at + 4}, id, 10.5, picture::Anchor::end);
    scene.curve(Style::arc, {cells.corner.x - 4, cells.corner.y + at}, {cells.corner.x - 2, cells.corner.y + at},
                {cells.corner.x, cells.corner.y + at});
    // Above the columns ids are side by side: long ones would run into each other.
    if (all && static_cast<double>(id.size()) * letter > each) continue;
    scene.text(Style::words, {cells.corner.x + at, cells.corner.y - 7}, id, 10.5, picture::Anchor::middle);
    scene.curve(Style::arc, {cells.corner.x + at, cells.corner.y - 4}, {cells.corner.x + at, cells.corner.y - 2},
                {cells.corner.x + at, cells.corner.y});
  }
}

picture::Scene draw(const SpyGrid& grid, const SpyLabels& labels) {
  using picture::Style;
  const std::string title = shortened(labels.title, longest_title);
  const std::string key = "rows: from · columns: to · stronger: more arcs in a cell, up to " + core::grouped(grid.most);
  std::size_t widest = 1;
  for (const auto& [v, id] : labels.ids) widest = std::max(widest, std::min(id.size(), longest_id));
  const double cell = labels.vertices == grid.side && grid.side <= most_all_ids
                          ? std::max(22.0, least_side / grid.side)
                          : std::max(1.0, std::ceil(least_side / grid.side));
  const double size = cell * grid.side, left = edge + 12 + static_cast<double>(widest) * letter, top = edge + 56;
  picture::Scene scene{.width = std::max({left + size + edge, 2 * edge + picture::drawn_width(key, 10.5),
                                          2 * edge + picture::drawn_width(title, 13, true)}),
                       .height = top + size + edge,
                       .title = labels.title,
                       .shapes = {}};
  const picture::Cells& cells = scene.cells.emplace_back(
      picture::Cells{.corner = {left, top}, .cell = cell, .width = grid.side, .height = grid.side, .dark = darkness(grid)});
  scene.text(Style::title, {edge, edge + 12}, title, 13);
  scene.text(Style::soft, {edge, edge + 30}, key, 10.5);
  // The frame; where a cell is a vertex and large, lines between cells.
  const std::size_t lines = cell >= 22 ? grid.side : 1;
  for (std::size_t i = 0; i <= lines; ++i) {
    const double at = size * static_cast<double>(i) / static_cast<double>(lines);
    scene.curve(Style::arc, {left + at, top}, {left + at, top + size / 2}, {left + at, top + size});
    scene.curve(Style::arc, {left, top + at}, {left + size / 2, top + at}, {left + size, top + at});
  }
  label_axes(scene, cells, labels, size);
  return scene;
}

void check_grid(const SpyGrid& grid, const SpyLabels& labels, const std::string& path) {
  const auto above = [&](std::uint64_t count) { return count > grid.most; };
  if (grid.side == 0 || grid.side > 4096 || grid.counts.size() != std::size_t{grid.side} * grid.side ||
      std::any_of(grid.counts.begin(), grid.counts.end(), above) ||
      std::any_of(labels.ids.begin(), labels.ids.end(), [&](const auto& id) { return id.first >= labels.vertices; }))
    throw Error({.failure = Failure::usage,
                 .id = "HW-SPY-GRID",
                 .where = {.file = path},
                 .found = std::to_string(grid.counts.size()) + " counts on a side of " + std::to_string(grid.side) + " and " +
                          std::to_string(labels.ids.size()) + " ids of " + std::to_string(labels.vertices) + " vertices",
                 .expected = "side × side counts up to `most`, as spy_grid() makes them; ids of vertices that there are"});
}

#ifdef HOPWAVE_WITH_PNG
[[noreturn]] void failed(const std::string& path, const char* what) {
  refuse_png_memory(what);
  throw Error({.id = "HW-PNG-WRITE", .where = {.file = path}, .found = std::string("the picture could not be made: ") + what});
}

/// The cells alone, a pixel or a square of pixels each.
std::string bare_png(const SpyGrid& grid, const std::string& path) {
  const std::uint32_t scale = std::max<std::uint32_t>(1, (256 + grid.side - 1) / grid.side);
  const std::size_t pixels = std::size_t{grid.side} * scale;
  const auto dark = darkness(grid);
  std::vector<unsigned char> image(pixels * pixels);
  for (std::size_t y = 0; y < pixels; ++y)
    for (std::size_t x = 0; x < pixels; ++x)
      image[y * pixels + x] = static_cast<unsigned char>(255 - dark[y / scale * grid.side + x / scale]);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png.height = grid.side * scale;
  png.format = PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = 0;
  if (!png_image_write_to_memory(&png, nullptr, &bytes, 0, image.data(), 0, nullptr)) failed(path, png.message);
  std::string file(bytes, '\0');
  if (!png_image_write_to_memory(&png, file.data(), &bytes, 0, image.data(), 0, nullptr)) failed(path, png.message);
  file.resize(bytes);
  return file;
}
#else
std::string bare_png(const SpyGrid&, const std::string& path) { return picture::to_png({}, path); }
#endif

}  // namespace

SpyLabels spy_labels(const Graph& graph, const std::string& name) {
  const std::string n = core::grouped(graph.num_vertices());
  SpyLabels labels{.title = name + ": " + n + " × " + n + ", " + core::grouped(graph.num_arcs()) + " entries",
                   .vertices = graph.num_vertices(),
                   .ids = {}};
  for (const VertexId v : ticks(graph.num_vertices())) labels.ids.emplace_back(v, graph.ids().name(v));
  return labels;
}

void write_spy(const SpyGrid& grid, const std::string& path, const SpyLabels& labels) {
  check_grid(grid, labels, path);
  const bool svg = ends_with(path, ".svg"), bare = labels.title.empty() && labels.vertices == 0;
  if (!svg && !ends_with(path, ".png"))
    throw Error({.failure = Failure::usage,
                 .id = "HW-SPY-ENDING",
                 .where = {.file = path},
                 .found = "a spy plot whose name has another ending",
                 .expected = ".png or .svg"});
  const std::string bytes = svg    ? picture::to_svg(draw(grid, labels))
                            : bare ? bare_png(grid, path)
                                   : picture::to_png(draw(grid, labels), path);
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

std::string spy_svg(const SpyGrid& grid, const SpyLabels& labels) {
  check_grid(grid, labels, "");
  return picture::to_svg(draw(grid, labels));
}

}  // namespace hopwave::inline v0_1

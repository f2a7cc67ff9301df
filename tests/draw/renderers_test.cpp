// Pictures outside a browser: colours are literal, and librsvg draws them. What all pictures share: texts' widths, contrast.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "draw/chart_svg.h"
#include "draw/charts.h"
#include "draw/drawings.h"
#include "draw/flow_picture.h"
#include "draw/style.h"
#include "draw/theme.h"
#include "draw/timeline.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/netlist.h"
#include "hopwave/picture.h"
#include "hopwave/route.h"
#include "hopwave/spy.h"
#include "support/error_id.h"
#include "support/tool.h"
#include "support/xml.h"

#ifdef HOPWAVE_TESTS_READ_PNG
#include <png.h>
#endif

namespace hopwave::testing {
namespace of_renderers_test {

using report::Series;
using report::Table;
using test::Folder, test::slurp;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Table table() {
  return {.title = "Slow-down against the best, with a title that is longer than its two columns",
          .note = "A device. Medians.",
          .unit = "ms",
          .rows = {"survey-virtual-warp (sim) or another", "c", "d"},
          .columns = {"g1", "a-graph-of-a-longer-name"},
          .values = {{1, nan}, {300, 2}, {3, 5}},
          .samples = {{{0.5, 1, 9}, {}}, {{300}, {2}}, {{2, 3, 4}, {5, 5}}}};
}

std::vector<LevelTrace> trace() {
  return {{.level = 2, .direction = "push", .frontier = 9, .time = Milliseconds(0.1)},
          {.level = 3, .direction = "pull", .frontier = 0, .time = Milliseconds(0.4)},
          {.level = 4, .direction = "pull", .frontier = 545000, .discovered = 700, .time = Milliseconds(0.2)},
          {.level = 5, .direction = "push", .frontier = 0, .time = Milliseconds(0.1)}};
}

/// Three nets on two layers, of which two must share an edge for one; or as many nets side by side as `nets`.
route::Netlist netlist(int nets = 0, int side = 4) {
  std::string text =
      "grid " + std::to_string(side) + " " + std::to_string(side) +
      " 2\nvertical capacity 0 4\nhorizontal capacity 1 0\nminimum width 1 1\nminimum spacing 0 0\nvia spacing 0 "
      "0\n0 0 10 10\n\nnum net " +
      std::to_string(nets ? nets : 3) + "\n";
  if (nets == 0) text += "A 0 2 1\n5 5 1\n25 5 1\nB<&> 1 2 1\n5 5 1\n25 5 1\nC 2 2 1\n5 15 1\n35 35 1\n";
  for (int i = 0; i < nets; ++i) text += "n" + std::to_string(i) + " " + std::to_string(i) + " 2 1\n5 5 1\n15 15 1\n";
  return route::read_netlist(std::span(text), "nets");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

struct Kind {
  std::string name, svg;
  bool colored = true;
};

/// One picture of each kind.
std::vector<Kind> kinds(const Folder& folder) {
  std::vector<Kind> all{
      {"dots", report::dot_panels(table())},
      {"rivals", report::rivals_chart(table(), {"c"})},
      {"slowdown", report::slowdown_matrix(table())},
      {"heat", report::heat_map(table(), "blocks", "threads")},
      {"heats", report::heat_matrix(table(), {{table(), table()}, {table(), {}}, {{}, table()}}, "blocks", "threads")},
      {"headline", report::headline_chart("A result", "692 GTEPS", "Facts of it.", "ms", {1, 1.2, 1.25, 1.25, 2})},
      {"bars", report::stacked_bars(table())},
      {"levels", report::level_chart("levels", trace(), 7)},
      {"lines", report::line_chart("l", "x", "y", {{"one", {{1, 10}, {2, 100}}, {{1, 5}}}, {"two", {{1, 9}}}})},
      {"timeline", report::timeline_chart("Time of the levels", {report::timeline_row("a search of a long name", trace())})},
      {"roof", report::roofline("roof", 4e12, {{"p", 2, 1e12}, {"q", 0.5, 1e9}})}};
  picture::Scene scene = picture::draw_legend(picture::legend_of(true), 700);
  scene.height += 200;
  for (std::size_t i = 0; i < picture::num_styles; ++i) {
    const auto style = static_cast<picture::Style>(i);
    const double x = 20 + 40 * static_cast<double>(i), y = 60;
    scene.curve(style, {x, y}, {x + 20, y + 20}, {x, y + 60});
    scene.triangle(style, {x, y + 70}, {x + 20, y + 70}, {x + 10, y + 90});
    scene.text(style, {x, y + 120}, "text");
  }
  all.push_back({"search", picture::to_svg(scene)});
  const auto written = [&](const std::string& name, auto write, bool colored = true) {
    write(folder / (name + ".svg"));
    all.push_back({name, slurp(folder / (name + ".svg")), colored});
  };
  const Graph star = build_graph(generate("star:20"));
  written(
      "spy", [&](const std::string& path) { write_spy(spy_grid(star, 8), path, spy_labels(star, "star")); }, false);
  for (const int nets : {0, 20}) {
    const route::Netlist list = netlist(nets);
    written(nets ? "congestion" : "nets",
            [&](const std::string& path) { route::write_picture(list, route::route_nets(list, {.rounds = 3}), path); });
  }
  const Graph network = build_graph(generate("gridcut:3x3"));
  all.push_back({"flow", picture::flow_picture(network, max_flow(network, 0, 10), "flow.svg")});
  all.push_back({"orders", search_svg(build_graph(generate("grid:4x3")), {.sources = {0}}, {}, {.against_depth_first = true})});
  route::Grid grid(9, 4);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 9; ++x) grid.set_free({x, y});
  route::Drawing drawing{.grid = &grid, .branches = {{{0, 0}, {8, 0}, {8, 3}}}, .terminals = {{0, 0}, {8, 3}}};
  written("maze", [&](const std::string& path) { route::write_picture(drawing, path); });
  drawing.distance.assign(grid.num_bits(), -1);
  for (std::uint32_t x = 0; x < 9; ++x) drawing.distance[grid.index({x, 0})] = static_cast<std::int32_t>(x);
  written("wave", [&](const std::string& path) { route::write_animation(drawing, path); });
  written("numbers", [&](const std::string& path) { route::write_picture(drawing, path); });
  return all;
}

TEST(Renderers, ColoursAreLiteralAndLightOnesFirst) {
  const Folder folder;
  for (const Kind& kind : kinds(folder)) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(kind.svg.find("var("), std::string::npos);
    const std::string light = kind.svg.substr(0, kind.svg.find("@media"));
    EXPECT_EQ(kind.svg.find("paint-order"), std::string::npos) << "CairoSVG draws the outline over the text";
    EXPECT_NE(light.find(picture::paper.light), std::string::npos);
    EXPECT_EQ(light.find(picture::paper.dark), std::string::npos) << "a dark colour that every program takes";
  }
  EXPECT_EQ(picture::InlineDrawings().draw({.width = 9, .height = 9, .title = "t", .shapes = {}}).find("var("),
            std::string::npos);
}

/// What an undirected edge carries is drawn along it; parallel arcs have what they carry together.
TEST(FlowPictures, AmountsAndSizes) {
  const auto drawn = [](EdgeList list, const std::string& path) {
    const Graph graph = build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true});
    return picture::flow_picture(graph, max_flow(graph, 0, 2, {.paths = true}), path);
  };
  const auto edges = [](bool directed) {
    EdgeList list{.num_vertices = 3, .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {0, 1}, {2, 1}, {1, 1}})};
    list.directed = directed;
    list.weights = Weights(Array<std::int64_t>::copy_of(std::vector<std::int64_t>{1, 2, 5, 7}));
    return list;
  };
  const std::string both = drawn(edges(false), "f.svg"), against = drawn(edges(true), "f.svg");
  EXPECT_EQ(count(both, ">3/3<"), 1u);
  EXPECT_EQ(count(both, ">3/5<"), 1u);
  EXPECT_EQ(count(both, "class=\"overfull line\""), 1u);
  EXPECT_EQ(count(against, ">0/3<"), 1u);
  EXPECT_EQ(count(against, ">0/5<"), 1u);
  EXPECT_EQ(count(against, "class=\"overfull line\""), 0u) << "nothing leads out of the source's side";
  const std::string page = drawn(edges(false), "f.html");
  EXPECT_EQ(count(page, "<section "), 2u);
  EXPECT_NE(page.find("Path 1: 3 along 0 1 2"), std::string::npos);
  EXPECT_NE(page.find("<td>1</td><td>2</td><td>3</td><td>5</td><td></td>"), std::string::npos);
  EXPECT_NE(page.find("<td>0</td><td>1</td><td>3</td><td>3</td><td>yes</td>"), std::string::npos);
  const auto refused = [](const char* spec, const char* path) {
    const Graph graph = build_graph(generate(spec));
    return id_of([&] { picture::require_flow_picture(graph, path); });
  };
  EXPECT_EQ(refused("gridcut:9x9", "f.svg"), "HW-PICTURE-SIZE");
  EXPECT_EQ(refused("gridcut:3x3", "f.dot"), "HW-PICTURE-ENDING");
  EXPECT_EQ(refused("gridcut:3x3", "f"), "HW-PICTURE-ENDING");
}

/// Of two opposite arcs only the one that the path goes along is its; without one it goes against the other.
TEST(FlowPictures, ThePathOfAStep) {
  const auto path_lines = [](VertexId n, VertexId target, std::vector<Edge> arcs) {
    EdgeList list{.num_vertices = n, .edges = Array<Edge>::copy_of(arcs)};
    list.directed = true;
    const Graph graph = build_graph(std::move(list), {});
    const Flow flow = max_flow(graph, 0, target, {.strategy = "edmonds-karp", .paths = true});
    return std::pair{flow.paths.size(), count(picture::flow_picture(graph, flow, "f.html"), "class=\"labels line\"")};
  };
  EXPECT_EQ(path_lines(3, 2, {{0, 1}, {1, 2}, {1, 0}, {2, 1}}), (std::pair{std::size_t{1}, std::size_t{2}}));
  // The second path takes back what the first sent from 1 to 4; the page has that line once for both.
  EXPECT_EQ(path_lines(8, 5, {{0, 1}, {1, 4}, {4, 5}, {0, 2}, {2, 3}, {3, 4}, {1, 6}, {6, 7}, {7, 5}}),
            (std::pair{std::size_t{2}, std::size_t{9}}));
}

#ifdef HOPWAVE_TESTS_READ_PNG
struct Pixels {
  unsigned width = 0, height = 0;
  std::vector<unsigned char> rgb;
};

Pixels read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << path;
  image.format = PNG_FORMAT_RGB;
  Pixels pixels{image.width, image.height, std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  const png_color white{255, 255, 255};
  EXPECT_NE(png_image_finish_read(&image, &white, pixels.rgb.data(), 0, nullptr), 0) << path;
  return pixels;
}

bool runs(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

/// How the parts of two drawings of one picture differ: the mean of squares of eight by eight pixels, from 0 to 255.
double worst_difference(const Pixels& a, const Pixels& b) {
  constexpr unsigned side = 8;
  double worst = 0;
  for (unsigned y = 0; y + side <= std::min(a.height, b.height); y += side)
    for (unsigned x = 0; x + side <= std::min(a.width, b.width); x += side) {
      double sum = 0;
      for (unsigned dy = 0; dy < side; ++dy)
        for (unsigned dx = 0; dx < side; ++dx)
          for (unsigned c = 0; c < 3; ++c)
            sum += a.rgb[((y + dy) * a.width + x + dx) * 3 + c] - b.rgb[((y + dy) * b.width + x + dx) * 3 + c];
      worst = std::max(worst, std::abs(sum) / (side * side * 3));
    }
  return worst;
}

TEST(Renderers, LibrsvgShowsColoursOnWhite) {
  if (!runs("rsvg-convert --version")) GTEST_SKIP() << "rsvg-convert is not installed (librsvg2-bin)";
  const Folder folder;
  for (const Kind& kind : kinds(folder)) {
    SCOPED_TRACE(kind.name);
    const std::string svg = folder / ("of-" + kind.name + ".svg"), png = folder / (kind.name + ".png");
    std::ofstream(svg) << kind.svg;
    ASSERT_TRUE(runs("rsvg-convert " + svg + " -o " + png));
    const Pixels pixels = read_png(png);
    std::size_t white = 0, colored = 0;
    for (std::size_t i = 0; i < pixels.rgb.size(); i += 3) {
      const auto [least, most] = std::minmax({pixels.rgb[i], pixels.rgb[i + 1], pixels.rgb[i + 2]});
      white += least > 240;
      colored += most - least > 60;
    }
    EXPECT_GT(white, pixels.rgb.size() / 3 / 3) << "its ground";
    if (kind.colored) EXPECT_GT(colored, pixels.rgb.size() / 3 / 2000);
  }
}

TEST(Renderers, CairoSvgDrawsTheSameAsLibrsvg) {
  // Debian's package is Debian's Python's, which need not be the first one.
  const std::string pythons[] = {"python3", "/usr/bin/python3"};
  const auto* python = std::ranges::find_if(pythons, [](const auto& name) { return runs(name + " -c 'import cairosvg'"); });
  if (!runs("rsvg-convert --version") || python == std::end(pythons))
    GTEST_SKIP() << "rsvg-convert (librsvg2-bin) or the Python package CairoSVG is not installed";
  const Folder folder;
  const auto all = kinds(folder);
  // One process draws all: its start takes longer than the pictures.
  std::string names;
  for (const Kind& kind : all) {
    const std::string svg = folder / ("of-" + kind.name);
    std::ofstream(svg) << kind.svg;
    names += " " + svg;
    ASSERT_TRUE(runs("rsvg-convert " + svg + " -o " + svg + "-1.png"));
  }
  ASSERT_TRUE(runs(
      *python + " -c 'import cairosvg, sys\nfor f in sys.argv[1:]: cairosvg.svg2png(url=f, write_to=f + \"-2.png\")'" + names));
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const std::string of = folder / ("of-" + kind.name);
    const Pixels a = read_png(of + "-1.png"), b = read_png(of + "-2.png");
    EXPECT_NEAR(a.width, b.width, 1);
    EXPECT_NEAR(a.height, b.height, 1);
    // Edges are smoothed and letters set in other ways; a colour or an outline that is missing is more.
    EXPECT_LT(worst_difference(a, b), 100);
  }
}
#endif

TEST(Renderers, NoTextIsCut) {
  static const std::regex box("viewBox=\"([-0-9.]+) ([-0-9.]+) ([0-9.]+) ([0-9.]+)\"");
  static const std::regex text("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" text-anchor=\"([a-z]+)\"([^>]*)>([^<]*)</text>");
  const Folder folder;
  for (const Kind& kind : kinds(folder)) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(test::xml_fault(kind.svg), "");
    if (kind.name == "search" || kind.name == "orders" || kind.name == "flow" || kind.name == "spy" || kind.name == "maze" ||
        kind.name == "wave" || kind.name == "numbers" || kind.name == "nets" || kind.name == "congestion")
      continue;
    std::smatch seen;
    ASSERT_TRUE(std::regex_search(kind.svg, seen, box));
    const double left = std::stod(seen[1]), right = left + std::stod(seen[3]), bottom = std::stod(seen[2]) + std::stod(seen[4]);
    std::size_t texts = 0;
    for (std::sregex_iterator at(kind.svg.begin(), kind.svg.end(), text), last; at != last; ++at, ++texts) {
      const std::string style = (*at)[4], words = (*at)[5];
      if (style.find("rotate") != std::string::npos) continue;
      const double size = style.find("small") != std::string::npos || style.find("soft") != std::string::npos ? 11
                          : style.find("title") != std::string::npos                                          ? 14
                          : style.find("big") != std::string::npos                                            ? 34
                                                                                                              : 12;
      const double width = picture::text_width(words, size, size > 12 || style.find("title") != std::string::npos),
                   x = std::stod((*at)[1]);
      const double begin = (*at)[3] == "start" ? x : (*at)[3] == "middle" ? x - width / 2 : x - width;
      EXPECT_GE(begin, left) << words;
      EXPECT_LE(begin + width, right) << words;
      EXPECT_LE(std::stod((*at)[2]), bottom) << words;
    }
    EXPECT_GT(texts, 3u);
  }
}

TEST(RoutePicture, TheRouteIsCasedWideAndItsEndsAreLettered) {
  const Folder folder;
  route::Grid grid(300, 300);
  for (std::uint32_t x = 0; x < 300; ++x) grid.set_free({x, 7});
  const std::string path = folder / "long.svg";
  route::write_picture({.grid = &grid, .branches = {{{0, 7}, {299, 7}}}, .terminals = {{0, 7}, {299, 7}}}, path);
  const std::string svg = slurp(path);
  static const std::regex stroke("stroke=\"(#[0-9a-f]+)\" stroke-width=\"([0-9.]+)\" stroke-linecap");
  std::vector<std::pair<std::string, double>> lines;
  for (std::sregex_iterator at(svg.begin(), svg.end(), stroke), last; at != last; ++at)
    lines.emplace_back((*at)[1], std::stod((*at)[2]));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].first, "#fff") << "the casing lies below";
  EXPECT_GT(lines[0].second, lines[1].second + 1);
  EXPECT_GE(lines[1].second * 512 / 300, 2.98) << "pixels";
  for (const char* const end : {">S</text>", ">E</text>"}) EXPECT_NE(svg.find(end), std::string::npos) << end;
}

/// What the colours mean is below the maze: only what is drawn, and as wide as it needs.
TEST(RoutePicture, HasAKeyBelow) {
  const Folder folder;
  const auto drawn = [&](const route::Drawing& drawing) {
    route::write_picture(drawing, folder / "key.svg");
    return slurp(folder / "key.svg");
  };
  route::Grid free(3, 60), walled(3, 60);
  for (std::uint32_t y = 0; y < 60; ++y)
    for (std::uint32_t x = 0; x < 3; ++x) {
      free.set_free({x, y});
      if (x == 1) walled.set_free({x, y});
    }
  const std::string plain = drawn({.grid = &free, .branches = {}, .terminals = {{0, 0}}});
  EXPECT_NE(plain.find(">start (S)</text>"), std::string::npos) << plain;
  for (const char* const absent : {">wall<", ">end", ">route<", ">wavefront"}) EXPECT_EQ(plain.find(absent), std::string::npos);
  route::Drawing drawing{.grid = &walled, .branches = {{{1, 0}, {1, 59}}}, .terminals = {{1, 0}, {1, 9}, {1, 59}}};
  drawing.distance.assign(walled.num_bits(), -1);
  for (std::uint32_t y = 0; y < 60; ++y) drawing.distance[walled.index({1, y})] = static_cast<std::int32_t>(y);
  const std::string all = drawn(drawing);
  static const std::regex words("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\">([a-z][^<]*)</text>"),
      size("width=\"([0-9]+)\" height=\"([0-9]+)\"");
  std::smatch page;
  ASSERT_TRUE(std::regex_search(all, page, size));
  std::vector<std::string> key;
  for (std::sregex_iterator at(all.begin(), all.end(), words), last; at != last; ++at) {
    key.push_back((*at)[3]);
    EXPECT_GT(std::stod((*at)[2]), 512) << "below the maze";
    EXPECT_LT(std::stod((*at)[2]), std::stod(page[2]));
    EXPECT_LE(std::stod((*at)[1]) + picture::text_width(key.back(), 13), std::stod(page[1]) + 1);
  }
  EXPECT_EQ(key, (std::vector<std::string>{"wall", "start (S)", "ends (E)", "route", "wavefront: 0 to 59"}));
}

TEST(RoutePicture, IsDarkWhereTheReaderPrefersItAndLightsTheWavefront) {
  const Folder folder;
  route::Grid grid(9, 4);
  for (std::uint32_t x = 0; x < 9; ++x) grid.set_free({x, 1});
  route::Drawing drawing{.grid = &grid, .branches = {{{0, 1}, {8, 1}}}, .terminals = {{0, 1}, {8, 1}}};
  drawing.distance.assign(grid.num_bits(), -1);
  for (std::uint32_t x = 0; x < 9; ++x) drawing.distance[grid.index({x, 1})] = static_cast<std::int32_t>(x);
  const std::string still = folder / "still.svg", playing = folder / "playing.svg", page = folder / "page.html";
  route::write_picture(drawing, still);
  route::write_animation(drawing, playing);
  route::write_animation(drawing, page);
  for (const std::string& path : {still, playing, page}) {
    const std::string text = slurp(path);
    const auto dark = text.rfind("@media (prefers-color-scheme:dark)");
    ASSERT_NE(dark, std::string::npos) << path;
    EXPECT_NE(text.find(picture::paper.dark, dark), std::string::npos);
    EXPECT_NE(text.find("class=\"wall\""), std::string::npos);
  }
  EXPECT_EQ(count(slurp(playing), "attributeName=\"fill\" to=\"#ffc857\""), 9u) << "each level in its time";
  for (const char* const part : {"classList.toggle('lit'", ".lit{fill:#ffc857}", " of <span id=\"last\">", "last = 8;"})
    EXPECT_NE(slurp(page).find(part), std::string::npos) << part;
}

TEST(NetPicture, NetsPinsViasAndOverfullEdgesAreShown) {
  const Folder folder;
  const route::Netlist list = netlist();
  const route::GlobalRoute routed = route::route_nets(list, {.rounds = 1});
  const std::string path = folder / "nets.svg";
  route::write_picture(list, routed, path);
  const std::string svg = slurp(path);
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_EQ(count(svg, ": pin at"), 6u);
  EXPECT_EQ(count(svg, ": via between layers 1 and 2"), 2 * routed.vias) << "in both layers";
  EXPECT_EQ(count(svg, "class=\"wire line\""), count(svg, "class=\"casing line\""));
  EXPECT_GT(count(svg, "class=\"wire line\""), 3u);
  EXPECT_EQ(count(svg, "<title>overfull by 1</title>") > 0, routed.overflow > 0);
  for (const char* const words :
       {"3 nets routed on 4 × 4 tiles", ">layer 1<", ">layer 2<", "net B&lt;&amp;&gt;: pin", "overfull"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
  for (std::size_t net = 0; net < 3; ++net)
    EXPECT_NE(svg.find("stroke:" + std::string(picture::series_color(net))), std::string::npos);
  // Nothing is beyond the right edge.
  static const std::regex text("<text class=\"[a-z]+\" x=\"([-0-9.]+)\"[^>]*font-size=\"([0-9.]+)\"[^>]*>([^<]*)</text>");
  std::smatch seen;
  ASSERT_TRUE(std::regex_search(svg, seen, std::regex("viewBox=\"0 0 ([0-9]+) ")));
  const double right = std::stod(seen[1]);
  std::size_t texts = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), text), last; at != last; ++at, ++texts)
    EXPECT_LE(std::stod((*at)[1]) + picture::text_width(std::string((*at)[3]), std::stod((*at)[2]), texts == 0), right)
        << (*at)[3];
  EXPECT_GT(texts, 4u);
}

TEST(NetPicture, LayersOfNarrowGridsHaveRoomForTheirNames) {
  const Folder folder;
  for (const auto& [width, height] : {std::pair{1, 30}, std::pair{2, 300}, std::pair{3, 200}}) {
    std::string text = "grid " + std::to_string(width) + " " + std::to_string(height) +
                       " 4\nvertical capacity 1 1 1 1\nhorizontal capacity 1 1 1 1\nminimum width 1 1 1 1\nminimum spacing 0 0 "
                       "0 0\nvia spacing 0 0 0 0\n0 0 10 10\nnum net 1\nn 0 2 1\n5 5 1\n5 205 1\n";
    const route::Netlist list = route::read_netlist(std::span(text), "narrow");
    route::write_picture(list, route::route_nets(list), folder / "narrow.svg");
    const std::string svg = slurp(folder / "narrow.svg");
    static const std::regex name(
        "<text class=\"words\" x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" font-size=\"([0-9.]+)\"[^>]*>([^<]*)</text>");
    std::map<std::string, double> ends;  // by row
    std::size_t names = 0;
    for (std::sregex_iterator at(svg.begin(), svg.end(), name), last; at != last; ++at, ++names) {
      const double x = std::stod((*at)[1]);
      double& end = ends[(*at)[2]];
      EXPECT_GT(x, end) << (*at)[4];
      end = x + picture::text_width(std::string((*at)[4]), std::stod((*at)[3]), false);
    }
    EXPECT_EQ(names, height == 30 ? 4u : 5u) << "and the vias, where nets are not drawn";
  }
}

TEST(NetPicture, ManyNetsAreShownAsCongestion) {
  const Folder folder;
  for (const auto& [nets, side] : {std::pair{20, 4}, std::pair{2, 300}}) {
    const route::Netlist list = netlist(nets, side);
    const std::string path = folder / "many.svg";
    route::write_picture(list, route::route_nets(list, {.rounds = 2}), path);
    const std::string svg = slurp(path);
    EXPECT_EQ(count(svg, ": pin at"), 0u);
    EXPECT_NE(svg.find("vias of all layers, up to "), std::string::npos);
    EXPECT_LT(svg.size(), 60000u);
  }
}

TEST(NetPicture, WrongOnesAreRefused) {
  const Folder folder;
  const route::Netlist list = netlist();
  route::GlobalRoute routed = route::route_nets(list, {.rounds = 1});
  const auto id_of = [&](const std::string& name) -> std::string {
    return testing::id_of([&] { route::write_picture(list, routed, folder / name); }, "");
  };
#ifdef HOPWAVE_TESTS_READ_PNG
  EXPECT_EQ(id_of("nets.png"), "");
  EXPECT_GT(read_png(folder / "nets.png").width, 500u);
#endif
  EXPECT_EQ(id_of("nets.gif"), "HW-ROUTE-ENDING");
  routed.wires[0].push_back({{0, 0, 0}, {1, 1, 0}});
  EXPECT_EQ(id_of("nets.svg"), "HW-NET-ARRAYS") << "no neighbours";
  routed.wires.pop_back();
  EXPECT_EQ(id_of("nets.svg"), "HW-NET-ARRAYS");
}

TEST(Theme, TextIsMeasuredAndBroken) {
  using picture::text_lines, picture::text_width;
  EXPECT_DOUBLE_EQ(text_width("", 12), 0);
  EXPECT_NEAR(text_width("Slow-down", 10), 55, 5);
  EXPECT_GT(text_width("W", 10), 2 * text_width("i", 10));
  EXPECT_GT(text_width("time", 10, true), text_width("time", 10));
  EXPECT_NEAR(text_width("ëë", 10), 2 * text_width("ë", 10), 1e-9) << "letters, not bytes";
  EXPECT_EQ(text_lines("one two three", text_width("one two", 10) + 0.1, 10), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(text_lines("ëëëë", text_width("ëë", 10) + 0.1, 10), (std::vector<std::string>{"ëë", "ëë"}));
  EXPECT_EQ(text_lines("a", 0, 10), std::vector<std::string>{"a"}) << "a letter per line at least";
}

TEST(Theme, AxesHaveLabelsInEvenSteps) {
  for (const auto& [span, step] : {std::pair{7.0, 1.0}, {8.0, 2.0}, {0.05, 0.01}, {900.0, 200.0}, {36.0, 10.0}, {0.0, 1.0}})
    EXPECT_DOUBLE_EQ(picture::nice_step(span, 7), step) << span;
  const auto labels = [](double least, double most) {
    std::vector<double> at;
    picture::LogAxis::over(least, most, 0, 100).ticks([&](double v) { at.push_back(v); });
    return at;
  };
  EXPECT_EQ(labels(0.2, 0.9), (std::vector<double>{0.1, 0.2, 0.5, 1}));
  EXPECT_EQ(labels(1, 1000).size(), 4u) << "whole decades are enough";
  EXPECT_EQ(picture::unit_text(692e9, "TEPS"), "692 GTEPS");
  EXPECT_EQ(picture::unit_text(12, "TEPS"), "12 TEPS");
}

TEST(Theme, WordsOnColoursAreRead) {
  EXPECT_NEAR(picture::contrast("#000000", "#ffffff"), 21, 0.01);
  EXPECT_NEAR(picture::contrast("#777777", "#ffffff"), 4.48, 0.01);
  for (int i = 0; i <= 100; ++i) {
    const std::string fill = picture::ramp_color(i / 100.0);
    EXPECT_GE(picture::contrast(fill, picture::ink_on(fill)), 4.5) << fill;
  }
  for (const picture::Tone& tone : {picture::ink, picture::soft}) {
    EXPECT_GE(picture::contrast(tone.light, picture::paper.light), 4.5);
    EXPECT_GE(picture::contrast(tone.dark, picture::paper.dark), 4.5);
  }
}

TEST(LevelChart, ALevelThatWasNotCountedIsNoOne) {
  const std::string svg = report::level_chart("levels", trace(), 7);
  EXPECT_EQ(count(svg, "class=\"hollow\""), 2u) << "level 3, and the key";
  EXPECT_NE(svg.find("level 3: pull, frontier not counted"), std::string::npos);
  EXPECT_NE(svg.find("level 5: push, frontier 700"), std::string::npos) << "what level 4 has found";
  for (const int level : {1, 6, 7}) EXPECT_NE(svg.find("level " + std::to_string(level) + ": not traced"), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 2u) << "the line ends before level 3 and begins after it";
  const std::string whole = report::level_chart(
      "whole", {{.level = 1, .direction = "push", .frontier = 1}, {.level = 2, .direction = "push", .frontier = 3}}, 2);
  EXPECT_EQ(count(whole, "hollow"), count(report::level_chart("", {}), "hollow")) << "the style sheet's alone";
  EXPECT_EQ(whole.find("not traced"), std::string::npos);
}

TEST(Dots, EverySourceIsThereWithMinimumMedianAndMaximum) {
  const std::string svg = report::dot_panels(table());
  EXPECT_EQ(count(svg, "one source: "), 3u + 3 + 2);
  EXPECT_NE(svg.find("minimum 0.5, bar 1, maximum 9 ms of 3 sources"), std::string::npos);
}

TEST(Slowdown, RowsAreSortedByTheirGeometricMean) {
  const std::string svg = report::slowdown_matrix({.title = "t",
                                                   .unit = "ms",
                                                   .rows = {"few", "slow", "fast"},
                                                   .columns = {"a", "b", "c"},
                                                   .values = {{1, nan, nan}, {8, 900, 3}, {2, 3, 4}}});
  const auto at = [&](const std::string& row) { return svg.find(">" + row + "</text>"); };
  EXPECT_LT(at("fast"), at("slow"));
  EXPECT_LT(at("slow"), at("few")) << "measured on less than half of the graphs";
  EXPECT_NE(svg.find("geometric mean"), std::string::npos);
  EXPECT_NE(svg.find("not measured"), std::string::npos);
  EXPECT_NE(svg.find(picture::ramp_color(1)), std::string::npos) << "the greatest is the darkest";
}

TEST(Rivals, TheBestOtherIsNamedAndTheRatioPrinted) {
  const std::string svg = report::rivals_chart(
      {.title = "t", .unit = "ms", .rows = {"auto", "p", "q"}, .columns = {"a", "b"}, .values = {{1, 4}, {3, 2}, {2, nan}}},
      {"auto"});
  EXPECT_NE(svg.find("2.0 × faster"), std::string::npos) << "than q";
  EXPECT_NE(svg.find("2.0 × slower"), std::string::npos) << "than p";
}

}  // namespace of_renderers_test
}  // namespace hopwave::testing

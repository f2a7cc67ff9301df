// Pictures outside a browser: colours are literal, and librsvg draws them. What all pictures share: texts' widths, contrast.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "draw/chart_svg.h"
#include "draw/charts.h"
#include "draw/drawings.h"
#include "draw/style.h"
#include "draw/theme.h"
#include "hopwave/generate.h"
#include "hopwave/route.h"
#include "hopwave/spy.h"
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
      {"bars", report::stacked_bars(table())},
      {"levels", report::level_chart("levels", trace(), 7)},
      {"lines", report::line_chart("l", "x", "y", {{"one", {{1, 10}, {2, 100}}, {{1, 5}}}, {"two", {{1, 9}}}})},
      {"roof", report::roofline("roof", 4e12, {{"p", 2, 1e12}, {"q", 0.5, 1e9}})}};
  picture::Scene scene = picture::draw_legend(true, 700);
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
  route::Grid grid(9, 4);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 9; ++x) grid.set_free({x, y});
  route::Drawing drawing{.grid = &grid, .branches = {{{0, 0}, {8, 0}, {8, 3}}}, .terminals = {{0, 0}, {8, 3}}};
  written("maze", [&](const std::string& path) { route::write_picture(drawing, path); });
  drawing.distance.assign(grid.num_bits(), -1);
  for (std::uint32_t x = 0; x < 9; ++x) drawing.distance[grid.index({x, 0})] = static_cast<std::int32_t>(x);
  written("wave", [&](const std::string& path) { route::write_animation(drawing, path); });
  return all;
}

TEST(Renderers, ColoursAreLiteralAndLightOnesFirst) {
  const Folder folder;
  for (const Kind& kind : kinds(folder)) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(kind.svg.find("var("), std::string::npos);
    const std::string light = kind.svg.substr(0, kind.svg.find("@media"));
    EXPECT_NE(light.find(kind.name == "maze" || kind.name == "wave" ? "#fff" : picture::paper.light), std::string::npos);
    EXPECT_EQ(light.find(picture::paper.dark), std::string::npos) << "a dark colour that every program takes";
  }
  EXPECT_EQ(picture::to_inline_svg({.width = 9, .height = 9, .title = "t", .shapes = {}}).find("var("), std::string::npos);
}

#ifdef HOPWAVE_TESTS_READ_PNG
TEST(Renderers, LibrsvgShowsColoursOnWhite) {
  if (std::system("rsvg-convert --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "rsvg-convert is not installed (librsvg2-bin)";
  const Folder folder;
  for (const Kind& kind : kinds(folder)) {
    SCOPED_TRACE(kind.name);
    const std::string svg = folder / ("of-" + kind.name + ".svg"), png = folder / (kind.name + ".png");
    std::ofstream(svg) << kind.svg;
    ASSERT_EQ(std::system(("rsvg-convert " + svg + " -o " + png).c_str()), 0);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, png.c_str()), 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
    std::size_t white = 0, colored = 0;
    for (std::size_t i = 0; i < pixels.size(); i += 3) {
      const auto [least, most] = std::minmax({pixels[i], pixels[i + 1], pixels[i + 2]});
      white += least > 240;
      colored += most - least > 60;
    }
    EXPECT_GT(white, pixels.size() / 3 / 3) << "its ground";
    if (kind.colored) EXPECT_GT(colored, pixels.size() / 3 / 2000);
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
    if (kind.name == "search" || kind.name == "spy" || kind.name == "maze" || kind.name == "wave") continue;
    std::smatch seen;
    ASSERT_TRUE(std::regex_search(kind.svg, seen, box));
    const double left = std::stod(seen[1]), right = left + std::stod(seen[3]), bottom = std::stod(seen[2]) + std::stod(seen[4]);
    std::size_t texts = 0;
    for (std::sregex_iterator at(kind.svg.begin(), kind.svg.end(), text), last; at != last; ++at, ++texts) {
      const std::string style = (*at)[4], words = (*at)[5];
      if (style.find("rotate") != std::string::npos) continue;
      const double size = style.find("small") != std::string::npos || style.find("soft") != std::string::npos ? 11
                          : style.find("title") != std::string::npos                                          ? 14
                                                                                                              : 12;
      const double width = picture::text_width(words, size, style.find("title") != std::string::npos), x = std::stod((*at)[1]);
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

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
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
  EXPECT_NE(svg.find("minimum 0.5, median 1, maximum 9 ms of 3 sources"), std::string::npos);
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

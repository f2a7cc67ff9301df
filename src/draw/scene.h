// draw: pictures and charts, of searches and of plain numbers. Nothing here measures or searches.
//
// Scene: shapes with a style each, in drawing order. SVG and PNG are written from the same scene.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hopwave::picture {

struct Point {
  double x = 0, y = 0;
};

/// What a shape means; style.h's table says how that looks, on light and on dark ground.
enum class Style {
  ground,  ///< the page
  panel,   ///< a step's frame
  title,
  words,
  soft,  ///< less important words
  arc,
  tree,    ///< arc of the search tree
  look,    ///< arc or box: looked at, nothing new
  labels,  ///< arc or box: this look gives the level
  also,    ///< arc or box: new to this thread as well, but another's store is kept
  unvisited,
  visited,
  frontier,
  found,
  idle,  ///< a thread without work
  works,
  on_color,  ///< words on frontier, found and the like
  casing,    ///< below a wire: the ground's colour, wider
  wire,      ///< of a net, in a colour of its own
  pin,       ///< of a net, in the same
  overfull   ///< frame of a tile whose edge is used beyond its capacity; arc of a minimum cut
};
inline constexpr std::size_t num_styles = static_cast<std::size_t>(Style::overfull) + 1;

enum class Anchor { start, middle, end };

struct Shape {
  enum class Kind { rect, circle, curve, triangle, text } kind;
  Style style;
  std::vector<Point> points;  ///< rect: corner and size; circle: centre and (r, r); curve: start, control, end
  std::string text;           ///< of a text; else a tip that is shown on hovering
  double size = 12;           ///< of a text
  Anchor anchor = Anchor::start;
  std::string_view color = {};  ///< #rrggbb, instead of the style's: of a curve its stroke, else the fill; outlives the scene
};

/// Shapes that belong together, up to the next part. Drawings of a page share parts that are equal.
struct Part {
  std::size_t from;   ///< its first shape
  std::string about;  ///< attributes for the script of a page: " data-vertex=\"4\""
};

/// A rectangle of square cells, row by row: how dark each is, from 0 (nothing is drawn) to 255.
struct Cells {
  Point corner;
  double cell = 1;  ///< its side
  std::size_t width = 0, height = 0;
  std::vector<unsigned char> dark;
  bool ramp = false;  ///< in the colours of ramp_color(), the same on light and dark ground; else shades of the words' colour
  std::string_view color = {};  ///< #rrggbb: cells that are drawn have this one; outlives the scene
};
/// An SVG's cells have this many shades.
inline constexpr int num_shades = 16;
inline constexpr int shade_of(unsigned char dark) { return (dark + 15) / 17; }

struct Scene {
  double width = 0, height = 0;
  std::string title;
  std::vector<Shape> shapes;
  std::vector<Cells> cells = {};  ///< below the shapes
  std::vector<Part> parts = {};

  void part(std::string about = {}) { parts.push_back({shapes.size(), std::move(about)}); }
  void rect(Style style, double x, double y, double w, double h, std::string tip = {}) {
    shapes.push_back({Shape::Kind::rect, style, {{x, y}, {w, h}}, std::move(tip)});
  }
  void circle(Style style, Point at, double radius, std::string tip = {}) {
    shapes.push_back({Shape::Kind::circle, style, {at, {radius, radius}}, std::move(tip)});
  }
  void curve(Style style, Point from, Point control, Point to) {
    shapes.push_back({Shape::Kind::curve, style, {from, control, to}, {}});
  }
  void line(Style style, Point from, Point to, std::string_view color = {}) {
    curve(style, from, {(from.x + to.x) / 2, (from.y + to.y) / 2}, to);
    shapes.back().color = color;
  }
  void triangle(Style style, Point a, Point b, Point c) { shapes.push_back({Shape::Kind::triangle, style, {a, b, c}, {}}); }
  void text(Style style, Point at, const std::string& words, double size = 12, Anchor anchor = Anchor::start) {
    shapes.push_back({Shape::Kind::text, style, {at}, words, size, anchor});
  }
};

/// A file of its own with its colours in it, which follow the reader's light or dark preference.
std::string to_svg(const Scene& scene);
/// The same for the drawings of an HTML page that has style_sheet() in its head. A part that several of them have is written
/// once, so that a page of many steps stays small.
class InlineDrawings {
 public:
  std::string draw(const Scene& scene);
  /// All parts: an SVG that is not seen. The page contains it.
  [[nodiscard]] std::string parts() const;

 private:
  std::map<std::string, std::size_t> number_;
  std::string written_;
};
/// Rules for every style's class: literal colours, light ones first, dark ones in a media query.
std::string style_sheet();
/// CSS variables --STYLE-f and --STYLE-s with the same colours, for a page's own elements.
std::string style_variables();
/// Bytes of a PNG file, light, two pixels per unit. Throws HW-PNG-MISSING without libpng, HW-PNG-WRITE.
std::string to_png(const Scene& scene, const std::string& path);

}  // namespace hopwave::picture

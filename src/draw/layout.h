// Where vertices are and how arcs run between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/scene.h"
#include "draw/subject.h"

namespace hopwave::picture {

struct Layout {
  double width = 0, height = 0;
  double radius = 15;               ///< of a vertex
  std::vector<Point> at;            ///< one per vertex
  std::vector<std::string> rows;    ///< "level 0", …: words at the left, if the vertices of each level are in a row
  std::vector<double> row_heights;  ///< where those rows are
};

/// A name as it is written into a vertex, in one line or two. Of more than sixteen letters the middle is left out.
std::vector<std::string> name_lines(const std::string& name);
/// Of a circle into which all names fit.
double radius_for(const Subject& subject);

/// Letters of UTF-8.
std::size_t letters(const std::string& name);
/// A name of at most `longest` letters: the middle is left out, since names often differ in their last letters.
std::string shortened(const std::string& name, std::size_t longest);

/// Rows by level, each put in order by the mean place of its neighbours above and below, which lessens crossings.
Layout layout_by_level(const Subject& subject);

/// Rows and columns, where the vertices in order are a grid's row by row and all arcs join neighbours in it; else nothing.
std::optional<Layout> layout_of_grid(const Subject& subject);

/// By Graphviz's `program` ("dot", "neato"), which is started; nothing if it is not there or fails.
std::optional<Layout> layout_by_graphviz(const Subject& subject, const std::string& program);

/// The arc of a drawing between two vertices.
struct Line {
  VertexId from, to;
  bool both;  ///< drawn once for both directions: no arrowhead
  Point start, control, end;
};
/// A point of the line, from its start (t = 0) to its end (1).
Point point_of(const Line& line, double t);

/// All arcs; one line for two arcs of a symmetric graph. Each is bent as little as it takes to pass by other vertices. The
/// layout moves and grows until they lie within it.
std::vector<Line> lines_of(const Subject& subject, Layout& layout);

/// The graph in Graphviz's language, with levels as ranks and the tree in bold.
std::string to_dot(const Subject& subject);

}  // namespace hopwave::picture

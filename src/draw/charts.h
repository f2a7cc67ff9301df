// Charts of measurements as SVG: each function takes plain numbers and returns a whole picture.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::report {

/// rows × columns; a value of NaN is a cell that could not run.
struct Table {
  std::string title;
  std::string unit;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;
};

/// One panel a column, one dot a row, on a logarithmic axis, where a bar's length would say nothing; the best of each panel is
/// outlined.
std::string dot_panels(const Table& table);
/// Each cell is value ÷ best of its column; the best is outlined, cells that could not run are hatched.
std::string slowdown_matrix(const Table& table);
/// Cells coloured from fast to slow on a logarithmic scale with their values; the best is outlined, invalid ones hatched.
std::string heat_map(const Table& table, const std::string& row_axis, const std::string& column_axis);
/// Frontier per level, push and pull in two colours, and below it the time of each level.
std::string level_chart(const std::string& title, const std::vector<LevelTrace>& trace);

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y), both above 0 for logarithmic axes
};
/// Lines over logarithmic axes; x ticks stand at the points.
std::string line_chart(const std::string& title, const std::string& x_axis, const std::string& y_axis,
                       const std::vector<Series>& series);

/// One stacked bar a row, one colour a column ("read", "parse", "build", …).
std::string stacked_bars(const Table& table);
/// A coarse picture of a graph, small enough to travel with the measurements.
struct GraphPicture {
  std::string graph;
  std::uint32_t bins = 0;
  std::vector<std::uint64_t> spy;                                ///< bins × bins arc counts, row by row
  std::vector<std::pair<std::uint64_t, std::uint64_t>> degrees;  ///< (least degree of a power-of-two bin, vertices)
};

/// Where the arcs are: bins × bins, darker is denser (logarithmic).
std::string spy_chart(const GraphPicture& picture);
/// Vertices by degree in power-of-two bins, both axes logarithmic.
std::string degree_chart(const GraphPicture& picture);

/// Traversed arcs per second over arcs per byte that must move, under the machine's bandwidth.
struct RooflinePoint {
  std::string name;
  double arcs_per_byte = 0;
  double arcs_per_second = 0;
};
std::string roofline(const std::string& title, double bytes_per_second, const std::vector<RooflinePoint>& points);

}  // namespace hopwave::report

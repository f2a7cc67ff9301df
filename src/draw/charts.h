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
  std::string note = {};  ///< below the title: which number of which device a value is
  std::string unit;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<std::vector<double>>> samples = {};  ///< of each cell: what its value is the median of; may be empty
};

/// One panel per column, one line per row, on a logarithmic axis, where a bar's length would say nothing: a dot per sample, a
/// line from the least to the greatest, and the value as a bar with its number; the best of each panel is ringed.
std::string dot_panels(const Table& table);
/// One line per column on one logarithmic axis, one dot per row: `own` rows filled, the best of the others ringed and named,
/// and at the right how many times faster the first own row is.
std::string rivals_chart(const Table& table, const std::vector<std::string>& own);
/// Each cell is value ÷ best of its column, coloured on a logarithmic scale up to the greatest. Rows are sorted by the
/// geometric mean of their cells, which is the last column; rows with less than half of the columns come last. The best is
/// outlined, cells that could not run are hatched, and a key gives the colours.
std::string slowdown_matrix(const Table& table);
/// Cells coloured from fast to slow on a logarithmic scale with their values; the best is outlined, invalid ones hatched, and a
/// key gives the colours.
std::string heat_map(const Table& table, const std::string& row_axis, const std::string& column_axis);
/// Heat maps of one kind next to each other: maps[r][c] belongs to row r and column c of `table`, whose own values are not
/// used; a map without values is left out. All share their columns, and those of a row their rows. Shades are multiples of
/// the best of a whole column, on one logarithmic scale; the best of each map is outlined.
std::string heat_matrix(const Table& table, const std::vector<std::vector<Table>>& maps, const std::string& row_axis,
                        const std::string& column_axis);
/// Frontier per level, push and pull in two colours, and below it the time of each level. A level whose frontier was not
/// counted has the size that the level before found, or else a hollow mark; one that was not traced, up to `depth`, is hatched.
std::string level_chart(const std::string& title, const std::vector<LevelTrace>& trace, Distance depth = 0);

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;        ///< (x, y), both above 0 for logarithmic axes
  std::vector<std::pair<double, double>> samples = {};  ///< small dots
};
/// Lines over a logarithmic y axis, each named at its end; x ticks are at the points. `doubling`: of x, too.
std::string line_chart(const std::string& title, const std::string& x_axis, const std::string& y_axis,
                       const std::vector<Series>& series, bool doubling = false);
/// A large number, what it is of, and below it one dot per value, dots of about the same value on top of each other, with
/// minimum, median and maximum named.
std::string headline_chart(const std::string& title, const std::string& number, const std::string& facts,
                           const std::string& axis, const std::vector<double>& values);

/// One stacked bar per row, one colour per column ("read", "parse", "build", …).
std::string stacked_bars(const Table& table);
/// How many vertices have a number: bins of it, in order.
struct Histogram {
  struct Bin {
    std::uint64_t first, last, vertices;
  };
  std::string title, axis;
  std::vector<Bin> bins;
};
/// Bins of powers of two, of pairs (least degree, vertices).
Histogram degree_histogram(std::string title, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& degrees);
/// At most 24 bins of equal width; `at[d]`: vertices at distance d.
Histogram level_histogram(std::string title, const std::vector<std::uint64_t>& at);
/// Side by side, with vertices on a logarithmic axis.
std::string histogram_chart(const std::string& title, const std::vector<Histogram>& all);

/// A coarse picture of a graph, small enough to travel with the measurements.
struct GraphPicture {
  std::string graph;
  std::uint32_t bins = 0;
  std::vector<std::uint64_t> spy;                                ///< bins × bins arc counts, row by row
  std::vector<std::pair<std::uint64_t, std::uint64_t>> degrees;  ///< (least degree of a power-of-two bin, vertices)
};

/// Where the arcs are: bins × bins, darker is denser (logarithmic).
std::string spy_chart(const GraphPicture& picture);

/// Traversed arcs per second over arcs per byte that must move, under the machine's bandwidth.
struct RooflinePoint {
  std::string name;
  double arcs_per_byte = 0;
  double arcs_per_second = 0;
};
std::string roofline(const std::string& title, double bytes_per_second, const std::vector<RooflinePoint>& points);

}  // namespace hopwave::report

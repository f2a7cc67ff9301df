// Pictures of a search of a small graph: SVG, PNG, DOT, or a page that steps through its levels.
#pragma once

#include <string>

#include "draw/subject.h"

namespace hopwave::picture {

/// What places the vertices. `automatic`: Graphviz's dot if it can be started, else rows by level.
enum class Placing { automatic, levels, dot, neato };

/// Throws HW-PICTURE-ENDING unless the path ends in .svg, .png, .dot (.gv) or .html.
void check_ending(const std::string& path);

/// Whether the path ends in .dot or .gv: the graph alone, without places.
bool is_dot(const std::string& path);

/// Whole or not at all. Throws HW-PICTURE-ENDING, HW-PICTURE-GRAPHVIZ where a program is asked for that is not there,
/// HW-PNG-MISSING, HW-PNG-WRITE, HW-IO-….
void write_picture(const Subject& subject, Placing placing, const std::string& path);

}  // namespace hopwave::picture

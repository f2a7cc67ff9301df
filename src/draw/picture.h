// Pictures of a search of a small graph: SVG, PNG, DOT, or a page that steps through its levels.
#pragma once

#include <string>
#include <vector>

#include "draw/subject.h"
#include "hopwave/picture.h"

namespace hopwave::picture {

/// What places the vertices. `automatic`: a grid's vertices as a grid, others by Graphviz's dot if it can be started, else in
/// rows by level.
enum class Placing { automatic, levels, dot, neato };

/// What follows the last dot of a path's last part, in small letters.
std::string ending_of(const std::string& path);

/// Throws HW-PICTURE-ENDING unless the path has one of these endings; `what`: the kind of file.
void require_ending(const std::string& path, const char* what, const std::vector<const char*>& endings);
/// Throws HW-PICTURE-ENDING unless the path ends in .svg, .png, .dot (.gv) or .html.
void check_ending(const std::string& path);

/// Whether the path ends in .dot or .gv: the graph alone, without places.
bool is_dot(const std::string& path);

/// Whole or not at all. A page shows the steps of `beside`, another search of the same graph from the same sources, next to
/// those of `subject`. Throws HW-PICTURE-ENDING, HW-PICTURE-STEP where the
/// search has fewer steps, HW-PICTURE-GRAPHVIZ where a program is asked for that is not there, HW-PNG-MISSING, HW-PNG-WRITE,
/// HW-IO-….
void write_picture(const Subject& subject, Placing placing, const std::string& path, const PictureOptions& shown = {},
                   const Subject* beside = nullptr);

/// An SVG without Graphviz: a grid, or rows by level. Throws HW-PICTURE-STEP.
std::string svg_of(const Subject& subject, const PictureOptions& shown);

}  // namespace hopwave::picture

// The drawings that pictures consist of, as scenes.
#pragma once

#include "draw/layout.h"
#include "draw/roles.h"
#include "draw/scene.h"

namespace hopwave::picture {

struct Drawing {
  const Subject& subject;
  const Layout& layout;
  const std::vector<Line>& lines;
};

/// The graph with levels and tree.
Scene draw_tree(const Drawing& drawing);
/// The graph in one step: what is known before it, what its threads look at, what they label. What a thread looks at with one
/// outcome is a part, about the worker's number in the step and the vertices at the ends of its looks.
Scene draw_step(const Drawing& drawing, const Step& step);
/// The threads of a launch, a box each with what the thread looks at below it, in rows of at most `width`. Of many threads
/// those without work are counted, not drawn.
Scene draw_threads(const Subject& subject, const Launch& launch, double width);
/// Of many threads those without work are only counted.
bool is_drawn(const Launch& launch, const Worker& worker);
/// What the colours mean: a dot in each style with its words, in rows of at most `width`.
struct LegendEntry {
  Style style;
  const char* words;
};
Scene draw_legend(const std::vector<LegendEntry>& entries, double width);
/// Of a search.
std::vector<LegendEntry> legend_of(bool threads);

/// An empty scene with the names of the layout's rows.
Scene canvas(const Drawing& drawing);
/// An arc, with a head at its end, or at its start if it leads backwards.
void draw_line(Scene& scene, const Line& line, Style style, bool head, bool backwards = false);
/// A part of the scene: a vertex with its name, and `label` next to it, unless that is empty.
void draw_vertex(Scene& scene, const Drawing& drawing, VertexId v, Style style, const std::string& label,
                 const std::string& tip);
void append(Scene& page, const Scene& part, double x, double y);
/// A text in lines that both kinds of picture have room for. Returns the height below it.
double write_lines(Scene& scene, Style style, Point at, const std::string& text, double size, double lead, double width);

/// Sentences about a step and a launch: how many threads there are, work, look and label.
std::string describe(const Step& step);
std::string describe(const Launch& launch);

/// A sheet of the tree and each step with its threads, in rows of as many as fit: each graph has its threads next to it or
/// below it, whichever makes the sheet shorter. `tree`: the tree is drawn, too.
Scene draw_all(const Drawing& drawing, const Roles& roles, bool tree = true);

}  // namespace hopwave::picture

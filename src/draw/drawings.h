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
/// The graph in one step: what is known before it, what its threads look at, what they label.
Scene draw_step(const Drawing& drawing, const Step& step);
/// The threads of a launch, a box each with what the thread looks at below it, in rows of at most `width`.
Scene draw_threads(const Subject& subject, const Launch& launch, double width);
/// What the colours mean.
Scene draw_legend(bool threads, double width);

/// Sentences about a step and a launch: how many threads there are, work, look and label.
std::string describe(const Step& step);
std::string describe(const Launch& launch);

/// One picture below the other: the tree, then each step with its threads.
Scene draw_all(const Drawing& drawing, const Roles& roles);

}  // namespace hopwave::picture

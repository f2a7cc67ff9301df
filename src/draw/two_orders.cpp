#include "draw/two_orders.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/people_text.h"

namespace hopwave::picture {
namespace {

Walk nothing_found(const Subject& subject) {
  const std::size_t n = subject.size();
  return {std::vector(n, no_vertex), std::vector(n, Walk::none), std::vector(n, Walk::none), std::vector(n, unreached)};
}

/// Returns whether v was new.
bool find(Walk& walk, VertexId v, VertexId from, std::uint32_t& count) {
  if (walk.depth[v] != unreached) return false;
  walk.parent[v] = from;
  walk.depth[v] = from == no_vertex ? 0 : walk.depth[from] + 1;
  walk.found[v] = count++;
  return true;
}

/// A walk's tree over the graph; at each vertex when it was found, and, with `both`, when it was left.
Scene draw_walk(const Drawing& drawing, const Walk& walk, bool both) {
  const Subject& subject = drawing.subject;
  Scene scene = canvas(drawing);
  const auto finds = [&](VertexId from, VertexId to) { return from != to && walk.parent[to] == from; };
  for (const bool tree : {false, true})
    for (const Line& line : drawing.lines) {
      const bool along = finds(line.from, line.to), against = line.both && finds(line.to, line.from);
      if ((along || against) == tree) draw_line(scene, line, tree ? Style::tree : Style::arc, tree || !line.both, against);
    }
  for (VertexId v = 0; v < subject.size(); ++v) {
    const bool reached = walk.depth[v] != unreached;
    const std::string numbers = !reached ? ""
                                : both   ? fmt::format("{}/{}", walk.found[v], walk.left[v])
                                         : std::to_string(walk.found[v]);
    draw_vertex(scene, drawing, v,
                !reached             ? Style::unvisited
                : walk.depth[v] == 0 ? Style::frontier
                                     : Style::visited,
                numbers,
                reached ? fmt::format("{}: {} in the tree", subject.names[v], core::plural(walk.depth[v], "arc")) : "");
  }
  return scene;
}

std::string deepest(const Walk& walk) {
  const Distance depth = std::max(0, *std::max_element(walk.depth.begin(), walk.depth.end()));
  return fmt::format("The tree is {} deep.", core::plural(static_cast<std::uint64_t>(depth), "arc"));
}

}  // namespace

Walk walk_breadth_first(const Subject& subject) {
  Walk walk = nothing_found(subject);
  std::uint32_t found = 0;
  std::vector<VertexId> queue;
  for (const VertexId s : subject.sources)
    if (find(walk, s, no_vertex, found)) queue.push_back(s);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const VertexId w : subject.forward[queue[i]])
      if (find(walk, w, queue[i], found)) queue.push_back(w);
    walk.left[queue[i]] = static_cast<std::uint32_t>(i);
  }
  return walk;
}

Walk walk_depth_first(const Subject& subject) {
  Walk walk = nothing_found(subject);
  std::uint32_t found = 0, left = 0;
  struct Open {
    VertexId vertex;
    std::size_t next = 0;  ///< of its row
  };
  std::vector<Open> stack;
  for (const VertexId s : subject.sources) {
    if (find(walk, s, no_vertex, found)) stack.push_back({s});
    while (!stack.empty()) {
      Open& top = stack.back();
      const auto& row = subject.forward[top.vertex];
      if (top.next == row.size()) {
        walk.left[top.vertex] = left++;
        stack.pop_back();
      } else if (const VertexId w = row[top.next++]; find(walk, w, top.vertex, found)) {
        stack.push_back({w});
      }
    }
  }
  return walk;
}

Scene draw_two_orders(const Drawing& drawing) {
  constexpr double edge = 20, gap = 24, least = 450, widest = 1000;
  struct Half {
    const char* title;
    const char* numbers;
    Walk walk;
    bool both;
  };
  const Half halves[] = {
      {"Breadth first, with a queue", "Numbers: the order in which vertices are found.", walk_breadth_first(drawing.subject),
       false},
      {"Depth first, with a stack", "Numbers: found / left (preorder / postorder).", walk_depth_first(drawing.subject), true}};
  const double half = std::max(least, drawing.layout.width);
  const bool beside = 2 * half + gap <= widest;
  Scene page{.width = 2 * edge + (beside ? 2 * half + gap : half), .height = 0, .title = drawing.subject.title, .shapes = {}};
  const double inner = page.width - 2 * edge;
  double y = write_lines(page, Style::title, {edge, edge + 16}, drawing.subject.title, 15, 20, inner);
  y = write_lines(page, Style::soft, {edge, y},
                  "Neighbours are looked at in the order of their row; each reached vertex and arc is looked at once in both.",
                  12, 17, inner);
  double x = edge, bottom = y;
  for (const Half& one : halves) {
    double top = write_lines(page, Style::title, {x, y + 16}, one.title, 13, 18, half);
    top = write_lines(page, Style::words, {x, top}, one.numbers, 12, 16, half);
    top = write_lines(page, Style::words, {x, top}, deepest(one.walk), 12, 16, half);
    const Scene graph = draw_walk(drawing, one.walk, one.both);
    append(page, graph, x, top);
    bottom = std::max(bottom, top + graph.height + gap);
    if (beside)
      x += half + gap;
    else
      y = bottom;
  }
  page.height = bottom;
  page.shapes.insert(page.shapes.begin(), Shape{Shape::Kind::rect, Style::ground, {{0, 0}, {page.width, page.height}}, {}});
  return page;
}

}  // namespace hopwave::picture

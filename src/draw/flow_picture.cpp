// Parallel arcs are one line, an undirected edge, too. Paths are drawn from what they send: the net amount between two
// vertices.
#include "draw/flow_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/people_text.h"
#include "core/xml.h"
#include "draw/font.h"
#include "draw/picture.h"
#include "draw/search_page.h"
#include "draw/theme.h"

namespace hopwave::picture {
namespace {

using Amount = std::int64_t;
using Pair = std::pair<VertexId, VertexId>;

class DrawnFlow {
 public:
  DrawnFlow(const Graph& graph, const Flow& flow) : graph_(graph), flow_(flow), subject_(make_subject(graph, Direction::out)) {
    subject_.title = fmt::format("A flow of {} from {} to {}", flow.value, name(flow.source), name(flow.target));
    measure_levels();
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      for (EdgeIndex a = graph.out().offsets[v]; a < graph.out().offsets[v + 1ull]; ++a) {
        const Pair pair{v, graph.out().neighbors[a]};
        capacity_[pair] +=
            graph.has_weights() ? graph.out().weights.with([a](const auto& w) { return static_cast<Amount>(w[a]); }) : 1;
        carried_[pair] += flow.arc[a];
      }
    layout_ = layout_by_level(subject_);
    widen();
    lines_ = lines_of(subject_, layout_);
  }

  /// All arcs with what they carry in the end, and the cut.
  [[nodiscard]] Scene result() const {
    return draw(
        carried_, [&](const Line& line) { return in_cut(line) ? Style::overfull : Style::arc; },
        [&](VertexId v) { return flow_.source_side[v] ? Style::frontier : Style::visited; });
  }

  /// The network after the first `count` paths, the last of them in colour.
  [[nodiscard]] Scene after_path(std::size_t count) const {
    std::map<Pair, Amount> net;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 1; k < flow_.paths[i].vertices.size(); ++k) {
        const VertexId v = flow_.paths[i].vertices[k - 1], u = flow_.paths[i].vertices[k];
        net[{v, u}] += flow_.paths[i].amount, net[{u, v}] -= flow_.paths[i].amount;
      }
    std::map<Pair, Amount> carried;
    for (const auto& [pair, amount] : net) carried[pair] = std::max<Amount>(amount, 0);
    const auto& path = flow_.paths[count - 1].vertices;
    // A path takes something back along an arc against it, but only where no arc leads its way.
    const auto on_path = [&](const Line& line) {
      for (std::size_t k = 1; k < path.size(); ++k) {
        const Pair way{path[k - 1], path[k]}, back{path[k], path[k - 1]}, here{line.from, line.to};
        if (here == way || (here == back && (line.both || amount_of(capacity_, way) == 0))) return true;
      }
      return false;
    };
    return draw(
        carried, [&](const Line& line) { return on_path(line) ? Style::labels : Style::arc; },
        [&](VertexId v) { return std::find(path.begin(), path.end(), v) == path.end() ? Style::unvisited : Style::found; });
  }

  [[nodiscard]] std::string path_text(std::size_t i) const {
    std::string text = fmt::format("Path {}: {} along", i + 1, flow_.paths[i].amount);
    for (const VertexId v : flow_.paths[i].vertices) text += " " + name(v);
    return text;
  }
  [[nodiscard]] std::string cut_text() const {
    return fmt::format("The minimum cut: {}, {} on the source's side", core::plural(flow_.cut_arcs, "arc"),
                       core::plural(flow_.source_side_size, "vertex", "vertices"));
  }
  [[nodiscard]] const std::string& title() const { return subject_.title; }

  /// One row per pair of vertices that an arc joins.
  [[nodiscard]] std::string table() const {
    std::string html =
        "<details>\n<summary>All arcs</summary>\n<table>\n<tr><th>from</th><th>to</th><th>flow</th><th>capacity</th>"
        "<th>in the cut</th></tr>\n";
    for (const auto& [pair, capacity] : capacity_)
      html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          core::xml_escape(name(pair.first)), core::xml_escape(name(pair.second)), amount_of(carried_, pair),
                          capacity, crosses(pair) && capacity > 0 ? "yes" : "");
    return html + "</table>\n</details>\n";
  }

 private:
  [[nodiscard]] std::string name(VertexId v) const { return graph_.name(v); }
  [[nodiscard]] static Amount amount_of(const std::map<Pair, Amount>& amounts, Pair pair) {
    const auto found = amounts.find(pair);
    return found == amounts.end() ? 0 : found->second;
  }
  [[nodiscard]] bool crosses(Pair pair) const { return flow_.source_side[pair.first] && !flow_.source_side[pair.second]; }
  [[nodiscard]] bool in_cut(const Line& line) const {
    return amount_of(capacity_, {line.from, line.to}) > 0 &&
           (crosses({line.from, line.to}) || (line.both && crosses({line.to, line.from})));
  }

  /// Rows of the picture are distances from the source.
  void measure_levels() {
    subject_.sources = {flow_.source};
    subject_.level.assign(subject_.size(), unreached);
    subject_.parent.assign(subject_.size(), no_vertex);
    std::vector<VertexId> queue = {flow_.source};
    subject_.level[flow_.source] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const VertexId u : subject_.forward[queue[at]])
        if (subject_.level[u] == unreached) {
          subject_.level[u] = subject_.level[queue[at]] + 1;
          subject_.parent[u] = queue[at];
          queue.push_back(u);
        }
  }

  /// Amounts need more room than bare arcs.
  void widen() {
    constexpr double wider = 1.5, higher = 1.2;
    for (Point& at : layout_.at) at = {at.x * wider, at.y * higher};
    for (double& row : layout_.row_heights) row *= higher;
    layout_.width *= wider, layout_.height *= higher;
  }

  /// "3/5" at the place along the line, near its middle, where it covers least of what is written yet.
  void write_amount(Scene& scene, const Line& line, Amount amount, std::vector<std::array<double, 4>>& taken) const {
    constexpr double size = 10, height = 14;
    const std::string text = fmt::format("{}/{}", amount, amount_of(capacity_, {line.from, line.to}));
    const double width = drawn_width(text, size) + 6;
    std::array<double, 4> box{};
    double least = std::numeric_limits<double>::infinity();
    for (int place = 0; place <= 28 && least > 0; ++place) {  // 0.5, 0.475, 0.525, …, 0.15, 0.85 of the line
      const Point at = point_of(line, 0.5 + 0.0125 * (place % 2 ? -(place + 1) : place));
      const std::array<double, 4> here{at.x - width / 2, at.y - height / 2, at.x + width / 2, at.y + height / 2};
      double covered = 0;
      for (const auto& other : taken)
        covered += std::max(0.0, std::min(here[2], other[2]) - std::max(here[0], other[0])) *
                   std::max(0.0, std::min(here[3], other[3]) - std::max(here[1], other[1]));
      if (covered < least) least = covered, box = here;
    }
    taken.push_back(box);
    scene.part();
    scene.rect(Style::panel, box[0], box[1], width, height);
    scene.text(Style::words, {(box[0] + box[2]) / 2, box[3] - 3.5}, text, size, Anchor::middle);
  }

  /// Lines that carry something are bold, unless `style_of(line)` has another style than that of an arc.
  template <class StyleOfLine, class StyleOfVertex>
  [[nodiscard]] Scene draw(const std::map<Pair, Amount>& carried, const StyleOfLine& style_of,
                           const StyleOfVertex& vertex_style) const {
    const Drawing drawing{subject_, layout_, lines_};
    Scene scene = canvas(drawing);
    std::vector<std::array<double, 4>> taken;
    for (const Point at : layout_.at)
      taken.push_back({at.x - layout_.radius, at.y - layout_.radius, at.x + layout_.radius, at.y + layout_.radius});
    const auto sent = [&](const Line& line) {  // below 0: against the line
      return amount_of(carried, {line.from, line.to}) - (line.both ? amount_of(carried, {line.to, line.from}) : 0);
    };
    for (const bool bold : {false, true})
      for (const Line& line : lines_) {
        const Amount amount = sent(line);
        const Style style = style_of(line);
        if ((style != Style::arc || amount != 0) != bold) continue;
        scene.part();
        draw_line(scene, line, style == Style::arc && amount != 0 ? Style::tree : style, !line.both || amount != 0, amount < 0);
      }
    for (VertexId v = 0; v < subject_.size(); ++v)
      draw_vertex(scene, drawing, v, vertex_style(v), "",
                  name(v) + (flow_.source_side[v] ? ": on the source's side" : ": on the target's side"));
    for (const VertexId end : {flow_.source, flow_.target}) {
      const Point at = layout_.at[end];
      const double y = at.y + (end == flow_.target ? layout_.radius + 12 : -layout_.radius - 5);
      taken.push_back({at.x - 22, y - 10, at.x + 22, y + 3});
      scene.part();
      scene.text(Style::words, {at.x, y}, end == flow_.target ? "target" : "source", 11, Anchor::middle);
    }
    for (const Line& line : lines_)
      if (line.from != line.to) write_amount(scene, line, std::abs(sent(line)), taken);
    return scene;
  }

  const Graph& graph_;
  const Flow& flow_;
  Subject subject_;
  std::map<Pair, Amount> capacity_, carried_;
  Layout layout_;
  std::vector<Line> lines_;
};

constexpr const char* flow_rule = "On each arc: what it carries / what it can carry.";

std::vector<LegendEntry> flow_legend(bool paths) {
  std::vector<LegendEntry> entries{{Style::frontier, "source's side"},
                                   {Style::visited, "target's side"},
                                   {Style::overfull, "arc of the cut"},
                                   {Style::tree, "carries something"}};
  if (paths) entries.push_back({Style::found, "path of the step"});
  return entries;
}

std::string steps_page(const DrawnFlow& network, std::size_t paths) {
  Page made{.title = network.title(), .rule = flow_rule, .key = key_of(flow_legend(paths > 0))};
  for (std::size_t i = 0; i < paths; ++i)
    made.steps.push_back({fmt::format("path-{}", i + 1), network.path_text(i), made.drawings.draw(network.after_path(i + 1))});
  made.steps.push_back({"cut", network.cut_text(), made.drawings.draw(network.result())});
  made.after = network.table();
  return page_of(made);
}

Scene result_sheet(const DrawnFlow& network) {
  constexpr double edge = 20, least = 480;
  const Scene graph = network.result();
  const double inner = std::max(least, graph.width);
  Scene scene{.width = inner + 2 * edge, .height = 0, .title = network.title(), .shapes = {}};
  scene.rect(Style::ground, 0, 0, scene.width, 1);
  double y = write_lines(scene, Style::title, {edge, edge + 16}, network.title(), 15, 20, inner);
  y = write_lines(scene, Style::words, {edge, y}, network.cut_text(), 12, 17, inner);
  y = write_lines(scene, Style::soft, {edge, y}, flow_rule, 12, 17, inner);
  const Scene key = draw_legend(flow_legend(false), inner);
  append(scene, key, edge, y - 8);
  y += key.height;
  append(scene, graph, edge, y);
  scene.height = y + graph.height + edge;
  scene.shapes.front().points[1].y = scene.height;
  return scene;
}

}  // namespace

void require_flow_picture(const Graph& graph, const std::string& path) {
  require_ending(path, "picture", {"svg", "png", "html"});
  require_small(graph, path, most_flow_vertices, most_flow_arcs);
}

std::string flow_picture(const Graph& graph, const Flow& flow, const std::string& path) {
  require_flow_picture(graph, path);
  const DrawnFlow network(graph, flow);
  const std::string ending = ending_of(path);
  if (ending == "html") return steps_page(network, flow.paths.size());
  return ending == "png" ? to_png(result_sheet(network), path) : to_svg(result_sheet(network));
}

}  // namespace hopwave::picture

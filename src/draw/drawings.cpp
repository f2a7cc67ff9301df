// Graphs and rows of threads as shapes.
#include "draw/drawings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "draw/theme.h"

namespace hopwave::picture {
namespace {

constexpr double least_cell = 50, least_box = 22, small_size = 8;
constexpr double small_letter = 6, small_line = 9;  // of small_size in a PNG, which has the widest letters
constexpr std::size_t most_looks_shown = 8;

double name_size(const std::string& name) {
  const std::size_t n = letters(name);
  return n <= 2 ? 13 : n <= 4 ? 10 : 8;
}

using Lines = std::vector<std::string>;

/// Around the middle of their height; `size` is of a line alone, several are small.
void write(Scene& scene, Style style, Point at, const Lines& lines, double size, Anchor anchor = Anchor::middle) {
  if (lines.size() > 1) size = small_size;
  double y = at.y + size * 0.36 - small_line * static_cast<double>(lines.size() - 1) / 2;
  for (const std::string& line : lines) {
    scene.text(style, {at.x, y}, line, size, anchor);
    y += small_line;
  }
}

/// What a thread has: a vertex's name, or those of an arc's ends.
Lines item_lines(const std::string& item) {
  constexpr std::string_view arrow = "→";
  constexpr std::size_t short_arc = 7;
  const std::size_t at = item.find(arrow);
  if (at == std::string::npos) return name_lines(item);
  if (letters(item) <= short_arc) return {item};
  Lines lines = name_lines(item.substr(0, at));
  lines.back() += arrow;
  for (std::string& line : name_lines(item.substr(at + arrow.size()))) lines.push_back(std::move(line));
  return lines;
}

bool is_tree(const Subject& subject, const Line& line) {
  return line.from != line.to && (subject.parent[line.to] == line.from || (line.both && subject.parent[line.from] == line.to));
}

Style words_on(Style node) { return node == Style::frontier || node == Style::found ? Style::on_color : Style::words; }

/// The corner next to a vertex that is farthest from every line.
Point label_place(const Drawing& drawing, VertexId v) {
  constexpr int samples = 24;
  const Point at = drawing.layout.at[v];
  Point best;
  double widest = -1;
  for (const Point corner : {Point{1, -1}, Point{-1, -1}, Point{1, 1}, Point{-1, 1}}) {
    // On the rim's diagonal where vertices are large.
    const double out = drawing.layout.radius > 18 ? 0.75 * drawing.layout.radius + 6 : drawing.layout.radius + 3;
    const Point p{at.x + corner.x * out, at.y + corner.y * (out - 5)};
    double near = 20;  // beyond that, more room is no better: the upper right stays
    for (const Line& line : drawing.lines)
      for (int i = 0; i <= samples; ++i) {
        const Point on = point_of(line, static_cast<double>(i) / samples);
        near = std::min(near, std::hypot(on.x - p.x, on.y - p.y));
      }
    if (near > widest) widest = near, best = p;
  }
  return best;
}

Style style_of(Outcome outcome) {
  return outcome == Outcome::labels ? Style::labels : outcome == Outcome::also ? Style::also : Style::look;
}

/// The arcs along which a thread looks with this outcome.
void draw_looks(Scene& scene, const Drawing& drawing, const Worker& worker, Outcome outcome, std::size_t number) {
  std::set<VertexId> ends;
  for (const Look& look : worker.looks)
    if (look.outcome == outcome) ends.insert({look.from, look.to});
  if (ends.empty()) return;
  scene.part(fmt::format(" data-worker=\"{}\" data-vertices=\"{}\"", number, fmt::join(ends, " ")));
  for (const Line& line : drawing.lines)
    for (const Look& look : worker.looks) {
      const bool along = look.from == line.from && look.to == line.to;
      const bool against = line.both && look.from == line.to && look.to == line.from;
      if (look.outcome == outcome && (along || against)) draw_line(scene, line, style_of(outcome), true, against);
    }
}

std::string counted(std::size_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

/// A vertex in a search, whose level is written next to it unless named rows state it.
void draw_reached(Scene& scene, const Drawing& drawing, VertexId v, Style style, const std::string& level) {
  draw_vertex(scene, drawing, v, style, drawing.layout.rows.empty() ? level : "",
              drawing.subject.names[v] + (level.empty() ? "" : ": level " + level));
}

/// The row below its thread in which a look is drawn: threads of a group have theirs side by side.
std::size_t row_of(const Launch& launch, const Worker& worker, std::size_t look) {
  return launch.group > 1 ? worker.looks[look].round : look;
}

std::size_t shown(const Launch& launch, const Worker& worker) {
  std::size_t count = 0;
  while (count < worker.looks.size() && row_of(launch, worker, count) < most_looks_shown) ++count;
  return count;
}

/// Threads that go on in step: those of a virtual warp, where there are any, else those of a warp.
std::pair<std::uint32_t, std::uint32_t> team_of(const Launch& launch, const Worker& worker) {
  constexpr std::uint32_t warp = 32;
  return {worker.block, worker.thread / (launch.group > 1 ? launch.group : warp)};
}

/// Are there several of them, so that a reader must be shown where one ends?
bool has_teams(const Launch& launch) {
  return std::any_of(launch.workers.begin(), launch.workers.end(), [&](const Worker& worker) {
    return worker.block == launch.workers.front().block && team_of(launch, worker) != team_of(launch, launch.workers.front());
  });
}

}  // namespace

Scene canvas(const Drawing& drawing) {
  Scene scene{.width = drawing.layout.width, .height = drawing.layout.height, .title = drawing.subject.title, .shapes = {}};
  scene.part();
  for (std::size_t i = 0; i < drawing.layout.rows.size(); ++i)
    scene.text(Style::soft, {4, drawing.layout.row_heights[i] + 4}, drawing.layout.rows[i], 11);
  return scene;
}

void draw_line(Scene& scene, const Line& line, Style style, bool head, bool backwards) {
  const Point tip = backwards ? line.start : line.end;
  scene.curve(style, line.start, line.control, line.end);
  if (!head) return;
  const double dx = tip.x - line.control.x, dy = tip.y - line.control.y, length = std::max(std::hypot(dx, dy), 1e-9);
  const Point ahead{dx / length, dy / length};
  const double reach = line.both ? 1 : 8, back = line.both ? 8 : 1;  // a line without a head of its own ends at the rim
  scene.triangle(style, {tip.x + ahead.x * reach, tip.y + ahead.y * reach},
                 {tip.x - ahead.x * back - ahead.y * 4.5, tip.y - ahead.y * back + ahead.x * 4.5},
                 {tip.x - ahead.x * back + ahead.y * 4.5, tip.y - ahead.y * back - ahead.x * 4.5});
}

void draw_vertex(Scene& scene, const Drawing& drawing, VertexId v, Style style, const std::string& label,
                 const std::string& tip) {
  const Point at = drawing.layout.at[v];
  scene.part(fmt::format(" data-vertex=\"{}\"", v));
  scene.circle(style, at, drawing.layout.radius, tip);
  write(scene, style == Style::visited ? Style::on_color : words_on(style), at, name_lines(drawing.subject.names[v]),
        name_size(drawing.subject.names[v]));
  if (label.empty()) return;
  const Point corner = label_place(drawing, v);
  // Its nearer end is where that of a single digit is.
  const bool right = corner.x > at.x, wide = letters(label) > 2;
  scene.text(Style::words, {corner.x + (wide ? right ? -3 : 3 : 0), corner.y + 4}, label, 11,
             wide ? right ? Anchor::start : Anchor::end : Anchor::middle);
}

void append(Scene& page, const Scene& part, double x, double y) {
  for (Shape shape : part.shapes) {
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
      const bool is_size = i == 1 && (shape.kind == Shape::Kind::rect || shape.kind == Shape::Kind::circle);
      if (!is_size) shape.points[i] = {shape.points[i].x + x, shape.points[i].y + y};
    }
    page.shapes.push_back(std::move(shape));
  }
}

double write_lines(Scene& scene, Style style, Point at, const std::string& text, double size, double lead, double width) {
  const bool bold = style == Style::title;
  // A letter of a PNG is 6 points wide, of whole half units.
  const double svg = text_width(text, size, bold), png = 3 * std::round(size / 5.25) * static_cast<double>(letters(text));
  for (const std::string& line : text_lines(text, width * std::min(1.0, svg / std::max(png, 1.0)), size, bold)) {
    scene.text(style, at, line, size);
    at.y += lead;
  }
  return at.y;
}

Scene draw_tree(const Drawing& drawing) {
  const Subject& subject = drawing.subject;
  Scene scene = canvas(drawing);
  for (const bool tree : {false, true})
    for (const Line& line : drawing.lines)
      if (is_tree(subject, line) == tree) draw_line(scene, line, tree ? Style::tree : Style::arc, !line.both);
  for (VertexId v = 0; v < subject.size(); ++v) {
    const Distance d = subject.level[v];
    draw_reached(scene, drawing, v,
                 d == 0           ? Style::frontier
                 : d == unreached ? Style::unvisited
                                  : Style::visited,
                 d == unreached ? "" : std::to_string(d));
  }
  return scene;
}

Scene draw_step(const Drawing& drawing, const Step& step) {
  const Subject& subject = drawing.subject;
  Scene scene = canvas(drawing);
  // Arcs that threads look along lie over the others, and the arcs that label over those.
  for (const Line& line : drawing.lines) draw_line(scene, line, Style::arc, !line.both);
  for (const Outcome outcome : {Outcome::seen, Outcome::also, Outcome::labels}) {
    std::size_t number = 0;
    for (const Launch& launch : step.launches)
      for (const Worker& worker : launch.workers) draw_looks(scene, drawing, worker, outcome, number++);
  }
  if (step.launches.empty()) {
    scene.part();
    for (const Line& line : drawing.lines) {
      const bool along = subject.parent[line.to] == line.from && subject.level[line.to] == step.level;
      const bool against = line.both && subject.parent[line.from] == line.to && subject.level[line.from] == step.level;
      if (line.from != line.to && (along || against)) draw_line(scene, line, Style::labels, true, against);
    }
  }
  for (VertexId v = 0; v < subject.size(); ++v) {
    const Distance d = subject.level[v];
    const bool unknown = d == unreached || d > step.level;
    const Style style = unknown               ? Style::unvisited
                        : d == step.level     ? Style::found
                        : d == step.level - 1 ? Style::frontier
                                              : Style::visited;
    draw_reached(scene, drawing, v, style, unknown ? "" : std::to_string(d));
  }
  return scene;
}

bool is_drawn(const Launch& launch, const Worker& worker) {
  constexpr std::size_t many = 32;
  return worker.works || launch.workers.size() <= many;
}

Scene draw_threads(const Subject& subject, const Launch& launch, double width) {
  std::vector<const Worker*> drawn;
  for (const Worker& worker : launch.workers)
    if (is_drawn(launch, worker)) drawn.push_back(&worker);
  Scene scene{.width = width, .height = 0, .title = launch.what, .shapes = {}};
  std::uint32_t blocks = 1;
  double box_height = least_box;
  for (const Worker& worker : launch.workers) {
    blocks = std::max(blocks, worker.block + 1);
    box_height = std::max(box_height, 4 + small_line * static_cast<double>(item_lines(worker.item).size()));
  }
  std::size_t widest = 0;  // of names that take two lines
  for (const std::string& name : subject.names)
    if (const Lines lines = name_lines(name); lines.size() > 1) widest = std::max(widest, letters(lines[0]));
  const double name_width = small_letter * static_cast<double>(widest), look_height = widest ? 20 : 17;
  const double cell = std::max(least_cell, name_width + 24), entry_width = std::max(32.0, name_width + 6);
  const bool teams = has_teams(launch), rounds = launch.group > 1;
  const double left = rounds ? 14 : 0, above = teams ? 16 : 0;
  double y = 0;
  const auto in_row = static_cast<std::size_t>(std::max(1.0, std::floor((width - left) / cell)));
  for (std::size_t from = 0; from < drawn.size(); from += in_row) {
    const std::size_t end = std::min(drawn.size(), from + in_row);
    std::size_t deepest = 0;
    for (std::size_t i = from, last = from; teams && i < end; i = last) {
      const auto team = team_of(launch, *drawn[i]);
      while (last < end && team_of(launch, *drawn[last]) == team) ++last;
      const double x = left + static_cast<double>(i - from) * cell + 1;
      const double right = left + static_cast<double>(last - from) * cell - 5;
      scene.text(Style::soft, {(x + right) / 2, y + 8}, fmt::format("{} {}", rounds ? "group" : "warp", team.second), 9.5,
                 Anchor::middle);
      for (const auto& [a, b] :
           {std::pair{Point{x, y + 15}, Point{x, y + 11}}, std::pair{Point{x, y + 11}, Point{right, y + 11}},
            std::pair{Point{right, y + 11}, Point{right, y + 15}}})
        scene.line(Style::arc, a, b);
    }
    y += above;
    for (std::size_t i = from; i < end; ++i) {
      const Worker& worker = *drawn[i];
      const double x = left + static_cast<double>(i - from) * cell;
      const std::string id =
          blocks > 1 ? fmt::format("b{} t{}", worker.block, worker.thread) : fmt::format("t{}", worker.thread);
      scene.text(Style::soft, {x + cell / 2 - 2, y + 10}, id, 9.5, Anchor::middle);
      scene.rect(worker.works ? Style::works : Style::idle, x + 1, y + 14, cell - 6, box_height,
                 worker.checks == no_vertex ? "" : "checks the level of " + subject.names[worker.checks]);
      write(scene, worker.works ? Style::on_color : Style::soft, {x + cell / 2 - 2, y + 14 + box_height / 2},
            item_lines(worker.item), letters(worker.item) > 6 ? small_size : 11);
      const std::size_t seen = shown(launch, worker), hidden = worker.looks.size() - seen;
      deepest = std::max(deepest, hidden ? most_looks_shown + 1 : seen ? row_of(launch, worker, seen - 1) + 1 : 0);
      for (std::size_t k = 0; k < seen; ++k) {
        const Look& look = worker.looks[k];
        const double top = y + 14 + box_height + 4 + static_cast<double>(row_of(launch, worker, k)) * look_height;
        scene.circle(look.outcome == Outcome::labels ? Style::found : style_of(look.outcome), {x + 9, top + 7}, 4.5);
        write(scene, look.outcome == Outcome::seen ? Style::soft : Style::words, {x + 18, top + 7},
              name_lines(subject.names[look.vertex]), 11, Anchor::start);
      }
      if (hidden)
        scene.text(Style::soft, {x + 4, y + 14 + box_height + 15 + static_cast<double>(most_looks_shown) * look_height},
                   fmt::format("+ {}", hidden), 10);
    }
    for (std::size_t round = 0; rounds && round < std::min(deepest, most_looks_shown); ++round)
      scene.text(Style::soft, {0, y + 14 + box_height + 15 + static_cast<double>(round) * look_height},
                 std::to_string(round + 1), 9.5);
    y += 14 + box_height + 6 + static_cast<double>(deepest) * look_height + 8;
  }
  if (drawn.size() < launch.workers.size()) {
    scene.text(Style::soft, {0, y + 11},
               fmt::format("and {} without work", counted(launch.workers.size() - drawn.size(), "thread", "threads")), 11);
    y += 18;
  }
  const auto row_of_boxes = [&](const std::string& words, const std::vector<std::string>& entries, Style style,
                                double box_width) {
    scene.text(Style::soft, {0, y + 15}, words, 11);
    double x = 190;
    for (const std::string& entry : entries) {
      if (x + box_width + 2 > width) x = 190, y += 26;
      scene.rect(style, x, y, box_width, least_box);
      const Lines lines = name_lines(entry);
      const double size = name_size(entry) - 1, middle = lines.size() > 1 ? least_box / 2 : 15 - size * 0.36;
      write(scene, style == Style::found ? Style::on_color : Style::words, {x + box_width / 2, y + middle}, lines, size);
      x += box_width + 2;
    }
    if (entries.empty()) scene.text(Style::soft, {x, y + 15}, "empty", 11);
    y += 28;
  };
  const auto boxes = [&](const std::string& words, const std::vector<VertexId>& entries, Style style) {
    std::vector<std::string> names;
    for (const VertexId v : entries) names.push_back(subject.names[v]);
    row_of_boxes(words, names, style, entry_width);
  };
  for (const ArrayRow& array : launch.arrays) {
    std::vector<std::string> values;
    for (const std::size_t value : array.values) values.push_back(std::to_string(value));
    row_of_boxes(array.name, values, Style::idle, least_box);
  }
  for (const PrivateQueue& queue : launch.queues)
    boxes(fmt::format("block {}: {} to place {} on", queue.block, queue.entries.size(), queue.place), queue.entries,
          Style::idle);
  if (launch.next)
    boxes(launch.arrays.empty() ? "queue of the next level" : "Q: queue of the next level", *launch.next, Style::found);
  scene.height = y;
  return scene;
}

std::vector<LegendEntry> legend_of(bool threads) {
  std::vector<LegendEntry> entries{{Style::frontier, threads ? "level before, thread at work" : "level before"},
                                   {Style::found, "labelled in this step"},
                                   {Style::visited, "labelled earlier"},
                                   {Style::unvisited, threads ? "unvisited, idle thread" : "unvisited"}};
  if (threads) {
    entries.push_back({Style::also, "also new to this thread: one store is kept"});
    entries.push_back({Style::look, "looked at, nothing new"});
  }
  return entries;
}

Scene draw_legend(const std::vector<LegendEntry>& entries, double width) {
  Scene scene{.width = width, .height = 0, .title = "legend", .shapes = {}};
  double x = 0, y = 0;
  for (const LegendEntry& entry : entries) {
    const double need = 32 + text_width(entry.words, 11);
    if (x > 0 && x + need > width) x = 0, y += 20;
    scene.circle(entry.style, {x + 7, y + 8}, 6);
    scene.text(Style::words, {x + 18, y + 12}, entry.words, 11);
    x += need;
  }
  scene.height = y + 20;
  return scene;
}

std::string describe(const Step& step) {
  return fmt::format("Step {}: {} of level {}, {} level {}", step.level, counted(step.before.size(), "vertex", "vertices"),
                     step.level - 1, counted(step.found.size(), "vertex gets", "vertices get"), step.level);
}

std::string describe(const Launch& launch) {
  std::size_t work = 0, look = 0, label = 0;
  for (const Worker& worker : launch.workers) {
    work += worker.works;
    look += worker.looks.size();
    for (const Look& l : worker.looks) label += l.outcome == Outcome::labels;
  }
  return fmt::format("{} with an item, {} at work, {}, {}", counted(launch.workers.size(), "thread", "threads"), work,
                     counted(look, "look", "looks"), counted(label, "label", "labels"));
}

namespace {

/// A sentence and a drawing; of a step, with its threads next to the graph or below it. Without a step: the tree.
Scene draw_card(const Drawing& drawing, const Step* step, bool beside) {
  constexpr double gap = 24, threads_beside = 460, least = 450;
  const bool threads = step && !step->launches.empty();
  Scene card{.width = std::max(least, drawing.layout.width), .height = 0, .title = drawing.subject.title, .shapes = {}};
  if (threads && beside) card.width = drawing.layout.width + gap + threads_beside;
  card.rect(Style::panel, 0, 0, card.width, 1);
  const double top =
      write_lines(card, Style::title, {0, 24}, step ? describe(*step) : "The tree that is found", 13, 18, card.width);
  const Scene graph = step ? draw_step(drawing, *step) : draw_tree(drawing);
  append(card, graph, 0, top - 8);
  card.height = top - 8 + graph.height;
  if (!threads) return card;
  const double x = beside ? drawing.layout.width + gap : 0, width = beside ? threads_beside : card.width;
  double y = beside ? top + 12 : card.height + 12;
  for (const Launch& launch : step->launches) {
    Scene words{.width = width, .height = 0, .title = {}, .shapes = {}};
    words.height = write_lines(words, Style::words, {0, 0}, launch.what, 12, 16, width);
    words.height = write_lines(words, Style::soft, {0, words.height}, describe(launch), 11, 14, width);
    append(card, words, x, y);
    const Scene boxes = draw_threads(drawing.subject, launch, width);
    append(card, boxes, x, y + words.height - 6);
    y += words.height + boxes.height + 12;
  }
  card.height = std::max(card.height, y);
  return card;
}

/// Cards in rows, and where the sheet ends.
struct Sheet {
  std::vector<Scene> cards;
  std::size_t columns = 1;
  double width = 0, height = 0;
};

Sheet make_sheet(const Drawing& drawing, const Roles& roles, bool tree, bool beside, double widest, double gap) {
  Sheet sheet;
  if (tree) sheet.cards.push_back(draw_card(drawing, nullptr, beside));
  for (const Step& step : roles.steps) sheet.cards.push_back(draw_card(drawing, &step, beside));
  double card = 1;
  for (const Scene& one : sheet.cards) card = std::max(card, one.width);
  sheet.columns = std::clamp(static_cast<std::size_t>((widest + gap) / (card + gap)), std::size_t{1},
                             std::max<std::size_t>(sheet.cards.size(), 1));
  sheet.width = static_cast<double>(sheet.columns) * (card + gap) - gap;
  for (std::size_t i = 0; i < sheet.cards.size(); i += sheet.columns) {
    double row = 0;
    for (std::size_t k = i; k < std::min(i + sheet.columns, sheet.cards.size()); ++k)
      row = std::max(row, sheet.cards[k].height);
    sheet.height += row + gap;
  }
  return sheet;
}

}  // namespace

Scene draw_all(const Drawing& drawing, const Roles& roles, bool tree) {
  constexpr double edge = 20, gap = 24, widest = 1000, least = 640;
  Sheet sheet = make_sheet(drawing, roles, tree, false, widest, gap);
  if (roles.threads)
    if (Sheet other = make_sheet(drawing, roles, tree, true, widest, gap); other.width <= widest && other.height < sheet.height)
      sheet = std::move(other);
  const double inner = std::max(least, sheet.width);
  Scene page{.width = inner + 2 * edge, .height = 0, .title = drawing.subject.title, .shapes = {}};
  double y = write_lines(page, Style::title, {edge, edge + 16}, drawing.subject.title, 15, 20, inner);
  y = write_lines(page, Style::soft, {edge, y}, roles.rule, 12, 17, inner);
  const Scene legend = draw_legend(legend_of(roles.threads), inner);
  append(page, legend, edge, y - 8);
  y += legend.height + 4;
  const double step_x = (sheet.width + gap) / static_cast<double>(sheet.columns);
  for (std::size_t i = 0; i < sheet.cards.size(); i += sheet.columns) {
    double row = 0;
    for (std::size_t k = i; k < std::min(i + sheet.columns, sheet.cards.size()); ++k) {
      append(page, sheet.cards[k], edge + step_x * static_cast<double>(k - i), y);
      row = std::max(row, sheet.cards[k].height);
    }
    y += row + gap;
  }
  page.height = y;
  page.shapes.insert(page.shapes.begin(), Shape{Shape::Kind::rect, Style::ground, {{0, 0}, {page.width, page.height}}, {}});
  return page;
}

}  // namespace hopwave::picture

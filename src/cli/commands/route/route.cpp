// hopwave route: shortest ways through mazes, and every scenario of a MovingAI file.
#include "hopwave/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/commands/route/net_report.h"
#include "cli/commands/route/route_report.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "route/maze_picture.h"

namespace hopwave::cli {
namespace of_route {

using route::Cell;

struct Arguments {
  std::string maze, input_format, from, scenarios, moves = "4", method = "auto", device = "auto", output, format, picture,
                                                   animate;
  std::vector<std::string> to;
  std::int64_t scenario = 0, threshold = 128, via_cost = 1, threads = 0;
  bool check = false, fewest_bends = false, allow_huge = false;
  NetArguments nets;
};

[[noreturn]] void usage(std::string found, std::string expected, std::string hint = "") {
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-OPTION",
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

/// "3,4" or "3,4,1".
Cell parse_cell(std::string_view option, const std::string& text) {
  std::uint64_t values[3] = {};
  int count = 0;
  bool digits = false, good = true;
  constexpr std::uint64_t past_all_cells = 0xFFFFFFFF;  // no grid has so many cells in a row
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      values[count] = std::min<std::uint64_t>(values[count] * 10 + static_cast<std::uint64_t>(c - '0'), past_all_cells);
      digits = true;
    } else if (c == ',' && digits && count < 2) {
      ++count;
      digits = false;
    } else {
      good = false;
    }
  }
  if (!good || !digits || count == 0)
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-VALUE",
                 .found = fmt::format("{} is '{}'", option, text),
                 .expected = "a cell: X,Y or X,Y,LAYER, counted from 0"});
  return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]), static_cast<std::uint32_t>(values[2])};
}

std::vector<Cell> terminals(const Arguments& a, const route::Maze& maze) {
  if (!a.scenarios.empty()) {
    const auto all = route::read_scenarios(a.scenarios, maze.grid);
    const int n = checked_int("--scenario", a.scenario, 1, static_cast<std::int64_t>(all.size()));
    return {all[static_cast<std::size_t>(n - 1)].start, all[static_cast<std::size_t>(n - 1)].goal};
  }
  std::vector<Cell> cells;
  if (!a.from.empty())
    cells.push_back(parse_cell("--from", a.from));
  else if (maze.starts.empty())
    throw Error({.id = "HW-MAZE-START",
                 .where = {.file = maze.name},
                 .found = "no start",
                 .expected = "an 'S', a green area, or --from X,Y"});
  else
    cells.push_back(maze.starts.front());
  for (const auto& text : a.to) cells.push_back(parse_cell("--to", text));
  if (a.to.empty()) cells.insert(cells.end(), maze.ends.begin(), maze.ends.end());
  if (cells.size() < 2)
    throw Error(
        {.id = "HW-MAZE-END", .where = {.file = maze.name}, .found = "no end", .expected = "an 'E', a red area, or --to X,Y"});
  return cells;
}

void check_usage(const Arguments& a, const Context& context) {
  checked_int("--threshold", a.threshold, 1, 255);
  checked_int("--via-cost", a.via_cost, 1, 65535);
  checked_int("--threads", a.threads, 0, 4096);
  const bool routes = !a.output.empty() || !a.picture.empty() || !a.animate.empty() || !a.from.empty() || !a.to.empty();
  if (a.check && a.scenarios.empty()) usage("--check without --scen", "--scen FILE, whose lengths are checked");
  const bool how = a.fewest_bends || a.via_cost != 1 || a.method != "auto" || !a.format.empty();
  if (a.check && (routes || how || a.scenario != 0))
    usage("--check with an option for one route", "--check alone: it solves all scenarios, with straight and diagonal steps");
  if (!a.check && a.threads != 0) usage("--threads without --check", "--check: one route is found by one thread");
  if (route::is_maze_spec(a.maze) && (!a.input_format.empty() || a.threshold != 128))
    usage("--input-format or --threshold with a maze that is made", "those with a file");
  if (!a.check && !a.scenarios.empty() && a.scenario == 0) usage("--scen alone", "--check, or --scenario N for one of them");
  if (a.scenario != 0 && a.scenarios.empty()) usage("--scenario without --scen", "--scen FILE");
  if (!a.scenarios.empty() && (!a.from.empty() || !a.to.empty())) usage("--scen with --from or --to", "one of them");
  if (a.moves == "8" && (a.fewest_bends || a.method != "auto" || a.via_cost != 1))
    usage("--moves 8 with --fewest-bends, --method or --via-cost", "those with --moves 4 only");
  if (a.moves == "8" && (a.device == "gpu" || a.device == "sim"))
    usage("--moves 8 with --device " + a.device, "--moves 4, or the CPU: diagonal steps are searched there");
  if (a.output == "-" && context.json()) usage("--json with -o -: both want standard output", "a file for one of them");
  if (!a.picture.empty()) route::check_picture_name(a.picture);
  if (!a.animate.empty()) route::check_animation_name(a.animate);
  check_two_outputs(a.output, a.picture, "-o and --picture");
  check_two_outputs(a.output, a.animate, "-o and --animate");
  check_two_outputs(a.picture, a.animate, "--picture and --animate");
}

DeviceKind device_kind(const std::string& name) {
  return name == "cpu"   ? DeviceKind::cpu
         : name == "gpu" ? DeviceKind::gpu
         : name == "sim" ? DeviceKind::sim
                         : DeviceKind::automatic;
}

RouteResult solve(const Arguments& a, const route::Maze& maze, Context& context) {
  RouteResult result;
  result.terminals = terminals(a, maze);
  if (a.moves == "8") {
    if (result.terminals.size() != 2) usage("--moves 8 with several ends", "one end: trees have straight steps only");
    auto found = route::find_octile_route(maze.grid, result.terminals[0], result.terminals[1]);
    result.metric = "octile";
    result.length = found.length;
    auto& r = result.route;
    r.complete = found.found;
    r.method = "a-star";
    r.why = "diagonal steps are longer than straight ones";
    r.reached = found.reached;
    r.work = found.work;
    if (!found.found) r.missing.push_back(result.terminals[1]);
    if (found.found) r.steps = found.cells.size() - 1;
    if (found.found) r.branches.push_back(std::move(found.cells));
    for (const auto& branch : r.branches)
      for (std::size_t i = 2; i < branch.size(); ++i)
        r.bends += branch[i].x - branch[i - 1].x != branch[i - 1].x - branch[i - 2].x ||
                   branch[i].y - branch[i - 1].y != branch[i - 1].y - branch[i - 2].y;
    return result;
  }
  route::RouteOptions options;
  for (const route::Method m : {route::Method::words, route::Method::queue, route::Method::tiles, route::Method::bends})
    if (a.method == route::name_of(m)) options.method = m;
  options.run.device = device_kind(a.device);
  options.fewest_bends = a.fewest_bends;
  options.via_cost = static_cast<std::uint32_t>(a.via_cost);
  options.run.progress = [&](const Step&) { return !context.interrupted(); };
  result.metric = "4-connected";
  result.route = route::find_route(maze.grid, result.terminals, options);
  result.length = static_cast<double>(result.route.cost);
  // From a cell to itself the route is this cell.
  if (result.route.complete && result.route.branches.empty()) result.route.branches.push_back({result.terminals[0]});
  return result;
}

/// Distances as far as the search went: to the end if it was found and the only one, else everywhere.
std::vector<std::int32_t> wavefront(const Arguments& a, const route::Maze& maze, const RouteResult& result) {
  const bool to_end = result.route.complete && result.terminals.size() == 2;
  if (result.route.method == route::name_of(route::Method::tiles)) {
    const auto source = maze.grid.index(result.terminals[0]), end = maze.grid.index(result.terminals.back());
    std::vector<std::int32_t> levels;
    route::DeviceGrid device(maze.grid, a.device == "sim" ? DeviceKind::sim : DeviceKind::gpu);
    device.find({&source, 1}, {&end, to_end ? std::size_t{1} : 0}, {}, &levels);
    return levels;
  }
  if (result.metric != "octile")
    return route::distances(maze.grid, result.terminals[0], static_cast<std::uint32_t>(a.via_cost),
                            to_end ? static_cast<std::int32_t>(result.length) : std::numeric_limits<std::int32_t>::max());
  route::OctileSearch search(maze.grid);
  const auto lengths = search.lengths(result.terminals[0]);
  std::vector<std::int32_t> all(lengths.size(), -1);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (lengths[i] >= 0 && (!to_end || lengths[i] <= static_cast<float>(result.length)))
      all[i] = static_cast<std::int32_t>(lengths[i]);
  return all;
}

void draw(const Arguments& a, const route::Maze& maze, const RouteResult& result, Console& console) {
  if (a.picture.empty() && a.animate.empty()) return;
  const route::Drawing drawing{&maze.grid, wavefront(a, maze, result), result.route.branches, result.terminals};
  if (!a.picture.empty()) route::write_picture(drawing, a.picture);
  if (a.animate.empty()) return;
  const auto levels = route::write_animation(drawing, a.animate);
  if (levels > 1) console.talk(fmt::format("the animation shows {} levels per step", levels));
}

/// By --format, else by the file's ending. Throws Error HW-FORMAT-WRITE if that is none of a route's.
std::string format_for(const Arguments& a) {
  if (!a.format.empty()) return a.format;
  const auto ending = ending_of(a.output, {"txt", "tsv", "json"}, "--format names the format, whatever the file is called");
  return ending == "json" ? "json" : "cells";
}

void write(const Arguments& a, const route::Maze& maze, const RouteResult& result, Context& context) {
  const std::string format = format_for(a);
  if (a.output.empty() && context.json()) return;
  std::string text;
  if (format == "json")
    text = dump(route_json(maze, result)) + "\n";
  else
    text = format == "segments" ? segments_text(maze.grid, result.route) : cells_text(maze.grid, result.route);
  if (a.output.empty()) {
    if (!text.empty()) context.console.result(std::string_view(text).substr(0, text.size() - 1));
    return;
  }
  write_result(a.output, text);
}

int check(const Arguments& a, const route::Maze& maze, Context& context) {
  const auto scenarios = route::read_scenarios(a.scenarios, maze.grid);
  route::CheckReport report;
  std::optional<route::DeviceGrid> device;
  if (a.device == "gpu" || a.device == "sim" || (a.device == "auto" && device_info().gpu))
    device.emplace(maze.grid, a.device == "sim" ? DeviceKind::sim : DeviceKind::gpu);
  {
    Progress progress(context.console, "solving");
    report = route::check_scenarios(
        maze.grid, scenarios,
        {.device = device ? &*device : nullptr,
         .run = {.threads = static_cast<int>(a.threads), .progress = [&](const Step& step) {
                   progress.steps(fmt::format("{} of {} scenarios", grouped(step.done), grouped(step.total)));
                   return !context.interrupted();
                 }}});
  }
  if (context.json())
    context.console.result(dump(check_json(maze, a.scenarios, report)));
  else
    say_check(context.console, a.scenarios, report);
  if (report.wrong.empty()) return 0;
  // Said on standard error only: with --json the document above holds what is wrong, and there is one document.
  context.console.fault(Error({.failure = Failure::verification,
                               .id = "HW-ROUTE-CHECK",
                               .where = {.file = a.scenarios},
                               .found = plural(report.wrong.size(), "length") + " other than the file says",
                               .expected = "none"}));
  return static_cast<int>(Failure::verification);
}

/// Netlists have other options than mazes: one that would do nothing is refused.
int run_nets(const Arguments& a, Context& context) {
  const bool of_mazes = !a.from.empty() || !a.to.empty() || !a.scenarios.empty() || a.moves != "4" || a.fewest_bends ||
                        a.via_cost != 1 || a.method != "auto" || !a.format.empty() || !a.picture.empty() ||
                        !a.animate.empty() || a.threshold != 128 || a.threads != 0 || a.device != "auto";
  if (of_mazes)
    usage("an option of mazes with a netlist", "--order, --rounds, --sequential, -o FILE (the solution) and --allow-huge");
  if (a.nets.sequential && a.nets.rounds != 40) usage("--rounds with --sequential, which has one", "one of the two");
  return route_netlist(a.maze, a.nets, a.allow_huge, a.output, context);
}

route::Maze maze_of(const Arguments& a, Context& context) {
  if (!route::is_maze_spec(a.maze))
    return route::read_maze(a.maze,
                            {.format = a.input_format, .threshold = static_cast<int>(a.threshold), .allow_huge = a.allow_huge});
  Progress progress(context.console, "generating " + a.maze);
  return route::make_maze(a.maze, [&](const Step& step) {
    progress.part(step.done, step.total);
    return !context.interrupted();
  });
}

int run(const Arguments& a, Context& context) {
  check_usage(a, context);
  if (a.input_format == "netlist" || (a.input_format.empty() && !route::is_maze_spec(a.maze) && route::is_netlist(a.maze)))
    return run_nets(a, context);
  if (a.nets.sequential || a.nets.order != "shortest" || a.nets.rounds != 40)
    usage("--order, --rounds or --sequential with a maze", "those with a netlist");
  format_for(a);  // an unknown ending is refused before the search
  const route::Maze maze = maze_of(a, context);
  context.check_interrupt();
  if (a.check) return check(a, maze, context);
  const RouteResult result = solve(a, maze, context);
  if (!maze.ends_chosen.empty() && a.scenarios.empty() && a.from.empty() && a.to.empty())
    context.console.talk(fmt::format("from {} to {}: {}", cell_text(maze.grid, result.terminals.front()),
                                     cell_text(maze.grid, result.terminals.back()), maze.ends_chosen));
  write(a, maze, result, context);
  draw(a, maze, result, context.console);
  if (context.json()) context.console.result(dump(route_json(maze, result)));
  say_route(context.console, maze, result);
  return result.route.complete ? 0 : static_cast<int>(Failure::no);
}

}  // namespace of_route

Command route_command() {
  using namespace of_route;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "route",
      .summary = "shortest routes through mazes and on grids",
      .description =
          "Finds a shortest route from a maze's start to its end, or a tree that joins the start with several ends, and prints "
          "its cells, one per line. Neighbours are computed, never stored. If there is no route, it prints how much can be "
          "reached, and the exit code is 1. Columns, rows and layers count from 0, rows from the top.\n\nA netlist (it begins "
          "with \"grid\") is routed whole, congestion negotiated between nets; exit code 1 if a net is unrouted or an edge "
          "holds too much.",
      .examples = {{"hopwave route maze.txt", "the cells of a shortest route from S to E"},
                   {"hopwave route maze.png --picture solved.png", "a picture of walls, wavefront and route"},
                   {"hopwave route arena.map --from 1,11 --to 40,40 --moves 8", "with diagonal steps, as in games"},
                   {"hopwave route arena.map --scen arena.map.scen --check", "every scenario, lengths compared"},
                   {"hopwave route maze.txt --fewest-bends --format segments",
                    "straight runs, as few as a shortest route can have"},
                   {"hopwave route maze.txt --animate wave.html", "the wavefront level by level"},
                   {"hopwave route maze:4095x4095 --device gpu -o route.txt", "a maze made by a seed, on the GPU"},
                   {"hopwave route chip.gr -o chip.solution", "all nets of an ISPD 2008 input"}},
      .groups =
          {{"Query",
            {{"maze",
              "MAZE",
              "An ASCII maze, a PNG, a MovingAI map or a netlist; - for standard input. maze:WxH[,SEED] (corridors one cell "
              "wide) and random:WxH[,WALLS[,SEED]] (walls in per cent) are made.",
              &a->maze,
              {},
              Fill::file,
              true},
             {"--from", "X,Y", "Where the route begins, instead of the maze's start: X,Y or X,Y,LAYER.", &a->from},
             {"--to", "X,Y", "Where it ends; given several times, all are joined as a tree.", &a->to},
             {"--scen", "FILE", "A MovingAI scenario file of this map.", &a->scenarios, {}, Fill::file},
             {"--scenario", "N", "Route the scenario file's N-th scenario. 0: none.", &a->scenario},
             {"--check", "",
              "Solve every scenario, with --moves 4 and 8, and compare the lengths; exit code 5 if one is wrong.", &a->check},
             {"--moves",
              "N",
              "4: along rows and columns. 8: also diagonally, at length √2, without cutting corners.",
              &a->moves,
              {"4", "8"}},
             {"--fewest-bends", "", "Of the shortest routes take one with the fewest bends.", &a->fewest_bends},
             {"--via-cost", "N", "Cost of a step between layers, against 1 within one.", &a->via_cost},
             {"--method",
              "NAME",
              "How to search: words (64 cells at a time), queue (cell by cell), bends (by cost, then bends), tiles (on a GPU "
              "or in the simulator) or auto.",
              &a->method,
              {"auto", "words", "queue", "bends", "tiles"}},
             {"--device",
              "WHERE",
              "Where to search: auto, cpu, gpu, or sim (the GPU simulator). auto takes a GPU for large grids and for --check.",
              &a->device,
              {"auto", "cpu", "gpu", "sim"}},
             {"--threads", "N", "Threads for --check. 0: one per hardware thread.", &a->threads}}},
           {"Netlists",
            {{"--order",
              "NAME",
              "Which nets go first: shortest, longest (by half the perimeter around the pins) or file.",
              &a->nets.order,
              {"shortest", "longest", "file"}},
             {"--rounds", "N", "Rounds of rip-up and re-route, at most.", &a->nets.rounds},
             {"--sequential", "", "Route every net once and close full edges: the plain maze router, for comparison.",
              &a->nets.sequential}}},
           {"Output",
            {{"-o,--output",
              "FILE",
              "Write the route, or of a netlist the solution in ISPD 2008 format, to this file; - for standard output.",
              &a->output,
              {},
              Fill::output},
             {"--format",
              "NAME",
              "cells, segments (both ends of each straight run) or json. Without it, by the file's ending: .json; else cells.",
              &a->format,
              {"cells", "segments", "json"}},
             {"--picture",
              "FILE",
              "Draw walls, wavefront and route: .png or .svg. Up to 40 cells per side the cells show the wavefront's numbers.",
              &a->picture,
              {},
              Fill::output},
             {"--animate", "FILE", "Draw the wavefront level by level: .svg or .html.", &a->animate, {}, Fill::output}}},
           {"Reading",
            {{"--input-format",
              "NAME",
              "Do not sniff: ascii, png, movingai or netlist.",
              &a->input_format,
              {"ascii", "png", "movingai", "netlist"}},
             {"--threshold", "N", "PNG: from this brightness on a pixel is light, 1 to 255.", &a->threshold},
             {"--allow-huge", "", "Believe dimensions that a file of this size makes implausible.", &a->allow_huge}}}},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli

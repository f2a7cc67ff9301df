// hopwave route: shortest ways through mazes, and every scenario of a MovingAI file.
#include "hopwave/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands/route/net_report.h"
#include "cli/commands/route/route_report.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "route/maze_picture.h"
#include "route/text.h"

namespace hopwave::cli {
namespace of_route {

using route::Cell;

/// As typed.
struct Arguments {
  GraphArguments reading;  // threads
  SearchArguments search;  // device and time limit
  std::string maze, input_format, from, scenarios, moves = "4", method = "auto", output, format, picture, animate;
  std::vector<std::string> to;
  std::int64_t scenario = 0, threshold = 128, via_cost = 1;
  bool check = false, fewest_bends = false, allow_huge = false;
  NetArguments nets;
};

/// What was meant by it.
struct Job {
  enum class Kind { route, scenarios, nets };
  Kind kind = Kind::route;
  std::string maze;                 ///< a file or a spec
  std::optional<std::string> text;  ///< of what can be read only once: standard input, a pipe
  route::MazeOptions reading;
  std::vector<Cell> from, to;  ///< at most one start; empty: the maze's own
  std::string scenarios;       ///< a file; empty: none
  std::int64_t scenario = 0;   ///< of Kind::route: the one of them that is routed
  bool diagonal = false;
  route::RouteOptions options;  ///< its RunOptions are those of every kind
  std::string output, format, picture, animate;
  NetArguments nets;
  core::Stopwatch watch = {};  ///< since before the first look at the file
};

[[noreturn]] void usage(std::string found, std::string expected, std::string hint = "") {
  core::refuse("HW-USAGE-OPTION", std::move(found), std::move(expected), std::move(hint));
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
    core::refuse("HW-USAGE-VALUE", fmt::format("{} is '{}'", option, text), "a cell: X,Y or X,Y,LAYER, counted from 0");
  return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]), static_cast<std::uint32_t>(values[2])};
}

std::vector<Cell> terminals(const Job& job, const route::Maze& maze) {
  if (!job.scenarios.empty()) {
    const auto all = route::read_scenarios(job.scenarios, maze.grid);
    const int n = checked_int("--scenario", job.scenario, 1, static_cast<std::int64_t>(all.size()));
    return {all[static_cast<std::size_t>(n - 1)].start, all[static_cast<std::size_t>(n - 1)].goal};
  }
  std::vector<Cell> cells = job.from;
  if (cells.empty() && maze.starts.empty())
    throw Error({.id = "HW-MAZE-START",
                 .where = {.file = maze.name},
                 .found = "no start",
                 .expected = "an 'S', a green area, or --from X,Y"});
  if (cells.empty()) cells.push_back(maze.starts.front());
  const std::vector<Cell>& ends = job.to.empty() ? maze.ends : job.to;
  cells.insert(cells.end(), ends.begin(), ends.end());
  if (cells.size() < 2)
    throw Error(
        {.id = "HW-MAZE-END", .where = {.file = maze.name}, .found = "no end", .expected = "an 'E', a red area, or --to X,Y"});
  return cells;
}

void check_usage(const Arguments& a, const Context& context) {
  checked_int("--threshold", a.threshold, 1, 255);
  checked_int("--via-cost", a.via_cost, 1, 65535);
  checked_int("--threads", a.reading.threads, 0, 4096);
  const bool routes = !a.output.empty() || !a.picture.empty() || !a.animate.empty() || !a.from.empty() || !a.to.empty();
  if (a.check && a.scenarios.empty()) usage("--check without --scen", "--scen FILE, whose lengths are checked");
  const bool how = a.fewest_bends || a.via_cost != 1 || a.method != "auto" || a.moves != "4" || !a.format.empty();
  if (a.check && (routes || how || a.scenario != 0))
    usage("--check with an option for one route", "--check alone: it solves all scenarios, with straight and diagonal steps");
  if (!a.check && a.reading.threads != 0) usage("--threads without --check", "--check: one route is found by one thread");
  if (route::is_maze_spec(a.maze) && (!a.input_format.empty() || a.threshold != 128))
    usage("--input-format or --threshold with a maze that is made", "those with a file");
  if (!a.check && !a.scenarios.empty() && a.scenario == 0) usage("--scen alone", "--check, or --scenario N for one of them");
  if (a.scenario != 0 && a.scenarios.empty()) usage("--scenario without --scen", "--scen FILE");
  if (!a.scenarios.empty() && (!a.from.empty() || !a.to.empty())) usage("--scen with --from or --to", "one of them");
  if (a.moves == "8" && (a.fewest_bends || a.method != "auto" || a.via_cost != 1))
    usage("--moves 8 with --fewest-bends, --method or --via-cost", "those with --moves 4 only");
  if (a.moves == "8" && (a.search.device == "gpu" || a.search.device == "sim"))
    usage("--moves 8 with --device " + a.search.device, "--moves 4, or the CPU: diagonal steps are searched there");
  if (a.moves == "8" && !a.search.time_limit.empty())
    usage("--moves 8 with --time-limit", "--moves 4: a search with diagonal steps is not interrupted");
  if (!a.format.empty() && a.output.empty() && context.json())
    usage("--format with --json and without -o", "-o FILE, which has this format");
  if (a.output == "-" && context.json()) usage("--json with -o -: both want standard output", "a file for one of them");
  if (!a.picture.empty()) route::check_picture_name(a.picture);
  if (!a.animate.empty()) route::check_animation_name(a.animate);
  check_two_outputs(a.output, a.picture, "-o and --picture");
  check_two_outputs(a.output, a.animate, "-o and --animate");
  check_two_outputs(a.picture, a.animate, "--picture and --animate");
}

/// Netlists have other options than mazes: one that would do nothing is refused.
void check_nets(const Arguments& a) {
  const bool of_mazes = !a.from.empty() || !a.to.empty() || !a.scenarios.empty() || a.moves != "4" || a.fewest_bends ||
                        a.via_cost != 1 || a.method != "auto" || !a.format.empty() || a.threshold != 128 ||
                        a.reading.threads != 0 || a.search.device != "auto";
  if (of_mazes)
    usage("an option of mazes with a netlist",
          "--order, --rounds, --sequential, --time-limit, -o FILE (the solution), --picture FILE, --animate FILE and "
          "--allow-huge");
  checked_int("--rounds", a.nets.rounds, 1, 10000);
  if (a.nets.sequential && a.nets.rounds != 40) usage("--rounds with --sequential, which has one", "one of the two");
}

/// By --format, else by the file's ending. Throws Error HW-FORMAT-WRITE if that is none of a route's.
std::string format_for(const Arguments& a) {
  if (!a.format.empty()) return a.format;
  const auto ending = ending_of(a.output, {"txt", "tsv", "json"}, "--format names the format, whatever the file is called");
  return ending == "json" ? "json" : "cells";
}

Job check(const Arguments& a, const Context& context) {
  check_usage(a, context);
  Job job{.maze = a.maze,
          .text = {},
          .reading = {.format = a.input_format, .threshold = static_cast<int>(a.threshold), .allow_huge = a.allow_huge},
          .from = {},
          .to = {},
          .scenarios = a.scenarios,
          .scenario = a.scenario,
          .diagonal = a.moves == "8",
          .options = {.fewest_bends = a.fewest_bends,
                      .via_cost = static_cast<std::uint32_t>(a.via_cost),
                      .run = {.device = to_device(a.search.device),
                              .threads = a.check ? static_cast<int>(a.reading.threads) : 1,
                              .limits = to_limits(a.search)}},
          .output = a.output,
          .format = {},
          .picture = a.picture,
          .animate = a.animate,
          .nets = a.nets};
  std::error_code ignored;
  const bool made = route::is_maze_spec(a.maze);
  const bool once = a.maze == "-" || !std::filesystem::is_regular_file(a.maze, ignored);
  if (!made && once) job.text = route::read_text(a.maze, a.allow_huge);
  const auto is_netlist = [&] { return job.text ? route::holds_netlist(*job.text) : route::is_netlist(a.maze); };
  if (a.input_format == "netlist" || (a.input_format.empty() && !made && is_netlist())) {
    check_nets(a);
    job.kind = Job::Kind::nets;
    return job;
  }
  if (a.nets.sequential || a.nets.order != "shortest" || a.nets.rounds != 40)
    usage("--order, --rounds or --sequential with a maze", "those with a netlist");
  if (a.check) job.kind = Job::Kind::scenarios;
  job.format = format_for(a);
  if (!a.from.empty()) job.from.push_back(parse_cell("--from", a.from));
  for (const auto& text : a.to) job.to.push_back(parse_cell("--to", text));
  for (const route::Method m : {route::Method::words, route::Method::queue, route::Method::tiles, route::Method::bends})
    if (a.method == route::name_of(m)) job.options.method = m;
  return job;
}

RouteResult solve_octile(const route::Maze& maze, RouteResult result) {
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

RouteResult solve(const Job& job, const route::Maze& maze, Context& context) {
  RouteResult result{.metric = "4-connected", .route = {}, .terminals = terminals(job, maze)};
  if (job.diagonal) return solve_octile(maze, std::move(result));
  route::RouteOptions options = job.options;
  options.run.progress = [&](const Step&) { return !context.interrupted(); };
  result.route = route::find_route(maze.grid, result.terminals, options);
  result.length = static_cast<double>(result.route.cost);
  // From a cell to itself the route is this cell.
  if (result.route.complete && result.route.branches.empty()) result.route.branches.push_back({result.terminals[0]});
  return result;
}

/// Distances as far as the search went: to the end if it was found and the only one, else everywhere.
std::vector<std::int32_t> wavefront(const Job& job, const route::Maze& maze, const RouteResult& result) {
  const bool to_end = result.route.complete && result.terminals.size() == 2;
  if (result.route.method == route::name_of(route::Method::tiles)) {
    const auto source = maze.grid.index(result.terminals[0]), end = maze.grid.index(result.terminals.back());
    std::vector<std::int32_t> levels;
    route::DeviceGrid device(maze.grid, job.options.run.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu);
    device.find({&source, 1}, {&end, to_end ? std::size_t{1} : 0}, {}, &levels);
    return levels;
  }
  if (result.metric != "octile")
    return route::distances(maze.grid, result.terminals[0], job.options.via_cost,
                            to_end ? static_cast<std::int32_t>(result.length) : std::numeric_limits<std::int32_t>::max());
  route::OctileSearch search(maze.grid);
  const auto lengths = search.lengths(result.terminals[0]);
  std::vector<std::int32_t> all(lengths.size(), -1);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (lengths[i] >= 0 && (!to_end || lengths[i] <= static_cast<float>(result.length)))
      all[i] = static_cast<std::int32_t>(lengths[i]);
  return all;
}

void draw(const Job& job, const route::Maze& maze, const RouteResult& result, Console& console) {
  if (job.picture.empty() && job.animate.empty()) return;
  const route::Drawing drawing{&maze.grid, wavefront(job, maze, result), result.route.branches, result.terminals};
  if (!job.picture.empty()) route::write_picture(drawing, job.picture);
  if (job.animate.empty()) return;
  const auto levels = route::write_animation(drawing, job.animate);
  if (levels > 1) console.talk(fmt::format("the animation shows {} levels per step", levels));
}

void write(const Job& job, const route::Maze& maze, const RouteResult& result, Seconds load, Context& context) {
  if (job.output.empty() && context.json()) return;
  std::string text;
  if (job.format == "json")
    text = dump(route_json(maze, result, job.options.run, load)) + "\n";
  else
    text = job.format == "segments" ? segments_text(maze.grid, result.route) : cells_text(maze.grid, result.route);
  if (!job.output.empty()) return write_result(job.output, text);
  if (!text.empty()) context.console.result(std::string_view(text).substr(0, text.size() - 1));
}

int report_route(const Job& job, const route::Maze& maze, const RouteResult& result, Seconds load, Context& context) {
  if (!maze.ends_chosen.empty() && job.scenarios.empty() && job.from.empty() && job.to.empty())
    context.console.talk(fmt::format("from {} to {}: {}", cell_text(maze.grid, result.terminals.front()),
                                     cell_text(maze.grid, result.terminals.back()), maze.ends_chosen));
  write(job, maze, result, load, context);
  draw(job, maze, result, context.console);
  if (context.json()) context.console.result(dump(route_json(maze, result, job.options.run, load)));
  say_route(context.console, maze, result);
  return result.route.complete ? 0 : static_cast<int>(Failure::no);
}

route::CheckReport solve_scenarios(const Job& job, const route::Maze& maze, Context& context) {
  const auto scenarios = route::read_scenarios(job.scenarios, maze.grid);
  const DeviceKind where = job.options.run.device;
  std::optional<route::DeviceGrid> device;
  if (where == DeviceKind::gpu || where == DeviceKind::sim || (where == DeviceKind::automatic && device_info().gpu))
    device.emplace(maze.grid, where == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu);
  Progress progress(context.console, "solving");
  route::CheckOptions options{.device = device ? &*device : nullptr, .run = job.options.run};
  options.run.progress = [&](const Step& step) {
    progress.steps(fmt::format("{} of {} scenarios", grouped(step.done), grouped(step.total)));
    return !context.interrupted();
  };
  return route::check_scenarios(maze.grid, scenarios, options);
}

int report_scenarios(const Job& job, const route::Maze& maze, const route::CheckReport& report, Seconds load,
                     Context& context) {
  if (context.json())
    context.console.result(dump(check_json(maze, job.scenarios, report, job.options.run, load)));
  else
    say_check(context.console, job.scenarios, report);
  if (report.wrong.empty()) return 0;
  // Said on standard error only: with --json the document above holds what is wrong, and there is one document.
  context.console.fault(Error({.failure = Failure::verification,
                               .id = "HW-ROUTE-CHECK",
                               .where = {.file = job.scenarios},
                               .found = plural(report.wrong.size(), "length") + " other than the file says",
                               .expected = "none"}));
  return static_cast<int>(Failure::verification);
}

route::Maze maze_of(const Job& job, Context& context) {
  if (!route::is_maze_spec(job.maze)) {
    route::Maze maze = job.text ? route::read_maze(*job.text, job.maze, job.reading) : route::read_maze(job.maze, job.reading);
    if (job.reading.threshold != 128 && maze.format != "png") usage("--threshold with a maze of text", "it with a PNG");
    return maze;
  }
  Progress progress(context.console, "generating " + job.maze);
  return route::make_maze(job.maze, [&](const Step& step) {
    progress.part(step.done, step.total);
    return !context.interrupted();
  });
}

int run(const Job& job, Context& context) {
  if (job.kind == Job::Kind::nets) {
    const bool huge = job.reading.allow_huge;
    const route::Netlist netlist =
        job.text ? route::read_netlist(*job.text, job.maze, huge) : route::read_netlist(job.maze, huge);
    return route_netlist(netlist, job.watch.elapsed(), job.nets, {job.output, job.picture, job.animate}, job.options.run,
                         context);
  }
  const route::Maze maze = maze_of(job, context);
  const Seconds load = job.watch.elapsed();
  context.check_interrupt();
  if (job.kind == Job::Kind::scenarios) return report_scenarios(job, maze, solve_scenarios(job, maze, context), load, context);
  return report_route(job, maze, solve(job, maze, context), load, context);
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
                   {"hopwave route chip.gr -o chip.solution", "all nets of an ISPD 2008 input"},
                   {"hopwave route nets.in --picture nets.svg", "nets, layers and congestion drawn"}},
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
              {"auto", "words", "queue", "bends", "tiles"}}}},
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
              "Draw walls, wavefront and route: .png or .svg. Up to 40 cells per side the cells show the wavefront's numbers. "
              "Of a "
              "netlist: its layers, congestion, and, where nets are few, every net with pins and vias.",
              &a->picture,
              {},
              Fill::output},
             {"--animate",
              "FILE",
              "Draw the wavefront level by level: .svg or .html. Of a netlist: its rounds, .html.",
              &a->animate,
              {},
              Fill::output}}},
           {"Running",
            {{"--device",
              "WHERE",
              "Where to search: auto, cpu, gpu, or sim (the GPU simulator). auto takes a GPU for large grids and for --check.",
              &a->search.device,
              {"auto", "cpu", "gpu", "sim"}},
             {"--threads", "N", "Threads for --check. 0: one per hardware thread.", &a->reading.threads},
             time_limit_option(a->search)}},
           {"Reading",
            {{"--input-format",
              "NAME",
              "Do not sniff: ascii, png, movingai or netlist.",
              &a->input_format,
              {"ascii", "png", "movingai", "netlist"}},
             {"--threshold", "N", "PNG: from this brightness on a pixel is light, 1 to 255.", &a->threshold},
             {"--allow-huge", "", "Believe dimensions that a file of this size makes implausible.", &a->allow_huge}}}},
      .run = [a](Context& context) { return run(check(*a, context), context); }};
}

}  // namespace hopwave::cli

// The summary: how the file was read, what searched and why, what was found, and where the time went.
#include "cli/frame/search_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cli/frame/counts_report.h"
#include "cli/frame/text_table.h"

namespace hopwave::cli {
namespace {

std::string join_names(const GraphFacts& graph, const std::vector<VertexId>& vertices, std::size_t most = 8) {
  std::string text;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (i == most) return text + fmt::format(", … ({} in all)", vertices.size());
    text += (i ? ", " : "") + printable(graph.ids().name(vertices[i]));
  }
  return text;
}

const char* way_name(Direction direction) {
  return direction == Direction::in     ? "along arcs backwards"
         : direction == Direction::both ? "ignoring directions"
                                        : "along arcs";
}

/// Minimum, median and maximum of a figure over all searches.
template <class Figure>
std::array<double, 3> spread(const std::vector<OneSearch>& searches, Figure figure) {
  std::vector<double> values;
  for (const auto& search : searches) values.push_back(figure(search));
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {values.front(), n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2, values.back()};
}

double harmonic_mean_teps(const std::vector<OneSearch>& searches) {
  double sum = 0;
  for (const auto& search : searches) {
    if (teps(search) <= 0) return 0;
    sum += 1 / teps(search);
  }
  return static_cast<double>(searches.size()) / sum;
}

/// The reason for the choice of `auto`, without the strategy's name before it.
std::string why_text(const SearchSummary& report) {
  const std::string name = report.run.strategy + ": ";
  return "auto: " + (report.run.chosen.starts_with(name) ? report.run.chosen.substr(name.size()) : report.run.chosen);
}

class Lines {
 public:
  Lines(Console& console, Stream stream) : console_(console), stream_(stream) {}
  void put(std::string_view label, std::string_view text) { console_.labelled(stream_, label, 10, text); }

 private:
  Console& console_;
  Stream stream_;
};

void put_found(Lines& lines, const SearchSummary& report) {
  const auto& graph = *report.graph;
  const auto n = graph.num_vertices();
  const char* limited = report.limited ? " (search ended by --max-depth or --target)" : "";
  if (report.searches.size() == 1) {
    const auto& one = report.searches.front();
    lines.put("reached", fmt::format("{} of {} ({:.1f} %), depth {}{}", grouped(one.reached), plural(n, "vertex", "vertices"),
                                     n ? 100.0 * one.reached / n : 0, one.depth, limited));
    lines.put("levels", level_line(one.tally.level_sizes));
    return;
  }
  const auto reached = spread(report.searches, [](const OneSearch& s) { return static_cast<double>(s.reached); });
  const auto depth = spread(report.searches, [](const OneSearch& s) { return static_cast<double>(s.depth); });
  lines.put("reached",
            fmt::format("{:.0f} / {:.0f} / {:.0f} of {} (least / median / most), depth {:.0f} / {:.0f} / {:.0f}{}", reached[0],
                        reached[1], reached[2], plural(n, "vertex", "vertices"), depth[0], depth[1], depth[2], limited));
}

void put_times(Lines& lines, const SearchSummary& report) {
  const auto& read = report.graph->read_report();
  const auto search = spread(report.searches, [](const OneSearch& s) { return Seconds(s.run.work).count(); });
  const double build = Seconds(report.graph->build_report().time).count();
  std::string text;
  if (read.format == "generator")
    text = "generate " + seconds_text(std::max(0.0, report.load_seconds - build));
  else
    text = fmt::format("read {} · parse {}", seconds_text(read.read), seconds_text(read.parse));
  text += " · build " + seconds_text(build);
  if (report.run.prepare.count() > 0) text += " · prepare " + seconds_text(report.run.prepare);
  if (report.run.device == DeviceKind::gpu || report.run.device == DeviceKind::sim)
    text += " · copy " + seconds_text(report.run.copy_in);
  text += " · search " + seconds_text(search[1]);
  if (report.searches.size() > 1) text += fmt::format(" (median; {} to {})", seconds_text(search[0]), seconds_text(search[2]));
  if (report.verified) text += " · verify " + seconds_text(report.verify_seconds);
  if (report.wrote) text += " · write " + seconds_text(report.write_seconds);
  lines.put("times", text);
  const double rate = harmonic_mean_teps(report.searches);
  if (rate > 0)
    lines.put("rate", fmt::format("{:.1f} MTEPS{} (edges of the part reached, per second of search)", rate * 1e-6,
                                  report.searches.size() > 1 ? ", harmonic mean" : ""));
}

}  // namespace

double teps(const OneSearch& search) {
  const double seconds = Seconds(search.run.work).count();
  return seconds > 0 ? static_cast<double>(search.tally.edges) / seconds : 0;
}

void print_summary(Console& console, Stream stream, const SearchSummary& report) {
  Lines lines(console, stream);
  const auto reading = describe(*report.graph);
  lines.put("input", reading.input);
  lines.put("graph", reading.graph);
  lines.put("read", reading.edges);
  const auto& first = report.searches.front().sources;
  std::vector<VertexId> sources;
  for (const auto& search : report.searches) sources.insert(sources.end(), search.sources.begin(), search.sources.end());
  const std::string mode = report.searches.size() > 1 ? ", one search each"
                           : first.size() > 1         ? ", distance to the nearest"
                                                      : "";
  lines.put("source",
            join_names(*report.graph, sources) + mode + (report.source_how.empty() ? "" : " (" + report.source_how + ")"));
  lines.put("strategy",
            fmt::format("{} on {}{}, {}{}", report.run.strategy, algorithm::name_of(report.run.device), report.gpus,
                        way_name(report.direction), report.run.chosen.empty() ? "" : " (" + why_text(report) + ")"));
  if (report.explained && !report.device_why.empty()) lines.put("device", report.device_why);
  if (!report.ranks.empty()) lines.put("ranks", report.ranks);
  put_found(lines, report);
  put_times(lines, report);
  if (report.verified)
    lines.put("verified", fmt::format("every distance{}{} is right", report.parents ? " and parent" : "",
                                      report.searches.size() > 1 ? " of every search" : ""));
  if (report.wrote && report.output != "-") lines.put("written", report.output);
}

namespace {

std::string note_of_rows(std::size_t levels) {
  return levels > most_rows ? fmt::format("the {} slowest of {} levels; --json prints all. ", most_of_many, grouped(levels))
                            : "";
}

/// Where the time of each process went, level by level.
void print_ranks(Console& console, Stream stream, const OneSearch& search) {
  if (search.ranks.empty()) return;
  TextTable table({{"level", 7}, {"rank", 6}, {"compute", 12}, {"wait", 12}, {"exchange", 12}, {"sent", 12}});
  std::vector<double> slowest(search.ranks[0].size());
  for (const auto& levels : search.ranks)
    for (std::size_t i = 0; i < slowest.size(); ++i)
      slowest[i] = std::max(slowest[i], levels[i].compute_ms + levels[i].exchange_ms);
  for (const std::size_t level : rows_shown(slowest))
    for (std::size_t rank = 0; rank < search.ranks.size(); ++rank) {
      const RankLevel& times = search.ranks[rank][level];
      table.row({std::to_string(level + 1), std::to_string(rank), seconds_text(times.compute_ms * 1e-3),
                 seconds_text(times.wait_ms * 1e-3), seconds_text(times.exchange_ms * 1e-3), bytes_text(times.bytes_sent)});
    }
  table.print(console, stream);
  console.line(
      stream,
      console.dim(
          stream,
          console.fitted(stream,
                         note_of_rows(slowest.size()) +
                             "all processes wait for each other before each exchange, so waiting is not counted as exchange",
                         2)));
}

/// The same of each GPU that shares the graph.
void print_devices(Console& console, Stream stream, const SearchReport& stats) {
  if (stats.devices.empty()) return;
  bool timed = false;  // the simulator has no clock
  std::map<Distance, double> slowest;
  for (const DeviceLevel& part : stats.devices) {
    const double spent = (part.compute + part.exchange).count();
    timed = timed || spent + part.wait.count() > 0;
    slowest[part.level] = std::max({slowest[part.level], spent, timed ? 0 : static_cast<double>(part.bytes_read)});
  }
  std::vector<double> weights;
  std::vector<Distance> levels;
  for (const auto& [level, weight] : slowest) levels.push_back(level), weights.push_back(weight);
  std::set<Distance> shown;
  for (const std::size_t i : rows_shown(weights)) shown.insert(levels[i]);
  const auto time = [&](Milliseconds part) { return timed ? seconds_text(part) : std::string("–"); };
  TextTable table({{"level", 7}, {"gpu", 6}, {"compute", 12}, {"wait", 12}, {"exchange", 12}, {"read", 12}});
  for (const DeviceLevel& part : stats.devices)
    if (shown.contains(part.level))
      table.row({std::to_string(part.level), std::to_string(part.device), time(part.compute), time(part.wait),
                 time(part.exchange), bytes_text(part.bytes_read)});
  table.print(console, stream);
  console.line(stream, console.dim(stream, console.fitted(stream,
                                                          note_of_rows(levels.size()) +
                                                              "read: at most, from the other GPUs; a push settles what it "
                                                              "reads in that time",
                                                          2)));
}

/// "push 1 to 12, pull 13, push 14 to 598"
std::string directions_text(const std::vector<LevelTrace>& trace) {
  std::string text;
  std::size_t parts = 0;
  for (std::size_t i = 0, end; i < trace.size(); i = end) {
    for (end = i + 1; end < trace.size() && std::string_view(trace[end].direction) == trace[i].direction;) ++end;
    if (++parts > 8) return text + ", …";
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", trace[i].direction, trace[i].level);
    if (end > i + 1) text += fmt::format(" to {}", trace[end - 1].level);
  }
  return text;
}

/// What hundreds of levels look like: frontier and time as lines of small bars.
void print_spark(Console& console, Stream stream, const std::vector<LevelTrace>& trace) {
  constexpr std::size_t label = 10, widest = 70;
  const std::size_t room = console.room(stream), columns = room > label + 20 ? std::min(room - label, widest) : widest;
  std::vector<double> frontier, time;
  for (const LevelTrace& level : trace) {
    frontier.push_back(static_cast<double>(level.frontier));
    time.push_back(level.time.count());
  }
  const double most = *std::max_element(frontier.begin(), frontier.end()),
               slowest = *std::max_element(time.begin(), time.end());
  const auto put = [&](std::string_view name, const std::string& text) { console.labelled(stream, name, label, text); };
  put("direction", directions_text(trace));
  if (most > 0) {
    put("frontier", sparkline(frontier, columns, true));
    put("", fmt::format("up to {}, logarithmic", plural(static_cast<std::uint64_t>(most), "vertex", "vertices")));
  }
  if (slowest > 0) {
    put("time", sparkline(time, columns, false));
    put("", fmt::format("up to {} per level", seconds_text(slowest * 1e-3)));
  }
}

}  // namespace

void print_levels(Console& console, Stream stream, const SearchSummary& report) {
  for (const auto& search : report.searches) {
    const auto& trace = search.run.trace;
    if (report.searches.size() > 1)
      console.line(stream, console.fitted(stream, "from " + join_names(*report.graph, search.sources), 2));
    if (trace.size() > most_rows) print_spark(console, stream, trace);
    TextTable table({{"level", 7},
                     {"direction", 9, true},
                     {"frontier", 12},
                     {"edges", 14},
                     {"discovered", 12},
                     {"time", 10},
                     {"MTEPS", 10},
                     {"GB/s", 8}});
    std::vector<double> weights;  // the simulator has no clock: there the largest levels are shown
    const bool timed =
        std::any_of(trace.begin(), trace.end(), [](const LevelTrace& level) { return level.time > Milliseconds(); });
    for (const LevelTrace& level : trace)
      weights.push_back(timed ? level.time.count() : static_cast<double>(std::max(level.frontier, level.discovered)));
    for (const std::size_t i : rows_shown(weights)) {
      const LevelTrace& level = trace[i];
      const double seconds = Seconds(level.time).count();
      const bool counted = level.edges > 0 && seconds > 0;
      // What a level cannot do without: a neighbour's id for each edge and a row's two offsets for each vertex expanded.
      const double bytes = 4.0 * static_cast<double>(level.edges) + 16.0 * static_cast<double>(level.frontier);
      table.row({std::to_string(level.level), level.direction, level.frontier ? grouped(level.frontier) : "–",
                 level.edges ? grouped(level.edges) : "–", grouped(level.discovered), seconds > 0 ? seconds_text(seconds) : "–",
                 counted ? fmt::format("{:.1f}", static_cast<double>(level.edges) / seconds * 1e-6) : "–",
                 counted ? fmt::format("{:.2f}", bytes / seconds * 1e-9) : "–"});
    }
    table.print(console, stream);
    const auto& stats = search.run;
    const std::string launched = stats.launches == 0 ? ""  // on CPUs
                                                     : plural(stats.launches, "launch", "launches") + "; " +
                                                           plural(stats.round_trips, "round trip") + "; ";
    const std::string some = trace.size() > most_rows
                                 ? fmt::format("the {} {}; --json prints all; ", most_of_many, timed ? "slowest" : "largest")
                                 : "";
    console.line(stream,
                 console.dim(stream, console.fitted(stream,
                                                    fmt::format("{} levels; {}{}GB/s counts neighbour ids and row offsets, "
                                                                "once each",
                                                                stats.levels, some, launched),
                                                    2)));
    print_counts(console, stream, stats.counts);
    print_ranks(console, stream, search);
    print_devices(console, stream, stats);
  }
}

void print_run_statistics(Console& console, Stream stream, const SearchSummary& report) {
  const auto& one = report.searches.front();
  console.line(stream, "Source node:      " + join_names(*report.graph, one.sources));
  console.line(stream, fmt::format("Reachable nodes:  {} / {}", one.reached, report.graph->num_vertices()));
  console.line(stream, fmt::format("Maximum distance: {}", one.depth));
  // From the answer, so that every device and strategy counts alike: a level each, and the one that finds nothing and ends the
  // search, which a limit spares.
  console.line(stream, fmt::format("Iterations:       {}", one.depth + (report.limited ? 0 : 1)));
  if (one.run.block) {
    console.line(stream, fmt::format("Grid size:        {}", one.run.grid));
    console.line(stream, fmt::format("Block size:       {}", one.run.block));
  }
}

void note_missing_threads(SearchSummary& report, const Team& team) {
  const bool noted = std::any_of(report.run.notes.begin(), report.run.notes.end(),
                                 [](const auto& note) { return note.find("threads could be started") != std::string::npos; });
  if (team.missing() > 0 && !noted) report.run.notes.push_back(team.missing_text());
}

void warn_if_tiny(Console& console, const SearchSummary& report) {
  if (report.limited) return;
  const auto n = report.graph->num_vertices();
  for (const auto& search : report.searches) {
    if (search.reached >= n || search.reached > std::max<VertexId>(1, n / 100)) continue;
    console.warn(fmt::format("reached {} of {} from {}: {}; {}", grouped(search.reached), plural(n, "vertex", "vertices"),
                             join_names(*report.graph, search.sources),
                             report.graph->directed() && report.direction != Direction::both
                                 ? "few paths lead away from there (--direction both or --undirected ignores directions)"
                                 : "it lies in a tiny component",
                             "-s lcc starts in the largest component"));
    return;
  }
}

Json report_json(std::string_view name, const SearchSummary& report) {
  const auto& graph = *report.graph;
  const auto& read = graph.read_report();
  Json json = document(name);
  json["graph"] = read_json(graph);
  RunReport run = report.run;
  for (const auto& one : report.searches) {
    run.work += one.run.work;
    run.copy_out += one.run.copy_out;
  }
  json["run"] = run_json(run, report.options, Seconds(report.load_seconds));
  json["strategy"] = report.run.strategy;
  json["strategy_asked"] = report.asked;
  json["why"] = report.run.chosen;
  json["device"] = algorithm::name_of(report.run.device);
  json["device_why"] = report.device_why.empty() ? Json(nullptr) : Json(report.device_why);
  json["gpus"] = report.gpus.empty() ? Json(nullptr) : Json(report.gpus.substr(1));
  json["ranks"] = report.num_ranks;
  json["exchange"] = report.exchange.empty() ? Json(nullptr) : Json(report.exchange);
  json["direction"] = report.direction == Direction::in ? "in" : report.direction == Direction::both ? "both" : "out";
  json["notes"] = report.run.notes;
  json["seconds"] = {{"load", report.load_seconds},
                     {"read", Seconds(read.read).count()},
                     {"parse", Seconds(read.parse).count()},
                     {"build", Seconds(graph.build_report().time).count()},
                     {"prepare", Seconds(report.run.prepare).count()},
                     {"copy", Seconds(report.run.copy_in).count()},
                     {"write", report.write_seconds},
                     {"verify", report.verify_seconds}};
  json["verified"] = report.verified;
  json["output"] = report.wrote ? Json(report.output) : Json(nullptr);
  Json& searches = json["searches"] = Json::array();
  for (const auto& one : report.searches) {
    Json s;
    for (const VertexId v : one.sources) s["sources"].push_back(id_json(graph.ids(), v));
    s["reached"] = one.reached;
    s["depth"] = one.depth;
    s["level_sizes"] = one.tally.level_sizes;
    s["edges"] = one.tally.edges;
    s["search_ms"] = one.run.work.count();
    s["host_ms"] = one.run.host.count();
    s["copy_back_ms"] = one.run.copy_out.count();
    s["mteps"] = teps(one) * 1e-6;
    s["levels"] = one.run.levels;
    s["steps"] = one.run.steps;
    s["launches"] = one.run.launches;
    s["round_trips"] = one.run.round_trips;
    s["grid"] = one.run.grid;
    s["block"] = one.run.block;
    s["edges_examined"] = one.run.edges_examined;
    if (report.explained) {
      s["trace"] = Json::array();
      for (const auto& level : one.run.trace) s["trace"].push_back(level_json(level));
      s["counts"] = one.run.block && one.run.devices.empty() ? counts_json(one.run.counts)
                                                             : Json(nullptr);  // null: no kernel was launched
    }
    for (const DeviceLevel& part : one.run.devices)
      s["gpu_levels"].push_back({{"level", part.level},
                                 {"gpu", part.device},
                                 {"compute_ms", part.compute.count()},
                                 {"wait_ms", part.wait.count()},
                                 {"exchange_ms", part.exchange.count()},
                                 {"bytes_read", part.bytes_read}});
    for (const auto& levels : one.ranks) {
      Json& rank = s["ranks"].emplace_back(Json::array());
      for (const RankLevel& level : levels)
        rank.push_back({{"compute_ms", level.compute_ms},
                        {"wait_ms", level.wait_ms},
                        {"exchange_ms", level.exchange_ms},
                        {"bytes_sent", level.bytes_sent}});
    }
    searches.push_back(std::move(s));
  }
  return json;
}

}  // namespace hopwave::cli

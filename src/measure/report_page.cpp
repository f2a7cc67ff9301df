// The report page: which pictures the measurements allow, and the HTML around them.
#include "measure/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/cuda_version.h"
#include "core/people_text.h"
#include "draw/chart_svg.h"
#include "draw/charts.h"
#include "draw/timeline.h"

namespace hopwave::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::size_t index_of(std::vector<T>& values, const T& value) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  values.push_back(value);
  return values.size() - 1;
}

std::string row_of(const Measurement& m) {
  std::string name = m.configuration.strategy;
  if (m.configuration.prepare) name += ", prepared";
  if (m.configuration.device == DeviceKind::cpu || m.configuration.device == DeviceKind::sim)
    name += fmt::format(" ({})", core::name_of(m.configuration.device));
  return name;
}

/// Graph names are paths: in a picture the last part is enough, without the endings that say how it is packed.
std::string short_name(const std::string& graph) {
  const auto slash = graph.find_last_of('/');
  std::string name = slash == std::string::npos ? graph : graph.substr(slash + 1);
  for (const std::string_view ending : {".zst", ".gz", ".txt", ".mtx", ".gr", ".graph", ".csv", ".hwg"})
    if (name.size() > ending.size() && name.ends_with(ending)) name.erase(name.size() - ending.size());
  return name;
}

std::string file_name(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return text;
}

std::vector<const Measurement*> all_of(const std::vector<BenchFile>& files) {
  std::vector<const Measurement*> all;
  for (const auto& f : files)
    for (const auto& m : f.measurements) all.push_back(&m);
  return all;
}

/// The least of a source's runs.
double least_of(const SourceRuns& s) { return *std::min_element(s.search_ms.begin(), s.search_ms.end()); }

/// What a chart shows of a measurement's runs: the median over sources, or of a survey the least of all, as its figure 7 does.
struct Shown {
  bool least = false;
  [[nodiscard]] double of(const Measurement& m) const {
    if (!least) return m.search_ms.median;
    double best = std::numeric_limits<double>::infinity();
    for (const auto& s : m.sources)
      if (!s.search_ms.empty()) best = std::min(best, least_of(s));
    return best;
  }
  [[nodiscard]] const char* words() const { return least ? "the least of all runs" : "the median over sources"; }
};

/// The median of each source's runs.
std::vector<double> medians_of(const Measurement& m) {
  std::vector<double> medians;
  for (const auto& s : m.sources)
    if (!s.search_ms.empty()) medians.push_back(statistics(s.search_ms).median);
  return medians;
}

std::vector<double> least_of_each(const Measurement& m) {
  std::vector<double> least;
  for (const auto& s : m.sources)
    if (!s.search_ms.empty()) least.push_back(least_of(s));
  return least;
}

/// Strategy × graph; of several parameter settings the fastest counts, as in the survey's figure 7.
Table best_table(const std::vector<const Measurement*>& all, const Shown& shown) {
  Table t{.title = "Time of one traversal",
          .note = shown.least
                      ? "Least of the runs. Each dot: one source, the least of its runs. Bar and number: the least of all. "
                        "Line: from the minimum to the maximum. The best is ringed."
                      : "Each dot: one source, the median of its runs. Bar and number: the median over sources. Line: from "
                        "the minimum to the maximum. The best median is ringed.",
          .unit = "ms"};
  for (const auto* m : all) {
    if (!m->skipped.empty()) continue;  // what could run nowhere has its reason in the table of measurements alone
    index_of(t.rows, row_of(*m));
    index_of(t.columns, short_name(m->graph.name));
  }
  t.values.assign(t.rows.size(), std::vector<double>(t.columns.size(), nan));
  t.samples.assign(t.rows.size(), std::vector<std::vector<double>>(t.columns.size()));
  for (const auto* m : all) {
    if (!m->skipped.empty()) continue;
    const std::size_t row = index_of(t.rows, row_of(*m)), column = index_of(t.columns, short_name(m->graph.name));
    double& cell = t.values[row][column];
    if (shown.of(*m) >= cell) continue;
    cell = shown.of(*m);
    t.samples[row][column] = shown.least ? least_of_each(*m) : medians_of(*m);
  }
  return t;
}

/// Where the measurements were made, for below a title.
std::string device_text(const std::vector<BenchFile>& files) {
  std::set<std::string> names;
  for (const auto& f : files) names.insert(f.environment.device.name.empty() ? f.environment.cpu : f.environment.device.name);
  names.erase("");
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "" : text + ". ";
}

/// The result of each Graph500 run, and its searches.
void graph500_charts(const std::vector<BenchFile>& files, std::vector<Picture>& pictures) {
  for (const auto& f : files) {
    if (f.procedure != "graph500") continue;
    for (const auto& m : f.measurements) {
      if (!m.skipped.empty() || m.teps_harmonic <= 0) continue;
      const std::string device = f.environment.device.gpu ? f.environment.device.name : f.environment.cpu;
      pictures.push_back(
          {"graph500-" + file_name(row_of(m) + "-" + short_name(m.graph.name)),
           "Harmonic mean of traversed edges per second, as Graph500 prescribes it. Each dot: one search, the "
           "median of its runs.",
           headline_chart("Graph500: " + row_of(m) + " on " + short_name(m.graph.name), unit_text(m.teps_harmonic, "TEPS"),
                          fmt::format("{} vertices, {} searches, {}. {}", core::grouped(m.graph.profile.num_vertices),
                                      m.sources.size(), m.verified ? "all validated" : "not validated", device),
                          "time of one search (ms)", medians_of(m))});
    }
  }
}

/// `auto` against everything else, where both were measured on several graphs.
void rivals(const Table& best, const std::string& device, std::vector<Picture>& pictures) {
  std::vector<std::string> own;
  for (const char* const name : {"auto", "auto, prepared"})
    if (std::find(best.rows.begin(), best.rows.end(), name) != best.rows.end()) own.emplace_back(name);
  if (own.empty() || own.size() == best.rows.size() || best.columns.size() < 2) return;
  Table t = best;
  t.title = "auto against the best of the others";
  t.note = device + "Time of one traversal, the median over sources; logarithmic axis, left is faster.";
  pictures.push_back(
      {"rivals", "Time of auto and of every other strategy on each graph, median over sources.", rivals_chart(t, own)});
}

/// All heat maps in one picture: a row per strategy with its other parameters, a column per graph. A row's maps have the
/// threads per block of all of them, and all maps the numbers of blocks of all.
void heat_map_matrix(const std::map<std::string, std::map<std::string, Table>>& by_row, const Shown& shown,
                     std::vector<Picture>& pictures) {
  const auto grid_of = [](const std::string& name) { return name == "cover" ? 0 : std::stoi(name); };
  Table t{
      .title = "Blocks and threads per block",
      .note = fmt::format("Each map: one strategy on one graph, time by number of blocks and threads per block, {}. Shades are "
                          "multiples of the best of all maps on that graph; the best of each map is outlined.",
                          shown.words()),
      .unit = "ms"};
  std::set<int> grids;  // "cover" is 0
  for (const auto& [row, maps] : by_row) {
    t.rows.push_back(row);
    for (const auto& [graph, map] : maps) {
      index_of(t.columns, graph);
      for (const auto& name : map.columns) grids.insert(grid_of(name));
    }
  }
  std::vector<std::vector<Table>> maps(t.rows.size(), std::vector<Table>(t.columns.size()));
  for (std::size_t r = 0; r < t.rows.size(); ++r) {
    std::set<int> blocks;
    const auto& of_row = by_row.at(t.rows[r]);
    for (const auto& [graph, map] : of_row)
      for (const auto& name : map.rows) blocks.insert(std::stoi(name));
    for (const auto& [graph, map] : of_row) {
      Table& whole = maps[r][index_of(t.columns, graph)];
      for (const int b : blocks) whole.rows.push_back(std::to_string(b));
      for (const int g : grids) whole.columns.push_back(g == 0 ? "cover" : std::to_string(g));
      whole.values.assign(whole.rows.size(), std::vector<double>(whole.columns.size(), nan));
      for (std::size_t i = 0; i < map.rows.size(); ++i)
        for (std::size_t k = 0; k < map.columns.size(); ++k)
          whole.values[index_of(whole.rows, map.rows[i])][index_of(whole.columns, map.columns[k])] = map.values[i][k];
    }
  }
  pictures.push_back({"heat", "Hatched cells could not run. The pointer on a cell shows its time.",
                      heat_matrix(t, maps, "threads per block", "blocks")});
}

void heat_maps(const std::vector<const Measurement*>& all, const Shown& shown, std::vector<Picture>& pictures) {
  // One map for each setting of the other parameters; a setting with a single grid or block gives none.
  std::map<std::tuple<std::string, std::string, Parameters>, std::vector<const Measurement*>> scans;
  for (const auto* m : all) {
    Parameters others = m->configuration.parameters;
    if (others.erase("grid") && others.erase("block"))
      scans[{m->configuration.strategy, short_name(m->graph.name), others}].push_back(m);
  }
  std::map<std::string, std::map<std::string, Table>> by_row;
  std::vector<Picture> single;
  for (const auto& [key, list] : scans) {
    std::set<std::int64_t> grids, blocks;
    for (const auto* m : list) {
      grids.insert(m->configuration.parameters.at("grid"));
      blocks.insert(m->configuration.parameters.at("block"));
    }
    if (grids.size() < 2 || blocks.size() < 2) continue;
    const auto& [strategy, graph, others] = key;
    const std::string name = strategy + (others.empty() ? "" : " " + parameter_text(others));
    Table t{.title = fmt::format("{} on {}", name, graph), .unit = "ms"};
    for (const auto b : blocks) t.rows.push_back(std::to_string(b));
    for (const auto g : grids) t.columns.push_back(g == 0 ? "cover" : std::to_string(g));
    t.values.assign(blocks.size(), std::vector<double>(grids.size(), nan));
    const auto place = [](const std::set<std::int64_t>& values, std::int64_t value) {
      return static_cast<std::size_t>(std::distance(values.begin(), values.find(value)));
    };
    for (const auto* m : list) {
      double& cell = t.values[place(blocks, m->configuration.parameters.at("block"))]
                             [place(grids, m->configuration.parameters.at("grid"))];
      if (m->skipped.empty() && !(shown.of(*m) >= cell)) cell = shown.of(*m);
    }
    single.push_back({"heat-" + file_name(name + "-" + graph),
                      fmt::format("Time at every number of blocks (columns; “cover” is one thread per item) and threads per "
                                  "block, {}. Hatched cells could not run; the best is outlined.",
                                  shown.words()),
                      heat_map(t, "threads per block", "blocks")});
    by_row[name][graph] = std::move(t);
  }
  if (single.size() > 1) heat_map_matrix(by_row, shown, pictures);
  for (Picture& picture : single) {
    picture.in_page = single.size() == 1;
    pictures.push_back(std::move(picture));
  }
}

void level_charts(const std::vector<const Measurement*>& all, std::vector<Picture>& pictures) {
  for (const auto* m : all) {
    if (m->trace.empty()) continue;
    const std::string name = fmt::format("{} on {}", row_of(*m), short_name(m->graph.name));
    pictures.push_back({"levels-" + file_name(name), "One traversal, level by level, from the first source.",
                        level_chart(name, m->trace, m->sources.empty() ? 0 : m->sources.front().depth)});
  }
}

/// All traced searches of a graph on one axis of time. Of one alone there is a chart of its levels.
void timelines(const std::vector<const Measurement*>& all, std::vector<Picture>& pictures) {
  std::vector<std::string> graphs;
  std::vector<std::vector<TimelineRow>> rows;
  for (const auto* m : all) {
    const bool timed =
        std::any_of(m->trace.begin(), m->trace.end(), [](const LevelTrace& t) { return t.time > Milliseconds(); });
    if (!timed) continue;
    const std::size_t at = index_of(graphs, short_name(m->graph.name));
    rows.resize(graphs.size());
    const Parameters& parameters = m->configuration.parameters;
    rows[at].push_back(timeline_row(row_of(*m) + (parameters.empty() ? "" : " " + parameter_text(parameters)), m->trace));
  }
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    if (rows[g].size() < 2) continue;
    std::stable_sort(rows[g].begin(), rows[g].end(),
                     [](const TimelineRow& a, const TimelineRow& b) { return a.end_ms() < b.end_ms(); });
    pictures.push_back({"timeline-" + file_name(graphs[g]),
                        "Levels of one traversal from the first source, without what is between them; the shortest first.",
                        timeline_chart("Time of the levels on " + graphs[g], rows[g])});
  }
}

/// The best time at each width of virtual warps.
void width_chart(const std::vector<const Measurement*>& all, const Shown& shown, std::vector<Picture>& pictures) {
  std::map<std::string, std::map<double, double>> series;
  for (const auto* m : all) {
    const auto width = m->configuration.parameters.find("width");
    if (!m->skipped.empty() || width == m->configuration.parameters.end() || shown.of(*m) <= 0) continue;
    double& best = series[row_of(*m) + " on " + short_name(m->graph.name)]
                       .try_emplace(static_cast<double>(width->second), shown.of(*m))
                       .first->second;
    best = std::min(best, shown.of(*m));
  }
  std::vector<Series> lines;
  for (const auto& [name, points] : series)
    if (points.size() > 1) lines.push_back({name, {points.begin(), points.end()}});
  if (!lines.empty())
    pictures.push_back(
        {"widths", fmt::format("Time at every width of a virtual warp, {}, the best of what else was varied.", shown.words()),
         line_chart("Width of virtual warps", "threads per virtual warp", "ms", lines, true)});
}

/// "rmat:SCALE,…" → SCALE.
double scale_of(const std::string& graph) {
  for (const std::string prefix : {"rmat:", "kron:"})
    if (graph.starts_with(prefix)) return std::atof(graph.c_str() + prefix.size());
  return nan;
}

void teps_chart(const std::vector<const Measurement*>& all, std::vector<Picture>& pictures) {
  std::map<std::string, std::map<double, const Measurement*>> series;
  std::set<double> scales;
  for (const auto* m : all) {
    const double scale = scale_of(m->graph.name);
    if (!m->skipped.empty() || !std::isfinite(scale) || m->teps_harmonic <= 0) continue;
    const Measurement*& best = series[row_of(*m)][scale];
    if (!best || m->teps_harmonic > best->teps_harmonic) best = m;
    scales.insert(scale);
  }
  if (scales.size() < 2) return;
  std::vector<Series> lines;
  for (const auto& [name, points] : series) {
    Series line{.name = name, .points = {}};
    for (const auto& [scale, m] : points) {
      line.points.emplace_back(scale, m->teps_harmonic);
      for (const auto& s : m->sources) {
        const double ms = s.search_ms.empty() ? 0 : statistics(s.search_ms).median;
        const auto edges = static_cast<double>(s.component_arcs) / (m->graph.directed ? 1 : 2);
        if (ms > 0 && edges > 0) line.samples.emplace_back(scale, edges / (ms * 1e-3));
      }
    }
    lines.push_back(std::move(line));
  }
  pictures.push_back(
      {"teps",
       "Traversed edges per second on R-MAT graphs. Small dots: one source each, the median of its runs. Line: the "
       "harmonic mean over sources, which one slow search lowers much; it is no median.",
       line_chart("TEPS against scale", "R-MAT scale", "edges per second: sources, and their harmonic mean", lines)});
}

void loading_chart(const std::vector<const Measurement*>& all, std::vector<Picture>& pictures) {
  Table t{.title = "Before and during a search",
          .note = "Search: the median over sources.",
          .unit = "ms",
          .columns = {"read", "parse", "build", "copy", "prepare", "search"}};
  for (const auto* m : all) {
    if (!m->skipped.empty()) continue;
    const std::string name = row_of(*m) + " on " + short_name(m->graph.name);
    if (std::find(t.rows.begin(), t.rows.end(), name) != t.rows.end() || t.rows.size() >= 24) continue;
    t.rows.push_back(name);
    t.values.push_back(
        {m->graph.read_ms, m->graph.parse_ms, m->graph.build_ms, m->copy_ms, m->prepare_ms, m->search_ms.median});
  }
  if (!t.rows.empty()) pictures.push_back({"loading", "Where the time goes from file to answer.", stacked_bars(t)});
}

void roofline_chart(const std::vector<BenchFile>& files, std::vector<Picture>& pictures) {
  double bandwidth = 0;
  std::vector<RooflinePoint> points;
  std::set<std::string> kinds;
  for (const auto& f : files) {
    if (f.environment.copy_bytes_per_second <= 0) continue;
    bandwidth = f.environment.copy_bytes_per_second;
    for (const auto& m : f.measurements) {
      if (!m.skipped.empty() || m.configuration.strategy != "auto" || m.sources.empty() ||
          m.configuration.device == DeviceKind::cpu || m.configuration.device == DeviceKind::sim)
        continue;
      double arcs = 0;
      for (const auto& s : m.sources) arcs += static_cast<double>(s.component_arcs) / static_cast<double>(m.sources.size());
      // The least any exact search can move: a 4-byte distance written and one neighbour read per vertex, and the visited bits.
      const double bytes = m.graph.profile.num_vertices * (4.0 + 4.0 + 2.0 / 8);
      kinds.insert(row_of(m));
      points.push_back({row_of(m) + " on " + short_name(m.graph.name), arcs / bytes, arcs / (m.search_ms.median * 1e-3)});
    }
  }
  if (points.empty()) return;
  // What all points share is in the title alone.
  const std::string shared = *kinds.begin() + " on ";
  if (kinds.size() == 1)
    for (RooflinePoint& point : points) point.name.erase(0, shared.size());
  pictures.push_back({"roofline",
                      "How close auto comes to what memory allows. The bytes are the least that any exact search must move: a "
                      "distance written and one neighbour read for every vertex, and the visited bits. Latency, not bandwidth, "
                      "bounds small and deep graphs. Times are medians over sources.",
                      roofline((kinds.size() == 1 ? *kinds.begin() : "auto") + " under the roof", bandwidth, points)});
}

std::string environment_table(const BenchFile& f) {
  const Environment& e = f.environment;
  std::string rows;
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty()) rows += fmt::format("<tr><th>{}</th><td>{}</td></tr>", name, xml_escape(value));
  };
  row("command", e.command);
  row("procedure", f.procedure);
  row("date", e.date);
  row("version", fmt::format("{} ({})", e.version, e.commit));
  row("CPU", fmt::format("{}, {} threads", e.cpu, e.threads));
  if (e.device.gpu)
    row("GPU", fmt::format("{}, compute {}, CUDA driver {}, runtime {}, {} MHz, copies {}", e.device.name, e.device.compute,
                           core::cuda_version(e.device.driver), core::cuda_version(e.device.runtime), e.clock_mhz,
                           rate_text(e.copy_bytes_per_second)));
  return "<table class=\"env\">" + rows + "</table>";
}

std::string measurement_table(const std::vector<const Measurement*>& all) {
  std::string out =
      "<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>strategy</th><th>graph</th><th>parameters</th><th>min "
      "ms</th><th>median "
      "ms</th>"
      "<th>max ms</th><th>MTEPS</th><th>levels</th><th>launches</th><th>verified</th></tr></thead><tbody>\n";
  for (const auto* m : all) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td>", xml_escape(row_of(*m)), xml_escape(short_name(m->graph.name)),
                       xml_escape(parameter_text(m->configuration.parameters)));
    if (!m->skipped.empty())
      out += fmt::format("<td colspan=\"7\">skipped: {}</td></tr>\n", xml_escape(m->skipped));
    else
      out += fmt::format("<td>{:.4f}</td><td>{:.4f}</td><td>{:.4f}</td><td>{:.1f}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                         m->search_ms.min, m->search_ms.median, m->search_ms.max, m->teps_harmonic / 1e6, m->levels,
                         m->launches, m->verified ? "yes" : "no");
  }
  return out + "</tbody></table></div>\n";
}

/// A long table is closed at first: the page stays short. It opens without a script.
std::string folded(const std::string& summary, std::size_t rows, const std::string& table) {
  constexpr std::size_t few = 30;
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", rows <= few ? " open" : "", summary, table);
}

/// What a result file says once, and its tables.
std::string result_section(const ResultFile& file) {
  std::string out = fmt::format("<h2>{}</h2>\n<table class=\"env facts\">", xml_escape(short_name(file.name)));
  for (const auto& [name, value] : file.facts)
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>", xml_escape(name), xml_escape(value));
  out += "</table>\n";
  constexpr std::size_t long_text = 40;
  for (const ResultTable& table : file.tables) {
    std::string rows = "<div class=\"wide\"><table class=\"sortable results\"><thead><tr>";
    for (const std::string& column : table.columns) rows += "<th>" + xml_escape(column) + "</th>";
    rows += "</tr></thead><tbody>\n";
    for (const auto& row : table.rows) {
      rows += "<tr>";
      for (const Cell& cell : row)
        rows += (cell.number                    ? "<td class=\"n\">"
                 : cell.text.size() > long_text ? "<td class=\"long\">"
                                                : "<td>") +
                xml_escape(cell.text) + "</td>";
      rows += "</tr>\n";
    }
    out += folded(xml_escape(table.title) + ": " + core::plural(table.rows.size(), "row"), table.rows.size(),
                  rows + "</tbody></table></div>\n");
  }
  return out;
}

/// The page has the pictures' ground, so that they are no cards of another shade on it.
std::string page_colors() {
  using namespace picture;
  return fmt::format(
      "body{{background:{};color:{}}}@media (prefers-color-scheme:dark){{body{{background:{};color:{}}}}}"
      "@media print{{body{{background:{};color:{}}}}}",
      paper.light, ink.light, paper.dark, ink.dark, paper.light, ink.light);
}

constexpr const char* page_style =
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}"
    "h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}figure{margin:1.5rem 0;break-inside:avoid;overflow-x:auto}"
    "figure svg{display:block;width:100%;height:auto}figcaption{font-size:.9rem;opacity:.75}"
    "table{border-collapse:collapse;font-size:.85rem}th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #8884;"
    "overflow-wrap:anywhere}.env th{white-space:nowrap;vertical-align:top}.wide{overflow-x:auto}.wide td,.wide "
    "th{overflow-wrap:normal}.wide :is(th,td):nth-child(n+4){text-align:right;font-variant-numeric:tabular-nums}"
    ".wide .results :is(th,td){text-align:left}.wide .results .n{text-align:right}.results td{vertical-align:top}.facts "
    "th{white-space:normal}.results "
    ".long{min-width:18rem}"
    ".wide td[colspan]{text-align:left!important}.sortable button{all:unset;cursor:pointer}.sortable button:focus-visible"
    "{outline:2px solid}[aria-sort=ascending]::after{content:\" ▲\"}[aria-sort=descending]::after{content:\" "
    "▼\"}summary{cursor:pointer;font-weight:600}"
    "@media print{body{max-width:none}figure{overflow:visible}}";

/// A click on a column's head sorts by it, a second one the other way round; rows without a value are last.
constexpr const char* sort_script = R"(
for (const table of document.querySelectorAll(".sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, k) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.onclick = () => {
      const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1, text = row => row.cells[k].textContent;
      const whole = row => row.cells.length === heads.length;
      const by = (a, b) => isNaN(text(a)) || isNaN(text(b)) ? text(a).localeCompare(text(b), "en") : text(a) - text(b);
      const rows = [...body.rows], full = rows.filter(whole).sort((a, b) => turn * by(a, b));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", turn > 0 ? "ascending" : "descending");
      body.append(...full, ...rows.filter(row => !whole(row)));
    };
  });
}
)";

}  // namespace

std::vector<Picture> draw_pictures(const std::vector<BenchFile>& files) {
  std::vector<Picture> pictures;
  const auto all = all_of(files);
  const Shown shown{.least = !files.empty() && std::all_of(files.begin(), files.end(),
                                                           [](const BenchFile& f) { return f.procedure == "survey"; })};
  const Table best = best_table(all, shown);
  graph500_charts(files, pictures);
  if (best.rows.size() > 1) {
    Table slow = best;
    slow.title = "Slow-down against the best";
    slow.note =
        fmt::format("{}Time of one traversal, {}, as a multiple of the best on that graph.", device_text(files), shown.words());
    pictures.push_back({"slowdown",
                        "How many times the best strategy's time on that graph, sorted by the geometric mean; the best is "
                        "outlined, hatched cells "
                        "have no value.",
                        slowdown_matrix(slow)});
    rivals(best, device_text(files), pictures);
  }
  if (!best.rows.empty())
    pictures.push_back({"times",
                        fmt::format("Every source, with minimum, {} and maximum; best parameters measured, logarithmic axis.",
                                    shown.least ? "the least of all runs" : "median"),
                        dot_panels(best)});
  roofline_chart(files, pictures);
  teps_chart(all, pictures);
  timelines(all, pictures);
  level_charts(all, pictures);
  heat_maps(all, shown, pictures);
  width_chart(all, shown, pictures);
  loading_chart(all, pictures);
  for (const auto& f : files)
    for (const auto& p : f.pictures) {
      pictures.push_back(
          {"spy-" + file_name(short_name(p.graph)), "Row u, column v: arcs u → v in bins; darker is denser.", spy_chart(p)});
      pictures.push_back({"degrees-" + file_name(short_name(p.graph)), "Vertices by out-degree.",
                          histogram_chart("degrees of " + p.graph, {degree_histogram("Degrees of " + p.graph, p.degrees)})});
    }
  return pictures;
}

std::string html_page(const std::vector<BenchFile>& files, const std::vector<ResultFile>& others) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>hopwave report</title><style>{}</style></head><body>\n"
      "<h1>hopwave report</h1>\n",
      page_style + page_colors());
  for (const auto& f : files) out += environment_table(f) + "<br>\n";
  for (const auto& p : draw_pictures(files))
    if (p.in_page)
      out += fmt::format("<figure id=\"{}\">{}<figcaption>{}</figcaption></figure>\n", p.name, p.svg, xml_escape(p.caption));
  if (const auto all = all_of(files); !files.empty())
    out += "<h2>All measurements</h2>\n" + folded(core::plural(all.size(), "measurement"), all.size(), measurement_table(all));
  for (const ResultFile& file : others) out += result_section(file);
  return out + "<script>" + sort_script + "</script></body></html>\n";
}

}  // namespace hopwave::report

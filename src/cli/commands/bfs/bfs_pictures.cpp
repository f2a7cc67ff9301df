#include "cli/commands/bfs/bfs_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/frame/console.h"
#include "cli/frame/result_file.h"
#include "draw/timeline.h"
#include "hopwave/io.h"
#include "measure/search_picture.h"

namespace hopwave::cli {
namespace {

void check_picture(const BfsArguments& a) {
  if (a.picture.empty()) {
    if (!a.coordinates.empty()) refuse("--coordinates without --picture", "--picture FILE, where the map is drawn");
    if (a.step != 0) refuse("--step without --picture", "--picture FILE, which it draws a step of");
    if (!a.against.empty()) refuse("--against without --picture", "--picture FILE, which it draws both trees of");
    if (a.layout == "auto") return;
    refuse("--layout without --picture", "--picture FILE, which it places the vertices of");
  }
  if (!a.coordinates.empty()) {
    picture::require_ending(a.picture, "map", {"svg", "png"});
    if (a.step != 0 || a.layout != "auto" || !a.against.empty())
      refuse("--coordinates with --step, --layout or --against: a map shows all levels, with vertices where they are",
             "one of the two");
  }
  picture::check_ending(a.picture);
  if (a.layout != "auto" && picture::is_dot(a.picture))
    refuse("--layout for a file in Graphviz's language, which holds no places", "one of the two");
  const bool sheet = picture::ending_of(a.picture) == "svg" || picture::ending_of(a.picture) == "png";
  if (a.step != 0 && !sheet)
    refuse("--step for a file that is neither .svg nor .png", "one of the two",
           "a page opens at step 2 by its address: picture.html#step-2");
  if (!a.against.empty()) {
    if (a.against == "dfs" && !sheet) refuse("--against dfs for a file that is neither .svg nor .png", "one of the two");
    if (a.against == "dfs" && (a.step != 0 || a.max_depth >= 0 || !a.target.empty()))
      refuse("--against dfs with --step, --max-depth or --target: it draws whole searches", "one of the two");
    if (a.against != "dfs" && picture::ending_of(a.picture) != "html")
      refuse("--against STRATEGY for a file that is no .html page", "a page, or --against dfs");
    if (a.against != "dfs") (void)find_strategy(a.against);
  }
  if (a.mode == "each") refuse("--picture with --mode each: a picture shows one search", "one of the two");
}

void check_timeline(const BfsArguments& a) {
  if (a.timeline.empty()) return;
  picture::require_ending(a.timeline, "timeline", {"svg", "json"});
  check_two_outputs(a.output, a.timeline, "-o and --timeline");
  check_two_outputs(a.picture, a.timeline, "--picture and --timeline");
}

}  // namespace

void check_pictures(const BfsArguments& a) {
  check_picture(a);
  check_timeline(a);
}

namespace {

/// The other strategy on the same device, with those of the parameters that it has.
SearchOptions options_beside(const BfsJob& job) {
  SearchOptions options = job.options;
  options.strategy = job.beside;
  options.run.progress = {};
  const auto& known = find_strategy(job.beside).parameters;
  std::erase_if(options.parameters, [&](const auto& given) {
    return std::none_of(known.begin(), known.end(), [&](const ParameterInfo& p) { return p.name == given.first; });
  });
  return options;
}

}  // namespace

void draw(const BfsJob& job, const Graph& graph, picture::Subject& subject, const Query& query, const Result& result) {
  picture::take_result(subject, query, result);
  subject.title = picture::title_of(subject, printable(job.graph.graph), job.shown.against_depth_first);
  if (job.beside.empty()) return picture::write_picture(subject, job.placing, job.picture, job.shown);
  const picture::Subject other = picture::searched(graph, query, options_beside(job));
  subject.title.insert(subject.strategy.size(), " beside " + other.strategy);
  picture::write_picture(subject, job.placing, job.picture, job.shown, &other);
}

void write_map(const BfsJob& job, const Graph& graph, const picture::Places& places, const Query& query, const Result& result) {
  constexpr std::uint32_t svg_side = 480, png_side = 720;
  const bool svg = picture::ending_of(job.picture) == "svg";
  const std::string title = fmt::format("{}: steps from {}", printable(job.graph.graph.substr(job.graph.graph.rfind('/') + 1)),
                                        printable(graph.ids().name(query.sources.front())));
  const auto scene = picture::draw_map(graph, places, result.distance, query.sources, title, svg ? svg_side : png_side);
  OutputFile out(job.picture);
  out.write(svg ? picture::to_svg(scene) : picture::to_png(scene, job.picture));
  out.commit();
}

void write_timeline(const BfsJob& job, const Graph& graph, const SearchSummary& report) {
  std::vector<report::TimelineRow> rows;
  for (const OneSearch& one : report.searches) {
    SearchReport run = one.run;
    run.prepare = rows.empty() ? report.run.prepare : Milliseconds();
    run.copy_in = rows.empty() ? report.run.copy_in : Milliseconds();
    std::string name = "from " + printable(graph.ids().name(one.sources.front()));
    if (one.sources.size() > 1) name += fmt::format(" and {} more", one.sources.size() - 1);
    rows.push_back(report::timeline_row(std::move(name), run));
  }
  const std::string title =
      fmt::format("{} on {}, {}", report.run.strategy, core::name_of(report.run.device), printable(job.graph.graph));
  OutputFile out(job.timeline);
  out.write(picture::ending_of(job.timeline) == "svg" ? report::timeline_chart(title, rows)
                                                      : report::timeline_trace(title, rows));
  out.commit();
}

}  // namespace hopwave::cli

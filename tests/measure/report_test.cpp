// Statistics, bench files, procedures and charts: figures by hand, files there and back, pictures as well-formed XML.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "draw/chart_svg.h"
#include "draw/charts.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "measure/bench_file.h"
#include "measure/measure.h"
#include "measure/procedures.h"
#include "measure/report_page.h"
#include "measure/result_tables.h"
#include "measure/tuning.h"
#include "support/error_id.h"
#include "support/ticks.h"

namespace hopwave::report {
namespace of_report_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Every start tag has its end, attributes are quoted, no stray & or <. Enough to catch what breaks a page.
std::string broken_xml(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&' && text.find(';', i) > i + 6) return "stray & at " + std::to_string(i);
    if (text[i] != '<') continue;
    const auto end = text.find('>', i);
    if (end == std::string::npos) return "tag without end";
    std::string tag = text.substr(i + 1, end - i - 1);
    i = end;
    if (tag.empty()) return "empty tag";
    if (tag[0] == '!') continue;
    if (std::count(tag.begin(), tag.end(), '"') % 2) return "open quote in <" + tag;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected <" + tag + ">";
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

Measurement made_up(const std::string& graph, const std::string& strategy, double ms, Parameters parameters = {}) {
  Measurement m;
  m.graph.name = graph;
  m.graph.hash = std::hash<std::string>{}(graph);
  m.graph.profile = {.num_vertices = 100, .num_arcs = 400, .average_degree = 4};
  m.configuration = {.strategy = strategy, .device = DeviceKind::sim, .parameters = std::move(parameters)};
  m.ran = strategy;
  m.verified = true;
  m.sources = {
      {.source = 3, .reached = 90, .component_arcs = 380, .depth = 7, .search_ms = {ms, ms * 1.5}, .host_ms = {ms, ms}}};
  m.search_ms = statistics(std::vector<double>{ms});
  m.teps_harmonic = 380 / (ms * 1e-3);
  m.trace = {{.level = 1, .direction = "push", .frontier = 1, .edges = 3, .discovered = 3, .time = Milliseconds(0.1)},
             {.level = 2, .direction = "pull", .frontier = 3, .edges = 30, .discovered = 86, .time = Milliseconds(0.3)}};
  return m;
}

TEST(Statistics, ByHand) {
  const Statistics s = statistics(std::vector<double>{4, 1, 2, 5});
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.median, 3);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.max, 5);
  EXPECT_NEAR(s.deviation, std::sqrt(10.0 / 3), 1e-12);
  EXPECT_NEAR(s.harmonic_mean, 4 / (1 + 0.5 + 0.25 + 0.2), 1e-12);
  EXPECT_DOUBLE_EQ(statistics({}).median, 0);
  EXPECT_DOUBLE_EQ(statistics(std::vector<double>{7}).median, 7);
  EXPECT_DOUBLE_EQ(statistics(std::vector<double>{7}).deviation, 0);
}

TEST(BenchFile, GoesThereAndBack) {
  BenchFile file;
  file.environment = {
      .command = "hopwave bench \"x\"", .version = "0", .commit = "abc", .date = "now", .cpu = "c", .threads = 2};
  file.measurements = {made_up("a", "one", 1.25, {{"block", 64}}), made_up("a", "two", 2.5)};
  file.measurements[1].skipped = "needs clusters";
  file.pictures = {draw_graph("a", build_graph(generate("grid:8x8")), 4)};
  const BenchFile back = bench_from_json(to_json(file), "x.json");
  EXPECT_EQ(to_json(back), to_json(file));
  EXPECT_EQ(back.measurements[0].configuration.parameters.at("block"), 64);
  EXPECT_EQ(back.measurements[0].sources[0].search_ms[1], 1.25 * 1.5);
  EXPECT_EQ(back.measurements[1].skipped, "needs clusters");
  EXPECT_STREQ(back.measurements[0].trace[1].direction, "pull");
}

TEST(BenchFile, RefusesWhatIsNone) {
  for (const std::string text : {"", "{", "[]", "{}", "{\"schema\":\"other/1\"}", "{\"schema\":\"hopwave-bench/1\"}",
                                 "{\"schema\":\"hopwave-bench/1\",\"procedure\":3}"}) {
    try {
      bench_from_json(text, "x.json");
      ADD_FAILURE() << "took " << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.id(), "HW-BENCH-FILE") << text;
      EXPECT_EQ(std::string(e.what()).find("schema ''"), std::string::npos) << "names nothing";
    }
  }
  try {
    bench_from_json("{\"device\":\"H200\",\"graphs\":[]}", "x.json");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("without a schema, with the keys 'device', 'graphs'"), std::string::npos) << e.what();
  }
}

TEST(ResultTables, RowsWithinRowsAndNamedRows) {
  const ResultFile file = tables_from_json(
      R"({"device": "H<200>", "limits": {"runs": 3, "list": [1, 2.5]}, "graphs": [
            {"arcs": 4, "graph": "a", "rows": [{"prepared": true, "run": {"ms": 0.12345678}}, {"prepared": false, "run": {"ms": 2}}]},
            {"arcs": 5, "graph": "b", "rows": [{"prepared": true, "extra": null}]}],
          "cc": {"road": {"ms": 1}, "mesh": {"ms": 2}}})",
      "x.json");
  EXPECT_EQ(file.facts, (std::vector<std::pair<std::string, std::string>>{
                            {"device", "H<200>"}, {"limits › runs", "3"}, {"limits › list", "1, 2.5"}}));
  ASSERT_EQ(file.tables.size(), 2u);
  const auto text = [](const ResultTable& table) {
    std::string all;
    for (const std::string& column : table.columns) all += column + "|";
    for (const auto& row : table.rows) {
      all += "\n";
      for (const Cell& cell : row) all += cell.text + (cell.number ? "#|" : "|");
    }
    return all;
  };
  EXPECT_EQ(file.tables[0].title, "graphs › rows");
  EXPECT_EQ(text(file.tables[0]), "graph|prepared|extra|arcs|run › ms|\na|yes||4#|0.123457#|\na|no||4#|2#|\nb|yes|–|5#||");
  EXPECT_EQ(file.tables[1].title, "cc");
  EXPECT_EQ(text(file.tables[1]), "|ms|\nroad|1#|\nmesh|2#|");
  const std::string page = html_page({}, {file});
  EXPECT_NE(page.find("<td>H&lt;200&gt;</td>"), std::string::npos);
  EXPECT_NE(page.find("graphs › rows: 3 rows"), std::string::npos);
  EXPECT_EQ(page.find("All measurements"), std::string::npos);
  for (const char* const none : {"", "[1]", "{}", "{\"a\": 1}", "{\"a\": [1, 2]}", "{\"a\": []}"})
    EXPECT_EQ(testing::id_of([&] { (void)tables_from_json(none, "x.json"); }), "HW-BENCH-FILE") << none;
}

TEST(BenchFile, NamesKeepMarkdownTablesWhole) {
  BenchFile file;
  file.measurements = {made_up("a|b\nc", "one", 1.0)};
  EXPECT_NE(to_markdown(file).find("| strategy | a\\|b c |\n|---|---:|\n"), std::string::npos) << to_markdown(file);
  EXPECT_NE(best_configurations(file.measurements).find("\n| a\\|b c | one |"), std::string::npos);
  EXPECT_NE(dataset_table({{file.measurements[0].graph, 3}}).find("\n| a\\|b c | 100 |"), std::string::npos);
}

TEST(BenchFile, FindsRegressionsOnTheSameGraphOnly) {
  BenchFile before, now;
  before.measurements = {made_up("a", "one", 1.0), made_up("b", "one", 1.0), made_up("a", "one", 1.0, {{"block", 64}})};
  now.measurements = {made_up("a", "one", 1.2), made_up("b", "one", 1.05), made_up("c", "one", 9)};
  EXPECT_EQ(regressions(now, before, 1.1).slower.size(), 1u);
  EXPECT_EQ(regressions(now, before, 1.3).slower.size(), 0u);
  EXPECT_EQ(regressions(now, before, 1.01).slower.size(), 2u);
  // What the baseline lacks is told apart from what was compared; what was skipped is neither.
  now.measurements.push_back(made_up("a", "one", 1.0));
  now.measurements.back().skipped = "needs clusters";
  EXPECT_EQ(regressions(now, before, 1.1).measured, 3u);
  EXPECT_EQ(regressions(now, before, 1.1).compared, 2u);
  for (auto& m : now.measurements) m.configuration.device = DeviceKind::cpu;
  EXPECT_EQ(regressions(now, before, 1.1).compared, 0u);
}

TEST(Scan, Multiplies) {
  const auto all = scan({{"width", 8}}, {{"block", {32, 64}}, {"grid", {0, 1, 2}}});
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].at("width"), 8);
  EXPECT_EQ(all[5].at("block"), 64);
  EXPECT_EQ(all[5].at("grid"), 2);
  EXPECT_EQ(scan({}, {}).size(), 1u);
}

TEST(Charts, AreWellFormed) {
  const Table table{
      .title = "T & <t>", .unit = "ms", .rows = {"a<b", "c"}, .columns = {"g1", "g\"2"}, .values = {{1, nan}, {300, 2}}};
  for (const auto& svg :
       {dot_panels(table), slowdown_matrix(table), heat_map(table, "blocks", "threads"), stacked_bars(table),
        level_chart("L", made_up("a", "x", 1).trace), level_chart("none", {}),
        line_chart("l", "x", "y", {{"s", {{1, 10}, {2, 1000}}}, {"one", {{1, 5}}}}), line_chart("none", "x", "y", {}),
        roofline("r", 4e12, {{"p", 2, 1e12}, {"q", 0.5, 1e9}}), spy_chart(draw_graph("g", build_graph(generate("star:20")), 8)),
        histogram_chart("g", {degree_histogram("d", draw_graph("g", build_graph(generate("star:20")), 8).degrees)})}) {
    EXPECT_EQ(broken_xml(svg), "") << svg.substr(0, 300);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
  }
}

TEST(Charts, RatesAreWrittenAsPeopleDo) {
  EXPECT_EQ(rate_text(4.22e12), "4.22 TB/s");
  EXPECT_EQ(rate_text(900e9), "900 GB/s");
  EXPECT_EQ(rate_text(12), "12 B/s");
}

TEST(Charts, OutlineTheBestAndHatchTheInvalid) {
  const Table table{.title = "t", .unit = "ms", .rows = {"a", "b"}, .columns = {"x"}, .values = {{1.5}, {nan}}};
  const std::string svg = heat_map(table, "r", "c");
  EXPECT_NE(svg.find("class=\"best\""), std::string::npos);
  EXPECT_NE(svg.find("fill=\"url(#hatch)\""), std::string::npos);
}

TEST(Charts, ThousandsOfLevelsStaySmall) {
  std::vector<LevelTrace> trace(6000, {.level = 1, .direction = "push", .frontier = 3, .time = Milliseconds(0.001)});
  EXPECT_LT(level_chart("deep", trace).size(), 300000u);
}

TEST(Page, HoldsEveryPictureThatTheMeasurementsAllow) {
  BenchFile file;
  for (const std::int64_t grid : {0, 64})
    for (const std::int64_t block : {32, 64})
      file.measurements.push_back(made_up("rmat:10,16", "one", 1.0 + block, {{"grid", grid}, {"block", block}}));
  // Widths at one grid and block: a line, and no part in the heat map.
  for (const std::int64_t width : {4, 16})
    file.measurements.push_back(made_up("rmat:10,16", "one", 0.5, {{"grid", 0}, {"block", 32}, {"width", width}}));
  file.measurements.push_back(made_up("rmat:12,16", "one", 4));
  const auto names_of = [](const BenchFile& f) {
    std::vector<std::string> names;
    for (const auto& p : draw_pictures({f})) names.push_back(p.name);
    return names;
  };
  const auto alone = names_of(file);
  EXPECT_EQ(std::find(alone.begin(), alone.end(), "slowdown"), alone.end()) << "of one strategy";
  file.measurements.push_back(made_up("rmat:12,16", "two", 5));
  file.pictures = {draw_graph("rmat:10,16", build_graph(generate("rmat:6,4")), 8)};
  const auto names = names_of(file);
  for (const std::string wanted :
       {"slowdown", "times", "teps", "loading", "heat-one-rmat-10-16", "widths", "spy-rmat-10-16", "degrees-rmat-10-16"})
    EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
  EXPECT_EQ(std::count_if(names.begin(), names.end(), [](const auto& n) { return n.starts_with("heat-"); }), 1);
  const std::string page = html_page({file});
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));  // nothing from outside
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_NE(page.find("<table class=\"sortable\">"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_NE(page.find("<details open>"), std::string::npos) << "a short table is open";
  EXPECT_NE(page.find("<figure id=\"heat-one-rmat-10-16\">"), std::string::npos);
}

// As the survey's figure 7: the least of all runs, not the median over sources.
TEST(Page, OfASurveyShowsTheLeast) {
  BenchFile file;
  for (const std::int64_t grid : {0, 64})
    for (const std::int64_t block : {32, 64})
      file.measurements.push_back(made_up("roads", "one", 3.0 + block, {{"grid", grid}, {"block", block}}));
  file.measurements.push_back(made_up("roads", "two", 40));
  file.measurements[1].sources[0].search_ms = {70, 1.375, 90};
  const auto picture = [&](const std::string& name) {
    for (const Picture& p : draw_pictures({file}))
      if (p.name == name) return p.caption + p.svg;
    return std::string();
  };
  for (const std::string name : {"times", "heat-one-roads"}) EXPECT_EQ(picture(name).find("1.38"), std::string::npos) << name;
  file.procedure = "survey";
  EXPECT_NE(html_page({file}).find("Least of the runs"), std::string::npos);
  for (const std::string name : {"times", "heat-one-roads"}) EXPECT_NE(picture(name).find("1.38"), std::string::npos) << name;
  EXPECT_NE(picture("times").find("time (ms), logarithmic"), std::string::npos);
  // The number of blocks goes across, as in the survey's figure 8, and a key gives the colours.
  const std::string heat = picture("heat-one-roads");
  EXPECT_NE(heat.find("threads per block 64, blocks cover: 1.375 ms"), std::string::npos) << heat;
  EXPECT_NE(heat.find("times the best"), std::string::npos);
  EXPECT_NE(heat.find("the least of all runs"), std::string::npos);
}

TEST(Page, WhatRanNowhereIsInNoPicture) {
  BenchFile file;
  for (const char* const strategy : {"one", "two", "elsewhere"})
    for (const char* const graph : {"a", "b"}) file.measurements.push_back(made_up(graph, strategy, 1));
  for (Measurement& m : file.measurements) m.trace.clear();
  file.measurements[3].skipped = "does not fit";
  file.measurements[4].skipped = file.measurements[5].skipped = "needs a GPU";
  for (const Picture& picture : draw_pictures({file})) {
    EXPECT_EQ(picture.svg.find("elsewhere"), std::string::npos) << picture.name;
    if (picture.name == "slowdown") EXPECT_NE(picture.svg.find("two (sim) was not measured on b"), std::string::npos);
  }
  EXPECT_NE(html_page({file}).find("skipped: needs a GPU"), std::string::npos);
}

TEST(Page, TracedSearchesOfAGraphAreOnOneAxisOfTime) {
  BenchFile file;
  file.measurements = {made_up("a", "slow", 1), made_up("a", "fast", 1, {{"block", 64}}), made_up("b", "one", 1),
                       made_up("a", "untraced", 1), made_up("a", "untimed", 1)};
  for (LevelTrace& level : file.measurements[0].trace) level.time *= 2;
  file.measurements[3].trace.clear();
  for (LevelTrace& level : file.measurements[4].trace) level.time = {};
  std::vector<Picture> timelines;
  for (const Picture& picture : draw_pictures({file}))
    if (picture.name.starts_with("timeline-")) timelines.push_back(picture);
  ASSERT_EQ(timelines.size(), 1u) << "a search alone has a chart of its levels";
  EXPECT_EQ(timelines[0].name, "timeline-a");
  const std::string& svg = timelines[0].svg;
  EXPECT_EQ(broken_xml(svg), "");
  EXPECT_LT(svg.find(">fast (sim) block=64<"), svg.find(">slow (sim)<")) << "the shortest first";
  EXPECT_EQ(svg.find("untraced"), std::string::npos);
  EXPECT_EQ(svg.find("untimed"), std::string::npos);
}

TEST(Page, WhatAllPointsOfARooflineShareIsInItsTitle) {
  BenchFile file;
  file.environment.copy_bytes_per_second = 4e12;
  for (const char* const graph : {"a", "b"}) {
    file.measurements.push_back(made_up(graph, "auto", 1));
    file.measurements.back().configuration.device = DeviceKind::gpu;
  }
  const auto svg_of = [&] {
    for (const Picture& picture : draw_pictures({file}))
      if (picture.name == "roofline") return picture.svg;
    return std::string();
  };
  EXPECT_NE(svg_of().find(">auto under the roof<"), std::string::npos);
  EXPECT_EQ(svg_of().find("auto on a"), std::string::npos);
  file.measurements[1].configuration.prepare = true;
  EXPECT_NE(svg_of().find(">auto on a "), std::string::npos);
  EXPECT_NE(svg_of().find(">auto, prepared on b "), std::string::npos);
}

TEST(Page, SeveralHeatMapsAreOnePicture) {
  BenchFile file;
  for (const std::string graph : {"rmat:10,16", "grid:9x9"})
    for (const std::string strategy : {"one", "two"})
      for (const std::int64_t grid : {0, 64})
        for (const std::int64_t block : {32, 64, 128})
          if (strategy == "one" || block < 128)
            file.measurements.push_back(
                made_up(graph, strategy, 1.0 + static_cast<double>(block), {{"grid", grid}, {"block", block}}));
  file.measurements.back().skipped = "does not fit";
  const auto pictures = draw_pictures({file});
  std::size_t files = 0;
  for (const auto& p : pictures)
    if (p.name.starts_with("heat-")) {
      ++files;
      EXPECT_FALSE(p.in_page) << p.name;
    }
  EXPECT_EQ(files, 4u) << "as files of their own";
  const auto whole = std::find_if(pictures.begin(), pictures.end(), [](const auto& p) { return p.name == "heat"; });
  ASSERT_NE(whole, pictures.end());
  EXPECT_EQ(broken_xml(whole->svg), "");
  const auto count = [&](const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(whole->svg, "times the best</title>"), 2u * 6 + 2 * 4 - 1);
  EXPECT_EQ(count(whole->svg, "could not run</title>"), 1u);
  EXPECT_EQ(count(whole->svg, "class=\"best\""), 4u) << "one per map";
  const std::string page = html_page({file});
  EXPECT_EQ(count(page, "<figure id=\"heat"), 1u);
  for (int i = 0; i < 30; ++i) file.measurements.push_back(made_up("g", "s" + std::to_string(i), 1));
  EXPECT_NE(html_page({file}).find("<details><summary>50 measurements</summary>"), std::string::npos) << "closed";
}

TEST(Page, AGraph500RunBeginsWithItsResult) {
  BenchFile file;
  file.procedure = "graph500";
  file.environment.cpu = "a machine";
  file.measurements = {made_up("rmat:23,16,1", "auto", 0.2)};
  file.measurements[0].teps_harmonic = 692e9;
  file.measurements[0].sources.assign(64, file.measurements[0].sources[0]);
  for (std::size_t i = 0; i < 64; ++i) file.measurements[0].sources[i].search_ms = {0.1 + 0.001 * static_cast<double>(i)};
  const auto pictures = draw_pictures({file});
  ASSERT_FALSE(pictures.empty());
  EXPECT_TRUE(pictures[0].name.starts_with("graph500-")) << pictures[0].name;
  const std::string& svg = pictures[0].svg;
  EXPECT_EQ(broken_xml(svg), "");
  for (const char* const words :
       {">692 GTEPS<", "64 searches, all validated. a machine", ">minimum 0.100<", ">median 0.132<", ">maximum 0.163<"})
    EXPECT_NE(svg.find(words), std::string::npos) << words << "\n" << svg;
  EXPECT_EQ(headline_chart("t", "1", "", "x", {}).find("<circle"), std::string::npos);
  EXPECT_EQ(headline_chart("t", "1", "", "x", {5, 5}).find("nan"), std::string::npos);
}

TEST(Measure, VerifiesCountsAndSkips) {
  const Graph graph = build_graph(generate("rmat:8,8"));
  const auto facts = graph_facts("rmat:8,8", graph);
  const auto sources = random_sources(graph, 3, 7);
  ASSERT_EQ(sources.size(), 3u);
  EXPECT_EQ(random_sources(graph, 3, 7), sources);
  const Measurement m = measure(facts, graph, {.strategy = "cpu-sequential"}, sources, {.warmup = 1, .runs = 2});
  EXPECT_TRUE(m.verified);
  EXPECT_EQ(m.skipped, "");
  for (const auto& s : m.sources) {
    EXPECT_EQ(s.search_ms.size(), 2u);
    EXPECT_GT(s.reached, 1u);
    EXPECT_GT(s.component_arcs, 0u);
  }
  EXPECT_GT(m.teps_harmonic, 0);
  EXPECT_THROW(measure(facts, graph, {.strategy = "no-such"}, sources, {}), Error);
}

TEST(Measure, SearchesAsItIsTold) {
  MeasureOptions options;
  options.run.simulator.schedule = ScheduleKind::slow_block;
  options.run.limits.time = Seconds(1e-9);
  EXPECT_EQ(search_options({.strategy = "auto", .device = DeviceKind::sim}, options).run.simulator.schedule,
            ScheduleKind::slow_block);
  EXPECT_EQ(search_options({.strategy = "cpu-sequential"}, options).run.simulator.schedule, ScheduleKind::uniform)
      << "beside the others";
  const Graph graph = build_graph(generate("rmat:8,8"));
  EXPECT_EQ(testing::id_of([&] {
              measure(graph_facts("rmat:8", graph), graph, {.strategy = "cpu-sequential"}, random_sources(graph, 1, 1),
                      options);
            }),
            "HW-TIME-LIMIT");
}

TEST(Tuning, TriesTheStandardValueAndBothEnds) {
  const auto values = values_to_try({"width", 8, 2, 32, ""}, 8);
  EXPECT_EQ(values.front(), 8);
  for (const std::int64_t v : {2, 4, 16, 32}) EXPECT_NE(std::find(values.begin(), values.end(), v), values.end()) << v;
  for (const auto v : values_to_try({"grid", 0, 0, 100, ""}, 8)) EXPECT_LE(v, 100);
}

TEST(Tuning, KeepsTheBestAndFindsItAgain) {
  const Graph graph = build_graph(generate("rmat:7,8"));
  const auto facts = graph_facts("rmat:7,8", graph);
  const TunedEntry entry = tune(facts, graph, find_strategy("survey-virtual-warp"), DeviceKind::sim,
                                random_sources(graph, 1, 1), {.warmup = 0, .runs = 1});
  EXPECT_LE(entry.ms, entry.standard_ms);
  EXPECT_EQ(entry.device, "simulator");
  for (const auto& p : find_strategy("survey-virtual-warp").parameters)
    EXPECT_TRUE(entry.parameters.contains(std::string(p.name)));
  Tuning tuning;
  tuning.keep(entry);
  tuning.keep(entry);
  EXPECT_EQ(tuning.entries().size(), 1u);
  const Tuning back = Tuning::from_json(tuning.to_json(), "t.json");
  ASSERT_NE(back.find("simulator", entry.graphs, "survey-virtual-warp"), nullptr);
  EXPECT_EQ(back.find("simulator", entry.graphs, "survey-virtual-warp")->parameters, entry.parameters);
  EXPECT_EQ(back.find("other", entry.graphs, "survey-virtual-warp"), nullptr);
  EXPECT_THROW(Tuning::from_json("{}", "t.json"), Error);
}

TEST(Tuning, WhereNothingRunsSaysWhy) {
  if (device_info().gpu) GTEST_SKIP() << "there is a GPU";
  const Graph graph = build_graph(generate("rmat:5,4"));
  EXPECT_EQ(testing::id_of([&] {
              (void)tune(graph_facts("rmat:5,4", graph), graph, find_strategy("auto"), DeviceKind::gpu, {0},
                         {.warmup = 0, .runs = 1});
            }),
            "HW-DEVICE-NONE");
}

TEST(Tuning, ClassesOfGraphs) {
  EXPECT_EQ(graph_class(profile(build_graph(generate("rmat:10,16")))), "skewed");
  EXPECT_EQ(graph_class(profile(build_graph(generate("grid:40x40")))), "deep");
  EXPECT_EQ(graph_class(profile(build_graph(generate("uniform:10,16")))), "even");
}

TEST(Measure, SourcesHaveAnArcOut) {
  // Arcs 0 → 1 … 9 and nothing else: only one vertex of the component can start a search.
  EdgeList list{.num_vertices = 10, .edges = Array<Edge>(9)};
  for (VertexId v = 1; v < 10; ++v) list.edges[v - 1] = {0, v};
  list.ids = Ids::consecutive(10);
  EXPECT_EQ(random_sources(build_graph(std::move(list)), 4, 1), std::vector<VertexId>{0});
}

TEST(Graph500, GivesTheOfficialFields) {
  const auto run = run_graph500(8, 16, 8, {.strategy = "cpu-sequential"}, {});
  EXPECT_EQ(run.input_edges, 256u * 16);
  EXPECT_EQ(run.nedge.size(), 8u);
  for (const double e : run.nedge) EXPECT_LE(e, 256.0 * 16);
  const std::string text = graph500_text(run);
  for (const std::string key :
       {"SCALE: 8\n", "edgefactor: 16\n", "NBFS: 8\n", "construction_time: ", "min_time: ", "median_time: ",
        "thirdquartile_nedge: ", "harmonic_mean_TEPS: ", "harmonic_stddev_TEPS: ", "max_validate: "})
    EXPECT_NE(text.find(key), std::string::npos) << key << "\n" << text;
}

TEST(Graph500, OnTheDeviceGivesTheSameComponents) {
  const testing::Ticks ticks;  // what is measured is above 0
  const auto host = run_graph500(7, 8, 6, {.strategy = "cpu-sequential"}, {});
  for (const bool prepare : {false, true}) {
    const auto run = run_graph500(7, 8, 6, {.strategy = "auto", .device = DeviceKind::sim, .prepare = prepare}, {});
    EXPECT_TRUE(run.resident);
    EXPECT_TRUE(run.measurement.verified);
    EXPECT_GT(run.build_seconds, 0);
    EXPECT_EQ(run.input_edges, host.input_edges);
    EXPECT_EQ(run.nedge, host.nedge);
    EXPECT_EQ(run.measurement.graph.hash, host.measurement.graph.hash);
    ASSERT_EQ(run.measurement.sources.size(), host.measurement.sources.size());
    for (std::size_t i = 0; i < run.measurement.sources.size(); ++i) {
      EXPECT_EQ(run.measurement.sources[i].source, host.measurement.sources[i].source);
      EXPECT_EQ(run.measurement.sources[i].reached, host.measurement.sources[i].reached);
      EXPECT_EQ(run.measurement.sources[i].component_arcs, host.measurement.sources[i].component_arcs);
      EXPECT_EQ(run.measurement.sources[i].depth, host.measurement.sources[i].depth);
    }
  }
}

}  // namespace of_report_test
}  // namespace hopwave::report

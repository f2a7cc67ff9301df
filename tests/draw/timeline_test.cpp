// Timelines: a trace that is valid JSON, whose events nest and add up to the report; and the chart.
#include "draw/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "hopwave/generate.h"
#include "support/xml.h"

namespace hopwave::testing {
namespace of_timeline_test {

using nlohmann::json;
using report::Span, report::TimelineRow, report::timeline_chart, report::timeline_row, report::timeline_trace;

SearchReport traced() {
  SearchReport run;
  run.prepare = Milliseconds(3);
  run.copy_in = Milliseconds(2);
  run.work = Milliseconds(10);
  run.copy_out = Milliseconds(1);
  run.launches = 4;
  run.round_trips = 2;
  run.parts = {{"launch", Milliseconds(0.5)}, {"last pass", Milliseconds(0.25)}};
  run.trace = {{.level = 1, .direction = "push", .frontier = 1, .edges = 7, .discovered = 6, .time = Milliseconds(1)},
               {.level = 2, .direction = "pull", .frontier = 6, .edges = 90, .discovered = 80, .time = Milliseconds(5)},
               {.level = 3, .direction = "push", .frontier = 80, .edges = 3, .discovered = 0, .time = Milliseconds(0)}};
  return run;
}

std::string words(const TimelineRow& row) {
  std::string text;
  for (const Span& span : row.spans) text += span.name + "; ";
  return text;
}

TEST(Timeline, PartsAreInOrderAndTouchEachOther) {
  const TimelineRow row = timeline_row("a", traced());
  EXPECT_EQ(words(row),
            "prepare; copy the graph; launch; level 1; level 2; level 3; last pass; outside the levels; copy the answer; ");
  double at = 0;
  for (const Span& span : row.spans) {
    EXPECT_DOUBLE_EQ(span.begin_ms, at) << span.name;
    at += span.ms;
  }
  EXPECT_DOUBLE_EQ(row.end_ms(), 3 + 2 + 10 + 1) << "nothing is lost";
  SearchReport short_work = traced();
  short_work.work = Milliseconds(2);  // clocks of a device and of the host differ
  EXPECT_DOUBLE_EQ(timeline_row("a", short_work).end_ms(), 3 + 2 + 6.75 + 1);
  EXPECT_TRUE(timeline_row("a", SearchReport()).spans.empty());
}

/// The complete events of a trace, by thread.
std::map<int, std::vector<json>> events_of(const std::string& text) {
  std::map<int, std::vector<json>> events;
  const json whole = json::parse(text);
  for (const json& event : whole.at("traceEvents"))
    if (event.at("ph") == "X") events[event.at("tid")].push_back(event);
  return events;
}

/// Each event of a thread begins at or after the end of the one before, or lies within it.
void expect_nested(const std::vector<json>& events) {
  constexpr double rounding = 1e-6;
  std::vector<std::pair<double, double>> open;
  for (const json& event : events) {
    const double begin = event.at("ts"), end = begin + double(event.at("dur"));
    ASSERT_GE(double(event.at("dur")), 0);
    while (!open.empty() && open.back().second <= begin + rounding) open.pop_back();
    if (!open.empty()) {
      EXPECT_GE(begin, open.back().first - rounding) << event;
      EXPECT_LE(end, open.back().second + rounding) << event;
    }
    open.emplace_back(begin, end);
  }
}

TEST(Timeline, ATraceIsJsonThatNestsAndAddsUp) {
  const SearchReport run = traced();
  const std::string text = timeline_trace("<a> \"b\" \xff", {timeline_row("one", run), timeline_row("two", run.trace)});
  const json whole = json::parse(text);
  EXPECT_EQ(whole.at("displayTimeUnit"), "ms");
  EXPECT_EQ(whole.at("traceEvents").at(0).at("name"), "process_name");
  const auto threads = events_of(text);
  ASSERT_EQ(threads.size(), 2u);
  for (const auto& [thread, events] : threads) expect_nested(events);
  double levels = 0, within = 0;
  for (const json& event : threads.at(1)) {
    if (event.at("cat") == "push" || event.at("cat") == "pull") {
      levels += double(event.at("dur"));
      const LevelTrace& level = run.trace.at(std::size_t(event.at("args").at("level")) - 1);
      EXPECT_EQ(event.at("args").at("edges"), level.edges);
      EXPECT_EQ(event.at("args").at("frontier"), level.frontier);
      EXPECT_EQ(event.at("args").at("discovered"), level.discovered);
      EXPECT_DOUBLE_EQ(event.at("dur"), level.time.count() * 1e3);
    } else if (event.at("cat") == "part") {
      within += double(event.at("dur"));
    } else if (event.at("name") == "search") {
      EXPECT_DOUBLE_EQ(event.at("dur"), run.work.count() * 1e3);
      EXPECT_DOUBLE_EQ(event.at("ts"), 5e3) << "after preparing and copying";
      EXPECT_EQ(event.at("args").at("launches"), 4);
      EXPECT_EQ(event.at("args").at("round_trips"), 2);
    }
  }
  EXPECT_DOUBLE_EQ(levels, 6e3);
  EXPECT_DOUBLE_EQ(levels + within, run.work.count() * 1e3);
}

TEST(Timeline, OfARealSearchTheLevelsAreThoseOfItsTrace) {
  const Graph graph = build_graph(generate("rmat:8,8"));
  Searcher searcher(graph, {.strategy = "pmpp-frontier", .trace = true, .run = {.device = DeviceKind::sim}});
  const Result result = searcher.run({.sources = {0}});
  ASSERT_FALSE(result.run.trace.empty());
  const auto threads = events_of(timeline_trace("t", {timeline_row("r", result.run)}));
  expect_nested(threads.at(1));
  std::size_t levels = 0;
  for (const json& event : threads.at(1)) levels += event.at("name").get<std::string>().starts_with("level ");
  EXPECT_EQ(levels, result.run.trace.size());
  const auto search =
      std::find_if(threads.at(1).begin(), threads.at(1).end(), [](const json& e) { return e.at("name") == "search"; });
  ASSERT_NE(search, threads.at(1).end());
  EXPECT_EQ(search->at("args").at("launches"), result.run.launches);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Timeline, AChartHasABoxPerPartAndATip) {
  const std::string svg = timeline_chart("a <title>", {timeline_row("one", traced()), timeline_row("two", traced())});
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<title>level 2: pull, 5 ms; frontier 6, arcs looked at 90, found 80</title>"), 2u);
  for (const char* const words : {">one<", ">two<", ">16 ms<", ">level, pull<", ">outside the levels<", ">ms<"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
  // Thousands of levels are no thousands of boxes.
  std::vector<LevelTrace> deep(20000, {.level = 1, .direction = "push", .time = Milliseconds(0.01)});
  for (std::size_t i = 0; i < deep.size(); ++i) deep[i].level = static_cast<Distance>(i + 1);
  const std::string many = timeline_chart("deep", {timeline_row("deep", deep)});
  EXPECT_LT(many.size(), 400000u);
  EXPECT_NE(many.find("levels 1 to "), std::string::npos);
  const std::vector<TimelineRow> rows(report::most_timeline_rows + 1, timeline_row("r", traced()));
  EXPECT_NE(timeline_chart("rows", rows).find("The first 60 of 61 searches."), std::string::npos);
  EXPECT_NE(timeline_chart("none", {timeline_row("r", SearchReport())}).find("No time was measured."), std::string::npos);
}

}  // namespace of_timeline_test
}  // namespace hopwave::testing

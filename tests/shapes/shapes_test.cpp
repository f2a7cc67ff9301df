// Composed graphs under every traversal and strategy: small ones in the simulator, each traversal of `auto` forced, prepared
// and not, the schedule and all thresholds drawn by the seed; larger ones on the CPU. The campaign's checks, and the campaign
// itself: that its certificate sees what is wrong, that its shrinker makes failures small, and that it outlives its workers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/sanitized.h"
#include "device/tried_schedules.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "hopwave/validate.h"
#include "shapes/campaign.h"
#include "shapes/certificate.h"
#include "shapes/shrink.h"
#include "simulator/races.h"
#include "support/temp_dir.h"

namespace hopwave::shapes {
namespace of_shapes_test {

std::uint64_t amount(std::uint64_t standard) {
  const char* const own = std::getenv("HOPWAVE_TEST_SHAPES");
  const char* const text = own ? own : std::getenv("HOPWAVE_TEST_GRAPHS");
  return text ? std::strtoull(text, nullptr, 10) : standard;
}

std::uint64_t first_seed() {
  const char* const text = std::getenv("HOPWAVE_TEST_FIRST");
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

/// Calls test(seed) for `count` seeds from HOPWAVE_TEST_FIRST (0) on; ends at the first failure. One thread: ctest runs several
/// of these tests side by side (tests/CMakeLists.txt), and in a process of two threads half the time goes into telling the
/// other core of unmapped memory.
template <class Test>
void for_seeds(std::uint64_t count, Test&& test) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed) test(seed);
}

struct Drawn {
  std::string spec;
  Graph graph;
};

Drawn draw(std::uint64_t seed, std::uint64_t least, std::uint64_t most) {
  Draws draws(seed);
  Drawn drawn{"shapes:" + std::to_string(seed) + "," + std::to_string(draws.spread(least, most)), {}};
  drawn.graph = build_graph(generate(drawn.spec), {}, {.threads = 1});
  return drawn;
}

/// Runs the session; a failure is reported with the command that shows it. In the simulator no race may be found, either.
void expect_right(const Drawn& drawn, const Session& session, const Config& config, Outcome& outcome) {
  sim::Races races;
  const sim::RaceWatch watch(races);
  const auto wrong = run_session(drawn.graph, session, session.options.run.simulator.seed % 16 == 0, config, outcome);
  EXPECT_FALSE(wrong) << wrong->kind << ": " << wrong->text << "\n"
                      << command_line(drawn.spec, session, session.acts[wrong->act], {});
  for (const sim::Race& race : races.all())
    ADD_FAILURE() << "race of " << race.write.at.file_name() << ":" << race.write.at.line() << " and "
                  << race.other.at.file_name() << ":" << race.other.at.line() << "\n"
                  << command_line(drawn.spec, session, session.acts.front(), {});
}

class ForcedTraversal : public ::testing::TestWithParam<std::string> {
 protected:
  ForcedTraversal() {
    config_.device = DeviceKind::sim;
    config_.small_launches = true;
    config_.searches = 4;
    config_.folder = dir_.path(".");
  }
  TempDir dir_;
  Config config_;
};

/// What a traversal calls itself in `why`; empty: it is not looked for.
std::string name_of(const std::string& way) {
  if (way == "grid-wide" || way == "single-cluster") return way;
  if (way == "high-diameter" || way == "async") return "high-diameter";
  if (way == "rows" || way == "packed" || way == "diagonals") return "shared-memory";
  return way == "level-launches" ? "one launch a level" : "";
}

/// Runs so many graphs, each unprepared and prepared, under the schedule of schedule_of(seed, prepare); few graphs have
/// diagonals, so more where less than least_forced searches had what was forced.
template <class ScheduleOf>
void expect_forced_right(const Config& config, const std::string& way, std::uint64_t graphs, ScheduleOf&& schedule_of,
                         std::uint64_t least_forced) {
  std::uint64_t searches = 0, forced = 0;
  for_seeds(graphs + 40, [&](std::uint64_t seed) {
    if (seed >= first_seed() + graphs && forced >= least_forced) return;
    const Drawn drawn = draw(seed, 4, 40);
    for (const bool prepare : {false, true}) {
      Session session = draw_sessions(drawn.graph, seed, config, way).front();
      session.options.prepare = prepare;
      session.options.run.simulator.seed = 2 * seed + prepare;
      session.options.run.simulator.schedule = schedule_of(seed, prepare);
      Outcome outcome;
      expect_right(drawn, session, config, outcome);
      searches += outcome.searches;
      for (const auto& [chosen, count] : outcome.chosen) forced += name_of(way).empty() || chosen == name_of(way) ? count : 0;
    }
  });
  EXPECT_GE(searches, 4 * graphs);
  EXPECT_GE(forced, least_forced) << "what was forced must also run";
}

TEST_P(ForcedTraversal, IsRightOnComposedGraphs) {
  expect_forced_right(
      config_, GetParam(), amount(40),
      [](std::uint64_t seed, bool prepare) {
        return static_cast<ScheduleKind>((seed + 3 * prepare) %
                                         device::tried_schedules);  // every kind, unprepared and prepared
      },
      amount(40));
}

/// Every search in weak memory: few graphs show that a release, an acquire or a fence is missing. Such a search costs more, so
/// there are fewer where there are many.
TEST_P(ForcedTraversal, IsRightInWeakMemory) {
  const std::uint64_t graphs = std::max(amount(40) / 8, std::min<std::uint64_t>(amount(40), 40));
  expect_forced_right(
      config_, GetParam(), graphs, [](std::uint64_t, bool) { return ScheduleKind::weak; }, graphs);
}

/// Besides, stores may be seen before loads that their threads make first. Each launch runs up to five times. Not under a
/// sanitizer, which reports what is seen in runs that count for nothing, too.
TEST_P(ForcedTraversal, IsRightWithLoadBuffering) {
  if (sanitized) GTEST_SKIP();
  expect_forced_right(
      config_, GetParam(), std::max<std::uint64_t>(amount(40) / 8, 1),
      [](std::uint64_t, bool) { return ScheduleKind::load_buffering; }, 1);
}

INSTANTIATE_TEST_SUITE_P(Every, ForcedTraversal, ::testing::ValuesIn(ways()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

std::vector<std::string> strategies_for(bool cpu) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies())
    if (info.device != "any" && (info.device == "cpu") == cpu) names.emplace_back(info.name);
  return names;
}
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// The literature's strategies, in the simulator.
class Literature : public ForcedTraversal {};

TEST_P(Literature, IsRightOnComposedGraphs) {
  config_.strategies = {GetParam()};
  for_seeds(amount(40) / 10, [&](std::uint64_t seed) {
    const Drawn drawn = draw(seed, 4, 40);
    Outcome outcome;
    for (const Session& session : draw_sessions(drawn.graph, seed, config_)) expect_right(drawn, session, config_, outcome);
  });
}

INSTANTIATE_TEST_SUITE_P(Every, Literature, ::testing::ValuesIn(strategies_for(false)), test_name);

class OnTheCpu : public ::testing::TestWithParam<std::string> {};

TEST_P(OnTheCpu, IsRightOnComposedGraphs) {
  const TempDir dir;
  Config config;
  config.strategies = {GetParam()};
  config.searches = 6;
  config.folder = dir.path(".");
  for_seeds(10 * amount(40), [&](std::uint64_t seed) {
    const Drawn drawn = draw(seed, 2, 200);
    Outcome outcome;
    for (const Session& session : draw_sessions(drawn.graph, seed, config)) expect_right(drawn, session, config, outcome);
  });
}

INSTANTIATE_TEST_SUITE_P(Every, OnTheCpu, ::testing::ValuesIn([] {
                           std::vector<std::string> names = strategies_for(true);
                           names.emplace_back("auto");
                           return names;
                         }()),
                         test_name);

// Whatever is changed in an answer, the certificate and validate() see it, and neither sees anything in what is right.
TEST(Certificate, SeesEveryChangeAndNothingElse) {
  std::uint64_t changed = 0, parents = 0;
  for (std::uint64_t seed = 0; seed < 10 * amount(40); ++seed) {
    const Drawn drawn = draw(seed, 2, 120);
    const Graph& graph = drawn.graph;
    Draws draws(seed + 1);
    const auto any = [&] { return static_cast<VertexId>(draws.below(graph.num_vertices())); };
    Query query{.sources = {any(), any()}, .parents = draws.once_in(2)};
    if (draws.once_in(3)) query.max_depth = static_cast<Distance>(draws.below(8));
    if (draws.once_in(3)) query.target = any();
    if (draws.once_in(2)) query.ties = Ties::min;
    const auto direction = static_cast<Direction>(draws.below(3));
    Result result = search(graph, query, {.strategy = "cpu-sequential", .direction = direction, .run = {.threads = 1}});
    Certificate certificate(graph, direction);
    ASSERT_EQ(certificate.check(query, result), "") << drawn.spec;
    ASSERT_TRUE(validate(graph, query, result, direction)) << drawn.spec;

    const VertexId v = any();
    if (query.parents && draws.once_in(2)) {
      result.parent[v] = draws.once_in(3) ? no_vertex : any();
      ++parents;
    } else {
      Distance& d = result.distance[v];
      d = draws.once_in(3) ? unreached : d + (draws.once_in(2) ? 1 : -1);
    }
    result.reached = 0, result.depth = 0;  // so that the sums do not tell
    for (const Distance d : result.distance) result.reached += d >= 0, result.depth = std::max(result.depth, d);
    const bool seen = !certificate.check(query, result).empty();
    EXPECT_EQ(seen, !validate(graph, query, result, direction)) << drawn.spec << " vertex " << v;
    changed += seen;
  }
  EXPECT_GE(changed, 5 * amount(40));
  EXPECT_GE(parents, amount(40));
}

/// An engine that is wrong behind the third level where a row has more than four arcs: the far end of such graphs is a level
/// off.
void spoil(const Graph& graph, const Query&, Result& result) {
  EdgeIndex longest = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (result.distance[v] >= 0) longest = std::max(longest, graph.out_degree(v));
  if (longest <= 4) return;
  for (Distance& d : result.distance)
    if (d == 3) d = 4;
}

TEST(Shrinker, MakesAPlantedFaultSmall) {
  Config config;
  config.spoil = spoil;
  for (const char* spec : {"shapes:5,20000", "shapes:4,3000", "shapes:3,2000"}) {
    const Graph graph = build_graph(generate(spec), {}, {.threads = 1});
    const Session session = draw_sessions(graph, 5, config).front();
    Outcome outcome;
    const auto wrong = run_session(graph, session, false, config, outcome);
    ASSERT_TRUE(wrong) << spec;
    ASSERT_EQ(wrong->kind, "answer");
    const Fails fails = [&](const Case& c) {
      Outcome ignored;
      const auto here = run_session(c.graph(), c.session, false, config, ignored);
      return here && here->kind == "answer";
    };
    const Case small = shrink(case_of(graph, {}, session), wrong->act, fails, 60);
    EXPECT_TRUE(fails(small));
    // A hub of five arcs and a vertex three hops away from the source.
    EXPECT_LE(small.edges.size(), 9u) << spec;
    EXPECT_LE(small.num_vertices, 10u) << spec;
    EXPECT_EQ(small.session.acts.size(), 1u) << spec;

    // What is written is the same graph.
    const TempDir dir;
    write_edge_list(small, dir.path("small.txt"));
    const Graph back = load_graph(dir.path("small.txt"), {.undirected = !small.directed});
    EXPECT_EQ(back.num_vertices(), small.num_vertices);
    EXPECT_EQ(back.num_arcs(), small.graph().num_arcs());
  }
}

/// What a call throws; empty: nothing.
template <class Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

class CampaignTest : public ::testing::Test {
 protected:
  CampaignTest() {
    campaign_.config.folder = campaign_.out = dir_.path(".");
    campaign_.config.searches = 8;
    campaign_.config.most_edges = 200;
    campaign_.named = false;
    campaign_.end = 41;
    campaign_.jobs = 2;
    campaign_.json = dir_.path("sums.json");
    campaign_.shrink_seconds = 20;
    campaign_.stop_after = 1000;
  }
  [[nodiscard]] nlohmann::json sums() const {
    std::ifstream file(campaign_.json);
    return nlohmann::json::parse(file);
  }
  TempDir dir_;
  Campaign campaign_;
};

TEST_F(CampaignTest, AddsUpAndGoesOn) {
  campaign_.end = 21;
  ASSERT_EQ(run_campaign(campaign_), 0);
  const auto half = sums();
  EXPECT_EQ(half["tally"]["graphs"], 20);
  campaign_.end = 41;
  campaign_.resume = true;
  ASSERT_EQ(run_campaign(campaign_), 0);
  const auto gone_on = sums();
  campaign_.resume = false;
  campaign_.json = dir_.path("whole.json");
  ASSERT_EQ(run_campaign(campaign_), 0);
  auto whole = sums()["tally"], in_parts = gone_on["tally"];
  EXPECT_GT(whole["spent"]["check"], 0);
  for (auto* tally : {&whole, &in_parts}) tally->erase("spent");  // seconds
  EXPECT_EQ(in_parts, whole);
  EXPECT_EQ(sums()["tally"]["graphs"], 40);
  EXPECT_GE(sums()["tally"]["searches"], 6 * 40);
  EXPECT_EQ(sums()["runs"][0]["next"], 41);

  campaign_.first = 41, campaign_.end = 51;
  campaign_.json = dir_.path("more.json");
  ASSERT_EQ(run_campaign(campaign_), 0);
  const auto all = sum({dir_.path("whole.json"), dir_.path("more.json")});
  EXPECT_EQ(all["tally"]["graphs"], 50);
  EXPECT_EQ(all["runs"].size(), 2u);
  EXPECT_THROW(sum({dir_.path("whole.json"), dir_.path("whole.json")}), std::runtime_error);
}

TEST_F(CampaignTest, WithoutASearchShowsNothing) {
  campaign_.end = campaign_.first;
  EXPECT_EQ(run_campaign(campaign_), 2);
}

TEST_F(CampaignTest, GoesOnOnlyFromAFile) {
  campaign_.resume = true;
  campaign_.json.clear();
  EXPECT_EQ(thrown([&] { run_campaign(campaign_); }), "--resume needs --json");
}

/// Every value of a document, changed to what a campaign never writes, is refused by file and key.
TEST_F(CampaignTest, SumsNoNonsense) {
  campaign_.end = campaign_.first + 3;
  ASSERT_EQ(run_campaign(campaign_), 0);
  const auto good = sums();
  const std::string name = dir_.path("bad.json");
  const auto sum_of = [&](const std::string& text) {
    std::ofstream(name) << text;
    return thrown([&] { (void)sum({name}); });
  };
  EXPECT_EQ(sum_of(good.dump()), "");
  EXPECT_EQ(thrown([&] { (void)sum({dir_.path("none.json")}); }), dir_.path("none.json") + " cannot be read");
  for (const char* text : {"", "{", "[]", "7", R"({"program": 1})", R"({"program": "hopwave"})"})
    EXPECT_EQ(sum_of(text), name + " is not JSON of shapes-campaign") << text;

  const auto with = [&](const std::string& key, const nlohmann::json& value) {
    auto bad = good;
    bad[nlohmann::json::json_pointer(key)] = value;
    return sum_of(bad.dump());
  };
  EXPECT_EQ(with("/tally/graphs", -1), name + ": tally.graphs is -1, expected a count");
  EXPECT_EQ(with("/tally/graphs", 4),
            name + ": tally.arcs_log2 is " + good["tally"]["arcs_log2"].dump() + ", expected as many graphs as tally.graphs");
  EXPECT_EQ(with("/tally/large_graphs", 4), name + ": tally.large_graphs is 4, expected no more than tally.graphs");
  EXPECT_EQ(with("/tally/arcs", 1.5), name + ": tally.arcs is 1.5, expected a count");
  EXPECT_EQ(with("/tally/vertices", ~std::uint64_t{0}), name + ": tally.vertices is 18446744073709551615, expected a count");
  EXPECT_EQ(with("/tally/arcs_log2/x", 0), name + ": tally.arcs_log2.x is 0, expected a key from -1 to 63");
  EXPECT_EQ(with("/tally/arcs_log2/64", 0), name + ": tally.arcs_log2.64 is 0, expected a key from -1 to 63");
  EXPECT_EQ(with("/tally/chosen/auto", "many"), name + ": tally.chosen.auto is \"many\", expected a count");
  EXPECT_EQ(with("/tally/spent/check", -0.5), name + ": tally.spent.check is -0.5, expected seconds");
  EXPECT_EQ(with("/tally/failures", 0), name + ": tally.failures is 0, expected a list");
  EXPECT_EQ(with("/tally/failures/0", {{"graph", "x"}}), name + ": tally.failures[0].kind is null, expected a text");
  EXPECT_EQ(with("/tally", 3), name + ": tally is 3, expected an object");
  EXPECT_EQ(with("/runs", {}), name + ": runs is null, expected a list");
  EXPECT_EQ(with("/runs", nlohmann::json::array()), name + ": runs is [], expected at least one run");
  EXPECT_EQ(with("/runs/0/seconds", "1"), name + ": runs[0].seconds is \"1\", expected seconds");
  EXPECT_EQ(with("/runs/0/commit", 1), name + ": runs[0].commit is 1, expected a text");
  EXPECT_EQ(with("/runs/0/next", 0), name + ": runs[0].next is 0, expected no less than runs[0].first");
  for (const auto& [key, value] : good["tally"].items()) {
    if (key == "median_arcs_at_least" || key == "failed" || key == "spent") continue;  // made anew; earlier files have none
    auto bad = good;
    bad["tally"].erase(key);
    EXPECT_TRUE(sum_of(bad.dump()).starts_with(name + ": tally." + key + " is null, expected ")) << key;
  }
  campaign_.resume = true;
  std::ofstream(campaign_.json) << "{";
  EXPECT_EQ(thrown([&] { run_campaign(campaign_); }), campaign_.json + " is not JSON of shapes-campaign");
}

TEST_F(CampaignTest, TellsAWrongAnswerWithASmallGraph) {
  campaign_.config.spoil = spoil;
  EXPECT_EQ(run_campaign(campaign_), 5);
  const auto failures = sums()["tally"]["failures"];
  ASSERT_GE(failures.size(), 1u);
  EXPECT_EQ(sums()["tally"]["graphs"], 40);  // those that are wrong are counted too
  EXPECT_EQ(failures[0]["kind"], "answer");
  EXPECT_NE(failures[0]["again"].get<std::string>().find("--seed "), std::string::npos);
  const std::string small = failures[0]["small"];
  ASSERT_FALSE(small.empty());
  EXPECT_LE(std::filesystem::file_size(small), 100u);
}

// A worker that dies takes others' graphs along; they are run again, and only the one that kills is told.
TEST_F(CampaignTest, OutlivesItsWorkers) {
  campaign_.threads = 3;
  campaign_.shrink_seconds = 0;
  const VertexId deadly = make_trial(17, campaign_.config).graph.num_vertices();
  std::uint64_t alike = 0;
  for (std::uint64_t seed = 1; seed < 41; ++seed) alike += make_trial(seed, campaign_.config).graph.num_vertices() == deadly;
  campaign_.config.spoil = [=](const Graph& graph, const Query&, Result&) {
    if (graph.num_vertices() == deadly) std::_Exit(6);
  };
  EXPECT_EQ(run_campaign(campaign_), 5);
  const auto tally = sums()["tally"];
  ASSERT_EQ(tally["failures"].size(), alike);
  EXPECT_EQ(tally["graphs"], 40 - alike);
  EXPECT_EQ(tally["failures"][0]["kind"], "lost");
}

// A worker may die when it has taken a graph and not told it. That graph is run by another, and what lies behind it counts.
TEST_F(CampaignTest, RunsWhatADeadWorkerHadTaken) {
  campaign_.shrink_seconds = 0;
  const std::string died = dir_.path("died");
  campaign_.taken = [=](std::uint64_t item) {
    if (item != 7 || std::filesystem::exists(died)) return;
    std::ofstream{died};
    std::_Exit(6);
  };
  EXPECT_EQ(run_campaign(campaign_), 5);
  const auto tally = sums()["tally"];
  EXPECT_EQ(tally["graphs"], 40);
  ASSERT_EQ(tally["failures"].size(), 1u);
  EXPECT_NE(tally["failures"][0]["text"].get<std::string>().find("between two graphs"), std::string::npos);
}

// Then it is told, and not run for ever.
TEST_F(CampaignTest, TellsAGraphThatNoProcessBegins) {
  campaign_.shrink_seconds = 0;
  campaign_.taken = [](std::uint64_t item) {
    if (item == 7) std::_Exit(6);
  };
  EXPECT_EQ(run_campaign(campaign_), 5);
  const auto tally = sums()["tally"];
  EXPECT_EQ(tally["graphs"], 39);
  EXPECT_NE(tally["failures"].dump().find("seed 8"), std::string::npos);
  EXPECT_NE(tally["failures"].dump().find("no process lived long enough"), std::string::npos);
}

/// Until the process is killed.
[[noreturn]] void hang() {
  for (;;) ::pause();
}

// A process has died at a graph, and time is up before that graph alone has shown whether it was the cause.
TEST_F(CampaignTest, TellsADeathWhoseCauseIsNotKnownInTime) {
  campaign_.shrink_seconds = 0;
  campaign_.end = 4;
  campaign_.seconds = campaign_.grace = 1;
  const std::string died = dir_.path("died");
  const VertexId deadly = make_trial(2, campaign_.config).graph.num_vertices();
  campaign_.config.spoil = [=](const Graph& graph, const Query&, Result&) {
    if (graph.num_vertices() != deadly) return;
    if (std::filesystem::exists(died)) hang();
    std::ofstream{died};
    std::_Exit(6);
  };
  EXPECT_EQ(run_campaign(campaign_), 5);
  const auto all = sums();
  EXPECT_EQ(all["runs"][0]["left_out"].size(), 1u);
  ASSERT_EQ(all["tally"]["failures"].size(), 1u);
  EXPECT_EQ(all["tally"]["failures"][0]["text"], "exit code 6 (no time to run each alone)");
}

// Named graphs come first. A campaign that ended among them goes on there, not behind them.
TEST_F(CampaignTest, GoesOnAmongTheNamedGraphs) {
  campaign_.shrink_seconds = 0;
  campaign_.named = true;
  campaign_.jobs = 1;
  campaign_.stop_after = 1;
  campaign_.end = 4;
  campaign_.config.spoil = spoil;
  EXPECT_EQ(run_campaign(campaign_), 5);
  const std::uint64_t first_part = sums()["tally"]["graphs"];
  ASSERT_LT(first_part, named_graphs().size());
  campaign_.stop_after = 1000;
  campaign_.config.spoil = {};
  campaign_.resume = true;
  EXPECT_EQ(run_campaign(campaign_), 5);  // of the first part
  EXPECT_EQ(sums()["tally"]["graphs"], named_graphs().size() + 3);
  EXPECT_EQ(sums()["runs"][0]["named"], named_graphs().size());

  // What was done of seeds says nothing of named graphs.
  campaign_.only = named_graphs()[0].name;
  EXPECT_EQ(thrown([&] { run_campaign(campaign_); }), campaign_.json + " is of another commit or of other settings");
  campaign_.only.clear();
  campaign_.named = false;
  EXPECT_EQ(thrown([&] { run_campaign(campaign_); }), campaign_.json + " is of another commit or of other settings");
}

TEST_F(CampaignTest, EndsWhatHangs) {
  campaign_.hang = 3;
  campaign_.end = 6;
  campaign_.shrink_seconds = 0;
  const VertexId endless = make_trial(3, campaign_.config).graph.num_vertices();
  campaign_.config.spoil = [=](const Graph& graph, const Query&, Result&) {
    if (graph.num_vertices() == endless) hang();
  };
  EXPECT_EQ(run_campaign(campaign_), 5);
  ASSERT_GE(sums()["tally"]["failures"].size(), 1u);
  EXPECT_EQ(sums()["tally"]["failures"][0]["kind"], "hang");
}

TEST(NamedGraphs, AreWhatTheirNamesSay) {
  for (const Named& named : named_graphs()) {
    const Graph graph = named.make();
    EXPECT_GT(graph.num_arcs(), 0u) << named.name;
    for (const VertexId s : named.sources) EXPECT_LT(s, graph.num_vertices()) << named.name;
    Outcome outcome;
    const Session session{.options = {.strategy = "cpu-sequential", .run = {.threads = 1}},
                          .acts = {{.query = {.sources = named.sources}}}};
    EXPECT_FALSE(run_session(graph, session, true, {}, outcome)) << named.name;
  }
}

}  // namespace of_shapes_test
}  // namespace hopwave::shapes

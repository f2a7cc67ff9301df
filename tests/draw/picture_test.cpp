// Pictures: which thread does what, held against figures of the textbook and against what the simulator's threads did; the
// drawings as SVG, PNG, DOT and page.
#include "hopwave/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "draw/drawings.h"
#include "draw/font.h"
#include "draw/launches.h"
#include "draw/map_picture.h"
#include "draw/search_page.h"
#include "draw/two_orders.h"
#include "hopwave/error.h"
#include "hopwave/io.h"
#include "simulator/words.h"
#include "support/error_id.h"
#include "support/gpu_runner.h"
#include "support/xml.h"

namespace hopwave::testing {
namespace {

/// A look at or a change of a word of global memory by a thread of a kernel.
struct Access {
  std::uint64_t launch;
  std::uint32_t block, thread;
  std::uintptr_t address;
  std::uint64_t old, now;
  bool write;
};
std::vector<Access>* recorded = nullptr;

void record(const void* p, std::uint32_t bytes, std::uint64_t old, std::uint64_t now, bool write) {
  if (!recorded || bytes != sizeof(Distance)) return;
  const auto& here = sim::here;
  recorded->push_back({here.launch, here.self->block, here.self->thread, reinterpret_cast<std::uintptr_t>(p), old, now, write});
}

}  // namespace
}  // namespace hopwave::testing

// The linker sends the kernels' looks and changes here (tests/CMakeLists.txt), and from here to the simulator.
extern "C" {
void __real__ZN7hopwave3sim5wroteEPKvjmmRKNS_4v0_114SourceLocationE(const void*, std::uint32_t, std::uint64_t, std::uint64_t,
                                                                    const hopwave::SourceLocation&);
std::uint64_t __real__ZN7hopwave3sim6peekedEPKvjmRKNS_4v0_114SourceLocationE(const void*, std::uint32_t, std::uint64_t,
                                                                             const hopwave::SourceLocation&);
void __wrap__ZN7hopwave3sim5wroteEPKvjmmRKNS_4v0_114SourceLocationE(const void* p, std::uint32_t bytes, std::uint64_t old,
                                                                    std::uint64_t now, const hopwave::SourceLocation& where) {
  hopwave::testing::record(p, bytes, old, now, true);
  __real__ZN7hopwave3sim5wroteEPKvjmmRKNS_4v0_114SourceLocationE(p, bytes, old, now, where);
}
std::uint64_t __wrap__ZN7hopwave3sim6peekedEPKvjmRKNS_4v0_114SourceLocationE(const void* p, std::uint32_t bytes,
                                                                             std::uint64_t now,
                                                                             const hopwave::SourceLocation& where) {
  hopwave::testing::record(p, bytes, now, now, false);
  return __real__ZN7hopwave3sim6peekedEPKvjmRKNS_4v0_114SourceLocationE(p, bytes, now, where);
}
}

namespace hopwave::testing {
namespace {

using namespace hopwave::picture;

using ThreadId = std::pair<std::uint32_t, std::uint32_t>;  // block, thread
using Looks = std::map<ThreadId, std::set<VertexId>>;

/// What threads did in one step, as recorded or as derived.
struct Deeds {
  Looks looks;   ///< vertices whose level they looked at
  Looks labels;  ///< vertices that they gave their level
};

Subject subject_of(const TestGraph& test, const std::string& strategy, const Parameters& parameters, VertexId source) {
  const Graph graph = build(test);
  Subject subject = make_subject(graph, Direction::out);
  const Result result =
      search(graph, {.sources = {source}, .parents = true, .ties = Ties::min}, {.strategy = "cpu-sequential"});
  subject.title = strategy + " on " + test.name;
  take_result(subject, {.sources = {source}}, result);
  subject.strategy = strategy;
  subject.work = find_strategy(strategy).work;
  subject.parameters = parameters;
  return subject;
}

std::vector<VertexId> by_degree(const Subject& subject) {
  std::vector<VertexId> order(subject.size());
  for (VertexId v = 0; v < subject.size(); ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(),
                   [&](VertexId a, VertexId b) { return subject.forward[a].size() < subject.forward[b].size(); });
  return order;
}

/// Recorded accesses of the level array, launch by launch. The array is where the source got its level 0: the first change
/// from −1 to 0. Launches that look at no level (sums, flags) are left out.
std::vector<Deeds> recorded_deeds(const std::vector<Access>& all, VertexId source_at, const std::vector<VertexId>& name_at) {
  constexpr std::uint64_t none = 0xFFFFFFFF;
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Access& a) { return a.write && a.old == none && a.now == 0; });
  if (first == all.end()) return {};
  const std::uintptr_t base = first->address - source_at * sizeof(Distance), end = base + name_at.size() * sizeof(Distance);
  std::vector<Deeds> steps;
  std::uint64_t launch = first->launch;  // where the sources are marked
  for (const Access& a : all) {
    if (a.address < base || a.address >= end || a.launch == first->launch) continue;
    if (a.launch != launch) steps.emplace_back();
    launch = a.launch;
    const VertexId v = name_at[(a.address - base) / sizeof(Distance)];
    if (!a.write)
      steps.back().looks[{a.block, a.thread}].insert(v);
    else if (a.old == none && a.now != none)
      steps.back().labels[{a.block, a.thread}].insert(v);
  }
  return steps;
}

Deeds derived_deeds(const picture::Step& step) {
  Deeds deeds;
  for (const Launch& launch : step.launches)
    for (const Worker& worker : launch.workers) {
      auto& looks = deeds.looks[{worker.block, worker.thread}];
      if (worker.checks != no_vertex) looks.insert(worker.checks);
      for (const Look& look : worker.looks) {
        looks.insert(look.vertex);
        if (look.outcome != Outcome::seen) deeds.labels[{worker.block, worker.thread}].insert(look.to);
      }
    }
  std::erase_if(deeds.looks, [](const auto& entry) { return entry.second.empty(); });
  return deeds;
}

std::multiset<std::set<VertexId>> without_threads(const Looks& looks) {
  std::multiset<std::set<VertexId>> all;
  for (const auto& [thread, vertices] : looks) all.insert(vertices);
  return all;
}

/// All threads of a block as one: for what a block's threads share out by a race.
Looks by_block(const Looks& looks) {
  Looks blocks;
  for (const auto& [thread, vertices] : looks) blocks[{thread.first, 0}].insert(vertices.begin(), vertices.end());
  return blocks;
}

std::set<VertexId> all_of(const Looks& looks) {
  std::set<VertexId> all;
  for (const auto& [thread, vertices] : looks) all.insert(vertices.begin(), vertices.end());
  return all;
}

class Pictures : public ::testing::Test {
 protected:
  Pictures() : device_(*device::sim_api()) {}

  /// Runs a strategy in the simulator and compares every thread of every step with the picture. True if looks were compared,
  /// too: some strategies look at flags instead of levels.
  bool compare(const strategy::Descriptor& descriptor, const TestGraph& test, const Parameters& given, VertexId source) {
    const Parameters parameters = parameters_for(descriptor.info, given);
    const std::string name(descriptor.info.name);
    SCOPED_TRACE(name + " on " + test.name + text_of(parameters));
    Subject subject = subject_of(test, name, parameters, source);
    const BothWays graph(test);
    Runner runner(device_, descriptor, graph, parameters);
    std::vector<Access> accesses;
    recorded = &accesses;
    const Answer answer = runner.run({.sources = {source}}, true);
    recorded = nullptr;
    EXPECT_EQ(answer.distance, subject.level);
    for (const LevelTrace& level : answer.run.trace) subject.directions.emplace_back(level.direction);
    const Roles roles = derive_roles(subject);
    if (!roles.threads) {
      EXPECT_NE(roles.rule.find("alone"), std::string::npos) << "the picture has to say why it has no threads";
      for (const picture::Step& step : roles.steps) EXPECT_TRUE(step.launches.empty());
      return false;
    }
    EXPECT_EQ(roles.steps.size(), answer.run.trace.size());

    std::vector<VertexId> name_at(subject.size());
    const auto order = by_degree(subject);
    VertexId source_at = source;
    for (VertexId v = 0; v < subject.size(); ++v) name_at[v] = name == "survey-reorder-physical" ? order[v] : v;
    for (VertexId i = 0; i < subject.size(); ++i)
      if (name_at[i] == source) source_at = i;
    auto steps = recorded_deeds(accesses, source_at, name_at);
    EXPECT_GE(steps.size() + 1, roles.steps.size()) << "only the last step may touch no level";
    steps.resize(std::max(steps.size(), roles.steps.size()));
    const bool looks =
        !steps.empty() && std::any_of(steps.begin(), steps.end(), [](const Deeds& d) { return !d.looks.empty(); });
    for (std::size_t i = 0; i < roles.steps.size(); ++i) compare_step(roles.steps[i], steps[i], answer.run.trace[i], looks);
    return looks;
  }

  static void compare_step(const picture::Step& step, Deeds did, const LevelTrace& trace, bool looks) {
    SCOPED_TRACE("step " + std::to_string(step.level));
    Deeds derived = derived_deeds(step);
    if (step.launches.size() == 2 && step.launches[1].what.find("barrier") != std::string::npos) {
      // Who of a block comes first gets the first place among its deferred vertices.
      did = {by_block(did.looks), by_block(did.labels)};
      derived = {by_block(derived.looks), by_block(derived.labels)};
    }
    const std::set<VertexId> found(step.found.begin(), step.found.end());
    EXPECT_EQ(trace.discovered, found.size());
    EXPECT_EQ(all_of(did.labels), found);
    // The order in a queue is that of a race, so which entry a thread has is the picture's choice; what a thread does with an
    // entry is not.
    const bool queued =
        std::any_of(step.launches.begin(), step.launches.end(), [](const Launch& l) { return l.next.has_value(); });
    if (queued) {
      std::size_t entries = 0;
      for (const Launch& launch : step.launches)
        if (entries == 0) entries = launch.workers.size();
      const bool one_each = derived.looks.size() == entries;  // else the race also says which entries share a thread
      if (looks && one_each) EXPECT_EQ(without_threads(did.looks), without_threads(derived.looks));
      if (looks) EXPECT_EQ(all_of(did.looks), all_of(derived.looks));
      return;
    }
    if (looks) EXPECT_EQ(did.looks, derived.looks);
    // Whoever stores a level stands in the picture as finding it; of several who find it, some may come late.
    for (const auto& [thread, vertices] : did.labels)
      for (const VertexId v : vertices) {
        const auto by = derived.labels.find(thread);
        EXPECT_TRUE(by != derived.labels.end() && by->second.contains(v))
            << "thread " << thread.second << " of block " << thread.first << " labelled " << v;
      }
  }

  device::Device device_;
};

TestGraph some_graph(std::uint64_t seed, bool directed) {
  std::mt19937_64 rng(seed);
  TestGraph g{"random " + std::to_string(seed), 25, {}, directed};
  std::set<std::pair<VertexId, VertexId>> met;
  for (int i = 0; i < 60; ++i) {
    const VertexId a = static_cast<VertexId>(rng() % 25), b = static_cast<VertexId>(rng() % 25);
    if (a != b && met.insert(std::minmax(a, b)).second) g.edges.push_back({a, b});
  }
  return g;
}

TEST_F(Pictures, ThreadsDoWhatThePictureSays) {
  int looked = 0;
  for (const auto* descriptor : gpu_strategies()) {
    if (descriptor->info.name == "auto") continue;
    bool looks = false;
    for (const VertexId source : {0u, 2u}) looks |= compare(*descriptor, textbook_graph(), {}, source);
    compare(*descriptor, textbook_graph(), {{"block", 2}, {"capacity", 1}, {"queue_size", 1}, {"width", 4}}, 0);
    compare(*descriptor, textbook_graph(), {{"block", 4}, {"grid", 1}, {"width", 2}}, 0);
    compare(*descriptor, textbook_graph(), {{"block", 2}, {"defer_max", 2}}, 0);
    compare(*descriptor, textbook_graph(), {{"block", 2}, {"defer_max", 2}, {"together", 1}}, 0);
    for (const bool directed : {false, true})
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        compare(*descriptor, some_graph(seed, directed), {{"block", 4}, {"capacity", 2}, {"defer_max", 3}}, 1);
    looked += looks;
  }
  EXPECT_GE(looked, 13) << "the others look at flags instead of levels";
}

// Their accesses are plain, so what is compared is counted: threads that read a neighbour, and neighbours read, level by level.
TEST(PicturesOfListings, HaveTheThreadsThatTheSimulatorCounts) {
  int compared = 0;
  for (const StrategyInfo& info : literal_strategies()) {
    const Item item = info.work.item;
    // Waiting vertices and virtual warps are shown by lanes; survey-edge-numbers reads the head before it looks at the tail.
    if (item == Item::none || item == Item::vertex_deferring || item == Item::vertices_of_a_group) continue;
    if (info.name == "literal:survey-edge-numbers") continue;
    for (const TestGraph& test : {textbook_graph(), some_graph(1, true), some_graph(2, false)})
      for (const std::int64_t block : {2, 256}) {
        SCOPED_TRACE(std::string(info.name) + " on " + test.name);
        const Parameters parameters = parameters_for(info, {{"block", block}, {"capacity", 2}});
        const SearchReport run = search(build(test), {.sources = {2}},
                                        {.strategy = std::string(info.name),
                                         .parameters = parameters,
                                         .trace = true,
                                         .counts = true,
                                         .run = {.device = DeviceKind::sim}})
                                     .run;
        Subject subject = subject_of(test, std::string(info.name), parameters, 2);
        for (const LevelTrace& level : run.trace) subject.directions.emplace_back(level.direction);
        const Roles roles = derive_roles(subject);
        ASSERT_TRUE(roles.threads);
        ASSERT_EQ(roles.steps.size(), run.trace.size());
        for (const picture::Step& step : roles.steps) {
          std::uint64_t working = 0, looks = 0, threads = 0, read = 0;
          for (const LaunchCounts& one : run.counts)
            if (one.level == step.level && one.read[static_cast<std::size_t>(MemoryKind::neighbors)] > 0) {
              working += one.working;
              read += one.work;
            }
          for (const Launch& launch : step.launches)
            for (const Worker& worker : launch.workers) {
              threads += !worker.looks.empty();
              looks += worker.looks.size();
            }
          EXPECT_EQ(threads, working) << step.level;
          EXPECT_EQ(looks, read) << step.level;
          EXPECT_EQ(run.trace[static_cast<std::size_t>(step.level) - 1].discovered, step.found.size());
          EXPECT_EQ(run.trace[static_cast<std::size_t>(step.level) - 1].frontier, step.before.size());
        }
        ++compared;
      }
  }
  EXPECT_EQ(compared, 8 * 3 * 2);
}

TEST(PictureRoles, EveryStrategySaysWhatAThreadDoes) {
  for (const StrategyInfo& info : strategies()) {
    EXPECT_TRUE(info.work.thread.ends_with(".")) << info.name;
    EXPECT_FALSE(info.work.method.empty() || info.work.over.empty() || info.work.frontier.empty()) << info.name;
  }
}

/// "1*:3+,4+" a thread: item, a star if it works, what it looks at; + labels, ~ also finds.
std::string text_of(const picture::Step& step, const Subject& subject) {
  std::string text;
  for (const Launch& launch : step.launches) {
    for (const Worker& worker : launch.workers) {
      text += (text.empty() || text.back() == '\n' ? "" : " ") + worker.item + (worker.works ? "*" : "");
      for (std::size_t k = 0; k < worker.looks.size(); ++k)
        text += (k ? "," : ":") + subject.names[worker.looks[k].vertex] +
                (worker.looks[k].outcome == Outcome::labels ? "+"
                 : worker.looks[k].outcome == Outcome::also ? "~"
                                                            : "");
    }
    text += "\n";
    for (const PrivateQueue& queue : launch.queues) {
      text += "block " + std::to_string(queue.block) + " at " + std::to_string(queue.place) + ":";
      for (const VertexId v : queue.entries) text += " " + subject.names[v];
      text += "\n";
    }
  }
  return text;
}

Subject textbook_subject(const std::string& strategy, const Parameters& given = {}) {
  Subject subject = subject_of(textbook_graph(), strategy, parameters_for(find_strategy(strategy), given), 0);
  subject.directions.assign(4, strategy == "pmpp-vertex-pull" ? "pull" : "push");
  return subject;
}

std::string second_step(const std::string& strategy, const Parameters& given = {}, std::size_t step = 1) {
  const Subject subject = textbook_subject(strategy, given);
  return text_of(derive_roles(subject).steps.at(step), subject);
}

// The step from level 1 to level 2, as the textbook's figures show it.
TEST(PictureRoles, Figure15_7) { EXPECT_EQ(second_step("pmpp-vertex-push"), "0 1*:3+,4+ 2*:5+,6+,7+ 3 4 5 6 7 8\n"); }
TEST(PictureRoles, Figure15_9) { EXPECT_EQ(second_step("pmpp-vertex-pull"), "0 1 2 3*:1+ 4*:1+ 5*:2+ 6*:2+ 7*:2+ 8*:3,4,6\n"); }
TEST(PictureRoles, Figure15_11) {
  EXPECT_EQ(second_step("pmpp-edge"), "0→1 0→2 1→3*:3+ 1→4*:4+ 2→5*:5+ 2→6*:6+ 2→7*:7+ 3→4 3→8 4→5 4→8 5→6 6→8 7→0 7→6\n");
}
TEST(PictureRoles, Figure15_13) { EXPECT_EQ(second_step("pmpp-frontier"), "1*:3+,4+ 2*:5+,6+,7+\n"); }
TEST(PictureRoles, Figure15_15) {
  EXPECT_EQ(second_step("pmpp-private-frontier", {{"block", 1}}),
            "1*:3+,4+ 2*:5+,6+,7+\nblock 0 at 0: 3 4\nblock 1 at 2: 5 6 7\n");
  EXPECT_EQ(second_step("pmpp-private-frontier", {{"block", 1}, {"capacity", 2}}),
            "1*:3+,4+ 2*:5+,6+,7+\nblock 0 at 1: 3 4\nblock 1 at 3: 5 6\n")
      << "7 has no room and is in the common queue before";
  EXPECT_EQ(second_step("survey-hierarchical-queue", {{"block", 1}, {"queue_size", 2}}),
            "1*:3+,4+ 2*:5+,6+,7+\nblock 0 at 0: 3 4\nblock 1 at 2: 5 6\nblock 1 at 4: 7\n");
}
TEST(PictureRoles, SeveralFindOneVertex) {
  EXPECT_EQ(second_step("pmpp-vertex-push", {}, 2), "0 1 2 3*:4,8+ 4*:5,8~ 5*:6 6*:8~ 7*:0,6 8\n");
}
TEST(PictureRoles, OtherAssignments) {
  EXPECT_EQ(second_step("survey-reorder-redirect"), "8 5 6 0 1*:3+,4+ 3 4 7 2*:5+,6+,7+\n");
  EXPECT_EQ(second_step("gpu101-block-per-vertex"),
            "1→3*:3+ 1→4*:4+ 2→5*:5+ 2→6*:6+ 2→7*:7+\nblock 0 at 0: 3 4\nblock 1 at 2: 5 6 7\n");
  EXPECT_EQ(second_step("survey-virtual-warp", {{"width", 4}}), "0*:3+,5+ 1*:4+,6+ 2*:7+ 3 4 5 6 7 8 – – –\n");
  EXPECT_EQ(second_step("survey-defer", {{"defer_max", 3}}), "0 1*:3+,4+ 2 later* 3 4 5 6 7 8\n2*:5+,6+,7+\n");
  EXPECT_EQ(second_step("hn-two-kernel"), "0 1*:3+,4+ 2*:5+,6+,7+ 3 4 5 6 7 8\n0 1 2 3* 4* 5* 6* 7* 8\n");
}

TEST(PictureRoles, AScanHasFlagsAndPlaces) {
  using Values = std::vector<std::size_t>;
  const Roles roles = derive_roles(textbook_subject("survey-scan-queue"));
  const Launch& scan = roles.steps.at(1).launches.back();
  ASSERT_EQ(scan.arrays.size(), 2u);
  EXPECT_EQ(scan.arrays[0].values, (Values{0, 0, 0, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(scan.arrays[1].values, (Values{0, 0, 0, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(scan.next, (std::vector<VertexId>{3, 4, 5, 6, 7}));
}

/// The places of these words in the drawing, in order.
std::vector<Point> places_of(const Scene& scene, const std::string& words) {
  std::vector<Point> places;
  for (const Shape& shape : scene.shapes)
    if (shape.kind == Shape::Kind::text && shape.text == words) places.push_back(shape.points[0]);
  return places;
}

TEST(PictureThreads, OfAScanAreFollowedByItsArrays) {
  const Subject subject = textbook_subject("survey-scan-queue");
  const Scene scene = draw_threads(subject, derive_roles(subject).steps.at(1).launches.back(), 460);
  for (const char* name : {"F: found in this level", "P: how many before it", "Q: queue of the next level"})
    EXPECT_EQ(places_of(scene, name).size(), 1u) << name;
}

/// Threads 0 to 3 walk the rows 3, 4 and 5, 6, 7, one after the other: thread 2 has nothing to do in the first round.
TEST(PictureThreads, OfAVirtualWarpAreBracketedAndInStep) {
  const Subject subject = textbook_subject("survey-virtual-warp", {{"width", 4}});
  const Launch launch = derive_roles(subject).steps.at(1).launches.front();
  EXPECT_EQ(launch.workers[0].looks[1].round, 1u);
  EXPECT_EQ(launch.workers[2].looks.size(), 1u);
  EXPECT_EQ(launch.workers[2].looks[0].round, 1u);
  const Scene scene = draw_threads(subject, launch, 1000);
  for (const char* group : {"group 0", "group 1", "group 2"}) EXPECT_EQ(places_of(scene, group).size(), 1u) << group;
  // The looks of threads 0 and 2 are drawn before the items of threads 3, 5 and 7, and the ruler after all of them.
  EXPECT_EQ(places_of(scene, "7").front().y, places_of(scene, "5").front().y);
  EXPECT_GT(places_of(scene, "5").front().y, places_of(scene, "3").front().y);
  EXPECT_EQ(places_of(scene, "2").back().x, 0) << "the ruler's second round";
}

TEST(PictureThreads, OfSeveralWarpsAreBracketedAndOfOneAreNot) {
  const auto scene_of = [](VertexId vertices) {
    Subject subject = subject_of(chain(vertices, true), "pmpp-vertex-push",
                                 parameters_for(find_strategy("pmpp-vertex-push"), {}), vertices - 1);
    subject.directions.assign(1, "push");
    return draw_threads(subject, derive_roles(subject).steps.at(0).launches.front(), 460);
  };
  EXPECT_EQ(places_of(scene_of(70), "warp 2").size(), 1u) << "of 70 threads the one that works is in the third";
  EXPECT_EQ(places_of(scene_of(20), "warp 0").size(), 0u);
}

TEST(PictureLaunches, HaveABoxEachInRowsThatFit) {
  const auto boxes = [](const Scene& scene) {
    return std::count_if(scene.shapes.begin(), scene.shapes.end(),
                         [](const Shape& s) { return s.kind == Shape::Kind::rect && s.style == Style::works; });
  };
  const Scene two = draw_launches("two", {{"a", {"start", "1", "2", "3", "4"}}, {"b", {"start", "1-4"}}});
  EXPECT_EQ(boxes(two), 7);
  EXPECT_EQ(places_of(two, "start").size(), 2u);
  EXPECT_EQ(places_of(two, "1-4").size(), 1u);
  const Scene many = draw_launches("many", {{"a", std::vector<std::string>(most_launches + 5, "12")}});
  EXPECT_EQ(boxes(many), static_cast<std::ptrdiff_t>(most_launches));
  EXPECT_EQ(places_of(many, "and 5 more").size(), 1u);
  for (const Shape& shape : many.shapes) {
    const bool sized = shape.kind == Shape::Kind::rect;
    EXPECT_LE(shape.points[0].x + (sized ? shape.points[1].x : 0), many.width);
    EXPECT_LE(shape.points[0].y + (sized ? shape.points[1].y : 0), many.height);
  }
}

struct Drawn {
  explicit Drawn(Subject s) : subject(std::move(s)), layout(layout_by_level(subject)), lines(lines_of(subject, layout)) {}
  Subject subject;
  Layout layout;
  std::vector<Line> lines;
  [[nodiscard]] Drawing drawing() const { return {subject, layout, lines}; }
};

Drawn drawn(const TestGraph& test, const std::string& strategy = "pmpp-vertex-push") {
  Subject subject = subject_of(test, strategy, parameters_for(find_strategy(strategy)), 0);
  subject.directions.assign(5, "push");
  return Drawn(std::move(subject));
}

TEST(PictureLayout, LevelsStandInRowsAndNothingOverlaps) {
  for (const TestGraph& test : {textbook_graph(), star(100), chain(100), grid(9, 11), some_graph(7, true)}) {
    SCOPED_TRACE(test.name);
    const Drawn d = drawn(test);
    for (VertexId v = 0; v < d.subject.size(); ++v) {
      const Point p = d.layout.at[v];
      const double radius = d.layout.radius;
      EXPECT_TRUE(p.x >= radius && p.x <= d.layout.width - radius && p.y >= radius && p.y <= d.layout.height - radius) << v;
      for (VertexId w = 0; w < v; ++w)
        EXPECT_GT(std::hypot(p.x - d.layout.at[w].x, p.y - d.layout.at[w].y), 2 * radius + 4) << v << " and " << w;
      for (VertexId w = 0; w < d.subject.size(); ++w)
        if (d.subject.level[v] != unreached && d.subject.level[w] > d.subject.level[v]) EXPECT_GT(d.layout.at[w].y, p.y);
    }
  }
  EXPECT_EQ(drawn(textbook_graph()).lines.size(), 15u);
  EXPECT_EQ(drawn(grid(3, 3)).lines.size(), 12u) << "an undirected edge is one line";
}

TEST(PictureLayout, LongNamesHaveLargerVerticesThatDoNotOverlap) {
  for (const TestGraph& test : {textbook_graph(), star(100), grid(9, 11), some_graph(7, true)}) {
    SCOPED_TRACE(test.name);
    Subject subject = drawn(test).subject;
    for (std::string& name : subject.names) name = "Crossing No. " + name;
    const Drawn d(subject);
    EXPECT_GT(d.layout.radius, 20);
    for (VertexId v = 0; v < d.subject.size(); ++v) {
      const Point p = d.layout.at[v];
      const double r = d.layout.radius;
      EXPECT_TRUE(p.x >= r && p.x <= d.layout.width - r && p.y >= r && p.y <= d.layout.height - r) << v;
      for (VertexId w = 0; w < v; ++w)
        EXPECT_GT(std::hypot(p.x - d.layout.at[w].x, p.y - d.layout.at[w].y), 2 * r + 4) << v << " and " << w;
    }
  }
}

TEST(PictureNames, AreWholeUpToSixteenLetters) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(name_lines("Zoë"), Lines{"Zoë"});
  EXPECT_EQ(name_lines("12345"), Lines{"12345"});
  EXPECT_EQ(name_lines("Zoëë12"), (Lines{"Zoë", "ë12"}));
  EXPECT_EQ(name_lines("Station12"), (Lines{"Stati", "on12"}));
  EXPECT_EQ(name_lines("abcdefghijklmnop"), (Lines{"abcdefgh", "ijklmnop"}));
  EXPECT_EQ(name_lines("abcdefghijklmnopq"), (Lines{"abcdefgh", "…klmnopq"}));
  EXPECT_EQ(shortened("Station12", 5), "St…12");
  EXPECT_EQ(shortened("Station", 7), "Station");
  EXPECT_EQ(shortened("ëëëëëë", 4), "ëë…ë");
}

/// Threads, looks and queues grow for the longest name, as vertices do.
TEST(PictureNames, AreWholeInThreadsAndQueues) {
  constexpr double letter = 6;  // of a small text
  for (const char* strategy : {"pmpp-vertex-push", "gpu101-block-per-vertex", "survey-hierarchical-queue"}) {
    Subject subject = drawn(textbook_graph(), strategy).subject;
    for (std::string& name : subject.names) name = "Crossing number" + name;
    std::string all;
    for (const picture::Step& step : derive_roles(subject).steps)
      for (const Launch& launch : step.launches) {
        const Scene scene = draw_threads(subject, launch, 820);
        const Shape* box = nullptr;
        for (const Shape& s : scene.shapes) {
          if (s.kind == Shape::Kind::rect) {
            if (box && box->points[0].y == s.points[0].y) EXPECT_GT(s.points[0].x, box->points[0].x + box->points[1].x);
            box = &s;
          }
          if (s.kind != Shape::Kind::text || s.size > 8) continue;
          all += s.text;
          if (s.anchor != Anchor::middle) continue;
          EXPECT_LE(letter * static_cast<double>(letters(s.text)), box->points[1].x) << s.text;
          EXPECT_GT(s.points[0].y - s.size, box->points[0].y - 2) << s.text;
          EXPECT_LT(s.points[0].y, box->points[0].y + box->points[1].y) << s.text;
        }
      }
    for (VertexId v = 3; v < 8; ++v) EXPECT_NE(all.find("Crossing number" + std::to_string(v)), std::string::npos) << v;
    EXPECT_EQ(all.find("…"), std::string::npos) << strategy;
  }
}

TEST(PictureLayout, ArcsLieWithinTheDrawing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Drawn d = drawn(some_graph(seed, seed % 2 == 0));
    for (const Line& line : d.lines)
      for (int i = 0; i <= 24; ++i) {
        const double t = i / 24.0, u = 1 - t;
        const double x = u * u * line.start.x + 2 * u * t * line.control.x + t * t * line.end.x;
        const double y = u * u * line.start.y + 2 * u * t * line.control.y + t * t * line.end.y;
        ASSERT_TRUE(x >= 0 && x <= d.layout.width && y >= 0 && y <= d.layout.height)
            << "seed " << seed << ": " << x << " " << y;
      }
  }
}

TEST(PictureLayout, NoArcOfTheTextbookLiesOnAVertex) {
  const Drawn d = drawn(textbook_graph());
  for (const Line& line : d.lines)
    for (VertexId v = 0; v < d.subject.size(); ++v) {
      if (v == line.from || v == line.to) continue;
      for (int i = 0; i <= 50; ++i) {
        const double t = i / 50.0, u = 1 - t;
        EXPECT_GT(std::hypot(u * u * line.start.x + 2 * u * t * line.control.x + t * t * line.end.x - d.layout.at[v].x,
                             u * u * line.start.y + 2 * u * t * line.control.y + t * t * line.end.y - d.layout.at[v].y),
                  d.layout.radius)
            << line.from << "→" << line.to << " on " << v;
      }
    }
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(PictureSvg, IsWellFormedAndShowsAll) {
  Drawn d = drawn(textbook_graph());
  d.subject.names[3] = "<&\"\x01>";
  const std::string svg = to_svg(draw_all(d.drawing(), derive_roles(d.subject)));
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_EQ(svg.find("http", svg.find("xmlns=") + 12), std::string::npos) << "nothing from elsewhere";
  EXPECT_EQ(count(svg, "<title>8: level 3</title>"), 3u) << "in the tree and in the steps 3 and 4";
  const Scene tree = draw_tree(d.drawing());
  EXPECT_EQ(std::count_if(tree.shapes.begin(), tree.shapes.end(), [](const Shape& s) { return s.kind == Shape::Kind::curve; }),
            15);
  EXPECT_EQ(std::count_if(tree.shapes.begin(), tree.shapes.end(),
                          [](const Shape& s) { return s.kind == Shape::Kind::curve && s.style == Style::tree; }),
            8);
}

TEST(PictureSvg, TheCheckerFindsFaults) {
  for (const char* bad :
       {"<a>", "<a></b>", "<a/><b/>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a b=1/>", "", "<a b=\"<\"/>", "x<a/>",
        "<a>\xFF</a>", "<a>\xC3</a>", "<a>\xED\xA0\x80</a>", "<a>\xF4\x90\x80\x80</a>", "<a>\xEF\xBF\xBF</a>"})
    EXPECT_NE(test::xml_fault(bad), "") << bad;
  EXPECT_EQ(test::xml_fault("<a b=\"&amp;\"><c/>x</a>\n"), "");
  EXPECT_EQ(test::xml_fault("<a>\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x99\x82 \xEF\xBF\xBD</a>"), "");
}

TEST(PictureSvg, NamesThatAreNoTextAreShownAsText) {
  Drawn d = drawn(grid(2, 2));
  d.subject.names = {"\xFF\xFE",
                     "a\xEF\xBF\xBF"
                     "b",
                     "half \xE2\x86", "<&\">\x01"};
  const std::string svg = to_svg(draw_tree(d.drawing()));
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_NE(svg.find("\xEF\xBF\xBD\xEF\xBF\xBD"), std::string::npos) << "one for each byte";
  EXPECT_NE(svg.find("&lt;&amp;&quot;&gt;"), std::string::npos);
  EXPECT_NE(to_dot(d.subject).find("\"\xEF\xBF\xBD\xEF\xBF\xBD\""), std::string::npos);
}

TEST(PictureScene, NothingLeavesThePage) {
  for (const TestGraph& test : {textbook_graph(), star(100), grid(9, 11), some_graph(9, true)}) {
    SCOPED_TRACE(test.name);
    const Drawn d = drawn(test, "pmpp-edge");
    const Scene page = draw_all(d.drawing(), derive_roles(d.subject));
    for (const Shape& s : page.shapes)
      for (std::size_t i = 0; i < s.points.size(); ++i) {
        Point p = s.points[i];
        if (i == 1 && s.kind == Shape::Kind::circle) continue;
        if (i == 1 && s.kind == Shape::Kind::curve)  // the control may lie outside, the curve not
          p = {s.points[0].x / 4 + p.x / 2 + s.points[2].x / 4, s.points[0].y / 4 + p.y / 2 + s.points[2].y / 4};
        if (i == 1 && s.kind == Shape::Kind::rect) p = {p.x + s.points[0].x, p.y + s.points[0].y};
        EXPECT_TRUE(p.x >= 0 && p.x <= page.width && p.y >= 0 && p.y <= page.height) << p.x << " " << p.y << " " << s.text;
      }
  }
}

TEST(PictureLayout, GridsAreGrids) {
  for (const auto& [rows, columns] : {std::pair{3u, 3u}, {4u, 7u}, {10u, 10u}}) {
    const Subject subject = drawn(grid(rows, columns)).subject;
    const auto layout = layout_of_grid(subject);
    ASSERT_TRUE(layout) << rows << " × " << columns;
    for (VertexId v = 0; v + 1 < subject.size(); ++v) {
      EXPECT_EQ(layout->at[v].y == layout->at[v + 1].y, (v + 1) % columns != 0);
      if (v + columns < subject.size()) EXPECT_EQ(layout->at[v].x, layout->at[v + columns].x);
    }
    EXPECT_GT(layout->at[1].x - layout->at[0].x, 2 * layout->radius + 10) << "room for an arrow";
    EXPECT_LE(layout->at.back().x + layout->radius, layout->width);
    EXPECT_LE(layout->at.back().y + layout->radius, layout->height);
  }
  TestGraph wrapped = grid(4, 4), holes = grid(4, 4), thin = grid(4, 4);
  wrapped.edges.push_back({3, 4});  // the end of a row to the next one's beginning
  holes.edges.erase(holes.edges.begin() + 4);
  thin.edges.resize(thin.edges.size() / 2);
  EXPECT_TRUE(layout_of_grid(drawn(holes).subject));
  for (const TestGraph& other :
       {wrapped, thin, chain(20), star(20), complete(9), binary_tree(15), grid(2, 8), textbook_graph()})
    EXPECT_FALSE(layout_of_grid(drawn(other).subject)) << other.name;
}

TEST(PictureSheet, OfAHundredVerticesIsASheetAndNoRibbon) {
  Drawn d = drawn(grid(10, 10));
  d.subject.directions.assign(19, "push");
  d.layout = *layout_of_grid(d.subject);
  d.lines = lines_of(d.subject, d.layout);
  const Scene page = draw_all(d.drawing(), derive_roles(d.subject));
  EXPECT_LE(page.width, 1040);
  EXPECT_LE(page.height, 7700);
  const auto texts = [](const Scene& scene, const std::string& words) {
    return std::count_if(scene.shapes.begin(), scene.shapes.end(),
                         [&](const Shape& s) { return s.kind == Shape::Kind::text && s.text == words; });
  };
  const auto idle = [](const Scene& scene) {
    return std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape& s) { return s.style == Style::idle; });
  };
  EXPECT_EQ(idle(page), 0);
  EXPECT_EQ(texts(page, "and 99 threads without work"), 2) << "in the first step and in the last";
  EXPECT_EQ(texts(page, "The tree that is found"), 1);
  const Drawn small = drawn(textbook_graph());
  const Roles roles = derive_roles(small.subject);
  EXPECT_GT(idle(draw_all(small.drawing(), roles)), 0);
  const Scene steps = draw_all(small.drawing(), roles, false);
  EXPECT_EQ(texts(steps, "The tree that is found"), 0);
  EXPECT_EQ(texts(steps, "level 2"), 4) << "named in each step";
  EXPECT_EQ(texts(draw_step(small.drawing(), roles.steps[0]), "1"), 1) << "the name alone: the row states the level";
}

TEST(PictureFont, HasTheLettersOfLatinScripts) {
  const Glyph box = glyphs_of("\x01")[0];
  const auto missing = [&](std::string_view text) {
    const auto glyphs = glyphs_of(text);
    return std::count(glyphs.begin(), glyphs.end(), box);
  };
  EXPECT_EQ(missing("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"), 0);
  EXPECT_EQ(missing("ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰű"
                    "ŲųŴŵŶŷŸŹźŻżŽž"),
            0);
  EXPECT_EQ(missing("°±µ·¿¡«»²³→…–—‘’“”€"), 0);
  EXPECT_EQ(missing("λ"), 1);
  EXPECT_EQ(missing("\xC3"), 1) << "a letter cut off";
  EXPECT_EQ(missing("\xFF\xC3\x28"), 2) << "bytes that are no letters";
  EXPECT_EQ(glyphs_of("Zoë").size(), 3u);
  EXPECT_EQ(glyphs_of("Zoe\u0308"), glyphs_of("Zoë")) << "a mark of its own goes onto the letter before";
  // All differ from each other and from their letters.
  const std::string letters = "aàáâãäåæāăąeèéêëēĕėęěiìíîïĩīĭıoòóôõöøōŏőœuùúûüũūŭůűcçćĉċčnñńňsśŝşšzźżžAÀÁÂÃÄÅÆOÒÓÔÕÖØUÙÚÛÜ";
  const auto glyphs = glyphs_of(letters);
  EXPECT_EQ(std::set<Glyph>(glyphs.begin(), glyphs.end()).size(), glyphs.size());
}

TEST(PicturePng, HasASignatureAndASize) {
  const Drawn d = drawn(textbook_graph());
  const Scene scene = draw_tree(d.drawing());
  if (!build_features().png) {
    EXPECT_THROW(to_png(scene, "x.png"), Error);
    return;
  }
  const std::string png = to_png(scene, "x.png");
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number = [&](std::size_t at) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(png[at + i]);
    return n;
  };
  EXPECT_EQ(number(16), static_cast<std::uint32_t>(std::ceil(scene.width * 2)));
  EXPECT_EQ(number(20), static_cast<std::uint32_t>(std::ceil(scene.height * 2)));
  EXPECT_EQ(png[25], 3) << "a palette";
  EXPECT_LT(png.size(), number(16) * number(20) / 15);
}

TEST(PictureDot, NamesLevelsAndTree) {
  const std::string dot = to_dot(drawn(textbook_graph()).subject);
  EXPECT_EQ(count(dot, " -> "), 15u);
  EXPECT_EQ(count(dot, "penwidth"), 8u);
  EXPECT_NE(dot.find("{rank=same 3 4 5 6 7}"), std::string::npos);
  const std::string undirected = to_dot(drawn(grid(2, 2)).subject);
  EXPECT_EQ(count(undirected, " -- "), 4u);
  EXPECT_EQ(undirected.rfind("graph", 0), 0u);
}

TEST(PicturePage, StepsAndIsWhole) {
  const Drawn d = drawn(textbook_graph());
  const std::string page = to_page(d.subject.title, {{d.drawing(), derive_roles(d.subject)}});
  EXPECT_EQ(count(page, "<section id="), 5u) << "the tree and four steps";
  EXPECT_EQ(count(page, "<tr><td>"), 9u) << "every vertex in the table";
  EXPECT_NE(page.find("<tr><td>8</td><td>3</td><td>"), std::string::npos);
  EXPECT_NE(page.find("data-worker=\"1\" data-vertices=\"1 3 4\""), std::string::npos);
  EXPECT_NE(page.find("<li value=1>t1<b>1</b><i class=\"new\">3</i><i class=\"new\">4</i></li>"), std::string::npos);
  EXPECT_EQ(count(page, "<ol class=\"threads\">"), 4u);
  EXPECT_EQ(count(page, "<li value="), 4u * 9u);
  EXPECT_EQ(count(page, "src="), 0u);
  EXPECT_EQ(count(page, "href="), count(page, "<use href=\"#p"));
  for (std::size_t at = 0; (at = page.find("<use href=\"#p", at)) != std::string::npos; ++at) {
    const std::string number = page.substr(at + 13, page.find('"', at + 13) - at - 13);
    EXPECT_EQ(count(page, "<g id=\"p" + number + "\" class=\"hopwave\""), 1u) << number;
  }
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++at)
    EXPECT_EQ(test::xml_fault(std::string_view(page).substr(at, page.find("</svg>", at) + 6 - at)), "");
}

/// As many steps, threads at work and looks as the limits allow.
TEST(PicturePage, OfTheLargestKindIsBelowAMegabyte) {
  TestGraph lollipop = chain(96), looking_back{"looking back", 100, chain(100).edges, true};
  for (VertexId v = 80; v < 96; ++v)
    for (VertexId w = v + 2; w < 96; ++w) lollipop.edges.push_back({v, w});
  for (VertexId v = 98; looking_back.edges.size() < most_arcs; --v)
    for (VertexId w = 99; w > v && looking_back.edges.size() < most_arcs; --w) looking_back.edges.push_back({w, v});
  for (const TestGraph& test : {chain(100), lollipop, looking_back}) {
    Drawn d = drawn(test, "pmpp-vertex-pull");
    d.subject.directions.assign(100, "pull");
    const Roles roles = derive_roles(d.subject);
    EXPECT_GE(roles.steps.size(), 80u) << test.name;
    const std::string page = to_page(d.subject.title, {{d.drawing(), roles}});
    EXPECT_LT(page.size(), 1'000'000u) << test.name;
    EXPECT_EQ(count(page, "<section id="), roles.steps.size() + 1) << test.name;
  }
}

TEST(PictureMap, EveryVertexAndArcHasTheColourOfItsLevel) {
  TestGraph test = grid(4, 5);  // from 0: level x + y, up to 7; and a vertex that no arc leads to, above the first
  test.num_vertices = 21;
  const Graph graph = build(test);
  Places places;
  for (VertexId v = 0; v < 20; ++v) places.x.push_back(10.0 * (v % 5)), places.y.push_back(10.0 * (v / 5));
  places.x.push_back(0), places.y.push_back(40);
  const Result result = search(graph, {.sources = {0}}, {.strategy = "cpu-sequential"});
  const std::vector<VertexId> sources = {0};
  const Scene map = draw_map(graph, places, result.distance, sources, "t", 41);
  const Cells &reached = map.cells.back(), &grey = map.cells[map.cells.size() - 2];
  ASSERT_EQ(reached.width, 41u);
  ASSERT_EQ(reached.height, 41u);
  const auto dark = [&](const Cells& cells, int x, int y) { return cells.dark[static_cast<std::size_t>((40 - y) * 41 + x)]; };
  const auto shade = [](int level) { return 17 * (1 + level / 2 * 10 / 3); };
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) {
      EXPECT_EQ(dark(reached, 10 * x, 10 * y), shade(x + y)) << x << ", " << y;
      if (x < 4) EXPECT_EQ(dark(reached, 10 * x + 5, 10 * y), shade(x + y + 1)) << "to the right of " << x << ", " << y;
      if (y < 3) EXPECT_EQ(dark(reached, 10 * x, 10 * y + 5), shade(x + y + 1)) << "above " << x << ", " << y;
      if (x < 4 && y < 3) EXPECT_EQ(dark(reached, 10 * x + 5, 10 * y + 5), 0) << "between roads";
    }
  EXPECT_EQ(dark(reached, 0, 40), 0);
  EXPECT_EQ(dark(grey, 0, 40), 255);
  EXPECT_EQ(std::count(grey.dark.begin(), grey.dark.end(), 255), 1) << "the only one that is not reached";
  for (const char* const words : {"0–1", "6–7", "not reached", "source", "20 of 21 vertices reached, the farthest in 7 steps"})
    EXPECT_EQ(places_of(map, words).size(), 1u) << words;
}

TEST(PictureSize, IsRefusedBeyondTheLimit) {
  EXPECT_NO_THROW(require_small(build(chain(100, true)), "x.svg"));
  for (const TestGraph& test : {chain(101), TestGraph{"many arcs", 30, {}, true}}) {
    TestGraph large = test;
    if (large.num_vertices == 30)
      for (VertexId v = 0; v < 30; ++v)
        for (VertexId w = 0; w < 14; ++w) large.edges.push_back({v, w});
    EXPECT_EQ(id_of([&] { require_small(build(large), "x.svg"); }), "HW-PICTURE-SIZE");
  }
}

// nonsense: search_svg
TEST(SearchSvg, NonsenseIsAnError) {
  const Graph textbook = load_graph("pmpp");
  const auto error_of = [&](const Query& query, const SearchOptions& options = {}, const PictureOptions& shown = {}) {
    return id_of([&] { (void)search_svg(textbook, query, options, shown); });
  };
  EXPECT_EQ(error_of({}), "HW-QUERY-EMPTY");
  EXPECT_EQ(error_of({.sources = {9}}), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of({.sources = {0}, .max_depth = -2}), "HW-QUERY-DEPTH");
  EXPECT_EQ(error_of({.sources = {0}}, {.strategy = "pmpp"}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(error_of({.sources = {0}}, {}, {.step = -1}), "HW-PICTURE-STEP");
  EXPECT_EQ(error_of({.sources = {8, 8, 0}, .max_depth = 0}, {}, {.against_depth_first = true}), "none");
  EXPECT_EQ(id_of([] { (void)search_svg(Graph(), {.sources = {0}}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(test::xml_fault(search_svg(textbook, {.sources = {0}}, {}, {}, "<\x01&\"" + std::string(1000, 'x'))), "");
}

TEST(SearchSvg, IsThePictureOfTheTool) {
  const Graph textbook = load_graph("pmpp");
  const SearchOptions push{.strategy = "pmpp-vertex-push", .run = {.device = DeviceKind::sim}};
  const std::string all = search_svg(textbook, {.sources = {0}}, push, {}, "pmpp");
  EXPECT_EQ(test::xml_fault(all), "");
  for (const char* const words : {"pmpp-vertex-push on pmpp, from 0", "The tree that is found", "Step 1:", "Step 4:"})
    EXPECT_NE(all.find(words), std::string::npos) << words;
  const std::string one = search_svg(textbook, {.sources = {0}}, push, {.step = 2});
  EXPECT_NE(one.find(">pmpp-vertex-push, from 0<"), std::string::npos);
  EXPECT_NE(one.find("Step 2:"), std::string::npos);
  EXPECT_EQ(one.find("Step 1:"), std::string::npos);
  const std::string both = search_svg(textbook, {.sources = {2, 0}}, {}, {.against_depth_first = true});
  EXPECT_NE(both.find(">Breadth first beside depth first, from 2, 0<"), std::string::npos);
  EXPECT_EQ(id_of([&] { (void)search_svg(textbook, {.sources = {0}}, push, {.step = 5}); }), "HW-PICTURE-STEP");
  EXPECT_EQ(id_of([&] { (void)search_svg(textbook, {.sources = {0}}, {}, {.step = 1, .against_depth_first = true}); }),
            "HW-PICTURE-STEP");
  EXPECT_EQ(id_of([&] { (void)search_svg(build(chain(101)), {.sources = {0}}); }), "HW-PICTURE-SIZE");
}

// A walk by recursion, against the one with a stack.
TEST(TwoOrders, DepthFirstIsTheRecursiveOne) {
  for (const char* const spec : {"pmpp", "rmat:6,3", "grid:5x4", "chain:20", "star:12", "complete:9"}) {
    const Graph graph = load_graph(spec);
    Subject subject = make_subject(graph, Direction::out);
    subject.sources = {0, graph.num_vertices() - 1};
    const Walk walk = walk_depth_first(subject);
    Walk expected{std::vector(subject.size(), no_vertex), std::vector(subject.size(), Walk::none),
                  std::vector(subject.size(), Walk::none), std::vector(subject.size(), unreached)};
    std::uint32_t found = 0, left = 0;
    const std::function<void(VertexId, VertexId, Distance)> visit = [&](VertexId v, VertexId from, Distance depth) {
      if (expected.depth[v] != unreached) return;
      expected.depth[v] = depth, expected.parent[v] = from, expected.found[v] = found++;
      for (const VertexId w : subject.forward[v]) visit(w, v, depth + 1);
      expected.left[v] = left++;
    };
    for (const VertexId s : subject.sources) visit(s, no_vertex, 0);
    EXPECT_EQ(walk.parent, expected.parent) << spec;
    EXPECT_EQ(walk.found, expected.found) << spec;
    EXPECT_EQ(walk.left, expected.left) << spec;
    EXPECT_EQ(walk.depth, expected.depth) << spec;
    Query query{.sources = subject.sources};
    const Result result = search(graph, query);
    EXPECT_TRUE(std::ranges::equal(walk_breadth_first(subject).depth, result.distance)) << spec;
  }
}

}  // namespace
}  // namespace hopwave::testing

// Algorithms by name: the list is what the answers are, and what makes no sense is refused.
#include "hopwave/algorithms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "hopwave/betweenness.h"
#include "hopwave/flow.h"
#include "hopwave/generate.h"
#include "hopwave/kcore.h"
#include "support/error_id.h"

namespace hopwave::testing {
namespace of_algorithms_test {

using Values = std::map<std::string, AlgorithmValue, std::less<>>;

/// A value that fits each parameter that must be given.
Values needed(const Algorithm& algorithm) {
  Values values;
  std::uint64_t next = 1;
  for (const AlgorithmParameter& each : algorithm.parameters) {
    if (each.required || each.kind == AlgorithmParameter::Kind::vertex) values[std::string(each.name)] = next++;
    if (each.name == "direction") values["direction"] = "both";
  }
  return values;
}

/// Without cycles, and with two sides.
Graph one_way_grid() {
  EdgeList list = generate("grid:5x8");
  list.directed = true;
  list.both_directions = false;
  return build_graph(std::move(list));
}

TEST(Algorithms, AnswerAsTheListStates) {
  const Graph graph = one_way_grid();
  std::set<std::string_view> names;
  for (const Algorithm* each : algorithms()) {
    EXPECT_TRUE(names.insert(each->name).second) << each->name;
    EXPECT_TRUE(each->name == each->function || names.insert(each->function).second) << each->name;
    EXPECT_EQ(&algorithm_named(each->name), each);
    EXPECT_EQ(&algorithm_named(each->function), each);
    EXPECT_FALSE(each->help.empty() || each->outputs.empty()) << each->name;
    EXPECT_EQ(each->result.empty(), each->result_help.empty()) << each->name;
    EXPECT_TRUE(!each->result.empty() || each->outputs.size() == 1) << each->name;
    for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
      const AlgorithmAnswer answer = run_algorithm(graph, each->name, needed(*each), {.device = device});
      EXPECT_TRUE(answer.run.device == device || each->name == "topological_generations" || each->name == "is_acyclic")
          << each->name;
      ASSERT_EQ(answer.outputs.size(), each->outputs.size()) << each->name;
      for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        const AlgorithmOutput& output = each->outputs[i];
        EXPECT_EQ(answer.outputs[i].index(), static_cast<std::size_t>(output.kind)) << each->name << ": " << output.name;
        if (const auto* values = std::get_if<Array<double>>(&answer.outputs[i])) {
          EXPECT_EQ(values->size(), output.of_arcs ? graph.num_arcs() : 40u) << output.name;
        }
        EXPECT_EQ(std::count_if(each->outputs.begin(), each->outputs.end(),
                                [&](const AlgorithmOutput& other) { return other.name == output.name; }),
                  1)
            << each->name << ": " << output.name;
      }
    }
    if (std::ranges::any_of(each->outputs, [](const AlgorithmOutput& output) { return output.weighed; })) {
      Values by_weight = needed(*each);
      by_weight["weights"] = std::uint64_t{1};
      const AlgorithmAnswer answer = run_algorithm(graph, each->name, by_weight);
      for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        using Kind = AlgorithmOutput::Kind;
        const auto [kind, weighed] = std::pair(each->outputs[i].kind, each->outputs[i].weighed);
        const std::size_t reals = kind == Kind::count ? 1 : kind == Kind::integers ? 10 : 12;
        EXPECT_EQ(answer.outputs[i].index(), weighed ? reals : static_cast<std::size_t>(kind)) << each->outputs[i].name;
      }
    }
    // Those that are no errors return what they have.
    const RunOptions late{.device = DeviceKind::cpu, .limits = {.time = Seconds(1e-9)}};
    if (each->partial)
      EXPECT_EQ(run_algorithm(graph, each->name, needed(*each), late).run.end, End::time_limit) << each->name;
    else
      EXPECT_EQ(id_of([&] { run_algorithm(graph, each->name, needed(*each), late); }), "HW-TIME-LIMIT") << each->name;
  }
}

TEST(Algorithms, AreTheTypedFunctions) {
  const Graph graph = build_graph(generate("rmat:8,6"));
  const KCore cores = core_numbers(graph);
  const AlgorithmAnswer found = run_algorithm(graph, "core_numbers");
  EXPECT_TRUE(std::ranges::equal(std::get<Array<std::uint32_t>>(found.outputs[0]), cores.core));
  EXPECT_EQ(std::get<std::uint64_t>(found.outputs[1]), cores.largest);
  const AlgorithmAnswer flow = run_algorithm(
      graph, "flow", {{"source", std::uint64_t{3}}, {"target", std::uint64_t{0}}, {"strategy", std::string("edmonds-karp")}});
  EXPECT_EQ(std::get<std::uint64_t>(flow.outputs[0]), static_cast<std::uint64_t>(max_flow(graph, 3, 0).value));
  EXPECT_EQ(flow.run.strategy, "edmonds-karp");
  EXPECT_TRUE(std::get<bool>(run_algorithm(one_way_grid(), "is_acyclic").outputs[0]));
  EXPECT_FALSE(std::get<bool>(run_algorithm(graph, "is_acyclic").outputs[0]));
  EXPECT_EQ(std::get<Array<std::uint32_t>>(run_algorithm(one_way_grid(), "topological_generations").outputs[0])[39], 11u);
  EXPECT_EQ(std::get<std::uint64_t>(run_algorithm(one_way_grid(), "diameter", {{"direction", "both"}}).outputs[0]), 11u);
  EXPECT_EQ(std::get<std::uint64_t>(run_algorithm(one_way_grid(), "radius", {{"direction", "both"}}).outputs[0]), 6u);
  const double all = betweenness(graph, {.sources = {2, 9}, .endpoints = true}).vertex[9];
  const Values some = {
      {"sources", std::vector<VertexId>{2, 9}}, {"normalized", std::uint64_t{0}}, {"endpoints", std::uint64_t{1}}};
  EXPECT_DOUBLE_EQ(std::get<Array<double>>(run_algorithm(graph, "betweenness", some).outputs[0])[9], all / 2);
  for (const char* const none : {"sources", "targets"}) {
    const AlgorithmAnswer zero = run_algorithm(graph, "edge_betweenness", {{none, std::vector<VertexId>()}});
    EXPECT_EQ(std::ranges::count(std::get<Array<double>>(zero.outputs[0]), 0.0), static_cast<std::ptrdiff_t>(graph.num_arcs()));
  }
  const Graph grid = build_graph(generate("grid:2x2"));  // its left side without a word has vertex 0
  for (const auto& left : {std::vector<VertexId>{1, 2}, std::vector<VertexId>{3, 0, 3}}) {
    const AlgorithmAnswer matching = run_algorithm(grid, "matching", {{"left", left}});
    EXPECT_EQ(std::get<Array<std::uint8_t>>(matching.outputs[2])[0], left[0] == 1);
  }
}

// nonsense: algorithms algorithm_named run_algorithm
TEST(Algorithms, NonsenseIsAnError) {
  const Graph graph = build_graph(generate("complete:5"));
  const auto refused = [&](std::string_view name, const Values& values) {
    return id_of([&] { run_algorithm(graph, name, values); });
  };
  const std::string value = "HW-OPTION-VALUE";
  EXPECT_FALSE(algorithms().empty());
  EXPECT_EQ(id_of([] { (void)algorithm_named("moon"); }), value);
  EXPECT_EQ(refused("", {}), value);
  EXPECT_EQ(refused("kcore", {{"moon", std::uint64_t{1}}}), value);
  EXPECT_EQ(refused("sampled_closeness", {}), value) << "it needs samples";
  for (const AlgorithmValue& wrong : std::vector<AlgorithmValue>{1.0, std::string("2"), std::uint64_t{no_vertex}})
    EXPECT_EQ(refused("flow", {{"source", std::uint64_t{0}}, {"target", wrong}}), value) << wrong.index();
  EXPECT_EQ(refused("closeness", {{"samples", std::uint64_t{0}}}), value);
  for (const AlgorithmValue& wrong :
       std::vector<AlgorithmValue>{1.0, std::string("0"), std::uint64_t{0}, std::vector<VertexId>{0, 5}})
    EXPECT_EQ(refused("matching", {{"left", wrong}}), value) << wrong.index();
  EXPECT_EQ(refused("matching", {{"left", std::vector<VertexId>()}}), "HW-MATCHING-SIDE");  // a list without vertices is one
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused("betweenness", {{"normalized", std::uint64_t{2}}}), value);
  EXPECT_EQ(refused("betweenness", {{"sources", std::vector<VertexId>{0}}, {"samples", std::uint64_t{1}}}), value);
  for (const AlgorithmValue& wrong : std::vector<AlgorithmValue>{nan, -1.0, std::string(), std::uint64_t{1}})
    EXPECT_EQ(refused("sampled_closeness", {{"samples", std::uint64_t{2}}, {"risk", wrong}}), value) << wrong.index();
  for (const AlgorithmValue& wrong : std::vector<AlgorithmValue>{std::string("moon"), 1.0, std::uint64_t{1}})
    EXPECT_EQ(refused("eccentricity", {{"goal", wrong}}), value) << wrong.index();
  // What only the algorithm knows, it refuses itself.
  const Values beyond = {{"source", std::uint64_t{0}}, {"target", std::uint64_t{5}}};
  EXPECT_EQ(refused("flow", beyond), "HW-QUERY-TARGET");
  EXPECT_EQ(refused("flow", {{"source", std::uint64_t{0}}, {"target", {}}}), "HW-QUERY-TARGET") << "the graph names none";
  Values unknown = {{"source", std::uint64_t{0}}, {"target", std::uint64_t{1}}, {"strategy", std::string("moon")}};
  EXPECT_EQ(refused("flow", unknown), "HW-STRATEGY-UNKNOWN");
}

}  // namespace of_algorithms_test
}  // namespace hopwave::testing

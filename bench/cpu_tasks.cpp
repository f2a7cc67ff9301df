// cpu-tasks: components, strong components, shortest paths and betweenness on a CPU, timed for each number of threads.
// A line of JSON for each; answers of all numbers of threads are compared, and only then do times count.
//   cpu-tasks cc|scc|sssp|bc GRAPH [--threads 1,2,4] [--trials N] [--sources K] [--write FILE]
// scc: specs of directed graphs, see strong_graphs.h. sssp: graphs without weights get GAP's, whole ones from 1 to 255.
// bc: all K sources in one call; the others search from K sources, one after the other.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/commit.h"
#include "strong_graphs.h"
#include "weights.h"

namespace {

using namespace hopwave;

struct Options {
  std::string task, graph, file;
  std::vector<int> threads{0};
  int trials = 5, sources = 4;
};

/// One timed call: its milliseconds, and numbers by which answers are compared.
struct Trial {
  double ms = 0;
  std::vector<double> answer;
};

template <class Label>
std::vector<double> summary(const Label& label) {
  double sum = 0;
  for (std::size_t v = 0; v < label.size(); ++v) sum += static_cast<double>(label[v]) * static_cast<double>(1 + v % 1021);
  return {sum};
}

using Task = std::function<Trial(int threads)>;

Task task_of(const Options& options, const Graph& graph) {
  if (options.task == "cc")
    return [&graph](int threads) {
      const Components found = connected_components(graph, {.device = DeviceKind::cpu, .threads = threads});
      return Trial{found.run.work.count(), summary(found.label)};
    };
  if (options.task == "scc")
    return [&graph](int threads) {
      const StrongComponents found = strong_components(graph, {.run = {.device = DeviceKind::cpu, .threads = threads}});
      return Trial{found.run.work.count(), summary(found.label)};
    };
  const std::vector<VertexId> sources = bench::draw_sources(graph, options.sources);
  if (options.task == "bc")
    return [&graph, sources](int threads) {
      BetweennessOptions asked;
      asked.sources = sources;
      asked.run.device = DeviceKind::cpu, asked.run.threads = threads;
      const Betweenness found = betweenness(graph, asked);
      return Trial{found.run.work.count(), summary(found.vertex)};
    };
  return [&graph, sources](int threads) {
    static std::unique_ptr<WeightedSearcher> searcher;
    static int searcher_threads = -1;
    if (searcher_threads != threads) {
      WeightedOptions asked{.strategy = "cpu-delta-stepping"};
      asked.run.device = DeviceKind::cpu, asked.run.threads = threads;
      searcher = std::make_unique<WeightedSearcher>(graph, asked);
      searcher_threads = threads;
    }
    std::vector<double> ms;
    Trial trial;
    for (const VertexId source : sources) {
      const WeightedResult found = searcher->run({.sources = {source}});
      ms.push_back(found.run.work.count());
      double sum = 0;
      for (VertexId v = 0; v < graph.num_vertices(); ++v) sum += found.distance[v] < no_path ? found.distance[v] : -1;
      trial.answer.push_back(sum);
    }
    trial.ms = bench::median(ms);
    return trial;
  };
}

int run(const Options& options) {
  Graph graph =
      options.task == "scc" ? bench::load_directed(options.graph) : bench::load(options.graph, options.task == "sssp");
  if (options.task == "sssp" && !graph.has_weights()) graph = bench::with_weights(graph, 0, 27491095);
  if (!options.file.empty()) write_graph(graph, options.file, {});
  graph.ensure_in();  // as GAP does while it loads
  const Task task = task_of(options, graph);
  std::vector<double> answer;
  bool right = true;
  for (const int threads : options.threads) {
    std::vector<double> ms;
    for (int i = 0; i <= options.trials; ++i) {
      const Trial trial = task(threads);
      if (answer.empty()) answer = trial.answer;
      for (std::size_t k = 0; k < answer.size(); ++k)
        right = right && std::abs(answer[k] - trial.answer[k]) <= 1e-9 * std::abs(answer[k]);
      if (i > 0) ms.push_back(trial.ms);
    }
    nlohmann::json line{{"task", options.task},    {"graph", bench::short_name(options.graph)},
                        {"threads", threads},      {"sources", options.sources},
                        {"ms", bench::median(ms)}, {"least_ms", *std::min_element(ms.begin(), ms.end())},
                        {"right", right},          {"commit", source_commit}};
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Times components, strong components, shortest paths and betweenness on a CPU. Example: cpu-tasks bc streets:1400 "
      "--threads 1,16"};
  app.add_option("task", options.task)->required()->check(CLI::IsMember({"cc", "scc", "sssp", "bc"}));
  app.add_option("graph", options.graph, "file or generator spec")->required();
  app.add_option("--threads", options.threads, "numbers of threads, a line each; 0: all")
      ->delimiter(',')
      ->check(CLI::Range(0, 4096));
  app.add_option("--trials", options.trials, "measured calls")->check(CLI::Range(1, 100000));
  app.add_option("--sources", options.sources)->check(CLI::Range(1, 100000));
  app.add_option("--write", options.file, "also write the graph, for others' programs: .sg, .wsg");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cpu-tasks: {}\n", error.what());
    return 2;
  }
}

// Times CPU strategies on one graph from fixed random sources of its largest component:
//   cpu_bfs GRAPH [sources=64] [trials=5] [threads=0] [strategies=a,b,…] [parents=0] [prepare=0] [param:NAME=VALUE]
//     [levels=1]
// Prints medians over the sources of each source's best trial, harmonic-mean TEPS (undirected edges of the component),
// and the slowest source. levels=1 prints the levels of the first source's search, each with its best time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hopwave/hopwave.h"

namespace {

using namespace hopwave;

struct Options {
  std::string graph;
  std::map<std::string, std::string> named{
      {"sources", "64"}, {"trials", "5"},  {"threads", "0"}, {"strategies", "cpu-direction"},
      {"parents", "0"},  {"prepare", "0"}, {"levels", "0"}};
  Parameters parameters;

  [[nodiscard]] int number(const char* name) const { return std::atoi(named.at(name).c_str()); }
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
      options.graph = word;
    } else if (word.starts_with("param:")) {
      options.parameters[word.substr(6, equals - 6)] = std::atoll(word.c_str() + equals + 1);
    } else if (options.named.contains(word.substr(0, equals))) {
      options.named[word.substr(0, equals)] = word.substr(equals + 1);
    } else {
      std::fprintf(stderr, "unknown option %s\n", word.c_str());
      std::exit(2);
    }
  }
  return options;
}

std::vector<VertexId> pick_sources(const Graph& graph, int count) {
  const Components components = connected_components(graph);
  std::vector<VertexId> sources;
  for (std::uint64_t i = 0; sources.size() < static_cast<std::size_t>(count); ++i) {
    const auto v = static_cast<VertexId>(splitmix64(i) % graph.num_vertices());
    if (components.label[v] == components.largest_label) sources.push_back(v);
  }
  return sources;
}

double component_edges(const Graph& graph, const Result& result) {
  double arcs = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (result.distance[v] != unreached) arcs += static_cast<double>(graph.out_degree(v));
  return arcs / 2;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print_levels(const Graph& graph, SearchOptions options, const Query& query, int trials) {
  options.trace = true;
  Searcher searcher(graph, options);
  std::vector<LevelTrace> best;
  for (int i = 0; i < trials; ++i) {
    const std::vector<LevelTrace> trace = searcher.traverse(query).trace;
    if (best.empty()) best = trace;
    for (std::size_t k = 0; k < std::min(best.size(), trace.size()); ++k)
      if (trace[k].time < best[k].time) best[k] = trace[k];
  }
  for (const LevelTrace& t : best)
    std::printf("  level %5d %-5s frontier %9llu arcs %10llu  %8.1f us\n", t.level, t.direction,
                static_cast<unsigned long long>(t.frontier), static_cast<unsigned long long>(t.edges), 1e3 * t.time.count());
}

void measure(const Graph& graph, const std::string& strategy, const Options& options, const std::vector<VertexId>& sources) {
  const SearchOptions search{.strategy = strategy,
                             .parameters = options.parameters,
                             .prepare = options.number("prepare") != 0,
                             .run = {.device = DeviceKind::cpu, .threads = options.number("threads")}};
  Searcher searcher(graph, search);
  std::vector<double> best, middle;
  double inverse_rates = 0, slowest = 0;
  for (const VertexId s : sources) {
    const Query query{.sources = {s}, .parents = options.number("parents") != 0};
    const Result result = searcher.run(query);
    if (const Verdict verdict = validate(graph, query, result); !verdict) {
      std::fprintf(stderr, "%s from %u is wrong: %s\n", strategy.c_str(), s, verdict.message.c_str());
      std::exit(5);
    }
    std::vector<double> times;
    for (int i = 0; i < options.number("trials"); ++i) times.push_back(searcher.traverse(query).host.count());
    best.push_back(*std::min_element(times.begin(), times.end()));
    middle.push_back(median(times));
    slowest = std::max(slowest, best.back());
    inverse_rates += best.back() / 1e3 / component_edges(graph, result);
  }
  std::printf(
      "%-16s%s best %8.3f ms  median %8.3f ms  slowest source %8.3f ms  harmonic mean %8.1f MTEPS  prepared in %.1f ms\n",
      searcher.strategy().c_str(), options.number("parents") ? " +parents" : "", median(best), median(middle), slowest,
      static_cast<double>(sources.size()) / inverse_rates / 1e6, searcher.prepare().count());
  if (options.number("levels")) print_levels(graph, search, {.sources = {sources.front()}}, options.number("trials"));
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  const Graph graph = load_graph(options.graph);
  const auto sources = pick_sources(graph, options.number("sources"));
  std::printf("%s: %u vertices, %llu arcs, %zu sources, %d trials\n", options.graph.c_str(), graph.num_vertices(),
              static_cast<unsigned long long>(graph.num_arcs()), sources.size(), options.number("trials"));
  std::istringstream names(options.named.at("strategies"));
  for (std::string name; std::getline(names, name, ',');) measure(graph, name, options, sources);
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

// literal-bench: each strategy next to the plain reading of its source (textbook.cu, survey.cu), in one program, on the
// same graph from the same source. Both answers are first compared with cpu-sequential; then the runs of the two alternate.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

#include "../common.h"
#include "core/commit.h"
#include "hopwave/hopwave.h"
#include "literal.h"

namespace {

using namespace hopwave;
using nlohmann::json;

struct Options {
  std::vector<std::string> graphs, only;
  std::string output;
  std::vector<int> threads = {256};
  int runs = 7;
  double slower = 1.05, most_ms = 700;
};

literal::Arrays arrays_of(Graph& graph) {
  if (graph.num_arcs() > 0x7FFFFFFF) throw std::runtime_error("the plain versions count arcs with 32 bits");
  literal::Arrays a;
  a.n = static_cast<int>(graph.num_vertices());
  a.m = static_cast<int>(graph.num_arcs());
  const auto copy = [](const auto& values) { return std::vector<int>(values.begin(), values.end()); };
  graph.ensure_in();
  a.offsets = copy(graph.out().offsets.span());
  a.targets = copy(graph.out().neighbors.span());
  a.in_offsets = copy(graph.in().offsets.span());
  a.in_sources = copy(graph.in().neighbors.span());
  a.tails.resize(a.targets.size());
  for (int v = 0; v < a.n; ++v) std::fill(a.tails.begin() + a.offsets[v], a.tails.begin() + a.offsets[v + 1], v);
  a.by_degree.resize(static_cast<std::size_t>(a.n));
  std::iota(a.by_degree.begin(), a.by_degree.end(), 0);
  std::stable_sort(a.by_degree.begin(), a.by_degree.end(),
                   [&](int x, int y) { return a.offsets[x + 1] - a.offsets[x] < a.offsets[y + 1] - a.offsets[y]; });
  return a;
}

/// Measures the device time of one plain run, host loop included, as for the strategies.
class PlainTimer {
 public:
  PlainTimer() {
    literal::check(cudaEventCreate(&from_));
    literal::check(cudaEventCreate(&to_));
  }
  ~PlainTimer() {
    cudaEventDestroy(from_);
    cudaEventDestroy(to_);
  }
  double run(literal::Search& search, int source) {
    literal::check(cudaEventRecord(from_));
    search.run(source);
    literal::check(cudaEventRecord(to_));
    literal::check(cudaEventSynchronize(to_));
    literal::check(cudaGetLastError());
    float ms = 0;
    literal::check(cudaEventElapsedTime(&ms, from_, to_));
    return ms;
  }

 private:
  cudaEvent_t from_ = nullptr, to_ = nullptr;
};

Parameters parameters_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {};
  return {{text.substr(0, equals), std::stoll(text.substr(equals + 1))}};
}

json compare(const literal::Version& version, const literal::Arrays& arrays, const Graph& graph, VertexId source,
             const Array<Distance>& expected, const Options& options, PlainTimer& timer) {
  const auto plain = version.make(arrays);
  Searcher ours(
      graph,
      {.strategy = version.strategy, .parameters = parameters_of(version.parameters), .run = {.device = DeviceKind::gpu}});
  const Query query{.sources = {source}};
  timer.run(*plain, static_cast<int>(source));
  const std::uint64_t plain_wrong = bench::count_wrong(plain->distances(), expected);
  const std::uint64_t ours_wrong = bench::count_wrong(ours.run(query).distance, expected);
  std::vector<double> plain_ms, ours_ms;
  double plain_sum = 0;
  for (int r = 0; r < options.runs; ++r) {
    // A version that takes a second (one block against a whole device) need not run seven times.
    if (plain_sum < options.most_ms) {
      plain_ms.push_back(timer.run(*plain, static_cast<int>(source)));
      plain_sum += plain_ms.back();
    }
    ours_ms.push_back(ours.traverse(query).work.count());
  }
  const double plain_median = bench::median(plain_ms), ours_median = bench::median(ours_ms);
  json row = {{"version", version.name},
              {"strategy", version.strategy},
              {"parameters", parameters_of(version.parameters)},
              {"mended", version.mended},
              {"plain_wrong", plain_wrong},
              {"ours_wrong", ours_wrong},
              {"plain_ms", plain_ms},
              {"ours_ms", ours_ms},
              {"plain_median_ms", plain_median},
              {"ours_median_ms", ours_median},
              {"plain_min_ms", *std::min_element(plain_ms.begin(), plain_ms.end())},
              {"ours_min_ms", *std::min_element(ours_ms.begin(), ours_ms.end())},
              {"ours_over_plain", ours_median / plain_median}};
  if (version.threads) row["threads"] = version.threads;
  return row;
}

/// Compares all versions on one graph. Returns the number of wrong answers.
std::uint64_t compare_all(const std::string& spec, const Options& options, json& report) {
  Graph graph = bench::load(spec);
  const literal::Arrays arrays = arrays_of(graph);
  const VertexId source = bench::draw_sources(graph, 1).front();
  const Array<Distance> expected =
      Searcher(graph, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}}).run({.sources = {source}}).distance;
  const std::string name = bench::short_name(spec);
  report["graphs"].push_back({{"graph", name}, {"vertices", graph.num_vertices()}, {"arcs", graph.num_arcs()}});
  fmt::print("\n{}: {} vertices, {} arcs\n{:<30}{:>5}  {:<28}{:>11}{:>11}{:>9}\n", name, arrays.n, arrays.m, "plain version",
             "block", "ours", "plain ms", "ours ms", "ratio");
  std::vector<literal::Version> versions = literal::textbook_versions();
  for (const int threads : options.threads)
    for (const auto& v : literal::survey_versions(threads)) versions.push_back(v);
  PlainTimer timer;
  std::uint64_t wrong = 0;
  for (const literal::Version& version : versions) {
    if (!options.only.empty() && std::find(options.only.begin(), options.only.end(), version.strategy) == options.only.end())
      continue;
    json row = compare(version, arrays, graph, source, expected, options, timer);
    row["graph"] = name;
    const std::uint64_t bad = row["plain_wrong"].get<std::uint64_t>() + row["ours_wrong"].get<std::uint64_t>();
    wrong += bad;
    const double ratio = row["ours_over_plain"];
    fmt::print("{:<30}{:>5}  {:<28}{:>11.4f}{:>11.4f}{:>9.2f}{}{}\n", version.name,
               version.threads ? std::to_string(version.threads) : "",
               std::string(version.strategy) + (*version.parameters ? std::string(" ") + version.parameters : ""),
               row["plain_median_ms"].get<double>(), row["ours_median_ms"].get<double>(), ratio,
               ratio > options.slower ? "  SLOWER" : "", bad ? "  WRONG" : "");
    std::fflush(stdout);
    report["results"].push_back(std::move(row));
  }
  return wrong;
}

int run(Options options) {
  const DeviceInfo device = device_info();
  if (!device.gpu) {
    fmt::print(stderr, "literal-bench: no usable GPU ({})\n", device.why_not);
    return static_cast<int>(Failure::device);
  }
  if (options.graphs.empty()) options.graphs = {"rmat:20,16", "roadnet-ca-like"};
  json report = {{"program", "literal-bench"},
                 {"version", version},
                 {"commit", source_commit},
                 {"device", device.name},
                 {"driver", device.driver},
                 {"runs", options.runs},
                 {"times", "milliseconds of device time for one traversal, initialisation and the host's loop included"},
                 {"graphs", json::array()},
                 {"results", json::array()}};
  std::uint64_t wrong = 0;
  for (const std::string& spec : options.graphs) {
    wrong += compare_all(spec, options, report);
    bench::write_json(options.output, report);
  }
  fmt::print("\n{}\n", wrong ? "WRONG ANSWERS: see above" : "every distance right");
  return wrong ? static_cast<int>(Failure::verification) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Times every strategy next to the plain reading of its source. Example: literal-bench -g rmat:20,16 --json l.json"};
  app.add_option("-g,--graph", options.graphs, "file or generator spec; und:FILE reads rows as both directions");
  app.add_option("-t,--strategy", options.only, "only these");
  app.add_option("--threads", options.threads, "per block of the survey's plain kernels; several: one row each")
      ->delimiter(',')
      ->check(CLI::IsMember({32, 64, 128, 256, 512, 1024}));
  app.add_option("--runs", options.runs, "measured runs of each, in turn")->check(CLI::Range(1, 10000));
  app.add_option("--slower", options.slower, "mark the strategy as slower from this ratio on");
  app.add_option("--most-ms", options.most_ms, "a plain version is not run again once its runs took this long together");
  app.add_option("--json", options.output, "write every run to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "literal-bench: {}\n", e.what());
    return static_cast<int>(Failure::device);
  }
}

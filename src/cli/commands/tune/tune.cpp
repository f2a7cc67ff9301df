// hopwave tune: finds the best parameters of strategies for this device and a class of graphs, and keeps them.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/frame/bench_scan.h"
#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/files.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/search_options.h"
#include "cli/frame/tuning_file.h"
#include "measure/bench_file.h"
#include "measure/tuning.h"

namespace hopwave::cli {
namespace of_tune {

struct Arguments {
  GraphArguments graph;
  SearchArguments search;  // where, and the seed
  std::string strategies = "auto", output;
  std::int64_t sources = 2, runs = 5;
};

/// What a smaller graph teaches is about launches and threads, not about its class: auto would heed it on large ones.
constexpr EdgeIndex least_arcs = 100'000;

/// check_output() of a file whose folders are made only when it is written, so that a run that writes nothing leaves no
/// empty folders. A fault is reported before anything is measured.
void check_folders(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path file = path;
  while (file.has_parent_path() && file.parent_path() != file && !std::filesystem::exists(file.parent_path(), ignored))
    file = file.parent_path();
  check_output(file.string());
}

/// Makes the folders that are missing.
void keep(const std::string& path, const std::string& text) {
  std::error_code ignored;  // write_file() says what is wrong
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, ignored);
  write_file(path, text);
}

int run(const Arguments& arguments, Context& context) {
  const std::string path = arguments.output.empty() ? tuning_path() : arguments.output;
  report::Tuning tuning = read_tuning(path);
  check_folders(path);
  report::MeasureOptions options{.runs = checked_int("--runs", arguments.runs, 1, 100000)};
  options.run = run_options(arguments.search, checked_int("--threads", arguments.graph.threads, 0, 4096));
  const auto num_sources = static_cast<std::size_t>(checked_int("--sources", arguments.sources, 1, 1000));
  const Loaded loaded = load(context, arguments.graph);
  const Graph& graph = loaded.graph;
  const auto facts = report::graph_facts(arguments.graph.graph, graph);
  const auto sources = report::random_sources(graph, num_sources, options.run.seed);
  const core::Stopwatch watch;
  RunReport run;
  Json found = Json::array();
  std::string rest = arguments.strategies;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string name = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const StrategyInfo& info = compared(name);
    Progress progress(context.console, "tuning " + name);
    std::size_t runs = 0;
    options.run.progress = [&](const Step&) {
      progress.steps(plural(++runs, "run"));
      return !context.interrupted();
    };
    const DeviceKind device = info.device == "cpu" ? DeviceKind::cpu : to_device(arguments.search.device);
    const report::TunedEntry entry = report::tune(facts, graph, info, device, sources, options);
    if (!context.json())
      context.console.result(fmt::format("{}: {:.4f} ms with {} (default {:.4f} ms, {:.2f} times as fast)", name, entry.ms,
                                         report::parameter_text(entry.parameters), entry.standard_ms,
                                         entry.standard_ms / entry.ms));
    found.push_back({{"strategy", name},
                     {"device", entry.device},
                     {"graphs", entry.graphs},
                     {"parameters", entry.parameters},
                     {"ms", entry.ms},
                     {"standard_ms", entry.standard_ms}});
    tuning.keep(entry);
    run.device = device != DeviceKind::automatic ? device : device_info().gpu ? DeviceKind::gpu : DeviceKind::cpu;
  }
  const bool kept = !arguments.output.empty() || graph.num_arcs() >= least_arcs;
  if (kept) keep(path, tuning.to_json());
  if (context.json()) {
    run.work = watch.elapsed();
    Json json = document("tune");
    json["run"] = run_json(run, options.run, Seconds(loaded.seconds));
    json["file"] = kept ? Json(path) : Json(nullptr);
    json["entries"] = found;
    context.console.result(dump(json));
  }
  if (kept)
    context.console.talk("kept in " + path);
  else
    context.console.warn(fmt::format("not kept: {} are too few to speak for all {} graphs, {} are enough; -o FILE keeps it",
                                     plural(graph.num_arcs(), "arc"), report::graph_class(facts.profile), grouped(least_arcs)));
  return 0;
}

}  // namespace of_tune

Command tune_command() {
  using namespace of_tune;
  auto a = std::make_shared<Arguments>();
  OptionGroup what{"What",
                   {graph_argument(a->graph),
                    {"--sources", "N", "Random sources in the largest component.", &a->sources},
                    {"--runs", "N", "Measured runs per source.", &a->runs}}};
  OptionGroup output{"Output",
                     {{"-o,--output",
                       "FILE",
                       "The tuning file; without it the user's own, which --param best and auto read.",
                       &a->output,
                       {},
                       Fill::file}}};
  OptionGroup running{
      "Running",
      {{"--strategy", "NAMES", "Strategies to tune, separated by commas.", &a->strategies, {}, Fill::strategy},
       {"--device", "WHERE", "Where to search: auto, cpu, gpu, or sim.", &a->search.device, {"auto", "cpu", "gpu", "sim"}},
       threads_option(a->graph),
       {"--seed", "N", "Seed of the sources.", &a->search.seed}}};
  return {.name = "tune",
          .summary = "find the best parameters for this device and a class of graphs",
          .description =
              "Tries grid, block and the strategy's own parameters on this device, one after the other until nothing gets "
              "faster, every "
              "answer verified. The best are kept for this device and this class of graphs (deep, skewed or even), unless the "
              "graph "
              "has fewer than 100,000 arcs. 'auto' uses "
              "them by "
              "itself, other strategies with --param best.",
          .examples = {{"hopwave tune rmat:18,16 --strategy survey-virtual-warp --device sim", "one strategy in the simulator"},
                       {"hopwave tune roads.gr --strategy auto,pmpp-frontier", "two strategies, where auto would run"}},
          .groups = {std::move(what), std::move(output), std::move(running), reading_options(a->graph)},
          .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli

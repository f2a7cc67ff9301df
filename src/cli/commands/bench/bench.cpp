// hopwave bench: strategies × graphs × parameters × sources, measured and verified; Graph500's, GAP's and the survey's
// procedures. bench_run.cpp and bench_procedures.cpp, in the same folder, do the work.
#include <memory>
#include <utility>

#include "cli/commands/bench/bench_run.h"
#include "cli/frame/command.h"

namespace hopwave::cli {

Command bench_command() {
  auto a = std::make_shared<BenchArguments>();
  OptionGroup what{
      "What",
      {{.names = "GRAPH",
        .value = "GRAPH",
        .help =
            "Files or generator specs; or first a procedure: graph500, gap (GRAPHs may follow) or survey (GRAPHs may follow).",
        .target = &a->graphs,
        .fill = Fill::file,
        .required = true},
       {"--parameter-scan",
        "NAME=VALUES",
        "Measure every value: NAME=A,B,C, NAME=LOW..HIGH (doubling) or NAME=LOW..HIGH..STEP. Scans of several parameters "
        "multiply.",
        &a->scans,
        {},
        Fill::parameter},
       {"--sources", "N",
        "Random sources in the largest component, the same for every strategy; not of graph500 and gap, which take 64.",
        &a->sources},
       {"--scale", "S", "graph500, and gap without a GRAPH: 2^S vertices.", &a->scale},
       {"--edgefactor", "N", "graph500, and gap without a GRAPH: edges per vertex.", &a->edge_factor}}};
  OptionGroup how{
      "How",
      {{"--warmup", "N", "Runs per source that do not count; not of graph500 and gap.", &a->warmup},
       {"--runs", "N", "Runs per source that count; not of graph500 and gap, which do one.", &a->runs},
       {"--no-verify", "", "Do not check answers before their time counts.", &a->no_verify},
       {"--trace", "", "One more run with a record of every level, for the report; survey: of each best configuration.",
        &a->trace},
       {"--pictures", "", "Keep a coarse picture of each graph in the bench file, for the report.", &a->pictures}}};
  OptionGroup output{
      "Output",
      {{"--export-json",
        "FILE",
        "Everything: command, commit, graph hash, device, driver, clocks and every run. Every export is packed if "
        "its name ends in .gz or .zst; - instead of a name is standard output in place of the table.",
        &a->export_json,
        {},
        Fill::output},
       {"--export-csv", "FILE", "One row a measurement.", &a->export_csv, {}, Fill::output},
       {"--export-markdown", "FILE", "A table strategy × graph.", &a->export_markdown, {}, Fill::output},
       {"--baseline",
        "FILE",
        "A bench file to compare with; exit code 1 if something got slower, 3 if it has nothing of what was measured.",
        &a->baseline,
        {},
        Fill::file},
       {"--max-regression", "R", "With --baseline: how many times slower is still fine.", &a->max_regression}}};
  OptionGroup running = running_options(a->search, a->reading);
  for (auto& option : running.options)
    if (option.fill == Fill::parameter_or_best) {  // what is measured is said, not looked up
      option.fill = Fill::parameter;
      option.help = "Set a parameter of the strategies that have it ('hopwave strategies show NAME' lists them); repeatable.";
    }
  running.options.push_back({"--gpus", "LIST",
                             "graph500: the GPUs that share the graph, how many or their numbers (0,2); each builds, searches "
                             "and checks its part. With --device sim there are four.",
                             &a->search.gpus});
  return {
      .name = "bench",
      .summary = "measure strategies on graphs",
      .description =
          "Measures any strategies on any graphs with any parameters. Each configuration's answer is verified once per source, "
          "before its time counts. What cannot run here is listed with its reason. An error ends the run; what was measured "
          "before it is printed and exported, unless the error is a wrong answer. With several strategies --device says where "
          "those for GPUs run. Times are device time on a GPU and wall clock on a CPU. "
          "--strategy takes names separated by commas, a prefix with * (survey-*), all, cpu or gpu.",
      .examples = {{"hopwave bench rmat:12,16 --strategy cpu-sequential,cpu-parallel --runs 3 --export-json r.json",
                    "two strategies, every run kept"},
                   {"hopwave bench rmat:18,16 --strategy survey-virtual-warp --parameter-scan width=2..32 --parameter-scan "
                    "block=64..1024",
                    "a scan"},
                   {"hopwave bench graph500 --scale 20", "the Graph500 procedure"},
                   {"hopwave bench graph500 --scale 30 --gpus 4", "the same on four GPUs that share the graph"},
                   {"mpirun -n 8 hopwave bench graph500 --scale 24", "the same on several processes"},
                   {"hopwave bench survey --device sim --runs 5", "the survey's tables, in the simulator"},
                   {"hopwave bench roads.gr --baseline r.json --max-regression 1.05", "fail if it got slower"}},
      .groups = {std::move(what), std::move(how), std::move(output), std::move(running), reading_options(a->reading)},
      .run =
          [a](Context& context) {
            if (context.ranks) return bench_on_ranks(*a, context);
            auto baseline = check_bench(*a, context);
            return Bench(*a, context, std::move(baseline)).run();
          },
      .ranks = true};
}

}  // namespace hopwave::cli

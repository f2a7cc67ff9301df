// hopwave estimate: bytes needed against bytes free, before anything is read.
#include "hopwave/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "algorithm/algorithm.h"
#include "bfs/catalogue/catalogue.h"
#include "bfs/engine/partitioned/drawn_memory.h"
#include "cli/commands/estimate/storage_report.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/rank_graph.h"
#include "cli/frame/search_options.h"
#include "core/refuse.h"
#include "hopwave/betweenness.h"
#include "hopwave/sampled_closeness.h"
#include "io/hwg.h"

namespace hopwave::cli {
namespace of_estimate {

struct Arguments {
  GraphArguments graph;
  SearchArguments search;
  bool parents = false, with_in = false, prepare = false, weights = false, edges = false;
  std::int64_t searches = 1, samples = 0, ranks = 0, gpus = 0;
  std::string job = "search";
};

/// By the names of their commands: those of algorithms that have jobs of their own.
std::vector<std::pair<std::string, EstimateJob>> jobs() {
  std::vector<std::pair<std::string, EstimateJob>> found = {{"search", EstimateJob::search}};
  for (const algorithm::Row* row : algorithm::rows())
    if (row->job != EstimateJob::search) found.emplace_back(row->name, row->job);
  return found;
}

EstimateJob to_job(const std::string& name) {
  const auto all = jobs();
  return std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; })->second;
}

/// How far off a sampled value may be, with a probability of 95 %: of betweenness, and of harmonic centrality divided by n − 1.
double sampling_error_of(const Arguments& a, const MemoryEstimate& e) {
  const auto n = static_cast<VertexId>(std::min<std::uint64_t>(e.size.vertices, no_vertex));
  const auto samples = static_cast<std::uint64_t>(a.samples);
  return a.job == "betweenness" ? betweenness_error(n, samples) : sampling_error(n, samples);
}

/// What each of several processes takes, where they are asked for. `components`: with -s lcc.
std::optional<ranks::RankMemory> of_a_rank(const Arguments& a, const MemoryEstimate& e, bool components = false) {
  if (a.ranks == 0 || !e.size.known) return std::nullopt;
  return ranks::rank_memory(e.size.vertices, e.arcs, !(e.size.undirected || a.graph.undirected),
                            {.parents = a.parents, .components = components}, static_cast<std::uint64_t>(a.ranks));
}

/// What each takes on a GPU of its own.
std::uint64_t on_its_gpu(const Arguments& a, const MemoryEstimate& e) {
  return ranks::rank_device_memory(e.size.vertices, e.arcs, !(e.size.undirected || a.graph.undirected), a.parents,
                                   static_cast<std::uint64_t>(a.ranks));
}

/// The rank that needs most: of what is no .hwg and not drawn in parts, rank 0, which reads and builds all.
std::uint64_t of_rank_0(const Arguments& a, const MemoryEstimate& e, const ranks::RankMemory& each) {
  return rank_peak(a.graph, e.size, each, static_cast<std::uint64_t>(a.ranks), true);
}

/// What each of several GPUs takes that share the graph, where they are asked for.
std::optional<engine::PartitionMemory> of_a_gpu(const Arguments& a, const MemoryEstimate& e) {
  if (a.gpus <= 1 || !e.size.known) return std::nullopt;
  return engine::partition_memory(e.size.vertices, e.arcs, !(e.size.undirected || a.graph.undirected), a.parents,
                                  static_cast<std::uint64_t>(a.gpus), a.prepare);
}

/// What they take where they draw the graph, as `bench graph500` does; nothing where it is no such graph.
std::optional<engine::DrawnMemory> of_a_drawing_gpu(const Arguments& a, const MemoryEstimate& e) {
  const std::string& spec = a.graph.graph;
  const bool drawn = e.size.basis == "generator" && (spec.starts_with("rmat:") || spec.starts_with("kron:"));
  if (a.gpus <= 1 || !drawn || e.size.vertices < 2) return std::nullopt;
  return engine::drawn_memory(
      {.scale = std::countr_zero(e.size.vertices), .edges = e.size.rows, .devices = static_cast<std::uint64_t>(a.gpus)});
}

bool fits_host(const MemoryEstimate& e) { return e.host_peak() <= e.host_free; }
bool fits_device(const MemoryEstimate& e) { return e.device_bytes <= e.device_free; }

Json to_json(const Arguments& arguments, const MemoryEstimate& e, const DeviceInfo& device) {
  Json json = document("estimate");
  json["source"] = arguments.graph.graph;
  json["known"] = e.size.known;
  json["exact"] = e.size.exact;
  json["basis"] = e.size.basis;
  json["vertices"] = e.size.vertices;
  json["rows"] = e.size.rows;
  json["arcs"] = e.arcs;
  json["host"] = {{"graph_bytes", e.graph_bytes},
                  {"load_peak_bytes", e.load_peak_bytes},
                  {"search_bytes", e.search_bytes},
                  {"needed_bytes", e.host_peak()},
                  {"free_bytes", e.host_free},
                  {"total_bytes", host_memory_total()},
                  {"fits", fits_host(e)}};
  json["device"] = {{"gpu", device.gpu},
                    {"name", device.name},
                    {"needed_bytes", e.device_bytes},
                    {"free_bytes", e.device_free},
                    {"fits", device.gpu && fits_device(e)},
                    {"why_not", device.why_not}};
  const auto each = of_a_rank(arguments, e);
  json["ranks"] = each ? Json{{"count", arguments.ranks},
                              {"needed_bytes", each->total()},
                              {"first_needed_bytes", of_rank_0(arguments, e, *each)},
                              {"rows_bytes", each->rows},
                              {"lcc_needed_bytes", of_a_rank(arguments, e, true)->total()},
                              {"gpu_needed_bytes", on_its_gpu(arguments, e)}}
                       : Json(nullptr);
  const auto share = of_a_gpu(arguments, e);
  const auto drawn = of_a_drawing_gpu(arguments, e);
  json["gpus"] = share ? Json{{"count", arguments.gpus},
                              {"needed_bytes", share->total()},
                              {"rows_bytes", share->rows},
                              {"fits", device.gpu && share->total() <= e.device_free},
                              {"drawn", drawn ? Json{{"first_needed_bytes", drawn->first.total()},
                                                     {"needed_bytes", drawn->other.total()},
                                                     {"host_needed_bytes", drawn->on_host},
                                                     {"fits", device.gpu && drawn->first.total() <= e.device_free}}
                                              : Json(nullptr)}}
                       : Json(nullptr);
  json["job"] = arguments.job;
  json["searches"] = e.searches > 0 ? Json(e.searches) : Json(nullptr);
  json["error"] = arguments.samples > 0 && e.size.known ? Json(sampling_error_of(arguments, e)) : Json(nullptr);
  return json;
}

Counted count(const Arguments& arguments, const MemoryEstimate& e, const StrategyInfo& info) {
  const auto parameters = search_detail::complete_parameters(
      info, to_parameters(arguments.search, "hopwave strategies show " + std::string(info.name) + " lists the names"));
  Counted counted{.info = info,
                  .shape = {.vertices = e.size.vertices,
                            .arcs = e.arcs,
                            .symmetric = e.size.undirected || arguments.graph.undirected,
                            .parents = arguments.parents},
                  .storage = {}};
  counted.storage = search_detail::device_storage(info, counted.shape, parameters);
  return counted;
}

/// What several GPUs take, where they are asked for: a share of a graph that is loaded, and of one that they draw.
template <class Line>
void print_shares(const Arguments& a, const MemoryEstimate& e, bool gpu, Line&& line) {
  const char* about = e.size.exact ? "" : "about ";
  const auto fits = [&](std::uint64_t bytes) { return !gpu ? "" : bytes <= e.device_free ? ": fits" : ": does not fit"; };
  if (const auto share = of_a_gpu(a, e))
    line("share", fmt::format("{}{} needed by each of {} that share the graph ({} rows, {} queues, {} bitmaps{}{}){}", about,
                              bytes_text(share->total()), plural(static_cast<std::uint64_t>(a.gpus), "GPU"),
                              bytes_text(share->rows), bytes_text(share->queues), bytes_text(share->bitmaps),
                              share->dealing ? ", " + bytes_text(share->dealing) + " while vertices are dealt out" : "",
                              share->ordering == share->total() ? ", all of it on the first while vertices are ordered" : "",
                              fits(share->total())));
  if (const auto drawn = of_a_drawing_gpu(a, e))
    line("drawn",
         fmt::format("{} needed by the first and {} by each other of {} that draw it themselves, as bench graph500 "
                     "does, and {} of the host ({} while vertices are ordered, {} while rows are made, {} in a search){}",
                     bytes_text(drawn->first.total()), bytes_text(drawn->other.total()),
                     plural(static_cast<std::uint64_t>(a.gpus), "GPU"), bytes_text(drawn->on_host),
                     bytes_text(drawn->first.ordering), bytes_text(drawn->first.dealing), bytes_text(drawn->first.searching),
                     fits(drawn->first.total())));
}

/// --strategy all.
std::vector<Counted> count_all(const Arguments& arguments, const MemoryEstimate& e) {
  std::vector<Counted> all;
  for (const StrategyInfo& info : strategies())
    if (info.device == "gpu") all.push_back(count(arguments, e, info));
  return all;
}

/// No option may be without effect.
void check_options(const Arguments& arguments) {
  const auto refuse = [](const char* found, const char* expected) { core::refuse("HW-USAGE-OPTION", found, expected); };
  const std::string& strategy = arguments.search.strategy;
  if (strategy.empty() && !arguments.search.params.empty())
    refuse("--param without --strategy", "the strategy whose parameter it is");
  if (wants_tuning(arguments.search)) refuse("--param best", "NAME=NUMBER: tuning belongs to a graph that has been read");
  if (!strategy.empty() && strategy != "auto" && (arguments.prepare || arguments.searches > 1))
    refuse("--prepare or --searches with a strategy", "auto, which alone prepares and searches many at once");
  if (arguments.weights && (!strategy.empty() || arguments.prepare || arguments.searches > 1))
    refuse("--weights with --strategy, --prepare or --searches", "--weights alone, or with --parents or --with-in");
  if (arguments.job != "search" && (!strategy.empty() || arguments.prepare || arguments.searches > 1 || arguments.weights ||
                                    arguments.parents || arguments.with_in))
    refuse("--job with --strategy, --weights, --prepare, --searches, --parents or --with-in", "--job alone");
  if (arguments.samples != 0 && arguments.job != "closeness" && arguments.job != "betweenness")
    refuse("--samples", "also --job closeness or --job betweenness");
  if ((arguments.edges || arguments.graph.threads != 0) && arguments.job != "betweenness")
    refuse("--edges or --threads", "also --job betweenness");
  if (arguments.ranks != 0 && (!strategy.empty() || arguments.prepare || arguments.searches > 1 || arguments.weights ||
                               arguments.job != "search" || arguments.with_in))
    refuse("--ranks with --strategy, --weights, --prepare, --searches, --job or --with-in", "--ranks alone, or with --parents");
  if (arguments.gpus != 0 &&
      (!strategy.empty() || arguments.searches > 1 || arguments.weights || arguments.job != "search" || arguments.ranks != 0))
    refuse("--gpus with --strategy, --weights, --searches, --job or --ranks", "--gpus alone, or with --parents or --prepare");
  checked_int("--gpus", arguments.gpus, 0, 16);
  checked_int("--ranks", arguments.ranks, 0, 1 << 20);
  const bool all = strategy == "all";
  if (all && !arguments.search.params.empty()) refuse("--param with --strategy all", "the strategy whose parameter it is");
  const bool counted = !strategy.empty() && !all && find_strategy(strategy).device == "gpu";
  if (!strategy.empty() && !all && !counted && !arguments.search.params.empty())
    refuse("--param of a strategy whose arrays are not counted one by one", "a GPU strategy of the literature");
}

int run(const Arguments& arguments, Context& context) {
  const auto read = read_options(arguments.graph);
  check_graph_name(arguments.graph.graph);
  const bool all = arguments.search.strategy == "all", named = !arguments.search.strategy.empty() && !all;
  check_options(arguments);
  const StrategyInfo info = named ? find_strategy(arguments.search.strategy) : StrategyInfo{};
  auto e =
      estimate_memory(arguments.graph.graph, read,
                      {.build_in = arguments.with_in || (named && info.needs.in && info.device != "any"),
                       .undirected = arguments.graph.undirected,
                       .parents = arguments.parents,
                       .weights = arguments.weights,
                       .prepare = arguments.prepare,
                       .searches = static_cast<std::uint64_t>(checked_int("--searches", arguments.searches, 1, 0x7FFFFFFF)),
                       .job = to_job(arguments.job),
                       .samples = static_cast<std::uint64_t>(checked_int("--samples", arguments.samples, 0, 0x7FFFFFFF)),
                       .arcs = arguments.edges,
                       .threads = checked_int("--threads", arguments.graph.threads, 0, 4096)});
  std::optional<Counted> counted;
  if (named) counted = count(arguments, e, info);
  if (counted && counted->storage) e.device_bytes = counted->storage->bytes();
  const DeviceInfo device = device_info();
  if (device.gpu) e.device_free = device.memory_free;
  const auto each = of_a_rank(arguments, e);
  const bool fits = !e.size.known || (each ? of_rank_0(arguments, e, *each) <= e.host_free : fits_host(e));
  Console& console = context.console;
  if (context.json()) {
    Json json = to_json(arguments, e, device);
    if (counted && e.size.known) json["strategy"] = to_json(*counted, e);
    if (all && e.size.known)
      for (const Counted& one : count_all(arguments, e)) json["strategies"].push_back(to_json(one, e));
    console.result(dump(json));
  } else if (!e.size.known) {
    console.result(fmt::format("{}: nothing can be said beforehand ({})", printable(arguments.graph.graph), e.size.basis));
  } else {
    const auto line = [&](std::string_view label, const std::string& text) { console.labelled(Stream::out, label, 8, text); };
    const char* about = e.size.exact ? "" : "about ";
    line("graph", fmt::format("{}{}, {}{} as stored ({})", about, plural(e.size.vertices, "vertex", "vertices"), about,
                              plural(e.size.rows, "edge"), e.size.basis));
    line("host", fmt::format("{}{} needed ({} graph, {} while loading, {} search), {} free: {}", about,
                             bytes_text(e.host_peak()), bytes_text(e.graph_bytes), bytes_text(e.load_peak_bytes),
                             bytes_text(e.search_bytes), bytes_text(e.host_free), fits_host(e) ? "fits" : "does not fit"));
    if (each) {
      line("ranks",
           fmt::format("{}{} needed by each of {} ({} rows, at most {} messages), {} by rank 0 while it loads: {}", about,
                       bytes_text(each->total()), arguments.ranks, bytes_text(each->rows), bytes_text(each->messages),
                       bytes_text(of_rank_0(arguments, e, *each)), fits ? "a rank fits" : "rank 0 does not fit"));
      line("", fmt::format("{}{} with -s lcc, which finds components before the search", about,
                           bytes_text(of_a_rank(arguments, e, true)->total())));
    }
    if (!all)
      line("gpu", device.gpu ? fmt::format("{}{} needed, {} free on {}: {}", about, bytes_text(e.device_bytes),
                                           bytes_text(e.device_free), device.name, fits_device(e) ? "fits" : "does not fit")
                             : fmt::format("{}{} would be needed; no GPU here: {}", about, bytes_text(e.device_bytes),
                                           device.why_not));
    if (each)
      line("", fmt::format("{}{} at most on a GPU for each rank (--device gpu)", about, bytes_text(on_its_gpu(arguments, e))));
    print_shares(arguments, e, device.gpu, line);
    if (arguments.job != "search" && e.searches > 0) line("takes", plural(e.searches, "search", "searches"));
    if (arguments.samples > 0)
      line("error", fmt::format("at most {:.2g} {}, for all vertices at once with a probability of 95 %",
                                sampling_error_of(arguments, e),
                                arguments.job == "betweenness" ? "of a value" : "of a harmonic centrality divided by n − 1"));
    if (counted) print_storage(*counted, e, line);
    if (all) print_storages(count_all(arguments, e), console);
  }
  return fits ? 0 : static_cast<int>(Failure::does_not_fit);
}

}  // namespace of_estimate

Command estimate_command() {
  using namespace of_estimate;
  auto a = std::make_shared<Arguments>();
  a->search.strategy.clear();
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  names.emplace_back("all");
  std::vector<std::string> job_names;
  for (const auto& [name, job] : jobs()) job_names.push_back(name);
  Option undirected{"--undirected", "", "Every edge has both directions.", &a->graph.undirected};
  return {
      .name = "estimate",
      .summary = "bytes needed against bytes free, before doing it",
      .description =
          "Prints how much memory loading and searching a graph will take on the CPU and on a GPU, and how much is free, from "
          "a header, a sample of the file or a generator's spec; nothing big is read. Exit code 4 if it does not fit into "
          "the memory of this machine. Searches refuse by the same figures.",
      .examples = {{"hopwave estimate social.txt.zst", "for a file"},
                   {"hopwave estimate rmat:30,16 --undirected", "for a graph that is not there yet"},
                   {"hopwave estimate rmat:30,16 --gpus 4", "on four GPUs that share it"},
                   {"hopwave estimate web.txt --job betweenness --samples 1000", "for another command than a search"},
                   {"hopwave estimate pmpp --strategy survey-defer", "what a strategy holds"},
                   {"hopwave estimate rmat:20,16 --strategy all", "what each strategy holds, one per row"}},
      .groups = {{"What",
                  {graph_argument(a->graph),
                   undirected,
                   {"--strategy", "NAME",
                    "Count what this strategy holds, array by array, and what its blocks want of a multiprocessor. all: one "
                    "row for each "
                    "GPU strategy of the literature.",
                    &a->search.strategy, names, Fill::strategy},
                   {"--param",
                    "NAME=VALUE",
                    "A parameter of the strategy, such as queue_size=4096; repeatable.",
                    &a->search.params,
                    {},
                    Fill::parameter},
                   {"--job", "NAME", "Count another job than a search: a command's name.", &a->job, job_names},
                   {"--samples", "K", "With --job closeness or betweenness: count K samples, and print their error. 0: exact.",
                    &a->samples},
                   {"--edges", "", "With --job betweenness: of edges, too.", &a->edges},
                   {"--threads", "N", "With --job betweenness: threads. 0: all.", &a->graph.threads},
                   {"--parents", "", "Count the array of parents too.", &a->parents},
                   {"--weights", "", "Count shortest paths by weight (hopwave sssp) instead of a search by hops.", &a->weights},
                   {"--prepare", "", "Count what preparation makes on a GPU, at most.", &a->prepare},
                   {"--searches", "N", "Count what many independent searches take (bfs --mode each), up to 64 in a pass.",
                    &a->searches},
                   {"--ranks", "N",
                    "Count what each of N processes takes that search together (mpirun -n N hopwave bfs). Exit code 4 if one "
                    "does not fit. 0: one process.",
                    &a->ranks},
                   {"--gpus", "N",
                    "Count what each of N GPUs takes that share the graph (bfs --gpus N --partition); of rmat: and kron: "
                    "also where they draw it (bench graph500 --gpus N). 0 or 1: one GPU.",
                    &a->gpus},
                   {"--with-in", "", "Count incoming arcs too: searches that pull on directed graphs need them.",
                    &a->with_in}}}},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli

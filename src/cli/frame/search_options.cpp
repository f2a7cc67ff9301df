// Search options and sources: -s 17, first, maxdeg, lcc, random:64@seed, or what the file names.
#include "cli/frame/search_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "bfs/searcher/whole_process.h"
#include "core/parallel.h"
#include "core/refuse.h"
#include "device/usable_gpu.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"

namespace hopwave::cli {

OptionGroup running_options(SearchArguments& arguments, GraphArguments& graph) {
  return {
      "Running",
      {{"--strategy",
        "NAME",
        "How to search: a name from 'hopwave strategies', or auto.",
        &arguments.strategy,
        {},
        Fill::strategy},
       {"--device",
        "WHERE",
        "Where to search: auto, cpu, gpu, or sim (the GPU simulator).",
        &arguments.device,
        {"auto", "cpu", "gpu", "sim"}},
       {"--param",
        "NAME=VALUE",
        "Set a parameter of the strategy ('hopwave strategies show NAME' lists them), or 'best': what 'hopwave tune' "
        "found; repeatable.",
        &arguments.params,
        {},
        Fill::parameter_or_best},
       {"--prepare", "", "Let the strategy reorder the graph first; the time for that is printed separately.",
        &arguments.prepare},
       threads_option(graph),
       time_limit_option(arguments),
       {"--seed", "N", "Seed of random sources and of the simulator's schedule.", &arguments.seed},
       {"--schedule",
        "KIND",
        "Which threads the simulator's schedule delays: none (uniform), one block, one warp, one thread at a memory word "
        "(held-thread), or by random priorities (pct). weak: none, with weak memory. load-buffering: as weak, and stores are "
        "seen before loads. Needs --device sim.",
        &arguments.schedule,
        {"uniform", "slow-block", "slow-warp", "held-thread", "pct", "weak", "load-buffering"}}}};
}

OptionGroup weighted_running_options(SearchArguments& arguments, GraphArguments& graph) {
  OptionGroup group = running_options(arguments, graph);
  std::erase_if(group.options, [](const Option& each) { return each.names == "--strategy" || each.names == "--prepare"; });
  for (Option& each : group.options)
    if (each.names == "--param") {
      each.help = "Set a parameter of near-far: block, grid, narrow, steps, aim (docs/sssp.md); repeatable.";
      each.fill = Fill::nothing;
    }
  group.options.insert(group.options.begin(),
                       {"--strategy",
                        "NAME",
                        "How to search: Dijkstra's algorithm, delta-stepping on all threads, near-far on a GPU or in "
                        "the simulator, or auto.",
                        &arguments.strategy,
                        {"auto", "cpu-dijkstra", "cpu-delta-stepping", "near-far"}});
  return group;
}

Option direction_option(SearchArguments& arguments) {
  return {"--direction",
          "WAY",
          "Follow arcs out (forwards), in (backwards) or both ways.",
          &arguments.direction,
          {"out", "in", "both"}};
}

Option time_limit_option(SearchArguments& arguments) {
  return {
      "--time-limit", "SECONDS",
      "Give up a search that takes longer: exit code 124. Many searches of one call have it together. Reading and preparing "
      "are not counted.",
      &arguments.time_limit};
}

Option gpus_option(SearchArguments& arguments) {
  return {"--gpus", "LIST",
          "Deal many searches out over several GPUs, each with a copy of the graph: how many, or their numbers (0,2). With "
          "--device sim there are four.",
          &arguments.gpus};
}

Option partition_option(SearchArguments& arguments) {
  return {
      "--partition", "",
      "With --gpus: the GPUs share the graph instead of having a copy each, and search together. For graphs that do not fit "
      "into one.",
      &arguments.partition};
}

Option exchange_option(SearchArguments& arguments) {
  return {"--exchange",
          "WAY",
          "With a GPU for each of several processes: by what the GPUs exchange: nccl, host (copies and MPI), or auto: NCCL "
          "where all of them can load it.",
          &arguments.exchange,
          {"auto", "nccl", "host"}};
}

Direction to_direction(const std::string& name) {
  return name == "in" ? Direction::in : name == "both" ? Direction::both : Direction::out;
}

ScheduleKind to_schedule(const std::string& name) {
  return name == "slow-block"       ? ScheduleKind::slow_block
         : name == "slow-warp"      ? ScheduleKind::slow_warp
         : name == "held-thread"    ? ScheduleKind::held_thread
         : name == "pct"            ? ScheduleKind::pct
         : name == "weak"           ? ScheduleKind::weak
         : name == "load-buffering" ? ScheduleKind::load_buffering
                                    : ScheduleKind::uniform;
}

DeviceKind to_device(const std::string& name) {
  return name == "cpu"   ? DeviceKind::cpu
         : name == "gpu" ? DeviceKind::gpu
         : name == "sim" ? DeviceKind::sim
                         : DeviceKind::automatic;
}

namespace {

template <class Number>
bool to_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

/// --gpus: "3" are devices 0 to 2, "0,2" are these.
void set_gpus(const std::string& text, SearchOptions& options) {
  if (text.empty()) return;
  std::vector<int> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    int number = -1;
    if (!to_number(std::string_view(text).substr(at, end - at), number) || number < 0 || number > 1023)
      core::refuse("HW-USAGE-VALUE", "--gpus is '" + text + "'", "a number of GPUs, such as 2, or their numbers, such as 0,2");
    all.push_back(number);
    at = end + 1;
  }
  if (all.size() == 1) {
    const int count = all[0];
    if (count == 0) core::refuse("HW-USAGE-VALUE", "--gpus is 0", "1 or more");
    all.clear();
    for (int i = 0; i < count; ++i) all.push_back(i);
  }
  if (options.run.device == DeviceKind::cpu) core::refuse("HW-USAGE-OPTION", "--gpus with --device cpu", "one of the two");
  if (options.run.device == DeviceKind::automatic) options.run.device = DeviceKind::gpu;
  options.run.on.ordinal = all[0];
  options.run.replicas.assign(all.begin() + 1, all.end());
}

}  // namespace

Limits to_limits(const SearchArguments& arguments) {
  Limits limits;
  if (arguments.time_limit.empty()) return limits;
  double seconds = 0;
  if (!to_number(arguments.time_limit, seconds) || !(seconds > 0))
    core::refuse("HW-USAGE-VALUE", "--time-limit is '" + arguments.time_limit + "'", "a number of seconds above 0");
  limits.time = Seconds(seconds);
  return limits;
}

Limits SharedLimit::rest() const {
  Limits left = whole_;
  constexpr Milliseconds least{1e-6};  // 0 would be no limit
  if (whole_.time > Milliseconds()) left.time = std::max(least, whole_.time - watch_.elapsed());
  return left;
}

void SharedLimit::over(std::size_t done, std::size_t all) const {
  throw Error({.failure = Failure::time_limit,
               .id = "HW-TIME-LIMIT",
               .found = fmt::format("the time limit of {:g} s is reached: {} of {} searches are done",
                                    Seconds(whole_.time).count(), done, all)});
}

Parameters to_parameters(const SearchArguments& arguments, const std::string& hint) {
  Parameters parameters;
  for (const auto& text : arguments.params) {
    if (text == "best") continue;  // apply_tuning() looks it up once the graph is known
    const auto equals = text.find('=');
    std::int64_t value = 0;
    if (equals == std::string::npos || equals == 0 || !to_number(std::string_view(text).substr(equals + 1), value))
      core::refuse("HW-USAGE-VALUE", "--param is '" + text + "'", "NAME=NUMBER, a whole number below 2^63", hint);
    const auto [at, added] = parameters.emplace(text.substr(0, equals), value);
    if (!added && at->second != value)
      core::refuse(
          "HW-USAGE-VALUE",
          "--param gives " + at->first + " twice, as " + std::to_string(at->second) + " and as " + std::to_string(value),
          "one of them", hint);
  }
  return parameters;
}

RunOptions run_options(const SearchArguments& arguments, int threads) {
  return {.device = to_device(arguments.device),
          .threads = threads,
          .seed = arguments.seed,
          .simulator = {.schedule = to_schedule(arguments.schedule), .seed = arguments.seed},
          .limits = to_limits(arguments)};
}

SearchOptions search_options(const SearchArguments& arguments, int threads) {
  SearchOptions options;
  if (arguments.strategy != "auto") find_strategy(arguments.strategy);  // refuses an unknown name before a long read
  options.strategy = arguments.strategy;
  options.direction = to_direction(arguments.direction);
  options.prepare = arguments.prepare;
  options.run = run_options(arguments, threads);
  options.parameters = to_parameters(arguments, "hopwave strategies show " + arguments.strategy + " lists the names");
  set_gpus(arguments.gpus, options);
  if (arguments.partition) {
    if (arguments.gpus.empty())
      core::refuse("HW-USAGE-OPTION", "--partition without --gpus", "the GPUs that share the graph", "--gpus 2");
    options.partition = Partition::always;
  }
  return options;
}

SearchOptions weighted_search_options(const SearchArguments& arguments, int threads) {
  if (wants_tuning(arguments))
    core::refuse("HW-USAGE-VALUE", "--param best", "NAME=NUMBER: nothing is tuned for shortest paths with weights");
  return {.strategy = arguments.strategy,
          .direction = to_direction(arguments.direction),
          .parameters = to_parameters(arguments, "near-far has block, grid, narrow, steps and aim; docs/sssp.md explains them"),
          .run = run_options(arguments, threads)};
}

std::string settle_device(DeviceKind& device, const std::string& strategy, const Graph& graph, std::uint64_t passes,
                          double searches, int threads) {
  if (device != DeviceKind::automatic || strategy != "auto" || !device::may_have_gpu()) return {};
  auto choice = search_detail::choose_whole({.vertices = graph.num_vertices(),
                                             .arcs = graph.num_arcs(),
                                             .passes = passes,
                                             .searches = searches,
                                             .threads = threads > 0 ? threads : hardware_threads(),
                                             .weights = graph.has_weights()});
  device = choice.device;
  return std::move(choice.why);
}

std::string settle_device(SearchOptions& options, const Graph& graph, std::uint64_t passes, double searches) {
  if (!options.parameters.empty() || !options.run.replicas.empty() || options.partition == Partition::always || options.prepare)
    return {};
  return settle_device(options.run.device, options.strategy, graph, passes, searches, options.run.threads);
}

bool wants_tuning(const SearchArguments& arguments) {
  return std::find(arguments.params.begin(), arguments.params.end(), "best") != arguments.params.end();
}

std::vector<Option> source_options(SourceArguments& arguments) {
  return {
      {"-s,--source",
       "SRC",
       "Where to start: a vertex id, first, maxdeg (most arcs), lcc (in the largest component) or random:N[@SEED]; repeatable. "
       "Without it: the source that the file names, if it does.",
       &arguments.source,
       {},
       Fill::source},
      {"--sources", "A,B,C", "Several sources, separated by commas.", &arguments.sources}};
}

namespace {

VertexId vertex_of_most_arcs(const Graph& graph) {
  VertexId best = 0;
  for (VertexId v = 1; v < graph.num_vertices(); ++v)
    if (graph.out_degree(v) > graph.out_degree(best)) best = v;
  return best;
}

VertexId in_largest_component(const Graph& graph) {
  const auto components = connected_components(graph);
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (components.label[v] == components.largest_label && graph.out_degree(v) > 0) return v;
  return components.largest_label;
}

/// Distinct vertices with at least one arc out, as Graph500 draws its search keys.
void add_random(const Graph& graph, const RandomSources& random, Sources& sources) {
  std::uint64_t able = 0, found = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) able += graph.out_degree(v) > 0;
  random.check(able);
  std::unordered_set<VertexId> taken;
  for (std::uint64_t draw = 0; found < random.count; ++draw) {
    const VertexId v = random.vertex(draw, graph.num_vertices());
    if (graph.out_degree(v) == 0 || !taken.insert(v).second) continue;
    sources.vertices.push_back(v);
    ++found;
  }
  sources.how = random.how();
}

void add_word(const Graph& graph, const std::string& word, std::uint64_t seed, Sources& sources) {
  // A vertex of that name wins over a keyword: names are the caller's.
  if (const auto v = graph.ids().find(word)) return sources.vertices.push_back(*v);
  if (const auto random = parse_random(word, seed)) return add_random(graph, *random, sources);
  VertexId v = 0;
  if (word == "first") {
    sources.how = "the first vertex";
  } else if (word == "maxdeg") {
    v = vertex_of_most_arcs(graph);
    sources.how = fmt::format("the vertex with most arcs out: {}", grouped(graph.out_degree(v)));
  } else if (word == "lcc") {
    v = in_largest_component(graph);
    sources.how = "the first vertex of the largest component with an arc out";
  } else {
    v = find_vertex(graph, word, "source");
  }
  sources.vertices.push_back(v);
}

}  // namespace

VertexId RandomSources::vertex(std::uint64_t draw, VertexId num_vertices) const {
  const std::uint64_t bits = splitmix64(splitmix64(seed) ^ draw);
  return static_cast<VertexId>((static_cast<unsigned __int128>(bits) * num_vertices) >> 64);
}

std::string RandomSources::how() const {
  return fmt::format("{} drawn with seed {} among those with an arc out", plural(count, "vertex", "vertices"), seed);
}

void RandomSources::check(std::uint64_t able) const {
  if (able >= count) return;
  throw Error({.failure = Failure::input,
               .id = "HW-QUERY-SOURCE",
               .found = fmt::format("{} asked for", plural(count, "random source")),
               .expected = fmt::format("at most {}: so many vertices have an arc out", able)});
}

std::optional<RandomSources> parse_random(const std::string& word, std::uint64_t seed) {
  if (word != "random" && !word.starts_with("random:")) return std::nullopt;
  RandomSources random{1, seed};
  const std::string_view rest = word == "random" ? "1" : std::string_view(word).substr(7);
  const auto at = rest.find('@');
  if (!to_number(rest.substr(0, at), random.count) || random.count == 0 ||
      (at != std::string_view::npos && !to_number(rest.substr(at + 1), random.seed)))
    core::refuse("HW-USAGE-SOURCE", "source is '" + word + "'", "random:COUNT or random:COUNT@SEED");
  return random;
}

VertexId find_vertex(const Ids& ids, const std::string& file, const std::string& name, const char* what) {
  if (const auto v = ids.find(name)) return *v;
  std::string expected = "a vertex of the graph", hint;
  for (const char* const side : {"left:", "right:"})  // of a graph with two kinds of vertices
    if (ids.kind() == Ids::Kind::strings && ids.find(side + name))
      hint += (hint.empty() ? "did you mean " : " or ") + printable(side + name) + "?";
  if (ids.count() > 0 && ids.kind() != Ids::Kind::strings)
    expected = fmt::format("a vertex id from {} to {}{}", ids.number(0), ids.number(ids.count() - 1),
                           ids.kind() == Ids::Kind::integers ? " that is in the file" : "");
  else if (ids.count() > 0)
    expected = fmt::format("a name such as '{}'", printable(ids.name(0)));
  throw Error({.failure = Failure::input,
               .id = std::string_view(what) == "target" ? "HW-QUERY-TARGET" : "HW-QUERY-SOURCE",
               .where = {.file = file},
               .found = fmt::format("{} '{}' is not a vertex", what, printable(name)),
               .expected = expected,
               .hint = hint});
}

VertexId find_vertex(const Graph& graph, const std::string& name, const char* what) {
  return find_vertex(graph.ids(), graph.read_report().source, name, what);
}

void refuse_no_vertices(const std::string& file) {
  throw Error({.failure = Failure::input,
               .id = "HW-QUERY-EMPTY",
               .where = {.file = file},
               .found = "the graph has no vertices",
               .expected = "at least one to start from"});
}

void refuse_no_source() {
  core::refuse("HW-USAGE-SOURCE", "no source given, and the file names none",
               "-s with a vertex id, first, maxdeg, lcc or random:N", "-s maxdeg starts from the vertex with most arcs");
}

std::vector<std::string> source_words(const SourceArguments& arguments) {
  std::vector<std::string> words = arguments.source;
  for (std::string_view rest = arguments.sources; !rest.empty();) {
    const auto comma = rest.find(',');
    words.emplace_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return words;
}

Sources find_sources(const Graph& graph, const SourceArguments& arguments, std::uint64_t seed) {
  Sources sources;
  const auto words = source_words(arguments);
  if (graph.num_vertices() == 0) refuse_no_vertices(graph.read_report().source);
  if (words.empty()) {
    if (!graph.default_source()) refuse_no_source();
    sources.vertices.push_back(*graph.default_source());
    sources.how = "the file names it";
  }
  for (const auto& word : words) add_word(graph, word, seed, sources);
  return sources;
}

std::vector<VertexId> distinct(const std::vector<VertexId>& vertices) {
  std::vector<VertexId> found;
  std::unordered_set<VertexId> taken;
  for (const VertexId v : vertices)
    if (taken.insert(v).second) found.push_back(v);
  return found;
}

}  // namespace hopwave::cli

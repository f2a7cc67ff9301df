#include "shapes/run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>

#include "core/stopwatch.h"
#include "hopwave/error.h"
#include "hopwave/hopwave.h"
#include "shapes/certificate.h"

namespace hopwave::shapes {
namespace {

/// In deep graphs a forced traversal takes very long; searches that are left out there run on other graphs.
class Patience {
 public:
  Patience(const Graph& graph, const Config& config) : seconds_(config.patience * (graph.num_arcs() > 1'000'000 ? 10 : 1)) {}
  /// Before act `i`; the first one always runs.
  [[nodiscard]] bool ends(std::size_t i) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
    return i > 0 && seconds_ > 0 && spent.count() > seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Adds the time of its lifetime to the time spent on `what`.
class Spending {
 public:
  Spending(Outcome& outcome, std::string what) : outcome_(outcome), what_(std::move(what)) {}
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;
  ~Spending() { outcome_.spent[what_] += watch_.seconds(); }

 private:
  Outcome& outcome_;
  std::string what_;
  core::Stopwatch watch_;
};

/// A file of this process, removed at the end.
class Stored {
 public:
  Stored(const Graph& graph, const Config& config) {
    static std::atomic<std::uint64_t> next{0};
    path_ = config.folder + "/shapes-" + std::to_string(getpid()) + "-" + std::to_string(++next) + ".hwg";
    write_graph(graph, path_);
  }
  Stored(const Stored&) = delete;
  Stored& operator=(const Stored&) = delete;
  ~Stored() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Returns the graph as a session needs it: as built, or prepared, and through a file. Most graphs here have no
/// preparation to store, which is correct; the search prepares by itself then.
Graph through_file(const Graph& graph, const Session& session, const Config& config) {
  Graph copy = graph;
  if (session.origin == Origin::prepared) try {
      copy.set_preparation(prepare(graph, session.options));
    } catch (const Error& e) {
      if (e.id() != "HW-PREPARATION-NONE") throw;
    }
  const Stored file(copy, config);
  return load_graph(file.path());  // stays mapped after the file is removed
}

class Checker {
 public:
  Checker(const Graph& graph, const Session& session, bool oracle, const Config& config, Outcome& outcome)
      : graph_(graph), session_(session), config_(config), outcome_(outcome), certificate_(graph, session.options.direction) {
    if (oracle) oracle_.emplace(graph, session.options.direction);
  }

  [[nodiscard]] Spending spending(const char* on) { return {outcome_, on}; }
  [[nodiscard]] Outcome& outcome() { return outcome_; }

  std::optional<Wrong> check(const Query& query, Result& result, bool in_pass) {
    const Spending spent(outcome_, "check");
    count(result);
    if (config_.spoil) config_.spoil(graph_, query, result);
    if (std::string wrong = certificate_.check(query, result); !wrong.empty()) return Wrong{"answer", std::move(wrong)};
    if (oracle_) {
      ++outcome_.compared;
      const std::vector<Distance> right = oracle_->distances(query);
      for (std::size_t v = 0; v < right.size(); ++v)
        if (right[v] != result.distance[v]) return Wrong{"oracle", "vertex " + std::to_string(v)};
    }
    if (!config_.without.contains("levels") && result.run.levels != static_cast<std::uint32_t>(result.depth))
      return Wrong{"levels", std::to_string(result.run.levels) + " levels of an answer of depth " +
                                 std::to_string(result.depth) + ", " + result.run.chosen};
    if (!config_.without.contains("trace") && session_.options.trace && !in_pass)
      if (auto wrong = wrong_trace(query, result)) return wrong->text += ", " + result.run.chosen, wrong;
    return std::nullopt;
  }

 private:
  void count(const Result& result) {
    ++outcome_.searches;
    outcome_.searched_arcs += graph_.num_arcs();
    const std::string& why = result.run.chosen;
    ++outcome_.chosen[why.empty() ? session_.options.strategy : why.substr(0, why.find_first_of(":,("))];
  }

  /// Compares each record with the answer's own level sizes: levels in order from 1 on, and at most one after the last,
  /// which finds nothing. Relaxing settles several levels at once, and levels that a limit cut off are not in the
  /// answer.
  static std::optional<Wrong> wrong_trace(const Query& query, const Result& result) {
    std::vector<std::uint64_t> size(static_cast<std::size_t>(result.depth) + 2, 0);
    std::uint64_t all = 0, discovered = 0;
    for (const Distance d : result.distance)
      if (d >= 0) ++size[static_cast<std::size_t>(d)], all += d > 0;
    Distance expected = 0;
    for (const LevelTrace& t : result.run.trace) {
      const std::string level = "level " + std::to_string(t.level);
      discovered += t.discovered;
      if (std::string_view(t.direction) == "relax") continue;
      if (t.level != ++expected) return Wrong{"trace-order", level + " in place of " + std::to_string(expected)};
      if (t.level > result.depth && cut(query)) break;
      if (t.level > result.depth + 1)
        return Wrong{"trace-end", level + " of an answer of depth " + std::to_string(result.depth)};
      const std::uint64_t frontier = size[static_cast<std::size_t>(t.level) - 1],
                          found = size[static_cast<std::size_t>(t.level)];
      if (t.frontier != frontier)
        return Wrong{"trace-frontier", level + " expands " + std::to_string(t.frontier) + ", not " + std::to_string(frontier)};
      if (t.discovered != found)
        return Wrong{"trace-found", level + " finds " + std::to_string(t.discovered) + ", not " + std::to_string(found)};
    }
    if (discovered != all && !cut(query))
      return Wrong{"trace-sum", std::to_string(discovered) + " found of " + std::to_string(all) + " vertices"};
    return std::nullopt;
  }
  static bool cut(const Query& query) { return query.max_depth >= 0 || query.target != no_vertex; }

  const Graph& graph_;
  const Session& session_;
  const Config& config_;
  Outcome& outcome_;
  Certificate certificate_;
  std::optional<Oracle> oracle_;
};

/// Returns the number of vertices at each distance.
std::vector<std::uint64_t> sizes_of(std::span<const Distance> distances) {
  std::vector<std::uint64_t> sizes;
  for (const Distance d : distances) {
    if (d < 0) continue;
    if (sizes.size() <= static_cast<std::size_t>(d)) sizes.resize(static_cast<std::size_t>(d) + 1);
    ++sizes[static_cast<std::size_t>(d)];
  }
  return sizes;
}

std::optional<Wrong> run_act(Searcher& searcher, const Act& act, Checker& checker) {
  std::optional<Wrong> failure;
  if (act.each.empty()) {
    Result result = [&] {
      const Spending spent = checker.spending("search");
      return searcher.run(act.query);
    }();
    return checker.check(act.query, result, false);
  }
  std::size_t expected = 0;
  std::vector<std::vector<std::uint64_t>> counts(act.each.size());
  const Spending spent = checker.spending("pass");  // including its checks
  searcher.run_each(act.each, act.query.max_depth, [&](std::size_t i, Result&& result) {
    const Query query{.sources = {act.each[i]}, .max_depth = act.query.max_depth};
    if (i != expected++ && !failure) failure = Wrong{"answer", "search " + std::to_string(i) + " of a pass out of turn"};
    if (failure) return;
    failure = checker.check(query, result, true);
    if (failure) failure->text += ", search " + std::to_string(i) + " of a pass of " + std::to_string(act.each.size());
    counts[i] = sizes_of(result.distance.span());
  });
  if (!failure && expected != act.each.size()) failure = Wrong{"answer", std::to_string(expected) + " answers of a pass"};
  if (failure) return failure;
  searcher.count_levels(act.each, act.query.max_depth, [&](std::size_t i, LevelCounts&& counted) {
    if (!failure && counted.at != counts[i])
      failure = Wrong{"counts", "search " + std::to_string(i) + " of a pass counts other levels than its distances have"};
  });
  return failure;
}

/// Checks a graph in device memory: it must have the same rows, and its own check must agree.
std::optional<Wrong> run_resident(const Graph& graph, const Session& session, Checker& checker, const Config& config) {
  EdgeList list{.num_vertices = graph.num_vertices(), .directed = graph.directed()};
  list.both_directions = !graph.directed();  // the arcs unchanged
  list.ids = Ids::consecutive(graph.num_vertices());
  const Array<VertexId> tails = graph.arc_sources();
  list.edges = Array<Edge>(graph.num_arcs());
  for (std::size_t i = 0; i < tails.size(); ++i) list.edges[i] = {tails[i], graph.out().neighbors[i]};
  std::optional<Spending> spent;
  spent.emplace(checker.outcome(), "upload");
  ResidentGraph there(ResidentEdges(list, session.options.run.device), {.keep_duplicates = true, .keep_self_loops = true});
  const Graph back = there.download();
  if (!std::ranges::equal(back.out().offsets, graph.out().offsets) ||
      !std::ranges::equal(back.out().neighbors, graph.out().neighbors))
    return Wrong{"resident", "other rows than the host's"};
  spent.emplace(checker.outcome(), "searcher");
  Searcher searcher(there, session.options);
  spent.reset();
  const Patience patience(graph, config);
  for (std::size_t i = 0; i < session.acts.size() && !patience.ends(i); ++i) {
    Act act = session.acts[i];
    if (act.query.ties == Ties::min) act.query.ties = Ties::any;  // not available there
    std::optional<Wrong> failure = run_act(searcher, act, checker);
    if (!failure && act.each.empty() && act.query.max_depth < 0 && act.query.target == no_vertex) {
      searcher.traverse(act.query);
      const ResidentCheck check = there.check(searcher, act.query);
      if (!check.verdict) failure = Wrong{"resident", check.verdict.rule + ": " + check.verdict.message};
    }
    if (failure) return failure->act = i, failure;
  }
  return std::nullopt;
}

std::optional<Wrong> run_host(const Graph& graph, const Session& session, Checker& checker, const Config& config,
                              std::size_t& at) {
  const bool own = session.origin != Origin::built;
  std::optional<Spending> spent;
  spent.emplace(checker.outcome(), "file");
  const Graph other = own ? through_file(graph, session, config) : Graph();
  spent.emplace(checker.outcome(), "searcher");
  std::optional<Searcher> made(std::in_place, own ? other : graph, session.options);
  Searcher& searcher = *made;
  spent.reset();
  const Patience patience(graph, config);
  for (at = 0; at < session.acts.size() && !patience.ends(at); ++at)
    if (std::optional<Wrong> failure = run_act(searcher, session.acts[at], checker)) return failure->act = at, failure;
  spent.emplace(checker.outcome(), "release");
  made.reset();
  return std::nullopt;
}

}  // namespace

std::optional<Wrong> run_session(const Graph& graph, const Session& session, bool oracle, const Config& config,
                                 Outcome& outcome) {
  const Spending spent(outcome, "way " + session.way);
  Checker checker(graph, session, oracle, config, outcome);
  std::size_t at = 0;
  try {
    if (session.origin == Origin::resident) return run_resident(graph, session, checker, config);
    return run_host(graph, session, checker, config, at);
  } catch (const Error& e) {
    const bool lost = e.failure() == Failure::device;
    Wrong wrong{lost ? "lost" : "error", e.what(), 0, at};
    if (lost) throw DeviceLost(wrong);
    return wrong;
  }
}

Outcome run_trial(const Trial& trial, const Config& config) {
  Outcome outcome{.vertices = trial.graph.num_vertices(), .arcs = trial.graph.num_arcs()};
  for (std::size_t i = 0; i < trial.sessions.size(); ++i)
    if (auto failure = run_session(trial.graph, trial.sessions[i], trial.oracle, config, outcome)) {
      failure->session = i;
      outcome.failures.push_back(std::move(*failure));
    }
  return outcome;
}

std::string command_line(const std::string& graph, const Session& session, const Act& act, const BuildOptions& build) {
  static constexpr const char* devices[] = {"auto", "cpu", "gpu", "sim"};
  static constexpr const char* directions[] = {"out", "in", "both"};
  static constexpr const char* schedules[] = {"uniform", "slow-block", "slow-warp",     "held-thread",
                                              "pct",     "weak",       "load-buffering"};
  const SearchOptions& o = session.options;
  std::string text = "hopwave bfs " + graph + " --sources ";
  const std::vector<VertexId>& sources = act.each.empty() ? act.query.sources : act.each;
  for (std::size_t i = 0; i < sources.size(); ++i) text += (i ? "," : "") + std::to_string(sources[i]);
  if (!act.each.empty()) text += " --mode each";
  if (act.query.max_depth >= 0) text += " --max-depth " + std::to_string(act.query.max_depth);
  if (act.query.target != no_vertex) text += " --target " + std::to_string(act.query.target);
  if (act.query.parents) text += act.query.ties == Ties::min ? " --parents --ties min" : " --parents";
  text += std::string(" --device ") + devices[static_cast<int>(o.run.device)] + " --strategy " + o.strategy;
  for (const auto& [name, value] : o.parameters) text += " --param " + name + "=" + std::to_string(value);
  if (o.direction != Direction::out) text += std::string(" --direction ") + directions[static_cast<int>(o.direction)];
  if (o.prepare) text += " --prepare";
  if (build.keep_duplicates) text += " --keep-duplicates";
  if (build.keep_self_loops) text += " --keep-self-loops";
  return text + " --threads " + std::to_string(o.run.threads) + " --seed " + std::to_string(o.run.simulator.seed) +
         (o.run.simulator.schedule == ScheduleKind::uniform
              ? ""
              : std::string(" --schedule ") + schedules[static_cast<int>(o.run.simulator.schedule)]) +
         " --verify";
}

}  // namespace hopwave::shapes

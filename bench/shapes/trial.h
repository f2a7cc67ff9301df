// What one seed of the campaign asks for: a composed graph, and searches of every kind on it, in an order drawn too.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "generate/compose.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::shapes {

using generate_detail::Draws;

struct Config {
  DeviceKind device = DeviceKind::cpu;
  std::vector<std::string> strategies = {"auto"};  ///< one is drawn for each Searcher
  std::uint64_t least_edges = 20, most_edges = 20000;
  std::uint64_t large_every = 0;  ///< one graph in so many has above a million arcs; 0: none
  std::uint64_t searches = 100;   ///< a graph, about
  std::uint64_t oracle_every = 100;
  std::uint64_t levels = 0;    ///< of a Searcher's searches together, about, so that deep graphs are asked less; 0: any number
  std::uint64_t sessions = 0;  ///< Searchers a graph; 0: one to three
  double patience = 0;  ///< seconds after which a Searcher is asked no more, ten times as many beyond a million arcs; 0: none
  bool small_launches = false;                                     ///< few threads, as the simulator wants them
  std::string folder = "/tmp";                                     ///< for graphs that are stored and loaded again
  std::set<std::string> without;                                   ///< checks that are left out: "levels", "trace"
  std::function<void(const Graph&, const Query&, Result&)> spoil;  ///< tests: plants a wrong answer
};

/// A search, or many in passes.
struct Act {
  Query query;
  std::vector<VertexId> each;  ///< not empty: Searcher::run_each from these, and of `query` max_depth alone
};

/// Where a Searcher's graph comes from.
enum class Origin { built, stored, prepared, resident };

/// One Searcher and what it is asked.
struct Session {
  SearchOptions options;
  Origin origin = Origin::built;
  std::string way;  ///< which traversal of `auto` is forced
  std::vector<Act> acts;
};

struct Trial {
  std::string name;  ///< generator's spec, or that of a named graph
  std::uint64_t seed = 0;
  BuildOptions build;
  Graph graph;
  std::vector<Session> sessions;
  bool oracle = false;
};

/// All of it is drawn from the seed.
Trial make_trial(std::uint64_t seed, const Config& config);

/// Sessions on a graph, as drawn from the seed. `way`: empty, or the traversal that all of them force.
std::vector<Session> draw_sessions(const Graph& graph, std::uint64_t seed, const Config& config, const std::string& way = {});

/// Ways to force a traversal of `auto`: names, and parameters drawn for one.
const std::vector<std::string>& ways();
/// What is drawn for block and grid: a warp or two for the simulator; anything; what does not take for ever on a large graph.
enum class Launches { tiny, any, large };
Parameters draw_parameters(const std::string& way, Launches launches, Draws& draws);
/// The same for the strategies of a CPU: levels by one thread or by all, pushed or pulled.
Parameters draw_cpu_parameters(const std::string& strategy, Draws& draws);

/// Graphs that were answered wrongly once.
struct Named {
  std::string name;
  Graph (*make)();
  std::vector<VertexId> sources;  ///< tried together and one by one
};
const std::vector<Named>& named_graphs();
/// The sessions: each traversal, prepared and not, from the named sources and from drawn ones.
Trial named_trial(const Named& named, const Config& config);

}  // namespace hopwave::shapes

// The test of one seed of the campaign: a composed graph, and searches of every kind on it, in random order.
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
  std::vector<std::string> strategies = {"auto"};  ///< one is chosen at random for each Searcher
  std::uint64_t least_edges = 20, most_edges = 20000;
  std::uint64_t large_every = 0;  ///< one graph in this many has more than a million arcs; 0: none
  std::uint64_t searches = 100;   ///< per graph, about
  std::uint64_t oracle_every = 100;
  std::uint64_t levels = 0;    ///< of all searches of a Searcher, about, so that deep graphs get fewer; 0: any number
  std::uint64_t sessions = 0;  ///< Searchers per graph; 0: one to three
  double patience =
      0;  ///< seconds after which a Searcher gets no more searches, ten times as many beyond a million arcs; 0: none
  bool small_launches = false;                                     ///< few threads, for the simulator
  std::string folder = "/tmp";                                     ///< for graphs that are stored and loaded again
  std::set<std::string> without;                                   ///< checks to leave out: "levels", "trace"
  std::function<void(const Graph&, const Query&, Result&)> spoil;  ///< for tests: makes an answer wrong
};

/// A search, or many in passes.
struct Act {
  Query query;
  std::vector<VertexId> each;  ///< not empty: Searcher::run_each from these, and only max_depth of `query`
};

/// The origin of a Searcher's graph.
enum class Origin { built, stored, prepared, resident };

/// One Searcher and its searches.
struct Session {
  SearchOptions options;
  Origin origin = Origin::built;
  std::string way;  ///< the traversal of `auto` that is forced
  std::vector<Act> acts;
};

struct Trial {
  std::string name;  ///< generator's spec, or a named graph's name
  std::uint64_t seed = 0;
  BuildOptions build;
  Graph graph;
  std::vector<Session> sessions;
  bool oracle = false;
};

/// Returns the trial of a seed, which determines all of it.
Trial make_trial(std::uint64_t seed, const Config& config);

/// Returns sessions on a graph, determined by the seed. `way`: empty, or the traversal that all of them force.
std::vector<Session> draw_sessions(const Graph& graph, std::uint64_t seed, const Config& config, const std::string& way = {});

/// Ways to force a traversal of `auto`: their names, and random parameters for one.
const std::vector<std::string>& ways();
/// How block and grid are chosen: one or two warps for the simulator; anything; only what does not take very long on a
/// large graph.
enum class Launches { tiny, any, large };
Parameters draw_parameters(const std::string& way, Launches launches, Draws& draws);
/// Returns the same for CPU strategies: levels by one thread or by all, pushed or pulled.
Parameters draw_cpu_parameters(const std::string& strategy, Draws& draws);

/// A graph that was answered wrongly once.
struct Named {
  std::string name;
  Graph (*make)();
  std::vector<VertexId> sources;  ///< tried together and one by one
};
const std::vector<Named>& named_graphs();
/// Returns the sessions: each traversal, prepared and unprepared, from the named sources and from random ones.
Trial named_trial(const Named& named, const Config& config);

}  // namespace hopwave::shapes

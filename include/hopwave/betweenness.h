// Betweenness: how many of the shortest paths between others lead over a vertex or an arc.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/limits.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct BetweennessOptions {
  std::vector<VertexId> sources = {};  ///< internal vertices where paths begin; one that stands twice counts twice. Empty: all
  std::vector<VertexId> targets = {};  ///< where paths end; one that stands twice counts once. Empty: all
  bool arcs = false;                   ///< of every arc, too
  bool endpoints = false;              ///< a path leads over its first and its last vertex, too
  int threads = 0;                     ///< 0: all
  Limits limits = {};                  ///< of the whole call; `partial` means nothing here
  /// Called now and then by the calling thread with the searches done and those to do; false ends the call. May be empty.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
  /// `automatic`: a GPU if one can be used, else the CPU. A GPU holds the graph and up to 64 searches.
  DeviceKind device = DeviceKind::cpu;
  DeviceOptions on = {};
  std::uint64_t seed = 1;                         ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds: HW-OPTION-SCHEDULE unless in the simulator
};

/// Threads may read one together.
struct Betweenness {
  /// One a vertex: the sum over all pairs of a source and another vertex, a target, of the share of their shortest paths that
  /// lead over the vertex. An undirected graph counts both orders of a pair.
  Array<double> vertex = {};
  Array<double> arc = {};     ///< the same, one an arc in the order of Graph::out(); empty unless asked for
  std::uint64_t sources = 0;  ///< searches that are in the sums
  /// The greatest number of shortest paths between two vertices that was met; infinite where a double cannot hold it. From
  /// 2^53 on numbers of paths are rounded, as the shares always are: by about 2^−50, more where degrees or distances are great.
  double most_paths = 0;
  bool complete = true;                 ///< every source was searched
  std::string ended = {};               ///< what ended the call early: HW-INTERRUPTED, HW-CANCELLED or HW-TIME-LIMIT
  DeviceKind device = DeviceKind::cpu;  ///< where the searches ran
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU"
};

/// Brandes' algorithm (2001): a search from each source counts the shortest paths to every vertex, and on the way back the
/// shares add up. On the CPU parallel over sources, or within a search where there are few sources or many vertices; the sums
/// are the same for any number of threads, bit by bit. On a GPU and in the simulator several searches go level by level
/// together; the sums are the same from run to run, and may differ from those of the CPU by rounding. A directed graph needs
/// its transpose there (Graph::has_in), which is made for the call if missing. Parallel arcs are paths of their own; self-loops
/// and weights play no part. Time O(sources · (n + m)). Memory: 13 bytes a vertex and thread, 20 more where sources need the
/// plain search, and 8 a vertex (and arc) for each of at most 64 partial sums: at most 256 MiB, or sixteen of them where those
/// are larger. As many threads work as there are partial sums. On a device: the rows, 36 bytes a vertex and search, with so
/// many searches at once as 16 million states allow, and the sums. An end before its time is no error: `complete` is false
/// then, and the sums are of those sources that were searched. Errors: HW-QUERY-SOURCE and HW-QUERY-TARGET (no vertex of the
/// graph), HW-OPTION-THREADS, HW-OPTION-TIME-LIMIT, HW-OPTION-VALUE, HW-OPTION-SCHEDULE, HW-DEVICE-NONE, HW-DEVICE-…,
/// HW-MEMORY. What `progress` throws comes out. Any number of threads may call it for one graph.
Betweenness betweenness(const Graph& graph, const BetweennessOptions& options = {});

/// What to multiply the sums with.
struct BetweennessScale {
  double vertex = 1, arc = 1;
};

/// `normalized`: a share of all pairs, from 0 to 1: (n − 1)(n − 2) ordered pairs for a vertex, n (n − 1) with endpoints and for
/// an arc. Else numbers of pairs, where an undirected graph counts a pair once. If `sources` are fewer than the n vertices they
/// stand for all: × n / sources. An undirected edge has the sum of its two arcs. 0 where there is no pair.
BetweennessScale betweenness_scale(const Graph& graph, std::uint64_t sources, bool normalized, bool endpoints);

/// How far an estimate from `samples` sources, drawn at random without repetition among n vertices, may be off: with a
/// probability of 1 − risk no vertex's normalized betweenness is farther from the truth (Hoeffding 1963 and a union bound, as
/// Brandes & Pich 2007). 0 where every vertex is a sample; 1 at most. `risk` is above 0 and below 1: HW-OPTION-VALUE.
double betweenness_error(VertexId num_vertices, std::uint64_t samples, double risk = 0.05);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

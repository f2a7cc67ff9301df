// The algorithms by name, with what each takes and gives: for bindings to other languages, which are made of this list, and for
// programs that learn at run time what there is. A C++ program calls the typed functions, such as core_numbers().
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/eccentricity.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// A count or a vertex, a number, a word, vertices; monostate: not given.
using AlgorithmValue = std::variant<std::monostate, std::uint64_t, double, std::string, std::vector<VertexId>>;

/// What an algorithm takes besides a graph and how it runs.
struct AlgorithmParameter {
  enum class Kind : unsigned char {
    count,
    real,
    word,
    vertex,
    vertices,  ///< a list, which may be empty; not given is something else
    truth      ///< a count that is 0 or 1
  };
  std::string_view name;  ///< "max_searches"
  Kind kind = Kind::count;
  AlgorithmValue initial = {};            ///< if it is not given; monostate: without one
  std::uint64_t lowest = 0;               ///< of a count
  std::vector<std::string> choices = {};  ///< of a word; empty: the algorithm checks it
  bool required = false;
  bool keyword = true;             ///< false: languages that can do so take it by its place, too
  std::string_view excludes = {};  ///< another one, which must not be given then
};

/// What one algorithm found: AlgorithmOutput::Kind states which of these a value is, in the same order; the last is in place of
/// a DistanceRange (AlgorithmOutput::weighed). Arrays are by internal vertex, or in the order of Graph::out()'s arcs.
using AlgorithmResult = std::variant<std::uint64_t, double, DistanceRange, VertexId, std::pair<VertexId, VertexId>,
                                     std::vector<VertexId>, Array<std::uint32_t>, Array<std::int32_t>, Array<std::int64_t>,
                                     Array<std::uint8_t>, Array<double>, bool, WeightRange>;

struct AlgorithmOutput {
  enum class Kind : unsigned char {
    count,
    real,
    range,     ///< bounds of a value
    vertex,    ///< no_vertex: none
    ends,      ///< two vertices; no_vertex: none
    vertices,  ///< a list
    naturals,  ///< one per vertex
    integers,  ///< one per vertex
    amounts,   ///< one per arc
    truths,    ///< 0 or 1 per vertex
    reals,     ///< one per vertex
    truth      ///< yes or no
  };
  std::string_view name;  ///< "core"
  Kind kind = Kind::count;
  std::string_view help = {};  ///< may be empty
  bool ranked = false;         ///< reals whose greatest are of interest
  bool of_arcs = false;        ///< reals of which there is one per arc
  bool of_sources = false;     ///< reals of which there is one per element of the parameter `sources` where that is given
  /// If the parameter `weights` is 1, it is a sum of weights: a real in place of a count, a WeightRange in place of a range,
  /// reals in place of integers.
  bool weighed = false;
};

struct AlgorithmAnswer {
  std::vector<AlgorithmResult> outputs;  ///< one per Algorithm::outputs, in the same order
  RunReport run = {};
  Step last = {};  ///< how far it got at the end; `what` is empty if progress reported that
};

/// `values`: one per parameter, in order.
using AlgorithmFunction = AlgorithmAnswer(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run);

struct Algorithm {
  std::string_view name = {};         ///< of the command, "kcore"; of further functions of a command as `function`
  std::string_view function = {};     ///< "core_numbers"
  std::string_view help;              ///< paragraphs, separated by blank lines
  std::string_view result = {};       ///< the name of what it returns, "KCore"; empty: its one output
  std::string_view result_help = {};  ///< a sentence
  std::vector<AlgorithmParameter> parameters = {};
  std::vector<AlgorithmOutput> outputs = {};
  std::string_view unit = "step";      ///< what its progress counts, in the singular
  std::string_view automatic = "cpu";  ///< what the device `automatic` means: "cpu", or "auto": the rule of RunOptions
  std::uint64_t passes = 1;            ///< times that it goes over the graph, about; 0: once for each vertex
  bool partial = false;                ///< an early end is not an error: RunReport::end
  /// NetworkX's function of a graph alone that returns the first output by node; empty: there is none. Its answer for graphs
  /// with parallel edges or self-loops is another one, or an error.
  std::string_view networkx = {};
  AlgorithmFunction* call = nullptr;  ///< with checked values; use run_algorithm()
};

/// Returns all whose answer is figures and arrays, by name. They live as long as the program. Threads may call it
/// at the same time.
std::vector<const Algorithm*> algorithms();

/// Returns one by its name or its function's. HW-OPTION-VALUE: there is none.
const Algorithm& algorithm_named(std::string_view name);

/// Runs one by its name or its function's. `values`: parameters by name; those that are left out have their initial values.
/// Threads may call it for one graph at the same time. Errors: HW-OPTION-VALUE for a name that is not known, for a parameter
/// that the algorithm lacks or needs, for two of which one excludes the other, and for a value of another kind, below `lowest`,
/// not among `choices` or with vertices that the graph lacks; those of the algorithm.
AlgorithmAnswer run_algorithm(const Graph& graph, std::string_view name,
                              const std::map<std::string, AlgorithmValue, std::less<>>& values = {},
                              const RunOptions& run = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

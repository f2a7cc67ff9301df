// c: the C header on top of the public C++ headers. It adds no functions of its own.
//
// The contents of the C header's handles, and how a call becomes a status.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "core/busy.h"
#include "core/refuse.h"
#include "hopwave/betweenness.h"
#include "hopwave/c.h"
#include "hopwave/eccentricity.h"
#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "hopwave/sampled_closeness.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"

struct hopwave_error {
  std::string id, message, hint;
  bool is_static = false;  ///< the static error that reports a lack of memory: it is never freed
};
struct hopwave_graph {
  hopwave::Graph graph;
};
struct hopwave_stop {
  std::stop_source source;
};
struct hopwave_searcher {
  hopwave_searcher(const hopwave::Graph& of, const hopwave::SearchOptions& options) : graph(of), searcher(graph, options) {}
  hopwave::Graph graph;
  hopwave::Searcher searcher;
  hopwave::core::Busy busy = {};  ///< while a callback has an answer that the searcher has already given
};
struct hopwave_result {
  hopwave::Result result;
  hopwave::Array<std::uint8_t> distances8 = {};  ///< these or those below instead of the result's
  hopwave::Array<std::uint16_t> distances16 = {};
};
struct hopwave_weighted_searcher {
  hopwave_weighted_searcher(const hopwave::Graph& of, const hopwave::WeightedOptions& options)
      : graph(of), searcher(graph, options) {}
  hopwave::Graph graph;
  hopwave::WeightedSearcher searcher;
};
struct hopwave_weighted_result {
  hopwave::WeightedResult result;
};
struct hopwave_estimates {
  hopwave::SampledCloseness found;
};
struct hopwave_eccentricities {
  hopwave::Eccentricities found;
};
struct hopwave_betweenness_sums {
  hopwave::Betweenness found;
};

namespace hopwave::c {

/// Returns the static error for when memory for an error is not available.
hopwave_error* no_memory() noexcept;

hopwave_status fail(hopwave_error** error, hopwave_status status, const char* id, const char* message,
                    const char* hint) noexcept;

/// Runs a call and turns an exception into a status and an error.
template <class Call>
hopwave_status guarded(hopwave_error** error, Call&& call) noexcept {
  if (error) *error = nullptr;
  try {
    call();
    return HOPWAVE_OK;
  } catch (const Error& e) {
    return fail(error, static_cast<hopwave_status>(e.failure()), e.id().c_str(), e.what(), e.parts().hint.c_str());
  } catch (const std::bad_alloc&) {
    return fail(error, HOPWAVE_MEMORY, "HW-MEMORY", "no memory is left", "");
  } catch (const std::exception& e) {
    return fail(error, HOPWAVE_BUG, "HW-C-UNEXPECTED", e.what(), "");
  } catch (...) {
    return fail(error, HOPWAVE_BUG, "HW-C-UNEXPECTED", "an exception that is not from the library", "");
  }
}

[[noreturn]] void refuse_null(const char* what);
template <class T>
T& present(T* p, const char* what) {
  if (!p) refuse_null(what);
  return *p;
}
/// A searcher during one call. Throws HW-BUSY.
class Taken {
 public:
  explicit Taken(hopwave_searcher* searcher) : of_(present(searcher, "searcher")), hold_(of_.busy, "the searcher") {}
  Searcher* operator->() const { return &of_.searcher; }
  [[nodiscard]] const Graph& graph() const { return of_.graph; }

 private:
  hopwave_searcher& of_;
  core::Busy::Hold hold_;
};
/// The array may be null if it has no values.
template <class T>
std::span<T> values(T* p, std::size_t count, const char* what) {
  if (!p && count) refuse_null(what);
  return {p, count};
}

/// Checks the size of a struct from a caller with an older or newer library: it must be exact, since there is one
/// version.
template <class T>
void check_size(const T& given, const char* init) {
  if (given.size == sizeof(T)) return;
  core::refuse("HW-C-SIZE", "a struct of " + std::to_string(given.size) + " bytes",
               std::to_string(sizeof(T)) + ", as " + init + "() says");
}

inline Limits limits_of(const hopwave_stop* stop, double seconds, int partial) {
  Limits limits{.time = Seconds(seconds), .partial = partial != 0};
  if (stop) limits.stop = stop->source.get_token();
  return limits;
}

/// The caller's options, or the initial ones. Throws HW-C-SIZE.
inline hopwave_options options_or_initial(const hopwave_options* given) {
  hopwave_options options;
  hopwave_options_init(&options);
  if (given) check_size(*given, "hopwave_options_init");
  return given ? *given : options;
}
RunOptions run_of(const hopwave_options& given);
/// With direction, preparation, partition and parameters. Throws HW-OPTION-VALUE for `delta`.
SearchOptions search_options_of(const hopwave_options& given);
/// Options of a call that knows only how it runs, and, if `strategy`, a strategy. Throws HW-OPTION-VALUE for others. `why`: why
/// there is no direction.
RunOptions run_only(const hopwave_options& given, const char* why, bool strategy = false);
/// Returns the parameters of the strategy.
Parameters parameters_of(const hopwave_options& given);
/// Throws HW-OPTION-VALUE unless `initial`.
void require_initial(bool initial, const char* name, const char* why);
/// Fills `to`, unless it is null.
void fill(const RunReport& from, hopwave_report* to) noexcept;

}  // namespace hopwave::c

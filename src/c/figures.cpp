// Closeness, eccentricity and betweenness of the C header.
#include <algorithm>
#include <numeric>
#include <vector>

#include "c/c_api.h"
#include "hopwave/closeness.h"

using namespace hopwave;
using namespace hopwave::c;

namespace {

BetweennessOptions betweenness_of(const hopwave_betweenness_query& query, const hopwave_options& options) {
  check_size(query, "hopwave_betweenness_query_init");
  const auto sources = values(query.sources, query.num_sources, "sources");
  const auto targets = values(query.targets, query.num_targets, "targets");
  return {.sources = {sources.begin(), sources.end()},
          .targets = {targets.begin(), targets.end()},
          .arcs = query.arcs != 0,
          .endpoints = query.endpoints != 0,
          .run = run_only(options, "betweenness is of paths along the arcs")};
}

/// Returns the array of an object that may be null.
template <class Object, class T>
const T* array_of(const Object* object, Array<T> Object::*array) {
  return object && !(object->*array).empty() ? (object->*array).data() : nullptr;
}
const double* with_errors(const hopwave_estimates* estimates, Array<double> SampledCloseness::*array,
                          Array<double> SampledCloseness::*off, const double** errors) {
  const SampledCloseness* found = estimates ? &estimates->found : nullptr;
  if (errors) *errors = array_of(found, off);
  return array_of(found, array);
}
double with_error(const hopwave_estimates* estimates, double SampledCloseness::*value, double SampledCloseness::*error,
                  double* off) {
  if (off) *off = estimates ? estimates->found.*error : 0;
  return estimates ? estimates->found.*value : 0;
}
std::int32_t lower_of(const hopwave_eccentricities* found, DistanceRange Eccentricities::*range, std::int32_t* upper) {
  if (upper) *upper = found ? (found->found.*range).upper : 0;
  return found ? (found->found.*range).lower : 0;
}
const std::uint32_t* list_of(const hopwave_eccentricities* found, std::vector<VertexId> Eccentricities::*list,
                             std::size_t* size) {
  if (size) *size = found ? (found->found.*list).size() : 0;
  return found && !(found->found.*list).empty() ? (found->found.*list).data() : nullptr;
}

}  // namespace

void hopwave_betweenness_query_init(hopwave_betweenness_query* query) {
  if (query) *query = {.size = sizeof(hopwave_betweenness_query)};
}

hopwave_status hopwave_closeness(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources, double* closeness,
                                 double* harmonic, int32_t* eccentricity, uint32_t* reached, uint64_t* distance_sum,
                                 hopwave_error** error) {
  return guarded(error, [&] {
    const Taken of(searcher);
    if (const VertexId n = of.graph().num_vertices(); !sources && num_sources > n)  // before allocating that many
      throw Error({.failure = Failure::input,
                   .id = "HW-QUERY-SOURCE",
                   .found = "the first " + std::to_string(num_sources) + " vertices as sources",
                   .expected = "at most " + std::to_string(n)});
    std::vector<VertexId> from(num_sources);
    if (sources)
      std::copy_n(sources, num_sources, from.begin());
    else
      std::iota(from.begin(), from.end(), VertexId{0});
    std::vector<SourceDistances> rows(num_sources);
    of->count_levels(from, -1, [&](std::size_t i, LevelCounts&& counts) { rows[i] = source_distances(counts); });
    for (std::size_t i = 0; i < num_sources; ++i) {
      if (closeness) closeness[i] = hopwave::closeness(rows[i], of.graph().num_vertices());
      if (harmonic) harmonic[i] = rows[i].inverse_sum;
      if (eccentricity) eccentricity[i] = rows[i].eccentricity;
      if (reached) reached[i] = static_cast<std::uint32_t>(rows[i].reached);
      if (distance_sum) distance_sum[i] = rows[i].sum;
    }
  });
}

hopwave_status hopwave_closeness_sampled(const hopwave_graph* graph, uint64_t samples, double risk,
                                         const hopwave_options* options, hopwave_estimates** estimates, hopwave_error** error) {
  return guarded(error, [&] {
    present(estimates, "estimates");
    SampledClosenessOptions how{
        .samples = samples, .risk = risk, .search = search_options_of(options_or_initial(options)), .begun = {}};
    *estimates = new hopwave_estimates{sampled_closeness(present(graph, "graph").graph, std::move(how))};
  });
}
const double* hopwave_estimates_closeness(const hopwave_estimates* estimates, const double** errors) {
  return with_errors(estimates, &SampledCloseness::closeness, &SampledCloseness::closeness_error, errors);
}
const double* hopwave_estimates_harmonic(const hopwave_estimates* estimates, const double** errors) {
  return with_errors(estimates, &SampledCloseness::harmonic, &SampledCloseness::harmonic_error, errors);
}
const double* hopwave_estimates_average(const hopwave_estimates* estimates, const double** errors) {
  return with_errors(estimates, &SampledCloseness::average, &SampledCloseness::average_error, errors);
}
double hopwave_estimates_average_distance(const hopwave_estimates* estimates, double* off) {
  return with_error(estimates, &SampledCloseness::average_distance, &SampledCloseness::average_distance_error, off);
}
double hopwave_estimates_efficiency(const hopwave_estimates* estimates, double* off) {
  return with_error(estimates, &SampledCloseness::efficiency, &SampledCloseness::efficiency_error, off);
}
uint64_t hopwave_estimates_pivots(const hopwave_estimates* estimates) { return estimates ? estimates->found.pivots : 0; }
void hopwave_estimates_report(const hopwave_estimates* estimates, hopwave_report* report) {
  fill(estimates ? estimates->found.run : RunReport{}, report);
}
void hopwave_estimates_free(hopwave_estimates* estimates) { delete estimates; }

hopwave_status hopwave_eccentricity(const hopwave_graph* graph, int goal, int largest_only, const hopwave_options* options,
                                    hopwave_eccentricities** found, hopwave_error** error) {
  return guarded(error, [&] {
    present(found, "found");
    const EccentricityOptions how{.goal = static_cast<EccentricityGoal>(goal),
                                  .scope = largest_only ? EccentricityScope::largest : EccentricityScope::each,
                                  .search = search_options_of(options_or_initial(options))};
    *found = new hopwave_eccentricities{eccentricities(present(graph, "graph").graph, how)};
  });
}
const int32_t* hopwave_eccentricities_lower(const hopwave_eccentricities* found) {
  return array_of(found ? &found->found : nullptr, &Eccentricities::lower);
}
const int32_t* hopwave_eccentricities_upper(const hopwave_eccentricities* found) {
  return array_of(found ? &found->found : nullptr, &Eccentricities::upper);
}
int32_t hopwave_eccentricities_diameter(const hopwave_eccentricities* found, int32_t* upper) {
  return lower_of(found, &Eccentricities::diameter, upper);
}
int32_t hopwave_eccentricities_radius(const hopwave_eccentricities* found, int32_t* upper) {
  return lower_of(found, &Eccentricities::radius, upper);
}
uint32_t hopwave_eccentricities_ends(const hopwave_eccentricities* found, uint32_t* to) {
  if (to) *to = found ? found->found.to : 0;
  return found ? found->found.from : 0;
}
const uint32_t* hopwave_eccentricities_center(const hopwave_eccentricities* found, size_t* size) {
  return list_of(found, &Eccentricities::center, size);
}
const uint32_t* hopwave_eccentricities_periphery(const hopwave_eccentricities* found, size_t* size) {
  return list_of(found, &Eccentricities::periphery, size);
}
uint64_t hopwave_eccentricities_searches(const hopwave_eccentricities* found) { return found ? found->found.searches : 0; }
void hopwave_eccentricities_report(const hopwave_eccentricities* found, hopwave_report* report) {
  fill(found ? found->found.run : RunReport{}, report);
}
void hopwave_eccentricities_free(hopwave_eccentricities* found) { delete found; }

hopwave_status hopwave_betweenness(const hopwave_graph* graph, const hopwave_betweenness_query* query,
                                   const hopwave_options* options, hopwave_betweenness_sums** sums, hopwave_error** error) {
  return guarded(error, [&] {
    present(sums, "sums");
    hopwave_betweenness_query all;
    hopwave_betweenness_query_init(&all);
    const BetweennessOptions how = betweenness_of(query ? *query : all, options_or_initial(options));
    *sums = new hopwave_betweenness_sums{betweenness(present(graph, "graph").graph, how)};
  });
}
const double* hopwave_betweenness_vertices(const hopwave_betweenness_sums* sums) {
  return array_of(sums ? &sums->found : nullptr, &Betweenness::vertex);
}
const double* hopwave_betweenness_arcs(const hopwave_betweenness_sums* sums) {
  return array_of(sums ? &sums->found : nullptr, &Betweenness::arc);
}
uint64_t hopwave_betweenness_sources(const hopwave_betweenness_sums* sums) { return sums ? sums->found.sources : 0; }
double hopwave_betweenness_max_paths(const hopwave_betweenness_sums* sums) { return sums ? sums->found.max_paths : 0; }
void hopwave_betweenness_report(const hopwave_betweenness_sums* sums, hopwave_report* report) {
  fill(sums ? sums->found.run : RunReport{}, report);
}
void hopwave_betweenness_free(hopwave_betweenness_sums* sums) { delete sums; }
double hopwave_betweenness_vertex_scale(const hopwave_graph* graph, uint64_t sources, int normalized, int endpoints) {
  return graph ? betweenness_scale(graph->graph, sources, normalized != 0, endpoints != 0).vertex : 0;
}
double hopwave_betweenness_arc_scale(const hopwave_graph* graph, uint64_t sources, int normalized) {
  return graph ? betweenness_scale(graph->graph, sources, normalized != 0, false).arc : 0;
}
hopwave_status hopwave_betweenness_error(uint32_t num_vertices, uint64_t samples, double risk, double* off,
                                         hopwave_error** error) {
  return guarded(error, [&] { present(off, "off") = betweenness_error(num_vertices, samples, risk); });
}

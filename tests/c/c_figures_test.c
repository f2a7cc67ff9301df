/* Closeness, eccentricity, components, flow and betweenness of hopwave/c.h, called from C99: right calls, nonsense, early ends.
 * Exit code 1 at a fault. */
#include "expect.h"

static int no_step(void* user, const hopwave_step* step) {
  EXPECT(step->what[0] != 0);
  if (user) ++*(int*)user;
  return 0;
}

/* 0 – 1 – 2 – 3, and 4 alone. */
static hopwave_graph* path_and_one(void) {
  const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
  hopwave_graph* graph = NULL;
  EXPECT_OK(hopwave_graph_from_edges(5, from, to, NULL, 3, 0, &graph, place));
  return graph;
}

static void closeness(void) {
  const uint32_t ends[] = {3, 4}, wrong[] = {5};
  double close[5], harmonic[5];
  int32_t far[5];
  uint32_t reached[5];
  uint64_t sum[5];
  hopwave_graph* graph = path_and_one();
  hopwave_searcher* searcher = NULL;
  EXPECT_OK(hopwave_searcher_new(graph, NULL, &searcher, place));
  EXPECT_OK(hopwave_closeness(searcher, NULL, 5, close, harmonic, far, reached, sum, place));
  EXPECT(fabs(close[1] - 9.0 / 16) < 1e-15 && close[4] == 0 && harmonic[1] == 2.5);
  EXPECT(far[0] == 3 && far[1] == 2 && reached[3] == 4 && reached[4] == 1 && sum[0] == 6 && sum[4] == 0);
  EXPECT_OK(hopwave_closeness(searcher, ends, 2, NULL, NULL, NULL, NULL, sum, place));
  EXPECT(sum[0] == 6 && sum[1] == 0);
  EXPECT_OK(hopwave_closeness(searcher, NULL, 0, NULL, NULL, NULL, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_closeness(NULL, NULL, 5, close, NULL, NULL, NULL, NULL, place));
  close[0] = 7;
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_closeness(searcher, wrong, 1, close, NULL, NULL, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_closeness(searcher, NULL, 6, close, NULL, NULL, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE",
               hopwave_closeness(searcher, NULL, SIZE_MAX, NULL, NULL, NULL, NULL, NULL, place));
  EXPECT(close[0] == 7);
  hopwave_searcher_free(searcher);
  hopwave_graph_free(graph);
}

static void sampled(void) {
  hopwave_graph* graph = path_and_one();
  hopwave_estimates* found = NULL;
  hopwave_options options;
  const double* errors = NULL;
  double off = 1;
  int kind, calls = 0;
  hopwave_options_init(NULL);
  for (kind = HOPWAVE_DEVICE_CPU; kind <= HOPWAVE_DEVICE_SIMULATOR; kind += 2) {
    hopwave_options_init(&options);
    options.device = kind;
    EXPECT_OK(hopwave_closeness_sampled(graph, 5, 0.05, &options, &found, place));
    EXPECT(fabs(hopwave_estimates_closeness(found, &errors)[1] - 9.0 / 16) < 1e-15 && errors[1] == 0);
    EXPECT(hopwave_estimates_harmonic(found, &errors)[1] == 2.5 && errors[1] == 0);
    EXPECT(hopwave_estimates_average(found, NULL)[0] == 2);
    EXPECT(fabs(hopwave_estimates_average_distance(found, &off) - 20.0 / 12) < 1e-15 && off == 0);
    EXPECT(fabs(hopwave_estimates_efficiency(found, NULL) - 2 * (3 + 1 + 1.0 / 3) / 20) < 1e-15);
    EXPECT(hopwave_estimates_pivots(found) == 5 && END_OF(estimates, found) == HOPWAVE_END_COMPLETE);
    hopwave_estimates_free(found);
  }
  EXPECT_OK(hopwave_closeness_sampled(graph, 2, 0.05, NULL, &found, place));
  EXPECT(hopwave_estimates_pivots(found) == 2);
  (void)hopwave_estimates_harmonic(found, &errors);
  EXPECT(errors[0] + errors[1] + errors[2] + errors[3] > 0);
  hopwave_estimates_free(found);
  options.progress = no_step;
  options.user = &calls;
  EXPECT_OK(hopwave_closeness_sampled(graph, 2, 0.05, &options, &found, place));
  EXPECT(calls > 0 && END_OF(estimates, found) != HOPWAVE_END_COMPLETE && hopwave_estimates_pivots(found) < 2);
  hopwave_estimates_free(found);
  found = NULL;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_closeness_sampled(graph, 0, 0.05, NULL, &found, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_closeness_sampled(graph, 2, nan(""), NULL, &found, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_closeness_sampled(NULL, 2, 0.05, NULL, &found, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_closeness_sampled(graph, 2, 0.05, NULL, NULL, place));
  options.size = 4;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_closeness_sampled(graph, 2, 0.05, &options, &found, place));
  hopwave_options_init(&options);
  options.direction = 7;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_closeness_sampled(graph, 2, 0.05, &options, &found, place));
  EXPECT(found == NULL && hopwave_estimates_closeness(NULL, &errors) == NULL && errors == NULL);
  EXPECT(hopwave_estimates_harmonic(NULL, NULL) == NULL && hopwave_estimates_average(NULL, NULL) == NULL);
  EXPECT(hopwave_estimates_average_distance(NULL, &off) == 0 && hopwave_estimates_efficiency(NULL, NULL) == 0);
  EXPECT(hopwave_estimates_pivots(NULL) == 0 && END_OF(estimates, NULL) == HOPWAVE_END_COMPLETE);
  hopwave_estimates_free(NULL);
  hopwave_graph_free(graph);
}

static void eccentricity(void) {
  hopwave_graph *graph = path_and_one(), *one_way = chain(4);
  hopwave_eccentricities* found = NULL;
  hopwave_options options;
  int32_t upper = -7;
  uint32_t to = 9;
  size_t size = 9;
  int kind;
  for (kind = HOPWAVE_DEVICE_CPU; kind <= HOPWAVE_DEVICE_SIMULATOR; kind += 2) {
    hopwave_options_init(&options);
    options.device = kind;
    EXPECT_OK(hopwave_eccentricity(graph, HOPWAVE_EVERY, 0, &options, &found, place));
    EXPECT(hopwave_eccentricities_lower(found)[0] == 3 && hopwave_eccentricities_upper(found)[1] == 2);
    EXPECT(hopwave_eccentricities_lower(found)[4] == 0);
    EXPECT(hopwave_eccentricities_diameter(found, &upper) == 3 && upper == 3);
    EXPECT(hopwave_eccentricities_radius(found, NULL) == 2);
    EXPECT(hopwave_eccentricities_ends(found, &to) + to == 3);
    EXPECT(hopwave_eccentricities_center(found, &size)[0] == 1 && size == 2);
    EXPECT(hopwave_eccentricities_periphery(found, &size)[1] == 3 && size == 2);
    EXPECT(hopwave_eccentricities_searches(found) > 0 && END_OF(eccentricities, found) == HOPWAVE_END_COMPLETE);
    hopwave_eccentricities_free(found);
  }
  EXPECT_OK(hopwave_eccentricity(graph, HOPWAVE_DIAMETER, 1, NULL, &found, place));
  EXPECT(hopwave_eccentricities_lower(found)[4] == -1 && hopwave_eccentricities_center(found, &size) == NULL && size == 0);
  hopwave_eccentricities_free(found);
  options.progress = no_step;
  EXPECT_OK(hopwave_eccentricity(graph, HOPWAVE_EVERY, 0, &options, &found, place));
  EXPECT(END_OF(eccentricities, found) != HOPWAVE_END_COMPLETE &&
         hopwave_eccentricities_ends(found, NULL) == HOPWAVE_NO_VERTEX);
  hopwave_eccentricities_free(found);
  found = NULL;
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-ECCENTRICITY-STRONG", hopwave_eccentricity(one_way, HOPWAVE_EVERY, 0, NULL, &found, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_eccentricity(graph, 4, 0, NULL, &found, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_eccentricity(NULL, HOPWAVE_EVERY, 0, NULL, &found, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_eccentricity(graph, HOPWAVE_EVERY, 0, NULL, NULL, place));
  options.size = 0;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_eccentricity(graph, HOPWAVE_EVERY, 0, &options, &found, place));
  hopwave_options_init(&options);
  options.direction = HOPWAVE_BOTH;
  EXPECT_OK(hopwave_eccentricity(one_way, HOPWAVE_RADIUS, 0, &options, &found, place));
  EXPECT(hopwave_eccentricities_radius(found, &upper) == 2 && upper == 2);
  hopwave_eccentricities_free(found);
  upper = -7;
  EXPECT(hopwave_eccentricities_diameter(NULL, &upper) == 0 && upper == 0 && hopwave_eccentricities_radius(NULL, NULL) == 0);
  EXPECT(hopwave_eccentricities_ends(NULL, &to) == 0 && to == 0 && hopwave_eccentricities_periphery(NULL, NULL) == NULL);
  EXPECT(hopwave_eccentricities_lower(NULL) == NULL && hopwave_eccentricities_upper(NULL) == NULL);
  EXPECT(hopwave_eccentricities_searches(NULL) == 0 && END_OF(eccentricities, NULL) == HOPWAVE_END_COMPLETE);
  hopwave_eccentricities_free(NULL);
  hopwave_graph_free(graph);
  hopwave_graph_free(one_way);
}

/* 0 ⇄ 1 → 2 → 3, and 4 alone. */
static void components(void) {
  const uint32_t from[] = {0, 1, 1, 2}, to[] = {1, 0, 2, 3};
  uint32_t labels[5], vertex = 9;
  char name[4];
  int acyclic = 7, kind;
  hopwave_options options;
  hopwave_stop* stop = NULL;
  hopwave_component_counts counts;
  hopwave_graph *graph = NULL, *condensed = NULL, *none = NULL;
  EXPECT_OK(hopwave_graph_from_edges(5, from, to, NULL, 4, 1, &graph, place));
  for (kind = HOPWAVE_DEVICE_CPU; kind <= HOPWAVE_DEVICE_SIMULATOR; kind += 2) {
    hopwave_options_init(&options);
    options.device = kind;
    EXPECT_OK(hopwave_components(graph, &options, labels, &counts, NULL, place));
    EXPECT(labels[3] == 0 && labels[4] == 4);
    EXPECT(counts.count == 2 && counts.largest_label == 0 && counts.largest_size == 4);
    EXPECT_OK(hopwave_strong_components(graph, &options, labels, &counts, &report, place));
    EXPECT(labels[1] == 0 && labels[2] == 2 && labels[3] == 3);
    EXPECT(report.end == HOPWAVE_END_COMPLETE && report.device == kind && report.strategy[0] == 0);
    EXPECT(counts.count == 4 && counts.largest_label == 0 && counts.largest_size == 2);
    EXPECT_OK(hopwave_core_numbers(graph, &options, labels, NULL, place));
    EXPECT(labels[0] == 2 && labels[1] == 2 && labels[2] == 1 && labels[3] == 1 && labels[4] == 0);
  }
  EXPECT_OK(hopwave_condensation(graph, &options, &condensed, place));
  EXPECT(hopwave_graph_num_vertices(condensed) == 4 && hopwave_graph_num_arcs(condensed) == 2);
  EXPECT_OK(hopwave_graph_find(condensed, "2", &vertex, place));
  EXPECT_OK(hopwave_graph_name(condensed, vertex, name, sizeof name, NULL, place));
  EXPECT(vertex == 1 && strcmp(name, "2") == 0);
  EXPECT_OK(hopwave_topological_generations(condensed, NULL, labels, place));
  EXPECT(labels[0] == 0 && labels[1] == 1 && labels[2] == 2 && labels[3] == 0);
  EXPECT_OK(hopwave_graph_acyclic(condensed, NULL, &acyclic, place));
  EXPECT(acyclic == 1);
  EXPECT_OK(hopwave_graph_acyclic(graph, NULL, &acyclic, place));
  EXPECT(acyclic == 0);
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-GRAPH-CYCLE", hopwave_topological_generations(graph, NULL, labels, place));
  EXPECT_OK(hopwave_components(graph, NULL, NULL, NULL, NULL, place));
  EXPECT_OK(hopwave_strong_components(graph, NULL, NULL, NULL, NULL, place));
  EXPECT_OK(hopwave_graph_from_edges(0, NULL, NULL, NULL, 0, 1, &none, place));
  EXPECT_OK(hopwave_components(none, NULL, NULL, &counts, NULL, place));
  EXPECT(counts.count == 0 && counts.largest_label == HOPWAVE_NO_VERTEX && counts.largest_size == 0);
  EXPECT_OK(hopwave_topological_generations(none, NULL, NULL, place));
  /* Each call ends where a step, a stop or a time limit says so, and refuses what makes no sense. */
#define EACH_FAILS(status, id)                                                                       \
  do {                                                                                               \
    EXPECT_FAILS(status, id, hopwave_components(graph, &options, labels, NULL, NULL, place));        \
    EXPECT_FAILS(status, id, hopwave_strong_components(graph, &options, labels, NULL, NULL, place)); \
    EXPECT_FAILS(status, id, hopwave_core_numbers(graph, &options, labels, NULL, place));            \
    EXPECT_FAILS(status, id, hopwave_condensation(graph, &options, &none, place));                   \
    EXPECT_FAILS(status, id, hopwave_topological_generations(graph, &options, labels, place));       \
    EXPECT_FAILS(status, id, hopwave_graph_acyclic(graph, &options, &acyclic, place));               \
    hopwave_options_init(&options);                                                                  \
  } while (0)
  hopwave_options_init(&options);
  options.progress = no_step;
  EACH_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED");
  options.device = (hopwave_device)77;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  options.threads = 1000000;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-THREADS");
  EXPECT_OK(hopwave_stop_new(&stop, place));
  hopwave_stop_request(stop);
  options.stop = stop;
  EACH_FAILS(HOPWAVE_INTERRUPTED, "HW-CANCELLED");
  hopwave_stop_free(stop);
  options.time_limit = 1e-9;
  EACH_FAILS(HOPWAVE_TIME_LIMIT, "HW-TIME-LIMIT");
  options.time_limit = -1;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-TIME-LIMIT");
  options.direction = HOPWAVE_BOTH;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  options.strategy = "cpu-parallel";
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  options.delta = 1;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  options.num_parameters = 1;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  options.partition = HOPWAVE_PARTITION_NEVER;
  EACH_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  options.size = 0;
  EACH_FAILS(HOPWAVE_USAGE, "HW-C-SIZE");
  options.device = 9;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_components(graph, &options, labels, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_strong_components(graph, &options, labels, NULL, NULL, place));
  hopwave_options_init(&options);
  options.threads = -1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-THREADS", hopwave_condensation(graph, &options, &none, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_components(NULL, NULL, labels, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_strong_components(NULL, NULL, labels, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_core_numbers(graph, NULL, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_core_numbers(NULL, NULL, labels, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_condensation(NULL, NULL, &condensed, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_condensation(graph, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_topological_generations(graph, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_topological_generations(NULL, NULL, labels, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_acyclic(graph, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_acyclic(NULL, NULL, &acyclic, place));
  hopwave_graph_free(condensed);
  hopwave_graph_free(none);
  hopwave_graph_free(graph);
}

/* Answers by the names of algorithms and outputs. 0 ⇄ 1 → 2 → 3, and 4 alone. */
static void by_name(void) {
  const uint32_t from[] = {0, 1, 1, 2}, to[] = {1, 0, 2, 3}, *cores;
  const char* const flow_names[] = {"source", "target", "strategy"};
  const char* const twice[] = {"target", "target"};
  const char* const flow_values[] = {"0", "3", "dinic"};
  const char* const ecc_names[] = {"direction", "scope", "weights", "direction"};
  const char* const ecc_values[] = {"both", "largest", "1", "both"};
  const char* const closeness_names[] = {"samples", "risk"};
  const char* const closeness_values[] = {"5", "0.25"};
  const char* wrong[] = {"0", "three", "dinic"};
  hopwave_array_type type;
  size_t size = 9, i;
  uint64_t other;
  double bound = 9;
  hopwave_options options;
  hopwave_answer* answer = NULL;
  hopwave_graph* graph = NULL;
  EXPECT_OK(hopwave_graph_from_edges(5, from, to, NULL, 4, 1, &graph, place));
  hopwave_options_init(&options);
  options.device = HOPWAVE_DEVICE_SIMULATOR;
  EXPECT_OK(hopwave_run_algorithm(graph, "kcore", NULL, NULL, 0, &options, &answer, place));
  cores = (const uint32_t*)hopwave_answer_array(answer, "core", &type, &size);
  EXPECT(type == HOPWAVE_UINT32 && size == 5 && cores[0] == 2 && cores[2] == 1 && cores[4] == 0);
  EXPECT(hopwave_answer_count(answer, "largest", &other) == 2 && other == 0);
  EXPECT(hopwave_answer_count(answer, "largest_size", NULL) == 2 && END_OF(answer, answer) == HOPWAVE_END_COMPLETE);
  EXPECT(report.device == HOPWAVE_DEVICE_SIMULATOR);
  /* What is not there, or is of another kind. */
  EXPECT(hopwave_answer_count(answer, "core", NULL) == 0 && hopwave_answer_number(answer, "largest") == 0);
  EXPECT(!hopwave_answer_array(answer, "largest", &type, &size) && type == HOPWAVE_NO_ARRAY && size == 0);
  EXPECT(!hopwave_answer_array(answer, "moon", NULL, NULL) && !hopwave_answer_array(answer, NULL, NULL, NULL));
  EXPECT(!hopwave_answer_array(NULL, "core", &type, &size) && hopwave_answer_number(NULL, "core") == 0);
  EXPECT(hopwave_answer_count(NULL, "core", NULL) == 0 && END_OF(answer, NULL) == HOPWAVE_END_COMPLETE);
  hopwave_answer_free(answer);
  EXPECT_OK(hopwave_run_algorithm(graph, "max_flow", flow_names, flow_values, 3, NULL, &answer, place));
  hopwave_answer_report(answer, &report);
  EXPECT(hopwave_answer_count(answer, "value", NULL) == 1 && strcmp(report.strategy, "dinic") == 0);
  EXPECT(((const int64_t*)hopwave_answer_array(answer, "arc", &type, &size))[0] == 1 && type == HOPWAVE_INT64 && size == 4);
  EXPECT(((const uint8_t*)hopwave_answer_array(answer, "source_side", &type, &size))[0] == 1 && type == HOPWAVE_UINT8);
  hopwave_answer_free(answer);
  EXPECT_OK(hopwave_run_algorithm(graph, "eccentricity", ecc_names, ecc_values, 2, NULL, &answer, place));
  EXPECT(hopwave_answer_count(answer, "diameter", &other) == 3 && other == 3);
  EXPECT(hopwave_answer_count(answer, "ends", &other) + other == 3);
  EXPECT(hopwave_answer_count(answer, "central", NULL) == 1 || hopwave_answer_count(answer, "central", NULL) == 2);
  EXPECT(((const int32_t*)hopwave_answer_array(answer, "lower", &type, &size))[4] == -1 && type == HOPWAVE_INT32);
  EXPECT(((const uint32_t*)hopwave_answer_array(answer, "center", &type, &size))[1] == 2 && size == 2);
  EXPECT(hopwave_answer_range(answer, "diameter", &bound) == 0 && bound == 0); /* that is one of hops */
  hopwave_answer_free(answer);
  EXPECT_OK(hopwave_run_algorithm(graph, "eccentricity", ecc_names, ecc_values, 3, NULL, &answer, place));
  EXPECT(hopwave_answer_range(answer, "diameter", &bound) == 3 && bound == 3);
  EXPECT(hopwave_answer_range(answer, "radius", NULL) == 2 && hopwave_answer_count(answer, "radius", NULL) == 0);
  EXPECT(((const double*)hopwave_answer_array(answer, "lower", &type, &size))[4] == -1 && type == HOPWAVE_DOUBLE);
  EXPECT(hopwave_answer_range(NULL, "diameter", &bound) == 0 && bound == 0);
  hopwave_answer_free(answer);
  EXPECT_OK(hopwave_run_algorithm(graph, "diameter", ecc_names + 2, ecc_values + 2, 2, NULL, &answer, place));
  EXPECT(hopwave_answer_number(answer, "diameter") == 3);
  hopwave_answer_free(answer);
  EXPECT_OK(hopwave_run_algorithm(graph, "sampled_closeness", closeness_names, closeness_values, 2, NULL, &answer, place));
  EXPECT(hopwave_answer_number(answer, "risk") == 0.25 && hopwave_answer_count(answer, "pivots", NULL) == 5);
  EXPECT(((const double*)hopwave_answer_array(answer, "reached", &type, &size))[4] == 1 && type == HOPWAVE_DOUBLE);
  hopwave_answer_free(answer);
  answer = NULL;
  for (i = 0; i < 3; ++i) {
    const char* const texts[] = {"three", "-1", "1 "};
    wrong[1] = texts[i];
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE",
                 hopwave_run_algorithm(graph, "flow", flow_names, wrong, 3, NULL, &answer, place));
  }
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE",
               hopwave_run_algorithm(graph, "flow", twice, flow_values, 2, NULL, &answer, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_run_algorithm(graph, "moon", NULL, NULL, 0, NULL, &answer, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE",
               hopwave_run_algorithm(graph, "kcore", ecc_names, ecc_values, 1, NULL, &answer, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_run_algorithm(NULL, "kcore", NULL, NULL, 0, NULL, &answer, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_run_algorithm(graph, NULL, NULL, NULL, 0, NULL, &answer, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_run_algorithm(graph, "flow", NULL, flow_values, 2, NULL, &answer, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_run_algorithm(graph, "kcore", NULL, NULL, 0, NULL, NULL, place));
  wrong[1] = NULL;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_run_algorithm(graph, "flow", flow_names, wrong, 3, NULL, &answer, place));
  options.direction = HOPWAVE_BOTH;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE",
               hopwave_run_algorithm(graph, "kcore", NULL, NULL, 0, &options, &answer, place));
  hopwave_options_init(&options);
  options.progress = no_step;
  EXPECT_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED",
               hopwave_run_algorithm(graph, "kcore", NULL, NULL, 0, &options, &answer, place));
  EXPECT(answer == NULL);
  hopwave_answer_free(NULL);
  hopwave_graph_free(graph);
}

/* Five edges among five vertices; `capacity` may be NULL. */
static hopwave_status weighed(const uint32_t* from, const uint32_t* to, const int64_t* capacity, int directed,
                              hopwave_graph** graph, hopwave_error** error) {
  return hopwave_graph_from_weighted_edges(5, from, to, HOPWAVE_WEIGHT_INT64, capacity, 5, directed, graph, error);
}

/* 0 → 1 (4), 0 → 2 (2), 1 → 2 (1), 1 → 3 (2), 2 → 3 (4); the minimum cut is {0 → 2, 1 → 2, 1 → 3}. 4 is alone. */
static void flow(void) {
  const uint32_t from[] = {0, 0, 1, 1, 2}, to[] = {1, 2, 2, 3, 3};
  const int64_t capacity[] = {4, 2, 1, 2, 4}, negative[] = {4, 2, -1, 2, 4};
  const int64_t large[] = {INT64_MAX, 1, 1, 2, 4};
  const uint64_t offsets[] = {0, 2, 2};
  const uint32_t twice[] = {1, 1};
  int64_t value = 7, same = 0, arcs[5], back[10];
  uint8_t side[5];
  int kind, i, calls = 0;
  hopwave_options options;
  hopwave_stop* stop = NULL;
  hopwave_graph *graph = NULL, *plain = NULL, *both = NULL, *wrong = NULL, *sum = NULL, *two = NULL, *named = NULL;
  hopwave_answer* answer = NULL;
  FILE* file = NULL;
  EXPECT_OK(weighed(from, to, capacity, 1, &graph, place));
  EXPECT_OK(weighed(from, to, NULL, 1, &plain, place));
  EXPECT_OK(weighed(from, to, capacity, 0, &both, place));
  EXPECT_OK(weighed(from, to, negative, 1, &wrong, place));
  EXPECT_OK(weighed(from, to, large, 1, &sum, place));
  for (kind = HOPWAVE_DEVICE_CPU; kind <= HOPWAVE_DEVICE_SIMULATOR; kind += 2) {
    hopwave_options_init(&options);
    options.device = kind;
    EXPECT_OK(hopwave_max_flow(graph, &options, 0, 3, &value, arcs, side, &report, place));
    EXPECT(report.device == kind && strcmp(report.strategy, "push-relabel") == 0);
    EXPECT(value == 5 && arcs[0] == 3 && arcs[1] == 2 && arcs[2] == 1 && arcs[3] == 2 && arcs[4] == 3);
    EXPECT(side[0] == 1 && side[1] == 1 && side[2] == 0 && side[3] == 0 && side[4] == 0);
    EXPECT_OK(hopwave_max_flow(graph, &options, 3, 0, &value, arcs, side, NULL, place));
    EXPECT(value == 0 && side[3] == 1 && side[0] == 0);
    for (i = 0; i < 5; ++i) EXPECT(arcs[i] == 0);
    EXPECT_OK(hopwave_max_flow(plain, &options, 0, 3, &value, NULL, NULL, NULL, place));
    EXPECT(value == 2);
    EXPECT_OK(hopwave_max_flow(both, &options, 3, 0, &value, back, NULL, NULL, place));
    EXPECT(value == 5 && back[8] == 2 && back[9] == 3); /* the row of 3: to 1 and to 2 */
  }
  EXPECT_OK(hopwave_max_flow(graph, NULL, 0, 3, &value, NULL, NULL, NULL, place));
  EXPECT(value == 5);
  EXPECT(hopwave_graph_default_source(graph) == HOPWAVE_NO_VERTEX && hopwave_graph_default_target(graph) == HOPWAVE_NO_VERTEX);
  EXPECT(hopwave_graph_default_source(NULL) == HOPWAVE_NO_VERTEX && hopwave_graph_default_target(NULL) == HOPWAVE_NO_VERTEX);
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-SOURCE",
               hopwave_max_flow(graph, NULL, HOPWAVE_NO_VERTEX, 3, &value, NULL, NULL, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-TARGET",
               hopwave_max_flow(graph, NULL, 0, HOPWAVE_NO_VERTEX, &value, NULL, NULL, NULL, place));
  /* The input names both ends. */
  EXPECT_OK(hopwave_graph_load("rlg:3,3,9", &named, place));
  EXPECT(hopwave_graph_default_source(named) == 0 && hopwave_graph_default_target(named) == 10);
  EXPECT_OK(hopwave_max_flow(named, NULL, 0, 10, &value, NULL, NULL, NULL, place));
  EXPECT_OK(hopwave_max_flow(named, NULL, HOPWAVE_NO_VERTEX, HOPWAVE_NO_VERTEX, &same, NULL, NULL, NULL, place));
  EXPECT(value == same && value > 0);
  EXPECT_OK(hopwave_run_algorithm(named, "flow", NULL, NULL, 0, NULL, &answer, place));
  EXPECT(hopwave_answer_count(answer, "value", NULL) == (uint64_t)value);
  EXPECT(hopwave_answer_count(answer, "source", NULL) == 0 && hopwave_answer_count(answer, "target", NULL) == 10);
  hopwave_answer_free(answer);
  hopwave_graph_free(named);
  /* Parallel arcs of a .max are kept. */
  file = fopen("c_flow.max", "w");
  EXPECT(file && fputs("p max 2 2\nn 1 s\nn 2 t\na 1 2 3\na 1 2 4\n", file) >= 0 && fclose(file) == 0);
  EXPECT_OK(hopwave_graph_load("c_flow.max", &named, place));
  EXPECT_OK(hopwave_max_flow(named, NULL, HOPWAVE_NO_VERTEX, HOPWAVE_NO_VERTEX, &value, NULL, NULL, NULL, place));
  EXPECT(value == 7 && remove("c_flow.max") == 0);
  hopwave_graph_free(named);
  EXPECT_OK(hopwave_max_flow(graph, NULL, 0, 4, &value, NULL, side, NULL, place));
  EXPECT(value == 0 && side[3] == 1 && side[4] == 0);
  EXPECT_OK(hopwave_graph_from_csr(2, offsets, twice, NULL, 1, &two, place));
  EXPECT_OK(hopwave_max_flow(two, NULL, 0, 1, &value, arcs, NULL, NULL, place));
  EXPECT(value == 2 && arcs[0] == 1 && arcs[1] == 1); /* parallel arcs add up */
  value = 7;
  arcs[0] = 7;
  side[0] = 7;
#define FLOW_FAILS(status, id) \
  EXPECT_FAILS(status, id, hopwave_max_flow(graph, &options, 0, 3, &value, arcs, side, NULL, place))
  hopwave_options_init(&options);
  options.progress = no_step;
  options.user = &calls;
  FLOW_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED");
  EXPECT(calls == 2); /* a failing call is made twice */
  hopwave_options_init(&options);
  EXPECT_OK(hopwave_stop_new(&stop, place));
  hopwave_stop_request(stop);
  options.stop = stop;
  FLOW_FAILS(HOPWAVE_INTERRUPTED, "HW-CANCELLED");
  hopwave_stop_free(stop);
  hopwave_options_init(&options);
  options.time_limit = 1e-9;
  FLOW_FAILS(HOPWAVE_TIME_LIMIT, "HW-TIME-LIMIT");
  options.time_limit = -1;
  FLOW_FAILS(HOPWAVE_USAGE, "HW-OPTION-TIME-LIMIT");
  hopwave_options_init(&options);
  options.direction = HOPWAVE_IN;
  FLOW_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  hopwave_options_init(&options);
  options.prepare = 1;
  FLOW_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  hopwave_options_init(&options);
  options.strategy = "ford";
  FLOW_FAILS(HOPWAVE_USAGE, "HW-STRATEGY-UNKNOWN");
  hopwave_options_init(&options);
  options.device = 9;
  FLOW_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  hopwave_options_init(&options);
  options.threads = -1;
  FLOW_FAILS(HOPWAVE_USAGE, "HW-OPTION-THREADS");
  options.size = 0;
  FLOW_FAILS(HOPWAVE_USAGE, "HW-C-SIZE");
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-FLOW-CAPACITY", hopwave_max_flow(wrong, NULL, 0, 3, &value, arcs, side, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-FLOW-SUM", hopwave_max_flow(sum, NULL, 0, 3, &value, arcs, side, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_max_flow(graph, NULL, 5, 3, &value, arcs, side, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-TARGET", hopwave_max_flow(graph, NULL, 0, 5, &value, arcs, side, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-TARGET", hopwave_max_flow(graph, NULL, 3, 3, &value, arcs, side, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_max_flow(NULL, NULL, 0, 3, &value, arcs, side, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_max_flow(graph, NULL, 0, 3, NULL, arcs, side, NULL, place));
  EXPECT(value == 7 && arcs[0] == 7 && side[0] == 7); /* nothing is written on failure */
  hopwave_graph_free(graph);
  hopwave_graph_free(plain);
  hopwave_graph_free(both);
  hopwave_graph_free(wrong);
  hopwave_graph_free(sum);
  hopwave_graph_free(two);
}

/* 0 and 1 are joined to 3, 0 also to 4; 2 is alone. */
static void matching(void) {
  const uint32_t from[] = {3, 1, 4}, to[] = {0, 3, 0}, triangle[] = {1, 2, 0}, corners[] = {0, 1, 2};
  const uint8_t left[] = {0, 0, 0, 1, 1}, right[] = {1, 1, 1, 0, 0}, wrong[] = {0, 0, 0, 0, 1};
  const char *const left_name = "left", *left_value;
  uint32_t size = 7, mates[5], i;
  uint8_t cover[5];
  int kind, calls = 0;
  hopwave_options options;
  hopwave_answer* answer = NULL;
  hopwave_graph *graph = NULL, *odd = NULL;
  EXPECT_OK(hopwave_graph_from_edges(5, from, to, NULL, 3, 1, &graph, place));
  EXPECT_OK(hopwave_graph_from_edges(3, corners, triangle, NULL, 3, 1, &odd, place));
  for (kind = HOPWAVE_DEVICE_CPU; kind <= HOPWAVE_DEVICE_SIMULATOR; kind += 2) {
    hopwave_options_init(&options);
    options.device = kind;
    EXPECT_OK(hopwave_maximum_matching(graph, &options, left, &size, mates, cover, &report, place));
    EXPECT(report.device == kind && strcmp(report.strategy, kind == HOPWAVE_DEVICE_CPU ? "hopcroft-karp" : "forest") == 0);
    EXPECT(size == 2 && mates[0] == 4 && mates[1] == 3 && mates[2] == HOPWAVE_NO_VERTEX && mates[3] == 1 && mates[4] == 0);
    EXPECT(cover[0] == 1 && cover[1] == 1 && cover[2] == 0 && cover[3] == 0 && cover[4] == 0);
    EXPECT_OK(hopwave_maximum_matching(graph, &options, right, &size, NULL, cover, NULL, place));
    EXPECT(size == 2 && cover[2] == 0 && cover[0] + cover[1] + cover[3] + cover[4] == 2);
    EXPECT_OK(hopwave_maximum_matching(graph, &options, NULL, &size, NULL, NULL, NULL, place));
    EXPECT(size == 2);
    for (i = 0; i < 2; ++i) {
      const char* const side[] = {i ? "3,4" : "0,1,2"};
      EXPECT_OK(hopwave_run_algorithm(graph, "matching", &left_name, side, 1, &options, &answer, place));
      EXPECT(hopwave_answer_count(answer, "size", NULL) == 2);
      EXPECT(((const uint8_t*)hopwave_answer_array(answer, "right", NULL, NULL))[0] == i);
      hopwave_answer_free(answer);
    }
  }
  for (i = 0; i < 6; ++i) {
    static const char* const none[] = {"0,", ",0", "0 1", "0,-1", "0,5", "0,4294967296"};
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE",
                 hopwave_run_algorithm(graph, "matching", &left_name, none + i, 1, NULL, &answer, place));
  }
  left_value = ""; /* all are on the right, with the edges within their side */
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-MATCHING-SIDE",
               hopwave_run_algorithm(graph, "matching", &left_name, &left_value, 1, NULL, &answer, place));
  size = 7;
  mates[0] = 7;
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-MATCHING-CYCLE", hopwave_maximum_matching(odd, NULL, NULL, &size, mates, cover, NULL, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-MATCHING-SIDE",
               hopwave_maximum_matching(graph, NULL, wrong, &size, mates, cover, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_maximum_matching(NULL, NULL, NULL, &size, mates, cover, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_maximum_matching(graph, NULL, NULL, NULL, mates, cover, NULL, place));
#define MATCHING_FAILS(status, id) \
  EXPECT_FAILS(status, id, hopwave_maximum_matching(graph, &options, NULL, &size, mates, cover, NULL, place))
  hopwave_options_init(&options);
  options.progress = no_step;
  options.user = &calls;
  MATCHING_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED");
  hopwave_options_init(&options);
  options.time_limit = -1;
  MATCHING_FAILS(HOPWAVE_USAGE, "HW-OPTION-TIME-LIMIT");
  hopwave_options_init(&options);
  options.direction = HOPWAVE_IN;
  MATCHING_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  hopwave_options_init(&options);
  options.strategy = "forest";
  MATCHING_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE");
  EXPECT(size == 7 && mates[0] == 7); /* nothing is written on failure */
  hopwave_graph_free(graph);
  hopwave_graph_free(odd);
}

static void betweenness(void) {
  const uint32_t source = 0, target = 3, wrong = 5;
  hopwave_graph *graph = path_and_one(), *large = NULL;
  hopwave_betweenness_sums* sums = NULL;
  hopwave_betweenness_query query;
  hopwave_options options;
  double off = 7;
  int kind;
  hopwave_betweenness_query_init(NULL);
  for (kind = HOPWAVE_DEVICE_CPU; kind <= HOPWAVE_DEVICE_SIMULATOR; kind += 2) {
    hopwave_options_init(&options);
    options.device = kind;
    EXPECT_OK(hopwave_betweenness(graph, NULL, &options, &sums, place));
    EXPECT(hopwave_betweenness_vertices(sums)[1] == 4 && hopwave_betweenness_vertices(sums)[0] == 0);
    EXPECT(hopwave_betweenness_arcs(sums) == NULL && hopwave_betweenness_sources(sums) == 5);
    EXPECT(hopwave_betweenness_max_paths(sums) == 1 && END_OF(betweenness, sums) == HOPWAVE_END_COMPLETE);
    hopwave_betweenness_free(sums);
  }
  hopwave_betweenness_query_init(&query);
  query.sources = &source;
  query.num_sources = 1;
  query.targets = &target;
  query.num_targets = 1;
  query.arcs = 1;
  query.endpoints = 1;
  EXPECT_OK(hopwave_betweenness(graph, &query, NULL, &sums, place));
  EXPECT(hopwave_betweenness_vertices(sums)[0] == 1 && hopwave_betweenness_vertices(sums)[2] == 1);
  EXPECT(hopwave_betweenness_arcs(sums)[0] == 1 && hopwave_betweenness_arcs(sums)[1] == 0);
  EXPECT(hopwave_betweenness_sources(sums) == 1);
  hopwave_betweenness_free(sums);
  EXPECT(fabs(hopwave_betweenness_vertex_scale(graph, 5, 1, 0) - 1.0 / 12) < 1e-15);
  EXPECT(hopwave_betweenness_vertex_scale(graph, 5, 0, 0) == 0.5 && hopwave_betweenness_arc_scale(graph, 5, 0) == 0.5);
  EXPECT(hopwave_betweenness_vertex_scale(graph, 5, 1, 1) == 0.05 && hopwave_betweenness_arc_scale(graph, 5, 1) == 0.05);
  EXPECT_OK(hopwave_betweenness_error(5, 5, 0.05, &off, place));
  EXPECT(off == 0);
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_betweenness_error(5, 2, 1, &off, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_betweenness_error(5, 2, 0.05, NULL, place));
  options.progress = no_step;
  EXPECT_OK(hopwave_betweenness(graph, NULL, &options, &sums, place));
  EXPECT(END_OF(betweenness, sums) != HOPWAVE_END_COMPLETE && hopwave_betweenness_sources(sums) < 5);
  hopwave_betweenness_free(sums);
  EXPECT_OK(hopwave_graph_load("rmat:10,8", &large, place));
  hopwave_options_init(&options);
  options.time_limit = 1e-9;
  EXPECT_OK(hopwave_betweenness(large, NULL, &options, &sums, place));
  EXPECT(END_OF(betweenness, sums) == HOPWAVE_END_TIME_LIMIT);
  hopwave_betweenness_free(sums);
  sums = NULL;
  options.time_limit = -1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-TIME-LIMIT", hopwave_betweenness(graph, NULL, &options, &sums, place));
  options.time_limit = 0;
  options.direction = HOPWAVE_IN;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_betweenness(graph, NULL, &options, &sums, place));
  query.sources = &wrong;
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_betweenness(graph, &query, NULL, &sums, place));
  query.sources = NULL;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_betweenness(graph, &query, NULL, &sums, place));
  query.size = 1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_betweenness(graph, &query, NULL, &sums, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_betweenness(NULL, NULL, NULL, &sums, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_betweenness(graph, NULL, NULL, NULL, place));
  EXPECT(sums == NULL && hopwave_betweenness_vertices(NULL) == NULL && hopwave_betweenness_arcs(NULL) == NULL);
  EXPECT(hopwave_betweenness_sources(NULL) == 0 && hopwave_betweenness_max_paths(NULL) == 0);
  EXPECT(END_OF(betweenness, NULL) == HOPWAVE_END_COMPLETE && hopwave_betweenness_vertex_scale(NULL, 1, 1, 1) == 0);
  EXPECT(hopwave_betweenness_arc_scale(NULL, 1, 1) == 0);
  hopwave_betweenness_free(NULL);
  hopwave_graph_free(large);
  hopwave_graph_free(graph);
}

int main(void) {
  closeness();
  sampled();
  eccentricity();
  components();
  by_name();
  flow();
  matching();
  betweenness();
  if (faults) fprintf(stderr, "%d faults\n", faults);
  return faults != 0;
}

/* Every function of hopwave/c.h, called from C99: right calls, nonsense, callbacks, stopping. Exit code 1 at a fault. */
#include "expect.h"

static void errors_take_null(void) {
  EXPECT(strcmp(hopwave_error_id(NULL), "") == 0);
  EXPECT(strcmp(hopwave_error_message(NULL), "") == 0);
  EXPECT(strcmp(hopwave_error_hint(NULL), "") == 0);
  hopwave_error_free(NULL);
  EXPECT(strchr(hopwave_version(), '.') != NULL);
}

static void graphs(void) {
  const uint32_t from[] = {0, 1, 1}, to[] = {1, 2, 2}, far[] = {0, 9, 1};
  const uint64_t offsets[] = {0, 1, 3, 4}, falling[] = {0, 3, 1, 4};
  const uint32_t rows[] = {1, 0, 2, 1}, one_way[] = {1, 0, 2, 0};
  hopwave_graph *graph = NULL, *kept = NULL;
  EXPECT_OK(hopwave_graph_load("chain:5", &graph, place));
  EXPECT(hopwave_graph_num_vertices(graph) == 5);
  hopwave_graph_free(graph);
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-IO-OPEN", hopwave_graph_load("/no/such/file", &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_load(NULL, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_load("chain:5", NULL, place));

  EXPECT_OK(hopwave_graph_from_edges(3, from, to, NULL, 3, 0, &graph, place));
  EXPECT(hopwave_graph_num_arcs(graph) == 4);
  EXPECT(!hopwave_graph_directed(graph));
  hopwave_graph_free(graph);
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-GRAPH-LIST", hopwave_graph_from_edges(3, from, far, NULL, 3, 1, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_from_edges(3, NULL, to, NULL, 3, 1, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_from_edges(3, from, NULL, NULL, 3, 1, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_from_edges(3, from, to, NULL, 3, 1, NULL, place));
  EXPECT_OK(hopwave_graph_from_edges(2, NULL, NULL, NULL, 0, 1, &graph, place));
  hopwave_graph_free(graph);

  EXPECT_OK(hopwave_graph_from_csr(3, offsets, rows, NULL, 0, &graph, place));
  EXPECT(hopwave_graph_num_arcs(graph) == 4);
  hopwave_graph_free(graph);
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-GRAPH-ARRAYS", hopwave_graph_from_csr(3, falling, rows, NULL, 0, &kept, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-GRAPH-SYMMETRY", hopwave_graph_from_csr(3, offsets, one_way, NULL, 0, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_from_csr(3, NULL, rows, NULL, 0, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_from_csr(3, offsets, NULL, NULL, 0, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_from_csr(3, offsets, rows, NULL, 0, NULL, place));
  EXPECT(kept == NULL);

  EXPECT(hopwave_graph_num_vertices(NULL) == 0 && hopwave_graph_num_arcs(NULL) == 0 && hopwave_graph_directed(NULL) == 0);
  hopwave_graph_free(NULL);
}

static void names(void) {
  hopwave_graph* graph = chain(12);
  uint32_t v = 77;
  char text[8];
  size_t length = 0;
  EXPECT_OK(hopwave_graph_find(graph, "11", &v, place));
  EXPECT(v == 11);
  EXPECT_FAILS(HOPWAVE_NO, "HW-C-NAME", hopwave_graph_find(graph, "12", &v, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_find(NULL, "1", &v, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_find(graph, NULL, &v, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_find(graph, "1", NULL, place));
  EXPECT(v == 11);
  EXPECT_OK(hopwave_graph_name(graph, 10, text, sizeof text, &length, place));
  EXPECT(strcmp(text, "10") == 0 && length == 2);
  EXPECT_OK(hopwave_graph_name(graph, 10, text, 2, NULL, place));
  EXPECT(strcmp(text, "1") == 0);
  EXPECT_OK(hopwave_graph_name(graph, 10, NULL, 0, &length, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_name(graph, 10, NULL, 3, &length, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_name(NULL, 10, text, 3, &length, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-IDS-RANGE", hopwave_graph_name(graph, 12, text, 3, &length, place));
  hopwave_graph_free(graph);
}

static int below(void* user, uint32_t from, uint32_t to) {
  (void)from;
  return to < *(const uint32_t*)user;
}

static void restricted(void) {
  hopwave_graph *graph = chain(6), *less = NULL;
  const uint8_t vertices[] = {1, 1, 1, 0, 1, 1}, arcs[] = {0, 1, 1, 1, 1};
  uint32_t most = 3;
  EXPECT_OK(hopwave_graph_restricted(graph, vertices, NULL, NULL, NULL, &less, place));
  EXPECT(hopwave_graph_num_arcs(less) == 3 && hopwave_graph_num_vertices(less) == 6);
  hopwave_graph_free(less);
  EXPECT_OK(hopwave_graph_restricted(graph, vertices, arcs, below, &most, &less, place));
  EXPECT(hopwave_graph_num_arcs(less) == 1);
  hopwave_graph_free(less);
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_restricted(NULL, NULL, NULL, NULL, NULL, &less, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_graph_restricted(graph, NULL, NULL, NULL, NULL, NULL, place));
  hopwave_graph_free(graph);
}

static void options_are_checked(void) {
  hopwave_graph* graph = chain(6);
  hopwave_searcher *searcher = NULL, *kept = NULL;
  hopwave_options options;
  const char* names[] = {"no_such_parameter", NULL};
  const int64_t numbers[] = {1, 2};
  hopwave_options_init(NULL);
  EXPECT_OK(hopwave_searcher_new(graph, NULL, &searcher, place));
  EXPECT(strlen(hopwave_searcher_strategy(searcher)) > 0);
  hopwave_searcher_free(searcher);
  EXPECT(strcmp(hopwave_searcher_strategy(NULL), "") == 0);
  hopwave_searcher_free(NULL);
  hopwave_options_init(&options);
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_new(NULL, &options, &kept, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_new(graph, &options, NULL, place));
  options.size = 3;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_searcher_new(graph, &options, &kept, place));
  hopwave_options_init(&options);
  options.strategy = "no-such-strategy";
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-STRATEGY-UNKNOWN", hopwave_searcher_new(graph, &options, &kept, place));
  options.strategy = NULL;
  options.device = 9;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_searcher_new(graph, &options, &kept, place));
  options.device = HOPWAVE_DEVICE_CPU;
  options.direction = -1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_searcher_new(graph, &options, &kept, place));
  options.direction = HOPWAVE_BOTH;
  options.threads = -1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-THREADS", hopwave_searcher_new(graph, &options, &kept, place));
  options.threads = 1;
  options.time_limit = -1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-TIME-LIMIT", hopwave_searcher_new(graph, &options, &kept, place));
  options.time_limit = 0;
  options.num_parameters = 1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_new(graph, &options, &kept, place));
  options.parameter_names = names;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_new(graph, &options, &kept, place));
  options.parameter_values = numbers;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-PARAM-UNKNOWN", hopwave_searcher_new(graph, &options, &kept, place));
  options.num_parameters = 2;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_new(graph, &options, &kept, place));
  EXPECT(kept == NULL);
  hopwave_graph_free(graph);
}

static hopwave_searcher* searcher_of(uint32_t n, int device) {
  hopwave_graph* graph = chain(n);
  hopwave_searcher* searcher = NULL;
  hopwave_options options;
  hopwave_options_init(&options);
  options.device = device;
  EXPECT_OK(hopwave_searcher_new(graph, &options, &searcher, place));
  hopwave_graph_free(graph); /* the searcher keeps it */
  return searcher;
}

static void searches(void) {
  const int devices[] = {HOPWAVE_DEVICE_CPU, HOPWAVE_DEVICE_SIMULATOR};
  int i;
  for (i = 0; i < 2; ++i) {
    hopwave_searcher* searcher = searcher_of(9, devices[i]);
    hopwave_result* result = NULL;
    hopwave_query query;
    const uint32_t source = 2, wrong = 9;
    hopwave_query_init(NULL);
    hopwave_query_init(&query);
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-EMPTY", hopwave_search(searcher, &query, &result, place));
    query.num_sources = 1;
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search(searcher, &query, &result, place));
    query.sources = &wrong;
    EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_search(searcher, &query, &result, place));
    query.sources = &source;
    query.parents = 3;
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_search(searcher, &query, &result, place));
    query.parents = 2;
    query.bytes = 3;
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_search(searcher, &query, &result, place));
    query.bytes = 4;
    query.max_depth = -2;
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-DEPTH", hopwave_search(searcher, &query, &result, place));
    query.max_depth = -1;
    query.size = 0;
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_search(searcher, &query, &result, place));
    query.size = sizeof query;
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search(searcher, NULL, &result, place));
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search(NULL, &query, &result, place));
    EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search(searcher, &query, NULL, place));
    EXPECT(result == NULL);
    query.bytes = 1;
    EXPECT_OK(hopwave_search(searcher, &query, &result, place));
    EXPECT(hopwave_result_num_vertices(result) == 9 && hopwave_result_reached(result) == 7);
    EXPECT(hopwave_result_depth(result) == 6 && hopwave_result_parents(result)[8] == 7);
    EXPECT(hopwave_result_distances8(result)[8] == 6 && hopwave_result_distances8(result)[1] == 255);
    EXPECT(hopwave_result_distances16(result) == NULL && hopwave_result_distances(result) == NULL);
    hopwave_result_free(result);
    query.bytes = 2;
    EXPECT_OK(hopwave_search(searcher, &query, &result, place));
    EXPECT(hopwave_result_num_vertices(result) == 9);
    EXPECT(hopwave_result_distances16(result)[8] == 6 && hopwave_result_distances16(result)[1] == 65535);
    EXPECT(hopwave_result_distances8(result) == NULL && hopwave_result_distances(result) == NULL);
    hopwave_result_free(result);
    query.bytes = 4;
    EXPECT_OK(hopwave_search(searcher, &query, &result, place));
    hopwave_searcher_free(searcher); /* the result needs none */
    EXPECT(hopwave_result_num_vertices(result) == 9 && hopwave_result_reached(result) == 7);
    EXPECT(hopwave_result_depth(result) == 6 && END_OF(result, result) == HOPWAVE_END_COMPLETE);
    EXPECT(report.work_ms > 0 && report.device == devices[i] && report.strategy[0] != 0);
    EXPECT(hopwave_result_distances(result)[8] == 6 && hopwave_result_distances(result)[1] == HOPWAVE_UNREACHED);
    EXPECT(hopwave_result_parents(result)[8] == 7 && hopwave_result_parents(result)[2] == HOPWAVE_NO_VERTEX);
    hopwave_result_free(result);
  }
  EXPECT(hopwave_result_num_vertices(NULL) == 0 && hopwave_result_distances(NULL) == NULL);
  EXPECT(hopwave_result_distances8(NULL) == NULL && hopwave_result_distances16(NULL) == NULL);
  EXPECT(hopwave_result_parents(NULL) == NULL && hopwave_result_reached(NULL) == 0 && hopwave_result_depth(NULL) == 0);
  EXPECT(END_OF(result, NULL) == HOPWAVE_END_COMPLETE && report.work_ms == 0 && report.strategy[0] == 0);
  hopwave_result_report(NULL, NULL);
  hopwave_result_free(NULL);
}

struct Taken {
  hopwave_searcher* searcher;
  size_t count, most;
  int32_t sum;
};

static int take(void* user, size_t i, const hopwave_result* result) {
  struct Taken* taken = user;
  EXPECT(i == taken->count && hopwave_result_parents(result) == NULL);
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-BUSY", hopwave_searcher_set_limits(taken->searcher, NULL, 0, 0, place));
  taken->sum += hopwave_result_depth(result);
  return ++taken->count < taken->most;
}

static void many(void) {
  hopwave_searcher* searcher = searcher_of(9, HOPWAVE_DEVICE_CPU);
  const uint32_t from[] = {0, 3, 8}, to[] = {8, 8, 0}, wrong[] = {0, 1, 9};
  int32_t distances[3] = {7, 7, 7};
  struct Taken taken = {NULL, 0, 100, 0};
  taken.searcher = searcher;
  EXPECT_OK(hopwave_search_each(searcher, from, 3, -1, take, &taken, place));
  EXPECT(taken.count == 3 && taken.sum == 8 + 5);
  taken.most = 0;
  taken.count = 0;
  {
    hopwave_error* error = NULL;
    EXPECT(hopwave_search_each(searcher, from, 3, -1, take, &taken, &error) == HOPWAVE_INTERRUPTED);
    EXPECT(strcmp(hopwave_error_id(error), "HW-INTERRUPTED") == 0 && taken.count == 1);
    hopwave_error_free(error);
  }
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search_each(searcher, from, 3, -1, NULL, &taken, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search_each(searcher, NULL, 3, -1, take, &taken, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_search_each(NULL, from, 3, -1, take, &taken, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_search_each(searcher, wrong, 3, -1, take, &taken, place));

  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-TARGET", hopwave_distances(searcher, from, wrong, 3, -1, distances, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_distances(NULL, from, to, 3, -1, distances, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_distances(searcher, NULL, to, 3, -1, distances, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_distances(searcher, from, NULL, 3, -1, distances, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_distances(searcher, from, to, 3, -1, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-DEPTH", hopwave_distances(searcher, from, to, 3, -5, distances, place));
  EXPECT(distances[0] == 7);
  EXPECT_OK(hopwave_distances(searcher, from, to, 3, -1, distances, place));
  EXPECT(distances[0] == 8 && distances[1] == 5 && distances[2] == HOPWAVE_UNREACHED);
  EXPECT_OK(hopwave_distances(searcher, NULL, NULL, 0, -1, NULL, place));
  hopwave_searcher_free(searcher);
}

struct Near {
  int calls, most;
  size_t count;
  uint32_t last_vertex, last_parent;
  int32_t last_distance;
  hopwave_searcher* searcher;
};
static int take_near(void* user, size_t i, const hopwave_reached* reached) {
  struct Near* near = user;
  EXPECT(i == (size_t)(near->calls % near->most) && reached->end == HOPWAVE_END_COMPLETE);
  near->count = reached->count;
  near->last_vertex = reached->vertices[reached->count - 1];
  near->last_distance = reached->distances[reached->count - 1];
  near->last_parent = reached->parents ? reached->parents[reached->count - 1] : 77;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-BUSY", hopwave_searcher_set_limits(near->searcher, NULL, 0, 0, place));
  return ++near->calls % near->most != 0;
}

static void reaching(void) {
  const uint32_t from[] = {0, 3, 8}, wrong[] = {9};
  hopwave_graph* graph = chain(9);
  hopwave_searcher* searcher = NULL;
  hopwave_query query;
  struct Near near = {0, 100, 0, 0, 0, 0, NULL};
  EXPECT_OK(hopwave_searcher_new(graph, NULL, &searcher, place));
  near.searcher = searcher;
  hopwave_query_init(&query);
  query.sources = from;
  query.num_sources = 1;
  query.max_depth = 2;
  query.parents = 1;
  EXPECT_OK(hopwave_reach(searcher, &query, 0, take_near, &near, place));
  EXPECT(near.calls == 1 && near.count == 3 && near.last_vertex == 2 && near.last_distance == 2 && near.last_parent == 1);
  near.calls = 0;
  query.parents = 0;
  EXPECT_OK(hopwave_reach(searcher, &query, 1, take_near, &near, place));
  EXPECT(near.count == 2 && near.last_vertex == 1 && near.last_parent == 77);
  near.calls = 0;
  EXPECT_OK(hopwave_reach_each(searcher, from, 3, -1, 4, 1, take_near, &near, place));
  EXPECT(near.calls == 3 && near.count == 1 && near.last_vertex == 8 && near.last_parent == HOPWAVE_NO_VERTEX);
  near.calls = 0;
  near.most = 2;
  EXPECT_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED", hopwave_reach_each(searcher, from, 3, 1, 0, 0, take_near, &near, place));
  EXPECT(near.calls > 0 && near.calls % 2 == 0 && near.count == 2 && near.last_vertex == 4);
  near.calls = 0;
  near.most = 1;
  EXPECT_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED", hopwave_reach(searcher, &query, 0, take_near, &near, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_reach_each(searcher, wrong, 1, 1, 0, 0, take_near, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-DEPTH", hopwave_reach_each(searcher, from, 1, -2, 0, 0, take_near, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_reach_each(searcher, NULL, 1, 1, 0, 0, take_near, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_reach_each(searcher, from, 1, 1, 0, 0, NULL, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_reach_each(NULL, from, 1, 1, 0, 0, take_near, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_reach(searcher, &query, 0, NULL, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_reach(searcher, NULL, 0, take_near, &near, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_reach(NULL, &query, 0, take_near, &near, place));
  hopwave_searcher_free(searcher);
  hopwave_graph_free(graph);
}

static void several(void) {
  const uint32_t from[] = {0, 3, 8, 1, 2};
  const int further[] = {2, 3}, twice[] = {1, 1};
  hopwave_graph* graph = chain(9);
  hopwave_searcher* searcher = NULL;
  hopwave_options options;
  struct Taken taken = {NULL, 0, 100, 0};
  hopwave_options_init(&options);
  options.device = HOPWAVE_DEVICE_SIMULATOR;
  options.ordinal = 1;
  options.num_replicas = 2;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_new(graph, &options, &searcher, place));
  options.replicas = twice;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-REPLICAS", hopwave_searcher_new(graph, &options, &searcher, place));
  options.replicas = further;
  EXPECT_OK(hopwave_searcher_new(graph, &options, &searcher, place));
  taken.searcher = searcher;
  EXPECT_OK(hopwave_search_each(searcher, from, 5, -1, take, &taken, place));
  EXPECT(taken.count == 5 && taken.sum == 8 + 5 + 0 + 7 + 6);
  hopwave_searcher_free(searcher);
  options.partition = HOPWAVE_PARTITION_ALWAYS;
  EXPECT_OK(hopwave_searcher_new(graph, &options, &searcher, place));
  taken.searcher = searcher;
  taken.count = taken.sum = 0;
  EXPECT_OK(hopwave_search_each(searcher, from, 5, -1, take, &taken, place));
  EXPECT(taken.count == 5 && taken.sum == 8 + 5 + 0 + 7 + 6);
  hopwave_searcher_free(searcher);
  options.partition = 3;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_searcher_new(graph, &options, &searcher, place));
  options.partition = HOPWAVE_PARTITION_AUTOMATIC;
  options.ordinal = 9;
  EXPECT_FAILS(HOPWAVE_DEVICE, "HW-DEVICE-NONE", hopwave_searcher_new(graph, &options, &searcher, place));
  hopwave_graph_free(graph);
}

static int stop_at_three(void* user, const hopwave_step* step) {
  EXPECT(step->amount <= 1 && strcmp(step->what, "levels") == 0);
  if (step->done == 3) hopwave_stop_request(user);
  return 1;
}
static int no_more(void* user, const hopwave_step* step) {
  (void)user;
  return step->done < 5;
}

static void stopping(void) {
  hopwave_graph* graph = chain(100);
  hopwave_searcher* searcher = NULL;
  hopwave_result* result = NULL;
  hopwave_stop* stop = NULL;
  hopwave_options options;
  hopwave_query query;
  const uint32_t source = 0;
  EXPECT_OK(hopwave_stop_new(&stop, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_stop_new(NULL, place));
  EXPECT(!hopwave_stop_requested(stop) && !hopwave_stop_requested(NULL));
  hopwave_stop_request(NULL);
  hopwave_stop_free(NULL);
  hopwave_options_init(&options);
  options.strategy = "cpu-sequential";
  options.device = HOPWAVE_DEVICE_CPU;
  options.stop = stop;
  options.progress = stop_at_three;
  options.user = stop;
  options.partial = 1;
  hopwave_query_init(&query);
  query.sources = &source;
  query.num_sources = 1;
  EXPECT_OK(hopwave_searcher_new(graph, &options, &searcher, place));
  EXPECT_OK(hopwave_search(searcher, &query, &result, place));
  EXPECT(hopwave_stop_requested(stop));
  EXPECT(END_OF(result, result) == HOPWAVE_END_CANCELLED && hopwave_result_depth(result) == 4 &&
         hopwave_result_reached(result) == 5);
  hopwave_result_free(result);
  result = NULL;
  EXPECT_OK(hopwave_searcher_set_limits(searcher, stop, 0, 0, place));
  hopwave_stop_free(stop); /* the searcher keeps what it needs */
  EXPECT_FAILS(HOPWAVE_INTERRUPTED, "HW-CANCELLED", hopwave_search(searcher, &query, &result, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_searcher_set_limits(NULL, NULL, 0, 0, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-TIME-LIMIT", hopwave_searcher_set_limits(searcher, NULL, nan(""), 0, place));
  EXPECT_OK(hopwave_searcher_set_limits(searcher, NULL, 1e-9, 0, place));
  EXPECT_FAILS(HOPWAVE_TIME_LIMIT, "HW-TIME-LIMIT", hopwave_search(searcher, &query, &result, place));
  hopwave_searcher_free(searcher);
  options.stop = NULL;
  options.progress = no_more;
  EXPECT_OK(hopwave_searcher_new(graph, &options, &searcher, place));
  EXPECT_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED", hopwave_search(searcher, &query, &result, place));
  EXPECT(result == NULL);
  hopwave_searcher_free(searcher);
  hopwave_graph_free(graph);
}

static int two_steps(void* user, const hopwave_step* step) {
  ++*(int*)user;
  return step->done < 2;
}

/* Whole weights that no float is: 0 → 1 → 2 costs 40000002, 0 → 2 one less. */
static void whole_weights(void) {
  const uint32_t from[] = {0, 1, 0}, to[] = {1, 2, 2}, rows[] = {1, 2, 2}, source = 0;
  const uint64_t offsets[] = {0, 2, 3, 3};
  const int64_t weights[] = {20000001, 20000001, 40000001}, by_row[] = {INT64_C(1) << 60, 2, 3};
  hopwave_graph* graph = NULL;
  hopwave_weighted_searcher* searcher = NULL;
  hopwave_weighted_result* result = NULL;
  hopwave_weighted_query query;
  EXPECT_OK(hopwave_graph_from_weighted_edges(3, from, to, HOPWAVE_WEIGHT_INT64, weights, 3, 1, &graph, place));
  EXPECT(hopwave_graph_weight_type(graph) == HOPWAVE_WEIGHT_INT32); /* the smallest that has them */
  EXPECT(((const int32_t*)hopwave_graph_weights(graph))[0] == 20000001);
  EXPECT(hopwave_graph_offsets(graph)[3] == 3 && hopwave_graph_neighbors(graph)[2] == 2);
  EXPECT(hopwave_graph_offsets(NULL) == NULL && hopwave_graph_neighbors(NULL) == NULL && hopwave_graph_weight_type(NULL) == 0);
  hopwave_weighted_query_init(&query);
  query.sources = &source;
  query.num_sources = 1;
  EXPECT_OK(hopwave_weighted_searcher_new(graph, NULL, &searcher, place));
  EXPECT_OK(hopwave_weighted_search(searcher, &query, &result, place));
  EXPECT(hopwave_weighted_result_distances(result)[2] == 40000001 && hopwave_weighted_result_exact(result));
  hopwave_weighted_result_free(result);
  hopwave_weighted_searcher_free(searcher);
  hopwave_graph_free(graph);
  EXPECT_OK(hopwave_graph_from_weighted_csr(3, offsets, rows, HOPWAVE_WEIGHT_INT64, by_row, 1, &graph, place));
  EXPECT(hopwave_graph_weight_type(graph) == HOPWAVE_WEIGHT_INT64);
  hopwave_graph_free(graph);
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE",
               hopwave_graph_from_weighted_edges(3, from, to, 4, weights, 3, 1, &graph, place));
}

/* 0 → 1 → 2 costs 1 + 1.5, 0 → 2 costs 4, 3 is alone. */
static void weighted(void) {
  const uint32_t from[] = {0, 1, 0}, to[] = {1, 2, 2}, rows[] = {1, 2, 2}, wrong[] = {4}, source = 0;
  const uint64_t offsets[] = {0, 2, 3, 3, 3};
  const float weights[] = {1.0F, 1.5F, 4.0F}, by_row[] = {1.0F, 4.0F, 1.5F}, negative[] = {1.0F, -1.0F, 4.0F};
  hopwave_graph *graph = NULL, *below = NULL;
  hopwave_weighted_searcher* searcher = NULL;
  hopwave_weighted_result* result = NULL;
  hopwave_options options;
  hopwave_weighted_query query;
  const char* const names[] = {"block", NULL};
  const int64_t numbers[] = {32, 0};
  int calls = 0, kind;
  EXPECT_OK(hopwave_graph_from_edges(4, from, to, weights, 3, 1, &graph, place));
  EXPECT(hopwave_graph_has_weights(graph) && !hopwave_graph_has_weights(NULL));
  hopwave_graph_free(graph);
  EXPECT_OK(hopwave_graph_from_edges(4, from, to, NULL, 3, 1, &graph, place));
  EXPECT(!hopwave_graph_has_weights(graph));
  EXPECT(hopwave_graph_weights(graph) == NULL && hopwave_graph_weights(NULL) == NULL);
  hopwave_graph_free(graph);
  EXPECT_OK(hopwave_graph_from_csr(4, offsets, rows, by_row, 1, &graph, place));
  hopwave_weighted_query_init(&query);
  hopwave_weighted_query_init(NULL);
  hopwave_options_init(NULL);
  query.sources = &source;
  query.num_sources = 1;
  query.parents = 1;
  for (kind = HOPWAVE_DEVICE_AUTOMATIC; kind <= HOPWAVE_DEVICE_SIMULATOR; ++kind) {
    if (kind == HOPWAVE_DEVICE_GPU) continue;
    hopwave_options_init(&options);
    options.device = kind;
    if (kind == HOPWAVE_DEVICE_SIMULATOR) {
      options.parameter_names = names;
      options.parameter_values = numbers;
      options.num_parameters = 1;
    }
    EXPECT_OK(hopwave_weighted_searcher_new(graph, &options, &searcher, place));
    EXPECT(kind != HOPWAVE_DEVICE_SIMULATOR || strcmp(hopwave_weighted_searcher_strategy(searcher), "near-far") == 0);
    EXPECT_OK(hopwave_weighted_search(searcher, &query, &result, place));
    hopwave_weighted_searcher_free(searcher); /* the result needs none */
    EXPECT(hopwave_weighted_result_num_vertices(result) == 4 && hopwave_weighted_result_reached(result) == 3);
    EXPECT(hopwave_weighted_result_distances(result)[2] == 2.5 && isinf(hopwave_weighted_result_distances(result)[3]));
    EXPECT(hopwave_weighted_result_parents(result)[2] == 1 && hopwave_weighted_result_parents(result)[0] == HOPWAVE_NO_VERTEX);
    EXPECT(hopwave_weighted_result_farthest(result) == 2.5 && hopwave_weighted_result_exact(result));
    EXPECT(END_OF(weighted_result, result) == HOPWAVE_END_COMPLETE && report.work_ms > 0);
    hopwave_weighted_result_free(result);
  }
  options.num_parameters = 2;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_weighted_searcher_new(graph, &options, &searcher, place));
  hopwave_options_init(&options);
  options.size = 1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_weighted_searcher_new(graph, &options, &searcher, place));
  hopwave_options_init(&options);
  options.strategy = "cpu-dijkstra";
  options.device = HOPWAVE_DEVICE_CPU;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_weighted_searcher_new(NULL, &options, &searcher, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_weighted_searcher_new(graph, &options, NULL, place));
  EXPECT_OK(hopwave_graph_from_edges(4, from, to, negative, 3, 1, &below, place));
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-SSSP-WEIGHT", hopwave_weighted_searcher_new(below, NULL, &searcher, place));
  hopwave_graph_free(below);

  EXPECT_OK(hopwave_weighted_searcher_new(graph, &options, &searcher, place));
  hopwave_graph_free(graph); /* the searcher keeps it */
  result = NULL;
  query.parents = 2;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-OPTION-VALUE", hopwave_weighted_search(searcher, &query, &result, place));
  query.parents = 0;
  query.max_distance = -1;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-QUERY-DISTANCE", hopwave_weighted_search(searcher, &query, &result, place));
  query.max_distance = 1;
  query.size = 3;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-SIZE", hopwave_weighted_search(searcher, &query, &result, place));
  query.size = sizeof query;
  query.sources = wrong;
  EXPECT_FAILS(HOPWAVE_INPUT, "HW-QUERY-SOURCE", hopwave_weighted_search(searcher, &query, &result, place));
  query.sources = &source;
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_weighted_search(searcher, NULL, &result, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_weighted_search(searcher, &query, NULL, place));
  EXPECT_FAILS(HOPWAVE_USAGE, "HW-C-NULL", hopwave_weighted_search(NULL, &query, &result, place));
  EXPECT(result == NULL);
  EXPECT_OK(hopwave_weighted_search(searcher, &query, &result, place));
  EXPECT(hopwave_weighted_result_reached(result) == 2 && hopwave_weighted_result_parents(result) == NULL);
  hopwave_weighted_result_free(result);
  hopwave_weighted_searcher_free(searcher);

  graph = chain(100000);
  options.progress = two_steps;
  options.user = &calls;
  query.max_distance = INFINITY;
  result = NULL;
  EXPECT_OK(hopwave_weighted_searcher_new(graph, &options, &searcher, place));
  EXPECT_FAILS(HOPWAVE_INTERRUPTED, "HW-INTERRUPTED", hopwave_weighted_search(searcher, &query, &result, place));
  EXPECT(calls == 4 && result == NULL); /* EXPECT_FAILS calls twice, and each search reports its first step */
  hopwave_weighted_searcher_free(searcher);
  options.progress = NULL;
  options.time_limit = 1e-9;
  EXPECT_OK(hopwave_weighted_searcher_new(graph, &options, &searcher, place));
  EXPECT_FAILS(HOPWAVE_TIME_LIMIT, "HW-TIME-LIMIT", hopwave_weighted_search(searcher, &query, &result, place));
  hopwave_weighted_searcher_free(searcher);
  hopwave_graph_free(graph);

  EXPECT(hopwave_weighted_result_num_vertices(NULL) == 0 && hopwave_weighted_result_distances(NULL) == NULL);
  EXPECT(hopwave_weighted_result_parents(NULL) == NULL && hopwave_weighted_result_reached(NULL) == 0);
  EXPECT(hopwave_weighted_result_farthest(NULL) == 0 && hopwave_weighted_result_exact(NULL) == 0);
  EXPECT(END_OF(weighted_result, NULL) == HOPWAVE_END_COMPLETE && report.work_ms == 0 &&
         strcmp(hopwave_weighted_searcher_strategy(NULL), "") == 0);
  hopwave_weighted_result_free(NULL);
  hopwave_weighted_searcher_free(NULL);
}

/* What a graph or a searcher was made from may change as soon as the call is done. 0 → 1 → 2, 0 → 2, 3 is alone. */
static void callers_arrays(void) {
  uint32_t from[] = {0, 1, 0}, to[] = {1, 2, 2}, rows[] = {1, 2, 2}, source[] = {0};
  uint64_t offsets[] = {0, 2, 3, 3, 3};
  float listed[] = {1.0F, 1.5F, 4.0F}, by_row[] = {1.0F, 4.0F, 1.5F};
  uint8_t vertices[] = {1, 1, 1, 1}, arcs[] = {1, 0, 1};
  char strategy[] = "cpu-parallel", weighted_strategy[] = "near-far", parameter[] = "block";
  const char* names[] = {NULL};
  int64_t numbers[] = {32};
  int replicas[] = {2}, kind;
  hopwave_graph *graphs[2] = {NULL, NULL}, *less = NULL;
  hopwave_searcher* searcher = NULL;
  hopwave_weighted_searcher* weighted_searcher = NULL;
  hopwave_result* result = NULL;
  hopwave_weighted_result* weighted_result = NULL;
  hopwave_options options;
  hopwave_query query;
  hopwave_options weighted_options;
  hopwave_weighted_query weighted_query;
  struct Taken taken = {NULL, 0, 100, 0};

  EXPECT_OK(hopwave_graph_from_edges(4, from, to, listed, 3, 1, &graphs[0], place));
  EXPECT_OK(hopwave_graph_from_csr(4, offsets, rows, by_row, 1, &graphs[1], place));
  memset(from, 0xEE, sizeof from);
  memset(to, 0xEE, sizeof to);
  memset(listed, 0xEE, sizeof listed);
  memset(offsets, 0xEE, sizeof offsets);
  memset(rows, 0xEE, sizeof rows);
  memset(by_row, 0xEE, sizeof by_row);
  for (kind = 0; kind < 2; ++kind) {
    EXPECT(hopwave_graph_num_arcs(graphs[kind]) == 3);
    hopwave_options_init(&options);
    options.device = HOPWAVE_DEVICE_CPU;
    options.strategy = strategy;
    EXPECT_OK(hopwave_searcher_new(graphs[kind], &options, &searcher, place));
    memset(strategy, 'x', sizeof strategy - 1);
    EXPECT(strcmp(hopwave_searcher_strategy(searcher), "cpu-parallel") == 0);
    memcpy(strategy, "cpu-parallel", sizeof strategy);
    hopwave_query_init(&query);
    query.sources = source;
    query.num_sources = 1;
    query.parents = 2;
    EXPECT_OK(hopwave_search(searcher, &query, &result, place));
    EXPECT(hopwave_result_distances(result)[2] == 1 && hopwave_result_parents(result)[2] == 0);
    EXPECT(hopwave_result_distances(result)[3] == HOPWAVE_UNREACHED && hopwave_result_reached(result) == 3);
    hopwave_result_free(result);
    hopwave_searcher_free(searcher);

    hopwave_options_init(&weighted_options);
    weighted_options.device = HOPWAVE_DEVICE_SIMULATOR;
    weighted_options.strategy = weighted_strategy;
    names[0] = parameter;
    numbers[0] = 32;
    weighted_options.parameter_names = names;
    weighted_options.parameter_values = numbers;
    weighted_options.num_parameters = 1;
    EXPECT_OK(hopwave_weighted_searcher_new(graphs[kind], &weighted_options, &weighted_searcher, place));
    names[0] = NULL;
    numbers[0] = -7;
    hopwave_weighted_query_init(&weighted_query);
    weighted_query.sources = source;
    weighted_query.num_sources = 1;
    weighted_query.parents = 1;
    EXPECT_OK(hopwave_weighted_search(weighted_searcher, &weighted_query, &weighted_result, place));
    EXPECT(hopwave_weighted_result_distances(weighted_result)[2] == 2.5 &&
           hopwave_weighted_result_reached(weighted_result) == 3);
    hopwave_weighted_result_free(weighted_result);
    hopwave_weighted_searcher_free(weighted_searcher);

    memset(vertices, 1, sizeof vertices);
    arcs[0] = 1;
    arcs[1] = 0;
    EXPECT_OK(hopwave_graph_restricted(graphs[kind], vertices, arcs, NULL, NULL, &less, place));
    memset(vertices, 0, sizeof vertices);
    memset(arcs, 0, sizeof arcs);
    EXPECT(hopwave_graph_num_arcs(less) == 2);
    hopwave_options_init(&options);
    options.device = HOPWAVE_DEVICE_SIMULATOR;
    options.replicas = replicas;
    options.num_replicas = 1;
    EXPECT_OK(hopwave_searcher_new(less, &options, &searcher, place));
    replicas[0] = 0;
    taken.searcher = searcher;
    taken.count = 0;
    taken.sum = 0;
    EXPECT_OK(hopwave_search_each(searcher, source, 1, -1, take, &taken, place));
    EXPECT(taken.count == 1 && taken.sum == 2); /* 0 → 1 → 2: the other arc is left out */
    replicas[0] = 2;
    memset(arcs, 1, sizeof arcs);
    hopwave_searcher_free(searcher);
    hopwave_graph_free(less);
    hopwave_graph_free(graphs[kind]);
  }
}

int main(void) {
  errors_take_null();
  graphs();
  names();
  restricted();
  options_are_checked();
  searches();
  many();
  reaching();
  several();
  stopping();
  whole_weights();
  weighted();
  callers_arrays();
  if (faults) fprintf(stderr, "%d faults\n", faults);
  return faults != 0;
}

/* Distances from a vertex, in C: search FILE-OR-SPEC SOURCE [SECONDS]. Prints the number of vertices on each level. */
#include <hopwave/c.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(hopwave_status status, hopwave_error* error) {
  fprintf(stderr, "%s\n", hopwave_error_message(error));
  hopwave_error_free(error);
  return (int)status;
}

static void print_levels(const hopwave_result* result) {
  const int32_t* distances = hopwave_result_distances(result);
  const uint32_t n = hopwave_result_num_vertices(result);
  for (int32_t level = 0; level <= hopwave_result_depth(result); ++level) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < n; ++v) count += distances[v] == level;
    printf("level %d: %u\n", (int)level, (unsigned)count);
  }
  hopwave_report report;
  hopwave_result_report(result, &report);
  if (report.end == HOPWAVE_END_TIME_LIMIT) printf("the time limit was reached\n");
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s FILE-OR-SPEC SOURCE [SECONDS]\n", argv[0]);
    return 2;
  }
  hopwave_error* error = NULL;
  hopwave_graph* graph = NULL;
  hopwave_searcher* searcher = NULL;
  hopwave_result* result = NULL;
  hopwave_query query;
  hopwave_options options;
  uint32_t source = 0;
  hopwave_query_init(&query);
  hopwave_options_init(&options);
  query.sources = &source;
  query.num_sources = 1;
  options.time_limit = argc > 3 ? atof(argv[3]) : 0;
  options.partial = 1;

  hopwave_status status = hopwave_graph_load(argv[1], &graph, &error);
  if (status == HOPWAVE_OK) status = hopwave_graph_find(graph, argv[2], &source, &error);
  if (status == HOPWAVE_OK) status = hopwave_searcher_new(graph, &options, &searcher, &error);
  if (status == HOPWAVE_OK) status = hopwave_search(searcher, &query, &result, &error);
  if (status == HOPWAVE_OK) print_levels(result);

  hopwave_result_free(result);
  hopwave_searcher_free(searcher);
  hopwave_graph_free(graph);
  return status == HOPWAVE_OK ? 0 : fail(status, error);
}

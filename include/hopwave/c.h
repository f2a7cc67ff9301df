/* hopwave in C (C99): graphs, searches, limits. docs/c-api.md has the account, examples/c/search.c a program.
 *
 * Handles are made by functions that take a place for them, and given back by their _free function, which takes NULL too. No
 * C++ exception leaves the library. Functions that may fail return a status, HOPWAVE_OK or else the tool's exit code, and put
 * an error into *error unless `error` is NULL; free it. On failure no other place is written to. On success *error is set to
 * NULL. NULL where something is needed is the error HW-C-NULL. Pointers that point to nothing valid are not found out.
 *
 * Vertices are internal numbers, 0 to num_vertices - 1; hopwave_graph_find() and hopwave_graph_name() translate the caller's
 * ids.
 *
 * Threads: any number may use one graph or one stop together. A searcher and its results are for one thread at a time: a second
 * call of a searcher under way, also from a callback, is the error HW-BUSY. Handles may be freed in any order: a searcher keeps
 * its graph, and a result needs neither. */
#ifndef HOPWAVE_C_H
#define HOPWAVE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HOPWAVE_C_API __attribute__((visibility("default")))
#else
#define HOPWAVE_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hopwave_graph hopwave_graph;
typedef struct hopwave_searcher hopwave_searcher;
typedef struct hopwave_result hopwave_result;
typedef struct hopwave_weighted_searcher hopwave_weighted_searcher;
typedef struct hopwave_weighted_result hopwave_weighted_result;
typedef struct hopwave_estimates hopwave_estimates;
typedef struct hopwave_eccentricities hopwave_eccentricities;
typedef struct hopwave_betweenness_sums hopwave_betweenness_sums;
typedef struct hopwave_stop hopwave_stop;
typedef struct hopwave_error hopwave_error;

#define HOPWAVE_UNREACHED (-1)                 /* a distance */
#define HOPWAVE_NO_VERTEX UINT32_C(0xFFFFFFFF) /* a parent, or no target */

/* Kinds of failure; which one it was says the error's id. */
typedef enum hopwave_status {
  HOPWAVE_OK = 0,
  HOPWAVE_NO = 1,           /* the answer is no */
  HOPWAVE_USAGE = 2,        /* the call is wrong */
  HOPWAVE_INPUT = 3,        /* the data is wrong */
  HOPWAVE_MEMORY = 4,       /* it does not fit */
  HOPWAVE_VERIFICATION = 5, /* a result is wrong */
  HOPWAVE_DEVICE = 6,       /* the GPU or its driver failed */
  HOPWAVE_BUG = 70,         /* of the library: HW-C-UNEXPECTED */
  HOPWAVE_TIME_LIMIT = 124,
  HOPWAVE_INTERRUPTED = 130 /* a stop, or a callback that said so */
} hopwave_status;

/* Stable ids: docs/errors.md. Strings live as long as the error. The hint may be empty. None of them takes NULL well but free:
 * the others return an empty string. */
HOPWAVE_C_API const char* hopwave_error_id(const hopwave_error* error);
HOPWAVE_C_API const char* hopwave_error_message(const hopwave_error* error);
HOPWAVE_C_API const char* hopwave_error_hint(const hopwave_error* error);
HOPWAVE_C_API void hopwave_error_free(hopwave_error* error);

/* "0.1.0". */
HOPWAVE_C_API const char* hopwave_version(void);

/* ---- Graphs ---- */

/* A file, or a generator's spec such as "rmat:16,8", as the tool takes them. */
HOPWAVE_C_API hopwave_status hopwave_graph_load(const char* path_or_spec, hopwave_graph** graph, hopwave_error** error);
/* Edge i leads from sources[i] to targets[i], both below num_vertices; it stands for both directions unless `directed`.
 * `weights` is NULL or has one per edge. Self-loops are dropped, and duplicates: the lightest stays. The arrays are copied. */
HOPWAVE_C_API hopwave_status hopwave_graph_from_edges(uint32_t num_vertices, const uint32_t* sources, const uint32_t* targets,
                                                      const float* weights, uint64_t num_edges, int directed,
                                                      hopwave_graph** graph, hopwave_error** error);
/* Rows: num_vertices + 1 offsets from 0 on, and offsets[num_vertices] neighbours, ascending in each row; `weights` is NULL or
 * has one a neighbour. An undirected graph has each edge in both rows, at the same weight. The arrays are copied and checked:
 * HW-GRAPH-ARRAYS, HW-GRAPH-SYMMETRY (neighbours; weights are not compared). */
HOPWAVE_C_API hopwave_status hopwave_graph_from_csr(uint32_t num_vertices, const uint64_t* offsets, const uint32_t* neighbors,
                                                    const float* weights, int directed, hopwave_graph** graph,
                                                    hopwave_error** error);
/* What weights are kept as. */
typedef enum hopwave_weight_type {
  HOPWAVE_WEIGHT_INT32 = 0,
  HOPWAVE_WEIGHT_INT64 = 1,
  HOPWAVE_WEIGHT_FLOAT32 = 2,
  HOPWAVE_WEIGHT_FLOAT64 = 3
} hopwave_weight_type;
/* The same with weights of any of these types; they are kept in the smallest that holds each of them exactly. */
HOPWAVE_C_API hopwave_status hopwave_graph_from_weighted_edges(uint32_t num_vertices, const uint32_t* sources,
                                                               const uint32_t* targets, int weight_type, const void* weights,
                                                               uint64_t num_edges, int directed, hopwave_graph** graph,
                                                               hopwave_error** error);
HOPWAVE_C_API hopwave_status hopwave_graph_from_weighted_csr(uint32_t num_vertices, const uint64_t* offsets,
                                                             const uint32_t* neighbors, int weight_type, const void* weights,
                                                             int directed, hopwave_graph** graph, hopwave_error** error);
HOPWAVE_C_API void hopwave_graph_free(hopwave_graph* graph);

/* 0 of NULL. */
HOPWAVE_C_API uint32_t hopwave_graph_num_vertices(const hopwave_graph* graph);
HOPWAVE_C_API uint64_t hopwave_graph_num_arcs(const hopwave_graph* graph);
HOPWAVE_C_API int hopwave_graph_has_weights(const hopwave_graph* graph);
/* The graph's rows, which live as long as it does: num_vertices + 1 offsets, and a neighbour and a weight per arc. NULL of
 * NULL; weights are NULL where there are none. The type is of hopwave_weight_type. */
HOPWAVE_C_API const uint64_t* hopwave_graph_offsets(const hopwave_graph* graph);
HOPWAVE_C_API const uint32_t* hopwave_graph_neighbors(const hopwave_graph* graph);
HOPWAVE_C_API const void* hopwave_graph_weights(const hopwave_graph* graph);
HOPWAVE_C_API int hopwave_graph_weight_type(const hopwave_graph* graph);
HOPWAVE_C_API int hopwave_graph_directed(const hopwave_graph* graph);
/* The vertex that the caller calls `name`; HOPWAVE_NO with HW-C-NAME if there is none. */
HOPWAVE_C_API hopwave_status hopwave_graph_find(const hopwave_graph* graph, const char* name, uint32_t* vertex,
                                                hopwave_error** error);
/* The caller's id of a vertex as text, into `size` bytes with a 0 at the end, cut where there is no room. *length: of the whole
 * id, without the 0; may be NULL. `text` may be NULL if `size` is 0. */
HOPWAVE_C_API hopwave_status hopwave_graph_name(const hopwave_graph* graph, uint32_t vertex, char* text, size_t size,
                                                size_t* length, hopwave_error** error);

/* 0 leaves the arc out. */
typedef int (*hopwave_arc_test)(void* user, uint32_t from, uint32_t to);
/* A copy without some vertices and arcs: num_vertices bytes, num_arcs bytes (0 leaves out), and a test; each may be NULL. */
HOPWAVE_C_API hopwave_status hopwave_graph_restricted(const hopwave_graph* graph, const uint8_t* vertices, const uint8_t* arcs,
                                                      hopwave_arc_test allowed, void* user, hopwave_graph** restricted,
                                                      hopwave_error** error);

/* ---- Stopping ---- */

/* A request to stop, made by any thread, ends the calls of all searchers that look at it. It cannot be taken back. */
HOPWAVE_C_API hopwave_status hopwave_stop_new(hopwave_stop** stop, hopwave_error** error);
HOPWAVE_C_API void hopwave_stop_request(hopwave_stop* stop);
HOPWAVE_C_API int hopwave_stop_requested(const hopwave_stop* stop);
/* Searchers that look at it keep what they need. */
HOPWAVE_C_API void hopwave_stop_free(hopwave_stop* stop);

/* ---- Searchers ---- */

typedef enum hopwave_device {
  HOPWAVE_DEVICE_AUTOMATIC = 0,
  HOPWAVE_DEVICE_CPU = 1,
  HOPWAVE_DEVICE_GPU = 2,
  HOPWAVE_DEVICE_SIMULATOR = 3
} hopwave_device;

typedef enum hopwave_direction { HOPWAVE_OUT = 0, HOPWAVE_IN = 1, HOPWAVE_BOTH = 2 } hopwave_direction;

/* Whether `replicas` and `ordinal` share the graph and search together, instead of having a copy each: automatically where it
 * does not fit into one of them. */
typedef enum hopwave_partition {
  HOPWAVE_PARTITION_AUTOMATIC = 0,
  HOPWAVE_PARTITION_NEVER = 1,
  HOPWAVE_PARTITION_ALWAYS = 2
} hopwave_partition;

/* Called between levels; 0 ends the search with HW-INTERRUPTED. */
typedef int (*hopwave_progress)(void* user, uint32_t level, uint64_t frontier);

/* Fill it with hopwave_options_init(), then change what is wanted. */
typedef struct hopwave_options {
  size_t size;                        /* of this struct: lets a later library know what the caller knows */
  const char* strategy;               /* "auto"; NULL: the same */
  int device;                         /* hopwave_device */
  int direction;                      /* hopwave_direction */
  int prepare;                        /* let the strategy reorder the graph first */
  int threads;                        /* CPU; 0: all */
  uint64_t seed;                      /* of the simulator */
  const char* const* parameter_names; /* num_parameters of each */
  const int64_t* parameter_values;
  size_t num_parameters;
  hopwave_progress progress; /* may be NULL */
  void* user;                /* its first argument */
  const hopwave_stop* stop;  /* may be NULL; HW-CANCELLED */
  double time_limit;         /* seconds a call; 0: none; HW-TIME-LIMIT */
  int partial;               /* a search that reaches a limit returns what is done: hopwave_result_complete() */
  int ordinal;               /* which GPU */
  const int* replicas;       /* further GPUs, over which many searches of one call are dealt out */
  size_t num_replicas;
  int partition; /* hopwave_partition */
} hopwave_options;
HOPWAVE_C_API void hopwave_options_init(hopwave_options* options);

/* `options` may be NULL: as hopwave_options_init() has them. Nothing of it is needed afterwards but what `user` points to. */
HOPWAVE_C_API hopwave_status hopwave_searcher_new(const hopwave_graph* graph, const hopwave_options* options,
                                                  hopwave_searcher** searcher, hopwave_error** error);
HOPWAVE_C_API void hopwave_searcher_free(hopwave_searcher* searcher);
/* The strategy that runs; empty of NULL. Lives as long as the searcher. */
HOPWAVE_C_API const char* hopwave_searcher_strategy(const hopwave_searcher* searcher);
/* Limits of the calls that follow, as in hopwave_options. */
HOPWAVE_C_API hopwave_status hopwave_searcher_set_limits(hopwave_searcher* searcher, const hopwave_stop* stop,
                                                         double time_limit, int partial, hopwave_error** error);

/* Fill it with hopwave_query_init(). */
typedef struct hopwave_query {
  size_t size;
  const uint32_t* sources; /* at least one; several: distance to the nearest */
  size_t num_sources;
  int32_t max_depth; /* -1: no limit */
  uint32_t target;   /* stop after the level that reaches it; HOPWAVE_NO_VERTEX: none */
  int parents;       /* 1: any shortest-path parents; 2: the least of them */
} hopwave_query;
HOPWAVE_C_API void hopwave_query_init(hopwave_query* query);

HOPWAVE_C_API hopwave_status hopwave_search(hopwave_searcher* searcher, const hopwave_query* query, hopwave_result** result,
                                            hopwave_error** error);

/* Gets the answer from sources[i]; the result lives until it returns. 0 ends the searches with HW-INTERRUPTED. */
typedef int (*hopwave_take)(void* user, size_t i, const hopwave_result* result);
/* One search from each source, distances only; `take` gets them in order. */
HOPWAVE_C_API hopwave_status hopwave_search_each(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources,
                                                 int32_t max_depth, hopwave_take take, void* user, hopwave_error** error);
/* What a search reaches and nothing else, at the cost of that: one row a vertex, in order of distance, rows of one distance by
 * vertex. `parents` is NULL unless asked for; the least of them. The arrays are the callee's. */
typedef struct hopwave_reached {
  const uint32_t* vertices;
  const int32_t* distances;
  const uint32_t* parents;
  size_t count;
  int complete; /* as hopwave_result_complete() */
} hopwave_reached;
/* Gets the answer from sources[i]; it lives until the call returns. 0 ends the searches with HW-INTERRUPTED. */
typedef int (*hopwave_take_reached)(void* user, size_t i, const hopwave_reached* reached);
/* `nearest`: no more vertices than that besides the sources; 0: all. `take` gets the answer once, with i = 0. */
HOPWAVE_C_API hopwave_status hopwave_reach(hopwave_searcher* searcher, const hopwave_query* query, uint64_t nearest,
                                           hopwave_take_reached take, void* user, hopwave_error** error);
/* From each source alone; `take` gets the answers in order. `parents` is 0 or 1. */
HOPWAVE_C_API hopwave_status hopwave_reach_each(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources,
                                                int32_t max_depth, uint64_t nearest, int parents, hopwave_take_reached take,
                                                void* user, hopwave_error** error);
/* distances[i]: from sources[i] to targets[i]. */
HOPWAVE_C_API hopwave_status hopwave_distances(hopwave_searcher* searcher, const uint32_t* sources, const uint32_t* targets,
                                               size_t num_pairs, int32_t max_depth, int32_t* distances, hopwave_error** error);

/* ---- Results ---- 0 and NULL of NULL. Arrays live as long as the result. */
HOPWAVE_C_API uint32_t hopwave_result_num_vertices(const hopwave_result* result);
HOPWAVE_C_API const int32_t* hopwave_result_distances(const hopwave_result* result);
HOPWAVE_C_API const uint32_t* hopwave_result_parents(const hopwave_result* result); /* NULL unless asked for */
HOPWAVE_C_API uint32_t hopwave_result_reached(const hopwave_result* result);
HOPWAVE_C_API int32_t hopwave_result_depth(const hopwave_result* result);
/* 0: a limit ended the search; all levels up to the depth are there. */
HOPWAVE_C_API int hopwave_result_complete(const hopwave_result* result);
HOPWAVE_C_API double hopwave_result_milliseconds(const hopwave_result* result);
HOPWAVE_C_API void hopwave_result_free(hopwave_result* result);

/* ---- Shortest paths by weight ---- docs/sssp.md. Distances are sums of weights, in double; each arc of a graph without
 * weights counts 1. A negative weight is the error HW-SSSP-WEIGHT. */

/* Called now and then with the rounds and the arcs so far; 0 ends the search with HW-INTERRUPTED. */
typedef int (*hopwave_weighted_progress)(void* user, uint64_t steps, uint64_t relaxations);

/* Fill it with hopwave_weighted_options_init(), then change what is wanted. What has the same name as in hopwave_options is the
 * same. */
typedef struct hopwave_weighted_options {
  size_t size;
  const char* strategy; /* "auto", "cpu-dijkstra", "cpu-delta-stepping", "near-far"; NULL: "auto" */
  int device;
  int direction;
  double delta; /* width of a bucket; 0: from the mean weight and degree */
  int threads;
  uint64_t seed;
  const char* const* parameter_names;
  const int64_t* parameter_values;
  size_t num_parameters;
  hopwave_weighted_progress progress;
  void* user;
  const hopwave_stop* stop;
  double time_limit;
} hopwave_weighted_options;
HOPWAVE_C_API void hopwave_weighted_options_init(hopwave_weighted_options* options);

/* `options` may be NULL. For one thread at a time; keeps its graph. */
HOPWAVE_C_API hopwave_status hopwave_weighted_searcher_new(const hopwave_graph* graph, const hopwave_weighted_options* options,
                                                           hopwave_weighted_searcher** searcher, hopwave_error** error);
HOPWAVE_C_API void hopwave_weighted_searcher_free(hopwave_weighted_searcher* searcher);
HOPWAVE_C_API const char* hopwave_weighted_searcher_strategy(const hopwave_weighted_searcher* searcher);

/* Fill it with hopwave_weighted_query_init(). */
typedef struct hopwave_weighted_query {
  size_t size;
  const uint32_t* sources; /* at least one; several: distance from the nearest */
  size_t num_sources;
  uint32_t target;     /* what is farther than it stays unreached; HOPWAVE_NO_VERTEX: none */
  double max_distance; /* what is farther stays unreached; infinity: no limit */
  int parents;         /* 1: the tree too; it is the same on every device */
} hopwave_weighted_query;
HOPWAVE_C_API void hopwave_weighted_query_init(hopwave_weighted_query* query);

HOPWAVE_C_API hopwave_status hopwave_weighted_search(hopwave_weighted_searcher* searcher, const hopwave_weighted_query* query,
                                                     hopwave_weighted_result** result, hopwave_error** error);

/* 0 and NULL of NULL. Arrays live as long as the result. A vertex that no path reaches has an infinite distance. */
HOPWAVE_C_API uint32_t hopwave_weighted_result_num_vertices(const hopwave_weighted_result* result);
HOPWAVE_C_API const double* hopwave_weighted_result_distances(const hopwave_weighted_result* result);
HOPWAVE_C_API const uint32_t* hopwave_weighted_result_parents(
    const hopwave_weighted_result* result); /* NULL unless asked for */
HOPWAVE_C_API uint32_t hopwave_weighted_result_reached(const hopwave_weighted_result* result);
/* The greatest distance. */
HOPWAVE_C_API double hopwave_weighted_result_farthest(const hopwave_weighted_result* result);
/* 1: no distance was rounded, and no weight when it was read. */
HOPWAVE_C_API int hopwave_weighted_result_exact(const hopwave_weighted_result* result);
HOPWAVE_C_API double hopwave_weighted_result_milliseconds(const hopwave_weighted_result* result);
HOPWAVE_C_API void hopwave_weighted_result_free(hopwave_weighted_result* result);

/* ---- Calls that end early ---- */

/* Called now and then, by the calling thread, with what is done and what is to do (0: not known); 0 ends the call early. */
typedef int (*hopwave_steps)(void* user, uint64_t done, uint64_t total);
/* Where the calls below run and what ends them. An answer with a _complete function is what was found until then; other calls
 * end with HW-INTERRUPTED, HW-CANCELLED or HW-TIME-LIMIT. Fill it with hopwave_run_init(), or pass NULL. */
typedef struct hopwave_run {
  size_t size;
  int device;    /* hopwave_device */
  int direction; /* hopwave_direction: out, distances from a vertex; in, to it. Betweenness, components and flow: out alone */
  int threads;   /* CPU; 0: all */
  hopwave_steps steps; /* may be NULL */
  void* user;          /* its first argument */
  const hopwave_stop* stop;
  double time_limit; /* seconds; 0: none */
} hopwave_run;
HOPWAVE_C_API void hopwave_run_init(hopwave_run* run);

/* ---- Closeness ---- docs/closeness.md. One value a source, num_sources in each array; any of them may be NULL. `sources` may
 * be NULL too: the vertices 0 to num_sources - 1. Distances are those of the searcher's direction. */
HOPWAVE_C_API hopwave_status hopwave_closeness(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources,
                                               double* closeness, double* harmonic, int32_t* eccentricity, uint32_t* reached,
                                               uint64_t* distance_sum, hopwave_error** error);

/* Of every vertex, from searches from `samples` vertices drawn by `seed`; with a probability of 1 - risk no value of an array
 * is farther from the truth than its error. HW-OPTION-VALUE: no samples, or a risk that is not between 0 and 1. */
HOPWAVE_C_API hopwave_status hopwave_closeness_sampled(const hopwave_graph* graph, uint64_t samples, uint64_t seed, double risk,
                                                       const hopwave_run* run, hopwave_estimates** estimates,
                                                       hopwave_error** error);
/* 0 and NULL of NULL. Arrays have a value a vertex and live as long as the estimates; `errors` may be NULL. */
HOPWAVE_C_API const double* hopwave_estimates_closeness(const hopwave_estimates* estimates, const double** errors);
HOPWAVE_C_API const double* hopwave_estimates_harmonic(const hopwave_estimates* estimates, const double** errors);
HOPWAVE_C_API const double* hopwave_estimates_average(const hopwave_estimates* estimates, const double** errors);
/* Of the graph: the average distance, and the mean of 1 / distance over all pairs; `off` (may be NULL): their errors. */
HOPWAVE_C_API double hopwave_estimates_average_distance(const hopwave_estimates* estimates, double* off);
HOPWAVE_C_API double hopwave_estimates_efficiency(const hopwave_estimates* estimates, double* off);
HOPWAVE_C_API uint64_t hopwave_estimates_pivots(const hopwave_estimates* estimates);
HOPWAVE_C_API int hopwave_estimates_complete(const hopwave_estimates* estimates);
HOPWAVE_C_API void hopwave_estimates_free(hopwave_estimates* estimates);

/* ---- Eccentricity, diameter, radius ---- docs/eccentricity.md, hopwave/eccentricity.h */

typedef enum hopwave_goal { HOPWAVE_DIAMETER = 0, HOPWAVE_RADIUS = 1, HOPWAVE_FIGURES = 2, HOPWAVE_EVERY = 3 } hopwave_goal;
/* `goal`: what shall be exact, the least first. `largest_only`: in the largest component alone. HW-ECCENTRICITY-STRONG. */
HOPWAVE_C_API hopwave_status hopwave_eccentricity(const hopwave_graph* graph, int goal, int largest_only,
                                                  const hopwave_run* run, hopwave_eccentricities** found,
                                                  hopwave_error** error);
/* 0 and NULL of NULL. Arrays live as long as what was found. Bounds of each vertex's eccentricity, equal where it is known; -1
 * outside the largest component where that alone was asked for. */
HOPWAVE_C_API const int32_t* hopwave_eccentricities_lower(const hopwave_eccentricities* found);
HOPWAVE_C_API const int32_t* hopwave_eccentricities_upper(const hopwave_eccentricities* found);
/* The lower bound, and the upper one in *upper, which may be NULL; equal where the figure is known. */
HOPWAVE_C_API int32_t hopwave_eccentricities_diameter(const hopwave_eccentricities* found, int32_t* upper);
HOPWAVE_C_API int32_t hopwave_eccentricities_radius(const hopwave_eccentricities* found, int32_t* upper);
/* The ends of a path of the diameter's lower bound; HOPWAVE_NO_VERTEX where no search was made. `to` may be NULL. */
HOPWAVE_C_API uint32_t hopwave_eccentricities_ends(const hopwave_eccentricities* found, uint32_t* to);
/* Vertices that have the radius, or the diameter; filled where these are known and HOPWAVE_FIGURES or _EVERY was asked for. */
HOPWAVE_C_API const uint32_t* hopwave_eccentricities_center(const hopwave_eccentricities* found, size_t* size);
HOPWAVE_C_API const uint32_t* hopwave_eccentricities_periphery(const hopwave_eccentricities* found, size_t* size);
HOPWAVE_C_API uint64_t hopwave_eccentricities_searches(const hopwave_eccentricities* found);
HOPWAVE_C_API int hopwave_eccentricities_complete(const hopwave_eccentricities* found);
HOPWAVE_C_API void hopwave_eccentricities_free(hopwave_eccentricities* found);

/* ---- Components and cores ---- docs/scc.md. labels[v]: the smallest vertex of v's component. Each place may be NULL. */
typedef struct hopwave_component_counts {
  uint32_t count;         /* of components */
  uint32_t largest_label; /* of equal ones the smallest; HOPWAVE_NO_VERTEX without vertices */
  uint32_t largest_size;
} hopwave_component_counts;
/* Directions of arcs play no part. */
HOPWAVE_C_API hopwave_status hopwave_components(const hopwave_graph* graph, const hopwave_run* run, uint32_t* labels,
                                                hopwave_component_counts* counts, hopwave_error** error);
/* Each vertex of a component has a path to every other. */
HOPWAVE_C_API hopwave_status hopwave_strong_components(const hopwave_graph* graph, const hopwave_run* run, uint32_t* labels,
                                                       hopwave_component_counts* counts, hopwave_error** error);
/* cores[v], one per vertex: the greatest k whose k-core has v (docs/kcore.md). Arcs count at both ends. */
HOPWAVE_C_API hopwave_status hopwave_core_numbers(const hopwave_graph* graph, const hopwave_run* run, uint32_t* cores,
                                                  hopwave_error** error);
/* The strong components as vertices, in ascending order of their labels, whose ids they have. */
HOPWAVE_C_API hopwave_status hopwave_condensation(const hopwave_graph* graph, const hopwave_run* run, hopwave_graph** condensed,
                                                  hopwave_error** error);
/* generations[v], one per vertex: the arcs on the longest path that ends in v. HW-GRAPH-CYCLE. One thread of the CPU, whatever
 * `run` says of devices and threads, as of the next call. */
HOPWAVE_C_API hopwave_status hopwave_topological_generations(const hopwave_graph* graph, const hopwave_run* run,
                                                             uint32_t* generations, hopwave_error** error);
/* *acyclic: 1 if there is no cycle and no self-loop. */
HOPWAVE_C_API hopwave_status hopwave_graph_acyclic(const hopwave_graph* graph, const hopwave_run* run, int* acyclic,
                                                   hopwave_error** error);

/* ---- Maximum flow ---- docs/flow.md. Weights are capacities: whole numbers of 0 or more, else HW-FLOW-CAPACITY. Each arc of a
 * graph without weights has a capacity of 1. Capacities of parallel arcs add up: hopwave_graph_from_csr() keeps such arcs, and
 * hopwave_graph_from_edges() keeps only the lightest. */

/* *value: the greatest flow from `source` to `target`. arcs[i], one per arc in the order of the rows: what goes along it.
 * side[v], one per vertex: 1 on the source's side of a minimum cut, else 0. `arcs` and `side` may be NULL. The steps of `run`
 * count the flow that has arrived, and the most that can. HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-FLOW-SUM. */
HOPWAVE_C_API hopwave_status hopwave_max_flow(const hopwave_graph* graph, const hopwave_run* run, uint32_t source,
                                              uint32_t target, int64_t* value, int64_t* arcs, uint8_t* side,
                                              hopwave_error** error);

/* ---- Betweenness ---- docs/betweenness.md */

/* Fill it with hopwave_betweenness_query_init(). */
typedef struct hopwave_betweenness_query {
  size_t size;
  const uint32_t* sources; /* where paths begin; none: everywhere */
  size_t num_sources;
  const uint32_t* targets; /* where paths end; none: everywhere */
  size_t num_targets;
  int arcs;      /* of every arc, too */
  int endpoints; /* a path leads over its first and its last vertex, too */
} hopwave_betweenness_query;
HOPWAVE_C_API void hopwave_betweenness_query_init(hopwave_betweenness_query* query);
/* `query` may be NULL: all pairs, of vertices. */
HOPWAVE_C_API hopwave_status hopwave_betweenness(const hopwave_graph* graph, const hopwave_betweenness_query* query,
                                                 const hopwave_run* run, hopwave_betweenness_sums** sums,
                                                 hopwave_error** error);
/* 0 and NULL of NULL. Arrays live as long as the sums: one a vertex; one an arc, NULL unless asked for. */
HOPWAVE_C_API const double* hopwave_betweenness_vertices(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API const double* hopwave_betweenness_arcs(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API uint64_t hopwave_betweenness_sources(const hopwave_betweenness_sums* sums);
/* The greatest number of shortest paths between two vertices; infinite where a double cannot hold it. */
HOPWAVE_C_API double hopwave_betweenness_most_paths(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API int hopwave_betweenness_complete(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API void hopwave_betweenness_free(hopwave_betweenness_sums* sums);
/* What to multiply the sums with, and how far estimates from drawn sources may be off: hopwave/betweenness.h. 0 of NULL. */
HOPWAVE_C_API double hopwave_betweenness_vertex_scale(const hopwave_graph* graph, uint64_t sources, int normalized,
                                                      int endpoints);
HOPWAVE_C_API double hopwave_betweenness_arc_scale(const hopwave_graph* graph, uint64_t sources, int normalized);
HOPWAVE_C_API hopwave_status hopwave_betweenness_error(uint32_t num_vertices, uint64_t samples, double risk, double* off,
                                                       hopwave_error** error);

#ifdef __cplusplus
}
#endif

#endif

/* hopwave in C (C99): graphs, searches, limits. docs/c-api.md is the guide; examples/c/search.c is a program.
 *
 * Handles: a function that makes a handle stores it through a pointer argument. The handle's _free function frees it, and
 * accepts NULL. No C++ exception leaves the library.
 *
 * Errors: a function that may fail returns a status: HOPWAVE_OK, or else the exit code of the command-line tool. It stores an
 * error in *error unless `error` is NULL; free it with hopwave_error_free(). A failing call writes to no other output. On
 * success *error is set to NULL. NULL for a required pointer is the error HW-C-NULL. Other invalid pointers are not detected.
 *
 * Vertices are internal numbers, 0 to num_vertices - 1. hopwave_graph_find() and hopwave_graph_name() convert from and to the
 * caller's ids.
 *
 * Threads: any number may use one graph or one stop at the same time. A searcher and its results may be used by one thread at a
 * time: a second call of a searcher during another one, also from a callback, is the error HW-BUSY. Handles may be freed in any
 * order: a searcher keeps its graph, and a result needs neither. */
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
typedef struct hopwave_answer hopwave_answer;
typedef struct hopwave_stop hopwave_stop;
typedef struct hopwave_error hopwave_error;

#define HOPWAVE_UNREACHED (-1)                 /* a distance */
#define HOPWAVE_NO_VERTEX UINT32_C(0xFFFFFFFF) /* a parent, or no target */

/* Kinds of failure. The error's id identifies the failure itself. */
typedef enum hopwave_status {
  HOPWAVE_OK = 0,
  HOPWAVE_NO = 1,           /* the answer is no */
  HOPWAVE_USAGE = 2,        /* the call itself is wrong */
  HOPWAVE_INPUT = 3,        /* the data is wrong */
  HOPWAVE_MEMORY = 4,       /* needs more memory than is available */
  HOPWAVE_VERIFICATION = 5, /* a result is wrong */
  HOPWAVE_DEVICE = 6,       /* the GPU or its driver failed */
  HOPWAVE_BUG = 70,         /* a bug in the library: HW-C-UNEXPECTED */
  HOPWAVE_TIME_LIMIT = 124,
  HOPWAVE_INTERRUPTED = 130 /* a stop, or a callback that returned 0 */
} hopwave_status;

/* The id of an error, its whole text, and its hint. The text has the id in brackets and, on a line of its own, the hint. Ids
 * are stable: docs/errors.md. Strings live as long as the error. The hint may be empty. For NULL,
 * hopwave_error_free() does nothing, and the others return an empty string. */
HOPWAVE_C_API const char* hopwave_error_id(const hopwave_error* error);
HOPWAVE_C_API const char* hopwave_error_message(const hopwave_error* error);
HOPWAVE_C_API const char* hopwave_error_hint(const hopwave_error* error);
HOPWAVE_C_API void hopwave_error_free(hopwave_error* error);

/* Returns the version, "0.1.0". */
HOPWAVE_C_API const char* hopwave_version(void);

/* ---- Graphs ---- */

/* Makes a graph of a file, or of a generator's spec such as "rmat:16,8", as the command-line tool accepts them. Self-loops are
 * dropped, and so are parallel edges, except the lightest. Where the input names the target of a flow, as a .max does,
 * parallel arcs are kept: their capacities add up. */
HOPWAVE_C_API hopwave_status hopwave_graph_load(const char* path_or_spec, hopwave_graph** graph, hopwave_error** error);
/* Makes a graph of edges. Edge i leads from sources[i] to targets[i], both below num_vertices; it counts in both directions
 * unless `directed`. `weights` is NULL or has one per edge. Self-loops are dropped, and so are duplicates, except the lightest.
 * The arrays are copied. */
HOPWAVE_C_API hopwave_status hopwave_graph_from_edges(uint32_t num_vertices, const uint32_t* sources, const uint32_t* targets,
                                                      const float* weights, uint64_t num_edges, int directed,
                                                      hopwave_graph** graph, hopwave_error** error);
/* Makes a graph of rows: num_vertices + 1 offsets from 0 on, and offsets[num_vertices] neighbours, ascending in each row.
 * `weights` is NULL or has one per neighbour. An undirected graph has each edge in both rows, with the same weight. The arrays
 * are copied and checked: HW-GRAPH-ARRAYS; HW-GRAPH-SYMMETRY if an edge of an undirected graph is in one row only, or its
 * weights differ. */
HOPWAVE_C_API hopwave_status hopwave_graph_from_csr(uint32_t num_vertices, const uint64_t* offsets, const uint32_t* neighbors,
                                                    const float* weights, int directed, hopwave_graph** graph,
                                                    hopwave_error** error);
/* The types of stored weights. */
typedef enum hopwave_weight_type {
  HOPWAVE_WEIGHT_INT32 = 0,
  HOPWAVE_WEIGHT_INT64 = 1,
  HOPWAVE_WEIGHT_FLOAT32 = 2,
  HOPWAVE_WEIGHT_FLOAT64 = 3
} hopwave_weight_type;
/* The same with weights of any of these types. They are stored in the smallest type that holds each of them exactly. */
HOPWAVE_C_API hopwave_status hopwave_graph_from_weighted_edges(uint32_t num_vertices, const uint32_t* sources,
                                                               const uint32_t* targets, int weight_type, const void* weights,
                                                               uint64_t num_edges, int directed, hopwave_graph** graph,
                                                               hopwave_error** error);
HOPWAVE_C_API hopwave_status hopwave_graph_from_weighted_csr(uint32_t num_vertices, const uint64_t* offsets,
                                                             const uint32_t* neighbors, int weight_type, const void* weights,
                                                             int directed, hopwave_graph** graph, hopwave_error** error);
HOPWAVE_C_API void hopwave_graph_free(hopwave_graph* graph);

/* Return the sizes of a graph, and whether it has weights; 0 for NULL. */
HOPWAVE_C_API uint32_t hopwave_graph_num_vertices(const hopwave_graph* graph);
HOPWAVE_C_API uint64_t hopwave_graph_num_arcs(const hopwave_graph* graph);
HOPWAVE_C_API int hopwave_graph_has_weights(const hopwave_graph* graph);
/* Return the vertices that the input names as the source of a search or a flow and as the target of a flow; HOPWAVE_NO_VERTEX
 * where it names none, and for NULL. */
HOPWAVE_C_API uint32_t hopwave_graph_default_source(const hopwave_graph* graph);
HOPWAVE_C_API uint32_t hopwave_graph_default_target(const hopwave_graph* graph);
/* Return the graph's rows, which live as long as the graph: num_vertices + 1 offsets, and one neighbour and one weight per arc.
 * NULL for NULL; the weights are NULL for a graph without weights. The type is a hopwave_weight_type. */
HOPWAVE_C_API const uint64_t* hopwave_graph_offsets(const hopwave_graph* graph);
HOPWAVE_C_API const uint32_t* hopwave_graph_neighbors(const hopwave_graph* graph);
HOPWAVE_C_API const void* hopwave_graph_weights(const hopwave_graph* graph);
HOPWAVE_C_API int hopwave_graph_weight_type(const hopwave_graph* graph);
HOPWAVE_C_API int hopwave_graph_directed(const hopwave_graph* graph);
/* Finds the vertex whose id is `name`; HOPWAVE_NO with HW-C-NAME if there is none. */
HOPWAVE_C_API hopwave_status hopwave_graph_find(const hopwave_graph* graph, const char* name, uint32_t* vertex,
                                                hopwave_error** error);
/* Writes the caller's id of a vertex as text into `size` bytes, with a 0 at the end, cut off if there is no room. *length:
 * length of the whole id, without the 0; `length` may be NULL. `text` may be NULL if `size` is 0. */
HOPWAVE_C_API hopwave_status hopwave_graph_name(const hopwave_graph* graph, uint32_t vertex, char* text, size_t size,
                                                size_t* length, hopwave_error** error);

/* Returns 0 to exclude the arc. */
typedef int (*hopwave_arc_test)(void* user, uint32_t from, uint32_t to);
/* Makes a copy without some vertices and arcs: `vertices` has num_vertices bytes, `arcs` has num_arcs bytes (0 excludes),
 * `allowed` is called for each arc that remains. Each may be NULL. */
HOPWAVE_C_API hopwave_status hopwave_graph_restricted(const hopwave_graph* graph, const uint8_t* vertices, const uint8_t* arcs,
                                                      hopwave_arc_test allowed, void* user, hopwave_graph** restricted,
                                                      hopwave_error** error);

/* ---- Stopping ---- */

/* Makes a stop. A request to stop, from any thread, ends the calls of all searchers that use the stop. It cannot be undone. */
HOPWAVE_C_API hopwave_status hopwave_stop_new(hopwave_stop** stop, hopwave_error** error);
HOPWAVE_C_API void hopwave_stop_request(hopwave_stop* stop);
HOPWAVE_C_API int hopwave_stop_requested(const hopwave_stop* stop);
/* Frees the stop. Searchers that use it keep what they need of it. */
HOPWAVE_C_API void hopwave_stop_free(hopwave_stop* stop);

/* ---- Searchers ---- */

typedef enum hopwave_device {
  HOPWAVE_DEVICE_AUTOMATIC = 0,
  HOPWAVE_DEVICE_CPU = 1,
  HOPWAVE_DEVICE_GPU = 2,
  HOPWAVE_DEVICE_SIMULATOR = 3
} hopwave_device;

typedef enum hopwave_direction { HOPWAVE_OUT = 0, HOPWAVE_IN = 1, HOPWAVE_BOTH = 2 } hopwave_direction;

/* Whether the graph is split over `replicas` and `ordinal`, which then search together, instead of copied to each. Automatic:
 * if the graph does not fit into one of them. */
typedef enum hopwave_partition {
  HOPWAVE_PARTITION_AUTOMATIC = 0,
  HOPWAVE_PARTITION_NEVER = 1,
  HOPWAVE_PARTITION_ALWAYS = 2
} hopwave_partition;

/* How far a call has got. `what` is the unit of `done`: "levels", "searches", "rounds", "vertices", "flow" … `amount` and
 * `longest` are as in hopwave/run.h. */
typedef struct hopwave_step {
  const char* what; /* valid until the callback returns */
  uint64_t done;
  uint64_t total; /* 0: not known */
  uint64_t amount;
  int32_t longest;
} hopwave_step;
/* Called from time to time by the calling thread; returning 0 ends the call: with HW-INTERRUPTED, or early where its result has
 * HOPWAVE_END_INTERRUPTED. */
typedef int (*hopwave_progress)(void* user, const hopwave_step* step);

/* The options of every call that can take long. Initialise it with hopwave_options_init(), then change what is needed; NULL
 * means the initial values. An option that a call does not know is the error HW-OPTION-VALUE unless it has its initial
 * value. */
typedef struct hopwave_options {
  size_t size; /* of this struct: a later library learns from it which members the caller knows */
  /* How a call runs: all calls. */
  int device;          /* hopwave_device */
  int ordinal;         /* number of the GPU */
  const int* replicas; /* further GPUs; many searches of one call are distributed over all */
  size_t num_replicas;
  int threads;               /* CPU threads; 0: all */
  uint64_t seed;             /* seed of random choices, and of the simulator's schedule */
  hopwave_progress progress; /* may be NULL */
  void* user;                /* first argument of `progress` */
  const hopwave_stop* stop;  /* may be NULL; HW-CANCELLED */
  double time_limit;         /* seconds per call; 0: none; HW-TIME-LIMIT */
  int partial;               /* a search that reaches a limit returns what it has found: hopwave_report.end */
  /* What is searched: searchers, weighted searchers, closeness, eccentricity. Flow has a strategy only. */
  const char* strategy;               /* NULL: "auto" */
  int direction;                      /* hopwave_direction: out, distances from a vertex; in, to it */
  const char* const* parameter_names; /* num_parameters names and values of the strategy */
  const int64_t* parameter_values;
  size_t num_parameters;
  int prepare;   /* let the strategy reorder the graph first; not with weights */
  int partition; /* hopwave_partition; not with weights */
  double delta;  /* weighted searchers: width of a bucket; 0: from the mean weight and degree */
} hopwave_options;
HOPWAVE_C_API void hopwave_options_init(hopwave_options* options);

/* How a call ended. */
typedef enum hopwave_end {
  HOPWAVE_END_COMPLETE = 0,
  HOPWAVE_END_INTERRUPTED = 1, /* `progress` returned 0 */
  HOPWAVE_END_CANCELLED = 2,   /* by the stop */
  HOPWAVE_END_TIME_LIMIT = 3
} hopwave_end;

/* What a call reports about its run. Texts are cut off at the end of their array. */
typedef struct hopwave_report {
  int end;            /* hopwave_end */
  int device;         /* hopwave_device: where it ran */
  char strategy[64];  /* the strategy that ran; empty if the call has none */
  char chosen[256];   /* what "auto" chose and the reason; otherwise empty */
  double prepare_ms;  /* transposing, reordering, checking weights */
  double copy_in_ms;  /* copying the graph to the device */
  double work_ms;     /* the algorithm itself */
  double copy_out_ms; /* copying results to the host */
  char notes[1024];   /* one per line: "no GPU: using the CPU" */
} hopwave_report;

/* Makes a searcher. `options` may be NULL: the values of hopwave_options_init(). After the call only the memory that `user`
 * points to is still needed. */
HOPWAVE_C_API hopwave_status hopwave_searcher_new(const hopwave_graph* graph, const hopwave_options* options,
                                                  hopwave_searcher** searcher, hopwave_error** error);
HOPWAVE_C_API void hopwave_searcher_free(hopwave_searcher* searcher);
/* Returns the strategy that runs; empty for NULL. Lives as long as the searcher. */
HOPWAVE_C_API const char* hopwave_searcher_strategy(const hopwave_searcher* searcher);
/* Sets the limits of later calls, as in hopwave_options. */
HOPWAVE_C_API hopwave_status hopwave_searcher_set_limits(hopwave_searcher* searcher, const hopwave_stop* stop,
                                                         double time_limit, int partial, hopwave_error** error);

/* Initialise it with hopwave_query_init(). */
typedef struct hopwave_query {
  size_t size;
  const uint32_t* sources; /* at least one; with several: distance to the nearest */
  size_t num_sources;
  int32_t max_depth; /* -1: no limit */
  uint32_t target;   /* stop after the level that reaches it; HOPWAVE_NO_VERTEX: none */
  int parents;       /* 1: any shortest-path parents; 2: the smallest of them */
  int bytes;         /* of a distance: 4; 1 or 2, which a GPU packs, so that less is copied: HW-DISTANCE-NARROW if too deep */
} hopwave_query;
HOPWAVE_C_API void hopwave_query_init(hopwave_query* query);

HOPWAVE_C_API hopwave_status hopwave_search(hopwave_searcher* searcher, const hopwave_query* query, hopwave_result** result,
                                            hopwave_error** error);

/* Gets the answer of sources[i], which is valid until the callback returns. Returning 0 ends the searches with HW-INTERRUPTED.
 * */
typedef int (*hopwave_take)(void* user, size_t i, const hopwave_result* result);
/* Runs one search from each source, distances only; `take` gets the answers in order. */
HOPWAVE_C_API hopwave_status hopwave_search_each(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources,
                                                 int32_t max_depth, hopwave_take take, void* user, hopwave_error** error);
/* The reached vertices only; the cost of the search depends on their number. One row per vertex, in order of distance; rows of
 * equal distance are in order of vertex. `parents` are the smallest ones; NULL unless asked for. The library owns the arrays.
 * */
typedef struct hopwave_reached {
  const uint32_t* vertices;
  const int32_t* distances;
  const uint32_t* parents;
  size_t count;
  int end; /* hopwave_end */
} hopwave_reached;
/* Gets the answer of sources[i], which is valid until the callback returns. Returning 0 ends the searches with HW-INTERRUPTED.
 * */
typedef int (*hopwave_take_reached)(void* user, size_t i, const hopwave_reached* reached);
/* Finds the reached vertices only. `nearest`: at most that many besides the sources; 0: all. `take` gets the answer once, with
 * i = 0. */
HOPWAVE_C_API hopwave_status hopwave_reach(hopwave_searcher* searcher, const hopwave_query* query, uint64_t nearest,
                                           hopwave_take_reached take, void* user, hopwave_error** error);
/* Does the same from each source separately; `take` gets the answers in order. `parents` is 0 or 1. */
HOPWAVE_C_API hopwave_status hopwave_reach_each(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources,
                                                int32_t max_depth, uint64_t nearest, int parents, hopwave_take_reached take,
                                                void* user, hopwave_error** error);
/* Stores in distances[i] the distance from sources[i] to targets[i]. */
HOPWAVE_C_API hopwave_status hopwave_distances(hopwave_searcher* searcher, const uint32_t* sources, const uint32_t* targets,
                                               size_t num_pairs, int32_t max_depth, int32_t* distances, hopwave_error** error);

/* ---- Results ---- Functions return 0 or NULL for NULL. Arrays live as long as the result. */
HOPWAVE_C_API uint32_t hopwave_result_num_vertices(const hopwave_result* result);
HOPWAVE_C_API const int32_t* hopwave_result_distances(const hopwave_result* result); /* NULL unless of 4 bytes */
/* The distances of a query for 1 or 2 bytes, 255 or 65535 where unreached; NULL unless asked for. */
HOPWAVE_C_API const uint8_t* hopwave_result_distances8(const hopwave_result* result);
HOPWAVE_C_API const uint16_t* hopwave_result_distances16(const hopwave_result* result);
HOPWAVE_C_API const uint32_t* hopwave_result_parents(const hopwave_result* result); /* NULL unless asked for */
HOPWAVE_C_API uint32_t hopwave_result_reached(const hopwave_result* result);
HOPWAVE_C_API int32_t hopwave_result_depth(const hopwave_result* result);
/* Fills the report. If a limit ended the search, all levels up to the depth are complete. */
HOPWAVE_C_API void hopwave_result_report(const hopwave_result* result, hopwave_report* report);
HOPWAVE_C_API void hopwave_result_free(hopwave_result* result);

/* ---- Shortest paths by weight ---- docs/sssp.md. Distances are sums of weights, in double. In a graph without weights each
 * arc counts 1. A negative weight is the error HW-SSSP-WEIGHT. */

/* Makes a searcher, for one thread at a time; it keeps its graph. Strategies: "auto", "cpu-dijkstra",
 * "cpu-delta-stepping", "near-far". Progress: rounds, with the arcs relaxed so far as `amount`. */
HOPWAVE_C_API hopwave_status hopwave_weighted_searcher_new(const hopwave_graph* graph, const hopwave_options* options,
                                                           hopwave_weighted_searcher** searcher, hopwave_error** error);
HOPWAVE_C_API void hopwave_weighted_searcher_free(hopwave_weighted_searcher* searcher);
HOPWAVE_C_API const char* hopwave_weighted_searcher_strategy(const hopwave_weighted_searcher* searcher);

/* Initialise it with hopwave_weighted_query_init(). */
typedef struct hopwave_weighted_query {
  size_t size;
  const uint32_t* sources; /* at least one; with several: distance from the nearest */
  size_t num_sources;
  uint32_t target;     /* vertices farther than the target stay unreached; HOPWAVE_NO_VERTEX: none */
  double max_distance; /* vertices farther than this stay unreached; infinity: no limit */
  int parents;         /* 1: also the tree, which is the same on every device */
} hopwave_weighted_query;
HOPWAVE_C_API void hopwave_weighted_query_init(hopwave_weighted_query* query);

HOPWAVE_C_API hopwave_status hopwave_weighted_search(hopwave_weighted_searcher* searcher, const hopwave_weighted_query* query,
                                                     hopwave_weighted_result** result, hopwave_error** error);

/* Functions return 0 or NULL for NULL. Arrays live as long as the result. The distance of an unreached vertex is infinite. */
HOPWAVE_C_API uint32_t hopwave_weighted_result_num_vertices(const hopwave_weighted_result* result);
HOPWAVE_C_API const double* hopwave_weighted_result_distances(const hopwave_weighted_result* result);
HOPWAVE_C_API const uint32_t* hopwave_weighted_result_parents(
    const hopwave_weighted_result* result); /* NULL unless asked for */
HOPWAVE_C_API uint32_t hopwave_weighted_result_reached(const hopwave_weighted_result* result);
/* Returns the greatest distance. */
HOPWAVE_C_API double hopwave_weighted_result_farthest(const hopwave_weighted_result* result);
/* Returns 1 if no distance was rounded, and no weight was rounded when it was read. */
HOPWAVE_C_API int hopwave_weighted_result_exact(const hopwave_weighted_result* result);
HOPWAVE_C_API void hopwave_weighted_result_report(const hopwave_weighted_result* result, hopwave_report* report);
HOPWAVE_C_API void hopwave_weighted_result_free(hopwave_weighted_result* result);

/* ---- Closeness ---- docs/closeness.md. Each array has num_sources elements, one per source, and may be NULL. `sources` may be
 * NULL, too: the vertices 0 to num_sources - 1. Distances are those of the searcher's direction. */
HOPWAVE_C_API hopwave_status hopwave_closeness(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources,
                                               double* closeness, double* harmonic, int32_t* eccentricity, uint32_t* reached,
                                               uint64_t* distance_sum, hopwave_error** error);

/* Estimates the closeness of every vertex by searches from `samples` random vertices, chosen by the options' seed. With a
 * probability of 1
 * - risk no value of an array is farther from the true one than its error. HW-OPTION-VALUE: no samples, or a risk that is not
 * between 0 and 1. */
HOPWAVE_C_API hopwave_status hopwave_closeness_sampled(const hopwave_graph* graph, uint64_t samples, double risk,
                                                       const hopwave_options* options, hopwave_estimates** estimates,
                                                       hopwave_error** error);
/* Functions return 0 or NULL for NULL. Arrays have one value per vertex and live as long as the estimates; `errors` may be
 * NULL. */
HOPWAVE_C_API const double* hopwave_estimates_closeness(const hopwave_estimates* estimates, const double** errors);
HOPWAVE_C_API const double* hopwave_estimates_harmonic(const hopwave_estimates* estimates, const double** errors);
HOPWAVE_C_API const double* hopwave_estimates_average(const hopwave_estimates* estimates, const double** errors);
/* Return the graph's average distance, and its mean of 1 / distance over all pairs; `off` (may be NULL) gets their error
 * bounds. */
HOPWAVE_C_API double hopwave_estimates_average_distance(const hopwave_estimates* estimates, double* off);
HOPWAVE_C_API double hopwave_estimates_efficiency(const hopwave_estimates* estimates, double* off);
HOPWAVE_C_API uint64_t hopwave_estimates_pivots(const hopwave_estimates* estimates);
HOPWAVE_C_API void hopwave_estimates_report(const hopwave_estimates* estimates, hopwave_report* report);
HOPWAVE_C_API void hopwave_estimates_free(hopwave_estimates* estimates);

/* ---- Eccentricity, diameter, radius ---- docs/eccentricity.md, hopwave/eccentricity.h */

typedef enum hopwave_goal { HOPWAVE_DIAMETER = 0, HOPWAVE_RADIUS = 1, HOPWAVE_FIGURES = 2, HOPWAVE_EVERY = 3 } hopwave_goal;
/* Computes eccentricities. `goal`: what must be exact; the first goal is the cheapest. `largest_only`: only in the largest
 * component. HW-ECCENTRICITY-STRONG. */
HOPWAVE_C_API hopwave_status hopwave_eccentricity(const hopwave_graph* graph, int goal, int largest_only,
                                                  const hopwave_options* options, hopwave_eccentricities** found,
                                                  hopwave_error** error);
/* Functions return 0 or NULL for NULL. Arrays live as long as the object. The arrays are bounds of each vertex's eccentricity,
 * equal if it is known; with `largest_only`, -1 outside the largest component. */
HOPWAVE_C_API const int32_t* hopwave_eccentricities_lower(const hopwave_eccentricities* found);
HOPWAVE_C_API const int32_t* hopwave_eccentricities_upper(const hopwave_eccentricities* found);
/* Return the lower bound, and store the upper one in *upper, which may be NULL; they are equal if the value is known. */
HOPWAVE_C_API int32_t hopwave_eccentricities_diameter(const hopwave_eccentricities* found, int32_t* upper);
HOPWAVE_C_API int32_t hopwave_eccentricities_radius(const hopwave_eccentricities* found, int32_t* upper);
/* Returns one end of a path as long as the diameter's lower bound, and stores the other in *to, which may be NULL.
 * HOPWAVE_NO_VERTEX if there was no search. */
HOPWAVE_C_API uint32_t hopwave_eccentricities_ends(const hopwave_eccentricities* found, uint32_t* to);
/* Return the vertices that have the radius, or the diameter; filled if these are known and the goal was HOPWAVE_FIGURES or
 * HOPWAVE_EVERY. */
HOPWAVE_C_API const uint32_t* hopwave_eccentricities_center(const hopwave_eccentricities* found, size_t* size);
HOPWAVE_C_API const uint32_t* hopwave_eccentricities_periphery(const hopwave_eccentricities* found, size_t* size);
HOPWAVE_C_API uint64_t hopwave_eccentricities_searches(const hopwave_eccentricities* found);
HOPWAVE_C_API void hopwave_eccentricities_report(const hopwave_eccentricities* found, hopwave_report* report);
HOPWAVE_C_API void hopwave_eccentricities_free(hopwave_eccentricities* found);

/* ---- Components and cores ---- docs/scc.md. labels[v]: the smallest vertex of v's component. Each output may be NULL,
 * and so may `report`. */
typedef struct hopwave_component_counts {
  uint32_t count;         /* number of components */
  uint32_t largest_label; /* label of the largest component; of equally large ones the smallest label; HOPWAVE_NO_VERTEX without
                             vertices */
  uint32_t largest_size;
} hopwave_component_counts;
/* Finds weakly connected components: arc directions are ignored. */
HOPWAVE_C_API hopwave_status hopwave_components(const hopwave_graph* graph, const hopwave_options* options, uint32_t* labels,
                                                hopwave_component_counts* counts, hopwave_report* report,
                                                hopwave_error** error);
/* Finds strongly connected components: each vertex of a component has a path to every other. */
HOPWAVE_C_API hopwave_status hopwave_strong_components(const hopwave_graph* graph, const hopwave_options* options,
                                                       uint32_t* labels, hopwave_component_counts* counts,
                                                       hopwave_report* report, hopwave_error** error);
/* Stores in cores[v] the greatest k whose k-core contains v (docs/kcore.md), for every vertex. Arcs count at both ends. */
HOPWAVE_C_API hopwave_status hopwave_core_numbers(const hopwave_graph* graph, const hopwave_options* options, uint32_t* cores,
                                                  hopwave_report* report, hopwave_error** error);
/* Makes the graph of the strong components: its vertices are the components in ascending order of their labels, with the
 * labels' ids. */
HOPWAVE_C_API hopwave_status hopwave_condensation(const hopwave_graph* graph, const hopwave_options* options,
                                                  hopwave_graph** condensed, hopwave_error** error);
/* Stores in generations[v], for every vertex, the number of arcs on the longest path that ends in v. HW-GRAPH-CYCLE. This call
 * and the next one use one CPU thread, whatever device and threads the options name. */
HOPWAVE_C_API hopwave_status hopwave_topological_generations(const hopwave_graph* graph, const hopwave_options* options,
                                                             uint32_t* generations, hopwave_error** error);
/* Sets *acyclic to 1 if there is no cycle and no self-loop, otherwise to 0. */
HOPWAVE_C_API hopwave_status hopwave_graph_acyclic(const hopwave_graph* graph, const hopwave_options* options, int* acyclic,
                                                   hopwave_error** error);

/* ---- Maximum flow ---- docs/flow.md. Weights are capacities: whole numbers of 0 or more, else HW-FLOW-CAPACITY. Each arc of a
 * graph without weights has a capacity of 1. Capacities of parallel arcs add up: hopwave_graph_from_csr() keeps such arcs, and
 * hopwave_graph_from_edges() keeps only the lightest. */

/* *value: the greatest flow from `source` to `target`; HOPWAVE_NO_VERTEX: the end that the input names. arcs[i], one per arc in
 * the order of the rows: what goes along it. side[v], one per vertex: 1 on the source's side of a minimum cut, else 0. `arcs`
 * and `side` may be NULL. Progress: the flow that has arrived, and the most that can. Strategies: docs/flow.md.
 * HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-FLOW-SUM. */
HOPWAVE_C_API hopwave_status hopwave_max_flow(const hopwave_graph* graph, const hopwave_options* options, uint32_t source,
                                              uint32_t target, int64_t* value, int64_t* arcs, uint8_t* side,
                                              hopwave_report* report, hopwave_error** error);

/* ---- Maximum matching of a bipartite graph ---- docs/matching.md */

/* side[v], one per vertex: 0 on the left, else on the right; NULL: the ids decide, or a two-colouring. *size: the number of
 * pairs. mates[v]: the other vertex of v's pair, or HOPWAVE_NO_VERTEX. cover[v]: 1 for the *size vertices of a minimum vertex
 * cover, else 0. `mates` and `cover` may be NULL. Progress: pairs found, and the vertices on the smaller side.
 * HW-MATCHING-CYCLE, HW-MATCHING-SIDE. */
HOPWAVE_C_API hopwave_status hopwave_maximum_matching(const hopwave_graph* graph, const hopwave_options* options,
                                                      const uint8_t* side, uint32_t* size, uint32_t* mates, uint8_t* cover,
                                                      hopwave_report* report, hopwave_error** error);

/* ---- Betweenness ---- docs/betweenness.md */

/* Initialise it with hopwave_betweenness_query_init(). */
typedef struct hopwave_betweenness_query {
  size_t size;
  const uint32_t* sources; /* vertices at which paths begin; none: all */
  size_t num_sources;
  const uint32_t* targets; /* vertices at which paths end; none: all */
  size_t num_targets;
  int arcs;      /* also compute the betweenness of every arc */
  int endpoints; /* a path also counts for its first and its last vertex */
} hopwave_betweenness_query;
HOPWAVE_C_API void hopwave_betweenness_query_init(hopwave_betweenness_query* query);
/* Computes betweenness. `query` may be NULL: all pairs, vertices only. */
HOPWAVE_C_API hopwave_status hopwave_betweenness(const hopwave_graph* graph, const hopwave_betweenness_query* query,
                                                 const hopwave_options* options, hopwave_betweenness_sums** sums,
                                                 hopwave_error** error);
/* Functions return 0 or NULL for NULL. Arrays live as long as the sums: one value per vertex, and one per arc, which is NULL
 * unless asked for. */
HOPWAVE_C_API const double* hopwave_betweenness_vertices(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API const double* hopwave_betweenness_arcs(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API uint64_t hopwave_betweenness_sources(const hopwave_betweenness_sums* sums);
/* Returns the greatest number of shortest paths between two vertices; infinite if a double cannot hold it. */
HOPWAVE_C_API double hopwave_betweenness_max_paths(const hopwave_betweenness_sums* sums);
HOPWAVE_C_API void hopwave_betweenness_report(const hopwave_betweenness_sums* sums, hopwave_report* report);
HOPWAVE_C_API void hopwave_betweenness_free(hopwave_betweenness_sums* sums);
/* Return the factors for the sums, and compute the error bound of estimates from random sources: see hopwave/betweenness.h. 0
 * for NULL. */
HOPWAVE_C_API double hopwave_betweenness_vertex_scale(const hopwave_graph* graph, uint64_t sources, int normalized,
                                                      int endpoints);
HOPWAVE_C_API double hopwave_betweenness_arc_scale(const hopwave_graph* graph, uint64_t sources, int normalized);
HOPWAVE_C_API hopwave_status hopwave_betweenness_error(uint32_t num_vertices, uint64_t samples, double risk, double* off,
                                                       hopwave_error** error);

/* ---- Any algorithm by its name ---- docs/c-api.md, hopwave/algorithms.h */

typedef enum hopwave_array_type {
  HOPWAVE_NO_ARRAY = 0,
  HOPWAVE_UINT32 = 1,
  HOPWAVE_INT32 = 2,
  HOPWAVE_INT64 = 3,
  HOPWAVE_UINT8 = 4,
  HOPWAVE_DOUBLE = 5
} hopwave_array_type;
/* Runs the algorithm of this name, that of its command ("kcore"). Its parameters are texts by name, such as "source" and "17":
 * vertices and counts as decimal numbers, lists of vertices as "17,4" or "", 0 or 1 for yes or no. The options state how it
 * runs: device, threads, seed, limits, progress; the others must have their initial values. HW-OPTION-VALUE: no such algorithm
 * or parameter, a parameter twice, or a value that it does not take; errors of the algorithm. */
HOPWAVE_C_API hopwave_status hopwave_run_algorithm(const hopwave_graph* graph, const char* name,
                                                   const char* const* parameter_names, const char* const* parameter_values,
                                                   size_t num_parameters, const hopwave_options* options,
                                                   hopwave_answer** answer, hopwave_error** error);
/* Functions return 0 or NULL for NULL, and for an output that the answer lacks or that is of another kind. Arrays have one
 * value per vertex or per arc, or are lists of vertices; they live as long as the answer. *type and *size, which may be NULL,
 * state what they are. */
HOPWAVE_C_API const void* hopwave_answer_array(const hopwave_answer* answer, const char* output, hopwave_array_type* type,
                                               size_t* size);
/* Returns a count or a vertex; of a range its lower bound, of two vertices the first, and *second, which may be NULL, gets the
 * other. HOPWAVE_NO_VERTEX: there is no such vertex. 1 for yes, 0 for no. */
HOPWAVE_C_API uint64_t hopwave_answer_count(const hopwave_answer* answer, const char* output, uint64_t* second);
HOPWAVE_C_API double hopwave_answer_number(const hopwave_answer* answer, const char* output);
/* Returns the lower bound of a range of sums of weights ("weights" is "1"), and *upper, which may be NULL, gets the other. */
HOPWAVE_C_API double hopwave_answer_range(const hopwave_answer* answer, const char* output, double* upper);
HOPWAVE_C_API void hopwave_answer_report(const hopwave_answer* answer, hopwave_report* report);
HOPWAVE_C_API void hopwave_answer_free(hopwave_answer* answer);

#ifdef __cplusplus
}
#endif

#endif

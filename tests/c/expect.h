/* What the tests of hopwave/c.h share: faults are told and counted, main() returns whether there were any. */
#ifndef HOPWAVE_TESTS_C_EXPECT_H
#define HOPWAVE_TESTS_C_EXPECT_H

#include <hopwave/c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faults = 0;

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++faults;                                                               \
    }                                                                         \
  } while (0)

/* The call must fail so, with an error that says it; and without a place for the error too. */
#define EXPECT_FAILS(status, id, ...)                                                                      \
  do {                                                                                                     \
    hopwave_error* error = NULL;                                                                           \
    hopwave_error** place = &error;                                                                        \
    const hopwave_status got = __VA_ARGS__;                                                                \
    if (got != (status) || strcmp(hopwave_error_id(error), id) != 0) {                                     \
      fprintf(stderr, "%s:%d: status %d, %s: %s\n", __FILE__, __LINE__, (int)got, hopwave_error_id(error), \
              hopwave_error_message(error));                                                               \
      ++faults;                                                                                            \
    }                                                                                                      \
    EXPECT(strlen(hopwave_error_message(error)) > 0);                                                      \
    EXPECT(hopwave_error_hint(error) != NULL);                                                             \
    hopwave_error_free(error);                                                                             \
    place = NULL;                                                                                          \
    EXPECT((__VA_ARGS__) == (status));                                                                     \
  } while (0)

#define EXPECT_OK(...)                                                            \
  do {                                                                            \
    hopwave_error* error = (hopwave_error*)&faults;                               \
    hopwave_error** place = &error;                                               \
    const hopwave_status got = __VA_ARGS__;                                       \
    EXPECT(got == HOPWAVE_OK);                                                    \
    if (got != HOPWAVE_OK) fprintf(stderr, "%s\n", hopwave_error_message(error)); \
    EXPECT(got != HOPWAVE_OK || error == NULL);                                   \
    if (got != HOPWAVE_OK) hopwave_error_free(error);                             \
  } while (0)

/* How the call that made a handle ended: END_OF(result, handle), END_OF(estimates, handle) … The whole report is in `report`.
 */
static hopwave_report report;
#define END_OF(kind, handle) (hopwave_##kind##_report(handle, &report), report.end)

/* 0 → 1 → 2 → … */
static hopwave_graph* chain(uint32_t n) {
  uint32_t* ends = malloc(sizeof(uint32_t) * n);
  hopwave_graph* graph = NULL;
  uint32_t i;
  for (i = 0; i < n; ++i) ends[i] = i;
  EXPECT_OK(hopwave_graph_from_edges(n, ends, ends + 1, NULL, n - 1, 1, &graph, place));
  free(ends);
  return graph;
}

#endif

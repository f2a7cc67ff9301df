// Springer's survey, figure 15, step by step: flags become a queue by a prefix sum, which one block makes in 1,024 words of
// shared memory. So it takes graphs of up to 1,024 vertices; the code published with the survey has other kernels for larger
// ones.
#include <bit>

#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_queued(Lists g, Printed<int> queue, Printed<unsigned char> updated, Printed<unsigned char> visited) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  const int queued = queue[0];                                 // -: reads how many entries the queue has
  for (int round = 0; round < queued; round += stride) {       // -: as many rounds as the grid needs
    if (round + id >= queued) continue;                        // -: the last round has threads without an entry
    const int v = queue[round + id + 1];                       // -: reads the entry
    for (int n = 0; n < g.length[v]; ++n) {                    // -: reads the list's length, each time
      const int w = g.list[g.begin[v] + n];                    // -: reads where the list begins, and the neighbour
      if (!visited[w]) {                                       // -: reads whether it is visited
        g.result[w] = g.result[v] + 1;                         // -: reads its own distance, writes the neighbour's
        updated[w] = 1;                                        // -: marks the neighbour for the second kernel
      }
    }
  }
}

void take_marks(int vertices, int words, Printed<unsigned char> updated, Printed<unsigned char> frontier,
                Printed<unsigned char> visited, Printed<int> sums) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number, in the second kernel
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  for (int round = 0; round < words; round += stride) {        // -: as many rounds as the grid needs
    const int v = round + id;                                  // -: the thread's vertex of this round
    if (v < vertices) {
      if (updated[v]) visited[v] = 1;  // -: reads the mark, marks the vertex as visited
      frontier[v] = updated[v];        // -: copies the mark to the frontier's flag
      sums[v] = updated[v];            // -: and to the word to be summed up
      updated[v] = 0;                  // -: takes the mark away
    } else if (v < words) {
      frontier[v] = 0;  // -: beyond the last vertex, up to a power of two: no flag
      sums[v] = 0;      // -: and nothing to be summed up
    }
  }
}

void sum_up_in_one_block(Printed<int> sums, int words, int compares) {
  HW_PRINTED_SHARED(int, temp, 1024);  // -: the block's words
  const int t = static_cast<int>(dev::thread());
  int apart = 1;
  temp[2 * t] = sums[2 * t];          // -: copies a word into shared memory
  temp[2 * t + 1] = sums[2 * t + 1];  // -: copies the next one
  for (int pairs = words / 2; pairs > 0;
       pairs = compares ? pairs : pairs / 2) {  // 29: half as many pairs each time; see `compares`
    dev::sync_block();                          // -: a barrier of the block
    if (t < pairs) {
      const int left = apart * (2 * t + 1) - 1, right = apart * (2 * t + 2) - 1;
      temp[right] = temp[right] + temp[left];  // -: adds the left word to the right one
    }
    apart *= 2;
  }
  if (t == 0) temp[words - 1] = 0;                  // -: writes 0 over the sum of all, one thread
  for (int pairs = 1; pairs < words; pairs *= 2) {  // -: twice as many pairs each time
    apart /= 2;
    dev::sync_block();  // -: a barrier of the block
    if (t < pairs) {
      const int left = apart * (2 * t + 1) - 1, right = apart * (2 * t + 2) - 1;
      const int below = temp[left];       // -: reads the left word
      temp[left] = temp[right];           // -: copies the right word over it
      temp[right] = temp[right] + below;  // -: adds what was left to the right one
    }
  }
  dev::sync_block();                  // -: a barrier of the block
  sums[2 * t] = temp[2 * t];          // -: copies a word back
  sums[2 * t + 1] = temp[2 * t + 1];  // -: copies the next one back
}

void fill_queue(Printed<int> sums, Printed<unsigned char> frontier, Printed<int> queue, int vertices) {
  const int v = static_cast<int>(dev::global_thread());  // -: the thread's vertex; there are no rounds here
  if (v < vertices && frontier[v])                       // -: reads whether it is in the frontier
    queue[sums[v] + 1] = v;                              // -: reads its place, writes the vertex there
  if (v == vertices - 1)                                 // -: the last vertex's thread
    queue[0] = sums[v] + frontier[v];                    // -: reads its sum and flag, writes the number of entries
}

class ScanQueue final : public SurveyListing {
 public:
  explicit ScanQueue(const PlanRequest& request)
      : SurveyListing(request),
        words_(static_cast<int>(std::bit_ceil(std::max<std::size_t>(level_.size(), 2)))),
        compares_(static_cast<int>(parameter(request, "compares"))),
        updated_(device_, level_.size(), "updated"),
        frontier_(device_, static_cast<std::size_t>(words_), "frontier"),
        visited_(device_, level_.size(), "visited"),
        queue_(device_, level_.size() + 1, "queue"),
        sums_(device_, static_cast<std::size_t>(words_), "prefix_sum") {}

 private:
  void start(int source) override {
    SurveyListing::start(source);
    updated_.fill(0);
    visited_.fill(0);
    visited_.set(1, static_cast<std::size_t>(source));
    queue_.set(1);
    queue_.set(source, 1);
    entries_ = 1;
  }
  bool pass(int current) override {
    iterate(current - 1);
    entries_ = queue_.get();
    return entries_ > 0;
  }
  void iterate(int /*iteration*/) override {
    launch(device_, grid_for_items(entries_), visit_queued, lists(), queue_.words(), updated_.words(), visited_.words());
    launch(device_, grid_for_items(words_), take_marks, n_, words_, updated_.words(), frontier_.words(), visited_.words(),
           sums_.words());
    launch(device_, {{.grid = 1, .block = static_cast<std::uint32_t>(std::min(words_ / 2, 1024))}}, sum_up_in_one_block,
           sums_.words(), words_, compares_);
    launch(device_, grid_for_items(n_), fill_queue, sums_.words(), frontier_.words(), queue_.words(), n_);
  }
  int words_, compares_, entries_ = 1;
  NamedBuffer<unsigned char> updated_, frontier_, visited_;
  NamedBuffer<int> queue_, sums_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_scan_queue, ScanQueue, "survey-scan-queue", "figure 15 as printed: flags made a queue by a prefix sum",
                "Springer, Breadth-first Search in CUDA, section 3.7, fig. 15",
                "one block sums up in 1,024 words, so larger graphs overflow; the queue is filled without rounds, so a small "
                "grid loses vertices; idempotent writes without atomics are data races",
                false, {}, literal_grid,
                {"compares", 0, 0, 1,
                 "1: line 29 as it can be read, with a comparison where it should shift, perhaps a slip of the scan: the loop "
                 "has no end, and its words are soon beyond the array"})

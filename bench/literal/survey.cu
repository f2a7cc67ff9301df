// The eleven kernels of M. Springer, Breadth-first Search in CUDA (sections 3 and 4, figures 9 – 17), read plainly:
// written from the descriptions, not copied. One thread per item, in blocks of a size that the caller chooses. The table
// at the end lists what had to change so that the answers are right.
#include <climits>

#include "literal.h"

namespace hopwave::literal {
namespace {

constexpr int far_away = INT_MAX / 2;  ///< relaxing adds one to it

/// The survey's lists (its figure 1) and the array of distances.
struct Lists {
  const int *begin, *length, *neighbors;
  int n;
  int* distance;
};

__global__ void start_distances(int* distance, int n, int source) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) distance[v] = v == source ? 0 : far_away;
}

__global__ void simple(Lists g, bool* more) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n) return;
  for (int k = 0; k < g.length[v]; ++k) {
    const int w = g.neighbors[g.begin[v] + k];
    if (g.distance[w] > g.distance[v] + 1) {
      g.distance[w] = g.distance[v] + 1;
      *more = true;
    }
  }
}

__global__ void frontier_visit(Lists g, bool* frontier, const bool* visited, bool* updated) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n || !frontier[v]) return;
  frontier[v] = false;
  for (int k = 0; k < g.length[v]; ++k) {
    const int w = g.neighbors[g.begin[v] + k];
    if (!visited[w]) {
      g.distance[w] = g.distance[v] + 1;
      updated[w] = true;
    }
  }
}

__global__ void frontier_update(int n, bool* frontier, bool* visited, bool* updated, bool* more) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !updated[v]) return;
  frontier[v] = true;
  visited[v] = true;
  updated[v] = false;
  *more = true;
}

/// One thread processes a whole list; distances are frontier numbers.
__device__ void visit_list(const Lists& g, int v, int iteration, bool* more) {
  for (int k = 0; k < g.length[v]; ++k) {
    const int w = g.neighbors[g.begin[v] + k];
    if (g.distance[w] == far_away) {
      g.distance[w] = iteration + 1;
      *more = true;
    }
  }
}

__global__ void numbers(Lists g, int iteration, bool* more) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < g.n && g.distance[v] == iteration) visit_list(g, v, iteration, more);
}

__global__ void redirect(Lists g, const int* jobs, int iteration, bool* more) {
  const int job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job >= g.n) return;
  const int v = jobs[job];
  if (g.distance[v] == iteration) visit_list(g, v, iteration, more);
}

constexpr int defer_max = 16, defer_queue = 2048;

__global__ void defer(Lists g, int iteration, bool* more) {
  __shared__ int queue[defer_queue];
  __shared__ int queued;
  if (threadIdx.x == 0) queued = 0;
  __syncthreads();
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < g.n && g.distance[v] == iteration) {
    if (g.length[v] < defer_max)
      visit_list(g, v, iteration, more);
    else
      queue[atomicAdd(&queued, 1)] = v;  // one vertex per thread: 1,024 fit
  }
  __syncthreads();
  for (int i = threadIdx.x; i < queued; i += blockDim.x) visit_list(g, queue[i], iteration, more);
}

template <int width>
__global__ void virtual_warps(Lists g, int iteration, bool* more) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = thread / width * width, place = thread % width;
  for (int v = first; v < first + width && v < g.n; ++v) {
    if (g.distance[v] != iteration) continue;
    for (int k = place; k < g.length[v]; k += width) {
      const int w = g.neighbors[g.begin[v] + k];
      if (g.distance[w] == far_away) {
        g.distance[w] = iteration + 1;
        *more = true;
      }
    }
  }
}

constexpr int block_queue = 2048;

__global__ void hierarchical_queue(Lists g, int iteration, const int* in, int in_size, int* out, int room, int* out_size) {
  __shared__ int queue[block_queue];
  __shared__ int queued, start;
  if (threadIdx.x == 0) queued = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in_size) {
    const int v = in[i];
    for (int k = 0; k < g.length[v]; ++k) {
      const int w = g.neighbors[g.begin[v] + k];
      if (g.distance[w] != far_away) continue;
      g.distance[w] = iteration + 1;
      const int slot = atomicAdd(&queued, 1);
      if (slot < block_queue) {
        queue[slot] = w;
      } else {
        const int at = atomicAdd(out_size, 1);
        if (at < room) out[at] = w;
      }
    }
  }
  __syncthreads();
  const int kept = min(queued, block_queue);
  if (threadIdx.x == 0) start = atomicAdd(out_size, kept);
  __syncthreads();
  for (int k = threadIdx.x; k < kept && start + k < room; k += blockDim.x) out[start + k] = queue[k];
}

__global__ void scan_visit(Lists g, const int* queue, int queued, const bool* visited, bool* updated) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queued) return;
  const int v = queue[i];
  for (int k = 0; k < g.length[v]; ++k) {
    const int w = g.neighbors[g.begin[v] + k];
    if (!visited[w]) {
      g.distance[w] = g.distance[v] + 1;
      updated[w] = true;
    }
  }
}

__global__ void scan_flags(int n, int padded, bool* visited, bool* updated, bool* frontier, int* sums) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= padded) return;
  const bool now = v < n && updated[v];
  sums[v] = now;
  if (v >= n) return;
  frontier[v] = now;
  updated[v] = false;
  if (now) visited[v] = true;
}

__global__ void scan_up(int* sums, int pairs, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < pairs) sums[stride * (2 * t + 2) - 1] += sums[stride * (2 * t + 1) - 1];
}

__global__ void scan_down(int* sums, int pairs, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= pairs) return;
  const int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
  const int below = sums[left];
  sums[left] = sums[right];
  sums[right] += below;
}

__global__ void scan_fill(int n, const bool* frontier, const int* sums, int* queue) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && frontier[v]) queue[sums[v]] = v;
}

__global__ void edge_simple(const int* tails, const int* heads, int m, int* distance, bool* more) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  const int next = distance[tails[e]] + 1;
  if (next < distance[heads[e]]) {
    distance[heads[e]] = next;
    *more = true;
  }
}

__global__ void edge_numbers(const int* tails, const int* heads, int m, int* distance, int iteration, bool* more) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m || distance[tails[e]] != iteration) return;
  if (distance[heads[e]] == far_away) {
    distance[heads[e]] = iteration + 1;
    *more = true;
  }
}

class SurveySearch : public Search {
 public:
  SurveySearch(const Arrays& a, int threads, bool lists = true)
      : threads_(threads),
        n_(a.n),
        begin_(lists ? starts(a) : std::vector<int>{}),
        length_(lists ? lengths(a) : std::vector<int>{}),
        neighbors_(a.targets),
        distance_(static_cast<std::size_t>(a.n)),
        more_(1) {}

  void run(int source) override {
    start_distances<<<blocks(n_), threads_>>>(distance_, n_, source);
    start(source);
    int iteration = 0;
    do {
      more_.set(false);
      iterate(iteration++);
    } while (more_.get());
  }
  std::vector<int> distances() const override {
    std::vector<int> out = distance_.all();
    for (int& d : out) d = d == far_away ? -1 : d;
    return out;
  }

 protected:
  virtual void start(int) {}
  virtual void iterate(int) {}
  [[nodiscard]] int blocks(long items) const { return static_cast<int>((items + threads_ - 1) / threads_); }
  Lists lists() { return {begin_, length_, neighbors_, n_, distance_}; }
  static std::vector<int> starts(const Arrays& a) { return {a.offsets.begin(), a.offsets.end() - 1}; }
  static std::vector<int> lengths(const Arrays& a) {
    std::vector<int> out(static_cast<std::size_t>(a.n));
    for (int v = 0; v < a.n; ++v) out[v] = a.offsets[v + 1] - a.offsets[v];
    return out;
  }
  int threads_;  ///< per block
  int n_;
  DeviceArray<int> begin_, length_, neighbors_, distance_;
  DeviceArray<bool> more_;
};

struct Simple : SurveySearch {
  using SurveySearch::SurveySearch;
  void iterate(int) override { simple<<<blocks(n_), threads_>>>(lists(), more_); }
};
struct Numbers : SurveySearch {
  using SurveySearch::SurveySearch;
  void iterate(int i) override { numbers<<<blocks(n_), threads_>>>(lists(), i, more_); }
};
struct Defer : SurveySearch {
  using SurveySearch::SurveySearch;
  void iterate(int i) override { defer<<<blocks(n_), threads_>>>(lists(), i, more_); }
};
template <int width>
struct VirtualWarps : SurveySearch {
  using SurveySearch::SurveySearch;
  void iterate(int i) override { virtual_warps<width><<<blocks(n_), threads_>>>(lists(), i, more_); }
};
struct Redirect : SurveySearch {
  Redirect(const Arrays& a, int threads) : SurveySearch(a, threads), jobs(a.by_degree) {}
  void iterate(int i) override { redirect<<<blocks(n_), threads_>>>(lists(), jobs, i, more_); }
  DeviceArray<int> jobs;
};

/// The graph with its vertices relabelled by degree, so that the literal kernel processes them in that order.
struct Physical : SurveySearch {
  Physical(const Arrays& a, int threads) : SurveySearch(renamed(a), threads), new_id(ids(a)) {}
  void iterate(int i) override { numbers<<<blocks(n_), threads_>>>(lists(), i, more_); }
  void run(int source) override { SurveySearch::run(new_id[source]); }
  std::vector<int> distances() const override {
    const std::vector<int> inside = SurveySearch::distances();
    std::vector<int> out(inside.size());
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = inside[new_id[v]];
    return out;
  }
  static std::vector<int> ids(const Arrays& a) {
    std::vector<int> out(static_cast<std::size_t>(a.n));
    for (int i = 0; i < a.n; ++i) out[a.by_degree[i]] = i;
    return out;
  }
  static Arrays renamed(const Arrays& a) {
    const std::vector<int> id = ids(a);
    Arrays b;
    b.n = a.n;
    b.m = a.m;
    b.offsets = {0};
    for (const int v : a.by_degree) {
      for (int e = a.offsets[v]; e < a.offsets[v + 1]; ++e) b.targets.push_back(id[a.targets[e]]);
      b.offsets.push_back(static_cast<int>(b.targets.size()));
    }
    return b;
  }
  std::vector<int> new_id;
};

struct Frontier : SurveySearch {
  Frontier(const Arrays& a, int threads) : SurveySearch(a, threads), frontier(a.n), visited(a.n), updated(a.n) {}
  void start(int source) override {
    for (auto* flags : {&frontier, &visited, &updated}) flags->fill_bytes(0);
    frontier.set(true, static_cast<std::size_t>(source));
    visited.set(true, static_cast<std::size_t>(source));
  }
  void iterate(int) override {
    frontier_visit<<<blocks(n_), threads_>>>(lists(), frontier, visited, updated);
    frontier_update<<<blocks(n_), threads_>>>(n_, frontier, visited, updated, more_);
  }
  DeviceArray<bool> frontier, visited, updated;
};

struct HierarchicalQueue : SurveySearch {
  HierarchicalQueue(const Arrays& a, int threads)
      : SurveySearch(a, threads),
        room(a.m + a.n),
        queue{DeviceArray<int>(static_cast<std::size_t>(room)), DeviceArray<int>(static_cast<std::size_t>(room))},
        size(1) {}
  void run(int source) override {
    start_distances<<<blocks(n_), threads_>>>(distance_, n_, source);
    queue[0].set(source);
    for (int queued = 1, i = 0; queued; ++i) {
      size.set(0);
      hierarchical_queue<<<blocks(queued), threads_>>>(lists(), i, queue[i % 2], queued, queue[1 - i % 2], room, size);
      queued = size.get();
      if (queued > room) throw std::runtime_error("the queue overflowed: too many vertices were found by several threads");
    }
  }
  int room;  ///< more than n: a vertex that several threads find is in the queue several times
  DeviceArray<int> queue[2], size;
};

struct ScanQueue : SurveySearch {
  ScanQueue(const Arrays& a, int threads)
      : SurveySearch(a, threads),
        padded(power_of_two(a.n)),
        frontier(a.n),
        visited(a.n),
        updated(a.n),
        sums(padded),
        queue(a.n) {}
  void run(int source) override {
    start_distances<<<blocks(n_), threads_>>>(distance_, n_, source);
    for (auto* flags : {&frontier, &visited, &updated}) flags->fill_bytes(0);
    visited.set(true, static_cast<std::size_t>(source));
    queue.set(source);
    for (int queued = 1; queued;) {
      scan_visit<<<blocks(queued), threads_>>>(lists(), queue, queued, visited, updated);
      scan_flags<<<blocks(padded), threads_>>>(n_, padded, visited, updated, frontier, sums);
      for (int stride = 1; stride < padded; stride *= 2) {
        const int pairs = padded / stride / 2;
        scan_up<<<blocks(pairs), threads_>>>(sums, pairs, stride);
      }
      queued = sums.get(static_cast<std::size_t>(padded) - 1);
      sums.set(0, static_cast<std::size_t>(padded) - 1);
      for (int stride = padded / 2; stride > 0; stride /= 2) {
        const int pairs = padded / stride / 2;
        scan_down<<<blocks(pairs), threads_>>>(sums, pairs, stride);
      }
      scan_fill<<<blocks(n_), threads_>>>(n_, frontier, sums, queue);
    }
  }
  static int power_of_two(int n) {
    int p = 2;
    while (p < n) p *= 2;
    return p;
  }
  int padded;
  DeviceArray<bool> frontier, visited, updated;
  DeviceArray<int> sums, queue;
};

struct EdgeSimple : SurveySearch {
  EdgeSimple(const Arrays& a, int threads) : SurveySearch(a, threads, false), m(a.m), tails(a.tails) {}
  void iterate(int) override { edge_simple<<<blocks(m), threads_>>>(tails, neighbors_, m, distance_, more_); }
  int m;
  DeviceArray<int> tails;
};
struct EdgeNumbers : SurveySearch {
  EdgeNumbers(const Arrays& a, int threads) : SurveySearch(a, threads, false), m(a.m), tails(a.tails) {}
  void iterate(int i) override { edge_numbers<<<blocks(m), threads_>>>(tails, neighbors_, m, distance_, i, more_); }
  int m;
  DeviceArray<int> tails;
};

/// A search with so many threads per block.
template <class S>
Version::Make make(int threads) {
  return [threads](const Arrays& a) { return std::make_unique<S>(a, threads); };
}

}  // namespace

std::vector<Version> survey_versions(int threads) {
  std::vector<Version> versions = {
      {"survey 3 simple", "survey-simple", "", "", make<Simple>(threads)},
      {"survey 3.1 frontier", "survey-frontier", "", "", make<Frontier>(threads)},
      {"survey 3.2 numbers", "survey-frontier-numbers", "", "", make<Numbers>(threads)},
      {"survey 3.3 defer", "survey-defer", "", "", make<Defer>(threads)},
      {"survey 3.4 redirect", "survey-reorder-redirect", "", "", make<Redirect>(threads)},
      {"survey 3.4 physical", "survey-reorder-physical", "", "", make<Physical>(threads)},
      {"survey 3.5 warps of 4", "survey-virtual-warp", "width=4", "", make<VirtualWarps<4>>(threads)},
      {"survey 3.5 warps of 8", "survey-virtual-warp", "width=8", "", make<VirtualWarps<8>>(threads)},
      {"survey 3.5 warps of 16", "survey-virtual-warp", "width=16", "", make<VirtualWarps<16>>(threads)},
      {"survey 3.5 warps of 32", "survey-virtual-warp", "width=32", "", make<VirtualWarps<32>>(threads)},
      {"survey 3.6 queue", "survey-hierarchical-queue", "",
       "what the block's queue cannot hold goes to the global one, which has room for duplicates",
       make<HierarchicalQueue>(threads)},
      {"survey 3.7 scan", "survey-scan-queue", "",
       "one number per level goes to the host instead of the queue; any number of vertices", make<ScanQueue>(threads)},
      {"survey 4.1 edges", "survey-edge-simple", "", "", make<EdgeSimple>(threads)},
      {"survey 4.2 edge numbers", "survey-edge-numbers", "", "", make<EdgeNumbers>(threads)},
  };
  for (Version& v : versions) v.threads = threads;
  return versions;
}

}  // namespace hopwave::literal

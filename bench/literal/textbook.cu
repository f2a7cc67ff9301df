// PMPP chapter 15 (figures 15.6 – 15.16), Harish & Narayanan's two kernels and GPU101's block per vertex, read plainly:
// written from the descriptions, not copied. The table at the end lists what had to change so that the answers are right.
#include <cooperative_groups.h>

#include <climits>

#include "literal.h"

namespace hopwave::literal {
namespace {

constexpr unsigned none = UINT_MAX;
constexpr int threads = 256;
int blocks(long items) { return static_cast<int>((items + threads - 1) / threads); }

__global__ void set_levels(unsigned* level, int n, int source) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) level[v] = v == source ? 0 : none;
}

__global__ void vertex_push(const int* offsets, const int* targets, int n, unsigned* level, unsigned* found, unsigned current) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != current - 1) return;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e)
    if (level[targets[e]] == none) {
      level[targets[e]] = current;
      *found = 1;
    }
}

__global__ void vertex_pull(const int* in_offsets, const int* in_sources, int n, unsigned* level, unsigned* found,
                            unsigned current) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != none) return;
  for (int e = in_offsets[v]; e < in_offsets[v + 1]; ++e)
    if (level[in_sources[e]] == current - 1) {
      level[v] = current;
      *found = 1;
      break;
    }
}

__global__ void edge_centric(const int* tails, const int* targets, int m, unsigned* level, unsigned* found, unsigned current) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m || level[tails[e]] != current - 1) return;
  if (level[targets[e]] == none) {
    level[targets[e]] = current;
    *found = 1;
  }
}

__global__ void frontier_push(const int* offsets, const int* targets, unsigned* level, const int* previous, int previous_size,
                              int* next, int* next_size, unsigned current) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= previous_size) return;
  const int v = previous[i];
  for (int e = offsets[v]; e < offsets[v + 1]; ++e)
    if (atomicCAS(&level[targets[e]], none, current) == none) next[atomicAdd(next_size, 1)] = targets[e];
}

constexpr int private_capacity = 2048;

__global__ void private_frontier_push(const int* offsets, const int* targets, unsigned* level, const int* previous,
                                      int previous_size, int* next, int* next_size, unsigned current) {
  __shared__ int mine[private_capacity];
  __shared__ int mine_size, start;
  if (threadIdx.x == 0) mine_size = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < previous_size) {
    const int v = previous[i];
    for (int e = offsets[v]; e < offsets[v + 1]; ++e)
      if (atomicCAS(&level[targets[e]], none, current) == none) {
        const int slot = atomicAdd(&mine_size, 1);
        if (slot < private_capacity)
          mine[slot] = targets[e];
        else
          next[atomicAdd(next_size, 1)] = targets[e];
      }
  }
  __syncthreads();
  const int kept = min(mine_size, private_capacity);
  if (threadIdx.x == 0) start = atomicAdd(next_size, kept);
  __syncthreads();
  for (int k = threadIdx.x; k < kept; k += blockDim.x) next[start + k] = mine[k];
}

constexpr int single_capacity = 2048;

/// One block runs levels until the frontier is empty or no longer fits; then the frontier is in `next`, its size in
/// `next_size`.
__global__ void one_block_levels(const int* offsets, const int* targets, unsigned* level, const int* previous,
                                 int previous_size, int* next, int* next_size, unsigned* current_level) {
  __shared__ int queue[2][single_capacity];
  __shared__ int size;
  int here = previous_size, turn = 0;
  unsigned current = *current_level;
  for (int k = threadIdx.x; k < here; k += blockDim.x) queue[0][k] = previous[k];
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) size = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < here; k += blockDim.x) {
      const int v = queue[turn][k];
      for (int e = offsets[v]; e < offsets[v + 1]; ++e)
        if (atomicCAS(&level[targets[e]], none, current) == none) {
          const int slot = atomicAdd(&size, 1);
          if (slot < single_capacity)
            queue[1 - turn][slot] = targets[e];
          else
            next[slot] = targets[e];
        }
    }
    __syncthreads();
    here = size;
    turn = 1 - turn;
    ++current;
    if (here == 0 || here > single_capacity) break;
  }
  for (int k = threadIdx.x; k < min(here, single_capacity); k += blockDim.x) next[k] = queue[turn][k];
  if (threadIdx.x == 0) {
    *next_size = here;
    *current_level = current;
  }
}

class Levels : public Search {
 public:
  explicit Levels(const Arrays& a) : n_(a.n), m_(a.m), level_(static_cast<std::size_t>(a.n)) {}
  std::vector<int> distances() const override {
    const std::vector<unsigned> level = level_.all();
    std::vector<int> out(level.size());
    for (std::size_t v = 0; v < level.size(); ++v) out[v] = level[v] == none ? -1 : static_cast<int>(level[v]);
    return out;
  }

 protected:
  void start(int source) { set_levels<<<blocks(n_), threads>>>(level_, n_, source); }
  int n_, m_;
  DeviceArray<unsigned> level_;
};

/// One launch per level and a flag, which the host clears before and reads after it.
class FlagSearch : public Levels {
 public:
  explicit FlagSearch(const Arrays& a) : Levels(a), found_(1) {}
  void run(int source) override {
    start(source);
    for (unsigned current = 1;; ++current) {
      found_.set(0);
      level(current);
      if (!found_.get()) return;
    }
  }

 protected:
  virtual void level(unsigned current) = 0;
  DeviceArray<unsigned> found_;
};

class VertexPush : public FlagSearch {
 public:
  explicit VertexPush(const Arrays& a) : FlagSearch(a), offsets_(a.offsets), targets_(a.targets) {}

 protected:
  void level(unsigned current) override {
    vertex_push<<<blocks(n_), threads>>>(offsets_, targets_, n_, level_, found_, current);
  }
  DeviceArray<int> offsets_, targets_;
};

class VertexPull : public FlagSearch {
 public:
  explicit VertexPull(const Arrays& a) : FlagSearch(a), offsets_(a.in_offsets), sources_(a.in_sources) {}

 private:
  void level(unsigned current) override {
    vertex_pull<<<blocks(n_), threads>>>(offsets_, sources_, n_, level_, found_, current);
  }
  DeviceArray<int> offsets_, sources_;
};

/// The text's simplest rule: top-down (push) for the first levels, then bottom-up (pull).
class Direction : public FlagSearch {
 public:
  explicit Direction(const Arrays& a)
      : FlagSearch(a), offsets_(a.offsets), targets_(a.targets), in_offsets_(a.in_offsets), in_sources_(a.in_sources) {}

 private:
  static constexpr unsigned pushed_levels = 2;
  void level(unsigned current) override {
    if (current <= pushed_levels)
      vertex_push<<<blocks(n_), threads>>>(offsets_, targets_, n_, level_, found_, current);
    else
      vertex_pull<<<blocks(n_), threads>>>(in_offsets_, in_sources_, n_, level_, found_, current);
  }
  DeviceArray<int> offsets_, targets_, in_offsets_, in_sources_;
};

class EdgeCentric : public FlagSearch {
 public:
  explicit EdgeCentric(const Arrays& a) : FlagSearch(a), tails_(a.tails), targets_(a.targets) {}

 private:
  void level(unsigned current) override {
    edge_centric<<<blocks(m_), threads>>>(tails_, targets_, m_, level_, found_, current);
  }
  DeviceArray<int> tails_, targets_;
};

/// Two queues that alternate; the host reads the size of the next one after each launch.
class QueueSearch : public Levels {
 public:
  explicit QueueSearch(const Arrays& a)
      : Levels(a), offsets_(a.offsets), targets_(a.targets), queue_{DeviceArray<int>(a.n), DeviceArray<int>(a.n)}, size_(1) {}
  void run(int source) override {
    start(source);
    queue_[0].set(source);
    int size = 1, turn = 0;
    for (unsigned current = 1; size; turn = 1 - turn) {
      size_.set(0);
      current = level(current, size, queue_[turn], queue_[1 - turn]);
      size = size_.get();
    }
  }

 protected:
  /// Returns the next level.
  virtual unsigned level(unsigned current, int size, const int* previous, int* next) = 0;
  DeviceArray<int> offsets_, targets_, queue_[2], size_;
};

class Frontier : public QueueSearch {
 public:
  using QueueSearch::QueueSearch;

 private:
  unsigned level(unsigned current, int size, const int* previous, int* next) override {
    frontier_push<<<blocks(size), threads>>>(offsets_, targets_, level_, previous, size, next, size_, current);
    return current + 1;
  }
};

class PrivateFrontier : public QueueSearch {
 public:
  using QueueSearch::QueueSearch;

 private:
  unsigned level(unsigned current, int size, const int* previous, int* next) override {
    private_frontier_push<<<blocks(size), threads>>>(offsets_, targets_, level_, previous, size, next, size_, current);
    return current + 1;
  }
};

/// The first levels in one block; once the frontier no longer fits, one launch per level to the end.
class SingleGrid : public QueueSearch {
 public:
  explicit SingleGrid(const Arrays& a) : QueueSearch(a), current_(1) {}

 private:
  unsigned level(unsigned current, int size, const int* previous, int* next) override {
    if (current > 1) {
      private_frontier_push<<<blocks(size), threads>>>(offsets_, targets_, level_, previous, size, next, size_, current);
      return current + 1;
    }
    current_.set(current);
    one_block_levels<<<1, 1024>>>(offsets_, targets_, level_, previous, size, next, size_, current_);
    return current_.get();
  }
  DeviceArray<unsigned> current_;
};

// ---- Harish & Narayanan ----

struct Node {
  int start, count;
};

__global__ void hn_first(const Node* nodes, const int* edges, bool* mask, bool* updating, const bool* visited, int* cost,
                         int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !mask[v]) return;
  mask[v] = false;
  for (int e = nodes[v].start; e < nodes[v].start + nodes[v].count; ++e)
    if (!visited[edges[e]]) {
      cost[edges[e]] = cost[v] + 1;
      updating[edges[e]] = true;
    }
}

__global__ void hn_second(bool* mask, bool* updating, bool* visited, bool* over, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !updating[v]) return;
  mask[v] = true;
  visited[v] = true;
  *over = true;
  updating[v] = false;
}

class TwoKernels : public Search {
 public:
  explicit TwoKernels(const Arrays& a)
      : n_(a.n), nodes_(nodes_of(a)), edges_(a.targets), mask_(a.n), updating_(a.n), visited_(a.n), over_(1), cost_(a.n) {}
  void run(int source) override {
    mask_.fill_bytes(0);
    updating_.fill_bytes(0);
    visited_.fill_bytes(0);
    cost_.fill_bytes(0xFF);
    mask_.set(true, static_cast<std::size_t>(source));
    visited_.set(true, static_cast<std::size_t>(source));
    cost_.set(0, static_cast<std::size_t>(source));
    do {
      over_.set(false);
      hn_first<<<blocks(n_), threads>>>(nodes_, edges_, mask_, updating_, visited_, cost_, n_);
      hn_second<<<blocks(n_), threads>>>(mask_, updating_, visited_, over_, n_);
    } while (over_.get());
  }
  std::vector<int> distances() const override { return cost_.all(); }

 private:
  static std::vector<Node> nodes_of(const Arrays& a) {
    std::vector<Node> nodes(static_cast<std::size_t>(a.n));
    for (int v = 0; v < a.n; ++v) nodes[v] = {a.offsets[v], a.offsets[v + 1] - a.offsets[v]};
    return nodes;
  }
  int n_;
  DeviceArray<Node> nodes_;
  DeviceArray<int> edges_;
  DeviceArray<bool> mask_, updating_, visited_, over_;
  DeviceArray<int> cost_;
};

// ---- GPU101 ----

/// A block takes a frontier vertex, its threads the arcs, all in one launch. `sync_all` ends a level for all blocks.
template <class SyncAll>
__device__ void block_per_vertex(const int* offsets, const int* targets, unsigned* level, int* queue_a, int* queue_b,
                                 volatile int* sizes, SyncAll sync_all) {
  int *from = queue_a, *to = queue_b;
  unsigned current = 1;
  for (;; ++current) {
    const int size = sizes[(current - 1) % 2];
    if (size == 0) return;
    for (int i = blockIdx.x; i < size; i += gridDim.x) {
      const int v = from[i];
      for (int e = offsets[v] + threadIdx.x; e < offsets[v + 1]; e += blockDim.x)
        if (atomicCAS(&level[targets[e]], none, current) == none)
          to[atomicAdd(const_cast<int*>(&sizes[current % 2]), 1)] = targets[e];
    }
    sync_all();
    if (blockIdx.x == 0 && threadIdx.x == 0) sizes[(current - 1) % 2] = 0;
    sync_all();
    int* const swapped = from;
    from = to;
    to = swapped;
  }
}

__global__ void one_block_per_vertex(const int* offsets, const int* targets, unsigned* level, int* a, int* b, int* sizes) {
  block_per_vertex(offsets, targets, level, a, b, sizes, [] { __syncthreads(); });
}

__global__ void grid_block_per_vertex(const int* offsets, const int* targets, unsigned* level, int* a, int* b, int* sizes) {
  block_per_vertex(offsets, targets, level, a, b, sizes, [] { cooperative_groups::this_grid().sync(); });
}

class BlockPerVertex : public Levels {
 public:
  BlockPerVertex(const Arrays& a, bool one_block)
      : Levels(a), one_block_(one_block), offsets_(a.offsets), targets_(a.targets), a_(a.n), b_(a.n), sizes_(2) {}
  void run(int source) override {
    start(source);
    a_.set(source);
    sizes_.set(1, 0);
    sizes_.set(0, 1);
    constexpr int block = 64;
    if (one_block_) {
      one_block_per_vertex<<<1, 1024>>>(offsets_, targets_, level_, a_, b_, sizes_);
      check(cudaDeviceSynchronize());
      return;
    }
    int resident = 0, device = 0, multiprocessors = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, grid_block_per_vertex, block, 0));
    int *offsets = offsets_, *targets = targets_, *a = a_, *b = b_, *sizes = sizes_;
    unsigned* level = level_;
    void* arguments[] = {&offsets, &targets, &level, &a, &b, &sizes};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_block_per_vertex), dim3(resident * multiprocessors),
                                      dim3(block), arguments));
    check(cudaDeviceSynchronize());
  }

 private:
  bool one_block_;
  DeviceArray<int> offsets_, targets_, a_, b_, sizes_;
};

template <class S>
std::unique_ptr<Search> make(const Arrays& a) {
  return std::make_unique<S>(a);
}

constexpr const char* clamp =
    "the source resets the full block's counter while other threads add to it; here it counts on and is clamped after the "
    "barrier";

}  // namespace

std::vector<Version> textbook_versions() {
  return {
      {"PMPP 15.6 vertex push", "pmpp-vertex-push", "", "", make<VertexPush>},
      {"PMPP 15.8 vertex pull", "pmpp-vertex-pull", "", "", make<VertexPull>},
      {"PMPP 15.10 edges", "pmpp-edge", "", "", make<EdgeCentric>},
      {"PMPP 15.3 push, then pull", "pmpp-direction", "", "text only: the first two levels push, the others pull",
       make<Direction>},
      {"PMPP 15.12 frontier", "pmpp-frontier", "", "", make<Frontier>},
      {"PMPP 15.14 private frontier", "pmpp-private-frontier", "", clamp, make<PrivateFrontier>},
      {"PMPP 15.16 one grid first", "pmpp-single-grid", "",
       "what the block cannot hold goes to global memory, so that the level in which it overflows loses nothing",
       make<SingleGrid>},
      {"H&N two kernels", "hn-two-kernel", "", "", make<TwoKernels>},
      {"GPU101, one block", "gpu101-block-per-vertex", "",
       "queues in global memory instead of shared (they overflow), and one block: more never see each other's queues",
       [](const Arrays& a) -> std::unique_ptr<Search> { return std::make_unique<BlockPerVertex>(a, true); }},
      {"GPU101, all blocks", "gpu101-block-per-vertex", "",
       "queues in global memory, shared by all blocks, and a barrier of the whole grid",
       [](const Arrays& a) -> std::unique_ptr<Search> { return std::make_unique<BlockPerVertex>(a, false); }},
  };
}

}  // namespace hopwave::literal

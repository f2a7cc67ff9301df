// Maximum matching by forests of alternating paths. In each search breadth-first trees grow from all unmatched left vertices
// together, one layer per launch. A tree takes right vertices that no tree has yet, with their mates. A tree that reaches an
// unmatched right vertex stops, and its path from there to the root becomes part of the matching. Trees share no vertex, so all
// paths are taken at once. The last search is the one in which no tree reaches such a vertex.
// Source: A. Azad, A. Buluç, A. Pothen, Computing maximum cardinality matchings in parallel on bipartite graphs via
// tree-grafting, 2017; M. Deveci, K. Kaya, B. Uçar, Ü. Çatalyürek, GPU accelerated maximum cardinality matching algorithms for
// bipartite graphs, 2013. Ours differs: every search begins with new trees, and one array has both ends of each path.
#include <functional>
#include <span>
#include <utility>

#include "device/device.h"
#include "device/primitives/warp.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Device;

constexpr u32 threads = 256, most_blocks = 8192;

/// In device memory.
struct Words {
  u64 next;   ///< entries of the next queue
  u64 pairs;  ///< found since the call began: those of the matching, and ends of paths
};

/// Holds here: (1) left vertices have entries that lead to right ones, and no others; (2) mate[mate[v]] == v, except while a
/// search lasts: the mate of a root whose tree has reached an unmatched right vertex is that one, which does not know it yet;
/// (3) tree[u] of a right vertex is the left one that took it, tree[v] of a left one its root; both are no_vertex before.
template <class Offset>
struct Sides {
  u32 n;
  u64 lefts;
  const Offset* offsets;
  const u32* neighbors;
  const u32* left;
  u32* mate;
  u32* tree;
  Words* words;
};

HW_DEVICE u64 first_warp() { return u64{dev::block()} * dev::warps() + dev::warp(); }
HW_DEVICE u64 all_warps() { return u64{dev::grid_size()} * dev::warps(); }

/// By whole warps: lanes with `goes` append their vertices.
HW_DEVICE void put(Words* words, bool goes, u32 v, u64 room, u32* queue) {
  const dev::LaneBits all = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, goes));
  if (!all) return;
  const u64 place = dev::warp_reserve(&words->next, static_cast<u64>(dev::popcount(all))) + dev::rank_in(all);
  HW_CHECK(!goes || place < room);
  if (goes) dev::plain_write(&queue[place], v);
}

HW_DEVICE void count_pairs(Words* words, u64 pairs) {
  u64 all = 0;
  dev::warp_exclusive_sum(pairs, all);
  if (dev::lane() == 0 && all) dev::fetch_add(&words->pairs, all);
}

/// A warp has a left vertex, which takes the first neighbour that it finds free.
template <class Offset>
HW_KERNEL void take_free(Sides<Offset> g) {
  u64 pairs = 0;
  for (u64 i = first_warp(); i < g.lefts; i += all_warps()) {
    const u32 v = dev::read_only(&g.left[i]);
    const u64 end = g.offsets[v + 1ull];
    bool done = false;
    for (u64 first = g.offsets[v]; first < end && !done; first += dev::lanes) {
      const u64 e = first + dev::lane();
      const u32 u = e < end ? dev::read_only(&g.neighbors[e]) : v;
      HW_CHECK(u < g.n);
      bool free = e < end && dev::load(&g.mate[u]) == no_vertex;
      for (dev::LaneBits left; !done && (left = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, free)));) {
        const bool tries = free && dev::rank_in(left) == 0;
        const bool takes = tries && dev::compare_exchange(&g.mate[u], no_vertex, v) == no_vertex;
        if (takes) dev::plain_write(&g.mate[v], u), ++pairs;
        if (tries) free = false;
        done = dev::any(dev::all_lanes, takes);
      }
    }
  }
  count_pairs(g.words, pairs);
}

template <class Offset>
HW_KERNEL void find_roots(Sides<Offset> g, u32* roots) {
  const u64 all = (g.lefts + dev::lanes - 1) / dev::lanes * dev::lanes;
  for (u64 i = dev::global_thread(); i < all; i += dev::global_threads()) {
    const u32 v = i < g.lefts ? dev::read_only(&g.left[i]) : 0;
    const bool goes = i < g.lefts && dev::plain_read(&g.mate[v]) == no_vertex;
    if (goes) dev::plain_write(&g.tree[v], v);
    put(g.words, goes, v, g.lefts, roots);
  }
}

/// A warp has a left vertex of a tree: lanes take its neighbours that are in no tree, with their mates.
template <class Offset>
HW_KERNEL void grow(Sides<Offset> g, const u32* layer, u64 count, u32* queue) {
  u64 pairs = 0;
  for (u64 i = first_warp(); i < count; i += all_warps()) {
    const u32 v = dev::plain_read(&layer[i]);
    const u32 root = dev::plain_read(&g.tree[v]);
    bool done = dev::shuffle(dev::all_lanes, dev::load(&g.mate[root]), 0) != no_vertex;
    const u64 end = g.offsets[v + 1ull];
    for (u64 first = g.offsets[v]; first < end && !done; first += dev::lanes) {
      const u64 e = first + dev::lane();
      const u32 u = e < end ? dev::read_only(&g.neighbors[e]) : v;
      HW_CHECK(u < g.n);
      const bool takes =
          e < end && dev::load(&g.tree[u]) == no_vertex && dev::compare_exchange(&g.tree[u], no_vertex, v) == no_vertex;
      const u32 mate = takes ? dev::plain_read(&g.mate[u]) : no_vertex;
      const bool goes = takes && mate != no_vertex, ends = takes && mate == no_vertex;
      if (goes) {
        HW_CHECK(mate < g.n);
        dev::plain_write(&g.tree[mate], root);
      }
      if (ends && dev::compare_exchange(&g.mate[root], no_vertex, u) == no_vertex) ++pairs;
      put(g.words, goes, mate, g.lefts, queue);
      done = dev::any(dev::all_lanes, ends);
    }
  }
  count_pairs(g.words, pairs);
}

/// A thread has a root: along the path of its tree, each left vertex gets the right one that it took.
template <class Offset>
HW_KERNEL void augment(Sides<Offset> g, const u32* roots, u64 count) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const u32 root = dev::plain_read(&roots[i]);
    u32 u = dev::plain_read(&g.mate[root]), v = no_vertex;
    if (u == no_vertex) continue;
    for (u64 steps = 0; v != root; ++steps) {
      HW_CHECK(u < g.n && steps < g.lefts);
      v = dev::plain_read(&g.tree[u]);
      const u32 before = dev::plain_read(&g.mate[v]);
      dev::plain_write(&g.mate[v], u);
      dev::plain_write(&g.mate[u], v);
      u = before;
    }
  }
}

device::LaunchShape shape(const Device& device, u64 items) { return device::strided(device, items, threads, most_blocks); }

template <class Offset>
u64 match(Device& device, Sides<Offset> g, std::span<const u32> left, std::span<u32> mate, std::span<u32> tree,
          const std::function<void(std::uint64_t)>& go_on) {
  const device::Buffer<u32> left_there(device, left);
  device::Buffer<u32> mate_there(device, std::span<const u32>(mate)), tree_there(device, tree.size());
  const device::Buffer<u32> roots(device, left.size()), first(device, left.size()), second(device, left.size());
  Words words{};
  device::Buffer<Words> words_there(device, std::span<const Words>(&words, 1));
  g.lefts = left.size();
  g.left = left_there.data(), g.mate = mate_there.data(), g.tree = tree_there.data(), g.words = words_there.data();
  const auto taken = [&] {
    words_there.download(std::span(&words, 1));
    const u64 next = std::exchange(words.next, 0);
    words_there.upload(std::span<const Words>(&words, 1));
    return next;
  };
  u32* const queues[2] = {first.data(), second.data()};
  device::launch(device, {shape(device, g.lefts * dev::lanes)}, take_free<Offset>, g);
  for (u64 searches = 1;; ++searches) {
    tree_there.fill_bytes(0xFF);
    device::launch(device, {shape(device, g.lefts)}, find_roots<Offset>, g, roots.data());
    const u64 trees = taken(), before = words.pairs;
    go_on(words.pairs);
    const u32* layer = roots.data();
    u32 turn = 0;
    for (u64 count = trees; count > 0; turn = 1 - turn) {
      device::launch(device, {shape(device, count * dev::lanes)}, grow<Offset>, g, layer, count, queues[turn]);
      count = taken();
      layer = queues[turn];
      go_on(words.pairs);
    }
    if (words.pairs == before) {
      mate_there.download(mate);
      tree_there.download(tree);
      return searches;
    }
    device::launch(device, {shape(device, trees)}, augment<Offset>, g, static_cast<const u32*>(roots.data()), trees);
  }
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::matching {

std::uint64_t HW_ON_MACHINE(grow_forests)(device::Device& device, const resident::RowsOnDevice& rows,
                                          std::span<const VertexId> left, std::span<VertexId> mate, std::span<VertexId> tree,
                                          const std::function<void(std::uint64_t)>& go_on) {
  const auto as = [&]<class Offset>(const Offset* offsets) {
    using namespace HW_MACHINE;
    return match(device,
                 Sides<Offset>{.n = rows.num_vertices,
                               .lefts = 0,
                               .offsets = offsets,
                               .neighbors = rows.neighbors,
                               .left = nullptr,
                               .mate = nullptr,
                               .tree = nullptr,
                               .words = nullptr},
                 left, mate, tree, go_on);
  };
  return rows.offsets64 ? as(rows.offsets64) : as(rows.offsets32);
}

}  // namespace hopwave::inline v0_1::matching

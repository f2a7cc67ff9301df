// Two kernels per level over all vertices, with masks: the first visits the neighbours of masked vertices, the second makes
// what was found the next mask. Source: Harish & Narayanan, HiPC'07, algorithms 1 and 2; the ROCm and Rodinia examples built on
// it. Ours differs: stores that several threads make are relaxed atomics; the `over` flag holds a level number and needs no
// reset.
#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

/// As the source stores a vertex: where its arcs start and how many there are, read in one go.
template <class Offset>
struct Node {
  Offset start;
  Offset count;
};

template <class Offset>
HW_KERNEL void hn_make_nodes(const Offset* offsets, VertexId num_vertices, Node<Offset>* nodes) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads())
    dev::plain_write(&nodes[v],
                     {dev::plain_read(&offsets[v]), dev::plain_read(&offsets[v + 1]) - dev::plain_read(&offsets[v])});
}

/// A source may be given twice: both threads store the same.
HW_KERNEL void hn_mark_sources(const VertexId* sources, std::uint32_t count, std::uint8_t* mask, std::uint8_t* visited) {
  for (std::uint32_t i = dev::global_thread(); i < count; i += dev::global_threads()) {
    dev::store(&mask[dev::plain_read(&sources[i])], std::uint8_t{1});
    dev::store(&visited[dev::plain_read(&sources[i])], std::uint8_t{1});
  }
}

template <class Offset>
HW_KERNEL void hn_visit(const Node<Offset>* nodes, const VertexId* neighbors, VertexId num_vertices, std::uint8_t* mask,
                        std::uint8_t* updating, const std::uint8_t* visited, Distance* cost, VertexId* parent,
                        Distance current) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (!dev::plain_read(&mask[v])) continue;
    dev::plain_write(&mask[v], 0);  // only this thread touches mask[v]
    const Node<Offset> node = dev::plain_read(&nodes[v]);
    visit_row<Offset>(neighbors + node.start, node.count, 0, 1, visited, [&](VertexId w, std::uint8_t seen) {
      // `visited` changes in the other kernel only. Several threads may find w: all store the same cost and the same mark,
      // and each of them is a right parent.
      if (seen) return;
      dev::store(&cost[w], current);
      dev::store(&updating[w], std::uint8_t{1});
      if (parent) dev::store(&parent[w], static_cast<VertexId>(v));
    });
  }
}

HW_KERNEL void hn_update(VertexId num_vertices, std::uint8_t* mask, std::uint8_t* updating, std::uint8_t* visited,
                         Distance current, Distance* over) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (!dev::plain_read(&updating[v])) continue;
    dev::plain_write(&updating[v], 0);
    dev::plain_write(&mask[v], 1);
    dev::plain_write(&visited[v], 1);
    found = true;
  }
  raise_flag(over, current, found);
}

class HnTwoKernel final : public FlagPlan {
 public:
  static constexpr Needs needs{.out = true};

  explicit HnTwoKernel(const PlanRequest& request)
      : FlagPlan(request, needs), mask_(new_flags()), updating_(new_flags()), visited_(new_flags()) {
    graph_.wide ? make_nodes(nodes64_) : make_nodes(nodes32_);
  }

 private:
  void start(const Query& query) override {
    FlagPlan::start(query);
    mask_.fill_bytes(0);
    updating_.fill_bytes(0);
    visited_.fill_bytes(0);
    sources_.each(query.sources, [&](const VertexId* part, std::uint32_t count) {
      launch(device_, {{.grid = blocks_for(count, 256), .block = std::min(count, 256u)}}, hn_mark_sources, part, count,
             mask_.data(), visited_.data());
    });
  }

  const char* expand(Distance current) override {
    graph_.wide ? visit(nodes64_, current) : visit(nodes32_, current);
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, hn_update, graph_.num_vertices, mask_.data(),
           updating_.data(), visited_.data(), current, last_found_.data());
    return "push";
  }

  template <class Offset>
  void make_nodes(Buffer<Node<Offset>>& nodes) {
    nodes = Buffer<Node<Offset>>(device_, graph_.num_vertices).as(MemoryKind::rows);
    launch(device_, {{.grid = blocks_for(graph_.num_vertices, 256), .block = 256}}, hn_make_nodes<Offset>,
           graph_.offsets<Offset>(), graph_.num_vertices, nodes.data());
  }

  template <class Offset>
  void visit(const Buffer<Node<Offset>>& nodes, Distance current) {
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, hn_visit<Offset>, nodes.data(),
           graph_.neighbors.data(), graph_.num_vertices, mask_.data(), updating_.data(), visited_.data(), level_.data(),
           parents_, current);
  }

  Buffer<Node<std::uint32_t>> nodes32_;
  Buffer<Node<std::uint64_t>> nodes64_;
  Buffer<std::uint8_t> mask_, updating_, visited_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    hn_two_kernel, {.info = {.name = "hn-two-kernel",
                             .summary = "two kernels per level over all vertices, with masks: visit, then update",
                             .source = "Harish & Narayanan, HiPC 2007; ROCm bfs example",
                             .device = "gpu",
                             .differs = "relaxed atomic stores where threads meet; a flag that needs no reset; keeps a parent",
                             .needs = HW_MACHINE::HnTwoKernel::needs,
                             .native_parents = true,
                             .parameters = {block_parameter, grid_parameter},
                             .work = {.method = "push",
                                      .over = "all vertices",
                                      .frontier = "flags: mask, updating, visited",
                                      .thread = "A thread has a vertex; a first launch labels neighbours of the frontier, a "
                                                "second makes those found the next frontier.",
                                      .item = Item::vertex_then_update,
                                      .whole_graph = true}},
                    .plan = plan_of<HW_MACHINE::HnTwoKernel>,
                    .storage = [](StorageCount& count) {
                      count.flag();
                      count.flags(3);
                      count.add(Held::records, "start and length of each node",
                                2 * count.offset_bytes() * count.shape().vertices);
                      count.block("visit, update");
                    }})

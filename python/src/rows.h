// A graph's rows in the caller's order, from which NetworkX's results take their order.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core.h"

namespace hopwave::python {

struct Rows {
  std::vector<EdgeIndex> offsets = {0};
  std::vector<VertexId> ends = {};

  [[nodiscard]] std::span<const VertexId> of(VertexId v) const {
    return {ends.data() + offsets[v], ends.data() + offsets[v + 1ull]};
  }
};

/// The memory of a walk. It is kept between calls, so a short walk in a large graph costs only what it touches.
struct Scratch {
  std::vector<std::uint64_t> seen;    // one bit per vertex; all 0 between walks
  std::vector<std::uint32_t> rank;    // position in `order`, for seen vertices
  std::vector<VertexId> order;        // vertices in the order in which they were found
  std::vector<std::uint32_t> parent;  // position in `order` of the vertex that found it

  explicit Scratch(VertexId n) : seen((n + 63ull) / 64), rank(n) {}
  [[nodiscard]] bool has(VertexId v) const { return (seen[v >> 6] >> (v & 63)) & 1; }
  void add(VertexId v, std::uint32_t by) {
    seen[v >> 6] |= std::uint64_t{1} << (v & 63);
    rank[v] = static_cast<std::uint32_t>(order.size());
    order.push_back(v);
    parent.push_back(by);
  }
  void clear() {
    for (const VertexId v : order) seen[v >> 6] = 0;
    order.clear();
    parent.clear();
  }
};

/// The rows of a graph. They are immutable, and any number of threads may walk along them.
class OrderedGraph {
 public:
  OrderedGraph(VertexId n, bool directed, Rows out, Rows in)
      : num_vertices_(n), directed_(directed), out_(std::move(out)), in_(std::move(in)) {}

  [[nodiscard]] VertexId num_vertices() const { return num_vertices_; }
  [[nodiscard]] bool directed() const { return directed_; }
  [[nodiscard]] const Rows& out() const { return out_; }
  [[nodiscard]] const Rows& in() const { return directed_ ? in_ : out_; }

  std::unique_ptr<Scratch> borrow() const {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Scratch> one = std::move(free_.back());
        free_.pop_back();
        return one;
      }
    }
    return std::make_unique<Scratch>(num_vertices_);
  }
  void give_back(std::unique_ptr<Scratch> one) const {
    one->clear();
    const std::lock_guard lock(mutex_);
    if (free_.size() < 2) free_.push_back(std::move(one));
  }

 private:
  VertexId num_vertices_;
  bool directed_;
  Rows out_, in_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Scratch>> free_;
};

/// The rows as Python holds them.
struct HeldRows {
  std::shared_ptr<const OrderedGraph> graph;
};

void bind_rows(nb::module_& module);
void bind_walk(nb::module_& module);
void bind_strong_order(nb::module_& module);
void bind_girth(nb::module_& module);
void bind_both_ends(nb::module_& module);

}  // namespace hopwave::python

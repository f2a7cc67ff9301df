// A prepared graph on the devices that share it: who has which vertex, queries by its ids, answers in the caller's order, and
// the check of a drawn graph's answers.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "bfs/engine/partitioned/check.h"
#include "bfs/engine/partitioned/dealer.h"
#include "bfs/engine/partitioned/parts.h"
#include "core/stopwatch.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using hopwave::engine::PartitionedRequest;

template <class Offset>
class Dealt {
 public:
  /// Orders the vertices, and says in each part which rows it will have. With the first device as the current one.
  Dealt(Parts<Offset>& parts, const PartitionedRequest& request, u32 num_vertices, u64 num_arcs)
      : parts_(parts), num_vertices_(num_vertices) {
    check_share(0, num_arcs / parts.size());  // some share has no fewer, however the vertices are dealt out
    order_ = request.drawn ? count_drawn(*request.drawn) : find_order<Offset>(*parts_[0].device, request.view);
    const u32 devices = static_cast<u32>(parts_.size());
    const auto blocks = [&](std::uint64_t d) { return std::uint64_t{num_vertices_} * d / devices; };
    dealing_ = {.devices = devices, .mine = 0, .num_vertices = num_vertices_, .num_dealt = order_.num_dealt, .first = {}};
    State<Offset> all{};
    all.devices = devices;
    all.num_vertices = order_.num_dealt;
    all.num_arcs = num_arcs;
    for (u32 d = 0; d < devices; ++d) {
      Part<Offset>& part = parts_[d];
      part.first = std::uint64_t{all.first_word[d]} * word_bits;
      part.count = (std::uint64_t{order_.num_dealt} + devices - 1 - d) / devices;
      part.block_first = blocks(d);
      part.block_count = blocks(d + 1) - blocks(d);
      dealing_.first[d] = static_cast<u32>(part.first);
      all.first_word[d + 1] = all.first_word[d] + static_cast<u32>((part.count + word_bits - 1) / word_bits);
    }
    all.num_ids = all.first_word[devices] * word_bits;
    for (u32 d = 0; d < devices; ++d) {
      State<Offset>& s = parts_[d].state;
      s = all;
      s.mine = d;
      s.first = static_cast<u32>(parts_[d].first);
      s.count = static_cast<u32>(parts_[d].count);
    }
    if (request.drawn) place_drawn();
  }

  [[nodiscard]] u32 num_dealt() const { return dealing_.num_dealt; }
  [[nodiscard]] double counting_seconds() const { return counting_seconds_; }

  /// By the device's own thread: its rows, and room for answers.
  void take_rows(Part<Offset>& part, const PartitionedRequest& request) const {
    Device& device = *part.device;
    const strategy::View& view = request.view;
    if (!part.dealer) part.dealer = std::make_unique<Dealer<Offset>>(device, dealing_of(part), part.state.count, order_);
    if (request.drawn) {
      part.rows = part.dealer->rows_of(*request.drawn, std::move(part.rows.offsets));
    } else {
      take_answers(part);
      part.rows = part.dealer->rows_of(*view.forward, true, name_of(part));
      if (!view.symmetric) part.in_rows = part.dealer->rows_of(*view.backward, false, nullptr);
    }
    part.block_rank = part.dealer->ranks_of(static_cast<u32>(part.block_first), static_cast<u32>(part.block_count));
    part.dealer.reset();
    part.block_distance = Buffer<Distance>(device, part.block_count).as(MemoryKind::levels);
    device.wait();
  }

  /// The same query by ids. Vertices without arcs have none: such sources are kept until the answer is fetched.
  [[nodiscard]] Query by_ids(const Query& wanted) {
    Query query = wanted;
    query.sources.clear();
    alone_.clear();
    for (const VertexId v : wanted.sources)
      if (const u32 by = id_of_vertex(v); by != no_vertex)
        query.sources.push_back(by);
      else
        alone_.push_back(v);
    source_ = query.sources.empty() ? no_vertex : query.sources[0];
    if (wanted.target != no_vertex) {
      query.target = id_of_vertex(wanted.target);
      if (std::find(alone_.begin(), alone_.end(), wanted.target) != alone_.end()) query.max_depth = 0;
    }
    return query;
  }

  /// Distances, and parents if there is room for them, by the caller's vertices.
  void fetch(std::span<Distance> distances, std::span<VertexId> parents) {
    const Answers from = answers();
    parts_.on_all([&](Part<Offset>& part) {
      if (part.block_count == 0) return;
      device::launch(*part.device, {device::strided(*part.device, part.block_count, 256, 8192)}, put_back, dealing_of(part),
                     from, part.block_rank.data(), static_cast<u32>(part.block_count), part.block_distance.data(),
                     parents.empty() ? nullptr : part.block_parent.data());
      part.block_distance.download(distances.subspan(part.block_first, part.block_count));
      if (!parents.empty()) part.block_parent.download(parents.subspan(part.block_first, part.block_count));
    });
    for (const VertexId v : alone_) distances[v] = 0;
  }

  /// Of a drawn graph: has the vertex an arc to another one?
  [[nodiscard]] bool has_neighbors(VertexId v) {
    const u32 id = id_of_vertex(v);
    if (id == no_vertex) return false;
    const u32 rank = order_.rank[v];
    const Part<Offset>& part = parts_[rank % dealing_.devices];
    const device::KeepCurrent keep(*part.device);
    const std::uint64_t row = rank / dealing_.devices;
    std::array<Offset, 2> bounds{};
    part.rows.offsets.download(std::span<Offset>(bounds), row);
    std::vector<u32> some(std::min<std::uint64_t>(bounds[1] - bounds[0], 1024));
    for (std::uint64_t at = bounds[0]; at < bounds[1]; at += some.size()) {
      some.resize(std::min<std::uint64_t>(some.size(), bounds[1] - at));
      part.rows.neighbors.download(std::span<u32>(some), at);
      if (std::any_of(some.begin(), some.end(), [&](u32 neighbor) { return neighbor != id; })) return true;
    }
    return false;
  }

  /// Checks the last answer of a symmetric graph: from one source, with parents, without other wishes.
  [[nodiscard]] hopwave::engine::PartitionedCheck check() {
    static constexpr const char* rules[] = {"source-distance", "distance-range", "no-parent",   "parent-range",
                                            "tree-levels",     "spanning",       "edge-levels", "tree-edge"};
    hopwave::engine::PartitionedCheck found;
    std::vector<Checked> checked(parts_.size());
    const Answers from = answers();
    parts_.on_all([&](Part<Offset>& part) { checked[part.state.mine] = check_part(part, from); });
    for (const auto& part : parts_) {
      const Checked& c = checked[part->state.mine];
      found.reached += c.reached;
      found.arcs += c.arcs;
      found.depth = std::max(found.depth, static_cast<Distance>(c.depth));
      if (c.first_failure == none || found.broken) continue;
      found.broken = rules[FailedRule::get(c.first_failure)];
      const device::KeepCurrent keep(*part->device);
      part->device->copy_out(&found.vertex, name_of(*part) + FailedRow::get(c.first_failure), sizeof(VertexId));
    }
    return found;
  }

 private:
  /// Degrees of a drawn graph, counted by all devices: each draws its part of the edges.
  Order count_drawn(const hopwave::engine::DrawnEdges& edges) {
    const core::Stopwatch watch;
    parts_.on_all([&](Part<Offset>& part) {
      const std::size_t d = part.number, all = parts_.size();
      part.counted = device::PeerBuffer(*part.device, std::max<std::size_t>(num_vertices_ * sizeof(u32), 1));
      part.device->fill_bytes(part.counted.data(), 0, part.counted.size());
      const std::uint64_t from = edges.count / all * d, to = d + 1 == all ? edges.count : edges.count / all * (d + 1);
      device::launch(*part.device, {device::strided(*part.device, to - from, 256, 8192)}, count_ends, edges.draw, from, to,
                     reinterpret_cast<u32*>(part.counted.data()));
      part.device->wait();
    });
    Order order = find_order<Offset>(*parts_[0].device, counted(), static_cast<u32>(parts_.size()), num_vertices_);
    counting_seconds_ = watch.seconds();
    return order;
  }
  [[nodiscard]] Counted counted() const {
    Counted all{};
    for (std::size_t d = 0; d < parts_.size(); ++d) all.degree[d] = reinterpret_cast<const u32*>(parts_[d].counted.data());
    return all;
  }
  /// Where the rows of a drawn graph are. Then the counts are not needed any more, and the rows can have their memory.
  void place_drawn() {
    parts_.on_all([&](Part<Offset>& part) {
      take_answers(part);
      part.dealer = std::make_unique<Dealer<Offset>>(*part.device, dealing_of(part), part.state.count, order_);
      part.rows.offsets = part.dealer->places_of(counted(), name_of(part));
      part.device->wait();
    });
    parts_.on_all([&](Part<Offset>& part) { part.counted = {}; });
  }
  [[nodiscard]] static u32* name_of(const Part<Offset>& part) {
    return reinterpret_cast<u32*>(part.distance.data() + part.count);
  }
  void take_answers(Part<Offset>& part) const {
    part.answers =
        device::PeerBuffer(*part.device, std::max<std::size_t>(part.count * (sizeof(Distance) + sizeof(u32)), sizeof(u32)));
    part.distance = Buffer<Distance>::borrowed(*part.device, reinterpret_cast<Distance*>(part.answers.data()), part.count);
  }

  [[nodiscard]] Dealing dealing_of(const Part<Offset>& part) const {
    Dealing dealing = dealing_;
    dealing.mine = part.state.mine;
    return dealing;
  }

  [[nodiscard]] u32 id_of_vertex(VertexId v) const {
    const u32 rank = order_.rank[v];
    return rank < dealing_.num_dealt ? id_of(dealing_, rank) : no_vertex;
  }
  [[nodiscard]] Answers answers() const {
    Answers all{};
    for (const auto& part : parts_) {
      all.distance[part->state.mine] = part->distance.data();
      all.parent[part->state.mine] = part->parent.data();
      all.name[part->state.mine] = name_of(*part);
    }
    return all;
  }

  /// By the device's own thread: its rows of the last answer. Levels of all ids go where parents were noted, which are not
  /// needed after a search.
  Checked check_part(Part<Offset>& part, const Answers& from) {
    Device& device = *part.device;
    const State<Offset>& s = part.state;
    const Dealing dealing = dealing_of(part);
    auto* const level = reinterpret_cast<Distance*>(part.reached_by.data());
    Buffer<Byte> proved(device, part.count);
    const Checked start{0, 0, none, 0, 0};
    Buffer<Checked> checked(device, std::span<const Checked>(&start, 1));
    const u64 arcs = part.rows.neighbors.size();
    const auto shape = [&](u64 items) { return device::strided(device, items, 256, 8192); };
    device::launch(device, {shape(s.num_ids)}, copy_levels, dealing, from, level);
    const Checking<Offset> checking{.offsets = s.offsets,
                                    .neighbors = s.neighbors,
                                    .rows = s.count,
                                    .ids = s.num_ids,
                                    .source = source_,
                                    .arcs = arcs,
                                    .level = level,
                                    .parent = part.parent.data(),
                                    .proved = proved.data(),
                                    .checked = checked.data()};
    if (part.count != 0) {
      device::launch(device, {shape(part.count)}, check_vertices<Offset>, dealing, checking);
      device::launch(device, {shape(arcs / strips_a_chunk + dev::lanes)}, check_arcs<Offset>, dealing, checking);
      device::launch(device, {shape(part.count)}, check_proved, s.count, part.parent.data(), proved.data(), checked.data());
    }
    return checked.value();
  }

  Parts<Offset>& parts_;
  u32 num_vertices_;
  Order order_;
  Dealing dealing_{};
  std::vector<VertexId> alone_;  ///< sources of the last search that have no arcs
  u32 source_ = no_vertex;       ///< id of its first one
  double counting_seconds_ = 0;
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned

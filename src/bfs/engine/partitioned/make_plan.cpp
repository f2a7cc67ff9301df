// Which machine's partitioned search it is, and how much memory it takes.
#include "bfs/engine/partitioned/make_plan.h"

#include "bfs/plan/thresholds.h"
#include "device/on_machine.h"
#include "hopwave/error.h"

namespace hopwave::engine {

HW_FOR_EACH_MACHINE(std::unique_ptr<DrawnPlan>, partitioned_plan, const PartitionedRequest& request)

namespace {

std::unique_ptr<DrawnPlan> plan_of_its_machine(const PartitionedRequest& request) {
  return partitioned_plan(request.devices.at(0)->api())(request);
}

}  // namespace

std::unique_ptr<strategy::Plan> make_partitioned_plan(const PartitionedRequest& request) {
  return plan_of_its_machine(request);
}

std::unique_ptr<DrawnPlan> make_drawn_plan(const DrawnEdges& edges, const Parameters& parameters,
                                           const std::vector<std::shared_ptr<device::Device>>& devices) {
  return plan_of_its_machine(
      {.view = {}, .parameters = parameters, .devices = devices, .why = "it was asked for", .prepare = true, .drawn = &edges});
}

PartitionMemory partition_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, bool parents, std::uint64_t devices,
                                 bool prepare) {
  const std::uint64_t ways = directed ? 2 : 1, bitmap = vertices / 8 + 8;
  const auto share = [&](std::uint64_t whole) { return (whole + devices - 1) / devices; };
  const std::uint64_t own = share(vertices), own_arcs = share(arcs);
  const std::uint64_t offset = arcs > most_narrow_arcs ? 8 : 4, entry = offset == 8 ? 32 : 16;
  const std::uint64_t answer = sizeof(Distance) * own + (parents ? sizeof(VertexId) * (own + vertices) : 0);
  // Prepared: whose rows they are, and the ranks and answers of a block in the caller's order.
  const std::uint64_t put_back = prepare ? sizeof(VertexId) * own * (parents ? 4 : 3) : 0;
  // Ranks and offsets of all vertices, what passes by, and the share once more while its rows are put in order.
  const std::uint64_t dealing =
      prepare ? (sizeof(VertexId) + offset) * vertices +
                    sizeof(VertexId) * (std::min(own_arcs, thresholds::Partitioned::most_arcs_passing) + own_arcs + 4 * own)
              : 0;
  // Offsets of all vertices, vertices and ranks, and what counting degrees leaves of each block (order_by_degree).
  const std::uint64_t ordering = prepare ? (offset + 2 * sizeof(VertexId)) * vertices + vertices / 2 : 0;
  return {.rows = ways * (offset * (own + 1) + sizeof(VertexId) * own_arcs),
          .firsts = sizeof(VertexId) * own,
          .answer = answer + put_back,
          .queues = 2 * entry * own,
          .bitmaps = 2 * bitmap + 3 * share(bitmap) + sizeof(VertexId) * list_size(vertices, devices),
          .ordering = ordering,
          .dealing = dealing};
}

}  // namespace hopwave::engine

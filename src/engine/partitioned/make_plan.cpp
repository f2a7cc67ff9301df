// Which machine's partitioned search it is, and how much memory it takes.
#include "engine/partitioned/make_plan.h"

#include "hopwave/error.h"

namespace hopwave::engine {

std::unique_ptr<strategy::Plan> partitioned_plan_sim(const PartitionedRequest& request);
#ifdef HOPWAVE_WITH_CUDA
std::unique_ptr<strategy::Plan> partitioned_plan_cuda(const PartitionedRequest& request);
#endif
#ifdef HOPWAVE_WITH_HIP
std::unique_ptr<strategy::Plan> partitioned_plan_hip(const PartitionedRequest& request);
#endif

std::unique_ptr<strategy::Plan> make_partitioned_plan(const PartitionedRequest& request) {
  const device::Api* api = &request.devices.at(0)->api();
#ifdef HOPWAVE_WITH_CUDA
  if (api == device::cuda_api()) return partitioned_plan_cuda(request);
#endif
#ifdef HOPWAVE_WITH_HIP
  if (api == device::hip_api()) return partitioned_plan_hip(request);
#endif
  static_cast<void>(api);
  return partitioned_plan_sim(request);
}

PartitionMemory partition_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, bool parents,
                                 std::uint64_t devices) {
  const std::uint64_t ways = directed ? 2 : 1, bitmap = vertices / 8 + 8;
  const auto share = [&](std::uint64_t whole) { return (whole + devices - 1) / devices; };
  const std::uint64_t own = share(vertices), own_arcs = share(arcs);
  const std::uint64_t offset = arcs > most_narrow_arcs ? 8 : 4, entry = offset == 8 ? 32 : 16;
  return {.rows = ways * (offset * (own + 1) + sizeof(VertexId) * own_arcs),
          .answer = sizeof(Distance) * own + (parents ? sizeof(VertexId) * (own + vertices) : 0),
          .queues = 2 * entry * own,
          .bitmaps = 2 * bitmap + 3 * share(bitmap)};
}

}  // namespace hopwave::engine

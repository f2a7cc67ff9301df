// The table of machines: which build.cu, check.cu, answer.cu, pivot_sums.cu, components.cu, strong.cu, betweenness.cu and
// reach.cu run on a device.
#include "resident/machine.h"

namespace hopwave::inline v0_1::resident {

#define HW_DECLARE_MACHINE(name)                                                                                              \
  void draw_rmat_##name(device::Device&, const generate_detail::Rmat&, std::uint64_t, std::uint64_t*);                        \
  void count_sources_##name(device::Device&, const std::uint64_t*, std::uint64_t, device::Buffer<std::uint32_t>&);            \
  Rows make_rows_##name(device::Device&, const RowRequest&, RowTally&);                                                       \
  CheckTally check_##name(device::Device&, const CheckRequest&);                                                              \
  void trim_answer_##name(device::Device&, Distance*, VertexId*, VertexId, Distance);                                         \
  void sum_answers_##name(device::Device&, const device::DeviceRows&, VertexId, AnswerSums*);                                 \
  std::vector<std::uint64_t> count_answer_##name(device::Device&, const Distance*, VertexId, Distance);                       \
  void begin_pivot_sums_##name(device::Device&, const PivotSumsThere&, VertexId, Distance);                                   \
  void add_to_pivot_sums_##name(device::Device&, const device::DeviceRows&, std::span<const Distance>, VertexId,              \
                                const PivotSumsThere&);                                                                       \
  void pack_answer_##name(device::Device&, const Distance*, VertexId, int, void*);                                            \
  VertexId first_bad_row_##name(device::Device&, const RowsOnDevice&);                                                        \
  void label_components_##name(device::Device&, const RowsOnDevice&, bool, VertexId*);                                        \
  BetweennessTally betweenness_##name(device::Device&, const BetweennessRequest&);                                            \
  StrongTally label_strong_##name(device::Device&, const StrongRequest&);                                                     \
  void reach_##name(device::Device&, const ReachRequest&, ReachMemory&, ReachAnswer&);                                        \
  void least_parents_##name(device::Device&, const RowsOnDevice&, const Distance*, VertexId*);                                \
  namespace {                                                                                                                 \
  const Machine machine_##name{draw_rmat_##name,         count_sources_##name, make_rows_##name,     check_##name,            \
                               trim_answer_##name,       sum_answers_##name,   count_answer_##name,  begin_pivot_sums_##name, \
                               add_to_pivot_sums_##name, pack_answer_##name,   first_bad_row_##name, label_components_##name, \
                               betweenness_##name,       label_strong_##name,  reach_##name,         least_parents_##name};   \
  }

HW_DECLARE_MACHINE(sim)
#ifdef HOPWAVE_WITH_CUDA
HW_DECLARE_MACHINE(cuda)
#endif
#ifdef HOPWAVE_WITH_HIP
HW_DECLARE_MACHINE(hip)
#endif

const Machine& machine(const device::Api& api) {
#ifdef HOPWAVE_WITH_CUDA
  if (&api == device::cuda_api()) return machine_cuda;
#endif
#ifdef HOPWAVE_WITH_HIP
  if (&api == device::hip_api()) return machine_hip;
#endif
  (void)api;
  return machine_sim;
}

}  // namespace hopwave::inline v0_1::resident

// Task 2 of docs/own-kernel.md, solved.
#include "examples/own_kernel/several_levels.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void several_levels_solution(const Offset* offsets, const VertexId* neighbors, VertexId* frontier, std::uint32_t size,
                                       VertexId* next, Distance* level, Distance current, std::uint32_t most,
                                       std::uint32_t limit, BlockResult* result) {
  HW_SHARED(std::uint32_t, found, 1);
  std::uint32_t levels = 0;
  for (; size != 0 && size <= limit && levels < most; ++levels, ++current) {
    if (dev::thread() == 0) dev::plain_write(&found[0], 0);
    dev::sync_block();
    for (std::uint32_t i = dev::thread(); i < size; i += dev::block_size()) {
      const VertexId v = dev::plain_read(&frontier[i]);
      const Offset end = dev::read_only(&offsets[v + 1]);
      for (Offset e = dev::read_only(&offsets[v]); e < end; ++e) {
        const VertexId w = dev::read_only(&neighbors[e]);
        if (claim(level, w, unreached, current)) dev::plain_write(&next[dev::fetch_add(&found[0], 1u)], w);
      }
    }
    dev::sync_block();
    size = dev::plain_read(&found[0]);
    dev::sync_block();  // all have read it before it is zero again
    VertexId* const other = frontier;
    frontier = next;
    next = other;
  }
  if (dev::thread() == 0) dev::plain_write(result, {size, levels});
}

class OwnSeveralLevelsSolution final : public SeveralLevels {
 public:
  explicit OwnSeveralLevelsSolution(const PlanRequest& request) : SeveralLevels(request) {}

 private:
  void one_block(Distance current, std::uint32_t most) override {
    graph_.wide ? levels<std::uint64_t>(current, most) : levels<std::uint32_t>(current, most);
  }
  template <class Offset>
  void levels(Distance current, std::uint32_t most) {
    launch(device_, {{.grid = 1, .block = block_}}, several_levels_solution<Offset>, graph_.offsets<Offset>(),
           graph_.neighbors.data(), frontier(), size_, next(), level_.data(), current, most, limit_, result_.data());
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(own_several_levels_solution,
                     HW_MACHINE::several_levels<HW_MACHINE::OwnSeveralLevelsSolution>(
                         "own-several-levels-solution", "task 2: one block takes consecutive small levels"))

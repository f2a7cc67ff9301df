// Task 1 of docs/own-kernel.md. This file is yours.
#include "examples/own_kernel/both_directions.h"

namespace hopwave::HW_MACHINE {
namespace {

class OwnBothDirections final : public BothDirections {
 public:
  explicit OwnBothDirections(const PlanRequest& request) : BothDirections(request) {}

 private:
  LevelStep step([[maybe_unused]] Distance current) override {
    // Your part: frontier_ vertices, of graph_.num_vertices, are in the level before. Choose a direction, call push(current)
    // or pull(current), and keep what it returns for the next level. As it is, the search ends here and finds nothing.
    return {.more = false, .direction = "push"};
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(own_both_directions, HW_MACHINE::both_directions<HW_MACHINE::OwnBothDirections>(
                                              "own-both-directions", "task 1, to be written: pushes or pulls level by level"))

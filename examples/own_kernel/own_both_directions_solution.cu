// Task 1 of docs/own-kernel.md, solved.
#include "examples/own_kernel/both_directions.h"

namespace hopwave::HW_MACHINE {
namespace {

class OwnBothDirectionsSolution final : public BothDirections {
 public:
  explicit OwnBothDirectionsSolution(const PlanRequest& request) : BothDirections(request) {}

 private:
  LevelStep step(Distance current) override {
    // With a tenth of all vertices in the frontier an unvisited vertex meets one of them after a few looks.
    const bool pulls = std::uint64_t{frontier_} * 10 >= graph_.num_vertices;
    frontier_ = pulls ? pull(current) : push(current);
    return {.more = frontier_ != 0, .discovered = frontier_, .direction = pulls ? "pull" : "push"};
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(own_both_directions_solution,
                     HW_MACHINE::both_directions<HW_MACHINE::OwnBothDirectionsSolution>(
                         "own-both-directions-solution", "task 1: pulls while a tenth of the vertices is in the frontier"))

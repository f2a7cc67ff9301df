// Level-synchronous push on all cores: a sliding queue and thread-local buffers; distances say who is visited.
// Source: the classic parallel breadth-first search, as GAP's top-down step does it.
// Ours differs: neighbours are filtered in batches before any is claimed; levels of few arcs by one thread alone; long rows
// shared by all.
#include "strategy/cpu/level_search.h"

HOPWAVE_CPU_STRATEGY(cpu_parallel,
                     {.info = {.name = "cpu-parallel",
                               .summary = "level-synchronous push on all cores",
                               .source = "the classic method; Beamer et al., GAP Benchmark Suite, top-down step",
                               .device = "cpu",
                               .differs = "claims in batches; small levels by one thread alone; long rows shared by all",
                               .needs = {},
                               .native_parents = true,
                               .parameters = {{"alone", 4096, 0, std::int64_t{1} << 40,
                                               "arcs up to which a level is left to one thread"}}},
                      .plan = [](const PlanRequest& request) -> std::unique_ptr<Plan> {
                        return std::make_unique<cpu::LevelSearch>(request, cpu::Tuning{.alone = parameter(request, "alone")});
                      }})

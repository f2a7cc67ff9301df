// Level-synchronous push on all cores: a sliding queue and thread-local buffers.
// Source: the classic parallel breadth-first search, as GAP's top-down step does it.
// Ours differs: all collect neighbours that a bitmap says are not visited, then each settles its own vertices, without an
// atomic; levels of few arcs by one thread alone; long rows shared by all.
#include "bfs/plan/thresholds.h"
#include "bfs/strategy/cpu/level_search.h"

HOPWAVE_CPU_STRATEGY(
    cpu_parallel,
    {.info =
         {.name = "cpu-parallel",
          .summary = "level-synchronous push on all cores",
          .source = "the classic method; Beamer et al., GAP Benchmark Suite, top-down step",
          .device = "cpu",
          .differs = "each member settles its own vertices; small levels by one thread alone; long rows shared by all",
          .needs = {},
          .native_parents = true,
          .parameters =
              {{"alone", -1, -1, std::int64_t{1} << 40, "arcs up to which a level is left to one thread; -1: by the graph"},
               {"sixteen", -1, -1, 1,
                "1: look at sixteen neighbours at a time, if the processor has AVX-512; 0: at one; -1: by the graph"},
               {"regular", -1, -1, 1,
                "1: branches, as where a processor guesses what a frontier finds; 0: never; -1: by a look at the frontier"}},
          .work = {.method = "push",
                   .over = "frontier vertices",
                   .frontier = "a queue",
                   .thread = "Levels and tree alone: a CPU strategy deals out work as its threads come for it."}},
     .plan = [](const PlanRequest& request) -> std::unique_ptr<Plan> {
       return std::make_unique<cpu::LevelSearch>(request, cpu::Tuning{.alone = parameter(request, "alone"),
                                                                      .sixteen = parameter(request, "sixteen"),
                                                                      .regular = parameter(request, "regular")});
     }})

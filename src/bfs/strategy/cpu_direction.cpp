// Direction-optimizing search: push while the frontier is small, pull through bitmaps while it is large.
// Source: Beamer, Asanović, Patterson, Direction-Optimizing Breadth-First Search, SC'12.
// Ours differs: see bfs/strategy/cpu/level_search.h; prepared, each vertex asks its neighbour of highest degree first.
#include "bfs/plan/thresholds.h"
#include "bfs/strategy/cpu/level_search.h"

HOPWAVE_CPU_STRATEGY(
    cpu_direction,
    {.info =
         {.name = "cpu-direction",
          .summary = "push or pull, whichever is cheaper for the level",
          .source = "Beamer, Asanović, Patterson, SC'12",
          .device = "cpu",
          .differs = "small levels by one thread alone; steered by expected arcs; heads first when prepared",
          .needs = {.out = true, .in = true},
          .native_parents = true,
          .parameters =
              {{"alpha", thresholds::Cpu::alpha, 0, std::int64_t{1} << 40,
                "pull when alpha/16 x the frontier's arcs exceed those a pull should look at; 0: never"},
               {"beta", thresholds::Cpu::beta, 0, std::int64_t{1} << 40,
                "pull on while beta/16 x the frontier's arcs exceed those last read in vain; 0: never"},
               {"alone", -1, -1, std::int64_t{1} << 40, "arcs up to which a level is left to one thread; -1: by the graph"},
               {"sixteen", -1, -1, 1,
                "1: look at sixteen neighbours at a time, if the processor has AVX-512; 0: at one; -1: by the graph"},
               {"regular", -1, -1, 1,
                "1: branches, as where a processor guesses what a frontier finds; 0: never; -1: by a look at the frontier"}},
          .work = {.method = "push and pull",
                   .over = "vertices",
                   .frontier = "a queue or a bitmap",
                   .thread = "Levels and tree alone: a CPU strategy deals out work as its threads come for it."}},
     .plan = [](const PlanRequest& request) -> std::unique_ptr<Plan> {
       return std::make_unique<cpu::LevelSearch>(request, cpu::Tuning{.pull = true,
                                                                      .alpha = parameter(request, "alpha"),
                                                                      .beta = parameter(request, "beta"),
                                                                      .alone = parameter(request, "alone"),
                                                                      .sixteen = parameter(request, "sixteen"),
                                                                      .regular = parameter(request, "regular")});
     }})

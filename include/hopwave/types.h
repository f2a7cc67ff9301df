// The words every other header uses: ids, indices, distances and what "none" and "unreached" are.
// Widths follow the field's practice (GAP, Gunrock, cuGraph): 32-bit vertices, 64-bit edges.
#pragma once

#include <compare>
#include <cstdint>

#include "hopwave/version.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

using VertexId = std::uint32_t;   ///< internal vertex, 0 … num_vertices − 1; callers' own ids are in Ids
using EdgeIndex = std::uint64_t;  ///< position in an edge array; graphs beyond 2³² edges are ordinary
using Distance = std::int32_t;    ///< hops from the nearest source

inline constexpr Distance unreached = -1;              ///< distance of a vertex that no path reaches
inline constexpr VertexId no_vertex = 0xFFFFFFFFu;     ///< parent of a source and of an unreached vertex
inline constexpr VertexId max_vertices = 0xFFFFFFFEu;  ///< 2³² − 2: one id is kept for no_vertex

/// Where work is done. `automatic`: on a GPU if one can be used, else on the CPU.
enum class DeviceKind { automatic, cpu, gpu, sim };

/// How the simulator draws which thread runs next. All but `uniform` hold somebody back, since a thread far behind the others
/// is very unlikely otherwise. What is held back is drawn from the seed, anew for each launch.
enum class ScheduleKind {
  uniform,      ///< each thread is as likely
  slow_block,   ///< one block runs only when nobody else can
  slow_warp,    ///< one warp runs only when nobody else can
  held_thread,  ///< one thread stops at one word until all others wait
  pct,          ///< random priorities; the running thread loses its own at three drawn words
  weak,         ///< uniform, in weak memory: reads may be stale and stores late, as far as barriers, releases and fences allow
  load_buffering  ///< the same, and a store may be seen before a load that its thread makes first; each launch runs several
                  ///< times
};

/// A directed edge (an arc) between internal vertices.
struct Edge {
  VertexId source;
  VertexId target;
  friend bool operator==(const Edge&, const Edge&) = default;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

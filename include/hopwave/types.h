// The basic types of all other headers: vertices, indices and distances, and the values for "none" and "unreached".
// Widths follow the field's practice (GAP, Gunrock, cuGraph): 32-bit vertices, 64-bit edges.
#pragma once

#include <compare>
#include <cstdint>

#include "hopwave/version.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

using VertexId = std::uint32_t;   ///< internal vertex, 0 … num_vertices − 1; class Ids keeps the caller's own ids
using EdgeIndex = std::uint64_t;  ///< position in an edge array; graphs with more than 2³² edges are common
using Distance = std::int32_t;    ///< hops from the nearest source

inline constexpr Distance unreached = -1;              ///< distance of a vertex that no path reaches
inline constexpr VertexId no_vertex = 0xFFFFFFFFu;     ///< parent of a source and of an unreached vertex
inline constexpr VertexId max_vertices = 0xFFFFFFFEu;  ///< 2³² − 2: one id is kept for no_vertex

/// Where the work is done. `automatic`: on a GPU if one can be used, otherwise on the CPU.
enum class DeviceKind { automatic, cpu, gpu, sim };

/// How the simulator chooses the thread that runs next. All kinds but `uniform` delay some threads, because one thread
/// rarely falls far behind the others by chance. The seed determines which threads are delayed, anew for each launch.
enum class ScheduleKind {
  uniform,      ///< every thread is equally likely
  slow_block,   ///< one block runs only when no other block can run
  slow_warp,    ///< one warp runs only when no other warp can run
  held_thread,  ///< one thread stops at one memory word until all others wait
  pct,          ///< random priorities; the running thread loses its priority at three randomly chosen words
  weak,  ///< uniform, in weak memory: reads may be stale and stores late, as far as barriers, releases and fences allow it
  load_buffering  ///< like weak, and a store may also become visible before an earlier load of its thread; runs each launch
                  ///< several times
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

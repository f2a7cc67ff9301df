// The near-far search in device memory: distances, the two queues, the far piles, and what the steps count.
#pragma once

#include <bit>

#include "device/kernel.h"
#include "device/packed.h"

namespace hopwave::HW_MACHINE::sssp {

using dev::u32;
using dev::u64;

// Distances are doubles of 0 and more. Their bits as an integer have the same order, so that an integer minimum is the minimum
// of distances: words of 64 bits throughout, and doubles only to add.
constexpr u64 bits_of(double d) { return std::bit_cast<u64>(d); }
constexpr double to_double(u64 bits) { return std::bit_cast<double>(bits); }
inline constexpr u64 infinite = u64{0x7FF} << 52;  ///< the bits of an infinite distance

// One access reads an arc's end and its weight: as a word of 64 bits if floats hold the weights
// exactly, else as four words of 32 with a double.
using ArcTo = dev::Field<0, 32>;
using ArcWeight = dev::Field<32, 32>;  ///< the bits of a float
HW_DEVICE u32 end_of(u64 arc) { return static_cast<u32>(ArcTo::get(arc)); }
HW_DEVICE double weight_of(u64 arc) { return std::bit_cast<float>(static_cast<u32>(ArcWeight::get(arc))); }
HW_DEVICE void make_arc(u64& arc, u32 to, double weight) {
  arc = ArcTo::put(to) | ArcWeight::put(std::bit_cast<u32>(static_cast<float>(weight)));
}
using WideArc = dev::Quad;
HW_DEVICE u32 end_of(const WideArc& arc) { return arc.x; }
HW_DEVICE double weight_of(const WideArc& arc) { return to_double(u64{arc.w} << 32 | arc.z); }
HW_DEVICE void make_arc(WideArc& arc, u32 to, double weight) {
  const u64 bits = bits_of(weight);
  arc = {to, 0, static_cast<u32>(bits), static_cast<u32>(bits >> 32)};
}

// A queue's counter: its entries and their arcs, which one atomic reserves together. A vertex is in a queue once at most.
using QueueArcs = dev::Field<0, 33>;
using QueueSize = dev::Field<33, 31>;
inline constexpr u64 most_vertices = QueueSize::max, most_arcs = QueueArcs::max;
/// With 32-bit offsets: an arc's number, and what a warp adds to it in a round beyond the last, stay below 2^32.
inline constexpr u64 most_narrow_arcs = (u64{1} << 32) - 4096;

template <class Offset>
struct Entry {
  u32 vertex;
  Offset begin;   ///< of its row
  Offset before;  ///< arcs of all entries before it
};

/// Counters of one queue and one far pile. Three by turns: one is read, one is added to, and one is cleared for later.
struct alignas(128) Counters {
  u64 queue;    ///< QueueSize, QueueArcs
  u64 far_low;  ///< no distance in the pile was less when it came there
  u32 far_size;
  u32 halted;  ///< by step: a limit of the call was reached in the step before
};

/// How far the search has come. Every thread has it, the same; between launches it lies in Control.
struct Progress {
  u64 threshold;  ///< nearer vertices, and those as far, are final or queued; farther ones are in the pile
  u64 delta;      ///< width of a bucket, as the bits of a double
  u64 relaxed;    ///< arcs looked at
  u64 bucket;     ///< arcs looked at in this bucket
  u32 step;       ///< the queue of this step is that of turn step % 3
  u32 epoch;      ///< the pile is that of turn epoch % 3
  u32 began;      ///< the step in which this bucket began
  u32 left;       ///< steps that this launch may still take
  u32 done;       ///< 1: nothing is left
  u32 halted;     ///< 1: a limit of the call was reached
};

struct Control {
  Counters turn[3];
  Progress progress;
};

template <class Offset, class Arc>
struct NearFar {
  u32 num_vertices;
  const Offset* offsets;
  const Arc* arcs;
  u64* distance;
  u32* queued;  ///< by vertex: the last step whose queue it came to
  u32* piled;   ///< by vertex: the last epoch whose pile it came to
  Entry<Offset>* entries[2];
  u32* far[2];
  Control* control;
  const u32* halt;        ///< not 0 there: the search shall end; null: it has no limits
  u32 target;             ///< no_vertex: none
  u64 limit;              ///< the greatest distance asked for
  u64 narrow;             ///< arcs up to which one block takes a step alone
  u64 aim;                ///< arcs per step that the bucket's width is fitted to; 0: it does not change
  u64 narrowest, widest;  ///< widths, as the bits of doubles
  u32 steps;              ///< of a launch at most
};

}  // namespace hopwave::HW_MACHINE::sssp

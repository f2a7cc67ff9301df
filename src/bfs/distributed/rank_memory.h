// How much memory ranks need, and whether the machine that they share has it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bfs/distributed/transport.h"

namespace hopwave::ranks {

/// What a search on ranks shall do, as far as that takes memory.
struct RankUse {
  bool parents = false;
  bool both = false;        ///< along arcs and against them: of directed graphs the rows of both directions are merged
  bool verify = false;      ///< the answer is checked
  bool components = false;  ///< its source is looked for in the largest component, before the search
};

/// Bytes that a search takes on one rank of several: of an even cut, with messages as many as there can be.
struct RankMemory {
  std::uint64_t rows = 0, answer = 0, bitmaps = 0, messages = 0;  ///< messages: those of the check, too
  std::uint64_t components = 0;                                   ///< before the rest is taken, but for the rows
  std::uint64_t program = std::uint64_t{24} << 20;
  [[nodiscard]] std::uint64_t total() const noexcept {
    return rows + std::max(components, answer + bitmaps + messages) + program;
  }
};
/// Of a graph with so many stored arcs; directed ones are held both ways. `ranks`: 1 or more.
RankMemory rank_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, const RankUse& use, std::uint64_t ranks);

/// Bytes on the device of a rank that has one, of an even cut and with lists as long as they can be; the share stays on the
/// host too.
std::uint64_t rank_device_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, bool parents, std::uint64_t ranks);

/// Bytes that a rank needs while it draws its part of so many edges (draw_slices.h): its edges, its rows as they were drawn,
/// messages of a round, and the program. The owner of a hub may get more messages in a round.
std::uint64_t drawing_memory(std::uint64_t vertices, std::uint64_t edges, std::uint64_t arcs, std::uint64_t ranks);

/// The same for all processes on this running system, whatever its name: containers of one machine share it.
std::uint64_t number_of_this_system();

/// How many of the ranks run on this rank's machine. Collective.
std::uint64_t ranks_of_this_machine(Transport& transport);

struct MemoryNeed {
  std::uint64_t bytes = 0;  ///< of this rank
  bool exact = true;        ///< from a sample: only what is half as much again as there is counts as too much
  bool shared = false;      ///< each rank already reads or draws its share alone
};
/// `free`: what the machine has; `own`: what this process may have at most. Throws AgreedError HW-MEMORY-HOST where the ranks
/// of one machine, recognised by the running system's own number, need more together, or one needs more than it may have.
/// Collective.
void require_memory(Transport& transport, const MemoryNeed& need, std::uint64_t free, std::uint64_t own);

}  // namespace hopwave::ranks

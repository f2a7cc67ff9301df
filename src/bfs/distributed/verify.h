// The check of an answer that is shared out over ranks: the rules of validate(), each arc at the rank that has it.
#pragma once

#include "bfs/distributed/rank_search.h"

namespace hopwave::ranks {

/// Bytes for an arc, where arcs are sent and not distances.
inline constexpr std::uint64_t verify_message_bytes = 16, verify_reply_bytes = 8;

/// Are distances sent to all ranks, one rank's at a time (4 bytes for each vertex and rank), or a message for each arc? Rows of
/// directed graphs have outgoing arcs only, so the owner of a vertex must get messages for its incoming ones. Otherwise what
/// sends less.
constexpr bool verify_by_blocks(std::uint64_t vertices, std::uint64_t arcs, bool directed, std::uint64_t ranks) {
  return !directed && sizeof(Distance) * vertices * ranks <= verify_message_bytes * arcs;
}

/// Each arc is looked at in the row that was read, also for searches along arcs that were turned. `threads`: that look along a
/// rank's arcs; 0: one per hardware thread. Collective. Throws AgreedError HW-VERIFY; the message names the rule.
void verify(Transport& transport, const Share& share, const Query& query, const Answer& answer, Direction direction,
            int threads = 1);

}  // namespace hopwave::ranks

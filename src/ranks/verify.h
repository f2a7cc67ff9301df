// The check of an answer that is shared out over ranks: the rules of validate(), each arc at the rank that has it.
#pragma once

#include "ranks/search.h"

namespace hopwave::ranks {

inline constexpr std::uint64_t verify_message_bytes = 16;  ///< along an arc

/// Each rank sends the levels along its arcs to the owners of their heads, in rounds. The arcs are those that were read, also
/// for searches along arcs that were turned. Collective. Throws AgreedError HW-VERIFY; the message names the rule.
void verify(Transport& transport, const Share& share, const Query& query, const Answer& answer, Direction direction);

}  // namespace hopwave::ranks

// deliver_arcs(): a message along every arc, from the owner of its tail to the owner of its head.
#pragma once

#include <vector>

#include "ranks/share.h"

namespace hopwave::ranks {

inline constexpr EdgeIndex arcs_a_round = EdgeIndex{1}
                                          << 19;  ///< so many before messages are sent; a row may go on in the next

/// For each arc u → v of `rows`, make(u, v, message) fills in a message or says false; at the owner of v, take(message) gets
/// it. Rounds bound the memory: after each, between(round) is called on all ranks, which may talk. Collective.
template <class Message, class Make, class Take, class Between>
void deliver_arcs(Transport& transport, const Share& share, const Rows& rows, Make&& make, Take&& take, Between&& between,
                  EdgeIndex most = arcs_a_round) {
  std::vector<std::vector<Message>> to(static_cast<std::size_t>(transport.size())), from;
  VertexId row = 0;
  EdgeIndex at = 0;  // in the row
  for (bool more = true; more;) {
    for (auto& messages : to) messages.clear();
    for (EdgeIndex arcs = 0; row < share.count() && arcs < most; ++arcs) {  // a row counts as one more
      int owner = 0;                                                        // neighbours ascend, and so do their owners
      for (const auto neighbors = rows.row(row); at < neighbors.size() && arcs < most; ++at, ++arcs) {
        const VertexId v = neighbors[at];
        while (v >= share.cut.end(owner)) ++owner;
        Message message;
        if (make(share.begin() + row, v, message)) to[static_cast<std::size_t>(owner)].push_back(message);
      }
      if (at < rows.degree(row)) break;
      ++row;
      at = 0;
    }
    transport.exchange(to, from);
    for (const auto& messages : from)
      for (const Message& message : messages) take(message);
    between();
    more = transport.all_reduce(row < share.count() ? 1 : 0, Reduce::max) != 0;
  }
}

}  // namespace hopwave::ranks

// deliver_arcs(): a message along every arc, from the owner of its tail to the owner of its head.
#pragma once

#include <algorithm>
#include <vector>

#include "bfs/distributed/share.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::ranks {

/// So many of a rank before messages are sent; a row may go on in the next round. All may lead to one rank, which hears from
/// all others: so the more ranks there are, the fewer arcs, down to where the rounds themselves would take the time.
constexpr EdgeIndex arcs_a_round(std::uint64_t ranks) {
  return std::max(thresholds::Distributed::least_arcs, thresholds::Distributed::arcs_heard / std::max<std::uint64_t>(ranks, 1));
}

/// For each arc u → v of `rows`, make(u, v, message) fills in a message or says false; at the owner of v, take(message) gets
/// it. Rounds bound the memory (`most`: arcs of a rank in each; 0: the default): after each, between(round) is called on all
/// ranks, which may exchange messages. Collective.
template <class Message, class Make, class Take, class Between>
void deliver_arcs(Transport& transport, const Share& share, const Rows& rows, Make&& make, Take&& take, Between&& between,
                  EdgeIndex most = 0) {
  if (most == 0) most = arcs_a_round(static_cast<std::uint64_t>(transport.size()));
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

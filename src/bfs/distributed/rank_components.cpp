#include "bfs/distributed/rank_components.h"

#include <algorithm>
#include <vector>

#include "bfs/distributed/deliver.h"

namespace hopwave::ranks {
namespace {

struct Offer {
  VertexId to, label;
};

/// Messages to the owners of vertices, one call for all.
template <class Message>
class Mail {
 public:
  Mail(Transport& transport, const Share& share)
      : transport_(transport), share_(share), to_(static_cast<std::size_t>(transport.size())) {}

  void put(VertexId owned, const Message& message) {
    to_[static_cast<std::size_t>(share_.cut.owner(owned))].push_back(message);
  }
  /// What this rank was sent, by ranks; until the next call. Collective.
  std::vector<std::vector<Message>>& exchange() {
    transport_.exchange(to_, from_);
    for (auto& messages : to_) messages = {};
    return from_;
  }

 private:
  Transport& transport_;
  const Share& share_;
  std::vector<std::vector<Message>> to_, from_;
};

/// Calls work(from, to) for pieces of [0, count), at most `most` items each, as often on all ranks, with empty ones at the
/// end: all of a piece may lead to one rank. Collective.
template <class Work>
void in_rounds(Transport& transport, VertexId count, VertexId most, Work&& work) {
  bool more = true;
  for (VertexId from = 0; more;) {
    const VertexId to = from + std::min(most, count - from);
    work(from, to);
    from = to;
    more = transport.all_reduce(from < count ? 1 : 0, Reduce::max) != 0;
  }
}

VertexId of_a_round(const Transport& transport, EdgeIndex most) {
  return static_cast<VertexId>(most ? most : arcs_a_round(static_cast<std::uint64_t>(transport.size())));
}

/// A forest of labels: above_[v] is a vertex of v's component, not greater than v.
class Forest {
 public:
  Forest(Transport& transport, const Share& share, EdgeIndex most)
      : transport_(transport),
        share_(share),
        most_(of_a_round(transport, most)),
        above_(share.count()),
        upper_(share.count()),
        least_(share.count()),
        found_(share.count()) {
    for (VertexId row = 0; row < share.count(); ++row) above_[row] = upper_[row] = share.begin() + row;
  }

  /// One round; false once nothing changes any more, on all ranks alike.
  bool step() {
    for (VertexId row = 0; row < share_.count(); ++row) least_[row] = upper_[row];
    send_to_neighbors(share_.out);
    if (share_.in) send_to_neighbors(*share_.in);
    hang_trees();
    for (VertexId row = 0; row < share_.count(); ++row) lower(above_[row], least_[row]);
    return look_up();
  }

  Array<VertexId> take() { return std::move(above_); }

 private:
  static void lower(VertexId& label, VertexId to) { label = std::min(label, to); }

  void send_to_neighbors(const Rows& rows) {
    deliver_arcs<Offer>(
        transport_, share_, rows,
        [&](VertexId u, VertexId v, Offer& message) {
          message = {v, upper_[u - share_.begin()]};
          return message.label < v;
        },
        [&](const Offer& offer) { lower(least_[offer.to - share_.begin()], offer.label); }, [] {}, most_);
  }

  /// What a neighbour offers goes to the vertex above as well, so that whole trees hang themselves under others. That vertex
  /// may have become another one in the rounds before, which is as right.
  void hang_trees() {
    Mail<Offer> offers(transport_, share_);
    in_rounds(transport_, share_.count(), most_, [&](VertexId from, VertexId to) {
      for (VertexId row = from; row < to; ++row)
        if (least_[row] < upper_[row]) offers.put(above_[row], {above_[row], least_[row]});
      for (const auto& messages : offers.exchange())
        for (const Offer& offer : messages) lower(above_[offer.to - share_.begin()], offer.label);
    });
  }

  /// upper_ = the vertex above the one above. Each rank asks for a vertex once, in ascending order, so that owners ascend, too,
  /// and all answers are in the order of the questions.
  bool look_up() {
    std::copy(above_.begin(), above_.end(), least_.begin());  // which is of no more use in this step
    std::sort(least_.begin(), least_.end());
    VertexId* const asked = least_.data();
    VertexId* const end = std::unique(asked, asked + least_.size());
    ask(asked, static_cast<VertexId>(end - asked));
    std::uint64_t changes = 0;
    for (VertexId row = 0; row < share_.count(); ++row) {
      const VertexId upper = found_[static_cast<std::size_t>(std::lower_bound(asked, end, above_[row]) - asked)];
      changes += upper != upper_[row];
      upper_[row] = upper;
    }
    return transport_.all_reduce(changes, Reduce::sum) > 0;
  }

  /// found_[i] = the vertex above asked[i].
  void ask(const VertexId* asked, VertexId count) {
    Mail<VertexId> questions(transport_, share_);
    std::vector<std::vector<VertexId>> got;
    in_rounds(transport_, count, most_, [&](VertexId from, VertexId to) {
      for (VertexId i = from; i < to; ++i) questions.put(asked[i], asked[i]);
      std::vector<std::vector<VertexId>>& answers = questions.exchange();
      for (auto& messages : answers)
        for (VertexId& v : messages) v = above_[v - share_.begin()];
      transport_.exchange(answers, got);
      VertexId* at = found_.data() + from;
      for (const auto& messages : got) at = std::copy(messages.begin(), messages.end(), at);
    });
  }

  Transport& transport_;
  const Share& share_;
  const VertexId most_;  ///< messages that a rank sends at once
  Array<VertexId> above_, upper_, least_, found_;
};

}  // namespace

Array<VertexId> weak_components(Transport& transport, Share& share, EdgeIndex most) {
  if (share.directed && !share.in) share.in = turned(transport, share, share.out);
  Forest forest(transport, share, most);
  while (forest.step()) {
  }
  return forest.take();
}

VertexId in_largest_component(Transport& transport, Share& share, EdgeIndex most_messages) {
  const Array<VertexId> label = weak_components(transport, share, most_messages);
  struct Count {
    VertexId label, vertices;
  };
  // Own vertices of one label are counted first, so that a rank sends a label once or twice.
  std::vector<VertexId> sorted(label.begin(), label.end());
  std::sort(sorted.begin(), sorted.end());
  auto size = Array<VertexId>::filled(share.count(), 0);
  Mail<Count> counts(transport, share);
  in_rounds(transport, share.count(), of_a_round(transport, most_messages), [&](VertexId from, VertexId to) {
    for (auto at = sorted.begin() + from; at != sorted.begin() + to;) {
      const auto end = std::upper_bound(at, sorted.begin() + to, *at);
      counts.put(*at, {*at, static_cast<VertexId>(end - at)});
      at = end;
    }
    for (const auto& messages : counts.exchange())
      for (const Count& count : messages) size[count.label - share.begin()] += count.vertices;
  });
  std::uint64_t most = 0;
  for (const VertexId s : size) most = std::max<std::uint64_t>(most, s);
  most = transport.all_reduce(most, Reduce::max);
  std::uint64_t largest = no_vertex;
  for (VertexId row = 0; row < share.count() && largest == no_vertex; ++row)
    if (size[row] == most) largest = share.begin() + row;
  largest = transport.all_reduce(largest, Reduce::min);
  std::uint64_t first = no_vertex;
  for (VertexId row = 0; row < share.count() && first == no_vertex; ++row)
    if (label[row] == largest && share.out.degree(row) > 0) first = share.begin() + row;
  first = transport.all_reduce(first, Reduce::min);
  return static_cast<VertexId>(first == no_vertex ? largest : first);
}

}  // namespace hopwave::ranks

#include "ranks/components.h"

#include <algorithm>
#include <vector>

#include "ranks/deliver.h"

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

/// A forest of labels: above_[v] is a vertex of v's component, not greater than v.
class Forest {
 public:
  Forest(Transport& transport, const Share& share)
      : transport_(transport),
        share_(share),
        above_(share.count()),
        upper_(share.count()),
        least_(share.count()),
        questions_(transport, share),
        offers_(transport, share) {
    for (VertexId row = 0; row < share.count(); ++row) above_[row] = upper_[row] = share.begin() + row;
  }

  /// One round; false once nothing changes any more, on all ranks alike.
  bool step() {
    for (VertexId row = 0; row < share_.count(); ++row) least_[row] = upper_[row];
    tell_neighbors(share_.out);
    if (share_.in) tell_neighbors(*share_.in);
    // What a neighbour offers goes to the vertex above as well, so that whole trees hang themselves under others.
    for (VertexId row = 0; row < share_.count(); ++row)
      if (least_[row] < upper_[row]) offers_.put(above_[row], {above_[row], least_[row]});
    for (const auto& messages : offers_.exchange())
      for (const Offer& offer : messages) lower(above_[offer.to - share_.begin()], offer.label);
    for (VertexId row = 0; row < share_.count(); ++row) lower(above_[row], least_[row]);
    return look_up();
  }

  Array<VertexId> take() { return std::move(above_); }

 private:
  static void lower(VertexId& label, VertexId to) { label = std::min(label, to); }

  void tell_neighbors(const Rows& rows) {
    deliver_arcs<Offer>(
        transport_, share_, rows,
        [&](VertexId u, VertexId v, Offer& message) {
          message = {v, upper_[u - share_.begin()]};
          return message.label < v;
        },
        [&](const Offer& offer) { lower(least_[offer.to - share_.begin()], offer.label); }, [] {});
  }

  /// upper_ = the vertex above the one above. Each rank asks for a vertex once, in ascending order, so that owners ascend, too,
  /// and all answers stand in the order of the questions.
  bool look_up() {
    std::vector<VertexId> asked(above_.begin(), above_.end());
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    for (const VertexId v : asked) questions_.put(v, v);
    std::vector<std::vector<VertexId>>& answers = questions_.exchange();
    for (auto& messages : answers)
      for (VertexId& v : messages) v = above_[v - share_.begin()];
    std::vector<std::vector<VertexId>> got;
    transport_.exchange(answers, got);
    std::vector<VertexId> found;
    found.reserve(asked.size());
    for (auto& messages : got) {
      found.insert(found.end(), messages.begin(), messages.end());
      messages = {};
    }
    std::uint64_t changes = 0;
    for (VertexId row = 0; row < share_.count(); ++row) {
      const auto at = std::lower_bound(asked.begin(), asked.end(), above_[row]) - asked.begin();
      const VertexId upper = found[static_cast<std::size_t>(at)];
      changes += upper != upper_[row];
      upper_[row] = upper;
    }
    return transport_.all_reduce(changes, Reduce::sum) > 0;
  }

  Transport& transport_;
  const Share& share_;
  Array<VertexId> above_, upper_, least_;
  Mail<VertexId> questions_;
  Mail<Offer> offers_;
};

}  // namespace

Array<VertexId> weak_components(Transport& transport, Share& share) {
  if (share.directed && !share.in) share.in = turned(transport, share, share.out);
  Forest forest(transport, share);
  while (forest.step()) {
  }
  return forest.take();
}

VertexId in_largest_component(Transport& transport, Share& share) {
  const Array<VertexId> label = weak_components(transport, share);
  struct Count {
    VertexId label, vertices;
  };
  // Own vertices of one label are counted first, so that a rank sends a label once.
  std::vector<VertexId> sorted(label.begin(), label.end());
  std::sort(sorted.begin(), sorted.end());
  Mail<Count> counts(transport, share);
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto end = std::upper_bound(at, sorted.end(), *at);
    counts.put(*at, {*at, static_cast<VertexId>(end - at)});
    at = end;
  }
  auto size = Array<VertexId>::filled(share.count(), 0);
  for (const auto& messages : counts.exchange())
    for (const Count& count : messages) size[count.label - share.begin()] += count.vertices;
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

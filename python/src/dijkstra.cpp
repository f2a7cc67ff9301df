#include "dijkstra.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <stop_token>
#include <tuple>

namespace hopwave::python {

namespace {

class Search {
 public:
  Search(const Rows& rows, const Weights& weights, const DijkstraQuery& query)
      : rows_(rows), weights_(weights), query_(query), state_(rows.offsets.size() - 1, State::unseen) {
    const std::size_t n = state_.size();
    answer_.distance.resize(n);
    answer_.whole.resize(n);
    answer_.parent.assign(n, no_vertex);
    if (query.predecessors) answer_.predecessors.resize(n);
    for (const VertexId v : query.sources) {
      state_[v] = State::met;
      answer_.whole[v] = true;
      heap_.emplace(0.0, pushes_++, v);
    }
  }

  DijkstraAnswer run(const std::stop_token& stop) {
    while (!heap_.empty() && !(answer_.order.size() % 4096 == 0 && stop.stop_requested())) {
      const auto [distance, push, v] = heap_.top();
      heap_.pop();
      if (state_[v] == State::taken) continue;
      state_[v] = State::taken;
      answer_.order.push_back(v);
      if (v == query_.target) break;
      for (EdgeIndex arc = rows_.offsets[v]; arc < rows_.offsets[v + 1ull]; ++arc) relax(v, arc);
    }
    return std::move(answer_);
  }

 private:
  enum class State : std::uint8_t { unseen, met, taken };

  void relax(VertexId v, EdgeIndex arc) {
    const VertexId u = rows_.ends[arc];
    const double distance = answer_.distance[v] + weights_.value[arc];
    if (distance > query_.cutoff) return;
    if (state_[u] == State::unseen || (state_[u] == State::met && distance < answer_.distance[u])) {
      if (state_[u] == State::unseen) answer_.found.push_back(u);
      state_[u] = State::met;
      answer_.distance[u] = distance;
      answer_.whole[u] = answer_.whole[v] && weights_.whole[arc];
      answer_.parent[u] = v;
      heap_.emplace(distance, pushes_++, u);
      if (query_.predecessors) answer_.predecessors[u] = {v};
    } else if (query_.predecessors && distance == answer_.distance[u]) {
      answer_.predecessors[u].push_back(v);  // also for a vertex that was taken: an arc of weight 0
    }
  }

  using Entry = std::tuple<double, std::uint64_t, VertexId>;
  const Rows& rows_;
  const Weights& weights_;
  const DijkstraQuery& query_;
  std::vector<State> state_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
  std::uint64_t pushes_ = 0;
  DijkstraAnswer answer_;
};

}  // namespace

DijkstraAnswer dijkstra(const Rows& rows, const Weights& weights, const DijkstraQuery& query, const std::stop_token& stop) {
  return Search(rows, weights, query).run(stop);
}

DijkstraAnswer bellman_ford(const Rows& rows, const Weights& weights, VertexId source, const std::stop_token& stop) {
  const std::size_t n = rows.offsets.size() - 1;
  DijkstraAnswer answer;
  answer.order = {source};
  answer.distance.assign(n, std::numeric_limits<double>::infinity());
  answer.whole.resize(n);
  answer.parent.assign(n, no_vertex);
  answer.predecessors.resize(n);
  answer.distance[source] = 0.0;
  answer.whole[source] = true;
  std::vector<bool> waits(n);
  std::vector<std::uint32_t> entries(n);
  std::deque<VertexId> queue = {source};
  const auto improve = [&](VertexId v, VertexId u, double distance, bool whole) {
    if (answer.distance[v] == std::numeric_limits<double>::infinity()) {
      answer.order.push_back(v);
      answer.found.push_back(v);
    }
    if (!waits[v]) {
      waits[v] = true;
      queue.push_back(v);
      answer.given_up |= ++entries[v] == n;  // as often as in a cycle of negative length
    }
    answer.distance[v] = distance;
    answer.whole[v] = whole;
    answer.given_up |= whole && distance >= most_whole;
    answer.parent[v] = u;
    answer.predecessors[v] = {u};
  };
  for (std::size_t taken = 0; !queue.empty() && !(taken % 4096 == 0 && stop.stop_requested()); ++taken) {
    const VertexId u = queue.front();
    queue.pop_front();
    waits[u] = false;
    if (std::ranges::any_of(answer.predecessors[u], [&](VertexId before) { return waits[before]; })) continue;
    for (EdgeIndex arc = rows.offsets[u]; arc < rows.offsets[u + 1ull]; ++arc) {
      const VertexId v = rows.ends[arc];
      const double distance = answer.distance[u] + weights.value[arc];
      if (distance < answer.distance[v]) {
        improve(v, u, distance, answer.whole[u] && weights.whole[arc]);
      } else if (distance == answer.distance[v] && distance != std::numeric_limits<double>::infinity()) {
        answer.predecessors[v].push_back(u);
      }
    }
  }
  return answer;
}

}  // namespace hopwave::python

// Levels of one search. A bitmap of the vertices seen stays in the cache and saves most reads of the level numbers. It is
// enough in both directions: forwards, an arc from a seen vertex to an unseen one begins in the last level; on the way back,
// an arc from a level to a vertex that is done already ends in the next level.
#include "algorithm/betweenness/betweenness_team.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "bfs/plan/thresholds.h"

namespace hopwave::search_detail {
namespace {

constexpr std::uint64_t exact = std::uint64_t{1} << 53;
constexpr std::size_t vertices_a_chunk = 64, words_a_chunk = 16, many_words_a_chunk = 1024;
using thresholds::Betweenness;

bool test(const std::uint64_t* set, VertexId v) { return set[v / 64] >> (v % 64) & 1; }

/// What was there before.
template <bool alone>
std::uint64_t add(std::uint64_t& value, std::uint64_t more) {
  if constexpr (!alone) return std::atomic_ref(value).fetch_add(more, std::memory_order_relaxed);
  return std::exchange(value, value + more);
}

/// Sets bits, or clears them. Vertices in a row often share a word, which is written once for all of them then.
template <bool alone, bool set>
class Marks {
 public:
  explicit Marks(Array<std::uint64_t>& words) : words_(words.data()) {}
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;
  ~Marks() { write(); }
  void add(VertexId v) {
    if (v / 64 != word_) write(), word_ = v / 64, bits_ = 0;
    bits_ |= std::uint64_t{1} << (v % 64);
  }

 private:
  void write() {
    if constexpr (alone)
      words_[word_] = set ? words_[word_] | bits_ : words_[word_] & ~bits_;
    else if constexpr (set)
      std::atomic_ref(words_[word_]).fetch_or(bits_, std::memory_order_relaxed);
    else
      std::atomic_ref(words_[word_]).fetch_and(~bits_, std::memory_order_relaxed);
  }
  std::uint64_t* words_;
  VertexId word_ = 0;
  std::uint64_t bits_ = 0;
};

}  // namespace

TeamSearch::TeamSearch(Team& team, const Graph& graph, const BetweennessOptions& options, const std::vector<bool>& is_target)
    : team_(team),
      graph_(graph),
      options_(options),
      is_target_(is_target),
      n_(graph.num_vertices()),
      in_(!graph.directed() ? &graph.out()
          : graph.has_in()  ? &graph.in()
                            : nullptr),
      value_(n_),
      seen_(Array<Word>::filled((n_ + bits - 1) / bits, 0)),
      next_(seen_.size()),
      found_(static_cast<std::size_t>(team.size())) {
  order_.reserve(n_);
  std::atomic<EdgeIndex> most{in_ ? 0 : graph.num_arcs()};
  parallel_for(team_, n_, thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int) {
    std::fill(value_.begin() + begin, value_.begin() + end, 0);
    EdgeIndex mine = 0;
    for (std::size_t v = begin; in_ && v < end; ++v) mine = std::max(mine, in_->offsets[v + 1] - in_->offsets[v]);
    for (EdgeIndex known = most.load(std::memory_order_relaxed);
         mine > known && !most.compare_exchange_weak(known, mine, std::memory_order_relaxed);) {
    }
  });
  most_arcs_ = most;
}

TeamSearch::End TeamSearch::run(VertexId source, std::span<double> vertex, std::span<double> arc,
                                const std::function<bool()>& over) {
  const bool alone = team_.size() == 1;
  const End end = count_paths(source, over);
  if (end == End::done) alone ? add_shares<true>(source, vertex, arc) : add_shares<false>(source, vertex, arc);
  alone ? forget<true>() : forget<false>();
  return end;
}

TeamSearch::End TeamSearch::count_paths(VertexId source, const std::function<bool()>& over) {
  const bool alone = team_.size() == 1;
  most_ = value_[source] = 1;
  seen_[source / bits] |= Word{1} << (source % bits);
  order_.assign(1, source);
  starts_ = {0, 1};
  arcs_ = graph_.out_degree(source);
  left_ = graph_.num_arcs() - arcs_;
  while (starts_.back() > starts_[starts_.size() - 2]) {
    if (over()) return End::over;
    const std::size_t levels = starts_.size() - 1;
    if (levels >= Betweenness::deep_levels &&
        order_.size() < levels * (alone ? Betweenness::large_level : Betweenness::large_level_of_a_team))
      return End::unfit;
    // A sum of so many numbers must fit into 64 bits, or it could look small.
    if (most_ > exact || std::bit_width(most_) + std::bit_width(most_arcs_) > 63) return End::unfit;
    const bool pulled = in_ && left_ < (alone ? Betweenness::push_arc_cost : Betweenness::push_arc_cost_of_a_team) * arcs_;
    const std::size_t begin = starts_[starts_.size() - 2], end = starts_.back();
    if (pulled)
      pull();
    else
      alone ? push<true>(begin, end) : push<false>(begin, end);
    alone ? gather<true>(pulled) : gather<false>(pulled);
  }
  starts_.pop_back();
  return most_ > exact ? End::unfit : End::done;
}

template <bool alone>
void TeamSearch::push(std::size_t begin, std::size_t end) {
  parallel_for(team_, end - begin, vertices_a_chunk, [&](std::size_t from, std::size_t to, int rank) {
    auto& found = alone ? order_ : found_[static_cast<std::size_t>(rank)];
    const Word* seen = seen_.data();
    const VertexId* order = order_.data();  // has room for all
    const EdgeIndex* offsets = graph_.out().offsets.data();
    const VertexId* neighbors = graph_.out().neighbors.data();
    std::uint64_t* value = value_.data();
    for (std::size_t i = begin + from; i < begin + to; ++i) {
      const VertexId v = order[i];
      const std::uint64_t paths = value[v];
      for (EdgeIndex at = offsets[v], row_end = offsets[v + std::size_t{1}]; at < row_end; ++at) {
        const VertexId w = neighbors[at];
        if (!test(seen, w) && add<alone>(value[w], paths) == 0) found.push_back(w);
      }
    }
  });
}

void TeamSearch::pull() {
  parallel_for(team_, seen_.size(), words_a_chunk, [&](std::size_t from, std::size_t to, int rank) {
    auto& found = team_.size() == 1 ? order_ : found_[static_cast<std::size_t>(rank)];
    const Word* seen = seen_.data();
    std::uint64_t* value = value_.data();
    const EdgeIndex* offsets = in_->offsets.data();
    const VertexId* neighbors = in_->neighbors.data();
    for (std::size_t i = from; i < to; ++i) {
      Word open = ~seen[i], now = 0;
      if (i + 1 == seen_.size() && n_ % bits) open &= (Word{1} << (n_ % bits)) - 1;
      for (; open; open &= open - 1) {
        const auto v = static_cast<VertexId>(i * bits + static_cast<std::size_t>(std::countr_zero(open)));
        std::uint64_t paths = 0;
        for (EdgeIndex at = offsets[v]; at < offsets[v + std::size_t{1}]; ++at)
          if (const VertexId u = neighbors[at]; test(seen, u)) paths += value[u];
        if (paths == 0) continue;
        value[v] = paths;
        now |= open & -open;
        found.push_back(v);
      }
      next_[i] = now;  // this thread's alone
    }
  });
}

template <bool alone>
void TeamSearch::gather(bool pulled) {
  const std::size_t begin = starts_.back();
  for (auto& found : found_) {
    order_.insert(order_.end(), found.begin(), found.end());
    found.clear();
  }
  starts_.push_back(order_.size());
  std::atomic<EdgeIndex> arcs{0};
  std::atomic<std::uint64_t> most{most_};
  parallel_for(team_, order_.size() - begin, vertices_a_chunk * 64, [&](std::size_t from, std::size_t to, int) {
    const std::uint64_t* value = value_.data();
    const VertexId* order = order_.data();
    const EdgeIndex* offsets = graph_.out().offsets.data();
    Marks<alone, true> seen(seen_);
    EdgeIndex sum = 0;
    std::uint64_t mine = 0;
    for (std::size_t i = begin + from; i < begin + to; ++i) {
      const VertexId v = order[i];
      sum += offsets[v + std::size_t{1}] - offsets[v];
      mine = std::max(mine, value[v]);
      if (!pulled) seen.add(v);
    }
    arcs.fetch_add(sum, std::memory_order_relaxed);
    for (std::uint64_t known = most.load(std::memory_order_relaxed);
         mine > known && !most.compare_exchange_weak(known, mine, std::memory_order_relaxed);) {
    }
  });
  arcs_ = arcs, left_ -= arcs_, most_ = most;
  if (!pulled) return;
  parallel_for(team_, seen_.size(), many_words_a_chunk, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = from; i < to; ++i) seen_[i] |= next_[i];
  });
}

/// What goes on along an arc is the same for the sums of vertices and of arcs: what its head, done already, carries.
void TeamSearch::add_to_arcs(VertexId v, double paths, std::span<double> arc) const {
  for (EdgeIndex at = graph_.out().offsets[v]; at < graph_.out().offsets[v + std::size_t{1}]; ++at)
    if (const VertexId w = graph_.out().neighbors[at]; !test(seen_.data(), w))
      arc[at] += paths * std::bit_cast<double>(value_[w]);
}

template <bool alone>
void TeamSearch::add_shares(VertexId source, std::span<double> vertex, std::span<double> arc) {
  for (std::size_t level = starts_.size() - 2; level > 0; --level) {
    const std::size_t begin = starts_[level], count = starts_[level + 1] - begin;
    const bool last = level + 2 == starts_.size();  // there is no further level
    parallel_for(team_, count, vertices_a_chunk, [&](std::size_t from, std::size_t to, int) {
      // What is read again and again is kept at hand: stores to sums might change all that is looked up by way of `this`.
      const VertexId* order = order_.data() + begin;
      const EdgeIndex* offsets = graph_.out().offsets.data();
      const VertexId* neighbors = graph_.out().neighbors.data();
      const Word* open = seen_.data();
      std::uint64_t* value = value_.data();
      double* of_vertex = vertex.data();
      const bool arcs = options_.arcs && !last, endpoints = options_.endpoints, all = is_target_.empty();
      for (std::size_t i = from; i < to; ++i) {
        const VertexId v = order[i];
        const double ends = all ? 1 : ends_at(v), paths = static_cast<double>(static_cast<std::int64_t>(value[v]));
        double carried = 0;
        if (!last)
          for (EdgeIndex at = offsets[v], row_end = offsets[v + std::size_t{1}]; at < row_end; ++at)
            if (const VertexId w = neighbors[at]; !test(open, w)) carried += std::bit_cast<double>(value[w]);
        if (arcs) add_to_arcs(v, paths, arc);
        const Back back = back_of(paths, ends, carried);
        value[v] = std::bit_cast<std::uint64_t>(back.carried);
        of_vertex[v] += endpoints ? back.share + ends : back.share;
      }
    });
    parallel_for(team_, count, vertices_a_chunk * 64, [&](std::size_t from, std::size_t to, int) {
      const VertexId* order = order_.data() + begin;
      Marks<alone, false> open(seen_);
      for (std::size_t i = from; i < to; ++i) open.add(order[i]);
    });
  }
  if (options_.arcs) add_to_arcs(source, 1, arc);
  if (!options_.endpoints) return;
  double targets = 0;
  for (std::size_t i = 1; i < order_.size(); ++i) targets += ends_at(order_[i]);
  vertex[source] += targets;
}

template <bool alone>
void TeamSearch::forget() {
  parallel_for(team_, order_.size(), vertices_a_chunk * 64, [&](std::size_t from, std::size_t to, int) {
    const VertexId* order = order_.data();
    std::uint64_t* value = value_.data();
    Marks<alone, false> seen(seen_);
    for (std::size_t i = from; i < to; ++i) {
      value[order[i]] = 0;
      seen.add(order[i]);
    }
  });
}

}  // namespace hopwave::search_detail

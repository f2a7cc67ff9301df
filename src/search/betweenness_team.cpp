// Levels of one search. Bitmaps of levels, an eighth of a byte a vertex, stay in the cache and spare most looks
// at numbers.
#include "search/betweenness_team.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace hopwave::search_detail {
namespace {

constexpr std::uint64_t exact = std::uint64_t{1} << 53;
constexpr std::size_t vertices_a_chunk = 64, words_a_chunk = 16, many_words_a_chunk = 1024;
/// A search of so many levels is left to the plain one unless they are large: threads wait for each other after each, and
/// bitmaps are gone through.
constexpr std::size_t deep_levels = 64, large_level_of_a_team = 4096;
/// A pull reads the arcs of all vertices that were not seen. A push adds to numbers that other threads add to: its arcs are
/// dearer.
constexpr EdgeIndex push_arc_costs = 3;

template <class T>
std::atomic_ref<T> shared(T& value) {
  return std::atomic_ref<T>(value);
}

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
      paths_(n_, 0),
      carried_(n_),
      seen_((n_ + bits - 1) / bits, 0),
      level_(seen_.size(), 0),
      next_(seen_.size(), 0),
      found_(static_cast<std::size_t>(team.size())) {
  order_.reserve(n_);
  for (VertexId v = 0; v < n_; ++v) {
    const EdgeIndex degree = in_ ? in_->offsets[v + std::size_t{1}] - in_->offsets[v] : graph.num_arcs();
    most_arcs_ = std::max(most_arcs_, degree);
    if (!in_) break;
  }
}

TeamSearch::End TeamSearch::run(VertexId source, std::span<double> vertex, std::span<double> arc,
                                const std::function<bool()>& over) {
  const End end = count_paths(source, over);
  if (end == End::done) add_shares(source, vertex, arc);
  forget();
  return end;
}

TeamSearch::End TeamSearch::count_paths(VertexId source, const std::function<bool()>& over) {
  most_ = paths_[source] = 1;
  seen_[source / bits] |= Word{1} << (source % bits);
  level_[source / bits] |= Word{1} << (source % bits);
  order_.assign(1, source);
  starts_ = {0, 1};
  arcs_ = graph_.out_degree(source);
  left_ = graph_.num_arcs() - arcs_;
  while (starts_.back() > starts_[starts_.size() - 2]) {
    if (over()) return End::over;
    const std::size_t levels = starts_.size() - 1;
    const std::size_t large_level = team_.size() > 1 ? large_level_of_a_team : seen_.size();
    if (levels >= deep_levels && order_.size() < levels * large_level) return End::unfit;
    // A sum of so many numbers must fit into 64 bits, or it could look small.
    if (most_ > exact || std::bit_width(most_) + std::bit_width(most_arcs_) > 63) return End::unfit;
    if (in_ && left_ < push_arc_costs * arcs_)
      pull();
    else
      push(starts_[starts_.size() - 2], starts_.back());
    gather();
  }
  starts_.pop_back();
  return most_ > exact ? End::unfit : End::done;
}

void TeamSearch::push(std::size_t begin, std::size_t end) {
  parallel_for(team_, end - begin, vertices_a_chunk, [&](std::size_t from, std::size_t to, int rank) {
    auto& found = found_[static_cast<std::size_t>(rank)];
    for (std::size_t i = begin + from; i < begin + to; ++i) {
      const VertexId v = order_[i];
      const std::uint64_t paths = paths_[v];
      for (const VertexId w : graph_.out_neighbors(v)) {
        if (test(seen_, w)) continue;
        shared(paths_[w]).fetch_add(paths, std::memory_order_relaxed);
        const Word bit = Word{1} << (w % bits);
        const auto word = shared(next_[w / bits]);
        if (!(word.load(std::memory_order_relaxed) & bit) && !(word.fetch_or(bit, std::memory_order_relaxed) & bit))
          found.push_back(w);
      }
    }
  });
}

void TeamSearch::pull() {
  parallel_for(team_, seen_.size(), words_a_chunk, [&](std::size_t from, std::size_t to, int rank) {
    auto& found = found_[static_cast<std::size_t>(rank)];
    for (std::size_t i = from; i < to; ++i) {
      Word open = ~seen_[i], now = 0;
      if (i + 1 == seen_.size() && n_ % bits) open &= (Word{1} << (n_ % bits)) - 1;
      for (; open; open &= open - 1) {
        const auto v = static_cast<VertexId>(i * bits + static_cast<std::size_t>(std::countr_zero(open)));
        std::uint64_t paths = 0;
        for (EdgeIndex at = in_->offsets[v]; at < in_->offsets[v + std::size_t{1}]; ++at)
          if (const VertexId u = in_->neighbors[at]; test(level_, u)) paths += paths_[u];
        if (paths == 0) continue;
        paths_[v] = paths;
        now |= open & -open;
        found.push_back(v);
      }
      next_[i] = now;  // this thread's alone
    }
  });
}

void TeamSearch::gather() {
  const std::size_t begin = order_.size();
  for (auto& found : found_) {
    order_.insert(order_.end(), found.begin(), found.end());
    found.clear();
  }
  starts_.push_back(order_.size());
  std::atomic<EdgeIndex> arcs{0};
  std::atomic<std::uint64_t> most{most_};
  parallel_for(team_, order_.size() - begin, vertices_a_chunk * 64, [&](std::size_t from, std::size_t to, int) {
    EdgeIndex sum = 0;
    std::uint64_t mine = 0;
    for (std::size_t i = begin + from; i < begin + to; ++i) {
      sum += graph_.out_degree(order_[i]);
      mine = std::max(mine, paths_[order_[i]]);
    }
    arcs.fetch_add(sum, std::memory_order_relaxed);
    for (std::uint64_t seen = most.load(std::memory_order_relaxed);
         mine > seen && !most.compare_exchange_weak(seen, mine, std::memory_order_relaxed);) {
    }
  });
  arcs_ = arcs, left_ -= arcs_, most_ = most;
  std::swap(level_, next_);
  parallel_for(team_, seen_.size(), many_words_a_chunk, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = from; i < to; ++i) seen_[i] |= level_[i], next_[i] = 0;
  });
}

void TeamSearch::mark(std::size_t begin, std::size_t end, bool set) {
  parallel_for(team_, end - begin, vertices_a_chunk * 64, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = begin + from; i < begin + to; ++i) {
      const auto word = shared(level_[order_[i] / bits]);
      if (set)
        word.fetch_or(Word{1} << (order_[i] % bits), std::memory_order_relaxed);
      else
        word.store(0, std::memory_order_relaxed);
    }
  });
}

void TeamSearch::add_shares(VertexId source, std::span<double> vertex, std::span<double> arc) {
  const EdgeIndex* offsets = graph_.out().offsets.data();
  std::fill(level_.begin(), level_.end(), 0);
  std::atomic<std::uint64_t> targets{0};
  for (std::size_t level = starts_.size() - 1; level-- > 0;) {
    const bool last = level + 2 == starts_.size();  // nothing is behind it
    parallel_for(team_, starts_[level + 1] - starts_[level], vertices_a_chunk, [&](std::size_t from, std::size_t to, int) {
      std::uint64_t reached = 0;
      for (std::size_t i = starts_[level] + from; i < starts_[level] + to; ++i) {
        const VertexId v = order_[i];
        const double ends = v == source ? 0 : ends_at(v), paths = static_cast<double>(paths_[v]);
        double carried = 0;
        if (!last) {
          EdgeIndex at = offsets[v];
          for (const VertexId w : graph_.out_neighbors(v)) {
            const EdgeIndex place = at++;
            if (!test(level_, w)) continue;
            carried += carried_[w];
            if (options_.arcs) arc[place] += paths * carried_[w];
          }
        }
        const Back back = back_of(paths, ends, carried);
        carried_[v] = back.carried;
        reached += ends > 0;
        if (v != source) vertex[v] += options_.endpoints ? back.share + ends : back.share;
      }
      targets.fetch_add(reached, std::memory_order_relaxed);
    });
    if (!last) mark(starts_[level + 1], starts_[level + 2], false);
    mark(starts_[level], starts_[level + 1], true);
  }
  if (options_.endpoints) vertex[source] += static_cast<double>(targets);
}

void TeamSearch::forget() {
  parallel_for(team_, order_.size(), vertices_a_chunk * 64, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = from; i < to; ++i) paths_[order_[i]] = 0;
  });
  for (auto* set : {&seen_, &level_, &next_}) std::fill(set->begin(), set->end(), 0);
}

}  // namespace hopwave::search_detail

#include "bfs/engine/ms_bfs/counter.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "bfs/plan/thresholds.h"

namespace hopwave::engine {
namespace {

// Loops over the parts, which compilers turn into vector instructions.
template <class Step>
void each_part(Step&& step) {
  for (std::size_t k = 0; k < WideWord::parts; ++k) step(k);
}

bool any(const WideWord& word) {
  std::uint64_t bits = 0;
  each_part([&](std::size_t k) { bits |= word.part[k]; });
  return bits != 0;
}

void set_bit(WideWord& word, std::size_t i) { word.part[i / 64] |= std::uint64_t{1} << i % 64; }

/// sum += a + b, bit by bit; what is carried into the digit above.
WideWord add_two(WideWord& sum, const WideWord& a, const WideWord& b) {
  WideWord carried;
  each_part([&](std::size_t k) {
    const std::uint64_t both = a.part[k] ^ b.part[k];
    carried.part[k] = (a.part[k] & b.part[k]) | (both & sum.part[k]);
    sum.part[k] ^= both;
  });
  return carried;
}

}  // namespace

void BitCounter::clear() {
  std::memset(digit_.data(), 0, sizeof(digit_));
  count_ = top_ = 0;
}

void BitCounter::carry(std::size_t digit, WideWord word) {
  for (; any(word); ++digit) {
    top_ = std::max(top_, digit + 1);
    each_part([&](std::size_t k) {
      const std::uint64_t both = digit_[digit].part[k] & word.part[k];
      digit_[digit].part[k] ^= word.part[k];
      word.part[k] = both;
    });
  }
}

void BitCounter::add_waiting() {
  for (std::size_t i = count_; i < waiting_.size(); ++i) waiting_[i] = {};
  count_ = 0;
  const auto& w = waiting_;
  WideWord &ones = digit_[0], &twos = digit_[1], &fours = digit_[2];
  const WideWord two_a = add_two(ones, w[0], w[1]), two_b = add_two(ones, w[2], w[3]);
  const WideWord four_a = add_two(twos, two_a, two_b);
  const WideWord two_c = add_two(ones, w[4], w[5]), two_d = add_two(ones, w[6], w[7]);
  const WideWord four_b = add_two(twos, two_c, two_d);
  top_ = std::max<std::size_t>(top_, 3);
  carry(3, add_two(fours, four_a, four_b));
}

void BitCounter::take(std::span<std::uint32_t> to) {
  if (count_) add_waiting();
  std::ranges::fill(to, 0u);
  for (std::size_t digit = 0; digit < top_; ++digit)
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] |= static_cast<std::uint32_t>(digit_[digit].part[i / 64] >> i % 64 & 1) << digit;
}

MsBfsCounter::MsBfsCounter(const strategy::View& view)
    : view_(view), n_(view.num_vertices), visited_(n_), fresh_(n_), next_(n_) {
  queue_.reserve(n_);
  found_.reserve(n_);
}

void MsBfsCounter::begin(std::span<const VertexId> sources) {
  for (auto* words : {&visited_, &fresh_, &next_}) std::memset(words->data(), 0, n_ * sizeof(WideWord));
  full_ = {};
  queue_.clear();
  edges_ = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const VertexId v = sources[i];
    if (!any(fresh_[v])) {
      queue_.push_back(v);
      edges_ += view_.forward->offsets[v + 1ull] - view_.forward->offsets[v];
    }
    set_bit(visited_[v], i);
    set_bit(fresh_[v], i);
    set_bit(full_, i);
  }
}

void MsBfsCounter::push() {
  const EdgeIndex* offsets = view_.forward->offsets.data();
  const VertexId* neighbors = view_.forward->neighbors.data();
  for (const VertexId u : queue_) {
    const WideWord bits = fresh_[u];
    fresh_[u] = {};
    for (EdgeIndex e = offsets[u]; e < offsets[u + 1ull]; ++e) {
      const VertexId w = neighbors[e];
      WideWord& visited = visited_[w];
      WideWord open;
      each_part([&](std::size_t k) { open.part[k] = bits.part[k] & ~visited.part[k]; });
      if (!any(open)) continue;
      WideWord& next = next_[w];
      if (!any(next)) found_.push_back(w);
      each_part([&](std::size_t k) {
        visited.part[k] |= open.part[k];
        next.part[k] |= open.part[k];
      });
    }
  }
  for (const VertexId w : found_) {
    counter_.add(next_[w]);
    edges_ += offsets[w + 1ull] - offsets[w];
  }
}

/// Every vertex that lacks a bit takes those that its neighbours got one level before.
void MsBfsCounter::pull() {
  const EdgeIndex *offsets = view_.forward->offsets.data(), *in_offsets = view_.backward->offsets.data();
  const VertexId* neighbors = view_.backward->neighbors.data();
  for (std::size_t v = 0; v < n_; ++v) {
    WideWord& visited = visited_[v];
    WideWord open;
    each_part([&](std::size_t k) { open.part[k] = full_.part[k] & ~visited.part[k]; });
    if (!any(open)) continue;
    WideWord bits = {};
    for (EdgeIndex e = in_offsets[v]; e < in_offsets[v + 1]; ++e) {
      const WideWord& other = fresh_[neighbors[e]];
      each_part([&](std::size_t k) { bits.part[k] |= other.part[k]; });
    }
    each_part([&](std::size_t k) { bits.part[k] &= open.part[k]; });
    if (!any(bits)) continue;
    each_part([&](std::size_t k) { visited.part[k] |= bits.part[k]; });
    next_[v] = bits;
    found_.push_back(static_cast<VertexId>(v));
    counter_.add(bits);
    edges_ += offsets[v + 1] - offsets[v];
  }
  for (const VertexId u : queue_) fresh_[u] = {};
}

MsBfsCounter::End MsBfsCounter::run(std::span<const VertexId> sources, Distance max_depth, const GoOn& go_on,
                                    std::span<LevelCounts> counts) {
  begin(sources);
  for (LevelCounts& of : counts) of.at.assign(1, 1);
  std::array<std::uint32_t, width> now;
  for (depth_ = 0; max_depth < 0 || depth_ < max_depth; ++depth_) {
    if (!go_on(static_cast<std::uint32_t>(depth_), queue_.size())) return End::stopped;
    if (depth_ == most_levels) return End::too_deep;
    const bool by_pull = view_.backward && edges_ > view_.num_arcs() / thresholds::Cpu::count_pull_part;
    found_.clear();
    counter_.clear();
    edges_ = 0;
    by_pull ? pull() : push();
    if (found_.empty()) break;
    counter_.take(std::span(now).first(sources.size()));
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (now[i]) counts[i].at.push_back(now[i]);
    std::swap(fresh_, next_);  // next is zero again: push and pull have cleared what the queue had
    std::swap(queue_, found_);
  }
  return End::whole;
}

std::vector<std::uint32_t> order_of_sources(const strategy::View& view, std::span<const VertexId> sources, std::size_t groups) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  const std::size_t look_at = thresholds::Cpu::count_group_looks * groups;  // a group ends where few sources are near
  std::vector<std::uint32_t> place(view.num_vertices, none), seen(view.num_vertices, none);
  std::vector<std::uint8_t> wanted(view.num_vertices);
  for (const VertexId v : sources) wanted[v] = 1;
  std::vector<VertexId> queue;
  std::uint32_t placed = 0, group = 0;
  for (const VertexId start : sources) {
    if (place[start] != none) continue;
    const std::uint32_t first = placed;
    queue.assign(1, start);
    seen[start] = group;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      if (groups && (placed - first >= groups || head >= look_at)) break;
      const VertexId u = queue[head];
      if (wanted[u] && place[u] == none) place[u] = placed++;
      for (EdgeIndex e = view.forward->offsets[u]; e < view.forward->offsets[u + 1ull]; ++e) {
        const VertexId w = view.forward->neighbors[e];
        if (seen[w] != group) {
          seen[w] = group;
          queue.push_back(w);
        }
      }
    }
    if (groups) ++group;  // the next group may pass through what this one has seen
  }
  std::vector<std::uint32_t> order(sources.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return place[sources[i]]; });
  return order;
}

}  // namespace hopwave::engine

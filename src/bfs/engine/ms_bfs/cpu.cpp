// MS-BFS on the CPU, level by level. A level's phases are loops over the team. So words that several threads write in one phase
// (relaxed atomics) are read plainly in the next.
#include "bfs/engine/ms_bfs/cpu.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"

namespace hopwave::engine {
namespace {

using thresholds::Cpu;

constexpr std::size_t kept = 1024;  // vertices that a thread has found, before it queues them

template <bool shared, class Word>
Word add_bits(Word& word, Word bits) {
  if constexpr (shared) return std::atomic_ref<Word>(word).fetch_or(bits, std::memory_order_relaxed);
  return std::exchange(word, word | bits);
}

template <bool shared, class Word>
Word read(const Word& word) {
  if constexpr (shared) return std::atomic_ref<Word>(const_cast<Word&>(word)).load(std::memory_order_relaxed);
  return word;
}

using Tile = std::array<std::uint64_t, 64>;  // a word a vertex, or after the transposition a search

/// Bit k of word i becomes bit i of word k.
void transpose(Tile& tile) {
  std::uint64_t low = 0x00000000FFFFFFFFull;
  for (std::size_t step = 32; step; step /= 2, low ^= low << step)
    for (std::size_t i = 0; i < 64; i = (i + step + 1) & ~step) {
      const std::uint64_t swapped = (tile[i] >> step ^ tile[i + step]) & low;
      tile[i + step] ^= swapped;
      tile[i] ^= swapped << step;
    }
}

}  // namespace

MsBfsCpu::MsBfsCpu(Team& team, const strategy::View& view)
    : team_(team),
      view_(view),
      n_(view.num_vertices),
      found_(static_cast<std::size_t>(team.size())),
      counts_(static_cast<std::size_t>(team.size())) {
  for (int i = 0; i < 2; ++i) {
    visited_[i] = Array<Word>(n_);
    fresh_[i] = Array<Word>(n_);
    queue_[i] = Array<VertexId>(n_);
  }
  for (auto& found : found_) found.reserve(kept);
}

void MsBfsCpu::begin(std::span<const VertexId> sources) {
  full_ = sources.size() == width ? ~Word{0} : (Word{1} << sources.size()) - 1;
  planes_.resize(std::min<std::size_t>(planes_.size(), 4));
  parallel_for(team_, n_, Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int) {
    for (auto* words : {&visited_[0], &visited_[1], &fresh_[0], &fresh_[1]})
      std::fill(words->data() + from, words->data() + to, Word{0});
    for (auto& plane : planes_) std::fill(plane.data() + from, plane.data() + to, Word{0});
  });
  size_ = 0;
  edges_ = 0;
  level_ = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const VertexId v = sources[i];
    if (!fresh_[0][v]) {
      queue_[0][size_++] = v;
      edges_ += view_.forward->offsets[v + 1ull] - view_.forward->offsets[v];
    }
    visited_[0][v] |= Word{1} << i;
    fresh_[0][v] |= Word{1} << i;
  }
}

void MsBfsCpu::mark(VertexId v, Word bits) {
  for (std::size_t k = 0; level_ >> k; ++k)
    if (level_ >> k & 1) planes_[k][v] |= bits;
}

void MsBfsCpu::add_plane() {
  planes_.emplace_back(n_);
  parallel_for(team_, n_, Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int) {
    std::fill(planes_.back().data() + from, planes_.back().data() + to, Word{0});
  });
}

void MsBfsCpu::flush(std::vector<VertexId>& found) {
  const std::size_t at = tail_.fetch_add(found.size(), std::memory_order_relaxed);
  std::copy(found.begin(), found.end(), queue_[1].data() + at);
  found.clear();
}

template <bool shared>
void MsBfsCpu::expand(std::size_t begin, std::size_t end, int rank) {
  auto& found = found_[static_cast<std::size_t>(rank)];
  const EdgeIndex* offsets = view_.forward->offsets.data();
  const VertexId* neighbors = view_.forward->neighbors.data();
  std::uint64_t edges = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const VertexId u = queue_[0][i];
    const Word bits = fresh_[0][u];
    for (EdgeIndex e = offsets[u]; e < offsets[u + 1ull]; ++e) {
      const VertexId w = neighbors[e];
      const Word open = bits & ~read<shared>(visited_[0][w]);
      if (!open) continue;
      const Word won = open & ~add_bits<shared>(visited_[0][w], open);
      if (!won || add_bits<shared>(fresh_[1][w], won)) continue;  // the thread that adds the first bit queues the vertex
      edges += offsets[w + 1ull] - offsets[w];
      found.push_back(w);
      if (found.size() == kept) flush(found);
    }
  }
  flush(found);
  counts_[static_cast<std::size_t>(rank)].edges += edges;
}

void MsBfsCpu::take_counts() {
  edges_ = found_total_ = 0;
  for (auto& counts : counts_) {
    edges_ += counts.edges;
    found_total_ += counts.found;
    counts = {};
  }
}

void MsBfsCpu::push() {
  tail_ = 0;
  if (team_.size() == 1 || size_ <= Cpu::pass_queue_grain)
    expand<false>(0, size_, 0);
  else
    parallel_for(team_, size_, Cpu::pass_queue_grain,
                 [&](std::size_t from, std::size_t to, int rank) { expand<true>(from, to, rank); });
  take_counts();
  const std::size_t made = tail_;
  parallel_for(team_, std::max(size_, made), Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = from; i < std::min(to, size_); ++i) fresh_[0][queue_[0][i]] = 0;
    for (std::size_t i = from; i < std::min(to, made); ++i) mark(queue_[1][i], fresh_[1][queue_[1][i]]);
  });
  size_ = made;
  found_total_ = made;
  std::swap(fresh_[0], fresh_[1]);
  std::swap(queue_[0], queue_[1]);
}

void MsBfsCpu::pull() {
  const EdgeIndex *offsets = view_.forward->offsets.data(), *in_offsets = view_.backward->offsets.data();
  const VertexId* neighbors = view_.backward->neighbors.data();
  const Word* old = visited_[0].data();
  parallel_for(team_, n_, Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int rank) {
    Counts counts;
    for (std::size_t v = from; v < to; ++v) {
      Word now = old[v];
      for (EdgeIndex e = in_offsets[v], end = in_offsets[v + 1]; e < end && now != full_; ++e) now |= old[neighbors[e]];
      visited_[1][v] = now;
      if (now == old[v]) continue;
      mark(static_cast<VertexId>(v), now & ~old[v]);
      ++counts.found;
      counts.edges += offsets[v + 1] - offsets[v];
    }
    counts_[static_cast<std::size_t>(rank)].found += counts.found;
    counts_[static_cast<std::size_t>(rank)].edges += counts.edges;
  });
  take_counts();
  std::swap(visited_[0], visited_[1]);
}

/// After pulls: what the last one found becomes a queue. Fresh words are zero except for the queue from before the pulls.
void MsBfsCpu::gather() {
  parallel_for(team_, size_, Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = from; i < to; ++i) fresh_[0][queue_[0][i]] = 0;
  });
  tail_ = 0;
  parallel_for(team_, n_, Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int rank) {
    auto& found = found_[static_cast<std::size_t>(rank)];
    for (std::size_t v = from; v < to; ++v) {
      const Word bits = visited_[0][v] & ~visited_[1][v];
      if (!bits) continue;
      fresh_[0][v] = bits;
      found.push_back(static_cast<VertexId>(v));
      if (found.size() == kept) flush(found);
    }
    flush(found);
  });
  size_ = tail_;
  std::swap(queue_[0], queue_[1]);
}

void MsBfsCpu::run(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control) {
  const core::Stopwatch watch;
  begin(sources);
  const std::uint64_t arcs = view_.num_arcs();
  bool pulling = false;
  std::uint64_t frontier = size_;
  control.level_done(0, frontier);
  while (frontier && (max_depth < 0 || level_ < max_depth)) {
    ++level_;
    while (level_ >> planes_.size()) add_plane();
    const bool pull_next = view_.backward && edges_ > arcs / (pulling ? Cpu::pass_back_part : Cpu::pass_pull_part);
    if (pulling && !pull_next) gather();
    pull_next ? pull() : push();
    pulling = pull_next;
    frontier = found_total_;
    control.level_done(static_cast<std::uint32_t>(level_), frontier);
  }
  control.stats->steps = static_cast<std::uint32_t>(level_);
  control.stats->levels = static_cast<std::uint32_t>(frontier || level_ == 0 ? level_ : level_ - 1);
  control.stats->work = watch.elapsed();
  control.stats->chosen = "64 searches at a time, a word a vertex";
}

void MsBfsCpu::fetch(std::size_t i, std::span<Distance> distances) {
  const std::size_t digits = planes_.size();
  parallel_for(team_, n_, Cpu::pass_vertex_grain, [&](std::size_t from, std::size_t to, int) {
    const Word* visited = visited_[0].data();
    Distance* out = distances.data();
    for (std::size_t v = from; v < to; ++v) out[v] = 0;
    for (std::size_t k = 0; k < digits; ++k) {
      const Word* plane = planes_[k].data();
      for (std::size_t v = from; v < to; ++v) out[v] |= static_cast<Distance>(plane[v] >> i & 1) << k;
    }
    for (std::size_t v = from; v < to; ++v) out[v] |= static_cast<Distance>(visited[v] >> i & 1) - 1;
  });
}

/// 64 vertices, or those that are left, from `from` on. Vertices of one distance are counted together.
void MsBfsCpu::count_tile(std::size_t from, std::vector<std::uint32_t>& counts) const {
  const std::size_t size = std::min<std::size_t>(64, n_ - from), digits = planes_.size();
  const auto tile_of = [&](const Array<Word>& words) {
    Tile tile{};
    std::copy_n(words.data() + from, size, tile.begin());
    transpose(tile);
    return tile;
  };
  const Tile reached = tile_of(visited_[0]);
  std::array<Tile, 31> digit;
  for (std::size_t d = 0; d < digits; ++d) digit[d] = tile_of(planes_[d]);
  for (std::size_t i = 0; i < width; ++i)
    for (Word left = reached[i]; left;) {
      const int v = std::countr_zero(left);
      std::size_t level = 0;
      Word same = left;
      for (std::size_t d = 0; d < digits; ++d) {
        const Word bit = digit[d][i] >> v & 1;
        level |= bit << d;
        same &= bit ? digit[d][i] : ~digit[d][i];
      }
      counts[level * width + i] += static_cast<std::uint32_t>(std::popcount(same));
      left &= ~same;
    }
}

std::vector<std::uint32_t> MsBfsCpu::counts() {
  const std::size_t size = (static_cast<std::size_t>(level_) + 1) * width;
  std::vector<std::vector<std::uint32_t>> parts(static_cast<std::size_t>(team_.size()));
  parallel_for(team_, (n_ + 63) / 64, Cpu::pass_vertex_grain / 64, [&](std::size_t begin, std::size_t end, int rank) {
    auto& part = parts[static_cast<std::size_t>(rank)];
    part.resize(size);
    for (std::size_t tile = begin; tile < end; ++tile) count_tile(64 * tile, part);
  });
  std::vector<std::uint32_t> all(size);
  for (const auto& part : parts)
    for (std::size_t k = 0; k < part.size(); ++k) all[k] += part[k];
  return all;
}

}  // namespace hopwave::engine

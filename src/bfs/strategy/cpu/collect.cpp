// Collecting: one neighbour at a time, and where the processor has AVX-512, sixteen.
#include "bfs/strategy/cpu/collect.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hopwave::strategy::cpu {
namespace {

/// Writes v, and counts it if it is not visited.
template <bool parents>
__attribute__((always_inline)) inline void collect_one(const Rows& r, VertexId u, VertexId v, std::size_t& count,
                                                       Batch& batch) {
  batch.neighbors[count] = v;
  if constexpr (parents) batch.from[count] = u;
  count += ~r.visited[v / 64] >> (v % 64) & 1;
}

template <bool parents>
std::size_t collect_plain(const Rows& r, std::size_t at, std::size_t end, EdgeIndex& allowance, Batch& batch) {
  std::size_t count = batch.count;
  EdgeIndex left = allowance;
  for (; at < end; ++at) {
    const VertexId u = r.queue[at];
    const EdgeIndex begin = r.offsets[u], degree = r.offsets[u + 1ull] - begin;
    if (degree > left || degree > Batch::capacity - count) break;
    left -= degree;
    fetch_ahead(r, at);
    for (EdgeIndex e = begin; e < begin + degree; ++e) collect_one<parents>(r, u, r.neighbors[e], count, batch);
  }
  batch.count = count;
  allowance = left;
  return at;
}

#if defined(__x86_64__)
/// Sixteen neighbours at a time: most rows end in the first step, which the processor guesses.
template <bool parents>
__attribute__((target("avx512f,popcnt"))) std::size_t collect_by_sixteen(const Rows& r, std::size_t at, std::size_t end,
                                                                         EdgeIndex& allowance, Batch& batch) {
  std::size_t count = batch.count;
  EdgeIndex left = allowance;
  const __m512i one = _mm512_set1_epi32(1), low_bits = _mm512_set1_epi32(31);
  for (; at < end; ++at) {
    const VertexId u = r.queue[at];
    const EdgeIndex begin = r.offsets[u], degree = r.offsets[u + 1ull] - begin;
    if (degree > left || degree > Batch::capacity - count) break;
    left -= degree;
    fetch_ahead(r, at);
    for (EdgeIndex k = 0; k < degree; k += 16) {
      const __mmask16 here =
          degree - k < 16 ? static_cast<__mmask16>((1u << (degree - k)) - 1) : static_cast<__mmask16>(0xFFFF);
      const __m512i v = _mm512_maskz_loadu_epi32(here, r.neighbors + begin + k);
      const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), here, _mm512_srli_epi32(v, 5), r.visited, 4);
      const __mmask16 fresh = _mm512_mask_testn_epi32_mask(here, _mm512_srlv_epi32(words, _mm512_and_si512(v, low_bits)), one);
      _mm512_storeu_si512(batch.neighbors + count, _mm512_maskz_compress_epi32(fresh, v));
      if constexpr (parents) _mm512_storeu_si512(batch.from + count, _mm512_set1_epi32(static_cast<int>(u)));
      count += static_cast<std::size_t>(__builtin_popcount(fresh));
    }
  }
  batch.count = count;
  allowance = left;
  return at;
}
#endif

}  // namespace

bool collects_by_sixteen() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

CollectRows collect_rows(bool parents, bool by_sixteen) {
#if defined(__x86_64__)
  if (by_sixteen) return parents ? collect_by_sixteen<true> : collect_by_sixteen<false>;
#endif
  (void)by_sixteen;
  return parents ? collect_plain<true> : collect_plain<false>;
}

void collect_piece(const Rows& rows, VertexId u, EdgeIndex begin, EdgeIndex end, bool parents, Batch& batch) {
  for (; begin < end; ++begin)
    parents ? collect_one<true>(rows, u, rows.neighbors[begin], batch.count, batch)
            : collect_one<false>(rows, u, rows.neighbors[begin], batch.count, batch);
}

}  // namespace hopwave::strategy::cpu

// A checksum at memory speed: eight lanes of 64 bits, into which each word is mixed by a rotation and an odd
// multiplication.
// Every step is a bijection of the lane, so a change of any one word always changes the sum. It does not protect
// against forgery.
#include "core/checksum.h"

#include <bit>
#include <cstring>
#include <vector>

namespace hopwave::core {
namespace {

constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ull;

std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) { return std::rotl((lane ^ word) * multiplier, 29); }

/// With `check`, `seen` collects x | (last - x) for every pair x of 32-bit values in the full stripes, where `last`
/// holds the largest allowed value twice, below 2^31. A top bit stays clear exactly if all values are allowed. A larger
/// value has the bit itself, or makes the difference negative; a borrow into the upper half occurs only if the lower
/// half is wrong.
template <bool check>
std::uint64_t sum_piece(const char* bytes, std::size_t count, std::uint64_t last, std::uint64_t& seen) {
  std::uint64_t lane[8];
  for (std::uint64_t i = 0; i < 8; ++i) lane[i] = multiplier * (i + 1) ^ count;
  std::size_t at = 0;
  for (; at + 64 <= count; at += 64)
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      std::uint64_t word;
      std::memcpy(&word, bytes + at + 8 * i, 8);
      lane[i] = mixed(lane[i], word);
      if constexpr (check) seen |= word | (last - word);
    }
  for (int i = 0; at < count; ++i) {
    std::uint64_t word = 0;
    const std::size_t some = std::min<std::size_t>(8, count - at);
    std::memcpy(&word, bytes + at, some);
    lane[i] = mixed(lane[i], word);
    at += some;
  }
  std::uint64_t sum = count;
  for (const std::uint64_t l : lane) sum = mixed(sum, l);
  return sum ^ (sum >> 32);
}

}  // namespace

std::uint64_t piece_checksum(const char* bytes, std::size_t count) {
  std::uint64_t ignored = 0;
  return sum_piece<false>(bytes, count, 0, ignored);
}

std::uint64_t piece_checksum_below(const char* bytes, std::size_t count, VertexId limit, bool& below) {
  constexpr std::uint64_t both = 0x0000000100000001ull, tops = 0x8000000080000000ull;
  std::uint64_t seen = 0, sum = 0;
  if (limit > 0 && limit <= 0x80000000u) {
    sum = sum_piece<true>(bytes, count, (limit - 1) * both, seen);
    below = !(seen & tops);
  } else {
    sum = sum_piece<false>(bytes, count, 0, seen);
    below = true;
  }
  // The words after the last full stripe, or all words if the trick does not apply.
  const bool tricked = limit > 0 && limit <= 0x80000000u;
  for (std::size_t at = tricked ? count / 64 * 64 : 0; at + 4 <= count; at += 4) {
    VertexId v;
    std::memcpy(&v, bytes + at, 4);
    below = below && v < limit;
  }
  return sum;
}

std::uint64_t join_checksums(std::uint64_t sum, std::uint64_t piece) { return mixed(sum, piece) ^ (sum >> 31); }

std::uint64_t checksum(std::span<const char> bytes, Team& team) {
  const std::size_t pieces = (bytes.size() + checksum_piece - 1) / checksum_piece;
  std::vector<std::uint64_t> sums(pieces);
  parallel_for(team, pieces, 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      sums[i] = piece_checksum(bytes.data() + i * checksum_piece, std::min(checksum_piece, bytes.size() - i * checksum_piece));
  });
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t piece : sums) sum = join_checksums(sum, piece);
  return sum;
}

std::uint64_t graph_fingerprint(VertexId num_vertices, bool directed, std::uint64_t offsets, std::uint64_t neighbors) {
  std::uint64_t sum = join_checksums(num_vertices, directed ? 1 : 2);
  for (const std::uint64_t part : {offsets, neighbors}) sum = join_checksums(sum, part);
  return sum ? sum : 1;  // 0 means that the sum is not known
}

}  // namespace hopwave::core

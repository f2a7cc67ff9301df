// What every kind of transport promises; called on all ranks. Used with ranks as threads and as MPI processes.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/transport.h"

namespace hopwave::testing {

/// Value `i` of what rank `from` sends to rank `to`; how many it sends may be none.
inline std::uint32_t sent_value(int from, int to, std::size_t i) {
  return static_cast<std::uint32_t>(from * 1000003 + to * 997) + static_cast<std::uint32_t>(i);
}
inline std::size_t sent_count(int from, int to) { return static_cast<std::size_t>((from * 7 + to * 13) % 5) * 61; }

/// The first thing that is wrong, or nothing.
inline std::string broken_promise(ranks::Transport& transport) {
  const int rank = transport.rank(), size = transport.size();
  const auto ranks = static_cast<std::size_t>(size);
  if (rank < 0 || rank >= size) return "rank";

  std::vector<std::vector<std::uint32_t>> to(ranks), from;
  for (int r = 0; r < size; ++r)
    for (std::size_t i = 0; i < sent_count(rank, r); ++i) to[static_cast<std::size_t>(r)].push_back(sent_value(rank, r, i));
  for (int again = 0; again < 3; ++again) {
    transport.exchange(to, from);
    for (int r = 0; r < size; ++r) {
      const auto& values = from[static_cast<std::size_t>(r)];
      if (values.size() != sent_count(r, rank)) return "exchange: size";
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != sent_value(r, rank, i)) return "exchange: value";
    }
  }

  std::vector<std::uint64_t> counts, mine;
  for (int r = 0; r < size; ++r) counts.push_back(static_cast<std::uint64_t>((r * 5 + 2) % 4));  // none from some
  for (std::uint64_t i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i)
    mine.push_back(100 * static_cast<std::uint64_t>(rank) + i);
  std::vector<std::uint64_t> all(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  transport.all_gather<std::uint64_t>(mine, all, counts);
  std::size_t at = 0;
  for (std::uint64_t r = 0; r < ranks; ++r)
    for (std::uint64_t i = 0; i < counts[r]; ++i)
      if (all[at++] != 100 * r + i) return "all_gather";

  const auto number = static_cast<std::uint64_t>(rank), n = static_cast<std::uint64_t>(size);
  std::uint64_t sums[] = {number, 1};
  transport.all_reduce(sums, ranks::Reduce::sum);
  if (sums[0] != n * (n - 1) / 2 || sums[1] != n) return "all_reduce: sum";
  if (transport.all_reduce(number + 3, ranks::Reduce::min) != 3) return "all_reduce: min";
  if (transport.all_reduce(number, ranks::Reduce::max) != n - 1) return "all_reduce: max";
  if (transport.all_reduce(std::uint64_t{1} << rank, ranks::Reduce::bit_or) != (std::uint64_t{1} << n) - 1)
    return "all_reduce: or";

  for (int root = 0; root < size; ++root) {
    std::vector<char> text(static_cast<std::size_t>(rank == root ? root * 40 : 3), 'x');
    for (std::size_t i = 0; rank == root && i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 26);
    transport.broadcast(root, text);
    if (text.size() != static_cast<std::size_t>(root * 40)) return "broadcast: size";
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] != static_cast<char>('a' + i % 26)) return "broadcast: value";
  }
  transport.barrier();

  // An error of the last rank is thrown by all, with its words.
  try {
    ranks::agree(transport, [&] {
      if (rank == size - 1)
        throw Error({.failure = Failure::input, .id = "HW-TEST", .where = {.file = "f", .line = 7}, .found = "it"});
    });
    return "agree: nothing thrown";
  } catch (const ranks::AgreedError& error) {
    const std::string found = size > 1 ? "rank " + std::to_string(size - 1) + ": it" : "it";
    if (error.rank() != size - 1 || error.id() != "HW-TEST" || error.parts().where.line != 7 || error.parts().found != found)
      return "agree: " + std::string(error.what());
  }
  return {};
}

}  // namespace hopwave::testing

// Looks through all vertices for the first that breaks a rule of a correct answer, and describes it.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "core/parallel.h"
#include "hopwave/types.h"

namespace hopwave::search_detail {

struct Broken {
  const char* rule;
  std::string message;
};

/// For a rule that fails: the message is composed only if it is needed.
bool fail(Broken* why, const char* rule, auto&& message) {
  if (why) *why = {rule, message()};
  return true;
}

/// Calls fails(v, null) in parallel for all v below n, then once more for the smallest failing v to get the message.
template <class Fails>
std::optional<Broken> first_broken(Team& team, std::size_t n, Fails&& fails) {
  constexpr std::size_t grain = 2048;
  std::atomic<std::size_t> lowest{n};
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      if (!fails(static_cast<VertexId>(v), nullptr)) continue;
      std::size_t old = lowest.load(std::memory_order_relaxed);
      while (v < old)
        if (lowest.compare_exchange_weak(old, v, std::memory_order_relaxed)) break;
      return;
    }
  });
  if (lowest.load() == n) return std::nullopt;
  Broken why{};
  fails(static_cast<VertexId>(lowest.load()), &why);
  return why;
}

}  // namespace hopwave::search_detail

// Sectors and banks as the CUDA programming guide and Nsight Compute define them: docs/explain.md says what is a model.
#include "simulator/requests.h"

#include <algorithm>

namespace hopwave::sim {

void Requests::begin(std::size_t threads) {
  made_.resize(std::max(made_.size(), threads));
  for (auto& of_thread : made_) of_thread.clear();
  numbers_.clear();
  figures_.clear();
}

void Requests::access(std::size_t thread, const Place& place, u64 at, u32 bytes) {
  const auto [found, is_new] = numbers_.try_emplace(place, static_cast<u32>(figures_.size()));
  if (is_new) figures_.push_back({place, {}});
  made_[thread].push_back({.place = found->second, .bytes = bytes, .at = at});
}

void Requests::meet(std::size_t first, u32 threads) {
  for (u32 warp = 0; warp < threads; warp += lanes) {
    asked_.clear();
    for (u32 lane = 0; lane < std::min(lanes, threads - warp); ++lane) {
      auto& made = made_[first + warp + lane];
      if (made.empty()) continue;
      // A loop: a standard function compiled elsewhere under ThreadSanitizer would read the 0 from a fiber's stack.
      times_.resize(std::max(times_.size(), figures_.size()));
      for (u32& times : times_) times = 0;
      for (const Made& one : made)
        asked_.push_back({.place = one.place, .nth = times_[one.place]++, .at = one.at, .lane = lane, .bytes = one.bytes});
      made.clear();
    }
    std::ranges::sort(asked_);
    const Asked* const end = asked_.data() + asked_.size();
    for (const Asked* from = asked_.data(); from < end;) {
      const Asked* to = from;
      while (to < end && to->place == from->place && to->nth == from->nth) ++to;
      add(from, to);
      from = to;
    }
  }
}

void Requests::add(const Asked* first, const Asked* end) {
  Figures& of_place = figures_[first->place];
  u64 least = 0;
  const u64 transfers = of_place.place.shared ? rounds(first, end, least) : sectors(first, end, least);
  of_place.counts.add({.requests = 1,
                       .accesses = static_cast<u64>(end - first),
                       .transfers = transfers,
                       .least_transfers = least,
                       .most_transfers = transfers});
}

/// Accesses are in the order of their addresses. Several lanes at one address ask for its bytes once.
u64 Requests::sectors(const Asked* first, const Asked* end, u64& least) {
  u64 touched = 0, next = 0, bytes = 0;
  for (const Asked* one = first; one < end; ++one) {
    if (one == first || one->at != one[-1].at) bytes += one->bytes;
    const u64 after = (one->at + one->bytes - 1) / sector + 1;
    next = std::max(next, one->at / sector);
    if (after > next) touched += after - next, next = after;
  }
  least = (bytes + sector - 1) / sector;
  return touched;
}

/// Words of eight bytes are given to half of the lanes at a time, words of sixteen to a quarter. In a round a bank gives one
/// word, to all lanes that ask for it.
u64 Requests::rounds(const Asked* first, const Asked* end, u64& least) {
  const u32 together = std::max(1u, banks * bank_word / std::max(first->bytes, bank_word));
  u64 all = 0;
  for (u32 from = 0; from < lanes; from += together) {
    words_.clear();
    for (const Asked* one = first; one < end; ++one)
      if (one->lane >= from && one->lane < from + together)
        for (u64 word = one->at / bank_word; word <= (one->at + one->bytes - 1) / bank_word; ++word) words_.push_back(word);
    std::ranges::sort(words_);
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    u32 of_bank[banks] = {};
    for (const u64 word : words_) ++of_bank[word % banks];
    all += *std::ranges::max_element(of_bank);
    least += (words_.size() + banks - 1) / banks;
  }
  return all;
}

void Requests::finish(LaunchCounts& into) const {
  for (const auto& [place, counts] : figures_) {
    RequestCounts one = counts;
    one.file = place.file;
    one.line = place.line;
    one.access = place.access;
    one.shared = place.shared;
    one.kind = place.kind;
    add_requests(into.requests, one);
  }
}

}  // namespace hopwave::sim

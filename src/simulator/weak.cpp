// Reads that may be old and stores that may come late, as far as views allow.
#include "simulator/weak.h"

#include <algorithm>

#include "core/mix.h"
#include "simulator/fiber.h"

namespace hopwave::sim {

namespace {
constexpr u32 carried_entries = 2048, token_entries = 4096;
static_assert(View::words == 64, "slot_of() takes six bits");
}  // namespace

u32 Weak::draw(u32 below) {
  rng_ ^= rng_ << 13;
  rng_ ^= rng_ >> 7;
  rng_ ^= rng_ << 17;
  return static_cast<u32>(((rng_ >> 32) * below) >> 32);
}

void Weak::begin(u64 seed, std::size_t threads) {
  const tsan::Unseen unseen;
  ++launch_;  // table entries of earlier launches no longer count
  rng_ = core::mix(seed ^ 0x5EEDull) | 1;
  salt_ = core::mix(rng_);
  fences_ = {};
  granules_.clear();
  barriers_.clear();
  words_.resize(View::words);
  for (Word& word : words_) word.address = 0, word.last = word.count = 0;
  carried_.resize(carried_entries);
  tokens_.resize(token_entries);
  if (orders_.size() < threads) orders_.resize(threads);
}

// ---- words that are remembered -----------------------------------------------------------------------------------------

/// Returns the word's values, if they are remembered. They are not if the word was changed by other means, or is used
/// at another width.
void Weak::begin_thread(std::size_t thread) {
  const tsan::Unseen unseen;
  orders_[thread] = {};
}

Weak::Word* Weak::find(std::uintptr_t address, u32 bytes, u64 now) {
  Word& word = words_[slot_of(address)];
  if (word.count == 0 || address + bytes <= word.address || word.address + word.bytes <= address) return nullptr;
  if (word.address == address && word.bytes == bytes && word.values[word.count - 1].bits == now) return &word;
  word.count = 0;
  return nullptr;
}

/// Remembers a word that is about to be written, unless another word keeps its entry. Times continue, so views of the
/// entry's previous word do not apply to this one.
Weak::Word* Weak::find_or_open(std::uintptr_t address, u32 bytes, u64 now) {
  constexpr u32 stays = 8;
  if (Word* const word = find(address, bytes, now)) return word;
  Word& word = words_[slot_of(address)];
  if (word.count ? draw(stays) != 0 : draw(4) == 0) return nullptr;
  word.address = address;
  word.bytes = bytes;
  word.count = 1;
  word.last += step;
  word.values[0] = {.bits = now, .when = word.last, .modified = true, .view = carried(address).view};
  return &word;
}

Weak::Carried& Weak::carried(std::uintptr_t address) {
  const u64 granule = address >> 3;
  Carried& entry = carried_[number_of(granules_, granule) % carried_entries];
  const u64 key = granule ^ launch_ << 46;
  if (entry.key == key) return entry;
  if ((entry.key ^ key) >> 46) entry.lost = entry.view = {};
  entry.lost.join(entry.view);
  entry.view = entry.lost;
  entry.key = key;
  entry.address = 0;
  return entry;
}

void Weak::see(Order& order, const Word& word, const Value& value) {
  const auto w = &word - words_.data();
  order.seen.at[w] = std::max(order.seen.at[w], value.when);
  order.after_fence.at[w] = std::max(order.after_fence.at[w], value.when);
}

void Weak::append(Order& order, Word& word, u64 bits, bool modified, const View& view) {
  if (word.count == most_values) {
    for (u32 i = 1; i < most_values; ++i) word.values[i - 1] = word.values[i];
    --word.count;
  }
  Value& value = word.values[word.count++];
  value = {.bits = bits, .when = word.last += step, .modified = modified, .view = view};
  value.view.at[&word - words_.data()] = value.when;
  see(order, word, value);
}

// ---- accesses ------------------------------------------------------------------------------------------------------------

u64 Weak::load(std::size_t thread, const void* p, u32 bytes, u64 now, bool acquires) {
  const tsan::Unseen unseen;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  Order& order = orders_[thread];
  const Word* const word = find(address, bytes, now);
  const View* view = nullptr;
  u64 bits = now;
  if (word) {
    u32 oldest = word->count - 1;
    while (oldest && order.seen.at[word - words_.data()] < word->values[oldest].when) --oldest;
    const u32 old = word->count - 1 - oldest;
    const Value& value = word->values[word->count - 1 - (draw(2) ? draw(old + 1) : 0)];
    see(order, *word, value);
    view = &value.view;
    bits = value.bits;
  } else {
    view = &carried(address).view;
  }
  order.after_fence.join(*view);
  if (acquires) order.seen.join(*view);
  return bits;
}

u64 Weak::store(std::size_t thread, const void* p, u32 bytes, u64 old, u64 value, bool releases) {
  const tsan::Unseen unseen;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  Order& order = orders_[thread];
  const View& passed = releases ? order.seen : order.fenced;
  Word* const word = find_or_open(address, bytes, old);
  if (word && word->count > 1) {
    // It may come before the newest value, if its thread has not seen that value and no atomic made it from the one
    // before.
    const u32 newest = word->count - 1;
    const u32 before = word->values[newest - 1].when, when = (before + word->values[newest].when) / 2;
    const bool may = !word->values[newest].modified && order.seen.at[word - words_.data()] <= before && when > before;
    if (may && word->count < most_values && draw(4) == 0) {
      word->values[newest + 1] = word->values[newest];
      ++word->count;
      word->values[newest] = {.bits = value, .when = when, .modified = false, .view = passed};
      word->values[newest].view.at[word - words_.data()] = when;
      see(order, *word, word->values[newest]);
      return old;
    }
  }
  if (word) append(order, *word, value, false, passed);
  Carried& entry = carried(address);
  const View& carries = word ? word->values[word->count - 1].view : passed;
  if (entry.address == address && entry.bytes == bytes)
    entry.view = carries;
  else
    entry.view.join(carries);  // another word of these eight bytes may be read later
  entry.address = address;
  entry.bytes = bytes;
  return value;
}

void Weak::modify(std::size_t thread, const void* p, u32 bytes, u64 old, u64 now, bool releases) {
  const tsan::Unseen unseen;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  Order& order = orders_[thread];
  Word* const word = find_or_open(address, bytes, old);
  Carried& entry = carried(address);
  const View& read = word ? word->values[word->count - 1].view : entry.view;
  order.after_fence.join(read);
  View passed = releases ? order.seen : order.fenced;
  passed.join(read);  // a reader that acquires this value is ordered after the value from which it was made
  if (word) append(order, *word, now, true, passed);
  entry.view.join(word ? word->values[word->count - 1].view : passed);
}

// ---- what passes views on ------------------------------------------------------------------------------------------------

void Weak::fence(std::size_t thread) {
  const tsan::Unseen unseen;
  Order& order = orders_[thread];
  order.after_fence.join(fences_);
  order.seen = order.fenced = fences_ = order.after_fence;
}

/// Barriers that share an entry order more than they should.
Weak::Token& Weak::token(u64 key) {
  Token& token = tokens_[number_of(barriers_, key) % token_entries];
  if (token.launch != launch_) token = {.launch = launch_, .seen = {}, .fenced = {}};
  return token;
}

void Weak::arrive(std::size_t thread, u64 key) {
  const tsan::Unseen unseen;
  Token& at = token(key);
  at.seen.join(orders_[thread].seen);
  at.fenced.join(orders_[thread].fenced);
}

void Weak::send(std::size_t thread, u64 key) {
  const tsan::Unseen unseen;
  Token& at = token(key);
  at.seen.join(orders_[thread].fenced);
  at.fenced.join(orders_[thread].fenced);
}

void Weak::leave(std::size_t thread, u64 key) {
  const tsan::Unseen unseen;
  const Token& at = token(key);
  Order& order = orders_[thread];
  order.seen.join(at.seen);
  order.after_fence.join(at.seen);
  order.fenced.join(at.fenced);
}

void Weak::forget(const void* p, std::size_t bytes) {
  const tsan::Unseen unseen;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  for (Word& word : words_)
    if (word.count && address < word.address + word.bytes && word.address < address + bytes) word.count = 0;
}

}  // namespace hopwave::sim

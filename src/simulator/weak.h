// Weak memory: a thread need not read the newest value. Each word that kernels write has its values in coherence order.
// Each thread has a view: how far it has come along that order, for every word. A read returns any value that its view
// allows; barriers, acquired releases and fences pass views on. A relaxed value carries what its writer saw at its last
// fence, and its reader gets that view after its own fence. Memory itself holds the newest value.
// Values are remembered for a few words at a time, chosen by the seed. All other words are read at their newest value,
// and carry views as well.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simulator/words.h"

namespace hopwave::sim {

/// How far a thread has come, or how far a value takes its reader: the time of a value, for each remembered word.
struct View {
  static constexpr u32 words = 64;
  u32 at[words] = {};
  void join(const View& other) {
    for (u32 w = 0; w < words; ++w) at[w] = at[w] < other.at[w] ? other.at[w] : at[w];
  }
};

/// A thread's views: what it must see, what it must see after its next fence, and what its relaxed stores pass on.
struct Order {
  View seen, after_fence, fenced;
};

class Weak {
 public:
  /// A launch begins: nothing is remembered, and all threads are at its beginning.
  void begin(u64 seed, std::size_t threads);
  void begin_thread(std::size_t thread);

  /// Returns what a thread reads from a word that holds `now`.
  u64 load(std::size_t thread, const void* p, u32 bytes, u64 now, bool acquires);
  /// A thread stores `value` where `old` is. Returns what the word holds then: `old`, if the store came before it.
  u64 store(std::size_t thread, const void* p, u32 bytes, u64 old, u64 value, bool releases);
  /// A thread has changed `old` to `now` by an atomic, which acts on the newest value.
  void modify(std::size_t thread, const void* p, u32 bytes, u64 old, u64 now, bool releases);
  /// Sequentially consistent, as __threadfence() is: all fences have one order.
  void fence(std::size_t thread);
  /// A barrier, identified by `key`: a thread that leaves it has seen everything that the arriving threads have seen.
  void arrive(std::size_t thread, u64 key);
  /// A send passes on only what its thread has fenced.
  void send(std::size_t thread, u64 key);
  void leave(std::size_t thread, u64 key);
  /// Memory was written by other means: every thread sees its current content.
  void forget(const void* p, std::size_t bytes);

 private:
  static constexpr u32 most_values = 8, step = 16;
  struct Value {
    u64 bits = 0;
    u32 when = 0;
    bool modified = false;  ///< by an atomic: no value comes between it and the previous one
    View view;
  };
  /// The last values of a word, oldest first; the first is from before the launch remembered the word.
  struct Word {
    std::uintptr_t address = 0;
    u32 bytes = 0, count = 0, last = 0;
    Value values[most_values];
  };
  /// The view that the newest value of eight bytes carries. Entries that replace each other carry both views.
  struct Carried {
    u64 key = 0;
    std::uintptr_t address = 0;
    u32 bytes = 0;
    View view, lost;
  };
  struct Token {
    u64 launch = 0;
    View seen, fenced;
  };

  /// Words and barriers are numbered in order of first use: their addresses differ from run to run, and a seed's result
  /// must not.
  using Numbers = std::unordered_map<u64, u32>;
  static u32 number_of(Numbers& numbers, u64 key) {
    return numbers.try_emplace(key, static_cast<u32>(numbers.size())).first->second;
  }
  u32 slot_of(std::uintptr_t address) {
    return static_cast<u32>((number_of(granules_, address >> 3) ^ salt_) * 0x9E3779B97F4A7C15ull >> 58);
  }
  Word* find(std::uintptr_t address, u32 bytes, u64 now);
  Word* find_or_open(std::uintptr_t address, u32 bytes, u64 now);
  Carried& carried(std::uintptr_t address);
  Token& token(u64 key);
  void append(Order& order, Word& word, u64 bits, bool modified, const View& view);
  void see(Order& order, const Word& word, const Value& value);
  u32 draw(u32 below);

  u64 launch_ = 0, salt_ = 0, rng_ = 1;
  View fences_;
  Numbers granules_, barriers_;
  std::vector<Order> orders_;
  std::vector<Word> words_;
  std::vector<Carried> carried_;
  std::vector<Token> tokens_;
};

}  // namespace hopwave::sim

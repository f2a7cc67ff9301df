// What the accesses to memory words check and remember. An access must be aligned to its size, and its memory must be
// of the kind that its instruction requires. For words that a launch changes, the previous value is kept for reads that
// may be stale. Addresses that are written and addresses that are read as read-only are kept, too, so that one cannot
// be both. The tables are small and entries get lost: what they find is an error, but they do not find every error.
#pragma once

#include <bit>
#include <cstdint>

#include "simulator/words.h"

namespace hopwave::sim {

/// The value that a word had before it changed in this launch.
struct Past {
  u64 key = 0;    ///< address, and the launch in the bits above it
  u64 old = 0;    ///< the value's bits
  u64 when = 0;   ///< number of the change
  u64 later = 0;  ///< marks of the blocks that have seen a later value
  u32 bytes = 0;
};

struct Memory {
  static constexpr u32 slots = 1024;
  Past past[slots];
  u64 written[slots] = {}, read[slots] = {};  ///< keys
};

/// 48 bits of address below the launch's number, so that nothing is cleared between launches.
inline u64 key_of(std::uintptr_t address) { return static_cast<u64>(address) | here.launch; }
inline u32 past_slot(std::uintptr_t address) { return static_cast<u32>(address >> 3) % Memory::slots; }
inline u32 word_slot(std::uintptr_t address) { return static_cast<u32>(address >> 2) % Memory::slots; }

[[noreturn]] void misaligned(const void* p, u32 bytes, const SourceLocation& where);
[[noreturn]] void wrong_space(const void* p, bool wants_shared, const SourceLocation& where);
[[noreturn]] void written_too(const void* p, const SourceLocation& where);

inline bool in_shared(const void* p) { return reinterpret_cast<std::uintptr_t>(p) - here.shared < here.shared_bytes; }
inline void need_aligned(const void* p, u32 bytes, const SourceLocation& where) {
  if (reinterpret_cast<std::uintptr_t>(p) % bytes) [[unlikely]]
    misaligned(p, bytes, where);
}
inline void need_global(const void* p, u32 bytes, const SourceLocation& where) {
  need_aligned(p, bytes, where);
  if (in_shared(p)) [[unlikely]]
    wrong_space(p, false, where);
}
inline void need_shared(const void* p, u32 bytes, const SourceLocation& where) {
  need_aligned(p, bytes, where);
  if (!in_shared(p)) [[unlikely]]
    wrong_space(p, true, where);
}

/// A word was changed, or written at all (old = now), by an atomic or a store of the kernel's vocabulary.
void wrote(const void* p, u32 bytes, u64 old, u64 now, const SourceLocation& where);
/// Returns the value of a read that may be stale, for a word that is `now`.
u64 peeked(const void* p, u32 bytes, u64 now, const SourceLocation& where);
/// From here on, the thread sees what other threads released.
void acquired();
/// Weak memory (weak.h): the value that a load returns for a word that is `now`; the value of a word after a store of
/// `value` to it; a change by an atomic.
u64 loaded_weakly(const void* p, u32 bytes, u64 now, bool acquires);
u64 stored_weakly(const void* p, u32 bytes, u64 old, u64 value, bool releases);
void modified_weakly(const void* p, u32 bytes, u64 old, u64 now, bool releases);

namespace detail {
inline void saw(const void* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  Past& past = here.memory->past[past_slot(address)];
  if (past.key == key_of(address)) past.later |= here.self->mark;
}
inline void read_for_good(const void* p, u32 bytes, const SourceLocation& where) {
  const auto first = reinterpret_cast<std::uintptr_t>(p);
  for (std::uintptr_t at = first; at < first + bytes; at += 4) {
    const u32 slot = word_slot(at);
    if (here.memory->written[slot] == key_of(at)) [[unlikely]]
      written_too(p, where);
    here.memory->read[slot] = key_of(at);
  }
}
}  // namespace detail

// All simulated threads share the tables: instrumented code must not touch them.
#ifdef HW_THREAD_SANITIZER
void saw(const void* p);
void read_for_good(const void* p, u32 bytes, const SourceLocation& where);
bool is_weak();
#else
/// This thread, and thus its block, which shares one first-level cache, has seen the word's current value.
inline void saw(const void* p) { detail::saw(p); }
/// This thread reads memory that no thread writes during the launch.
inline void read_for_good(const void* p, u32 bytes, const SourceLocation& where) { detail::read_for_good(p, bytes, where); }
inline bool is_weak() { return here.weak; }
#endif

}  // namespace hopwave::sim

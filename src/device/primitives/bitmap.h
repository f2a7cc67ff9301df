// Bits in an array of words: bit i is bit i % B of word i / B, where B is the width of a word.
#pragma once

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

template <class Word>
inline constexpr u32 bits_of = 8 * sizeof(Word);

/// Is bit i set? A plain read: no thread may write the word meanwhile.
/// Who calls: any thread, alone. Cost: one read.
template <class Word>
HW_DEVICE bool test_bit(const Word* words, u32 i) {
  return plain_read(&words[i / bits_of<Word>]) >> (i % bits_of<Word>)&1;
}

/// Sets bit i. True for exactly one of all threads that ever claim it: the one that found it clear.
/// Who calls: any thread, alone. The words are in shared or global memory.
/// Order: relaxed; what the winner writes afterwards is seen by others after a barrier. Cost: one atomic.
template <class Word>
HW_DEVICE bool claim_bit(Word* words, u32 i) {
  const Word bit = Word{1} << (i % bits_of<Word>);
  return !(fetch_or(&words[i / bits_of<Word>], bit) & bit);
}

}  // namespace hopwave::HW_MACHINE::dev

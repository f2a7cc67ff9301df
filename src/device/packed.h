// A word made of fields: each field says where it lies and how wide it is, and is written and read through that alone.
// Writing checks the range (HW_CHECK), so a value that does not fit ends a checked run instead of changing its neighbours.
#pragma once

#include "device/check.h"
#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

/// Bits shift … shift + bits − 1 of a Word.
template <u32 shift_, u32 bits_, class Word_ = u64>
struct Field {
  static_assert(bits_ > 0 && shift_ + bits_ <= 8 * sizeof(Word_));
  static constexpr u32 shift = shift_, bits = bits_;
  static constexpr Word_ max = static_cast<Word_>(~Word_{0}) >> (8 * sizeof(Word_) - bits_);
  static constexpr Word_ mask = static_cast<Word_>(max << shift_);

  /// The field's part of a word; value ≤ max.
  HW_DEVICE static Word_ put(Word_ value) {
    HW_CHECK(value <= max);
    return static_cast<Word_>(value << shift_);
  }
  HW_DEVICE static constexpr Word_ get(Word_ word) {  // on the host, too
    if constexpr (shift_ + bits_ == 8 * sizeof(Word_))
      return static_cast<Word_>(word >> shift_);
    else
      return static_cast<Word_>(word >> shift_) & max;
  }
};

/// `value` as the narrower type To, which it must fit.
template <class To, class From>
HW_DEVICE To narrowed(From value) {
  HW_CHECK(static_cast<From>(static_cast<To>(value)) == value && (static_cast<To>(value) < To{0}) == (value < From{0}));
  return static_cast<To>(value);
}

}  // namespace hopwave::HW_MACHINE::dev

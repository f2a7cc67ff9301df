// The words of the printed listings in the simulator: `level[w] = current` is a plain access, as on the page, and the thread
// may be interrupted before it. The kernels of src/device/kernel.h never write so; the listings do, and that is what is shown.
// Each array knows its size: outside AddressSanitizer an index beyond it ends the launch with HW-SIM-BOUNDS.
#pragma once

#include <concepts>
#include <type_traits>

#include "core/sanitized.h"
#include "device/kernel.h"

/// `__shared__ T name[count]` and `__shared__ T name`.
#define HW_PRINTED_SHARED(T, name, count) \
  HW_SHARED(T, words_of_##name, count);   \
  const ::hopwave::sim::Printed<T> name(words_of_##name, count, #name)
#define HW_PRINTED_SHARED_ONE(T, name) \
  HW_SHARED(T, word_of_##name, 1);     \
  const ::hopwave::sim::Word<T> name(word_of_##name)

namespace hopwave::sim {
namespace {

/// A word in memory that is read and written plainly. Sanitizers judge the access; the frame below is the listing's line.
template <class T>
class Word {
 public:
  using Value = std::remove_const_t<T>;
  explicit Word(T* word) : word_(word) {}
  Word(const Word&) = default;
  operator Value() const {
    step();
    if (is_counted()) counted(word_, sizeof(T), Access::read, false);
    return *word_;
  }
  const Word& operator=(Value value) const {
    step();
    if (is_counted()) counted_write(word_, sizeof(T), &value);
    *word_ = value;
    return *this;
  }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): a word that is assigned to itself is read, then written
  const Word& operator=(const Word& other) const { return *this = static_cast<Value>(other); }
  T* operator&() const { return word_; }

 private:
  T* word_;
};

/// An index and the line it stands in.
struct Index {
  template <std::integral I>
  Index(I i, const SourceLocation& w = SourceLocation::current()) : value(static_cast<std::int64_t>(i)), where(w) {}
  template <class T>
  Index(const Word<T>& word, const SourceLocation& w = SourceLocation::current())
      : value(static_cast<std::int64_t>(static_cast<typename Word<T>::Value>(word))), where(w) {}
  std::int64_t value;
  SourceLocation where;
};

/// `size` words of an array of the listing.
template <class T>
class Printed {
 public:
  Printed() = default;
  Printed(T* data, std::uint64_t size, const char* name) : data_(data), size_(size), name_(name) {}
  Word<T> operator[](const Index& i) const {
#if !defined(HW_ADDRESS_SANITIZER)
    if (static_cast<std::uint64_t>(i.value) >= size_) out_of_bounds(name_, i.value, size_, i.where);
#endif
    return Word<T>(data_ + i.value);
  }
  Word<T> operator*() const { return Word<T>(data_); }

 private:
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  const char* name_ = "";
};

}  // namespace
}  // namespace hopwave::sim

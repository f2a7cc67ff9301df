// The words of the printed listings in the simulator: `level[w] = current` is a plain access, as on the page, and the thread
// may be interrupted before it. The kernels of src/device/kernel.h never write so; the listings do, and that is what is shown.
// Each array knows its size: outside AddressSanitizer an index beyond it ends the launch with HW-SIM-BOUNDS.
#pragma once

#include <concepts>
#include <type_traits>

#include "core/sanitized.h"
#include "device/kernel.h"

/// `__shared__ T name[count]` and `__shared__ T name`.
/// HW_PRINTED_DYNAMIC: an array whose places are a parameter; HW_PRINTED_PART: the same if there are several, from word `at`
/// on.
#define HW_PRINTED_SHARED(T, name, count) \
  HW_SHARED(T, words_of_##name, count);   \
  const ::hopwave::sim::Printed<T> name(words_of_##name, count, #name)
#define HW_PRINTED_DYNAMIC(T, name, count) \
  HW_DYNAMIC_SHARED(T, words_of_##name);   \
  const ::hopwave::sim::Printed<T> name(words_of_##name, static_cast<std::uint64_t>(count), #name)
#define HW_PRINTED_PART(T, name, at, count)                                                                        \
  HW_SHARED_PARTS(T, words_at_##name);                                                                             \
  const ::hopwave::sim::Printed<T> name(dev::shared_part(words_at_##name + (at), static_cast<std::size_t>(count)), \
                                        static_cast<std::uint64_t>(count), #name)
#define HW_PRINTED_SHARED_ONE(T, name) \
  HW_SHARED(T, word_of_##name, 1);     \
  const ::hopwave::sim::Word<T> one_##name(word_of_##name)
/// What the name of such a word is replaced by: `#define name HW_PRINTED_ONE(name)`, so that a read knows its line.
#define HW_PRINTED_ONE(name) (one_##name.at(::hopwave::SourceLocation::current()))

namespace hopwave::sim {
namespace {

template <class T>
class Word;

/// A value and the line of the statement that writes it.
template <class T>
struct Written {
  Written(T v, const SourceLocation& w = SourceLocation::current()) : value(v), where(w) {}
  template <class U>
  Written(const Word<U>& word, const SourceLocation& w = SourceLocation::current());
  T value;
  SourceLocation where;
};

/// A word in memory that is read and written plainly. Sanitizers judge the access; the frame below is the listing's line.
template <class T>
class Word {
 public:
  using Value = std::remove_const_t<T>;
  explicit Word(T* word, const SourceLocation& where = {}) : word_(word), where_(where) {}
  Word(const Word&) = default;
  operator Value() const { return read(where_); }
  Value read(const SourceLocation& at) const {
    step();
    if (is_counted()) counted(word_, sizeof(T), Access::read, false, at);
    if constexpr (!std::is_const_v<T>)  // the launch does not write what it takes as constant
      if (is_raced()) dev::detail::raced_plainly(word_, Touch::read, *word_, at);
    return *word_;
  }
  const Word& operator=(const Written<Value>& written) const {
    step();
    const SourceLocation& at = where_.line() ? where_ : written.where;
    if (is_counted()) counted_write(word_, sizeof(T), &written.value, at);
    if (is_raced()) dev::detail::raced_plainly(word_, Touch::write, written.value, at);
    *word_ = written.value;
    return *this;
  }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): a word that is assigned to itself is read, then written
  const Word& operator=(const Word& other) const {
    return *this = Written<Value>(other.read(other.where_.line() ? other.where_ : where_), where_);
  }
  T* operator&() const { return word_; }
  [[nodiscard]] Word at(const SourceLocation& where) const { return Word(word_, where); }

 private:
  T* word_;
  SourceLocation where_;  ///< of the expression that names the word; line 0: not known
};

template <class T>
template <class U>
Written<T>::Written(const Word<U>& word, const SourceLocation& w)
    : value(static_cast<typename Word<U>::Value>(word)), where(w) {}

/// An index and its line.
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
    return Word<T>(data_ + i.value, i.where);
  }
  Word<T> operator*() const { return Word<T>(data_); }

 private:
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  const char* name_ = "";
};

}  // namespace
}  // namespace hopwave::sim

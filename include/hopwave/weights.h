// Weights: one number per arc or per edge, in the smallest of four types that holds all of them exactly.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hopwave/array.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

enum class WeightType { int32, int64, float32, float64 };

template <class T>
concept WeightValue =
    std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t> || std::same_as<T, float> || std::same_as<T, double>;

template <WeightValue T>
inline constexpr WeightType weight_type = std::same_as<T, std::int32_t>   ? WeightType::int32
                                          : std::same_as<T, std::int64_t> ? WeightType::int64
                                          : std::same_as<T, float>        ? WeightType::float32
                                                                          : WeightType::float64;

/// Returns "int32", "int64", "float32" or "float64".
[[nodiscard]] std::string_view name(WeightType type);
/// Returns the bytes of one weight: 4 or 8.
[[nodiscard]] constexpr std::size_t size_of(WeightType type) {
  return type == WeightType::int32 || type == WeightType::float32 ? 4 : 8;
}

/// The caller's weights in memory: a contiguous range of one of the four types. They are read only during the call that
/// takes it.
class WeightSpan {
 public:
  WeightSpan() = default;
  template <std::ranges::contiguous_range Range>
  requires WeightValue<std::ranges::range_value_t<Range>> && std::ranges::sized_range<Range> WeightSpan(
      const Range& range)  // NOLINT(google-explicit-constructor): a vector is passed as it is
      : data_(std::ranges::data(range)),
        size_(std::ranges::size(range)),
        type_(weight_type<std::ranges::range_value_t<Range>>) {}
  WeightSpan(WeightType type, const void* data, std::size_t size) : data_(data), size_(size), type_(type) {}

  [[nodiscard]] WeightType type() const noexcept { return type_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const void* data() const noexcept { return data_; }
  template <WeightValue T>
  [[nodiscard]] std::span<const T> as() const noexcept {  ///< only if T is the type
    return {static_cast<const T*>(data_), size_};
  }
  /// Calls use(values) with a std::span of the actual type.
  template <class Use>
  decltype(auto) with(Use&& use) const {
    switch (type_) {
      case WeightType::int32:
        return use(as<std::int32_t>());
      case WeightType::int64:
        return use(as<std::int64_t>());
      case WeightType::float64:
        return use(as<double>());
      case WeightType::float32:
        break;
    }
    return use(as<float>());
  }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  WeightType type_ = WeightType::float32;
};

/// Weights of a graph: read-only and shared. Copies refer to the same memory, like those of an Array<const T>. A
/// Weights is made from a filled Array. Threads may read one at the same time.
class Weights {
 public:
  Weights() = default;
  template <WeightValue T>
  Weights(Array<const T> values) noexcept  // NOLINT(google-explicit-constructor): what was filled becomes what is read
      : size_(values.size()), type_(weight_type<T>) {
    data_ = values.data();
    memory_ = std::move(values).owner();
  }
  template <WeightValue T>
  Weights(Array<T> values) noexcept  // NOLINT(google-explicit-constructor): likewise
      : Weights(Array<const T>(std::move(values))) {}
  /// A view of memory that `owner` keeps alive: `size` numbers of `type`. Throws HW-ARRAY-OWNER if `owner` or `data` is
  /// null.
  Weights(std::shared_ptr<const void> owner, WeightType type, const void* data, std::size_t size)
      : memory_(std::move(owner)), data_(data), size_(size), type_(type) {
    if (size_ && !(memory_ && data_)) detail::refuse_owner();
  }
  /// Returns a copy. Throws HW-ARRAY-OWNER for values at a null address, HW-MEMORY.
  [[nodiscard]] static Weights copy_of(const WeightSpan& values);
  /// Returns the same numbers in the smallest type that holds each of them exactly: whole numbers as int32 or int64,
  /// others as float or double. They are not copied if their type is already the smallest. `threads`: 0 for all.
  [[nodiscard]] static Weights smallest(Weights weights, int threads = 0);

  [[nodiscard]] WeightType type() const noexcept { return type_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Returns true if the weights are whole numbers, stored as such.
  [[nodiscard]] bool whole() const noexcept { return type_ == WeightType::int32 || type_ == WeightType::int64; }
  /// Returns a weight as a double; whole numbers beyond 2^53 are rounded to the nearest double. The index is not
  /// checked.
  [[nodiscard]] double operator[](std::size_t i) const noexcept {
    switch (type_) {
      case WeightType::int32:
        return static_cast<const std::int32_t*>(data_)[i];
      case WeightType::int64:
        return static_cast<double>(static_cast<const std::int64_t*>(data_)[i]);
      case WeightType::float64:
        return static_cast<const double*>(data_)[i];
      case WeightType::float32:
        break;
    }
    return static_cast<const float*>(data_)[i];
  }
  /// An iterator over the weights as doubles.
  class Iterator {
   public:
    using value_type = double;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const double*;
    using reference = double;
    Iterator() = default;
    Iterator(const Weights* weights, std::size_t at) : weights_(weights), at_(at) {}
    double operator*() const { return (*weights_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {weights_, at_++}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Weights* weights_ = nullptr;
    std::size_t at_ = 0;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {this, size_}; }
  /// Returns the shortest decimal text that is read back as the same number. Throws HW-ARRAY-INDEX unless i < size().
  [[nodiscard]] std::string text(std::size_t i) const;

  [[nodiscard]] WeightSpan span() const noexcept { return {type_, data_, size_}; }
  [[nodiscard]] const void* data() const noexcept { return data_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(data_), size_ * size_of(type_)};
  }
  template <WeightValue T>
  [[nodiscard]] std::span<const T> as() const noexcept {  ///< only if T is the type
    return span().as<T>();
  }
  template <class Use>
  decltype(auto) with(Use&& use) const {  ///< as in WeightSpan
    return span().with(std::forward<Use>(use));
  }
  /// Shortens this view; other views of the same memory keep their size.
  void truncate(std::size_t size) noexcept {
    if (size < size_) size_ = size;
  }
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return memory_; }

 private:
  std::shared_ptr<const void> memory_;
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  WeightType type_ = WeightType::float32;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

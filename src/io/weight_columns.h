// Weight columns: what every text reader does with the number of an edge. Whole numbers stay whole, however large; the type
// of all is known at the end, and is the smallest that holds each of them exactly.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "hopwave/weights.h"
#include "io/input.h"
#include "io/scan.h"

namespace hopwave::io {

/// What was mended or rounded, counted by all threads.
struct Mended {
  std::atomic<std::uint64_t> rows_skipped{0};
  std::atomic<std::uint64_t> weights_replaced{0};
  std::atomic<std::uint64_t> real_ids{0};  ///< 1.0
  std::atomic<std::uint64_t> weights_rounded{0};
  std::atomic<std::uint64_t> rows_as_comments{0};  ///< "#ann bob" between rows of names
  std::atomic<bool> direction_in_comment{false};   ///< of any place; find_columns() reads those before the rows

  void note_in(ReadReport& report) const;
};

/// Says so if weights were rounded.
void note_rounding(ReadReport& report);

/// Reads a weight at `p`; `id` is the error's. `negative_allowed`: false where the format has no negative ones.
const char* scan_weight(const Block& block, const char* p, const char* id, bool lenient, Mended& mended, Number& weight,
                        bool negative_allowed = true);

/// Passes over weights that are not wanted, whatever they are: to the newline. A NUL is no text.
const char* skip_weights(const Block& block, const char* p, const char* id);

/// What numbers of a column need of their type.
struct WeightNeeds {
  bool real = false;                                                 ///< some are written with a point or an exponent
  bool floats = true;                                                ///< those are floats
  std::int64_t least = 0, most = 0;                                  ///< of the whole ones, and 0
  static constexpr std::int64_t most_float = std::int64_t{1} << 24;  ///< up to which floats have all whole numbers

  void add(const WeightNeeds& other) {
    real |= other.real;
    floats &= other.floats;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
  /// Can all of them be kept exactly as numbers of `type`, or, in float64, as the nearest?
  [[nodiscard]] bool fit(WeightType type) const {
    if (type == WeightType::float64 || this->type() == type) return true;
    if (real || type == WeightType::int32) return false;
    return type == WeightType::int64 || (least >= -most_float && most <= most_float);
  }
  [[nodiscard]] WeightType type() const {
    const auto within = [&](std::int64_t bound) { return least >= -bound && most <= bound; };
    if (real) return floats && within(most_float) ? WeightType::float32 : WeightType::float64;
    constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min(), high = std::numeric_limits<std::int32_t>::max();
    return least >= low && most <= high ? WeightType::int32 : WeightType::int64;
  }
};

/// The nearest T. Was a whole number rounded to a double?
template <WeightValue T, WeightValue From>
bool keep(From value, T& to) {
  to = static_cast<T>(value);
  if constexpr (std::same_as<T, double> && std::same_as<From, std::int64_t>)
    return to >= 0x1p63 || static_cast<From>(to) != value;
  return false;
}

/// Weights of rows, one after the other, while their type is not known yet.
class WeightBuffer {
 public:
  void add(const Number& number) {
    if (number.whole && !needs_.real) {
      whole_.push_back(number.integer);
      needs_.least = std::min(needs_.least, number.integer);
      needs_.most = std::max(needs_.most, number.integer);
    } else {
      add_real(number);
    }
  }
  [[nodiscard]] std::size_t size() const { return needs_.real ? real_.size() : whole_.size(); }
  [[nodiscard]] const WeightNeeds& needs() const { return needs_; }
  void clear() {
    whole_.clear();
    real_.clear();
    rounded_ = 0;
    needs_ = {};
  }
  /// All of them as numbers of T, to `to`. Counts in `rounded` those that no T is.
  template <WeightValue T>
  void put(T* to, std::uint64_t& rounded) const {
    const auto each = [&](const auto& values) {
      for (std::size_t i = 0; i < values.size(); ++i) rounded += keep(values[i], to[i]);
    };
    needs_.real ? each(real_) : each(whole_);
    rounded += rounded_;
  }

 private:
  void add_real(const Number& number);

  std::vector<std::int64_t> whole_;  // as long as all are whole
  std::vector<double> real_;         // else all
  std::uint64_t rounded_ = 0;        // of these
  WeightNeeds needs_;
};

/// Numbers of a type, being filled; afterwards Weights.
class WeightArray {
 public:
  WeightArray() = default;
  WeightArray(WeightType type, std::size_t size);
  [[nodiscard]] WeightType type() const { return type_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// From place `first` on. Returns how many were rounded.
  std::uint64_t put(std::size_t first, const WeightBuffer& from);
  /// Numbers [0, count) of another array. Returns how many were rounded.
  std::uint64_t take(const WeightArray& from, std::size_t count, Team& team);
  void truncate(std::size_t size) { size_ = std::min(size, size_); }
  [[nodiscard]] Weights done() && { return {std::move(memory_), type_, data_, size_}; }

 private:
  std::shared_ptr<void> memory_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  WeightType type_ = WeightType::float32;
};

}  // namespace hopwave::io

#include "io/weight_columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace hopwave::io {
namespace {

constexpr int always_exact = 15;  // digits of a decimal that a double has
constexpr int most_digits = 800;  // looked at; no double needs more

/// The digits of a decimal without its point, sign, exponent and the zeros before and after; at most most_digits.
std::string significant(const char* p, const char* end) {
  std::string digits;
  for (; p < end && *p != 'e' && *p != 'E'; ++p)
    if (is_digit(*p) && (*p != '0' || !digits.empty()) && digits.size() < most_digits) digits += *p;
  while (digits.ends_with('0')) digits.pop_back();
  return digits;
}

template <class T>
void put_at(void* data, std::size_t first, const WeightBuffer& from, std::uint64_t& rounded) {
  from.put(static_cast<T*>(data) + first, rounded);
}

}  // namespace

bool is_rounded(const char* first, const char* end, double value) {
  if (end - first <= always_exact && value != 0) return false;
  const std::string digits = significant(first, end);
  if (value == 0) return !digits.empty();
  if (digits.size() <= always_exact) return false;
  // As many digits of what was read: the same ones?
  char text[most_digits + 32];
  const int length = std::snprintf(text, sizeof text, "%.*e", static_cast<int>(digits.size()) - 1, value);
  return significant(text, text + length) != digits;
}

std::optional<std::uint64_t> whole_number(std::string_view decimal) {
  constexpr std::uint64_t end = std::uint64_t{1} << 63;
  constexpr int most_power = 1 << 20;  // beyond it only 0 is whole
  std::string digits;
  const std::size_t mantissa = std::min(decimal.find_first_of("eE"), decimal.size());
  const std::size_t point = std::min(decimal.find('.'), mantissa);
  for (const char c : decimal.substr(0, mantissa))
    if (c != '.') {
      if (!is_digit(c)) return std::nullopt;
      digits += c;
    }
  if (digits.empty()) return std::nullopt;
  int power = 0;
  if (mantissa < decimal.size()) {
    std::string_view text = decimal.substr(mantissa + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), power);
    if (read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument) return std::nullopt;
    if (read.ec != std::errc{}) power = text.starts_with('-') ? -most_power : most_power;
    power = std::clamp(power, -most_power, most_power);
  }
  if (point < mantissa) power -= static_cast<int>(mantissa - point - 1);
  while (!digits.empty() && digits.back() == '0') digits.pop_back(), ++power;
  if (digits.find_first_not_of('0') == std::string::npos) return 0;
  if (power < 0) return std::nullopt;
  std::uint64_t value = 0;
  const auto times_ten_and = [&](unsigned digit) {
    if (value > (end - 1 - digit) / 10) return false;
    value = value * 10 + digit;
    return true;
  };
  for (const char c : digits)
    if (!times_ten_and(static_cast<unsigned>(c - '0'))) return std::nullopt;
  for (; power > 0; --power)
    if (!times_ten_and(0)) return std::nullopt;
  return value;
}

void Mended::note_in(ReadReport& report) const {
  if (const auto n = rows_skipped.load())
    report.repairs.push_back(n == 1 ? "1 row that could not be read was left out"
                                    : std::to_string(n) + " rows that could not be read were left out");
  if (const auto n = weights_replaced.load())
    report.repairs.push_back(std::to_string(n) +
                             " weights that are not finite or too large were replaced by the nearest number");
  if (const auto n = real_ids.load())
    report.notes.push_back(std::to_string(n) + (n == 1 ? " id is" : " ids are") +
                           " written as 1.0 or 1e+00, and read as 1; "
                           "--input-format names keeps the texts");
  report.weights_rounded += weights_rounded.load();
}

void note_rounding(ReadReport& report) {
  const std::uint64_t n = report.weights_rounded;
  if (n == 0) return;
  report.notes.push_back((n == 1 ? "1 weight has" : std::to_string(n) + " weights have") +
                         " more digits than a number of 64 bits: the nearest one was taken");
}

const char* scan_weight(const Block& block, const char* p, const char* id, bool lenient, Mended& mended, Number& weight,
                        bool negative_allowed) {
  const char* at = p;
  switch (scan_number(p, block.end, weight)) {
    case Real::none:
      block.fail(at, id, "a number (the weight)");
    case Real::not_finite:
      if (!lenient) block.fail(at, id, "a finite number (the weight)", "--lenient takes the nearest number, 0 for nan");
      mended.weights_replaced.fetch_add(1, std::memory_order_relaxed);
      break;
    case Real::out_of_range:
      if (!lenient)
        block.fail(at, id, "a weight of at most 1.8e308 (weights have 64 bits at most)",
                   "--lenient takes the largest there is");
      mended.weights_replaced.fetch_add(1, std::memory_order_relaxed);
      break;
    case Real::rounded:
      mended.weights_rounded.fetch_add(1, std::memory_order_relaxed);
      break;
    case Real::ok:
      break;
  }
  if (!negative_allowed && weight.value() < 0) block.fail(at, id, "a weight that is not negative");
  return p;
}

const char* skip_weights(const Block& block, const char* p, const char* id) {
  const char* const end = skip_line(p, block.end);
  if (const void* zero = std::memchr(p, '\0', static_cast<std::size_t>(end - p)))
    block.fail(static_cast<const char*>(zero), id, "text");
  return end;
}

void WeightBuffer::add_real(const Number& number) {
  if (!needs_.real) {
    needs_.real = true;
    real_.resize(whole_.size());
    for (std::size_t i = 0; i < whole_.size(); ++i) rounded_ += keep(whole_[i], real_[i]);
  }
  real_.push_back(number.value());
  if (number.whole) {
    rounded_ += keep(number.integer, real_.back());
    needs_.least = std::min(needs_.least, number.integer);
    needs_.most = std::max(needs_.most, number.integer);
  } else {
    needs_.floats = needs_.floats && static_cast<double>(static_cast<float>(number.real)) == number.real;
  }
}

WeightArray::WeightArray(WeightType type, std::size_t size)
    : memory_(detail::allocate_values(size, size_of(type))), data_(memory_.get()), size_(size), type_(type) {}

std::uint64_t WeightArray::put(std::size_t first, const WeightBuffer& from) {
  std::uint64_t rounded = 0;
  WeightSpan(type_, data_, size_).with([&]<class T>(std::span<const T>) { put_at<T>(data_, first, from, rounded); });
  return rounded;
}

std::uint64_t WeightArray::take(const WeightArray& from, std::size_t count, Team& team) {
  std::atomic<std::uint64_t> rounded{0};
  WeightSpan(from.type_, from.data_, count).with([&]<class From>(std::span<const From> values) {
    WeightSpan(type_, data_, size_).with([&]<class To>(std::span<const To>) {
      parallel_for(team, count, std::size_t{1} << 18, [&](std::size_t begin, std::size_t end, int) {
        To* const to = static_cast<To*>(data_);
        std::uint64_t here = 0;
        for (std::size_t i = begin; i < end; ++i) here += keep(values[i], to[i]);
        rounded.fetch_add(here, std::memory_order_relaxed);
      });
    });
  });
  return rounded.load();
}

}  // namespace hopwave::io

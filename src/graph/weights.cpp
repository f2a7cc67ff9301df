// Weights in memory: copies, and the smallest type that holds them.
#include "hopwave/weights.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/parallel.h"
#include "graph/weight_text.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::size_t weight_grain = std::size_t{1} << 18;

/// Returns whether all values are also values of To. NaN is: it stays NaN.
template <class To, class From>
bool all_fit(Team& team, std::span<const From> values) {
  std::atomic<bool> fit{true};
  parallel_for(team, values.size(), weight_grain, [&](std::size_t begin, std::size_t end, int) {
    bool ok = fit.load(std::memory_order_relaxed);
    for (std::size_t i = begin; ok && i < end;)
      for (const std::size_t stop = std::min(end, i + 4096); i < stop; ++i) {
        const From v = values[i];
        ok &= !(v >= std::numeric_limits<To>::lowest() && v <= std::numeric_limits<To>::max())
                  ? std::same_as<To, float> && !std::isfinite(static_cast<double>(v))
                  : static_cast<From>(static_cast<To>(v)) == v;
      }
    if (!ok) fit.store(false, std::memory_order_relaxed);
  });
  return fit.load();
}

template <class To, class From>
Weights converted(Team& team, std::span<const From> values) {
  Array<To> out(values.size());
  parallel_for(team, values.size(), weight_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) out[i] = static_cast<To>(values[i]);
  });
  return out;
}

}  // namespace

std::string_view name(WeightType type) {
  switch (type) {
    case WeightType::int32:
      return "int32";
    case WeightType::int64:
      return "int64";
    case WeightType::float64:
      return "float64";
    case WeightType::float32:
      break;
  }
  return "float32";
}

Weights Weights::copy_of(const WeightSpan& values) {
  if (values.size() && !values.data()) detail::refuse_owner();
  return values.with([]<class T>(std::span<const T> v) -> Weights { return Array<T>::copy_of(v); });
}

Weights Weights::smallest(Weights weights, int threads) {
  if (weights.empty() || size_of(weights.type_) == 4) return weights;
  Team team(weights.size() < weight_grain && threads == 0 ? 1 : threads);
  if (weights.type_ == WeightType::int64) {
    const auto values = weights.as<std::int64_t>();
    return all_fit<std::int32_t>(team, values) ? converted<std::int32_t>(team, values) : weights;
  }
  const auto values = weights.as<double>();
  return all_fit<float>(team, values) ? converted<float>(team, values) : weights;
}

std::string Weights::text(std::size_t i) const {
  if (i >= size_) detail::refuse_index(i, size_);
  char digits[graph::longest_weight];
  return {digits, graph::put_weight(digits, *this, i)};
}

}  // namespace hopwave::inline v0_1

namespace hopwave::graph {

char* put_weight(char* to, double value) {
  // Whole numbers are written as such: the shortest form of a million would be 1e+06.
  if (std::abs(value) < 1e15 && value == std::trunc(value))
    return std::to_chars(to, to + longest_weight, static_cast<std::int64_t>(value)).ptr;
  return std::to_chars(to, to + longest_weight, value).ptr;
}

char* put_weight(char* to, const Weights& weights, std::size_t i) {
  if (!weights.whole()) return put_weight(to, weights[i]);  // also for floats: what is read back is a double
  return weights.with([&]<class T>(std::span<const T> values) {
    return std::to_chars(to, to + longest_weight, static_cast<std::int64_t>(values[i])).ptr;
  });
}

}  // namespace hopwave::graph

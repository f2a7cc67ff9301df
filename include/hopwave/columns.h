// The caller's edges in memory, as Graph::from_edges and Graph::from_csr accept them: any contiguous range of numbers,
// texts or pairs (std::vector, std::array, std::span, C arrays). The values are read in place.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1::detail {

/// Numbers or texts in memory, `stride` bytes apart. They are read only during the call that takes them.
struct Column {
  const void* first = nullptr;
  std::size_t size = 0;
  std::size_t stride = 0;
  int bytes = 0;  ///< bytes of each number: 1, 2, 4 or 8; 0 for texts
  bool is_signed = false;
  std::string_view (*text)(const void* value) = nullptr;  ///< reads one value, for texts
};

template <class T>
concept IsText = std::is_convertible_v<const T&, std::string_view>;
/// Neither bool nor a character type: a std::string is not a column of ids.
template <class T>
concept IsNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                   !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <class Range>
using ValueOf = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;
template <class Range>
concept IsColumn = requires(const Range& r) {
  std::size(r);
}
&&(IsText<ValueOf<Range>> || IsNumber<ValueOf<Range>>);
template <class Range>
concept IsNumberColumn = IsColumn<Range> && IsNumber<ValueOf<Range>>;

/// The two ends of an edge: of a std::pair, of Edge and similar structs, and of arrays of two values.
template <class E>
const auto& source_of(const E& edge) {
  if constexpr (requires { edge.first, edge.second; })
    return edge.first;
  else if constexpr (requires { edge.source, edge.target; })
    return edge.source;
  else
    return edge[0];
}
template <class E>
const auto& target_of(const E& edge) {
  if constexpr (requires { edge.first, edge.second; })
    return edge.second;
  else if constexpr (requires { edge.source, edge.target; })
    return edge.target;
  else
    return edge[1];
}
template <class T>
concept IsId = IsText<T> || IsNumber<T>;
template <class E>
concept IsPair = requires(const E& e) {
  e.first;
  e.second;
}
|| requires(const E& e) {
  e.source;
  e.target;
}
|| (requires(const E& e) { e[0]; } && !IsId<E> && sizeof(E) == 2 * sizeof(std::declval<const E&>()[0]));
template <class Range>
concept IsPairs = requires(const Range& r) {
  std::size(r);
}
&&IsPair<ValueOf<Range>>;

template <class T>
Column column(const T* first, std::size_t size, std::size_t stride) {
  static_assert(IsId<T>, "ids are integers or texts");
  if constexpr (IsText<T>)
    return {first, size, stride, 0, false, [](const void* v) -> std::string_view { return *static_cast<const T*>(v); }};
  else
    return {first, size, stride, static_cast<int>(sizeof(T)), std::is_signed_v<T>, nullptr};
}
template <IsColumn Range>
Column column(const Range& range) {
  return column(std::data(range), std::size(range), sizeof(ValueOf<Range>));
}
template <IsPairs Range>
Column sources(const Range& range) {
  using Pair = ValueOf<Range>;
  const Pair* first = std::data(range);
  using Id = std::remove_cvref_t<decltype(source_of(*first))>;
  return column<Id>(std::size(range) ? &source_of(*first) : nullptr, std::size(range), sizeof(Pair));
}
template <IsPairs Range>
Column targets(const Range& range) {
  using Pair = ValueOf<Range>;
  const Pair* first = std::data(range);
  using Id = std::remove_cvref_t<decltype(target_of(*first))>;
  return column<Id>(std::size(range) ? &target_of(*first) : nullptr, std::size(range), sizeof(Pair));
}

}  // namespace hopwave::inline v0_1::detail
#pragma GCC visibility pop

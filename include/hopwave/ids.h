// Ids: the mapping between the caller's vertex ids and the internal vertices 0 … n − 1.
// Internal vertices follow the ascending order of integer ids, or the order of first appearance of text ids.
// An Ids never changes, so threads may share one. Copies share the names and the table.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

namespace detail {
/// Reports an id that needs more than 63 bits, which no vertex has. Throws HW-IDS-UNKNOWN.
[[noreturn]] void refuse_id(std::uint64_t id);
template <std::unsigned_integral Id>
std::int64_t signed_id(Id id) {
  if (!std::in_range<std::int64_t>(id)) refuse_id(id);
  return static_cast<std::int64_t>(id);
}
}  // namespace detail

class Ids {
 public:
  enum class Kind {
    consecutive,  ///< caller's id = internal vertex + first (0- or 1-based formats, generators)
    integers,     ///< integers with gaps: a sorted table of 64-bit integers
    strings       ///< texts, in order of first appearance
  };

  /// Consecutive ids that start at `first`. Throws HW-IDS-RANGE for more than max_vertices ids, or if the last id
  /// exceeds 64 bits.
  static Ids consecutive(VertexId count, std::int64_t first = 0);
  /// Integer ids with gaps. `sorted` is strictly ascending and has one id per vertex. Throws HW-IDS-ORDER,
  /// HW-IDS-RANGE.
  static Ids integers(Array<const std::int64_t> sorted);
  /// Text ids, all different, one per vertex. Throws HW-IDS-DUPLICATE, HW-IDS-RANGE.
  static Ids strings(std::vector<std::string> names);

  Ids() = default;
  Ids(const Ids&) = default;
  /// A moved-from Ids has no ids.
  Ids(Ids&& other) noexcept : Ids() { swap(other); }
  Ids& operator=(Ids other) noexcept {
    swap(other);
    return *this;
  }
  ~Ids() = default;

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] VertexId count() const noexcept { return count_; }
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  [[nodiscard]] const Array<const std::int64_t>& table() const noexcept { return table_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept;

  /// Returns the caller's id of internal vertex `v` as text. Throws HW-IDS-RANGE unless v < count(); so does number().
  [[nodiscard]] std::string name(VertexId v) const;
  /// Returns the caller's id as a number, for the kinds consecutive and integers. Throws HW-IDS-NAMES for strings.
  [[nodiscard]] std::int64_t number(VertexId v) const;
  /// Returns the internal vertex whose id is `name`, or nothing if there is none.
  [[nodiscard]] std::optional<VertexId> find(std::string_view name) const;
  /// Returns the internal vertex whose id is the number `id`, or nothing. Kind strings has no such vertex: its ids are
  /// texts.
  [[nodiscard]] std::optional<VertexId> find(std::int64_t id) const;
  template <std::unsigned_integral Id>
  [[nodiscard]] std::optional<VertexId> find(Id id) const {
    return std::in_range<std::int64_t>(id) ? find(static_cast<std::int64_t>(id)) : std::nullopt;
  }

 private:
  void swap(Ids& other) noexcept;

  struct Names {
    std::vector<std::string> list;
    std::unordered_map<std::string_view, VertexId> lookup;
  };

  Kind kind_ = Kind::consecutive;
  VertexId count_ = 0;
  std::int64_t first_ = 0;
  Array<const std::int64_t> table_;
  std::shared_ptr<const Names> names_;  // shared by copies: the keys of lookup are views of the strings in list
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

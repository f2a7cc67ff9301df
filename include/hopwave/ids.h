// Ids: how the caller's vertex names map to the internal 0 … n − 1 and back.
// Internal order is the ascending order of integer ids, or the order of first appearance for strings.
// An Ids never changes: threads may use one together. Copies share names and table.
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
/// An id of more than 63 bits is nobody's. Throws HW-IDS-UNKNOWN.
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
    consecutive,  ///< caller's id = internal id + first (0- or 1-based formats, generators)
    integers,     ///< gapped: a sorted table of 64-bit integers
    strings       ///< names, in order of first appearance
  };

  /// Consecutive ids from `first`. Throws HW-IDS-RANGE for more than max_vertices, or a last id beyond 64 bits.
  static Ids consecutive(VertexId count, std::int64_t first = 0);
  /// Gapped integers; `sorted` strictly ascending, one a vertex. Throws HW-IDS-ORDER, HW-IDS-RANGE.
  static Ids integers(Array<const std::int64_t> sorted);
  /// Distinct names, one a vertex. Throws HW-IDS-DUPLICATE, HW-IDS-RANGE.
  static Ids strings(std::vector<std::string> names);

  Ids() = default;
  Ids(const Ids&) = default;
  /// What was moved from has no id any more.
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

  /// The caller's id of internal vertex `v` as text. Throws HW-IDS-RANGE unless v < count(); so does number().
  [[nodiscard]] std::string name(VertexId v) const;
  /// The same as a number, for kinds consecutive and integers; else throws HW-IDS-NAMES.
  [[nodiscard]] std::int64_t number(VertexId v) const;
  /// The internal vertex that the caller calls `name`; nothing if there is none.
  [[nodiscard]] std::optional<VertexId> find(std::string_view name) const;
  /// The same for a number; nothing for kind strings, whose names are texts.
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
  std::shared_ptr<const Names> names_;  // shared by copies: lookup views into list
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

// The three kinds of vertex ids. Copies share text ids, so that copying a Graph stays cheap and safe.
#include "hopwave/ids.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/refuse.h"
#include "core/swap_members.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void out_of_range(std::string found, std::string expected) {
  core::refuse("HW-IDS-RANGE", std::move(found), std::move(expected));
}

VertexId checked_count(std::size_t count) {
  if (count > max_vertices)
    out_of_range("ids of " + std::to_string(count) + " vertices", "at most " + std::to_string(max_vertices));
  return static_cast<VertexId>(count);
}

}  // namespace

void Ids::swap(Ids& other) noexcept {
  core::swap_members(*this, other, [](Ids& g) { return std::tie(g.kind_, g.count_, g.first_, g.table_, g.names_); });
}

Ids Ids::consecutive(VertexId count, std::int64_t first) {
  std::int64_t last = 0;
  if (__builtin_add_overflow(first, std::int64_t{checked_count(count)} - (count > 0), &last))
    out_of_range(std::to_string(count) + " ids from " + std::to_string(first), "ids that fit 64 bits");
  Ids ids;
  ids.count_ = count;
  ids.first_ = first;
  return ids;
}

Ids Ids::integers(Array<const std::int64_t> sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1] >= sorted[i])
      core::refuse("HW-IDS-ORDER", "id " + std::to_string(sorted[i]) + " after " + std::to_string(sorted[i - 1]),
                   "strictly ascending ids");
  Ids ids;
  ids.kind_ = Kind::integers;
  ids.count_ = checked_count(sorted.size());
  ids.table_ = std::move(sorted);
  return ids;
}

Ids Ids::strings(std::vector<std::string> names) {
  checked_count(names.size());
  auto shared = std::make_shared<Names>();
  shared->list = std::move(names);
  shared->lookup.reserve(shared->list.size());
  VertexId v = 0;
  for (const auto& name : shared->list)
    if (!shared->lookup.emplace(name, v++).second)
      core::refuse("HW-IDS-DUPLICATE", "the name \"" + name + "\" twice", "distinct names");
  Ids ids;
  ids.kind_ = Kind::strings;
  ids.count_ = v;
  ids.names_ = std::move(shared);
  return ids;
}

const std::vector<std::string>& Ids::names() const noexcept {
  static const std::vector<std::string> none;
  return names_ ? names_->list : none;
}

std::string Ids::name(VertexId v) const {
  if (v >= count_) out_of_range("vertex " + std::to_string(v), "a vertex below " + std::to_string(count_));
  return kind_ == Kind::strings ? names_->list[v] : std::to_string(number(v));
}

std::int64_t Ids::number(VertexId v) const {
  if (v >= count_) out_of_range("vertex " + std::to_string(v), "a vertex below " + std::to_string(count_));
  if (kind_ == Kind::consecutive) return first_ + v;
  if (kind_ == Kind::integers) return table_[v];
  core::refuse("HW-IDS-NAMES", "vertex names that are not numbers", "integer ids");
}

std::optional<VertexId> Ids::find(std::string_view name) const {
  if (kind_ == Kind::strings) {
    const auto it = names_->lookup.find(name);
    if (it == names_->lookup.end()) return std::nullopt;
    return it->second;
  }
  const auto value = integer(name);
  return value ? find(*value) : std::nullopt;
}

std::optional<VertexId> Ids::find(std::int64_t id) const {
  if (kind_ == Kind::strings) return std::nullopt;
  if (kind_ == Kind::consecutive) {
    // Unsigned difference: first_ may be any 64-bit number.
    const std::uint64_t offset = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
    if (id < first_ || offset >= count_) return std::nullopt;
    return static_cast<VertexId>(offset);
  }
  const auto* at = std::lower_bound(table_.begin(), table_.end(), id);
  if (at == table_.end() || *at != id) return std::nullopt;
  return static_cast<VertexId>(at - table_.begin());
}

}  // namespace hopwave::inline v0_1

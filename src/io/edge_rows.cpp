#include "io/edge_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "hopwave/error.h"
#include "io/edge_list.h"
#include "io/letters.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

constexpr std::array<std::string_view, 5> weight_attributes = {"weight", "value", "cost", "length", "distance"};
/// Attributes that number or name an edge.
constexpr std::array<std::string_view, 4> no_weight_names = {"id", "key", "label", "name"};
constexpr std::size_t most_columns = 64;  // that are distinguished
constexpr const char* choose_hint = "say which: --columns weight=NAME; or none: --no-weights";

template <class Names>
bool is_in_any_case(const Names& names, std::string_view word) {
  return std::find(names.begin(), names.end(), small_letters(word)) != names.end();
}

/// As it is usually written: no sign but -, no zero before it.
std::optional<std::int64_t> plain_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || std::to_string(value) != text) return std::nullopt;
  return value;
}

/// An attribute of an edge that is about its direction, whatever its format makes of it.
bool states_direction(std::string_view name, std::string_view text) {
  constexpr std::array<std::string_view, 2> words = {"directed", "undirected"};
  return is_in_any_case(words, name) || (small_letters(name) == "type" && is_in_any_case(words, text));
}

/// A value, with the blanks in it.
std::string in_quotes(std::string_view text) {
  if (text.empty()) return "an empty text";
  std::string word(text.substr(0, 64));
  if (std::all_of(word.begin(), word.end(), [](unsigned char c) { return c >= ' ' && c < 127; }))
    return "'" + word + (text.size() > 64 ? "…'" : "'");
  word.append(32, '\n');
  return quote_at(word.data(), word.data() + std::min<std::size_t>(text.size(), 64));
}

}  // namespace

VertexId VertexNames::place(std::string_view id, const Spot& spot) {
  if (const auto it = lookup_.find(id); it != lookup_.end()) return it->second;
  if (id.size() > longest_name)
    fail_at(input_, spot, "HW-NODES-ID", "an id of " + std::to_string(id.size()) + " bytes",
            "one of at most " + std::to_string(longest_name) + " bytes");
  if (declared_.size() >= max_vertices)
    fail_at(input_, spot, "HW-VERTICES-MAX", "more vertices", "at most " + std::to_string(max_vertices),
            "vertex ids have 32 bits here");
  const auto v = static_cast<VertexId>(declared_.size());
  lookup_.emplace(id, v);
  declared_.push_back(false);
  return v;
}

VertexId VertexNames::end_of_edge(std::string_view id, const Spot& spot) {
  const VertexId v = place(id, spot);
  if (!declared_[v]) pending_.try_emplace(v, spot);
  return v;
}

VertexId VertexNames::declare(std::string_view id, const Spot& spot) {
  const VertexId v = place(id, spot);
  if (declared_[v]) fail_at(input_, spot, "HW-NODES-TWICE", "a second node " + in_quotes(id), "ids that occur once");
  declared_[v] = true;
  pending_.erase(v);
  return v;
}

std::optional<VertexId> VertexNames::find(std::string_view id) const {
  const auto it = lookup_.find(id);
  return it == lookup_.end() ? std::nullopt : std::optional(it->second);
}

void VertexNames::accept(VertexId v) {
  declared_[v] = true;
  pending_.erase(v);
}

std::vector<std::string> VertexNames::take(EdgeList& list, const std::string& hint) {
  std::vector<std::string> names(declared_.size());
  while (!lookup_.empty()) {
    auto node = lookup_.extract(lookup_.begin());
    names[node.mapped()] = std::move(node.key());
  }
  if (pending_.empty()) return names;
  const auto& [vertex, spot] = *std::min_element(pending_.begin(), pending_.end(),
                                                 [](const auto& a, const auto& b) { return a.second.byte < b.second.byte; });
  if (!input_.options().lenient)
    fail_at(input_, spot, "HW-NODES-UNKNOWN", "an edge that names " + in_quotes(names[vertex]), "the id of a node of this file",
            "--lenient adds such nodes" + (hint.empty() ? "" : "; " + hint));
  list.report.repairs.push_back("added because only edges name them: " + counted(pending_.size(), "node"));
  return names;
}

EdgeRows::EdgeRows(Input& input, const char* hint) : input_(input), hint_(hint) {
  const std::string& columns = input.options().columns;  // check_table_options() has seen its form
  if (columns.starts_with("weight=")) wanted_ = columns.substr(7);
}

void EdgeRows::begin(VertexId source, VertexId target, std::optional<bool> directed, const Spot& spot) {
  if (edges_.empty()) first_ = spot;
  current_ = spot;
  if (directed && says_.empty()) {
    undirected_.resize(edges_.size());
    says_.resize(edges_.size());
    says_.push_back(true);
    undirected_.push_back(!*directed);
  } else if (!says_.empty()) {
    says_.push_back(directed.has_value());
    undirected_.push_back(directed && !*directed);
  }
  edges_.push_back({source, target});
}

EdgeRows::Column& EdgeRows::column(std::string_view name) {
  for (Column& c : columns_)
    if (c.name == name) return c;
  Column& c = columns_.emplace_back();
  c.name = name;
  c.candidate = wanted_.empty() ? is_in_any_case(weight_attributes, name) : name == wanted_;
  return c;
}

/// Keeps the columns in step with the edges, the current one being added.
void EdgeRows::add(Column& c, std::string_view text, const Spot& spot) {
  const auto blame = [&](const char* id, std::string found, std::string expected) {
    if (!c.fault) c.fault = {spot, id, std::move(found), std::move(expected)};
  };
  if (c.candidate && c.weights.size() >= edges_.size())
    return blame("HW-NODES-TWICE", "a second '" + c.name + "' of the same edge", "one");
  if (c.candidate && c.seen == 0 && edges_.size() > 1) c.missing = first_;
  ++c.seen;
  c.unknown += is_missing(text);
  if (!c.candidate) {
    c.numbers += is_nearly_number(text) || (is_number(text) && !is_missing(text));
    return;
  }
  while (c.weights.size() + 1 < edges_.size()) c.weights.add({true, 1, 0});
  std::string padded(text.substr(0, 1024));
  padded.append(32, '\n');
  const char* p = padded.data();
  const char* const end = p + std::min<std::size_t>(text.size(), 1024);
  Number number{true, 1, 0};
  Real kind = text.size() > 1024 ? Real::none : scan_number(p, end, number);
  if (kind != Real::none && p != end) kind = Real::none;
  c.numbers += kind != Real::none || is_nearly_number(text);
  if (kind == Real::none || kind == Real::not_finite || kind == Real::out_of_range) {
    if (kind == Real::none || !input_.options().lenient)
      blame("HW-NODES-WEIGHT", in_quotes(text), "a finite number (the weight '" + c.name + "')");
    ++c.replaced;
    if (kind == Real::none) number = {true, 1, 0};
  }
  c.rounded += kind == Real::rounded;
  c.weights.add(number);
}

void EdgeRows::value(std::string_view name, std::string_view text, const Spot& spot) {
  if (columns_.size() >= most_columns && !is_in_any_case(weight_attributes, name) && name != wanted_) return;
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  if (name != wanted_ && states_direction(name, text)) {
    direction_names_.emplace(name);
    return;
  }
  add(column(name), text, spot);
}

void EdgeRows::end() {
  for (Column& c : columns_) {
    if (!c.candidate || c.weights.size() == edges_.size()) continue;
    if (c.missing.line == 0) c.missing = current_;
    while (c.weights.size() < edges_.size()) c.weights.add({true, 1, 0});
  }
}

EdgeRows::Column* EdgeRows::choose(EdgeList& list) {
  std::vector<Column*> known;
  Column* weight = nullptr;
  for (Column& c : columns_) {
    if (c.candidate && (!wanted_.empty() || c.name == "weight")) weight = &c;
    if (c.candidate && c.is_numeric()) known.push_back(&c);
  }
  const bool named = weight != nullptr;
  if (!weight && known.size() == 1) weight = known[0];
  std::string others;
  for (const Column& c : columns_)
    if (&c != weight && c.is_numeric() && !is_in_any_case(no_weight_names, c.name))
      others += (others.empty() ? "" : ", ") + c.name;
  if (!wanted_.empty() && !weight && !edges_.empty())
    fail_at(input_, first_, "HW-NODES-COLUMN", "edges without an attribute '" + wanted_ + "'",
            others.empty() ? "an attribute that edges have" : "one of their numbers: " + others);
  if (!weight && known.size() > 1) {
    std::string names;
    for (const Column* c : known) names += (names.empty() ? "" : ", ") + c->name;
    fail_at(input_, first_, "HW-NODES-COLUMN", "several attributes that could be the weight: " + names, "one", choose_hint);
  }
  if (weight && !named)
    list.report.notes.push_back("the weight of an edge is its '" + weight->name + "' (--columns weight=NAME takes another)");
  if (!others.empty())
    list.report.notes.push_back("numbers of edges that are not read: " + others +
                                " (--columns weight=NAME reads one as the weight)");
  return weight;
}

void EdgeRows::check(const Column& c) const {
  if (c.fault) fail_at(input_, c.fault->spot, c.fault->id, c.fault->found, c.fault->expected, hint_);
  const std::uint64_t missing = edges_.size() - c.seen;
  if (missing && !input_.options().lenient)
    fail_at(input_, c.missing, "HW-NODES-WEIGHT",
            counted(missing, "edge") + " without '" + c.name + "', which " + std::to_string(c.seen) + " others have",
            "a weight at every edge, or at none", std::string("--lenient takes 1; ") + hint_);
}

void EdgeRows::read_weights(EdgeList& list) {
  if (!input_.options().weights) {
    const auto could_be = [](const Column& c) { return c.candidate && c.is_numeric(); };
    if (std::any_of(columns_.begin(), columns_.end(), could_be)) list.report.details = ", weights not kept";
    return;
  }
  Column* const c = choose(list);
  if (!c) return;
  check(*c);
  if (const std::uint64_t missing = edges_.size() - c->seen)
    list.report.repairs.push_back("weight 1 was taken for " + counted(missing, "edge") + " without '" + c->name + "'");
  if (c->replaced)
    list.report.repairs.push_back(std::to_string(c->replaced) +
                                  " weights that are not finite or too large were replaced by the nearest number");
  list.report.details = ", weights";
  WeightArray weights(c->weights.needs().type(), edges_.size());
  list.report.weights_rounded += c->rounded + weights.put(0, c->weights);
  list.weights = std::move(weights).done();
}

void EdgeRows::finish(bool directed, EdgeList& list) {
  list.report.rows = edges_.size();
  read_weights(list);
  if (!direction_names_.empty()) {
    std::string names;
    for (const std::string& name : direction_names_) names += (names.empty() ? "" : ", ") + name;
    list.report.notes.push_back("attributes of edges that are not read as their direction: " + names +
                                " (--undirected or --directed decides for all edges)");
  }
  columns_.clear();
  list.directed = directed;
  if (!says_.empty()) {
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (!says_[i]) undirected_[i] = !directed;
    const auto lines = static_cast<std::size_t>(std::count(undirected_.begin(), undirected_.end(), true));
    list.directed = lines < edges_.size();
    if (lines && list.directed && !input_.options().undirected) {
      list.report.notes.push_back(
          std::to_string(lines) + " of " + std::to_string(edges_.size()) +
          " edges are undirected, the others directed: the undirected ones were read as both directions");
      const std::size_t count = edges_.size();
      std::vector<std::size_t> twice;
      for (std::size_t i = 0; i < count; ++i)
        if (undirected_[i] && edges_[i].source != edges_[i].target) twice.push_back(i);
      for (const std::size_t i : twice) edges_.push_back({edges_[i].target, edges_[i].source});
      list.weights.with([&]<class T>(std::span<const T> old) {
        if (old.empty()) return;
        Array<T> all(edges_.size());
        std::copy(old.begin(), old.end(), all.data());
        for (std::size_t i = 0; i < twice.size(); ++i) all[count + i] = old[twice[i]];
        list.weights = std::move(all);
      });
    }
  }
  if (input_.options().undirected) list.directed = false;
  list.report.details.insert(0, list.directed ? "directed" : "undirected");
  list.edges = Array<Edge>::copy_of(edges_);
}

std::string plain_number(const std::string& text) {
  if (text.find_first_of(".eE") == std::string::npos) return text;
  const bool negative = text.starts_with('-');
  if (const auto whole = whole_number(std::string_view(text).substr(negative ? 1 : 0)))
    return (negative && *whole ? "-" : "") + std::to_string(*whole);
  double value = 0;
  const auto end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return text;
  if (is_rounded(text.data(), end, value)) return text;
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

void set_names(std::vector<std::string> names, bool text, EdgeList& list) {
  const auto n = static_cast<VertexId>(names.size());
  list.num_vertices = n;
  std::vector<std::int64_t> numbers;
  for (std::size_t v = 0; !text && v < n; ++v) {
    const auto number = plain_integer(names[v]);
    if (!number) break;
    numbers.push_back(*number);
  }
  if (numbers.size() < n) {
    list.ids = Ids::strings(std::move(names));
    return;
  }
  std::vector<VertexId> order(n), rank(n);
  std::iota(order.begin(), order.end(), VertexId{0});
  std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return numbers[a] < numbers[b]; });
  for (VertexId i = 0; i < n; ++i) rank[order[i]] = i;
  for (Edge& e : list.edges) e = {rank[e.source], rank[e.target]};
  const std::int64_t first = n ? numbers[order[0]] : 0;
  if (n == 0 || static_cast<std::uint64_t>(numbers[order[n - 1]]) - static_cast<std::uint64_t>(first) == n - 1u) {
    list.ids = Ids::consecutive(n, first);
    return;
  }
  Array<std::int64_t> table(n);
  for (VertexId i = 0; i < n; ++i) table[i] = numbers[order[i]];
  list.ids = Ids::integers(std::move(table));
}

void set_labels(std::vector<std::string> names, std::vector<std::optional<std::string>> labels, const char* what,
                EdgeList& list) {
  labels.resize(names.size());
  std::unordered_set<std::string_view> seen;
  std::size_t given = 0;
  for (const auto& label : labels)
    if (label) ++given, seen.insert(*label);
  const bool all = given == names.size(), distinct = seen.size() == given;
  if (given && !(all && distinct))
    list.report.notes.push_back(std::string("vertices are called by their ids: ") +
                                (all ? "some have the same " : "some have no ") + what);
  if (given == 0 || !all || !distinct) return set_names(std::move(names), false, list);
  for (std::size_t v = 0; v < names.size(); ++v) names[v] = std::move(*labels[v]);
  list.report.details += std::string(", called by ") + what;
  set_names(std::move(names), false, list);
}

}  // namespace hopwave::io

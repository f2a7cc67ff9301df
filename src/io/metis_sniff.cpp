// Is it METIS? Its lines are rows of integers, as those of edge lists are, so the structure must show it: no neighbour
// beyond N, every edge on the lines of both its ends, and as many lines and numbers as the header says.
#include <algorithm>
#include <vector>

#include "io/edge_list.h"
#include "io/metis.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

std::uint64_t number(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

bool is_count(std::string_view word) { return word.size() <= 18 && is_integer(word); }

/// The lines of the head, as far as they are there to their end.
class Vertices {
 public:
  explicit Vertices(const MetisHeader& header) : header_(header) {}

  /// False if the line cannot be a vertex's.
  bool add(const std::vector<std::string_view>& words) {
    auto& list = lists_.emplace_back();
    if (words.empty()) return true;
    regular_ = regular_ && words.size() == static_cast<std::size_t>(header_.words);
    if (lists_.size() > header_.vertices || words.size() < static_cast<std::size_t>(header_.skip)) return false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t column = i - static_cast<std::size_t>(header_.skip);
      const bool weight = i >= static_cast<std::size_t>(header_.skip) && header_.edge_weights && column % 2 == 1;
      if (weight ? !is_number(words[i]) : !is_count(words[i])) return false;
      if (weight || i < static_cast<std::size_t>(header_.skip)) continue;
      const std::uint64_t v = number(words[i]);
      if (v == 0 || v > header_.vertices) return false;
      list.push_back(v);
    }
    numbers_ += list.size();
    std::sort(list.begin(), list.end());
    return true;
  }

  /// Of the edges whose lines are both here: is each on both?
  bool symmetric() {
    for (std::uint64_t v = 1; v <= lists_.size(); ++v)
      for (const std::uint64_t u : lists_[v - 1]) {
        if (u > lists_.size()) continue;
        if (!std::binary_search(lists_[u - 1].begin(), lists_[u - 1].end(), v)) return false;
        ++checked_;
      }
    return true;
  }

  [[nodiscard]] bool complete() const { return lists_.size() >= header_.vertices && numbers_ == 2 * header_.edges; }
  [[nodiscard]] bool regular() const { return regular_; }
  [[nodiscard]] bool checked() const { return checked_ > 0; }

 private:
  const MetisHeader& header_;
  std::vector<std::vector<std::uint64_t>> lists_;
  std::uint64_t numbers_ = 0, checked_ = 0;
  bool regular_ = true;  // every line has as many words as the header, so that it could be an edge list as well
};

/// Calls use(line) for each line that is complete and no comment; stops when it says false.
template <class Use>
bool for_each_line(std::string_view head, bool whole, Use use) {
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t newline = head.find('\n', at);
    if (newline == std::string_view::npos && !whole) break;
    const std::string_view line = head.substr(at, std::min(newline, head.size()) - at);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if ((first == std::string_view::npos || line[first] != '%') && !use(line)) return false;
    at += line.size() + 1;
  }
  return true;
}

/// The head fits both kinds and shows no edge twice: does the whole file have one line per vertex? The ending of an edge list
/// decides then.
bool has_a_line_a_vertex(const MetisHeader& header, const Input& input) {
  if (has_extension(edge_list_format(), extension_of(input.name()))) return false;
  const auto lines = input.count_lines();
  constexpr std::uint64_t comments = 16;
  return lines && header.edges <= header.vertices && *lines > header.vertices && *lines <= header.vertices + 1 + comments;
}

}  // namespace

std::optional<MetisHeader> metis_header(std::string_view line) {
  const auto words = split_row(line, 0);
  if (words.size() < 2 || words.size() > 4 || !std::all_of(words.begin(), words.end(), is_count)) return std::nullopt;
  MetisHeader header{.vertices = number(words[0]), .edges = number(words[1]), .words = static_cast<int>(words.size())};
  const auto place = [&](std::size_t i) { return static_cast<std::size_t>(words[i].data() - line.data()); };
  if (words.size() > 2 && (words[2].size() > 3 || words[2].find_first_not_of("01") != std::string_view::npos))
    header.bad_fmt = place(2);
  const std::uint64_t fmt = words.size() > 2 ? number(words[2]) : 0;
  const std::uint64_t constraints = words.size() > 3 ? number(words[3]) : 1;
  if (constraints > 1000 || constraints == 0) header.bad_ncon = place(3);
  header.edge_weights = fmt % 10 == 1;
  header.skip =
      (fmt / 100 == 1 ? 1 : 0) + (fmt / 10 % 10 == 1 ? static_cast<int>(std::min<std::uint64_t>(constraints, 1000)) : 0);
  return header;
}

/// `possible`: what is seen is METIS and an edge list at once.
Match sniff_metis(std::string_view head, bool whole, const Input& input) {
  std::optional<MetisHeader> header;
  std::optional<Vertices> vertices;
  const bool fits = for_each_line(head, whole, [&](std::string_view line) {
    const auto words = split_row(line, 0);
    if (vertices) return vertices->add(words);
    if (words.empty()) return true;
    header = metis_header(line);
    if (!header || header->bad_fmt || header->bad_ncon) return false;
    vertices.emplace(*header);
    return true;
  });
  if (!fits || !vertices || !vertices->symmetric()) return Match::no;
  if (whole && !vertices->complete()) return Match::no;
  if (!vertices->regular()) return Match::certain;
  return whole || vertices->checked() || has_a_line_a_vertex(*header, input) ? Match::possible : Match::no;
}

}  // namespace hopwave::io

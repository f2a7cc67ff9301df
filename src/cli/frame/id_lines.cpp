// Lines to vertices; faults name file and line.
#include "cli/frame/id_lines.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "cli/frame/console.h"
#include "cli/frame/files.h"
#include "hopwave/error.h"

namespace hopwave::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Calls use(line, number) for each line that is not empty.
template <class Use>
void each_line(const std::string& path, const char* expected, Use&& use) {
  const std::string text = read_file(path, expected);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // a byte order mark, as editors on Windows write
  std::uint64_t number = 0;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    ++number;
    if (!line.empty()) use(line, number);
  }
}

VertexId vertex(const Ids& ids, std::string_view id, const std::string& path, std::uint64_t line, const char* hint = "") {
  if (const auto v = ids.find(id)) return *v;
  throw Error({.failure = Failure::input,
               .id = "HW-QUERY-SOURCE",
               .where = {.file = path, .line = line},
               .found = "'" + printable(std::string(id)) + "' is not a vertex",
               .expected = "a vertex of the graph",
               .hint = hint});
}

}  // namespace

std::vector<VertexId> read_vertices(const Ids& ids, const std::string& path) {
  std::vector<VertexId> all;
  each_line(path, "a file of vertex ids, one per line",
            [&](std::string_view line, std::uint64_t number) { all.push_back(vertex(ids, line, path, number)); });
  return all;
}

PairsRead read_pairs(const Ids& ids, const std::string& path, bool lenient) {
  PairsRead all;
  std::string first;  // id that is no vertex
  each_line(path, "a file of pairs of vertex ids, one per line", [&](std::string_view line, std::uint64_t number) {
    const auto tab = line.find('\t'), gap = tab == std::string_view::npos ? line.find(' ') : tab;
    const std::string_view from = trimmed(line.substr(0, gap)),
                           to = gap == std::string_view::npos ? std::string_view{} : trimmed(line.substr(gap));
    if (to.empty() || (tab == std::string_view::npos ? to.find(' ') : to.find('\t')) != std::string_view::npos)
      throw Error({.failure = Failure::input,
                   .id = "HW-PAIRS-ROW",
                   .where = {.file = path, .line = number},
                   .found = "a row that is not two ids",
                   .expected = "source and target, with a tab or a blank between them"});
    if (lenient && !(ids.find(from) && ids.find(to))) {
      if (first.empty()) first = fmt::format("'{}' in line {}", printable(ids.find(from) ? to : from), number);
      ++all.left_out;
      return;
    }
    const char* const hint = "--lenient leaves such pairs out";
    all.pairs.push_back({vertex(ids, from, path, number, hint), vertex(ids, to, path, number, hint)});
  });
  if (all.left_out)
    all.notes.push_back(fmt::format("{} left out: an end is no vertex, first {}", plural(all.left_out, "pair"), first));
  return all;
}

}  // namespace hopwave::cli

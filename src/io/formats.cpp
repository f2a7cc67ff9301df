// The table of formats, and which of them an input is in.
#include <algorithm>
#include <cctype>

#include "core/refuse.h"
#include "io/format.h"
#include "io/letters.h"
#include "io/recognise.h"

namespace hopwave::io {

const std::vector<const Format*>& all_formats() {
  static const std::vector<const Format*> formats = {
      &hwg_format(),   &matrix_market_format(), &npz_format(),      &dimacs_format(), &galois_format(),
      &gap_format(),   &gap_weighted_format(),  &rodinia_format(),  &metis_format(),  &edge_list_format(),
      &names_format(), &adjacency_format(),     &graph500_format(), &cedge_format(),  &graphml_format(),
      &gml_format(),   &pajek_format(),         &node_link_format()};
  return formats;
}

std::string extension_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  for (const std::string_view packed : {".gz", ".zst", ".GZ", ".ZST"})
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return "";
  return small_letters(path.substr(dot + 1));
}

bool has_extension(const Format& format, std::string_view extension) {
  std::string_view list = format.info.extensions;
  while (!extension.empty() && !list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == extension) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

const Format* format_by_ending(std::string_view path) {
  const std::string extension = extension_of(path);
  for (const Format* format : all_formats())
    if (has_extension(*format, extension)) return format;
  return nullptr;
}

const Format& find_format(std::string_view name) {
  std::string names;
  for (const Format* format : all_formats()) {
    if (format->info.name == name) return *format;
    names += (names.empty() ? "" : ", ") + std::string(format->info.name);
  }
  core::refuse("HW-FORMAT-UNKNOWN", "no format is called '" + std::string(name) + "'", "one of " + names, "");
}

const Format& sniff(Input& input) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  const std::string_view head = input.head(enough);
  const bool whole = input.head_is_all();
  if (!input.options().format.empty()) {
    const Format& format = find_format(input.options().format);
    if (const auto packed = recognise_packing(head)) refuse(input, *packed);
    return format;
  }
  const std::string extension = extension_of(input.name());
  if (head.empty()) input.fail_file("HW-IO-EMPTY", "an empty file", "a graph");
  std::vector<const Format*> possible;
  for (const Format* format : all_formats()) {
    const Match match = format->sniff(head, whole, input);
    if (match == Match::certain) return *format;
    if (match == Match::possible) possible.push_back(format);
  }
  if (const auto known = recognise(head)) refuse(input, *known);
  if (!input.options().columns.empty() || input.options().header) return edge_list_format();  // what else has columns?
  // The ending decides among what the content allows; an ending whose format needs a magic that is missing
  // leads to that format's own message rather than to a guess.
  const Format* chosen = nullptr;
  for (const Format* format : all_formats())
    if (!chosen && has_extension(*format, extension)) chosen = format;
  if ((!chosen || chosen == &edge_list_format()) && possible.size() > 1 && possible.front() == &metis_format())
    input.fail_file("HW-FORMAT-AMBIGUOUS", "lines that are a METIS graph and an edge list at once", "one meaning",
                    "say --input-format metis, or --input-format edge-list");
  if (!chosen && !possible.empty()) chosen = possible.front();
  if (chosen == &edge_list_format())
    if (const auto known = recognise_rows(head, whole, input)) refuse(input, *known);
  if (chosen) return *chosen;
  input.fail_file("HW-FORMAT-SNIFF", "a format that is not recognised", "one of those that `hopwave convert --help` lists",
                  "name it with --input-format");
}

}  // namespace hopwave::io

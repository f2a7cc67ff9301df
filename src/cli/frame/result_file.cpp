// Endings of result files, and names in their rows.
#include "cli/frame/result_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/frame/console.h"
#include "cli/frame/row_text.h"
#include "core/refuse.h"
#include "hopwave/error.h"
#include "io/format.h"

namespace hopwave::cli {

std::string ending_of(const std::string& path, std::initializer_list<std::string_view> known, const char* hint) {
  if (path == "-") return "";
  std::string ending = io::extension_of(path);
  if (ending.empty() || std::find(known.begin(), known.end(), ending) != known.end()) return ending;
  std::string list;
  for (const std::string_view name : known)
    if (!name.empty()) list += (list.empty() ? "." : ", .") + std::string(name);
  throw Error({.failure = Failure::usage,
               .id = "HW-FORMAT-WRITE",
               .where = {.file = path},
               .found = "the ending ." + ending,
               .expected = "one of " + list + ", or none; .gz and .zst may follow",
               .hint = hint});
}

void check_text_ending(const std::string& path) { ending_of(path, {"txt", "tsv"}, "what is written are lines of text"); }

void check_one_output(const Context& context, const std::string& output) {
  if (context.json() && output == "-")
    core::refuse("HW-USAGE-OPTION", "--json with -o -: both want standard output", "a file for one of them");
}

void write_result(const std::string& path, std::string_view text) {
  ResultFile file(path);
  file.write(text);
  file.commit();
}

void check_two_outputs(const std::string& first, const std::string& second, const char* options) {
  if (first.empty() || second.empty()) return;
  std::error_code ignored;
  if (std::filesystem::weakly_canonical(first, ignored) != std::filesystem::weakly_canonical(second, ignored)) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-OPTION",
               .where = {.file = second},
               .found = std::string("one file for ") + options,
               .expected = "a file for each"});
}

void put_cell(std::string_view name, char separator, RowText& text) {
  const bool breaks = name.find_first_of("\r\n") != std::string_view::npos || name.find(separator) != std::string_view::npos;
  const bool quote = separator == ',' ? name.find('"') != std::string_view::npos : name.starts_with('"');
  if (!breaks && !quote) return text.put(name);
  text.put('"');
  for (const char c : name) {
    if (c == '"') text.put('"');
    text.put(c);
  }
  text.put('"');
}

}  // namespace hopwave::cli

// read_edges: opens, sniffs, reads, reports.
#include <sys/stat.h>

#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/io.h"
#include "io/format.h"
#include "io/weight_columns.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace io;

/// Rows of integers look alike in several formats: an error may only mean that the wrong one was chosen.
EdgeList read_as(const Format& format, Input& input) {
  const bool guessed = input.options().format.empty() && (&format == &metis_format() || &format == &edge_list_format());
  if (!guessed) return format.read(input);
  try {
    return format.read(input);
  } catch (const Error& error) {
    Error::Parts parts = error.parts();
    if (parts.failure != Failure::input || parts.hint.find("--input-format") != std::string::npos ||
        !(parts.id.starts_with("HW-METIS-") || parts.id.starts_with("HW-EDGE-")))
      throw;
    parts.hint += (parts.hint.empty() ? "" : "; ") + ("read as " + std::string(format.info.name)) +
                  ": if it is another format, name it with --input-format";
    throw Error(std::move(parts));
  }
}

EdgeList read_input(Input& input, const core::Stopwatch& opened) {
  const Format& format = sniff(input);
  check_options(input.options(), format.info.name);
  check_table_options(input.options(), format.info.name);
  const Milliseconds read = opened.elapsed();
  const core::Stopwatch parsing;
  EdgeList list = read_as(format, input);
  input.finish(list.report);
  if (!list.weights.empty() && format.info.name != "hwg") note_rounding(list.report);
  list.report.read = read;
  list.report.parse = parsing.elapsed();
  return list;
}

}  // namespace

}  // namespace hopwave::inline v0_1

namespace hopwave::io {

std::string vertex_list_of(const std::string& path) {
  if (extension_of(path) != "e") return "";
  const std::string stem = path.substr(0, path.rfind(".e"));
  struct stat info {};
  for (const char* ending : {".v", ".v.gz", ".v.zst"})
    if (::stat((stem + ending).c_str(), &info) == 0 && S_ISREG(info.st_mode)) return stem + ending;
  return "";
}

void check_options(const ReadOptions& options, std::string_view format) {
  const auto refuse = [](const char* id, std::string found, const char* expected) {
    core::refuse(id, std::move(found), expected);
  };
  const auto is = [format](const Format& other) { return format == other.info.name; };
  if (options.drop_zeros && !is(matrix_market_format()))
    refuse("HW-READ-ZEROS", "zeros to be dropped from a graph of format " + std::string(format),
           "a Matrix Market file: only there a row whose value is zero means no edge");
  if (options.directed && options.undirected) refuse("HW-READ-DIRECTION", "directed and undirected", "one of them");
  if (options.bipartite.value_or(false) && !is(matrix_market_format()) && !is(npz_format()) && !is(edge_list_format()) &&
      !is(names_format()))
    refuse("HW-READ-BIPARTITE", "two kinds of vertices in a graph of format " + std::string(format),
           "an edge list or a matrix, whose two columns may hold ids of two kinds");
}

void check_table_options(const ReadOptions& options, std::string_view format) {
  if (format == edge_list_format().info.name || format == names_format().info.name) return;
  // Of these the attribute that is the weight can be chosen.
  const bool attributes =
      format == graphml_format().info.name || format == gml_format().info.name || format == node_link_format().info.name;
  const bool weight_alone = options.columns.starts_with("weight=") && options.columns.find(',') == std::string::npos;
  if (attributes && weight_alone && !options.header && options.missing_weight.empty() && !options.decimal_comma) return;
  const char* const given = options.header                    ? "a word on a header"
                            : !options.missing_weight.empty() ? "a word on missing weights"
                            : options.decimal_comma           ? "decimal commas"
                            : !options.columns.empty()        ? "columns named"
                                                              : nullptr;
  if (!given) return;
  core::refuse("HW-READ-COLUMNS", std::string(given) + " for a graph of format " + std::string(format),
               "an edge list: only it has columns", "");
}

}  // namespace hopwave::io

namespace hopwave::inline v0_1 {

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> infos = [] {
    std::vector<FormatInfo> out;
    for (const io::Format* format : io::all_formats()) out.push_back(format->info);
    return out;
  }();
  return infos;
}

EdgeList read_edges(const std::string& path, const ReadOptions& options) {
  const core::Stopwatch opened;
  Input input(open_source(path), options);
  input.set_vertex_list(vertex_list_of(path));
  return read_input(input, opened);
}

EdgeList read_edges(std::span<const char> bytes, const std::string& name, const ReadOptions& options) {
  const core::Stopwatch opened;
  Input input(memory_source(bytes, name), options);
  return read_input(input, opened);
}

}  // namespace hopwave::inline v0_1

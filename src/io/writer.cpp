// write_graph: which format, and a file that appears whole or not at all.
#include "hopwave/io.h"
#include "io/format.h"

namespace hopwave::inline v0_1 {
namespace {

const io::Format& format_for(const std::string& path, const WriteOptions& options) {
  if (!options.format.empty()) return io::find_format(options.format);
  if (const io::Format* format = io::format_by_ending(path)) return *format;
  const std::string extension = io::extension_of(path);
  throw Error({.failure = Failure::usage,
               .id = "HW-FORMAT-WRITE",
               .where = {.file = path},
               .found = extension.empty() ? "a name without an ending" : "the ending ." + extension,
               .expected = "an ending that says the format, such as .mtx, .txt or .hwg",
               .hint = "or name the format with --to"});
}

}  // namespace

void write_graph(const Graph& graph, const std::string& path, const WriteOptions& options) {
  const io::Format& format = format_for(path, options);
  if (!options.layout.empty() && format.info.name != "npz")
    throw Error({.failure = Failure::usage,
                 .id = "HW-WRITE-LAYOUT",
                 .where = {.file = path},
                 .found = "the layout " + options.layout + " for the format " + std::string(format.info.name),
                 .expected = "no layout: only npz has several"});
  WriteOptions chosen = options;
  if (!chosen.separator) chosen.separator = io::extension_of(path) == "csv" ? ',' : '\t';
  OutputFile file(path);
  const auto sink = io::make_sink(file, path, options.level);
  sink->report_to(&chosen.progress);
  format.write(graph, *sink, chosen);
  sink->finish();
  file.commit();
}

}  // namespace hopwave::inline v0_1

// A graph as a command's further result: in the format that the file's name asks for.
#pragma once

#include <string>

#include "hopwave/graph.h"
#include "io/format.h"

namespace hopwave::cli {

class Context;

/// What cannot be written is an error before any work: HW-FORMAT-WRITE, HW-WRITE-DIRECTED. Null where no file is wanted.
const io::Format* written_graph_format(const std::string& option, const std::string& file);
/// Writes a graph whose vertices have ids of their own; a format that numbers its vertices loses them, which a warning states.
void write_numbered(Context& context, const Graph& graph, const io::Format& format, const std::string& file);

}  // namespace hopwave::cli

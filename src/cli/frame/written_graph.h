// A graph as a further result of a command, in the format of the file's name.
#pragma once

#include <string>

#include "hopwave/graph.h"
#include "io/format.h"

namespace hopwave::cli {

class Context;

/// Reports before any work that the graph cannot be written: HW-FORMAT-WRITE, HW-WRITE-DIRECTED. Null if no file is wanted.
const io::Format* written_graph_format(const std::string& option, const std::string& file);
/// Writes a graph whose vertices have ids of their own; a format that numbers its vertices loses them, which a warning states.
void write_numbered(Context& context, const Graph& graph, const io::Format& format, const std::string& file);

}  // namespace hopwave::cli

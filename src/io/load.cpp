// load_graph: a file or a generator's spec becomes a Graph.
#include <sys/stat.h>

#include "hopwave/generate.h"
#include "hopwave/io.h"

namespace hopwave {

Graph load_graph(const std::string& path_or_spec, const ReadOptions& read, const BuildOptions& build) {
  struct stat info {};
  const bool file = path_or_spec == "-" || ::stat(path_or_spec.c_str(), &info) == 0;
  if (!file && is_generator_spec(path_or_spec)) return build_graph(generate(path_or_spec), build);
  return build_graph(read_edges(path_or_spec, read), build);
}

}  // namespace hopwave

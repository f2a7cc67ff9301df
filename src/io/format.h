// io: files to edges and graphs to files, one source file per format. Nothing that searches or builds rows.
//
// Format: one graph file format: its name, how it is recognised, read and written. Each is in a file of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/io.h"
#include "io/input.h"
#include "io/sink.h"

namespace hopwave::io {

/// How sure a sniffer is.
enum class Match {
  no,
  possible,  ///< the content allows it; the extension, then the order of all_formats(), decides
  certain    ///< a magic or a structure that nothing else has
};

/// What a format has a place for. What a graph has beyond that is refused before anything is written.
struct Holds {
  enum class Naming { any, lines, numbers, from_0, from_1 };  ///< lines: texts of one line
  enum class Weighing { any, finite, whole, none };
  Naming ids = Naming::any;
  bool directed = true, undirected = true, self_loops = true;
  Weighing weights = Weighing::any;
  std::int64_t least = 0, most = 0;  ///< of whole weights
  VertexId vertices = max_vertices;
};

struct Format {
  FormatInfo info;
  /// From the first bytes (64 KiB or all); `whole`: they are the whole input.
  Match (*sniff)(std::string_view head, bool whole, const Input& input);
  EdgeList (*read)(Input& input);
  void (*write)(const Graph& graph, Sink& out, const WriteOptions& options);
  Holds holds = {};
  void (*check)(const Graph& graph, const WriteOptions& options) = nullptr;  ///< throws what `holds` cannot say
};

/// The sniff of a format that is read by its name or ending only.
inline Match sniffs_nothing(std::string_view /*head*/, bool /*whole*/, const Input& /*input*/) { return Match::no; }

const Format& matrix_market_format();
const Format& edge_list_format();
const Format& names_format();
const Format& rodinia_format();
const Format& metis_format();
const Format& dimacs_format();
const Format& adjacency_format();
const Format& cedge_format();
const Format& gap_format();
const Format& gap_weighted_format();
const Format& galois_format();
const Format& graph500_format();
const Format& npz_format();
const Format& hwg_format();
const Format& graphml_format();
const Format& gml_format();
const Format& pajek_format();
const Format& node_link_format();

/// In the order in which they are asked.
const std::vector<const Format*>& all_formats();
/// Throws HW-FORMAT-UNKNOWN.
const Format& find_format(std::string_view name);
/// By content, then by extension. Throws HW-FORMAT-SNIFF.
const Format& sniff(Input& input);
/// Is `extension` one of the format's?
bool has_extension(const Format& format, std::string_view extension);
/// The format in which a file of this name is written unless another is asked for; nothing if its ending says none.
const Format* format_by_ending(std::string_view path);
/// The format of an output, asked before long work. Throws HW-FORMAT-UNKNOWN, HW-FORMAT-WRITE, HW-WRITE-LAYOUT.
const Format& output_format(const std::string& path, const WriteOptions& options);
/// Throws if the format has no place for all of the graph: HW-WRITE-….
void check_held(const Graph& graph, const Format& format, const WriteOptions& options);
/// "x.tar.MTX.gz" → "mtx"; empty if there is none.
std::string extension_of(std::string_view path);

/// "graph.v" in the folder of "graph.e", however either is packed; empty if there is none.
std::string vertex_list_of(const std::string& path);
/// Throws HW-READ-ZEROS, HW-READ-DIRECTION, HW-READ-BIPARTITE for options that do not go together or not with this format.
void check_options(const ReadOptions& options, std::string_view format);
/// Throws HW-READ-COLUMNS if options of edge lists are given for another format.
void check_table_options(const ReadOptions& options, std::string_view format);

}  // namespace hopwave::io

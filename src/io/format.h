// Format: one graph file format: its name, how it is recognised, read and written. Each stands in a file of its own.
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

struct Format {
  FormatInfo info;
  /// From the first bytes (64 KiB or all); `whole`: they are the whole input.
  Match (*sniff)(std::string_view head, bool whole, const Input& input);
  EdgeList (*read)(Input& input);
  void (*write)(const Graph& graph, Sink& out, const WriteOptions& options);
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
/// "x.tar.MTX.gz" → "mtx"; empty if there is none.
std::string extension_of(std::string_view path);

/// "graph.v" beside "graph.e", however either is packed; empty if there is none.
std::string vertex_list_of(const std::string& path);
/// Throws HW-READ-ZEROS if entries whose value is zero are to be dropped from what is no Matrix Market file.
void check_drop_zeros(const ReadOptions& options, std::string_view format);

}  // namespace hopwave::io

// .hwg: hopwave's own binary graph. CSR (and CSC, weights, ids) lie in the file as in memory, so opening is mapping.
// Layout in docs/formats.md. Every byte is under a checksum, which is verified at each opening, by all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/checksum.h"
#include "graph/extra_arcs.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "io/sink.h"

namespace hopwave::io {

/// Data that others keep with a graph, such as an engine's preparation; names begin with their owner
/// ("engine.first_neighbor").
struct ExtraSection {
  std::string name;  ///< at most 23 characters
  std::span<const std::byte> bytes;
};

struct HwgContent {
  Graph graph;                            ///< as searches use it, if there are extra arcs
  std::optional<graph::ExtraArcs> extra;  ///< parallel arcs and self-loops that are not in its rows
  BuildReport history;                    ///< of the graph with the extra arcs
  std::vector<std::pair<std::string, Array<const std::byte>>> extras;  ///< mapped as well
};

inline constexpr std::string_view hwg_magic = "\x89HWG\r\n\x1a\n";

/// Is this a file that begins with the magic? (Not a stream: reading it would remove its first bytes.)
bool is_hwg_file(const std::string& path);
/// Maps the file and checks all of it. Errors: HW-HWG-HEADER, -VERSION, -SIZE, -CHECKSUM, -SECTION, -ARRAYS.
HwgContent open_hwg(const std::string& path, const ReadOptions& options);
/// The graph that was written, with its extra arcs: in memory if there are any.
Graph whole_graph(const HwgContent& content, int threads);
/// Its arcs as a list, as `options` wants them: those of the rows, and after them, if asked, the extra ones.
EdgeList list_of(const HwgContent& content, bool with_extra, const ReadOptions& options);
/// Writes graph and extras; `out` must be fresh. Of `options`: weights, with_in.
void write_hwg(const Graph& graph, std::span<const ExtraSection> extras, const WriteOptions& options, Sink& out);

using core::checksum;
using core::join_checksums;
using core::piece_checksum;
using core::piece_checksum_below;

}  // namespace hopwave::io

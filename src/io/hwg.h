// .hwg: hopwave's own binary graph. CSR (and CSC, weights, ids) lie in the file as in memory, so opening is mapping.
// Layout in docs/formats.md. Every byte stands under a checksum, which is verified at each opening, by all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "io/sink.h"

namespace hopwave::io {

/// Data that others keep beside a graph, such as an engine's preparation; names begin with their owner ("engine.head").
struct ExtraSection {
  std::string name;  ///< at most 23 characters
  std::span<const std::byte> bytes;
};

struct HwgContent {
  Graph graph;
  std::vector<std::pair<std::string, Array<const std::byte>>> extras;  ///< mapped as well
};

inline constexpr std::string_view hwg_magic = "\x89HWG\r\n\x1a\n";

/// Is this a file that begins with the magic? (Not a stream: that would swallow its first bytes.)
bool is_hwg_file(const std::string& path);
/// Maps the file and checks all of it. Errors: HW-HWG-HEADER, -VERSION, -SIZE, -CHECKSUM, -SECTION, -ARRAYS.
HwgContent open_hwg(const std::string& path, const ReadOptions& options);
/// Writes graph and extras; `out` must be fresh.
void write_hwg(const Graph& graph, std::span<const ExtraSection> extras, bool weights, Sink& out);

/// 64-bit checksum of pieces of 1 MiB, joined in order: the same for any number of threads.
std::uint64_t checksum(std::span<const char> bytes, Team& team);
/// Of one piece.
std::uint64_t piece_checksum(const char* bytes, std::size_t count);
/// The same, and whether all its 32-bit values are below `limit`, in one pass over memory.
std::uint64_t piece_checksum_below(const char* bytes, std::size_t count, VertexId limit, bool& below);
std::uint64_t join_checksums(std::uint64_t sum, std::uint64_t piece);

}  // namespace hopwave::io

// A checksum at memory speed, computed in pieces, by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/parallel.h"
#include "hopwave/types.h"

namespace hopwave::core {

inline constexpr std::size_t checksum_piece = std::size_t{1} << 20;

/// Returns the 64-bit checksum of pieces of 1 MiB, joined in order: the same for any number of threads.
std::uint64_t checksum(std::span<const char> bytes, Team& team);
/// Returns the checksum of one piece.
std::uint64_t piece_checksum(const char* bytes, std::size_t count);
/// Returns the checksum, and whether all 32-bit values of the piece are below `limit`, in one pass over memory.
std::uint64_t piece_checksum_below(const char* bytes, std::size_t count, VertexId limit, bool& below);
std::uint64_t join_checksums(std::uint64_t sum, std::uint64_t piece);

/// Returns fingerprint() of a graph whose offsets and neighbours have these checksums.
std::uint64_t graph_fingerprint(VertexId num_vertices, bool directed, std::uint64_t offsets, std::uint64_t neighbors);

}  // namespace hopwave::core

// Slow plain readers: a second implementation of every format. They are written from docs/formats.md and the formats'
// public descriptions, share no code with src/io, hold the whole file in memory and process one character after the
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hopwave::plain {

struct Options {
  bool lenient = false, undirected = false, weights = true;
};

struct Row {
  std::uint64_t source = 0, target = 0;  ///< numbers from 0 on
  long double weight = 0;                ///< on x86 it holds any int64 and any double
};

struct Graph {
  std::uint64_t vertices = 0;
  std::vector<Row> rows;
  bool weighted = false, directed = true, both_directions = false;
  std::vector<std::string> ids;  ///< one per vertex, or none: `first`, `first` + 1 …
  std::int64_t first = 0;
  std::optional<std::uint64_t> source;
};

/// The file must be rejected.
struct Refused {
  std::string why;
};
/// The description does not determine what the file means: nothing is compared.
struct Open {};

using Reader = Graph (*)(std::string_view bytes, const Options& options);
Graph read_matrix_market(std::string_view bytes, const Options& options);
Graph read_edge_list(std::string_view bytes, const Options& options);
Graph read_names(std::string_view bytes, const Options& options);
Graph read_adjacency(std::string_view bytes, const Options& options);
Graph read_cedge(std::string_view bytes, const Options& options);
Graph read_rodinia(std::string_view bytes, const Options& options);
Graph read_metis(std::string_view bytes, const Options& options);
Graph read_dimacs(std::string_view bytes, const Options& options);
Graph read_gap(std::string_view bytes, const Options& options);
Graph read_gap_weighted(std::string_view bytes, const Options& options);
Graph read_galois(std::string_view bytes, const Options& options);
Graph read_graph500(std::string_view bytes, const Options& options);
Graph read_npz(std::string_view bytes, const Options& options);
Graph read_hwg(std::string_view bytes, const Options& options);

/// The checksum that docs/formats.md describes for sections of .hwg.
std::uint64_t hwg_checksum(std::string_view bytes);

constexpr std::uint64_t most_vertices = 0xFFFFFFFEu;

[[noreturn]] inline void refuse(std::string why) { throw Refused{std::move(why)}; }
/// Rejects a number of vertices that no file of this size has.
inline void believe(std::uint64_t vertices, std::string_view bytes) {
  if (vertices > most_vertices || vertices > 1'000'000 + 4 * bytes.size()) refuse("too many vertices stated");
}

}  // namespace hopwave::plain

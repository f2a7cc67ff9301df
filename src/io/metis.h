// METIS files as their reader and their sniffer see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "io/format.h"

namespace hopwave::io {

struct MetisHeader {
  std::uint64_t vertices = 0, edges = 0;
  int words = 0;
  int skip = 0;  ///< numbers before the neighbours of each line: the vertex's size and weights
  bool edge_weights = false;
  std::optional<std::size_t> bad_fmt, bad_ncon;  ///< the place in the line of a word that the manual does not know
};

/// "N M [FMT [NCON]]"; nothing if the line is not two to four integers.
std::optional<MetisHeader> metis_header(std::string_view line);
Match sniff_metis(std::string_view head, bool whole, const Input& input);

}  // namespace hopwave::io

// What every fuzz target does: read the bytes as one format. Any Error is a fine answer; anything else is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave::fuzz {

/// `name` as the input's file name; an empty format is sniffed. The first byte chooses the options.
inline int read(const std::uint8_t* data, std::size_t size, const char* format, const char* name) {
  if (size == 0) return 0;
  ReadOptions options{.format = format,
                      .lenient = (data[0] & 1) != 0,
                      .undirected = (data[0] & 2) != 0,
                      .weights = (data[0] & 4) == 0,
                      .threads = 1};
  const std::span<const char> bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const EdgeList list = read_edges(bytes, name, options);
    for (const Edge& e : list.edges)
      if (e.source >= list.num_vertices || e.target >= list.num_vertices) std::abort();
    if (!list.weights.empty() && list.weights.size() != list.edges.size()) std::abort();
    if (list.ids.count() != list.num_vertices) std::abort();
    if (list.num_vertices && list.ids.find(list.ids.name(list.num_vertices - 1)) != list.num_vertices - 1) std::abort();
    if (list.default_source && *list.default_source >= list.num_vertices) std::abort();
  } catch (const Error& error) {
    if (!error.id().starts_with("HW-") || error.parts().found.empty()) std::abort();
  }
  return 0;
}

}  // namespace hopwave::fuzz

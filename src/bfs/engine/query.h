// Copies a query into a traversal's state.
#pragma once

#include <span>

#include "bfs/engine/state.h"
#include "device/device.h"
#include "hopwave/search.h"

namespace hopwave::HW_MACHINE::engine {

/// Sources and target. One source is a kernel parameter; several are uploaded to `sources`, which grows as needed.
template <class SearchState>
void set_query(SearchState& s, const Query& query, device::Device& device, device::Buffer<u32>& sources) {
  s.source = query.sources.empty() ? 0 : query.sources[0];  // a graph without vertices has none
  s.num_sources = static_cast<u32>(query.sources.size());
  if (s.num_sources > 1) {
    if (s.num_sources > sources.size()) sources = device::Buffer<u32>(device, s.num_sources);
    sources.upload(std::span<const u32>(query.sources));
    s.sources = sources.data();
  }
  s.target = query.target;
}

/// The same for states that hold the depth limit too.
template <class SearchState>
void set_query_and_depth(SearchState& s, const Query& query, device::Device& device, device::Buffer<u32>& sources) {
  set_query(s, query, device, sources);
  s.max_depth = query.max_depth;
}

}  // namespace hopwave::HW_MACHINE::engine

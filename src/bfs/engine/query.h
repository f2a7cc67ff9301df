// Copies a query into a traversal's state.
#pragma once

#include <span>

#include "bfs/engine/state.h"
#include "device/device.h"
#include "hopwave/search.h"

namespace hopwave::HW_MACHINE::engine {

/// What is Asked, and the depth limit where the state has it. One source is a kernel parameter; several are uploaded to
/// `sources`, which grows as needed.
template <class SearchState>
void set_query(SearchState& s, const Query& query, const u32* halt, device::Device& device, device::Buffer<u32>& sources) {
  s.source = query.sources.empty() ? 0 : query.sources[0];  // a graph without vertices has none
  s.num_sources = static_cast<u32>(query.sources.size());
  if (s.num_sources > 1) {
    if (s.num_sources > sources.size()) sources = device::Buffer<u32>(device, s.num_sources);
    sources.upload(std::span<const u32>(query.sources));
    s.sources = sources.data();
  }
  s.target = query.target;
  s.halt = halt;
  if constexpr (requires { s.max_depth; }) s.max_depth = query.max_depth;
}

/// Where a traced search writes its records.
template <class SearchState>
void set_trace(SearchState& s, bool trace, device::Device& device, device::Buffer<LevelRecord>& records) {
  if (!trace) return;
  if (records.empty()) records = device::Buffer<LevelRecord>(device, most_records);
  s.records = records.data();
  s.record_capacity = static_cast<u32>(records.size());
}

}  // namespace hopwave::HW_MACHINE::engine

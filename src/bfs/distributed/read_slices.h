// Each rank reads its own rows of a .hwg.
#pragma once

#include <optional>
#include <string>

#include "bfs/distributed/share.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"

namespace hopwave::ranks {

/// What rank 0 alone needs to know of a graph: names and how it was made. Empty on the others.
struct About {
  Ids ids = {};
  ReadReport read = {};
  BuildReport build = {};
  std::optional<VertexId> default_source = {};
};

struct Sliced {
  Share share;
  About about;
};

/// Is it a .hwg whose rows are those that are asked for? Throws what opening a .hwg throws. Not collective.
bool has_slices(const std::string& path, const ReadOptions& read, const BuildOptions& build);

/// Nothing where the rows in the file are not those that are asked for: it is no .hwg, or parallel arcs, self-loops or both
/// directions are wanted and it holds others. Each rank reads its offsets and neighbours, and of others at most 1 MiB a
/// section; all checksums of what is read are checked. Weights and preparations are not read. Collective. AgreedErrors: those
/// of opening a .hwg, and HW-RANKS-FILE (another file on another rank).
std::optional<Sliced> read_slices(Transport& transport, const std::string& path, const ReadOptions& read,
                                  const BuildOptions& build);

}  // namespace hopwave::ranks

// Sources of a graph that is shared out over ranks: as find_sources() finds them, for the same words the same vertices.
#pragma once

#include "bfs/distributed/read_slices.h"
#include "bfs/distributed/share.h"
#include "cli/frame/search_options.h"

namespace hopwave::cli {

/// `about` counts on rank 0 alone, where names are looked up. Collective; the same on all ranks. Throws AgreedError:
/// HW-QUERY-SOURCE, HW-QUERY-EMPTY, HW-USAGE-SOURCE. `lcc` makes share.in of directed graphs.
Sources find_sources(ranks::Transport& transport, ranks::Share& share, const ranks::About& about,
                     const SourceArguments& arguments, std::uint64_t seed);

/// The vertex that the caller calls `name`; no_vertex for the empty name. Collective. Throws AgreedError of
/// HW-QUERY-SOURCE, or HW-QUERY-TARGET.
VertexId find_vertex(ranks::Transport& transport, const ranks::About& about, const std::string& name, const char* what);

}  // namespace hopwave::cli

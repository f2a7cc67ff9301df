// Each rank draws its part of a generated graph and builds the rows of its own vertices.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bfs/distributed/read_slices.h"
#include "hopwave/array.h"

namespace hopwave::ranks {

/// The graph that load_graph() makes of the spec. Nothing where the spec is of another kind of generator, whose edges do not
/// each follow from a number: then rank 0 makes them all. A rank holds its part of the edges and its rows, no more; edges go
/// to their owners in rounds. `progress` as generate() has it, while edges are drawn. `ends`: if given, becomes for each of
/// this rank's vertices how many ends of drawn edges it is, of a self-loop two. Collective. AgreedErrors: those of generate().
std::optional<Sliced> draw_slices(Transport& transport, const std::string& spec, const BuildOptions& build,
                                  const Progress& progress = {}, Array<std::uint32_t>* ends = nullptr);

}  // namespace hopwave::ranks

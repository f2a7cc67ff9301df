// Maximum matching of the C header.
#include <algorithm>

#include "c/c_api.h"
#include "hopwave/matching.h"

using namespace hopwave;
using namespace hopwave::c;

hopwave_status hopwave_maximum_matching(const hopwave_graph* graph, const hopwave_options* options, const uint8_t* side,
                                        uint32_t* size, uint32_t* mates, uint8_t* cover, hopwave_report* report,
                                        hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    uint32_t& place = present(size, "size");
    MatchingOptions how{.run = run_only(options_or_initial(options), "edges of a matching have no direction")};
    if (side) how.side = Array<std::uint8_t>::copy_of({side, of.num_vertices()});
    const Matching found = maximum_matching(of, how);
    place = found.size;
    if (mates) std::copy(found.mate.begin(), found.mate.end(), mates);
    if (cover) std::copy(found.cover.begin(), found.cover.end(), cover);
    fill(found.run, report);
  });
}

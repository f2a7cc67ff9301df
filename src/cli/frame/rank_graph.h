// The graph of a command that several processes run together: each gets its share.
#pragma once

#include <memory>

#include "bfs/distributed/nccl.h"
#include "bfs/distributed/rank_memory.h"
#include "bfs/distributed/read_slices.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/search_options.h"
#include "device/device.h"

namespace hopwave::cli {

/// Throws HW-RANKS-OPTION.
[[noreturn]] void refuse_on_ranks(const std::string& option, const std::string& expected);
/// Throws the same for what the search on ranks does not take.
void check_rank_search(const SearchArguments& search);
/// Is a rank's part of the search done on a device? Only where it is asked for: else on the CPU.
bool on_devices(const SearchArguments& search);
/// What the strategy that was asked for is on ranks.
const char* rank_strategy(const SearchArguments& search);
/// This rank's; null where it searches on its CPU. `options`: what search_options() made of `search`. Collective. AgreedErrors:
/// those of device_of_rank().
std::shared_ptr<device::Device> rank_device(ranks::Transport& transport, const SearchArguments& search,
                                            const SearchOptions& options);

/// By what devices of ranks exchange; null: by way of their hosts. Collective. AgreedErrors: HW-RANKS-NCCL.
const ranks::NcclTable* rank_exchange(ranks::Transport& transport, const SearchArguments& search);

/// How many threads a rank checks an answer with: `asked`, or its part of what its machine lets it use where that is 0.
/// Collective.
int rank_threads(ranks::Transport& transport, int asked);

/// Where a rank's rows come from.
enum class ShareFrom {
  slices,  ///< each rank reads its own, of a .hwg
  draws,   ///< each rank draws a part of the edges, of most generators
  rank_0,  ///< rank 0 reads and builds all, and deals it out
};
ShareFrom share_from(const GraphArguments& arguments);

/// Bytes that a rank needs until it searches and while it does. `size`: of the graph; `each`: of the search.
std::uint64_t rank_peak(const GraphArguments& arguments, const GraphSize& size, const ranks::RankMemory& each,
                        std::uint64_t ranks, bool rank_0);

/// Refuses what the ranks' machines cannot hold together, before anything is read or drawn. Rank 0 estimates, since a file need
/// not be on other machines; all compare with what their machine has. Collective. Throws AgreedErrors: HW-MEMORY-HOST, and
/// those of estimate_memory().
void require_rank_memory(ranks::Transport& transport, const GraphArguments& arguments, const ranks::RankUse& use);

struct RankGraph {
  ranks::Share share;  ///< each rank's own
  ranks::About about;  ///< rank 0's
};

/// What does not fit is refused before it is read, unless --allow-huge is given. `without`: a file of vertices to leave out,
/// or empty. Collective. Throws AgreedErrors: those of load(), read_slices(), draw_slices() and read_vertices().
RankGraph load_on_ranks(Context& context, const GraphArguments& arguments, const ranks::RankUse& use,
                        const std::string& without);

}  // namespace hopwave::cli

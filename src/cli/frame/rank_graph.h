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
/// Throws the same for options that the search on ranks does not have.
void check_rank_search(const SearchArguments& search);
/// Does a rank search on a device? Only if that is asked for.
bool on_devices(const SearchArguments& search);
/// The name of the given strategy on ranks.
const char* rank_strategy(const SearchArguments& search);
/// This rank's device; null if it searches on its CPU. `options`: what search_options() made of `search`. Collective.
/// AgreedErrors: those of device_of_rank().
std::shared_ptr<device::Device> rank_device(ranks::Transport& transport, const SearchArguments& search,
                                            const SearchOptions& options);

/// NCCL if the devices of ranks exchange by it; null: by way of their hosts. Collective. AgreedErrors: HW-RANKS-NCCL.
const ranks::NcclTable* rank_exchange(ranks::Transport& transport, const SearchArguments& search);

/// The number of threads that check an answer on a rank: `asked`; if that is 0, its share of the threads of its machine.
/// Collective.
int rank_threads(ranks::Transport& transport, int asked);

/// Where a rank's rows come from.
enum class ShareFrom {
  slices,  ///< each rank reads its own, of a .hwg
  draws,   ///< each rank draws a part of the edges, of most generators
  rank_0,  ///< rank 0 reads and builds all, and deals it out
};
ShareFrom share_from(const GraphArguments& arguments);

/// Bytes that a rank needs before and during the search. `size`: of the graph; `each`: of the search.
std::uint64_t rank_peak(const GraphArguments& arguments, const GraphSize& size, const ranks::RankMemory& each,
                        std::uint64_t ranks, bool rank_0);

/// Refuses a graph that the ranks' machines cannot hold, before anything is read or drawn. Rank 0 estimates, because a file
/// need not be on other machines; each rank compares with the memory of its machine. Collective. Throws AgreedErrors:
/// HW-MEMORY-HOST, and those of estimate_memory().
void require_rank_memory(ranks::Transport& transport, const GraphArguments& arguments, const ranks::RankUse& use);

struct RankGraph {
  ranks::Share share;  ///< each rank's own
  ranks::About about;  ///< rank 0's
};

/// Refuses a graph that does not fit before it is read, unless --allow-huge is given. `without`: a file of vertices to leave
/// out, or empty. Collective. Throws AgreedErrors: those of load(), read_slices(), draw_slices() and read_vertices().
RankGraph load_on_ranks(Context& context, const GraphArguments& arguments, const ranks::RankUse& use,
                        const std::string& without);

}  // namespace hopwave::cli

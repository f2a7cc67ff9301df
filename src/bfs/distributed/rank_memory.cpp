#include "bfs/distributed/rank_memory.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/deliver.h"
#include "bfs/distributed/verify.h"
#include "bfs/engine/partitioned/make_plan.h"
#include "bfs/plan/thresholds.h"
#include "core/bytes_text.h"
#include "core/checksum.h"
#include "hopwave/types.h"

namespace hopwave::ranks {

namespace {

/// Four numbers for each own vertex (components.h), and the messages of a round: of arcs, or of vertices; all ranks may lead
/// theirs to one. What is sent and what is heard keep up to twice their room.
std::uint64_t components_memory(std::uint64_t vertices, std::uint64_t arcs, std::uint64_t ranks) {
  constexpr std::uint64_t offer = 2 * sizeof(VertexId);
  const std::uint64_t heard = std::min(ranks * arcs_a_round(ranks), std::max(vertices, arcs));
  return 4 * sizeof(VertexId) * ((vertices + ranks - 1) / ranks) + 4 * offer * heard;
}

}  // namespace

RankMemory rank_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, const RankUse& use, std::uint64_t ranks) {
  const std::uint64_t ways = directed ? 2 : 1, words = use.parents ? 2 : 1;
  const auto share = [&](std::uint64_t whole) { return (whole + ranks - 1) / ranks; };
  const std::uint64_t offsets = sizeof(EdgeIndex) * (share(vertices) + 1), neighbors = sizeof(VertexId) * share(arcs);
  // Of a round along arcs: what a rank sends, and what it hears where all lead to it.
  const std::uint64_t round = std::min<std::uint64_t>(arcs_a_round(ranks), share(arcs)), heard = std::min(ranks * round, arcs);
  // Sent and received: each vertex once, and along an arc of this rank's. Before, arcs are turned in rounds.
  const std::uint64_t search = 2 * words * sizeof(VertexId) * std::min(vertices, share(arcs)),
                      turning = directed ? 2 * 2 * sizeof(VertexId) * (round + heard) : 0;
  // A rank's distances and a place in each row; or messages and replies, of which what is sent grows to twice its size; and
  // three flags per vertex.
  const std::uint64_t check_messages =
      verify_by_blocks(vertices, arcs, directed, ranks)
          ? (sizeof(Distance) + sizeof(EdgeIndex)) * share(vertices)
          : 2 * verify_message_bytes * (round + heard) + 2 * verify_reply_bytes * (round + heard);
  const std::uint64_t check = use.verify ? check_messages + 3 * share(vertices) : 0;
  return {.rows = ways * (offsets + neighbors) + (directed && use.both ? offsets + 2 * neighbors : 0),
          .answer = words * sizeof(Distance) * share(vertices) + 2 * sizeof(VertexId) * share(vertices),  // and frontiers
          .bitmaps = 3 * (vertices / 8 + 8),
          .messages = std::max(search, turning) + check,
          .components = use.components ? components_memory(vertices, arcs, ranks) : 0};
}

std::uint64_t rank_device_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, bool parents, std::uint64_t ranks) {
  const auto share = [&](std::uint64_t whole) { return (whole + ranks - 1) / ranks; };
  const auto bitmap = [](std::uint64_t bits) { return bits / 8 + 16; };
  const auto part = engine::partition_memory(vertices, arcs, directed, parents, ranks);  // rows and answer are held alike
  // What it sends, whose memory may grow to twice its size, and what it receives: each vertex once from each other rank.
  const std::uint64_t lists = sizeof(VertexId) * (std::min(vertices, 2 * share(arcs)) + std::min(vertices, share(arcs)));
  // Known, fresh, the frontier, and its words as they come.
  return part.rows + part.answer + part.queues + 4 * bitmap(vertices) + bitmap(share(vertices)) + (parents ? 2 : 1) * lists;
}

std::uint64_t drawing_memory(std::uint64_t vertices, std::uint64_t edges, std::uint64_t arcs, std::uint64_t ranks) {
  const auto share = [&](std::uint64_t whole) { return (whole + ranks - 1) / ranks; };
  // Offsets are copied once without their last entry. A round sends both arcs of an edge, and gets as many.
  return sizeof(Edge) * share(edges) + 2 * sizeof(EdgeIndex) * (share(vertices) + 2) + sizeof(VertexId) * share(arcs) +
         4 * sizeof(Edge) * std::min(thresholds::Distributed::edges_per_round, share(edges)) + RankMemory{}.program;
}

std::uint64_t number_of_this_system() {
  std::string name;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), name);
  if (name.empty()) {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    name = host.data();
  }
  return core::piece_checksum(name.data(), name.size());
}

std::uint64_t ranks_of_this_machine(Transport& transport) {
  const std::uint64_t mine[] = {number_of_this_system()};
  std::vector<std::uint64_t> all(static_cast<std::size_t>(transport.size()));
  transport.all_gather<std::uint64_t>(mine, all, std::vector<std::uint64_t>(all.size(), 1));
  return static_cast<std::uint64_t>(std::ranges::count(all, mine[0]));
}

void require_memory(Transport& transport, const MemoryNeed& need, std::uint64_t free, std::uint64_t own) {
  const std::uint64_t mine[] = {number_of_this_system(), need.bytes};
  std::vector<std::uint64_t> all(2 * static_cast<std::size_t>(transport.size()));
  transport.all_gather<std::uint64_t>(mine, all, std::vector<std::uint64_t>(static_cast<std::size_t>(transport.size()), 2));
  std::uint64_t here = 0, together = 0;
  for (std::size_t r = 0; r < all.size(); r += 2)
    if (all[r] == mine[0]) ++here, together += all[r + 1];
  agree(transport, [&] {
    const auto fits = [&](std::uint64_t bytes, std::uint64_t there) {
      return (need.exact ? bytes : bytes - bytes / 3) <= there;
    };
    if (fits(together, free) && fits(need.bytes, own)) return;
    const std::string found = fits(together, free)
                                  ? bytes_text(need.bytes) + " of memory needed, and " + bytes_text(own) + " allowed"
                                  : bytes_text(together) + " of memory needed by the " + std::to_string(here) +
                                        " processes of one machine, and " + bytes_text(free) + " free";
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-MEMORY-HOST",
                 .found = "about " + found,
                 .expected = "shares that fit",
                 .hint = std::string(need.shared ? "each process takes its share alone: use more machines"
                                                 : "use more machines, or convert the graph to .hwg, of which each process "
                                                   "reads its share alone") +
                         "; --allow-huge starts all the same"});
  });
}

}  // namespace hopwave::ranks

// The parts of a block's shared memory in the single-cluster traversal: each has room for what it holds, and begins where the
// hardware's 16-byte accesses may.
#include <gtest/gtest.h>

#include "bfs/engine/single_cluster/host.h"

namespace hopwave::sim::engine::single_cluster {
namespace of_single_cluster_layout_test {

TEST(SingleClusterLayout, PartsHaveRoomAndBeginAtQuads) {
  for (const std::uint32_t owner_bits : {1u, 3u, 4u})
    for (const std::uint32_t slice : {256u, 384u, 6'272u})
      for (const std::uint32_t warps : {1u, 8u, 24u})
        for (const bool partitioned : {false, true})
          for (const bool more : {false, true}) {
            const std::uint32_t words = slice / word_bits, blocks = 1u << owner_bits;
            Graph g{};
            g.partition = {owner_bits, slice, 0};
            g.warp_words = (words + warps - 1) / warps;
            g.near_locals = partitioned && more;
            g.byte_marks = more;
            const Layout size = layout_of(g, warps, partitioned);
            EXPECT_EQ(size.copy, words * blocks + 16 / sizeof(Word));
            EXPECT_EQ(size.bits, 2 * size.copy + 3 * words) << "two copies of all bits, and three of the own";
            EXPECT_EQ(size.rows, (partitioned ? slice : 0) + slice / 8 * 9 + (g.near_locals ? slice / 2 : 0));
            EXPECT_EQ(size.levels, partitioned ? slice : 0);
            EXPECT_GE(size.lists, slice) << "two lists of 16-bit numbers";
            EXPECT_EQ(size.marks, more ? slice * blocks + 16 : 0) << "one byte per place, and nowhere's";
            const auto bits = size.bits * sizeof(Word);
            EXPECT_EQ(size.bytes(), bits + 4 * (std::uint64_t{size.rows} + size.levels + size.lists) + size.marks);
            for (const std::uint64_t part : {std::uint64_t{bits}, std::uint64_t{4} * size.rows, std::uint64_t{4} * size.levels,
                                             std::uint64_t{4} * size.lists})
              EXPECT_EQ(part % 16, 0u) << slice << ", " << warps << " warps";
          }
}

}  // namespace of_single_cluster_layout_test
}  // namespace hopwave::sim::engine::single_cluster

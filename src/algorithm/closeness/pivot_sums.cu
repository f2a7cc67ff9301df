// What distances to pivots add up to, vertex by vertex: made where a search has left its distances, bit for bit as a host
// would.
#include <algorithm>

#include "algorithm/closeness/pivot_sums.h"
#include "device/kernel.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using std::int64_t;

constexpr u32 threads = 256;
constexpr u32 most_blocks = 2048;  ///< the kernels stride over the vertices
constexpr u32 most_rows = 64;      ///< a launch: what its arguments have room for
constexpr u32 at_once = 8;         ///< rows that a thread reads before it adds any, so that their reads overlap
constexpr u32 near = 64;           ///< distances whose inverse is looked up
static_assert(most_rows % at_once == 0 && near <= threads);

/// An argument of the launch, so that no copy is needed.
struct Beyond {
  Distance of[most_rows];
};

/// A division on the device is rounded as one on the host is. Only the near ones, which most are, are made once per block.
HW_DEVICE double inverse_of(u32 distance) { return distance ? 1 / static_cast<double>(distance) : 0; }

HW_KERNEL void begin(PivotSumsThere sums, u32 count, Distance longest) {
  for (u64 v = dev::global_thread(); v < count; v += dev::global_threads()) {
    dev::plain_write(&sums.met[v], 0u);
    dev::plain_write(&sums.sum[v], u64{0});
    dev::plain_write(&sums.inverse_sum[v], 0.0);
    dev::plain_write(&sums.longest[v], longest);
  }
}

/// A vertex's sums stay in one thread's registers over all rows, which are added in their order: sums of doubles depend on it.
HW_KERNEL void add(const Distance* distance, u64 stride, u32 rows, Beyond beyond, u32 count, PivotSumsThere sums) {
  HW_SHARED(double, inverse, near);
  for (u32 d = dev::thread(); d < near; d += dev::block_size()) inverse[d] = inverse_of(d);
  dev::sync_block();
  for (u64 v = dev::global_thread(); v < count; v += dev::global_threads()) {
    u32 met = dev::plain_read(&sums.met[v]);
    u64 sum = dev::plain_read(&sums.sum[v]);
    double inverse_sum = dev::plain_read(&sums.inverse_sum[v]);
    Distance longest = dev::plain_read(&sums.longest[v]);
    for (u32 k = 0; k < rows; k += at_once) {
      Distance there[at_once];
      HW_UNROLL
      for (u32 i = 0; i < at_once; ++i) there[i] = k + i < rows ? dev::read_once(&distance[(k + i) * stride + v]) : unreached;
      HW_UNROLL
      for (u32 i = 0; i < at_once; ++i) {
        if (there[i] == unreached) continue;
        const u32 d = static_cast<u32>(there[i]);
        met += d != 0;
        sum += d;
        inverse_sum += d < near ? inverse[d] : inverse_of(d);
        if (beyond.of[k + i] < 0) continue;
        const int64_t most = int64_t{there[i]} + beyond.of[k + i];
        if (most < longest) longest = static_cast<Distance>(most);
      }
    }
    dev::plain_write(&sums.met[v], met);
    dev::plain_write(&sums.sum[v], sum);
    dev::plain_write(&sums.inverse_sum[v], inverse_sum);
    dev::plain_write(&sums.longest[v], longest);
  }
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

using namespace HW_MACHINE;

void HW_ON_MACHINE(begin_pivot_sums)(device::Device& device, const PivotSumsThere& sums, VertexId count, Distance longest) {
  device::launch(device, {device::strided(device, count, threads, most_blocks)}, begin, sums, count, longest);
}

void HW_ON_MACHINE(add_to_pivot_sums)(device::Device& device, const device::DeviceRows& rows, std::span<const Distance> beyond,
                                      VertexId count, const PivotSumsThere& sums) {
  for (std::size_t k = 0; k < rows.count; k += most_rows) {
    const std::size_t some = std::min<std::size_t>(most_rows, rows.count - k);
    Beyond of{};
    std::copy_n(beyond.begin() + static_cast<std::ptrdiff_t>(k), some, of.of);
    device::launch(device, {device::strided(device, count, threads, most_blocks)}, add, rows.first + k * rows.stride,
                   rows.stride, static_cast<u32>(some), of, count, sums);
  }
}

}  // namespace hopwave::inline v0_1::resident

// The cost model of a whole process: few figures, all of them measured, and no look at the machine's GPU, since that look is
// part of what it would cost.
#include "bfs/searcher/whole_process.h"

#include <fmt/format.h>

#include <algorithm>

namespace hopwave::search_detail {

WholeTimes whole_times(const WholeJob& job, const WholeRates& rates) {
  const auto arcs = static_cast<double>(job.arcs);
  const bool thin = arcs <= rates.thin_degree * static_cast<double>(job.vertices);
  const double searches = job.searches + rates.pass_searches * static_cast<double>(job.passes);
  const double bytes = arcs * (job.weights ? 8 : 4) + 8 * static_cast<double>(job.vertices);
  const int threads = thin ? std::min(job.threads, rates.cpu_thin_threads) : job.threads;
  return {.cpu = searches * arcs / (std::max(threads, 1) * (thin ? rates.cpu_thin : rates.cpu_dense)),
          .gpu = rates.gpu_start + bytes / rates.gpu_copy + searches * arcs / (thin ? rates.gpu_thin : rates.gpu_dense)};
}

WholeChoice choose_whole(const WholeJob& job, const WholeRates& rates) {
  const WholeTimes times = whole_times(job, rates);
  const bool cpu = times.cpu <= times.gpu;
  return {cpu ? DeviceKind::cpu : DeviceKind::automatic,
          fmt::format("about {:.2g} s on {} of the CPU and {:.2g} s on a GPU, of which {:.2g} s start it", times.cpu,
                      job.threads == 1 ? "1 thread" : fmt::format("{} threads", job.threads), times.gpu, rates.gpu_start)};
}

}  // namespace hopwave::search_detail

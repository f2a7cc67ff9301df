// Storage as a strategy's descriptor counts it, and residency by the limits of a multiprocessor.
#include "bfs/catalogue/residency.h"

#include <algorithm>

#include "bfs/catalogue/catalogue.h"

namespace hopwave::search_detail {

std::optional<strategy::Storage> device_storage(const StrategyInfo& info, const strategy::StorageShape& shape,
                                                const Parameters& parameters) {
  const strategy::TableRow* const row = find_row(info.name);
  if (!row || !describe(*row).storage) return {};
  strategy::StorageCount count(info, shape, parameters);
  describe(*row).storage(count);
  return count.take();
}

std::uint64_t Residency::blocks() const { return std::min({by_threads, by_shared, by_blocks}); }

const char* Residency::limit() const {
  if (by_shared < std::min(by_threads, by_blocks)) return "shared memory";
  return by_threads <= by_blocks ? "threads" : "blocks";
}

Residency residency(const strategy::BlockNeeds& needs, const Multiprocessor& on) {
  const std::uint64_t threads = (std::uint64_t{needs.threads} + on.warp - 1) / on.warp * on.warp;
  Residency r{.by_blocks = on.blocks};
  r.by_threads = on.threads / std::max<std::uint64_t>(threads, 1);
  r.by_shared = needs.shared() > on.shared_of_block ? 0 : on.shared / (needs.shared() + on.reserved_of_block);
  return r;
}

}  // namespace hopwave::search_detail

#include "bfs/distributed/rank_device.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/rank_memory.h"
#include "core/checksum.h"
#include "device/usable_gpu.h"

namespace hopwave::ranks {
namespace {

const device::Api& api_of(DeviceKind kind) {
  if (kind == DeviceKind::sim) return *device::sim_api();
  std::string why_not;
  const device::Api* const api = device::usable_gpu(why_not);
  if (!api) device::refuse_without_gpu(why_not, "--device cpu");
  return *api;
}

/// What this rank may take: `ordinals`, or all.
std::vector<int> candidates(const device::Api& api, const std::vector<int>& ordinals) {
  if (ordinals.empty()) {
    int count = 0;
    api.device_count(&count);
    std::vector<int> all(static_cast<std::size_t>(std::max(count, 0)));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return all;
  }
  std::vector<int> sorted = ordinals;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-REPLICAS",
                 .found = "device " + std::to_string(*twice) + " twice",
                 .expected = "each device once"});
  return ordinals;
}

/// One that is not there is refused by Device, with its number; until then it counts as a device of its own.
std::uint64_t identity_of(const device::Api& api, int ordinal) {
  device::Properties properties;
  const bool there = api.properties(ordinal, &properties) == 0 && properties.identity != 0;
  const std::uint64_t place[] = {number_of_this_system(), there ? properties.identity : static_cast<std::uint64_t>(ordinal)};
  return core::piece_checksum(reinterpret_cast<const char*>(place), sizeof place);
}

/// What all ranks see, brought together.
std::vector<std::vector<std::uint64_t>> gather(Transport& transport, const std::vector<std::uint64_t>& mine) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(transport.size()));
  counts[static_cast<std::size_t>(transport.rank())] = mine.size();
  transport.all_reduce(counts, Reduce::sum);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  std::vector<std::uint64_t> all(sum);
  transport.all_gather<std::uint64_t>(mine, all, counts);
  std::vector<std::vector<std::uint64_t>> seen;
  auto from = all.begin();
  for (const std::uint64_t count : counts) {
    seen.emplace_back(from, from + static_cast<std::ptrdiff_t>(count));
    from += static_cast<std::ptrdiff_t>(count);
  }
  return seen;
}

[[noreturn]] void refuse(const std::vector<std::vector<std::uint64_t>>& seen, std::size_t rank) {
  const std::set<std::uint64_t> mine(seen[rank].begin(), seen[rank].end());
  const auto shares = [&](const std::vector<std::uint64_t>& other) {
    return std::ranges::any_of(other, [&](std::uint64_t device) { return mine.contains(device); });
  };
  throw Error({.failure = Failure::usage,
               .id = "HW-RANKS-GPUS",
               .found = std::to_string(std::ranges::count_if(seen, shares)) + " processes that see " +
                        std::to_string(mine.size()) + (mine.size() == 1 ? " GPU" : " GPUs") + " of their machine",
               .expected = "a GPU for each process",
               .hint = "start as many processes per machine as it has GPUs (mpirun --map-by ppr:N:node), or have the launcher "
                       "show each process its own"});
}

/// Bipartite matching by augmenting paths (Kuhn 1955): a rank that finds all its devices taken asks their owners to take
/// another.
class Dealer {
 public:
  explicit Dealer(const std::vector<std::vector<std::uint64_t>>& seen) : seen_(seen), place_(seen.size()) {}

  std::vector<std::optional<std::size_t>> deal() {
    for (std::size_t rank = 0; rank < seen_.size(); ++rank) {
      asked_.clear();
      seat(rank);
    }
    return place_;
  }

 private:
  bool seat(std::size_t rank) {
    const auto& devices = seen_[rank];
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (!owner_.contains(devices[i])) return take(rank, i);
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (asked_.insert(devices[i]).second && seat(owner_.at(devices[i]))) return take(rank, i);
    return false;
  }
  bool take(std::size_t rank, std::size_t i) {
    owner_[seen_[rank][i]] = rank;
    place_[rank] = i;
    return true;
  }

  const std::vector<std::vector<std::uint64_t>>& seen_;
  std::vector<std::optional<std::size_t>> place_;
  std::map<std::uint64_t, std::size_t> owner_;
  std::set<std::uint64_t> asked_;
};

}  // namespace

std::vector<std::optional<std::size_t>> deal_devices(const std::vector<std::vector<std::uint64_t>>& seen) {
  return Dealer(seen).deal();
}

std::shared_ptr<device::Device> device_of_rank(Transport& transport, DeviceKind kind, const std::vector<int>& ordinals) {
  const auto rank = static_cast<std::size_t>(transport.rank());
  std::vector<int> mine;
  std::vector<std::uint64_t> identities;
  agree(transport, [&] {
    const device::Api& api = api_of(kind);
    mine = candidates(api, ordinals);
    for (const int ordinal : mine) identities.push_back(identity_of(api, ordinal));
  });
  const auto seen = gather(transport, identities);
  std::shared_ptr<device::Device> device;
  agree(transport, [&] {
    std::optional<std::size_t> place = kind == DeviceKind::sim ? rank % mine.size() : deal_devices(seen)[rank];
    if (!place) refuse(seen, rank);
    device = std::make_shared<device::Device>(api_of(kind), DeviceOptions{.ordinal = mine[*place]});
  });
  return device;
}

}  // namespace hopwave::ranks

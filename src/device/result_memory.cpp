// The pool of pinned memory for results, one for each kind of device, never destroyed: results outlive everything else.
#include "device/result_memory.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <new>

#include "hopwave/error.h"

namespace hopwave::device {
namespace {

constexpr std::size_t page = std::size_t{64} << 10;  // as coarse as the driver pins

std::size_t part_of_memory(std::size_t part, std::size_t most) {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? std::min(static_cast<std::size_t>(pages) / part * static_cast<std::size_t>(bytes), most) : 0;
}

class Pool {
 public:
  explicit Pool(const Api& api) : api_(api) {}

  /// Of what is kept, the smallest that is large enough and not much larger; null if there is none.
  void* take_kept(std::size_t size, std::size_t& taken) {
    const std::lock_guard lock(mutex_);
    const auto at = kept_.lower_bound(size);
    if (at == kept_.end() || at->first > size + size / 4 || held_bytes_ + at->first > most_held_) return nullptr;
    void* const p = at->second.memory;
    taken = at->first;
    kept_.erase(at);
    kept_bytes_ -= taken;
    held_bytes_ += taken;
    return p;
  }
  [[nodiscard]] bool may_keep(std::size_t size) const { return size <= most_kept_; }
  bool may_hold(std::size_t size) {
    const std::lock_guard lock(mutex_);
    if (held_bytes_ + size > most_held_) return false;
    held_bytes_ += size;
    return true;
  }
  void not_had(std::size_t size) {
    const std::lock_guard lock(mutex_);
    held_bytes_ -= size;
  }
  /// What has been kept longest makes room: a process that goes on to answers of other sizes keeps those.
  void give_back(void* p, std::size_t size) noexcept {
    {
      const std::lock_guard lock(mutex_);
      held_bytes_ -= size;
    }
    while (void* const gone = keep(p, size)) {
      (void)api_.release_pinned(gone);
      if (gone == p) return;
    }
  }
  void release_kept() noexcept {
    const std::lock_guard lock(mutex_);
    for (const auto& [size, kept] : kept_) (void)api_.release_pinned(kept.memory);
    kept_.clear();
    kept_bytes_ = 0;
  }
  ResultMemory sizes() {
    const std::lock_guard lock(mutex_);
    return {held_bytes_, kept_bytes_};
  }

 private:
  /// Null: it is kept. Else what has to go back to the system for that; `p` itself if it cannot be kept.
  void* keep(void* p, std::size_t size) noexcept try {
    const std::lock_guard lock(mutex_);
    if (size > most_kept_) return p;
    if (kept_bytes_ + size <= most_kept_) {
      kept_.emplace(size, Kept{p, ++times_});
      kept_bytes_ += size;
      return nullptr;
    }
    const auto oldest = std::min_element(kept_.begin(), kept_.end(),
                                         [](const auto& a, const auto& b) { return a.second.since < b.second.since; });
    void* const gone = oldest->second.memory;
    kept_bytes_ -= oldest->first;
    kept_.erase(oldest);
    return gone;
  } catch (const std::bad_alloc&) {  // no room for the entry
    return p;
  }

  const Api& api_;
  const std::size_t most_held_ = part_of_memory(4, std::size_t{8} << 30), most_kept_ = part_of_memory(16, std::size_t{1} << 30);
  std::mutex mutex_;
  struct Kept {
    void* memory;
    std::uint64_t since;  ///< times that something was kept, up to this
  };
  std::multimap<std::size_t, Kept> kept_;  ///< by size
  std::uint64_t times_ = 0;
  std::size_t held_bytes_ = 0, kept_bytes_ = 0;
};

Pool& pool_of(const Api& api) {
  static std::mutex mutex;
  static auto* const pools = new std::map<const Api*, Pool>;
  const std::lock_guard lock(mutex);
  return pools->try_emplace(&api, api).first->second;
}

}  // namespace

std::shared_ptr<void> take_result_memory(Device& device, std::size_t bytes, Pin pin) {
  Pool& pool = pool_of(device.api());
  std::size_t size = (bytes + page - 1) / page * page;
  void* p = pool.take_kept(size, size);
  if (!p) {
    if (pin == Pin::if_kept || (pin == Pin::to_keep && !pool.may_keep(size)) || !pool.may_hold(size)) return nullptr;
    try {
      p = device.pin(size);
    } catch (...) {
      pool.not_had(size);
      throw;
    }
    if (!p) pool.not_had(size);
  }
  if (!p) return nullptr;
  return {p, [&pool, size](void* memory) { pool.give_back(memory, size); }};
}

ResultMemory result_memory(const Api& api) { return pool_of(api).sizes(); }
void release_kept_results(const Api& api) noexcept { pool_of(api).release_kept(); }

}  // namespace hopwave::device

// What memory the machine, its control group and the limits of this process leave.
#include "core/host_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

#include "hopwave/estimate.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// Returns the number after `key` in a file of "key value" lines; nothing if there is none.
std::uint64_t number_in_file(const std::string& path, std::string_view key = {}) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (!key.empty() && word != key) continue;
    if (!key.empty() && !(file >> word)) break;
    std::uint64_t value = no_limit;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;  // "max" becomes no_limit
  }
  return no_limit;
}

/// Returns this process's control group below /sys/fs/cgroup (version 2), or an empty text.
std::string control_group() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("0::")) return "/sys/fs/cgroup" + line.substr(3);
  return {};
}

std::uint64_t control_group_free() {
  const std::string group = control_group();
  if (group.empty()) return no_limit;
  const std::uint64_t most = number_in_file(group + "/memory.max");
  const std::uint64_t used = number_in_file(group + "/memory.current");
  if (most == no_limit || used == no_limit) return no_limit;
  // File pages are dropped when memory is short, so they count as free.
  const std::uint64_t cached = number_in_file(group + "/memory.stat", "file");
  const std::uint64_t held = used - std::min(used, cached == no_limit ? 0 : cached);
  return most - std::min(most, held);
}

}  // namespace

std::uint64_t host_memory_total() {
  const std::uint64_t kib = number_in_file("/proc/meminfo", "MemTotal:");
  return kib == no_limit ? 0 : kib * 1024;
}

}  // namespace hopwave::inline v0_1

namespace hopwave::search_detail {

std::uint64_t shared_memory_free() {
  const std::uint64_t kib = number_in_file("/proc/meminfo", "MemAvailable:");
  return std::min(kib == no_limit ? no_limit : kib * 1024, control_group_free());
}

std::uint64_t process_memory_limit() {
  const auto least = [](auto resource) {
    rlimit limit{};
    const bool limited = getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? std::uint64_t{limit.rlim_cur} : no_limit;
  };
  return std::min(least(RLIMIT_AS), least(RLIMIT_DATA));
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

std::uint64_t host_memory_free() {
  return std::min(search_detail::shared_memory_free(), search_detail::process_memory_limit());
}

}  // namespace hopwave::inline v0_1

// The limit is the system's own (RLIMIT_DATA), so that it holds for all memory that the process takes, the libraries' too.
#include "cli/frame/memory_limit.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "hopwave/estimate.h"

namespace hopwave::cli {
namespace {

/// The factor of a unit; 0 if it is none.
double factor_of(std::string unit) {
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit.empty() || unit == "b") return 1;
  const auto power = std::string("kmgt").find(unit[0]);
  if (power == std::string::npos) return 0;
  const std::string rest = unit.substr(1);
  const double base = rest.empty() || rest == "i" || rest == "ib" ? 1024 : rest == "b" ? 1000 : 0;
  return std::pow(base, static_cast<double>(power + 1));
}

}  // namespace

std::uint64_t to_bytes(const std::string& option, const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const double bytes = error == std::errc{} ? number * factor_of(std::string(rest, end)) : 0;
  if (bytes >= 1 && bytes <= 0x1p62) return static_cast<std::uint64_t>(bytes);  // not a number is neither
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-VALUE",
               .found = option + " is '" + text + "'",
               .expected = "a size above 0: a number with K, M, G or T, such as 512M or 1.5G"});
}

bool limit_memory(std::uint64_t bytes) {
  const bool least = bytes <= host_memory_free();
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) == 0) {
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_cur);  // a lower one that is there stays
    if (setrlimit(RLIMIT_DATA, &limit) == 0) {
      // A stack counts whole, and the usual 8 MiB of each thread would be most of a small limit.
      constexpr std::size_t stack = std::size_t{2} << 20;
      pthread_attr_t attributes;
      if (pthread_getattr_default_np(&attributes) != 0) return least;
      std::size_t usual = 0;
      if (pthread_attr_getstacksize(&attributes, &usual) == 0 && usual > stack &&
          pthread_attr_setstacksize(&attributes, stack) == 0)
        pthread_setattr_default_np(&attributes);
      pthread_attr_destroy(&attributes);
      return least;
    }
  }
  throw Error({.failure = Failure::does_not_fit, .id = "HW-MEMORY", .found = "the system sets no limit on memory"});
}

Error with_memory_hint(const Error& error, const Settings& settings) {
  const std::string& limit = settings.memory_limit;
  const bool simulated = error.id() == "HW-DEVICE-MEMORY";  // or of a GPU, of which no limit is known
  const bool has_hint = simulated || error.id() == "HW-MEMORY-HOST";
  if (error.id() != "HW-MEMORY" && !(has_hint && !limit.empty())) return error;
  Error::Parts parts = error.parts();
  const std::string raise = limit.empty() ? ""
                            : simulated   ? "--memory-limit is " + limit + ", and the simulator's memory counts: allow more; "
                                          : "--memory-limit is " + limit + ": allow more; ";
  const std::string remedy = settings.mapped
                                 ? "the .hwg is mapped, so this is memory of the work: take fewer threads (--threads), "
                                   "samples or sources, or a machine with more memory"
                                 : "convert the graph to .hwg once (a .hwg is mapped, not loaded), or take fewer "
                                   "threads (--threads)";
  parts.hint = raise + (has_hint ? parts.hint : "'hopwave estimate GRAPH' says how much is needed; " + remedy);
  return Error(std::move(parts));
}

}  // namespace hopwave::cli

// The model: each number has a price, and the number whose prices differ most explains the difference.
#include "measure/explain.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/people_text.h"

namespace hopwave::report {
namespace {

// Orders of magnitude of an H100 or H200, in microseconds. The model ranks causes; it does not foretell times.
constexpr double per_launch = 4;             // to launch a kernel that has next to nothing to do
constexpr double per_round_trip = 8;         // the host waits for a word of the device
constexpr double per_byte = 1.0 / 1e6;       // 1 TB/s of what is asked for: scattered words bring 32 bytes each
constexpr double per_waiting_atomic = 1e-3;  // one per nanosecond at one address
constexpr double per_step = 0.15;            // a neighbour after the other by one thread, four reads under way at once
constexpr double per_thread = 2e-6;          // to start a thread that finds nothing to do

std::uint64_t figure(const SearchCounts& c, Cause cause) {
  switch (cause) {
    case Cause::launches:
      return c.launches;
    case Cause::bytes:
      return c.bytes();
    case Cause::atomics:
      return c.waiting_atomics;
    case Cause::longest:
      return c.longest;
    case Cause::threads:
      return c.idle();
  }
  return 0;
}

std::string with_figure(Cause cause, const SearchCounts& c) {
  std::string text = core::grouped(figure(c, cause));
  if (cause == Cause::launches)
    text += fmt::format(" with {} round trip{}", core::grouped(c.round_trips), c.round_trips == 1 ? "" : "s");
  return text;
}

}  // namespace

SearchCounts sum(const std::vector<LaunchCounts>& launches, std::uint64_t round_trips) {
  SearchCounts all{.launches = launches.size(), .round_trips = round_trips};
  for (const LaunchCounts& one : launches) {
    all.threads += one.threads();
    all.working += one.working;
    all.labelling += one.labelling;
    all.labelled += one.labelled;
    all.warps += one.working_warps;
    all.divergent += one.divergent_warps;
    all.work += one.work;
    all.lane_steps += one.lane_steps;
    all.longest += one.longest;
    all.shared_atomics += one.shared_atomics;
    all.global_atomics += one.global_atomics;
    all.waiting_atomics += one.most_global;
    for (std::size_t k = 0; k < num_memory_kinds; ++k) {
      all.read[k] += one.read[k];
      all.written[k] += one.written[k];
    }
    all.device.add(one.requests_of(false));
    all.shared.add(one.requests_of(true));
    for (const RequestCounts& place : one.requests) add_requests(all.requests, place);
  }
  return all;
}

std::string_view cause_name(Cause cause) {
  switch (cause) {
    case Cause::launches:
      return "launches";
    case Cause::bytes:
      return "bytes of device memory";
    case Cause::atomics:
      return "atomics on one address";
    case Cause::longest:
      return "steps of the longest thread";
    case Cause::threads:
      return "threads without work";
  }
  return "";
}

double cost(const SearchCounts& c, Cause cause) {
  switch (cause) {
    case Cause::launches:
      return per_launch * static_cast<double>(c.launches) + per_round_trip * static_cast<double>(c.round_trips);
    case Cause::bytes:
      return per_byte * static_cast<double>(c.bytes());
    case Cause::atomics:
      return per_waiting_atomic * static_cast<double>(c.waiting_atomics);
    case Cause::longest:
      return per_step * static_cast<double>(c.longest);
    case Cause::threads:
      return per_thread * static_cast<double>(c.idle());
  }
  return 0;
}

double cost(const SearchCounts& c) {
  double all = 0;
  for (const Cause cause : causes) all += cost(c, cause);
  return all;
}

std::string explain_difference(std::string_view a, const SearchCounts& a_counts, std::string_view b,
                               const SearchCounts& b_counts) {
  constexpr double alike = 0.02;  // of the whole: the model cannot distinguish less
  std::string_view slow = a, fast = b;
  const SearchCounts *dear = &a_counts, *cheap = &b_counts;
  if (cost(*dear) < cost(*cheap)) {
    std::swap(slow, fast);
    std::swap(dear, cheap);
  }
  if (cost(*dear) - cost(*cheap) <= alike * cost(*dear))
    return fmt::format("{} and {} cost the same by what was counted.", a, b);
  Cause most = causes.front();
  for (const Cause cause : causes)
    if (cost(*dear, cause) - cost(*cheap, cause) > cost(*dear, most) - cost(*cheap, most)) most = cause;
  return fmt::format("{} costs more than {} by its {}: {} against {}.", slow, fast, cause_name(most), with_figure(most, *dear),
                     with_figure(most, *cheap));
}

}  // namespace hopwave::report

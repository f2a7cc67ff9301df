// The list of races: one entry for each pair of places.
#include "simulator/races.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace hopwave::sim {

namespace {
constinit thread_local Races* watching = nullptr;

bool same_place(const RacingAccess& a, const RacingAccess& b) {
  return a.at == b.at && a.writes == b.writes && a.atomic == b.atomic;
}

/// Is `b` to be named first?
bool comes_later(const RacingAccess& a, const RacingAccess& b) {
  if (a.writes != b.writes) return b.writes;
  if (a.atomic != b.atomic) return a.atomic;
  return a.at.line() < b.at.line();
}

bool before_in_source(const Race& a, const Race& b) {
  if (const int files = std::strcmp(a.write.at.file_name(), b.write.at.file_name())) return files < 0;
  const auto key = [](const Race& r) {
    return std::tuple(r.write.at.line(), r.other.at.line(), r.other.writes, r.other.atomic);
  };
  return key(a) < key(b);
}
}  // namespace

void Races::add(const RacingAccess& earlier, const RacingAccess& later, bool shared, bool different) {
  Race race{.write = earlier, .other = later, .shared = shared, .times = 1, .different = different};
  if (comes_later(race.write, race.other)) std::swap(race.write, race.other);
  const auto is_it = [&](const Race& r) { return same_place(r.write, race.write) && same_place(r.other, race.other); };
  if (last_ >= all_.size() || !is_it(all_[last_])) {
    const auto found = std::ranges::find_if(all_, is_it);
    if (found == all_.end()) {
      all_.insert(std::ranges::upper_bound(all_, race, before_in_source), race);
      return;
    }
    last_ = static_cast<std::size_t>(found - all_.begin());
  }
  ++all_[last_].times;
  all_[last_].different += different;
}

RaceWatch::RaceWatch(Races& into) : outer_(std::exchange(watching, &into)) {}
RaceWatch::~RaceWatch() { watching = outer_; }
Races* RaceWatch::current() { return watching; }

}  // namespace hopwave::sim

// Keeps the clock and the counters of the loop over levels.
#include "bfs/strategy/gpu/gpu_strategy.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace hopwave::strategy {
void LevelLoop::begin(RunControl& control) {
  from_ = now();
  traced_ = {};
  if (control.trace) part_.start();
  total_.start();
}

void LevelLoop::started(RunControl& control) {
  if (control.trace) after_level();
}

void LevelLoop::before_level(RunControl& control) {
  if (control.trace) part_.start();
}

Milliseconds LevelLoop::after_level() {
  part_.stop();
  const Milliseconds time = part_.elapsed();
  traced_ += time;
  return time;
}

void LevelLoop::uncharge(const Spent& since) {
  const Spent spent = now();
  from_.launches += spent.launches - since.launches;
  from_.round_trips += spent.round_trips - since.round_trips;
}

void LevelLoop::finish(RunControl& control) {
  total_.stop();
  // A trace stops between levels to count: its parts are the time, not the whole.
  control.stats->work = control.trace ? traced_ : total_.elapsed();
  const Spent end = now();
  control.stats->launches = end.launches - from_.launches;
  control.stats->round_trips = end.round_trips - from_.round_trips;
}

std::uint32_t LevelLoop::most_levels(const Query& query, const RunControl& control, Distance current) {
  if (control.trace || query.target != no_vertex) return 1;
  const std::uint32_t most = control.may_end() ? 1024 : std::numeric_limits<std::int32_t>::max();
  return query.max_depth < 0 ? most : std::min(most, static_cast<std::uint32_t>(query.max_depth - current + 1));
}

std::uint32_t LevelLoop::greatest(const Buffer<Distance>& level) {
  std::vector<Distance> all(level.size());
  level.download(std::span<Distance>(all));
  const auto most = std::max_element(all.begin(), all.end());
  return most == all.end() || *most < 0 ? 0 : static_cast<std::uint32_t>(*most);
}

}  // namespace hopwave::strategy

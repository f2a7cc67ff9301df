// Options and reports of the C header.
#include <algorithm>
#include <string_view>

#include "c/c_api.h"
#include "core/options.h"
#include "core/refuse.h"
#include "core/watch.h"

using namespace hopwave;
using namespace hopwave::c;

void hopwave_options_init(hopwave_options* options) {
  if (options) *options = {.size = sizeof(hopwave_options), .seed = 1, .strategy = "auto"};
}

namespace hopwave::c {
namespace {

template <std::size_t size>
void put(std::string_view text, char (&to)[size]) noexcept {
  const std::size_t count = std::min(text.size(), size - 1);
  std::copy_n(text.data(), count, to);
  std::fill(to + count, to + size, '\0');
}

}  // namespace

RunOptions run_of(const hopwave_options& given) {
  RunOptions run;
  // The device and the threads are also checked for calls that have no use for them.
  run.device = static_cast<DeviceKind>(given.device);
  core::require_named(run.device, DeviceKind::sim, "device");
  run.on.ordinal = given.ordinal;
  const auto replicas = values(given.replicas, given.num_replicas, "replicas");
  run.replicas.assign(replicas.begin(), replicas.end());
  run.threads = given.threads;
  if (constexpr int most = 4096; run.threads < 0 || run.threads > most)
    core::refuse("HW-OPTION-THREADS", std::to_string(run.threads) + " threads",
                 "1 to " + std::to_string(most) + ", or 0 for one per hardware thread");
  run.seed = run.simulator.seed = given.seed;
  run.limits = limits_of(given.stop, given.time_limit, given.partial);
  if (given.progress)
    run.progress = [call = given.progress, user = given.user](const Step& step) {
      const std::string what(step.what);
      const hopwave_step now{
          .what = what.c_str(), .done = step.done, .total = step.total, .amount = step.amount, .longest = step.longest};
      return call(user, &now) != 0;
    };
  return run;
}

void require_initial(bool initial, const char* name, const char* why) {
  if (initial) return;
  core::refuse("HW-OPTION-VALUE", std::string("the option `") + name + "`", std::string("its initial value: ") + why);
}

SearchOptions search_options_of(const hopwave_options& given) {
  require_initial(given.delta == 0, "delta", "hops have no weights");
  SearchOptions options{.strategy = given.strategy ? given.strategy : "auto",
                        .partition = static_cast<Partition>(given.partition),
                        .direction = static_cast<Direction>(given.direction),
                        .parameters = parameters_of(given),
                        .prepare = given.prepare != 0};
  options.run = run_of(given);
  return options;
}

RunOptions run_only(const hopwave_options& given, const char* why, bool strategy) {
  constexpr const char* unknown = "the call has no such option";
  require_initial(given.direction == HOPWAVE_OUT, "direction", why);
  require_initial(strategy || !given.strategy || std::string_view(given.strategy) == "auto", "strategy", unknown);
  require_initial(given.num_parameters == 0, "parameters", unknown);
  require_initial(given.prepare == 0, "prepare", unknown);
  require_initial(given.partition == HOPWAVE_PARTITION_AUTOMATIC, "partition", unknown);
  require_initial(given.delta == 0, "delta", unknown);
  return run_of(given);
}

Parameters parameters_of(const hopwave_options& given) {
  const auto names = values(given.parameter_names, given.num_parameters, "parameter_names");
  const auto numbers = values(given.parameter_values, given.num_parameters, "parameter_values");
  Parameters parameters;
  for (std::size_t i = 0; i < names.size(); ++i) parameters[&present(names[i], "a parameter's name")] = numbers[i];
  return parameters;
}

void fill(const RunReport& from, hopwave_report* to) noexcept {
  if (!to) return;
  static_assert(static_cast<int>(End::complete) == HOPWAVE_END_COMPLETE);
  static_assert(static_cast<int>(End::interrupted) == HOPWAVE_END_INTERRUPTED);
  static_assert(static_cast<int>(End::cancelled) == HOPWAVE_END_CANCELLED);
  static_assert(static_cast<int>(End::time_limit) == HOPWAVE_END_TIME_LIMIT);
  to->end = static_cast<int>(from.end);
  to->device = static_cast<int>(from.device);
  put(from.strategy, to->strategy);
  put(from.chosen, to->chosen);
  to->prepare_ms = from.prepare.count();
  to->copy_in_ms = from.copy_in.count();
  to->work_ms = from.work.count();
  to->copy_out_ms = from.copy_out.count();
  std::size_t at = 0;
  for (const std::string& note : from.notes)
    for (std::size_t i = 0; i <= note.size() && at + 1 < sizeof to->notes; ++i)
      to->notes[at++] = i < note.size() ? note[i] : '\n';
  std::fill(to->notes + at, to->notes + sizeof to->notes, '\0');
}

}  // namespace hopwave::c

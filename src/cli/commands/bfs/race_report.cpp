#include "cli/commands/bfs/race_report.h"

#include <fmt/format.h>

#include "bfs/plan/source_text.h"
#include "core/refuse.h"
#include "core/sanitized.h"

namespace hopwave::cli {
namespace {

using sim::Race, sim::RacingAccess;

const char* name_of(const RacingAccess& access) { return access.atomic ? "atomic" : access.writes ? "write" : "read"; }

std::string thread_of(const RacingAccess& access) { return fmt::format("(block {}, thread {})", access.block, access.thread); }

/// "fig. 15.14 line 26"; empty outside a printed listing.
std::string step_of(const RacingAccess& access) { return source_text::figure_step(access.at.file_name(), access.at.line()); }

std::string text_of(const Race& race) {
  const auto &write = race.write.at, &other = race.other.at;
  const bool one_file = std::string_view(write.file_name()) == other.file_name();
  const std::string second = one_file && write.line() == other.line() ? "itself"
                             : one_file                               ? fmt::format("line {}", other.line())
                                                                      : fmt::format("{}:{}", other.file_name(), other.line());
  const std::string values = race.different == 0            ? fmt::format("same value, {}", plural(race.times, "time"))
                             : race.different == race.times ? fmt::format("different values, {}", plural(race.times, "time"))
                                                            : fmt::format("different values {} of {}", grouped(race.different),
                                                                          plural(race.times, "time"));
  std::string print = step_of(race.write);
  if (!print.empty() && step_of(race.other) != print) print += " and " + step_of(race.other);
  return fmt::format("{}:{} {} and {} {}: {}/{} in {} memory, {}{}{}", write.file_name(), write.line(), thread_of(race.write),
                     second, thread_of(race.other), name_of(race.write), name_of(race.other), race.shared ? "shared" : "device",
                     values, print.empty() ? "" : "; ", print);
}

Json to_json(const RacingAccess& access) {
  Json json = {{"file", access.at.file_name()},
               {"line", access.at.line()},
               {"block", access.block},
               {"thread", access.thread},
               {"access", name_of(access)}};
  if (const std::string step = step_of(access); !step.empty()) json["step"] = step;
  return json;
}

}  // namespace

bool wants_races(const BfsArguments& a, const SearchOptions& options) {
  const bool listing = a.search.strategy.starts_with("literal:");
  const bool asked = a.races == "on" || a.races == "error";
  const char* const why_not = !listing && options.run.device != DeviceKind::sim ? " without the simulator"
                              : !a.search.gpus.empty()                          ? " with --gpus"
                              : options.run.simulator.schedule == ScheduleKind::load_buffering
                                  ? " with --schedule load-buffering"
                              : thread_sanitized ? " in a build with ThreadSanitizer, which reports races itself"
                                                 : nullptr;
  if (asked && why_not)
    core::refuse("HW-USAGE-OPTION", "--races " + a.races + why_not, "--device sim, or a printed listing, on one device");
  return !why_not && (asked || (a.races == "auto" && listing));
}

void announce_races(const BfsJob& job, Context& context, const sim::Races& races, bool ended) {
  if (races.all().empty()) return;
  const std::string found = plural(races.all().size(), "data race") + " found";
  const bool listed = !context.json() && (job.output != "-" || !context.settings.quiet);
  if (job.race_fails && !ended)
    return context.console.fault(Error({.failure = Failure::verification,
                                        .id = "HW-SIM-RACE",
                                        .found = found + " (--races error)",
                                        .hint = listed           ? "the lines 'races' show where"
                                                : context.json() ? "the key 'races' shows where"
                                                                 : "without --quiet the lines 'races' show where"}));
  if (!listed) context.console.insist(found);
}

void print_races(Console& console, Stream stream, const sim::Races& races) {
  constexpr std::size_t label = 10;
  if (races.all().empty()) return console.labelled(stream, "races", label, "none found");
  const char* title = "races";
  for (const Race& race : races.all()) {
    console.labelled(stream, title, label, text_of(race));
    title = "";
  }
}

Json races_json(const sim::Races& races) {
  Json all = Json::array();
  for (const Race& race : races.all())
    all.push_back({{"write", to_json(race.write)},
                   {"other", to_json(race.other)},
                   {"memory", race.shared ? "shared" : "device"},
                   {"times", race.times},
                   {"different", race.different}});
  return all;
}

}  // namespace hopwave::cli

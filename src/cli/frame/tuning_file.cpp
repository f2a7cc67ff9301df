// Reading and applying the user's tuning file.
#include "cli/frame/tuning_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/frame/files.h"
#include "core/refuse.h"
#include "hopwave/error.h"
#include "measure/bench_file.h"

namespace hopwave::cli {

std::string tuning_path() {
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
    return std::string(config) + "/hopwave/tuning.json";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.config/hopwave/tuning.json";
  return "hopwave-tuning.json";
}

namespace {

Error unusable(const std::string& path, std::string found) {
  return Error({.failure = Failure::input,
                .id = "HW-TUNE-FILE",
                .where = {.file = path},
                .found = std::move(found),
                .expected = "a tuning file",
                .hint = "move it away; hopwave tune makes a new one"});
}

/// Values that the strategy would refuse, written by hand or by another version, are a fault of the file.
void check_entry(const std::string& path, const report::TunedEntry& entry, const StrategyInfo& info) {
  for (const auto& [name, value] : entry.parameters) {
    const auto known =
        std::find_if(info.parameters.begin(), info.parameters.end(), [&key = name](const auto& p) { return p.name == key; });
    if (known == info.parameters.end())
      throw unusable(path, fmt::format("parameter '{}', which {} has not got", name, info.name));
    if (value < known->lowest || value > known->highest)
      throw unusable(path, fmt::format("{}={}, outside {} to {}", name, value, known->lowest, known->highest));
  }
}

}  // namespace

report::Tuning read_tuning(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (problem) throw unusable(path, "cannot be looked at: " + problem.message());
  if (!std::filesystem::is_regular_file(status)) throw unusable(path, "no regular file");  // a pipe would be waited for
  return report::Tuning::from_json(read_file(path, "a tuning file"), path);
}

namespace {

/// The entry for this case, if there is one.
std::optional<report::TunedEntry> find_entry(const std::string& path, const Graph& graph, const SearchOptions& options,
                                             std::string& what) {
  const report::Tuning tuning = read_tuning(path);
  if (tuning.entries().empty()) return std::nullopt;
  const std::string device =
      report::tuned_device_name(options.strategy.starts_with("cpu-") ? DeviceKind::cpu : options.run.device);
  const std::string graphs = report::graph_class(profile(graph));
  what = fmt::format("{} graphs on {}", graphs, device);
  const report::TunedEntry* entry = tuning.find(device, graphs, options.strategy);
  if (!entry) return std::nullopt;
  check_entry(path, *entry, find_strategy(options.strategy));
  return *entry;
}

}  // namespace

void apply_tuning(Console& console, const Graph& graph, bool wanted, SearchOptions& options) {
  const bool automatic = options.strategy == "auto" && options.parameters.empty();
  if (!wanted && !automatic) return;
  const std::string path = tuning_path();
  std::string what = "this case";
  std::optional<report::TunedEntry> entry;
  try {
    entry = find_entry(path, graph, options, what);
  } catch (const Error& error) {
    if (wanted) throw;
    return console.warn(fmt::format("searching untuned: {}: {}", path, error.parts().found));
  }
  if (!entry) {
    if (!wanted) return;
    core::refuse("HW-TUNE-NONE", fmt::format("--param best, but {} has nothing for {} and {}", path, options.strategy, what),
                 "a tuned entry", fmt::format("hopwave tune GRAPH --strategy {} makes one", options.strategy));
  }
  for (const auto& [name, value] : entry->parameters) options.parameters.try_emplace(name, value);
  console.talk(fmt::format("tuned for {}: {} ({})", what, report::parameter_text(entry->parameters), path));
}

}  // namespace hopwave::cli

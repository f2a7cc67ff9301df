// Reading and applying the user's tuning file.
#include "cli/tuning_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "cli/files.h"
#include "hopwave/error.h"
#include "report/bench_file.h"

namespace hopwave::cli {

std::string tuning_path() {
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
    return std::string(config) + "/hopwave/tuning.json";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.config/hopwave/tuning.json";
  return "hopwave-tuning.json";
}

report::Tuning read_tuning(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  return report::Tuning::from_json(read_file(path, "a tuning file"), path);
}

void apply_tuning(Console& console, const Graph& graph, bool wanted, SearchOptions& options) {
  const bool automatic = options.strategy == "auto" && options.parameters.empty();
  if (!wanted && !automatic) return;
  const std::string path = tuning_path();
  const report::Tuning tuning = read_tuning(path);
  if (tuning.entries().empty() && !wanted) return;
  const std::string device = report::tuned_device_name(options.strategy.starts_with("cpu-") ? DeviceKind::cpu : options.device);
  const std::string graphs = report::graph_class(profile(graph));
  const report::TunedEntry* entry = tuning.find(device, graphs, options.strategy);
  if (!entry) {
    if (!wanted) return;
    throw Error({.failure = Failure::usage,
                 .id = "HW-TUNE-NONE",
                 .found = fmt::format("--param best, but {} has nothing for {} on {} ({} graphs)", path, options.strategy,
                                      device, graphs),
                 .expected = "a tuned entry",
                 .hint = fmt::format("hopwave tune GRAPH --strategy {} makes one", options.strategy)});
  }
  for (const auto& [name, value] : entry->parameters) options.parameters.try_emplace(name, value);
  console.talk(
      fmt::format("tuned for {} graphs on {}: {} ({})", graphs, device, report::parameter_text(entry->parameters), path));
}

}  // namespace hopwave::cli

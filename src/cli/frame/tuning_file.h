// The user's tuning file: what `hopwave tune` wrote and `--param best` and `auto` read.
#pragma once

#include <string>

#include "cli/frame/console.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "measure/tuning.h"

namespace hopwave::cli {

/// $XDG_CONFIG_HOME/hopwave/tuning.json, else ~/.config/hopwave/tuning.json, else ./hopwave-tuning.json.
std::string tuning_path();
/// The file's content; empty if there is no such file. Throws HW-TUNE-FILE if it cannot be read.
report::Tuning read_tuning(const std::string& path);

/// Takes the tuned parameters for this device, strategy and class of graphs into `options`. For a named strategy only when
/// `wanted` (--param best): then a missing entry is the error HW-TUNE-NONE. For auto whenever there are some and none were
/// given; a file that cannot be used is then only a note, because the search is possible without it.
void apply_tuning(Console& console, const Graph& graph, bool wanted, SearchOptions& options);

}  // namespace hopwave::cli

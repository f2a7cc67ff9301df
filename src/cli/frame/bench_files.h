// Bench files as the tool reads them, and the files that are written from them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/frame/console.h"
#include "measure/bench_file.h"

namespace hopwave::cli {

/// A bench file, packed or not. Throws HW-IO-OPEN, HW-BENCH-FILE, and what unpacking throws.
report::BenchFile read_bench(const std::string& path);
/// The text of a file of results, unpacked. Throws the same but for HW-BENCH-FILE.
std::string read_results(const std::string& path);

/// Options that write a file, and the names given to them; empty: not given.
using Exports = std::vector<std::pair<const char*, std::string>>;
/// Throws HW-USAGE-OPTION where two of them, or one and --json, want one file or standard output.
void check_exports(const Context& context, const Exports& exports);
bool on_standard_output(const Exports& exports);

}  // namespace hopwave::cli

// Reading bench files, and keeping two outputs from one name.
#include "cli/frame/bench_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/frame/files.h"
#include "cli/frame/result_file.h"
#include "core/refuse.h"
#include "io/byte_source.h"

namespace hopwave::cli {

report::BenchFile read_bench(const std::string& path) { return report::bench_from_json(read_results(path), path); }

std::string read_results(const std::string& path) {
  std::string bytes = read_file(path, "a bench file");
  const auto source = io::unpacked(io::memory_source(bytes, path));
  if (source->size()) return bytes;
  std::string text;
  char block[1 << 14];
  while (const std::size_t got = source->read(block, sizeof block)) text.append(block, got);
  return text;
}

namespace {

/// One name for one file, however it is written.
std::string whole_name(const std::string& path) {
  std::error_code problem;
  const auto whole = std::filesystem::weakly_canonical(path, problem);
  return path == "-" || problem ? path : whole.string();
}

}  // namespace

void check_exports(const Context& context, const Exports& exports) {
  const auto refuse = [](const std::string& found, const std::string& expected) {
    core::refuse("HW-USAGE-OPTION", found, expected);
  };
  for (auto at = exports.begin(); at != exports.end(); ++at) {
    if (at->second.empty()) continue;
    const std::string name = whole_name(at->second);
    if (context.json() && name == "-")
      refuse(std::string("--json with ") + at->first + " -: both want standard output", "a file for one of them");
    for (auto other = exports.begin(); other != at; ++other)
      if (!other->second.empty() && whole_name(other->second) == name)
        refuse(std::string(other->first) + " and " + at->first + " want " + (name == "-" ? "standard output" : at->second),
               "a file for each");
  }
}

bool on_standard_output(const Exports& exports) {
  return std::any_of(exports.begin(), exports.end(), [](const auto& e) { return e.second == "-"; });
}

}  // namespace hopwave::cli

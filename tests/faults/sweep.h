// What the two fault tests share: which points are tried, and the counts of what came of them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "faults/inject.h"

namespace hopwave::faults {

/// Points tried of each job, kind and mode: HOPWAVE_FAULT_POINTS, a number or "all".
inline std::uint64_t points_wanted(std::uint64_t standard) {
  const char* text = std::getenv("HOPWAVE_FAULT_POINTS");
  if (!text || !*text) return standard;
  return std::string(text) == "all" ? ~std::uint64_t{0} : std::strtoull(text, nullptr, 10);
}

/// The calls out of 1 … `calls` that are tried: all, or `wanted` at equal steps, the first and the last among them.
inline std::vector<std::uint64_t> points(std::uint64_t calls, std::uint64_t wanted) {
  std::vector<std::uint64_t> chosen;
  if (calls <= wanted) wanted = calls;
  for (std::uint64_t i = 0; i < wanted; ++i) chosen.push_back(wanted == 1 ? calls : 1 + i * (calls - 1) / (wanted - 1));
  return chosen;
}

/// Points by kind and mode, and what came of each: "same answer", an error's id, "killed".
class Figures {
 public:
  void add(Kind kind, Mode mode, const std::string& outcome) {
    const std::lock_guard lock(mutex_);
    ++counts_[std::string(kind_names[static_cast<std::size_t>(kind)])][std::string(mode_names[static_cast<std::size_t>(mode)])]
             [outcome];
    ++points_;
  }
  [[nodiscard]] std::uint64_t points() const { return points_; }

  /// Into the file that HOPWAVE_FAULT_FIGURES names, if it does.
  void write(const std::string& program, std::uint64_t jobs) const {
    const char* path = std::getenv("HOPWAVE_FAULT_FIGURES");
    if (!path || !*path) return;
    std::ofstream(path)
        << nlohmann::json{{"program", program}, {"jobs", jobs}, {"points", points_}, {"outcomes", counts_}}.dump(1) << "\n";
  }

 private:
  std::mutex mutex_;
  std::uint64_t points_ = 0;
  std::map<std::string, std::map<std::string, std::map<std::string, std::uint64_t>>> counts_;
};

}  // namespace hopwave::faults

// The library's main jobs for the fault test. A job returns a number that depends on its whole answer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hopwave::faults {

struct LibraryJob {
  std::string name;
  std::function<std::uint64_t()> run;
  std::string output = {};  ///< the file it writes
  bool stable = true;       ///< the file is the same each time; else it holds times
};

/// Jobs that read files have them made in `folder`, where they also write.
std::vector<LibraryJob> library_jobs(const std::string& folder);

}  // namespace hopwave::faults

// Ranks as MPI processes: the plug-in is loaded, checked and opened here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bfs/distributed/transport.h"

namespace hopwave::ranks {

struct MpiOptions {
  std::vector<std::string> plugins;  ///< paths to try, in order
  int expected_size = 0;             ///< what the launcher says; 0: it does not say
  std::uint64_t piece = std::uint64_t{1} << 30;
  /// Called by abort() before all ranks are ended, with the error, to print it.
  std::function<void(const Error&)> report = {};
};

/// Opens MPI and connects to the other ranks. The process's last transport; its destructor is collective.
/// Errors: HW-RANKS-PLUGIN (there is none, or it cannot be loaded), HW-RANKS-BUILD (a plug-in of another build),
/// HW-RANKS-LAUNCHER (ranks that do not see each other).
std::unique_ptr<Transport> open_mpi(const MpiOptions& options);

/// Are all ranks of rank 0's build, and were they called with its words? Collective. Throws AgreedError: HW-RANKS-BUILD,
/// HW-RANKS-WORDS.
void check_same(Transport& transport, const std::string& version, const std::string& commit,
                const std::vector<std::string>& words);

}  // namespace hopwave::ranks

// Processes that a launcher (mpirun, srun) has started to do one job together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bfs/distributed/transport.h"
#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/interrupt.h"

namespace hopwave::cli {

/// The launcher, as the environment describes it.
struct Launch {
  int rank = 0;
  int size = 1;  ///< 1: no launcher, one process, or HOPWAVE_RANKS=off
};
/// Throws HW-USAGE-VALUE for a HOPWAVE_RANKS other than on or off.
Launch find_launch();
/// Launchers give processes terminals of their own, wherever their output goes in the end.
bool started_by_launcher();

/// The other ranks, from open() to the command's end.
class Ranks {
 public:
  explicit Ranks(Console& console) : console_(console) {}

  /// Connects to the other ranks, if there are any and the command works on several. A command that does not is refused.
  /// `words`: the command line. Errors: HW-RANKS-COMMAND, and those of ranks::open_mpi() and check_same().
  void open(const Command& command, const std::vector<std::string>& words);
  /// Null: there is one process.
  [[nodiscard]] ranks::Transport* transport() const noexcept { return transport_.get(); }
  /// `interrupts` ends this process; report() makes it silent on all ranks but one.
  void watch(Interrupts& interrupts) { interrupts_ = &interrupts; }
  /// Runs work() on every rank: an error of one is an error of all, where there are several.
  void agree(const std::function<void()>& work);
  /// Reports what ended this rank, once for all ranks, and ends them. Does not return where others may still be at work.
  void report(const Error& error);

 private:
  Console& console_;
  Launch launch_;
  Interrupts* interrupts_ = nullptr;
  std::unique_ptr<ranks::Transport> transport_;
};

}  // namespace hopwave::cli

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

/// What a launcher says in the environment.
struct Launch {
  int rank = 0;
  int size = 1;  ///< 1: no launcher, one process, or HOPWAVE_RANKS=off
};
/// Throws HW-USAGE-VALUE for a HOPWAVE_RANKS other than on or off.
Launch find_launch();
/// Launchers hand terminals of their own to processes, whatever their output goes to in the end.
bool started_by_launcher();

/// The other ranks, from the moment a command wants them to its end.
class Ranks {
 public:
  explicit Ranks(Console& console) : console_(console) {}

  /// Meets the other ranks if there are any, and the command works on several; a command that does not is refused.
  /// `words`: the command line. Errors: HW-RANKS-COMMAND, and those of ranks::open_mpi() and check_same().
  void open(const Command& command, const std::vector<std::string>& words);
  /// Null: there is one process.
  [[nodiscard]] ranks::Transport* transport() const noexcept { return transport_.get(); }
  /// Says when this process is told to end, and is told to be silent on all ranks but one.
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

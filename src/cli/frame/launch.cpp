// Open MPI, PMIx, PMI (MPICH and its kin) and Slurm each say rank and number of processes in variables of their own.
#include "cli/frame/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <thread>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/mpi_ranks.h"
#include "core/commit.h"
#include "core/refuse.h"
#include "hopwave/version.h"

namespace hopwave::cli {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// A number from 0 on; −1 for anything else.
int number(const char* name) {
  const std::string text = variable(name);
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0 ? value : -1;
}

bool is_off() {
  const std::string when = variable("HOPWAVE_RANKS");
  if (when.empty() || when == "on") return false;
  if (when == "off") return true;
  core::refuse("HW-USAGE-VALUE", "the environment's HOPWAVE_RANKS is '" + printable(when) + "'", "on or off");
}

struct Kind {
  const char *rank, *size;
};
/// Slurm's are those of a step: a batch script alone is no step.
constexpr Kind kinds[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

/// HOPWAVE_MPI names the plug-in; otherwise it is where the build or the installation puts it, next to the tool.
std::vector<std::string> plugin_paths() {
  if (const std::string path = variable("HOPWAVE_MPI"); !path.empty()) return {path};
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {folder / "libhopwave-mpi.so", (folder / HOPWAVE_PLUGIN_FOLDER / "libhopwave-mpi.so").lexically_normal()};
}

}  // namespace

Launch find_launch() {
  if (is_off()) return {};
  for (const Kind& kind : kinds) {
    const int rank = number(kind.rank), size = number(kind.size);
    if (rank >= 0 && size > rank) return {rank, size};
  }
  return {};
}

bool started_by_launcher() {
  return std::any_of(std::begin(kinds), std::end(kinds),
                     [](const Kind& kind) { return number(kind.rank) >= 0 && number(kind.size) >= 0; });
}

void Ranks::open(const Command& command, const std::vector<std::string>& words) {
  launch_ = find_launch();
  if (launch_.size == 1) return;
  if (launch_.rank > 0 && interrupts_) interrupts_->be_silent();
  if (!command.ranks)
    core::refuse("HW-RANKS-COMMAND", fmt::format("'hopwave {}' by {} processes of a launcher", command.name, launch_.size),
                 "one process: bfs and bench graph500 alone work on several",
                 "HOPWAVE_RANKS=off lets each process work for itself");
  transport_ = ranks::open_mpi({.plugins = plugin_paths(), .expected_size = launch_.size, .report = [this](const Error& error) {
                                  console_.error(error);
                                }});
  ranks::check_same(*transport_, version, source_commit, words);
}

void Ranks::agree(const std::function<void()>& work) {
  if (transport_)
    ranks::agree(*transport_, work);
  else
    work();
}

void Ranks::report(const Error& error) {
  if (launch_.size == 1) return console_.error(error);
  const bool agreed = dynamic_cast<const ranks::AgreedError*>(&error) != nullptr;
  if (transport_ && !agreed) {
    Error::Parts parts = error.parts();
    parts.found = fmt::format("rank {}: {}", transport_->rank(), parts.found);
    transport_->abort(Error(std::move(parts)));
  }
  if (launch_.rank == 0) {
    if (interrupts_) interrupts_->be_silent();  // all is said, even if the others leave it waiting
    return console_.error(error);
  }
  if (agreed) return;
  // Before the ranks have met: rank 0 most likely has the same to say, and then ends all of them.
  for (int i = 0; i < 300; ++i) {
    if (interrupts_ && interrupts_->flag()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Error::Parts parts = error.parts();
  parts.found = fmt::format("rank {}: {}", launch_.rank, parts.found);
  console_.error(Error(std::move(parts)));
}

}  // namespace hopwave::cli

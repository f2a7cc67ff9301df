// Runs a trial: every answer is checked by the certificate, one graph in a hundred also by an oracle, and a search's
// statistics (levels, reached, trace) are compared with its answer.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "shapes/trial.h"

namespace hopwave::shapes {

struct Wrong {
  std::string kind;  ///< "answer", "oracle", "levels", "trace-…", "error", "resident"; for processes "lost", "hang"
  std::string text;
  std::size_t session = 0, act = 0;
};

struct Outcome {
  std::uint64_t vertices = 0, arcs = 0;
  std::uint64_t searches = 0;                   ///< a pass of 64 counts 64
  std::uint64_t searched_arcs = 0;              ///< the graph's arcs, times its searches
  std::uint64_t compared = 0;                   ///< searches that the oracle answered, too
  std::map<std::string, std::uint64_t> chosen;  ///< searches by traversal or strategy
  std::map<std::string, double> spent;          ///< seconds on: graph, file, upload, searcher, search, check, "way NAME"
  std::vector<Wrong> failures;                  ///< at most one per session
};

/// The device cannot be used by this process any more.
class DeviceLost : public std::runtime_error {
 public:
  explicit DeviceLost(const Wrong& wrong) : std::runtime_error(wrong.text), wrong_(wrong) {}
  [[nodiscard]] const Wrong& wrong() const { return wrong_; }

 private:
  Wrong wrong_;
};

/// Throws DeviceLost.
Outcome run_trial(const Trial& trial, const Config& config);
/// Runs one session separately. Adds to `outcome`.
std::optional<Wrong> run_session(const Graph& graph, const Session& session, bool oracle, const Config& config,
                                 Outcome& outcome);

/// Returns "hopwave bfs … --verify": the same search with the command-line tool, if the tool supports it.
std::string command_line(const std::string& graph, const Session& session, const Act& act, const BuildOptions& build);

}  // namespace hopwave::shapes

// A campaign over many seeds, by processes that can die without harm to the others: a lost device takes its process along.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "shapes/tally.h"

namespace hopwave::shapes {

struct Campaign {
  Config config;
  std::uint64_t first = 1, end = 101;        ///< seeds, the last not included
  bool named = true;                         ///< the graphs that were wrong once, before all others
  std::string only;                          ///< one named graph and nothing else
  int jobs = 1, threads = 1;                 ///< processes, and threads in each
  double seconds = 1e9;                      ///< no new graph after that
  double grace = 60;                         ///< and so long for those at work
  double hang = 300;                         ///< a graph that takes longer is a failure
  double shrink_seconds = 60;                ///< for each of the first five failures; 0: they are reported as they are
  int stop_after = 20;                       ///< failures
  std::string json, out = ".";               ///< file for the sums; folder for small graphs
  bool resume = false;                       ///< go on behind what the file has
  std::function<void(std::uint64_t)> taken;  ///< for tests: called in the worker that took this item and has not told it yet
  std::string settings;                      ///< the options that decide what a seed makes, as given to the program
};

/// Returns an exit code: 0, or that of Failure::verification if anything was wrong.
int run_campaign(const Campaign& campaign);

}  // namespace hopwave::shapes

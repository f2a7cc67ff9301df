// A campaign over many seeds, in processes that can die without affecting the others: a lost device ends its process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "shapes/tally.h"

namespace hopwave::shapes {

struct Campaign {
  Config config;
  std::uint64_t first = 1, end = 101;  ///< seeds, the last not included
  bool named = true;                   ///< graphs that were answered wrongly once, before all others
  std::string only;                    ///< only this named graph
  int jobs = 1, threads = 1;           ///< processes, and threads in each
  double seconds = 1e9;                ///< after that, no new graph
  double grace = 60;                   ///< and this long for running ones
  double hang = 300;                   ///< a graph that takes longer is a failure
  double shrink_seconds = 60;          ///< for each of the first five failures; 0: they are reported unchanged
  int stop_after = 20;                 ///< number of failures
  std::string json, out = ".";         ///< file for the sums; folder for small graphs
  bool resume = false;                 ///< continue after what the file contains
  std::function<void(std::uint64_t)>
      taken;             ///< for tests: called in the worker that took this item and has not reported it yet
  std::string settings;  ///< the options that determine what a seed makes, as given to the program
};

/// Returns an exit code: 0, or that of Failure::verification if anything was wrong.
int run_campaign(const Campaign& campaign);

}  // namespace hopwave::shapes

// Ranks as threads of one process, each with memory of its own: for tests, under sanitizers too.
#pragma once

#include <functional>

#include "bfs/distributed/transport.h"

namespace hopwave::ranks {

/// Runs work(transport) on `size` ranks at once and returns when all have ended. What one of them throws, or hands to
/// abort(), ends the others and is passed on; of several, the first.
void run_as_threads(int size, const std::function<void(Transport&)>& work);

}  // namespace hopwave::ranks

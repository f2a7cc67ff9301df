// Texts for messages about simulated threads.
#pragma once

#include <string>

#include "simulator/words.h"

namespace hopwave::sim {

std::string place(const SourceLocation& where);
std::string hex(u64 mask);
const char* name_of(WarpWord word);

}  // namespace hopwave::sim

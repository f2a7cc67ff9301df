// A command made of an algorithm's row: its options and help, the search, the check, the file, the JSON document and the lines.
#pragma once

#include "algorithm/algorithm.h"
#include "cli/frame/command.h"

namespace hopwave::cli {

Command command_of(const algorithm::Row& row);

}  // namespace hopwave::cli

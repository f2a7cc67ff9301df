// --memory-limit: how much memory the process may take, and the hints of its errors.
#pragma once

#include <cstdint>
#include <string>

#include "cli/frame/command.h"
#include "hopwave/error.h"

namespace hopwave::cli {

/// Bytes of a size: a number, whole or decimal, with a unit or none: K, M, G, T (also Ki, KiB, Mi …) are powers of 1024, kB,
/// MB, GB, TB of 1000. Letters of both cases. Throws HW-USAGE-VALUE, also for less than a byte and more than 2⁶² bytes.
std::uint64_t to_bytes(const std::string& option, const std::string& text);

/// From now on the system refuses memory beyond `bytes`, and the estimates before reading count by it. What it counts:
/// private writable memory, with the program's own and the threads' stacks; not files that are mapped, and not a GPU's.
/// False: the process cannot have as much anyway, by another limit or by what the machine has free.
bool limit_memory(std::uint64_t bytes);

/// The error with a hint that says what to do about memory, where it is about memory: to allow more by --memory-limit, where
/// that is the least limit, and what helps for this input.
Error with_memory_hint(const Error& error, const Settings& settings);

}  // namespace hopwave::cli

// The end of the process where memory is too short even for words about it.
#pragma once

namespace hopwave::cli {

/// What cannot be thrown on for want of memory (a destructor of the JSON library's takes some) ends the process in order.
void end_in_order_without_memory();

/// Writes the error from static text, as JSON too where the user asked for it. Allocates nothing. Returns the exit code.
int tell_no_memory(bool json) noexcept;

}  // namespace hopwave::cli

// The end of the process when there is no memory even for a message.
#pragma once

namespace hopwave::cli {

/// If an error cannot be passed on for lack of memory (a destructor of the JSON library takes some), the process ends in order.
void end_in_order_without_memory();

/// Writes the error from static text, as JSON too where the user asked for it. Allocates nothing. Returns the exit code.
int report_no_memory(bool json) noexcept;

}  // namespace hopwave::cli

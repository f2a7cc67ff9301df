// Nothing here takes memory.
#include "cli/frame/no_memory.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/frame/interrupt.h"
#include "hopwave/error.h"

namespace hopwave::cli {
namespace {

void write_text(int descriptor, std::string_view text) noexcept {
  [[maybe_unused]] const auto written = ::write(descriptor, text.data(), text.size());
}

/// Only a lack of memory is no fault of the program; whatever else ends here is left to a debugger.
[[noreturn]] void on_terminate() noexcept {
  try {
    if (std::exception_ptr problem = std::current_exception()) std::rethrow_exception(std::move(problem));
  } catch (const std::bad_alloc&) {
    remove_unfinished_files();
    _exit(report_no_memory(false));
  } catch (...) {
    write_text(STDERR_FILENO, "error: an exception that was not caught: please report it with the command [HW-INTERNAL]\n");
  }
  std::abort();
}

}  // namespace

void end_in_order_without_memory() { std::set_terminate(on_terminate); }

int report_no_memory(bool json) noexcept {
  static_assert(static_cast<int>(Failure::does_not_fit) == 4, "the text below names it");
  write_text(STDERR_FILENO,
             "error: the system has no more memory [HW-MEMORY]\n"
             "  hint: 'hopwave estimate GRAPH' says how much is needed; with --memory-limit: allow more\n");
  if (json)
    write_text(STDOUT_FILENO,
               "{\"schema\": \"hopwave-error/1\", \"error\": {\"id\": \"HW-MEMORY\", \"exit_code\": 4, "
               "\"message\": \"the system has no more memory [HW-MEMORY]\", \"found\": \"the system has no more memory\"}}\n");
  return static_cast<int>(Failure::does_not_fit);
}

}  // namespace hopwave::cli

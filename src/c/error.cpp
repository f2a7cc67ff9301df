// Errors of the C header.
#include "c/c_api.h"
#include "hopwave/version.h"

namespace hopwave::c {

hopwave_error* no_memory() noexcept {
  // Short strings are stored in place, without allocation.
  static hopwave_error error{"HW-MEMORY", "no memory", "", true};
  return &error;
}

hopwave_status fail(hopwave_error** error, hopwave_status status, const char* id, const char* message,
                    const char* hint) noexcept {
  if (!error) return status;
  try {
    *error = new hopwave_error{id, message, hint};
  } catch (const std::bad_alloc&) {
    *error = no_memory();
  }
  return status;
}

void refuse_null(const char* what) {
  throw Error(
      {.failure = Failure::usage, .id = "HW-C-NULL", .found = std::string("NULL for ") + what, .expected = "a pointer"});
}

}  // namespace hopwave::c

const char* hopwave_error_id(const hopwave_error* error) { return error ? error->id.c_str() : ""; }
const char* hopwave_error_message(const hopwave_error* error) { return error ? error->message.c_str() : ""; }
const char* hopwave_error_hint(const hopwave_error* error) { return error ? error->hint.c_str() : ""; }
void hopwave_error_free(hopwave_error* error) {
  if (error && !error->is_static) delete error;
}

const char* hopwave_version() { return hopwave::version; }

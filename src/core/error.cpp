// Composes an Error's message: place, what was found, what was expected, id; the hint on a separate line.
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {

Error::Error(Parts parts) : parts_(std::move(parts)) {
  if (!parts_.where.file.empty()) {
    message_ += parts_.where.file;
    if (parts_.where.line) {
      message_.append(":").append(std::to_string(parts_.where.line));
      if (parts_.where.column) message_.append(":").append(std::to_string(parts_.where.column));
    } else if (parts_.where.byte) {
      message_ += ": byte " + std::to_string(parts_.where.byte);
    }
    message_ += ": ";
  }
  message_ += parts_.found;
  if (!parts_.expected.empty()) message_ += ", expected " + parts_.expected;
  message_ += " [" + parts_.id + "]";
  if (!parts_.hint.empty()) message_ += "\n  hint: " + parts_.hint;
}

}  // namespace hopwave::inline v0_1

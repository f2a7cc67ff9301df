#include "io/text_cursor.h"

#include "hopwave/error.h"
#include "io/input_text.h"

namespace hopwave::io {

void fail_at(const Input& input, const Spot& spot, const char* id, const std::string& found, const std::string& expected,
             const std::string& hint) {
  throw Error({.id = id,
               .where = {.file = input.name(), .line = spot.line, .column = spot.column, .byte = spot.byte},
               .found = found,
               .expected = expected,
               .hint = hint});
}

bool TextCursor::more() {
  before_ = byte();
  const std::string_view bytes = input_.next_bytes();
  begin_ = at_ = bytes.data();
  stop_ = begin_ + bytes.size();
  return !bytes.empty();
}

std::string TextCursor::quote() {
  if (peek() == end) return "the end of the file";
  return quote_at(at_, stop_);
}

}  // namespace hopwave::io

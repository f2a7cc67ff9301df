// SourceLocation: the position of a call in the source, as a default argument. clang 14's library has no
// std::source_location; the built-ins on which it is based are in every compiler used here.
#pragma once

#include <cstdint>

namespace hopwave::inline v0_1 {

class SourceLocation {
 public:
  static constexpr SourceLocation current(const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE()) noexcept {
    SourceLocation here;
    here.file_ = file;
    here.line_ = line;
    return here;
  }
  /// Returns the file name without leading "./" and "../", which depend on the folder of the compilation.
  [[nodiscard]] constexpr const char* file_name() const noexcept {
    const char* name = file_;
    while (name[0] == '.' && (name[1] == '/' || (name[1] == '.' && name[2] == '/'))) name += name[1] == '/' ? 2 : 3;
    return name;
  }
  [[nodiscard]] constexpr std::uint32_t line() const noexcept { return line_; }
  friend constexpr bool operator==(const SourceLocation& a, const SourceLocation& b) noexcept {
    return a.line_ == b.line_ && (a.file_ == b.file_ || __builtin_strcmp(a.file_, b.file_) == 0);
  }

 private:
  const char* file_ = "";
  std::uint32_t line_ = 0;
};

}  // namespace hopwave::inline v0_1

// The exception that the library throws: what went wrong, where, and what to do about it. The only other exception is
// std::bad_alloc, for small allocations; a large array that cannot be allocated throws HW-MEMORY.
// Ids such as HW-MTX-INDEX are stable, so programs and tests can rely on them. docs/errors.md lists them.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The kind of failure. The command-line tool uses these numbers as its exit codes.
enum class Failure : int {
  no = 1,            ///< the answer is no: no path, no route
  usage = 2,         ///< the call itself is wrong: unknown strategy, bad parameter
  input = 3,         ///< the data is wrong: malformed file, source out of range
  does_not_fit = 4,  ///< needs more memory than is available
  verification = 5,  ///< a result did not pass its check
  device = 6,        ///< the GPU or its driver failed
  time_limit = 124,  ///< the caller's time limit has passed
  interrupted = 130  ///< the caller asked to stop
};

/// The position of an error in an input. `line` and `column` count from 1; 0 means unknown.
struct Place {
  std::string file = {};
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::uint64_t byte = 0;  ///< byte offset, for binary files; used when line is 0
};

class Error : public std::exception {
 public:
  struct Parts {
    Failure failure = Failure::input;
    std::string id = {};        ///< stable, e.g. "HW-MTX-INDEX"
    Place where = Place();      ///< an empty file name means no position
    std::string found = {};     ///< what the input contains: "column 318"
    std::string expected = {};  ///< what would be correct: "a number from 1 to 317"
    std::string hint = {};      ///< what the reader can do; may be empty
  };

  explicit Error(Parts parts);

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  [[nodiscard]] const std::string& id() const noexcept { return parts_.id; }
  [[nodiscard]] Failure failure() const noexcept { return parts_.failure; }
  /// The full message: "file:line:column: found …, expected … [HW-…]" and, on a second line, the hint. Lives as long as
  /// the error.
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  Parts parts_;
  std::string message_;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

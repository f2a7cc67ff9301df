// What the library throws: what went wrong, where, and what to do about it. Beside it there is only std::bad_alloc, where the
// system has no memory for something small (large arrays say HW-MEMORY).
// Ids are stable (HW-MTX-INDEX), so that programs and tests can rely on them; docs/errors.md lists them.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What kind of failure this is; the tool's exit codes are these numbers.
enum class Failure : int {
  no = 1,            ///< the answer is no: path not found, no route
  usage = 2,         ///< the call itself is wrong: unknown strategy, bad parameter
  input = 3,         ///< the data is wrong: malformed file, source out of range
  does_not_fit = 4,  ///< needs more memory than there is
  verification = 5,  ///< a result did not pass its check
  device = 6,        ///< the GPU or its driver failed
  time_limit = 124,  ///< the time that the caller gave is over
  interrupted = 130  ///< the caller asked to stop
};

/// Where in an input an error stands. `line` and `column` count from 1; 0 says "not known".
struct Place {
  std::string file = {};
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::uint64_t byte = 0;  ///< offset, for binary files (used when line is 0)
};

class Error : public std::exception {
 public:
  struct Parts {
    Failure failure = Failure::input;
    std::string id = {};        ///< stable, e.g. "HW-MTX-INDEX"
    Place where = Place();      ///< empty file: no place
    std::string found = {};     ///< what is there: "column 318"
    std::string expected = {};  ///< what should be: "a number from 1 to 317"
    std::string hint = {};      ///< what the reader can do; may be empty
  };

  explicit Error(Parts parts);

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  [[nodiscard]] const std::string& id() const noexcept { return parts_.id; }
  [[nodiscard]] Failure failure() const noexcept { return parts_.failure; }
  /// "file:line:column: found …, expected … [HW-…]" and, on a second line, the hint.
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  Parts parts_;
  std::string message_;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

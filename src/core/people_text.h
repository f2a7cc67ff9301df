// Numbers and names as text for readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hopwave/run.h"
#include "hopwave/types.h"

namespace hopwave::core {

std::string name_of(DeviceKind device);  ///< returns "cpu", "gpu", "sim" or "auto"

std::string grouped(std::uint64_t n);  ///< returns "4,847,571" for 4847571
/// Returns the shortest decimal text that is read back as the same number. Whole numbers below 2^63 have all their
/// digits, never as 1e+06.
std::string number_text(double value);
/// Returns a text for readers: whole numbers as above, others with `digits` significant digits, and without an exponent
/// if they are large.
std::string rounded_text(double value, int digits);
std::string seconds_text(double seconds);  ///< returns "1.23 s", "4.56 ms", "7.8 µs"
inline std::string seconds_text(Seconds time) { return seconds_text(time.count()); }
std::string plural(std::uint64_t n, std::string_view one, std::string_view many = {});  ///< returns "1 row", "2 rows"

/// Returns a name or message with terminal control characters escaped: "\\x1b". Line ends are kept if `lines`.
std::string printable(std::string_view text, bool lines = false);

}  // namespace hopwave::core

// Numbers and names as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hopwave/types.h"

namespace hopwave::core {

std::string name_of(DeviceKind device);  ///< "cpu", "gpu", "sim", "auto"

std::string grouped(std::uint64_t n);  ///< 4847571 → "4,847,571"
/// The shortest decimal that is read back as the same number; whole numbers below 2^63 with all their digits, never as 1e+06.
std::string number_text(double value);
/// For people: whole numbers as above, others with `digits` significant ones, without an exponent where they are large.
std::string rounded_text(double value, int digits);
std::string seconds_text(double seconds);                                               ///< "1.23 s", "4.56 ms", "7.8 µs"
std::string plural(std::uint64_t n, std::string_view one, std::string_view many = {});  ///< "1 row", "2 rows"

/// A name or a message without what would steer a terminal: "\\x1b"; lines may stay.
std::string printable(std::string_view text, bool lines = false);

}  // namespace hopwave::core

// Which kinds of schedule tests and trials draw from.
#pragma once

#include <cstdint>

#include "core/sanitized.h"

namespace hopwave::device {

/// So many kinds, from the first on. Under a sanitizer not the last, load buffering: it reports what is seen in runs that count
/// for nothing, too.
inline constexpr std::uint64_t tried_schedules = sanitized ? 6 : 7;

}  // namespace hopwave::device

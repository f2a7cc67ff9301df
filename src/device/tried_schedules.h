// Which kinds of schedule tests and trials draw from.
#pragma once

#include <cstdint>

namespace hopwave::device {

/// So many kinds, from the first on. Under a sanitizer not the last, load buffering: it reports what is seen in runs that count
/// for nothing, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t tried_schedules = 6;
#elif defined(__has_feature)
inline constexpr std::uint64_t tried_schedules = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ? 6 : 7;
#else
inline constexpr std::uint64_t tried_schedules = 7;
#endif

}  // namespace hopwave::device

// Which sanitizer looks on. The build defines HW_THREAD_SANITIZER (HOPWAVE_SANITIZE=thread), also where a file is compiled
// without its checks; whether addresses are checked GCC says by a macro and clang by a feature.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define HW_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HW_ADDRESS_SANITIZER 1
#endif
#endif

namespace hopwave {

#ifdef HW_ADDRESS_SANITIZER
inline constexpr bool address_sanitized = true;
#else
inline constexpr bool address_sanitized = false;
#endif
#ifdef HW_THREAD_SANITIZER
inline constexpr bool thread_sanitized = true;
#else
inline constexpr bool thread_sanitized = false;
#endif
inline constexpr bool sanitized = address_sanitized || thread_sanitized;

}  // namespace hopwave

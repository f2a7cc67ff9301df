// Which sanitizer is active. The build defines HW_THREAD_SANITIZER (HOPWAVE_SANITIZE=thread), also for files that are
// compiled without its checks. For address checks GCC defines a macro, and clang has a feature test.

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

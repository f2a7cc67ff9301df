// The version of the library to which these headers belong (semantic versioning), and the C++ standard that they need.
#pragma once

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "hopwave's headers need C++20: compile with -std=c++20"
#endif

#define HOPWAVE_VERSION_MAJOR 0
#define HOPWAVE_VERSION_MINOR 1
#define HOPWAVE_VERSION_PATCH 0

#define HOPWAVE_JOIN_VERSION(major, minor, patch) #major "." #minor "." #patch
#define HOPWAVE_EXPAND_VERSION(major, minor, patch) HOPWAVE_JOIN_VERSION(major, minor, patch)

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {
/// The library's version, "MAJOR.MINOR.PATCH". The string lives as long as the program; any thread may read it.
inline constexpr const char* version =
    HOPWAVE_EXPAND_VERSION(HOPWAVE_VERSION_MAJOR, HOPWAVE_VERSION_MINOR, HOPWAVE_VERSION_PATCH);
}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
#undef HOPWAVE_JOIN_VERSION
#undef HOPWAVE_EXPAND_VERSION

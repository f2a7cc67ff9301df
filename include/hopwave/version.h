// The version of the library these headers belong to (semantic versioning).
#pragma once

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave {
inline constexpr const char* version = "0.1.0";
}
#pragma GCC visibility pop

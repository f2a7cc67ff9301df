// The version of the library these headers belong to (semantic versioning).
#pragma once

namespace hopwave {
inline constexpr const char* version = "0.1.0";
}

// A preparation as sections of a .hwg: engine.about, lines "key<TAB>value", and engine.NAME for each array.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hopwave/preparation.h"
#include "io/hwg.h"

namespace hopwave::io {

/// engine.about for a graph whose sections of arcs have this joined checksum.
std::string about_text(const Preparation& preparation, std::uint64_t arcs_checksum);

/// How each reason for leaving a preparation out begins. The reason concerns the file that is read, not the making of its
/// graph.
inline constexpr std::string_view preparation_left_out = "the stored preparation";

/// What the sections hold; null if there is none. `why_not`: the reason why an existing one was left out.
std::shared_ptr<const Preparation> preparation_of(const std::vector<std::pair<std::string, Array<const std::byte>>>& extras,
                                                  std::uint64_t arcs_checksum, std::string& why_not);

}  // namespace hopwave::io

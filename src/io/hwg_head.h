// The beginning of a .hwg, checked: header and table of sections. The readers of sections check what is in them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/graph.h"
#include "io/hwg_layout.h"

namespace hopwave::io {

struct HwgHead {
  hwg::Header header{};
  std::vector<hwg::Section> table = {};

  [[nodiscard]] const hwg::Section* find(std::string_view name) const;
};

/// More bytes than any head has.
inline constexpr std::size_t most_head_bytes = sizeof(hwg::Header) + hwg::max_sections * sizeof(hwg::Section);

/// `bytes`: the file from its beginning, all or as many as a head can have. Sections lie inside the file, aligned, each with
/// its bytes for itself. Throws HW-HWG-SIZE, -HEADER, -VERSION, -CHECKSUM, -SECTION.
HwgHead parse_hwg_head(const std::string& name, std::span<const char> bytes, std::uint64_t file_bytes);

/// What the section `history` states of the graph's making.
struct HwgHistory {
  std::string details = {};               ///< the format it was made from
  std::vector<std::string> repairs = {};  ///< what was repaired when that format was read
  std::uint64_t weights_rounded = 0;      ///< when that format was read
  BuildReport build = {};                 ///< with the arcs that are not in the rows
  BuildReport parted = {};                ///< of the rows only, if there are such arcs
};
HwgHistory parse_hwg_history(std::string_view text);

}  // namespace hopwave::io

// How each style looks: colours on light and on dark ground, and the width of lines. Text on coloured shapes is dark in both.
#pragma once

#include <array>
#include <string_view>

#include "draw/scene.h"

namespace hopwave::picture {

struct Appearance {
  std::string_view name;          ///< its CSS class
  std::string_view fill, stroke;  ///< light; empty: none
  std::string_view dark_fill, dark_stroke;
  double width = 1;
  bool dashed = false, bold = false;
};

// clang-format off
inline constexpr std::array<Appearance, num_styles> appearances{{
    {"ground",    "#ffffff", "",        "#16191d", ""},
    {"panel",     "#f7f8fa", "#d9dee3", "#1d2127", "#3a414a"},
    {"title",     "#1b1f24", "",        "#e6e6e6", "", 1, false, true},
    {"words",     "#1b1f24", "",        "#e6e6e6", ""},
    {"soft",      "#57606a", "",        "#9aa4ae", ""},
    {"arc",       "#aab2bb", "#aab2bb", "#59626d", "#59626d", 1.2},
    {"tree",      "#1b1f24", "#1b1f24", "#e6e6e6", "#e6e6e6", 2.2},
    {"look",      "#cfe0fb", "#2563c9", "#6ea8ff", "#6ea8ff", 2, true},
    {"labels",    "#7fd1ae", "#12734f", "#5fd3a2", "#5fd3a2", 2.8},
    {"also",      "#e4f4c2", "#6b8e12", "#c3e07a", "#c3e07a", 2},
    {"unvisited", "#ffffff", "#8a939e", "#16191d", "#8a939e", 1.4},
    {"visited",   "#d5dae0", "#8a939e", "#aab2bb", "#59626d", 1.4},
    {"frontier",  "#ffc857", "#a06f00", "#ffc857", "#a06f00", 1.6},
    {"found",     "#7fd1ae", "#12734f", "#7fd1ae", "#12734f", 2.2},
    {"idle",      "#ffffff", "#c3cad2", "#16191d", "#3a414a"},
    {"works",     "#ffc857", "#a06f00", "#ffc857", "#a06f00", 1.4},
    {"on",        "#1b1f24", "",        "#1b1f24", ""},
}};
// clang-format on

inline constexpr const Appearance& appearance_of(Style style) { return appearances[static_cast<std::size_t>(style)]; }

}  // namespace hopwave::picture

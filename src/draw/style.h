// How each style looks: colours on light and on dark ground, and the width of lines. Text on coloured shapes is dark in both.
#pragma once

#include <array>
#include <string_view>

#include "draw/scene.h"
#include "draw/theme.h"

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
    {"ground",    paper.light, "",         paper.dark, ""},
    {"panel",     panel.light, grid.light, panel.dark, grid.dark},
    {"title",     ink.light,   "",         ink.dark,   "", 1, false, true},
    {"words",     ink.light,   "",         ink.dark,   ""},
    {"soft",      soft.light,  "",         soft.dark,  ""},
    {"arc",       "#aab2bb", "#aab2bb", "#59626d", "#59626d", 1.2},
    {"tree",      ink.light, ink.light, ink.dark,  ink.dark, 2.2},
    {"look",      "#cfe0fb", "#2563c9", "#6ea8ff", "#6ea8ff", 2, true},
    {"labels",    "#7fd1ae", "#12734f", "#5fd3a2", "#5fd3a2", 2.8},
    {"also",      "#e4f4c2", "#6b8e12", "#c3e07a", "#c3e07a", 2},
    {"unvisited", paper.light, "#8a939e", paper.dark, "#8a939e", 1.4},
    {"visited",   "#d5dae0", "#8a939e", "#aab2bb", "#59626d", 1.4},
    {"frontier",  "#ffc857", "#a06f00", "#ffc857", "#a06f00", 1.6},
    {"found",     "#7fd1ae", "#12734f", "#7fd1ae", "#12734f", 2.2},
    {"idle",      paper.light, "#c3cad2", paper.dark, grid.dark},
    {"works",     "#ffc857", "#a06f00", "#ffc857", "#a06f00", 1.4},
    {"on",        dark_ink,  "",        dark_ink,  ""},
    {"casing",    "",        paper.light, "",      paper.dark, 5.2},
    {"wire",      "",        ink.light, "",        ink.dark,   2.6},
    {"pin",       ink.light, ink.light, ink.dark,  ink.dark,   1.2},
    {"overfull",  "",        "#d55e00", "",        "#d55e00",  2.2},
}};
// clang-format on

inline constexpr const Appearance& appearance_of(Style style) { return appearances[static_cast<std::size_t>(style)]; }

}  // namespace hopwave::picture

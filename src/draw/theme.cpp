#include "draw/theme.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace hopwave::picture {
namespace {

constexpr std::array<std::string_view, 8> hues = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                                  "#cc79a7", "#56b4e9", "#b8a800", "#7a7a7a"};

// Advance widths of DejaVu Sans from the blank to '~', in thousandths of the font size. It is among the widest fonts that a
// browser takes for system-ui and sans-serif, so texts that fit in it fit in the others.
// clang-format off
constexpr std::array<std::uint16_t, 95> regular = {
    318,401,460,838,636,950,780,275,390,390,500,838,318,361,318,337,636,636,636,636,636,636,636,636,636,636,337,337,838,838,838,531,
    1000,684,686,698,770,632,575,775,752,295,295,656,557,863,748,787,603,787,695,635,611,732,684,989,685,611,685,390,337,390,838,500,
    500,613,635,550,635,615,352,635,634,278,278,579,278,974,634,612,635,635,411,521,392,634,592,818,592,592,525,636,337,636,838};
constexpr std::array<std::uint16_t, 95> strong = {
    348,456,521,838,696,1002,872,306,457,457,523,838,380,415,380,365,696,696,696,696,696,696,696,696,696,696,400,400,838,838,838,580,
    1000,774,762,734,830,683,683,821,837,372,372,775,637,995,837,850,733,850,770,720,682,812,774,1103,771,724,725,457,365,457,838,500,
    500,675,716,593,716,678,435,716,712,343,343,665,343,1042,712,687,716,716,493,595,478,712,652,924,645,652,582,712,365,712,838};
// clang-format on
constexpr double other_letter = 0.84;  // "×", "→" and most letters beyond ASCII; "…" is wider and "·" narrower

double luminance(std::string_view color) {
  const auto channel = [&](std::size_t i) {
    const double c = std::stoi(std::string(color.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
}

}  // namespace

std::string_view series_color(std::size_t i) { return hues[i % hues.size()]; }

std::string ramp_color(double t) {
  t = std::clamp(t, 0.0, 1.0);
  // Pale yellow over teal to dark blue, straight lines in RGB between three stops.
  constexpr double stops[3][3] = {{255, 247, 188}, {65, 182, 196}, {8, 40, 100}};
  const int from = t < 0.5 ? 0 : 1;
  const double s = t < 0.5 ? 2 * t : 2 * t - 1;
  const auto mix = [&](int c) {
    return static_cast<int>(std::lround(stops[from][c] + s * (stops[from + 1][c] - stops[from][c])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

double contrast(std::string_view a, std::string_view b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

std::string_view ink_on(std::string_view fill) {
  return contrast(fill, dark_ink) >= contrast(fill, light_ink) ? dark_ink : light_ink;
}

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  for (const char c : text) {
    if (const auto byte = static_cast<unsigned char>(c); byte >= ' ' && byte <= '~')
      width += (bold ? strong : regular)[byte - ' '] / 1000.0;
    else if ((byte & 0xC0) == 0xC0)  // the first byte of a letter
      width += other_letter;
  }
  return width * size;
}

std::vector<std::string> text_lines(std::string_view text, double width, double size, bool bold) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t fits = 0, blank = 0;  // bytes up to the last letter, and up to the last blank, that have room
    for (std::size_t end = 1; end <= text.size(); ++end) {
      if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) continue;  // within a letter
      if (fits > 0 && text_width(text.substr(0, end), size, bold) > width) break;
      fits = end;
      if (end == text.size() || text[end] == ' ') blank = end;
    }
    const std::size_t cut = blank ? blank : fits;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(std::min(text.size(), cut + (cut < text.size() && text[cut] == ' ')));
  }
  return lines;
}

std::string short_number(double value) {
  constexpr std::array<std::string_view, 5> units = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (std::fabs(value) >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  if (value == std::round(value)) return fmt::format("{:.0f}{}", value, units[unit]);
  const int digits = std::fabs(value) >= 100 ? 0 : std::fabs(value) >= 10 ? 1 : std::fabs(value) >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}{}", value, digits, units[unit]);
}

std::string unit_text(double value, std::string_view unit) {
  std::string text = short_number(value);
  const std::size_t letter = text.find_first_of("kMGT");
  text.insert(std::min(letter, text.size()), " ");
  return text + std::string(unit);
}

double nice_step(double span, int parts) {
  if (!(span > 0)) return 1;
  const double ten = std::pow(10, std::floor(std::log10(span / parts)));
  for (const int k : {1, 2, 5})
    if (span <= parts * ten * k * (1 + 1e-9)) return ten * k;
  return ten * 10;
}

LogAxis LogAxis::over(double least, double most, double from, double to) {
  if (!(least > 0)) least = 1;
  if (!(most > least)) most = least * 10;
  return {std::pow(10, std::floor(std::log10(least) + 1e-9)), std::pow(10, std::ceil(std::log10(most) - 1e-9)), from, to};
}

}  // namespace hopwave::picture

// Theme: what all pictures share. Colours on light and on dark ground, widths of texts, numbers and axes.
//
// Colours are literal, light ones first and dark ones in a media query: programs that are no browsers know no CSS variables.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace hopwave::picture {

/// A colour on light and on dark ground.
struct Tone {
  std::string_view light, dark;
};
inline constexpr Tone paper{"#ffffff", "#16191d"}, panel{"#f7f8fa", "#1d2127"}, ink{"#1b1f24", "#e6e6e6"},
    soft{"#57606a", "#9aa4ae"}, grid{"#d9dee3", "#3a414a"};
/// Of words on a coloured ground, which is the same in light and dark.
inline constexpr std::string_view dark_ink = "#000000", light_ink = "#ffffff";

/// The colour of series `i`: eight hues that colour-blind readers can distinguish (Okabe & Ito 2008), then again.
std::string_view series_color(std::size_t i);
/// From pale to dark for t in 0 … 1, as #rrggbb.
std::string ramp_color(double t);
/// WCAG's contrast of two colours #rrggbb, from 1 to 21.
double contrast(std::string_view a, std::string_view b);
/// dark_ink or light_ink, whichever is read better on `fill`.
std::string_view ink_on(std::string_view fill);

/// How wide a text of UTF-8 is at most in the usual fonts without serifs, at a font size of `size`.
double text_width(std::string_view text, double size, bool bold = false);
/// The text in lines of at most `width`, broken at blanks, within a word only where the word is wider.
std::vector<std::string> text_lines(std::string_view text, double width, double size, bool bold = false);

/// "1.23", "45.6", "789", "12.3k", "4.56M": three digits that matter; whole numbers as they are.
std::string short_number(double value);
/// "4.22 TB/s" of 4.22e12 and "B/s"
std::string unit_text(double value, std::string_view unit);
inline std::string rate_text(double bytes_per_second) { return unit_text(bytes_per_second, "B/s"); }

/// The least of 1, 2 and 5 times a power of ten that goes at most `parts` times into `span`.
double nice_step(double span, int parts);

/// A logarithmic axis between two powers of ten.
struct LogAxis {
  double low = 1, high = 10, from = 0, to = 100;  ///< values, and where they are on the paper

  static LogAxis over(double least, double most, double from, double to);
  [[nodiscard]] double at(double v) const {
    return from + (to - from) * std::log(std::max(v, low) / low) / std::log(high / low);
  }
  template <class Draw>
  void ticks(Draw draw) const {
    // At most eight labels: with many decades every second or third is named.
    const int decades = static_cast<int>(std::lround(std::log10(high / low))),
              step = std::max(1, decades / 8 + (decades % 8 ? 1 : 0));
    for (int i = 0; i <= decades; i += step) {
      draw(low * std::pow(10, i));
      // One or two decades alone would have two or three labels.
      if (decades <= 2 && i < decades)
        for (const int k : {2, 5}) draw(low * std::pow(10, i) * k);
    }
  }
};

}  // namespace hopwave::picture

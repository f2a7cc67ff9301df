// Svg: a drawing as text. Pictures carry their own style, so that they look the same in the page and as files,
// follow the reader's light or dark preference, and scale to any width.
#pragma once

#include <string>
#include <string_view>

#include "core/xml.h"

namespace hopwave::report {

using core::xml_escape;

enum class Anchor { start, middle, end };

class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  /// `style`: CSS class of the built-in sheet ("bar", "axis", …) or "" ; `fill`: a colour, or "" for the class's.
  void rect(double x, double y, double width, double height, std::string_view style, std::string_view fill = "",
            std::string_view tip = "");
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void circle(double x, double y, double radius, std::string_view style, std::string_view fill = "", std::string_view tip = "");
  void text(double x, double y, std::string_view text, std::string_view style = "", Anchor anchor = Anchor::start,
            double rotate = 0);
  /// Points as "x,y x,y …".
  void polyline(const std::string& points, std::string_view style, std::string_view stroke = "");

  [[nodiscard]] std::string str() const;

 private:
  std::string head_, body_;
};

/// The colour of series `i`: eight hues that colour-blind readers can tell apart (Okabe & Ito 2008), then again.
std::string_view series_color(std::size_t i);

/// "1.23", "45.6", "789", "12.3k", "4.56M": three digits that matter; whole numbers as they are.
std::string short_number(double value);
/// "4.22 TB/s"
std::string rate_text(double bytes_per_second);

}  // namespace hopwave::report

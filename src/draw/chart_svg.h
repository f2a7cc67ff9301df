// Svg: a drawing as text. Pictures carry their own style, so that they look the same in the page and as files,
// follow the reader's light or dark preference, and scale to any width.
#pragma once

#include <string>
#include <string_view>

#include "core/xml.h"
#include "draw/theme.h"

namespace hopwave::report {

using core::xml_escape;
using picture::LogAxis, picture::series_color, picture::short_number, picture::rate_text, picture::unit_text;

enum class Anchor { start, middle, end };

class Svg {
 public:
  /// The picture has at least this size, and grows until every text is within it.
  Svg(double width, double height, std::string_view title);

  /// `style`: CSS class of the built-in sheet ("bar", "axis", …) or "" ; `fill`: a colour, or "" for the class's.
  void rect(double x, double y, double width, double height, std::string_view style, std::string_view fill = "",
            std::string_view tip = "");
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void circle(double x, double y, double radius, std::string_view style, std::string_view fill = "", std::string_view tip = "");
  void text(double x, double y, std::string_view text, std::string_view style = "", Anchor anchor = Anchor::start,
            double rotate = 0);
  /// The same in a colour of its own: words on a coloured ground.
  void text_on(std::string_view ground, double x, double y, std::string_view text, std::string_view style, Anchor anchor);
  /// Around the best cell of a map, in what is seen on the cell's colour.
  void outline_on(std::string_view ground, double x, double y, double width, double height);
  /// Points as "x,y x,y …".
  void polyline(const std::string& points, std::string_view style, std::string_view stroke = "");

  [[nodiscard]] std::string str() const;

 private:
  void reach(double x, double y, std::string_view text, std::string_view style, Anchor anchor, double rotate);

  double left_ = 0, top_ = 0, right_, bottom_;
  std::string title_, body_;
};

/// How wide a text of that style is.
double text_width(std::string_view text, std::string_view style);

}  // namespace hopwave::report

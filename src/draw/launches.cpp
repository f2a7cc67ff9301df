#include "draw/launches.h"

#include <fmt/format.h>

#include <algorithm>

#include "draw/theme.h"

namespace hopwave::picture {

Scene draw_launches(const std::string& title, const std::vector<LaunchRow>& rows) {
  constexpr double edge = 16, gap = 8, height = 24, line = 32, size = 11, least = 26, widest = 900;
  double left = 0;
  for (const LaunchRow& row : rows) left = std::max(left, text_width(row.name, size));
  left += edge + 14;
  Scene scene{.width = 0, .height = 0, .title = title, .shapes = {}};
  scene.text(Style::title, {edge, edge + 14}, title, 15);
  const std::string note = "A box is a launch, with the levels that it takes. Widths are no times.";
  scene.text(Style::soft, {edge, edge + 34}, note, size);
  double y = edge + 48, right = edge + std::max(text_width(title, 15, true), text_width(note, size));
  for (const LaunchRow& row : rows) {
    scene.text(Style::words, {left - 12, y + 16}, row.name, size, Anchor::end);
    double x = left;
    for (std::size_t i = 0; i < std::min(row.launches.size(), most_launches); ++i) {
      const double width = std::max(least, text_width(row.launches[i], size) + 12);
      if (x + width > left + widest - edge) x = left, y += line;
      if (x > left) scene.line(Style::arc, {x - gap, y + height / 2}, {x, y + height / 2});
      scene.rect(Style::works, x, y, width, height);
      scene.text(Style::on_color, {x + width / 2, y + 16}, row.launches[i], size, Anchor::middle);
      right = std::max(right, x + width);
      x += width + gap;
    }
    y += line;
    if (row.launches.size() <= most_launches) continue;
    scene.text(Style::soft, {left, y + 12}, fmt::format("and {} more", row.launches.size() - most_launches), size);
    y += 20;
  }
  scene.width = right + edge;
  scene.height = y + edge - (line - height);
  scene.shapes.insert(scene.shapes.begin(), Shape{Shape::Kind::rect, Style::ground, {{0, 0}, {scene.width, scene.height}}, {}});
  return scene;
}

}  // namespace hopwave::picture

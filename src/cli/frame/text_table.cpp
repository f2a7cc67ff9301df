#include "cli/frame/text_table.h"

#include <algorithm>
#include <numeric>

namespace hopwave::cli {

void TextTable::print(Console& console, Stream stream) const {
  const std::size_t room = console.room(stream), last = columns_.size() - 1;
  std::vector<std::size_t> width;
  const auto measure = [&](bool roomy) {
    width.clear();
    for (const Column& column : columns_) width.push_back(std::max(roomy ? column.least : 0, columns_of(column.title)));
    for (const Row& row : rows_)
      for (std::size_t c = 0; c < row.cells.size(); ++c) width[c] = std::max(width[c], columns_of(row.cells[c]));
    return std::accumulate(width.begin(), width.end(), gap_ * last);
  };
  if (measure(true) > room && room) measure(false);
  const auto cell = [&](std::size_t c, const std::string& text) {
    const std::string fill(width[c] - columns_of(text), ' ');
    return columns_[c].left ? text + fill : fill + text;
  };
  constexpr std::size_t least_words = 24;  // of a column that is broken into lines
  for (std::size_t from = 1; from <= std::max<std::size_t>(last, 1);) {
    // As many columns as there is room for, and one at least.
    std::size_t end = from, used = width[0];
    bool broken = false;
    while (end <= last) {
      broken =
          room && end == last && columns_[last].left && used + gap_ + width[last] > room && used + gap_ + least_words <= room;
      if (end > from && room && !broken && used + gap_ + width[end] > room) break;
      used += gap_ + width[end++];
    }
    const auto line = [&](const auto& text_of) {
      std::string text = cell(0, text_of(0));
      for (std::size_t c = from; c < end; ++c) {
        text += std::string(gap_, ' ');
        const std::size_t at = columns_of(text);
        text += broken && c == last ? wrap(text_of(c), room, at) : cell(c, text_of(c));
      }
      while (text.ends_with(' ')) text.pop_back();
      return text;
    };
    if (from > 1) console.line(stream, "");
    console.line(stream, console.bold(stream, line([&](std::size_t c) { return columns_[c].title; })));
    for (const Row& row : rows_) {
      const std::string text = line([&](std::size_t c) { return c < row.cells.size() ? row.cells[c] : std::string(); });
      console.line(stream, row.strong ? console.bold(stream, text) : text);
    }
    from = std::max(end, from + 1);
  }
}

}  // namespace hopwave::cli

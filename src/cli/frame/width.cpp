#include "cli/frame/width.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace hopwave::cli {

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    columns += (text[i] & 0xC0) != 0x80;
  }
  return columns;
}

std::string wrap(std::string_view text, std::size_t columns, std::size_t hang, std::size_t begin) {
  std::string out;
  std::size_t line = begin, from = begin;  // columns of this line, and where its words begin
  const auto next_line = [&] {
    out += "\n" + std::string(hang, ' ');
    line = from = hang;
  };
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \n"), text.size());
    const auto word = text.substr(0, end);
    const std::size_t wide = columns_of(word);
    if (columns && line > from && line + wide > columns) {
      while (out.ends_with(' ')) out.pop_back();
      next_line();
    }
    out += word;
    line += wide;
    if (end == text.size()) break;
    if (text[end] == '\n') {
      next_line();
    } else if (line > from || word.empty()) {
      out += ' ';
      ++line;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string sparkline(const std::vector<double>& values, std::size_t columns, bool logarithmic) {
  constexpr std::array<std::string_view, 8> letters = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  columns = std::min(std::max<std::size_t>(columns, 1), values.size());
  const auto height = [&](double v) { return logarithmic ? std::log1p(v) : v; };
  double most = 0, least = std::numeric_limits<double>::infinity();  // of those that are not 0
  for (const double v : values) {
    most = std::max(most, height(v));
    if (v > 0) least = std::min(least, height(v));
  }
  if (!logarithmic || least >= most) least = 0;
  std::string text;
  for (std::size_t i = 0; i < columns; ++i) {
    double value = 0;
    for (std::size_t k = i * values.size() / columns; k < (i + 1) * values.size() / columns; ++k)
      value = std::max(value, height(values[k]));
    text += value > 0 ? letters[static_cast<std::size_t>(std::lround(7 * (value - least) / (most - least)))] : " ";
  }
  return text;
}

std::vector<std::size_t> rows_shown(const std::vector<double>& weights) {
  std::vector<std::size_t> rows(weights.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (rows.size() <= most_rows) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  rows.resize(most_of_many);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace hopwave::cli

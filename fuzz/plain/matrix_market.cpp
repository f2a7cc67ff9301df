// Matrix Market coordinate files. https://math.nist.gov/MatrixMarket/formats.html
#include <algorithm>

#include "plain/text.h"

namespace hopwave::plain {

namespace {

/// The words of a banner without its marks, in small letters; none if the line is no banner.
std::vector<std::string> banner_words(std::string_view line) {
  std::vector<std::string> words;
  if (line.empty() || line[0] != '%') return words;
  line.remove_prefix(std::min(line.find_first_not_of("% \t"), line.size()));
  for (const auto word : words_of(line)) words.push_back(lower_case(word));
  if (!words.empty() && words[0] != "matrixmarket") words.clear();
  return words;
}

}  // namespace

Graph read_matrix_market(std::string_view bytes, const Options& options) {
  const auto lines = lines_of(bytes);
  std::size_t at = 0, values = 0;
  bool banner = false;
  Graph graph;
  graph.first = 1;
  if (!lines.empty()) {
    std::vector<std::string> words = banner_words(lines[0]);
    for (std::size_t i = 0; options.lenient && words.empty() && i < lines.size(); ++i) {
      if (!lines[i].empty() && lines[i][0] != '%') break;
      words = banner_words(lines[i]);
    }
    banner = !words.empty();
    if (banner) {
      if (words.size() != 5 || words[1] != "matrix" || words[2] != "coordinate") refuse("banner");
      const std::string &field = words[3], &symmetry = words[4];
      if (field != "pattern" && field != "real" && field != "double" && field != "integer" && field != "unsigned-integer" &&
          field != "complex")
        refuse("field");
      values = field == "pattern" ? 0 : field == "complex" ? 2 : 1;
      if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric" && symmetry != "hermitian")
        refuse("symmetry");
      graph.directed = symmetry == "general" && !options.undirected;
      at = 1;
    }
  }
  if (!banner) {
    if (!options.lenient) refuse("no banner");
    graph.directed = !options.undirected;
  }
  std::vector<std::vector<std::string_view>> rows;
  for (; at < lines.size(); ++at)
    if (!lines[at].empty() && lines[at][0] != '%') rows.push_back(words_of(lines[at]));
  if (rows.empty() || rows[0].size() != 3) refuse("size line");
  std::uint64_t size[3];
  for (int i = 0; i < 3; ++i)
    if ((size[i] = need_integer(rows[0][i])) == huge) refuse("a huge size");
  if (size[0] != size[1]) throw Open{};  // two kinds of vertices, which this reader does not know
  graph.vertices = std::max(size[0], size[1]);
  believe(graph.vertices, bytes);
  if (!banner && rows.size() > 1) values = std::clamp<std::size_t>(rows[1].size(), 2, 4) - 2;
  graph.weighted = values == 1 && options.weights;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& row = rows[i];
    if (row.size() < 2) refuse("an entry without column");
    // Where an index is left out, nothing behind its digits is looked at.
    const std::string_view column = row[1].substr(0, row[1].find_first_not_of("0123456789"));
    const std::uint64_t u = need_integer(row[0]), v = need_integer(column);
    if (u < 1 || u > graph.vertices || v < 1 || v > graph.vertices) {
      if (!options.lenient) refuse("index");
      if (bytes.find('\0') != std::string_view::npos) throw Open{};  // is a NUL refused in a row that is left out?
      continue;
    }
    if (values > 0 && !options.weights && column == row[1]) {
      for (std::size_t k = 2; k < row.size(); ++k)
        if (row[k].find('\0') != std::string_view::npos) refuse("NUL");
      graph.rows.push_back({u - 1, v - 1, 0});
      continue;
    }
    if (row.size() != 2 + values || column != row[1]) refuse("columns");
    long double weight = 0;
    for (std::size_t k = 0; k < values; ++k) weight = need_weight(row[2 + k], options.lenient, true);
    graph.rows.push_back({u - 1, v - 1, weight});
  }
  if (rows.size() - 1 != size[2] && !options.lenient) refuse("count of entries");
  return graph;
}

}  // namespace hopwave::plain

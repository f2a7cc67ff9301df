#include "io/names_text.h"

#include <string>

#include "hopwave/error.h"

namespace hopwave::io {

std::optional<char32_t> take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return std::nullopt;
  char32_t c = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if (next >> 6 != 2) return std::nullopt;
    c = c << 6 | (next & 0x3Fu);
  }
  const bool overlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
  if (overlong || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return std::nullopt;
  text.remove_prefix(length);
  return c;
}

void put_character(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xFF00u >> (more + 1) & 0xFFu) | c >> 6 * more);
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80u | (c >> 6 * i & 0x3Fu));
}

bool is_multigraph(const Graph& graph) {
  const Adjacency& out = graph.out();
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (EdgeIndex i = out.offsets[v] + 1; i < out.offsets[v + 1ull]; ++i)
      if (out.neighbors[i] == out.neighbors[i - 1]) return true;
  return false;
}

void need_names(const Graph& graph, const char* format, const std::function<bool(char32_t)>& allowed) {
  if (graph.ids().kind() != Ids::Kind::strings) return;
  for (const std::string& name : graph.ids().names()) {
    bool fits = true;
    for (std::string_view rest = name; fits && !rest.empty();) {
      const auto c = take_character(rest);
      fits = c && allowed(*c);
    }
    if (!fits)
      throw Error({.failure = Failure::usage,
                   .id = "HW-WRITE-NAMES",
                   .found = "a name with a character that is no UTF-8, or that " + std::string(format) + " has no place for",
                   .expected = "names that can be read again",
                   .hint = "write .hwg, which holds every name"});
  }
}

}  // namespace hopwave::io

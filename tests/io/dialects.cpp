// Reads many small files in one process, for fuzz/dialects.py. On standard input, for each file a line
//   NAME BYTES [OPTION=VALUE …]
// and then its bytes; on standard output a line of JSON for each: what was read, or the error.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "hopwave/error.h"
#include "hopwave/io.h"

namespace {

using namespace hopwave;

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte >= 0x20) {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      out += escaped;
    }
  }
  return out + "\"";
}

template <class T>
std::string number(T value) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? "," : "") + json_text(text);
  return out + "]";
}

std::string graph_of(const EdgeList& list) {
  std::string out = "{\"directed\":" + std::string(list.directed ? "true" : "false") + ",\"ids\":[";
  for (VertexId v = 0; v < list.num_vertices; ++v) out += (v ? "," : "") + json_text(list.ids.name(v));
  out += "],\"edges\":[";
  std::vector<std::string> weights;
  if (!list.weights.empty())
    list.weights.with([&](const auto& values) {
      for (const auto value : values) weights.push_back(number(value));
    });
  for (std::size_t i = 0; i < list.edges.size(); ++i)
    out += (i ? ",[" : "[") + number(list.edges[i].source) + "," + number(list.edges[i].target) +
           (weights.empty() ? "" : "," + weights[i]) + "]";
  return out + "],\"details\":" + json_text(list.report.details) + ",\"notes\":" + list_of(list.report.notes) +
         ",\"repairs\":" + list_of(list.report.repairs) + "}";
}

std::string answer(const std::string& name, const std::string& bytes, std::istream& wishes) {
  ReadOptions options{.run = {.threads = 1}};
  for (std::string wish; wishes >> wish;) {
    const std::string key = wish.substr(0, wish.find('=')), value = wish.substr(wish.find('=') + 1);
    if (key == "format") options.format = value;
    if (key == "columns") options.columns = value;
    if (key == "header") options.header = value == "yes";
    if (key == "missing-weight") options.missing_weight = value;
    if (key == "weights") options.weights = value == "yes";
    if (key == "undirected") options.undirected = value == "yes";
    if (key == "lenient") options.lenient = value == "yes";
  }
  try {
    return graph_of(read_edges(std::span<const char>(bytes), name, options));
  } catch (const Error& error) {
    return "{\"error\":" + json_text(error.parts().id) + ",\"message\":" + json_text(error.what()) + "}";
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t size = 0;
    words >> name >> size;
    std::string bytes(size, '\0');
    std::cin.read(bytes.data(), static_cast<std::streamsize>(size));
    std::cout << answer(name, bytes, words) << "\n";
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
  return 0;
}

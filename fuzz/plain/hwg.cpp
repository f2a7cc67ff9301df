// .hwg, as docs/formats.md lays it out.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "plain/words.h"

namespace hopwave::plain {
namespace {

constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ull;

std::uint64_t take(std::uint64_t into, std::uint64_t word) { return std::rotl((into ^ word) * factor, 29); }

std::uint64_t piece_sum(std::string_view bytes) {
  std::uint64_t lane[8];
  for (std::uint64_t i = 0; i < 8; ++i) lane[i] = (factor * (i + 1)) ^ bytes.size();
  for (std::size_t k = 0; 8 * k < bytes.size(); ++k) {
    std::string padded(bytes.substr(8 * k, 8));
    padded.resize(8, '\0');
    lane[k % 8] = take(lane[k % 8], Words{padded}.word(8));
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t each : lane) sum = take(sum, each);
  return sum ^ (sum >> 32);
}

struct File {
  std::string_view bytes;
  std::map<std::string, std::string_view> sections;
  std::uint64_t vertices = 0, arcs = 0;

  [[nodiscard]] std::string_view need(const std::string& name, std::uint64_t size) const {
    const auto it = sections.find(name);
    if (it == sections.end() || it->second.size() != size) refuse("section " + name);
    return it->second;
  }
};

std::vector<std::uint64_t> offsets_in(std::string_view bytes, std::uint64_t end) {
  std::vector<std::uint64_t> offsets;
  for (Words in{bytes}; in.at < bytes.size();) {
    offsets.push_back(in.word(8));
    if (offsets.size() > 1 && offsets[offsets.size() - 2] > offsets.back()) refuse("an offset that falls");
  }
  if (offsets.front() != 0 || offsets.back() != end) refuse("offsets that do not span");
  return offsets;
}

/// How the weights of some rows are stored.
enum class Kind { none, floats, ints, longs, doubles };
const char* suffix_of(Kind kind) {
  return kind == Kind::ints ? ".i4" : kind == Kind::longs ? ".i8" : kind == Kind::doubles ? ".f8" : "";
}
std::string name_of(const std::string& prefix, Kind kind) { return prefix + ".weights" + suffix_of(kind); }
std::uint64_t width_of(Kind kind) { return kind == Kind::longs || kind == Kind::doubles ? 8 : 4; }
Kind kind_of(const File& file, const std::string& prefix) {
  Kind found = Kind::none;
  for (const Kind kind : {Kind::floats, Kind::ints, Kind::longs, Kind::doubles}) {
    if (!file.sections.count(name_of(prefix, kind))) continue;
    if (found != Kind::none) refuse("weights twice");
    found = kind;
  }
  return found;
}
long double weight_of(Kind kind, Words& words) {
  const std::uint64_t bits = words.word(width_of(kind));
  if (kind == Kind::floats) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (kind == Kind::doubles) return std::bit_cast<double>(bits);
  return kind == Kind::ints ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
}

Graph arcs_of(const File& file, const std::string& prefix) {
  Graph graph;
  graph.vertices = file.vertices;
  const auto offsets = offsets_in(file.need(prefix + ".offsets", 8 * (file.vertices + 1)), file.arcs);
  Words neighbours{file.need(prefix + ".neighbors", 4 * file.arcs)};
  const Kind kind = kind_of(file, prefix);
  graph.weighted = kind != Kind::none;
  Words weights{graph.weighted ? file.need(name_of(prefix, kind), width_of(kind) * file.arcs) : std::string_view()};
  for (std::uint64_t v = 0; v < file.vertices; ++v)
    for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i) {
      Row row{v, neighbours.word(4)};
      if (row.target >= file.vertices) refuse("neighbour");
      if (graph.weighted) row.weight = weight_of(kind, weights);
      graph.rows.push_back(row);
    }
  return graph;
}

/// Arcs next to the rows: version 2 has them, version 3 may.
void add_extra(const File& file, Graph& graph) {
  if (!file.sections.count("extra.sources")) refuse("section extra.sources");
  const std::uint64_t count = file.sections.at("extra.sources").size() / 4;
  Words sources{file.need("extra.sources", 4 * count)}, neighbours{file.need("extra.neighbors", 4 * count)};
  const Kind kind = kind_of(file, "extra"), of_rows = kind_of(file, "out");
  const bool weighted = graph.weighted || (file.arcs == 0 && kind != Kind::none);
  if (of_rows != Kind::none && kind != Kind::none && of_rows != kind) refuse("weights of two types");
  Words weights{weighted ? file.need(name_of("extra", kind), width_of(kind) * count) : std::string_view()};
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Row row{sources.word(4), neighbours.word(4)};
    if (row.source < before || row.source >= file.vertices || row.target >= file.vertices) refuse("extra arc");
    if (weighted) row.weight = weight_of(kind, weights);
    before = row.source;
    graph.rows.push_back(row);
  }
  graph.weighted = weighted;
}

void read_ids(const File& file, std::uint64_t kind, Graph& graph) {
  if (kind == 1) {
    Words table{file.need("ids.table", 8 * file.vertices)};
    std::int64_t before = 0;
    for (std::uint64_t v = 0; v < file.vertices; ++v) {
      const auto id = static_cast<std::int64_t>(table.word(8));
      if (v && id <= before) refuse("ids that do not ascend");
      graph.ids.push_back(std::to_string(before = id));
    }
  }
  if (kind == 2) {
    if (!file.sections.count("ids.names")) refuse("section ids.names");
    const std::string_view names = file.sections.at("ids.names");
    const auto offsets = offsets_in(file.need("ids.offsets", 8 * (file.vertices + 1)), names.size());
    std::map<std::string, bool> seen;
    for (std::uint64_t v = 0; v < file.vertices; ++v) {
      graph.ids.emplace_back(names.substr(offsets[v], offsets[v + 1] - offsets[v]));
      if (!seen.emplace(graph.ids.back(), true).second) refuse("a name twice");
    }
  }
}

}  // namespace

std::uint64_t hwg_checksum(std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += 1 << 20) {
    const std::uint64_t before = sum;
    sum = std::rotl((sum ^ piece_sum(bytes.substr(at, 1 << 20))) * factor, 29) ^ (before >> 31);
  }
  return sum;
}

Graph read_hwg(std::string_view bytes, const Options& options) {
  Words in{bytes};
  if (in.text(8) != std::string_view("\x89HWG\r\n\x1a\n", 8)) refuse("magic");
  const std::uint64_t version = in.word(4);
  if (version < 1 || version > 3) refuse("version");
  const std::uint64_t count = in.word(4), size = in.word(8);
  File file{.bytes = bytes, .sections = {}};
  file.vertices = in.word(8);
  file.arcs = in.word(8);
  const std::uint64_t directed = in.word(4), kind = in.word(4), first = in.word(8), source = in.word(8), sum = in.word(8);
  in.text(56);
  if (count > 1024 || bytes.size() < 128 + 64 * count || size != bytes.size()) refuse("size");
  std::string head(bytes.substr(0, 128 + 64 * count));
  std::memset(head.data() + 64, 0, 8);
  if (hwg_checksum(head) != sum) refuse("checksum of the header");
  if (file.vertices > most_vertices || directed > 1 || kind > 2) refuse("header");
  if (source != ~std::uint64_t{0} && source >= file.vertices) refuse("default source");
  if (file.arcs > bytes.size()) refuse("arcs");
  std::vector<bool> taken(bytes.size());
  std::fill_n(taken.begin(), 128 + 64 * count, true);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view name = in.text(24);
    const std::uint64_t at = in.word(8), length = in.word(8), section_sum = in.word(8);
    in.text(16);
    if (name[23] != 0 || at % 64 || at > bytes.size() || length > bytes.size() - at) refuse("section");
    const std::string_view content = bytes.substr(at, length);
    for (std::uint64_t byte = at; byte < at + length; ++byte) {
      if (taken[byte]) refuse("sections that overlap");
      taken[byte] = true;
    }
    if (hwg_checksum(content) != section_sum) refuse("checksum of a section");
    if (!file.sections.emplace(std::string(name.substr(0, name.find('\0'))), content).second) refuse("two sections of a name");
  }
  if (file.sections.count("in.offsets")) {
    if (!directed) refuse("a transpose of an undirected graph");
    arcs_of(file, "in");
    const Kind in = kind_of(file, "in"), out = kind_of(file, "out");
    if (in != Kind::none && out != Kind::none && in != out) refuse("weights of two types");
  }
  Graph graph = arcs_of(file, "out");
  if (version == 2 || (version == 3 && file.sections.count("extra.sources"))) add_extra(file, graph);
  read_ids(file, kind, graph);
  if (kind == 0) {
    graph.first = static_cast<std::int64_t>(first);
    if (graph.first <= -(std::int64_t{1} << 62) || graph.first >= std::int64_t{1} << 62) refuse("the first id");
  }
  graph.directed = directed && !options.undirected;
  graph.both_directions = !directed;
  graph.weighted = graph.weighted && options.weights;
  if (source != ~std::uint64_t{0}) graph.source = source;
  return graph;
}

}  // namespace hopwave::plain

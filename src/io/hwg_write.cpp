// Writing .hwg: sections are laid out, summed up by all threads, and written after the header.
#include <algorithm>
#include <cstring>

#include "core/refuse.h"
#include "graph/extra_arcs.h"
#include "graph/rows.h"
#include "hopwave/error.h"
#include "io/hwg.h"
#include "io/hwg_layout.h"
#include "io/hwg_preparation.h"

namespace hopwave::io {
namespace {

template <class T>
std::span<const char> bytes_of(std::span<T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::span<const char> bytes_of(const Weights& weights) {
  return {static_cast<const char*>(weights.data()), weights.bytes().size()};
}

class Writer {
 public:
  void add(const std::string& name, std::span<const char> bytes) {
    if (name.size() >= sizeof(hwg::Section::name))
      core::refuse("HW-WRITE-SECTION", "a section called " + name, "at most 23 characters", "");
    hwg::Section section{};
    std::memcpy(section.name, name.data(), name.size());
    section.bytes = bytes.size();
    section.checksum = checksum(bytes, team_);
    table_.push_back(section);
    contents_.push_back(bytes);
  }

  void add_weights(const std::string& rows, const Weights& weights) {
    add(rows + ".weights" + hwg::suffix(weights.type()), bytes_of(weights));
  }

  /// Of what was added so far, one after the other.
  [[nodiscard]] std::uint64_t joined_checksum() const {
    std::uint64_t sum = table_.size();
    for (const hwg::Section& section : table_) sum = join_checksums(sum, section.checksum);
    return sum;
  }

  [[nodiscard]] Team& team() { return team_; }

  void write(hwg::Header header, Sink& out) {
    std::uint64_t at = sizeof header + table_.size() * sizeof(hwg::Section);
    for (hwg::Section& section : table_) {
      section.offset = at = (at + hwg::alignment - 1) / hwg::alignment * hwg::alignment;
      at += section.bytes;
    }
    header.sections = static_cast<std::uint32_t>(table_.size());
    header.file_bytes = at;
    std::string head(sizeof header + table_.size() * sizeof(hwg::Section), '\0');
    std::memcpy(head.data(), &header, sizeof header);
    std::memcpy(head.data() + sizeof header, table_.data(), table_.size() * sizeof(hwg::Section));
    header.checksum = checksum(head, team_);
    std::memcpy(head.data(), &header, sizeof header);
    out.write(head);
    std::uint64_t written = head.size();
    for (std::size_t i = 0; i < table_.size(); ++i) {
      out.write(std::string(table_[i].offset - written, '\0'));
      constexpr std::size_t piece = std::size_t{1} << 24;
      for (std::size_t from = 0; from < contents_[i].size(); from += piece) {
        const std::size_t size = std::min(piece, contents_[i].size() - from);
        out.write({contents_[i].data() + from, size});
        out.report_progress(table_[i].offset + from + size, at);
      }
      written = table_[i].offset + table_[i].bytes;
    }
  }

 private:
  Team team_;
  std::vector<hwg::Section> table_;
  std::vector<std::span<const char>> contents_;
};

/// How the graph came to be, for reports of commands that open the file: one line "key<TAB>value" each.
std::string history(const Graph& graph, const std::optional<graph::Parted>& parted) {
  BuildReport build = graph.build_report();
  if (parted && !build.duplicates_kept && parted->duplicates)  // of a graph that was made of arrays, which were not counted
    build.duplicates = parted->duplicates, build.duplicates_kept = true;
  if (parted && !build.self_loops_kept && parted->self_loops)
    build.self_loops = parted->self_loops, build.self_loops_kept = true;
  const ReadReport& read = graph.read_report();
  const auto flat = [](std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return text;
  };
  std::string text = "format\t" + flat(read.format) + "\ndetails\t" + flat(read.details) + "\n";
  text += "arcs_in\t" + std::to_string(build.arcs_in) + "\nduplicates\t" + std::to_string(build.duplicates) + "\n";
  text +=
      "self_loops\t" + std::to_string(build.self_loops) + "\nduplicates_kept\t" + std::to_string(build.duplicates_kept) + "\n";
  text += "self_loops_kept\t" + std::to_string(build.self_loops_kept) + "\n";
  for (const std::string& repair : read.repairs)
    if (!repair.starts_with(preparation_left_out)) text += "repair\t" + flat(repair) + "\n";
  if (read.weights_rounded) text += "weights_rounded\t" + std::to_string(read.weights_rounded) + "\n";
  if (parted)
    text += "extra_duplicates\t" + std::to_string(parted->duplicates) + "\nextra_self_loops\t" +
            std::to_string(parted->self_loops) + "\n";
  return text;
}

}  // namespace

void write_hwg(const Graph& graph, std::span<const ExtraSection> extras, const WriteOptions& options, Sink& out) {
  Writer writer;
  const VertexId n = graph.num_vertices();
  const auto parted = graph::part_rows(writer.team(), n, graph.out());
  // What a search uses, under its own fingerprint: the preparation, too, is of these rows.
  const Graph stored = !parted ? graph : Graph::trusted(n, graph.directed(), parted->rows, std::nullopt, graph.ids());
  const bool weights = options.weights && stored.has_weights();
  writer.add("out.offsets", bytes_of(stored.out().offsets.span()));
  writer.add("out.neighbors", bytes_of(stored.out().neighbors.span()));
  const std::uint64_t arcs_checksum = writer.joined_checksum();
  if (weights) writer.add_weights("out", stored.out().weights);
  Adjacency in;
  if (graph.directed() && options.with_in) {
    Adjacency out_rows = stored.out();
    if (!weights) out_rows.weights = {};
    in = stored.has_in() ? stored.in() : graph::reversed(writer.team(), n, out_rows);
    writer.add("in.offsets", bytes_of(in.offsets.span()));
    writer.add("in.neighbors", bytes_of(in.neighbors.span()));
    if (weights && !in.weights.empty()) writer.add_weights("in", in.weights);
  }
  if (parted) {
    writer.add("extra.sources", bytes_of(parted->extra.sources.span()));
    writer.add("extra.neighbors", bytes_of(parted->extra.neighbors.span()));
    if (options.weights && graph.has_weights()) writer.add_weights("extra", parted->extra.weights);
  }
  const Ids& ids = graph.ids();
  std::vector<std::uint64_t> name_offsets;
  std::string names;
  if (ids.kind() == Ids::Kind::integers) writer.add("ids.table", bytes_of(ids.table().span()));
  if (ids.kind() == Ids::Kind::strings) {
    for (const std::string& name : ids.names()) {
      name_offsets.push_back(names.size());
      names += name;
    }
    name_offsets.push_back(names.size());
    writer.add("ids.offsets", bytes_of(std::span<const std::uint64_t>(name_offsets)));
    writer.add("ids.names", names);
  }
  const std::string text = history(graph, parted);
  writer.add("history", text);
  std::string about;
  if (const auto& prepared = graph.preparation(); prepared && prepared->graph == fingerprint(stored)) {
    about = about_text(*prepared, arcs_checksum);
    writer.add("engine.about", about);
    for (const auto& [name, values] : prepared->arrays) writer.add("engine." + name, bytes_of(values.span()));
  }
  for (const ExtraSection& extra : extras) writer.add(extra.name, bytes_of(extra.bytes));
  hwg::Header header{};
  std::memcpy(header.magic, hwg_magic.data(), sizeof header.magic);
  const bool typed = options.weights && graph.has_weights() && graph.out().weights.type() != WeightType::float32;
  header.version = typed ? hwg::typed_version : parted ? hwg::extra_version : hwg::plain_version;
  header.vertices = graph.num_vertices();
  header.arcs = stored.num_arcs();
  header.directed = graph.directed();
  header.ids_kind = static_cast<std::uint32_t>(ids.kind());
  header.ids_first = ids.first();
  header.default_source = graph.default_source() ? *graph.default_source() : hwg::no_source;
  writer.write(header, out);
}

}  // namespace hopwave::io

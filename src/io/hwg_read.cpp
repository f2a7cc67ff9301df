// Opening .hwg: check header and table, then verify every section's checksum and the arrays' sense in one pass.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/stopwatch.h"
#include "graph/weight_copy.h"
#include "io/binary.h"
#include "io/format.h"
#include "io/hwg.h"
#include "io/hwg_bytes.h"
#include "io/hwg_head.h"
#include "io/hwg_layout.h"
#include "io/hwg_preparation.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

class Opener {
 public:
  Opener(HwgBytes bytes, int threads) : bytes_(std::move(bytes)), team_(bytes_.count < (1u << 22) ? 1 : threads) {}

  HwgContent open() {
    read_head();
    make_arrays();
    verify();
    HwgContent content;
    const auto n = static_cast<VertexId>(header_.vertices);
    const bool directed = header_.directed != 0;
    content.graph =
        Graph::trusted(n, directed, std::move(out_), std::move(in_), ids(),
                       core::graph_fingerprint(n, directed, checksum_of("out.offsets"), checksum_of("out.neighbors")));
    if (header_.default_source != hwg::no_source)
      content.graph.set_default_source(static_cast<VertexId>(header_.default_source));
    content.extra = std::move(extra_);
    read_history(content);
    for (const hwg::Section& s : table_)
      if (std::find(known_.begin(), known_.end(), s.name) == known_.end())
        content.extras.emplace_back(s.name, array<std::byte>(s));
    attach_preparation(content);
    return content;
  }

 private:
  /// Of a section that was verified; 0 if there is none.
  std::uint64_t checksum_of(std::string_view name) const {
    std::uint64_t sum = 0;
    for (const hwg::Section& s : table_)
      if (name == s.name) sum = s.checksum;
    return sum;
  }

  /// A preparation is only as good as the arcs it was made from: their checksums are in its words.
  void attach_preparation(HwgContent& content) const {
    std::uint64_t arcs = 2;
    for (const char* name : {"out.offsets", "out.neighbors"}) arcs = join_checksums(arcs, checksum_of(name));
    std::string why_not;
    content.graph.set_preparation(preparation_of(content.extras, arcs, why_not));
    if (why_not.empty()) return;
    ReadReport report = content.graph.read_report();
    report.repairs.push_back(std::move(why_not));
    content.graph.set_read_report(std::move(report));
  }

  void read_head() {
    HwgHead head = parse_hwg_head(bytes_.name, {bytes_.data, bytes_.count}, bytes_.count);
    header_ = head.header;
    table_ = std::move(head.table);
  }

  template <class T>
  Array<const T> array(const hwg::Section& s) const {
    return {bytes_.owner, reinterpret_cast<const T*>(bytes_.data + s.offset), s.bytes / sizeof(T)};
  }

  const hwg::Section* find(const std::string& name) {
    known_.push_back(name);
    for (const hwg::Section& s : table_)
      if (name == s.name) return &s;
    return nullptr;
  }

  /// Section `name` with `count` values; an empty array if it may be missing and is.
  template <class T>
  Array<const T> values(const std::string& name, std::uint64_t count, bool optional = false) {
    const hwg::Section* s = find(name);
    if (!s && optional) return {};
    if (!s || s->bytes != count * sizeof(T))
      fail_hwg(bytes_.name, "HW-HWG-SECTION",
               s ? "section " + name + " of " + std::to_string(s->bytes) + " bytes" : "no section " + name,
               std::to_string(count * sizeof(T)) + " bytes");
    return array<T>(*s);
  }

  /// Of any type, which the section's name says.
  Weights weights(const std::string& rows, std::uint64_t count, bool optional) {
    const hwg::Section* s = nullptr;
    WeightType type = WeightType::float32;
    for (const WeightType each : hwg::weight_types) {
      if (const hwg::Section* found = find(rows + ".weights" + hwg::suffix(each))) {
        if (s)
          fail_hwg(bytes_.name, "HW-HWG-SECTION", std::string("sections ") + s->name + " and " + found->name, "one of them");
        s = found;
        type = each;
      }
    }
    if (!s && optional) return {};
    if (!s || s->bytes != count * size_of(type))
      fail_hwg(bytes_.name, "HW-HWG-SECTION",
               s ? std::string("section ") + s->name + " of " + std::to_string(s->bytes) + " bytes"
                 : "no section " + rows + ".weights",
               std::to_string(count * size_of(type)) + " bytes");
    return {bytes_.owner, type, bytes_.data + s->offset, count};
  }

  Adjacency adjacency(const std::string& prefix) {
    return {values<EdgeIndex>(prefix + ".offsets", header_.vertices + 1), values<VertexId>(prefix + ".neighbors", header_.arcs),
            weights(prefix, header_.arcs, true)};
  }

  /// Arcs next to the rows: version 2 always has them, version 3 may.
  void make_extra() {
    const hwg::Section* sources = find("extra.sources");
    if (!sources && header_.version >= hwg::typed_version) return;
    if (!sources)
      fail_hwg(bytes_.name, "HW-HWG-SECTION", "no section extra.sources", "the arcs that version 2 keeps outside its rows");
    const std::uint64_t count = sources->bytes / sizeof(VertexId);
    extra_ = {values<VertexId>("extra.sources", count), values<VertexId>("extra.neighbors", count), {}};
    if (out_.weights.empty() && header_.arcs != 0) return;
    extra_->weights = weights("extra", count, header_.arcs == 0);
    check_type(extra_->weights);
  }
  /// All weights of a file are of one type.
  void check_type(const Weights& weights) const {
    if (weights.empty() || out_.weights.empty() || weights.type() == out_.weights.type()) return;
    fail_hwg(bytes_.name, "HW-HWG-SECTION",
             "weights of the types " + std::string(hopwave::name(out_.weights.type())) + " and " +
                 std::string(hopwave::name(weights.type())),
             "one type");
  }

  void make_arrays() {
    if (header_.arcs > bytes_.count)
      fail_hwg(bytes_.name, "HW-HWG-HEADER", std::to_string(header_.arcs) + " arcs", "fewer than the file has bytes");
    out_ = adjacency("out");
    const bool has_in =
        std::any_of(table_.begin(), table_.end(), [](const hwg::Section& s) { return std::strcmp(s.name, "in.offsets") == 0; });
    if (has_in && !header_.directed) fail_hwg(bytes_.name, "HW-HWG-SECTION", "incoming arcs of an undirected graph", "none");
    if (has_in) in_ = adjacency("in");
    if (in_) check_type(in_->weights);
    if (header_.version > hwg::plain_version) make_extra();
    const auto kind = static_cast<Ids::Kind>(header_.ids_kind);
    if (kind == Ids::Kind::integers) id_table_ = values<std::int64_t>("ids.table", header_.vertices);
    if (kind == Ids::Kind::strings) {
      name_offsets_ = values<std::uint64_t>("ids.offsets", header_.vertices + 1);
      const hwg::Section* names = find("ids.names");
      if (!names) fail_hwg(bytes_.name, "HW-HWG-SECTION", "no section ids.names", "the vertices' names");
      names_ = array<char>(*names);
    }
    history_ = find("history");
  }

  /// Checksum of one piece of a section, and what its values must fulfil beyond that.
  std::uint64_t check_piece(const char* at, std::size_t count, const char* section_end, bool& ok) const {
    const auto inside = [&](const auto& values) {
      const char* begin = reinterpret_cast<const char*>(values.data());
      return !values.empty() && at >= begin && at < begin + values.size() * sizeof(*values.data());
    };
    const auto ascending = [&]<class T>(T, bool strictly) {  // with the first value of the next piece
      const T* v = reinterpret_cast<const T*>(at);
      const std::size_t n = count / sizeof(T) + (at + count < section_end ? 1 : 0);
      for (std::size_t i = 1; i < n; ++i) ok &= strictly ? v[i - 1] < v[i] : v[i - 1] <= v[i];
    };
    if (extra_ && inside(extra_->sources)) ascending(VertexId{}, false);
    if (inside(out_.neighbors) || (in_ && inside(in_->neighbors)) ||
        (extra_ && (inside(extra_->sources) || inside(extra_->neighbors)))) {
      bool below = true;
      const std::uint64_t sum = piece_checksum_below(at, count, static_cast<VertexId>(header_.vertices), below);
      ok &= below;
      return sum;
    }
    if (inside(out_.offsets) || (in_ && inside(in_->offsets)) || inside(name_offsets_)) ascending(std::uint64_t{}, false);
    if (inside(id_table_)) ascending(std::int64_t{}, true);
    return piece_checksum(at, count);
  }

  void verify() {
    struct Piece {
      std::size_t section;
      std::uint64_t offset, bytes;
    };
    std::vector<Piece> pieces;
    for (std::size_t s = 0; s < table_.size(); ++s)
      for (std::uint64_t at = 0; at < table_[s].bytes; at += piece_bytes)
        pieces.push_back({s, table_[s].offset + at, std::min<std::uint64_t>(piece_bytes, table_[s].bytes - at)});
    std::vector<std::uint64_t> sums(pieces.size());
    std::atomic<std::size_t> senseless{table_.size()};
    parallel_for(team_, pieces.size(), 4, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        const char* at = bytes_.data + pieces[i].offset;
        bytes_.populate(at, pieces[i].bytes);
        const hwg::Section& s = table_[pieces[i].section];
        bool ok = true;
        sums[i] = check_piece(at, pieces[i].bytes, bytes_.data + s.offset + s.bytes, ok);
        if (!ok) senseless.store(pieces[i].section, std::memory_order_relaxed);
      }
    });
    std::size_t i = 0;
    for (std::size_t s = 0; s < table_.size(); ++s) {
      std::uint64_t sum = table_[s].bytes;
      for (; i < pieces.size() && pieces[i].section == s; ++i) sum = join_checksums(sum, sums[i]);
      if (sum != table_[s].checksum)
        fail_hwg(bytes_.name, "HW-HWG-CHECKSUM", std::string("section ") + table_[s].name + " does not match its checksum",
                 "an intact file", table_[s].offset);
    }
    const auto spans = [&](const Array<const std::uint64_t>& offsets, std::uint64_t count) {
      return offsets[0] == 0 && offsets[offsets.size() - 1] == count;
    };
    bool ok =
        senseless.load() == table_.size() && spans(out_.offsets, header_.arcs) && (!in_ || spans(in_->offsets, header_.arcs));
    if (!name_offsets_.empty()) ok = ok && spans(name_offsets_, names_.size());
    if (!ok)
      fail_hwg(bytes_.name, "HW-HWG-ARRAYS", "arrays that are no graph", "offsets that never fall and neighbours that exist");
  }

  std::vector<std::string> stored_names() const {
    std::vector<std::string> names;
    for (std::uint64_t v = 0; v < header_.vertices; ++v)
      names.emplace_back(names_.data() + name_offsets_[v], name_offsets_[v + 1] - name_offsets_[v]);
    return names;
  }

  Ids ids() const {
    switch (static_cast<Ids::Kind>(header_.ids_kind)) {
      case Ids::Kind::integers:
        return Ids::integers(id_table_);
      case Ids::Kind::strings:
        return Ids::strings(stored_names());
      default:
        return Ids::consecutive(static_cast<VertexId>(header_.vertices), header_.ids_first);
    }
  }

  void read_history(HwgContent& content) const {
    ReadReport read;
    HwgHistory past =
        parse_hwg_history(history_ ? std::string_view(bytes_.data + history_->offset, history_->bytes) : std::string_view{});
    read.details = std::move(past.details);
    read.repairs = std::move(past.repairs);
    read.weights_rounded = past.weights_rounded;
    if (content.graph.has_weights()) note_rounding(read);
    read.source = bytes_.name;
    read.format = "hwg";
    read.bytes = read.text_bytes = bytes_.count;
    read.rows = content.graph.num_arcs() + (content.extra ? content.extra->sources.size() : 0);
    content.graph.set_read_report(std::move(read));
    content.history = past.build;
    content.graph.set_build_report(content.extra ? past.parted : past.build);
  }

  HwgBytes bytes_;
  Team team_;
  hwg::Header header_{};
  std::vector<hwg::Section> table_;
  std::vector<std::string> known_;
  Adjacency out_;
  std::optional<Adjacency> in_;
  std::optional<graph::ExtraArcs> extra_;
  Array<const std::int64_t> id_table_;
  Array<const std::uint64_t> name_offsets_;
  Array<const char> names_;
  const hwg::Section* history_ = nullptr;
};

EdgeList read_hwg(Input& input) {
  input.load(std::uint64_t{1} << 46, "HW-HWG-SIZE");
  Array<char> copy(*input.size());
  input.read_exactly(0, copy.data(), copy.size(), "HW-HWG-SIZE");
  const auto keep = std::make_shared<Array<char>>(std::move(copy));
  return list_of(Opener({keep, keep->data(), keep->size(), input.name()}, input.options().run.threads).open(), true,
                 input.options());
}

}  // namespace

HwgContent open_hwg(const std::string& path, const ReadOptions& options) {
  const core::Stopwatch watch;
  HwgContent content = Opener(map_hwg(path), options.run.threads).open();
  ReadReport report = content.graph.read_report();
  report.read = watch.elapsed();
  content.graph.set_read_report(std::move(report));
  return content;
}

Graph whole_graph(const HwgContent& content, int threads) {
  const Graph& g = content.graph;
  if (!content.extra) return g;
  Team team(g.num_arcs() < (1u << 20) ? 1 : threads);
  Graph whole = Graph::trusted(g.num_vertices(), g.directed(),
                               graph::with_extra(team, g.num_vertices(), g.out(), *content.extra), std::nullopt, g.ids());
  whole.set_read_report(g.read_report());
  whole.set_build_report(content.history);
  whole.set_default_source(g.default_source());
  return whole;
}

EdgeList list_of(const HwgContent& content, bool with_extra, const ReadOptions& options) {
  const Graph& graph = content.graph;
  const graph::ExtraArcs extra = with_extra && content.extra ? *content.extra : graph::ExtraArcs{};
  const EdgeIndex arcs = graph.num_arcs();
  EdgeList list;
  list.num_vertices = graph.num_vertices();
  list.directed = graph.directed() && !options.undirected;
  list.both_directions = !graph.directed();
  list.edges = Array<Edge>(arcs + extra.sources.size());
  Team team(options.run.threads);
  fill_sources(team, graph.out().offsets.span(), list.edges);
  parallel_for(team, list.edges.size(), std::size_t{1} << 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < std::min<std::size_t>(end, arcs); ++i) list.edges[i].target = graph.out().neighbors[i];
    for (std::size_t i = std::max<std::size_t>(begin, arcs); i < end; ++i)
      list.edges[i] = {extra.sources[i - arcs], extra.neighbors[i - arcs]};
  });
  if (options.weights && (graph.has_weights() || !extra.weights.empty())) {
    const Weights& of_rows = graph.out().weights;
    graph::WeightCopy weights((of_rows.empty() ? extra.weights : of_rows).type(), list.edges.size());
    weights.put_all(0, of_rows);
    weights.put_all(of_rows.size(), extra.weights);
    list.weights = std::move(weights).done();
  }
  list.ids = graph.ids();
  list.default_source = graph.default_source();
  list.report = graph.read_report();
  list.report.rows = list.edges.size();
  return list;
}

const Format& hwg_format() {
  static const Format format{
      {"hwg", "hopwave's own: checksummed, mapped, opens without parsing", "hwg"},
      [](std::string_view head, bool, const Input&) { return head.starts_with(hwg_magic) ? Match::certain : Match::no; },
      read_hwg,
      [](const Graph& graph, Sink& out, const WriteOptions& options) { write_hwg(graph, {}, options, out); }};
  return format;
}

}  // namespace hopwave::io

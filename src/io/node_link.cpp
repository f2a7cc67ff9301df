// JSON graphs of nodes and links: node-link data as NetworkX and D3 have it, and Cytoscape's elements. Read as a stream.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hopwave/error.h"
#include "io/edge_rows.h"
#include "io/format.h"
#include "io/names_text.h"
#include "io/recognise.h"

namespace hopwave::io {
namespace {

constexpr std::size_t deepest_value = 100;
constexpr std::size_t longest_piece = std::size_t{8} << 20;  // of JSON without a value or key

[[noreturn]] void refuse_json(const Input& input, const char* what, const char* hint) {
  input.fail_file("HW-FORMAT-KNOWN", what, "a format that is read here", hint);
}
constexpr const char* use_node_link = "write node-link data: json.dump(networkx.node_link_data(G), file)";

/// What nlohmann's parser reads from.
class JsonCharacters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonCharacters() = default;
  JsonCharacters(TextCursor& text, const std::uint64_t& told) : text_(&text), told_(&told) {}
  char operator*() const { return static_cast<char>(text_->peek()); }
  JsonCharacters& operator++() {
    text_->skip();
    if (text_->byte() - *told_ > longest_piece)
      text_->fail("HW-JSON-SYNTAX", "more than 8 MiB of JSON without a key or value", "a graph");
    return *this;
  }
  bool operator==(const JsonCharacters& other) const { return ended() == other.ended(); }
  bool operator!=(const JsonCharacters& other) const { return ended() != other.ended(); }

 private:
  [[nodiscard]] bool ended() const { return !text_ || text_->peek() == TextCursor::end; }
  TextCursor* text_ = nullptr;
  const std::uint64_t* told_ = nullptr;
};

class NodeLinkReader {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  explicit NodeLinkReader(Input& input) : input_(input), text_(input), names_(input), rows_(input) {}

  EdgeList read() {
    nlohmann::json::sax_parse(JsonCharacters(text_, told_), JsonCharacters(), this);
    if (!has_nodes_ || (!has_edges_ && shape_.first)) refuse_shape();
    if (!has_edges_) fail_at(input_, {}, "HW-JSON-SHAPE", "nodes and no links", "an array \"edges\" or \"links\" of objects");
    EdgeList list;
    if (!directed_)
      list.report.notes.push_back("the file does not say whether edges are directed: taken as undirected, as NetworkX does");
    rows_.finish(directed_.value_or(false), list);
    auto names = names_.take(list);
    if (nameless_) {
      std::vector<std::optional<std::string>> labels(names.size());
      for (std::size_t v = 0; v < names.size(); ++v)
        if (const auto at = std::stoull(names[v]); at < labels_.size()) labels[v] = std::move(labels_[at]);
      set_labels(std::move(names), std::move(labels), "name", list);
    } else {
      set_names(std::move(names), texts_ && !cytoscape_, list);
    }
    list.report.format = "json";
    list.report.details += std::string(list.report.details.empty() ? "" : ", ") + (cytoscape_  ? "Cytoscape"
                                                                                   : nameless_ ? "D3, nodes by index"
                                                                                               : "node-link data");
    return list;
  }

  // nlohmann's events
  bool null() { return scalar("", Kind::null); }
  bool boolean(bool value) { return scalar(value ? "true" : "false", Kind::boolean); }
  bool number_integer(number_integer_t value) { return scalar(std::to_string(value), Kind::number); }
  bool number_unsigned(number_unsigned_t value) { return scalar(std::to_string(value), Kind::number); }
  bool number_float(number_float_t, const string_t& text) { return scalar(text, Kind::number); }
  bool string(string_t& text) { return scalar(text, Kind::string); }
  bool binary(binary_t&) { return false; }

  bool key(string_t& name) {
    told_ = text_.byte();
    key_ = std::move(name);
    if (top() == Part::root) note_root_key();
    if (top() == Part::graph && (key_ == "nodes" || key_ == "edges")) json_graph_ = true;
    return true;
  }

  bool start_object(std::size_t) {
    const Part parent = top();
    Part part = Part::other;
    if (open_.empty()) {
      part = Part::root;
    } else if (parent == Part::root && key_ == "elements") {
      part = Part::elements;
      cytoscape_ = true;
    } else if (parent == Part::root && key_ == "graph") {
      part = Part::graph;
    } else if (parent == Part::nodes) {
      part = Part::node;
      id_.reset();
      label_.reset();
      element_ = here();
    } else if (parent == Part::edges) {
      part = Part::edge;
      source_.reset();
      target_.reset();
      direction_.reset();
      values_.clear();
      element_ = here();
    } else if (cytoscape_ && key_ == "data" && (parent == Part::node || parent == Part::edge)) {
      part = parent == Part::node ? Part::node_data : Part::edge_data;
    } else {
      refuse_end_of_edge();
    }
    return open(part);
  }

  bool end_object() {
    const Part part = top();
    if (part == Part::node) end_node();
    if (part == Part::edge) end_edge();
    return close();
  }

  bool start_array(std::size_t) {
    Part part = Part::other;
    if (open_.empty()) refuse_json(input_, "JSON that is no object", use_node_link);
    if (top() == Part::root || top() == Part::elements) {
      if (key_ == "nodes") {
        part = Part::nodes;
        if (has_nodes_) fail("HW-JSON-SHAPE", "a second array of nodes", "one");
        has_nodes_ = true;
      } else if (key_ == "edges" || key_ == "links") {
        part = Part::edges;
        if (has_edges_) fail("HW-JSON-SHAPE", "a second array of edges", "one, \"edges\" or \"links\"");
        has_edges_ = true;
      }
    } else {
      refuse_end_of_edge();
      if (top() == Part::nodes || top() == Part::edges) refuse_element("an array");
    }
    return open(part);
  }
  bool end_array() {
    if (top() == Part::nodes) number_nodes();
    return close();
  }

  bool parse_error(std::size_t, const std::string& token, const nlohmann::json::exception&) {
    const bool ended = text_.peek() == TextCursor::end;
    std::string last = token.substr(0, 64);
    last.append(32, '\n');
    fail("HW-JSON-SYNTAX",
         ended ? "the end of the file"
               : "text that is no JSON: " + quote_at(last.data(), last.data() + std::min<std::size_t>(token.size(), 64)),
         "JSON (UTF-8; no NaN, no comments)", ended ? "the file may be cut off" : "");
  }

 private:
  enum class Kind { null, boolean, number, string };
  enum class Part { none, root, graph, elements, nodes, node, node_data, edges, edge, edge_data, other };

  [[nodiscard]] Part top() const { return open_.empty() ? Part::none : open_.back(); }
  [[nodiscard]] Spot here() const { return text_.spot(); }
  [[noreturn]] void fail(const char* id, const std::string& found, const std::string& expected,
                         const std::string& hint = "") const {
    fail_at(input_, here(), id, found, expected, hint);
  }

  bool open(Part part) {
    told_ = text_.byte();
    if (open_.size() >= deepest_value)
      fail("HW-NODES-DEEP", "values within values, more than " + std::to_string(deepest_value) + " deep", "a graph");
    open_.push_back(part);
    key_.clear();
    return true;
  }
  bool close() {
    told_ = text_.byte();
    open_.pop_back();
    key_.clear();
    return true;
  }

  /// Shapes that other tools write.
  void note_root_key() {
    if (key_ == "adjacency") shape_ = {"JSON with lists of neighbours (networkx.adjacency_data)", use_node_link};
    if (key_ == "children") shape_ = {"JSON of a tree (networkx.tree_data)", use_node_link};
    if (key_ == "features" || key_ == "geometry") shape_ = {"GeoJSON", "make a graph of it, for example with osmnx or momepy"};
    if (key_ == "@context" || key_ == "@graph")
      shape_ = {"JSON-LD (RDF)", "make N-Triples of it: rapper -i json-ld -o ntriples FILE; then keep subject and object"};
    if (key_ == "graphs") json_graph_ = true;
  }

  [[noreturn]] void refuse_shape() {
    if (shape_.first) refuse_json(input_, shape_.first, shape_.second);
    if (json_graph_) refuse_json(input_, "JSON Graph Format", use_node_link);
    if (cytoscape_)
      refuse_json(input_, "Cytoscape's JSON without \"nodes\" in \"elements\"",
                  "write elements as {\"nodes\": […], \"edges\": […]}");
    refuse_json(input_, "JSON that is no node-link graph", use_node_link);
  }

  [[noreturn]] void refuse_element(const char* what) {
    fail("HW-JSON-SHAPE", std::string(what) + " where " + (top() == Part::nodes ? "a node" : "an edge") + " is expected",
         top() == Part::nodes ? "objects with an \"id\"" : "objects with \"source\" and \"target\"");
  }
  /// An object or array as an id or an end.
  void refuse_end_of_edge() {
    const bool node = top() == Part::node || top() == Part::node_data, edge = top() == Part::edge || top() == Part::edge_data;
    if ((node && key_ == "id") || (edge && (key_ == "source" || key_ == "target")))
      fail("HW-NODES-ID", "an object or array as the " + key_ + (node ? " of a node" : " of an edge"), "a number or a text",
           "in NetworkX: convert_node_labels_to_integers(G)");
  }

  bool scalar(const std::string& text, Kind kind) {
    told_ = text_.byte();
    switch (top()) {
      case Part::none:
        refuse_json(input_, "JSON that is no object", use_node_link);
      case Part::root:
        if (key_ == "directed") {
          if (kind != Kind::boolean) fail("HW-JSON-SHAPE", "\"directed\" that is neither true nor false", "true or false");
          directed_ = text == "true";
        }
        break;
      case Part::nodes:
      case Part::edges:
        refuse_element("a single value");
      case Part::node:
      case Part::node_data:
        if (key_ == "id" && !(cytoscape_ && top() == Part::node)) id_ = Id{end_of(text, kind), kind};
        if (key_ == "name" && kind == Kind::string) label_ = text;
        break;
      case Part::edge:
      case Part::edge_data:
        edge_value(text, kind);
        break;
      default:
        break;
    }
    return true;
  }

  /// A number or a text as the id of a vertex.
  std::string end_of(const std::string& text, Kind kind) {
    if (kind == Kind::null || kind == Kind::boolean)
      fail("HW-NODES-ID", kind == Kind::null ? "null as an id" : text + " as an id", "a number or a text");
    (kind == Kind::string ? texts_ : numbers_) = true;
    return text;
  }

  void edge_value(const std::string& text, Kind kind) {
    if (key_ == "source") {
      source_ = Id{end_of(text, kind), kind};
    } else if (key_ == "target") {
      target_ = Id{end_of(text, kind), kind};
    } else if (key_ == "directed" && kind == Kind::boolean) {
      direction_ = text == "true";
    } else if (kind != Kind::null) {
      values_.push_back({key_, text, here()});
    }
  }

  struct Id {
    std::string text;
    Kind kind;
  };

  /// 1 and "1" are two ids in JSON, and cannot both be in a graph.
  VertexId same_kind(VertexId v, const Id& id) {
    if (cytoscape_) return v;
    if (v >= kinds_.size()) kinds_.push_back(id.kind);
    if (kinds_[v] != id.kind)
      fail_at(input_, element_, "HW-NODES-ID", "the number " + id.text + " and the text \"" + id.text + "\" as ids",
              "ids that are all numbers, or all texts");
    return v;
  }

  void end_node() {
    ++nodes_;
    if (id_) {
      if (texts_ && numbers_) same_kind(names_.end_of_edge(id_->text, element_), *id_);
      same_kind(names_.declare(id_->text, element_), *id_);
      return;
    }
    if (!nameless_++) first_nameless_ = element_;
    labels_.push_back(std::move(label_));
  }

  void end_edge() {
    if (!source_ || !target_)
      fail_at(input_, element_, "HW-NODES-ID", source_ ? "an edge without \"target\"" : "an edge without \"source\"",
              "an object with \"source\" and \"target\"");
    const VertexId u = same_kind(names_.end_of_edge(source_->text, element_), *source_);
    const VertexId v = same_kind(names_.end_of_edge(target_->text, element_), *target_);
    rows_.begin(u, v, direction_, element_);
    for (const Value& value : values_) rows_.value(value.key, value.text, value.spot);
    rows_.end();
  }

  /// Nodes without any id are counted from 0, as D3 does.
  void number_nodes() {
    if (!nameless_) return;
    if (nameless_ != nodes_ || texts_ || cytoscape_)
      fail_at(input_, first_nameless_, "HW-NODES-ID", "a node without \"id\"", "an id at every node");
    for (std::uint64_t i = 0; i < nodes_; ++i)
      same_kind(names_.declare(std::to_string(i), first_nameless_), {std::to_string(i), Kind::number});
  }

  struct Value {
    std::string key, text;
    Spot spot;
  };
  Input& input_;
  TextCursor text_;
  VertexNames names_;
  EdgeRows rows_;
  std::vector<Part> open_;
  std::string key_;
  std::uint64_t told_ = 0;  // bytes before the last event
  std::optional<bool> directed_, direction_;
  std::optional<Id> id_, source_, target_;
  std::optional<std::string> label_;
  std::vector<std::optional<std::string>> labels_;  // of nodes without id
  std::vector<Kind> kinds_;                         // by vertex
  std::vector<Value> values_;
  Spot element_, first_nameless_;
  std::pair<const char*, const char*> shape_{nullptr, nullptr};
  std::uint64_t nodes_ = 0, nameless_ = 0;
  bool has_nodes_ = false, has_edges_ = false, cytoscape_ = false, json_graph_ = false, texts_ = false, numbers_ = false;
};

EdgeList read_node_link(Input& input) { return NodeLinkReader(input).read(); }

Match sniff_node_link(std::string_view head, bool, const Input&) {
  const std::string_view start = from_first_word(head);
  if (!start.starts_with('{')) return Match::no;
  const std::string_view inner = from_first_word(start.substr(1));
  return inner.starts_with('"') || inner.starts_with('}') ? Match::certain : Match::no;
}

void put_json(Lines& lines, const Ids& ids, VertexId v) {
  if (ids.kind() == Ids::Kind::strings)
    lines.put(nlohmann::json(ids.names()[v]).dump());
  else
    lines.integer(ids.number(v));
}

void write_node_link(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  if (weights) need_finite_weights(graph, "JSON");
  need_names(graph, "JSON", [](char32_t) { return true; });
  EdgeIndex first = graph.num_arcs();  // the edge before which no comma stands
  for_each_edge(graph, 0, graph.num_vertices(), [&](VertexId, VertexId, EdgeIndex i) { first = std::min(first, i); });
  Lines head;
  head.put("{\"directed\": ")
      .put(graph.directed() ? "true" : "false")
      .put(", \"multigraph\": ")
      .put(is_multigraph(graph) ? "true" : "false");
  head.put(", \"graph\": {},\n\"nodes\": [");
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v) {
      lines.put(v ? ",\n{\"id\": " : "\n{\"id\": ");
      put_json(lines, graph.ids(), static_cast<VertexId>(v));
      lines.put('}');
    }
  });
  out.write("],\n\"edges\": [");
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_edge(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      lines.put(i == first ? "\n{\"source\": " : ",\n{\"source\": ");
      put_json(lines, graph.ids(), u);
      put_json(lines.put(", \"target\": "), graph.ids(), v);
      if (weights) lines.put(", \"weight\": ").weight(graph.out().weights, i);
      lines.put('}');
    });
  });
  out.write("]}\n");
}

}  // namespace

const Format& node_link_format() {
  static const Format format{
      {"json", "JSON of nodes and links: NetworkX's node-link data; Cytoscape's and D3's are read", "json"},
      sniff_node_link,
      read_node_link,
      write_node_link,
      {.weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io

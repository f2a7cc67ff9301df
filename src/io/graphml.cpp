// GraphML: nodes, edges and their data as XML, read by Expat as a stream. http://graphml.graphdrawing.org/specification.html
// No entity is ever expanded, and no other file is opened.
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>

#include "hopwave/error.h"
#include "io/edge_rows.h"
#include "io/format.h"
#include "io/names_text.h"
#include "io/recognise.h"

#ifdef HOPWAVE_WITH_EXPAT
#include <expat.h>
#endif

namespace hopwave::io {
namespace {

#ifdef HOPWAVE_WITH_EXPAT

constexpr std::size_t deepest_element = 200;
constexpr std::size_t longest_piece = std::size_t{8} << 20;  // of XML between two events
constexpr std::size_t longest_value = 4096;                  // of an edge's data; more is no number

class GraphmlReader {
 public:
  explicit GraphmlReader(Input& input) : input_(input), names_(input), rows_(input), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) { of(self).guard(&GraphmlReader::start, name, attributes); },
        [](void* self, const char* name) { of(self).guard(&GraphmlReader::end, name); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      of(self).guard(&GraphmlReader::text, std::string_view(text, static_cast<std::size_t>(size)));
    });
    XML_SetDefaultHandler(parser_.get(), [](void* self, const char*, int) { of(self).quiet_ = 0; });
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char* name, int, const char*, int, const char*, const char*,
                                               const char*, const char*) { of(self).guard(&GraphmlReader::entity, name); });
    XML_SetSkippedEntityHandler(parser_.get(),
                                [](void* self, const char* name, int) { of(self).guard(&GraphmlReader::entity, name); });
  }

  EdgeList read() {
    for (bool last = false; !last;) {
      const std::string_view bytes = input_.next_bytes();
      last = bytes.empty();
      quiet_ += bytes.size();
      if (quiet_ > longest_piece) fail("HW-GRAPHML-SYNTAX", "more than 8 MiB of XML in one piece", "elements");
      const auto status = XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), last);
      if (fault_) std::rethrow_exception(fault_);
      if (status != XML_STATUS_OK) {
        const auto code = XML_GetErrorCode(parser_.get());
        if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
        fail("HW-GRAPHML-SYNTAX", std::string("XML with ") + XML_ErrorString(code), "well-formed XML",
             code == XML_ERROR_NO_ELEMENTS || last ? "the file may be cut off" : "");
      }
    }
    if (!has_graph_) fail("HW-GRAPHML-SYNTAX", "no <graph>", "a <graph> in <graphml>");
    EdgeList list;
    rows_.finish(directed_, list);
    auto names = names_.take(list);
    set_names(std::move(names), false, list);
    list.report.format = "graphml";
    return list;
  }

 private:
  struct Free {
    void operator()(XML_Parser p) const { XML_ParserFree(p); }
  };
  struct Key {
    std::string id, name;
    bool of_edges = false;
    std::optional<std::string> value;  ///< the default
    bool given = false;                ///< by the edge that is being read
  };
  static GraphmlReader& of(void* self) { return *static_cast<GraphmlReader*>(self); }

  /// Expat is C: no exception may pass through it.
  template <class... Arguments>
  void guard(void (GraphmlReader::*handle)(Arguments...), std::type_identity_t<Arguments>... arguments) {
    quiet_ = 0;
    if (fault_) return;
    try {
      (this->*handle)(arguments...);
    } catch (...) {
      fault_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  [[nodiscard]] Spot spot() const {
    const XML_Size line = XML_GetCurrentLineNumber(parser_.get()), column = XML_GetCurrentColumnNumber(parser_.get());
    const XML_Index byte = XML_GetCurrentByteIndex(parser_.get());
    // Between two calls some versions of Expat know the line and the column alone.
    return {line, column + 1, byte >= 0 ? static_cast<std::uint64_t>(byte) : line == 1 ? column : 0};
  }
  [[noreturn]] void fail(const char* id, const std::string& found, const std::string& expected,
                         const std::string& hint = "") const {
    fail_at(input_, spot(), id, found, expected, hint);
  }

  void entity(const char* name) {
    fail("HW-GRAPHML-ENTITY", std::string("an entity called '") + std::string(name).substr(0, 64) + "'",
         "XML without entities of its own", "write its text where it is used");
  }

  static std::string_view local(std::string_view name) {
    return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
  }
  static const char* attribute(const char** attributes, std::string_view name) {
    for (; *attributes; attributes += 2)
      if (name == attributes[0]) return attributes[1];
    return nullptr;
  }
  std::string_view needed(const char** attributes, const char* name, const char* element) const {
    const char* const value = attribute(attributes, name);
    if (!value) fail("HW-NODES-ID", std::string("<") + element + "> without " + name, std::string("an attribute ") + name);
    return value;
  }

  void start(const char* qualified, const char** attributes) {
    const std::string_view name = local(qualified);
    if (++depth_ > deepest_element)
      fail("HW-NODES-DEEP", "elements within elements, more than " + std::to_string(deepest_element) + " deep", "a graph");
    if (depth_ == 1 && name != "graphml") fail("HW-GRAPHML-SYNTAX", "<" + std::string(qualified) + ">", "<graphml>");
    if (inside_data_) return;  // what other programs keep there
    if (name == "hyperedge" || name == "port")
      fail("HW-NODES-KIND", "a <" + std::string(name) + ">", "nodes, and edges of two ends");
    if (name == "graph") {
      start_graph(attributes);
    } else if (name == "key") {
      start_key(attributes);
    } else if (name == "default") {
      collect_ = !keys_.empty() && depth_ == key_depth_ + 1;
      value_.clear();
    } else if (name == "node") {
      if (!in_graph_) fail("HW-GRAPHML-SYNTAX", "a <node> outside of <graph>", "<graph> around it");
      names_.declare(needed(attributes, "id", "node"), spot());
    } else if (name == "edge") {
      start_edge(attributes);
    } else if (name == "data") {
      inside_data_ = depth_;
      data_ = nullptr;
      if (in_edge_) data_ = &find_key(needed(attributes, "key", "data"));
      collect_ = data_ != nullptr;
      value_.clear();
    }
  }

  void start_graph(const char** attributes) {
    if (in_graph_ || has_graph_)
      fail("HW-NODES-KIND", in_graph_ ? "a graph in a node" : "a second <graph>", "one graph",
           "write each graph to a file of its own");
    in_graph_ = has_graph_ = true;
    const char* const kind = attribute(attributes, "edgedefault");
    if (kind && std::strcmp(kind, "directed") != 0 && std::strcmp(kind, "undirected") != 0)
      fail("HW-GRAPHML-SYNTAX", std::string("edgedefault=\"") + std::string(kind).substr(0, 64) + "\"",
           "directed or undirected");
    if (!kind) fail("HW-GRAPHML-SYNTAX", "a <graph> without edgedefault", "edgedefault=\"directed\" or \"undirected\"");
    directed_ = std::strcmp(kind, "directed") == 0;
  }

  void start_key(const char** attributes) {
    Key key;
    key.id = needed(attributes, "id", "key");
    const char* const name = attribute(attributes, "attr.name");
    const char* const kind = attribute(attributes, "for");
    key.name = name ? name : key.id;
    key.of_edges = !kind || std::strcmp(kind, "edge") == 0 || std::strcmp(kind, "all") == 0;
    if (std::any_of(keys_.begin(), keys_.end(), [&](const Key& k) { return k.id == key.id; }))
      fail("HW-GRAPHML-KEY", "a second key '" + key.id.substr(0, 64) + "'", "keys that occur once");
    if (keys_.size() >= 4096) fail("HW-GRAPHML-KEY", "more than 4096 keys", "fewer");
    keys_.push_back(std::move(key));
    key_depth_ = depth_;
  }

  Key& find_key(std::string_view id) {
    const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.id == id; });
    if (found == keys_.end())
      fail("HW-GRAPHML-KEY", "data of the key '" + std::string(id.substr(0, 64)) + "'",
           "a <key> with this id before the graph");
    return *found;
  }

  void start_edge(const char** attributes) {
    if (!in_graph_) fail("HW-GRAPHML-SYNTAX", "an <edge> outside of <graph>", "<graph> around it");
    if (in_edge_) fail("HW-GRAPHML-SYNTAX", "an <edge> in an <edge>", "one after the other");
    if (attribute(attributes, "sourceport") || attribute(attributes, "targetport"))
      fail("HW-NODES-KIND", "an edge between ports", "nodes, and edges of two ends");
    const Spot here = spot();
    const VertexId source = names_.end_of_edge(needed(attributes, "source", "edge"), here);
    const VertexId target = names_.end_of_edge(needed(attributes, "target", "edge"), here);
    const char* const says = attribute(attributes, "directed");
    const bool yes = says && (std::strcmp(says, "true") == 0 || std::strcmp(says, "1") == 0);
    if (says && !yes && std::strcmp(says, "false") != 0 && std::strcmp(says, "0") != 0)
      fail("HW-GRAPHML-SYNTAX", std::string("directed=\"") + std::string(says).substr(0, 64) + "\"", "true or false");
    rows_.begin(source, target, says ? std::optional(yes) : std::nullopt, here);
    in_edge_ = depth_;
    for (Key& key : keys_) key.given = false;
  }

  void end(const char* qualified) {
    const std::string_view name = local(qualified);
    if (inside_data_) {
      if (inside_data_ == depth_) {
        inside_data_ = 0;
        collect_ = false;
        if (data_) {
          data_->given = true;
          rows_.value(data_->name, value_, spot());
        }
      }
    } else if (name == "default" && collect_) {
      keys_.back().value = value_;
      collect_ = false;
    } else if (in_edge_ == depth_) {
      in_edge_ = 0;
      for (const Key& key : keys_)
        if (key.of_edges && key.value && !key.given) rows_.value(key.name, *key.value, spot());
      rows_.end();
    } else if (name == "graph") {
      in_graph_ = false;
    }
    --depth_;
  }

  void text(std::string_view piece) {
    if (collect_ && value_.size() <= longest_value) value_ += piece;
  }

  Input& input_;
  VertexNames names_;
  EdgeRows rows_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::exception_ptr fault_;
  std::size_t quiet_ = 0;  // bytes since something was reported
  std::size_t depth_ = 0, key_depth_ = 0;
  std::size_t inside_data_ = 0, in_edge_ = 0;  // the depth of that element; 0: none
  bool has_graph_ = false, in_graph_ = false, directed_ = true, collect_ = false;
  std::vector<Key> keys_;
  Key* data_ = nullptr;
  std::string value_;
};

EdgeList read_graphml(Input& input) { return GraphmlReader(input).read(); }

#else

EdgeList read_graphml(Input& input) {
  input.fail_file("HW-GRAPHML-UNSUPPORTED", "GraphML, which this build cannot read", "",
                  "build with the Expat library (libexpat1-dev), or convert it, for example to GML");
}

#endif

Match sniff_graphml(std::string_view head, bool, const Input&) {
  const std::string_view root = xml_root(head);
  return root == "graphml" || root.ends_with(":graphml") ? Match::certain : Match::no;
}

/// As the value of an attribute, of which every character comes back.
void put_xml(Lines& lines, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        lines.put("&amp;");
        break;
      case '<':
        lines.put("&lt;");
        break;
      case '>':
        lines.put("&gt;");
        break;
      case '"':
        lines.put("&quot;");
        break;
      case '\n':
      case '\r':
      case '\t':
        lines.put("&#").integer(static_cast<int>(c)).put(';');
        break;
      default:
        lines.put(c);
    }
  }
}

void write_graphml(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  if (weights) need_finite_weights(graph, "GraphML");
  need_names(graph, "GraphML",
             [](char32_t c) { return c >= 0x20 ? c != 0xFFFE && c != 0xFFFF : c == '\n' || c == '\r' || c == '\t'; });
  static constexpr const char* types[] = {"int", "long", "float", "double"};
  Lines head;
  head.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  if (weights)
    head.put("<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"")
        .put(types[static_cast<int>(graph.out().weights.type())])
        .put("\"/>\n");
  head.put(graph.directed() ? "<graph edgedefault=\"directed\">\n" : "<graph edgedefault=\"undirected\">\n");
  out.write(head.text());
  const auto put_id = [&](Lines& lines, const char* before, VertexId v) { put_xml(lines.put(before), graph.ids().name(v)); };
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v) {
      put_id(lines, "<node id=\"", static_cast<VertexId>(v));
      lines.put("\"/>\n");
    }
  });
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_edge(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      put_id(lines, "<edge source=\"", u);
      put_id(lines, "\" target=\"", v);
      weights ? lines.put("\"><data key=\"weight\">").weight(graph.out().weights, i).put("</data></edge>\n")
              : lines.put("\"/>\n");
    });
  });
  out.write("</graph>\n</graphml>\n");
}

}  // namespace

const Format& graphml_format() {
  static const Format format{
      {"graphml", "GraphML: nodes and edges as XML, as NetworkX, igraph, Gephi and yEd write it", "graphml"},
      sniff_graphml,
      read_graphml,
      write_graphml,
      {.weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io

// JSON graphs of nodes and links: node-link data as NetworkX and D3 have it, and Cytoscape's elements. Read as a stream.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "hopwave/error.h"
#include "io/edge_rows.h"
#include "io/format.h"
#include "io/letters.h"
#include "io/names_text.h"
#include "io/recognise.h"

namespace hopwave::io {
namespace {

constexpr std::size_t deepest_value = 100;
constexpr std::size_t longest_piece = std::size_t{8} << 20;  // of JSON without a value or key

[[noreturn]] void refuse_json(const Input& input, const char* what, const char* hint) {
  input.fail_file("HW-FORMAT-KNOWN", what, "a format that is read here", hint);
}
constexpr const char* forget_ids_hint =
    "if links count nodes from 0, or name them by their \"name\": jq 'del(.nodes[].id)' FILE > NEW";
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
  JsonCharacters(TextCursor& text, const std::uint64_t& last_event) : text_(&text), last_event_(&last_event) {}
  char operator*() const { return static_cast<char>(text_->peek()); }
  JsonCharacters& operator++() {
    text_->skip();
    if (text_->byte() - *last_event_ > longest_piece)
      text_->fail("HW-JSON-SYNTAX", "more than 8 MiB of JSON without a key or value", "a graph");
    return *this;
  }
  bool operator==(const JsonCharacters& other) const { return ended() == other.ended(); }

 private:
  [[nodiscard]] bool ended() const { return !text_ || text_->peek() == TextCursor::end; }
  TextCursor* text_ = nullptr;
  const std::uint64_t* last_event_ = nullptr;
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
    nlohmann::json::sax_parse(JsonCharacters(text_, last_event_), JsonCharacters(), this);
    if (!has_nodes_ || (!has_edges_ && shape_.first)) refuse_shape();
    if (!has_edges_) fail_at(input_, {}, "HW-JSON-SHAPE", "nodes and no links", "an array \"edges\" or \"links\" of objects");
    EdgeList list;
    const bool directed = settle_direction(list.report);
    const Ends ends = settle_ends(list.report);
    rows_.finish(directed, list);
    auto names = names_.take(list, ids_.texts || ids_.numbers ? forget_ids_hint : "");
    if (ends != Ends::ids) restore_order(names, list);
    if (ends == Ends::places && !nameless_.empty()) {
      std::vector<std::optional<std::string>> labels(names.size());
      for (std::size_t v = 0; v < nameless_.size(); ++v) labels[v] = std::move(nameless_[v].name);
      set_labels(std::move(names), std::move(labels), "name", list);
    } else {
      set_names(std::move(names), !cytoscape_ && (ids_.texts || ends_.texts || (ends == Ends::names && names_are_.texts)),
                list);
    }
    list.report.format = "json";
    list.report.details += cytoscape_             ? ", Cytoscape"
                           : ends == Ends::places ? ", D3, nodes by index"
                           : ends == Ends::names  ? ", D3, nodes by name"
                                                  : ", node-link data";
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
    last_event_ = text_.byte();
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
      name_.reset();
      second_name_ = false;
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
      if (has_attributes(parent)) {
        part = Part::attributes;
        add_value("{…}");
        prefixes_.push_back(prefix() + key_ + ".");
      }
    }
    return open(part);
  }

  bool end_object() {
    const Part part = top();
    if (part == Part::node) end_node();
    if (part == Part::edge) end_edge();
    if (part == Part::attributes) prefixes_.pop_back();
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
      if (has_attributes(top())) add_value("[…]");
    }
    return open(part);
  }
  bool end_array() {
    if (top() == Part::nodes) check_ids();
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
  enum class Part { none, root, graph, elements, nodes, node, node_data, edges, edge, edge_data, attributes, other };
  /// What links name nodes by.
  enum class Ends { ids, places, names };
  struct Kinds {
    bool texts = false, numbers = false;
    void add(Kind kind) { (kind == Kind::string ? texts : numbers) = true; }
  };
  struct Id {
    std::string text;
    Kind kind;
  };

  [[nodiscard]] Part top() const { return open_.empty() ? Part::none : open_.back(); }
  [[nodiscard]] Spot here() const { return text_.spot(); }
  [[noreturn]] void fail(const char* id, const std::string& found, const std::string& expected,
                         const std::string& hint = "") const {
    fail_at(input_, here(), id, found, expected, hint);
  }

  bool open(Part part) {
    last_event_ = text_.byte();
    if (open_.size() >= deepest_value)
      fail("HW-NODES-DEEP", "values within values, more than " + std::to_string(deepest_value) + " deep", "a graph");
    open_.push_back(part);
    key_.clear();
    return true;
  }
  bool close() {
    last_event_ = text_.byte();
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
    last_event_ = text_.byte();
    switch (top()) {
      case Part::none:
        refuse_json(input_, "JSON that is no object", use_node_link);
      case Part::root:
        root_value(text, kind);
        break;
      case Part::graph:
        graph_states_direction_ = graph_states_direction_ || (key_ == "directed" && kind == Kind::boolean);
        break;
      case Part::nodes:
      case Part::edges:
        refuse_element("a single value");
      case Part::node:
      case Part::node_data:
        node_value(text, kind);
        break;
      case Part::edge:
      case Part::edge_data:
      case Part::attributes:
        edge_value(text, kind);
        break;
      default:
        break;
    }
    return true;
  }

  void root_value(const std::string& text, Kind kind) {
    const std::string name = small_letters(key_);
    if (name != "directed" && name != "undirected") return;
    if (key_ != name) fail("HW-JSON-SHAPE", "\"" + key_ + "\"", "\"" + name + "\", in small letters");
    if (kind != Kind::boolean) fail("HW-JSON-SHAPE", "\"" + key_ + "\" that is neither true nor false", "true or false");
    state(directed_, text);
  }

  /// "directed" or "undirected": true or false.
  void state(std::optional<bool>& directed, const std::string& text) {
    const bool says = (text == "true") == (key_ == "directed");
    if (directed.value_or(says) != says)
      fail("HW-JSON-SHAPE", "\"" + key_ + "\": " + text + " after the opposite", "one direction");
    directed = says;
  }

  void node_value(const std::string& text, Kind kind) {
    if (key_ == "id" && !(cytoscape_ && top() == Part::node)) {
      set_end(id_, text, kind, "node");
      ids_.add(kind);
    }
    if (key_ != "name" || (kind != Kind::string && kind != Kind::number)) return;
    second_name_ = name_.has_value();
    name_ = Id{kind == Kind::number ? plain_number(text) : text, kind};
  }

  /// A number or a text as the id of a vertex.
  void set_end(std::optional<Id>& id, const std::string& text, Kind kind, const char* of) {
    if (kind == Kind::null || kind == Kind::boolean)
      fail("HW-NODES-ID", kind == Kind::null ? "null as an id" : text + " as an id", "a number or a text");
    if (id) fail("HW-NODES-TWICE", "a second \"" + key_ + "\" of the same " + of, "one");
    id = Id{kind == Kind::number ? plain_number(text) : text, kind};
    if (kind == Kind::string || text.find_first_of(".eE") == std::string::npos) return;
    std::string& first = id->text.find_first_of(".e") == std::string::npos ? whole_ : fraction_;
    if (first.empty()) first = text;
  }

  [[nodiscard]] bool has_attributes(Part part) const {
    return part == Part::attributes || part == Part::edge_data || (part == Part::edge && !cytoscape_);
  }
  [[nodiscard]] std::string prefix() const { return prefixes_.empty() ? "" : prefixes_.back(); }
  /// Objects of an edge are attributes, too: "attributes.weight".
  void add_value(const std::string& text) { values_.push_back({prefix() + key_, text, here()}); }

  void edge_value(const std::string& text, Kind kind) {
    if (!has_attributes(top())) return;
    const bool of_edge = top() != Part::attributes;
    if (of_edge && key_ == "source") {
      set_end(source_, text, kind, "edge");
      ends_.add(kind);
    } else if (of_edge && key_ == "target") {
      set_end(target_, text, kind, "edge");
      ends_.add(kind);
    } else if (of_edge && (key_ == "directed" || key_ == "undirected") && kind == Kind::boolean) {
      state(direction_, text);
    } else if (kind != Kind::null) {
      add_value(text);
    }
  }

  /// 1 and "1" are two ids in JSON, and cannot both be in a graph.
  VertexId same_kind(VertexId v, const Id& id, bool end) {
    if (cytoscape_) return v;
    if (v >= kinds_.size()) kinds_.push_back(id.kind);
    if (kinds_[v] == id.kind) return v;
    std::string hint;
    if (end && ends_.texts != ends_.numbers)
      hint = std::string("if links name ids: jq '.nodes[].id |= ") + (ends_.texts ? "tostring" : "tonumber") +
             "' FILE > NEW; " + forget_ids_hint;
    fail_at(input_, element_, "HW-NODES-ID", "the number " + id.text + " and the text \"" + id.text + "\" as ids",
            "ids that are all numbers, or all texts", hint);
  }

  void end_node() {
    ++nodes_;
    if (id_) {
      if (const auto v = names_.find(id_->text); v && ids_.texts + ids_.numbers + ends_.texts + ends_.numbers > 1)
        same_kind(*v, *id_, !names_.is_declared(*v));
      order_.push_back(names_.declare(id_->text, element_));
      same_kind(order_.back(), *id_, false);
      return;
    }
    if (second_name_) fail_at(input_, element_, "HW-NODES-TWICE", "a second \"name\" of the same node", "one");
    if (name_) names_are_.add(name_->kind);
    nameless_.push_back({name_ ? std::optional(std::move(name_->text)) : std::nullopt, element_});
  }

  void end_edge() {
    if (!source_ || !target_)
      fail_at(input_, element_, "HW-NODES-ID", source_ ? "an edge without \"target\"" : "an edge without \"source\"",
              "an object with \"source\" and \"target\"");
    const VertexId u = same_kind(names_.end_of_edge(source_->text, element_), *source_, true);
    const VertexId v = same_kind(names_.end_of_edge(target_->text, element_), *target_, true);
    linked_.resize(std::max<std::size_t>(linked_.size(), std::max(u, v) + 1));
    linked_[u] = linked_[v] = true;
    rows_.begin(u, v, direction_, element_);
    for (const Value& value : values_) rows_.value(value.key, value.text, value.spot);
    rows_.end();
  }

  /// Every node has an id, or none has.
  void check_ids() {
    if (!nameless_.empty() && (nameless_.size() != nodes_ || cytoscape_))
      fail_at(input_, nameless_[0].spot, "HW-NODES-ID", "a node without \"id\"", "an id at every node");
  }

  bool settle_direction(ReadReport& report) {
    if (directed_) return *directed_;
    const bool asked = input_.options().directed || input_.options().undirected;
    if (!asked)
      report.notes.push_back(std::string(graph_states_direction_
                                             ? "\"directed\" within \"graph\" is not read, and the file itself does not say "
                                             : "the file does not say ") +
                             "whether edges are directed: taken as undirected, as NetworkX does (--directed)");
    return input_.options().directed;
  }

  /// Declares nodes without an id, as D3 has them: links count them from 0, or name them by their "name". Links of D3 count
  /// nodes with ids, too.
  Ends settle_ends(ReadReport& report) {
    if (!whole_.empty()) report.notes.push_back("ids such as " + whole_ + " are taken as whole numbers");
    if (!fraction_.empty())
      report.notes.push_back("ids such as " + fraction_ + " are numbers that are not whole: all ids are taken as texts");
    if (nameless_.empty()) return settle_places(report);
    const bool places = are_places(nameless_.size()), names = !names_.size() || are_names();
    if (places && names && !same_either_way())
      fail_at(input_, nameless_[0].spot, "HW-NODES-ID", "links whose ends are names of nodes, and places in their list, too",
              "nodes with an \"id\"",
              "if links use names: jq '.nodes[] |= (.id = .name)' FILE > NEW; if they count nodes from 0: jq "
              "'del(.nodes[].name)' FILE > NEW");
    const bool by_place = places || (!names && !ends_.texts);
    if (!by_place) {
      const auto bare = std::find_if(nameless_.begin(), nameless_.end(), [](const Nameless& node) { return !node.name; });
      if (bare != nameless_.end())
        fail_at(input_, bare->spot, "HW-NODES-ID", "a node without \"id\" and \"name\", where links name nodes by texts",
                "an id at every node", "if it is called KEY: jq '.nodes[] |= (.id = .KEY)' FILE > NEW");
    }
    for (std::size_t i = 0; i < nameless_.size(); ++i)
      order_.push_back(names_.declare(by_place ? std::to_string(i) : *nameless_[i].name, nameless_[i].spot));
    if (rows_.size())
      report.notes.emplace_back(by_place ? "nodes have no id: links count them from 0, as in D3"
                                         : "nodes have no id: links name them by their \"name\"");
    return by_place ? Ends::places : Ends::names;
  }

  /// Nodes have ids, and links may count the nodes all the same: surely where ids are texts and links have numbers, and where
  /// some number is no id and all are places. Numbers that are both are ids, as in NetworkX.
  Ends settle_places(ReadReport& report) {
    if (cytoscape_ || ids_.texts == ids_.numbers || ends_.texts || !ends_.numbers) return Ends::ids;
    std::vector<std::optional<VertexId>> places(names_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (const auto v = names_.find(std::to_string(i))) places[*v] = static_cast<VertexId>(i);
    linked_.resize(places.size());
    bool same = true;
    for (VertexId v = 0; v < places.size(); ++v) {
      if (!linked_[v]) continue;
      if (!places[v]) return Ends::ids;
      same = same && order_[*places[v]] == v;
    }
    if (places.size() == order_.size()) {
      if (!same)
        report.notes.emplace_back(
            "links name nodes by their id; counting the nodes from 0, as D3 does, would be another graph");
      return Ends::ids;
    }
    number_.resize(places.size());
    for (VertexId v = 0; v < places.size(); ++v)
      if (linked_[v]) number_[v] = *places[v], names_.accept(v);
    report.notes.emplace_back(ids_.texts ? "ids are texts and links have numbers: they count nodes from 0, as in D3"
                                         : "links have numbers that are no ids, and all are places of nodes: they count nodes "
                                           "from 0, as in D3");
    return Ends::places;
  }

  /// Is every end of a link the place of a node, from 0 on?
  [[nodiscard]] bool are_places(std::size_t count) const {
    if (ends_.texts) return false;
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) found += names_.find(std::to_string(i)).has_value();
    return found == names_.size();
  }
  /// Is every end of a link the name of one node?
  [[nodiscard]] bool are_names() const {
    std::unordered_set<std::string_view> names;
    std::size_t found = 0;
    for (const Nameless& node : nameless_) {
      if (!node.name || !names.insert(*node.name).second) return false;
      found += names_.find(*node.name).has_value();
    }
    return found == names_.size();
  }
  [[nodiscard]] bool same_either_way() const {
    for (std::size_t i = 0; i < nameless_.size(); ++i)
      if (const std::string place = std::to_string(i); names_.find(place) && nameless_[i].name != place) return false;
    return true;
  }

  /// Nodes in the order of the file, and then those that only edges name. Places have their numbers already.
  void restore_order(std::vector<std::string>& names, EdgeList& list) {
    const bool places = !number_.empty();
    number_.resize(names.size());
    std::vector<bool> placed(names.size(), places);
    std::vector<std::string> ordered;
    const auto place = [&](VertexId v) {
      if (!places) number_[v] = static_cast<VertexId>(ordered.size());
      placed[v] = true;
      ordered.push_back(std::move(names[v]));
    };
    for (const VertexId v : order_) place(v);
    for (VertexId v = 0; v < names.size(); ++v)
      if (!placed[v]) place(v);
    for (Edge& e : list.edges) e = {number_[e.source], number_[e.target]};
    names = std::move(ordered);
  }

  struct Value {
    std::string key, text;
    Spot spot;
  };
  struct Nameless {
    std::optional<std::string> name;
    Spot spot;
  };
  Input& input_;
  TextCursor text_;
  VertexNames names_;
  EdgeRows rows_;
  std::vector<Part> open_;
  std::string key_;
  std::vector<std::string> prefixes_;  // of the objects of an edge that are open
  std::uint64_t last_event_ = 0;       // bytes before the last event
  std::optional<bool> directed_, direction_;
  std::optional<Id> id_, name_, source_, target_;
  std::vector<Nameless> nameless_;  // nodes without id
  std::vector<VertexId> order_;     // nodes, by their place in the file
  std::vector<bool> linked_;        // is a vertex the end of a link?
  std::vector<VertexId> number_;    // the node that a vertex is, where links have two ways to name nodes
  std::vector<Kind> kinds_;         // by vertex
  std::vector<Value> values_;
  Spot element_;
  std::pair<const char*, const char*> shape_{nullptr, nullptr};
  std::uint64_t nodes_ = 0;
  Kinds ids_, ends_, names_are_;
  std::string whole_, fraction_;  // the first number with a point that is an id
  bool has_nodes_ = false, has_edges_ = false, cytoscape_ = false, json_graph_ = false, second_name_ = false;
  bool graph_states_direction_ = false;
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
  EdgeIndex first = graph.num_arcs();  // the edge before which there is no comma
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

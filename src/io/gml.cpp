// GML: keys and values as text, "graph [ node [ id 1 label "a" ] edge [ source 1 target 2 weight 3 ] ]".
// M. Himsolt: GML, a portable graph file format. Passau, 1997.
#include <algorithm>
#include <cctype>

#include "io/edge_rows.h"
#include "io/format.h"
#include "io/names_text.h"
#include "io/recognise.h"

namespace hopwave::io {
namespace {

constexpr std::size_t deepest_list = 100;
constexpr std::size_t longest_word = std::size_t{1} << 20;

bool is_key_character(int c) { return c >= 0 && (std::isalnum(c) || c == '_'); }

/// The character that a name means in a GML string (without & and ;). Nothing for names of other characters.
std::optional<char32_t> character_of(std::string_view name) {
  if (name == "quot") return U'"';
  if (name == "amp") return U'&';
  if (name == "lt") return U'<';
  if (name == "gt") return U'>';
  if (name == "apos") return U'\'';
  if (name.size() < 2 || name[0] != '#') return std::nullopt;
  const bool hexadecimal = name[1] == 'x' || name[1] == 'X';
  char32_t value = 0;
  for (const char c : name.substr(hexadecimal ? 2 : 1)) {
    const bool fits = hexadecimal ? std::isxdigit(static_cast<unsigned char>(c)) : std::isdigit(static_cast<unsigned char>(c));
    if (!fits || value > 0x10FFFF) return std::nullopt;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * (hexadecimal ? 16 : 10) + static_cast<char32_t>(digit);
  }
  return value <= 0x10FFFF && !(value >= 0xD800 && value < 0xE000) ? std::optional(value) : std::nullopt;
}

std::string without_entities(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
    const auto c =
        end != std::string_view::npos && end - i <= 10 ? character_of(text.substr(i + 1, end - i - 1)) : std::nullopt;
    if (c)
      put_character(out, *c), i = end;
    else
      out += text[i];
  }
  return out;
}

class GmlReader {
 public:
  explicit GmlReader(Input& input) : input_(input), text_(input), names_(input), rows_(input) {}

  EdgeList read() {
    bool graph = false;
    for (Spot at; auto key = next_key(at);) {
      const bool here = is(*key, "graph") && next_is_list();
      if (here && graph)
        fail_at(input_, at, "HW-NODES-KIND", "a second graph", "one graph", "write each graph to a file of its own");
      graph = graph || here;
      here ? read_graph() : pass_over();
    }
    if (!graph) text_.fail("HW-GML-SYNTAX", "no graph", "graph [ … ]");
    EdgeList list;
    if (!other_case_.empty())
      list.report.notes.push_back("keys are in small letters in GML: " + other_case_ + " was read as if it were");
    rows_.finish(directed_.value_or(false), list);
    auto names = names_.take(list);
    set_labels(std::move(names), std::move(labels_), "label", list);
    list.report.format = "gml";
    return list;
  }

 private:
  /// Blanks and comments.
  int next_character() {
    for (;;) {
      const int c = text_.peek();
      if (c == '#') {
        while (text_.peek() != TextCursor::end && text_.peek() != '\n') text_.skip();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        text_.skip();
      } else {
        return c;
      }
    }
  }
  bool next_is_list() { return next_character() == '['; }

  /// The next key of a list; nothing at its end, which is passed over, or at the end of the file outside of all lists.
  std::optional<std::string> next_key(Spot& at) {
    const int c = next_character();
    at = text_.spot();
    if (depth_ == 0 && c == TextCursor::end) return std::nullopt;
    if (depth_ > 0 && c == ']') {
      text_.skip();
      --depth_;
      return std::nullopt;
    }
    std::string key;
    while (is_key_character(text_.peek()) && key.size() < longest_word) key += static_cast<char>(text_.take());
    refuse_long(key, at);
    if (key.empty() || std::isdigit(static_cast<unsigned char>(key[0])))
      fail_at(input_, at, "HW-GML-SYNTAX", key.empty() ? text_.quote() : "'" + key.substr(0, 64) + "'",
              depth_ ? "a key (a word), or ]" : "a key (a word)", c == TextCursor::end ? "the file may be cut off" : "");
    return key;
  }

  void refuse_long(const std::string& word, const Spot& at) const {
    if (word.size() >= longest_word) fail_at(input_, at, "HW-GML-SYNTAX", "a word of more than 1 MiB", "shorter ones");
  }

  /// What comes next is [.
  void open_list() {
    if (depth_ >= deepest_list)
      text_.fail("HW-NODES-DEEP", "lists in lists, more than " + std::to_string(deepest_list) + " deep", "a graph");
    text_.skip();
    ++depth_;
  }

  /// A number or the text of a string. `string`: it is one.
  std::string value(bool& string) {
    const int c = next_character();
    const Spot at = text_.spot();
    std::string out;
    string = c == '"';
    if (string) {
      text_.skip();
      while (text_.peek() != '"') {
        const int next = text_.peek();
        if (next == TextCursor::end) fail_at(input_, at, "HW-GML-SYNTAX", "a text that does not end", "a closing \"");
        if (next == 0) text_.fail("HW-TEXT-NUL", "a NUL byte", "text");
        if (out.size() >= longest_word) fail_at(input_, at, "HW-GML-SYNTAX", "a text of more than 1 MiB", "shorter ones");
        out += static_cast<char>(text_.take());
      }
      text_.skip();
      return without_entities(out);
    }
    while (text_.peek() > ' ' && text_.peek() != '[' && text_.peek() != ']' && text_.peek() != '"' && out.size() < longest_word)
      out += static_cast<char>(text_.take());
    refuse_long(out, at);
    if (out.empty() || !(std::isdigit(static_cast<unsigned char>(out[0])) || out[0] == '-' || out[0] == '+' || out[0] == '.' ||
                         std::isalpha(static_cast<unsigned char>(out[0]))))
      fail_at(input_, at, "HW-GML-SYNTAX", out.empty() ? text_.quote() : "'" + out.substr(0, 64) + "'",
              "a value: a number, \"a text\" or [ … ]", c == TextCursor::end ? "the file may be cut off" : "");
    return out;
  }

  /// The value of a key that does not matter, whatever it is.
  void pass_over() {
    bool string = false;
    if (!next_is_list()) {
      (void)value(string);
      return;
    }
    const std::size_t outside = depth_;
    open_list();
    for (Spot at; depth_ > outside;)
      if (next_key(at)) next_is_list() ? open_list() : (void)value(string);
  }

  void read_graph() {
    open_list();
    for (Spot at; auto key = next_key(at);) {
      if (is(*key, "node") && next_is_list()) {
        read_node(at);
      } else if (is(*key, "edge") && next_is_list()) {
        read_edge(at);
      } else if (is(*key, "directed") && !next_is_list()) {
        bool string = false;
        const std::string says = value(string);
        if (says != "0" && says != "1")
          fail_at(input_, at, "HW-GML-SYNTAX", "directed " + says.substr(0, 64), "directed 0 or directed 1");
        if (directed_) fail_at(input_, at, "HW-NODES-TWICE", "a second '" + *key + "' of the same graph", "one");
        directed_ = says == "1";
      } else {
        pass_over();
      }
    }
  }

  static bool is_in_other_case(std::string_view key, std::string_view name) {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == b; };
    return key != name && std::equal(key.begin(), key.end(), name.begin(), name.end(), same);
  }
  void note_case(const std::string& key) {
    if (other_case_.empty()) other_case_ = key;
  }
  /// Is it this key, which some write in another case?
  bool is(const std::string& key, std::string_view name) {
    const bool other = is_in_other_case(key, name);
    if (other) note_case(key);
    return other || key == name;
  }

  /// A value of a node or an edge. One in another case counts only where there is none in small letters.
  struct Field {
    const char* name;
    const char* of;
    std::optional<std::string> text = {};
    std::string key = {};
  };
  /// False: the key is another.
  bool set(Field& field, const std::string& key, const Spot& at, const std::string& text) {
    if (key != field.name && !is_in_other_case(key, field.name)) return false;
    if (field.text && key == field.key)
      fail_at(input_, at, "HW-NODES-TWICE", "a second '" + key + "' of the same " + field.of, "one");
    if (!field.text || key == field.name) field.text = text, field.key = key;
    return true;
  }
  std::optional<std::string> take(Field& field) {
    if (field.text && field.key != field.name) note_case(field.key);
    return std::move(field.text);
  }

  void read_node(const Spot& at) {
    Field id_field{"id", "node"}, label_field{"label", "node"};
    open_list();
    for (Spot here; auto key = next_key(here);) {
      if (next_is_list()) {
        if (*key == "graph" || *key == "node" || *key == "edge")
          fail_at(input_, here, "HW-NODES-KIND", "a " + *key + " in a node", "nodes without others in them");
        pass_over();
        continue;
      }
      bool string = false;
      const std::string text = value(string);
      if (!set(id_field, *key, here, string ? text : plain_number(text))) set(label_field, *key, here, text);
    }
    const auto id = take(id_field);
    auto label = take(label_field);
    if (!id) fail_at(input_, at, "HW-NODES-ID", "a node without an id", "id NUMBER");
    const VertexId v = names_.declare(*id, at);
    if (!label) return;
    if (labels_.size() <= v) labels_.resize(v + 1ull);
    labels_[v] = std::move(label);
  }

  void read_edge(const Spot& at) {
    Field source_field{"source", "edge"}, target_field{"target", "edge"};
    values_.clear();
    open_list();
    for (Spot here; auto key = next_key(here);) {
      const bool list = next_is_list();
      const Spot place = text_.spot();
      bool string = false;
      if (list) pass_over();
      const std::string text = list ? "[…]" : value(string);
      const std::string end = string ? text : plain_number(text);
      if (list || (!set(source_field, *key, here, end) && !set(target_field, *key, here, end)))
        values_.push_back({std::move(*key), text, place});
    }
    const auto source = take(source_field), target = take(target_field);
    if (!source || !target)
      fail_at(input_, at, "HW-NODES-ID", source ? "an edge without target" : "an edge without source",
              "source ID and target ID");
    const VertexId u = names_.end_of_edge(*source, at), v = names_.end_of_edge(*target, at);
    rows_.begin(u, v, std::nullopt, at);
    for (const Value& value : values_) rows_.value(value.key, value.text, value.spot);
    rows_.end();
  }

  struct Value {
    std::string key, text;
    Spot spot;
  };
  Input& input_;
  TextCursor text_;
  VertexNames names_;
  EdgeRows rows_;
  std::vector<std::optional<std::string>> labels_;  // by vertex
  std::vector<Value> values_;
  std::size_t depth_ = 0;  // open lists
  std::optional<bool> directed_;
  std::string other_case_;  // the first key that is not in small letters
};

EdgeList read_gml_file(Input& input) { return GmlReader(input).read(); }

/// "graph [" as the first key, or after others and their values.
Match sniff_gml(std::string_view head, bool, const Input&) {
  for (std::string_view rest = from_first_word(head); !rest.empty(); rest = from_first_word(rest)) {
    if (rest[0] == '#') {
      rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
      continue;
    }
    std::size_t end = 0;
    while (end < rest.size() && is_key_character(static_cast<unsigned char>(rest[end]))) ++end;
    const std::string_view key = rest.substr(0, end);
    if (key.empty() || std::isdigit(static_cast<unsigned char>(key[0]))) return Match::no;
    const std::string_view behind = from_first_word(rest.substr(end));
    if (behind.size() == rest.size() - end && !behind.starts_with('[')) return Match::no;  // no blank
    if (key == "graph") return behind.starts_with('[') ? Match::certain : Match::no;
    // "Creator "yFiles"", "Version 2.2": nothing else comes before a graph.
    if (behind.starts_with('"')) {
      const std::size_t close = behind.find('"', 1);
      if (close == std::string_view::npos) return Match::no;
      rest = behind.substr(close + 1);
    } else {
      rest = behind.substr(std::min(behind.find_first_of(" \t\r\n"), behind.size()));
    }
    if (key != "Creator" && key != "Version" && key != "comment" && key != "Comment" && key != "creator" && key != "version")
      return Match::no;
  }
  return Match::no;
}

/// A text, of which every character comes back; in ASCII, as the format has it.
void put_text(Lines& lines, std::string_view text) {
  while (!text.empty()) {
    const char32_t c = take_character(text).value_or(U'?');
    if (c == U'"')
      lines.put("&quot;");
    else if (c == U'&')
      lines.put("&amp;");
    else if (c < 0x20 || c > 0x7E)
      lines.put("&#").integer(static_cast<std::uint32_t>(c)).put(';');
    else
      lines.put(static_cast<char>(c));
  }
}

/// Real numbers have a point in GML.
std::string gml_number(std::string text) {
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

void write_gml(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  if (weights) need_finite_weights(graph, "GML");
  need_names(graph, "GML", [](char32_t c) { return c != 0; });
  out.write(graph.directed() ? "graph [\n  directed 1\n" : "graph [\n  directed 0\n");
  if (is_multigraph(graph)) out.write("  multigraph 1\n");
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v) {
      lines.put("  node [ id ").integer(v).put(" label \"");
      put_text(lines, graph.ids().name(static_cast<VertexId>(v)));
      lines.put("\" ]\n");
    }
  });
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_edge(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      lines.put("  edge [ source ").integer(u).put(" target ").integer(v);
      if (weights) lines.put(" weight ").put(gml_number(graph.out().weights.text(i)));
      lines.put(" ]\n");
    });
  });
  out.write("]\n");
}

}  // namespace

const Format& gml_format() {
  static const Format format{{"gml", "GML: keys and values, as NetworkX, igraph and Gephi write it; called by labels", "gml"},
                             sniff_gml,
                             read_gml_file,
                             write_gml,
                             {.weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io

#include "io/recognise.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "hopwave/error.h"
#include "io/letters.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

using namespace std::literals;

struct Magic {
  std::string_view bytes;
  const char* name;
  const char* hint;
};

constexpr const char* with_pandas =
    "write its rows as CSV, for example with pandas: DataFrame.to_csv('graph.csv', index=False)";
constexpr const char* from_matlab =
    "in MATLAB: [i, j, w] = find(A); writematrix([i j w], 'graph.csv'); in Python: scipy.io.mmwrite('graph.mtx', A)";

const std::array<Magic, 8> packings = {{
    {"\xFD"
     "7zXZ\0"sv,
     "data packed with xz", "unpack it first: xz -d FILE, or xz -dc FILE | hopwave … -"},
    {"BZh"sv, "data packed with bzip2", "unpack it first: bzip2 -d FILE, or bzip2 -dc FILE | hopwave … -"},
    {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", "unpack it first: 7z x FILE"},
    {"Rar!\x1A\x07"sv, "a RAR archive", "unpack it first: unrar x FILE"},
    {"\x04\x22\x4D\x18"sv, "data packed with lz4", "unpack it first: lz4 -d FILE"},
    {"\x5D\0\0\x80\0\xFF\xFF"sv, "data packed with lzma", "unpack it first: xz -d FILE"},
    {"\x5D\0\0\0\x01\xFF\xFF"sv, "data packed with lzma", "unpack it first: xz -d FILE"},
    {"LZIP"sv, "data packed with lzip", "unpack it first: lzip -d FILE"},
}};

const std::array<Magic, 23> magics = {{
    {"MATLAB 5.0 MAT-file"sv, "a .mat file (MATLAB)", from_matlab},
    {"MATLAB 7.3 MAT-file"sv, "a .mat file (MATLAB 7.3, HDF5)", from_matlab},
    {"\x89HDF\r\n\x1A\n"sv, "an HDF5 file", "write the edges in it as CSV or Matrix Market, for example with h5py or pandas"},
    {"PAR1"sv, "a Parquet file", with_pandas},
    {"ARROW1\0"sv, "an Arrow or Feather file", with_pandas},
    {"FEA1"sv, "a Feather file", with_pandas},
    {"ORC"sv, "an ORC file", with_pandas},
    {"Obj\x01"sv, "an Avro file", with_pandas},
    {"SQLite format 3\0"sv, "an SQLite database",
     "export the table of edges: sqlite3 -header -csv FILE 'SELECT source, target FROM edges' > graph.csv"},
    {"%PDF-"sv, "a PDF document", "the data is elsewhere: give the file with the edges"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an Excel or Office document", "save the sheet with the edges as CSV"},
    {"\x93NUMPY"sv, "a NumPy array (.npy)",
     "an adjacency matrix: scipy.sparse.save_npz('graph.npz', scipy.sparse.csr_array(A)); rows of edges: "
     "numpy.savetxt('graph.txt', A, '%d')"},
    {"\xE2\x9B\xBE gt"sv, "a .gt file (graph-tool)", "write it as GraphML: graph_tool.load_graph(FILE).save('graph.graphml')"},
    {"\x89PNG\r\n"sv, "a PNG picture", "give the file with the edges"},
    {"\xFF\xD8\xFF"sv, "a JPEG picture", "give the file with the edges"},
    {"\x7F"
     "ELF"sv,
     "a program", "give the file with the edges"},
    {"RDX"sv, "an .RData file (R)", "in R: write.csv(igraph::as_data_frame(g), 'graph.csv', row.names = FALSE)"},
    {"X\n\0\0\0"sv, "an .rds file (R)", "in R: write.csv(igraph::as_data_frame(g), 'graph.csv', row.names = FALSE)"},
    {"\x80\x03"sv, "a Python pickle", "in Python: networkx.write_graphml(G, 'graph.graphml')"},
    {"\x80\x04\x95"sv, "a Python pickle", "in Python: networkx.write_graphml(G, 'graph.graphml')"},
    {"\x80\x05\x95"sv, "a Python pickle", "in Python: networkx.write_graphml(G, 'graph.graphml')"},
    {"version https://git-lfs.github.com/"sv, "a pointer of Git LFS, not the file that it points to", "fetch it: git lfs pull"},
    {"nkbg00"sv, "a binary file of NetworKit",
     "write it as Matrix Market or METIS: networkit.writeGraph(G, 'graph.metis', Format.METIS)"},
}};

template <std::size_t N>
std::optional<Known> known_by_magic(const std::array<Magic, N>& table, std::string_view head) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) != 0; };
  for (const Magic& magic : table) {
    if (!head.starts_with(magic.bytes)) continue;
    // Letters alone may also begin a name in a row of text.
    const bool word = std::all_of(magic.bytes.begin(), magic.bytes.end(), letter);
    const std::string_view start = head.substr(0, 512);
    const bool binary = std::any_of(start.begin(), start.end(), [](unsigned char c) { return c < 9 || (c > 13 && c < 27); });
    if (!word || binary) return Known{magic.name, magic.hint};
  }
  return std::nullopt;
}

/// Its first 512 bytes hold their own sum, in octal digits: five letters alone may occur in any file.
bool is_tar(std::string_view head) {
  constexpr std::size_t header = 512, digits_at = 148, digits = 8, mark_at = 257;
  if (head.size() < header || !head.substr(mark_at).starts_with("ustar")) return false;
  unsigned sum = 0, stated = 0;
  for (std::size_t i = 0; i < header; ++i)
    sum += i >= digits_at && i < digits_at + digits ? ' ' : static_cast<unsigned char>(head[i]);
  for (const char c : head.substr(digits_at, digits))
    if (c >= '0' && c <= '7') stated = stated * 8 + static_cast<unsigned>(c - '0');
  return sum == stated;
}

constexpr const char* as_graphml = "networkx, igraph and Gephi write GraphML, which is read";
constexpr const char* export_graphml = "open it in Gephi and export it as GraphML";

std::optional<Known> known_xml(std::string_view head) {
  const std::string root = small_letters(xml_root(head));
  if (root.empty()) return std::nullopt;
  if (root == "!html" || root == "html")
    return Known{"a web page (HTML)", "the page has a link to the data: download the file itself"};
  const std::string name = root.substr(root.find(':') == std::string::npos ? 0 : root.find(':') + 1);
  if (name == "gexf")
    return Known{"GEXF (Gephi)", "write it as GraphML: networkx.write_graphml(networkx.read_gexf(FILE), 'graph.graphml')"};
  if (name == "rdf")
    return Known{"RDF (as XML)", "make N-Triples of it: rapper -o ntriples FILE; then keep subject and object"};
  if (name == "gxl") return Known{"GXL", "convert it with Graphviz: gxl2gv FILE | gv2gml > graph.gml"};
  if (name == "graph" && contains(head, "XGMML"))
    return Known{"XGMML (Cytoscape)", "export it from Cytoscape as CSV or Cytoscape JSON"};
  if (name == "dynamicnetwork") return Known{"DyNetML (ORA)", as_graphml};
  if (name == "osm")
    return Known{"OpenStreetMap's XML", "make a graph of it, for example osmnx.save_graphml(osmnx.graph_from_xml(FILE))"};
  if (name == "kml" || name == "gpx" || name == "svg") return Known{name + " (XML)", "give the file with the edges"};
  const bool surely =
      from_first_word(head).starts_with("<?") || from_first_word(head).starts_with("<!") || contains(head, "</");
  if (!surely) return std::nullopt;
  return Known{"XML whose first element is <" + std::string(xml_root(head)) + ">", as_graphml};
}

/// Passes over blanks and the comments that DOT has.
std::string_view without_dot_comments(std::string_view text) {
  for (;;) {
    text = from_first_word(text);
    if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else if (text.starts_with("//") || text.starts_with('#')) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else {
      return text;
    }
  }
}

/// The word at the begin of the text, in small letters, which is taken away.
std::string take_word(std::string_view& text) {
  std::size_t end = 0;
  if (text.starts_with('"')) {
    for (end = 1; end < text.size() && text[end] != '"'; ++end)
      if (text[end] == '\\') ++end;
    end = std::min(end + 1, text.size());
  } else {
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' ||
                                 static_cast<unsigned char>(text[end]) >= 0x80))
      ++end;
  }
  const std::string word = small_letters(text.substr(0, end));
  text.remove_prefix(end);
  return word;
}

std::optional<Known> known_language(std::string_view head) {
  std::string_view text = without_dot_comments(head);
  std::string word = take_word(text);
  if (word == "strict") text = without_dot_comments(text), word = take_word(text);
  if (word == "graph" || word == "digraph") {
    std::string_view rest = without_dot_comments(text);
    const std::string name = take_word(rest);
    if (without_dot_comments(rest).starts_with('{'))
      return Known{"DOT (Graphviz)", "convert it with Graphviz: gv2gml FILE > graph.gml"};
    if (word == "graph" && contains(head, "--") &&
        (name == "td" || name == "tb" || name == "bt" || name == "lr" || name == "rl"))
      return Known{"a Mermaid diagram", cut_arrows};
  }
  if (word == "flowchart" && contains(head, "--")) return Known{"a Mermaid diagram", cut_arrows};
  const std::string_view start = from_first_word(head);
  const std::string first = small_letters(start.substr(0, 64));
  if (first.starts_with("nodedef>") || first.starts_with("nodedef >")) return Known{"GDF (GUESS, Gephi)", export_graphml};
  if (first.starts_with("@startuml")) return Known{"a PlantUML diagram", cut_arrows};
  if (first.starts_with("(tlp ")) return Known{"TLP (Tulip)", "export it from Tulip as GML or CSV"};
  if (first.starts_with("leda.graph")) return Known{"a LEDA graph", as_graphml};
  if (first.starts_with("dl ") && (contains(first, "n=") || contains(first, "n =")))
    return Known{"DL (UCINET)", "open it in Gephi or UCINET and export it as GraphML or Pajek"};
  if (first.starts_with("@prefix") || first.starts_with("@base") || first.starts_with("base <") ||
      (first.starts_with("prefix ") && contains(first, ": <")))
    return Known{"Turtle (RDF)", "make N-Triples of it: rapper -i turtle -o ntriples FILE; then keep subject and object"};
  if (first.starts_with(">>graph6<<") || first.starts_with(">>sparse6<<"))
    return Known{"graph6 or sparse6", "networkx.write_graphml(networkx.read_graph6(FILE), 'graph.graphml'), or read_sparse6"};
  if (first.starts_with(">>digraph6<<")) return Known{"digraph6", "nauty's showg -e prints the edges"};
  if (start.starts_with("[")) {
    const std::string_view inner = from_first_word(start.substr(1));
    const char next = inner.empty() ? '\0' : inner[0];
    if (next == '"' || next == '{' || next == '[' || next == ']' || next == '-' || is_digit(next))
      return Known{
          "JSON that is no node-link graph",
          "node-link JSON is read, an object with \"nodes\" and \"links\": json.dump(networkx.node_link_data(G), file)"};
  }
  return std::nullopt;
}

}  // namespace

std::string_view from_first_word(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return head.substr(first == std::string_view::npos ? head.size() : first);
}

std::string_view xml_root(std::string_view head) {
  for (;;) {
    head = from_first_word(head);
    if (head.size() < 2 || head[0] != '<') return "";
    std::string_view end = ">";
    if (head.starts_with("<?")) {
      end = "?>";
    } else if (head.starts_with("<!--")) {
      end = "-->";
    } else if (head[1] == '!') {
      if (small_letters(head.substr(0, 14)) == "<!doctype html") return "!html";
      const std::size_t bracket = head.find('['), close = head.find('>');
      if (bracket < close) end = "]>";
    } else {
      std::size_t length = 1;
      while (length < head.size() && (std::isalnum(static_cast<unsigned char>(head[length])) || head[length] == ':' ||
                                      head[length] == '_' || head[length] == '-' || head[length] == '.'))
        ++length;
      return head.substr(1, length - 1);
    }
    const std::size_t at = head.find(end);
    if (at == std::string_view::npos) return "";
    head.remove_prefix(at + end.size());
  }
}

std::optional<Known> recognise_packing(std::string_view head) {
  if (is_tar(head)) return Known{"a tar archive", "unpack it first, and name the file in it: tar -xf FILE"};
  return known_by_magic(packings, head);
}

std::optional<Known> recognise(std::string_view head) {
  if (auto known = recognise_packing(head)) return known;
  if (auto known = known_by_magic(magics, head)) return known;
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) {
    if (contains(head, "[Content_Types].xml") || contains(head, "xl/"))
      return Known{"an Excel workbook (.xlsx)", "save the sheet with the edges as CSV"};
    return Known{"a ZIP archive", "unpack it first, and name the file in it: unzip FILE"};
  }
  if (auto known = known_xml(head)) return known;
  return known_language(head);
}

void refuse(Input& input, const Known& known) {
  if (known.sure) input.fail_file("HW-FORMAT-KNOWN", known.name, "a format that is read here", known.hint);
  input.fail_file("HW-FORMAT-AMBIGUOUS", "what looks like " + known.name, "one meaning", known.hint);
}

}  // namespace hopwave::io

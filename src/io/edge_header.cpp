// What the columns of a table are for: by the names that programs give them, or as --columns says.
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "core/refuse.h"
#include "io/edge_list.h"
#include "io/letters.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

struct Ends {
  std::string_view source, target;
  bool sure = true;  ///< the words are surely no ids, nor names of anything else in a table
};
constexpr std::array<Ends, 46> end_names = {{{"source", "target"},
                                             {"src", "dst"},
                                             {"src", "dest"},
                                             {"source", "dest"},
                                             {"source", "destination"},
                                             {"origin", "destination"},
                                             {"origin", "dest"},
                                             {"from", "to"},
                                             {":start_id", ":end_id"},
                                             {"start_id", "end_id"},
                                             {"startid", "endid"},
                                             {"fromnodeid", "tonodeid"},
                                             {"fromnode", "tonode"},
                                             {"from_node", "to_node"},
                                             {"from_id", "to_id"},
                                             {"fromid", "toid"},
                                             {"from_node_id", "to_node_id"},
                                             {"source_id", "target_id"},
                                             {"sourceid", "targetid"},
                                             {"source_node", "target_node"},
                                             {"sourcenode", "targetnode"},
                                             {"src_id", "dst_id"},
                                             {"srcid", "dstid"},
                                             {"node1", "node2"},
                                             {"node_1", "node_2"},
                                             {"id1", "id2"},
                                             {"id_1", "id_2"},
                                             {"vertex1", "vertex2"},
                                             {"vertex_1", "vertex_2"},
                                             {"node_a", "node_b"},
                                             {"nodea", "nodeb"},
                                             {"start_node", "end_node"},
                                             {"startnode", "endnode"},
                                             {"node_id_1", "node_id_2"},
                                             {"citing", "cited"},
                                             {"follower", "followee"},
                                             {"sender", "receiver"},
                                             {"_start", "_end"},
                                             {"u", "v", false},
                                             {"start", "end", false},
                                             {"tail", "head", false},
                                             {"v1", "v2", false},
                                             {"i", "j", false},
                                             {"row", "col", false},
                                             {"row", "column", false},
                                             {"a", "b", false}}};
/// Of several in a header the first here is taken.
constexpr std::array<std::string_view, 22> weight_names = {
    "weight",      "weights",    "edge_weight", "edgeweight", "w",        "wt",        "cost",     "costs",
    "length",      "len",        "distance",    "dist",       "value",    "val",       "capacity", "cap",
    "travel_time", "traveltime", "duration",    "impedance",  "strength", "similarity"};
constexpr std::array<std::string_view, 4> reverse_costs = {"reverse_cost", "rcost", "reversecost", "reverse_weight"};
/// Of lengths and costs: length_m, cost_s.
constexpr std::array<std::string_view, 10> units = {"m", "km", "mi", "ft", "s", "sec", "min", "h", "kg", "meters"};
/// Columns before the end_names that only number or describe the rows.
constexpr std::array<std::string_view, 17> row_names = {"",    "suid",  "id",     "index",  "edge_id", "edgeid",
                                                        "eid", "fid",   "gid",    "key",    "row",     "no",
                                                        "nr",  "rowid", "row_id", "number", "osm_id"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The unit at the end of a name, with its sign: "_s" of "cost_s".
std::string_view unit_of(std::string_view label) {
  const std::size_t at = label.rfind('_');
  return at != std::string_view::npos && is_among(units, label.substr(at + 1)) ? label.substr(at) : std::string_view();
}

bool is_reverse_cost(std::string_view label) {
  return is_among(reverse_costs, label) || is_among(reverse_costs, label.substr(0, label.size() - unit_of(label).size()));
}

/// Words for what an edge is or when it was, and not for its ends.
bool describes_edge(std::string_view label) {
  static constexpr std::array<std::string_view, 16> words = {"interaction", "ts",    "step", "type", "relation", "rel",
                                                             "predicate",   "label", "year", "kind", "category", "count",
                                                             "amount",      "when",  "day",  "month"};
  return is_among(words, label) || label.ends_with("date") || label.ends_with("time") || label.ends_with("timestamp");
}

/// Words for what a vertex is, in a table of vertices: "Id,Label".
bool describes_vertex(std::string_view label) {
  static constexpr std::array<std::string_view, 12> words = {
      "shared_name", "label", "labels", "name", "title", "lat", "lon", "lng", "latitude", "degree", "long", "longitude"};
  return is_among(words, label);
}

/// "valid_from", "year_to": from when to when an edge was, and not from where to where.
bool is_period(std::string_view stem) {
  static constexpr std::array<std::string_view, 12> words = {"valid", "date",   "time",   "year",      "month", "day",
                                                             "week",  "period", "active", "effective", "age",   "hour"};
  return is_among(words, stem);
}

/// What vertices are numbered by, in a table of vertices.
bool names_vertex(std::string_view label) {
  static constexpr std::array<std::string_view, 5> words = {"id", "node", "vertex", "node_id", "nodeid"};
  return is_among(words, label);
}

int find_label(const Columns& columns, std::string_view word) {
  for (std::size_t i = 0; i < columns.labels.size(); ++i)
    if (plain_label(columns.labels[i]) == word) return static_cast<int>(i);
  return -1;
}

std::string label_of(const Columns& columns, int i) {
  const auto at = static_cast<std::size_t>(i);
  return at < columns.labels.size() && !columns.labels[at].empty() ? "'" + columns.labels[at] + "'" : std::to_string(i + 1);
}

constexpr const char* name_them = "say which columns are read: --columns source=NAME,target=NAME,weight=NAME";

class Roles {
 public:
  Roles(Input& input, std::size_t header, const std::vector<SampleRow>& rows, Columns& columns)
      : input_(input), header_(header), rows_(rows), columns_(columns) {}

  void find() {
    take_wishes();
    if (columns_.header) find_ends();
    if (columns_.header || columns_.type >= 0) find_direction();
    if (columns_.header && columns_.weight < 0 && !no_weight_) find_weight();
    if (columns_.header && columns_.weight >= 0) find_reverse();
    if (weight_twin_ >= 0 && (input_.options().weights || columns_.reverse >= 0))
      refuse_twins(columns_.weight, weight_twin_, "weight");
    check();
  }

 private:
  /// "source=NAME,target=3"
  void take_wishes() {
    std::string_view text = input_.options().columns;
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      const std::string_view part = text.substr(0, comma);
      const std::size_t sign = part.find('=');
      int* const role = sign == std::string_view::npos ? nullptr : role_of(part.substr(0, sign));
      if (!role)
        core::refuse("HW-READ-COLUMNS", "'" + std::string(part) + "' in --columns",
                     "source=, target=, weight=, reverse= or type=, each with a column's name or number",
                     "for example --columns source=from,target=to,weight=length");
      const std::string_view wish = part.substr(sign + 1);
      if (leaves_out(role, wish)) {
      } else if (role == &columns_.weight && columns_.attributes)
        columns_.weight_key = wish;
      else
        *role = column(part, wish);
      if (role == &columns_.source) source_ = true;
      if (role == &columns_.target) target_ = true;
      if (role == &columns_.weight) weight_ = true;
      if (role == &columns_.reverse) reverse_ = true;
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
    columns_.loose = !input_.options().columns.empty();
    if (source_ != target_) {  // the other end is in the next column
      int& other = source_ ? columns_.target : columns_.source;
      const int given = source_ ? columns_.source : columns_.target;
      if (other == given) other = given == 0 ? 1 : 0;
    }
    if (!columns_.header && !weight_ && (source_ || target_)) columns_.weight = -1;
  }

  /// "reverse=none": what the header says of it is not heeded.
  bool leaves_out(const int* role, std::string_view wish) {
    if (wish != "none" || find_label(columns_, wish) >= 0 || role == &columns_.source || role == &columns_.target) return false;
    (role == &columns_.weight ? no_weight_ : role == &columns_.reverse ? no_reverse_ : no_type_) = true;
    if (role == &columns_.weight) columns_.weight = -1, columns_.weight_key.clear();
    return true;
  }

  int* role_of(std::string_view word) {
    return word == "source"    ? &columns_.source
           : word == "target"  ? &columns_.target
           : word == "weight"  ? &columns_.weight
           : word == "reverse" ? &columns_.reverse
           : word == "type"    ? &columns_.type
                               : nullptr;
  }

  int column(std::string_view part, std::string_view wish) {
    const auto find = [&](auto is_meant) {
      const auto first = std::find_if(columns_.labels.begin(), columns_.labels.end(), is_meant);
      if (first == columns_.labels.end()) return -1;
      if (std::find_if(first + 1, columns_.labels.end(), is_meant) != columns_.labels.end())
        throw Error({.failure = Failure::usage,
                     .id = "HW-READ-COLUMNS",
                     .where = {.file = input_.name()},
                     .found = "'" + std::string(part) + "' in --columns, and several columns of this name",
                     .expected = "the name of one column, or its number",
                     .hint = ""});
      return static_cast<int>(first - columns_.labels.begin());
    };
    if (const int i = find([&](const std::string& label) { return label == wish; }); i >= 0) return i;
    if (!wish.empty() && !is_integer(wish))
      if (const int i = find([&](const std::string& label) { return plain_label(label) == plain_label(wish); }); i >= 0)
        return i;
    int number = 0;
    const auto result = std::from_chars(wish.data(), wish.data() + wish.size(), number);
    if (result.ec == std::errc{} && result.ptr == wish.data() + wish.size() && number >= 1 && number <= columns_.count)
      return number - 1;
    std::string all;
    for (const std::string& label : columns_.labels) all += (all.empty() ? "" : ", ") + label;
    throw Error({.failure = Failure::usage,
                 .id = "HW-READ-COLUMNS",
                 .where = {.file = input_.name()},
                 .found = "'" + std::string(part) + "' in --columns, and no such column",
                 .expected = columns_.labels.empty()
                                 ? "a number from 1 to " + std::to_string(columns_.count) + ": no header names the columns"
                                 : "one of " + all,
                 .hint = ""});
  }

  [[noreturn]] void unclear(const std::string& found) {
    input_.fail_head(header_, "HW-EDGE-HEADER", "one column of sources and one of targets", name_them, found);
  }

  void find_ends() {
    if (source_ && target_) return;
    std::vector<Ends> found;
    const bool half = std::any_of(columns_.labels.begin(), columns_.labels.end(), [](const std::string& label) {
      return names_end(plain_label(label), &Ends::source) || names_end(plain_label(label), &Ends::target);
    });
    for (const bool sure : {true, false}) {
      if (!found.empty() || (half && !sure)) break;
      for (const Ends& pair : end_names)
        if (pair.sure == sure && find_label(columns_, pair.source) >= 0 && find_label(columns_, pair.target) >= 0)
          found.push_back(pair);
    }
    if (found.empty() && !half) find_alike(found);
    if (found.size() > 1) {
      const std::string pairs = "columns '" + std::string(found[0].source) + "', '" + std::string(found[0].target) + "' and '" +
                                std::string(found[1].source) + "', '" + std::string(found[1].target) + "'";
      // Of two pairs the one whose other column --columns names.
      if (source_) std::erase_if(found, [&](const Ends& pair) { return find_label(columns_, pair.source) != columns_.source; });
      if (target_) std::erase_if(found, [&](const Ends& pair) { return find_label(columns_, pair.target) != columns_.target; });
      if (found.size() != 1) unclear(pairs);
    }
    int source = -1, target = -1;
    if (!found.empty()) {
      source = find_label(columns_, found[0].source);
      target = find_label(columns_, found[0].target);
      if (found[0].source == "tail") take_tails(source, target);
      if (!found[0].sure && !source_ && !target_) refuse_late_pair(source, target);
    } else {
      find_other_ends(source, target);
    }
    if (!source_) columns_.source = target_ && source == columns_.target ? target : source;
    if (!target_) columns_.target = source_ && target == columns_.source ? source : target;
    const auto named = [&](int i) {
      return !found.empty() || names_end(label_at(i), &Ends::source) || names_end(label_at(i), &Ends::target);
    };
    if (!source_ && named(columns_.source)) refuse_twin(columns_.source, "source");
    if (!target_ && named(columns_.target)) refuse_twin(columns_.target, "target");
    const std::string left = id_space(columns_.source), right = id_space(columns_.target);
    columns_.stated.two_sided |= !left.empty() && !right.empty() && left != right;
  }

  [[nodiscard]] std::string label_at(int column) const {
    return plain_label(columns_.labels[static_cast<std::size_t>(column)]);
  }

  [[noreturn]] void refuse_twins(int one, int other, const std::string& role) {
    const auto number = [](int column) { return std::to_string(column + 1); };
    input_.fail_head(header_, "HW-EDGE-COLUMNS", "one column of each name that is read",
                     "say which by its number: --columns " + role + "=" + number(one) + ", or " + role + "=" + number(other),
                     "columns " + number(one) + " and " + number(other) + " that may both be the " + role + ", " +
                         label_of(columns_, one) + " and " + label_of(columns_, other));
  }
  /// A column found by its name: is there another of this name, which --columns does not use?
  void refuse_twin(int column, const char* role) {
    for (int i = 0; i < static_cast<int>(columns_.labels.size()); ++i)
      if (i != column && label_at(i) == label_at(column) && !(source_ && i == columns_.source) &&
          !(target_ && i == columns_.target) && !(weight_ && i == columns_.weight))
        refuse_twins(std::min(column, i), std::max(column, i), role);
  }

  /// Neo4j: User of ":START_ID(User)".
  [[nodiscard]] std::string id_space(int column) const {
    const std::string& label = columns_.labels[static_cast<std::size_t>(column)];
    const std::size_t open = label.find("_ID("), close = label.find(')', open);
    return open == std::string::npos || close == std::string::npos ? "" : label.substr(open + 4, close - open - 4);
  }

  /// from_address and to_address, edge_from and edge_to.
  void find_alike(std::vector<Ends>& found) {
    for (const Ends& pair : {Ends{"from", "to"}, Ends{"source", "target"}, Ends{"src", "dst"}})
      for (int i = 0; i < static_cast<int>(columns_.labels.size()); ++i) {
        std::string label = label_at(i), other, stem = label;
        const std::string front = std::string(pair.source) + "_", back = "_" + std::string(pair.source);
        if (label.starts_with(front))
          other = std::string(pair.target) + "_" + stem.erase(0, front.size());
        else if (label.ends_with(back))
          other = stem.erase(label.size() - back.size()) + "_" + std::string(pair.target);
        if (other.empty() || describes_edge(label) || is_period(stem) || find_label(columns_, other) < 0) continue;
        found.push_back({*alike_.insert(std::move(label)).first, *alike_.insert(std::move(other)).first});
      }
  }

  /// "person,friend,start,end": where two columns before them may be the ends, words such as "start" may say something else.
  void refuse_late_pair(int source, int target) {
    std::vector<int> before;
    for (int i = 0; i < std::min(source, target); ++i) {
      const std::string label = label_at(i);
      if (weight_rank(label) < 0 && !is_reverse_cost(label) && !is_among(row_names, label) && !describes_edge(label) &&
          !describes_vertex(label))
        before.push_back(i);
    }
    if (before.size() > 1)
      unclear("columns " + label_of(columns_, before[0]) + ", " + label_of(columns_, before[1]) + " and " +
              label_of(columns_, source) + ", " + label_of(columns_, target));
  }

  /// An arc leads from its tail to its head, but a triple of a knowledge graph from its head to its tail.
  void take_tails(int& source, int& target) {
    if (source > target) std::swap(source, target);
    if (source_ || target_) return;
    columns_.notes.push_back("column " + label_of(columns_, source) + ", the first of the two, taken as the source, and " +
                             label_of(columns_, target) + " as the target; --columns source=NAME,target=NAME turns them round");
  }

  /// One end is named, or none: the first columns that can be end_names.
  void find_other_ends(int& source, int& target) {
    std::vector<int> left;
    for (int i = 0; i < static_cast<int>(columns_.labels.size()); ++i) {
      const std::string label = label_at(i);
      if (source < 0 && names_end(label, &Ends::source))
        source = i;
      else if (target < 0 && names_end(label, &Ends::target))
        target = i;
      else if (weight_rank(label) < 0 && !is_reverse_cost(label))
        left.push_back(i);
    }
    if (left.size() > 2) std::erase_if(left, [&](int i) { return describes_edge(label_at(i)); });
    if (source >= 0 && target >= 0) return;  // of two pairs
    const auto is_row_name = [&](int i) { return is_among(row_names, label_at(i)); };
    if (source >= 0 || target >= 0) {
      if (left.size() > 1) std::erase_if(left, is_row_name);
      if (left.size() != 1)
        unclear(source >= 0 ? "a column of sources, " + label_of(columns_, source) + ", and none that is surely of targets"
                            : "a column of targets, " + label_of(columns_, target) + ", and none that is surely of sources");
      (source >= 0 ? target : source) = left[0];
      return;
    }
    if (std::any_of(columns_.labels.begin(), columns_.labels.end(), is_node_id))
      unclear("the header of a table of vertices (Neo4j)");
    if (columns_.labels.size() > 1 && names_vertex(label_at(0)) && describes_vertex(label_at(1))) refuse_vertices(0, 1);
    if (left.size() < 2) unclear("a header without columns of sources and targets");
    if (left.size() > 2 && is_row_name(left[0])) {
      const bool repeats = any_value_repeats(left[0]);
      std::erase_if(left, is_row_name);
      if (left.size() != 2 || repeats)
        unclear("a header whose first column, " + label_of(columns_, 0) + ", may only number the rows");
    }
    source = left[0];
    target = left[1];
    if (describes_vertex(label_at(target))) refuse_vertices(source, target);
    columns_.ends_by_place = true;
    columns_.notes.push_back("columns " + label_of(columns_, source) + " and " + label_of(columns_, target) +
                             " taken as source and target; --columns source=NAME,target=NAME names others, --bipartite if "
                             "their ids are of two kinds");
  }

  /// "id,friend,score" over several rows of the same id: it does not number the rows.
  [[nodiscard]] bool any_value_repeats(int column) const {
    std::set<std::string_view> values;
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const SampleRow& row) { return !values.insert(row.cell(column)).second; });
  }

  [[noreturn]] void refuse_vertices(int one, int other) {
    unclear("the header of a table of vertices, " + label_of(columns_, one) + " and " + label_of(columns_, other));
  }

  /// Neo4j: "personId:ID", ":ID(Person)"
  static bool is_node_id(const std::string& label) {
    const std::size_t colon = label.find(":ID");
    return colon != std::string::npos && (colon + 3 == label.size() || label[colon + 3] == '(');
  }

  static bool names_end(std::string_view label, std::string_view Ends::*side) {
    return std::any_of(end_names.begin(), end_names.end(), [&](const Ends& pair) { return pair.sure && pair.*side == label; });
  }

  void find_weight() {
    int best = -1;
    for (int i = 0; i < static_cast<int>(columns_.labels.size()); ++i) {
      if (i == columns_.source || i == columns_.target) continue;
      const int rank = weight_rank(columns_.labels[static_cast<std::size_t>(i)]);
      if (rank >= 0 && rank == best) weight_twin_ = i;
      if (rank >= 0 && (best < 0 || rank < best)) best = rank, columns_.weight = i, weight_twin_ = -1;
    }
  }

  /// pgRouting and osm2po: the cost of the way back, negative where there is none.
  void find_reverse() {
    const std::string weight = label_at(std::max(columns_.weight, 0));
    const std::string unit(unit_of(weight));  // cost_s and reverse_cost_s
    if (!no_reverse_ && columns_.reverse < 0 && weight == "cost" + unit)
      for (const std::string_view word : reverse_costs)
        if (columns_.reverse < 0) columns_.reverse = find_label(columns_, std::string(word) + unit);
    if (columns_.reverse >= 0 && !reverse_) refuse_twin(columns_.reverse, "reverse");
    if (columns_.reverse >= 0)
      columns_.notes.push_back("column " + label_of(columns_, columns_.reverse) +
                               " gives arcs back; a negative number closes a direction; --columns reverse=none leaves it out");
  }

  /// Gephi's column of types. Other words in it make it a column like others, unless --columns names it.
  void find_direction() {
    const bool given = columns_.type >= 0;
    const int type = given ? columns_.type : find_label(columns_, "type");
    columns_.type = -1;
    const ReadOptions& options = input_.options();
    if (no_type_ || options.undirected || options.directed) return;  // those are for all rows
    if (type < 0 || type == columns_.source || type == columns_.target || rows_.empty()) return;
    bool undirected = false, directed = false, other = false;
    for (const SampleRow& row : rows_) {
      if (static_cast<std::size_t>(type) >= row.cells.size() && !given) return;
      if (static_cast<std::size_t>(type) >= row.cells.size()) continue;
      const std::string word = plain_label(row.cells[static_cast<std::size_t>(type)]);
      if (word == "undirected")
        undirected = true;
      else if (word == "directed")
        directed = true;
      else if (is_missing(word))
        other = true;  // the row is an error if others state a direction
      else if (!given)
        return;
    }
    if (other && !directed && !undirected && !given) return;
    if (!given) refuse_twin(type, "type");
    columns_.type = type;
    columns_.direction = columns_.decided.mixed || (undirected && directed) ? RowDirection::mixed
                         : undirected                                       ? RowDirection::undirected
                                                                            : RowDirection::directed;
    if (columns_.direction == RowDirection::mixed)
      columns_.notes.push_back("column " + label_of(columns_, type) +
                               " has both kinds of edges: an undirected one is read as two arcs of a directed graph");
    if (columns_.direction == RowDirection::undirected)
      columns_.notes.push_back("column " + label_of(columns_, type) +
                               " says undirected: so the graph is read; --columns type=none leaves it out");
  }

  void check() const {
    if (columns_.source != columns_.target) return;
    throw Error({.failure = Failure::usage,
                 .id = "HW-READ-COLUMNS",
                 .where = {.file = input_.name()},
                 .found = "one column as source and target",
                 .expected = "two",
                 .hint = name_them});
  }

  Input& input_;
  const std::size_t header_;
  const std::vector<SampleRow>& rows_;
  Columns& columns_;
  bool source_ = false, target_ = false, weight_ = false, reverse_ = false;  // as --columns says
  bool no_weight_ = false, no_reverse_ = false, no_type_ = false;            // likewise
  std::set<std::string> alike_;                                              // names of ends
  int weight_twin_ = -1;                                                     // another column whose name says as much
};

}  // namespace

std::string plain_label(std::string_view cell) {
  std::string label = small_letters(text_of(cell));
  const std::size_t colon = label.find(':', 1);  // Neo4j: "weight:float"; ":START_ID(Person)"
  const std::size_t end = std::min({colon, label.find('('), label.find('[')});
  if (end != std::string::npos && end > 0) label.resize(end);
  label = std::string(without_blanks(label));
  std::replace(label.begin(), label.end(), ' ', '_');
  return label;
}

bool names_columns(const std::vector<std::string_view>& cells, bool comment) {
  const auto has = [&](std::string_view word) {
    return std::any_of(cells.begin(), cells.end(), [&](std::string_view cell) { return plain_label(cell) == word; });
  };
  // "u,v" may be two vertices; "u,v,key,length" are none.
  const auto describes = [&](std::string_view cell) {
    const std::string label = plain_label(cell);
    return label.empty() ? cell.data() == cells[0].data() : weight_rank(label) >= 0 || is_among(row_names, label);
  };
  const bool described = comment || std::any_of(cells.begin(), cells.end(), describes);
  return std::any_of(end_names.begin(), end_names.end(),
                     [&](const Ends& pair) { return (pair.sure || described) && has(pair.source) && has(pair.target); });
}

int weight_rank(std::string_view label) {
  std::string word = plain_label(label);
  const auto rank = [&] {
    const auto found = std::find(weight_names.begin(), weight_names.end(), word);
    return found == weight_names.end() ? -1 : static_cast<int>(found - weight_names.begin());
  };
  if (const int exact = rank(); exact >= 0) return exact;
  const std::size_t unit = unit_of(word).size();
  if (unit == 0) return -1;
  word.resize(word.size() - unit);
  return rank();
}

bool columns_need_header(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size()), sign = text.find('=', at);
    const std::string_view wish = sign < comma ? std::string_view(text).substr(sign + 1, comma - sign - 1) : "1";
    if (!is_integer(wish) && wish != "none") return true;
    at = comma + 1;
  }
  return false;
}

void find_roles(Input& input, std::size_t header, const std::vector<SampleRow>& rows, Columns& columns) {
  Roles(input, header, rows, columns).find();
}

void note_unread(const ReadOptions& options, Columns& columns) {
  std::string list;
  int unread = 0;
  for (int i = 0; i < columns.count; ++i) {
    if (i == columns.source || i == columns.target || i == columns.weight || i == columns.reverse || i == columns.type ||
        (columns.attributes && i >= 2))
      continue;
    if (++unread <= 20) list += (unread > 1 ? ", " : "") + label_of(columns, i);
  }
  if (unread > 20) list += " and " + std::to_string(unread - 20) + " more";
  if (unread && options.columns.empty())
    columns.notes.push_back((unread == 1 ? "column not read: " : "columns not read: ") + list +
                            "; --columns weight=" + (columns.header ? "NAME" : "NUMBER") + " takes one as the weight");
}

}  // namespace hopwave::io

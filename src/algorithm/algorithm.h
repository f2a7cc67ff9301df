// algorithm: one folder per algorithm, its CPU and GPU side by side. None uses another, and none reads files or prints.
//
// Row: what an algorithm is. The tool's command with its help, pages, JSON and files is made from it (cli/frame/from_table.h),
// and the tests go through all rows. row.cpp in an algorithm's folder ends in HOPWAVE_ALGORITHM; the build makes the table from
// those files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/people_text.h"
#include "core/watch.h"
#include "hopwave/algorithms.h"
#include "hopwave/error.h"
#include "hopwave/estimate.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"

namespace hopwave::algorithm {

// What goes in.

enum class Type : unsigned char {
  flag,
  count,          ///< a whole number from `lowest` to `highest`
  real,           ///< a number of 0 or more
  word,           ///< one of `choices`
  vertex,         ///< a caller's id
  vertices_file,  ///< a file of ids, one per line
  graph_file,     ///< a file that a graph is written to (Found::graphs)
  picture_file    ///< a file that a picture is written to (Found::picture): .svg, .png or .html
};

struct Option {
  std::string_view name;   ///< "samples"
  std::string_view value;  ///< what represents the value in help: "K"; empty for a flag
  std::string_view help;   ///< one or two sentences
  Type type = Type::count;
  std::int64_t initial = 0, lowest = 0, highest = 0x7FFFFFFF;
  std::vector<std::string> choices = {};  ///< the first is the default, unless `unset`
  bool unset = false;                     ///< by default no word, and infinity in place of 0
  bool output = false;                    ///< about what is written or shown, not about the query
};

/// The values of a row's options, by name.
class Values {
 public:
  using Value = std::variant<std::int64_t, double, std::string, std::vector<VertexId>>;

  void set(std::string_view name, Value value) { values_.insert_or_assign(std::string(name), std::move(value)); }
  [[nodiscard]] bool flag(std::string_view name) const { return count(name) != 0; }
  [[nodiscard]] std::int64_t count(std::string_view name) const { return get<std::int64_t>(name); }
  [[nodiscard]] double real(std::string_view name) const { return get<double>(name); }
  [[nodiscard]] const std::string& word(std::string_view name) const { return get<std::string>(name); }
  /// Of a vertex or a file of vertices.
  [[nodiscard]] bool given(std::string_view name) const {
    const Value& value = values_.find(name)->second;
    const auto* list = std::get_if<std::vector<VertexId>>(&value);
    return list ? !list->empty() : std::get<std::int64_t>(value) != no_vertex;
  }
  /// no_vertex: not given.
  [[nodiscard]] VertexId vertex(std::string_view name) const { return static_cast<VertexId>(count(name)); }
  /// Empty: not given. A file without a vertex is an error before.
  [[nodiscard]] const std::vector<VertexId>& vertices(std::string_view name) const { return get<std::vector<VertexId>>(name); }

 private:
  template <class T>
  [[nodiscard]] const T& get(std::string_view name) const {
    return std::get<T>(values_.find(name)->second);
  }
  std::map<std::string, Value, std::less<>> values_;
};

/// How far it is, for people; each returns false once the run shall end.
struct Progress {
  virtual ~Progress() = default;
  virtual bool part(std::uint64_t done, std::uint64_t total) = 0;  ///< units that mean nothing to people
  virtual bool steps(const std::string& text, std::uint64_t done, std::uint64_t total) = 0;  ///< total 0: not known
  virtual bool stage(const std::string& title) = 0;                                          ///< what is done from now on
};

/// What a run that ended early has kept for the next one: columns by name.
using Kept = std::map<std::string, std::variant<std::vector<std::uint64_t>, std::vector<double>>>;
struct Keeper {
  virtual ~Keeper() = default;
  /// Empty, unless the run goes on with what an earlier one of this kind kept, from the same sources of the same graph.
  virtual Kept begun(std::string_view kind, std::span<const VertexId> sources) = 0;
  /// What was kept cannot be used: HW-RESUME.
  [[noreturn]] virtual void refuse(std::string found, std::string expected) = 0;
};
/// Throws std::out_of_range or std::bad_variant_access where there is no such column.
template <class T>
const std::vector<T>& kept_column(const Kept& kept, std::string_view name) {
  return std::get<std::vector<T>>(kept.at(std::string(name)));
}

/// What is to be done with a graph.
struct Job {
  const Graph& graph;
  Values values;
  std::vector<VertexId> sources;  ///< internal; empty: none were named
  std::string how = {};           ///< why these sources; may be empty
  /// Device, threads, limits, seed, schedule; of rows that search hop by hop all of it. `progress` is filled by the row.
  SearchOptions search = {};
  std::string device_why = {};  ///< why `automatic` became this device; may be empty
  bool verify = false;
  bool writes = false;  ///< a file of rows is wanted
  double load_seconds = 0;
  Progress& progress;
  Keeper& keeper;
};

/// How the algorithm runs, with its progress as a part of the whole.
inline RunOptions run_of(const Job& job) {
  RunOptions run = job.search.run;
  run.progress = [&progress = job.progress](const Step& step) { return progress.part(step.done, step.total); };
  return run;
}

// The results.

/// A vertex, which its caller knows by its id; no_vertex: null.
struct Vertex {
  VertexId vertex = no_vertex;
};
/// Written as a whole number where it is one.
struct Number {
  double value = 0;
};
struct Figure;
struct Value;
using Object = std::vector<Figure>;
using List = std::vector<Value>;
struct Value {
  // Defined in algorithm.cpp, where a Figure is complete.
  Value();
  Value(bool truth);
  Value(std::int32_t number);
  Value(std::int64_t number);
  Value(std::uint32_t number);
  Value(std::uint64_t number);
  Value(double number);
  Value(Number number);
  Value(Vertex vertex);
  Value(Object object);
  Value(List list);
  /// Empty: null.
  Value(std::string text);
  Value(std::string_view text);
  Value(const char* text);
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, Number, std::string, Vertex, Object, List> what;
};
/// A key of the JSON document, or of an object in it.
struct Figure {
  std::string_view name;
  Value value;
};

/// A column of the file of rows.
struct Column {
  enum class Kind : unsigned char { numbers, vertices, distances };  ///< vertices: ids; distances: −1 where there is no path
  std::string_view name;                                             ///< of the array in other languages: "label"
  std::variant<Array<std::uint32_t>, Array<std::int32_t>, Array<std::uint64_t>, Array<double>> values;
  Kind kind = Kind::numbers;
};

/// A line for people: what it is about, and the text.
struct Line {
  std::string label, text;
};

struct Found {
  std::vector<Figure> figures;  ///< of the JSON document, in this order
  std::vector<Line> lines;
  std::vector<Column> columns;
  std::vector<VertexId> rows = {};  ///< the vertices that have a row; empty: all
  bool own_rows = false;            ///< the rows are not of vertices: the columns are all there is, without an id in front
  std::string dimacs = {};      ///< before the rows of an output that ends in Row::dimacs; empty: these rows cannot be in one
  std::vector<Graph> graphs;    ///< one for each option of Type::graph_file, in their order; made whether it is written or not
  std::string picture = {};     ///< bytes of the Type::picture_file; empty: none was wanted
  RunReport run;                ///< its notes become warnings
  Verdict verdict = {};         ///< of the check, if there was one
  std::string verified = {};    ///< what it has shown; empty: there was none
  std::string ended_text = {};  ///< what was found before the run was ended early
  /// Ended before its work was done, by its caller or the time limit; a limit of searches is part of the question.
  [[nodiscard]] bool ended_early() const { return !run.complete() && run.end != End::max_searches; }

  bool no = false;          ///< the answer is no: exit code 1
  Kept kept = {};           ///< of an ended run, for the next one
  std::string schema = {};  ///< of the JSON document; empty: the row's name
};

/// Distances are sums of weights instead of hops.
inline const Option weights_option = {
    .name = "weights",
    .help = "The least sum of weights instead of the fewest hops; each arc weighs 1 where the file has no weights.",
    .type = Type::flag};
/// The same for other languages.
inline const AlgorithmParameter weights_parameter = {
    .name = "weights", .kind = AlgorithmParameter::Kind::truth, .initial = std::uint64_t{0}};

using core::name_of;
/// "out", "in", "both".
std::string name_of(Direction direction);
/// The other way round.
Direction direction_named(std::string_view name);
/// The parameter of a function for other languages.
AlgorithmParameter direction_parameter(std::string_view initial);
/// "12 ms", "3 ms on gpu".
std::string time_text(double milliseconds, DeviceKind device);
/// " 0, 2" where searches are dealt out to several GPUs, else nothing: after the device's name.
std::string gpus_text(const SearchOptions& options);
/// Throws HW-TIME-LIMIT or HW-INTERRUPTED for a run that ended before its first search was done: a file keeps its contents.
[[noreturn]] void nothing_found(End end, const char* searched_from);
/// Throws HW-VERIFY: the check has found something else.
[[noreturn]] void is_wrong(std::string found, std::string expected);
/// Throws HW-TIME-LIMIT, HW-CANCELLED or HW-INTERRUPTED for a run whose part is no answer. `done`: what it is.
[[noreturn]] void ended_early(End end, std::string_view done, std::string hint = {});

struct Example {
  std::string_view line, what;
};

/// How its searches run, and with which options.
enum class Running : unsigned char {
  device,   ///< where, and a time limit
  search,   ///< strategy, parameters and the others of a breadth-first search, and a direction
  weighted  ///< those of shortest paths with weights
};
enum class Sources : unsigned char { none, all_unless_named, required };
enum class Weighing : unsigned char {
  never,     ///< a note states that distances are hops
  always,    ///< uses weights, or what it finds is not about lengths
  by_option  ///< with --weights (weights_option)
};
enum class Header : unsigned char { none, csv, always };

/// What is known of the cost before a run.
struct Cost {
  EstimateOptions memory;
  bool incoming = false;     ///< the graph is read with its incoming arcs
  std::uint64_t passes = 0;  ///< of 64 searches at once,
  double searches = 0;       ///< and one by one: for the choice of a device (settle_device); both 0: there is none
  std::uint64_t pairs = 0;   ///< of vertices, for each of which a number is found; once the vertices are known
};

struct Row {
  std::string_view name;         ///< of the command
  std::string_view summary;      ///< one line
  std::string_view description;  ///< paragraphs, separated by blank lines
  std::string_view doing;        ///< displayed next to the progress: "finding components"
  std::string_view writes;       ///< what --output writes, in a sentence
  std::string_view checks;       ///< what --verify checks, in a sentence; empty: there is no check
  std::vector<Example> examples;
  std::string_view page;            ///< in docs/
  std::string_view source;          ///< of the method: authors and year
  std::string_view cpp, python, c;  ///< the functions; `c` may be empty
  std::string_view networkx;        ///< functions that the backend answers with it, separated by blanks
  std::vector<Option> options = {};
  Running running = Running::device;
  std::string_view device_help =
      "Where to find them: cpu, gpu, sim (the GPU simulator), or auto: the CPU. A GPU gets a copy of the graph first.";
  std::string_view time_help = "End with an error after so many seconds. Reading is not counted.";
  std::string_view device = "cpu";     ///< the default
  std::string_view direction = "out";  ///< the default; of Running::device there is no such option
  std::string_view sources_help = {};
  Sources sources = Sources::none;
  Header header = Header::none;  ///< where the file of rows begins with the columns' names; none: it is no CSV either
  /// An ending of outputs whose rows are DIMACS's: its first letter, then numbers, vertices from 1 on. Empty: there is none.
  std::string_view dimacs = {};
  bool seeds = false;  ///< has --seed, although it runs as Running::device
  Weighing weights = Weighing::always;
  bool keeps_parallel = false;  ///< parallel edges and self-loops are read as what they are
  bool gpus = false;            ///< deals searches out to several GPUs
  bool resumes = false;         ///< goes on where an ended run has stopped (Job::keeper)
  /// Complaints about arguments that contradict each other; `sources_named` is not known to `values`.
  void (*check)(const Values& values, bool sources_named, bool writes) = nullptr;
  EstimateJob job = EstimateJob::search;  ///< whose memory is estimated
  /// `sources`: how many are named. The graph is not read yet: `vertices` 0; or it is. None: the memory of `job`, no searches.
  Cost (*cost)(const Values& values, const SearchOptions& search, std::uint64_t sources, VertexId vertices) = nullptr;
  Found (*run)(Job& job);
  /// The functions that other languages get (algorithms()): the first with the row's name, and that of Python unless it has
  /// another one. None: theirs are written by hand.
  std::vector<Algorithm> calls = {};
};

/// With the names in its calls.
Row with_names(Row row);
/// All, by the names of their folders.
std::span<const Row* const> rows();

}  // namespace hopwave::algorithm

/// At the end of src/algorithm/FOLDER/row.cpp: HOPWAVE_ALGORITHM(FOLDER, row_expression)
#define HOPWAVE_ALGORITHM(folder, ...)              \
  namespace hopwave::algorithm {                    \
  const Row& folder##_row() {                       \
    static const Row row = with_names(__VA_ARGS__); \
    return row;                                     \
  }                                                 \
  }

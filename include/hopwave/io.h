// Reading and writing graphs: every format is sniffed from the content, and every reader returns an EdgeList.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/edge_list.h"
#include "hopwave/graph.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct ReadOptions {
  std::string format = {};  ///< empty: sniff; else a name from formats()
  bool lenient = false;     ///< repair what can be repaired and say so in ReadReport::repairs
  bool allow_huge = false;  ///< believe headers that promise far more than the file can hold
  bool undirected = false;  ///< every edge stands for both directions, whatever the input says
  bool weights = true;      ///< false: weights are not kept; those of edge lists need not even be numbers
  bool drop_zeros = false;  ///< Matrix Market: entries whose value is zero are no edges; other formats: HW-READ-ZEROS
  /// Edge lists: the columns that are read, by their names or numbers from 1 on: "source=from,target=to,weight=4"; also reverse
  /// (the weight of an arc back, negative: none) and type (Directed, Undirected). What it leaves out is found as without it;
  /// "reverse=none", "type=none" and "weight=none" leave these unread.
  std::string columns = {};
  std::optional<bool> header = {};  ///< edge lists: does the first row name columns? Without: as its words suggest
  std::string missing_weight =
      {};                      ///< edge lists, for NA, null, nan, "-" or an empty cell: "error" (or empty), "drop", a number
  bool decimal_comma = false;  ///< edge lists: weights are written 0,5
  int threads = 0;             ///< 0: all
  /// load_graph() of a file that is no .hwg: keep the graph in a .hwg beside it, FILE.cache.hwg (FILE.undirected.cache.hwg),
  /// and open that the next time. It is used if this version made it with these options from these very bytes: their number and
  /// the file's times, or else a checksum of all of them, and the cache's own checksums say so. Otherwise it is made anew,
  /// whole or not at all; other files of that name stay, and what hinders it stands in ReadReport::notes and hinders nothing
  /// else. Streams, specs, and files with a list of vertices beside them have none.
  bool cache = false;
  /// Every row is an arc, whatever the input says of its direction. load_graph() gives what is undirected by its format
  /// (symmetric matrices, METIS) both arcs of every edge; read_edges() leaves such lists undirected. With `undirected`:
  /// HW-READ-DIRECTION.
  bool directed = false;
  /// true: ids of the two columns (a matrix' rows and columns) are two name spaces: vertices are called left:ID and right:ID,
  /// and edges have no direction unless `directed`. false: one name space, whatever the input says. Without: two for KONECT's
  /// "% bip" and matrices that are not square, with a note. Edge lists, Matrix Market, .npz; true for others:
  /// HW-READ-BIPARTITE.
  std::optional<bool> bipartite = {};
  /// Called now and then with bytes done and bytes in all (0: not known); false ends with HW-INTERRUPTED. Where load_graph() is
  /// given a generator's spec: generate()'s.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct FormatInfo {
  std::string_view name = {};
  std::string_view summary = {};
  std::string_view extensions = {};  ///< "mtx"
  bool reads = true, writes = true;
};
const std::vector<FormatInfo>& formats();

/// Reads a file ("-" is standard input), decompressing .gz and .zst by content. Throws Error (Failure::input).
EdgeList read_edges(const std::string& path, const ReadOptions& options = {});
/// The same from memory; `name` is used in messages. What the fuzzers call.
EdgeList read_edges(std::span<const char> bytes, const std::string& name, const ReadOptions& options = {});

/// File or generator spec → graph. A .hwg opens by mapping, and nothing of it is built unless `build` or `read` wants another
/// graph than searches do: parallel edges or self-loops kept, or a directed graph made undirected.
/// Whoever makes a mapped file shorter later causes SIGBUS in its readers; the tool turns that into HW-IO-CHANGED.
Graph load_graph(const std::string& path_or_spec, const ReadOptions& read = {}, const BuildOptions& build = {});

struct WriteOptions {
  std::string format = {};  ///< empty: by extension
  bool weights = true;
  bool with_in = true;      ///< .hwg: incoming arcs of directed graphs, made if the graph has none, so that a search makes none
  int level = 3;            ///< of compression, for .gz and .zst
  std::string layout = {};  ///< of .npz: csr (also if empty), csc or coo; with any other format it must be empty
  char separator = 0;       ///< between the columns of edge lists; 0: a comma for .csv, otherwise a tab
  bool renumber = false;    ///< ids that the format has no place for are lost: vertices are numbered as the format counts
  /// Called now and then, by the calling thread, with units of work done and in all; false ends with HW-INTERRUPTED and leaves
  /// no file. Formats that are written as few whole arrays report nothing: .npz, .gr of Galois, .sg.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};
/// Writes whole or not at all (temporary name, fsync, rename). "-" is standard output.
void write_graph(const Graph& graph, const std::string& path, const WriteOptions& options = {});

/// Libraries that this build was made with.
struct Features {
  bool zlib = false, zstd = false, png = false, expat = false;
};
Features build_features();

/// A file that appears under its name only when commit() has been called; removed otherwise, also on a signal's unwinding.
class OutputFile {
 public:
  /// "-": standard output. `mode`: the most that is permitted of a new file; an existing one keeps its permissions.
  explicit OutputFile(std::string path, unsigned mode = 0666);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  void write(std::string_view bytes);
  void commit();

 private:
  struct [[gnu::visibility("hidden")]] State;
  std::unique_ptr<State> state_;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

// Reading and writing graphs. The format of an input is detected from its content, and every reader returns an
// EdgeList.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/edge_list.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct ReadOptions {
  std::string format = {};  ///< empty: detect the format; otherwise a name from formats()
  bool lenient = false;     ///< repair what can be repaired, and report it in ReadReport::repairs
  bool allow_huge = false;  ///< accept headers that state far more data than the file can hold
  bool undirected = false;  ///< every edge counts in both directions, whatever the input states
  bool weights = true;      ///< false: drop weights; in edge lists they need not be numbers then
  bool drop_zeros = false;  ///< Matrix Market: entries of value zero are not edges; other formats: HW-READ-ZEROS
  /// Edge lists: the columns to read, by name or by number from 1: "source=from,target=to,weight=4". Further columns
  /// are reverse (the weight of the arc back; negative: no such arc) and type (Directed, Undirected). Columns that are
  /// not named are detected as usual; "reverse=none", "type=none" and "weight=none" leave that column unread.
  std::string columns = {};
  std::optional<bool> header = {};  ///< edge lists: whether the first row names the columns; empty: decided by its content
  std::string missing_weight =
      {};                      ///< edge lists, for NA, null, nan, "-" or an empty cell: "error" (or empty), "drop", or a number
  bool decimal_comma = false;  ///< edge lists: weights have a decimal comma, as in 0,5
  /// For load_graph() of a file that is not a .hwg: keep the graph as a .hwg in the same folder, FILE.cache.hwg (or
  /// FILE.undirected.cache.hwg), and open that file the next time. The cache is used only if this version made it with
  /// the same options from the same bytes. The bytes are compared by their number and the file's times, or else by a
  /// checksum of all of them; the cache also checks its own checksums. Otherwise the cache is made anew, completely or
  /// not at all. Another file of that name is kept. If the cache cannot be used or written, ReadReport::notes gives the
  /// reason, and the call continues. Streams, specs, and files with a vertex list in the same folder have no cache.
  bool cache = false;
  /// Every row is an arc, whatever the input states about its direction. For undirected formats (symmetric matrices,
  /// METIS), load_graph() adds both arcs of every edge; read_edges() leaves such lists undirected. Together with
  /// `undirected`: error HW-READ-DIRECTION.
  bool directed = false;
  /// true: the ids of the two columns (a matrix's rows and columns) are two name spaces. Vertices get the ids left:ID
  /// and right:ID, and edges are undirected unless `directed`. false: one name space, whatever the input states. Empty:
  /// two name spaces for KONECT's "% bip" and for matrices that are not square, with a note. Applies to edge lists,
  /// Matrix Market and .npz; true for another format is the error HW-READ-BIPARTITE.
  std::optional<bool> bipartite = {};
  /// Threads, progress ("bytes"; of a generator's spec that of generate()) and, for load_graph(), everything that
  /// build_graph() uses. Limits have no effect.
  RunOptions run = {};
};

struct FormatInfo {
  std::string_view name = {};
  std::string_view summary = {};
  std::string_view extensions = {};  ///< "mtx"
  bool reads = true, writes = true;
};
const std::vector<FormatInfo>& formats();

/// Returns the edges of a file ("-" is standard input). .gz and .zst are recognised by content and decompressed. Throws
/// Error (Failure::input).
EdgeList read_edges(const std::string& path, const ReadOptions& options = {});
/// Returns the edges of a file whose bytes are in memory; messages use `name`. The fuzzers call this function.
EdgeList read_edges(std::span<const char> bytes, const std::string& name, const ReadOptions& options = {});

/// Returns the graph of a file or of a generator's spec. A .hwg is mapped and not built, unless `build` or `read` asks
/// for another graph than searches use: parallel edges or self-loops kept, or a directed graph made undirected.
/// If another program shortens a mapped file, reading it causes SIGBUS; the command-line tool reports that as
/// HW-IO-CHANGED.
Graph load_graph(const std::string& path_or_spec, const ReadOptions& read = {}, const BuildOptions& build = {});

struct WriteOptions {
  std::string format = {};  ///< empty: chosen by the extension
  bool weights = true;
  bool with_in = true;  ///< .hwg: write the incoming arcs of a directed graph, and build them if missing; a later search need
                        ///< not build them
  int level = 3;        ///< compression level, for .gz and .zst
  std::string layout = {};  ///< for .npz: csr (also if empty), csc or coo; must be empty for other formats
  char separator = 0;       ///< between the columns of edge lists; 0: a comma for .csv, otherwise a tab
  /// For .gr and .max of DIMACS: where a maximum flow goes to, and where it comes from. With a target the file is the problem
  /// of this flow (p max), and weights are its capacities, from 0 to 2^63 - 1; a source that is not given is the graph's
  /// default_source(). So is a file whose name ends in .max; a target that is not given is the graph's default_target().
  /// HW-WRITE-FLOW: an end that neither names, the same vertex as both ends, or a target for another format.
  VertexId target = no_vertex, source = no_vertex;
  bool renumber = false;  ///< drop ids that the format cannot store: vertices are numbered as the format counts them
  /// Progress: "work"; ending the call leaves no file. Formats written as a few whole arrays (.npz, .gr of Galois, .sg)
  /// report none. Writing uses one thread; the device and limits have no effect.
  RunOptions run = {};
};
/// Writes the graph to a file, completely or not at all (temporary name, fsync, rename). "-" is standard output.
void write_graph(const Graph& graph, const std::string& path, const WriteOptions& options = {});

/// The optional libraries with which this build was made.
struct Features {
  bool zlib = false, zstd = false, png = false, expat = false;
};
Features build_features();

/// A file that appears under its name only after commit(). Without commit() it is removed, also when a signal unwinds
/// the stack.
class OutputFile {
 public:
  /// "-" is standard output. `mode`: the permissions of a new file at most; an existing file keeps its permissions.
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

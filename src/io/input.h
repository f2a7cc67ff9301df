// Input: one graph file that is read. Its head shows the format; then text is handed out in blocks of whole
// lines, to several threads at once. Errors have line and column.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "hopwave/error.h"
#include "hopwave/io.h"
#include "io/byte_source.h"

namespace hopwave::io {

/// A fault in the text, before its line number is known (lines are counted only after a fault).
struct TextFault {
  std::string id, found, expected, hint;
  std::uint64_t offset = 0;        ///< absolute
  std::uint64_t block_offset = 0;  ///< a line starts here
  std::uint64_t lines_before = 0;  ///< lines before block_offset if counted, see `counted`
  std::uint64_t line_in_block = 0, column = 0;
  bool counted = false;
};

/// Whole lines. After `end` there are a newline and at least 32 readable bytes, so scanners may look ahead without a check.
struct Block {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::uint64_t offset = 0;  ///< of `begin` in the (unpacked) input
  std::uint64_t index = 0;   ///< 0, 1, 2 … in the input's order
  std::uint64_t lines_before = 0;
  std::uint64_t column_before = 0;  ///< bytes of the first line before `begin` (skipped blanks)
  bool counted = false;             ///< lines_before is known (streams: they cannot be read again)

  /// Throws TextFault at `at`; `found` empty: quotes the text there.
  [[noreturn]] void fail(const char* at, const char* id, const std::string& expected, const std::string& hint = "",
                         std::string found = "") const;

  std::vector<char> storage;
};

/// What text may hold in addition to its rows, so that a small packed file cannot become a line that fills the memory.
struct TextRules {
  /// Does a line begin a comment? `line` has no blanks before it, and at least two characters if there are that many.
  bool (*is_comment)(std::string_view line) = [](std::string_view) { return false; };
  /// A row is one edge: over 8 MiB it is refused in streams. Otherwise only a word over 1 MiB is.
  bool short_rows = true;
};
/// Comments as edge lists have them: #, %, //.
bool edge_list_comment(std::string_view line);
/// Comments that begin with %.
bool percent_comment(std::string_view line);

/// Quotes the word at `at` for a message: "'abc'", "the end of the line", "a NUL byte".
std::string quote_at(const char* at, const char* end);
/// "1 edge", "2 edges".
std::string counted(std::uint64_t count, const std::string& what);

class Input {
 public:
  Input(std::unique_ptr<ByteSource> source, const ReadOptions& options);

  [[nodiscard]] const std::string& name() const { return source_->name(); }
  [[nodiscard]] const ReadOptions& options() const { return options_; }
  [[nodiscard]] Team& team() { return team_; }
  /// The unpacked size, if known before reading.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return source_->size(); }

  /// A file that lists the vertices of an edge list ("graph.v" of "graph.e"); empty if there is none.
  [[nodiscard]] const std::string& vertex_list() const { return vertex_list_; }
  void set_vertex_list(std::string path) { vertex_list_ = std::move(path); }

  /// The first `want` bytes, fewer only if the input ends; the view holds until the next call. A UTF-8 BOM is left out.
  std::string_view head(std::size_t want);
  /// The same for binary formats: with the bytes that would be a byte order mark in text.
  std::string_view raw_head(std::size_t want);
  [[nodiscard]] bool head_is_all() const { return ended_; }
  /// Lines of the whole file, which are counted; nothing for streams.
  [[nodiscard]] std::optional<std::uint64_t> count_lines() const;
  /// To be called by text readers before they read.
  void set_rules(const TextRules& rules) { rules_ = rules; }
  /// Skips the first `count` bytes of head(), which then begins after them.
  void drop(std::size_t count);
  /// Skips blank lines and comments of any length, in bounded memory. Then head() begins with the first other line,
  /// which is given without its newline; nothing at the end of the input. `on_comment` gets each comment (64 KiB of it).
  std::optional<std::string_view> first_line(const std::function<void(std::string_view)>& on_comment = {});

  /// The next bytes of the input, from where head() begins, in order and in bounded memory; empty at the end. They hold until
  /// the next call. For text that is no rows. A UTF-8 BOM is left out. Reports progress.
  std::string_view next_bytes();
  /// Begins again with the first byte; false where a stream is gone.
  bool rewind();

  /// Hands the blocks out to all members; parse(block, rank). Of several faults the first in the input is thrown.
  void for_each_block(const std::function<void(Block&, int rank)>& parse);

  /// For binary formats: `count` bytes from `offset`, all or Error `id`. Streams must have been loaded.
  void read_exactly(std::uint64_t offset, void* to, std::size_t count, const char* id);
  /// A stream becomes bytes in memory, refused beyond `limit` with Error `id`.
  void load(std::uint64_t limit, const char* id);

  /// Fails at a place of head().
  [[noreturn]] void fail_head(std::size_t offset, const char* id, const std::string& expected, const std::string& hint = "",
                              std::string found = "");
  /// Fails without a line: of the file as a whole, or at a byte.
  [[noreturn]] void fail_file(const char* id, const std::string& found, const std::string& expected,
                              const std::string& hint = "", std::uint64_t byte = 0) const;
  /// Line and column of the word number `position` (from 0), by reading again from the start; streams: only the name.
  Place place_of_word(std::uint64_t position);
  /// A header that promises `count` vertices is believed up to 1,000,000 + 4 per byte of input (unless options.allow_huge).
  /// Of a stream that is only known at its end: ask before and after reading.
  void check_plausible(std::uint64_t count, const char* id) const;

  /// Fills report: source, bytes. Reports the end of the progress, so that a bar shows that all was read.
  void finish(ReadReport& report);
  [[nodiscard]] std::uint64_t text_bytes() const;
  /// Reports progress and ends with HW-INTERRUPTED if the caller wishes. One thread only.
  void report_progress();

 private:
  void begin();
  bool next(Block& block);
  bool next_of_file(Block& block);
  bool next_of_stream(Block& block);
  struct LongLine;
  void tame(LongLine& line, std::size_t begin, std::size_t end);
  bool drop_long_comment();
  void drop_line();
  void refuse_cr(std::size_t offset, std::size_t count);
  std::string_view whole_row();
  [[nodiscard]] Block head_block(std::size_t begin) const;
  std::size_t fill(std::size_t want);
  [[nodiscard]] std::uint64_t lines_in_file(std::uint64_t end) const;
  [[noreturn]] void raise(const TextFault& fault);

  std::unique_ptr<ByteSource> source_;
  const ReadOptions& options_;
  std::string vertex_list_;
  Team team_;
  TextRules rules_;
  std::string head_;  // streams: everything read and not yet handed out
  std::size_t bom_ = 0;
  std::size_t given_ = 0;  // bytes of head() that next_bytes() gave last
  std::size_t lead_ = 0;   // bytes of head_ that are no part of head(): the byte order mark
  std::uint64_t head_at_ = 0, head_lines_ = 0, head_column_ = 0;  // what was dropped before head_; column: in its first line
  bool ended_ = false;                                            // head_ holds all there is (left)
  std::atomic<std::uint64_t> next_index_{0};
  std::mutex mutex_;  // streams: guards head_ and its place
  std::uint64_t stream_index_ = 0;
  std::uint64_t cut_ = 0;  // blanks left out of lines too long to keep
  std::atomic<std::uint64_t> bytes_done_{0};
  std::uint64_t loaded_raw_ = 0;
};

}  // namespace hopwave::io

// The head of an input, and streams cut into blocks: in bounded memory, whatever is before the first row and however
// long a comment or a run of blanks is.
#include "io/input_text.h"

#include <algorithm>
#include <cstring>

#include "io/scan.h"

namespace hopwave::io {
namespace {

constexpr std::size_t head_step = std::size_t{1} << 16;
constexpr std::size_t longest_blanks = std::size_t{1} << 20;  // of a run: more than any name may have, so none is changed
constexpr std::size_t longest_word = std::size_t{1} << 20;
constexpr std::size_t longest_row = std::size_t{8} << 20;

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

bool edge_list_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}
bool percent_comment(std::string_view line) { return line.starts_with('%'); }

/// What is known of a line that is too long for a block.
struct Input::LongLine {
  bool one_row = true;               ///< the row is refused beyond its limit, not only a word
  std::size_t scanned = 0;           ///< bytes of it that were looked at
  std::size_t blanks = 0, word = 0;  ///< that end there
};

std::string_view Input::head(std::size_t want) {
  fill(want + lead_);
  return std::string_view(head_).substr(lead_);
}

std::string_view Input::raw_head(std::size_t want) {
  fill(want);
  return head_;
}

void Input::drop(std::size_t count) {
  const std::string_view gone = std::string_view(head_).substr(lead_, count);
  head_lines_ += static_cast<std::uint64_t>(std::count(gone.begin(), gone.end(), '\n'));
  const std::size_t newline = gone.rfind('\n');
  head_column_ = newline == std::string_view::npos ? head_column_ + gone.size() : gone.size() - newline - 1;
  head_at_ += lead_ + gone.size();
  head_.erase(0, lead_ + gone.size());
  lead_ = 0;
}

/// What head_ has from `begin` on, for errors.
Block Input::head_block(std::size_t begin) const {
  Block block;
  block.begin = head_.data() + begin;
  block.end = head_.data() + head_.size();
  block.offset = head_at_ + begin;
  block.lines_before = head_lines_;
  block.column_before = head_column_;
  block.counted = true;
  return block;
}

void Input::fail_head(std::size_t offset, const char* id, const std::string& expected, const std::string& hint,
                      std::string found) {
  const Block block = head_block(lead_);
  try {
    block.fail(block.begin + std::min(offset, static_cast<std::size_t>(block.end - block.begin)), id, expected, hint,
               std::move(found));
  } catch (const TextFault& fault) {
    raise(fault);
  }
}

std::string_view Input::next_bytes() {
  drop(given_);
  const std::string_view bytes = head(block_bytes);
  given_ = bytes.size();
  bytes_done_.store(source_->size() ? head_at_ + given_ : source_->raw_bytes(), std::memory_order_relaxed);
  report_progress();
  return bytes;
}

/// Fails at a CR in the middle of the line that begins at `offset` of head(), or of as much of it as is there.
void Input::refuse_cr(std::size_t offset, std::size_t count) {
  const std::string_view line = without_blanks_behind(std::string_view(head_).substr(lead_ + offset, count));
  const std::size_t at = line.find('\r');
  if (at != std::string_view::npos) fail_head(offset + at, lone_cr.id, lone_cr.expected, lone_cr.hint, lone_cr.found);
}

std::optional<std::string_view> Input::first_line(const std::function<void(std::string_view)>& on_comment) {
  for (std::size_t at = 0;;) {
    if (at >= head_step / 2) drop(at), at = 0;
    std::string_view text = head(head_step);
    std::size_t i = at, line = at;
    for (; i < text.size() && (is_blank(text[i]) || text[i] == '\n'); ++i)
      if (text[i] == '\n') line = i + 1;
    if (i == text.size()) {
      drop(i);
      if (ended_) return std::nullopt;
      at = 0;
      continue;
    }
    text = head(i + 2);
    if (!rules_.is_comment(text.substr(i))) {
      drop(line);
      return whole_row();
    }
    std::size_t newline = text.find('\n', i);
    if (newline == std::string_view::npos) {
      text = head(i + head_step);
      newline = text.find('\n', i);
    }
    const std::size_t count = std::min(newline, text.size()) - i;
    refuse_cr(line, i - line + count);
    if (on_comment) on_comment(without_blanks_behind(text.substr(i, std::min(count, head_step))));
    if (newline != std::string_view::npos) {
      at = newline + 1;
    } else {
      drop(line);  // blank lines before it: skipped once, not once per line
      drop_line();
      at = 0;
    }
  }
}

/// Passes over the rest of the line with which head() begins.
void Input::drop_line() {
  for (;;) {
    const std::string_view text = head(head_step);
    const std::size_t newline = text.find('\n');
    refuse_cr(0, std::min(newline, text.size()));
    drop(newline == std::string_view::npos ? text.size() : newline + 1);
    if (newline != std::string_view::npos || (ended_ && head_.empty())) return;
  }
}

/// The row with which head() begins, as long as it is.
std::string_view Input::whole_row() {
  LongLine line;
  for (std::size_t want = head_step;;) {
    const std::string_view text = head(want);
    const std::string_view row = text.substr(0, text.find('\n'));
    const std::size_t zero = row.find('\0');
    if (zero != std::string_view::npos) fail_head(zero, nul.id, nul.expected, nul.hint, nul.found);
    if (row.size() < text.size() || ended_) {
      refuse_cr(0, row.size());
      return row;
    }
    try {
      if (!source_->size()) tame(line, lead_, head_.size());
    } catch (const TextFault& fault) {
      raise(fault);
    }
    want = head_.size() + std::max(head_.size(), std::size_t{1} << 20);
  }
}

/// A line of a stream goes on and on: head_[begin, end) is part of it. Runs of blanks are cut, and what no row holds is
/// refused, so that a few packed bytes do not fill the memory.
void Input::tame(LongLine& line, std::size_t begin, std::size_t end) {
  std::size_t to = begin + line.scanned;
  for (std::size_t from = to; from < end; ++from) {
    const char c = head_[from];
    if (is_blank(c)) {
      line.word = 0;
      if (++line.blanks > longest_blanks) {
        if (c == '\r') head_[to - 1] = c;  // so that it is still found and refused
        continue;
      }
    } else {
      line.blanks = 0;
      ++line.word;
    }
    head_[to++] = c;
    const bool too_long = line.one_row ? to - begin > longest_row : line.word > longest_word;
    if (c != '\0' && !too_long) continue;
    const Block block = head_block(begin);
    if (c == '\0') block.fail(block.begin + (to - 1 - begin), nul.id, nul.expected, nul.hint, nul.found);
    block.fail(block.begin + (to - 1 - begin), "HW-TEXT-LINE", "rows of edges",
               "if this is another format, name it with --input-format",
               line.one_row ? "a row of more than 8 MiB" : "a word of more than 1 MiB");
  }
  cut_ += end - to;
  head_.erase(to, end - to);
  line.scanned = to - begin;
}

/// head_ begins a line that fills a block: if it is a comment it is passed over.
bool Input::drop_long_comment() {
  const std::string_view text = std::string_view(head_);
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || !rules_.is_comment(text.substr(first))) return false;
  drop_line();
  return true;
}

/// What was looked at as head comes first; a block ends at the last newline read.
bool Input::next_of_stream(Block& block) {
  const std::lock_guard lock(mutex_);
  if (lead_) drop(0);
  LongLine line{.one_row = rules_.short_rows};
  std::size_t end = std::string::npos;
  for (std::size_t want = block_bytes;;) {
    fill(want);
    if (head_.empty()) return false;
    if (ended_ && head_.size() <= want) {
      end = head_.size();
      break;
    }
    end = head_.rfind('\n', want - 1);
    if (end != std::string::npos) {
      ++end;
      break;
    }
    if (line.scanned == 0 && drop_long_comment()) continue;
    tame(line, 0, want);
    want = line.scanned + std::max(line.scanned, block_bytes);
  }
  block.storage.resize(end + block_padding);
  std::memcpy(block.storage.data(), head_.data(), end);
  block.index = stream_index_++;
  block.offset = head_at_;
  block.lines_before = head_lines_;
  block.column_before = head_column_;
  block.counted = true;
  close_block(block, 0, end);
  drop(end);
  bytes_done_.store(source_->raw_bytes(), std::memory_order_relaxed);
  return true;
}

}  // namespace hopwave::io

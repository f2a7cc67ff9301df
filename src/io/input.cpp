// Cutting an input into blocks of whole lines, and finding the line of a fault.
#include "io/input.h"

#include <algorithm>
#include <cstring>

#include "io/input_text.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

/// Old Mac files end their lines with CR alone. Taken as a blank it would make one row of all of them.
void refuse_lone_cr(const Block& block) {
  const auto size = static_cast<std::size_t>(block.end - block.begin);
  if (size == 0 || !std::memchr(block.begin, '\r', size)) return;
  unsigned char alone = 0;
  for (std::size_t i = 0; i < size; ++i)
    alone = static_cast<unsigned char>(alone | ((block.begin[i] == '\r') & (block.begin[i + 1] != '\n')));
  if (!alone) return;
  for (const char* p = block.begin; p < block.end; ++p) {
    if (*p != '\r') continue;
    const char* behind = skip_blanks(p);
    if (*behind != '\n') block.fail(p, lone_cr.id, lone_cr.expected, lone_cr.hint, lone_cr.found);
    p = behind;
  }
}

std::string printable(std::string_view word) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (const char c : word) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u != 0x7f) {
      text += c;
    } else {
      text += "\\x";
      text += hex[u >> 4];
      text += hex[u & 15];
    }
  }
  return text;
}

}  // namespace

void close_block(Block& block, std::size_t begin, std::size_t end) {
  block.storage.resize(end + block_padding);
  std::memset(block.storage.data() + end, '\n', block_padding);
  block.begin = block.storage.data() + begin;
  block.end = block.storage.data() + end;
}

std::string quote_at(const char* at, const char* end) {
  if (at >= end || *at == '\n' || (*at == '\r' && (at + 1 >= end || at[1] == '\n'))) return "the end of the line";
  if (*at == '\0') return "a NUL byte";
  const auto in_word = [end](const char* p) { return p < end && *p != '\n' && *p != ' ' && *p != '\t' && *p != '\r'; };
  const char* stop = at;
  while (stop - at < 24 && in_word(stop)) ++stop;
  const bool cut = in_word(stop);
  if (stop == at) ++stop;
  return "'" + printable({at, static_cast<std::size_t>(stop - at)}) + (cut ? "…'" : "'");
}

std::string counted(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void Block::fail(const char* at, const char* id, const std::string& expected, const std::string& hint,
                 std::string found) const {
  TextFault fault{.id = id, .found = std::move(found), .expected = expected, .hint = hint};
  at = std::clamp(at, begin, end);
  if (fault.found.empty()) fault.found = quote_at(at, end);
  fault.offset = offset + static_cast<std::uint64_t>(at - begin);
  fault.block_offset = offset;
  fault.line_in_block = static_cast<std::uint64_t>(std::count(begin, at, '\n'));
  const char* line = at;
  while (line > begin && line[-1] != '\n') --line;
  fault.column = static_cast<std::uint64_t>(at - line) + 1 + (line == begin ? column_before : 0);
  fault.lines_before = lines_before;
  fault.counted = counted;
  throw fault;
}

Input::Input(std::unique_ptr<ByteSource> source, const ReadOptions& options)
    : source_(std::move(source)), options_(options), team_(options.run.threads) {
  begin();
}

void Input::begin() {
  const std::size_t have = fill(4);
  if (have >= 3 && head_.compare(0, 3, "\xEF\xBB\xBF") == 0) lead_ = bom_ = 3;
}

bool Input::rewind() {
  if (!source_->size() && !source_->rewind()) return false;
  head_.clear();
  head_at_ = head_lines_ = head_column_ = stream_index_ = cut_ = 0;
  next_index_ = bytes_done_ = 0;
  ended_ = false;
  lead_ = 0;
  begin();
  return true;
}

/// Makes head_ at least `want` bytes long if there are so many.
std::size_t Input::fill(std::size_t want) {
  while (!ended_ && head_.size() < want) {
    const std::size_t have = head_.size();
    // In steps, since `want` may come from a header that lies.
    std::size_t more = std::clamp<std::size_t>(want - have, 4096, std::max<std::size_t>(have, 1u << 20));
    // No more than the file still holds: room for a whole block costs a small file more than reading it.
    if (const auto size = source_->size()) more = std::min<std::uint64_t>(more, *size - head_at_ - have);
    head_.resize(have + more);
    const std::size_t got = source_->size() ? source_->read_at(head_at_ + have, head_.data() + have, more)
                                            : source_->read(head_.data() + have, more);
    head_.resize(have + got);
    ended_ = source_->size() ? head_at_ + head_.size() >= *source_->size() : got == 0;
  }
  return head_.size();
}

bool Input::next(Block& block) { return source_->size() ? next_of_file(block) : next_of_stream(block); }

/// Block i holds the lines that begin in its bytes [begin, stop); the last of them may end far after `stop`.
bool Input::next_of_file(Block& block) {
  const std::uint64_t size = *source_->size(), base = head_at_ + lead_;
  block.index = next_index_.fetch_add(1, std::memory_order_relaxed);
  block.offset = std::min(base + block.index * block_bytes, size);
  block.column_before = block.index == 0 ? head_column_ : 0;
  if (block.offset >= size) return false;
  const std::uint64_t stop = std::min<std::uint64_t>(block.offset + block_bytes, size);
  const std::size_t lead = block.index == 0 ? 0 : 1;  // the byte before says whether a line begins right here
  const std::uint64_t from = block.offset - lead;
  std::size_t have = static_cast<std::size_t>(stop - from);
  block.storage.resize(have + block_padding);
  have = source_->read_at(from, block.storage.data(), have);
  std::size_t begin = 0;
  if (lead) {
    const void* newline = have ? std::memchr(block.storage.data(), '\n', have - 1) : nullptr;
    begin = newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - block.storage.data()) + 1 : have;
    if (!newline) {  // no line begins here: all of it belongs to an earlier block
      close_block(block, have, have);
      block.offset = from + have;
      return true;
    }
  }
  std::size_t step = 4096;
  while (from + have < size && block.storage[have - 1] != '\n') {
    block.storage.resize(have + step + block_padding);
    const std::size_t got = source_->read_at(from + have, block.storage.data() + have, step);
    const void* newline = std::memchr(block.storage.data() + have, '\n', got);
    have = newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - block.storage.data()) + 1 : have + got;
    step *= 2;
  }
  bytes_done_.fetch_add(stop - block.offset, std::memory_order_relaxed);
  block.offset = from + begin;
  close_block(block, begin, have);
  return true;
}

void Input::for_each_block(const std::function<void(Block&, int rank)>& parse) {
  std::mutex fault_mutex;
  std::uint64_t fault_index = ~std::uint64_t{0};
  std::exception_ptr first_fault;
  std::atomic<std::uint64_t> stop_after{~std::uint64_t{0}};  // blocks after a fault need not be read
  team_.run([&](int rank) {
    Block block;
    for (;;) {
      std::uint64_t index = ~std::uint64_t{0} - 1;  // no block yet: faults of blocks come first
      try {
        if (stop_after.load(std::memory_order_relaxed) == 0 || !next(block)) return;
        index = block.index;
        if (index > stop_after.load(std::memory_order_relaxed)) return;
        refuse_lone_cr(block);
        parse(block, rank);
        if (rank == 0) report_progress();
      } catch (...) {
        const std::lock_guard lock(fault_mutex);
        if (!first_fault || index < fault_index) {
          fault_index = index;
          first_fault = std::current_exception();
        }
        stop_after.store(std::min(stop_after.load(std::memory_order_relaxed), index), std::memory_order_relaxed);
        return;
      }
    }
  });
  if (!first_fault) return;
  try {
    std::rethrow_exception(first_fault);
  } catch (const TextFault& fault) {
    raise(fault);
  }
}

std::optional<std::uint64_t> Input::count_lines() const {
  const auto size = source_->size();
  if (!size) return std::nullopt;
  char last = '\n';
  if (*size) source_->read_at(*size - 1, &last, 1);
  return lines_in_file(*size) + (last != '\n');
}

std::uint64_t Input::lines_in_file(std::uint64_t end) const {
  std::vector<char> buffer(std::min<std::uint64_t>(end, std::uint64_t{1} << 20));
  std::uint64_t lines = 0;
  for (std::uint64_t at = 0; at < end;) {
    const std::size_t got = source_->read_at(at, buffer.data(), std::min<std::uint64_t>(buffer.size(), end - at));
    if (got == 0) break;
    lines += static_cast<std::uint64_t>(std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
    at += got;
  }
  return lines;
}

void Input::raise(const TextFault& fault) {
  const std::uint64_t before = fault.counted ? fault.lines_before : lines_in_file(fault.block_offset);
  throw Error(
      {.id = fault.id,
       .where = {.file = name(), .line = before + fault.line_in_block + 1, .column = fault.column, .byte = fault.offset},
       .found = fault.found,
       .expected = fault.expected,
       .hint = fault.hint});
}

void Input::fail_file(const char* id, const std::string& found, const std::string& expected, const std::string& hint,
                      std::uint64_t byte) const {
  throw Error({.id = id, .where = {.file = name(), .byte = byte}, .found = found, .expected = expected, .hint = hint});
}

void Input::check_plausible(std::uint64_t count, const char* id) const {
  if (count > max_vertices)
    fail_file(id, std::to_string(count) + " vertices", "at most " + std::to_string(max_vertices),
              "vertex ids have 32 bits here");
  if (!source_->size() && !ended_) return;  // a stream's length shows at its end
  const std::uint64_t bytes = text_bytes(), limit = 1'000'000 + 4 * bytes;
  if (count > limit && !options_.allow_huge)
    fail_file(id, std::to_string(count) + " vertices promised in " + std::to_string(bytes) + " bytes",
              "at most " + std::to_string(limit) + " (a million and four per byte)",
              "if it is true, allow it with --allow-huge");
}

void Input::read_exactly(std::uint64_t offset, void* to, std::size_t count, const char* id) {
  const std::size_t got = source_->read_at(offset, static_cast<char*>(to), count);
  bytes_done_.fetch_add(got, std::memory_order_relaxed);
  if (got != count)
    fail_file(id, "the end of the file", std::to_string(count - got) + " more bytes",
              "the file is cut off or not what it seems", offset + got);
}

void Input::load(std::uint64_t limit, const char* id) {
  if (source_->size()) return;
  fill(static_cast<std::size_t>(std::min<std::uint64_t>(limit, ~std::size_t{0} - 1)) + 1);
  if (head_.size() > limit)
    fail_file(id, "more than " + std::to_string(limit) + " bytes", std::to_string(limit) + " bytes as the header says");
  loaded_raw_ = source_->raw_bytes();
  std::string all = std::move(head_);
  head_ = all.substr(0, std::size_t{1} << 16);
  source_ = owned_source(std::move(all), name());
}

Place Input::place_of_word(std::uint64_t position) {
  Place place{.file = name()};
  if (!source_->size()) return place;  // a stream is gone
  std::vector<char> buffer(std::size_t{1} << 20);
  bool inside = false;
  place.line = 1;
  for (std::uint64_t at = bom_, line_start = bom_;;) {
    const std::size_t got = source_->read_at(at, buffer.data(), buffer.size());
    if (got == 0) return {.file = name()};
    for (std::size_t i = 0; i < got; ++i) {
      const char c = buffer[i];
      const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
      if (!blank && !inside && position-- == 0) {
        place.column = at + i - line_start + 1;
        return place;
      }
      inside = !blank;
      if (c == '\n') ++place.line, line_start = at + i + 1;
    }
    at += got;
  }
}

std::uint64_t Input::text_bytes() const {
  if (source_->size()) return *source_->size();
  return head_at_ + head_.size() + cut_;
}

void Input::finish(ReadReport& report) {
  report.source = name();
  report.bytes = loaded_raw_ ? loaded_raw_ : source_->raw_bytes();
  report.text_bytes = text_bytes();
  // Only the first thread reports, and its last block need not be the file's last.
  const std::uint64_t done = bytes_done_.load(std::memory_order_relaxed);
  bytes_done_.store(std::max(done, source_->raw_size().value_or(done)), std::memory_order_relaxed);
  report_progress();
}

void Input::report_progress() {
  if (!options_.run.progress) return;
  const auto total = source_->raw_size();
  if (!options_.run.progress(
          {.what = "bytes", .done = bytes_done_.load(std::memory_order_relaxed), .total = total.value_or(0)}))
    throw Error(
        {.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "reading was stopped", .expected = "", .hint = ""});
}

}  // namespace hopwave::io

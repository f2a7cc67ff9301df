// Writing to the user: numbers as people read them, errors as text and JSON, and the progress line.
#include "cli/frame/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/frame/json.h"

namespace hopwave::cli {
namespace {

/// Writes all of `text`; false if the reader has closed the pipe or the disk is full.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Terminal find_terminal() {
  Terminal terminal;
  terminal.out = isatty(STDOUT_FILENO) == 1;
  terminal.err = isatty(STDERR_FILENO) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  terminal.no_color = (no_color && *no_color) || (term && std::string_view(term) == "dumb");
  winsize size{};
  if (terminal.err && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) {
    terminal.columns = size.ws_col;
    terminal.err_room = size.ws_col;
  }
  if (terminal.out && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) terminal.out_room = size.ws_col;
  // COLUMNS, where it is set, holds for pipes too.
  const char* const wanted = std::getenv("COLUMNS");
  if (const int columns = wanted ? std::atoi(wanted) : 0; columns > 20) {
    terminal.columns = columns;
    terminal.out_room = terminal.err_room = static_cast<std::size_t>(columns);
  }
  return terminal;
}

void Console::line(Stream stream, std::string_view text) {
  if (stream == Stream::out) return result(text);
  if (!settings_.quiet) write_all(STDERR_FILENO, std::string(text) + "\n");
}

void Console::labelled(Stream stream, std::string_view label, std::size_t width, std::string_view text) {
  const std::string left = bold(stream, fmt::format("{:<{}}", label, width));
  line(stream, left + wrap(text, room(stream), width));
}

void Console::result(std::string_view text) {
  std::string whole(text);
  whole += '\n';
  if (write_all(STDOUT_FILENO, whole)) return;
  throw Error({.failure = errno == EPIPE ? Failure::no : Failure::input,
               .id = errno == EPIPE ? "HW-IO-PIPE" : "HW-IO-WRITE",
               .found = std::string("standard output cannot be written: ") + std::strerror(errno)});
}

void Console::talk(std::string_view text) { line(Stream::err, fitted(Stream::err, text, 2)); }

void Console::warn(std::string_view text) {
  if (!settings_.quiet) insist(text);
}

void Console::insist(std::string_view text) {
  write_all(STDERR_FILENO,
            paint(Stream::err, "1;33", "note:") + " " + wrap(printable(text, true), terminal_.err_room, 6) + "\n");
}

void Console::fault(const Error& error) {
  // The hint, on a line of its own, has its own indent.
  const std::string text = printable(error.what(), true);
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string lines = wrap(text.substr(0, end), terminal_.err_room, 7);
  if (end < text.size()) lines += "\n" + wrap(text.substr(end + 1), terminal_.err_room, 8, 0);
  write_all(STDERR_FILENO, paint(Stream::err, "1;31", "error:") + " " + lines + "\n");
}

void Console::error(const Error& error) {
  fault(error);
  if (!settings_.json) return;
  Json json = error_json(error);
  for (const auto& [key, value] : of_errors_) json[key] = Json::parse(value);
  write_all(STDOUT_FILENO, dump(json) + "\n");
}

bool Console::colored(Stream stream) const {
  if (settings_.color != "auto") return settings_.color == "always";
  return (stream == Stream::out ? terminal_.out : terminal_.err) && !terminal_.no_color;
}

std::string Console::paint(Stream stream, std::string_view code, std::string_view text) const {
  return colored(stream) ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

Progress::Progress(const Console& console, std::string title)
    : shown_(console.shows_progress()), columns_(console.terminal().columns), title_(std::move(title)) {
  if (!shown_) return;
  if (core::in_ticks()) {  // no time passes by itself: all is shown, and at once
    next_ = {};
    draw_time();
    return;
  }
  try {
    ticker_ = std::thread([this] { tick(); });
  } catch (const std::system_error&) {  // then the line changes only with the next report
  }
}

Progress::~Progress() {
  if (ticker_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_one();
    ticker_.join();
  }
  if (drawn_) write_all(STDERR_FILENO, "\r\033[K");
}

void Progress::tick() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    // 0.2 s later than a report would be drawn, so that reports come first.
    if (wake_.wait_until(lock, next_ + std::chrono::milliseconds(200), [&] { return ending_; })) return;
    if (core::Clock::now() >= next_ + std::chrono::milliseconds(200) && due()) draw_time();
  }
}

void Progress::draw_time() { draw(fmt::format("{}, {} so far", title_, seconds_text(seconds()))); }

bool Progress::due() {
  const auto now = core::Clock::now();
  if (now < next_) return false;
  if (!core::in_ticks()) next_ = now + std::chrono::milliseconds(100);
  return true;
}

void Progress::stage(std::string title) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  if (title == title_) return;
  title_ = std::move(title);
  since_ = {};
  if (drawn_) draw(title_);
}

void Progress::bytes(std::uint64_t done, std::uint64_t total) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  if (!due()) return;
  if (total == 0) return draw(fmt::format("{} {}", title_, bytes_text(done)));
  bar(static_cast<double>(done) / static_cast<double>(total), bytes_text(done) + " of " + bytes_text(total) + ", ");
}

void Progress::part(std::uint64_t done, std::uint64_t total) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  if (done > 0 && due()) bar(static_cast<double>(done) / static_cast<double>(total), "");
}

void Progress::bar(double part, const std::string& text) {
  part = std::min(1.0, part);
  const std::string rest =
      fmt::format(" {:3.0f} %  {}{} left", 100 * part, text, seconds_text(part > 0 ? seconds() * (1 - part) / part : 0));
  // The time left is what is looked for: a long name takes room from the bar first, and then from itself.
  const int room = columns_ - 1 - static_cast<int>(rest.size()), title = static_cast<int>(title_.size());
  const int width = std::min(24, room - title - 3), full = static_cast<int>(part * std::max(width, 0));
  std::string name = title_;
  if (title > room) name = title_.substr(0, static_cast<std::size_t>(std::max(room - 3, 0))) + "...";
  if (width >= 4) name += fmt::format(" [{}{}]", std::string(full, '='), std::string(width - full, ' '));
  draw(name + rest);
}

void Progress::steps(std::string_view text) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  if (due()) draw(fmt::format("{} {}", title_, text));
}

void Progress::steps(std::string_view text, std::uint64_t done, std::uint64_t all) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  if (done == 0 || done > all || !due()) return;
  const double left = seconds() * static_cast<double>(all - done) / static_cast<double>(done);
  draw(fmt::format("{} {}, {} left", title_, text, seconds_text(left)));
}

void Progress::draw(const std::string& text) {
  // Cutting by bytes is safe: the line is ASCII except "µs", which is never beyond the width of so narrow a terminal.
  write_all(STDERR_FILENO, "\r" + text.substr(0, static_cast<std::size_t>(columns_ - 1)) + "\033[K");
  drawn_ = true;
}

void Context::check_interrupt() const {
  if (interrupted()) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "interrupted"});
}

}  // namespace hopwave::cli

// Console: the only way to the user. Results go to stdout, messages to stderr; colour, line breaks and progress bars only on
// terminals.
// Context: what a command gets to work with.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/width.h"
#include "core/bytes_text.h"
#include "core/clock.h"
#include "core/people_text.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::ranks {
class Transport;
}

namespace hopwave::cli {

using core::grouped, core::number_text, core::plural, core::printable, core::rounded_text, core::seconds_text;

/// What the environment states; read once in main.
struct Terminal {
  bool out = false, err = false;           ///< stdout, stderr are terminals
  bool no_color = false;                   ///< NO_COLOR is set and not empty, or TERM is dumb
  int columns = 80;                        ///< of stderr's terminal, for help and the progress line
  std::size_t out_room = 0, err_room = 0;  ///< columns that lines may take; 0: any number, there is no terminal
};
Terminal find_terminal();

enum class Stream { out, err };

class Console {
 public:
  Console(const Terminal& terminal, const Settings& settings) : terminal_(terminal), settings_(settings) {}

  /// A line of the result (stdout). Throws HW-IO-PIPE if the reader has closed the pipe.
  void result(std::string_view text);
  /// A message (stderr), in lines that the terminal has room for; silent with --quiet.
  void talk(std::string_view text);
  void warn(std::string_view text);
  /// The same, also with --quiet: for what changes the meaning of the result.
  void insist(std::string_view text);
  /// Adds a key to the documents of later errors; `json`: its value as text.
  void add_to_errors(std::string key, std::string json) { of_errors_.emplace_back(std::move(key), std::move(json)); }
  /// An error: text on stderr; with --json also as a document on stdout.
  void error(const Error& error);
  /// Its text alone.
  void fault(const Error& error);
  /// A line of the result or of the messages, as it is.
  void line(Stream stream, std::string_view text);
  /// A label of `width` columns in bold, and the text next to it with a hanging indent.
  void labelled(Stream stream, std::string_view label, std::size_t width, std::string_view text);
  /// The text in lines that the terminal has room for; those after the first are indented.
  [[nodiscard]] std::string fitted(Stream stream, std::string_view text, std::size_t hang = 0) const {
    return wrap(text, room(stream), hang, 0);
  }
  /// Columns that a line of it may take; 0: any number.
  [[nodiscard]] std::size_t room(Stream stream) const {
    return stream == Stream::out ? terminal_.out_room : terminal_.err_room;
  }
  void flush();

  [[nodiscard]] bool colored(Stream stream) const;
  [[nodiscard]] std::string bold(Stream stream, std::string_view text) const { return paint(stream, "1", text); }
  [[nodiscard]] std::string dim(Stream stream, std::string_view text) const { return paint(stream, "2", text); }
  [[nodiscard]] bool shows_progress() const { return terminal_.err && !settings_.quiet; }
  [[nodiscard]] const Terminal& terminal() const { return terminal_; }

 private:
  [[nodiscard]] std::string paint(Stream stream, std::string_view code, std::string_view text) const;

  const Terminal& terminal_;
  const Settings& settings_;
  std::vector<std::pair<std::string, std::string>> of_errors_ = {};
};

/// One line on stderr that is redrawn at most ten times per second, first after 0.3 s, and wiped at the end. If there is no
/// report for a while, a thread redraws it with the time that has passed. Any thread may call any function.
class Progress {
 public:
  Progress(const Console& console, std::string title);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// What is done from now on.
  void stage(std::string title);
  void bytes(std::uint64_t done, std::uint64_t total);
  /// Units that say nothing to people: a bar and the time left.
  void part(std::uint64_t done, std::uint64_t total);
  void steps(std::string_view text);
  /// The same with the time left, taken from `done` of `all`.
  void steps(std::string_view text, std::uint64_t done, std::uint64_t all);

 private:
  void tick();
  void draw(const std::string& text);
  void draw_time();
  void bar(double part, const std::string& text);
  [[nodiscard]] bool due();
  [[nodiscard]] double seconds() const { return since_.seconds(); }

  const bool shown_;
  const int columns_;
  std::string title_;
  core::Stopwatch since_;
  core::Clock::time_point next_ = core::Clock::now() + std::chrono::milliseconds(300);
  std::mutex mutex_;
  std::condition_variable wake_;
  bool drawn_ = false, ending_ = false;
  std::thread ticker_;
};

class Context {
 public:
  Context(Console& console_, Settings& settings_, const std::atomic<bool>& interrupted)
      : console(console_), settings(settings_), interrupted_(interrupted) {}

  Console& console;
  Settings& settings;
  std::vector<std::string> words;     ///< the command line after "hopwave"
  std::vector<std::string> given;     ///< what parse() returned
  ranks::Transport* ranks = nullptr;  ///< to the other processes of this job; null: there are none

  /// "--runs" was given, even if with its default value.
  [[nodiscard]] bool gave(std::string_view option) const {
    return std::find(given.begin(), given.end(), option) != given.end();
  }
  [[nodiscard]] bool json() const { return settings.json; }
  [[nodiscard]] bool interrupted() const { return interrupted_.load(std::memory_order_relaxed); }
  /// Throws HW-INTERRUPTED once Ctrl-C was pressed; for loops that have no progress callback.
  void check_interrupt() const;

 private:
  const std::atomic<bool>& interrupted_;
};

}  // namespace hopwave::cli

// hopwave: finds the command, fills its options, runs it and turns what went wrong into a message and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/files.h"
#include "cli/frame/help.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/launch.h"
#include "cli/frame/memory_limit.h"
#include "cli/frame/no_memory.h"
#include "core/clock.h"
#include "device/architecture.h"
#include "hopwave/version.h"
#include "io/format.h"

namespace hopwave::cli {
namespace {

constexpr int internal_error = 70;

int show(Console& console, std::string_view text, Stream stream = Stream::out) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  console.line(stream, text);
  return 0;
}

[[noreturn]] void unknown_command(const std::string& word, const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.emplace_back(command.name);
  const auto near = nearest(word, names);
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-COMMAND",
               .found = "'" + word + "' is not a command of hopwave",
               .hint = near ? "did you mean '" + *near + "'?" : "hopwave help lists them"});
}

/// Reports a missing folder of an output file before the work, not after it.
void check_outputs(const Command& command) {
  for (const auto& group : command.groups)
    for (const auto& option : group.options)
      if (option.fill == Fill::output)
        if (const std::string& file = **std::get_if<std::string*>(&option.target); !file.empty()) {
          check_output(file);
          io::check_packing(file);
          if (io::extension_of(file) == "png" && !build_features().png)
            throw Error({.failure = Failure::usage,
                         .id = "HW-PNG-MISSING",
                         .where = {.file = file},
                         .found = "this build cannot write PNG files",
                         .expected = "a build with libpng",
                         .hint = "write .svg, or install libpng-dev and build again"});
        }
}

bool asks_for_help(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) { return word == "--help" || word == "-h"; });
}

int dispatch(std::vector<std::string> words, Settings& settings, Console& console, const std::atomic<bool>& interrupted,
             Ranks& ranks) {
  const std::vector<std::string> line = words;
  const auto commands = make_commands(settings);
  const int columns = std::min(console.terminal().columns, 110);
  if (words.empty()) {
    show(console, overview(commands, columns, console.colored(Stream::err)), Stream::err);
    return static_cast<int>(Failure::usage);
  }
  const std::string name = words.front();
  if (name == "--version" || name == "-V") return show(console, fmt::format("hopwave {}", version));
  if (name == "--help" || name == "-h") return show(console, overview(commands, columns, console.colored(Stream::out)));
  const auto command = std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == name; });
  if (command == commands.end()) unknown_command(name, commands);
  words.erase(words.begin());
  // --json is looked for by hand first, so that errors of parsing are JSON, too.
  const auto arguments = std::find(words.begin(), words.end(), "--");
  settings.json = command->json && std::any_of(words.begin(), arguments, [](const std::string& word) {
                    return word == "--json" || word == "--json=true";
                  });
  // What shows help is left to each process.
  if (command->name != "help" && command->name != "completions" && !asks_for_help(words)) ranks.open(*command, line);
  std::vector<std::string> given;
  ranks.agree([&] {
    given = parse(*command, words);
    if (!settings.memory_limit.empty() && !limit_memory(to_bytes("--memory-limit", settings.memory_limit)))
      settings.memory_limit.clear();  // hints do not name it: to allow more would change nothing
  });
  if (settings.help) return show(console, help_page(*command, columns, console.colored(Stream::out)));
  ranks::Transport* const transport = ranks.transport();
  ranks.agree([&] {
    if (!transport || transport->rank() == 0) check_outputs(*command);
  });
  Context context(console, settings, interrupted);
  context.words = line;
  context.given = std::move(given);
  context.ranks = transport;
  return command->run(context);
}

/// Runs the command; errors become words and exit codes.
int guarded(int argc, char** argv, Settings& settings, Console& console, std::atomic<int>& signal) {
  // MPI is closed before the signals' watcher is gone, which ends a process that the others leave waiting.
  std::optional<Interrupts> interrupts;
  Ranks ranks(console);
  try {
    interrupts.emplace(signal);
    ranks.watch(*interrupts);
    interrupts->on_lost_file([&](const Error& error) { console.error(error); });
    return dispatch(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), settings, console, interrupts->flag(),
                    ranks);
  } catch (const Error& error) {
    if (error.id() == "HW-IO-PIPE") return 0;  // `| head` has what it wanted
    if (ranks.transport())                     // all ranks have agreed on its words, or will
      ranks.report(error);
    else
      ranks.report(with_memory_hint(error, settings));
    return static_cast<int>(error.failure());
  } catch (const std::bad_alloc&) {
    const Error error({.failure = Failure::does_not_fit, .id = "HW-MEMORY", .found = "the system has no more memory"});
    ranks.report(with_memory_hint(error, settings));
    return static_cast<int>(error.failure());
  } catch (const std::exception& problem) {
    const Error error({.failure = static_cast<Failure>(internal_error),
                       .id = "HW-INTERNAL",
                       .found = std::string("an error that should not happen: ") + problem.what(),
                       .hint = "please report it with the command"});
    ranks.report(error);
    return internal_error;
  }
}

/// A process that gets a signal dies of that signal: a shell's loop would continue after any exit code, but not after that.
int run(int argc, char** argv) {
  reserve_standard_descriptors();
  end_in_order_without_memory();
  Terminal terminal = find_terminal();
  device::limit_process(std::getenv("HOPWAVE_LIMITS_OF"));
  if (std::getenv("HOPWAVE_TICKS")) core::use_ticks();
  if (started_by_launcher()) terminal.out = terminal.err = false;
  Settings settings;
  Console console(terminal, settings);
  std::atomic<int> signal{0};
  int code = 0;
  try {
    code = guarded(argc, argv, settings, console, signal);
  } catch (const std::bad_alloc&) {  // the error's own words found no memory
    code = report_no_memory(settings.json);
  }
  if (signal == SIGXCPU) console.warn("the limit of processor time is reached (ulimit -t)");
  if (signal != 0) die_of(signal);
  return code;
}

}  // namespace
}  // namespace hopwave::cli

int main(int argc, char** argv) { return hopwave::cli::run(argc, argv); }

// Everything that is written from the option table: help pages, man pages and shell completions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/console.h"

namespace hopwave::cli {

/// Help of one command: examples first. Plain text for `columns`; headings bold if `bold`.
std::string help_page(const Command& command, int columns, bool bold);
/// Commands of one kind, in the order in which people come to need them.
struct CommandGroup {
  std::string_view title;
  std::vector<const Command*> commands;
};
/// Every command once; one that no group names is at the end of the first group.
std::vector<CommandGroup> command_groups(const std::vector<Command>& commands);

/// What `hopwave help` shows: all commands.
std::string overview(const std::vector<Command>& commands, int columns, bool bold);

/// man(7) pages: hopwave(1), hopwave-bfs(1) …
std::string man_page(const Command& command);
std::string man_overview(const std::vector<Command>& commands);

/// A completion script for bash, zsh or fish.
std::string bash_completion(const std::vector<Command>& commands);
std::string zsh_completion(const std::vector<Command>& commands);
std::string fish_completion(const std::vector<Command>& commands);

/// Help text of an option with its choices and standard value.
std::string option_text(const Option& option);
/// Values that a shell offers, in addition to files.
std::vector<std::string> option_words(const Option& option, const std::vector<Command>& commands);
/// Exit codes and what they mean, for help and man pages.
struct ExitCode {
  int code;
  std::string_view meaning;
};
std::vector<ExitCode> exit_codes();

}  // namespace hopwave::cli

// hopwave help: help of a command, as text, man page or JSON.
#include "cli/frame/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/json.h"

namespace hopwave::cli {
namespace of_help {

struct Arguments {
  std::string command;
  bool man = false;
};

Json to_json(const Command& command) {
  Json json = {{"name", command.name}, {"summary", command.summary}, {"options", Json::array()}};
  for (const auto& group : command.groups)
    for (const auto& option : group.options)
      json["options"].push_back({{"group", group.title},
                                 {"names", option.positional() ? std::vector<std::string>{} : split_names(option.names)},
                                 {"value", option.value},
                                 {"help", option.help},
                                 {"choices", option.choices},
                                 {"repeatable", option.repeats()},
                                 {"default", option.default_value()}});
  return json;
}

int run(const Arguments& arguments, Context& context) {
  if (arguments.man && context.json())
    throw Error(
        {.failure = Failure::usage, .id = "HW-USAGE-OPTION", .found = "--json with --man", .expected = "one of the two"});
  Settings unused;
  const auto commands = make_commands(unused);
  const auto named =
      std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == arguments.command; });
  if (!arguments.command.empty() && named == commands.end()) {
    std::vector<std::string> names;
    for (const auto& command : commands) names.emplace_back(command.name);
    const auto near = nearest(arguments.command, names);
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-COMMAND",
                 .found = "'" + arguments.command + "' is not a command of hopwave",
                 .hint = near ? "did you mean '" + *near + "'?" : "hopwave help lists them"});
  }
  Console& console = context.console;
  const int columns = std::min(console.terminal().columns, 110);
  const bool bold = console.colored(Stream::out);
  std::string text;
  if (context.json()) {
    Json json = document("help");
    json["commands"] = Json::array();
    for (const auto& command : commands)
      if (arguments.command.empty() || command.name == arguments.command) json["commands"].push_back(to_json(command));
    text = dump(json);
  } else if (named == commands.end()) {
    text = arguments.man ? man_overview(commands) : overview(commands, columns, bold);
  } else {
    text = arguments.man ? man_page(*named) : help_page(*named, columns, bold);
  }
  while (text.ends_with('\n')) text.pop_back();
  console.result(text);
  return 0;
}

}  // namespace of_help

Command help_command() {
  using namespace of_help;
  auto a = std::make_shared<Arguments>();
  return {.name = "help",
          .summary = "show help, or write a man page",
          .description =
              "Shows the list of commands or the help of one. Help, man pages and shell completions are made from one table of "
              "options.",
          .examples = {{"hopwave help bfs", "the same as hopwave bfs --help"},
                       {"hopwave help --man bfs > hopwave-bfs.1", "the man page"},
                       {"hopwave help --json", "all commands and options for programs"}},
          .groups = {{"What",
                      {{"command", "COMMAND", "The command to explain.", &a->command, {}, Fill::command},
                       {"--man", "", "Write a man page instead.", &a->man}}}},
          .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli

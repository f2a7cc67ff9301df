// Help pages in plain text.
#include "cli/frame/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "hopwave/version.h"

namespace hopwave::cli {
namespace {

/// Help is never narrower than its left column and a few words.
std::string wrap(std::string_view text, int columns, std::size_t indent) {
  std::string words(text);
  std::replace(words.begin(), words.end(), '\n', ' ');
  return cli::wrap(words, static_cast<std::size_t>(std::max(columns, 60)), indent);
}

std::string heading(std::string_view title, bool bold) {
  return bold ? fmt::format("\033[1m{}:\033[0m\n", title) : fmt::format("{}:\n", title);
}

std::string left_side(const Option& option) {
  if (option.positional()) return std::string(option.value);
  std::string text;
  for (const auto& name : split_names(option.names)) text += (text.empty() ? "" : ", ") + name;
  if (!text.starts_with("-") || text.starts_with("--")) text = "    " + text;
  return option.value.empty() ? text : text + " " + std::string(option.value);
}

std::string usage_line(const Command& command) {
  std::string line = "hopwave " + std::string(command.name);
  for (const auto* p : command.positionals())
    line += fmt::format(" {}{}{}{}", p->required ? "" : "[", p->value, p->repeats() ? "..." : "", p->required ? "" : "]");
  return line + " [options]";
}

}  // namespace

std::vector<ExitCode> exit_codes() {
  return {{0, "done"},
          {1, "the answer is no: no path to the target"},
          {2, "wrong usage"},
          {3, "bad input"},
          {4, "does not fit into memory"},
          {5, "a result failed verification"},
          {6, "the GPU or its driver failed"},
          {124, "a search took longer than --time-limit"},
          {130, "interrupted (the process dies of the signal: 128 and its number)"}};
}

std::string option_text(const Option& option) {
  std::string text = option.help;
  const std::string initial = option.default_value();
  if (!option.choices.empty()) {
    std::string list;
    for (const auto& choice : option.choices) list += (list.empty() ? "" : ", ") + choice;
    text += " Values: " + list + ".";
  }
  if (!initial.empty() && !option.positional()) text += " Default: " + initial + ".";
  return text;
}

std::vector<std::string> option_words(const Option& option, const std::vector<Command>& commands) {
  std::vector<std::string> words = option.choices;
  if (option.fill == Fill::strategy) {
    if (option.positional()) words = {"list", "literal", "show"};
    for (const auto& strategy : strategies()) words.emplace_back(strategy.name);
    for (const auto& strategy : literal_strategies()) words.emplace_back(strategy.name);
  } else if (option.fill == Fill::generator) {
    for (const auto& generator : generators())
      words.push_back(std::string(generator.name) + (generator.arguments.empty() ? "" : ":"));
  } else if (option.fill == Fill::source) {
    words = {"first", "maxdeg", "lcc", "random:"};
  } else if (option.fill == Fill::parameter || option.fill == Fill::parameter_or_best) {
    std::set<std::string> names;
    for (const auto* all : {&strategies(), &literal_strategies()})
      for (const auto& strategy : *all)
        for (const auto& parameter : strategy.parameters) names.insert(std::string(parameter.name) + "=");
    words.assign(names.begin(), names.end());
    if (option.fill == Fill::parameter_or_best) words.emplace_back("best");
  } else if (option.fill == Fill::command) {
    for (const auto& command : commands) words.emplace_back(command.name);
  }
  return words;
}

std::string help_page(const Command& command, int columns, bool bold) {
  std::string page = fmt::format("hopwave {}: {}\n\n", command.name, command.summary);
  if (!command.examples.empty()) {
    page += heading("Examples", bold);
    for (const auto& example : command.examples)
      page += "  " + example.line + "\n      " + wrap(example.what, columns, 6) + "\n";
    page += '\n';
  }
  page += heading("Usage", bold) + "  " + usage_line(command) + "\n\n" + wrap(command.description, columns, 0) + "\n";
  for (const auto& group : command.groups) {
    page += "\n" + heading(group.title, bold);
    for (const auto& option : group.options) {
      const std::string left = "  " + left_side(option);
      const std::size_t column = 28;
      page += left;
      page += left.size() + 2 > column ? "\n" + std::string(column, ' ') : std::string(column - left.size(), ' ');
      page += wrap(option_text(option), columns, column) + "\n";
    }
  }
  page += "\n" + heading("Exit codes", bold) + "  ";
  std::string codes;
  for (const auto& [code, meaning] : exit_codes()) codes += fmt::format("{}{} {}", codes.empty() ? "" : "; ", code, meaning);
  return page + wrap(codes, columns, 2) + "\n";
}

std::vector<CommandGroup> command_groups(const std::vector<Command>& commands) {
  static const struct {
    std::string_view title;
    std::vector<std::string_view> names;
  } order[] = {
      {"Search",
       {"bfs", "path", "reach", "sssp", "matrix", "cc", "scc", "kcore", "closeness", "betweenness", "eccentricity", "route"}},
      {"Look at graphs, make and convert them", {"info", "gen", "convert"}},
      {"Compare and measure strategies", {"strategies", "explain", "bench", "report", "tune"}},
      {"Before you begin", {"estimate", "doctor", "help", "completions"}}};
  std::vector<CommandGroup> groups;
  std::set<std::string_view> named;
  for (const auto& [title, names] : order) {
    groups.push_back({title, {}});
    CommandGroup& group = groups.back();
    for (const auto name : names)
      for (const auto& command : commands)
        if (command.name == name) group.commands.push_back(&command);
    named.insert(names.begin(), names.end());
  }
  for (const auto& command : commands)
    if (!named.contains(command.name)) groups.front().commands.push_back(&command);
  return groups;
}

std::string overview(const std::vector<Command>& commands, int columns, bool bold) {
  std::string page = fmt::format("hopwave {}: breadth-first search and graph traversal on GPUs and CPUs\n\n", version);
  page += heading("Examples", bold);
  page +=
      "  hopwave bfs roads.gr -s 17 -o distances.tsv\n  hopwave bfs rmat:20,16 -s maxdeg\n  hopwave path roads.gr 17 99\n\n";
  for (const auto& group : command_groups(commands)) {
    page += heading(group.title, bold);
    for (const Command* command : group.commands)
      page += fmt::format("  {:<12} {}\n", command->name, wrap(command->summary, columns, 15));
    page += "\n";
  }
  page += heading("Options", bold);
  page += "  -h, --help   " + wrap("show this page; 'hopwave COMMAND --help' shows a command's", columns, 15) + "\n";
  page += "  --version    show the version\n";
  return page;
}

}  // namespace hopwave::cli

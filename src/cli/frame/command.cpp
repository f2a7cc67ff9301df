// What the option table knows about itself, and the search for the name that was meant.
#include "cli/frame/command.h"

#include <algorithm>
#include <numeric>

namespace hopwave::cli {

std::string Option::default_value() const {
  if (const auto* text = std::get_if<std::string*>(&target)) return **text;
  if (const auto* number = std::get_if<std::int64_t*>(&target)) return std::to_string(**number);
  if (const auto* number = std::get_if<std::uint64_t*>(&target)) return std::to_string(**number);
  return {};
}

std::vector<const Option*> Command::options() const {
  std::vector<const Option*> found;
  for (const auto& group : groups)
    for (const auto& option : group.options)
      if (!option.positional()) found.push_back(&option);
  return found;
}

std::vector<const Option*> Command::positionals() const {
  std::vector<const Option*> found;
  for (const auto& group : groups)
    for (const auto& option : group.options)
      if (option.positional()) found.push_back(&option);
  return found;
}

std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> found;
  while (!names.empty()) {
    const auto comma = names.find(',');
    found.emplace_back(names.substr(0, comma));
    names = comma == std::string_view::npos ? std::string_view{} : names.substr(comma + 1);
  }
  return found;
}

namespace {

/// Graphs, mazes: what may take much memory.
bool reads_input(const Command& command) {
  for (const auto& group : command.groups)
    for (const auto& option : group.options)
      if (option.names == "--input-format" || (option.positional() && option.fill == Fill::generator)) return true;
  return false;
}

OptionGroup general_options(Settings& settings, const Command& command) {
  OptionGroup group{"General", {}};
  if (command.json)
    group.options.push_back(
        {"--json", "", "Print one JSON document on standard output, errors too (docs/json.md).", &settings.json});
  if (reads_input(command))
    group.options.push_back({"--memory-limit", "SIZE",
                             "Take no more memory than this: 512M, 4G, 4GiB. Exit code 4 where it is too little. Mapped files "
                             "(.hwg) and memory of a GPU do not count.",
                             &settings.memory_limit});
  group.options.push_back({"-q,--quiet", "", "No messages on standard error: only results and errors.", &settings.quiet});
  group.options.push_back({"--color",
                           "WHEN",
                           "Colour: auto (on terminals, unless NO_COLOR is set), always or never.",
                           &settings.color,
                           {"auto", "always", "never"}});
  group.options.push_back({"-h,--help", "", "Show this help.", &settings.help});
  return group;
}

/// Letters to change, add, drop or swap with their neighbour to turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = row;
    row = next;
  }
  return row[b.size()];
}

}  // namespace

std::vector<Command> make_commands(Settings& settings) {
  auto commands = command_table();
  std::sort(commands.begin(), commands.end(), [](const Command& a, const Command& b) { return a.name < b.name; });
  for (auto& command : commands) command.groups.push_back(general_options(settings, command));
  return commands;
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
  std::optional<std::string> best;
  std::size_t least = 2 + word.size() / 5;  // more changes than this are no typing slip
  for (const auto& name : names) {
    const std::size_t distance = name.starts_with(word) && word.size() > 1 ? 1 : edit_distance(word, name);
    if (distance < least && distance < name.size()) {
      least = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace hopwave::cli

// Completion scripts for bash, zsh and fish.
#include <fmt/format.h>

#include "cli/frame/help.h"

namespace hopwave::cli {
namespace {

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

bool wants_files(const Option& option) {
  return option.fill == Fill::file || option.fill == Fill::output || option.fill == Fill::generator;
}

std::string command_names(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.emplace_back(command.name);
  return join(names, " ");
}

/// A help text's first sentence, safe between single quotes.
std::string short_text(std::string_view text) {
  const auto end = text.find(". ");
  std::string sentence(end == std::string_view::npos ? text : text.substr(0, end));
  if (sentence.ends_with('.')) sentence.pop_back();
  std::string out;
  for (const char c : sentence)
    out += c == '\'' ? std::string("’") : c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string plain_text(std::string_view text) {
  std::string out = short_text(text), plain;
  for (const char c : out)
    if (c != '\\') plain += c;
  return plain;
}

}  // namespace

namespace {

/// What bash calls: words that it cut at = or : are put together again, and blanks in names of files survive.
constexpr const char* bash_head = R"(# bash completion for hopwave; made by 'hopwave completions bash'
_hopwave_words() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
  # A word that ends in : or = continues: no blank follows it, and it is not quoted as a file name.
  if [ ${#COMPREPLY[@]} -eq 1 ]; then
    case ${COMPREPLY[0]} in *[:=]) compopt +o filenames -o nospace 2>/dev/null ;; esac
  fi
}
_hopwave_files() {
  compopt -o filenames 2>/dev/null
  _hopwave_words -f -- "$1"
}
_hopwave() {
  local IFS=$' \t\n' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  case $word in
    =) word= ;;
    :) return ;;
  esac
  case $before in
    :) return ;;
    =)
      before=${COMP_WORDS[COMP_CWORD-2]}
      case $before in -*) ;; *) return ;; esac
      ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
)";

/// "        --device) _hopwave_words …; return ;;"
std::string bash_case(const Option& option, const std::vector<Command>& commands) {
  const auto values = option_words(option, commands);
  const std::string pattern = join(split_names(option.names), "|");
  if (!values.empty())
    return fmt::format("        {}) _hopwave_words -W '{}' -- \"$word\"; return ;;\n", pattern, join(values, " "));
  return fmt::format("        {}) {}return ;;\n", pattern, wants_files(option) ? "_hopwave_files \"$word\"; " : "");
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  std::string script = bash_head;
  script +=
      fmt::format("    _hopwave_words -W '{} --help --version' -- \"$word\"\n    return\n  fi\n", command_names(commands));
  script += "  case $command in\n";
  for (const auto& command : commands) {
    script += fmt::format("    {})\n      case $before in\n", command.name);
    std::vector<std::string> names, words;
    bool files = false;
    for (const auto* option : command.options()) {
      for (auto& name : split_names(option->names)) names.push_back(name);
      if (!option->is_switch()) script += bash_case(*option, commands);
    }
    for (const auto* option : command.positionals()) {
      files |= wants_files(*option);
      for (auto& value : option_words(*option, commands)) words.push_back(value);
    }
    script +=
        fmt::format("      esac\n      case $word in\n        -*) _hopwave_words -W '{}' -- \"$word\" ;;\n", join(names, " "));
    script += fmt::format("        *) {}_hopwave_words -W '{}' -- \"$word\" ;;\n      esac\n      ;;\n",
                          files ? "_hopwave_files \"$word\"; " : "", join(words, " "));
  }
  return script + "  esac\n}\ncomplete -F _hopwave hopwave\n";
}

std::string zsh_completion(const std::vector<Command>& commands) {
  std::string script =
      "#compdef hopwave\n# made by 'hopwave completions zsh'\n_hopwave() {\n  local -a commands\n  commands=(\n";
  for (const auto& command : commands) script += fmt::format("    '{}:{}'\n", command.name, short_text(command.summary));
  script += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n";
  for (const auto& command : commands) {
    script += fmt::format("    {})\n      shift words; (( CURRENT-- ))\n      _arguments -S", command.name);
    const auto action = [&](const Option& option) {
      const auto words = option_words(option, commands);
      if (words.empty()) return std::string(wants_files(option) ? "_files" : " ");
      std::string list = "(" + join(words, " ") + ")";
      for (std::size_t i = 0; (i = list.find(':', i)) != std::string::npos; i += 2) list.insert(i, "\\");
      if (option.fill != Fill::generator) return list;
      return "{_alternative \"files:file:_files\" \"specs:generator:" + list + "\"}";
    };
    for (const auto* option : command.options()) {
      const auto plain = split_names(option->names);
      auto names = plain;  // a value may follow -s without a blank, and --source=
      if (!option->is_switch())
        for (auto& name : names) name += name.starts_with("--") ? '=' : '+';
      // An option that may occur only once excludes its other name; one that repeats begins with a star.
      const std::string braces = names.size() > 1 ? "{" + join(names, ",") + "}" : names.front();
      const std::string group = option->repeats()  ? "'*'" + braces
                                : names.size() > 1 ? fmt::format("'({})'{}", join(plain, " "), braces)
                                                   : braces;
      script += fmt::format(" \\\n        {}'[{}]{}'", group, short_text(option->help),
                            option->is_switch() ? "" : fmt::format(":{}:{}", option->value, action(*option)));
    }
    for (const auto* option : command.positionals())
      script += fmt::format(" \\\n        '{}:{}:{}'", option->repeats() ? "*" : "", option->value, action(*option));
    script += "\n      ;;\n";
  }
  return script + "  esac\n}\n_hopwave \"$@\"\n";
}

std::string fish_completion(const std::vector<Command>& commands) {
  std::string script = "# fish completion for hopwave; made by 'hopwave completions fish'\n";
  const std::string none = "__fish_use_subcommand";
  for (const auto& command : commands)
    script += fmt::format("complete -c hopwave -n {} -f -a {} -d '{}'\n", none, command.name, plain_text(command.summary));
  script += fmt::format(
      "complete -c hopwave -n {} -l help -s h -d 'Show the commands'\ncomplete -c hopwave -n {} -l version -d 'Show the "
      "version'\n",
      none, none);
  for (const auto& command : commands) {
    const std::string when = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
    for (const auto* option : command.options()) {
      std::string line = "complete -c hopwave -n " + when;
      for (const auto& name : split_names(option->names))
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const auto words = option_words(*option, commands);
      if (!option->is_switch()) line += wants_files(*option) ? " -r" : " -x";
      if (!words.empty()) line += " -a '" + join(words, " ") + "'";
      script += line + fmt::format(" -d '{}'\n", plain_text(option->help));
    }
    for (const auto* option : command.positionals()) {
      const auto words = option_words(*option, commands);
      if (!words.empty())
        script +=
            fmt::format("complete -c hopwave -n {} {}-a '{}'\n", when, wants_files(*option) ? "" : "-f ", join(words, " "));
    }
  }
  return script;
}

}  // namespace hopwave::cli

// Man pages, in the man(7) macros.
#include <fmt/format.h>

#include "cli/frame/help.h"
#include "hopwave/version.h"

namespace hopwave::cli {
namespace {

/// Text for roff: hyphens that are hyphens, no line that begins like a request.
std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string title(std::string_view name) {
  return fmt::format(".TH \"{}\" 1 \"\" \"hopwave {}\" \"hopwave\"\n", name, version);
}

std::string exit_section() {
  std::string page = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes()) page += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
  return page;
}

std::string synopsis(const Command& command) {
  std::string line = fmt::format(".B hopwave {}\n", command.name);
  for (const auto* p : command.positionals())
    line += fmt::format("{}\\fI{}\\fR{}\n", p->required ? "" : "[", p->value, p->required ? "" : "]");
  return line + "[options]\n";
}

std::string option_entry(const Option& option) {
  std::string names;
  for (const auto& name : split_names(option.positional() ? option.value : option.names))
    names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.positional() && !option.value.empty()) names += " \\fI" + roff(option.value) + "\\fR";
  return ".TP\n" + names + "\n" + roff(option_text(option)) + "\n";
}

}  // namespace

std::string man_page(const Command& command) {
  std::string page = title("HOPWAVE-" + [&] {
    std::string upper(command.name);
    for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    return upper;
  }());
  page +=
      fmt::format(".SH NAME\nhopwave\\-{} \\- {}\n.SH SYNOPSIS\n{}", command.name, roff(command.summary), synopsis(command));
  if (!command.examples.empty()) {
    page += ".SH EXAMPLES\n";
    for (const auto& example : command.examples)
      page += fmt::format(".TP\n.B {}\n{}\n", roff(example.line), roff(example.what));
  }
  page += ".SH DESCRIPTION\n";
  std::string_view text = command.description;
  while (!text.empty()) {
    const auto end = text.find("\n\n");
    page += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 2);
  }
  page += ".SH OPTIONS\n";
  for (const auto& group : command.groups) {
    page += fmt::format(".SS {}\n", group.title);
    for (const auto& option : group.options) page += option_entry(option);
  }
  return page + exit_section() + ".SH SEE ALSO\n.BR hopwave (1)\n";
}

std::string man_overview(const std::vector<Command>& commands) {
  std::string page = title("HOPWAVE");
  page += ".SH NAME\nhopwave \\- breadth\\-first search and graph traversal on GPUs and CPUs\n";
  page += ".SH SYNOPSIS\n.B hopwave\n.I COMMAND\n[options]\n.SH COMMANDS\n";
  for (const auto& group : command_groups(commands)) {
    page += fmt::format(".SS {}\n", group.title);
    for (const Command* command : group.commands)
      page += fmt::format(".TP\n.BR hopwave\\-{} (1)\n{}\n", command->name, roff(command->summary));
  }
  page += exit_section();
  page += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, no colour is used unless \\-\\-color always is given.\n";
  return page;
}

}  // namespace hopwave::cli

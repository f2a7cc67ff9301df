// hopwave completions: a script that completes hopwave's commands and options in a shell.
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/help.h"

namespace hopwave::cli {
namespace of_completions {

int run(const std::string& shell, Context& context) {
  Settings unused;
  const auto commands = make_commands(unused);
  std::string script = shell == "bash"  ? bash_completion(commands)
                       : shell == "zsh" ? zsh_completion(commands)
                                        : fish_completion(commands);
  script.pop_back();
  context.console.result(script);
  return 0;
}

}  // namespace of_completions

Command completions_command() {
  using namespace of_completions;
  auto shell = std::make_shared<std::string>();
  return {
      .name = "completions",
      .summary = "write a completion script for bash, zsh or fish",
      .description =
          "Writes a script that completes commands, options, strategies, formats and generators. 'cmake --install' puts all "
          "three where the shells look for them.",
      .examples = {{"source <(hopwave completions bash)", "completions in this shell"},
                   {"hopwave completions fish > ~/.config/fish/completions/hopwave.fish", "completions in fish, for good"}},
      .groups = {{"What",
                  {{"shell",
                    "SHELL",
                    "Which shell: bash, zsh or fish.",
                    shell.get(),
                    {"bash", "zsh", "fish"},
                    Fill::nothing,
                    true}}}},
      .run = [shell](Context& context) { return run(*shell, context); },
      .json = false};
}

}  // namespace hopwave::cli

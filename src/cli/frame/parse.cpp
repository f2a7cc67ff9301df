// From words to option targets, with CLI11 doing the splitting (-sVALUE, --name=VALUE, --, bundled switches).
// Values stay text until here, so that every message names the option, what was found and what was expected.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include "cli/frame/command.h"
#include "core/refuse.h"
#include "hopwave/error.h"

namespace hopwave::cli {
namespace {

[[noreturn]] void usage_error(const Command& command, std::string id, std::string found, std::string expected,
                              std::string hint = {}) {
  if (hint.empty()) hint = "hopwave " + std::string(command.name) + " --help shows what there is";
  core::refuse(std::move(id), std::move(found), std::move(expected), std::move(hint));
}

std::string long_name(const Option& option) { return split_names(option.names).back(); }

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

void check_choice(const Command& command, const Option& option, const std::string& value) {
  if (option.choices.empty()) return;
  for (const auto& choice : option.choices)
    if (choice == value) return;
  const auto near = nearest(value, option.choices);
  usage_error(command, "HW-USAGE-VALUE", long_name(option) + " is '" + value + "'", "one of " + join(option.choices, ", "),
              near ? "did you mean '" + *near + "'?" : "");
}

template <class Number>
Number to_number(const Command& command, const Option& option, const std::string& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    usage_error(command, "HW-USAGE-VALUE", long_name(option) + " is '" + text + "'",
                std::is_unsigned_v<Number> ? "a whole number from 0 to 18446744073709551615" : "a whole number");
  return number;
}

/// An empty value is a variable that a script did not set, never a choice.
void store(const Command& command, const Option& option, const std::vector<std::string>& values) {
  const std::string name = option.positional() ? std::string(option.value) : long_name(option);
  if (values.size() > 1 && !option.repeats())
    usage_error(command, "HW-USAGE-OPTION", name + " is given " + std::to_string(values.size()) + " times", "it once");
  for (const auto& value : values) {
    if (value.empty()) usage_error(command, "HW-USAGE-VALUE", name + " is empty", "a value");
    check_choice(command, option, value);
  }
  if (auto* const* text = std::get_if<std::string*>(&option.target)) **text = values.back();
  if (auto* const* number = std::get_if<std::int64_t*>(&option.target))
    **number = to_number<std::int64_t>(command, option, values.back());
  if (auto* const* number = std::get_if<std::uint64_t*>(&option.target))
    **number = to_number<std::uint64_t>(command, option, values.back());
  if (auto* const* list = std::get_if<std::vector<std::string>*>(&option.target)) **list = values;
}

/// --name, --name=true or --name=false; said twice, it must say the same.
bool to_switch(const Command& command, const Option& option, const std::vector<std::string>& values) {
  for (const auto& value : values)
    if (value != "true" && value != "false")
      usage_error(command, "HW-USAGE-VALUE", long_name(option) + " is '" + value + "'",
                  "true or false, or " + long_name(option) + " alone");
  if (std::any_of(values.begin(), values.end(), [&](const auto& value) { return value != values.front(); }))
    usage_error(command, "HW-USAGE-OPTION", long_name(option) + " is given as true and as false", "one of them");
  return values.front() == "true";
}

[[noreturn]] void unknown(const Command& command, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* option : command.options())
    for (auto& name : split_names(option->names)) names.push_back(name);
  const auto near = nearest(word.substr(0, word.find('=')), names);
  const bool negative = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
  usage_error(command, "HW-USAGE-OPTION", "'" + word + "' is not an option of 'hopwave " + std::string(command.name) + "'", "",
              negative ? "write -- before arguments that begin with a dash"
              : near   ? "did you mean " + *near + "?"
                       : "");
}

/// Hands the words that are no options to the positional arguments, in order; the last may take several.
void place_positionals(const Command& command, const std::vector<std::string>& words) {
  const auto positionals = command.positionals();
  std::string line = "hopwave " + std::string(command.name);
  for (const auto* p : positionals) line += " " + std::string(p->value);
  std::size_t at = 0;
  for (const auto* option : positionals) {
    const std::size_t end = option->repeats() ? words.size() : std::min(at + 1, words.size());
    if (at < end)
      store(command, *option,
            {words.begin() + static_cast<std::ptrdiff_t>(at), words.begin() + static_cast<std::ptrdiff_t>(end)});
    else if (option->required)
      usage_error(command, "HW-USAGE-MISSING", "no " + std::string(option->value) + " given", line);
    at = end;
  }
  if (at < words.size()) usage_error(command, "HW-USAGE-ARGUMENT", "'" + words[at] + "' is one argument too many", line);
}

}  // namespace

std::vector<std::string> parse(const Command& command, const std::vector<std::string>& words) {
  std::vector<std::string> given;
  CLI::App app;
  app.set_help_flag();  // --help is an option of the table like any other
  app.allow_extras();
  std::map<const Option*, std::vector<std::string>> values;
  std::map<const Option*, CLI::Option*> handles;
  for (const auto* option : command.options()) {
    auto& slot = values[option];
    handles[option] = option->is_switch()
                          ? app.add_flag(std::string(option->names))
                          : app.add_option(std::string(option->names), slot)->allow_extra_args(false)->expected(1)->take_all();
  }
  const auto dashes = std::find(words.begin(), words.end(), "--");  // all words after it are arguments
  for (auto word = words.begin(); word != dashes; ++word)           // CLI11 would take the next word, or true
    if (word->starts_with("--") && word->find('=') == word->size() - 1)
      usage_error(command, "HW-USAGE-VALUE", word->substr(0, word->size() - 1) + " is empty", "a value");
  try {
    app.parse(std::vector<std::string>(std::make_reverse_iterator(dashes), words.rend()));
  } catch (const CLI::ArgumentMismatch& error) {  // "--name: 1 required TEXT missing"
    const std::string text = error.what();
    usage_error(command, "HW-USAGE-VALUE", text.substr(0, text.find(':')) + " has no value", "a value after it");
  } catch (const CLI::ParseError& error) {
    usage_error(command, "HW-USAGE-VALUE", error.what(), "");
  }
  auto arguments = app.remaining();
  for (const auto& word : arguments)
    if (word.size() > 1 && word.front() == '-') unknown(command, word);
  if (dashes != words.end()) arguments.insert(arguments.end(), dashes + 1, words.end());
  for (const auto& [option, handle] : handles) {
    if (handle->count() == 0) continue;
    if (auto* const* flag = std::get_if<bool*>(&option->target)) {
      **flag = to_switch(command, *option, handle->results());
      if (option->names == "-h,--help" && **flag) return given;  // help needs no arguments
      if (**flag) given.push_back(long_name(*option));
    } else {
      store(command, *option, values[option]);
      given.push_back(long_name(*option));
    }
  }
  place_positionals(command, arguments);
  return given;
}

}  // namespace hopwave::cli

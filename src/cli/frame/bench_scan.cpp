// Parsing of strategy lists and parameter scans.
#include "cli/frame/bench_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/refuse.h"
#include "hopwave/error.h"
#include "measure/procedures.h"

namespace hopwave::cli {

void bad_value(std::string_view option, const std::string& found, const std::string& expected) {
  core::refuse("HW-USAGE-VALUE", fmt::format("{} '{}'", option, found), expected);
}

std::int64_t integer_value(std::string_view option, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) bad_value(option, std::string(text), "an integer");
  return value;
}

namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, by);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace

Scan parse_scan(const std::string& text) {
  constexpr std::size_t most_values = 1000;
  constexpr std::string_view option = "--parameter-scan";
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    bad_value(option, text, "NAME=A,B,C or NAME=LOW..HIGH or NAME=LOW..HIGH..STEP");
  std::vector<std::int64_t> values;
  for (const auto& item : split(text.substr(equals + 1), ',')) {
    const auto dots = item.find("..");
    if (dots == std::string::npos) {
      values.push_back(integer_value(option, item));
      continue;
    }
    const auto more = item.find("..", dots + 2);
    const std::int64_t low = integer_value(option, item.substr(0, dots));
    const std::int64_t high =
        integer_value(option, item.substr(dots + 2, more == std::string::npos ? std::string::npos : more - dots - 2));
    const std::int64_t step = more == std::string::npos ? 0 : integer_value(option, item.substr(more + 2));
    const bool doubling = more == std::string::npos;
    if (low > high || (doubling ? low < 1 : step < 1))
      bad_value(option, text, "LOW ≤ HIGH, STEP ≥ 1, and LOW ≥ 1 where values double");
    for (std::int64_t v = low;; v += doubling ? v : step) {
      values.push_back(v);
      if (values.size() > most_values) bad_value(option, text, fmt::format("at most {} values", most_values));
      const auto left = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(v);
      if (static_cast<std::uint64_t>(doubling ? v : step) > left) break;  // the next would be beyond, perhaps of 64 bits
    }
  }
  if (values.empty()) bad_value(option, text, "at least one value");
  return {text.substr(0, equals), values};
}

const StrategyInfo& compared(std::string_view name) {
  const StrategyInfo& info = find_strategy(name);
  if (info.device == "sim")
    core::refuse("HW-STRATEGY-LITERAL", "strategy '" + std::string(name) + "', a printed listing with its faults",
                 "a strategy whose answers are right",
                 "hopwave bfs --strategy " + std::string(name) + " --verify runs it in the simulator");
  return info;
}

std::vector<std::string> chosen_strategies(const std::string& text) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  for (const auto& word : split(text, ',')) {
    const bool prefix = word.ends_with('*');
    const std::string_view stem = prefix ? std::string_view(word).substr(0, word.size() - 1) : std::string_view(word);
    bool found = false;
    for (const auto& s : strategies())
      if (word == "all" || word == s.device || (prefix && s.name.starts_with(stem))) {
        add(s.name);
        found = true;
      }
    if (!found) add(compared(word).name);
  }
  if (names.empty()) bad_value("--strategy", text, "at least one strategy");
  return names;
}

DeviceKind place_of(const StrategyInfo& info, DeviceKind asked, std::size_t strategies) {
  return info.device == "cpu" && strategies > 1 ? DeviceKind::automatic : asked;
}

bool takes(const StrategyInfo& info, const std::string& parameter) {
  return std::any_of(info.parameters.begin(), info.parameters.end(), [&](const auto& p) { return p.name == parameter; });
}

std::vector<Parameters> configurations(const StrategyInfo& info, const Parameters& fixed, const std::vector<Scan>& scans) {
  std::vector<Scan> own;
  for (const auto& s : scans)
    if (takes(info, s.first)) own.push_back(s);
  Parameters known;
  for (const auto& [name, value] : fixed)
    if (takes(info, name)) known[name] = value;
  return report::scan(known, own);
}

}  // namespace hopwave::cli

// Reading and writing engine.about, which ties a preparation to the very arcs that it was made from.
#include "io/hwg_preparation.h"

#include <charconv>
#include <string_view>

namespace hopwave::io {
namespace {

constexpr std::string_view prefix = "engine.", about = "engine.about";

std::string_view value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == '\t') return line.substr(key.size() + 1);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

template <class T>
bool number_of(std::string_view text, std::string_view key, T& value) {
  const std::string_view digits = value_of(text, key);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
}

}  // namespace

std::string about_text(const Preparation& p, std::uint64_t arcs_checksum) {
  return "strategy\t" + p.strategy + "\nkind\t" + p.kind + "\nlayout\t" + std::to_string(p.layout) + "\nfingerprint\t" +
         std::to_string(p.graph) + "\narcs\t" + std::to_string(arcs_checksum) + "\nmicroseconds\t" +
         std::to_string(static_cast<std::uint64_t>(p.time.count() * 1e3)) + "\n";
}

std::shared_ptr<const Preparation> preparation_of(const std::vector<std::pair<std::string, Array<const std::byte>>>& extras,
                                                  std::uint64_t arcs_checksum, std::string& why_not) {
  auto p = std::make_shared<Preparation>();
  std::string_view text;
  for (const auto& [name, bytes] : extras) {
    if (name == about)
      text = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    else if (name.starts_with(prefix))
      p->arrays.emplace_back(name.substr(prefix.size()), bytes);
  }
  if (text.empty() && p->arrays.empty()) return nullptr;
  std::uint64_t arcs = 0, microseconds = 0;
  p->strategy = value_of(text, "strategy");
  p->kind = value_of(text, "kind");
  if (p->strategy.empty() || p->kind.empty() || !number_of(text, "layout", p->layout) ||
      !number_of(text, "fingerprint", p->graph) || !number_of(text, "arcs", arcs) ||
      !number_of(text, "microseconds", microseconds))
    why_not = std::string(preparation_left_out) + " does not say what it is: left out";
  else if (arcs != arcs_checksum)
    why_not = std::string(preparation_left_out) + " was made from other arcs: left out";
  p->time = std::chrono::microseconds(microseconds);
  return why_not.empty() ? p : nullptr;
}

}  // namespace hopwave::io

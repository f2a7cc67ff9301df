// The table of generators, and the grammar of specs: NAME:ARGUMENT,ARGUMENT…
#include <array>
#include <charconv>

#include "core/refuse.h"
#include "generate/family.h"
#include "hopwave/error.h"

namespace hopwave::generate_detail {
namespace {

constexpr std::array families{&rmat_family,      &kron_family,  &uniform_family, &streets_family,  &roadnet_family,
                              &wikitalk_family,  &grid_family,  &mesh_family,    &maze_family,     &graphgen_family,
                              &hub_chain_family, &chain_family, &star_family,    &complete_family, &tree_family,
                              &shapes_family,    &pmpp_family,  &genrmf_family,  &rlg_family,      &gridcut_family};

const Family* find(std::string_view name) {
  for (const Family* f : families)
    if (f->info.name == name) return f;
  return nullptr;
}

std::string_view family_name(std::string_view spec) { return spec.substr(0, spec.find(':')); }

const Family& family_of(std::string_view spec) {
  if (const auto* family = find(family_name(spec))) return *family;
  std::string names;
  for (const auto* f : families) names += (names.empty() ? "" : ", ") + std::string(f->info.name);
  core::refuse("HW-GEN-SPEC", "no generator \"" + std::string(family_name(spec)) + "\"", "one of " + names,
               "a spec looks like rmat:20,16");
}

Error spec_error(const char* id, std::string found, std::string expected, const GeneratorInfo& info) {
  std::string usage = std::string(info.name);
  if (!info.arguments.empty()) usage += ":" + std::string(info.arguments);
  return Error({.failure = Failure::usage,
                .id = id,
                .found = std::move(found),
                .expected = std::move(expected),
                .hint = "write " + usage + ", for example " + std::string(info.example)});
}

}  // namespace

Spec::Spec(std::string_view text, const GeneratorInfo& info, char separator, const Progress& report, Wanted wanted)
    : text_(text), info_(info), report_(report), wanted_(wanted) {
  const std::size_t colon = text_.find(':');
  if (colon == std::string::npos) return;
  std::string_view rest = std::string_view(text_).substr(colon + 1);
  bool first = true;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view piece = rest.substr(0, comma);
    if (first && separator != ',')
      for (std::size_t at = piece.find(separator); at != piece.npos; at = piece.find(separator)) {
        arguments_.push_back(piece.substr(0, at));
        piece.remove_prefix(at + 1);
      }
    arguments_.push_back(piece);
    first = false;
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
}

void Spec::expect(std::size_t least, std::size_t most) const {
  if (count() >= least && count() <= most) return;
  const std::string wanted = least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  throw spec_error("HW-GEN-SPEC", std::to_string(count()) + " arguments in \"" + text_ + "\"", wanted, info_);
}

std::uint64_t Spec::number(std::size_t i, std::string_view what, std::uint64_t lowest, std::uint64_t highest) const {
  const std::string_view text = i < arguments_.size() ? arguments_[i] : std::string_view{};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size())
    throw spec_error("HW-GEN-SPEC", std::string(what) + " \"" + std::string(text) + "\" in \"" + text_ + "\"", "a whole number",
                     info_);
  if (error == std::errc::result_out_of_range || value < lowest || value > highest)
    throw spec_error("HW-GEN-RANGE", std::string(what) + " " + std::string(text) + " in \"" + text_ + "\"",
                     "a number from " + std::to_string(lowest) + " to " + std::to_string(highest), info_);
  return value;
}

std::uint64_t Spec::number_or(std::size_t i, std::uint64_t default_value, std::string_view what, std::uint64_t lowest,
                              std::uint64_t highest) const {
  return i < count() ? number(i, what, lowest, highest) : default_value;
}

std::uint64_t Spec::seed(std::size_t i, std::uint64_t default_value) const {
  return number_or(i, default_value, "seed", 0, ~std::uint64_t{0});
}

void Spec::too_large(std::string found, std::string expected) const {
  throw spec_error("HW-GEN-RANGE", std::move(found) + " in \"" + text_ + "\"", std::move(expected), info_);
}

EdgeList Spec::list(std::uint64_t vertices, bool directed) const {
  if (vertices > max_vertices) too_large(std::to_string(vertices) + " vertices", "at most " + std::to_string(max_vertices));
  arguments_read();
  EdgeList list;
  list.num_vertices = static_cast<VertexId>(vertices);
  list.directed = directed;
  list.ids = Ids::consecutive(list.num_vertices);
  list.report.source = text_;
  list.report.format = "generator";
  return list;
}

}  // namespace hopwave::generate_detail

namespace hopwave::inline v0_1 {

const std::vector<GeneratorInfo>& generators() {
  static const std::vector<GeneratorInfo> infos = [] {
    std::vector<GeneratorInfo> all;
    for (const auto* f : generate_detail::families) all.push_back(f->info);
    return all;
  }();
  return infos;
}

bool is_generator_spec(std::string_view spec) {
  const auto* family = generate_detail::find(generate_detail::family_name(spec));
  // Without a colon, a text is a spec only if the family takes no arguments: "star" may be a missing file.
  return family && (spec.find(':') != spec.npos || family->info.arguments.empty());
}

EdgeList generate(std::string_view spec, const Progress& progress) {
  const auto& family = generate_detail::family_of(spec);
  EdgeList list = family.make(generate_detail::Spec(spec, family.info, family.separator, progress));
  list.report.rows = list.edges.size();
  return list;
}

void check_generator_spec(std::string_view spec) {
  const auto& family = generate_detail::family_of(spec);
  try {
    family.make(generate_detail::Spec(spec, family.info, family.separator, {}, generate_detail::Spec::Wanted::check));
  } catch (const generate_detail::Spec::ArgumentsAreGood&) {
  }
}

}  // namespace hopwave::inline v0_1

namespace hopwave::generate_detail {

bool draws_parts(std::string_view spec) { return family_of(spec).by_parts; }

EdgeList generate_part(std::string_view text, EdgePart part, const Progress& progress) {
  const Family& family = family_of(text);
  Spec spec(text, family.info, family.separator, progress);
  spec.want(part);
  EdgeList list = family.make(spec);
  list.weights = {};
  list.report.rows = list.edges.size();
  return list;
}

}  // namespace hopwave::generate_detail

// Words that several rows say, and the algorithms by name.
#include "algorithm/algorithm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/people_text.h"
#include "core/refuse.h"

namespace hopwave::algorithm {

Value::Value() = default;
Value::Value(bool truth) : what(truth) {}
Value::Value(std::int32_t number) : what(std::int64_t{number}) {}
Value::Value(std::int64_t number) : what(number) {}
Value::Value(std::uint32_t number) : what(std::uint64_t{number}) {}
Value::Value(std::uint64_t number) : what(number) {}
Value::Value(double number) : what(number) {}
Value::Value(Number number) : what(number) {}
Value::Value(Vertex vertex) : what(vertex) {}
Value::Value(Object object) : what(std::move(object)) {}
Value::Value(List list) : what(std::move(list)) {}
Value::Value(std::string text) {
  if (!text.empty()) what = std::move(text);
}
Value::Value(std::string_view text) : Value(std::string(text)) {}
Value::Value(const char* text) : Value(std::string(text)) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

std::string name_of(Direction direction) {
  return direction == Direction::out ? "out" : direction == Direction::in ? "in" : "both";
}

Direction direction_named(std::string_view name) {
  return name == "out" ? Direction::out : name == "in" ? Direction::in : Direction::both;
}

AlgorithmParameter direction_parameter(std::string_view initial) {
  return {.name = "direction",
          .kind = AlgorithmParameter::Kind::word,
          .initial = std::string(initial),
          .choices = {"out", "in", "both"}};
}

std::string time_text(double milliseconds, DeviceKind device) {
  return core::seconds_text(milliseconds / 1000) + (device == DeviceKind::cpu ? "" : " on " + name_of(device));
}

std::string gpus_text(const SearchOptions& options) {
  if (options.run.replicas.empty()) return {};
  std::string text = " " + std::to_string(options.run.on.ordinal);
  for (const int each : options.run.replicas) text += ", " + std::to_string(each);
  return text;
}

Row with_names(Row row) {
  for (Algorithm& call : row.calls) {
    if (call.function.empty()) call.function = row.python;
    call.name = &call == row.calls.data() ? row.name : call.function;
  }
  return row;
}

void nothing_found(End end, const char* searched_from) {
  const bool time_over = end == End::time_limit;
  throw Error(
      {.failure = time_over ? Failure::time_limit : Failure::interrupted,
       .id = time_over ? "HW-TIME-LIMIT" : "HW-INTERRUPTED",
       .found = fmt::format("{} before the first {} was done", time_over ? "the time is over" : "ended", searched_from)});
}

void is_wrong(std::string found, std::string expected) {
  throw Error({.failure = Failure::verification,
               .id = "HW-VERIFY",
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "please report it, with the command that led here"});
}

void ended_early(End end, std::string_view done, std::string hint) {
  const bool time_over = end == End::time_limit;
  const char* const text = time_over               ? "the time limit is reached"
                           : end == End::cancelled ? "a request to stop"
                                                   : "stopped by progress";
  throw Error({.failure = time_over ? Failure::time_limit : Failure::interrupted,
               .id = core::name_of(end),
               .found = fmt::format("{}: {}", text, done),
               .hint = std::move(hint)});
}

}  // namespace hopwave::algorithm

namespace hopwave::inline v0_1 {

namespace {

[[noreturn]] void refuse(std::string found, std::string expected) {
  core::refuse("HW-OPTION-VALUE", std::move(found), std::move(expected));
}

AlgorithmValue checked(const Graph& graph, const AlgorithmParameter& parameter, const AlgorithmValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    if (parameter.required) refuse(fmt::format("no {}", parameter.name), "one");
    return parameter.initial;
  }
  using Kind = AlgorithmParameter::Kind;
  const auto* number = std::get_if<std::uint64_t>(&value);
  const auto* word = std::get_if<std::string>(&value);
  if (parameter.kind == Kind::real && number) return static_cast<double>(*number);
  const auto* vertices = std::get_if<std::vector<VertexId>>(&value);
  static constexpr const char* types[] = {"nothing", "a whole number of 0 or more", "a number", "a word", "a list of vertices"};
  const std::size_t needed = parameter.kind == Kind::real       ? 2
                             : parameter.kind == Kind::word     ? 3
                             : parameter.kind == Kind::vertices ? 4
                                                                : 1;  // of AlgorithmValue's alternatives
  if (value.index() != needed) refuse(fmt::format("{} of another type", parameter.name), types[needed]);
  if (parameter.kind == Kind::count && *number < parameter.lowest)
    refuse(fmt::format("{} = {}", parameter.name, *number), fmt::format("{} or more", parameter.lowest));
  if (parameter.kind == Kind::vertex && *number >= no_vertex)
    refuse(fmt::format("{} = {}", parameter.name, *number), "a vertex of the graph");
  if (parameter.kind == Kind::truth && *number > 1) refuse(fmt::format("{} = {}", parameter.name, *number), "0 or 1");
  for (const VertexId v : vertices ? *vertices : std::vector<VertexId>())
    if (v >= graph.num_vertices()) refuse(fmt::format("{} with {}", parameter.name, v), "vertices of the graph");
  const auto& choices = parameter.choices;
  if (word && !choices.empty() && std::find(choices.begin(), choices.end(), *word) == choices.end())
    refuse(fmt::format("{} = {}", parameter.name, *word), fmt::format("one of {}", fmt::join(choices, ", ")));
  return value;
}

}  // namespace

std::vector<const Algorithm*> algorithms() {
  std::vector<const Algorithm*> all;
  for (const algorithm::Row* row : algorithm::rows())
    for (const Algorithm& call : row->calls) all.push_back(&call);
  return all;
}

const Algorithm& algorithm_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Algorithm* each : algorithms()) {
    if (each->name == name || each->function == name) return *each;
    names.emplace_back(each->name);
  }
  refuse(fmt::format("the algorithm '{}'", name), fmt::format("one of {}", fmt::join(names, ", ")));
}

AlgorithmAnswer run_algorithm(const Graph& graph, std::string_view name,
                              const std::map<std::string, AlgorithmValue, std::less<>>& values, const RunOptions& run) {
  const Algorithm& algorithm = algorithm_named(name);
  std::vector<AlgorithmValue> in_order;
  std::size_t given = 0;
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    const auto found = values.find(parameter.name);
    given += found != values.end();
    const auto other = values.find(parameter.excludes);
    if (found != values.end() && other != values.end() && found->second.index() && other->second.index())
      refuse(fmt::format("{} together with {}", parameter.name, parameter.excludes), "one of them");
    in_order.push_back(checked(graph, parameter, found == values.end() ? AlgorithmValue() : found->second));
  }
  if (given < values.size())
    for (const auto& value : values)
      if (std::none_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                       [&](const AlgorithmParameter& each) { return each.name == value.first; }))
        refuse(fmt::format("the parameter '{}'", value.first), fmt::format("one that {} has", algorithm.name));
  return algorithm.call(graph, in_order, run);
}

}  // namespace hopwave::inline v0_1

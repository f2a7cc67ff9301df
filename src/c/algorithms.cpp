// Any algorithm of the library's table by its name, for the C header.
#include "hopwave/algorithms.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "c/c_api.h"
#include "core/refuse.h"

using namespace hopwave;
using namespace hopwave::c;

struct hopwave_answer {
  const Algorithm& algorithm;
  AlgorithmAnswer found;
};

namespace {

/// Returns what the text means to the algorithm. Throws HW-OPTION-VALUE.
AlgorithmValue value_of(const Algorithm& algorithm, const std::string& name, const std::string& text) {
  using Kind = AlgorithmParameter::Kind;
  const auto number = [&](std::string_view part, auto value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error == std::errc() && end == part.data() + part.size()) return value;
    core::refuse("HW-OPTION-VALUE", name + " = " + text,
                 std::is_integral_v<decltype(value)> ? "a whole number of 0 or more" : "a number");
  };
  for (const AlgorithmParameter& each : algorithm.parameters) {
    if (each.name != name || each.kind == Kind::word) continue;
    if (each.kind == Kind::real) return number(text, double{});
    if (each.kind != Kind::vertices) return number(text, std::uint64_t{});
    std::vector<VertexId> vertices;
    for (std::size_t from = 0, end = 0; !text.empty() && from <= text.size(); from = end + 1) {
      end = std::min(text.find(',', from), text.size());
      vertices.push_back(number(std::string_view(text).substr(from, end - from), VertexId{}));
    }
    return vertices;
  }
  return text;
}

/// Returns null for what is not there.
const AlgorithmResult* output_of(const hopwave_answer* answer, const char* name) {
  if (!answer || !name) return nullptr;
  const auto& outputs = answer->algorithm.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].name == name) return &answer->found.outputs[i];
  return nullptr;
}

struct ArrayOf {
  hopwave_array_type type = HOPWAVE_NO_ARRAY;
  std::size_t size = 0;
  const void* data = nullptr;
};
struct ToArray {
  template <class T>
  ArrayOf of(const T& values, hopwave_array_type type) const {
    return {type, values.size(), values.data()};
  }
  ArrayOf operator()(const std::vector<VertexId>& values) const { return of(values, HOPWAVE_UINT32); }
  ArrayOf operator()(const Array<std::uint32_t>& values) const { return of(values, HOPWAVE_UINT32); }
  ArrayOf operator()(const Array<std::int32_t>& values) const { return of(values, HOPWAVE_INT32); }
  ArrayOf operator()(const Array<std::int64_t>& values) const { return of(values, HOPWAVE_INT64); }
  ArrayOf operator()(const Array<std::uint8_t>& values) const { return of(values, HOPWAVE_UINT8); }
  ArrayOf operator()(const Array<double>& values) const { return of(values, HOPWAVE_DOUBLE); }
  template <class Figure>
  ArrayOf operator()(const Figure&) const {
    return {};
  }
};

}  // namespace

hopwave_status hopwave_run_algorithm(const hopwave_graph* graph, const char* name, const char* const* parameter_names,
                                     const char* const* parameter_values, size_t num_parameters, const hopwave_options* options,
                                     hopwave_answer** answer, hopwave_error** error) {
  return guarded(error, [&] {
    present(answer, "answer");
    const Graph& of = present(graph, "graph").graph;
    const Algorithm& algorithm = algorithm_named(&present(name, "name"));
    const auto names = values(parameter_names, num_parameters, "parameter_names");
    const auto texts = values(parameter_values, num_parameters, "parameter_values");
    std::map<std::string, AlgorithmValue, std::less<>> given;
    for (std::size_t i = 0; i < num_parameters; ++i) {
      const std::string parameter = &present(names[i], "a parameter's name");
      if (!given.emplace(parameter, value_of(algorithm, parameter, &present(texts[i], "a parameter's value"))).second)
        throw Error({.failure = Failure::usage,
                     .id = "HW-OPTION-VALUE",
                     .found = "the parameter '" + parameter + "' twice",
                     .expected = "one value for each"});
    }
    const RunOptions run = run_only(options_or_initial(options), "an algorithm's own options are its parameters");
    *answer = new hopwave_answer{algorithm, run_algorithm(of, algorithm.name, given, run)};
  });
}
const void* hopwave_answer_array(const hopwave_answer* answer, const char* output, hopwave_array_type* type, size_t* size) {
  const AlgorithmResult* result = output_of(answer, output);
  const ArrayOf array = result ? std::visit(ToArray(), *result) : ArrayOf();
  if (type) *type = array.type;
  if (size) *size = array.size;
  return array.data;
}
uint64_t hopwave_answer_count(const hopwave_answer* answer, const char* output, uint64_t* second) {
  std::pair<std::uint64_t, std::uint64_t> figure = {};
  if (const AlgorithmResult* result = output_of(answer, output)) {
    if (const auto* count = std::get_if<std::uint64_t>(result)) figure.first = *count;
    if (const auto* vertex = std::get_if<VertexId>(result)) figure.first = *vertex;
    if (const auto* truth = std::get_if<bool>(result)) figure.first = *truth;
    if (const auto* ends = std::get_if<std::pair<VertexId, VertexId>>(result)) figure = *ends;
    if (const auto* range = std::get_if<DistanceRange>(result))
      figure = {static_cast<std::uint64_t>(range->lower), static_cast<std::uint64_t>(range->upper)};
  }
  if (second) *second = figure.second;
  return figure.first;
}
double hopwave_answer_number(const hopwave_answer* answer, const char* output) {
  const AlgorithmResult* result = output_of(answer, output);
  const double* number = result ? std::get_if<double>(result) : nullptr;
  return number ? *number : 0;
}
double hopwave_answer_range(const hopwave_answer* answer, const char* output, double* upper) {
  const AlgorithmResult* result = output_of(answer, output);
  const auto* found = result ? std::get_if<WeightRange>(result) : nullptr;
  const WeightRange range = found ? *found : WeightRange{};
  if (upper) *upper = range.upper;
  return range.lower;
}
void hopwave_answer_report(const hopwave_answer* answer, hopwave_report* report) {
  fill(answer ? answer->found.run : RunReport{}, report);
}
void hopwave_answer_free(hopwave_answer* answer) { delete answer; }

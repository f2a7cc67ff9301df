// Words that several rows say.
#include "algorithm/algorithm.h"

#include <fmt/format.h>

#include "core/people_text.h"

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

std::string time_text(double milliseconds, DeviceKind device) {
  return core::seconds_text(milliseconds / 1000) + (device == DeviceKind::cpu ? "" : " on " + name_of(device));
}

std::string gpus_text(const SearchOptions& options) {
  if (options.run.replicas.empty()) return {};
  std::string text = " " + std::to_string(options.run.on.ordinal);
  for (const int each : options.run.replicas) text += ", " + std::to_string(each);
  return text;
}

void nothing_found(End end, const char* searched_from) {
  const bool time_over = end == End::time_limit;
  throw Error(
      {.failure = time_over ? Failure::time_limit : Failure::interrupted,
       .id = time_over ? "HW-TIME-LIMIT" : "HW-INTERRUPTED",
       .found = fmt::format("{} before the first {} was done", time_over ? "the time is over" : "ended", searched_from)});
}

}  // namespace hopwave::algorithm

#include "measure/result_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/people_text.h"
#include "hopwave/error.h"
#include "measure/json_fault.h"

namespace hopwave::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* arrow = " › ";
std::string below(const std::string& path, const std::string& key) { return path.empty() ? key : path + arrow + key; }

bool is_rows(const ordered_json& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const ordered_json& one) { return one.is_object(); });
}

/// At least two objects of the same keys, such as one per graph: rows that have names.
bool is_named_rows(const ordered_json& value) {
  if (!value.is_object() || value.size() < 2) return false;
  const auto keys = [](const ordered_json& one) {
    std::vector<std::string> names;
    for (const auto& item : one.items()) names.push_back(item.key());
    return names;
  };
  return std::all_of(value.begin(), value.end(), [&](const ordered_json& one) {
    return one.is_object() && !one.empty() && keys(one) == keys(*value.begin());
  });
}

Cell cell_of(const ordered_json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (value.is_number_float()) return {fmt::format("{:.6g}", value.get<double>()), true};
  if (value.is_number()) return {value.dump(), true};
  if (value.is_null()) return {"–"};
  if (value.is_boolean()) return {value.get<bool>() ? "yes" : "no"};
  if (value.is_object()) return {core::plural(value.size(), "value")};
  constexpr std::size_t few = 8;  // of a longer list only the length is said
  const bool plain = std::none_of(value.begin(), value.end(), [](const ordered_json& one) { return one.is_structured(); });
  if (!plain || value.size() > few) return {core::plural(value.size(), "value")};
  std::string all;
  for (const ordered_json& one : value) all += (all.empty() ? "" : ", ") + cell_of(one).text;
  return {all};
}

using Cells = std::vector<std::pair<std::string, Cell>>;

class Reader {
 public:
  explicit Reader(ResultFile& file) : file_(file) {}

  void read(const ordered_json& object, const std::string& path) {
    for (const auto& [key, value] : object.items()) {
      const std::string here = below(path, key);
      if (is_rows(value)) {
        for (const ordered_json& one : value) add_row(here, {}, one);
      } else if (is_named_rows(value)) {
        for (const auto& [name, one] : value.items()) add_row(here, {{"", {name}}}, one);
      } else if (value.is_object()) {
        read(value, here);
      } else {
        file_.facts.emplace_back(here, cell_of(value).text);
      }
    }
  }

 private:
  void add_row(const std::string& title, Cells cells, const ordered_json& row) {
    std::vector<std::pair<std::string, const ordered_json*>> inner;
    flatten(row, "", cells, inner);
    for (const auto& [key, rows] : inner)
      for (const ordered_json& one : *rows) add_row(below(title, key), cells, one);
    if (inner.empty()) write(title, cells);
  }

  /// The row's own values; what has rows of its own goes to `inner`.
  static void flatten(const ordered_json& row, const std::string& path, Cells& cells,
                      std::vector<std::pair<std::string, const ordered_json*>>& inner) {
    for (const auto& [key, value] : row.items()) {
      const std::string here = below(path, key);
      if (is_rows(value))
        inner.emplace_back(here, &value);
      else if (value.is_object() && !value.empty())
        flatten(value, here, cells, inner);
      else
        cells.emplace_back(here, cell_of(value));
    }
  }

  void write(const std::string& title, const Cells& cells) {
    auto table = std::find_if(file_.tables.begin(), file_.tables.end(), [&](const ResultTable& t) { return t.title == title; });
    if (table == file_.tables.end()) table = file_.tables.insert(table, {title, {}, {}});
    std::vector<Cell> row(table->columns.size());
    for (const auto& [name, cell] : cells) {
      auto column = std::find(table->columns.begin(), table->columns.end(), name);
      if (column == table->columns.end()) {
        column = table->columns.insert(column, name);
        for (auto& other : table->rows) other.resize(table->columns.size());
        row.resize(table->columns.size());
      }
      row[static_cast<std::size_t>(column - table->columns.begin())] = cell;
    }
    table->rows.push_back(std::move(row));
  }

  ResultFile& file_;
};

/// Names before numbers.
void put_names_first(ResultTable& table) {
  std::vector<std::size_t> order(table.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](std::size_t k) {
    return std::none_of(table.rows.begin(), table.rows.end(), [k](const auto& row) { return row[k].number; });
  });
  const auto in_order = [&](const auto& from) {
    auto to = from;
    for (std::size_t k = 0; k < order.size(); ++k) to[k] = from[order[k]];
    return to;
  };
  table.columns = in_order(table.columns);
  for (auto& row : table.rows) row = in_order(row);
}

}  // namespace

ResultFile tables_from_json(const std::string& text, const std::string& name) {
  const auto bad = [&](std::string found) {
    return Error({.failure = Failure::input,
                  .id = "HW-BENCH-FILE",
                  .where = {.file = name},
                  .found = std::move(found),
                  .expected = "results as JSON: an object with rows in it",
                  .hint = "make one with: hopwave bench GRAPH --export-json FILE"});
  };
  ResultFile file{name, {}, {}};
  try {
    const auto j = ordered_json::parse(text);
    if (!j.is_object()) throw bad(std::string("JSON, but a ") + j.type_name());
    Reader(file).read(j, "");
  } catch (const nlohmann::json::exception& e) {
    throw bad(json_fault(e));
  }
  if (file.tables.empty()) throw bad("JSON without rows");
  for (ResultTable& table : file.tables) put_names_first(table);
  return file;
}

}  // namespace hopwave::report

// Result formats: text rows (TSV, CSV), Rodinia's result.txt, NumPy's .npy and JSON columns.
#include "cli/commands/bfs/result_writer.h"

#include <fmt/format.h>

#include "cli/frame/json.h"
#include "cli/frame/row_text.h"
#include "core/stopwatch.h"
#include "hopwave/device_result.h"
#include "hopwave/version.h"

namespace hopwave::cli {

std::string format_of(const std::string& path) {
  const std::string ending =
      ending_of(path, {"txt", "tsv", "csv", "json", "npy"}, "--format names the format, whatever the file is called");
  return ending == "csv" || ending == "json" || ending == "npy" ? ending : "text";
}

void check_shape(const OutputShape& shape) {
  const auto refuse = [](std::string found, std::string expected) {
    throw Error(
        {.failure = Failure::usage, .id = "HW-USAGE-FORMAT", .found = std::move(found), .expected = std::move(expected)});
  };
  if (shape.distance_type != "int32" && shape.format != "npy")
    refuse("--dtype with format " + shape.format, "npy: a text has digits");
  if (shape.format != "rodinia") return;
  if (shape.parents) refuse("--format rodinia with parents", "another format: result.txt holds distances only");
  if (shape.each) refuse("--format rodinia with --mode each", "another format: result.txt holds one search");
}

namespace {

class Timed {
 public:
  explicit Timed(double& total) : total_(total) {}
  ~Timed() { total_ += watch_.seconds(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& total_;
  core::Stopwatch watch_;
};

/// NumPy's format 1.0: magic, length of the header, the header padded to a multiple of 64 bytes.
std::string npy_header(const std::string& type, const std::string& shape) {
  std::string header = "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
  const std::size_t fixed = 10;
  header.append((64 - (fixed + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

}  // namespace

ResultWriter::ResultWriter(const std::string& path, const OutputShape& shape, const GraphFacts& graph, int threads,
                           std::function<void()> check)
    : shape_(shape), graph_(graph), check_(std::move(check)), team_(threads), out_(path) {
  const Timed timed(seconds_);
  begin();
}

void ResultWriter::begin() {
  if (shape_.format == "csv") {
    out_.write(std::string(shape_.each ? "source," : "") + "id,distance" + (shape_.parents ? ",parent\n" : "\n"));
  } else if (shape_.format == "npy") {
    const std::string shape = shape_.each ? fmt::format("({}, {})", shape_.searches, graph_.num_vertices())
                                          : fmt::format("({},)", graph_.num_vertices());
    const std::string type = shape_.distance_type == "uint8" ? "'|u1'" : shape_.distance_type == "uint16" ? "'<u2'" : "'<i4'";
    out_.write(npy_header(shape_.parents ? "[('id', '<i8'), ('distance', " + type + "), ('parent', '<i8')]" : type, shape));
  } else if (shape_.format == "json") {
    out_.write(fmt::format("{{\"schema\": \"hopwave-distances/1\", \"hopwave\": \"{}\",\n\"id\": [", version));
    write_in_order(out_, team_, graph_.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
      check_();
      for (std::size_t v = from; v < to; ++v) {
        if (v) text.put(',');
        if (graph_.ids().kind() == Ids::Kind::strings)
          text.put(dump(Json(graph_.ids().name(static_cast<VertexId>(v)))));
        else
          text.put(graph_.ids().number(static_cast<VertexId>(v)));
      }
    });
    out_.write("],\n\"searches\": [");
  }
}

void ResultWriter::add(const Result& result, const std::vector<VertexId>& sources) {
  const Timed timed(seconds_);
  if (shape_.format == "npy") {
    add_npy(result);
  } else if (shape_.format == "json") {
    add_json(result, sources);
  } else if (shape_.format == "rodinia") {
    add_rodinia(result);
  } else {
    const char separator = shape_.format == "csv" ? ',' : '\t';
    RowText prefix;
    if (shape_.each) {
      put_id(sources.front(), separator, prefix);
      prefix.put(separator);
    }
    add_rows(result, separator, prefix.view());
  }
  ++added_;
}

void ResultWriter::add_rows(const Result& result, char separator, std::string_view prefix) {
  write_in_order(out_, team_, graph_.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    check_();
    for (std::size_t i = from; i < to; ++i) {
      const auto v = static_cast<VertexId>(i);
      if (!prefix.empty()) text.put(prefix);
      put_id(v, separator, text);
      text.put(separator);
      text.put(std::int64_t{result.distance[v]});
      if (shape_.parents) {
        text.put(separator);
        put_parent(result, v, separator, text);
      }
      text.put('\n');
    }
  });
}

/// Rodinia writes "%d) cost:%d\n" for every node.
void ResultWriter::add_rodinia(const Result& result) {
  write_in_order(out_, team_, graph_.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    check_();
    for (std::size_t v = from; v < to; ++v) {
      put_id(static_cast<VertexId>(v), ' ', text);
      text.put(") cost:");
      text.put(std::int64_t{result.distance[v]});
      text.put('\n');
    }
  });
}

template <class Value>
void ResultWriter::add_npy(const Result& result, std::span<const Value> distance) {
  const auto number = [&](VertexId v) -> std::int64_t {
    if (v == no_vertex) return -1;
    return graph_.ids().kind() == Ids::Kind::strings ? std::int64_t{v} : graph_.ids().number(v);
  };
  write_in_order(out_, team_, graph_.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    check_();
    for (std::size_t i = from; i < to; ++i) {
      const auto v = static_cast<VertexId>(i);
      if (shape_.parents) text.put_binary(number(v));
      text.put_binary(distance[v]);
      if (shape_.parents) text.put_binary(number(parent_of(result, v)));
    }
  });
}

void ResultWriter::add_npy(const Result& result) {
  const auto add = [&]<class Narrow>(Array<Narrow> packed) {
    narrow(result.distance.span(), packed.span());
    add_npy<Narrow>(result, packed.span());
  };
  if (shape_.distance_type == "uint8") return add(Array<std::uint8_t>(result.distance.size()));
  if (shape_.distance_type == "uint16") return add(Array<std::uint16_t>(result.distance.size()));
  add_npy<Distance>(result, result.distance.span());
}

void ResultWriter::add_json(const Result& result, const std::vector<VertexId>& sources) {
  Json names = Json::array();
  for (const VertexId s : sources) names.push_back(id_json(graph_.ids(), s));
  out_.write(std::string(added_ ? ",\n" : "\n") +
             "{\"sources\": " + names.dump(-1, ' ', false, Json::error_handler_t::replace) + ",\n\"distance\": [");
  write_in_order(out_, team_, graph_.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    check_();
    for (std::size_t v = from; v < to; ++v) {
      if (v) text.put(',');
      text.put(std::int64_t{result.distance[v]});
    }
  });
  out_.write("]");
  if (shape_.parents) {
    out_.write(",\n\"parent\": [");
    write_in_order(out_, team_, graph_.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
      check_();
      for (std::size_t v = from; v < to; ++v) {
        if (v) text.put(',');
        const VertexId parent = parent_of(result, static_cast<VertexId>(v));
        if (parent != no_vertex && graph_.ids().kind() == Ids::Kind::strings)
          text.put(dump(Json(graph_.ids().name(parent))));
        else
          text.put(parent == no_vertex ? -1 : graph_.ids().number(parent));
      }
    });
    out_.write("]");
  }
  out_.write("}");
}

void ResultWriter::put_id(VertexId v, char separator, RowText& text) const {
  if (graph_.ids().kind() != Ids::Kind::strings) return text.put(graph_.ids().number(v));
  put_cell(graph_.ids().names()[v], separator, text);
}

void ResultWriter::put_parent(const Result& result, VertexId v, char separator, RowText& text) const {
  const VertexId parent = parent_of(result, v);
  parent == no_vertex ? text.put(std::int64_t{-1}) : put_id(parent, separator, text);
}

VertexId ResultWriter::parent_of(const Result& result, VertexId v) const {
  return shape_.roots_own_parent && result.distance[v] == 0 ? v : result.parent[v];
}

void ResultWriter::commit() {
  const Timed timed(seconds_);
  if (shape_.format == "json") out_.write("\n]}\n");
  out_.commit();
}

}  // namespace hopwave::cli

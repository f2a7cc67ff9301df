// Searches from both ends of a path in NetworkX's order, again and again in one graph, with some of it closed.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "dijkstra.h"
#include "objects.h"
#include "walk.h"

namespace hopwave::python {

namespace {

/// Dijkstra's algorithm from one end.
class End {
 public:
  enum class State : std::uint8_t { unseen, met, taken };
  struct Entry {
    double distance = 0;
    bool whole = true;
    State state = State::unseen;
    VertexId parent = no_vertex;
  };

  explicit End(VertexId n) : entries_(n) {}
  void start(VertexId v) {
    for (const VertexId u : met_) entries_[u] = {};
    met_.clear();
    heap_ = {};
    meet(v, {0.0, true, State::met, no_vertex}, 0);
  }
  void meet(VertexId v, const Entry& entry, std::uint64_t push) {
    if (entries_[v].state == State::unseen) met_.push_back(v);
    entries_[v] = entry;
    heap_.emplace(entry.distance, push, v);
  }
  [[nodiscard]] bool waits() const { return !heap_.empty(); }
  /// Takes the next vertex; no_vertex if it was taken before.
  VertexId take() {
    const VertexId v = std::get<VertexId>(heap_.top());
    heap_.pop();
    if (entries_[v].state == State::taken) return no_vertex;
    entries_[v].state = State::taken;
    return v;
  }
  [[nodiscard]] const Entry& at(VertexId v) const { return entries_[v]; }
  [[nodiscard]] bool is_met(VertexId v) const { return entries_[v].state != State::unseen; }
  /// Appends the path from `v` back to the end; nothing for no_vertex.
  void path(VertexId v, std::vector<VertexId>& to) const {
    for (; v != no_vertex; v = entries_[v].parent) to.push_back(v);
  }

 private:
  using Waiting = std::tuple<double, std::uint64_t, VertexId>;
  std::vector<Entry> entries_;
  std::vector<VertexId> met_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> heap_;
};

class BothEnds {
 public:
  BothEnds(const HeldRows& rows, const std::optional<HeldWeights>& weights)
      : graph_(rows.graph), closed_(*graph_), ends_{End(0), End(0)} {
    if (!weights) return;
    if (weights->weights->value.size() != graph_->out().ends.size()) throw nb::value_error("weights and rows do not fit");
    weights_[0] = weights->weights;
    weights_[1] = graph_->directed() ? incoming(*weights_[0]) : weights_[0];
    ends_ = {End(graph_->num_vertices()), End(graph_->num_vertices())};
    double sum = 0;
    for (std::size_t arc = 0; arc < weights_[0]->value.size(); ++arc)
      sum += weights_[0]->whole[arc] ? weights_[0]->value[arc] : 0;
    if (sum < most_whole) return;
    PyErr_SetString(PyExc_NotImplementedError, "weights with a sum of 2**53 or more");
    throw nb::python_error();
  }

  /// Returns the length of a path, without weights its number of vertices, and its vertices; None if there is none. The path
  /// passes no vertex of `vertices`, and does not begin with an arc to one of `heads`.
  nb::object path(VertexId source, VertexId target, const std::vector<VertexId>& vertices, const std::vector<VertexId>& heads) {
    if (source >= graph_->num_vertices() || target >= graph_->num_vertices()) throw nb::index_error("not a vertex");
    closed_.close(source, vertices, heads);
    std::vector<VertexId> found;
    if (!weights_[0]) {
      {
        const WithoutGil released;
        found = path_between(*graph_, source, target, &closed_);
      }
      return found.empty() ? nb::none() : nb::object(nb::make_tuple(found.size(), found));
    }
    double length = 0;
    bool whole = true;
    {
      const WithoutGil released;
      found = search(source, target, length, whole);
    }
    return found.empty() ? nb::none() : nb::object(nb::make_tuple(number(length, whole), found));
  }

  /// Returns the weights of the arcs of a path.
  nb::list weights(const std::vector<VertexId>& path) const {
    nb::list found;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const auto row = graph_->out().of(path[i - 1]);
      const auto place = std::ranges::find(row, path[i]);
      if (place == row.end()) throw nb::value_error("not a path");
      const std::size_t arc = graph_->out().offsets[path[i - 1]] + static_cast<std::size_t>(place - row.begin());
      found.append(number(weights_[0]->value[arc], weights_[0]->whole[arc]));
    }
    return found;
  }

 private:
  static nb::object number(double value, bool whole) {
    return nb::steal(whole ? PyLong_FromLongLong(static_cast<long long>(value)) : PyFloat_FromDouble(value));
  }
  /// The weights in the order of the incoming rows.
  [[nodiscard]] std::shared_ptr<const Weights> incoming(const Weights& out) const {
    const Rows &rows = graph_->out(), &back = graph_->in();
    std::vector<std::vector<std::pair<VertexId, EdgeIndex>>> arcs(graph_->num_vertices());
    for (VertexId v = 0; v < graph_->num_vertices(); ++v) {
      for (EdgeIndex arc = rows.offsets[v]; arc < rows.offsets[v + 1ull]; ++arc) arcs[rows.ends[arc]].emplace_back(v, arc);
    }
    auto in = std::make_shared<Weights>();
    std::vector<EdgeIndex> arc_from(graph_->num_vertices());
    for (VertexId v = 0; v < graph_->num_vertices(); ++v) {
      for (const auto& [tail, arc] : arcs[v]) arc_from[tail] = arc;
      for (const VertexId tail : back.of(v)) {
        in->value.push_back(out.value[arc_from[tail]]);
        in->whole.push_back(out.whole[arc_from[tail]]);
      }
    }
    return in;
  }

  std::vector<VertexId> search(VertexId source, VertexId target, double& length, bool& whole) {
    if (source == target) return {source};
    ends_[0].start(source);
    ends_[1].start(target);
    std::uint64_t pushes = 2;
    VertexId meeting = no_vertex;
    std::array<VertexId, 2> around = {};  // the vertices before and after it when it was found
    for (std::size_t side = 0; ends_[0].waits() && ends_[1].waits(); side = 1 - side) {
      End &end = ends_[side], &other = ends_[1 - side];
      const VertexId v = end.take();
      if (v == no_vertex) continue;
      if (other.at(v).state == End::State::taken) return joined(meeting, around);
      const Rows& rows = side == 0 ? graph_->out() : graph_->in();
      const Weights& weights = *weights_[side];
      for (EdgeIndex arc = rows.offsets[v]; arc < rows.offsets[v + 1ull]; ++arc) {
        const VertexId w = rows.ends[arc];
        if (closed_.vertex(w) || (side == 0 ? closed_.arc(v, w) : closed_.arc(w, v))) continue;
        const double distance = end.at(v).distance + weights.value[arc];
        if (end.is_met(w) && (end.at(w).state == End::State::taken || !(distance < end.at(w).distance))) continue;
        end.meet(w, {distance, end.at(v).whole && weights.whole[arc], End::State::met, v}, pushes++);
        if (!other.is_met(w)) continue;
        const double sum = distance + other.at(w).distance;
        if (meeting != no_vertex && !(length > sum)) continue;
        length = sum;
        whole = end.at(w).whole && other.at(w).whole;
        meeting = w;
        around = {ends_[0].at(w).parent, ends_[1].at(w).parent};
      }
    }
    return {};
  }
  [[nodiscard]] std::vector<VertexId> joined(VertexId meeting, const std::array<VertexId, 2>& around) const {
    std::vector<VertexId> path;
    ends_[0].path(around[0], path);
    std::ranges::reverse(path);
    path.push_back(meeting);
    ends_[1].path(around[1], path);
    return path;
  }

  std::shared_ptr<const OrderedGraph> graph_;
  std::array<std::shared_ptr<const Weights>, 2> weights_ = {};  // along outgoing and incoming rows; none: arcs are counted
  Closed closed_;
  std::array<End, 2> ends_;
};

}  // namespace

void bind_both_ends(nb::module_& module) {
  nb::class_<BothEnds>(module, "BothEnds")
      .def(nb::init<const HeldRows&, const std::optional<HeldWeights>&>(), nb::arg("rows"), nb::arg("weights").none(),
           nb::sig("def __init__(self, rows: Rows, weights: Weights | None) -> None"))
      .def("path", &BothEnds::path, nb::arg("source"), nb::arg("target"), nb::arg("vertices"), nb::arg("heads"),
           nb::sig("def path(self, source: int, target: int, vertices: collections.abc.Sequence[int], "
                   "heads: collections.abc.Sequence[int]) -> tuple[typing.Any, list[int]] | None"))
      .def("weights", &BothEnds::weights, nb::arg("path"),
           nb::sig("def weights(self, path: collections.abc.Sequence[int]) -> list[typing.Any]"));
}

}  // namespace hopwave::python

// What the distances to drawn pivots say of the distances to all vertices. The pivots that a vertex meets are a random part of
// the others that it reaches, so their mean estimates the others' mean, and Hoeffding's inequality bounds how far off it is: by
// the range of the values times sqrt(ln(2 · figures / risk) / (2 · values)).
#include "algorithm/closeness/pivot_estimates.h"

#include <algorithm>
#include <cmath>

#include "graph/components.h"

namespace hopwave::search_detail {
namespace {

/// Of a mean of `values` values in a range of 1, as one of `figures` that shall all be right.
double hoeffding(double figures, double risk, double values) { return std::sqrt(std::log(2 * figures / risk) / (2 * values)); }

/// How far the truth, which lies between two bounds, may be from `value`.
double farthest(double value, double lower, double upper) { return std::max({0.0, value - lower, upper - value}); }

class Estimates {
 public:
  Estimates(const Graph& graph, std::span<const VertexId> pivots, SampledCloseness& found)
      : found_(found),
        sums_(found.sums),
        pivots_(pivots.first(found.sums.pivot.size())),
        n_(graph.num_vertices()),
        others_(static_cast<double>(n_) - 1),
        values_(static_cast<double>(pivots_.size())) {
    for (Array<double>* each : {&found.closeness, &found.closeness_error, &found.harmonic, &found.harmonic_error,
                                &found.average, &found.average_error, &found.reached})
      *each = Array<double>::filled(n_, 0);
    for (const SourceDistances& pivot : sums_.pivot) found.seen = std::max(found.seen, pivot.eccentricity);
  }

  /// Directions play no part: a vertex reaches its component, and a pivot's own search gives its figures.
  void by_component(const Components& components) {
    std::vector<VertexId> size(n_, 0);
    for (const VertexId label : components.label) ++size[label];
    std::vector<Distance> longest(n_, 0);  // by label
    for (VertexId v = 0; v < n_; ++v) {
      const VertexId label = components.label[v];
      const double reached = static_cast<double>(size[label]) - 1;
      const Distance most = std::min(sums_.longest[v], static_cast<Distance>(std::min<VertexId>(size[label] - 1, 0x7FFFFFFF)));
      longest[label] = std::max(longest[label], most);
      found_.reached[v] = reached + 1;
      if (reached == 0) continue;
      of_distances(v, {reached / others_, 0}, sums_.met[v] >= reached, most, n_);
      of_inverses(v, reached, sums_.met[v], 1.0 / most);
    }
    for (std::size_t i = 0; i < pivots_.size(); ++i) exact(pivots_[i], sums_.pivot[i]);
    of_graph(components, size, longest);
  }

  /// How many vertices one reaches is an estimate, too.
  void with_directions() {
    std::vector<bool> is_pivot(n_, false);
    for (const VertexId v : pivots_) is_pivot[v] = true;
    for (VertexId v = 0; v < n_; ++v) {
      const double drawn = values_ - (is_pivot[v] ? 1 : 0), part = drawn > 0 ? sums_.met[v] / drawn : 0;
      // Half of the risk each: for the part that is reached, and for the distances.
      const double off = drawn >= others_ ? 0 : drawn > 0 ? hoeffding(2.0 * n_, found_.risk, drawn) : 1;
      found_.longest = std::max(found_.longest, sums_.longest[v]);
      found_.reached[v] = 1 + others_ * part;
      of_distances(v, {part, off}, drawn >= others_, sums_.longest[v], 2.0 * n_);
      of_inverses(v, others_, drawn, 0);
      if (drawn >= others_) exact(v, {sums_.met[v] + 1ull, sums_.sum[v], sums_.inverse_sum[v], 0});
    }
    of_graph();
  }

 private:
  /// Of the other vertices: a part, and how far off it may be.
  struct Part {
    double value, off;
    [[nodiscard]] double lower() const { return std::max(0.0, value - off); }
    [[nodiscard]] double upper() const { return std::min(1.0, value + off); }
  };

  /// The sum of 1 / distance of so many vertices, of which `drawn` are pivots; none is below `least`.
  void of_inverses(VertexId v, double vertices, double drawn, double least) {
    found_.harmonic_error[v] = vertices;
    if (drawn == 0) return;
    found_.harmonic[v] = vertices * sums_.inverse_sum[v] / drawn;
    const double off = drawn >= vertices ? 0 : (1 - least) * hoeffding(n_, found_.risk, drawn);
    found_.harmonic_error[v] = vertices * std::min(1.0, off);
  }

  /// `part` of the others is reached; whether all of these were met. `figures`: of how many the errors have to hold.
  void of_distances(VertexId v, Part part, bool all_met, double most, double figures) {
    if (sums_.met[v] == 0) {
      found_.average_error[v] = most;
      found_.closeness_error[v] = part.upper();
      return;
    }
    const double met = sums_.met[v], average = static_cast<double>(sums_.sum[v]) / met, range = all_met ? 0 : most - 1;
    const auto lower = [&](double off) { return std::max(1.0, average - range * off); };
    const auto upper = [&](double off) { return std::min(most, average + range * off); };
    const double off_alone = hoeffding(n_, found_.risk, met), off = hoeffding(figures, found_.risk, met);
    found_.average[v] = average;
    found_.average_error[v] = farthest(average, lower(off_alone), upper(off_alone));
    found_.closeness[v] = part.value / average;
    found_.closeness_error[v] = farthest(found_.closeness[v], part.lower() / upper(off), part.upper() / lower(off));
  }

  void exact(VertexId v, const SourceDistances& row) {
    found_.closeness[v] = closeness(row, n_);
    found_.harmonic[v] = row.inverse_sum;
    found_.average[v] = row.sum ? static_cast<double>(row.sum) / static_cast<double>(row.reached - 1) : 0;
    found_.reached[v] = static_cast<double>(row.reached);
    found_.closeness_error[v] = found_.harmonic_error[v] = found_.average_error[v] = 0;
  }

  [[nodiscard]] double mean_of(auto&& value) const {
    double sum = 0;
    for (const SourceDistances& pivot : sums_.pivot) sum += value(pivot);
    return pivots_.empty() ? 0 : sum / values_;
  }
  /// Of the mean of a value a pivot, in a range of 1.
  [[nodiscard]] double off_mean(double figures = 1) const {
    return pivots_.size() == n_ ? 0 : pivots_.empty() ? 1 : std::min(1.0, hoeffding(figures, found_.risk, values_));
  }

  void of_graph(const Components& components, const std::vector<VertexId>& size, const std::vector<Distance>& longest) {
    double pairs = 0, most_beyond = 0, most_near = 0;
    for (VertexId label = 0; label < n_; ++label) {
      if (components.label[label] != label) continue;
      const double near = size[label] - 1.0;
      pairs += size[label] * near;
      most_near = std::max(most_near, near);
      most_beyond = std::max(most_beyond, near * std::max(0, longest[label] - 1));
      found_.longest = std::max(found_.longest, longest[label]);
    }
    if (pairs == 0) return;
    // How many pairs there are is known; what is estimated are the hops after the first.
    const double beyond = mean_of([](const SourceDistances& p) { return static_cast<double>(p.sum - (p.reached - 1)); });
    found_.average_distance = 1 + n_ * beyond / pairs;
    found_.average_distance_error = std::min(n_ * most_beyond * off_mean() / pairs, found_.longest - 1.0);
    found_.efficiency = mean_of([](const SourceDistances& p) { return p.inverse_sum; }) / others_;
    found_.efficiency_error = most_near / others_ * off_mean();
  }

  void of_graph() {
    if (n_ < 2) return;
    found_.efficiency = mean_of([](const SourceDistances& p) { return p.inverse_sum; }) / others_;
    found_.efficiency_error = off_mean();
    const double part = mean_of([](const SourceDistances& p) { return static_cast<double>(p.reached - 1); }) / others_;
    const double hops = mean_of([](const SourceDistances& p) { return static_cast<double>(p.sum); }) / others_;
    const double most = found_.longest, off = off_mean(2);
    if (part == 0) {
      found_.average_distance_error = off == 0 ? 0 : most;
      return;
    }
    found_.average_distance = hops / part;
    const double lower = std::max(1.0, (hops - most * off) / std::min(1.0, part + off));
    const double upper = part > off ? std::min(most, (hops + most * off) / (part - off)) : most;
    found_.average_distance_error = off == 0 ? 0 : farthest(found_.average_distance, lower, upper);
  }

  SampledCloseness& found_;
  const PivotSums& sums_;
  std::span<const VertexId> pivots_;
  VertexId n_;
  double others_, values_;
};

}  // namespace

void estimate_from_pivots(int threads, const Graph& graph, std::span<const VertexId> pivots, bool with_directions,
                          SampledCloseness& found) {
  found.pivots = found.sums.pivot.size();
  Estimates estimates(graph, pivots, found);
  if (with_directions) return estimates.with_directions();
  Team team(graph::component_threads(graph, threads));
  estimates.by_component(graph::find_components(team, graph));
}

}  // namespace hopwave::search_detail

// Global routing: A* for each connection; overfull edges get more expensive, at once and from round to round.
#include <numeric>
#include <queue>

#include "core/options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "hopwave/error.h"
#include "hopwave/io.h"
#include "hopwave/netlist.h"
#include "io/sink.h"
#include "route/nets.h"

namespace hopwave::inline v0_1::route {
namespace {

[[noreturn]] void wrong_arrays(std::string found, std::string expected) {
  core::refuse("HW-NET-ARRAYS", std::move(found), std::move(expected));
}

/// Checks the assumptions of the router. Usage is summed up in 32 bits, positions in 64.
void require_sound(const Netlist& n) {
  constexpr std::size_t most_tiles = std::size_t{1} << 30;
  constexpr std::int64_t most_place = std::int64_t{1} << 60, most_use = 0x7FFFFFFF;
  const std::size_t tiles = n.num_tiles();
  if (tiles > most_tiles || n.capacity.size() != 3 * tiles)
    wrong_arrays(std::to_string(tiles) + " tiles and " + std::to_string(n.capacity.size()) + " capacities",
                 "three capacities per tile, and at most 2^30 tiles");
  if (n.min_width.size() != n.min_spacing.size() || (!n.min_width.empty() && n.min_width.size() != n.layers))
    wrong_arrays(std::to_string(n.min_width.size()) + " least widths and " + std::to_string(n.min_spacing.size()) + " spacings",
                 "none, or one per layer");
  const auto place = [&](std::int64_t at, std::int64_t step) {
    if (at < -most_place || at > most_place || step < 0 || step > (std::int64_t{1} << 31))
      wrong_arrays("tiles " + std::to_string(step) + " wide from " + std::to_string(at),
                   "a corner within 2^60 and tiles up to 2^31");
  };
  place(n.left, n.tile_width);
  place(n.bottom, n.tile_height);
  std::int64_t use = 0, spacing = 0, least = 0;
  for (std::size_t i = 0; i < n.min_width.size(); ++i) {
    if (n.min_width[i] < 0 || n.min_spacing[i] < 0) wrong_arrays("a negative width or spacing", "0 or more");
    least = std::max<std::int64_t>(least, n.min_width[i]);
    spacing = std::max<std::int64_t>(spacing, n.min_spacing[i]);
  }
  for (const Net& net : n.nets) {
    if (net.width < 0) wrong_arrays("a net of width " + std::to_string(net.width), "0 or more");
    use += n.min_width.empty() ? 1 : std::max<std::int64_t>(net.width, least) + spacing;
    if (use > most_use) wrong_arrays("nets that take more than 2^31 of an edge", "smaller widths");
    if (net.pins.empty())
      throw Error(
          {.failure = Failure::usage, .id = "HW-NET-PIN", .found = "net " + net.name + " without a pin", .expected = "one"});
    for (const Cell& pin : net.pins) static_cast<void>(n.tile(pin));
  }
}

class Router {
 public:
  Router(const Netlist& netlist, const GlobalOptions& options)
      : n_(netlist),
        options_(options),
        use_(netlist.capacity.size()),
        history_(netlist.capacity.size()),
        label_(netlist.num_tiles()),
        edges_(netlist.nets.size()),
        failed_(netlist.nets.size()) {
    strides_[0] = 1;
    strides_[1] = n_.width;
    strides_[2] = std::size_t{n_.width} * n_.height;
  }

  GlobalRoute run() {
    const core::Stopwatch watch;
    const core::Watch limits(options_.run.limits);
    const Progress progress = core::watched(limits, options_.run.progress, "the first round was not finished");
    const auto order = net_order();
    GlobalRoute best;
    bool have = false;
    const int rounds = options_.sequential ? 1 : std::max(options_.rounds, 1);
    for (int round = 0; round < rounds; ++round) {
      for (const std::size_t net : order) {
        if (round > 0 && !is_congested(net)) continue;
        rerouted_ += round > 0;
        remove(net);
        connect(net);
      }
      GlobalRoute result = report();
      result.rounds = round + 1;
      if (options_.each_round) options_.each_round(result);
      const std::uint64_t overflow = result.overflow;
      if (!have || overflow < best.overflow) best = std::move(result);
      have = true;
      if (progress && !progress({.what = "rounds", .done = static_cast<std::uint64_t>(round), .amount = overflow}))
        throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "routing was stopped"});
      if (overflow == 0) break;
      for (std::size_t e = 0; e < use_.size(); ++e)
        if (over(e) > 0) history_[e] += 1;
      pressure_ = std::min(pressure_ * 1.5, 1000.0);
    }
    best.rerouted = rerouted_;
    best.time = watch.elapsed();
    return best;
  }

 private:
  struct Label {
    double cost = 0;
    std::uint32_t round = 0;
    std::int8_t step = 0;  // direction, +1 forward, −1 backward; 0: source
    bool closed = false;
  };

  std::vector<std::size_t> net_order() const {
    std::vector<std::size_t> order(n_.nets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto half = [&](std::size_t i) {
      Cell low = n_.nets[i].pins[0], high = low;
      for (const Cell& p : n_.nets[i].pins) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), 0};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), 0};
      }
      return std::uint64_t{high.x - low.x} + (high.y - low.y);
    };
    if (options_.order != NetOrder::file)
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return options_.order == NetOrder::shortest ? half(a) < half(b) : half(a) > half(b);
      });
    return order;
  }

  [[nodiscard]] std::int64_t over(std::size_t edge) const {
    return edge % 3 == 2 ? 0 : std::int64_t{use_[edge]} - n_.capacity[edge];
  }
  [[nodiscard]] bool is_congested(std::size_t net) const {
    return std::any_of(edges_[net].begin(), edges_[net].end(), [&](std::size_t e) { return over(e) > 0; });
  }
  [[nodiscard]] std::int32_t demand(std::size_t net, std::size_t edge) const {
    return edge % 3 == 2 ? 0 : n_.demand(n_.nets[net], static_cast<std::uint32_t>(edge / 3 / strides_[2]));
  }

  void remove(std::size_t net) {
    for (const std::size_t e : edges_[net]) use_[e] -= demand(net, e);
    edges_[net].clear();
  }

  [[nodiscard]] Cell cell(std::size_t tile) const {
    return {static_cast<std::uint32_t>(tile % n_.width), static_cast<std::uint32_t>(tile / n_.width % n_.height),
            static_cast<std::uint32_t>(tile / strides_[2])};
  }

  /// At least 1; negative: closed for this net.
  [[nodiscard]] double price(std::size_t net, std::size_t edge) const {
    if (edge % 3 == 2) return 1;
    const std::int64_t too_much = std::int64_t{use_[edge]} + demand(net, edge) - n_.capacity[edge];
    if (options_.sequential) return too_much > 0 ? -1 : 1;
    return (1 + history_[edge]) * (too_much > 0 ? 1 + pressure_ * static_cast<double>(too_much) : 1);
  }

  /// Joins the first pin with all others, each time the nearest by cost.
  void connect(std::size_t net) {
    std::vector<std::size_t> tree{n_.tile(n_.nets[net].pins[0])}, wanted;
    for (const Cell& p : n_.nets[net].pins) wanted.push_back(n_.tile(p));
    const auto joined = [&] {
      std::erase_if(wanted, [&](std::size_t t) { return std::find(tree.begin(), tree.end(), t) != tree.end(); });
    };
    for (joined(); !wanted.empty(); joined())
      if (!extend(net, tree, wanted)) break;
    failed_[net] = !wanted.empty();
    for (const std::size_t e : edges_[net]) use_[e] += demand(net, e);
  }

  bool extend(std::size_t net, std::vector<std::size_t>& tree, const std::vector<std::size_t>& wanted) {
    ++round_;
    // Most searches have one pin left: the distance to it guides the search. Several pins give no such guide.
    const Cell goal = cell(wanted[0]);
    const auto guess = [&](std::size_t tile) {
      if (wanted.size() > 1) return 0.0;
      const Cell c = cell(tile);
      const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
      return static_cast<double>(apart(c.x, goal.x) + apart(c.y, goal.y) + apart(c.layer, goal.layer));
    };
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const std::size_t t : tree) {
      label_[t] = {.cost = 0, .round = round_};
      queue.push({guess(t), t});
    }
    while (!queue.empty()) {
      const std::size_t tile = queue.top().second;
      queue.pop();
      if (label_[tile].closed) continue;
      label_[tile].closed = true;
      if (std::find(wanted.begin(), wanted.end(), tile) != wanted.end()) {
        trace(net, tile, tree);
        return true;
      }
      const Cell c = cell(tile);
      const bool open[6] = {c.x + 1 < n_.width, c.y + 1 < n_.height, c.layer + 1 < n_.layers, c.x > 0, c.y > 0, c.layer > 0};
      for (std::size_t k = 0; k < 6; ++k) {
        if (!open[k]) continue;
        const std::size_t to = k < 3 ? tile + strides_[k] : tile - strides_[k - 3];
        const double step = price(net, (k < 3 ? tile : to) * 3 + k % 3);
        if (step < 0) continue;
        const double cost = label_[tile].cost + step;
        Label& label = label_[to];
        if (label.round == round_ && (label.closed || label.cost <= cost)) continue;
        label = {.cost = cost, .round = round_, .step = static_cast<std::int8_t>(k < 3 ? k + 1 : -static_cast<int>(k - 2))};
        queue.push({cost + guess(to), to});
      }
    }
    return false;
  }

  void trace(std::size_t net, std::size_t tile, std::vector<std::size_t>& tree) {
    while (label_[tile].step != 0) {
      tree.push_back(tile);
      const int step = label_[tile].step;
      const auto direction = static_cast<std::size_t>(std::abs(step) - 1);
      const std::size_t from = step > 0 ? tile - strides_[direction] : tile + strides_[direction];
      edges_[net].push_back(std::min(tile, from) * 3 + direction);
      tile = from;
    }
  }

  GlobalRoute report() const {
    GlobalRoute r;
    r.wires.resize(edges_.size());
    for (std::size_t net = 0; net < edges_.size(); ++net) {
      std::vector<std::size_t> edges = edges_[net];
      std::sort(edges.begin(), edges.end());
      std::vector<std::size_t> across, along;  // tiles with a wire in x, in y
      for (const std::size_t e : edges) {
        const std::size_t tile = e / 3, next = tile + strides_[e % 3];
        r.wires[net].push_back({cell(tile), cell(next)});
        ++(e % 3 == 2 ? r.vias : r.wirelength);
        if (e % 3 == 0) across.insert(across.end(), {tile, next});
        if (e % 3 == 1) along.insert(along.end(), {tile, next});
      }
      for (auto* tiles : {&across, &along}) {
        std::sort(tiles->begin(), tiles->end());
        tiles->erase(std::unique(tiles->begin(), tiles->end()), tiles->end());
      }
      for (const std::size_t t : across) r.bends += std::binary_search(along.begin(), along.end(), t);
      if (failed_[net]) r.unrouted.push_back(net);
      if (is_congested(net)) r.congested.push_back(net);
    }
    for (std::size_t e = 0; e < use_.size(); ++e) {
      const auto too_much = static_cast<std::uint64_t>(std::max<std::int64_t>(over(e), 0));
      r.overflow += too_much;
      r.max_overflow = std::max(r.max_overflow, too_much);
    }
    return r;
  }

  const Netlist& n_;
  const GlobalOptions& options_;
  std::size_t strides_[3] = {};
  std::vector<std::int32_t> use_;
  std::vector<double> history_;
  std::vector<Label> label_;
  std::vector<std::vector<std::size_t>> edges_;
  std::vector<bool> failed_;
  std::uint32_t round_ = 0;
  std::uint64_t rerouted_ = 0;
  double pressure_ = 0.5;
};

}  // namespace

GlobalRoute route_nets(const Netlist& netlist, const GlobalOptions& options) {
  core::require_named(options.order, NetOrder::file, "order of nets");
  require_sound(netlist);
  return Router(netlist, options).run();
}

void require_sound(const Netlist& netlist, const GlobalRoute& route) {
  require_sound(netlist);
  if (route.wires.size() != netlist.nets.size())
    wrong_arrays("wires of " + std::to_string(route.wires.size()) + " nets", std::to_string(netlist.nets.size()));
  for (const auto& wires : route.wires)
    for (const auto& [a, b] : wires) static_cast<void>(netlist.tile(a) + netlist.tile(b));
}

void write_solution(const Netlist& netlist, const GlobalRoute& route, const std::string& path) {
  require_sound(netlist, route);
  const auto point = [&](const Cell& c) {
    return "(" + std::to_string(netlist.left + c.x * netlist.tile_width + netlist.tile_width / 2) + "," +
           std::to_string(netlist.bottom + c.y * netlist.tile_height + netlist.tile_height / 2) + "," +
           std::to_string(c.layer + 1) + ")";
  };
  OutputFile out(path);
  const auto packed = io::make_sink(out, path, 3);
  for (std::size_t net = 0; net < netlist.nets.size(); ++net) {
    std::string text = netlist.nets[net].name + " " + std::to_string(netlist.nets[net].id) + "\n";
    for (const auto& [a, b] : route.wires[net]) text += point(a) + "-" + point(b) + "\n";
    packed->write(text + "!\n");
  }
  packed->finish();
  out.commit();
}

}  // namespace hopwave::inline v0_1::route

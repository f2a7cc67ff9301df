// Searches a grid on a device: opening the device, tracing a route back from two bits per cell, many scenarios at once.
#include <algorithm>
#include <unordered_set>

#include "core/busy.h"
#include "core/options.h"
#include "device/usable_gpu.h"
#include "hopwave/error.h"
#include "route/gpu/grid_search.h"
#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

const device::Api& api_of(DeviceKind kind) {
  core::require_named(kind, DeviceKind::sim, "device");
  if (kind == DeviceKind::sim) return *device::sim_api();
  std::string why_not;
  if (const device::Api* gpu = device::usable_gpu(why_not)) return *gpu;
  device::refuse_without_gpu(why_not, "--device cpu");
}

/// Traces a route back. The code of a reached cell is (level − 1) modulo 4.
class Tracer {
 public:
  Tracer(const Grid& grid, const WaveCodes& codes) : grid_(grid), codes_(codes) {}

  void trace(CellIndex target, std::uint64_t level, std::vector<CellIndex>& cells) const {
    Cell at = grid_.cell(target);
    cells.resize(level + 1);
    cells[level] = target;
    constexpr std::uint32_t minus = ~0u;
    constexpr Cell steps[] = {{minus, 0, 0}, {1, 0, 0}, {0, minus, 0}, {0, 1, 0}, {0, 0, minus}, {0, 0, 1}};
    const std::size_t count = grid_.layers() > 1 ? 6 : 4;
    std::size_t last = 0;
    while (level > 0) {
      --level;
      // Levels of neighbours differ by one, so modulo four distinguishes the previous level from the next one. It
      // continues straight on where possible.
      const auto to = [&](std::size_t k) { return Cell{at.x + steps[k].x, at.y + steps[k].y, at.layer + steps[k].layer}; };
      if (!has_level(to(last), level)) {
        last = 0;
        while (last < count && !has_level(to(last), level)) ++last;
        if (last == count) throw Error({.id = "HW-INTERNAL", .found = "a level without a previous one"});
      }
      at = to(last);
      cells[level] = grid_.index(at);
    }
  }

 private:
  [[nodiscard]] bool has_level(const Cell& c, std::uint64_t level) const {
    const std::size_t row =
        (c.layer * std::size_t{codes_.plane_tiles} + (c.y / 32 + std::size_t{1}) * codes_.row_tiles + c.x / 32 + 1) * 32 +
        c.y % 32;
    if (c.x >= grid_.width() || c.y >= grid_.height() || c.layer >= grid_.layers()) return false;
    const std::uint64_t word = codes_.words[row] >> (c.x % 32), code = (level - 1) & 3;
    if (((word & 1) | (word >> 31 & 2)) != code) return false;
    // Walls, and cells that the search did not reach, have code 0 as well.
    return code != 0 || (grid_.free(c) && (codes_.state.empty() || !(codes_.state[row] >> (c.x % 32) & 1)));
  }

  const Grid& grid_;
  const WaveCodes& codes_;
};

}  // namespace

struct DeviceGrid::State {
  const Grid& grid;
  device::Device device;
  std::unique_ptr<GridSearch> search;
  core::Busy busy;
  State(const Grid& g, DeviceKind kind, const WaveTuning& tuning)
      : grid(g), device(api_of(kind)), search(make_grid_search(device.api())(device, g, tuning)) {}
};

DeviceGrid::DeviceGrid(const Grid& grid, DeviceKind kind, const WaveTuning* tuning) {
  const device::KeepCurrent keep(&api_of(kind));
  state_ = std::make_shared<State>(grid, kind, tuning ? *tuning : WaveTuning{});
}
DeviceGrid::~DeviceGrid() = default;
DeviceGrid::DeviceGrid(DeviceGrid&&) noexcept = default;

namespace {

/// Keeps the state while a call needs it; only one call does at a time.
template <class State>
struct Use {
  explicit Use(const std::shared_ptr<State>& s)
      : state(core::present(s, "grid on a device")), hold(state->busy, "the grid"), keep(state->device) {}
  std::shared_ptr<State> state;
  core::Busy::Hold hold;
  device::KeepCurrent keep;
};

}  // namespace

Way DeviceGrid::find(std::span<const CellIndex> sources, std::span<const CellIndex> targets, const RouteOptions& given,
                     std::vector<std::int32_t>* level) {
  const Limited limited(given);
  const RouteOptions& options = limited.options();
  const Use use(state_);
  core::require_named(options.method, Method::bends, "method");
  require_via_cost(options.via_cost);
  if (options.method != Method::automatic && options.method != Method::tiles)
    wrong_method(options.method, "on a device", "method tiles or auto");
  if (options.fewest_bends || (options.via_cost != 1 && use.state->grid.layers() > 1))
    wrong_method(Method::tiles, "has neither bends nor via costs", "find_way() with method bends");
  require_free(use.state->grid, sources);
  require_free(use.state->grid, targets);
  return find(*use.state, sources, targets, options, level);
}

Way DeviceGrid::find(State& state, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                     const RouteOptions& options, std::vector<std::int32_t>* level) {
  if (level) level->assign(state.grid.num_bits(), -1);
  Way way;
  const std::unordered_set<CellIndex> wanted(targets.begin(), targets.end());
  for (const CellIndex s : sources)
    if (wanted.contains(s)) {
      if (level)
        for (const CellIndex each : sources) (*level)[each] = 0;
      return {.found = true, .cells = {s}, .reached = sources.size()};
    }
  if (sources.empty()) return way;
  CellIndex target = 0;
  way = state.search->find(sources, targets, options, target, level ? std::span(*level) : std::span<std::int32_t>());
  if (level && way.found)  // the last window went beyond the target
    for (std::int32_t& l : *level)
      if (l > static_cast<std::int32_t>(way.cost)) l = -1;
  // With layers a window is one level, so the last level's cells have neighbours that were not reached.
  if (way.found) {
    const WaveCodes codes = state.search->codes(state.grid.layers() > 1);
    Tracer(state.grid, codes).trace(target, way.cost, way.cells);
  }
  return way;
}

std::vector<std::int64_t> DeviceGrid::hops(std::span<const Scenario> scenarios, std::uint64_t* one_by_one) {
  const Use use(state_);
  State& state = *use.state;
  std::vector<CellIndex> from, to;
  for (const Scenario& s : scenarios) {
    require_free(state.grid, s.start);
    require_free(state.grid, s.goal);
    from.push_back(state.grid.index(s.start));
    to.push_back(state.grid.index(s.goal));
  }
  std::vector<std::int64_t> all = state.search->hops(from, to);
  std::uint64_t again = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != -2) continue;
    ++again;
    const Way way = find(state, {&from[i], 1}, {&to[i], 1}, {}, nullptr);
    all[i] = way.found ? static_cast<std::int64_t>(way.cost) : -1;
  }
  if (one_by_one) *one_by_one = again;
  return all;
}

const WaveStats& DeviceGrid::stats() const { return core::present(state_, "grid on a device")->search->stats(); }
const std::string& DeviceGrid::device() const { return core::present(state_, "grid on a device")->device.properties().name; }

}  // namespace hopwave::inline v0_1::route

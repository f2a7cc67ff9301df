// auto: the engine, which picks its steps on the device by what each level costs; what users get when they name nothing.
// Source: ours, on direction-optimizing search (Beamer, Asanović, Patterson, SC'12); docs/performance-engine.md has the
// account.
#include <chrono>
#include <optional>
#include <vector>

#include "engine/auto_options.h"
#include "engine/auto_trace.h"
#include "engine/levels_host.h"
#include "engine/order_host.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace hopwave::strategy;
using engine::Each;
using engine::EachOptions;
using engine::Levels;
using engine::Narrow;
using engine::NarrowOptions;
using engine::Shared;
using engine::SharedOptions;
using engine::Small;
using engine::SmallOptions;
using engine::Wide;
using engine::WideOptions;

/// Beyond a mean level of so many vertices the whole device is faster than one cluster.
constexpr std::uint64_t widest_narrow = 12288;
/// A graph has hubs if its largest degree is so many times the mean.
constexpr std::uint64_t hub_share = 16;
/// Where one cluster with all bits would do, a narrow search is faster up to so many arcs a level only.
constexpr std::uint64_t most_arcs_beside_small = 8192;
/// Warps that run ahead correct each other too often where there are fewer levels.
constexpr std::uint32_t fewest_levels_ahead = 100;
/// Fewer levels than this cost little wherever they run, and twice as many in a cluster with all visited bits in every block.
constexpr std::uint32_t fewest_narrow_levels = 16;
/// Larger graphs have too many edges for one cluster, which takes more of them where heads come first.
constexpr std::uint64_t most_small_arcs = 3'000'000, most_small_arcs_prepared = 4'000'000;
/// And with more vertices each block has too many of its own.
constexpr std::uint32_t most_small_vertices = 100'000;

/// One block is slower than a cluster where a level has so many arcs on average; below that many arcs in all it hardly matters.
constexpr std::uint64_t dense_level = 2000, least_dense_arcs = 1 << 14;
/// So many arcs a vertex make it likely, before any search has shown it.
constexpr std::uint64_t dense_degree = 12;

/// One plan holds one of the traversals. Without preparation a thin-looking graph starts narrow, and what its searches show
/// decides for the next ones; preparation finds out by one search from the largest vertex.
template <class Offset>
class Auto final : public Plan {
 public:
  explicit Auto(const PlanRequest& request)
      : device_(*request.device),
        timer_(device_),
        control_pinned_(device_),
        wide_options_(engine::wide_options(request)),
        narrow_options_(engine::narrow_options(request)),
        small_options_(engine::small_options(request)),
        shared_options_(engine::shared_options(request)),
        each_options_(engine::each_options(request)),
        want_each_(parameter(request, "each")),
        want_narrow_(parameter(request, "narrow")),
        want_small_(parameter(request, "small")),
        prepared_(request.prepare),
        level_(device_, request.view.num_vertices) {
    if (request.prepare && request.prepared) {
      restore(request);
      return;
    }
    take_graph(request.view);
    const auto from = std::chrono::steady_clock::now();
    if (wants_shared()) make_shared();
    if (request.prepare) {
      if (shared_ && may_be_dense() && is_dense(look(*shared_))) shared_.reset();
      shared_ ? shared_->prepare() : prepare(request.view.symmetric);
      device_.wait();
      prepare_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    } else if (shared_ && !(may_be_dense() && graph_.num_arcs >= dense_degree * graph_.num_vertices &&
                            make_small("its vertices have many neighbours"))) {
      device_.wait();
    } else if (shared_) {
      spare_shared_ = std::move(shared_);
    } else if (looks_thin() && make_narrow(false, want_narrow_ == 1 && has_short_rows())) {
      why_ = "narrow: " + narrow_->describe() + ", because no vertex has many neighbours";
    } else {
      make_wide("no preparation was asked for");
    }
  }

  void run(const Query& query, RunControl& control) override {
    control.level_done(0, query.sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    control.stats->chosen = why_;
    retired_narrow_.reset();
    retired_wide_.reset();
    retired_small_.reset();
    retired_shared_.reset();
    timer_.start();
    if (levels_)
      levels_->run(query, control);
    else if (shared_)
      shared_->run(query);
    else
      narrow_ ? narrow_->run(query) : small_ ? small_->run(query, control.trace) : wide_->run(query, control.trace);
    timer_.stop();
    finish(*control.stats);
    control.stats->levels = last().levels;
    control.stats->launches = device_.launches() - launches;
    control.stats->round_trips = device_.round_trips() - trips;
    if (control.trace && small_)
      engine::trace_levels(*control.stats, *small_);
    else if (control.trace && !levels_)
      wide_ ? engine::trace_levels(*control.stats, *wide_) : engine::trace_distances(*control.stats, level_);
    control.level_done(control.stats->levels, last().visited);
    learn();
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    level_.download(distances);
    if (!parents.empty()) device_.copy_out(parents.data(), parents_, parents.size_bytes());
  }

  [[nodiscard]] std::size_t each_width() const override { return want_each_ == 0 ? 0 : engine::most_each; }
  /// As measured: a pass costs what some four wide searches take, twelve narrow ones, or 26 (New York's roads) to 63
  /// (streets:1400) of those that take several levels a meeting.
  [[nodiscard]] std::size_t each_least() const override {
    if (want_each_ > 0) return static_cast<std::size_t>(want_each_);
    if (shared_) return 40;
    return !narrow_ ? 4 : narrow_->meets_every_level() ? 12 : 32;
  }

  void run_each(std::span<const VertexId> sources, Distance max_depth, RunControl& control) override {
    if (!each_) {
      EachOptions options = each_options_;
      options.hub = ordered_ ? 0 : hub_;  // preparation puts the vertices of most arcs first
      each_ = std::make_unique<Each<Offset>>(device_, graph_, options);
    }
    control.level_done(0, sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    control.stats->chosen = each_->describe();
    each_->trace(control.trace);
    timer_.start();
    each_->begin(sources, max_depth);
    do {
      each_->go_on();
      timer_.stop();
    } while (!each_->done());
    control.stats->search_ms = timer_.milliseconds();
    control.stats->levels = each_->progress().level;
    control.stats->launches = device_.launches() - launches;
    control.stats->round_trips = device_.round_trips() - trips;
    engine::trace_each(*control.stats, each_->records());
    control.level_done(control.stats->levels, sources.size());
  }

  void fetch_each(std::size_t i, std::span<Distance> distances) override { each_->fetch(i, distances); }

  [[nodiscard]] std::shared_ptr<Preparation> preparation() const override {
    const bool narrow = narrow_ && narrow_->can_save(), shared = shared_ && shared_->is_prepared();
    if (!ordered_ && !narrow && !shared) return nullptr;
    auto kept = std::make_shared<Preparation>();
    kept->strategy = "auto";
    kept->kind = shared ? "shared" : narrow ? "narrow" : "wide";
    kept->layout = layout_of(kept->kind);
    kept->seconds = prepare_seconds_;
    hopwave::engine::Saver saver(*kept);
    if (shared)
      shared_->save(saver);
    else
      narrow ? narrow_->save(saver) : ordered_->save(saver);
    return kept;
  }
  [[nodiscard]] DeviceAnswer answer() const override { return {level_.data(), parents_}; }
  [[nodiscard]] double prepare_seconds() const override { return prepare_seconds_; }

 private:
  engine::Graph<Offset> as_given() const {
    return {.num_vertices = given_->num_vertices,
            .num_arcs = given_->num_arcs,
            .offsets = given_->template offsets<Offset>(),
            .neighbors = given_->neighbors.data(),
            .in_offsets = given_->template in_offsets<Offset>(),
            .in_neighbors = given_->in_neighbor_data(),
            .head = nullptr,
            .quads = nullptr,
            .rank = nullptr,
            .order = nullptr,
            .giant = 0};
  }

  [[nodiscard]] const engine::Control& last() const {
    if (levels_) return levels_->control();
    if (shared_) return shared_->control();
    return narrow_ ? narrow_->control() : small_ ? small_->control() : wide_->control();
  }
  /// No cooperative launches here, or not wanted.
  [[nodiscard]] bool by_level() const { return each_options_.levels || !device_.properties().cooperative; }

  /// The clock has stopped: what the launch has to say is brought to the host.
  void finish(RunStats& stats) {
    if (wide_) wide_->collect();
    if (small_) small_->collect();
    if (shared_) shared_->collect();
    if (narrow_) narrow_->collect();
    stats.search_ms = timer_.milliseconds();
    if (!levels_) device_.wait();
    if (levels_) {
      parents_ = levels_->parents().data();
    } else if (shared_) {
      shared_->finish();
      parents_ = shared_->parents().data();
    } else {
      narrow_ ? narrow_->finish() : small_ ? small_->finish() : wide_->finish();
      parents_ = narrow_ ? narrow_->parents().data() : small_ ? small_->parents().data() : wide_->parents().data();
    }
  }

  /// Unless the caller names another traversal.
  [[nodiscard]] bool wants_shared() const {
    if (shared_options_.wanted >= 0) return shared_options_.wanted != 0;
    return want_narrow_ < 0 && want_small_ <= 0 && !each_options_.levels;
  }
  bool make_shared() {
    if constexpr (sizeof(Offset) == sizeof(std::uint32_t)) {
      shared_ = std::make_unique<Shared>(device_, graph_, max_degree_, shared_options_, level_.data(), control_pinned_.data());
      if (!shared_->fits()) shared_.reset();
      if (shared_) why_ = "shared: " + shared_->describe() + ", because the graph fits there";
    }
    return shared_ != nullptr;
  }

  /// Can one cluster be better than one block, if a look at the levels says so?
  [[nodiscard]] bool may_be_dense() const {
    return shared_options_.wanted < 0 && want_small_ < 0 && graph_.num_arcs >= least_dense_arcs && !shared_->has_diagonals();
  }
  [[nodiscard]] bool is_dense(const engine::Control& seen) const {
    return 2 * seen.visited > graph_.num_vertices && graph_.num_arcs >= dense_level * seen.levels;
  }

  void find_largest() {
    if (graph_.num_vertices == 0) return;
    Buffer<std::uint64_t> largest(device_, 1);
    largest.fill_bytes(0);
    launch(device_, {{.grid = std::min(blocks_for(graph_.num_vertices, 256), 1024u), .block = 256}},
           engine::find_largest<Offset>, graph_.offsets, graph_.num_vertices, largest.data());
    const std::uint64_t found = largest.value();
    hub_ = static_cast<VertexId>(found);
    max_degree_ = found >> 32;
  }

  /// Can a narrow search be the better one, if a look at the levels says so?
  [[nodiscard]] bool may_be_narrow() const {
    if (each_options_.levels) return false;
    if (want_narrow_ >= 0) return want_narrow_ != 0;
    return max_degree_ <= Narrow<Offset>::longest_row && graph_.num_arcs <= 24ull * graph_.num_vertices;
  }
  [[nodiscard]] bool few_arcs() const { return graph_.num_arcs <= 8ull * graph_.num_vertices; }
  /// Is it likely to be, without a look? Three-dimensional meshes have as many arcs as some graphs of few levels.
  [[nodiscard]] bool looks_thin() const { return may_be_narrow() && (want_narrow_ == 1 || few_arcs()); }

  /// As roads have them: warps that run ahead through longer ones meet each other's vertices again and again.
  [[nodiscard]] bool has_short_rows() const { return graph_.num_arcs <= 4ull * graph_.num_vertices; }
  /// Are there so many arcs a level that the cluster with all bits is faster, if it takes the graph?
  [[nodiscard]] bool is_rich(const engine::Control& seen) const {
    return graph_.num_arcs > most_arcs_beside_small * seen.levels;
  }
  [[nodiscard]] bool may_run_ahead(const engine::Control& seen) const {
    return seen.levels >= fewest_levels_ahead && has_short_rows();
  }
  bool make_narrow(bool rows, bool thin) {
    narrow_ = std::make_unique<Narrow<Offset>>(device_, graph_, narrow_options_, rows, thin, level_.data());
    if (!narrow_->fits()) narrow_.reset();
    return narrow_ != nullptr;
  }
  /// Whatever is not narrow: in one cluster if that is better, or else wide.
  void make_wide(const std::string& because) {
    if (make_small(because)) return;
    if (by_level()) {
      levels_ = std::make_unique<Levels<Offset>>(device_, graph_, each_options_, level_.data());
      why_ = "one launch a level, " + std::to_string(levels_->grid()) + " blocks, because " +
             (each_options_.levels ? "that was asked for; " : "this device has no cooperative launches; ") + because;
      return;
    }
    if (max_degree_ == 0) find_largest();  // a stored preparation does not say
    wide_options_.hubs = max_degree_ * graph_.num_vertices >= hub_share * graph_.num_arcs;
    wide_ = std::make_unique<Wide<Offset>>(device_, graph_, wide_options_, level_.data(), control_pinned_.data());
    why_ = "wide: " + std::to_string(wide_->grid()) + " blocks in one launch; " + because;
  }

  [[nodiscard]] bool is_small() const {
    return !by_level() && graph_.num_vertices <= most_small_vertices &&
           graph_.num_arcs <= (graph_.rank ? most_small_arcs_prepared : most_small_arcs);
  }
  /// `shown`: by the levels of a search, whatever the number of vertices.
  bool make_small(const std::string& because, bool shown = false) {
    if (want_small_ == 0 || each_options_.levels || (want_small_ < 0 && !shown && !is_small())) return false;
    small_ = std::make_unique<Small<Offset>>(device_, graph_, small_options_, level_.data(), control_pinned_.data());
    if (!small_->fits()) {
      small_.reset();
      return false;
    }
    why_ = "small: one cluster of " + std::to_string(small_->blocks()) + " blocks, because its visited bits and " +
           "own vertices fit into each block; " + because;
    return true;
  }

  void take_graph(const View& view) {
    if (!view.resident) copied_.emplace(device_, view, Needs{.out = true, .in = true}, sizeof(Offset) == 8);
    given_ = copied_ ? &*copied_ : view.resident;
    graph_ = as_given();
    find_largest();
  }

  /// 0: no such kind.
  static std::uint32_t layout_of(const std::string& kind) {
    if (kind == "shared") return Shared::layout;
    return kind == "wide" ? engine::Ordered<Offset>::layout : kind == "narrow" ? Narrow<Offset>::layout : 0;
  }

  /// From arrays that an earlier plan saved. The wide ones are all that is needed; narrow rows want the graph beside them.
  void restore(const PlanRequest& request) {
    const Preparation& stored = *request.prepared;
    const bool narrow = stored.kind == "narrow", shared = stored.kind == "shared";
    if (stored.layout != layout_of(stored.kind) || stored.layout == 0)
      hopwave::engine::preparation_does_not_fit("layout " + stored.kind + " " + std::to_string(stored.layout),
                                                "a layout of this version");
    if ((want_narrow_ >= 0 && want_narrow_ != narrow) || (shared && !wants_shared()) || (shared_options_.wanted > 0 && !shared))
      hopwave::engine::preparation_does_not_fit("the other traversal", "the one that was asked for");
    hopwave::engine::Restorer from(device_, stored);
    if (narrow || shared) {
      if (!request.view.symmetric && !request.view.backward)
        hopwave::engine::preparation_does_not_fit("rows alone", "the graph's incoming arcs beside them");
      take_graph(request.view);
    }
    if (shared) {
      if (!make_shared())
        hopwave::engine::preparation_does_not_fit("rows for one block's shared memory", "a graph that fits there");
      shared_->restore(from);
      why_ += "; rows as the graph's file keeps them";
    } else if (narrow) {
      narrow_ = std::make_unique<Narrow<Offset>>(device_, graph_, narrow_options_, level_.data(), from);
      why_ = "narrow: " + narrow_->describe() + ", as the graph's file keeps it";
    } else {
      ordered_ = std::make_unique<engine::Ordered<Offset>>(device_, request.view.num_vertices, request.view.num_arcs(),
                                                           request.view.symmetric, from);
      graph_ = ordered_->graph();
      make_wide("ids by degree, hubs first in every row, as the graph's file keeps them");
    }
    device_.wait();
  }

  /// One search from the vertex of most arcs.
  template <class Engine>
  void start_look(Engine& engine) {
    const Query query{.sources = {hub_}};
    if constexpr (std::is_same_v<Engine, Shared>)
      engine.run(query);
    else
      engine.run(query, false);
    engine.collect();
  }
  template <class Engine>
  engine::Control look(Engine& engine) {
    start_look(engine);
    device_.wait();
    engine.finish();
    return engine.control();
  }

  void prepare(bool symmetric) {
    if (graph_.num_vertices == 0) return make_wide("an empty graph");
    make_wide("for a look at the graph");
    if (levels_) {
      RunStats stats;
      RunControl control{.stats = &stats};
      levels_->run({.sources = {hub_}}, control);
    } else {
      small_ ? start_look(*small_) : start_look(*wide_);
    }
    std::optional<engine::Control> seen;
    if (may_be_narrow()) {
      device_.wait();
      seen = end_look();
      if ((want_narrow_ == 1 || is_thin(*seen)) &&
          (make_narrow(true, may_run_ahead(*seen)) || make_narrow(false, may_run_ahead(*seen)))) {
        why_ = "narrow: " + narrow_->describe() + "; from the vertex of most arcs there are " + std::to_string(seen->levels) +
               " levels of " + std::to_string(seen->visited / std::max(seen->levels, 1u)) + " vertices on average";
        return;
      }
    }
    ordered_ = std::make_unique<engine::Ordered<Offset>>(device_, graph_, symmetric ? level_.data() : nullptr,
                                                         symmetric && copied_ ? copied_->neighbors.data() : nullptr);
    if (!seen) seen = end_look();  // the order was begun meanwhile, and has waited for the device
    if (symmetric) ordered_->set_giant(static_cast<std::uint32_t>(seen->visited));
    graph_ = ordered_->graph();
    make_wide("ids by degree, hubs first in every row");
    copied_.reset();
    given_ = nullptr;
  }
  /// The device has been waited for.
  engine::Control end_look() {
    if (small_) small_->finish();
    if (wide_) wide_->finish();
    const engine::Control seen = last();
    wide_.reset();
    small_.reset();
    levels_.reset();
    return seen;
  }

  [[nodiscard]] std::uint32_t fewest_levels() const {
    return want_small_ != 0 && is_small() ? 2 * fewest_narrow_levels : fewest_narrow_levels;
  }
  [[nodiscard]] bool is_thin(const engine::Control& seen) const {
    return seen.levels >= fewest_levels() && seen.visited / std::max(seen.levels, 1u) <= widest_narrow &&
           (!small_ || !is_rich(seen));
  }

  /// A narrow search that met wide or few levels gives way to the wide traversal, a wide one that met many small levels to the
  /// narrow one, and one block's or a wide one that met levels of many arcs to the cluster's, once, unless the caller says
  /// which. What gives way stays until the next search: its parents may be asked for. A graph of many neighbours that began in
  /// the cluster may turn out to be better off in one block.
  void learn() {
    if (prepared_ || want_narrow_ >= 0) return;
    const engine::Control seen = last();
    const std::uint64_t width = seen.visited / std::max(seen.levels, 1u);
    const std::string because = "an earlier search met " + std::to_string(width) + " vertices a level";
    const bool whole = 2 * seen.visited > graph_.num_vertices, few = whole && seen.levels < fewest_levels();
    if (shared_ && may_be_dense() && is_dense(seen)) {
      if (make_small(because)) retired_shared_ = std::move(shared_);
    } else if (spare_shared_ && whole && !is_dense(seen)) {
      retired_small_ = std::move(small_);
      shared_ = std::move(spare_shared_);
      why_ = "shared: " + shared_->describe() + "; " + because;
    } else if (narrow_ && (width > widest_narrow || few)) {
      retired_narrow_ = std::move(narrow_);
      make_wide(because);
    } else if (wide_ && want_small_ < 0 && whole && is_thin(seen) && is_rich(seen) && graph_.num_arcs <= most_small_arcs &&
               make_small(because, true)) {
      retired_wide_ = std::move(wide_);
    } else if ((wide_ || (small_ && want_small_ < 0)) && !was_narrow_ && is_thin(seen) && may_be_narrow() &&
               make_narrow(false, may_run_ahead(seen))) {
      retired_wide_ = std::move(wide_);
      retired_small_ = std::move(small_);
      why_ = "narrow: " + narrow_->describe() + "; " + because;
    }
    if (narrow_ && !retired_narrow_ && narrow_->meets_every_level() && !knows_thin_ && is_thin(seen) && may_run_ahead(seen) &&
        graph_.num_vertices >= Narrow<Offset>::fewest_ahead) {
      retired_narrow_ = std::move(narrow_);
      if (!make_narrow(false, true)) narrow_ = std::move(retired_narrow_);
      knows_thin_ = true;
      why_ = "narrow: " + narrow_->describe() + "; " + because;
    }
    was_narrow_ |= narrow_ || retired_narrow_;
  }

  Device& device_;
  device::Timer timer_;
  device::HostValue<engine::Control> control_pinned_;
  WideOptions wide_options_;
  NarrowOptions narrow_options_;
  SmallOptions small_options_;
  SharedOptions shared_options_;
  EachOptions each_options_;
  std::int64_t want_each_;
  std::int64_t want_narrow_;
  std::int64_t want_small_;
  bool prepared_;
  std::optional<DeviceGraph> copied_;
  const DeviceGraph* given_ = nullptr;  ///< what the engine works on, until it is prepared
  Buffer<Distance> level_;
  engine::Graph<Offset> graph_{};
  VertexId hub_ = 0;
  std::uint64_t max_degree_ = 0;
  double prepare_seconds_ = 0;
  std::string why_;
  const std::uint32_t* parents_ = nullptr;
  std::unique_ptr<engine::Ordered<Offset>> ordered_;
  std::unique_ptr<Narrow<Offset>> narrow_, retired_narrow_;
  std::unique_ptr<Wide<Offset>> wide_, retired_wide_;
  bool knows_thin_ = false;  ///< a search has shown it
  bool was_narrow_ = false;  ///< a change back would not be the last
  std::unique_ptr<Small<Offset>> small_, retired_small_;
  std::unique_ptr<Levels<Offset>> levels_;
  std::unique_ptr<Shared> shared_, retired_shared_, spare_shared_;
  std::unique_ptr<Each<Offset>> each_;
};

std::unique_ptr<Plan> make_plan(const PlanRequest& request) {
  const bool wide_offsets = request.view.resident
                                ? request.view.resident->wide
                                : request.view.num_arcs() > 0xFFFF0000ull || parameter(request, "offsets") == 64;
  wide_offsets ? engine::check_memory<std::uint64_t>(request) : engine::check_memory<std::uint32_t>(request);
  if (wide_offsets) return std::make_unique<Auto<std::uint64_t>>(request);
  return std::make_unique<Auto<std::uint32_t>>(request);
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    auto,
    {.info = {.name = "auto",
              .summary = "the engine: picks push or pull, wide or narrow, by itself",
              .source = "ours; direction switching after Beamer, Asanovic, Patterson, SC'12",
              .device = "any",
              .differs = "one launch a search (one a level where cooperative launches are missing); decisions on the device; "
                         "visited bitmap serves as the frontier when pulling",
              .needs = {.out = true, .in = true},
              .native_parents = true,
              .parameters = HW_MACHINE::engine::parameters()},
     .plan = [](const PlanRequest& request) { return HW_MACHINE::make_plan(request); }})

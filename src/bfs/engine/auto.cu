// auto: the engine, and the default strategy. It picks each step on the device by what a level costs.
// Source: ours, on direction-optimizing search (Beamer, Asanović, Patterson, SC'12); docs/engine/index.md has the
// account.
#include <optional>
#include <vector>

#include "bfs/engine/learn.h"
#include "bfs/engine/many_sources.h"
#include "bfs/engine/relabel/host.h"
#include "bfs/engine/traversals.h"
#include "bfs/plan/upload.h"
#include "core/stopwatch.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace hopwave::strategy;
using device::Buffer;
using device::launch;
using engine::Choice;
using engine::HaltGuard;
using engine::HaltWord;
using engine::Seen;
using engine::TraversalKind;
using engine::Traversals;
using engine::shared_memory::SharedMemory;
using hopwave::engine::preparation_does_not_fit;
using hopwave::engine::Saver;

/// A plan holds one of the traversals. Without preparation, a graph that looks thin starts with high-diameter, and each search
/// decides what the next one takes. Preparation decides after one search from the vertex of most arcs.
template <class Offset>
class Auto final : public Plan {
 public:
  explicit Auto(const PlanRequest& request)
      : device_(*request.device),
        timer_(device_),
        traversals_(request),
        want_ms_bfs_(parameter(request, "ms_bfs")),
        want_in_flight_(static_cast<std::size_t>(parameter(request, "in_flight"))),
        wishes_({.high_diameter = parameter(request, "high_diameter"),
                 .single_cluster = parameter(request, "single_cluster"),
                 .shared_memory = parameter(request, "shared_memory"),
                 .per_source = parameter(request, "per_source"),
                 .one_launch_a_level = parameter(request, "level_launches") != 0}),
        learner_(traversals_, choice_, request.prepare) {
    if (request.prepare && request.prepared) {
      restore(request);
    } else {
      take_graph(request.view);
      request.prepare ? prepare(request.view.symmetric) : begin();
    }
    using Many = engine::ManySources<Offset>;
    many_ = std::make_unique<Many>(
        device_, timer_, halt_, graph_,
        typename Many::Options{traversals_.ms_bfs_options(), engine::per_source_options(request), passes_in_flight()});
  }

  void run(const Query& query, RunControl& control) override {
    control.level_done(0, query.sources.size());
    traversals_.forget();
    const HaltGuard guard(halt_, device_, control);
    searched_ = true;
    control.stats->work = {};
    control.stats->launches = 0;
    control.stats->round_trips = 0;
    Milliseconds look = {};
    if (!answered_by_look(query, control)) {
      look = std::exchange(control.stats->work, Milliseconds());
      search(query, control, control.handed_over);
    }
    control.stats->chosen = traversals_.why();
    const Seen seen = traversals_.now().seen();
    found_ = device::AnswerSums{static_cast<VertexId>(seen.visited), seen.levels};
    control.stats->levels = seen.levels;
    control.stats->steps = seen.steps;
    if (control.trace) {
      traversals_.trace(*control.stats);
      if (look > Milliseconds()) control.stats->parts.push_back({"first look", look});
    }
    control.stats->work += look;
    const auto& end = traversals_.now().control().progress;
    if (end.cancelled) control.ended_early(end.level);
    control.level_done(seen.levels, seen.visited);
    learner_.learn(seen, "an earlier search found");
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    traversals_.level().download(distances);
    if (!parents.empty()) device_.copy_out(parents.data(), traversals_.parents(), parents.size_bytes());
  }

  [[nodiscard]] std::size_t each_width() const override { return want_ms_bfs_ == 0 ? 0 : engine::ms_bfs::most_searches; }
  [[nodiscard]] std::size_t each_least() const override {
    if (want_ms_bfs_ > 0) return static_cast<std::size_t>(want_ms_bfs_);
    return may_be_per_source() ? choice_.per_source_from() : choice_.ms_bfs_from(traversals_.facts());
  }

  void run_each(std::span<const VertexId> sources, Distance max_depth, RunControl& control) override {
    look_for_many(sources, control);
    many_->run(sources, max_depth, control, per_source());
    learn_from_many();
  }
  void fetch_each(std::size_t i, std::span<Distance> distances) override { many_->fetch(i, distances); }
  [[nodiscard]] DeviceRows each_rows(std::size_t i) override { return many_->rows_at(i); }
  std::vector<std::uint32_t> each_counts() override { return many_->counts(); }
  [[nodiscard]] std::size_t count_width() const override {
    return each_width() == 0 ? 0 : many_->count_width(may_be_per_source());
  }
  void count_each(std::span<const VertexId> sources, Distance max_depth, RunControl& control,
                  const strategy::TakeCounts& take) override {
    look_for_many(sources, control);
    many_->count(sources, max_depth, control, take, per_source());
    learn_from_many();
  }

  [[nodiscard]] std::shared_ptr<Preparation> preparation() const override {
    engine::Traversal& now = traversals_.now();
    if (!relabelled_ && !now.can_save()) return nullptr;
    auto kept = std::make_shared<Preparation>();
    kept->strategy = "auto";
    kept->kind = now.can_save() ? name_of(now.facts().kind) : "grid-wide";
    kept->layout = layout_of(kept->kind);
    kept->time = prepare_time_;
    Saver saver(*kept);
    now.can_save() ? now.save(saver) : relabelled_->save(saver);
    return kept;
  }
  [[nodiscard]] DeviceAnswer answer() const override { return {traversals_.level().data(), traversals_.parents(), found_}; }
  [[nodiscard]] Milliseconds prepare_time() const override { return prepare_time_; }

 private:
  /// `hand_over`: null, or called when the answers are being written.
  void search(const Query& query, RunControl& control, decltype(RunControl::handed_over) hand_over) {
    const auto launches = device_.launches(), trips = device_.round_trips();
    timer_.start_with_launch();
    traversals_.now().launch(query, control);
    timer_.stop();
    control.stats->launches += device_.launches() - launches;
    traversals_.now().collect();
    if (hand_over) (*hand_over)({traversals_.level().data(), traversals_.now().parents(), {}});
    traversals_.finish();
    control.stats->work += timer_.elapsed();
    control.stats->round_trips += device_.round_trips() - trips;
  }
  /// A first search that may be a long one looks at a few levels first, and changes to the traversal that they ask for. True:
  /// there were no more levels, and the answers are there.
  bool answered_by_look(const Query& query, RunControl& control) {
    const Distance depth = choice_.look_depth();
    if ((query.max_depth >= 0 && query.max_depth <= depth) || !learner_.wants_look()) return false;
    Query first_levels = query;
    first_levels.max_depth = depth;
    search(first_levels, control, nullptr);
    const Seen seen = traversals_.now().seen();
    if (static_cast<Distance>(seen.levels) < depth || traversals_.now().control().progress.cancelled) {
      if (control.handed_over) (*control.handed_over)({traversals_.level().data(), traversals_.now().parents(), {}});
      return true;
    }
    learner_.learn(seen, "its first levels have");
    traversals_.forget();  // the search that follows may want the room
    return false;
  }

  /// Shall searches from many sources each have a block of their own?
  [[nodiscard]] bool per_source() const {
    return want_ms_bfs_ < 0 && choice_.wants_per_source(traversals_.facts()) && many_->takes_per_source();
  }
  /// Or may they, once a look has shown how wide levels are? No earlier search has shown it.
  [[nodiscard]] bool may_be_per_source() const {
    return per_source() || (want_ms_bfs_ < 0 && !searched_ && choice_.may_want_per_source() && many_->takes_per_source());
  }
  /// A graph that looks thin may have wide levels all the same: the first levels from one of the sources show it.
  void look_for_many(std::span<const VertexId> sources, const RunControl& control) {
    const bool look_first = !searched_ && !sources.empty() && may_be_per_source() && learner_.learns();
    searched_ = true;
    if (!look_first) return;
    SearchReport stats;
    RunControl look{.stats = &stats, .watch = control.watch};
    const HaltGuard guard(halt_, device_, look);
    traversals_.forget();
    search({.sources = {sources[0]}, .max_depth = choice_.look_depth()}, look, nullptr);
    if (!traversals_.now().control().progress.cancelled) learner_.learn(traversals_.now().seen(), "first levels have");
  }
  void learn_from_many() {
    if (const auto seen = many_->seen()) learner_.learn(*seen, "earlier searches found");
  }

  [[nodiscard]] std::size_t passes_in_flight() const {
    if (choice_.by_level()) return 1;
    return want_in_flight_ ? want_in_flight_ : choice_.passes_in_flight();
  }

  engine::Graph<Offset> as_given() const {
    return {.num_vertices = given_->num_vertices,
            .num_arcs = given_->num_arcs,
            .offsets = given_->template offsets<Offset>(),
            .neighbors = given_->neighbors.data(),
            .in_offsets = given_->template in_offsets<Offset>(),
            .in_neighbors = given_->in_neighbor_data(),
            .first_neighbor = nullptr,
            .quads = nullptr,
            .rank = nullptr,
            .order = nullptr,
            .largest_component = 0};
  }

  void find_largest() {
    if (graph_.num_vertices == 0) return;
    Buffer<std::uint64_t> largest(device_, 1);
    largest.fill_bytes(0);
    launch(device_, {device::strided(device_, graph_.num_vertices, 256, 1024)}, engine::relabel::find_largest<Offset>,
           graph_.offsets, graph_.num_vertices, largest.data());
    const std::uint64_t found = largest.value();
    hub_ = static_cast<VertexId>(found);
    max_degree_ = found >> 32;
  }
  void set_graph(const engine::Graph<Offset>& graph) {
    graph_ = graph;
    if (max_degree_ == 0) find_largest();
    choice_ = Choice(wishes_,
                     {.num_vertices = graph_.num_vertices,
                      .num_arcs = graph_.num_arcs,
                      .max_degree = max_degree_,
                      .relabelled = graph_.rank != nullptr,
                      .cooperative = device_.properties().cooperative},
                     hopwave::engine::thresholds_of(device_));
    traversals_.set_graph(graph_, choice_, max_degree_);
  }
  void take_graph(const View& view) {
    if (!view.resident) copied_ = upload(device_, view, {.out = true, .in = true}, sizeof(Offset) == 8);
    given_ = copied_ ? &*copied_ : view.resident;
    set_graph(as_given());
  }
  [[nodiscard]] bool has_diagonals() const { return traversals_.facts().diagonals; }

  /// Without preparation, and before any search.
  void begin() {
    if (choice_.wants_shared_memory() && traversals_.make_shared_memory()) {
      const auto in_cluster = [&] { return traversals_.make_cluster("its vertices have many neighbours"); };
      if (choice_.looks_dense(has_diagonals()) && traversals_.replace(in_cluster))
        traversals_.spare_retired();
      else
        device_.wait();
      return;
    }
    const bool async = choice_.must_be_high_diameter() && choice_.has_short_rows();
    if (!choice_.looks_thin() || !traversals_.make_high_diameter(false, async, "no vertex has many neighbours"))
      traversals_.make_grid_wide("no preparation was asked for");
  }

  /// 0: no such kind.
  static std::uint32_t layout_of(const std::string& kind) {
    if (kind == "shared-memory") return SharedMemory::layout;
    return kind == "grid-wide"       ? engine::relabel::Relabelled<Offset>::layout
           : kind == "high-diameter" ? engine::high_diameter::KHop<Offset>::layout
                                     : 0;
  }

  /// From arrays that an earlier plan saved. A relabelled graph needs no other arrays; other rows need the graph as well.
  void restore(const PlanRequest& request) {
    const Preparation& stored = *request.prepared;
    const bool high_diameter = stored.kind == "high-diameter", shared = stored.kind == "shared-memory";
    if (stored.layout != layout_of(stored.kind) || stored.layout == 0)
      preparation_does_not_fit("layout " + stored.kind + " " + std::to_string(stored.layout), "a layout of this version");
    const auto asked = choice_.asked();
    if ((asked && ((asked->kind == TraversalKind::high_diameter) != high_diameter ||
                   (asked->kind == TraversalKind::shared_memory) != shared)) ||
        (high_diameter && wishes_.high_diameter == 0) || (shared && !choice_.wants_shared_memory()))
      preparation_does_not_fit("the other traversal", "the one that was asked for");
    hopwave::engine::Restorer from(device_, stored);
    if (high_diameter || shared) {
      if (!request.view.symmetric && !request.view.backward)
        preparation_does_not_fit("rows alone", "the graph's incoming arcs as well");
      take_graph(request.view);
    }
    if (shared) {
      if (!traversals_.restore_shared_memory(from))
        preparation_does_not_fit("rows for one block's shared memory", "a graph that fits there");
    } else if (high_diameter) {
      traversals_.restore_high_diameter(from);
    } else {
      relabelled_ = std::make_unique<engine::relabel::Relabelled<Offset>>(
          device_, request.view.num_vertices, request.view.num_arcs(), request.view.symmetric, from);
      set_graph(relabelled_->graph());
      traversals_.make_grid_wide("ids by degree, hubs first in every row, as the graph's file keeps them");
    }
    device_.wait();
  }

  void prepare(bool symmetric) {
    const core::Stopwatch watch;
    if (!prepare_shared_memory()) prepare_others(symmetric);
    device_.wait();
    prepare_time_ = watch.elapsed();
  }
  bool prepare_shared_memory() {
    if (!choice_.wants_shared_memory() || !traversals_.make_shared_memory()) return false;
    if (choice_.may_be_dense(has_diagonals())) {
      start_probe();
      if (choice_.is_dense(end_probe())) {
        traversals_.drop();
        return false;
      }
    }
    traversals_.now().prepare();
    return true;
  }
  void prepare_others(bool symmetric) {
    if (graph_.num_vertices == 0) return traversals_.make_grid_wide("an empty graph");
    const bool may_be_high_diameter = choice_.may_be_high_diameter();
    if (may_be_high_diameter || symmetric) {  // else nothing would be done with what it shows
      traversals_.make_grid_wide("for a look at the graph");
      start_probe();
    }
    std::optional<Seen> seen;
    bool rich = false;
    if (may_be_high_diameter) {
      seen = end_probe();
      rich = choice_.suits_cluster(*seen) && traversals_.cluster_would_fit();
      if (!rich && prepare_high_diameter(*seen)) return;
    }
    relabelled_ =
        std::make_unique<engine::relabel::Relabelled<Offset>>(device_, graph_, symmetric ? traversals_.scratch() : nullptr,
                                                              symmetric && copied_ ? copied_->neighbors.data() : nullptr);
    if (symmetric) {
      if (!seen) seen = end_probe();  // the relabelling ran meanwhile
      relabelled_->set_largest_component(static_cast<std::uint32_t>(seen->visited));
    }
    traversals_.drop();
    set_graph(relabelled_->graph());
    const std::string because = "ids by degree, hubs first in every row";
    if (!rich || !traversals_.make_cluster(because + "; levels have many arcs", true)) traversals_.make_grid_wide(because);
    copied_.reset();
    given_ = nullptr;
  }
  bool prepare_high_diameter(const Seen& seen) {
    const bool async = choice_.may_run_async(seen),
               wanted = choice_.must_be_high_diameter() || choice_.is_thin(seen, in_cluster());
    const std::string because = "from the vertex of most arcs there are " + std::to_string(seen.levels) + " levels of " +
                                std::to_string(seen.width()) + " vertices on average";
    traversals_.drop();
    return wanted &&
           (traversals_.make_high_diameter(true, async, because) || traversals_.make_high_diameter(false, async, because));
  }
  [[nodiscard]] bool in_cluster() const { return traversals_.facts().kind == TraversalKind::single_cluster; }

  /// One search from the vertex of most arcs.
  void start_probe() {
    SearchReport stats;
    RunControl control{.stats = &stats};
    traversals_.now().launch({.sources = {hub_}}, control);
    traversals_.now().collect();
  }
  Seen end_probe() {
    traversals_.finish();
    return traversals_.now().seen();
  }

  Device& device_;
  device::Timer timer_;
  Traversals<Offset> traversals_;
  std::int64_t want_ms_bfs_;
  std::size_t want_in_flight_;
  hopwave::engine::Wishes wishes_;
  Choice choice_{wishes_, {}};
  engine::Learner<Offset> learner_;
  std::optional<device::AnswerSums> found_;  ///< by the last search
  std::optional<DeviceGraph> copied_;
  const DeviceGraph* given_ = nullptr;  ///< what the engine works on, until it is prepared
  engine::Graph<Offset> graph_{};
  VertexId hub_ = 0;
  std::uint64_t max_degree_ = 0;
  Milliseconds prepare_time_ = {};
  bool searched_ = false;  ///< has any search shown how wide levels are?
  HaltWord halt_;
  std::unique_ptr<engine::relabel::Relabelled<Offset>> relabelled_;
  std::unique_ptr<engine::ManySources<Offset>> many_;
};

std::unique_ptr<Plan> make_plan(const PlanRequest& request) {
  engine::check_parameters(request);
  const bool wide_offsets = request.view.resident
                                ? request.view.resident->wide
                                : request.view.num_arcs() > 0xFFFF0000ull || parameter(request, "wide_offsets") != 0;
  wide_offsets ? engine::check_memory<std::uint64_t>(request) : engine::check_memory<std::uint32_t>(request);
  if (wide_offsets) return std::make_unique<Auto<std::uint64_t>>(request);
  return std::make_unique<Auto<std::uint32_t>>(request);
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    auto,
    {.info = {.name = "auto",
              .summary = "the engine: picks push or pull, and one of five traversals, by itself",
              .source = "ours; direction switching after Beamer, Asanovic, Patterson, SC'12",
              .device = "any",
              .differs = "one launch a search (one a level where cooperative launches are missing); decisions on the device; "
                         "visited bitmap serves as the frontier when pulling",
              .needs = {.out = true, .in = true},
              .native_parents = true,
              .parameters = HW_MACHINE::engine::parameters(),
              .work = {.method = "chooses",
                       .over = "as chosen",
                       .frontier = "a queue or bitmaps",
                       .thread =
                           "Levels and tree alone: auto changes what a thread is assigned to within a search (docs/engine)."}},
     .plan = [](const PlanRequest& request) { return HW_MACHINE::make_plan(request); }})

// auto: the engine, which picks its steps on the device by what each level costs; what users get when they name nothing.
// Source: ours, on direction-optimizing search (Beamer, Asanović, Patterson, SC'12); docs/performance-engine.md has the
// account.
#include <chrono>
#include <optional>
#include <vector>

#include "engine/order/host.h"
#include "engine/traversals.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace hopwave::strategy;
using engine::Choice;
using engine::Each;
using engine::EachOptions;
using engine::Narrow;
using engine::Seen;
using engine::Shared;
using engine::Traversals;
using hopwave::engine::preparation_does_not_fit;

/// One plan holds one of the traversals. Without preparation a thin-looking graph starts narrow, and what its searches show
/// decides for the next ones; preparation finds out by one search from the largest vertex.
template <class Offset>
class Auto final : public Plan {
 public:
  explicit Auto(const PlanRequest& request)
      : device_(*request.device),
        timer_(device_),
        traversals_(request),
        want_each_(parameter(request, "each")),
        wishes_({.narrow = parameter(request, "narrow"),
                 .small = parameter(request, "small"),
                 .shared = parameter(request, "shared"),
                 .one_launch_a_level = parameter(request, "levels") != 0}),
        prepared_(request.prepare) {
    if (request.prepare && request.prepared) {
      restore(request);
      return;
    }
    take_graph(request.view);
    request.prepare ? prepare(request.view.symmetric) : begin();
  }

  void run(const Query& query, RunControl& control) override {
    control.level_done(0, query.sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    control.stats->chosen = traversals_.why();
    traversals_.forget();
    timer_.start_with_launch();
    traversals_.run(query, control);
    timer_.stop();
    control.stats->launches = device_.launches() - launches;
    traversals_.collect();
    traversals_.finish();
    control.stats->search_ms = timer_.milliseconds();
    const Seen seen = traversals_.seen();
    control.stats->levels = seen.levels;
    control.stats->steps = seen.steps;
    control.stats->round_trips = device_.round_trips() - trips;
    if (control.trace) traversals_.trace(*control.stats);
    control.level_done(seen.levels, seen.visited);
    learn(seen);
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    traversals_.level().download(distances);
    if (!parents.empty()) device_.copy_out(parents.data(), traversals_.parents(), parents.size_bytes());
  }

  [[nodiscard]] std::size_t each_width() const override { return want_each_ == 0 ? 0 : engine::most_each; }
  /// As measured, where a pass begins to pay. It meets its blocks at every level, some 15 us each, whatever single
  /// searches do: those that shift diagonals take .1 us.
  [[nodiscard]] std::size_t each_least() const override {
    if (want_each_ > 0) return static_cast<std::size_t>(want_each_);
    const auto& now = traversals_.now();
    if (now.shared) return now.shared->has_diagonals() ? 0 : 12;
    if (!now.narrow) return now.small ? 3 : now.wide ? 6 : 4;
    const bool slow = now.narrow->meets_every_level(),
               for_now = choice_.has_short_rows() && graph_.num_vertices >= Narrow<Offset>::fewest_ahead;
    if (slow && !for_now) return 7;
    return choice_.narrow_pass_from();
  }

  void run_each(std::span<const VertexId> sources, Distance max_depth, RunControl& control) override {
    if (!each_) {
      EachOptions options = traversals_.each_options();
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
    control.stats->levels = each_->progress().deepest;
    control.stats->steps = each_->progress().level;
    control.stats->launches = device_.launches() - launches;
    control.stats->round_trips = device_.round_trips() - trips;
    engine::trace_each(*control.stats, each_->records());
    control.level_done(control.stats->levels, sources.size());
  }

  void fetch_each(std::size_t i, std::span<Distance> distances) override { each_->fetch(i, distances); }

  [[nodiscard]] std::shared_ptr<Preparation> preparation() const override {
    const auto& now = traversals_.now();
    const bool narrow = now.narrow && now.narrow->can_save(), shared = now.shared && now.shared->is_prepared();
    if (!ordered_ && !narrow && !shared) return nullptr;
    auto kept = std::make_shared<Preparation>();
    kept->strategy = "auto";
    kept->kind = shared ? "shared" : narrow ? "narrow" : "wide";
    kept->layout = layout_of(kept->kind);
    kept->seconds = prepare_seconds_;
    hopwave::engine::Saver saver(*kept);
    if (shared)
      now.shared->save(saver);
    else
      narrow ? now.narrow->save(saver) : ordered_->save(saver);
    return kept;
  }
  [[nodiscard]] DeviceAnswer answer() const override { return {traversals_.level().data(), traversals_.parents()}; }
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
  void set_graph(const engine::Graph<Offset>& graph) {
    graph_ = graph;
    if (max_degree_ == 0) find_largest();
    choice_ = Choice(wishes_, {.num_vertices = graph_.num_vertices,
                               .num_arcs = graph_.num_arcs,
                               .max_degree = max_degree_,
                               .longest_narrow_row = Narrow<Offset>::longest_row,
                               .ordered = graph_.rank != nullptr,
                               .cooperative = device_.properties().cooperative});
    traversals_.set_graph(graph_, choice_, max_degree_);
  }
  void take_graph(const View& view) {
    if (!view.resident) copied_.emplace(device_, view, Needs{.out = true, .in = true}, sizeof(Offset) == 8);
    given_ = copied_ ? &*copied_ : view.resident;
    set_graph(as_given());
  }
  [[nodiscard]] bool has_diagonals() const { return traversals_.now().shared->has_diagonals(); }

  /// Without preparation, and before any search.
  void begin() {
    if (choice_.wants_shared() && traversals_.make_shared()) {
      const auto in_cluster = [&] { return traversals_.make_small("its vertices have many neighbours"); };
      if (choice_.looks_dense(has_diagonals()) && traversals_.replace(in_cluster))
        traversals_.spare_retired();
      else
        device_.wait();
      return;
    }
    const bool ahead = choice_.must_be_narrow() && choice_.has_short_rows();
    if (!choice_.looks_thin() || !traversals_.make_narrow(false, ahead, "because no vertex has many neighbours"))
      traversals_.make_wide("no preparation was asked for");
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
      preparation_does_not_fit("layout " + stored.kind + " " + std::to_string(stored.layout), "a layout of this version");
    if ((wishes_.narrow >= 0 && choice_.must_be_narrow() != narrow) || (shared && !choice_.wants_shared()) ||
        (wishes_.shared > 0 && !shared))
      preparation_does_not_fit("the other traversal", "the one that was asked for");
    hopwave::engine::Restorer from(device_, stored);
    if (narrow || shared) {
      if (!request.view.symmetric && !request.view.backward)
        preparation_does_not_fit("rows alone", "the graph's incoming arcs beside them");
      take_graph(request.view);
    }
    if (shared) {
      if (!traversals_.make_shared()) preparation_does_not_fit("rows for one block's shared memory", "a graph that fits there");
      traversals_.restore_shared(from);
    } else if (narrow) {
      traversals_.restore_narrow(from);
    } else {
      ordered_ = std::make_unique<engine::Ordered<Offset>>(device_, request.view.num_vertices, request.view.num_arcs(),
                                                           request.view.symmetric, from);
      set_graph(ordered_->graph());
      traversals_.make_wide("ids by degree, hubs first in every row, as the graph's file keeps them");
    }
    device_.wait();
  }

  void prepare(bool symmetric) {
    const auto from = std::chrono::steady_clock::now();
    if (!prepare_shared()) prepare_others(symmetric);
    device_.wait();
    prepare_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  }
  bool prepare_shared() {
    if (!choice_.wants_shared() || !traversals_.make_shared()) return false;
    if (choice_.may_be_dense(has_diagonals())) {
      start_look();
      if (choice_.is_dense(end_look())) {
        traversals_.drop();
        return false;
      }
    }
    traversals_.prepare_shared();
    return true;
  }
  void prepare_others(bool symmetric) {
    if (graph_.num_vertices == 0) return traversals_.make_wide("an empty graph");
    traversals_.make_wide("for a look at the graph");
    start_look();
    std::optional<Seen> seen;
    bool rich = false;
    if (choice_.may_be_narrow()) {
      seen = end_look();
      rich = choice_.suits_cluster(*seen) && traversals_.small_would_fit();
      if (!rich && prepare_narrow(*seen)) return;
    }
    ordered_ = std::make_unique<engine::Ordered<Offset>>(device_, graph_, symmetric ? traversals_.scratch() : nullptr,
                                                         symmetric && copied_ ? copied_->neighbors.data() : nullptr);
    if (!seen) seen = end_look();  // the order was begun meanwhile
    if (symmetric) ordered_->set_giant(static_cast<std::uint32_t>(seen->visited));
    traversals_.drop();
    set_graph(ordered_->graph());
    const std::string because = "ids by degree, hubs first in every row";
    if (!rich || !traversals_.make_small(because + "; levels have many arcs", true)) traversals_.make_wide(because);
    copied_.reset();
    given_ = nullptr;
  }
  bool prepare_narrow(const Seen& seen) {
    const bool ahead = choice_.may_run_ahead(seen), wanted = choice_.must_be_narrow() || choice_.is_thin(seen, in_cluster());
    const std::string because = "because from the vertex of most arcs there are " + std::to_string(seen.levels) +
                                " levels of " + std::to_string(seen.width()) + " vertices on average";
    traversals_.drop();
    return wanted && (traversals_.make_narrow(true, ahead, because) || traversals_.make_narrow(false, ahead, because));
  }
  [[nodiscard]] bool in_cluster() const { return traversals_.now().small != nullptr; }

  /// One search from the vertex of most arcs.
  void start_look() {
    RunStats stats;
    RunControl control{.stats = &stats};
    traversals_.run({.sources = {hub_}}, control);
    traversals_.collect();
  }
  Seen end_look() {
    traversals_.finish();
    return traversals_.seen();
  }

  /// A narrow search that met wide or few levels gives way to the wide traversal, a wide one that met many small levels to the
  /// narrow one, and one block's or a wide one that met levels of many arcs to the cluster's, once, unless the caller says
  /// which. A graph of many neighbours that began in the cluster may turn out to be better off in one block.
  void learn(const Seen& seen) {
    if (prepared_ || !choice_.learns()) return;
    const auto& now = traversals_.now();
    const bool wide = now.wide != nullptr, narrow = now.narrow != nullptr, thin = choice_.is_thin(seen, in_cluster());
    const auto because = [&] { return "because an earlier search met " + std::to_string(seen.width()) + " vertices a level"; };
    const auto to_small = [&] { return traversals_.make_small(because(), wide); };
    const auto to_wide = [&] { return traversals_.make_wide(because()), true; };
    const auto to_narrow = [&] { return traversals_.make_narrow(false, choice_.may_run_ahead(seen), because()); };
    was_narrow_ |= narrow;
    if (now.shared && choice_.may_be_dense(has_diagonals()) && choice_.is_dense(seen)) {
      traversals_.replace(to_small);
    } else if (traversals_.has_spare() && choice_.is_most(seen) && !choice_.is_dense(seen)) {
      traversals_.use_spare(because());
    } else if (narrow && choice_.is_not_narrow(seen)) {
      traversals_.replace(to_wide);
    } else if (wide && choice_.may_show_small() && choice_.is_most(seen) && thin && choice_.is_rich(seen) &&
               traversals_.replace(to_small)) {
    } else if ((wide || (in_cluster() && wishes_.small < 0)) && !was_narrow_ && thin && choice_.may_be_narrow()) {
      traversals_.replace(to_narrow);
    } else if (narrow && !knows_thin_ && now.narrow->meets_every_level() && thin && choice_.may_run_ahead(seen) &&
               graph_.num_vertices >= Narrow<Offset>::fewest_ahead) {
      knows_thin_ = true;
      traversals_.replace(to_narrow);
    }
  }

  Device& device_;
  device::Timer timer_;
  Traversals<Offset> traversals_;
  std::int64_t want_each_;
  hopwave::engine::Wishes wishes_;
  Choice choice_{wishes_, {}};
  bool prepared_;
  std::optional<DeviceGraph> copied_;
  const DeviceGraph* given_ = nullptr;  ///< what the engine works on, until it is prepared
  engine::Graph<Offset> graph_{};
  VertexId hub_ = 0;
  std::uint64_t max_degree_ = 0;
  double prepare_seconds_ = 0;
  std::unique_ptr<engine::Ordered<Offset>> ordered_;
  bool knows_thin_ = false;  ///< a search has shown it
  bool was_narrow_ = false;  ///< a change back would not be the last
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

// Searches from many sources for a plan of `auto`: in passes of up to ms_bfs::most_searches, one at a time, or several where
// distances are only counted; or, on thin graphs, each search in a block of its own. Also what is given up, and in which order,
// where memory is refused.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bfs/engine/auto_trace.h"
#include "bfs/engine/ms_bfs/in_flight.h"
#include "bfs/engine/per_source/host.h"
#include "bfs/engine/traversal.h"
#include "bfs/plan/halt.h"
#include "bfs/plan/plan.h"
#include "bfs/plan/thresholds.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine {

/// Takes no memory before the first sources come.
template <class Offset>
class ManySources {
 public:
  struct Options {
    ms_bfs::Options ms_bfs;
    per_source::Options per_source;
    std::size_t passes;  ///< as many may run at the same time
  };
  /// The graph must outlive this in device memory; so must timer and word.
  ManySources(device::Device& device, device::Timer& timer, HaltWord& halt, const Graph<Offset>& graph, const Options& options)
      : device_(device), timer_(timer), halt_(halt), graph_(graph), options_(options) {}

  /// Can each search have a block of its own? Not on a relabelled graph, nor once a level was too wide.
  [[nodiscard]] bool takes_per_source() {
    if (too_wide_ || graph_.rank || graph_.num_vertices == 0) return false;
    if (!per_source_) per_source_ = std::make_unique<per_source::SearchPerSource<Offset>>(device_, graph_, options_.per_source);
    return per_source_->fits();
  }

  /// One pass, or each search in a block of its own; distances stay in device memory until the next.
  void run(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control, bool per_source) {
    per_source_now_ = per_source && run_per_source(sources, max_depth, control, false);
    if (per_source_now_)
      control.level_done(per_source_->levels(), sources.size());
    else
      with_memory([&] { run_pass(sources, max_depth, control, false); });
  }
  void fetch(std::size_t i, std::span<Distance> distances) {
    per_source_now_ ? per_source_->fetch(i, distances) : ms_bfs_->fetch(i, distances);
  }
  [[nodiscard]] device::DeviceRows rows_at(std::size_t i) {
    return per_source_now_ ? per_source_->rows_at(i) : ms_bfs_->rows_at(i);
  }
  [[nodiscard]] std::vector<std::uint32_t> counts() { return per_source_now_ ? per_source_->counts(0) : ms_bfs_->counts(); }
  /// What the largest of the last searches has shown, if each had a block of its own.
  [[nodiscard]] std::optional<Seen> seen() const {
    if (!per_source_now_) return std::nullopt;
    const per_source::PerSourceControl& c = per_source_->largest();
    return Seen{.visited = c.visited, .levels = c.levels, .steps = c.levels};
  }

  /// Sources that a call of count() should bring.
  [[nodiscard]] std::size_t count_width(bool per_source) const {
    if (per_source) return ms_bfs::most_searches * thresholds::AnyDevice::per_source_groups;
    const std::size_t passes = passes_in_flight();
    return ms_bfs::most_searches * (passes > 1 ? passes * thresholds::AnyDevice::passes_per_call : 1);
  }
  void count(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control,
             const strategy::TakeCounts& take, bool per_source) {
    std::size_t at = 0;
    const auto take_behind = [&](std::size_t first, const std::vector<std::uint32_t>& counts) { take(at + first, counts); };
    while (at < sources.size()) {
      // Of a launch that a limit ends nothing is taken: under a limit one has no more searches than run at the same time.
      const std::size_t most = per_source && control.watch
                                   ? per_source_->at_once() / ms_bfs::most_searches * ms_bfs::most_searches
                                   : sources.size(),
                        searches = std::min(std::max<std::size_t>(most, ms_bfs::most_searches), sources.size() - at);
      per_source_now_ = per_source && run_per_source(sources.subspan(at, searches), max_depth, control, true);
      if (!per_source_now_) return count_in_passes(sources.subspan(at), max_depth, control, take_behind);
      for (std::size_t first = 0; first < searches; first += ms_bfs::most_searches)
        take_behind(first, per_source_->counts(first / ms_bfs::most_searches));
      control.level_done(per_source_->levels(), searches);
      at += searches;
    }
  }

 private:
  static_assert(per_source::SearchPerSource<Offset>::columns == ms_bfs::most_searches, "counts of both come alike");

  void count_in_passes(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control,
                       const strategy::TakeCounts& take) {
    std::size_t at = 0;
    if (!control.trace && (sources.size() > ms_bfs::most_searches ? make_in_flight() : in_flight_ && !has_ms_bfs()))
      at = count_in_flight(sources, max_depth, control, take);
    for (; at < sources.size(); at += ms_bfs::most_searches) {
      const auto pass = sources.subspan(at, std::min<std::size_t>(ms_bfs::most_searches, sources.size() - at));
      const auto counts = with_memory([&] {
        run_pass(pass, max_depth, control, true);
        return ms_bfs_->counts();
      });
      take(at, counts);
    }
  }

  /// Nothing is handed over yet. False: a level was too wide; or there is no memory for it, also without that of passes.
  bool run_per_source(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control, bool counted) {
    control.level_done(0, sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    const HaltGuard guard(halt_, device_, control);
    if (!launch_per_source([&] { per_source_->launch(sources, max_depth, !counted, counted, control.halt); })) return false;
    if (!per_source_->finish()) {
      too_wide_ = true;
      per_source_.reset();
      return false;
    }
    Milliseconds work = timer_.elapsed();
    if (counted && !per_source_->cancelled_at() && !per_source_->has_counts()) {
      if (!launch_per_source([&] { per_source_->count_again(control.halt); })) return false;
      static_cast<void>(per_source_->finish());  // no level is wider than before
      work += timer_.elapsed();
    }
    SearchReport& stats = *control.stats;
    stats.chosen = per_source_->describe();
    stats.work += work;
    stats.levels = std::max(stats.levels, per_source_->levels());
    stats.steps += per_source_->levels();
    stats.launches += device_.launches() - launches;
    stats.round_trips += device_.round_trips() - trips;
    if (const auto at = per_source_->cancelled_at()) control.ended_early(*at);
    return true;
  }
  /// Where memory is refused, passes give theirs back. False: that did not help, and it has given back its own.
  template <class Launch>
  bool launch_per_source(const Launch& launch) {
    timer_.start();
    for (;;) try {
        launch();
        break;
      } catch (const Error& e) {
        if (e.failure() != Failure::does_not_fit) throw;
        if (!ms_bfs_ && !in_flight_) {
          per_source_.reset();
          return false;
        }
        ms_bfs_.reset();
        in_flight_.reset();
      }
    timer_.stop();
    return true;
  }

  /// A stream that is the caller's has all work of its searches.
  [[nodiscard]] std::size_t passes_in_flight() const {
    return in_flight_refused_ || !device_.own_stream() || device_.counts() ? 1 : options_.passes;
  }
  /// False: one pass at a time is all that there is.
  bool make_in_flight() {
    const std::size_t passes = passes_in_flight();
    while (passes > 1 && !in_flight_ && !in_flight_refused_) try {
        in_flight_ = std::make_unique<ms_bfs::PassesInFlight<Offset>>(device_, graph_, options_.ms_bfs,
                                                                      static_cast<std::uint32_t>(passes));
      } catch (const Error& e) {
        if (e.failure() != Failure::does_not_fit) throw;
        in_flight_refused_ = !ms_bfs_;
        ms_bfs_.reset();  // its rows of distances may be the room that is wanted
      }
    return passes > 1 && in_flight_;
  }
  /// Memory for one pass; for its rows of distances, too, unless it is only `counted`. Fewer rows than the device has room for
  /// where a caller's memory has less.
  void make_ms_bfs(bool counted) {
    ms_bfs::Options options = options_.ms_bfs;
    const bool may_shrink = options.rows == 0;
    if (std::exchange(fewest_rows_, false) && may_shrink) options.rows = 1;
    for (;;) try {
        if (!ms_bfs_) ms_bfs_ = std::make_unique<ms_bfs::MsBfs<Offset>>(device_, graph_, options);
        if (!counted) ms_bfs_->take_rows();
        return;
      } catch (const Error& e) {
        ms_bfs_.reset();
        if (e.failure() != Failure::does_not_fit || !may_shrink || options.rows == 1) throw;
        options.rows = options.rows == 0 ? thresholds::AnyDevice::ms_bfs_few_rows : 1;
      }
  }
  bool has_ms_bfs() {
    try {
      make_ms_bfs(true);
    } catch (const Error& e) {
      if (e.failure() != Failure::does_not_fit) throw;
    }
    return ms_bfs_ != nullptr;
  }
  /// Work of one pass at a time. Where it is refused memory, whatever could run at the same time gives back its own, and it
  /// is tried again; then with one row of distances. If that is no help it gives back its own: single searches need it.
  template <class Work>
  auto with_memory(const Work& work) -> decltype(work()) {
    for (;;) try {
        return work();
      } catch (const Error& e) {
        if (e.failure() != Failure::does_not_fit) throw;
        fewest_rows_ = !in_flight_ && ms_bfs_ && ms_bfs_->rows() > 1 && options_.ms_bfs.rows == 0;
        ms_bfs_.reset();
        if (!in_flight_ && !fewest_rows_ && !per_source_) throw;
        in_flight_.reset();
        per_source_.reset();
      }
  }
  /// How many of the sources have been taken: all, or those before memory was refused. Then no passes are in flight any more.
  std::size_t count_in_flight(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control,
                              const strategy::TakeCounts& take) {
    SearchReport& stats = *control.stats;
    control.level_done(0, sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    stats.chosen = in_flight_->describe();
    const HaltGuard guard(halt_, device_, control);
    std::size_t taken = 0;
    bool taking = false;  // what the receiver throws is no want of memory, whatever it is called
    std::optional<std::uint32_t> ended;
    timer_.start();
    try {
      ended =
          in_flight_->run(sources, max_depth, control.halt, [&](std::size_t first, const auto& counts, const auto& progress) {
            taking = true;
            stats.levels = std::max(stats.levels, progress.deepest);
            stats.steps += progress.level;
            take(first, counts);
            control.level_done(progress.deepest, sources.size() - first);
            taken = std::min<std::size_t>(first + ms_bfs::most_searches, sources.size());
            taking = false;
          });
    } catch (const Error& e) {
      if (taking || e.failure() != Failure::does_not_fit) throw;
      in_flight_.reset();
      in_flight_refused_ = true;
    }
    timer_.stop();
    stats.work += timer_.elapsed();
    stats.launches += device_.launches() - launches;
    stats.round_trips += device_.round_trips() - trips;
    if (ended) control.ended_early(*ended);
    return taken;
  }

  void run_pass(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control, bool counted) {
    make_ms_bfs(counted);
    control.level_done(0, sources.size());
    const auto launches = device_.launches(), trips = device_.round_trips();
    control.stats->chosen = ms_bfs_->describe();
    ms_bfs_->trace(control.trace);
    const HaltGuard guard(halt_, device_, control);
    timer_.start();
    ms_bfs_->begin(sources, max_depth, counted, control.halt);
    bool ended = false;
    do {
      ms_bfs_->go_on([&](const auto&) { return !(ended = ended || control.over()); },
                     thresholds::AnyDevice::ms_bfs_launches_ahead);
      timer_.stop();
    } while (!ms_bfs_->done());
    control.stats->work += timer_.elapsed();
    control.stats->levels = std::max(control.stats->levels, ms_bfs_->progress().deepest);
    control.stats->steps += ms_bfs_->progress().level;
    control.stats->launches += device_.launches() - launches;
    control.stats->round_trips += device_.round_trips() - trips;
    trace_ms_bfs(*control.stats, ms_bfs_->records());
    if (ended || ms_bfs_->progress().cancelled) control.ended_early(ms_bfs_->progress().level);
    control.level_done(control.stats->levels, sources.size());
  }

  device::Device& device_;
  device::Timer& timer_;
  HaltWord& halt_;
  const Graph<Offset> graph_;
  const Options options_;
  std::unique_ptr<ms_bfs::MsBfs<Offset>> ms_bfs_;
  std::unique_ptr<ms_bfs::PassesInFlight<Offset>> in_flight_;
  std::unique_ptr<per_source::SearchPerSource<Offset>> per_source_;
  bool per_source_now_ = false;     ///< the last searches were its
  bool too_wide_ = false;           ///< it has no room for a level
  bool in_flight_refused_ = false;  ///< there was no memory for several
  bool fewest_rows_ = false;        ///< of the next pass that takes memory
};

}  // namespace hopwave::HW_MACHINE::engine

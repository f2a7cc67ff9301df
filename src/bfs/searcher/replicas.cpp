// One graph on several devices: makes the copies (or shares), and distributes many searches over them.
#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "bfs/engine/partitioned/make_plan.h"
#include "bfs/plan/thresholds.h"
#include "bfs/searcher/deal.h"
#include "bfs/searcher/partition_options.h"
#include "bfs/searcher/searcher.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;

void check_replicas(const SearchOptions& options) {
  std::vector<int> all = options.run.replicas;
  all.push_back(options.run.on.ordinal);
  check_devices(std::move(all));
}

DeviceOptions further_device(const SearchOptions& options, std::size_t i) {
  DeviceOptions on = options.run.on;
  on.ordinal = options.run.replicas[i];
  on.stream = nullptr;  // which belongs to one device
  return on;
}

/// While it lives, the progress of the searches of several devices goes to the deal.
class Forwarding {
 public:
  Forwarding(std::vector<SearchOptions*> options, const Progress& to) : options_(std::move(options)) {
    if (!to) return;
    for (SearchOptions* each : options_) kept_.push_back(std::exchange(each->run.progress, to));
  }
  ~Forwarding() {
    for (std::size_t i = 0; i < kept_.size(); ++i) options_[i]->run.progress = std::move(kept_[i]);
  }
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;

 private:
  std::vector<SearchOptions*> options_;
  std::vector<Progress> kept_;
};

}  // namespace

/// Keeps the notes of a device's searches apart meanwhile, because the caller may read the searcher's notes.
class Searcher::State::Noting {
 public:
  Noting(State& state, std::vector<std::string>& to) : state_(state) { state_.noted = &to; }
  ~Noting() { state_.noted = &state_.notes; }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;

 private:
  State& state_;
};

/// A thread of its own makes each copy, so that the host's work for them overlaps.
void Searcher::State::set_up_replicas() {
  if (options.run.replicas.empty() || partitioned) return;
  if (!device)
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-REPLICAS",
                 .found = "further devices for a search on the CPU",
                 .expected = "a GPU or the simulator"});
  check_replicas(options);
  std::vector<std::exception_ptr> errors(options.run.replicas.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < options.run.replicas.size(); ++i) {
      SearchOptions own = options;
      own.run.replicas.clear();
      own.run.progress = {};
      own.run.device = placement.kind;
      own.run.on = further_device(options, i);
      replicas.push_back(std::make_unique<State>(*graph, own));
      const auto set_up = [&error = errors[i], state = replicas.back().get()] {
        try {
          state->set_up();
        } catch (...) {
          error = std::current_exception();
        }
      };
      try {
        threads.emplace_back(set_up);
      } catch (const std::system_error&) {  // no thread could be started: the copy is made by this one
        const device::KeepCurrent keep(placement.api);
        set_up();
      }
    }
  }
  for (const std::exception_ptr& error : errors) try {
      if (error) std::rethrow_exception(error);
    } catch (const Error& e) {
      replicas.clear();
      if (shared_out_instead(e)) return;
      throw;
    }
  for (std::size_t i = 0; i < replicas.size(); ++i)
    for (const std::string& note : replicas[i]->notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back("device " + std::to_string(options.run.replicas[i]) + ": " + note);
}

/// If the graph did not fit into one device: shares it out, if the options leave that to the library and it is possible. False:
/// it is not, and the error for the caller is that the graph does not fit.
bool Searcher::State::shared_out_instead(const Error& why) {
  if (why.failure() != Failure::does_not_fit || options.partition != Partition::automatic || options.run.replicas.empty())
    return false;
  plan.reset();
  view.reset();  // it may be without the arcs in
  try {
    set_up_partitioned("it does not fit into one of them (" + why.parts().found + ")");
    return true;
  } catch (const Error& e) {
    const std::string_view id = e.id();
    if (!id.starts_with("HW-PARTITION-") && id != "HW-NEEDS-COOPERATIVE") throw;
    return false;
  }
}

void Searcher::State::set_up_partitioned(const std::string& why) {
  if (!placement.api) not_partitioned("the CPU", "GPUs, or the simulator");
  if (options.strategy != "auto") not_partitioned("strategy " + options.strategy, "strategy auto");
  if (options.counts) not_partitioned("counts of launches", "none");
  parameters = partition_parameters(options.parameters, options.run.simulator.schedule);
  check_replicas(options);
  info = &find_strategy("auto");
  name = info->name;
  std::vector<std::shared_ptr<device::Device>> all;
  for (std::size_t i = 0; i <= options.run.replicas.size(); ++i) {
    const device::KeepCurrent keep(placement.api);
    const DeviceOptions on = i == 0 ? options.run.on : further_device(options, i - 1);
    all.push_back(std::make_shared<device::Device>(*placement.api, on));
    if (placement.api->schedule)
      placement.api->schedule(all.back()->stream(),
                              device::schedule_of(options.run.simulator.seed + i, options.run.simulator.schedule));
  }
  device = all[0];
  if (!view) view = std::make_unique<GraphView>(team, *graph, options.direction, true);
  seen = view->view();
  const core::Stopwatch watch;
  plan = engine::make_partitioned_plan(
      {.view = seen, .parameters = parameters, .devices = std::move(all), .why = why, .prepare = options.prepare});
  prepare = view->build_time() + plan->prepare_time();
  copy_in = std::max(Milliseconds(), watch.elapsed() - plan->prepare_time());
  partitioned = true;
}

/// A whole pass, if there are enough searches for all devices; otherwise an equal share.
std::size_t Searcher::State::part_of(std::size_t sources, std::size_t width) const {
  const std::size_t devices = replicas.size() + 1, share = std::max<std::size_t>((sources + devices - 1) / devices, 1);
  return std::min(share, std::max<std::size_t>(width, 1));
}

template <class Item, class Work, class Take>
void Searcher::State::deal(std::size_t sources, std::size_t width, std::size_t room, const Work& work, const Take& take) {
  std::vector<State*> states{this};
  for (const auto& replica : replicas) states.push_back(replica.get());
  std::vector<std::vector<std::string>> noted_now(states.size());
  std::vector<SearchOptions*> all;
  for (State* state : states) all.push_back(&state->options);
  const Progress progress = options.run.progress;
  Deal<Item> dealt(sources, part_of(sources, width), room);
  {
    const Forwarding forwarding(all, progress ? [&](const Step& step) { return dealt.report(step); } : Progress());
    dealt.run(
        states.size(),
        [&](std::size_t d, std::size_t begin, std::size_t size, const typename Deal<Item>::Give& give) {
          const device::KeepCurrent keep(*states[d]->device);
          const Noting noting(*states[d], noted_now[d]);
          work(*states[d], begin, size, give);
        },
        take, progress);
  }
  for (std::size_t d = 0; d < states.size(); ++d)
    for (const std::string& note : noted_now[d])
      notes.push_back("device " + std::to_string(states[d]->options.run.on.ordinal) + ": " + note);
}

void Searcher::State::deal_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                const std::function<void(std::size_t, Result&&)>& take) {
  const std::size_t room = thresholds::AnyDevice::answers_ahead_bytes / (sizeof(Distance) * (num_vertices + std::size_t{1}));
  deal<Result>(
      sources.size(), plan->each_width(), room,
      [&](State& state, std::size_t begin, std::size_t size, const auto& give) {
        state.run_each(sources.subspan(begin, size), max_depth, watch,
                       [&](std::size_t, Result&& result) { give(std::move(result)); });
      },
      take);
}

SearchReport Searcher::State::deal_traversals(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch) {
  SearchReport sum;
  const core::Stopwatch clock;
  deal<SearchReport>(
      sources.size(), plan->each_width(), 1,
      [&](State& state, std::size_t begin, std::size_t size, const auto& give) {
        give(state.traverse_each(sources.subspan(begin, size), max_depth, watch));
      },
      [&](std::size_t, SearchReport&& stats) { add(sum, std::move(stats)); });
  sum.host = clock.elapsed();
  return sum;
}

SearchReport Searcher::State::deal_counts(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                          const std::function<void(std::size_t, LevelCounts&&)>& take) {
  struct Counted {
    std::vector<LevelCounts> counts;
    SearchReport stats;
  };
  SearchReport sum;
  const core::Stopwatch clock;
  std::size_t i = 0;
  deal<Counted>(
      sources.size(), plan->count_width(), 2,
      [&](State& state, std::size_t begin, std::size_t size, const auto& give) {
        Counted counted;
        counted.stats =
            state.count_levels(sources.subspan(begin, size), max_depth, watch,
                               [&](std::size_t, LevelCounts&& counts) { counted.counts.push_back(std::move(counts)); });
        give(std::move(counted));
      },
      [&](std::size_t, Counted&& counted) {
        add(sum, std::move(counted.stats));
        for (LevelCounts& counts : counted.counts) take(i++, std::move(counts));
      });
  sum.host = clock.elapsed();
  return sum;
}

void Searcher::State::deal_visits(std::span<const VertexId> sources, const core::Watch& watch, const Look& look,
                                  const std::function<void(const SearchReport&)>& done) {
  struct Visit {
    State* state;
    const device::DeviceRows* rows;  ///< null: a pass is done, or a search alone
    std::span<const LevelCounts> counts;
    const SearchReport* stats;
  };
  one_by_one = false;
  // Searches that run one by one are dealt out one by one: a device waits with each of them until all before it are looked at.
  const bool in_passes = !options.trace && next_pass(part_of(sources.size(), plan->each_width())) > 0;
  deal<Visit>(
      sources.size(), in_passes ? plan->each_width() : 1, 0,
      [&](State& state, std::size_t begin, std::size_t size, const auto& give) {
        state.visit_each(
            sources.subspan(begin, size), watch,
            [&](State& on, const device::DeviceRows& rows, std::span<const LevelCounts> counts) {
              give({.state = &on, .rows = &rows, .counts = counts, .stats = nullptr});
            },
            [&](const SearchReport& stats) { give({.state = nullptr, .rows = nullptr, .counts = {}, .stats = &stats}); });
      },
      [&](std::size_t, Visit&& visit) {
        if (!visit.rows) return done(*visit.stats);
        const device::KeepCurrent keep(*visit.state->device);
        look(*visit.state, *visit.rows, visit.counts);
      });
}

}  // namespace hopwave::inline v0_1

// Searches of a graph that stays ready.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "device.h"

namespace hopwave::python {

namespace {

/// Returns `sum` plus 1 / distance of each vertex, added one by one. count * (1 / distance) would round differently.
double added_one_by_one(const LevelCounts& counts, double sum) {
  for (std::size_t distance = 1; distance < counts.at.size(); ++distance) {
    const double one = 1.0 / static_cast<double>(distance);
    for (std::uint64_t i = 0; i < counts.at[distance]; ++i) sum += one;
  }
  return sum;
}

struct Settings {
  std::string strategy, direction;
  bool prepare, trace, counts;
  std::vector<int> gpus;
  int partition;
  int ordinal;
  std::uintptr_t stream;
  Parameters parameters;
};

/// A call's exclusive use of the searcher, for setting its limits and searching: no other call may set its own in
/// between. Throws HW-BUSY as the library does.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& taken) : taken_(taken) {
    if (!taken_.exchange(true, std::memory_order_acquire)) return;
    throw Error({.failure = Failure::usage,
                 .id = "HW-BUSY",
                 .found = "a second call while the searcher is busy",
                 .expected = "one call at a time",
                 .hint = "make one for each thread, and for each callback that searches; searchers may share a graph"});
  }
  ~Turn() { taken_.store(false, std::memory_order_release); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& taken_;
};

class HeldSearcher {
  // Defined first: its return type must be known below.
  /// Runs `work(limit)`, which calls limit() before each call of the searcher except the first. `levels`: the caller gets
  /// the searcher's own steps, otherwise those that `work` reports.
  template <class Work>
  auto limited(std::size_t searches, bool levels, Caller& caller, Work&& work) {
    if (getpid() != process_) {
      throw Error(
          {.failure = Failure::usage,
           .id = "HW-SEARCHER-FORK",
           .found = "a searcher of another process, from before a fork",
           .expected = "a searcher that this process has made",
           .hint = "make searchers after os.fork(), or start processes by spawn: threads and GPUs do not outlive a fork"});
    }
    const Turn turn(taken_);
    const std::uint64_t arcs = (num_arcs_ + num_vertices_) * searches;
    const auto all = [&](std::stop_token stop) {
      if (caller.watches() && !options_.run.progress) {
        report_levels();
        make();
      }
      caller_ = &caller;
      levels_ = levels;
      const auto limit = [&] { searcher_->set_limits(caller.limits(stop)); };
      limit();  // always: an earlier call may have used its token
      return work(limit);
    };
    if (arcs < arcs_worth_a_thread) return interruptible(arcs, caller, all);
    if (!worker_) worker_ = std::make_unique<Worker>(searcher_->device() == DeviceKind::gpu);
    return interruptible(arcs, caller, all, worker_.get());
  }
  template <class Work>
  auto limited(std::size_t searches, Work&& work) {
    Caller silent;
    return limited(searches, false, silent, [&](const auto&) { return work(); });
  }
  /// Calls `work(begin, size)` for parts of `count` searches, or for all at once if the caller wants no reports.
  template <class Work>
  void in_parts(std::size_t count, Caller& caller, Work&& work) {
    constexpr std::size_t part = 1024;
    limited(count, false, caller, [&](const auto& limit) {
      const std::size_t step = caller.listens() ? part : std::max<std::size_t>(count, 1);
      std::size_t begin = 0;
      caller.go_on({.what = "searches", .total = count});
      do {
        if (begin) limit();
        work(begin, std::min(step, count - begin));
        begin = std::min(begin + step, count);
        caller.go_on({.what = "searches", .done = begin, .total = count});
      } while (begin < count);
      return true;
    });
  }
  void make() {
    searcher_ = graph_ ? std::make_unique<Searcher>(*graph_, options_) : std::make_unique<Searcher>(*on_device_, options_);
  }
  /// From now on; searches in microseconds take longer then.
  void report_levels() {
    options_.run.progress = [this](const Step& step) { return levels_ ? caller_->reached(step) : caller_->polled(); };
  }
  void set_up(const Caller& caller) {
    if (caller.watches() || num_arcs_ + num_vertices_ >= arcs_worth_a_thread) report_levels();
    const WithoutGil released;
    make();
  }

 public:
  HeldSearcher(const HeldGraph& held, const Settings& settings, nb::object kept, Caller& caller)
      : kept_(std::move(kept)),
        graph_(held.graph),
        num_vertices_(graph_->num_vertices()),
        num_arcs_(graph_->num_arcs()),
        options_(options_of(settings, caller)) {
    set_up(caller);
  }
  HeldSearcher(const HeldDeviceGraph& held, const Settings& settings, nb::object kept, Caller& caller)
      : kept_(std::move(kept)),
        on_device_(held.graph),
        num_vertices_(on_device_->num_vertices()),
        num_arcs_(on_device_->num_arcs()),
        options_(options_of(settings, caller)) {
    set_up(caller);
  }
  ~HeldSearcher() {
    // After a fork there are no threads to join and no device: the objects are not freed.
    if (getpid() != process_) {
      (void)worker_.release();
      (void)searcher_.release();
    }
  }
  HeldSearcher(const HeldSearcher&) = delete;
  HeldSearcher& operator=(const HeldSearcher&) = delete;

  static SearchOptions options_of(const Settings& settings, const Caller& caller) {
    SearchOptions options{.strategy = settings.strategy,
                          .direction = direction_of(settings.direction),
                          .parameters = settings.parameters,
                          .prepare = settings.prepare,
                          .trace = settings.trace,
                          .counts = settings.counts,
                          .run = caller.settings()};
    options.run.on.ordinal = settings.ordinal;
    options.run.on.stream = reinterpret_cast<void*>(settings.stream);
    if (!settings.gpus.empty()) {
      options.run.on.ordinal = settings.gpus.front();
      options.run.replicas.assign(settings.gpus.begin() + 1, settings.gpus.end());
      options.partition = static_cast<Partition>(settings.partition);
    }
    return options;
  }

  /// `asked` is None in this and the following functions: without reports and limits. `bytes` of a distance: 1, 2 or 4.
  nb::tuple run(In<VertexId> sources, Distance max_depth, VertexId target, bool parents, bool least, Caller* asked, int bytes) {
    const Query query{.sources = {sources.data(), sources.data() + sources.size()},
                      .max_depth = max_depth,
                      .target = target,
                      .parents = parents,
                      .ties = least ? Ties::min : Ties::any};
    Caller silent;
    const auto found = [&](const auto& search) {
      auto r = limited(1, true, asked ? *asked : silent, [&](const auto&) { return search(); });
      nb::object parent = nb::none();
      if (query.parents) parent = nb::cast(to_numpy(std::move(r.parent)));
      return nb::make_tuple(to_numpy(std::move(r.distance)), parent, r.reached, r.depth, std::move(r.run));
    };
    if (bytes == 1) return found([&] { return searcher_->run<std::uint8_t>(query); });
    if (bytes == 2) return found([&] { return searcher_->run<std::uint16_t>(query); });
    return found([&] { return searcher_->run(query); });
  }

  /// A picture of a search by a searcher of its own, which ends in no time: the graph is small.
  std::string picture(In<VertexId> sources, Distance max_depth, Distance step, bool against_depth_first) {
    const Query query{.sources = {sources.data(), sources.data() + sources.size()}, .max_depth = max_depth};
    SearchOptions options = options_;
    options.run.progress = {};
    options.run.limits = {};
    const WithoutGil released;
    return search_svg(*graph_, query, options, {.step = step, .against_depth_first = against_depth_first});
  }

  /// Like run(), with the arrays left in device memory: valid until the next search.
  static nb::tuple run_on_device(nb::object self, In<VertexId> sources, Distance max_depth, VertexId target, bool parents,
                                 int ordinal, Caller* asked) {
    Caller silent;
    Caller& caller = asked ? *asked : silent;
    auto& s = nb::cast<HeldSearcher&>(self);
    const Query query{.sources = {sources.data(), sources.data() + sources.size()},
                      .max_depth = max_depth,
                      .target = target,
                      .parents = parents,
                      .ties = Ties::any};
    const DeviceResult result = s.limited(1, true, caller, [&](const auto&) { return s.searcher_->run_on_device(query); });
    const auto view = [&](bool of_parents) {
      return nb::cast(DeviceView{result, of_parents, s.searcher_->device() == DeviceKind::gpu, ordinal, self});
    };
    return nb::make_tuple(view(false), parents ? view(true) : nb::none(), result.reached(), result.depth(),
                          SearchReport(result.run()));
  }

  /// Writes rows of distances to the caller's memory on the device.
  void each_on_device(In<VertexId> sources, Distance max_depth, std::uintptr_t to, Caller* asked) {
    Caller silent;
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    in_parts(wanted.size(), asked ? *asked : silent, [&](std::size_t begin, std::size_t size) {
      searcher_->run_each_on_device(wanted.subspan(begin, size), max_depth,
                                    reinterpret_cast<Distance*>(to) + begin * num_vertices_);
    });
  }

  template <class Value>
  nb::object rows_of_each(std::span<const VertexId> sources, Caller& caller, auto&& search) {
    const std::size_t n = num_vertices_;
    Array<Value> all;
    in_parts(sources.size(), caller, [&](std::size_t begin, std::size_t size) {
      Array<Value> part = search(sources.subspan(begin, size));
      if (size == sources.size()) {
        all = std::move(part);
        return;
      }
      if (begin == 0) all = Array<Value>(sources.size() * n);
      std::copy_n(part.data(), size * n, all.data() + begin * n);
    });
    return nb::cast(to_numpy(std::move(all), {sources.size(), n}));
  }
  nb::object each(In<VertexId> sources, Distance max_depth, Caller* asked, int bytes) {
    Caller silent;
    Caller& caller = asked ? *asked : silent;
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    const auto narrow = [&]<class Narrow>(Narrow) {
      return rows_of_each<Narrow>(wanted, caller,
                                  [&](const auto& part) { return searcher_->distances_from_each<Narrow>(part, max_depth); });
    };
    if (bytes == 1) return narrow(std::uint8_t{});
    if (bytes == 2) return narrow(std::uint16_t{});
    return rows_of_each<Distance>(wanted, caller,
                                  [&](const auto& part) { return searcher_->distances_from_each(part, max_depth); });
  }

  static nb::tuple of_reached(Reached&& found, bool parents) {
    nb::object parent = nb::none();
    if (parents) parent = nb::cast(to_numpy(std::move(found.parent)));
    return nb::make_tuple(to_numpy(std::move(found.vertex)), to_numpy(std::move(found.distance)), parent, std::move(found.run));
  }

  /// Returns only the reached vertices: vertices, distances, parents if asked for, and the report. `nearest` 0: all.
  nb::tuple reach(In<VertexId> sources, Distance max_depth, VertexId target, std::uint64_t nearest, bool parents,
                  Caller* asked) {
    Caller silent;
    Caller& caller = asked ? *asked : silent;
    const Query query{.sources = {sources.data(), sources.data() + sources.size()},
                      .max_depth = max_depth,
                      .target = target,
                      .parents = parents};
    const bool short_one = max_depth >= 0 || target != no_vertex || nearest > 0;
    Reached found = limited(short_one ? 0 : 1, true, caller, [&](const auto&) { return searcher_->reach(query, nearest); });
    return of_reached(std::move(found), parents);
  }

  /// Returns the same from each source separately, one after the other, and where each begins. `work` of the report is the
  /// wall clock of all searches.
  nb::tuple reach_each(In<VertexId> sources, Distance max_depth, std::uint64_t nearest, bool parents, Caller* asked) {
    Caller silent;
    Caller& caller = asked ? *asked : silent;
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    const Nearby nearby{.max_depth = max_depth, .nearest = nearest, .parents = parents};
    Reached all;
    std::vector<std::uint64_t> begins = {0};
    limited(wanted.size(), false, caller, [&](const auto&) {
      const auto begin = std::chrono::steady_clock::now();
      caller.go_on({.what = "searches", .total = wanted.size()});
      searcher_->reach_each(wanted, nearby, [&](std::size_t i, const ReachedRows& found) {
        try {
          all.vertex.insert(all.vertex.end(), found.vertex.begin(), found.vertex.end());
          all.distance.insert(all.distance.end(), found.distance.begin(), found.distance.end());
          all.parent.insert(all.parent.end(), found.parent.begin(), found.parent.end());
          begins.push_back(all.vertex.size());
        } catch (const std::bad_alloc&) {
          throw Error({.failure = Failure::does_not_fit,
                       .id = "HW-MEMORY",
                       .found = "no memory is left for the answers of " + std::to_string(i + 1) + " searches",
                       .hint = "take fewer sources at once, or a lesser depth"});
        }
        all.run.edges_examined += found.edges_examined;
        caller.go_on({.what = "searches", .done = i + 1, .total = wanted.size()});
      });
      all.run.device = searcher_->device();
      all.run.strategy = searcher_->strategy();
      all.run.prepare = searcher_->prepare();
      all.run.copy_in = searcher_->copy_in();
      all.run.work = all.run.host = std::chrono::steady_clock::now() - begin;
      all.run.notes = searcher_->notes();
      return true;
    });
    return nb::make_tuple(to_numpy(std::move(begins)), of_reached(std::move(all), parents));
  }

  /// Returns four arrays, one value per source: vertices reached, sum of distances, sum of inverse distances,
  /// eccentricity.
  nb::tuple summaries(In<VertexId> sources, Distance max_depth, Caller* asked) {
    Caller silent;
    Caller& caller = asked ? *asked : silent;
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    Array<std::uint64_t> reached(wanted.size()), sum(wanted.size());
    Array<double> inverse(wanted.size());
    Array<Distance> eccentricity(wanted.size());
    limited(wanted.size(), false, caller, [&](const auto&) {
      caller.go_on({.what = "searches", .total = wanted.size()});
      searcher_->count_levels(wanted, max_depth, [&](std::size_t i, LevelCounts&& counts) {
        const SourceDistances d = source_distances(counts);
        reached[i] = d.reached;
        sum[i] = d.sum;
        inverse[i] = d.inverse_sum;
        eccentricity[i] = d.eccentricity;
        caller.go_on({.what = "searches", .done = i + 1, .total = wanted.size()});
      });
      return true;
    });
    return nb::make_tuple(to_numpy(std::move(reached)), to_numpy(std::move(sum)), to_numpy(std::move(inverse)),
                          to_numpy(std::move(eccentricity)));
  }

  /// Returns for each vertex the sum of 1 / distance from the sources, added in their order.
  Out<double> inverse_sums_at_vertices(In<VertexId> sources) {
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    Array<double> sums(num_vertices_);
    std::fill(sums.begin(), sums.end(), 0.0);
    limited(wanted.size(), [&] {
      searcher_->run_each(wanted, -1, [&](std::size_t, Result&& r) {
        for (std::size_t v = 0; v < sums.size(); ++v) {
          if (r.distance[v] > 0) sums[v] += 1.0 / r.distance[v];
        }
      });
      return true;
    });
    return to_numpy(std::move(sums));
  }

  /// Returns for each source the sum of 1 / distance to the `members`, added one by one, nearest first.
  Out<double> inverse_sums_of_sources(In<VertexId> sources, In<VertexId> members) {
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    std::vector<VertexId> counted(members.data(), members.data() + members.size());
    Array<double> sums(wanted.size());
    limited(wanted.size(), [&] {
      searcher_->run_each(wanted, -1, [&](std::size_t i, Result&& r) {
        LevelCounts counts{std::vector<std::uint64_t>(static_cast<std::size_t>(r.depth) + 1)};
        for (const VertexId v : counted) {
          if (r.distance[v] >= 0) ++counts.at[static_cast<std::size_t>(r.distance[v])];
        }
        sums[i] = added_one_by_one(counts, 0);
      });
      return true;
    });
    return to_numpy(std::move(sums));
  }

  /// Returns the sum of 1 / distance over all pairs of a source and a vertex, added one by one: sources in order,
  /// nearest first.
  double inverse_sum(In<VertexId> sources) {
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    return limited(wanted.size(), [&] {
      double sum = 0;
      searcher_->count_levels(wanted, -1, [&](std::size_t, LevelCounts&& counts) { sum = added_one_by_one(counts, sum); });
      return sum;
    });
  }

  /// Returns the number of pairs of a source and a vertex at each distance, from 0 on.
  Out<std::uint64_t> pairs_at(In<VertexId> sources) {
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    DistanceSummary summary;
    limited(wanted.size(), [&] {
      return searcher_->count_levels(wanted, -1, [&](std::size_t, LevelCounts&& counts) { summary.add(counts); });
    });
    return to_numpy(std::move(summary.pairs_at));
  }

  /// Returns for each source the number of vertices at each distance, from 0 on: the counts one after the other, and
  /// where each begins.
  nb::tuple level_counts(In<VertexId> sources) {
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    std::vector<std::uint64_t> counts, begins = {0};
    limited(wanted.size(), [&] {
      return searcher_->count_levels(wanted, -1, [&](std::size_t, LevelCounts&& levels) {
        counts.insert(counts.end(), levels.at.begin(), levels.at.end());
        begins.push_back(counts.size());
      });
    });
    return nb::make_tuple(to_numpy(std::move(counts)), to_numpy(std::move(begins)));
  }

  [[nodiscard]] std::string strategy() const { return searcher_->strategy(); }
  [[nodiscard]] std::string device() const { return device_name(searcher_->device()); }
  [[nodiscard]] std::vector<std::string> notes() const { return searcher_->notes(); }

 private:
  // The caller's stream, which the searcher uses until its end. Python's garbage collector must not see this reference:
  // it would end streams (their __del__) before searchers of the same cycle.
  nb::object kept_;
  std::shared_ptr<const Graph> graph_;        // outlives the searcher, which refers to it
  std::shared_ptr<ResidentGraph> on_device_;  // instead of graph_
  std::uint64_t num_vertices_, num_arcs_;
  SearchOptions options_;
  pid_t process_ = getpid();
  std::unique_ptr<Searcher> searcher_;
  std::atomic<bool> taken_{false};
  Caller* caller_ = nullptr;        // of the running call
  bool levels_ = false;             // it gets the searcher's own steps
  std::unique_ptr<Worker> worker_;  // made by the first long call
};

}  // namespace

namespace {

template <class Held>
void make(HeldSearcher* self, const Held& graph, std::string strategy, std::string direction, bool prepare, bool trace,
          bool counts, std::vector<int> gpus, int partition, int ordinal, std::uintptr_t stream, Parameters parameters,
          nb::object kept, Caller& asked) {
  new (self) HeldSearcher(graph,
                          {std::move(strategy), std::move(direction), prepare, trace, counts, std::move(gpus), partition,
                           ordinal, stream, std::move(parameters)},
                          std::move(kept), asked);
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<HeldSearcher>(module, "Searcher")
      .def("__init__", &make<HeldGraph>)
      .def("__init__", &make<HeldDeviceGraph>)
      .def("run", &HeldSearcher::run, nb::arg("sources"), nb::arg("max_depth"), nb::arg("target"), nb::arg("parents"),
           nb::arg("least"), nb::arg("asked").none() = nb::none(), nb::arg("bytes") = 4,
           nb::sig("def run(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, target: int, parents: bool, "
                   "least: bool, asked: Asked | None = None, bytes: int = 4) -> "
                   "tuple[numpy.typing.NDArray[typing.Any], numpy.typing.NDArray[numpy.uint32] | None, int, int, "
                   "SearchReport]"))
      .def("picture", &HeldSearcher::picture, nb::arg("sources"), nb::arg("max_depth"), nb::arg("step"),
           nb::arg("against_depth_first"))
      .def("run_on_device", &HeldSearcher::run_on_device, nb::arg("sources"), nb::arg("max_depth"), nb::arg("target"),
           nb::arg("parents"), nb::arg("ordinal"), nb::arg("asked").none() = nb::none(),
           nb::sig("def run_on_device(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, target: int, "
                   "parents: bool, ordinal: int, asked: Asked | None = None) -> tuple[DeviceView, "
                   "DeviceView | None, int, int, SearchReport]"))
      .def("each_on_device", &HeldSearcher::each_on_device, nb::arg("sources"), nb::arg("max_depth"), nb::arg("to"),
           nb::arg("asked").none() = nb::none())
      .def("each", &HeldSearcher::each, nb::arg("sources"), nb::arg("max_depth"), nb::arg("asked").none() = nb::none(),
           nb::arg("bytes") = 4,
           nb::sig("def each(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, asked: Asked | None = None, "
                   "bytes: int = 4) -> numpy.typing.NDArray[typing.Any]"))
      .def("reach", &HeldSearcher::reach, nb::arg("sources"), nb::arg("max_depth"), nb::arg("target"), nb::arg("nearest"),
           nb::arg("parents"), nb::arg("asked").none() = nb::none(),
           nb::sig("def reach(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, target: int, nearest: int, "
                   "parents: bool, asked: Asked | None = None) -> "
                   "tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.uint32] | None, SearchReport]"))
      .def("reach_each", &HeldSearcher::reach_each, nb::arg("sources"), nb::arg("max_depth"), nb::arg("nearest"),
           nb::arg("parents"), nb::arg("asked").none() = nb::none(),
           nb::sig("def reach_each(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, nearest: int, "
                   "parents: bool, asked: Asked | None = None) -> "
                   "tuple[numpy.typing.NDArray[numpy.uint64], tuple[numpy.typing.NDArray[numpy.uint32], "
                   "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint32] | None, SearchReport]]"))
      .def("summaries", &HeldSearcher::summaries, nb::arg("sources"), nb::arg("max_depth"),
           nb::arg("asked").none() = nb::none(),
           nb::sig("def summaries(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, "
                   "asked: Asked | None = None) -> "
                   "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], "
                   "numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.int32]]"))
      .def("inverse_sums_at_vertices", &HeldSearcher::inverse_sums_at_vertices, nb::arg("sources"))
      .def("inverse_sums_of_sources", &HeldSearcher::inverse_sums_of_sources, nb::arg("sources"), nb::arg("members"))
      .def("pairs_at", &HeldSearcher::pairs_at, nb::arg("sources"))
      .def("level_counts", &HeldSearcher::level_counts, nb::arg("sources"),
           nb::sig("def level_counts(self, sources: numpy.typing.NDArray[numpy.uint32]) -> "
                   "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]"))
      .def("inverse_sum", &HeldSearcher::inverse_sum, nb::arg("sources"))
      .def_prop_ro("strategy", &HeldSearcher::strategy)
      .def_prop_ro("device", &HeldSearcher::device)
      .def_prop_ro("notes", &HeldSearcher::notes);
}

}  // namespace hopwave::python

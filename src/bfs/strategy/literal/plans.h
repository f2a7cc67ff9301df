// What the printed listings need on the host's side: the graph in their arrays, and their loops over levels.
// The listings use signed 32-bit numbers or unsigned ones; as bits both are the Distance that hopwave hands out.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bfs/plan/source_text.h"
#include "bfs/strategy/gpu/gpu_strategy.h"
#include "bfs/strategy/literal/printed.h"
#include "hopwave/error.h"

namespace hopwave::sim {
namespace {

using namespace hopwave::strategy;

inline constexpr unsigned not_visited = 0xFFFFFFFFu;  ///< UINT_MAX in PMPP
inline constexpr int far_away = 1 << 30;              ///< MAX_DIST in the survey's code

/// What an array holds, by its name in the listings, for counts. PMPP's "src" is another matter in each of its listings.
inline MemoryKind kind_of(std::string_view name) {
  constexpr std::pair<std::string_view, MemoryKind> kinds[] = {
      {"level", MemoryKind::levels},        {"result", MemoryKind::levels},
      {"srcPtrs", MemoryKind::rows},        {"dstPtrs", MemoryKind::rows},
      {"row_ptr", MemoryKind::rows},        {"v_adj_begin", MemoryKind::rows},
      {"v_adj_length", MemoryKind::rows},   {"dst", MemoryKind::neighbors},
      {"col_idx", MemoryKind::neighbors},   {"v_adj_list", MemoryKind::neighbors},
      {"v_adj_to", MemoryKind::neighbors},  {"v_adj_from", MemoryKind::tails},
      {"currFrontier", MemoryKind::queues}, {"output_queue", MemoryKind::queues},
      {"queue", MemoryKind::queues},        {"updated", MemoryKind::flags},
      {"frontier", MemoryKind::flags},      {"visited", MemoryKind::flags},
      {"graph_mask", MemoryKind::flags},    {"updating_graph_mask", MemoryKind::flags},
      {"graph_visited", MemoryKind::flags}};
  for (const auto& [known, kind] : kinds)
    if (known == name) return kind;
  return MemoryKind::other;
}

/// A buffer with the name that it has in the listing. What an array named "src" holds is said where it is made.
template <class T>
class NamedBuffer {
 public:
  NamedBuffer(Device& device, std::size_t size, const char* name)
      : buffer_(Buffer<T>(device, size).as(kind_of(name))), name_(name) {}
  NamedBuffer(Device& device, std::span<const T> values, const char* name) : NamedBuffer(device, values, name, kind_of(name)) {}
  NamedBuffer(Device& device, std::span<const T> values, const char* name, MemoryKind kind)
      : buffer_(Buffer<T>(device, values).as(kind)), name_(name) {}
  [[nodiscard]] Printed<T> words() const { return {buffer_.data(), buffer_.size(), name_}; }
  [[nodiscard]] Printed<const T> constant() const { return {buffer_.data(), buffer_.size(), name_}; }
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }
  void fill(T value) { buffer_.upload(std::vector<T>(buffer_.size(), value)); }
  void set(T value, std::size_t at = 0) { buffer_.upload({&value, 1}, at); }
  [[nodiscard]] T get(std::size_t at = 0) const { return buffer_.value(at); }
  [[nodiscard]] const Buffer<T>& raw() const { return buffer_; }
  void download(std::span<T> values) const { buffer_.download(values); }

 private:
  Buffer<T> buffer_;
  const char* name_;
};

inline std::vector<int> as_ints(const auto& values) { return {values.begin(), values.end()}; }

/// The tail of every arc, for the listings that take arcs one by one.
inline std::vector<int> tails_of(const Adjacency& rows) {
  std::vector<int> tails(rows.neighbors.size());
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v)
    std::fill(tails.begin() + static_cast<std::ptrdiff_t>(rows.offsets[v]),
              tails.begin() + static_cast<std::ptrdiff_t>(rows.offsets[v + 1]), static_cast<int>(v));
  return tails;
}

inline std::vector<int> lengths_of(const Adjacency& rows) {
  std::vector<int> lengths;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v)
    lengths.push_back(static_cast<int>(rows.offsets[v + 1] - rows.offsets[v]));
  return lengths;
}

/// A listing bound to a graph. run() prepares its arrays and calls pass(current) until it says that nothing was found.
class LiteralPlan : public Plan {
 public:
  void run(const Query& query, RunControl& control) override {
    if (query.sources.size() != 1)
      throw Error({.failure = Failure::usage,
                   .id = "HW-LITERAL-SOURCES",
                   .found = std::to_string(query.sources.size()) + " sources for one search",
                   .expected = "one: the printed listings start from one vertex",
                   .hint = "--mode each makes one search per source"});
    const int source = static_cast<int>(query.sources.front());
    try {
      loop_.run(
          query, control, level_.raw(), [&] { start(source); },
          [&](Distance current, std::uint32_t) {
            if (current > n_ + 1) throw_endless(current);
            return LevelStep{.more = pass(current), .direction = direction_};
          },
          [&](LevelTrace& trace) { count(trace); });
    } catch (const Error& e) {
      const std::string step = source_text::figure_step(e.parts().where.file, e.parts().where.line);
      if (step.empty()) throw;
      Error::Parts parts = e.parts();
      parts.found = step + ", " + parts.found;
      throw Error(std::move(parts));
    }
  }
  void fetch(std::span<Distance> distances, std::span<VertexId>) override {
    level_.download(distances);
    for (Distance& d : distances)
      if (d == far_away) d = unreached;
  }

 protected:
  LiteralPlan(const PlanRequest& request, const char* level_name, const char* direction = "push")
      : device_(*request.device),
        n_(static_cast<int>(request.view.num_vertices)),
        m_(arcs_of(request.view)),
        block_(static_cast<std::uint32_t>(parameter(request, "block"))),
        grid_(request.parameters.contains("grid") ? static_cast<std::uint32_t>(parameter(request, "grid")) : 0),
        level_(device_, static_cast<std::size_t>(n_), level_name),
        direction_(direction),
        loop_(device_) {}

  virtual void start(int source) = 0;
  /// Finds the vertices of level `current`; true if there is to be another pass.
  virtual bool pass(int current) = 0;

  [[nodiscard]] device::LaunchAt threads(std::int64_t items, const SourceLocation& where = SourceLocation::current()) const {
    return {{.grid = blocks_for(static_cast<std::uint64_t>(items), block_), .block = block_}, where};
  }
  /// As many threads as items, or the grid that the caller asks for.
  [[nodiscard]] device::LaunchAt grid_for_items(std::int64_t items,
                                                const SourceLocation& where = SourceLocation::current()) const {
    return {{.grid = device::grid_for(static_cast<std::uint64_t>(items), block_, grid_), .block = block_}, where};
  }
  /// The same launch with so many words of dynamic shared memory.
  static device::LaunchAt with_shared(device::LaunchAt at, std::int64_t words) {
    at.shape.shared_bytes = static_cast<std::size_t>(words) * sizeof(int);
    return at;
  }
  /// The levels as PMPP's unsigned numbers.
  [[nodiscard]] Printed<unsigned> levels() const {
    return {reinterpret_cast<unsigned*>(level_.raw().data()), level_.size(), "level"};
  }
  void start_levels(int source, int elsewhere) {
    level_.fill(elsewhere);
    level_.set(0, static_cast<std::size_t>(source));
  }

  Device& device_;
  int n_, m_;
  std::uint32_t block_, grid_;
  NamedBuffer<Distance> level_;

 private:
  /// No search takes more passes than vertices; a fault may keep one going.
  [[noreturn]] void throw_endless(Distance current) const {
    throw Error({.failure = Failure::device,
                 .id = "HW-LITERAL-ENDLESS",
                 .found = "level " + std::to_string(current) + " of a graph with " + std::to_string(n_) + " vertices",
                 .expected = "an end of the host's loop",
                 .hint = "an error in the printed listing, or a grid too small for it; docs/literal.md"});
  }
  void count(LevelTrace& trace) const {
    std::vector<Distance> levels(level_.size());
    level_.download(levels);
    trace.frontier = static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), trace.level - 1));
    trace.discovered = static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), trace.level));
  }
  static int arcs_of(const View& view) {
    if (view.num_arcs() > 0x7FFFFFFF || view.num_vertices > 0x3FFFFFFF)
      throw Error({.failure = Failure::does_not_fit,
                   .id = "HW-LITERAL-SIZE",
                   .found = std::to_string(view.num_vertices) + " vertices and " + std::to_string(view.num_arcs()) + " arcs",
                   .expected = "what the listings count with 31 bits",
                   .hint = "choose a strategy without literal:"});
    return static_cast<int>(view.num_arcs());
  }
  const char* direction_;
  LevelLoop loop_;
};

/// A listing of PMPP with a flag: the host clears it, the kernel sets it.
class FlagListing : public LiteralPlan {
 public:
  explicit FlagListing(const PlanRequest& request, const char* flag = "newVertexVisited", const char* direction = "push")
      : LiteralPlan(request, "level", direction), flag_(device_, 1, flag) {}

 protected:
  void start(int source) override { start_levels(source, unreached); }
  bool pass(int current) override {
    flag_.set(0);
    expand(static_cast<unsigned>(current));
    return flag_.get() != 0;
  }
  virtual void expand(unsigned current) = 0;
  NamedBuffer<unsigned> flag_;
};

/// A listing of PMPP with queues of n vertices that change places.
class QueueListing : public LiteralPlan {
 public:
  explicit QueueListing(const PlanRequest& request)
      : LiteralPlan(request, "level"),
        offsets_(device_, as_ints(request.view.forward->offsets.span()), "srcPtrs"),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "dst"),
        queues_{NamedBuffer<int>(device_, static_cast<std::size_t>(n_), "currFrontier"),
                NamedBuffer<int>(device_, static_cast<std::size_t>(n_), "currFrontier")},
        size_(device_, 1, "numCurrFrontier") {}

 protected:
  void start(int source) override {
    start_levels(source, unreached);
    queues_[0].set(source);
    queued_ = 1;
    turn_ = 0;
  }
  bool pass(int current) override {
    size_.set(0);
    expand(static_cast<unsigned>(current), queues_[turn_].words(), queued_, queues_[1 - turn_].words());
    queued_ = size_.get();
    turn_ = 1 - turn_;
    return queued_ != 0;
  }
  virtual void expand(unsigned current, Printed<int> previous, unsigned previous_size, Printed<int> next) = 0;

  NamedBuffer<int> offsets_, heads_;
  std::array<NamedBuffer<int>, 2> queues_;
  NamedBuffer<unsigned> size_;
  unsigned queued_ = 1;
  int turn_ = 0;
};

/// The survey's adjacency lists (its figure 1) and its array of distances.
struct Lists {
  Printed<const int> list, begin, length;
  int vertices;
  Printed<int> result;
};

/// A listing of the survey that goes on while it sets a flag.
class RunningListing : public LiteralPlan {
 public:
  explicit RunningListing(const PlanRequest& request) : LiteralPlan(request, "result"), more_(device_, 1, "still_running") {}

 protected:
  void start(int source) override { start_levels(source, far_away); }
  bool pass(int current) override {
    more_.set(0);
    iterate(current - 1);
    return more_.get() != 0;
  }
  virtual void iterate(int iteration) = 0;

  NamedBuffer<unsigned char> more_;
};

/// A listing of the survey over the vertices' lists.
class SurveyListing : public RunningListing {
 public:
  explicit SurveyListing(const PlanRequest& request)
      : RunningListing(request),
        list_(device_, as_ints(request.view.forward->neighbors.span()), "v_adj_list"),
        begin_(device_, as_ints(request.view.forward->offsets.span().first(static_cast<std::size_t>(n_))), "v_adj_begin"),
        length_(device_, lengths_of(*request.view.forward), "v_adj_length") {}

 protected:
  [[nodiscard]] Lists lists() const { return {list_.constant(), begin_.constant(), length_.constant(), n_, level_.words()}; }
  NamedBuffer<int> list_, begin_, length_;
};

/// A listing of the survey over the list of edges.
class EdgeListing : public RunningListing {
 public:
  explicit EdgeListing(const PlanRequest& request)
      : RunningListing(request),
        tails_(device_, tails_of(*request.view.forward), "v_adj_from"),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "v_adj_to") {}

 protected:
  NamedBuffer<int> tails_, heads_;
};

inline constexpr ParameterInfo literal_block{"block", 256, 1, 1024, "threads per block"};
/// The survey starts a fixed grid and walks in strides of it.
inline constexpr ParameterInfo literal_grid{"grid", 0, 0, 1 << 20, "blocks; 0: enough for one thread an item"};
inline constexpr std::int64_t most_shared_ints = 57856;  ///< 226 KiB, as queue_slots()

// What a thread of a listing does in a level, for pictures. Listings that relax or do not find the vertices have no rule.
inline constexpr LevelWork over_vertices{
    .method = "push",
    .thread = "A thread has a vertex; if the vertex is of the level before, the thread labels its unvisited neighbours.",
    .item = Item::vertex};
inline constexpr LevelWork over_vertices_twice{
    .method = "push",
    .thread =
        "A thread has a vertex; if it is in the frontier, the thread marks its unvisited neighbours. A second launch makes "
        "them the frontier.",
    .item = Item::vertex_then_update};
inline constexpr LevelWork over_vertices_deferring{
    .method = "push",
    .thread =
        "A thread has a vertex; if the vertex is of the level before, the thread labels its unvisited neighbours, or puts "
        "the vertex into its block's queue, which is taken last.",
    .item = Item::vertex_deferring};
inline constexpr LevelWork over_groups{
    .method = "push",
    .thread = "A virtual warp has as many vertices as threads, and takes the rows of those of the level before one by one.",
    .item = Item::vertices_of_a_group};
inline constexpr LevelWork into_unvisited_vertices{
    .method = "pull",
    .thread = "A thread has a vertex; if it is unvisited, the thread looks for a neighbour of the level before.",
    .item = Item::unvisited_vertex};
inline constexpr LevelWork over_arcs{
    .method = "push",
    .thread = "A thread has an arc; if its tail is of the level before, the thread labels its head, if that is unvisited.",
    .item = Item::arc};
inline constexpr LevelWork over_entries{
    .method = "push",
    .thread = "A thread has an entry of the queue, labels its unvisited neighbours, and puts them into the next queue.",
    .item = Item::entry};
inline constexpr LevelWork over_entries_by_block{
    .method = "push",
    .thread = "A thread has an entry of the queue, labels its unvisited neighbours, and puts them into its block's own queue.",
    .item = Item::entry_by_block};

}  // namespace
}  // namespace hopwave::sim

/// At the end of src/bfs/strategy/literal/STEM.cpp. `in`: does it need the incoming arcs? `…`: parameters beyond `block`.
#define HOPWAVE_LITERAL(stem, plan_class, name_, summary_, source_, faults_, in_, work_, ...)                \
  namespace hopwave::strategy {                                                                              \
  const Descriptor& literal_##stem##_sim() {                                                                 \
    using namespace hopwave::sim;                                                                            \
    static const Descriptor descriptor = {.info = {.name = "literal:" name_,                                 \
                                                   .summary = summary_,                                      \
                                                   .source = source_,                                        \
                                                   .device = "sim",                                          \
                                                   .differs = faults_,                                       \
                                                   .needs = {.out = true, .in = in_},                        \
                                                   .native_parents = false,                                  \
                                                   .parameters = {literal_block __VA_OPT__(, ) __VA_ARGS__}, \
                                                   .work = work_},                                           \
                                          .plan = plan_of<plan_class>};                                      \
    return descriptor;                                                                                       \
  }                                                                                                          \
  }

// The traversals of a plan of `auto`: it holds one of five at a time, and the one that gave way until the next search.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/auto_options.h"
#include "engine/auto_trace.h"
#include "engine/choose_traversal.h"
#include "engine/each/levels_host.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine {

using hopwave::engine::Choice;
using hopwave::engine::Seen;

/// One of them is set, or none.
template <class Offset>
struct Held {
  std::unique_ptr<Wide<Offset>> wide;
  std::unique_ptr<Narrow<Offset>> narrow;
  std::unique_ptr<Small<Offset>> small;
  std::unique_ptr<Shared> shared;
  std::unique_ptr<Levels<Offset>> levels;
};

template <class Offset>
class Traversals {
 public:
  explicit Traversals(const strategy::PlanRequest& request)
      : device_(*request.device),
        mail_(device_),
        wide_options_(wide_options(request)),
        narrow_options_(narrow_options(request)),
        small_options_(small_options(request)),
        shared_options_(shared_options(request)),
        each_options_(engine::each_options(request)),
        level_(device_, request.view.num_vertices) {}

  /// What the next ones are made for. Must outlive them in device memory.
  void set_graph(const Graph<Offset>& graph, const Choice& choice, std::uint64_t max_degree) {
    graph_ = graph;
    choice_ = choice;
    max_degree_ = max_degree;
  }

  [[nodiscard]] const Held<Offset>& now() const { return now_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] const device::Buffer<Distance>& level() const { return level_; }
  /// The memory of the answers, free between two searches.
  [[nodiscard]] Distance* scratch() { return level_.data(); }
  [[nodiscard]] const u32* parents() const { return parents_; }
  [[nodiscard]] const EachOptions& each_options() const { return each_options_; }

  /// False, and nothing has changed: the graph does not fit there.
  bool make_shared() {
    if constexpr (sizeof(Offset) == sizeof(std::uint32_t)) {
      auto made = std::make_unique<Shared>(device_, graph_, max_degree_, shared_options_, level_.data(), mail_);
      if (!made->fits()) return false;
      hold({.shared = std::move(made)}, "because the graph fits there");
      return true;
    }
    return false;
  }
  bool make_narrow(bool rows, bool thin, const std::string& because) {
    auto made = std::make_unique<Narrow<Offset>>(device_, graph_, narrow_options_, rows, thin, level_.data());
    if (!made->fits()) return false;
    hold({.narrow = std::move(made)}, because);
    return true;
  }
  bool make_small(const std::string& because, bool shown = false) {
    if (!choice_.takes_small(shown)) return false;
    auto made = std::make_unique<Small<Offset>>(device_, graph_, small_options_, level_.data(), mail_);
    if (!made->fits()) return false;
    hold({.small = std::move(made)}, "because its visited bits and own vertices fit into each block; " + because);
    return true;
  }
  /// Would one cluster take the graph once it is prepared?
  [[nodiscard]] bool small_would_fit() { return Small<Offset>::would_fit(device_, graph_.num_vertices, small_options_, mail_); }
  /// Whatever is not narrow: in one cluster if that is better, or else wide.
  void make_wide(const std::string& because) {
    if (make_small(because)) return;
    if (choice_.by_level()) {
      hold({.levels = std::make_unique<Levels<Offset>>(device_, graph_, each_options_, level_.data())},
           (choice_.levels_were_asked_for() ? "because that was asked for; "
                                            : "because this device has no cooperative launches; ") +
               because);
      return;
    }
    wide_options_.hubs = max_degree_ * graph_.num_vertices >= hub_share * graph_.num_arcs;
    hold({.wide = std::make_unique<Wide<Offset>>(device_, graph_, wide_options_, level_.data(), mail_)}, because);
  }
  void prepare_shared() { now_.shared->prepare(); }
  void restore_shared(hopwave::engine::Restorer& from) {
    now_.shared->restore(from);
    why_ += "; rows as the graph's file keeps them";
  }
  void restore_narrow(hopwave::engine::Restorer& from) {
    hold({.narrow = std::make_unique<Narrow<Offset>>(device_, graph_, narrow_options_, level_.data(), from)},
         "as the graph's file keeps it");
  }

  /// Lets `make` (which returns whether it did) put another in the place of the one held, which stays until forget(): its
  /// parents may be asked for. Where there is no memory for both the one held goes on.
  template <class Make>
  bool replace(Make make) {
    Held<Offset> before = std::exchange(now_, {});
    bool made = false;
    try {
      made = make();
    } catch (const Error& error) {
      if (error.failure() != Failure::does_not_fit) {
        now_ = std::move(before);
        throw;
      }
    }
    (made ? retired_ : now_) = std::move(before);
    return made;
  }
  void forget() { retired_ = {}; }
  /// Keeps the one that gave way beyond the next search.
  void spare_retired() { spare_ = std::exchange(retired_, {}); }
  [[nodiscard]] bool has_spare() const { return spare_.shared != nullptr; }
  void use_spare(const std::string& because) {
    retired_ = std::exchange(now_, {});
    hold(std::exchange(spare_, {}), because);
  }
  void drop() { now_ = {}; }

  void run(const Query& query, strategy::RunControl& control) {
    if (now_.levels) return now_.levels->run(query, control);
    if (now_.shared) return now_.shared->run(query);
    if (now_.narrow) return now_.narrow->run(query);
    now_.small ? now_.small->run(query, control.trace) : now_.wide->run(query, control.trace);
  }
  /// The clock has stopped: what the launch has to say is sent to the host.
  void collect() {
    if (now_.wide) now_.wide->collect();
    if (now_.small) now_.small->collect();
    if (now_.shared) now_.shared->collect();
    if (now_.narrow) now_.narrow->collect();
  }
  /// Waits for it, and so for the search.
  void finish() {
    if (now_.wide) parents_ = finish(*now_.wide);
    if (now_.small) parents_ = finish(*now_.small);
    if (now_.shared) parents_ = finish(*now_.shared);
    if (now_.narrow) parents_ = finish(*now_.narrow);
    if (now_.levels) parents_ = now_.levels->parents().data();
  }
  [[nodiscard]] Seen seen() const {
    const Control& c = control();
    return {.visited = c.visited, .levels = c.levels, .steps = std::max(c.levels, c.records)};
  }
  void trace(RunStats& stats) const {
    if (now_.levels) return;  // it has told what it did
    if (now_.small && now_.small->has_all_records())
      trace_levels(stats, *now_.small);
    else if (now_.wide && now_.wide->has_all_records())
      trace_levels(stats, *now_.wide);
    else
      trace_distances(stats, level_);
  }

 private:
  /// A graph has hubs if its largest degree is so many times the mean.
  static constexpr std::uint64_t hub_share = 16;

  void hold(Held<Offset> held, const std::string& because) {
    now_ = std::move(held);
    const std::string blocks = std::to_string(now_.wide     ? now_.wide->grid()
                                              : now_.levels ? now_.levels->grid()
                                              : now_.small  ? now_.small->blocks()
                                                            : 0);
    if (now_.narrow) why_ = "narrow: " + now_.narrow->describe() + ", ";
    if (now_.shared) why_ = "shared: " + now_.shared->describe() + ", ";
    if (now_.small) why_ = "small: one cluster of " + blocks + " blocks, ";
    if (now_.wide) why_ = "wide: " + blocks + " blocks in one launch; ";
    if (now_.levels) why_ = "one launch a level, " + blocks + " blocks, ";
    why_ += because;
  }
  template <class Traversal>
  static const u32* finish(Traversal& traversal) {
    traversal.finish();
    return traversal.parents().data();
  }
  [[nodiscard]] const Control& control() const {
    if (now_.levels) return now_.levels->control();
    if (now_.shared) return now_.shared->control();
    return now_.narrow ? now_.narrow->control() : now_.small ? now_.small->control() : now_.wide->control();
  }

  device::Device& device_;
  Mail<Control> mail_;
  WideOptions wide_options_;
  NarrowOptions narrow_options_;
  SmallOptions small_options_;
  SharedOptions shared_options_;
  EachOptions each_options_;
  device::Buffer<Distance> level_;
  Graph<Offset> graph_{};
  Choice choice_;
  std::uint64_t max_degree_ = 0;
  const u32* parents_ = nullptr;
  std::string why_;
  Held<Offset> now_, retired_, spare_;
};

}  // namespace hopwave::HW_MACHINE::engine

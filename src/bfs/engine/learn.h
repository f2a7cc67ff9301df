// What a plan of `auto` learns: the traversal that it holds gives way to another one that suits what a search has shown.
#pragma once

#include <string>

#include "bfs/engine/change_traversal.h"
#include "bfs/engine/traversals.h"

namespace hopwave::HW_MACHINE::engine {

using hopwave::engine::Change;
using hopwave::engine::Seen;

/// Changes the traversal that `traversals` holds, by the table of change_traversal.h. Both references must outlive it.
template <class Offset>
class Learner {
 public:
  Learner(Traversals<Offset>& traversals, const Choice& choice, bool prepared)
      : traversals_(traversals), choice_(choice), history_({.prepared = prepared}) {}

  /// Would a first search do well to look at a few levels before it goes all the way?
  [[nodiscard]] bool wants_look() const { return hopwave::engine::wants_look(choice_, traversals_.facts(), history_); }
  /// Can anything that a search shows lead to another traversal?
  [[nodiscard]] bool learns() const { return !history_.prepared && choice_.learns(); }

  /// `seen`: by a search with the traversal held now. `how`: which search, and its verb ("an earlier search found").
  void learn(const Seen& seen, const std::string& how) {
    const TraversalFacts now = traversals_.facts();
    history_.has_spare = traversals_.has_spare();
    history_.was_high_diameter |= now.kind == TraversalKind::high_diameter;
    history_.cluster_refused = false;
    const std::string because = how + " " + std::to_string(seen.width()) + " vertices a level";
    if (change(next_traversal(choice_, now, history_, seen), now, seen, because)) return;
    history_.cluster_refused = true;
    change(next_traversal(choice_, now, history_, seen), now, seen, because);
  }

 private:
  /// False: a search on the whole device has shown that one cluster would do, but the cluster does not take the graph.
  bool change(Change to, const TraversalFacts& now, const Seen& seen, const std::string& because) {
    const bool grid_wide = now.kind == TraversalKind::grid_wide;
    const auto high_diameter = [&] { return traversals_.make_high_diameter(false, choice_.may_run_async(seen), because); };
    switch (to) {
      case Change::none:
        break;
      case Change::to_single_cluster:
        return traversals_.replace([&] { return traversals_.make_cluster("because " + because, grid_wide); }) || !grid_wide;
      case Change::to_spare:
        traversals_.use_spare(because);
        break;
      case Change::to_grid_wide:
        traversals_.replace([&] { return traversals_.make_grid_wide("because " + because), true; });
        break;
      case Change::to_async:
        history_.knows_thin = true;
        [[fallthrough]];
      case Change::to_high_diameter:
        traversals_.replace(high_diameter);
        break;
    }
    return true;
  }

  Traversals<Offset>& traversals_;
  const Choice& choice_;
  hopwave::engine::History history_;
};

}  // namespace hopwave::HW_MACHINE::engine

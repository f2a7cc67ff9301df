// bfs/engine: `auto`: a folder a traversal, and the rules that choose. Knows views of graphs and devices, no files or ids.
//
// The interface of all traversals of `auto`: the plan holds one of them without knowing which.
// A new one is a folder whose host.h implements this, a line in traversals.h where it is made, and a rule in
// choose_traversal.h that says when.
#pragma once

#include <cstdint>
#include <string>

#include "bfs/engine/change_traversal.h"
#include "bfs/engine/serialize.h"
#include "bfs/engine/state.h"
#include "bfs/plan/plan.h"
#include "device/device.h"
#include "hopwave/search.h"

namespace hopwave::HW_MACHINE::engine {

using hopwave::engine::Seen;
using hopwave::engine::TraversalFacts;
using hopwave::engine::TraversalKind;

/// A search is launch(), collect(), finish(), in this order; then seen(), parents() and trace() describe it.
class Traversal {
 public:
  Traversal() = default;
  Traversal(const Traversal&) = delete;
  Traversal& operator=(const Traversal&) = delete;
  virtual ~Traversal() = default;

  /// What the rules of choice need to know of it.
  [[nodiscard]] virtual TraversalFacts facts() const = 0;
  /// Does the device take the graph this way? If not, nothing else may be called.
  [[nodiscard]] virtual bool fits() const { return true; }
  /// The launch shape and form in words, for --explain.
  [[nodiscard]] virtual std::string describe() const = 0;

  /// Does once what every search would otherwise do again.
  virtual void prepare() {}
  /// Is there a preparation to save? Without one, save() must not be called.
  [[nodiscard]] virtual bool can_save() const { return false; }
  virtual void save(hopwave::engine::Saver&) {}

  /// Starts one search. Most do not wait for it.
  virtual void launch(const Query& query, strategy::RunControl& control) = 0;
  /// After the caller has stopped its clock: starts bringing what the launch counted to the host.
  virtual void collect() = 0;
  /// Waits for that, and so for the search. Launches nothing: copies of the answer may be under way.
  virtual void finish() = 0;

  /// Of the last search.
  [[nodiscard]] virtual const Control& control() const = 0;
  [[nodiscard]] Seen seen() const {
    const Control& c = control();
    return {.visited = c.visited, .levels = c.levels, .steps = c.levels < c.records ? c.records : c.levels};
  }
  /// In device memory; null until a search wants them.
  [[nodiscard]] virtual const u32* parents() const = 0;
  /// Adds the levels with their times. False: there are no records, so they must be counted from the distances.
  virtual bool trace(SearchReport&) const { return false; }
};

}  // namespace hopwave::HW_MACHINE::engine

// What each thread of a level-synchronous search does in each level: which item it has, whether it works, which vertices it
// looks at and which it labels. Derived from the levels by the strategy's documented rule; picture_test holds the rules
// against what threads of the simulator did.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "draw/subject.h"

namespace hopwave::picture {

enum class Outcome {
  seen,    ///< the vertex looked at changes nothing
  labels,  ///< this look gives a vertex its level
  also     ///< the vertex is new to this thread too, but another one's store or swap is the one that is kept
};

struct Look {
  VertexId from, to;  ///< the arc, as the search walks it
  VertexId vertex;    ///< the end that is looked at: `to` in a push, `from` in a pull
  Outcome outcome;
  std::uint32_t round = 0;  ///< of a group of threads that walk rows together: its rounds count on from row to row
};

/// One item and the thread that has it. A thread of a small grid has several items, and so is listed several times.
struct Worker {
  std::uint32_t block = 0, thread = 0;
  std::string item;             ///< "3", "1→4"
  VertexId checks = no_vertex;  ///< the vertex whose level decides whether the thread works, where a level does
  bool works = false;
  std::vector<Look> looks;
};

/// What a block found, on its way through its shared memory to the common queue.
struct PrivateQueue {
  std::uint32_t block = 0;
  std::vector<VertexId> entries;
  std::size_t place = 0;  ///< of its first entry in the common queue
};

/// An array of a launch with an entry for each vertex, such as flags, or the places that a prefix sum gives.
struct ArrayRow {
  std::string name;
  std::vector<std::size_t> values;
};

struct Launch {
  std::string what;         ///< one line
  bool iterates = true;     ///< threads at work go over a row; false: they only turn what was found into the next frontier
  std::uint32_t group = 1;  ///< so many threads walk rows together
  std::vector<Worker> workers;
  std::vector<ArrayRow> arrays;
  std::vector<PrivateQueue> queues;
  std::optional<std::vector<VertexId>> next;  ///< the queue of the next level, where the strategy keeps one
};

struct Step {
  Distance level = 0;                   ///< of the vertices that it labels
  std::vector<VertexId> before, found;  ///< vertices of the level before; of this level
  std::vector<Launch> launches;         ///< none: the strategy has no picture of its threads
};

struct Roles {
  std::string rule;  ///< what a thread is assigned to, or why that is not drawn; one sentence
  bool threads = false;
  std::vector<Step> steps;
};

Roles derive_roles(const Subject& subject);
/// The same step by step, without keeping them: steps of large graphs are large.
Roles derive_roles(const Subject& subject, const std::function<void(Step&&)>& take);

/// What the threads of a launch do. A thread with several items counts once.
struct Tally {
  std::uint64_t threads = 0;    ///< with an item
  std::uint64_t iterate = 0;    ///< go over their vertex's row, or their arc, even if the row is empty
  std::uint64_t looks = 0;      ///< at a vertex, all threads together
  std::uint64_t may_label = 0;  ///< find a vertex new by what was known before the level
  std::uint64_t label = 0;      ///< give a vertex the level and parent that it keeps
};
Tally tally(const Launch& launch);

}  // namespace hopwave::picture

// Error messages about simulated programs, with the threads that wait and what they wait for.
#include "simulator/report.h"

#include <map>
#include <utility>
#include <vector>

#include "hopwave/error.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {

std::string place(const SourceLocation& where) { return std::string(where.file_name()) + ":" + std::to_string(where.line()); }

std::string hex(u64 mask) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  do text.insert(text.begin(), digits[mask & 15]);
  while (mask >>= 4);
  return "0x" + text;
}

const char* name_of(WarpWord word) {
  switch (word) {
    case WarpWord::sync:
      return "sync_warp";
    case WarpWord::ballot:
      return "ballot";
    case WarpWord::any:
      return "any";
    case WarpWord::all:
      return "all";
    case WarpWord::shuffle:
      return "shuffle";
    case WarpWord::reduce:
      return "reduce_add";
  }
  return "";
}

namespace {
/// Returns "threads 0-3, 7, 9-12 …" for ascending numbers.
std::string ranges(const std::vector<u32>& numbers) {
  std::string text = numbers.size() == 1 ? "thread " : "threads ";
  std::size_t parts = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (parts++) text += ", ";
    if (parts > 8) return text + "…";
    text += std::to_string(numbers[i]);
    if (j > i) text += "-" + std::to_string(numbers[j]);
    i = j + 1;
  }
  return text;
}

std::string awaited(const Thread& thread) {
  switch (thread.wait) {
    case Wait::block:
      return "the block barrier at " + place(thread.where);
    case Wait::part:
      return "the barrier of the block's first threads at " + place(thread.where);
    case Wait::cluster:
      return "the cluster barrier at " + place(thread.where);
    case Wait::grid:
      return "the grid barrier at " + place(thread.where);
    case Wait::warp:
      return std::string("the other lanes of mask ") + hex(thread.call.mask) + " in " + name_of(thread.call.word) + " at " +
             place(thread.where);
    case Wait::paused:
      return "another thread, in pause() at " + place(thread.where);
    default:
      return thread.paused_lately ? "another thread, in pause() at " + place(thread.where) : "its turn";
  }
}
}  // namespace

void Scheduler::fail(std::string id, std::string found, std::string expected, std::string hint, const SourceLocation& where) {
  throw Error({.failure = Failure::device,
               .id = std::move(id),
               .where = {.file = where.file_name(), .line = where.line()},
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

std::string Scheduler::thread_text() const {
  return "block " + std::to_string(running_->view.block) + ", thread " + std::to_string(running_->view.thread);
}

std::string Scheduler::threads_of(const Block& block, Wait wait) const {
  std::vector<u32> numbers;
  for (u32 t = 0; t < shape_.block; ++t)
    if (block.threads[t].wait == wait) numbers.push_back(t);
  return ranges(numbers);
}

std::string Scheduler::waiting_threads() const {
  std::string text;
  int lines = 0;
  for (u32 slot = 0; slot < slots_; ++slot) {
    const Block& block = blocks_[slot];
    std::map<std::string, std::vector<u32>> groups;
    for (u32 t = 0; t < shape_.block && block.live; ++t)
      if (block.threads[t].wait != Wait::done) groups[awaited(block.threads[t])].push_back(t);
    for (const auto& [what, numbers] : groups) {
      if (++lines > 8) return text + "; …";
      text += (text.empty() ? "" : "; ") + ("block " + std::to_string(block.index)) + ": " + ranges(numbers) +
              (numbers.size() == 1 ? " waits for " : " wait for ") + what;
    }
  }
  return text;
}

void Scheduler::deadlock() {
  SourceLocation where;
  for (u32 slot = 0; slot < slots_ && where.line() == 0; ++slot)
    for (u32 t = 0; t < shape_.block && blocks_[slot].live; ++t)
      if (blocks_[slot].threads[t].wait != Wait::done) {
        where = blocks_[slot].threads[t].where;
        break;
      }
  fail("HW-SIM-DEADLOCK", "no thread can go on: " + waiting_threads(), "", "every thread must reach the same barriers", where);
}

void Scheduler::livelock() {
  fail("HW-SIM-LIVELOCK", "threads wait for each other in loops without progress: " + waiting_threads(), "",
       "a loop may only wait for the work of a thread that can run", running_->where);
}

void Scheduler::check_failed(const char* condition, const SourceLocation& where) {
  fail("HW-SIM-CHECK", thread_text() + ": a check failed: " + condition, "",
       "the kernel relies on it; this is a bug in hopwave, please report how to reproduce it", where);
}

void Scheduler::out_of_bounds(const char* array, std::int64_t index, u64 size, const SourceLocation& where) {
  fail("HW-SIM-BOUNDS", thread_text() + ": " + array + "[" + std::to_string(index) + "]",
       "an index below " + std::to_string(size) + ", the words of " + array,
       "an error in the printed listing; the strategy without literal: is corrected", where);
}

void out_of_bounds(const char* array, std::int64_t index, u64 size, const SourceLocation& where) {
  current_scheduler()->out_of_bounds(array, index, size, where);
}

void check_failed(const char* condition, const SourceLocation& where) {
  if (Scheduler* const scheduler = current_scheduler()) scheduler->check_failed(condition, where);
  throw Error({.failure = Failure::device,
               .id = "HW-SIM-CHECK",
               .where = {.file = where.file_name(), .line = where.line()},
               .found = std::string("outside a launch, a check failed: ") + condition});
}

}  // namespace hopwave::sim

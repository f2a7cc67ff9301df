// Sends between the blocks of a cluster, and copies for which a thread does not wait. Both arrive late if the schedule
// decides so, which reveals threads that look too early. For ThreadSanitizer sends arrive at once; it reports the same
// errors as races.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "simulator/launch_limits.h"
#include "simulator/memory.h"
#include "simulator/report.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {

namespace {
constexpr u32 most_bytes = (1 << 20) - 1;  // of a transaction count
}

void Scheduler::box_fault(std::string found, std::string expected, std::string hint, const SourceLocation& where) {
  fail("HW-SIM-INBOX", thread_text() + ": " + std::move(found), std::move(expected), std::move(hint), where);
}

Box* Scheduler::find_box(Block& block, const void* place) {
  Box* const end = block.boxes + block.open_boxes;
  Box* const box = std::find_if(block.boxes, end, [&](const Box& b) { return b.place == place; });
  return box == end ? nullptr : box;
}

void Scheduler::open_inbox(const void* place, u32 bytes, const SourceLocation& where) {
  Block& block = *running_->block;
  need_shared(place, 8, where);
  if (bytes == 0 || bytes > most_bytes || bytes % 8)
    box_fault("an inbox of " + std::to_string(bytes) + " bytes per round", "1 to 1,048,575 bytes, a multiple of 8",
              "its barrier counts no further", where);
  if (find_box(block, place)) box_fault("an inbox opened a second time", "one opening per block", "", where);
  if (block.open_boxes == max_boxes)
    box_fault("more than " + std::to_string(max_boxes) + " inboxes in a block", "fewer", "the simulator has no more", where);
  Box& box = block.boxes[block.open_boxes++];
  box.place = place;
  box.bytes = bytes;
  box.got = box.full = box.through = box.passed = 0;
  box.opened = block.cluster->barrier.phase;
  box.round = ++box_rounds_;
  box.late.clear();
}

/// A thread that has arrived at the barrier but has not waited there has not passed it.
Box& Scheduler::box_to_send_to(Block& other, const void* place, const SourceLocation& where) {
  Box* const box = find_box(other, place);
  if (!box) box_fault("send() to an inbox that is not open", "open_inbox() by a thread of that block", "", where);
  const Cluster& cluster = *other.cluster;
  if (cluster.barrier.phase - (running_->let_through ? 1 : 0) == box->opened)
    box_fault("send() to an inbox that was opened after the last barrier of the cluster", "a barrier of the cluster in between",
              "sync_cluster() after open_inbox()", where);
  return *box;
}

void Scheduler::send(void* to, const void* value, u32 bytes, const void* box, u32 rank, Write write,
                     const SourceLocation& where) {
  part_accesses();
  if (cluster_blocks_ < 2)
    box_fault("send() in a cluster of one block", "a cluster of at least two",
              "a single block writes to its own memory and uses sync_block(): the instruction is not defined there", where);
  need_aligned(to, bytes, where);
  char* const there = static_cast<char*>(map_cluster(to, rank, where));
  const void* const box_there = map_cluster(box, rank, where);
  Block& other = blocks_[running_->block->cluster->first_slot + rank];
  Box& target = box_to_send_to(other, box_there, where);
  if (target.got + bytes > target.bytes)
    box_fault("send() of " + std::to_string(bytes) + " bytes to an inbox that has " + std::to_string(target.got) + " of " +
                  std::to_string(target.bytes),
              "as many bytes in a round as the inbox was opened for", "", where);
  for (u32* cell = &sent_[(there - arena_) / 8]; cell < &sent_[(there - arena_ + bytes) / 8]; ++cell)
    if (std::exchange(*cell, target.round) == target.round)
      box_fault("send() to a place that already has a value of this round", "each place once per round",
                "no thread may send for the next round before the block has received this one", where);
  if (!tsan::active && coin())
    target.late.push_back({there, write, {}}), std::memcpy(target.late.back().value, value, bytes);
  else
    write_now(there, value, bytes, write);
  pass_on(other, target);
  target.got += bytes;
  if (target.got == target.bytes) fill_box(other, target, where);
  progress();
}

void Scheduler::write_now(void* to, const void* value, std::size_t bytes, Write write) {
  write(to, value);
  forget_weakly(to, bytes);
}

/// st.async releases itself and nothing before it: other writes of its thread must have been fenced.
void Scheduler::pass_on(const Block& other, Box& box) {
  tsan::release(&box.token);
  if (!schedule.weak) return;
  const AsHost as_host(*this);
  weak_->send(number_of(*running_), key_of_token(&box.token + (box.full & 1), group_of(other.threads[0])));
}
void Scheduler::take_in(Box& box, u32 round) {
  tsan::acquire(&box.token);
  if (!schedule.weak) return;
  const AsHost as_host(*this);
  weak_->leave(number_of(*running_), key_of_token(&box.token + (round & 1), group_of(*running_)));
}

/// A round has all its bytes: it ends when the block's first thread expects it.
void Scheduler::fill_box(Block& block, Box& box, const SourceLocation& where) {
  for (const Late& late : box.late) write_now(late.to, late.value, sizeof(late.value), late.write);
  box.late.clear();
  box.got = 0;
  ++box.full;
  box.round = ++box_rounds_;
  check_round(block, box, where);
}

/// Two rounds may not end before all threads have seen the first, because its parity is the only difference between
/// them.
void Scheduler::check_round(const Block& block, const Box& box, const SourceLocation& where) {
  const auto index = &box - block.boxes;
  const u32 ended = std::min(box.full, block.threads[0].awaited[index] + 1);
  if (ended > box.through + 1)
    box_fault("round " + std::to_string(ended - 1) + " of an inbox of block " + std::to_string(block.index) +
                  " ends, while some of its threads have not seen the end of the one before it",
              "all threads of a block past await_sends() before the next round can end", "", where);
}

void Scheduler::await_sends(const void* place, u32 round, const SourceLocation& where) {
  Thread& thread = *running_;
  Block& block = *thread.block;
  Box* const box = find_box(block, place);
  if (!box) box_fault("await_sends() on an inbox that is not open in this block", "open_inbox() first", "", where);
  const auto index = box - block.boxes;
  if (round != thread.awaited[index])
    box_fault(
        "await_sends() for round " + std::to_string(round) + " after " + std::to_string(thread.awaited[index]) + " rounds",
        "one round after the other", "", where);
  while (box->full <= round || (round && block.threads[0].awaited[index] < round)) pause(where);
  ++thread.awaited[index];
  take_in(*box, round);
  acquired();
  if (here.raced) races_->take_all(number_of(thread));
  if (++box->passed == shape_.block) {
    ++box->through;
    box->passed = 0;
  }
  if (thread.view.thread == 0) check_round(block, *box, where);
  progress();
}

/// A block ends: everything that was sent to it must have arrived, and one of its threads must have seen that.
void Scheduler::check_boxes(const Block& block) {
  for (u32 i = 0; i < block.open_boxes; ++i) {
    const Box& box = block.boxes[i];
    u32 seen = 0;
    for (u32 t = 0; t < shape_.block; ++t) seen = std::max(seen, block.threads[t].awaited[i]);
    if (box.got == 0 && box.full <= seen) continue;
    box_fault("block " + std::to_string(block.index) + " has ended, and values sent to it may not have arrived yet",
              "await_sends() before the end", "it would be written to another block's memory", running_->where);
  }
}

// ---- copies ------------------------------------------------------------------------------------------------------------

void Scheduler::copy_later(void* shared, const void* global, u32 bytes, Write write, const SourceLocation& where) {
  part_accesses();
  need_shared(shared, bytes, where);
  need_global(global, bytes, where);
  Thread& thread = *running_;
  const auto offset = static_cast<std::size_t>(static_cast<char*>(shared) - thread.block->shared);
  if (offset >= arena_block_bytes) wrong_space(shared, true, where);
  thread.copies_at = where;
  ++thread.copies;
  ++copies_under_way_;
  if (late_copies_.size() == late_copies_.capacity() || coin()) return write_now(shared, global, bytes, write);
  late_copies_.push_back({shared, global, write, thread.first_copy});
  thread.first_copy = static_cast<u32>(late_copies_.size());
}

void Scheduler::wait_copies() {
  part_accesses();
  Thread& thread = *running_;
  for (; thread.first_copy; thread.first_copy = late_copies_[thread.first_copy - 1].next) {
    const LateCopy& late = late_copies_[thread.first_copy - 1];
    write_now(late.to, late.from, 16, late.write);
  }
  copies_under_way_ -= std::exchange(thread.copies, 0);
  if (copies_under_way_ == 0) late_copies_.clear();
}

void open_inbox(const void* box, u32 bytes, const SourceLocation& where) { current_scheduler()->open_inbox(box, bytes, where); }
void send(void* to, const void* value, u32 bytes, const void* box, u32 rank, Write write, const SourceLocation& where) {
  current_scheduler()->send(to, value, bytes, box, rank, write, where);
}
void await_sends(const void* box, u32 round, const SourceLocation& where) {
  current_scheduler()->await_sends(box, round, where);
}
void copy_later(void* shared, const void* global, u32 bytes, Write write, const SourceLocation& where) {
  current_scheduler()->copy_later(shared, global, bytes, write, where);
}
void wait_copies() { current_scheduler()->wait_copies(); }

}  // namespace hopwave::sim

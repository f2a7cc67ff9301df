// Planted bugs with sends between the blocks of a cluster, and with copies that nobody waited for.
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
using dev::Quad;
constexpr u32 block = 64;

/// Each block sends one value a thread to its right neighbour, twice, and adds up what came.
enum SendBug : u32 {
  none,
  alone,         // the cluster is one block
  unopened,      // nobody opens the inbox
  opened_late,   // opened after the blocks met
  opened_twice,  // by two threads
  too_small,     // for what is sent
  too_large,     // for the barrier's counter
  half_aligned,  // the place is a multiple of 8, the value of 16 bytes
  same_place,    // two threads send to one
  early_round,   // the second round is sent while the first is on its way
  wrong_round,   // awaited
  never_awaited,
  read_early,
};

HW_DEVICE u32 inbox_bytes(u32 bug) {
  return bug == too_small ? block * sizeof(Quad) - 8 : bug == too_large ? 1u << 20 : block * sizeof(Quad);
}

HW_KERNEL void pass_right(u32* out, u32 bug) {
  HW_SHARED(dev::Inbox, box, 1);
  HW_SHARED(Quad, slots, block + 1);
  const u32 t = dev::thread(), right = (dev::cluster_rank() + 1) % dev::cluster_size();
  if (bug == opened_late) dev::sync_cluster();
  if (bug != unopened && t < (bug == opened_twice ? 2 : 1)) dev::open_inbox(box, inbox_bytes(bug));
  if (bug == opened_late)
    dev::sync_block();
  else
    dev::sync_cluster();
  u32 sum = 0;
  for (u32 round = 0; round < 2; ++round) {
    Quad* to = &slots[bug == same_place && t == 1 ? 0 : t];
    if (bug == half_aligned) to = reinterpret_cast<Quad*>(reinterpret_cast<u64*>(slots) + 2 * t + 1);
    dev::send(to, Quad{dev::block(), t, round, 0}, box, right);
    if (bug == early_round) continue;
    if (bug != read_early && bug != never_awaited) dev::await_sends(box, bug == wrong_round ? round + 1 : round);
    if (bug == never_awaited) break;
    const Quad got = slots[(t + 1) % block];
    sum += 100 * got.x + got.y + 1000 * got.z;
    if (bug == read_early) dev::await_sends(box, round);
    dev::sync_cluster();  // the slots have been read
  }
  out[dev::global_thread()] = sum;
  dev::sync_cluster();
}

bool run_pass(Device& device, u32 bug) {
  const u32 size = bug == alone ? 1 : 2;
  auto out = filled(device, 4 * block, 0);
  launch(device, {{.grid = 4, .block = block, .cluster = size}}, pass_right, out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < 4 * block; ++i)
    if (got[i] != 2 * (100 * (i / block ^ 1) + (i + 1) % block) + 1000) return false;
  return true;
}
bool send_alone(Device& device, bool bug) { return run_pass(device, bug ? alone : none); }
bool send_unopened(Device& device, bool bug) { return run_pass(device, bug ? unopened : none); }
bool send_opened_late(Device& device, bool bug) { return run_pass(device, bug ? opened_late : none); }
bool inbox_twice(Device& device, bool bug) { return run_pass(device, bug ? opened_twice : none); }
bool send_too_much(Device& device, bool bug) { return run_pass(device, bug ? too_small : none); }
bool inbox_too_large(Device& device, bool bug) { return run_pass(device, bug ? too_large : none); }
bool send_misaligned(Device& device, bool bug) { return run_pass(device, bug ? half_aligned : none); }
bool send_twice(Device& device, bool bug) { return run_pass(device, bug ? same_place : none); }
bool send_early(Device& device, bool bug) { return run_pass(device, bug ? early_round : none); }
bool await_wrong_round(Device& device, bool bug) { return run_pass(device, bug ? wrong_round : none); }
bool sends_not_awaited(Device& device, bool bug) { return run_pass(device, bug ? never_awaited : none); }
bool send_read_early(Device& device, bool bug) { return run_pass(device, bug ? read_early : none); }

/// Two rounds of one value; whether the second may end before every thread has seen the first.
HW_KERNEL void two_rounds(u32* out, bool hurry) {
  HW_SHARED(dev::Inbox, box, 1);
  HW_SHARED(u64, slot, 2);
  if (dev::thread() == 0) dev::open_inbox(box, sizeof(u64));
  dev::sync_cluster();
  u64 sum = 0;
  for (u32 round = 0; round < 2; ++round) {
    if (dev::cluster_rank() == 1 && dev::thread() == 0) dev::send(&slot[round], u64{round + 7}, box, 0);
    if (dev::cluster_rank() == 0) {
      if (hurry && round == 1) dev::sync_block();
      dev::await_sends(box, round);
      sum += slot[round];
    }
    if (!hurry) dev::sync_cluster();
  }
  out[dev::global_thread()] = static_cast<u32>(sum);
  dev::sync_cluster();
}

bool rounds_overtake(Device& device, bool bug) {
  auto out = filled(device, 2 * block, 0);
  launch(device, {{.grid = 2, .block = block, .cluster = 2}}, two_rounds, out.data(), bug);
  const auto got = download(out);
  for (u32 t = 0; t < block; ++t)
    if (got[t] != 15 || got[block + t] != 0) return false;
  return true;
}

/// Brings values into shared memory and turns them round.
enum CopyBug : u32 { copy_right, never_waited, waited_without_meeting, looked_at_early, copied_askew, copied_to_global };
HW_KERNEL void bring(const u32* values, u32* out, u32 bug) {
  HW_SHARED(u32, tile, block);
  const u32 t = dev::thread();
  tile[t] = 0;
  dev::sync_block();
  if (bug == copied_askew) {
    if (t == 0) dev::copy_later(reinterpret_cast<Quad*>(tile), reinterpret_cast<const Quad*>(values + 1));
  } else {
    dev::copy_later(bug == copied_to_global ? &out[t] : &tile[t], &values[t]);
  }
  if (bug == looked_at_early) {
    out[t] = tile[t];
    dev::wait_copies();
    return;
  }
  if (bug != never_waited) dev::wait_copies();
  if (bug != waited_without_meeting) dev::sync_block();
  out[t] = tile[block - 1 - t];
}

bool run_bring(Device& device, u32 bug) {
  auto values = upload(device, ramp(block + 4, 1, 1)), out = filled(device, block, 0);
  launch(device, {{.grid = 1, .block = block}}, bring, values.data(), out.data(), bug);
  const auto got = download(out);
  for (u32 t = 0; t < block; ++t)
    if (got[t] != (bug == looked_at_early ? t + 1 : block - t)) return false;
  return true;
}
bool copy_not_waited(Device& device, bool bug) { return run_bring(device, bug ? never_waited : copy_right); }
bool copy_no_meeting(Device& device, bool bug) { return run_bring(device, bug ? waited_without_meeting : copy_right); }
bool copy_read_early(Device& device, bool bug) { return run_bring(device, bug ? looked_at_early : copy_right); }
bool copy_misaligned(Device& device, bool bug) { return run_bring(device, bug ? copied_askew : copy_right); }
bool copy_to_global(Device& device, bool bug) { return run_bring(device, bug ? copied_to_global : copy_right); }

}  // namespace

std::span<const Case> send_cases() {
  static constexpr Case cases[] = {
      {"send-alone", Detector::error, "HW-SIM-INBOX", "a send in a cluster of one block", send_alone},
      {"send-unopened", Detector::error, "HW-SIM-INBOX", "a send to an inbox that nobody opened", send_unopened},
      {"send-opened-late", Detector::error, "HW-SIM-INBOX", "an inbox opened after the blocks met", send_opened_late},
      {"inbox-twice", Detector::error, "HW-SIM-INBOX", "an inbox opened by two threads", inbox_twice},
      {"inbox-too-large", Detector::error, "HW-SIM-INBOX", "more bytes a round than a barrier counts", inbox_too_large},
      {"send-too-much", Detector::error, "HW-SIM-INBOX", "more bytes than the round takes", send_too_much},
      {"send-misaligned", Detector::error, "HW-SIM-ALIGN", "16 bytes sent to a multiple of 8", send_misaligned},
      {"send-twice", Detector::error, "HW-SIM-INBOX", "two sends of a round to one place", send_twice},
      {"send-early", Detector::error, "HW-SIM-INBOX", "the next round sent while this one is on its way", send_early},
      {"await-wrong-round", Detector::error, "HW-SIM-INBOX", "a round awaited that is not the next", await_wrong_round},
      {"sends-not-awaited", Detector::error, "HW-SIM-INBOX", "a block ends while it is sent to", sends_not_awaited},
      {"send-read-early", Detector::answer, "", "what is sent is read before it is awaited", send_read_early},
      {"send-read-early-race", Detector::thread, "data race", "the same, by the slots themselves", send_read_early},
      {"rounds-overtake", Detector::error, "HW-SIM-INBOX", "a round ends before all have seen the one before", rounds_overtake},
      {"copy-not-waited", Detector::error, "HW-SIM-COPY", "a thread returns with a copy under way", copy_not_waited},
      {"copy-no-meeting", Detector::answer, "", "other threads' copies read without a meeting", copy_no_meeting},
      {"copy-no-meeting-race", Detector::thread, "data race", "the same, by the tile itself", copy_no_meeting},
      {"copy-read-early", Detector::answer, "", "a thread's own copy read before it waits", copy_read_early},
      {"copy-misaligned", Detector::error, "HW-SIM-ALIGN", "16 bytes copied from a multiple of 4", copy_misaligned},
      {"copy-to-global", Detector::error, "HW-SIM-SPACE", "a copy to memory that is not shared", copy_to_global},
  };
  return cases;
}

}  // namespace hopwave::planted

// Planted bugs in the order of relaxed words, which no sanitizer sees: every access is atomic, and the answer depends on what
// orders them.
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
using dev::Quad;
constexpr u32 block = 32;

/// A block writes its neighbour's parents and sends word of it; the neighbour reads them.
HW_KERNEL void send_marks(u32* parents, u32* out, bool not_fenced) {
  HW_SHARED(dev::Inbox, box, 1);
  HW_SHARED(Quad, marks, block);
  const u32 t = dev::thread(), other = 1 - dev::cluster_rank();
  if (t == 0) dev::open_inbox(box, block * sizeof(Quad));
  dev::sync_cluster();
  dev::store(&parents[other * block + t], t + 1);
  if (!not_fenced) dev::fence();
  dev::sync_block();
  dev::send(&marks[t], Quad{1, 0, 0, 0}, box, other);
  dev::await_sends(box, 0);
  const u32 from = (t + 1) % block;
  if (marks[from].x) out[dev::global_thread()] = dev::load(&parents[dev::cluster_rank() * block + from]);
  dev::sync_cluster();
}

bool send_not_fenced(Device& device, bool bug) {
  auto parents = filled(device, 2 * block, 0), out = filled(device, 2 * block, 0);
  launch(device, {{.grid = 2, .block = block, .cluster = 2}}, send_marks, parents.data(), out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < 2 * block; ++i)
    if (got[i] != (i + 1) % block + 1) return false;
  return true;
}

/// The first block writes a value and raises a flag; the second waits for the flag and takes the value.
HW_KERNEL void hand_over(u32* words, u32* out, bool not_released, bool not_acquired) {
  u32 *value = words, *flag = words + 64;
  if (dev::block() == 0) {
    dev::store(value, 7u);
    if (not_released)
      dev::store(flag, 1u);
    else
      dev::store_release(flag, 1u);
    return;
  }
  while (!(not_acquired ? dev::load(flag) : dev::load_acquire(flag))) dev::pause();
  *out = dev::load(value);
}

bool run_hand_over(Device& device, bool not_released, bool not_acquired) {
  auto words = filled(device, 128, 0), out = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = 1, .cooperative = true}}, hand_over, words.data(), out.data(), not_released,
         not_acquired);
  return out.value() == 7;
}
bool flag_not_released(Device& device, bool bug) { return run_hand_over(device, bug, false); }
bool flag_not_acquired(Device& device, bool bug) { return run_hand_over(device, false, bug); }

/// Two blocks each leave work and look whether the other has: whoever comes last must see both.
HW_KERNEL void last_one_sees(u32* words, u32* out, bool not_fenced) {
  u32 *mine = words + 64 * dev::block(), *other = words + 64 * (1 - dev::block());
  dev::store(mine, 1u);
  if (!not_fenced) dev::fence();
  if (dev::load(other)) dev::fetch_add(out, 1);
}

bool nobody_last(Device& device, bool bug) {
  auto words = filled(device, 128, 0), out = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = 1, .cooperative = true}}, last_one_sees, words.data(), out.data(), bug);
  return out.value() > 0;
}

/// A block's number of items is added up without order, and the last to add reads all of them.
HW_KERNEL void last_block_sums(u32* parts, u32* done, u32* out, bool not_fenced) {
  dev::store(&parts[16 * dev::block()], dev::block() + 1);
  if (!not_fenced) dev::fence();
  if (dev::fetch_add(done, 1) + 1 != dev::grid_size()) return;
  if (!not_fenced) dev::fence();
  u32 sum = 0;
  for (u32 b = 0; b < dev::grid_size(); ++b) sum += dev::load(&parts[16 * b]);
  *out = sum;
}

bool counter_not_fenced(Device& device, bool bug) {
  auto parts = filled(device, 16 * 4, 0), done = filled(device, 1, 0), out = filled(device, 1, 0);
  launch(device, {{.grid = 4, .block = 1}}, last_block_sums, parts.data(), done.data(), out.data(), bug);
  return out.value() == 1 + 2 + 3 + 4;
}

}  // namespace

std::span<const Case> weak_cases() {
  static constexpr Case cases[] = {
      {"send-not-fenced", Detector::answer, "", "words that a send makes known are not fenced before it", send_not_fenced},
      {"flag-not-released", Detector::answer, "", "a value, and a flag stored without release", flag_not_released},
      {"flag-not-acquired", Detector::answer, "", "a flag awaited without acquire, and then the value", flag_not_acquired},
      {"nobody-last", Detector::answer, "", "each stores its word and reads the other's, with no fence between", nobody_last},
      {"counter-not-fenced", Detector::answer, "", "the last block by an atomic counter reads what others wrote unfenced",
       counter_not_fenced},
  };
  return cases;
}

}  // namespace hopwave::planted

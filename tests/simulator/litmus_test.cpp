// Litmus tests of the simulator's weak memory: small programs of two to four threads, whose outcomes the PTX memory model
// allows or forbids. What is allowed appears under some seed, unless a reason is named; what is forbidden appears under none.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "device/device.h"
#include "device/kernel.h"

namespace hopwave::device {
namespace of_litmus_test {

namespace dev = sim::dev;
using u32 = std::uint32_t;

enum class Word : u32 { none, load, store, acquire, release, fence, add, peek, copy, store_below };
/// A word of the vocabulary on x, y or z. Loads and sums put what they read into a register.
struct Op {
  Word word = Word::none;
  u32 at = 0, value = 0;
};
constexpr u32 x = 0, y = 1, z = 2;
constexpr u32 most_threads = 4, most_ops = 5, apart = 16;
constexpr Op fence{Word::fence};
constexpr Op load(u32 at) { return {Word::load, at}; }
constexpr Op peek(u32 at) { return {Word::peek, at}; }
constexpr Op acquire(u32 at) { return {Word::acquire, at}; }
constexpr Op store(u32 at, u32 value) { return {Word::store, at, value}; }
constexpr Op release(u32 at, u32 value) { return {Word::release, at, value}; }
constexpr Op add(u32 at, u32 value) { return {Word::add, at, value}; }
/// Stores what was read last, and `value` besides.
constexpr Op copy(u32 at, u32 value = 0) { return {Word::copy, at, value}; }
/// Stores 1 if what was read last is below `value`.
constexpr Op store_below(u32 at, u32 value) { return {Word::store_below, at, value}; }

using Program = std::vector<std::vector<Op>>;

/// A block a thread, or a thread each of one block, with a barrier of the block where an `Op` has no word.
HW_KERNEL void run_program(const Op* ops, u32* words, u32* registers) {
  const u32 me = dev::global_thread();
  u32 reads = 0, read = 0;
  for (u32 i = 0; i < most_ops; ++i) {
    const Op op = ops[me * most_ops + i];
    u32* const p = &words[op.at * apart];
    switch (op.word) {
      case Word::none:
        if (dev::grid_size() == 1) dev::sync_block();
        continue;
      case Word::fence:
        dev::fence();
        continue;
      case Word::store:
        dev::store(p, op.value);
        continue;
      case Word::release:
        dev::store_release(p, op.value);
        continue;
      case Word::copy:
        dev::store(p, read + op.value);
        continue;
      case Word::store_below:
        if (read < op.value) dev::store(p, 1u);
        continue;
      case Word::load:
        read = dev::load(p);
        break;
      case Word::peek:
        read = dev::peek(p);
        break;
      case Word::acquire:
        read = dev::load_acquire(p);
        break;
      case Word::add:
        read = dev::fetch_add(p, op.value);
        break;
    }
    registers[me * most_ops + reads++] = read;
  }
}

struct Result {
  u32 words[3] = {};
  u32 r[most_threads][most_ops] = {};
};

enum class Memory { strong, weak, load_buffering };

/// In how many of so many seeds the outcome appears.
template <class Outcome>
u32 seen(const Program& program, Outcome&& outcome, u32 seeds, Memory memory_model) {
  Device device(*sim_api());
  std::vector<Op> ops(most_threads * most_ops);
  for (u32 t = 0; t < program.size(); ++t) std::ranges::copy(program[t], ops.begin() + t * most_ops);
  const bool meets = std::ranges::any_of(program[0], [](const Op& op) { return op.word == Word::none; });
  const Buffer<Op> kept(device, std::span<const Op>(ops));
  Buffer<u32> words(device, 3 * apart), registers(device, most_threads * most_ops);
  std::vector<u32> got(registers.size()), memory(words.size());
  u32 count = 0;
  for (u32 seed = 1; seed <= seeds; ++seed) {
    device.set_schedule({.seed = seed,
                         .interrupt_every = 1 + seed % 3,
                         .weak = memory_model == Memory::weak,
                         .load_buffering = memory_model == Memory::load_buffering});
    words.fill_bytes(0);
    const u32 threads = static_cast<u32>(program.size());
    launch(device, {{.grid = meets ? 1 : threads, .block = meets ? threads : 1}}, run_program, kept.data(), words.data(),
           registers.data());
    registers.download(got);
    words.download(memory);
    Result result;
    for (u32 w = 0; w < 3; ++w) result.words[w] = memory[w * apart];
    for (u32 t = 0; t < threads; ++t) std::copy_n(&got[t * most_ops], most_ops, result.r[t]);
    count += outcome(result);
  }
  return count;
}
template <class Outcome>
void expect_allowed(const char* name, const Program& program, Outcome&& outcome) {
  EXPECT_GT(seen(program, outcome, 3000, Memory::weak), 0u) << name << ": allowed, and never seen";
}
/// Allowed, and to be seen where a store may come before a load.
template <class Outcome>
void expect_buffered(const char* name, const Program& program, Outcome&& outcome) {
  EXPECT_EQ(seen(program, outcome, 1000, Memory::weak), 0u) << name << ": seen without load buffering";
  EXPECT_GT(seen(program, outcome, 1000, Memory::load_buffering), 0u) << name << ": allowed, and never seen";
}
template <class Outcome>
void expect_forbidden(const char* name, const Program& program, Outcome&& outcome) {
  EXPECT_EQ(seen(program, outcome, 10000, Memory::weak), 0u) << name << ": forbidden, and seen";
  EXPECT_EQ(seen(program, outcome, 5000, Memory::load_buffering), 0u) << name << ": forbidden, and seen with load buffering";
}

// The flag is seen, the message is not.
bool message_lost(const Result& o) { return o.r[1][0] == 1 && o.r[1][1] == 0; }

TEST(Litmus, MessagePassing) {
  const std::vector<Op> plain{store(x, 1), store(y, 1)}, fenced{store(x, 1), fence, store(y, 1)},
      released{store(x, 1), release(y, 1)};
  const std::vector<Op> reads{load(y), load(x)}, after_fence{load(y), fence, load(x)}, acquires{acquire(y), load(x)};
  expect_allowed("MP", {plain, reads}, message_lost);
  expect_allowed("MP, writer fenced", {fenced, reads}, message_lost);
  expect_allowed("MP, writer releases", {released, reads}, message_lost);
  expect_allowed("MP, reader fenced", {plain, after_fence}, message_lost);
  expect_allowed("MP, reader acquires", {plain, acquires}, message_lost);
  expect_allowed("MP, peek", {released, {acquire(y), peek(z), load(y), peek(x)}},
                 [](const Result& o) { return o.r[1][0] == 0 && o.r[1][2] == 1 && o.r[1][3] == 0; });
  for (const auto& writer : {fenced, released})
    for (const auto& reader : {after_fence, acquires}) expect_forbidden("MP, ordered", {writer, reader}, message_lost);
  expect_forbidden("MP, peek after acquire", {released, {acquire(y), peek(x)}}, message_lost);
  // An atomic reads the newest value, orders nothing, and passes on what it was made of.
  expect_allowed("MP, by atomics", {{store(x, 1), add(y, 1)}, {add(y, 0), load(x)}}, message_lost);
  expect_forbidden("MP, through an atomic", {released, {acquire(y), load(x)}, {add(y, 1)}},
                   [](const Result& o) { return o.r[2][0] == 1 && o.r[1][0] == 2 && o.r[1][1] == 0; });
  expect_allowed("MP, through a store", {released, {acquire(y), load(x)}, {load(y), store(y, 2)}},
                 [](const Result& o) { return o.r[2][0] == 1 && o.r[1][0] == 2 && o.r[1][1] == 0; });
}

TEST(Litmus, NothingIsWeakUnlessAskedFor) {
  EXPECT_EQ(seen({{store(x, 1), store(y, 1)}, {load(y), load(x)}}, message_lost, 3000, Memory::strong), 0u);
}

TEST(Litmus, StoreBuffering) {
  const auto neither = [](const Result& o) { return o.r[0][0] == 0 && o.r[1][0] == 0; };
  expect_allowed("SB", {{store(x, 1), load(y)}, {store(y, 1), load(x)}}, neither);
  expect_allowed("SB, release and acquire", {{release(x, 1), acquire(y)}, {release(y, 1), acquire(x)}}, neither);
  expect_allowed("SB, one fence", {{store(x, 1), fence, load(y)}, {store(y, 1), load(x)}}, neither);
  expect_forbidden("SB, fences", {{store(x, 1), fence, load(y)}, {store(y, 1), fence, load(x)}}, neither);
}

// Each thread reads what the other stores after its load.
bool both_later(const Result& o) { return o.r[0][0] == 1 && o.r[1][0] == 1; }

TEST(Litmus, LoadBuffering) {
  const std::vector<Op> relaxed{load(y), store(x, 1)};
  expect_buffered("LB", {{load(x), store(y, 1)}, relaxed}, both_later);
  expect_buffered("LB, peek", {{peek(x), store(y, 1)}, {peek(y), store(x, 1)}}, both_later);
  expect_buffered("LB, an atomic", {{add(x, 0), store(y, 1)}, relaxed}, both_later);
  expect_buffered("LB, one acquires", {{acquire(x), store(y, 1)}, relaxed}, both_later);
  expect_buffered("LB, one releases", {{load(x), release(y, 1)}, relaxed}, both_later);
  expect_buffered("LB, one is fenced", {{load(x), fence, store(y, 1)}, relaxed}, both_later);
  expect_buffered("LB, a load and a store between", {{load(x), peek(z), store(y, 1)}, {load(y), store(z, 1), store(x, 1)}},
                  both_later);
  expect_forbidden("LB, fences", {{load(x), fence, store(y, 1)}, {load(y), fence, store(x, 1)}}, both_later);
  expect_forbidden("LB, release and acquire", {{load(x), release(y, 1)}, {acquire(y), store(x, 1)}}, both_later);
  expect_forbidden("LB, release and fence", {{load(x), release(y, 1)}, {load(y), fence, store(x, 1)}}, both_later);
  expect_forbidden("LB, fence and acquire", {{load(x), fence, store(y, 1)}, {acquire(y), store(x, 1)}}, both_later);
  expect_forbidden("LB, releases and acquires", {{acquire(x), release(y, 1)}, {acquire(y), release(x, 1)}}, both_later);
  expect_forbidden("LB, an acquired value between", {{load(x), release(z, 1)}, {acquire(z), store(x, 1)}},
                   [](const Result& o) { return o.r[0][0] == 1 && o.r[1][0] == 1; });
  const auto all = [](const Result& o) { return o.r[0][0] == 1 && o.r[1][0] == 1 && o.r[2][0] == 1; };
  expect_buffered("LB of three", {{load(x), store(y, 1)}, {load(y), store(z, 1)}, {load(z), store(x, 1)}}, all);
  expect_forbidden("LB of three, fences",
                   {{load(x), fence, store(y, 1)}, {load(y), fence, store(z, 1)}, {load(z), fence, store(x, 1)}}, all);
}

// A store that passes a load keeps the order of its own word, and takes nobody else's store with it that is ordered behind.
TEST(Litmus, LoadBufferingIsCoherent) {
  expect_forbidden("CoRW1", {{load(x), store(x, 1)}, {}}, [](const Result& o) { return o.r[0][0] == 1; });
  expect_forbidden("CoRW1, another word's load first", {{load(y), load(x), store(x, 1)}, {load(x), store(y, 1)}},
                   [](const Result& o) { return o.r[0][1] == 1; });
  expect_forbidden("CoWW", {{load(y), store(x, 1), store(x, 2)}, {load(x), load(x), store(y, 1)}},
                   [](const Result& o) { return o.words[x] != 2 || (o.r[1][0] == 2 && o.r[1][1] == 1); });
  expect_buffered("LB, then a message", {{load(x), store(y, 1)}, {load(y), store(z, 1), fence, store(x, 1)}},
                  [](const Result& o) { return o.r[0][0] == 1 && o.r[1][0] == 1; });
  expect_forbidden("a message through LB", {{load(x), store(y, 1), fence, load(z)}, {load(y), store(z, 1), fence, store(x, 1)}},
                   [](const Result& o) { return o.r[0][0] == 1 && o.r[0][1] == 0; });
}

// What depends on a load comes after it, and a value that nobody has stored is never read.
TEST(Litmus, NothingComesOutOfThinAir) {
  expect_buffered("LB, one depends", {{load(x), copy(y)}, {load(y), store(x, 1)}}, both_later);
  expect_forbidden("thin air", {{load(x), copy(y)}, {load(y), copy(x)}},
                   [](const Result& o) { return o.r[0][0] != 0 || o.r[1][0] != 0; });
  expect_forbidden("both depend", {{load(x), copy(y, 1)}, {load(y), copy(x, 1)}},
                   [](const Result& o) { return o.r[0][0] != 0 && o.r[1][0] != 0; });
  // The third stores a 1 unless the first has come to its end, and so has read before.
  const Program fed{{load(x), copy(y), store(z, 1)}, {load(y), copy(x)}, {load(z), store_below(x, 1)}};
  expect_allowed("fed", fed, both_later);
  expect_forbidden("thin air, of a value that is stored in other runs", fed,
                   [](const Result& o) { return o.r[2][0] == 1 && (o.r[0][0] != 0 || o.r[1][0] != 0); });
}

// Dependencies are seen by what they do: a store that follows from both values that were read counts as independent. A GPU
// makes it after the load.
TEST(Litmus, AStoreUnderAConditionMayComeEarly) {
  expect_buffered("LB, a condition that holds", {{load(x), store_below(y, 2)}, {load(y), copy(x)}}, both_later);
}

TEST(Litmus, CoherenceOfOneWord) {
  expect_forbidden("CoRR", {{store(x, 1)}, {load(x), load(x)}},
                   [](const Result& o) { return o.r[1][0] == 1 && o.r[1][1] == 0; });
  expect_forbidden("CoRR, peek", {{store(x, 1)}, {load(x), peek(x), load(x)}},
                   [](const Result& o) { return o.r[1][0] > o.r[1][1] || o.r[1][1] > o.r[1][2]; });
  expect_forbidden("CoRR, two readers", {{store(x, 1)}, {store(x, 2)}, {load(x), load(x)}, {load(x), load(x)}},
                   [](const Result& o) { return o.r[2][0] == 1 && o.r[2][1] == 2 && o.r[3][0] == 2 && o.r[3][1] == 1; });
  expect_forbidden("CoWW", {{store(x, 1), store(x, 2)}, {load(x)}}, [](const Result& o) { return o.words[x] != 2; });
  expect_forbidden("CoWR", {{store(x, 1), load(x)}, {}}, [](const Result& o) { return o.r[0][0] != 1; });
  expect_forbidden("CoRW", {{load(x), store(x, 2)}, {store(x, 1)}},
                   [](const Result& o) { return o.r[0][0] == 1 && o.words[x] == 1; });
  expect_forbidden("atomics are not lost", {{add(x, 1), add(x, 1)}, {add(x, 1)}, {add(x, 1), add(x, 1)}},
                   [](const Result& o) { return o.words[x] != 5; });
  expect_forbidden("atomic after own store", {{store(x, 4), add(x, 1)}, {add(x, 1)}},
                   [](const Result& o) { return o.r[0][0] < 4 || o.words[x] < 5; });
  expect_allowed("CoWR, another's later store", {{store(x, 1), load(x)}, {store(x, 2)}},
                 [](const Result& o) { return o.r[0][0] == 2; });
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  const auto disagree = [](const Result& o) { return o.r[2][0] == 1 && o.r[2][1] == 0 && o.r[3][0] == 1 && o.r[3][1] == 0; };
  expect_allowed("IRIW", {{store(x, 1)}, {store(y, 1)}, {load(x), load(y)}, {load(y), load(x)}}, disagree);
  expect_allowed("IRIW, acquire", {{release(x, 1)}, {release(y, 1)}, {acquire(x), acquire(y)}, {acquire(y), acquire(x)}},
                 disagree);
  expect_forbidden("IRIW, fences", {{store(x, 1)}, {store(y, 1)}, {load(x), fence, load(y)}, {load(y), fence, load(x)}},
                   disagree);
}

TEST(Litmus, TwoWritesTwice) {
  const auto both_first = [](const Result& o) { return o.words[x] == 1 && o.words[y] == 1; };
  expect_allowed("2+2W", {{store(x, 1), store(y, 2)}, {store(y, 1), store(x, 2)}}, both_first);
  expect_forbidden("2+2W, fences", {{store(x, 1), fence, store(y, 2)}, {store(y, 1), fence, store(x, 2)}}, both_first);
}

TEST(Litmus, WriteToReadCausality) {
  const auto lost = [](const Result& o) { return o.r[1][0] == 1 && o.r[2][0] == 1 && o.r[2][1] == 0; };
  expect_allowed("WRC", {{store(x, 1)}, {load(x), store(y, 1)}, {load(y), load(x)}}, lost);
  expect_allowed("WRC, no release", {{store(x, 1)}, {load(x), store(y, 1)}, {acquire(y), load(x)}}, lost);
  expect_forbidden("WRC, release", {{store(x, 1)}, {load(x), release(y, 1)}, {acquire(y), load(x)}}, lost);
  expect_forbidden("WRC, fences", {{store(x, 1)}, {load(x), fence, store(y, 1)}, {load(y), fence, load(x)}}, lost);
}

TEST(Litmus, IndirectMessage) {
  const auto lost = [](const Result& o) { return o.r[1][0] == 1 && o.r[2][0] == 1 && o.r[2][1] == 0; };
  expect_allowed("ISA2", {{store(x, 1), store(y, 1)}, {load(y), store(z, 1)}, {load(z), load(x)}}, lost);
  expect_allowed("ISA2, middle relaxed", {{store(x, 1), release(y, 1)}, {load(y), release(z, 1)}, {acquire(z), load(x)}}, lost);
  expect_forbidden("ISA2, release", {{store(x, 1), release(y, 1)}, {acquire(y), release(z, 1)}, {acquire(z), load(x)}}, lost);
  expect_forbidden("ISA2, fences",
                   {{store(x, 1), fence, store(y, 1)}, {load(y), fence, store(z, 1)}, {load(z), fence, load(x)}}, lost);
}

TEST(Litmus, StoreAgainstLoad) {
  const auto r = [](const Result& o) { return o.words[y] == 2 && o.r[1][0] == 0; };
  expect_allowed("R", {{store(x, 1), store(y, 1)}, {store(y, 2), load(x)}}, r);
  expect_forbidden("R, fences", {{store(x, 1), fence, store(y, 1)}, {store(y, 2), fence, load(x)}}, r);
  const auto s = [](const Result& o) { return o.r[1][0] == 1 && o.words[x] == 2; };
  expect_allowed("S", {{store(x, 2), store(y, 1)}, {load(y), store(x, 1)}}, s);
  expect_forbidden("S, release", {{store(x, 2), release(y, 1)}, {acquire(y), store(x, 1)}}, s);
  expect_forbidden("S, fences", {{store(x, 2), fence, store(y, 1)}, {load(y), fence, store(x, 1)}}, s);
}

TEST(Litmus, BarriersOrder) {
  constexpr Op barrier{};
  const auto lost = [](const Result& o) { return o.r[1][0] == 0; };
  const std::vector<Op> writer{store(x, 1), barrier, barrier, barrier, barrier};
  expect_forbidden("store, barrier, load", {writer, {barrier, load(x), barrier, barrier, barrier}}, lost);
  expect_allowed("load, barrier", {writer, {load(x), barrier, barrier, barrier, barrier}}, lost);
}

constexpr u32 stir_blocks = 3, stir_threads = 32, stirred = 3000;

/// Words of every kind all over global and shared memory. `seen`: what each thread has read, in order.
HW_KERNEL void stir(u32* words, const u32* values, u32* seen) {
  HW_SHARED(u32, mine, 2 * stir_threads);
  HW_SHARED(u32, copied, stir_threads);
  const u32 t = dev::thread(), me = dev::global_thread();
  mine[t] = mine[t + stir_threads] = copied[t] = 0;
  dev::sync_block();
  u32 hash = me;
  for (u32 i = 0; i < 40; ++i) {
    u32* const a = &words[(me * 7 + i * 13) * 17 % stirred];
    u32* const b = &words[(me * 11 + i * 5) * 17 % stirred];
    u32* const s = &mine[(t * 3 + i) % (2 * stir_threads)];
    dev::store(a, me * 64 + i);
    dev::store(s, i);
    hash = hash * 31 + dev::load(b);
    hash = hash * 31 + dev::load(&mine[(t + 5 * i) % (2 * stir_threads)]);
    hash = hash * 31 + dev::peek(a);
    hash = hash * 31 + dev::fetch_add(b, 1u);
    dev::copy_later(&copied[t], &values[(t + i) % stir_threads]);
    hash = hash * 31 + copied[t];  // it may have come or not
    dev::wait_copies();
    if (i % 8 == 7) dev::fence();
  }
  seen[me] = hash;
}

/// Where the three arrays begin in one piece of memory.
struct Places {
  u32 words, values, seen;
};

std::vector<u32> stirred_under(u32 seed, const Places& at) {
  constexpr u32 room = 8000, threads = stir_blocks * stir_threads;
  Device device(*sim_api());
  device.set_schedule({.seed = seed, .interrupt_every = 2, .weak = true});
  Buffer<u32> memory(device, room);
  memory.fill_bytes(0);
  std::vector<u32> values(stir_threads), got(threads);
  for (u32 i = 0; i < stir_threads; ++i) values[i] = i + 1;
  memory.upload(values, at.values);
  launch(device, {{.grid = stir_blocks, .block = stir_threads}}, stir, memory.data() + at.words, memory.data() + at.values,
         memory.data() + at.seen);
  memory.download(got, at.seen);
  return got;
}

// What is remembered, and what comes late, is drawn by the seed and not by addresses.
TEST(Litmus, ASeedRepeatsWhereverMemoryLies) {
  for (u32 seed = 1; seed <= 20; ++seed) {
    const auto right = stirred_under(seed, {.words = 0, .values = 3100, .seen = 3400});
    for (const Places& at : {Places{.words = 600, .values = 0, .seen = 300},
                             {.words = 1338, .values = 206, .seen = 0},
                             {.words = 402, .values = 7004, .seen = 5104}})
      EXPECT_EQ(stirred_under(seed, at), right) << "seed " << seed << ", words at " << at.words;
    EXPECT_NE(stirred_under(seed + 100, {.words = 0, .values = 3100, .seen = 3400}), right) << "another seed, another run";
  }
}

}  // namespace of_litmus_test
}  // namespace hopwave::device

// Is every access of auto's kernels to device memory counted (docs/explain.md)? auto.cu is compiled once more with
// -fsanitize=thread, which calls a function before each plain access. The functions stand here, in place of
// ThreadSanitizer's. While a launch is counted, an access to memory that the device handed out must have been counted
// just before; any other is reported by its line, and the program ends with 1.
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hopwave/device.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"
#include "simulator/words.h"

namespace hopwave::test {
namespace {

/// Memory of a device that is known byte for byte.
class KnownMemory : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes, void*) override {
    void* const p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p) live_[reinterpret_cast<std::uintptr_t>(p)] = bytes;
    return p;
  }
  void deallocate(void* p, std::size_t, void*) noexcept override {
    live_.erase(reinterpret_cast<std::uintptr_t>(p));
    std::free(p);
  }
  [[nodiscard]] bool holds(std::uintptr_t address) const {
    auto at = live_.upper_bound(address);
    return at != live_.begin() && address - (--at)->first < at->second;
  }

 private:
  std::map<std::uintptr_t, std::size_t> live_;
};

const auto memory = std::make_shared<KnownMemory>();
std::set<void*> uncounted;                ///< where
std::uintptr_t last = 0, last_bytes = 0;  ///< what was counted last
bool here = false;

void counted(const void* p, std::size_t bytes) {
  last = reinterpret_cast<std::uintptr_t>(p);
  last_bytes = bytes;
}

void access(const void* p, void* where) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (here || !sim::is_counted() || address - last < last_bytes) return;
  here = true;
  if (memory->holds(address)) uncounted.insert(where);
  here = false;
}

void search(const std::string& graph, const Parameters& parameters, bool prepare, std::vector<VertexId> sources) {
  const Graph g = build_graph(generate(graph), {.make_undirected = graph[0] == 'r'});
  Searcher searcher(g, {.parameters = parameters,
                        .prepare = prepare,
                        .trace = prepare,
                        .counts = true,
                        .run = {.device = DeviceKind::sim, .on = {.memory = memory}}});
  for (const bool parents : {false, true}) searcher.run({.sources = sources, .parents = parents});
}

/// The line of an access, and those that it was inlined into.
std::string lines_of(const char* program, void* where) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), "addr2line -Cfipe '%s' %" PRIxPTR, program,
                reinterpret_cast<std::uintptr_t>(where) - 1);
  std::string lines;
  if (FILE* const pipe = popen(text.data(), "r")) {
    while (std::fgets(text.data(), text.size(), pipe)) lines += text.data();
    pclose(pipe);
  }
  return lines;
}

}  // namespace
}  // namespace hopwave::test

extern "C" {
// The linker's --wrap: the simulator's own are __real_….
void __real__ZN7hopwave3sim7countedEPKvjNS_4v0_112MemoryAccessEbRKNS3_14SourceLocationE(const void*, std::uint32_t,
                                                                                        hopwave::sim::Access, bool,
                                                                                        const hopwave::SourceLocation&);
void __wrap__ZN7hopwave3sim7countedEPKvjNS_4v0_112MemoryAccessEbRKNS3_14SourceLocationE(const void* p, std::uint32_t bytes,
                                                                                        hopwave::sim::Access how, bool changed,
                                                                                        const hopwave::SourceLocation& at) {
  hopwave::test::counted(p, bytes);
  __real__ZN7hopwave3sim7countedEPKvjNS_4v0_112MemoryAccessEbRKNS3_14SourceLocationE(p, bytes, how, changed, at);
}
void __real__ZN7hopwave3sim13counted_writeEPKvjS2_RKNS_4v0_114SourceLocationE(const void*, std::uint32_t, const void*,
                                                                              const hopwave::SourceLocation&);
void __wrap__ZN7hopwave3sim13counted_writeEPKvjS2_RKNS_4v0_114SourceLocationE(const void* p, std::uint32_t bytes,
                                                                              const void* value,
                                                                              const hopwave::SourceLocation& at) {
  hopwave::test::counted(p, bytes);
  __real__ZN7hopwave3sim13counted_writeEPKvjS2_RKNS_4v0_114SourceLocationE(p, bytes, value, at);
}

// What -fsanitize=thread calls. Atomics are the vocabulary's, which counts them.
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) {}
#define HW_PLAIN(name) \
  void __tsan_##name(void* p) { hopwave::test::access(p, __builtin_return_address(0)); }
#define HW_PLAIN_OF(bytes)         \
  HW_PLAIN(read##bytes)            \
  HW_PLAIN(write##bytes)           \
  HW_PLAIN(unaligned_read##bytes)  \
  HW_PLAIN(unaligned_write##bytes) \
  HW_PLAIN(volatile_read##bytes)   \
  HW_PLAIN(volatile_write##bytes)
HW_PLAIN_OF(1)
HW_PLAIN_OF(2)
HW_PLAIN_OF(4)
HW_PLAIN_OF(8)
HW_PLAIN_OF(16)
void __tsan_read_range(void* p, long) { hopwave::test::access(p, __builtin_return_address(0)); }
void __tsan_write_range(void* p, long) { hopwave::test::access(p, __builtin_return_address(0)); }
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  hopwave::test::access(to, __builtin_return_address(0));
  hopwave::test::access(from, __builtin_return_address(0));
  return __builtin_memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  hopwave::test::access(to, __builtin_return_address(0));
  hopwave::test::access(from, __builtin_return_address(0));
  return __builtin_memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int byte, std::size_t bytes) {
  hopwave::test::access(to, __builtin_return_address(0));
  return __builtin_memset(to, byte, bytes);
}
#define HW_ATOMIC(bits, T)                                                                                          \
  T __tsan_atomic##bits##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }           \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }           \
  T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
  T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); } \
  T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); } \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {                    \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }                                                                                                                 \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T v, int, int) {                      \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }
HW_ATOMIC(8, std::uint8_t)
HW_ATOMIC(16, std::uint16_t)
HW_ATOMIC(32, std::uint32_t)
HW_ATOMIC(64, std::uint64_t)
}

int main(int, char** words) {
  using namespace hopwave;
  const auto grid_wide = [](Parameters more) {
    Parameters all{{"shared_memory", 0}, {"single_cluster", 0}, {"high_diameter", 0}};
    all.insert(more.begin(), more.end());
    return all;
  };
  const std::vector<Parameters> all = {{},
                                       {{"shared_memory", 1}},
                                       {{"shared_memory", 2}},
                                       {{"shared_memory", 1}, {"long_row", 3}},
                                       {{"single_cluster", 1}},
                                       {{"single_cluster", 1}, {"cluster", 4}, {"share", 2}},
                                       {{"single_cluster", 1}, {"pull", 10}, {"push", 4}, {"unqueued", 5}, {"single_block", 0}},
                                       {{"high_diameter", 1}},
                                       {{"high_diameter", 1}, {"async", 3}},
                                       {{"high_diameter", 1}, {"queue", 4}},
                                       {{"high_diameter", 1}, {"hops", 2}},
                                       {{"level_launches", 1}},
                                       grid_wide({}),
                                       grid_wide({{"pull", 10}, {"tail", 5}}),
                                       grid_wide({{"pull", 1}, {"push", 3}, {"single_block", 4}, {"cached_parents", 1}}),
                                       grid_wide({{"unqueued", 20}, {"wide_offsets", 1}, {"fast", 0}, {"single_block", 0}}),
                                       grid_wide({{"pull", 1'000'000}, {"unqueued", 1'000'000}, {"single_block", 0}})};
  int searches = 0, refused = 0;
  for (const char* const graph : {"rmat:7,3", "grid:14x14"})
    for (const Parameters& parameters : all)
      for (const bool prepare : {false, true})
        for (const std::vector<VertexId>& sources : {std::vector<VertexId>{0}, {0, 5, 7}}) try {
            test::search(graph, parameters, prepare, sources);
            ++searches;
          } catch (const Error&) {  // this graph does not fit there
            ++refused;
          }
  // A copy that a thread does not wait for is counted when it is asked for. Checks are no work of the kernel.
  int wrong = 0;
  for (void* const where : test::uncounted) {
    const std::string lines = test::lines_of(words[0], where);
    if (lines.find("detail::write<") != std::string::npos || lines.find("bits_set<") != std::string::npos) continue;
    std::printf("not counted: %s", lines.c_str());
    ++wrong;
  }
  std::printf("%d searches, %d refused, %zu places to look at, %d plain accesses that are not counted\n", searches, refused,
              test::uncounted.size(), wrong);
  return wrong || searches < 100 ? 1 : 0;
}

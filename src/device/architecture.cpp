#include "device/architecture.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "hopwave/error.h"

namespace hopwave::device {
namespace {

constexpr std::size_t operator""_KiB(unsigned long long n) { return std::size_t{n} << 10; }
constexpr std::size_t operator""_MiB(unsigned long long n) { return std::size_t{n} << 20; }

// Multiprocessors and second-level cache are those of the GPU that is named; the rest is the architecture's own (CUDA
// programming guide, "Compute capabilities").
constexpr Architecture table[] = {
    {"80", "A100", 8, 0, 108, 2048, 163_KiB, 40_MiB, 1},
    {"86", "RTX A6000", 8, 6, 84, 1536, 99_KiB, 6_MiB, 1},
    {"89", "RTX 4090", 8, 9, 128, 1536, 99_KiB, 72_MiB, 1},
    {"90", "H100", 9, 0, 132, 2048, 227_KiB, 50_MiB, 16},
    {"100", "B200", 10, 0, 148, 2048, 227_KiB, 126_MiB, 16},
    {"120", "RTX 5090", 12, 0, 170, 1536, 99_KiB, 96_MiB, 8},
    {.name = "no-clusters", .gpu = "a device without clusters", .largest_cluster = 1},
    {.name = "no-cooperative", .gpu = "a device without cooperative launches", .cooperative = false},
};

/// The lower one, where there is a limit.
template <class T>
void lower(T& value, T limit) {
  if (limit) value = value ? std::min(value, limit) : limit;
}

std::string& of_process() {
  static std::string name;
  return name;
}

}  // namespace

std::span<const Architecture> architectures() { return table; }

void limit_process(const char* name) { of_process() = name ? name : ""; }

const Architecture* find_architecture(std::string_view name) {
  const bool given = !name.empty();
  if (!given) name = of_process();
  if (name.empty()) return nullptr;
  const auto at = std::find_if(std::begin(table), std::end(table), [&](const Architecture& one) { return one.name == name; });
  if (at != std::end(table)) return at;
  std::string names;
  for (const Architecture& one : table) names += (names.empty() ? "" : ", ") + std::string(one.name);
  throw Error({.failure = Failure::usage,
               .id = "HW-DEVICE-LIMITS",
               .found = (given ? "DeviceOptions::limits_of" : "HOPWAVE_LIMITS_OF") + (" is '" + std::string(name) + "'"),
               .expected = "one of " + names,
               .hint = "docs/architectures.md explains each"});
}

std::string text_of(const Architecture& one) {
  if (!one.compute_major) return std::string(one.gpu);
  return "compute capability " + std::to_string(one.compute_major) + "." + std::to_string(one.compute_minor);
}

void limit(Properties& p, const Architecture& to) {
  p.name += ", limits of " + text_of(to);
  if (to.compute_major) {
    p.compute_major = to.compute_major;
    p.compute_minor = to.compute_minor;
  }
  p.limited = true;
  lower(p.multiprocessors, to.multiprocessors);
  lower(p.shared_per_block, to.shared_per_block);
  lower(p.l2_bytes, to.l2_bytes);
  lower(p.largest_cluster, to.largest_cluster);
  p.clusters = p.clusters && p.largest_cluster > 1;
  p.cooperative = p.cooperative && to.cooperative;
}

int blocks_within(const Architecture& to, int blocks, std::uint32_t block, std::size_t shared_bytes) {
  if (to.threads_per_multiprocessor) blocks = std::min(blocks, to.threads_per_multiprocessor / static_cast<int>(block));
  constexpr std::size_t of_the_system = 1_KiB;  // of each block, in addition to its own
  if (to.shared_per_block && shared_bytes > to.shared_per_block) return 0;
  if (to.shared_per_block)
    blocks = std::min(blocks, static_cast<int>((to.shared_per_block + of_the_system) / (shared_bytes + of_the_system)));
  return blocks;
}

std::string_view beyond(const Properties& p, const LaunchShape& shape) {
  if (shape.shared_bytes > p.shared_per_block) return "more shared memory than a block has";
  if (shape.cooperative && !p.cooperative) return "a cooperative launch";
  if (shape.cluster > 1 && !p.clusters) return "clusters";
  if (shape.cluster > static_cast<std::uint32_t>(p.largest_cluster)) return "clusters of more blocks than there are";
  return {};
}

}  // namespace hopwave::device

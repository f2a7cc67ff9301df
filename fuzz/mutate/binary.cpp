// Mutation of binary formats: whole words, small valid files, and sums made right again.
#include <zlib.h>

#include <cstring>
#include <iterator>
#include <string>

#include "mutate/mutate.h"
#include "mutate/random.h"
#include "plain/plain.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace hopwave::fuzz {
namespace {

constexpr std::uint64_t edges[] = {0,          1,          2,          3,          4,          8,          255,
                                   0x7FFFFFFF, 0x80000000, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF, 1ull << 32, 1ull << 48,
                                   1ull << 62, 1ull << 63, ~0ull,      1000000,    1000100,    2000000};

template <class T>
T word_at(const std::uint8_t* data, std::size_t at) {
  T value;
  std::memcpy(&value, data + at, sizeof value);
  return value;
}

template <class T>
void change_word(std::uint8_t* data, std::size_t size, Random& random) {
  if (size < sizeof(T)) return;
  // Words are aligned to their size from the start, or from the 17 bytes of GAP's header.
  const std::size_t lead = random() % 4 == 0 ? random() % 8 : 0, places = size > lead ? (size - lead) / sizeof(T) : 0;
  if (places == 0) return;
  const std::size_t at = lead + random() % places * sizeof(T), from = lead + random() % places * sizeof(T);
  T value = word_at<T>(data, at);
  const T other = word_at<T>(data, from);
  switch (random() % 4) {
    case 0:
      value = static_cast<T>(edges[random() % std::size(edges)]);
      break;
    case 1:
      value = static_cast<T>(value + (random() % 2 ? 1 : ~T{0}));
      break;
    case 2:
      value = static_cast<T>(random() % 8);
      break;
    default:
      std::memcpy(data + from, &value, sizeof value);
      value = other;
  }
  std::memcpy(data + at, &value, sizeof value);
}

void change(std::uint8_t* data, std::size_t size, Random& random) {
  random() % 2 ? change_word<std::uint32_t>(data, size, random) : change_word<std::uint64_t>(data, size, random);
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Small {
  std::uint64_t vertices, arcs;
  std::string ends, targets;  ///< ends of the rows; targets of `width` bytes, and 4 of weight
};

Small small_graph(Random& random, std::size_t width, bool weighted) {
  Small g{.vertices = random() % 6, .arcs = 0, .ends = {}, .targets = {}};
  for (std::uint64_t v = 0; v < g.vertices; ++v) put<std::uint64_t>(g.ends, g.arcs += random() % 4);
  for (std::uint64_t i = 0; i < g.arcs; ++i) {
    width == 4 ? put<std::uint32_t>(g.targets, random() % g.vertices) : put<std::uint64_t>(g.targets, random() % g.vertices);
    if (weighted) put<std::int32_t>(g.targets, static_cast<std::int32_t>(random()) >> (random() % 32));
  }
  return g;
}

std::string gap_file(Random& random, bool weighted) {
  const bool directed = random() % 2;
  std::string out(1, static_cast<char>(directed));
  const Small g = small_graph(random, 4, weighted);
  put(out, g.arcs), put(out, g.vertices);
  for (int i = 0; i <= directed; ++i) put<std::uint64_t>(out, 0), out += g.ends + g.targets;
  return out;
}

std::string galois_file(Random& random) {
  const std::uint64_t version = 1 + random() % 2, data = std::uint64_t{4} * (random() % 3);
  const Small g = small_graph(random, version == 1 ? 4 : 8, false);
  std::string out;
  put(out, version), put(out, data), put(out, g.vertices), put(out, g.arcs);
  out += g.ends + g.targets;
  if (out.size() % 8 && (data || random() % 2)) put<std::uint32_t>(out, 0);
  for (std::uint64_t i = 0; i < g.arcs * data / 4; ++i) put<std::uint32_t>(out, static_cast<std::uint32_t>(random()));
  return out;
}

template <class Make>
std::size_t mutate_file(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, Make make) {
  Random random(seed);
  if (random() % 2) return mutate_words(data, size, most, random());
  const std::string file = make(random);
  if (most < file.size() + 1) return mutate_words(data, size, most, random());
  data[0] = static_cast<std::uint8_t>(random() % 8);
  std::memcpy(data + 1, file.data(), file.size());
  size = file.size() + 1;
  for (unsigned i = random() % 3; i > 0; --i) change(data + 1, size - 1, random);
  return size;
}

}  // namespace

std::size_t mutate_words(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  if (size < 2 || random() % 2) return LLVMFuzzerMutate(data, size, most);
  if (random() % 8 == 0) data[0] = static_cast<std::uint8_t>(random() % 8);
  for (unsigned i = random() % 3; i < 3; ++i) change(data + 1, size - 1, random);
  return size;
}

std::size_t mutate_gap(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return mutate_file(data, size, most, seed, [](Random& random) { return gap_file(random, false); });
}
std::size_t mutate_gap_weighted(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return mutate_file(data, size, most, seed, [](Random& random) { return gap_file(random, true); });
}
std::size_t mutate_galois(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return mutate_file(data, size, most, seed, galois_file);
}

std::size_t mutate_hwg(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  size = mutate_words(data, size, most, random());
  if (size < 1 + 128 || random() % 8 == 0) return size;
  std::uint8_t* const file = data + 1;
  const std::uint64_t bytes = size - 1;
  std::memcpy(file + 16, &bytes, 8);
  const auto sections = word_at<std::uint32_t>(file, 12);
  if (sections > 64 || 128 + 64 * std::uint64_t{sections} > bytes) return size;
  for (std::uint64_t i = 0; i < sections; ++i) {
    std::uint8_t* const entry = file + 128 + 64 * i;
    const auto at = word_at<std::uint64_t>(entry, 24), length = word_at<std::uint64_t>(entry, 32);
    if (at > bytes || length > bytes - at) continue;
    const std::uint64_t sum = plain::hwg_checksum({reinterpret_cast<const char*>(file) + at, length});
    std::memcpy(entry + 40, &sum, 8);
  }
  std::memset(file + 64, 0, 8);
  const std::uint64_t sum = plain::hwg_checksum({reinterpret_cast<const char*>(file), 128 + 64 * std::size_t{sections}});
  std::memcpy(file + 64, &sum, 8);
  return size;
}

std::size_t mutate_npz(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  size = mutate_words(data, size, most, random());
  if (size < 24 || random() % 8 == 0) return size;
  const std::string_view zip(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (std::size_t at = zip.find("PK\x01\x02"); at != std::string_view::npos && at + 46 <= zip.size();
       at = zip.find("PK\x01\x02", at + 4)) {
    std::uint8_t* const entry = data + 1 + at;
    std::uint64_t length = word_at<std::uint32_t>(entry, 20);
    const std::uint64_t name = word_at<std::uint16_t>(entry, 28), local = word_at<std::uint32_t>(entry, 42);
    if (length == 0xFFFFFFFF && at + 46 + name + 20 <= zip.size()) length = word_at<std::uint64_t>(entry, 46 + name + 12);
    if (word_at<std::uint16_t>(entry, 10) != 0 || local + 30 > zip.size()) continue;
    const std::uint64_t begin =
        local + 30 + word_at<std::uint16_t>(data + 1, local + 26) + word_at<std::uint16_t>(data + 1, local + 28);
    if (begin > zip.size() || length > zip.size() - begin) continue;
    const auto crc = static_cast<std::uint32_t>(crc32(0, data + 1 + begin, static_cast<uInt>(length)));
    std::memcpy(entry + 16, &crc, 4);
  }
  return size;
}

}  // namespace hopwave::fuzz

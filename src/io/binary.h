// What the binary readers share: parallel reading of arrays, and rows of offsets turned into edges.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "hopwave/array.h"
#include "hopwave/edge_list.h"
#include "io/input.h"
#include "io/sink.h"

namespace hopwave::io {

template <class T>
T word_at(std::string_view bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// `count` values from `offset`, by all members.
template <class T>
void read_array(Input& input, std::uint64_t offset, T* to, std::uint64_t count, const char* id) {
  constexpr std::size_t grain = std::size_t{1} << 20;
  parallel_for(input.team(), count, grain, [&](std::size_t begin, std::size_t end, int) {
    input.read_exactly(offset + begin * sizeof(T), to + begin, (end - begin) * sizeof(T), id);
  });
}

/// use(first, chunk, length) for pieces of `count` values from `offset`, on all members, without holding them all.
template <class T, class Use>
void stream_array(Input& input, std::uint64_t offset, std::uint64_t count, const char* id, Use use) {
  constexpr std::size_t grain = std::size_t{1} << 16;
  parallel_for(input.team(), count, grain, [&](std::size_t begin, std::size_t end, int) {
    Array<T> chunk(std::min(end - begin, grain));
    for (; begin < end; begin += grain) {  // a single member gets everything at once
      const std::size_t length = std::min(end - begin, grain);
      input.read_exactly(offset + begin * sizeof(T), chunk.data(), length * sizeof(T), id);
      use(begin, chunk.data(), length);
    }
  });
}

/// offsets has n + 1 values: they must start at 0, never fall and end at `arcs`.
inline void check_offsets(Input& input, std::span<const std::uint64_t> offsets, std::uint64_t arcs, const char* id) {
  bool ok = offsets.front() == 0 && offsets.back() == arcs;
  for (std::size_t i = 1; ok && i < offsets.size(); ++i) ok = offsets[i - 1] <= offsets[i];
  if (!ok)
    input.fail_file(id, "row offsets that fall, or do not span the arcs",
                    "offsets from 0 to " + std::to_string(arcs) + " that never fall");
}

/// Writes each row's number as the source of its edges.
inline void fill_sources(Team& team, std::span<const std::uint64_t> offsets, Array<Edge>& edges) {
  parallel_for(team, offsets.size() - 1, 1 << 14, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v)
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i) edges[i].source = static_cast<VertexId>(v);
  });
}

inline void check_vertex(Input& input, std::uint64_t v, std::uint64_t n, const char* id, std::uint64_t byte) {
  if (v >= n)
    input.fail_file(id, "vertex " + std::to_string(v), "a vertex below " + std::to_string(n),
                    "the file is damaged or not what it seems", byte);
}

template <class T>
void put_words(Sink& out, std::span<const T> words) {
  if (!words.empty()) out.write({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
}
template <class T>
void put_word(Sink& out, T word) {
  out.write({reinterpret_cast<const char*>(&word), sizeof word});
}

}  // namespace hopwave::io

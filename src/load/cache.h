// load: a file, a spec or arrays to a graph, by CPU or device. No format, and no generator.
//
// A cache beside a graph file: the graph as a .hwg, with what ties it to the very bytes that it was made from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hopwave/io.h"
#include "io/hwg.h"

namespace hopwave::load {

/// The cache of one file, read in one way. Not for streams, and not for a file whose vertices another file lists.
class Cache {
 public:
  /// Nothing if `path` is no file that can have a cache.
  static std::optional<Cache> of(const std::string& path, const ReadOptions& read, bool undirected);

  /// "g.txt.cache.hwg", or "g.txt.undirected.cache.hwg".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Its graph, if it was made from the file as it is now, by this version, in this way, and every checksum is right.
  [[nodiscard]] std::optional<io::HwgContent> open(const ReadOptions& read) const;
  /// Why store() must not be tried; empty if the name is free or a cache's, and files can be made there.
  [[nodiscard]] std::string why_not_store() const;
  /// Writes a graph that was read after of() was called, whole or not at all. false: the file has changed since.
  /// Throws as OutputFile does.
  bool store(const Graph& graph, const ReadOptions& read,
             const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress) const;

 private:
  struct Stamp {
    std::uint64_t bytes = 0, device = 0, inode = 0;
    std::int64_t modified[2] = {}, changed[2] = {};  ///< seconds, nanoseconds
    bool operator==(const Stamp&) const = default;
  };
  /// What a cache holds of its file beside the way of reading.
  struct Mark {
    Stamp stamp;
    std::uint64_t settled = 0;  ///< later changes show in the stamp: it was old when reading began
    std::uint64_t checksum = 0;
  };
  static std::optional<Stamp> stamp_of(const std::string& path, unsigned* mode = nullptr, unsigned* owner = nullptr);
  [[nodiscard]] std::optional<std::uint64_t> checksum(int threads) const;

  std::string path_, name_, way_;
  Stamp stamp_;
  bool settled_ = false;
  unsigned mode_ = 0, owner_ = 0;
};

}  // namespace hopwave::load

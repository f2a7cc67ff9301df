// load: makes a graph of a file, a spec or arrays, on a CPU or a device. It contains no format and no generator.
//
// A cache in the folder of a graph file: the graph as a .hwg, with marks that tie it to the bytes from which it was
// made.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hopwave/io.h"
#include "io/hwg.h"

namespace hopwave::load {

/// The cache of one file, read with one set of options. Not for streams, and not for a file whose vertices are listed
/// in another file.
class Cache {
 public:
  /// Returns nothing if `path` is not a file that can have a cache.
  static std::optional<Cache> of(const std::string& path, const ReadOptions& read, bool undirected);

  /// Returns "g.txt.cache.hwg", or "g.txt.undirected.cache.hwg".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns its graph, if this version made it from the current file with the same options, and every checksum is
  /// right.
  [[nodiscard]] std::optional<io::HwgContent> open(const ReadOptions& read) const;
  /// Returns why store() must not be tried; empty if the name is free or that of a cache, and files can be created
  /// there.
  [[nodiscard]] std::string why_not_store() const;
  /// Writes a graph that was read after of() was called, completely or not at all. Returns false if the file has
  /// changed since. Throws the errors of OutputFile.
  bool store(const Graph& graph, const ReadOptions& read, const Progress& progress) const;

 private:
  struct Stamp {
    std::uint64_t bytes = 0, device = 0, inode = 0;
    std::int64_t modified[2] = {}, changed[2] = {};  ///< seconds, nanoseconds
    bool operator==(const Stamp&) const = default;
  };
  /// The data about its file that a cache contains, besides the options of reading.
  struct Mark {
    Stamp stamp;
    std::uint64_t settled = 0;  ///< later changes show in the stamp: the file was old when reading began
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

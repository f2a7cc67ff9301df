// ByteSource: where an input's bytes come from: a file, standard input, a decompressor, memory.
// Files are read with pread rather than mapped: as fast here, and a file that shrinks meanwhile is an error, not a SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace hopwave::io {

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The number of bytes, if reading at any place is possible; nothing for streams.
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  /// Up to `count` bytes from `offset`, fewer only at the end; callable by several threads. Sources with a size only.
  virtual std::size_t read_at(std::uint64_t offset, char* to, std::size_t count);
  /// The next bytes, at least one except at the end (or if count is 0). Streams only.
  virtual std::size_t read(char* to, std::size_t count);
  /// Streams only: read() begins again. False if that cannot be.
  virtual bool rewind() { return false; }
  /// Bytes taken from outside so far (before decompression). unpacked() counts those of a stream.
  [[nodiscard]] virtual std::uint64_t raw_bytes() const { return size().value_or(0); }
  /// The size before decompression, if known: the final value of raw_bytes().
  [[nodiscard]] virtual std::optional<std::uint64_t> raw_size() const { return size(); }

 private:
  std::string name_;
};

/// This many first bytes of a pipe are kept, so that it can be read again from the start.
inline constexpr std::size_t kept_of_stream = std::size_t{64} << 20;

/// A path, or "-" for standard input; .gz and .zst content is unpacked on the way.
/// Errors: HW-IO-OPEN, HW-IO-DIRECTORY, HW-IO-READ.
std::unique_ptr<ByteSource> open_source(const std::string& path);
/// A file's bytes without unpacking. The same errors.
std::unique_ptr<ByteSource> open_file(const std::string& path);
/// Bytes in memory, which must outlive the source; unpacked as well.
std::unique_ptr<ByteSource> memory_source(std::span<const char> bytes, std::string name);
/// A memory source that owns what it reads.
std::unique_ptr<ByteSource> owned_source(std::string bytes, std::string name);

/// If the source begins with the magic of gzip or zstd: its content, unpacked. Otherwise the source itself.
/// Errors while reading: HW-GZIP-DATA, HW-GZIP-TRUNCATED, HW-ZSTD-DATA, HW-ZSTD-TRUNCATED, HW-GZIP-UNSUPPORTED,
/// HW-ZSTD-UNSUPPORTED.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> inner);

}  // namespace hopwave::io

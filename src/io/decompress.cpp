// .gz (any number of members) and .zst (any number of frames) as streams: bounded memory, whatever the file promises.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "hopwave/error.h"
#include "io/byte_source.h"

#ifdef HOPWAVE_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef HOPWAVE_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

namespace hopwave::io {
namespace {

constexpr std::size_t input_bytes = std::size_t{1} << 18;

/// Packed bytes in order, from a stream or from a source with a size; `first` has been read from it already.
class PackedInput {
 public:
  PackedInput(std::unique_ptr<ByteSource> inner, std::string first) : inner_(std::move(inner)), buffer_(std::move(first)) {
    total_ = buffer_.size();
  }
  /// Unread bytes; empty at the end.
  [[nodiscard]] std::span<const char> peek() {
    if (begin_ == buffer_.size()) {
      buffer_.resize(input_bytes);
      const std::size_t got =
          inner_->size() ? inner_->read_at(total_, buffer_.data(), input_bytes) : inner_->read(buffer_.data(), input_bytes);
      buffer_.resize(got);
      begin_ = 0;
      total_ += got;
    }
    return {buffer_.data() + begin_, buffer_.size() - begin_};
  }
  void take(std::size_t count) { begin_ += count; }
  bool rewind() {
    if (!inner_->size() && !inner_->rewind()) return false;
    buffer_.clear();
    begin_ = total_ = 0;
    return true;
  }
  [[nodiscard]] std::uint64_t taken() const { return total_ - (buffer_.size() - begin_); }
  [[nodiscard]] const ByteSource& inner() const { return *inner_; }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint64_t total_ = 0;
};

class PackedSource : public ByteSource {
 public:
  explicit PackedSource(PackedInput input) : ByteSource(input.inner().name()), input_(std::move(input)) {}
  [[nodiscard]] std::uint64_t raw_bytes() const override { return input_.taken(); }
  [[nodiscard]] std::optional<std::uint64_t> raw_size() const override { return input_.inner().raw_size(); }

 protected:
  [[noreturn]] void fail(const char* id, const std::string& found, const char* expected) {
    throw Error({.id = id,
                 .where = {.file = name(), .byte = input_.taken()},
                 .found = found,
                 .expected = expected,
                 .hint = "the file is damaged: fetch or make it again"});
  }
  PackedInput input_;
};

/// Not packed: only hands out again what was read to look for a magic.
class PlainStream final : public PackedSource {
 public:
  using PackedSource::PackedSource;
  std::size_t read(char* to, std::size_t count) override {
    const auto bytes = input_.peek();
    count = std::min(count, bytes.size());
    if (count) std::memcpy(to, bytes.data(), count);
    input_.take(count);
    return count;
  }
  bool rewind() override { return input_.rewind(); }
};

#ifdef HOPWAVE_WITH_ZLIB
class GzipSource final : public PackedSource {
 public:
  explicit GzipSource(PackedInput input) : PackedSource(std::move(input)) {
    if (inflateInit2(&state_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&state_); }

  std::size_t read(char* to, std::size_t count) override {
    while (!ended_) {
      const auto bytes = input_.peek();
      if (bytes.empty()) {
        if (!between_members_)
          fail("HW-GZIP-TRUNCATED", "the end of the file in the middle of a gzip member", "the rest of it");
        ended_ = true;
        break;
      }
      if (between_members_ && !next_member(bytes)) continue;
      const std::size_t made = inflate_some(bytes, to, count);
      if (made) return made;
    }
    return 0;
  }
  bool rewind() override {
    first_ = between_members_ = true;
    ended_ = false;
    inflateReset(&state_);
    return input_.rewind();
  }

 private:
  /// Between members: zero padding may follow (as gzip itself allows), anything else must be a member.
  bool next_member(std::span<const char> bytes) {
    if (first_) return true;
    if (bytes[0] == '\0') {
      input_.take(1);
      return false;
    }
    inflateReset(&state_);
    return true;
  }

  std::size_t inflate_some(std::span<const char> bytes, char* to, std::size_t count) {
    first_ = between_members_ = false;
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state_.avail_in = static_cast<uInt>(bytes.size());
    state_.next_out = reinterpret_cast<Bytef*>(to);
    state_.avail_out = static_cast<uInt>(std::min<std::size_t>(count, 1u << 30));
    const uInt room = state_.avail_out;
    const int result = inflate(&state_, Z_NO_FLUSH);
    input_.take(bytes.size() - state_.avail_in);
    if (result == Z_STREAM_END)
      between_members_ = true;
    else if (result == Z_MEM_ERROR)
      throw std::bad_alloc();
    else if (result != Z_OK)  // Z_BUF_ERROR is among them: with bytes and room there is always progress
      fail("HW-GZIP-DATA", state_.msg ? std::string("gzip data with ") + state_.msg : std::string("damaged gzip data"),
           "an intact member");
    return room - state_.avail_out;
  }

  z_stream state_{};
  bool first_ = true, between_members_ = true, ended_ = false;
};
#endif

#ifdef HOPWAVE_WITH_ZSTD
class ZstdSource final : public PackedSource {
 public:
  explicit ZstdSource(PackedInput input) : PackedSource(std::move(input)), state_(ZSTD_createDStream()) {
    if (!state_) throw std::bad_alloc();
    // A frame may ask for a window of gigabytes before its first byte; 128 MiB is what `zstd -d` itself takes.
    ZSTD_DCtx_setParameter(state_.get(), ZSTD_d_windowLogMax, 27);
  }

  std::size_t read(char* to, std::size_t count) override {
    for (;;) {
      const auto bytes = input_.peek();
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      ZSTD_outBuffer out{to, count, 0};
      if (bytes.empty() && !inside_) return 0;
      const std::size_t result = ZSTD_decompressStream(state_.get(), &out, &in);
      if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(result)) fail("HW-ZSTD-DATA", std::string("zstd data: ") + ZSTD_getErrorName(result), "an intact frame");
      input_.take(in.pos);
      inside_ = result != 0;
      if (out.pos) return out.pos;
      if (bytes.empty() && inside_)
        fail("HW-ZSTD-TRUNCATED", "the end of the file in the middle of a zstd frame", "the rest of it");
    }
  }
  bool rewind() override {
    ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only);
    inside_ = false;
    return input_.rewind();
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* s) const { ZSTD_freeDStream(s); }
  };
  std::unique_ptr<ZSTD_DStream, Free> state_;
  bool inside_ = false;
};
#endif

#if !defined(HOPWAVE_WITH_ZLIB) || !defined(HOPWAVE_WITH_ZSTD)
[[noreturn]] void unsupported(const char* id, const std::string& name, const char* what) {
  throw Error({.id = id,
               .where = {.file = name},
               .found = std::string(what) + " data, which this build cannot unpack",
               .expected = "",
               .hint = std::string("unpack it first, or build with the ") + what + " library"});
}
#endif

std::string first_bytes(ByteSource& source, std::size_t count) {
  std::string first(count, '\0');
  std::size_t have = 0;
  if (source.size()) {
    have = source.read_at(0, first.data(), count);
  } else {
    while (have < count) {
      const std::size_t got = source.read(first.data() + have, count - have);
      if (got == 0) break;
      have += got;
    }
  }
  first.resize(have);
  return first;
}

}  // namespace

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> inner) {
  std::string first = first_bytes(*inner, 4);
  const auto byte = [&](std::size_t i) { return i < first.size() ? static_cast<unsigned char>(first[i]) : 0u; };
  if (byte(0) == 0x1f && byte(1) == 0x8b) {
#ifdef HOPWAVE_WITH_ZLIB
    return std::make_unique<GzipSource>(PackedInput(std::move(inner), std::move(first)));
#else
    unsupported("HW-GZIP-UNSUPPORTED", inner->name(), "zlib");
#endif
  }
  const bool skippable = (byte(0) & 0xf0) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18;
  if ((byte(0) == 0x28 && byte(1) == 0xb5 && byte(2) == 0x2f && byte(3) == 0xfd) || skippable) {
#ifdef HOPWAVE_WITH_ZSTD
    return std::make_unique<ZstdSource>(PackedInput(std::move(inner), std::move(first)));
#else
    unsupported("HW-ZSTD-UNSUPPORTED", inner->name(), "zstd");
#endif
  }
  if (inner->size()) return inner;
  return std::make_unique<PlainStream>(PackedInput(std::move(inner), std::move(first)));
}

}  // namespace hopwave::io

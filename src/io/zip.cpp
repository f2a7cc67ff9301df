// ZIP members and directory (PKWARE's APPNOTE 6.3), read and written without holding them in memory.
#include "io/zip.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/refuse.h"
#include "io/binary.h"

#ifdef HOPWAVE_WITH_ZLIB
#include <zlib.h>
#endif

namespace hopwave::io {
namespace {

constexpr std::uint32_t local_magic = 0x04034b50, central_magic = 0x02014b50, end_magic = 0x06054b50, end64_magic = 0x06064b50,
                        locator_magic = 0x07064b50;
constexpr std::uint64_t in_extra = 0xFFFFFFFF;

[[noreturn]] void damaged(const Input& input, const std::string& found, const std::string& expected) {
  input.fail_file("HW-NPZ-ZIP", found, expected, "the archive is damaged or cut off");
}

std::string bytes_at(Input& input, std::uint64_t offset, std::uint64_t count) {
  const std::uint64_t size = *input.size();
  if (offset > size || count > size - offset) damaged(input, "a part outside the file", "parts inside it");
  std::string bytes(count, '\0');
  input.read_exactly(offset, bytes.data(), bytes.size(), "HW-NPZ-ZIP");
  return bytes;
}

/// Sizes and place that did not fit into 32 bits are in the extra field 1, in this order.
void read_zip64(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const auto kind = word_at<std::uint16_t>(extra, 0);
    const std::size_t length = std::min<std::size_t>(word_at<std::uint16_t>(extra, 2), extra.size() - 4);
    if (kind == 1) {
      std::string_view field = extra.substr(4, length);
      for (std::uint64_t* value : {&member.size, &member.packed, &member.header_at})
        if (*value == in_extra && field.size() >= 8) {
          *value = word_at<std::uint64_t>(field, 0);
          field.remove_prefix(8);
        }
    }
    extra.remove_prefix(4 + length);
  }
}

struct Directory {
  std::uint64_t at = 0, bytes = 0, members = 0;
};

Directory find_directory(Input& input) {
  const std::uint64_t size = *input.size();
  const std::uint64_t tail_bytes = std::min<std::uint64_t>(size, 65557);
  const std::string tail = bytes_at(input, size - tail_bytes, tail_bytes);
  for (std::size_t i = tail.size() >= 22 ? tail.size() - 22 + 1 : 0; i-- > 0;) {
    if (word_at<std::uint32_t>(tail, i) != end_magic) continue;
    Directory d{.at = word_at<std::uint32_t>(tail, i + 16),
                .bytes = word_at<std::uint32_t>(tail, i + 12),
                .members = word_at<std::uint16_t>(tail, i + 10)};
    if (i >= 20 && word_at<std::uint32_t>(tail, i - 20) == locator_magic &&
        (d.at == in_extra || d.bytes == in_extra || d.members == 0xFFFF)) {
      const std::string end64 = bytes_at(input, word_at<std::uint64_t>(tail, i - 12), 56);
      if (word_at<std::uint32_t>(end64, 0) != end64_magic) damaged(input, "no ZIP64 end record where its locator says", "one");
      d = {.at = word_at<std::uint64_t>(end64, 48),
           .bytes = word_at<std::uint64_t>(end64, 40),
           .members = word_at<std::uint64_t>(end64, 32)};
    }
    return d;
  }
  damaged(input, "no ZIP directory at the end", "one");
}

}  // namespace

std::vector<ZipMember> zip_directory(Input& input) {
  const Directory directory = find_directory(input);
  if (directory.bytes > (1u << 20))
    damaged(input, "a ZIP directory of " + std::to_string(directory.bytes) + " bytes", "a few members");
  const std::string text = bytes_at(input, directory.at, directory.bytes);
  std::vector<ZipMember> members;
  for (std::size_t at = 0; members.size() < directory.members;) {
    if (at + 46 > text.size() || word_at<std::uint32_t>(text, at) != central_magic)
      damaged(input, "a ZIP directory that breaks off", "an entry");
    const std::size_t name = word_at<std::uint16_t>(text, at + 28), extra = word_at<std::uint16_t>(text, at + 30),
                      comment = word_at<std::uint16_t>(text, at + 32);
    if (at + 46 + name + extra > text.size()) damaged(input, "a ZIP directory that breaks off", "an entry");
    ZipMember member{.name = text.substr(at + 46, name),
                     .method = word_at<std::uint16_t>(text, at + 10),
                     .crc = word_at<std::uint32_t>(text, at + 16),
                     .packed = word_at<std::uint32_t>(text, at + 20),
                     .size = word_at<std::uint32_t>(text, at + 24),
                     .header_at = word_at<std::uint32_t>(text, at + 42)};
    if (word_at<std::uint16_t>(text, at + 8) & 1) damaged(input, "an encrypted member", "a plain one");
    read_zip64(std::string_view(text).substr(at + 46 + name, extra), member);
    members.push_back(std::move(member));
    at += 46 + name + extra + comment;
  }
  return members;
}

#ifdef HOPWAVE_WITH_ZLIB

struct ZipReader::State {
  Input& input;
  const ZipMember& member;
  std::uint64_t at = 0, packed_left = 0, left = 0;
  uLong crc = crc32(0, nullptr, 0);
  std::string buffer;
  z_stream stream{};
  bool inflating = false;

  void refill() {
    const std::size_t some = static_cast<std::size_t>(std::min<std::uint64_t>(packed_left, 1u << 18));
    if (some == 0) damaged(input, "the member " + member.name + " ends early", std::to_string(left) + " more bytes");
    buffer.resize(some);
    input.read_exactly(at, buffer.data(), some, "HW-NPZ-ZIP");
    at += some;
    packed_left -= some;
    stream.next_in = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_in = static_cast<uInt>(some);
  }

  void inflate_into(char* to, std::size_t count) {
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = static_cast<uInt>(count);
    while (stream.avail_out) {
      if (stream.avail_in == 0) refill();
      const int result = ::inflate(&stream, Z_NO_FLUSH);
      if (result == Z_STREAM_END && stream.avail_out)
        damaged(input, "the member " + member.name + " ends early", std::to_string(stream.avail_out) + " more bytes");
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result != Z_OK && result != Z_STREAM_END)  // with bytes and room there is always progress
        damaged(input, "damaged data in " + member.name, "deflated bytes");
    }
  }
};

ZipReader::ZipReader(Input& input, const ZipMember& member)
    : state_(new State{.input = input, .member = member, .buffer = {}, .stream = {}}) {
  const std::string local = bytes_at(input, member.header_at, 30);
  if (word_at<std::uint32_t>(local, 0) != local_magic)
    damaged(input, "no member where the directory says", "the member " + member.name);
  State& s = *state_;
  s.at = member.header_at + 30 + word_at<std::uint16_t>(local, 26) + word_at<std::uint16_t>(local, 28);
  s.packed_left = member.packed;
  s.left = member.size;
  if (s.at > *input.size() || s.packed_left > *input.size() - s.at)
    damaged(input, "the member " + member.name + " reaches beyond the file", "its end inside");
  if (member.method != 0 && member.method != 8)
    input.fail_file("HW-NPZ-ZIP", "the compression method " + std::to_string(member.method) + " in " + member.name,
                    "stored or deflated", "write it with scipy.sparse.save_npz");
  if (member.method == 0 && member.packed != member.size) damaged(input, "a stored member of two sizes", "one");
  if (member.method == 8) {
    if (inflateInit2(&s.stream, -15) != Z_OK) throw std::bad_alloc();
    s.inflating = true;
  }
}

ZipReader::~ZipReader() {
  if (state_->inflating) inflateEnd(&state_->stream);
}

void ZipReader::read(void* to, std::size_t count) {
  State& s = *state_;
  auto* bytes = static_cast<char*>(to);
  if (count > s.left)
    damaged(s.input, "the member " + s.member.name + " ends early", std::to_string(count - s.left) + " more bytes");
  s.left -= count;
  while (count) {
    const std::size_t some = std::min<std::size_t>(count, 1u << 20);
    if (s.inflating) {
      s.inflate_into(bytes, some);
    } else {
      s.input.read_exactly(s.at, bytes, some, "HW-NPZ-ZIP");
      s.at += some;
    }
    s.crc = crc32(s.crc, reinterpret_cast<const Bytef*>(bytes), static_cast<uInt>(some));
    bytes += some;
    count -= some;
  }
}

void ZipReader::finish() {
  if (state_->crc != state_->member.crc)
    damaged(state_->input, "a checksum that does not match in " + state_->member.name, "intact data");
}

void ZipWriter::member(const std::string& name, const std::function<void(const Put&)>& bytes) {
  ZipMember m{.name = name, .header_at = at_};
  uLong crc = crc32(0, nullptr, 0);
  bytes([&](std::string_view piece) {
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    m.size += piece.size();
  });
  m.crc = static_cast<std::uint32_t>(crc);
  m.packed = m.size;
  Lines header;  // the sizes are in a ZIP64 field, whatever they are, as NumPy does it
  const auto word = [&](auto value) { header.put(std::string_view(reinterpret_cast<const char*>(&value), sizeof value)); };
  word(local_magic), word(std::uint16_t{45}), word(std::uint16_t{0}), word(std::uint16_t{0}), word(std::uint32_t{0x00210000});
  word(m.crc), word(std::uint32_t{0xFFFFFFFF}), word(std::uint32_t{0xFFFFFFFF});
  word(static_cast<std::uint16_t>(name.size())), word(std::uint16_t{20});
  header.put(name);
  word(std::uint16_t{1}), word(std::uint16_t{16}), word(m.size), word(m.packed);
  out_.write(header.text());
  bytes([&](std::string_view piece) { out_.write(piece); });
  at_ += header.text().size() + m.size;
  members_.push_back(std::move(m));
}

void ZipWriter::finish() {
  Lines text;
  const auto word = [&](auto value) { text.put(std::string_view(reinterpret_cast<const char*>(&value), sizeof value)); };
  for (const ZipMember& m : members_) {
    word(central_magic), word(std::uint16_t{45}), word(std::uint16_t{45}), word(std::uint16_t{0}), word(std::uint16_t{0});
    word(std::uint32_t{0x00210000}), word(m.crc), word(std::uint32_t{0xFFFFFFFF}), word(std::uint32_t{0xFFFFFFFF});
    word(static_cast<std::uint16_t>(m.name.size())), word(std::uint16_t{28}), word(std::uint16_t{0}), word(std::uint16_t{0});
    word(std::uint16_t{0}), word(std::uint32_t{0}), word(std::uint32_t{0xFFFFFFFF});
    text.put(m.name);
    word(std::uint16_t{1}), word(std::uint16_t{24}), word(m.size), word(m.packed), word(m.header_at);
  }
  const std::uint64_t bytes = text.text().size(), count = members_.size();
  word(end64_magic), word(std::uint64_t{44}), word(std::uint16_t{45}), word(std::uint16_t{45}), word(std::uint32_t{0}),
      word(std::uint32_t{0});
  word(count), word(count), word(bytes), word(at_);
  word(locator_magic), word(std::uint32_t{0}), word(at_ + bytes), word(std::uint32_t{1});
  word(end_magic), word(std::uint16_t{0}), word(std::uint16_t{0}), word(static_cast<std::uint16_t>(count)),
      word(static_cast<std::uint16_t>(count));
  word(static_cast<std::uint32_t>(bytes)), word(std::uint32_t{0xFFFFFFFF}), word(std::uint16_t{0});
  out_.write(text.text());
}

#else

struct ZipReader::State {};
ZipReader::ZipReader(Input& input, const ZipMember&) {
  input.fail_file("HW-NPZ-UNSUPPORTED", ".npz, which this build cannot unpack", "", "build with the zlib library");
}
ZipReader::~ZipReader() = default;
void ZipReader::read(void*, std::size_t) {}
void ZipReader::finish() {}
void ZipWriter::member(const std::string&, const std::function<void(const Put&)>&) {
  core::refuse("HW-FORMAT-WRITE", "this build cannot write .npz", "", "build with the zlib library");
}
void ZipWriter::finish() {}

#endif

}  // namespace hopwave::io

// The error travels as a few numbers and texts; only where there is one.
#include "bfs/distributed/agree.h"

#include <new>
#include <string>

namespace hopwave::ranks {
namespace {

class Packer {
 public:
  void put(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(number >> (8 * i)));
  }
  void put(const std::string& text) {
    put(text.size());
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  std::vector<char> bytes;
};

class Unpacker {
 public:
  explicit Unpacker(const std::vector<char>& bytes) : bytes_(bytes) {}
  std::uint64_t number() {
    std::uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number |= std::uint64_t{static_cast<unsigned char>(bytes_.at(at_++))} << (8 * i);
    return number;
  }
  std::string text() {
    const std::size_t size = number();
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += bytes_.at(at_++);
    return text;
  }

 private:
  const std::vector<char>& bytes_;
  std::size_t at_ = 0;
};

std::vector<char> pack(const Error::Parts& parts) {
  Packer to;
  to.put(static_cast<std::uint64_t>(parts.failure));
  to.put(parts.id);
  to.put(parts.where.file);
  to.put(parts.where.line);
  to.put(parts.where.column);
  to.put(parts.where.byte);
  for (const std::string* text : {&parts.found, &parts.expected, &parts.hint}) to.put(*text);
  return std::move(to.bytes);
}

Error::Parts unpack(const std::vector<char>& bytes) {
  Unpacker from(bytes);
  Error::Parts parts;
  parts.failure = static_cast<Failure>(from.number());
  parts.id = from.text();
  parts.where.file = from.text();
  parts.where.line = from.number();
  parts.where.column = from.number();
  parts.where.byte = from.number();
  parts.found = from.text();
  parts.expected = from.text();
  parts.hint = from.text();
  return parts;
}

Error no_memory() {
  return Error({.failure = Failure::does_not_fit, .id = "HW-MEMORY", .found = "the system has no more memory"});
}

}  // namespace

void agree(Transport& transport, const std::function<void()>& work) {
  std::optional<Error> mine;
  try {
    work();
  } catch (const Error& error) {
    mine = error;
  } catch (const std::bad_alloc&) {
    mine = no_memory();
  }
  agree_on(transport, mine);
}

void agree_on(Transport& transport, const std::optional<Error>& mine) {
  const auto size = static_cast<std::uint64_t>(transport.size());
  const auto rank = static_cast<std::uint64_t>(transport.rank());
  const std::uint64_t failed = transport.all_reduce(mine ? rank : size, Reduce::min);
  if (failed == size) return;
  std::vector<char> bytes = rank == failed ? pack(mine->parts()) : std::vector<char>{};
  transport.broadcast(static_cast<int>(failed), bytes);
  Error::Parts parts = unpack(bytes);
  if (failed > 0) parts.found = "rank " + std::to_string(failed) + ": " + parts.found;
  throw AgreedError(static_cast<int>(failed), std::move(parts));
}

}  // namespace hopwave::ranks

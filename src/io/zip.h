// Just enough of ZIP for .npz: the directory, stored and deflated members, ZIP64; checked sizes and CRC.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/input.h"
#include "io/sink.h"

namespace hopwave::io {

struct ZipMember {
  std::string name;
  int method = 0;  ///< 0 stored, 8 deflated
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0, header_at = 0;
};

/// The directory of an input that is loaded or a file. Errors: HW-NPZ-ZIP.
std::vector<ZipMember> zip_directory(Input& input);

/// A member's bytes in order. Errors: HW-NPZ-ZIP (damaged, cut off, CRC, size that lies).
class ZipReader {
 public:
  ZipReader(Input& input, const ZipMember& member);
  ~ZipReader();
  /// Exactly `count` bytes.
  void read(void* to, std::size_t count);
  /// After the last byte: checks that nothing is left, and the CRC.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes stored members and the directory.
class ZipWriter {
 public:
  explicit ZipWriter(Sink& out) : out_(out) {}
  /// `bytes(put)` hands over the content piece by piece; it is called twice, since the CRC comes first.
  using Put = std::function<void(std::string_view)>;
  void member(const std::string& name, const std::function<void(const Put&)>& bytes);
  void finish();

 private:
  Sink& out_;
  std::uint64_t at_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace hopwave::io

// HwgSlices: a .hwg of which each of several processes reads its part, by pread into its own memory. The file's checksums
// cover every byte that a process uses, and all processes compute them together: each reads whole pieces of 1 MiB, and the one
// that gathers all sums compares them. Each may read a copy of its own on its own machine, so a piece that two of them read is
// summed up by both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "io/hwg_head.h"

namespace hopwave::io {

class HwgSlices {
 public:
  /// Reads header and table. Throws HW-IO-OPEN, HW-IO-READ, and those of parse_hwg_head().
  explicit HwgSlices(std::string path);
  ~HwgSlices();
  HwgSlices(const HwgSlices&) = delete;
  HwgSlices& operator=(const HwgSlices&) = delete;

  [[nodiscard]] const hwg::Header& header() const noexcept { return head_.header; }
  [[nodiscard]] bool has(std::string_view section) const { return head_.find(section) != nullptr; }

  /// How many arcs are not in the rows.
  [[nodiscard]] std::uint64_t extra_arcs() const noexcept;

  /// Value `v` of section "out.offsets", not checked; at most all arcs.
  [[nodiscard]] EdgeIndex arcs_before(VertexId v) const;

  /// The checksums of the pieces that a part of a section lies in: of those that begin in it, in order, and of others, which
  /// another process has among its own.
  struct Sums {
    struct Other {
      std::uint64_t piece, sum;
    };
    std::vector<std::uint64_t> own = {};
    std::vector<Other> others = {};
  };
  template <class T>
  struct Part {
    Array<T> values = {};
    Sums sums = {};
  };
  /// Values [begin, end) of a section of `count`, and `also` more after them, whose pieces another process sums up. Together
  /// all processes take each value once. The values are not checked. Throws HW-HWG-SECTION, HW-IO-READ, HW-IO-CHANGED.
  [[nodiscard]] Part<EdgeIndex> offsets(const std::string& section, EdgeIndex begin, EdgeIndex end, EdgeIndex also) const;
  [[nodiscard]] Part<VertexId> neighbors(const std::string& section, EdgeIndex begin, EdgeIndex end) const;
  /// Throws HW-HWG-CHECKSUM unless these sums of all pieces are the section's, and `others` are among them.
  void check(const std::string& section, const std::vector<std::uint64_t>& sums, const std::vector<Sums::Other>& others) const;

  /// The vertices' ids, and what the file states of its making: whole, with their own checks.
  [[nodiscard]] Ids ids() const;
  [[nodiscard]] HwgHistory history() const;
  [[nodiscard]] const std::string& name() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return head_.header.file_bytes; }

 private:
  [[nodiscard]] const hwg::Section& section(const std::string& name, std::uint64_t bytes) const;
  void read(std::uint64_t offset, std::uint64_t bytes, char* to) const;
  template <class T>
  [[nodiscard]] Part<T> part(const hwg::Section& section, std::uint64_t begin, std::uint64_t end, std::uint64_t also) const;
  template <class T>
  [[nodiscard]] Array<T> whole(const std::string& name, std::uint64_t count) const;

  std::string path_;
  int fd_ = -1;
  HwgHead head_;
};

}  // namespace hopwave::io

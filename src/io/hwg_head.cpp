#include "io/hwg_head.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "core/checksum.h"
#include "io/hwg.h"
#include "io/hwg_bytes.h"

namespace hopwave::io {
namespace {

class Parser {
 public:
  Parser(const std::string& name, std::span<const char> bytes, std::uint64_t file_bytes)
      : name_(name), bytes_(bytes), file_bytes_(file_bytes) {}

  HwgHead parse() {
    read_header();
    read_table();
    check_places();
    return std::move(head_);
  }

 private:
  void read_header() {
    hwg::Header& header = head_.header;
    if (bytes_.size() < sizeof header)
      fail_hwg(name_, "HW-HWG-SIZE", "a file of " + std::to_string(file_bytes_) + " bytes", "a header of 128");
    std::memcpy(&header, bytes_.data(), sizeof header);
    if (std::string_view(header.magic, 8) != hwg_magic) fail_hwg(name_, "HW-HWG-HEADER", "no .hwg", "its first eight bytes");
    if (header.version < hwg::plain_version || header.version > hwg::version)
      fail_hwg(name_, "HW-HWG-VERSION", "version " + std::to_string(header.version),
               "a version up to " + std::to_string(hwg::version));
    size_ = sizeof header + header.sections * sizeof(hwg::Section);
    if (header.sections > hwg::max_sections || size_ > bytes_.size())
      fail_hwg(name_, "HW-HWG-SIZE", "a table of " + std::to_string(header.sections) + " sections", "one inside the file");
    std::string copy(bytes_.data(), size_);
    std::memset(copy.data() + offsetof(hwg::Header, checksum), 0, 8);
    Team alone(1);
    if (core::checksum(copy, alone) != header.checksum)
      fail_hwg(name_, "HW-HWG-CHECKSUM", "a header that does not match its checksum", "an intact file");
    if (header.file_bytes != file_bytes_)
      fail_hwg(name_, "HW-HWG-SIZE", "a file of " + std::to_string(file_bytes_) + " bytes", std::to_string(header.file_bytes));
    check_sense();
  }

  void check_sense() const {
    const hwg::Header& header = head_.header;
    const bool consecutive = header.ids_kind == static_cast<std::uint32_t>(Ids::Kind::consecutive);
    const bool first_ok =
        !consecutive || (header.ids_first > -(std::int64_t{1} << 62) && header.ids_first < (std::int64_t{1} << 62));
    if (header.vertices > max_vertices || header.directed > 1 || header.ids_kind > 2 || !first_ok ||
        (header.default_source != hwg::no_source && header.default_source >= header.vertices))
      fail_hwg(name_, "HW-HWG-HEADER", "a header that makes no sense", "one that this version writes");
  }

  void read_table() {
    std::vector<hwg::Section>& table = head_.table;
    table.resize(head_.header.sections);
    if (!table.empty()) std::memcpy(table.data(), bytes_.data() + sizeof(hwg::Header), table.size() * sizeof(hwg::Section));
    for (hwg::Section& s : table) {
      if (s.name[sizeof s.name - 1] || s.offset % hwg::alignment || s.offset > file_bytes_ || s.bytes > file_bytes_ - s.offset)
        fail_hwg(name_, "HW-HWG-SECTION", "a section that lies outside the file or is not aligned", "sections inside it");
      for (const hwg::Section& other : table)
        if (&other != &s && std::strcmp(other.name, s.name) == 0)
          fail_hwg(name_, "HW-HWG-SECTION", std::string("two sections ") + s.name, "one");
    }
  }

  /// Each section has its bytes for itself: the checks know a section's kind by its place.
  void check_places() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  // begin, end
    for (const hwg::Section& s : head_.table)
      if (s.bytes) places.emplace_back(s.offset, s.offset + s.bytes);
    std::sort(places.begin(), places.end());
    std::uint64_t free_from = size_;
    for (const auto& [begin, end] : places) {
      if (begin < free_from)
        fail_hwg(name_, "HW-HWG-SECTION", "a section that overlaps another or the table", "each with its own bytes", begin);
      free_from = end;
    }
  }

  const std::string& name_;
  const std::span<const char> bytes_;
  const std::uint64_t file_bytes_;
  std::uint64_t size_ = 0;  // of header and table
  HwgHead head_;
};

}  // namespace

const hwg::Section* HwgHead::find(std::string_view name) const {
  for (const hwg::Section& s : table)
    if (name == s.name) return &s;
  return nullptr;
}

HwgHead parse_hwg_head(const std::string& name, std::span<const char> bytes, std::uint64_t file_bytes) {
  return Parser(name, bytes, file_bytes).parse();
}

HwgHistory parse_hwg_history(std::string_view text) {
  HwgHistory past;
  BuildReport& build = past.build;
  BuildReport& parted = past.parted;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string_view key = line.substr(0, tab), value = line.substr(std::min(tab + 1, line.size()));
    std::uint64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    if (key == "format" && !value.empty()) past.details = "made from " + std::string(value);
    if (key == "details" && !value.empty()) past.details += ", " + std::string(value);
    if (key == "repair" && !value.empty()) past.repairs.emplace_back(value);
    if (key == "weights_rounded") past.weights_rounded = number;
    if (key == "arcs_in") build.arcs_in = number;
    if (key == "duplicates") build.duplicates = number;
    if (key == "self_loops") build.self_loops = number;
    if (key == "extra_duplicates") parted.duplicates = number;
    if (key == "extra_self_loops") parted.self_loops = number;
    if (key == "duplicates_kept") build.duplicates_kept = number != 0;
    if (key == "self_loops_kept") build.self_loops_kept = number != 0;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  parted.arcs_in = build.arcs_in;  // what searches drop is dropped already
  if (!build.duplicates_kept) parted.duplicates += build.duplicates;
  if (!build.self_loops_kept) parted.self_loops += build.self_loops;
  return past;
}

}  // namespace hopwave::io

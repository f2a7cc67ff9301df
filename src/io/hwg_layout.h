// The bytes of a .hwg: header, table of sections, sections. Only its reader and its writer use it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "hopwave/weights.h"

namespace hopwave::io::hwg {

// A file has the lowest version that allows its content, so that earlier programs open it or refuse it.
inline constexpr std::uint32_t plain_version = 1;
inline constexpr std::uint32_t extra_version = 2;  ///< with arcs next to the rows
inline constexpr std::uint32_t typed_version = 3;  ///< with weights other than 32-bit floats; perhaps with such arcs
inline constexpr std::uint32_t version = typed_version;
inline constexpr std::uint64_t alignment = 64;
inline constexpr std::uint64_t no_source = ~std::uint64_t{0};

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t sections;
  std::uint64_t file_bytes;
  std::uint64_t vertices;
  std::uint64_t arcs;
  std::uint32_t directed;
  std::uint32_t ids_kind;  ///< 0 consecutive, 1 integers, 2 strings
  std::int64_t ids_first;
  std::uint64_t default_source;
  std::uint64_t checksum;  ///< of header and table, this field 0
  std::uint8_t reserved[56];
};
static_assert(sizeof(Header) == 128 && std::is_trivially_copyable_v<Header>);

struct Section {
  char name[24];  ///< ends with NUL
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t checksum;
  std::uint64_t reserved[2];
};
static_assert(sizeof(Section) == 64 && std::is_trivially_copyable_v<Section>);

inline constexpr std::uint32_t max_sections = 1024;

/// What follows "out.weights" in the name of its section.
constexpr const char* suffix(WeightType type) {
  return type == WeightType::int32 ? ".i4" : type == WeightType::int64 ? ".i8" : type == WeightType::float64 ? ".f8" : "";
}
inline constexpr WeightType weight_types[] = {WeightType::float32, WeightType::int32, WeightType::int64, WeightType::float64};

}  // namespace hopwave::io::hwg

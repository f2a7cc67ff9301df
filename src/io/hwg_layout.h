// The bytes of a .hwg: header, table of sections, sections. Shared by its reader and its writer alone.
#pragma once

#include <cstdint>
#include <type_traits>

namespace hopwave::io::hwg {

inline constexpr std::uint32_t version = 2;  ///< the newest, of files with extra arcs; without them it is 1
inline constexpr std::uint32_t plain_version = 1;
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

}  // namespace hopwave::io::hwg

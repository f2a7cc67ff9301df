// What HOPWAVE_HARDEN promises of the built tool, read from its ELF headers and its dynamic symbols.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_hardening_test {

class Elf {
 public:
  explicit Elf(const std::string& path) : bytes_(slurp(path)) {
    if (bytes_.size() < sizeof(Elf64_Ehdr) || bytes_.compare(0, SELFMAG, ELFMAG) != 0 || bytes_[EI_CLASS] != ELFCLASS64) return;
    header_ = at<Elf64_Ehdr>(0);
    for (std::size_t i = 0; i < header_.e_phnum; ++i)
      segments_.push_back(at<Elf64_Phdr>(header_.e_phoff + i * header_.e_phentsize));
    for (std::size_t i = 0; i < header_.e_shnum; ++i)
      sections_.push_back(at<Elf64_Shdr>(header_.e_shoff + i * header_.e_shentsize));
  }

  [[nodiscard]] bool read() const { return !segments_.empty() && !sections_.empty(); }
  [[nodiscard]] int type() const { return header_.e_type; }

  [[nodiscard]] const Elf64_Phdr* segment(std::uint32_t type) const {
    for (const auto& s : segments_)
      if (s.p_type == type) return &s;
    return nullptr;
  }

  /// The value of a row of the dynamic section; 0 if it is not there.
  [[nodiscard]] std::uint64_t dynamic(std::int64_t tag) const {
    const Elf64_Phdr* s = segment(PT_DYNAMIC);
    for (std::uint64_t i = 0; s && i + sizeof(Elf64_Dyn) <= s->p_filesz; i += sizeof(Elf64_Dyn))
      if (const auto row = at<Elf64_Dyn>(s->p_offset + i); row.d_tag == tag) return row.d_un.d_val;
    return 0;
  }

  /// Names that the loader looks up elsewhere.
  [[nodiscard]] std::set<std::string> imports() const {
    std::set<std::string> names;
    for (const auto& s : sections_) {
      if (s.sh_type != SHT_DYNSYM) continue;
      for (std::uint64_t i = 0; i < s.sh_size; i += sizeof(Elf64_Sym))
        if (const auto symbol = at<Elf64_Sym>(s.sh_offset + i); symbol.st_shndx == SHN_UNDEF)
          names.insert(bytes_.c_str() + sections_.at(s.sh_link).sh_offset + symbol.st_name);
    }
    return names;
  }

 private:
  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    T value{};
    if (offset + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
};

TEST(CliHardening, TheToolIsBuiltAsPromised) {
#ifndef HOPWAVE_HARDENED
  GTEST_SKIP() << "HOPWAVE_HARDEN is off, or this is a sanitizer's build";
#endif
  const Elf tool(hopwave::testing::places::tool);
  ASSERT_TRUE(tool.read());
  EXPECT_EQ(tool.type(), ET_DYN) << "no position-independent executable";
  EXPECT_TRUE(tool.dynamic(DT_FLAGS_1) & DF_1_PIE);
  EXPECT_TRUE(tool.dynamic(DT_FLAGS_1) & DF_1_NOW) << "symbols are bound late, so the table of functions stays writable";
  EXPECT_NE(tool.segment(PT_GNU_RELRO), nullptr);
  ASSERT_NE(tool.segment(PT_GNU_STACK), nullptr);
  EXPECT_FALSE(tool.segment(PT_GNU_STACK)->p_flags & PF_X) << "the stack can be executed";
  const auto imports = tool.imports();
  EXPECT_TRUE(imports.contains("__stack_chk_fail")) << "no stack protector";
  EXPECT_TRUE(imports.contains("_ZSt21__glibcxx_assert_failPKciS0_S0_")) << "no assertions of the C++ library";
  bool fortified = false;
  for (const auto& name : imports) fortified = fortified || (name.starts_with("__") && name.ends_with("_chk"));
  EXPECT_TRUE(fortified) << "no fortified call";
}

}  // namespace of_cli_hardening_test
}  // namespace hopwave::test

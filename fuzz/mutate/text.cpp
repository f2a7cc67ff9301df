// Mutation of lines and words.
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "mutate/mutate.h"
#include "mutate/random.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace hopwave::fuzz {
namespace {

const char* const words[] = {"0",
                             "1",
                             "2",
                             "3",
                             "4",
                             "5",
                             "7",
                             "10",
                             "63",
                             "64",
                             "65",
                             "255",
                             "256",
                             "1000000",
                             "1000005",
                             "2000000",
                             "2147483647",
                             "2147483648",
                             "4294967293",
                             "4294967294",
                             "4294967295",
                             "4294967296",
                             "99999999",
                             "123456789012345",
                             "1234567890123456",
                             "999999999999999999",
                             "9223372036854775807",
                             "9223372036854775808",
                             "18446744073709551615",
                             "18446744073709551616",
                             "-1",
                             "-0",
                             "+1",
                             "0.5",
                             "1.",
                             ".5",
                             "1e3",
                             "1e",
                             "-2.5e-3",
                             "3.4028234e38",
                             "3.4028235677973366e38",
                             "3.5e38",
                             "1e400",
                             "1e-400",
                             "1e-46",
                             "16777217",
                             "nan",
                             "-nan",
                             "inf",
                             "-inf",
                             "+inf",
                             "nan(1)",
                             "0x10",
                             "00001",
                             "%",
                             "#",
                             "//",
                             "# Nodes: 3 Edges: 2",
                             "# Nodes: 9",
                             "# Isolated:\t7",
                             "# Isolated:\t\"a\"",
                             "a",
                             "c",
                             "p",
                             "p sp 3 2",
                             "a 1 2 3",
                             "%%MatrixMarket",
                             "matrix",
                             "coordinate",
                             "pattern",
                             "real",
                             "integer",
                             "complex",
                             "general",
                             "symmetric",
                             "skew-symmetric",
                             "hermitian",
                             "001",
                             "011",
                             "100",
                             "source,target",
                             "from\tto\tweight",
                             "1,2",
                             "1;2",
                             "1|2",
                             "1\t2",
                             "\"a b\"",
                             "\"\"",
                             "\"x\"\"y\"",
                             "Berlin",
                             "C#",
                             "\xEF\xBB\xBF",
                             "\r",
                             "\xC3\xA4"};
const char* const route_words[] = {"type octile",
                                   "type",
                                   "height",
                                   "height 5",
                                   "width",
                                   "width 6",
                                   "map",
                                   "version",
                                   "version 1",
                                   "grid",
                                   "grid 4 3",
                                   "grid 4 3 2",
                                   "capacity",
                                   "vertical",
                                   "horizontal",
                                   "minimum",
                                   "spacing",
                                   "via",
                                   "num net 1",
                                   "num",
                                   "net",
                                   "0",
                                   "1",
                                   "2",
                                   "3",
                                   "4",
                                   "5",
                                   "6",
                                   "-1",
                                   "-0",
                                   "+1",
                                   "007",
                                   "1000",
                                   "1001",
                                   "1000000000",
                                   "1000000001",
                                   "2147483648",
                                   "2147483649",
                                   "4294967296",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "1.41421356",
                                   "1.",
                                   ".5",
                                   "1e3",
                                   "1e400",
                                   "1e-400",
                                   "nan",
                                   "inf",
                                   "......",
                                   "#",
                                   "#.#",
                                   "S",
                                   "E",
                                   "@",
                                   "OTW",
                                   "0 m.map 6 5 0 0 5 4 9.5",
                                   "\xEF\xBB\xBF",
                                   "\r"};
const char* const gaps[] = {" ", "\t", "\n", "\r\n", ",", ";", "|", "  ", "\n\n", " \r\n", "\r"};

std::size_t below(Random& random, std::size_t count) { return count ? random() % count : 0; }

/// Where pieces of text between separators begin and end.
struct Piece {
  std::size_t begin, end;
};
std::vector<Piece> pieces(const std::string& text, const char* separators) {
  std::vector<Piece> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) out.push_back({at, end});
    at = end + 1;
  }
  return out;
}

void change(std::string& text, Random& random, std::span<const char* const> words) {
  const bool line = random() % 3 == 0;
  const auto all = pieces(text, line ? "\n" : " \t\n,;|");
  const Piece a = all.empty() ? Piece{0, 0} : all[below(random, all.size())];
  const Piece b = all.empty() ? Piece{0, 0} : all[below(random, all.size())];
  const std::string word = words[below(random, words.size())], gap = gaps[below(random, std::size(gaps))];
  switch (random() % 8) {
    case 0:
      text.insert(a.begin, word + (line ? "\n" : gap));
      break;
    case 1:
      text.erase(a.begin, a.end - a.begin + 1);
      break;
    case 2:
      text.insert(a.begin, text.substr(b.begin, b.end - b.begin) + (line ? "\n" : gap));
      break;
    case 3:
      text.replace(a.begin, a.end - a.begin, text.substr(b.begin, b.end - b.begin));
      break;
    case 4:
      if (a.end < text.size()) text.replace(a.end, 1, gap);
      break;
    case 5:
      text.insert(a.end, gap + word);
      break;
    default:
      text.replace(a.begin, a.end - a.begin, word);
  }
}

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::span<const char* const> words) {
  Random random(seed);
  if (size < 2 || random() % 2) return LLVMFuzzerMutate(data, size, most);
  if (random() % 8 == 0) data[0] = static_cast<std::uint8_t>(random() % 8);
  std::string text(reinterpret_cast<char*>(data) + 1, size - 1);
  for (unsigned i = 0; i <= random() % 4; ++i) change(text, random, words);
  if (text.size() > most - 1) text.resize(most - 1);
  std::memcpy(data + 1, text.data(), text.size());
  return text.size() + 1;
}

}  // namespace

std::size_t mutate_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return mutate(data, size, most, seed, words);
}

std::size_t mutate_route_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return mutate(data, size, most, seed, route_words);
}

}  // namespace hopwave::fuzz

// Mutators that know what a format is made of. Each is half the time libFuzzer's own, which changes bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwave::fuzz {

/// Lines and words of text: copied, dropped, exchanged, or replaced by numbers at the edges of their ranges and by words that
/// formats know.
std::size_t mutate_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// The same with words of mazes, scenarios and netlists.
std::size_t mutate_route_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// Counts and indices of 4 and 8 bytes: exchanged, moved by one, set to an edge of their range.
std::size_t mutate_words(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// The same, and a small valid file of the format now and then, since counts must account for each byte.
std::size_t mutate_gap(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
std::size_t mutate_gap_weighted(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
std::size_t mutate_galois(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// Words within sections; then all checksums are made right.
std::size_t mutate_hwg(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// Bytes and words within the members; then the CRCs of stored members are made right.
std::size_t mutate_npz(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

}  // namespace hopwave::fuzz

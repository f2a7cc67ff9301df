// Mutators with knowledge of a format. Half of the time, each is libFuzzer's own mutator, which changes bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwave::fuzz {

/// Lines and words of text: copied, dropped, swapped, or replaced by numbers at the limits of their ranges and by words
/// of the formats.
std::size_t mutate_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// The same with words of mazes, scenarios and netlists.
std::size_t mutate_route_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// Counts and indices of 4 and 8 bytes: swapped, changed by one, set to a limit of their range.
std::size_t mutate_words(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// The same, and sometimes a small valid file of the format, since counts must account for each byte.
std::size_t mutate_gap(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
std::size_t mutate_gap_weighted(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
std::size_t mutate_galois(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// Words within sections; then all checksums are corrected.
std::size_t mutate_hwg(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
/// Bytes and words within the members; then the CRCs of stored members are corrected.
std::size_t mutate_npz(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

}  // namespace hopwave::fuzz

// Levels: what one rank does for its own vertices in the levels of a search, on its CPU or on a device of its own. Which kind
// of level comes next is not decided here (search.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bfs/distributed/device_messages.h"
#include "bfs/distributed/share.h"
#include "device/device.h"
#include "device/on_machine.h"
#include "hopwave/search.h"

namespace hopwave::ranks {

/// What one rank reports of a level.
struct Counts {
  std::uint64_t vertices = 0;   ///< discovered: its part of the next frontier
  std::uint64_t arcs = 0;       ///< in their rows
  std::uint64_t examined = 0;   ///< arcs looked at
  std::uint64_t at_target = 0;  ///< is the target among them?
};

/// Rows, and the others. All of it must outlive the Levels.
struct LevelsRequest {
  Transport& transport;
  const Share& share;
  const Steps& steps;
  std::function<void()> wait;  ///< called before each exchange
  bool wide_offsets = false;   ///< tests: 64 bits on a device although 32 would do
};

/// A frontier is what the call before has discovered. Distances and parents are of this rank's vertices, in their order.
class Levels {
 public:
  Levels() = default;
  virtual ~Levels() = default;
  Levels(const Levels&) = delete;
  Levels& operator=(const Levels&) = delete;

  /// Forgets the search before. This rank's sources are discovered, at distance 0.
  virtual Counts begin(const Query& query) = 0;
  /// Sends the frontier's neighbours to their owners, which discover those that were not discovered yet. Collective.
  virtual Counts top_down(Distance level) = 0;
  /// Vertices not discovered yet look for a neighbour in all ranks' frontier. Collective. Only where steps.backward() is there.
  virtual Counts bottom_up(Distance level) = 0;
  /// `parent` gets the least parents possible; it is left alone if the query did not ask for them.
  virtual void fetch(Array<Distance>& distance, Array<VertexId>& parent) = 0;
};

/// With more arcs in a share, offsets on the device have 8 bytes.
inline constexpr EdgeIndex narrow_arcs = 0xFFFF0000ull;

std::unique_ptr<Levels> make_cpu_levels(const LevelsRequest& request);
/// Copies the rows there. Throws HW-DEVICE-MEMORY and its kin, HW-ENGINE-SIZE where the share is too large for the kernels.
HW_FOR_EACH_MACHINE(std::unique_ptr<Levels>, device_levels, const LevelsRequest& request,
                    std::shared_ptr<device::Device> device, std::unique_ptr<DeviceMessages> messages)

// Bitmaps of vertices that ranks exchange: bit v % 64 of word v / 64. Two ranks' vertices may share a word, which both send.
constexpr std::size_t word_of(VertexId v) { return v / 64; }
constexpr std::uint64_t bit_of(VertexId v) { return std::uint64_t{1} << (v % 64); }
constexpr std::size_t words_for(VertexId begin, VertexId end) {
  return end > begin ? word_of(end - 1) - word_of(begin) + 1 : 0;
}

}  // namespace hopwave::ranks

// Several passes at the same time, each with its own words, its own stream and its part of the blocks: while one waits at a
// barrier, others use the device. Distances are only counted.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bfs/engine/ms_bfs/host.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

template <class Offset>
class PassesInFlight {
 public:
  /// Only where one launch takes all levels. Throws HW-ENGINE-MEMORY or HW-DEVICE-MEMORY where so many do not fit.
  PassesInFlight(device::Device& device, const Graph<Offset>& graph, Options options, u32 count) : device_(device) {
    device.wait();  // for what made the graph
    options.rows = 1;
    options.share = count;
    for (u32 k = 0; k < count; ++k) lanes_.push_back(std::make_unique<Lane>(device, graph, options));
    collect_accounts();
  }

  /// Calls take(first, counts, progress) for every most_searches sources, in order, while later passes are under way. Gives the
  /// level that is complete where `halt` ended a pass; the passes before it have been taken.
  template <class Take>
  std::optional<u32> run(std::span<const VertexId> sources, Distance max_depth, const u32* halt, const Take& take) {
    const Draining draining(*this);
    const std::size_t passes = (sources.size() + most_searches - 1) / most_searches, lanes = lanes_.size();
    const auto begin = [&](std::size_t pass) {
      const auto rest = sources.subspan(pass * most_searches);
      MsBfs<Offset>& m = lanes_[pass % lanes]->passes;
      m.begin(rest.first(std::min<std::size_t>(most_searches, rest.size())), max_depth, true, halt);
      m.go_on();
    };
    for (std::size_t pass = 0; pass < std::min(lanes, passes); ++pass) begin(pass);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      MsBfs<Offset>& m = lanes_[pass % lanes]->passes;
      while (!m.done()) m.go_on();
      const Progress progress = m.progress();
      if (progress.cancelled) return progress.level;
      const std::vector<u32> counts = m.counts();
      if (pass + lanes < passes) begin(pass + lanes);
      take(pass * most_searches, counts, progress);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string describe() const {
    return std::to_string(lanes_.size()) + " passes at the same time: " + lanes_[0]->passes.describe();
  }

 private:
  struct Lane {
    Lane(device::Device& other, const Graph<Offset>& graph, const Options& options)
        : device(other.another_stream()), passes(device, graph, options) {}
    device::Device device;
    MsBfs<Offset> passes;
  };

  /// However a run ends: nothing of it is under way any more, and the device knows what it did.
  class Draining {
   public:
    explicit Draining(PassesInFlight& all) : all_(all) {}
    ~Draining() {
      for (const auto& lane : all_.lanes_) try {
          lane->device.wait();
        } catch (const Error&) {  // the next use of the device reports it
        }
      all_.collect_accounts();
    }
    Draining(const Draining&) = delete;
    Draining& operator=(const Draining&) = delete;

   private:
    PassesInFlight& all_;
  };
  void collect_accounts() {
    for (const auto& lane : lanes_) device_.take_account_of(lane->device);
  }

  device::Device& device_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs

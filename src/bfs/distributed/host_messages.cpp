// Messages between devices by way of the hosts: wherever the transport reaches, and in the simulator.
#include <numeric>
#include <vector>

#include "bfs/distributed/device_messages.h"

namespace hopwave::ranks {

void DeviceMessages::make_room(std::uint64_t count, bool with_by) {
  const auto enlarge = [&](device::Buffer<VertexId>& buffer) {
    if (buffer.size() >= count) return;
    buffer.reset();
    buffer = device::Buffer<VertexId>(*device_, count);
  };
  enlarge(heard_);
  if (with_by)
    enlarge(by_);
  else
    by_.reset();
}

namespace {

class HostMessages final : public DeviceMessages {
 public:
  using DeviceMessages::DeviceMessages;

  std::uint64_t exchange(const VertexLists& lists, std::span<const std::uint64_t> counts, bool with_by) override {
    pack(lists, counts, with_by);
    transport_.exchange(to_, from_);
    vertices_.clear();
    reached_by_.clear();
    for (const auto& message : from_) {
      const auto middle = message.begin() + static_cast<std::ptrdiff_t>(with_by ? message.size() / 2 : message.size());
      vertices_.insert(vertices_.end(), message.begin(), middle);
      reached_by_.insert(reached_by_.end(), middle, message.end());
    }
    make_room(vertices_.size(), with_by);
    heard_.upload(vertices_);
    by_.upload(reached_by_);
    return vertices_.size();
  }

  void gather(const std::uint64_t* mine, std::span<const std::uint64_t> counts, std::uint64_t* all) override {
    words_.resize(counts[rank()]);
    if (!words_.empty()) device_->copy_out(words_.data(), mine, words_.size() * sizeof words_[0]);
    gathered_.resize(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    transport_.all_gather<std::uint64_t>(words_, gathered_, counts);
    device_->copy_in(all, gathered_.data(), gathered_.size() * sizeof gathered_[0]);
  }

 private:
  /// For each other rank its vertices and, if they are wanted, after them the vertices that reached them.
  void pack(const VertexLists& lists, std::span<const std::uint64_t> counts, bool with_by) {
    const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const bool others = all > counts[rank()];
    vertices_.resize(others ? all : 0);
    reached_by_.resize(others && with_by ? all : 0);
    if (others) device_->copy_out(vertices_.data(), lists.vertices, all * sizeof(VertexId));
    if (!reached_by_.empty()) device_->copy_out(reached_by_.data(), lists.by, all * sizeof(VertexId));
    to_.resize(counts.size());
    std::ptrdiff_t at = 0;
    for (std::size_t r = 0; r < to_.size(); ++r) {
      const auto some = static_cast<std::ptrdiff_t>(counts[r]);
      to_[r].clear();
      if (some > 0 && r != rank()) {
        to_[r].assign(vertices_.begin() + at, vertices_.begin() + at + some);
        if (with_by) to_[r].insert(to_[r].end(), reached_by_.begin() + at, reached_by_.begin() + at + some);
      }
      at += some;
    }
  }

  std::vector<VertexId> vertices_, reached_by_;
  std::vector<std::vector<VertexId>> to_, from_;
  std::vector<std::uint64_t> words_, gathered_;
};

}  // namespace

std::unique_ptr<DeviceMessages> make_host_messages(Transport& transport, std::shared_ptr<device::Device> device) {
  return std::make_unique<HostMessages>(transport, std::move(device));
}

}  // namespace hopwave::ranks

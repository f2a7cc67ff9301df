// Messages between the devices of ranks: by way of the hosts and the transport, or by NCCL from device to device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bfs/distributed/nccl.h"
#include "bfs/distributed/transport.h"
#include "device/device.h"
#include "hopwave/types.h"

namespace hopwave::ranks {

/// Lists in device memory, one rank's part after the other's.
struct VertexLists {
  const VertexId* vertices = nullptr;
  const VertexId* by = nullptr;  ///< the vertices that reached them, where that is asked for
};

class DeviceMessages {
 public:
  DeviceMessages(Transport& transport, std::shared_ptr<device::Device> device)
      : transport_(transport), device_(std::move(device)) {}
  virtual ~DeviceMessages() = default;
  DeviceMessages(const DeviceMessages&) = delete;
  DeviceMessages& operator=(const DeviceMessages&) = delete;

  /// counts[r] vertices of the lists go to rank r; this rank's own part stays. Returns how many the others sent: they are in
  /// heard(), in order of ranks, until the next call. `with_by`: both lists. Collective.
  virtual std::uint64_t exchange(const VertexLists& lists, std::span<const std::uint64_t> counts, bool with_by) = 0;
  [[nodiscard]] VertexLists heard() const noexcept { return {heard_.data(), by_.data()}; }

  /// `all` gets the words of all ranks one after the other; rank r brings counts[r]. Both in device memory. Collective.
  virtual void gather(const std::uint64_t* mine, std::span<const std::uint64_t> counts, std::uint64_t* all) = 0;

 protected:
  /// Room for so many in heard(); what was in it is not kept.
  void make_room(std::uint64_t count, bool with_by);
  [[nodiscard]] std::size_t rank() const noexcept { return static_cast<std::size_t>(transport_.rank()); }

  Transport& transport_;
  const std::shared_ptr<device::Device> device_;
  device::Buffer<VertexId> heard_, by_;
};

/// Copies to the host, sends by the transport, copies from the host.
std::unique_ptr<DeviceMessages> make_host_messages(Transport& transport, std::shared_ptr<device::Device> device);
/// Lists of up to `by_hosts` vertices go by way of the hosts. Collective. Errors: HW-RANKS-NCCL.
std::unique_ptr<DeviceMessages> make_nccl_messages(Transport& transport, std::shared_ptr<device::Device> device,
                                                   const NcclTable& nccl, std::uint64_t by_hosts);

}  // namespace hopwave::ranks

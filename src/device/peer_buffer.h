// Device memory that other devices of the host touch by its address (Device::allocate_for_peers()).
#pragma once

#include <utility>

#include "device/device.h"

namespace hopwave::device {

/// `size` bytes; move-only. Not initialised. When it dies, no other device may use it any more.
class PeerBuffer {
 public:
  PeerBuffer() = default;
  PeerBuffer(Device& device, std::size_t size, const SourceLocation& where = SourceLocation::current())
      : device_(&device), data_(static_cast<char*>(device.allocate_for_peers(size, where))), size_(size) {}
  ~PeerBuffer() {
    if (data_) device_->release_for_peers(data_);
  }
  PeerBuffer(PeerBuffer&& other) noexcept
      : device_(other.device_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PeerBuffer& operator=(PeerBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  Device* device_ = nullptr;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hopwave::device

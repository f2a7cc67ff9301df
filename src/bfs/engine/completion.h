// Completion records: how the host gets what a launch has counted. A copy would wait for the launch, and the host for the copy.
// Here one warp, launched after it, writes the record into pinned memory, each word next to the record's number, and the host
// polls. A word and its number are one store of eight bytes (as in NCCL's LL protocol), so no fence is needed.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <type_traits>

#include "device/device.h"
#include "device/kernel.h"

namespace hopwave::HW_MACHINE::engine {

HW_HEADER_KERNEL void write_completion(const dev::u32* from, dev::u32 words, dev::u64* box, dev::u32 number) {
  for (dev::u32 i = dev::thread(); i < words; i += dev::block_size())
    dev::store_for_host(&box[i], static_cast<dev::u64>(number) << 32 | dev::plain_read(&from[i]));
}

template <class T>
class Completion {
  static_assert(std::has_unique_object_representations_v<T> && sizeof(T) % sizeof(dev::u32) == 0,
                "a hole in it would be bytes that no kernel writes");
  static constexpr std::size_t words = sizeof(T) / sizeof(dev::u32);

 public:
  Completion() = default;
  explicit Completion(device::Device& device) : device_(&device), box_(device) {}

  /// Has the record written after all that was launched before.
  void send(const T* from) {
    ++number_;
    device::launch(*device_, {{.grid = 1, .block = dev::lanes}}, write_completion, reinterpret_cast<const dev::u32*>(from),
                   static_cast<dev::u32>(words), box_.data()->data(), number_);
  }
  /// Waits for the record sent last, and so for all work before it.
  [[nodiscard]] T take() {
    std::array<dev::u32, words> words_read;
    std::size_t have = 0;
    device_->wait_until([&] {
      for (; have < words; ++have) {
        const dev::u64 word = std::atomic_ref((*box_.data())[have]).load(std::memory_order_relaxed);
        if (static_cast<dev::u32>(word >> 32) != number_) return false;
        words_read[have] = static_cast<dev::u32>(word);
      }
      std::atomic_thread_fence(std::memory_order_acquire);
      return true;
    });
    return std::bit_cast<T>(words_read);
  }

 private:
  device::Device* device_ = nullptr;
  device::HostValue<std::array<dev::u64, words>> box_;
  dev::u32 number_ = 0;  ///< of the record sent last
};

}  // namespace hopwave::HW_MACHINE::engine

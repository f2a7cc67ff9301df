// Device-wide algorithms from each machine's own library, with one interface: the exclusive sum, the sort.
// CUDA brings CUB and HIP rocPRIM; where there is neither (the simulator, a bare HIP) one block does it in two sweeps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.h"
#include "device/primitives/block.h"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#elif defined(__HIPCC__) && __has_include(<rocprim/rocprim.hpp>)
#include <rocprim/rocprim.hpp>
#define HW_HAS_ROCPRIM
#endif

namespace hopwave::HW_MACHINE {

/// Each thread adds up a span, the block adds up the spans, each thread writes its span. One block of whole warps.
template <class In, class Out>
HW_KERNEL void exclusive_sum_by_one_block(const In* in, Out* out, std::uint64_t count) {
  HW_SHARED(Out, warp_sums, 1024 / dev::lanes);
  const std::uint64_t span = (count + dev::block_size() - 1) / dev::block_size();
  const std::uint64_t begin = span * dev::thread();
  const std::uint64_t end = begin + span < count ? begin + span : count;
  Out sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) sum += dev::plain_read(&in[i]);
  sum = dev::block_exclusive_sum(sum, warp_sums).before;
  for (std::uint64_t i = begin; i < end; ++i) {
    const Out own = dev::plain_read(&in[i]);
    dev::plain_write(&out[i], sum);
    sum += own;
  }
}

/// out[i] = in[0] + … + in[i − 1], modulo what Out holds. Memory for `count` values is taken at construction.
template <class In, class Out = std::uint32_t>
class ExclusiveSum {
 public:
  ExclusiveSum(device::Device& device, std::size_t count) : device_(device), count_(count) {
    std::size_t bytes = 0;
    call(nullptr, bytes, nullptr, nullptr);
    scratch_ = device::Buffer<char>(device, bytes);
  }

  void run(const In* in, Out* out) {
    std::size_t bytes = scratch_.size();
    if (count_) call(scratch_.data(), bytes, in, out);
  }

 private:
  /// As CUB and rocPRIM have it: without scratch memory only its size is wanted.
  void call(void* scratch, std::size_t& bytes, const In* in, Out* out) {
#if defined(__CUDACC__)
    device_.check(cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, ::cuda::std::plus<>{}, Out{0}, count_,
                                                 static_cast<cudaStream_t>(device_.native_stream())));
#elif defined(HW_HAS_ROCPRIM)
    device_.check(rocprim::exclusive_scan(scratch, bytes, in, out, Out{0}, count_, rocprim::plus<Out>(),
                                          static_cast<hipStream_t>(device_.native_stream())));
#else
    bytes = 1;
    if (scratch) device::launch(device_, {{.grid = 1, .block = 256}}, exclusive_sum_by_one_block<In, Out>, in, out, count_);
#endif
  }

  device::Device& device_;
  std::size_t count_;
  device::Buffer<char> scratch_;
};

/// One digit of eight bits, by one thread: stable, and slow.
HW_HEADER_KERNEL void sort_keys_by_one_thread(const std::uint64_t* key, std::uint64_t* key_out, std::uint64_t count,
                                              std::uint32_t shift) {
  HW_SHARED(std::uint64_t, place, 257);
  if (dev::thread() != 0) return;
  for (std::uint32_t d = 0; d <= 256; ++d) place[d] = 0;
  for (std::uint64_t i = 0; i < count; ++i) ++place[(key[i] >> shift & 255) + 1];
  for (std::uint32_t d = 0; d < 256; ++d) place[d + 1] += place[d];
  for (std::uint64_t i = 0; i < count; ++i) key_out[place[key[i] >> shift & 255]++] = key[i];
}

/// Sorts 64-bit keys by their lowest bits between two arrays of the caller's: no third one is taken.
class SortKeys {
 public:
  explicit SortKeys(device::Device& device) : device_(device) {}

  /// Sorts `count` values of `keys`, with `other` to write into; returns whichever of the two holds the answer.
  std::uint64_t* run(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int bits) {
    if (!count) return keys;
#if defined(__CUDACC__)
    cub::DoubleBuffer<std::uint64_t> both(keys, other);
    std::size_t bytes = 0;
    call(nullptr, bytes, both, count, bits);
    if (bytes > scratch_.size()) scratch_ = device::Buffer<char>(device_, bytes);
    call(scratch_.data(), bytes, both, count, bits);
    return both.Current();
#else
    for (int shift = 0; shift < bits; shift += 8) {
      device::launch(device_, {{.grid = 1, .block = 1}}, sort_keys_by_one_thread, keys, other, count,
                     static_cast<std::uint32_t>(shift));
      std::swap(keys, other);
    }
    return keys;
#endif
  }

 private:
#if defined(__CUDACC__)
  void call(void* scratch, std::size_t& bytes, cub::DoubleBuffer<std::uint64_t>& both, std::uint64_t count, int bits) {
    device_.check(cub::DeviceRadixSort::SortKeys(scratch, bytes, both, count, 0, bits,
                                                 static_cast<cudaStream_t>(device_.native_stream())));
  }
#endif

  device::Device& device_;
  device::Buffer<char> scratch_;
};

}  // namespace hopwave::HW_MACHINE

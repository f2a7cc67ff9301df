// Device-wide algorithms from each machine's own library, behind one face: the exclusive sum.
// CUDA brings CUB and HIP rocPRIM; where there is neither (the simulator, a bare HIP) one block does it in two sweeps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.h"
#include "device/kernel.h"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>
#elif defined(__HIPCC__) && __has_include(<rocprim/rocprim.hpp>)
#include <rocprim/rocprim.hpp>
#define HW_HAS_ROCPRIM
#endif

namespace hopwave::HW_MACHINE {

namespace {
/// Each thread adds up a span, one thread adds up the spans, each thread writes its span. One block, any number of threads
/// up to 256.
template <class In>
HW_KERNEL void exclusive_sum_by_one_block(const In* in, std::uint32_t* out, std::uint64_t count) {
  HW_SHARED(std::uint32_t, before, 256);
  const std::uint64_t span = (count + dev::block_size() - 1) / dev::block_size();
  const std::uint64_t begin = span * dev::thread();
  const std::uint64_t end = begin + span < count ? begin + span : count;
  std::uint32_t sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) sum += in[i];
  before[dev::thread()] = sum;
  dev::sync_block();
  if (dev::thread() == 0) {
    sum = 0;
    for (std::uint32_t t = 0; t < dev::block_size(); ++t) {
      const std::uint32_t own = before[t];
      before[t] = sum;
      sum += own;
    }
  }
  dev::sync_block();
  sum = before[dev::thread()];
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint32_t own = in[i];
    out[i] = sum;
    sum += own;
  }
}
}  // namespace

/// out[i] = in[0] + … + in[i − 1], modulo 2³². Memory for `count` values is taken at construction.
template <class In>
class ExclusiveSum {
 public:
  ExclusiveSum(device::Device& device, std::size_t count) : device_(device), count_(count) {
    std::size_t bytes = 0;
    call(nullptr, bytes, nullptr, nullptr);
    scratch_ = device::Buffer<char>(device, bytes);
  }

  void run(const In* in, std::uint32_t* out) {
    std::size_t bytes = scratch_.size();
    if (count_) call(scratch_.data(), bytes, in, out);
  }

 private:
  /// As CUB and rocPRIM have it: without scratch memory only its size is wanted.
  void call(void* scratch, std::size_t& bytes, const In* in, std::uint32_t* out) {
#if defined(__CUDACC__)
    device_.check(cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, ::cuda::std::plus<>{}, std::uint32_t{0}, count_,
                                                 static_cast<cudaStream_t>(device_.native_stream())));
#elif defined(HW_HAS_ROCPRIM)
    device_.check(rocprim::exclusive_scan(scratch, bytes, in, out, std::uint32_t{0}, count_, rocprim::plus<std::uint32_t>(),
                                          static_cast<hipStream_t>(device_.native_stream())));
#else
    bytes = 1;
    if (scratch) device::launch(device_, {{.grid = 1, .block = 256}}, exclusive_sum_by_one_block<In>, in, out, count_);
#endif
  }

  device::Device& device_;
  std::size_t count_;
  device::Buffer<char> scratch_;
};

}  // namespace hopwave::HW_MACHINE

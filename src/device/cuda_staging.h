// Big copies between host and device memory through pinned memory, by several host threads. Part of cuda_api.cpp.
// The driver's own way with pageable memory is one thread that copies to and fro in small pieces: a fifth of the bus.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>

#include "core/device_api.h"
#include "core/parallel.h"
#include "device/cuda_pinned.h"

namespace hopwave::device {

/// Pinned memory through which one host thread copies: while one half is on its way, the other is filled or emptied.
struct Staging {
  static constexpr std::size_t bytes = std::size_t{1} << 20;
  void* half[2] = {};
  cudaEvent_t moved[2] = {};  ///< the device is done with half[i]
};

/// Taken at the first big copy; what cannot be had is tried again at the next.
inline Status make(Staging& staging) {
  for (int i = 0; i < 2; ++i) {
    if (!staging.half[i])
      if (const Status e = pinned().allocate(&staging.half[i], Staging::bytes)) return e;
    if (!staging.moved[i])
      if (const Status e = done(cudaEventCreateWithFlags(&staging.moved[i], cudaEventDisableTiming))) return e;
  }
  return 0;
}

/// After all copies through it.
inline Status destroy(Staging& staging) {
  Status first = 0;
  for (int i = 0; i < 2; ++i) {
    const Status e = staging.moved[i] ? done(cudaEventDestroy(staging.moved[i])) : 0;
    if (staging.half[i]) pinned().release(staging.half[i]);
    if (!first) first = e;
  }
  return first;
}

struct Copy {
  char* to;
  const char* from;
  std::size_t bytes;
  cudaStream_t stream;
};

/// One host thread's share on the way in: pieces `first`, `first + stride`, …
inline Status copy_share_in(Staging& staging, const Copy& copy, std::size_t first, std::size_t stride) {
  int half = 0;
  for (std::size_t at = first * Staging::bytes; at < copy.bytes; at += stride * Staging::bytes, half ^= 1) {
    const std::size_t n = std::min(Staging::bytes, copy.bytes - at);
    if (const Status e = done(cudaEventSynchronize(staging.moved[half]))) return e;
    std::memcpy(staging.half[half], copy.from + at, n);
    if (const Status e = done(cudaMemcpyAsync(copy.to + at, staging.half[half], n, cudaMemcpyHostToDevice, copy.stream)))
      return e;
    if (const Status e = done(cudaEventRecord(staging.moved[half], copy.stream))) return e;
  }
  return 0;
}

/// The way out: each piece is emptied after the next one has been asked for.
inline Status copy_share_out(Staging& staging, const Copy& copy, std::size_t first, std::size_t stride) {
  const std::size_t step = stride * Staging::bytes;
  const auto empty = [&](std::size_t at, int half) {
    if (const Status e = done(cudaEventSynchronize(staging.moved[half]))) return e;
    std::memcpy(copy.to + at, staging.half[half], std::min(Staging::bytes, copy.bytes - at));
    return Status{0};
  };
  std::size_t at = first * Staging::bytes;
  for (int half = 0; at < copy.bytes; at += step, half ^= 1) {
    const std::size_t n = std::min(Staging::bytes, copy.bytes - at);
    if (const Status e = done(cudaMemcpyAsync(staging.half[half], copy.from + at, n, cudaMemcpyDeviceToHost, copy.stream)))
      return e;
    if (const Status e = done(cudaEventRecord(staging.moved[half], copy.stream))) return e;
    if (at >= step)
      if (const Status e = empty(at - step, half ^ 1)) return e;
    if (at + step >= copy.bytes) return empty(at, half);
  }
  return 0;
}

using Share = Status (*)(Staging&, const Copy&, std::size_t first, std::size_t stride);

/// Big arrays go through pinned memory by several host threads; false: too small, or no pinned memory to be had.
inline bool copy_staged(std::span<Staging> staging, const Copy& copy, Share share, Status* status) {
  // Pinning takes long: a thread that must pin its memory first gets a larger share.
  constexpr std::size_t share_bytes = std::size_t{16} << 20, ready_bytes = std::size_t{4} << 20;
  if (copy.bytes < 4 * Staging::bytes) return false;
  const auto most = static_cast<std::size_t>(std::min(static_cast<int>(staging.size()), hardware_threads()));
  const auto ready = static_cast<std::size_t>(
      std::find_if(staging.begin(), staging.end(), [](const Staging& s) { return !s.moved[1]; }) - staging.begin());
  const std::size_t shares = std::max(copy.bytes / share_bytes, std::min(copy.bytes / ready_bytes, ready));
  int copiers = static_cast<int>(std::clamp(shares, std::size_t{1}, most));
  for (int i = 0; i < copiers; ++i)
    if (make(staging[i]) != 0) copiers = i;
  if (copiers == 0) return false;
  int device = 0;
  *status = copiers == 1 ? share(staging[0], copy, 0, 1) : done(cudaGetDevice(&device));
  if (copiers == 1 || *status != 0) return true;
  std::atomic<Status> failed{0};
  Team team(copiers);
  team.run([&](int rank) {
    Status e = done(cudaSetDevice(device));
    if (e == 0) e = share(staging[rank], copy, static_cast<std::size_t>(rank), static_cast<std::size_t>(team.size()));
    if (e != 0) failed = e;
  });
  *status = failed;
  return true;
}

}  // namespace hopwave::device

// What a machine (CUDA, HIP, the simulator) offers for shortest paths with weights: the near-far method.
#pragma once

#include <memory>

#include "algorithm/sssp/method.h"
#include "device/device.h"
#include "device/on_machine.h"

namespace hopwave::sssp {

/// 0: what suits the device and the graph.
struct NearFarTuning {
  std::uint32_t block = 0, grid = 0;  ///< threads per block, blocks
  std::uint64_t narrow = 0;           ///< arcs up to which one block takes a step alone
  std::uint32_t steps = 0;            ///< most steps per launch
  std::uint64_t aim = 0;              ///< arcs per step that the bucket's width is fitted to; used unless `delta` is fixed
  bool wide_offsets = false;          ///< for tests: offsets of 64 bits even where 32 suffice
};

struct NearFarOptions {
  double delta = 1;            ///< width of the first bucket
  bool fixed_delta = false;    ///< of all
  bool float_weights = false;  ///< floats hold every weight exactly: arcs of half the size
  NearFarTuning tuning = {};
};

/// near_far.cu as each machine compiles it. Only those that the build has are defined. Throws HW-SSSP-SIZE, HW-DEVICE-….
HW_FOR_EACH_MACHINE(std::unique_ptr<Method>, make_near_far, device::Device& device, const Arcs& arcs,
                    const NearFarOptions& options)

}  // namespace hopwave::sssp

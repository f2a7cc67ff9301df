// The devices that share a graph, each with its part, and a thread for each where all have work to do.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "bfs/engine/partitioned/part.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

template <class Offset>
class Parts {
 public:
  explicit Parts(const std::vector<std::shared_ptr<Device>>& devices) : first_(devices.at(0)) {
    for (const auto& device : devices) {
      parts_.push_back(std::make_unique<Part<Offset>>());
      parts_.back()->device = device;
      parts_.back()->number = static_cast<u32>(parts_.size() - 1);
    }
  }

  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] Part<Offset>& operator[](std::size_t d) const { return *parts_[d]; }
  [[nodiscard]] auto begin() const { return parts_.begin(); }
  [[nodiscard]] auto end() const { return parts_.end(); }

  /// Checks that they can search together, and lets each touch what the others share. With the first device as the current one.
  /// Throws HW-PARTITION-DEVICES, HW-PARTITION-PEERS, HW-NEEDS-COOPERATIVE.
  void join() {
    check();
    give_up_ = device::HostValue<u32>(*parts_[0]->device);
    on_all([&](Part<Offset>& part) {
      for (const auto& other : parts_)
        if (other->device != part.device) part.device->reach(*other->device);
    });
  }
  /// Launches and round trips of all devices.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> calls() const {
    std::pair<std::uint64_t, std::uint64_t> sum{0, 0};
    for (const auto& part : parts_) {
      sum.first += part->device->launches();
      sum.second += part->device->round_trips();
    }
    return sum;
  }

  [[nodiscard]] std::vector<int> ordinals() const {
    std::vector<int> all;
    for (const auto& part : parts_) all.push_back(part->device->ordinal());
    return all;
  }
  /// Memory is given back with its device as the current one; the word by which kernels give up, too.
  void let_go() noexcept {
    give_up_ = device::HostValue<u32>();
    for (auto& part : parts_) {
      const device::KeepCurrent keep(*part->device);
      part.reset();
    }
  }

  /// Calls work(part) in a thread for each device, and waits for all. If one fails, kernels of the others are asked to leave.
  /// Throws what the first device that failed has thrown.
  template <class Work>
  void on_all(const Work& work) {
    std::vector<std::exception_ptr> errors(parts_.size());
    const auto one = [&](std::size_t d) noexcept {
      try {
        const device::KeepCurrent keep(*parts_[d]->device);
        work(*parts_[d]);
      } catch (...) {
        errors[d] = std::current_exception();
        std::atomic_ref(*give_up_.data()).store(1, std::memory_order_relaxed);
      }
    };
    std::exception_ptr not_started;
    {
      std::vector<std::jthread> threads;  // joined at the end of this block: by then all must have been asked to leave
      try {
        threads.reserve(parts_.size());
        for (std::size_t d = 1; d < parts_.size(); ++d) threads.emplace_back(one, d);
      } catch (...) {
        not_started = std::current_exception();
        std::atomic_ref(*give_up_.data()).store(1, std::memory_order_relaxed);
      }
      if (!not_started) one(0);
    }
    const auto failed = std::find_if(errors.begin(), errors.end(), [](const auto& error) { return error != nullptr; });
    if (!not_started && failed == errors.end()) return;
    wait_for_all();
    std::atomic_ref(*give_up_.data()).store(0, std::memory_order_relaxed);
    if (failed != errors.end()) std::rethrow_exception(*failed);
    no_thread(not_started);
  }

  /// Calls launch(part) for each device, the first one last, and waits for all. Where a launch returns only when its kernel has
  /// ended, in a thread for each; else one after the other: starting a thread takes longer than that.
  template <class Launch>
  void launch_on_all(const Launch& launch) {
    if (parts_[0]->device->api().launch_waits)
      return on_all([&](Part<Offset>& part) {
        launch(part);
        part.device->wait();
      });
    std::exception_ptr error;
    const auto try_to = [&](const auto& work) {
      for (auto part = parts_.rbegin(); part != parts_.rend() && !error; ++part) try {
          const device::KeepCurrent keep(*(*part)->device);
          work(**part);
        } catch (...) {
          error = std::current_exception();
          std::atomic_ref(*give_up_.data()).store(1, std::memory_order_relaxed);
        }
    };
    try_to(launch);
    try_to([](Part<Offset>& part) { part.device->wait(); });
    if (!error) return;
    wait_for_all();
    std::atomic_ref(*give_up_.data()).store(0, std::memory_order_relaxed);
    std::rethrow_exception(error);
  }

  /// Kernels of a search that failed may still read each other's memory.
  void wait_for_all() const noexcept {
    for (const auto& part : parts_) {
      const device::KeepCurrent keep(*part->device);
      static_cast<void>(part->device->api().stream_wait(part->device->stream()));
    }
  }

  /// Not 0 there: a kernel that waits for another device is to leave.
  [[nodiscard]] const u32* give_up() const { return give_up_.data(); }

 private:
  void check() const {
    if (parts_.size() < 2 || parts_.size() > most_devices)
      throw Error({.failure = Failure::usage,
                   .id = "HW-PARTITION-DEVICES",
                   .found = std::to_string(parts_.size()) + " devices",
                   .expected = "2 to " + std::to_string(most_devices) + " that share the graph"});
    for (const auto& a : parts_)
      for (const auto& b : parts_)
        if (a != b && !a->device->can_reach(*b->device))
          throw Error({.failure = Failure::device,
                       .id = "HW-PARTITION-PEERS",
                       .found = "device " + std::to_string(a->device->ordinal()) + " cannot touch the memory of device " +
                                std::to_string(b->device->ordinal()),
                       .expected = "GPUs with peer access to each other (NVLink, or PCIe below one switch)",
                       .hint = "`nvidia-smi topo -p2p r` shows which have it; without it each GPU takes a copy of the graph"});
    for (const auto& part : parts_)
      if (!part->device->properties().cooperative)
        throw Error({.failure = Failure::device,
                     .id = "HW-NEEDS-COOPERATIVE",
                     .found = "device " + std::to_string(part->device->ordinal()) + " has no cooperative launches",
                     .expected = "devices that have them"});
  }
  [[noreturn]] static void no_thread(const std::exception_ptr& why) try {
    std::rethrow_exception(why);
  } catch (const std::system_error& problem) {
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-THREAD-START",
                 .found = std::string("the system starts no thread: ") + problem.code().message(),
                 .expected = "one for each device",
                 .hint = "a limit on processes (ulimit -u, a container's pids) or on memory (ulimit -v) is in the way"});
  }

  std::shared_ptr<Device> first_;  ///< stays when the parts have been let go, for what their owner still has of it
  std::vector<std::unique_ptr<Part<Offset>>> parts_;
  device::HostValue<u32> give_up_;
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned

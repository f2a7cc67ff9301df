// Copies a preparation's arrays to the host (Saver) and back to a device (Restorer). Each form of preparation lists its arrays
// once, in serialize(), for both ways. Whoever changes that list raises the form's layout number.
#pragma once

#include <cstring>
#include <string>

#include "device/device.h"
#include "hopwave/error.h"
#include "hopwave/preparation.h"

namespace hopwave::engine {

[[noreturn]] inline void preparation_does_not_fit(const std::string& found, const std::string& expected) {
  throw Error({.failure = Failure::input,
               .id = "HW-PREPARATION-FIT",
               .found = "a stored preparation with " + found,
               .expected = expected,
               .hint = "make it again: hopwave convert GRAPH OUT.hwg --prepare"});
}

class Saver {
 public:
  explicit Saver(Preparation& to) : to_(to) {}

  template <class T>
  void array(const char* name, device::Buffer<T>& values, std::uint64_t) {
    Array<std::byte> bytes(values.size() * sizeof(T));
    values.download(std::span<T>(reinterpret_cast<T*>(bytes.data()), values.size()));
    to_.arrays.emplace_back(name, std::move(bytes));
  }
  template <class T>
  void number(const char* name, T& value) {
    const std::uint64_t stored = value;
    to_.arrays.emplace_back(name, Array<std::byte>::copy_of(std::as_bytes(std::span(&stored, 1))));
  }

 private:
  Preparation& to_;
};

class Restorer {
 public:
  Restorer(device::Device& device, const Preparation& from) : device_(device), from_(from) {}

  /// Throws HW-PREPARATION-FIT unless there are `count` values.
  template <class T>
  void array(const char* name, device::Buffer<T>& values, std::uint64_t count) {
    const Array<const std::byte>& bytes = find(name, count * sizeof(T));
    values = device::Buffer<T>(device_, count);
    if (count) device_.copy_in(values.data(), bytes.data(), bytes.size());
  }
  template <class T>
  void number(const char* name, T& value) {
    std::uint64_t stored = 0;
    std::memcpy(&stored, find(name, sizeof stored).data(), sizeof stored);
    value = static_cast<T>(stored);
    if (value != stored) preparation_does_not_fit(std::string(name) + " of " + std::to_string(stored), "a smaller number");
  }

 private:
  const Array<const std::byte>& find(const std::string& name, std::uint64_t bytes) const {
    for (const auto& [other, values] : from_.arrays) {
      if (other != name) continue;
      if (values.size() != bytes)
        preparation_does_not_fit(std::to_string(values.size()) + " bytes of " + name, std::to_string(bytes) + " bytes");
      return values;
    }
    preparation_does_not_fit("no " + name, std::to_string(bytes) + " bytes of it");
  }

  device::Device& device_;
  const Preparation& from_;
};

}  // namespace hopwave::engine

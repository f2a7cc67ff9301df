// The published kernels, read plainly: only what each source states, to compare with the strategies. Device memory,
// launches and copies use the CUDA runtime directly here, as in the sources, not the device layer.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hopwave::literal {

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

/// `size` values in device memory, freed with their owner.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) { check(cudaMalloc(&data_, (size ? size : 1) * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  operator T*() const { return data_; }
  void fill_bytes(int byte) { check(cudaMemset(data_, byte, size_ * sizeof(T))); }
  void set(const T& value, std::size_t at = 0) { check(cudaMemcpy(data_ + at, &value, sizeof(T), cudaMemcpyHostToDevice)); }
  [[nodiscard]] T get(std::size_t at = 0) const {
    T value;
    check(cudaMemcpy(&value, data_ + at, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }
  [[nodiscard]] std::vector<T> all() const {
    std::vector<T> values(size_);
    check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The graph as plain arrays of int: CSR, CSC, the sources for COO, and the vertices by ascending degree.
struct Arrays {
  int n = 0, m = 0;
  std::vector<int> offsets, targets, in_offsets, in_sources, tails, by_degree;
};

/// A version that is ready to search one graph.
class Search {
 public:
  virtual ~Search() = default;
  /// Initialises and searches, the host's loop included; returns when the device has finished.
  virtual void run(int source) = 0;
  /// Returns the distances of the caller's vertices, −1 for unreached.
  [[nodiscard]] virtual std::vector<int> distances() const = 0;
};

struct Version {
  using Make = std::function<std::unique_ptr<Search>(const Arrays&)>;
  const char* name;
  const char* strategy;    ///< the strategy with which it is compared
  const char* parameters;  ///< of the strategy, if the plain version has another fixed choice than its default
  const char* mended;      ///< what had to change so that the answer is right; "" if nothing
  Make make;
  int threads = 0;  ///< per block, where the caller chose it
};

std::vector<Version> textbook_versions();           ///< PMPP chapter 15, Harish & Narayanan, GPU101
std::vector<Version> survey_versions(int threads);  ///< Springer; threads per block, whole warps and at most 1,024

}  // namespace hopwave::literal

// Array<T>: a fixed-size block of trivially copyable values that is owned, shared or mapped from a file.
// std::vector would write zeros first (a whole pass over memory for a big graph) and cannot stand on a mapping.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace hopwave {

namespace detail {
/// `bytes` of uninitialised memory, aligned to 64; throws Error HW-MEMORY when there is none.
std::shared_ptr<void> allocate_bytes(std::size_t bytes);
}  // namespace detail

/// Copies of an Array share the same memory: it is meant to be filled once and then read.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  /// `size` values, not initialised.
  explicit Array(std::size_t size)
      : memory_(size ? detail::allocate_bytes(size * sizeof(T)) : nullptr),
        data_(static_cast<T*>(memory_.get())),
        size_(size) {}
  /// A view of memory that `owner` keeps alive: a file mapping, or another array's storage.
  Array(std::shared_ptr<void> owner, T* data, std::size_t size) : memory_(std::move(owner)), data_(data), size_(size) {}

  static Array filled(std::size_t size, T value) {
    Array array(size);
    for (std::size_t i = 0; i < size; ++i) array.data_[i] = value;
    return array;
  }
  static Array copy_of(std::span<const T> values) {
    Array array(values.size());
    if (!values.empty()) std::memcpy(array.data_, values.data(), values.size_bytes());
    return array;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Shortens the array in place; the memory stays.
  void truncate(std::size_t size) noexcept {
    if (size < size_) size_ = size;
  }

 private:
  std::shared_ptr<void> memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hopwave

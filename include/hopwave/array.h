// Array<T>: a block of trivially copyable values whose size is fixed. Array<const T>: a shared, read-only block, or a
// view of a mapped file.
// Why not std::vector: it writes zeros first, which costs a pass over memory for a big graph, and it cannot view a
// mapped file.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

namespace detail {
/// Returns memory for `count` values of `size` bytes each, not initialised, aligned to 64 bytes; null if count is 0.
/// Throws Error HW-MEMORY if the memory is not available, or if the product does not fit 64 bits.
std::shared_ptr<void> allocate_values(std::size_t count, std::size_t size);
[[noreturn]] void refuse_index(std::size_t index, std::size_t size);
[[noreturn]] void refuse_owner();
}  // namespace detail

/// An Array<T> owns its values: copying it copies the values, and moving from it leaves it empty.
/// An Array<const T> shares its values: copies refer to the same memory, which none of them can change. The memory is
/// freed with the last copy. Graphs use this type, so copying a Graph takes O(1), and a mapped file stays mapped as
/// long as it is used.
/// As in std::vector, operator[] does not check the index, and at() does. Threads may read one Array at the same time,
/// but not write to it.
/// Errors: HW-MEMORY, also if the size in bytes exceeds 64 bits; HW-ARRAY-INDEX; HW-ARRAY-OWNER.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  /// Allocates `size` values without initialising them.
  explicit Array(std::size_t size)
      : memory_(detail::allocate_values(size, sizeof(T))), data_(static_cast<T*>(memory_.get())), size_(size) {}
  /// Takes over memory that `owner` keeps alive and frees, such as a buffer of a pool. No other code may use it in the
  /// meantime.
  Array(std::shared_ptr<void> owner, T* data, std::size_t size) : memory_(std::move(owner)), data_(data), size_(size) {
    if (size_ && !(memory_ && data_)) detail::refuse_owner();
  }

  Array(const Array& other) : Array(copy_of(other.span())) {}
  Array(Array&& other) noexcept
      : memory_(std::move(other.memory_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(const Array& other) {
    if (this != &other) *this = copy_of(other.span());
    return *this;
  }
  // Two assignments, not one by value: clang 14 never destroys the parameter of `x = {}` in a template.
  Array& operator=(Array&& other) noexcept {
    Array taken(std::move(other));
    memory_.swap(taken.memory_);
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~Array() = default;

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
  [[nodiscard]] const T& at(std::size_t i) const {
    if (i >= size_) detail::refuse_index(i, size_);
    return data_[i];
  }
  [[nodiscard]] T& at(std::size_t i) { return const_cast<T&>(std::as_const(*this).at(i)); }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Shortens the array in place and keeps its memory. Ignores a size that is not smaller.
  void truncate(std::size_t size) noexcept {
    if (size < size_) size_ = size;
  }

 private:
  friend class Array<const T>;

  std::shared_ptr<void> memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
class Array<const T> {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  /// Takes the values of an array that will not change any more: moved from an rvalue, otherwise copied.
  Array(Array<T> values) noexcept  // NOLINT(google-explicit-constructor): what was filled becomes what is read
      : memory_(std::move(values.memory_)),
        data_(std::exchange(values.data_, nullptr)),
        size_(std::exchange(values.size_, 0)) {}
  /// A view of memory that `owner` keeps alive: a file mapping, or another array's memory.
  Array(std::shared_ptr<const void> owner, const T* data, std::size_t size)
      : memory_(std::move(owner)), data_(data), size_(size) {
    if (size_ && !(memory_ && data_)) detail::refuse_owner();
  }

  Array(const Array&) = default;
  Array(Array&& other) noexcept
      : memory_(std::move(other.memory_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(const Array& other) {
    if (this != &other) *this = Array(other);
    return *this;
  }
  Array& operator=(Array&& other) noexcept {
    Array taken(std::move(other));
    memory_.swap(taken.memory_);
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~Array() = default;

  static Array filled(std::size_t size, T value) { return Array<T>::filled(size, value); }
  static Array copy_of(std::span<const T> values) { return Array<T>::copy_of(values); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] const T& at(std::size_t i) const {
    if (i >= size_) detail::refuse_index(i, size_);
    return data_[i];
  }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Returns the object that keeps the memory alive.
  [[nodiscard]] std::shared_ptr<const void> owner() && noexcept { return std::move(memory_); }
  /// Shortens this view; other views of the same memory keep their size.
  void truncate(std::size_t size) noexcept {
    if (size < size_) size_ = size;
  }

 private:
  std::shared_ptr<const void> memory_;
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop

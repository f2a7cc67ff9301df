// RowText: a growing buffer of text rows with integers written by hand, and the ordered parallel writing of many of them.
// Writing 10⁸ rows through a stream or fmt would take longer than the search; two digits per step and big blocks do not.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/parallel.h"

namespace hopwave::cli {

class RowText {
 public:
  void clear() { size_ = 0; }
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

  void put(char c) {
    reserve(1);
    bytes_[size_++] = c;
  }
  void put(std::string_view text) {
    if (text.empty()) return;  // before the first byte there is no memory to copy to
    reserve(text.size());
    std::memcpy(bytes_.data() + size_, text.data(), text.size());
    size_ += text.size();
  }
  void put(std::int64_t n) {
    reserve(20);
    auto rest = static_cast<std::uint64_t>(n);
    if (n < 0) {
      bytes_[size_++] = '-';
      rest = 0 - rest;
    }
    char digits[20];
    char* begin = digits + sizeof digits;
    while (rest >= 100) {
      begin -= 2;
      std::memcpy(begin, pairs + 2 * (rest % 100), 2);
      rest /= 100;
    }
    if (rest >= 10) {
      begin -= 2;
      std::memcpy(begin, pairs + 2 * rest, 2);
    } else {
      *--begin = static_cast<char>('0' + rest);
    }
    const auto length = static_cast<std::size_t>(digits + sizeof digits - begin);
    std::memcpy(bytes_.data() + size_, begin, length);
    size_ += length;
  }
  /// The bytes of a value as in memory (.npy).
  template <class T>
  void put_binary(T value) {
    reserve(sizeof value);
    std::memcpy(bytes_.data() + size_, &value, sizeof value);
    size_ += sizeof value;
  }

 private:
  void reserve(std::size_t more) {
    if (size_ + more > bytes_.size()) bytes_.resize(std::max(2 * bytes_.size(), size_ + more + 4096));
  }

  static constexpr const char* pairs =
      "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
      "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

/// rows(begin, end, text) appends rows [begin, end); chunks are made by all members and written in order.
template <class Out, class Rows>
void write_in_order(Out& out, Team& team, std::size_t count, Rows&& rows) {
  constexpr std::size_t grain = 1 << 16;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::condition_variable turn;
  std::size_t written = 0;
  bool failed = false;
  team.run([&](int) {
    RowText text;
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) return;
        text.clear();
        rows(begin, std::min(begin + grain, count), text);
        std::unique_lock lock(mutex);
        turn.wait(lock, [&] { return failed || written == begin; });
        if (failed) return;
        out.write(text.view());
        written = begin + grain;
        turn.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);  // the lock above is gone: unwinding released it
      failed = true;
      turn.notify_all();
      throw;
    }
  });
}

}  // namespace hopwave::cli

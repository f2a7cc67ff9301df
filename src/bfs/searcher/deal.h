// Many searches distributed over several devices: a part of the work goes to any free device, and results go in order to the
// calling thread.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "hopwave/error.h"

namespace hopwave::search_detail {

/// One call. Items are what `take` gets, of all parts in order. A device may have `room` of them ready, and then waits for
/// `take`. It never waits for another device: parts begin in order, so the device whose part is being taken has no other items
/// ready. A room of 0: a device waits with each item until take() of it has returned. Then items may refer to what is on the
/// device until its next search, and take() may use the device.
template <class Item>
class Deal {
 public:
  /// Hands over the next item of the part; throws if the call is over.
  using Give = std::function<void(Item&&)>;

  /// Parts of `part` of `count` searches.
  Deal(std::size_t count, std::size_t part, std::size_t room)
      : count_(count),
        part_(part),
        meets_(room == 0),
        room_(std::max<std::size_t>(room, 1)),
        parts_((count + part - 1) / part) {}

  /// Every device gets a thread, which calls work(device, begin, size, give) for part after part. take(i, item) and `progress`
  /// are called by this thread. An exception of any of them is passed on; one of work() after the items before its part, the
  /// first part that failed.
  template <class Work, class Take>
  void run(std::size_t devices, const Work& work, const Take& take, const Progress& progress) {
    std::vector<std::jthread> threads;
    const Ending ending(*this);  // before the threads are waited for
    ready_.assign(devices, 0);
    for (std::size_t d = 0; d < std::min(devices, parts_.size()); ++d) {
      try {
        threads.emplace_back([this, &work, d] { work_off(d, work); });
      } catch (const std::system_error&) {  // the devices that have a thread do it all
        if (threads.empty())
          throw Error({.failure = Failure::does_not_fit, .id = "HW-MEMORY", .found = "no thread could be started"});
        break;
      }
    }
    std::size_t i = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      while (std::optional<Item> item = next(p, progress)) {
        take(i++, std::move(*item));
        if (meets_) taken(parts_[p]);
      }
  }

  /// The progress of the searches of all devices while it runs: false ends them.
  bool report(const Step& step) {
    const std::lock_guard lock(mutex_);
    news_ = step;
    changed_.notify_all();
    return !over_ && !refused_;
  }

 private:
  struct Over {};  ///< thrown in a device's thread: the rest is not wanted any more
  struct Ready {   ///< a type of its own: a list of public ones would be among the library's symbols
    Item item;
  };
  struct Part {
    std::deque<Ready> items = {};
    std::size_t given = 0, taken = 0;  ///< items, where a device waits with each
    std::size_t device = 0;
    bool done = false;
    std::exception_ptr error = {};
  };
  class Ending {
   public:
    explicit Ending(Deal& deal) : deal_(deal) {}
    ~Ending() {
      const std::lock_guard lock(deal_.mutex_);
      deal_.over_ = true;
      deal_.changed_.notify_all();
    }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

   private:
    Deal& deal_;
  };

  template <class Work>
  void work_off(std::size_t device, const Work& work) {
    for (;;) {
      std::size_t p = 0;
      {
        const std::lock_guard lock(mutex_);
        if (over_ || failed_ || begun_ == parts_.size()) return;
        p = begun_++;
        parts_[p].device = device;
      }
      std::exception_ptr error;
      try {
        const std::size_t begin = p * part_;
        work(device, begin, std::min(part_, count_ - begin), Give([&](Item&& item) { give(parts_[p], std::move(item)); }));
      } catch (const Over&) {
        return;
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      failed_ = failed_ || error;
      parts_[p].error = error;
      parts_[p].done = true;
      changed_.notify_all();
    }
  }

  void give(Part& part, Item&& item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_ || ready_[part.device] < room_; });
    if (over_) throw Over();
    ++ready_[part.device];
    part.items.push_back({std::move(item)});
    ++part.given;
    changed_.notify_all();
    if (!meets_) return;
    changed_.wait(lock, [&] { return over_ || part.taken == part.given; });
    if (part.taken < part.given) throw Over();
  }

  void taken(Part& part) {
    const std::lock_guard lock(mutex_);
    ++part.taken;
    changed_.notify_all();
  }

  /// The next item of the part, nothing at its end; throws what ended it.
  std::optional<Item> next(std::size_t p, const Progress& progress) {
    Part& part = parts_[p];
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return news_ || part.done || !part.items.empty(); });
      if (const auto news = std::exchange(news_, std::nullopt); news && progress && !refused_) {
        lock.unlock();
        const bool on = progress(*news);
        lock.lock();
        refused_ = refused_ || !on;
        continue;
      }
      if (!part.items.empty()) {
        Item item = std::move(part.items.front().item);
        part.items.pop_front();
        --ready_[part.device];
        changed_.notify_all();
        return item;
      }
      if (!part.done) continue;
      if (part.error) std::rethrow_exception(part.error);
      return std::nullopt;
    }
  }

  const std::size_t count_, part_;
  const bool meets_;
  const std::size_t room_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Part> parts_;
  std::vector<std::size_t> ready_;  ///< items of each device that are not taken yet
  std::size_t begun_ = 0;
  bool over_ = false;     ///< no further item is taken
  bool failed_ = false;   ///< no further part begins
  bool refused_ = false;  ///< the caller's progress returned false
  std::optional<Step> news_;
};

}  // namespace hopwave::search_detail

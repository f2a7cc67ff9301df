// Messages between devices by NCCL: over NVLink inside a host, over the network between hosts. The transport carries only how
// long they are.
#include <cstring>
#include <numeric>
#include <vector>

#include "core/stopwatch.h"
#include "ranks/agree.h"
#include "ranks/device_messages.h"

namespace hopwave::ranks {
namespace {

class NcclMessages final : public DeviceMessages {
 public:
  NcclMessages(Transport& transport, std::shared_ptr<device::Device> device, const NcclTable& nccl)
      : DeviceMessages(transport, std::move(device)), nccl_(nccl) {
    const device::KeepCurrent keep(*device_);
    std::vector<NcclId> id(1);
    agree(transport_, [&] {
      if (transport_.rank() == 0) check(nccl_.get_unique_id(id.data()));
    });
    transport_.broadcast(0, id);
    check(nccl_.init_rank(&communicator_, transport_.size(), id[0], transport_.rank()));
    connect();
  }

  /// Nothing is on its way after a search, and after an error nobody waits for it: so it ends without the others.
  ~NcclMessages() override {
    if (communicator_) nccl_.abort(communicator_);
  }

  std::uint64_t exchange(const TellLists& told, std::span<const std::uint64_t> counts, bool with_by) override {
    to_.resize(counts.size());
    for (std::size_t r = 0; r < counts.size(); ++r) to_[r] = {counts[r]};
    to_[rank()] = {0};
    transport_.exchange(to_, from_);
    std::vector<std::uint64_t> heard;
    for (const auto& count : from_) heard.push_back(count.at(0));
    const std::uint64_t all = std::accumulate(heard.begin(), heard.end(), std::uint64_t{0});
    make_room(all, with_by);
    if (all + std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == counts[rank()]) return 0;
    const auto lists = [&](auto&& each) {
      each(told.vertices, heard_.data());
      if (with_by) each(told.by, by_.data());
    };
    send_all([&] {
      lists([&](const VertexId* from, VertexId* to) {
        for (std::size_t r = 0; r < counts.size(); ++r) {
          send(from, r == rank() ? 0 : counts[r], nccl_uint32, r);
          receive(to, heard[r], nccl_uint32, r);
          from += counts[r];
          to += heard[r];
        }
      });
    });
    return all;
  }

  void gather(const std::uint64_t* mine, std::span<const std::uint64_t> counts, std::uint64_t* all) override {
    send_all([&] {
      for (std::size_t r = 0; r < counts.size(); ++r) {
        if (r == rank()) {
          if (counts[r] > 0) device_->copy(all, mine, counts[r] * sizeof *mine);
        } else {
          send(mine, counts[rank()], nccl_uint64, r);
          receive(all, counts[r], nccl_uint64, r);
        }
        all += counts[r];
      }
    });
  }

 private:
  /// A first message between two GPUs takes up to a second: no search shall pay for it.
  void connect() {
    const std::vector<std::uint64_t> one(static_cast<std::size_t>(transport_.size()), 1);
    const device::Buffer<std::uint64_t> mine(*device_, one), all(*device_, one);
    gather(mine.data(), one, all.data());
  }

  /// Returns when all that work() has asked for has arrived.
  template <class Work>
  void send_all(const Work& work) {
    device_->wait();  // the time of exchanging is told apart from the kernels'
    const core::Stopwatch watch;
    sent_ = 0;
    check(nccl_.group_start());
    work();
    check(nccl_.group_end());
    device_->wait();
    int error = 0;
    check(nccl_.get_async_error(communicator_, &error));
    check(error);
    transport_.add_traffic(sent_, watch.seconds());
  }

  template <class T>
  void send(const T* data, std::uint64_t count, int type, std::size_t to) {
    if (count == 0) return;
    sent_ += count * sizeof(T);
    check(nccl_.send(data, count, type, static_cast<int>(to), communicator_, device_->native_stream()));
  }
  template <class T>
  void receive(T* data, std::uint64_t count, int type, std::size_t from) {
    if (count > 0) check(nccl_.receive(data, count, type, static_cast<int>(from), communicator_, device_->native_stream()));
  }

  void check(int status) const {
    if (status == 0) return;
    const char* const more = nccl_.last_error(communicator_);
    throw Error({.failure = Failure::device,
                 .id = "HW-RANKS-NCCL",
                 .found = "NCCL " + nccl_version(nccl_) + ": " + nccl_.error_text(status) +
                          (more && *more ? std::string(" (") + more + ")" : std::string()),
                 .hint = "NCCL_DEBUG=WARN says more; --exchange host does without NCCL"});
  }

  const NcclTable& nccl_;
  void* communicator_ = nullptr;
  std::uint64_t sent_ = 0;
  std::vector<std::vector<std::uint64_t>> to_, from_;
};

}  // namespace

std::unique_ptr<DeviceMessages> make_nccl_messages(Transport& transport, std::shared_ptr<device::Device> device,
                                                   const NcclTable& nccl) {
  return std::make_unique<NcclMessages>(transport, std::move(device), nccl);
}

}  // namespace hopwave::ranks

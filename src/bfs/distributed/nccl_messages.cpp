// Messages between devices by NCCL: over NVLink inside a host, over the network between hosts. The transport carries how long
// they are, and short lists themselves: those are there as soon as their length, and NCCL is not asked.
#include <cstring>
#include <numeric>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/device_messages.h"
#include "core/stopwatch.h"

namespace hopwave::ranks {
namespace {

class NcclMessages final : public DeviceMessages {
 public:
  NcclMessages(Transport& transport, std::shared_ptr<device::Device> device, const NcclTable& nccl, std::uint64_t by_hosts)
      : DeviceMessages(transport, std::move(device)), nccl_(nccl), by_hosts_(by_hosts) {
    const device::KeepCurrent keep(*device_);
    std::vector<NcclId> id(1);
    agree(transport_, [&] {
      if (transport_.rank() == 0) check(nccl_.get_unique_id(id.data()));
    });
    transport_.broadcast(0, id);
    check(nccl_.init_rank(&communicator_, transport_.size(), id[0], transport_.rank()));
    connect();
  }

  /// No message is on its way after a search, and after an error no rank waits for one, so the communicator ends without the
  /// others.
  ~NcclMessages() override {
    if (communicator_) nccl_.abort(communicator_);
  }

  std::uint64_t exchange(const VertexLists& lists, std::span<const std::uint64_t> counts, bool with_by) override {
    write_letters(lists, counts, with_by);
    transport_.exchange(to_, from_);
    std::vector<std::uint64_t> heard;
    for (const auto& letter : from_) heard.push_back(length_of(letter));
    const std::uint64_t all = std::accumulate(heard.begin(), heard.end(), std::uint64_t{0});
    make_room(all, with_by);
    read_letters(heard, with_by);
    std::uint64_t by_nccl = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) by_nccl += left_for_nccl(to_[r]) + left_for_nccl(from_[r]);
    if (by_nccl == 0) return all;
    const auto send_lists = [&](const VertexId* from, VertexId* to) {
      for (std::size_t r = 0; r < counts.size(); ++r) {
        send(from, left_for_nccl(to_[r]), nccl_uint32, r);
        receive(to, left_for_nccl(from_[r]), nccl_uint32, r);
        from += counts[r];
        to += heard[r];
      }
    };
    send_all([&] {
      send_lists(lists.vertices, heard_.data());
      if (with_by) send_lists(lists.by, by_.data());
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
  // A letter goes by the transport: the number of vertices of a list, in two words; if it is short, the vertices, and after
  // them those that reached them, if that is wanted. Both ranks see by the letter whether the list comes by NCCL.
  using Letter = std::vector<VertexId>;
  static constexpr std::size_t length_words = 2;
  static std::uint64_t length_of(const Letter& letter) { return letter.at(0) | std::uint64_t{letter.at(1)} << 32; }
  static std::uint64_t left_for_nccl(const Letter& letter) { return letter.size() == length_words ? length_of(letter) : 0; }

  void write_letters(const VertexLists& lists, std::span<const std::uint64_t> counts, bool with_by) {
    to_.resize(counts.size());
    std::uint64_t at = 0;
    for (std::size_t r = 0; r < counts.size(); at += counts[r++]) {
      Letter& letter = to_[r];
      const std::uint64_t count = r == rank() ? 0 : counts[r];
      letter = {static_cast<VertexId>(count), static_cast<VertexId>(count >> 32)};
      if (count == 0 || count > by_hosts_) continue;
      letter.resize(length_words + count * (with_by ? 2 : 1));
      device_->copy_out(&letter[length_words], lists.vertices + at, count * sizeof(VertexId));
      if (with_by) device_->copy_out(&letter[length_words + count], lists.by + at, count * sizeof(VertexId));
    }
  }
  void read_letters(std::span<const std::uint64_t> heard, bool with_by) {
    std::uint64_t at = 0;
    for (std::size_t r = 0; r < heard.size(); at += heard[r++]) {
      const Letter& letter = from_[r];
      if (letter.size() == length_words) continue;
      device_->copy_in(heard_.data() + at, &letter.at(length_words), heard[r] * sizeof(VertexId));
      if (with_by) device_->copy_in(by_.data() + at, &letter.at(length_words + heard[r]), heard[r] * sizeof(VertexId));
    }
  }

  /// A first message between two GPUs takes up to a second: no search shall pay for it.
  void connect() {
    const std::vector<std::uint64_t> one(static_cast<std::size_t>(transport_.size()), 1);
    const device::Buffer<std::uint64_t> mine(*device_, one), all(*device_, one);
    gather(mine.data(), one, all.data());
  }

  /// Returns when all that work() has asked for has arrived.
  template <class Work>
  void send_all(const Work& work) {
    device_->wait();  // the time of exchanging is measured apart from the kernels'
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
  const std::uint64_t by_hosts_;
  std::vector<Letter> to_, from_;
};

}  // namespace

std::unique_ptr<DeviceMessages> make_nccl_messages(Transport& transport, std::shared_ptr<device::Device> device,
                                                   const NcclTable& nccl, std::uint64_t by_hosts) {
  return std::make_unique<NcclMessages>(transport, std::move(device), nccl, by_hosts);
}

}  // namespace hopwave::ranks

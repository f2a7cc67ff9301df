// agree(): work that may fail on some ranks and not on others, between two collective calls.
#pragma once

#include <functional>
#include <optional>

#include "bfs/distributed/transport.h"
#include "hopwave/error.h"

namespace hopwave::ranks {

/// An error that all ranks throw together: one of them may report it, and none waits for another.
class AgreedError : public Error {
 public:
  AgreedError(int rank, Parts parts) : Error(std::move(parts)), rank_(rank) {}
  [[nodiscard]] int rank() const noexcept { return rank_; }  ///< where it happened

 private:
  int rank_;
};

/// Runs work() on this rank, which must not call the transport. Where it throws on some ranks, all throw the AgreedError of
/// the lowest of these. An error of a rank other than 0 names it.
void agree(Transport& transport, const std::function<void()>& work);

/// The same for an error that is there already, or not.
void agree_on(Transport& transport, const std::optional<Error>& mine);

}  // namespace hopwave::ranks

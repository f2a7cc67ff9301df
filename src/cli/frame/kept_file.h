// What a command that was ended early keeps next to its result, so that --resume goes on from there: OUTPUT.part.
#pragma once

#include <span>
#include <string>

#include "algorithm/algorithm.h"

namespace hopwave::cli {

class KeptFile final : public algorithm::Keeper {
 public:
  /// `output`: empty or "-" where nothing can be kept.
  KeptFile(const Graph& graph, std::string output, Direction direction, bool resume)
      : graph_(graph), output_(std::move(output)), direction_(direction), resume_(resume) {}

  algorithm::Kept begun(std::string_view kind, std::span<const VertexId> sources) override;
  [[noreturn]] void refuse(std::string found, std::string expected) override;
  [[nodiscard]] bool keeps() const { return !output_.empty() && output_ != "-"; }
  void keep(const algorithm::Kept& kept) const;
  /// What was kept is not needed any more.
  void forget() const;

 private:
  [[nodiscard]] std::string file() const { return output_ + ".part"; }

  const Graph& graph_;
  std::string output_;
  Direction direction_;
  bool resume_;
  std::string kind_;
  std::uint64_t sources_ = 0;
};

}  // namespace hopwave::cli

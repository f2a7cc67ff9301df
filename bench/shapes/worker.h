// A worker process: it takes the next graph until there is none, and sends a line when it begins and ends one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "shapes/campaign.h"

namespace hopwave::shapes {

/// In memory that all processes share.
struct Shared {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> stop{false};
};

/// Items are numbered: first the named graphs, then the seeds.
std::uint64_t named_count(const Campaign& campaign);
std::uint64_t item_count(const Campaign& campaign);
std::string item_name(const Campaign& campaign, std::uint64_t item);
Trial make_item(const Campaign& campaign, std::uint64_t item);

using Line = std::function<void(const std::string&)>;
/// `only`: this item alone, on one thread.
void work(const Campaign& campaign, Shared& shared, std::optional<std::uint64_t> only, const Line& line);

/// Makes the graph of a failure small and writes it; adds what is known then.
Report shrink_item(const Campaign& campaign, std::uint64_t item, std::size_t session, std::size_t act, const Report& report);

}  // namespace hopwave::shapes

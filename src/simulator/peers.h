// Memory that simulated devices share: which arrays, of which device, and which devices may touch them.
#pragma once

#include <cstddef>

namespace hopwave::sim {

/// False: there is no room in the table.
bool share(void* p, std::size_t bytes, int device) noexcept;
void unshare(void* p) noexcept;
/// `device` may touch what `peer` shares, from now on.
void open_to_peer(int device, int peer) noexcept;

}  // namespace hopwave::sim

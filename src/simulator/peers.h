// Memory that simulated devices share: the arrays, their device, and the devices that may access them.
#pragma once

#include <cstddef>

namespace hopwave::sim {

/// Returns false if the table is full.
bool share(void* p, std::size_t bytes, int device) noexcept;
void unshare(void* p) noexcept;
/// From now on, `device` may access what `peer` shares.
void open_to_peer(int device, int peer) noexcept;

}  // namespace hopwave::sim

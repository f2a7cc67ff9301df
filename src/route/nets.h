// Nets: what their solution and their picture share.
#pragma once

#include "hopwave/netlist.h"

namespace hopwave::inline v0_1::route {

/// Throws HW-NET-ARRAYS and HW-NET-PIN unless everything in both is on the netlist's tiles.
void require_sound(const Netlist& netlist, const GlobalRoute& route);

}  // namespace hopwave::inline v0_1::route

// Nets: what their solution and their picture share.
#pragma once

#include <string>

#include "draw/search_page.h"
#include "hopwave/netlist.h"

namespace hopwave::inline v0_1::route {

/// Throws HW-NET-ARRAYS and HW-NET-PIN unless everything in both is on the netlist's tiles.
void require_sound(const Netlist& netlist, const GlobalRoute& route);

/// A page that steps through the rounds of a routing: the picture of each, and what is overfull in it.
class RoundsPage {
 public:
  /// Throws HW-ROUTE-ENDING unless `path` ends in .html. The netlist must outlive the page.
  RoundsPage(const Netlist& netlist, std::string path);
  void add(const GlobalRoute& round);  ///< as GlobalOptions::each_round gives it
  /// Writes the file; `kept`: the round whose routes are the answer. Throws HW-IO-….
  void write(int kept);

 private:
  const Netlist& netlist_;
  std::string path_;
  picture::Page page_;
};

}  // namespace hopwave::inline v0_1::route

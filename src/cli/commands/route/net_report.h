// `hopwave route` for netlists: routing, the summary and the output.
#pragma once

#include <string>

#include "cli/frame/console.h"
#include "hopwave/netlist.h"

namespace hopwave::cli {

struct NetArguments {
  std::string order = "shortest";
  std::int64_t rounds = 40;
  bool sequential = false;
};

/// Files that a routing is written to; empty: none.
struct NetFiles {
  std::string solution, picture;
  std::string rounds;  ///< a page
};

/// Routes the nets and writes the files. `load`: what reading took. The exit code: 1 if a net
/// is unrouted or congested.
int route_netlist(const route::Netlist& netlist, Seconds load, const NetArguments& arguments, const NetFiles& files,
                  const RunOptions& asked, Context& context);

}  // namespace hopwave::cli

// NCCL's calls for ranks that are threads of one process with simulated devices, whose memory the host can copy.
#pragma once

#include "bfs/distributed/nccl.h"

namespace hopwave::testing {

/// As NCCL does, it refuses what does not fit together: other counts or types on the other side, an unknown rank, a message
/// outside a group.
const ranks::NcclTable& fake_nccl();

}  // namespace hopwave::testing

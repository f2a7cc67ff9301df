// Maximum flow by paths: Edmonds–Karp and Dinic. One thread.
#pragma once

#include <functional>

#include "algorithm/flow/residual.h"
#include "hopwave/flow.h"

namespace hopwave::inline v0_1::flow {

/// Sends what can be sent, fills value, searches, pushes and, if asked for, paths. `go_on(flow so far)` may throw.
void edmonds_karp(Residual& residual, VertexId source, VertexId target, bool paths,
                  const std::function<void(std::int64_t)>& go_on, Flow& flow);
void dinic(Residual& residual, VertexId source, VertexId target, const std::function<void(std::int64_t)>& go_on, Flow& flow);

}  // namespace hopwave::inline v0_1::flow

// hopwave: breadth-first search and graph traversal on GPUs and CPUs. Include this one header to have it all.
//
//   hopwave::Graph graph = hopwave::load_graph("social.txt.zst");
//   hopwave::Result r = hopwave::search(graph, {.sources = {0}});
//   // r.distance[v] is the number of hops from vertex 0, or hopwave::unreached
#pragma once

#include "hopwave/array.h"
#include "hopwave/betweenness.h"
#include "hopwave/closeness.h"
#include "hopwave/columns.h"
#include "hopwave/components.h"
#include "hopwave/device.h"
#include "hopwave/device_result.h"
#include "hopwave/eccentricity.h"
#include "hopwave/edge_list.h"
#include "hopwave/error.h"
#include "hopwave/estimate.h"
#include "hopwave/generate.h"
#include "hopwave/graph.h"
#include "hopwave/ids.h"
#include "hopwave/io.h"
#include "hopwave/level_counts.h"
#include "hopwave/limits.h"
#include "hopwave/netlist.h"
#include "hopwave/path.h"
#include "hopwave/preparation.h"
#include "hopwave/resident.h"
#include "hopwave/restrict.h"
#include "hopwave/route.h"
#include "hopwave/sampled_closeness.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/spy.h"
#include "hopwave/strong.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"
#include "hopwave/version.h"
#include "hopwave/weights.h"

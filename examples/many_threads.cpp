// Many queries in many threads: the threads share one graph, and each has its own searcher.
#include <hopwave/hopwave.h>

#include <atomic>
#include <exception>
#include <iostream>
#include <thread>
#include <vector>

int main() try {
  const hopwave::Graph graph = hopwave::load_graph("rmat:12,8");
  constexpr hopwave::VertexId queries = 64;
  constexpr int workers = 4;

  std::atomic<hopwave::VertexId> next{0};
  std::vector<hopwave::Distance> depth(queries);
  std::exception_ptr failure[workers] = {};
  {
    std::vector<std::jthread> threads;
    for (int worker = 0; worker < workers; ++worker)
      threads.emplace_back([&, worker] {
        try {
          hopwave::Searcher searcher(graph, {.run = {.device = hopwave::DeviceKind::cpu, .threads = 1}});
          for (hopwave::VertexId i = next++; i < queries; i = next++) depth[i] = searcher.run({.sources = {i}}).depth;
        } catch (...) {
          failure[worker] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr& e : failure)
    if (e) std::rethrow_exception(e);

  hopwave::Distance deepest = 0;
  for (const hopwave::Distance d : depth) deepest = d > deepest ? d : deepest;
  std::cout << queries << " searches, the deepest of " << deepest << " levels\n";

  // If one thread needs many searches, one call runs them together.
  hopwave::Searcher together(graph, {.run = {.device = hopwave::DeviceKind::cpu}});
  std::vector<hopwave::VertexId> sources(queries);
  for (hopwave::VertexId i = 0; i < queries; ++i) sources[i] = i;
  int agree = 0;
  together.run_each(sources, -1, [&](std::size_t i, hopwave::Result&& result) { agree += result.depth == depth[i]; });
  std::cout << agree << " agree with one call for all\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}

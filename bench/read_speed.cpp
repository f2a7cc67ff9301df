// How fast graph files load: MB of text per second, building the CSR included; and how fast a .hwg of the same graph
// opens.
// usage: read_speed [--threads N] [--repeat N] FILE...      (makes FILE.hwg in the same folder, and removes it)
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"

namespace {

struct Times {
  double wall = 0, processor = 0;  ///< seconds; processor: of all threads together, which other programs do not disturb
};

Times times_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Returns the seconds in which this many threads copy `bytes` bytes, each its part, in memory: both sides are mapped
/// already.
double copy_seconds(std::size_t bytes, int threads, int repeat) {
  const std::size_t members = threads > 0 ? static_cast<std::size_t>(threads) : std::thread::hardware_concurrency();
  std::vector<char> from(bytes, 1), to(bytes, 2);
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i)
    seconds.push_back(times_of([&] {
                        std::vector<std::thread> team;
                        for (std::size_t t = 0; t < members; ++t)
                          team.emplace_back([&, begin = bytes * t / members, end = bytes * (t + 1) / members] {
                            std::memcpy(to.data() + begin, from.data() + begin, end - begin);
                          });
                        for (std::thread& thread : team) thread.join();
                      }).wall);
  return median(seconds);
}

void measure(const std::string& path, int threads, int repeat) {
  const hopwave::ReadOptions read{.run = {.threads = threads}};
  std::vector<double> parse, load, load_processor, open, open_processor;
  hopwave::Graph graph;
  for (int i = 0; i < repeat; ++i) {
    graph = {};
    const Times times = times_of([&] { graph = hopwave::load_graph(path, read); });
    load.push_back(times.wall);
    load_processor.push_back(times.processor);
    parse.push_back(hopwave::Seconds(graph.read_report().read + graph.read_report().parse).count());
  }
  const double megabytes = static_cast<double>(graph.read_report().text_bytes) / 1e6;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const std::string binary = path + ".hwg";
  hopwave::write_graph(graph, binary);
  for (int i = 0; i < repeat; ++i) {
    const Times times = times_of([&] { hopwave::load_graph(binary, read); });
    open.push_back(times.wall);
    open_processor.push_back(times.processor);
  }
  const std::uintmax_t bytes = std::filesystem::file_size(binary);
  const double size = static_cast<double>(bytes) / 1e6, copying = copy_seconds(bytes, threads, repeat);
  std::filesystem::remove(binary);
  std::printf("%s: %.1f MB of text, %u vertices, %llu arcs\n", path.c_str(), megabytes, graph.num_vertices(),
              static_cast<unsigned long long>(graph.num_arcs()));
  std::printf("  read and parse %.3f s (%.0f MB/s); graph built %.3f s (%.0f MB/s); peak memory %.2f GB\n", median(parse),
              megabytes / median(parse), median(load), megabytes / median(load), static_cast<double>(usage.ru_maxrss) / 1e6);
  std::printf("  processor time, graph built: %.3f s (%.0f MB/s per core)\n", median(load_processor),
              megabytes / median(load_processor));
  std::printf("  .hwg of %.1f MB opens, checked, in %.4f s (processor %.4f s): %.2f %% (%.2f %%) of the time for the text\n",
              size, median(open), median(open_processor), 100 * median(open) / median(load),
              100 * median(open_processor) / median(load_processor));
  std::printf("  copying as many bytes in memory takes %.4f s: opening takes %.2f times that\n", copying,
              median(open) / copying);
  std::printf("  %.1f million rows per second parsed, %.1f million from text to rows\n",
              static_cast<double>(graph.read_report().rows) / median(parse) / 1e6,
              static_cast<double>(graph.read_report().rows) / median(load) / 1e6);
}

}  // namespace

int main(int count, char** arguments) try {
  int threads = 0, repeat = 3;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--threads" && i + 1 < count)
      threads = std::atoi(arguments[++i]);
    else if (argument == "--repeat" && i + 1 < count)
      repeat = std::max(1, std::atoi(arguments[++i]));
    else
      measure(argument, threads, repeat);
  }
} catch (const hopwave::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.failure());
}

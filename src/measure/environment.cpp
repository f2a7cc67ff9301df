// The environment of a measurement, and the coarse picture of a graph that travels with it.
#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <ctime>
#include <fstream>
#include <map>

#include "core/commit.h"
#include "core/parallel.h"
#include "device/device.h"
#include "hopwave/error.h"
#include "hopwave/version.h"
#include "measure/bench_file.h"

namespace hopwave::report {
namespace {

// The driver's own management library, where there is one; clocks are worth having and not worth a dependency.
void read_clocks(Environment& environment) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  using Device = void*;
  const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
  const auto handle = reinterpret_cast<int (*)(unsigned, Device*)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
  const auto clock = reinterpret_cast<int (*)(Device, int, unsigned*)>(dlsym(library, "nvmlDeviceGetClockInfo"));
  const auto shutdown = reinterpret_cast<int (*)()>(dlsym(library, "nvmlShutdown"));
  constexpr int sm_clock = 1, memory_clock = 2;
  Device device = nullptr;
  if (init && handle && clock && shutdown && init() == 0) {
    unsigned mhz = 0;
    if (handle(0, &device) == 0) {
      if (clock(device, sm_clock, &mhz) == 0) environment.clock_mhz = static_cast<int>(mhz);
      if (clock(device, memory_clock, &mhz) == 0) environment.memory_clock_mhz = static_cast<int>(mhz);
    }
    shutdown();
  }
  dlclose(library);
}

// The roofline's bandwidth is measured on this device, not taken from a data sheet.
double copy_bandwidth() try {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  const device::KeepCurrent keep(device::cuda_api());
  device::Device device(*device::cuda_api());
  device::Buffer<char> from(device, bytes), to(device, bytes);
  device::Timer timer(device);
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    timer.start();
    device.copy(to.data(), from.data(), bytes);
    timer.stop();
    best = std::max(best, 2e3 * static_cast<double>(bytes) / timer.elapsed().count());
  }
  return best;
} catch (const Error&) {
  return 0;  // a full device still has results to report
}

}  // namespace

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

Environment current_environment(std::string command, int threads) {
  Environment e;
  e.command = std::move(command);
  e.version = version;
  e.commit = source_commit;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  e.date = text;
  e.cpu = cpu_model();
  e.threads = threads > 0 ? threads : hardware_threads();
  e.device = device_info();
  if (e.device.gpu) {
    e.copy_bytes_per_second = copy_bandwidth();
    read_clocks(e);
  }
  return e;
}

GraphPicture draw_graph(const std::string& name, const Graph& graph, std::uint32_t bins) {
  GraphPicture picture{.graph = name, .bins = bins, .spy = std::vector<std::uint64_t>(std::size_t{bins} * bins)};
  const std::uint64_t n = graph.num_vertices();
  for (VertexId v = 0; v < n; ++v) {
    const std::uint64_t row = v * std::uint64_t{bins} / n;
    for (const VertexId w : graph.out_neighbors(v)) ++picture.spy[row * bins + w * std::uint64_t{bins} / n];
  }
  picture.degrees = degree_bins(graph);
  return picture;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> degree_bins(const Graph& graph) {
  std::map<std::uint64_t, std::uint64_t> degrees;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) ++degrees[std::bit_floor(graph.out_degree(v))];
  return {degrees.begin(), degrees.end()};
}

}  // namespace hopwave::report

// hopwave doctor: what this machine can do, and what is missing.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "core/cuda_version.h"
#include "core/parallel.h"
#include "device/architecture.h"
#include "hopwave/estimate.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "hopwave/version.h"

namespace hopwave::cli {
namespace of_doctor {

struct Finding {
  std::string area;   ///< "gpu"
  std::string state;  ///< "ok", "missing", "short"
  std::string text;
  std::string advice;  ///< what to do about it; may be empty
};

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

Finding gpu_finding(const DeviceInfo& device) {
  if (device.gpu)
    return {"gpu", "ok",
            fmt::format("{}, compute {}, {} multiprocessors, {} free of {}; CUDA driver {}, runtime {}{}{}", device.name,
                        device.compute, device.multiprocessors, bytes_text(device.memory_free), bytes_text(device.memory_total),
                        core::cuda_version(device.driver), core::cuda_version(device.runtime),
                        device.cooperative ? ", cooperative launches" : "", device.clusters ? ", clusters" : ""),
            ""};
  return {"gpu", "missing", device.why_not,
          device.built_with_cuda
              ? "searches run on the CPU; install NVIDIA's driver if there is a GPU"
              : "searches run on the CPU; build with the CUDA toolkit for GPUs (cmake --preset release finds nvcc)"};
}

/// What this build reads and writes: asked of the library by trying.
Finding library_finding(const std::string& name, bool there, const std::string& use, const std::string& package) {
  return {name, there ? "ok" : "missing", use + (there ? "" : " cannot be read or written"),
          there ? "" : "install " + package + " and build again"};
}

std::vector<Finding> examine(const DeviceInfo& device) {
  const Features features = build_features();
  const std::uint64_t free = host_memory_free(), total = host_memory_total();
  std::vector<Finding> findings;
  findings.push_back(
      {"cpu", "ok", fmt::format("{}, {} usable", processor(), plural(static_cast<std::uint64_t>(hardware_threads()), "thread")),
       ""});
  findings.push_back({"memory", free < (std::uint64_t{1} << 30) ? "short" : "ok",
                      fmt::format("{} free of {}", bytes_text(free), bytes_text(total)),
                      free < (std::uint64_t{1} << 30) ? "hopwave estimate GRAPH prints what a graph needs" : ""});
  findings.push_back(gpu_finding(device));
  if (const device::Architecture* const to = device::find_architecture({}))
    findings.push_back({"limits", "ok", "HOPWAVE_LIMITS_OF: devices have those of " + device::text_of(*to), ""});
  std::size_t gpu = 0, cpu = 0;
  for (const auto& s : strategies()) (s.device == "gpu" ? gpu : cpu) += s.device != "any";
  findings.push_back({"simulator", gpu ? "ok" : "missing",
                      fmt::format("--device sim runs the {} on the CPU", plural(gpu, "GPU strategy", "GPU strategies")), ""});
  findings.push_back({"strategies", cpu ? "ok" : "missing", fmt::format("{} for the CPU, {} for GPUs", cpu, gpu), ""});
  findings.push_back(library_finding("gzip", features.zlib, ".gz files", "zlib1g-dev"));
  findings.push_back(library_finding("zstd", features.zstd, ".zst files", "libzstd-dev"));
  findings.push_back(library_finding("expat", features.expat, "GraphML files", "libexpat1-dev"));
  findings.push_back(library_finding("png", features.png, "PNG pictures", "libpng-dev"));
  return findings;
}

int run(Context& context) {
  const DeviceInfo device = device_info();
  const auto findings = examine(device);
  Console& console = context.console;
  if (context.json()) {
    Json json = document("doctor");
    json["cpu"] = {{"name", processor()}, {"threads", hardware_threads()}};
    json["memory"] = {{"free_bytes", host_memory_free()}, {"total_bytes", host_memory_total()}};
    json["gpu"] = {{"usable", device.gpu},
                   {"name", device.name},
                   {"why_not", device.why_not},
                   {"compute", device.compute},
                   {"multiprocessors", device.multiprocessors},
                   {"memory_free_bytes", device.memory_free},
                   {"memory_total_bytes", device.memory_total},
                   {"driver", device.driver},
                   {"runtime", device.runtime},
                   {"cooperative", device.cooperative},
                   {"clusters", device.clusters},
                   {"built_with_cuda", device.built_with_cuda}};
    json["findings"] = Json::array();
    for (const auto& f : findings)
      json["findings"].push_back({{"area", f.area}, {"state", f.state}, {"text", f.text}, {"advice", f.advice}});
    console.result(dump(json));
    return 0;
  }
  console.result(fmt::format("hopwave {}", version));
  for (const auto& f : findings) {
    const auto words = [&](const std::string& text) { return wrap(text, console.room(Stream::out), 21); };
    console.result(
        fmt::format("{} {:<8} {}", console.bold(Stream::out, fmt::format("{:<11}", f.area)), f.state, words(f.text)));
    if (!f.advice.empty()) console.result(fmt::format("{:<21}{}", "", words(f.advice)));
  }
  return 0;
}

}  // namespace of_doctor

Command doctor_command() {
  using namespace of_doctor;
  return {
      .name = "doctor",
      .summary = "what this machine can do, and what is missing",
      .description =
          "Looks at processor, memory, GPU, driver and the libraries that this build has, and says what to do about what is "
          "missing. Always exit code 0: a machine without a GPU is no failure.",
      .examples = {{"hopwave doctor", "for people"}, {"hopwave doctor --json", "for programs"}},
      .groups = {},
      .run = [](Context& context) { return run(context); }};
}

}  // namespace hopwave::cli

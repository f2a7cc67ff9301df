// From a .hwg file to distances on the host: open, copy, search, copy back, each measured and compared with this
// machine's lower bounds, measured in the same run: a plain read of the file, and plain copies between pinned and
// device memory.
//   end-to-end [--device gpu|sim] [--scale S] [--file F.hwg] [--runs N] [--json FILE]
// Without --file it generates R-MAT of that scale on the device, prepares it, and writes and removes its own files.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "device/device.h"
#include "device/usable_gpu.h"
#include "hopwave/hopwave.h"

namespace {

using namespace hopwave;
using Json = nlohmann::ordered_json;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double least(int runs, const std::function<void()>& work) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) best = std::min(best, seconds_of(work));
  return best;
}

/// Asks the system to drop the file's pages, so that the next read comes from the disk; the system may refuse.
void forget(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ::fdatasync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
}

/// Reads the file once through pread with all threads, into buffers that stay: the lower bound of opening a file.
void read_plainly(Team& team, const std::string& path, std::uint64_t bytes, std::vector<std::vector<char>>& buffers) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  constexpr std::size_t piece = std::size_t{8} << 20;
  parallel_for(team, (bytes + piece - 1) / piece, 1, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t i = begin; i < end; ++i)
      if (::pread(fd, buffers[static_cast<std::size_t>(rank)].data(), piece, static_cast<off_t>(i * piece)) < 0) return;
  });
  ::close(fd);
}

/// Seconds to copy this many bytes between pinned and device memory, in pieces that the API passes on unchanged.
struct Bus {
  explicit Bus(const device::Api& api) : device(api), on_device(device, total) {
    device.check(device.api().allocate_pinned(&pinned, total));
  }
  ~Bus() { device.api().release_pinned(pinned); }
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  double rate(bool in) {
    const double seconds = least(3, [&] {
      for (std::size_t at = 0; at < total; at += piece)
        if (in)
          device.copy_in(on_device.data() + at, static_cast<char*>(pinned) + at, piece);
        else
          device.check(device.api().copy_out(static_cast<char*>(pinned) + at, on_device.data() + at, piece, device.stream()));
      device.wait();
    });
    return static_cast<double>(total) / seconds;
  }

  static constexpr std::size_t total = std::size_t{1} << 28, piece = std::size_t{2} << 20;
  device::Device device;
  device::Buffer<char> on_device;
  void* pinned = nullptr;
};

struct Options {
  std::string device = "gpu", file, json, folder = ".";
  int scale = 24, runs = 3, threads = 0;
};

class EndToEnd {
 public:
  explicit EndToEnd(const Options& o) : o_(o), kind_(o.device == "sim" ? DeviceKind::sim : DeviceKind::gpu), team_(o.threads) {
    std::string why_not;
    const device::Api* api = kind_ == DeviceKind::sim ? device::sim_api() : device::usable_gpu(why_not);
    if (!api) throw Error({.failure = Failure::device, .id = "HW-DEVICE-NONE", .found = why_not});
    Bus bus(*api);
    up_ = bus.rate(true);
    down_ = bus.rate(false);
    buffers_.assign(static_cast<std::size_t>(team_.size()), std::vector<char>(std::size_t{8} << 20));
    result_ = {{"device", bus.device.properties().name},
               {"threads", team_.size()},
               {"floors", {{"to_device_gb_s", up_ * 1e-9}, {"to_host_gb_s", down_ * 1e-9}}},
               {"rows", Json::array()}};
    fmt::print("{}; pinned copies: {:.1f} GB/s in, {:.1f} GB/s out; {} threads\n", bus.device.properties().name, up_ * 1e-9,
               down_ * 1e-9, team_.size());
  }

  void run() {
    if (!o_.file.empty()) return measure(o_.file);
    const std::string plain = o_.folder + "/end-to-end.hwg", prepared = o_.folder + "/end-to-end-prepared.hwg";
    make_files(plain, prepared);
    measure(plain);
    measure(prepared);
    std::filesystem::remove(plain);
    std::filesystem::remove(prepared);
  }

  [[nodiscard]] const Json& result() const { return result_; }

 private:
  void make_files(const std::string& plain, const std::string& prepared) {
    Json& made = result_["made"];
    EdgeList list;
    double drawn = 0;
    {
      std::optional<ResidentEdges> edges;
      drawn = seconds_of([&] { edges.emplace(ResidentEdges::rmat(o_.scale, 16, 1, kind_)); });
      list = edges->download();
    }
    Graph graph, same;
    EdgeList given = list;
    const double on_cpu = seconds_of([&] { graph = build_graph(std::move(given), {}, {.threads = o_.threads}); });
    double on_device =
        1e300;  // through the host: copied to the device, sorted, copied back; memory is allocated the first time
    for (int i = 0; i < 2; ++i) {
      given = list;
      on_device = std::min(on_device, seconds_of([&] { same = build_graph(std::move(given), {}, {.device = kind_}); }));
    }
    if (!std::equal(graph.out().neighbors.begin(), graph.out().neighbors.end(), same.out().neighbors.begin(),
                    same.out().neighbors.end()) ||
        !std::equal(graph.out().offsets.begin(), graph.out().offsets.end(), same.out().offsets.begin(),
                    same.out().offsets.end()))
      throw Error({.failure = Failure::verification, .id = "HW-VERIFY", .found = "the device built another graph"});
    write_graph(graph, plain);
    std::vector<double> preparing;
    for (int i = 0; i < 3; ++i) {
      graph.set_preparation(prepare(graph, {.run = {.device = kind_}}));
      preparing.push_back(graph.preparation()->time.count());
    }
    write_graph(graph, prepared);
    made = {{"graph", "rmat:" + std::to_string(o_.scale) + ",16,1"},
            {"edges", list.edges.size()},
            {"arcs", graph.num_arcs()},
            {"draw_on_device_s", drawn},
            {"build_on_cpu_s", on_cpu},
            {"build_over_device_s", on_device},
            {"prepare_ms", preparing}};
    fmt::print(
        "rmat:{}: generated in {:.3f} s; built by the CPU in {:.2f} s, over the device in {:.3f} s, the same graph; prepared "
        "in "
        "{:.1f}, "
        "{:.1f}, {:.1f} ms\n",
        o_.scale, drawn, on_cpu, on_device, preparing[0], preparing[1], preparing[2]);
  }

  void measure(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) throw Error({.id = "HW-IO-OPEN", .where = {.file = path}, .found = "cannot open"});
    const auto bytes = static_cast<std::uint64_t>(info.st_size);
    const auto read = [&] { read_plainly(team_, path, bytes, buffers_); };
    forget(path);
    const double cold_read = seconds_of(read), warm_read = least(3, read);
    forget(path);
    const double cold_open = seconds_of([&] { (void)load_graph(path, {.run = {.threads = o_.threads}}); });
    for (int i = 0; i < o_.runs; ++i) one_run(path, bytes, {cold_read, warm_read, cold_open});
  }

  struct Reads {
    double cold, warm, cold_open;
  };

  void one_run(const std::string& path, std::uint64_t bytes, const Reads& reads) {
    Graph graph;
    std::optional<Searcher> searcher;
    Result result;
    const double open = seconds_of([&] { graph = load_graph(path, {.run = {.threads = o_.threads}}); });
    const bool prepared = graph.preparation() != nullptr;
    const double copy = seconds_of(
        [&] { searcher.emplace(graph, SearchOptions{.prepare = prepared, .run = {.device = kind_, .threads = o_.threads}}); });
    VertexId source = 0;
    while (graph.out_degree(source) == 0) ++source;
    const Query query{.sources = {source}};
    const double run = seconds_of([&] { result = searcher->run(query); });
    if (!validate(graph, query, result)) throw Error({.failure = Failure::verification, .id = "HW-VERIFY", .found = "wrong"});
    const double back = Seconds(result.run.copy_out).count(), search = Seconds(result.run.host).count();
    const std::uint64_t up = prepared ? graph.preparation()->bytes() : 4 * (graph.num_vertices() + 1ull + graph.num_arcs());
    const double bus = static_cast<double>(up) / up_ + 4.0 * graph.num_vertices() / down_;
    const double all = open + copy + run, floor = reads.warm + bus;
    result_["rows"].push_back({{"prepared", prepared},
                               {"file_bytes", bytes},
                               {"open_s", open},
                               {"copy_s", copy},
                               {"search_s", search},
                               {"search_on_device_ms", result.run.work.count()},
                               {"copy_back_s", back},
                               {"total_s", all},
                               {"bytes_to_device", up},
                               {"copy_gb_s", static_cast<double>(up) / copy * 1e-9},
                               {"cold_open_s", reads.cold_open},
                               {"floor_read_s", reads.warm},
                               {"floor_read_cold_s", reads.cold},
                               {"floor_bus_s", bus},
                               {"notes", searcher->notes()}});
    fmt::print(
        "{:9} {:.2f} GB: open {:.3f} s (from disk {:.3f}) + copy {:.3f} s ({:.1f} GB/s) + search {:.4f} s ({:.3f} ms on the "
        "device) + "
        "back {:.4f} s = {:.3f} s; floors: read {:.3f} s (from disk {:.3f}) + bus {:.3f} s = {:.3f} s; ratio {:.2f}\n",
        prepared ? "prepared" : "plain", static_cast<double>(bytes) * 1e-9, open, reads.cold_open, copy,
        static_cast<double>(up) / copy * 1e-9, search, result.run.work.count(), back, all, reads.warm, reads.cold, bus, floor,
        all / floor);
  }

  Options o_;
  DeviceKind kind_;
  Team team_;
  double up_ = 0, down_ = 0;
  std::vector<std::vector<char>> buffers_;
  Json result_;
};

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("From a .hwg file to distances, against this machine's floors.", "end-to-end");
  app.add_option("--device", o.device)->check(CLI::IsMember({"gpu", "sim"}));
  app.add_option("--file", o.file);
  app.add_option("--folder", o.folder);
  app.add_option("--scale", o.scale)->check(CLI::Range(1, 28));
  app.add_option("--runs", o.runs)->check(CLI::Range(1, 100));
  app.add_option("--threads", o.threads);
  app.add_option("--json", o.json);
  CLI11_PARSE(app, argc, argv);
  try {
    EndToEnd program(o);
    program.run();
    if (!o.json.empty()) std::ofstream(o.json) << program.result().dump(1) << "\n";
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return static_cast<int>(e.failure());
  }
  return 0;
}

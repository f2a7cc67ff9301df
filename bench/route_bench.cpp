// Mazes and grids, measured: the GPU's wavefront against the CPU's and against a plain queue in this program; the
// scenarios of the MovingAI maps on both; netlists with negotiation and with a plain sequential maze router. Each
// answer is compared before its time counts.
//   route-bench [--device gpu|sim] [--data DIR] [--json FILE] [--small] [--tune] [grids] [scenarios] [nets]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/commit.h"
#include "core/parallel.h"
#include "hopwave/hopwave.h"
#include "route/gpu/grid_search.h"

namespace {

using namespace hopwave;
using namespace hopwave::route;
using Json = nlohmann::json;

struct Options {
  DeviceKind device = DeviceKind::gpu;
  std::string data = "../shared/data", json;
  bool small = false, tune = false;
  std::vector<std::string> parts;
  [[nodiscard]] bool wants(const std::string& part) const {
    return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

double now() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

[[noreturn]] void wrong(const std::string& what) {
  fmt::print(stderr, "wrong: {}\n", what);
  std::exit(static_cast<int>(Failure::verification));
}

/// The obvious implementation: one byte per cell, its own copy of the walls as bytes, a vector as queue. Returns the
/// steps.
std::int64_t plain_queue(const std::vector<std::uint8_t>& free, std::size_t width, std::size_t from, std::size_t to,
                         std::vector<std::uint32_t>& path) {
  constexpr std::uint8_t unseen = 0, source = 5;
  std::vector<std::uint8_t> came(free.size(), unseen);
  const std::ptrdiff_t steps[] = {-1, 1, -static_cast<std::ptrdiff_t>(width), static_cast<std::ptrdiff_t>(width)};
  std::vector<std::uint32_t> queue{static_cast<std::uint32_t>(from)};
  came[from] = source;
  for (std::size_t i = 0; i < queue.size() && came[to] == unseen; ++i)
    for (int k = 0; k < 4; ++k) {
      const std::size_t next = queue[i] + static_cast<std::size_t>(steps[k]);
      if (!free[next] || came[next] != unseen) continue;
      came[next] = static_cast<std::uint8_t>(k + 1);
      queue.push_back(static_cast<std::uint32_t>(next));
    }
  path.clear();
  if (came[to] == unseen) return -1;
  for (std::size_t at = to; came[at] != source; at -= static_cast<std::size_t>(steps[came[at] - 1]))
    path.push_back(static_cast<std::uint32_t>(at));
  return static_cast<std::int64_t>(path.size());
}

struct Pair {
  CellIndex from, to;
};

/// Returns random ends with a route between them.
std::vector<Pair> pick_pairs(const Grid& grid, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto any = [&] {
    for (;;) {
      const Cell c{static_cast<std::uint32_t>(random() % grid.width()), static_cast<std::uint32_t>(random() % grid.height()),
                   0};
      if (grid.free(c)) return c;
    }
  };
  std::vector<Pair> pairs;
  while (pairs.size() < static_cast<std::size_t>(count)) {
    const Cell a = any(), b = any();
    const CellIndex from = grid.index(a), to = grid.index(b);
    if (find_way(grid, {&from, 1}, {&to, 1}, {.method = Method::words, .run = {.device = DeviceKind::cpu}}).found)
      pairs.push_back({from, to});
  }
  return pairs;
}

void check_way(const Grid& grid, const Way& way, std::uint64_t cost) {
  if (!way.found || way.cost != cost || way.cells.size() != cost + 1) wrong("the device's route has another length");
  for (std::size_t i = 0; i < way.cells.size(); ++i) {
    if (!grid.free(way.cells[i])) wrong("the device's route goes through a wall");
    if (i == 0) continue;
    const auto step = static_cast<std::int64_t>(way.cells[i]) - way.cells[i - 1];
    if (std::abs(step) != 1 && std::abs(step) != static_cast<std::int64_t>(grid.row_words() * 64))
      wrong("the device's route jumps");
  }
}

struct Case {
  std::string name;
  Grid grid;
  int pairs, runs;
};

void add_tunings(std::vector<std::pair<std::string, WaveTuning>>& all) {
  for (const std::uint32_t block : {128u, 256u, 512u}) {
    all.push_back({fmt::format("thin 16 × {}", block), {.block = block, .cluster = 16, .never_wide = true}});
    all.push_back({fmt::format("wide × {}", block), {.block = block, .never_thin = true}});
  }
  all.push_back({"thin 8 × 512", {.cluster = 8, .never_wide = true}});
  all.push_back({"thin 1 × 512", {.cluster = 1, .never_wide = true}});
  all.push_back({"leave 128/48", {.leave_thin = 128, .leave_wide = 48}});
  all.push_back({"leave 512/192", {.leave_thin = 512, .leave_wide = 192}});
}

Json measure_grid(const Case& c, const Options& o) {
  const Grid& grid = c.grid;
  const std::size_t row = grid.row_words() * 64;
  std::vector<std::uint8_t> free(grid.num_bits());
  for (std::size_t i = 0; i < free.size(); ++i) free[i] = grid.free(static_cast<CellIndex>(i));
  double begin = now();
  DeviceGrid device(grid, o.device);
  const double upload_ms = now() - begin;
  Json all = Json::array();
  std::vector<double> totals, devices, words, queues, plains;
  double levels = 0;
  const std::vector<Pair> pairs = pick_pairs(grid, c.pairs, 7);
  for (const Pair& p : pairs) {
    const auto timed = [&](Method method) {
      begin = now();
      const Way way = find_way(grid, {&p.from, 1}, {&p.to, 1}, {.method = method, .run = {.device = DeviceKind::cpu}});
      return std::pair(now() - begin, way);
    };
    const auto [words_ms, right] = timed(Method::words);
    const double queue_ms = timed(Method::queue).first;
    std::vector<std::uint32_t> path;
    begin = now();
    if (plain_queue(free, row, p.from, p.to, path) != static_cast<std::int64_t>(right.cost)) wrong("the plain queue");
    const double plain_ms = now() - begin;
    std::vector<double> total, own;
    WaveStats stats;
    for (int r = 0; r < c.runs; ++r) {
      begin = now();
      const Way way = device.find({&p.from, 1}, {&p.to, 1});
      total.push_back(now() - begin);
      stats = device.stats();
      own.push_back(stats.device.count());
      check_way(grid, way, right.cost);
      if (way.reached != right.reached) wrong("the device covered another number of cells");
    }
    totals.push_back(median(total));
    devices.push_back(median(own));
    words.push_back(words_ms);
    queues.push_back(queue_ms);
    plains.push_back(plain_ms);
    levels += static_cast<double>(right.cost);
    all.push_back({{"levels", right.cost},
                   {"reached", right.reached},
                   {"total_ms", total},
                   {"device_ms", own},
                   {"cpu_words_ms", words_ms},
                   {"cpu_queue_ms", queue_ms},
                   {"plain_queue_ms", plain_ms},
                   {"windows", stats.windows},
                   {"thin_windows", stats.thin_windows},
                   {"wide_windows", stats.wide_windows},
                   {"tiles", stats.tiles},
                   {"launches", stats.launches}});
    fmt::print(
        "{:<22} {:>8} levels {:>9} cells: device {:8.3f} ms, in all {:8.3f}; words {:8.2f}, queue {:8.2f}, plain {:8.2f}; "
        "{} + {} windows, {:.1f} tiles each, {:.0f} ns per level\n",
        c.name, right.cost, right.reached, devices.back(), totals.back(), words_ms, queue_ms, plain_ms, stats.thin_windows,
        stats.wide_windows, static_cast<double>(stats.tiles) / static_cast<double>(std::max<std::uint64_t>(stats.windows, 1)),
        devices.back() * 1e6 / static_cast<double>(std::max<std::uint64_t>(right.cost, 1)));
    std::fflush(stdout);
    if (o.tune && &p == &pairs.front()) {
      std::vector<std::pair<std::string, WaveTuning>> tunings;
      add_tunings(tunings);
      for (const auto& [name, tuning] : tunings) {
        try {
          DeviceGrid other(grid, o.device, &tuning);
          std::vector<double> ms;
          for (int r = 0; r < 3; ++r) {
            check_way(grid, other.find({&p.from, 1}, {&p.to, 1}), right.cost);
            ms.push_back(other.stats().device.count());
          }
          fmt::print("    {:<16} {:8.3f} ms, {} + {} windows, {} launches\n", name, median(ms), other.stats().thin_windows,
                     other.stats().wide_windows, other.stats().launches);
        } catch (const Error& error) {
          fmt::print("    {:<16} {}\n", name, error.what());
        }
        std::fflush(stdout);
      }
    }
  }
  const auto mean = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x;
    return sum / static_cast<double>(v.size());
  };
  return {{"grid", c.name},
          {"width", grid.width()},
          {"height", grid.height()},
          {"upload_ms", upload_ms},
          {"levels", levels / static_cast<double>(c.pairs)},
          {"total_ms", mean(totals)},
          {"device_ms", mean(devices)},
          {"cpu_words_ms", mean(words)},
          {"cpu_queue_ms", mean(queues)},
          {"plain_queue_ms", mean(plains)},
          {"routes", all}};
}

Json measure_grids(const Options& o) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& spec, int pairs, int runs) {
    cases.push_back({spec, make_maze(spec).grid, pairs, runs});
  };
  if (o.small) {
    add("maze:127x127", 2, 1);
    add("random:256x256,30", 2, 1);
  } else {
    add("maze:1023x1023", 4, 5);
    add("random:1024x1024,30", 4, 5);
    add("random:1024x1024,0", 4, 5);
    add("maze:4095x4095", 3, 3);
    add("random:8192x8192,30", 3, 3);
  }
  Json all = Json::array();
  for (const Case& c : cases) all.push_back(measure_grid(c, o));
  return all;
}

std::string found_file(const std::string& path) {
  for (const char* ending : {"", ".zst", ".gz"})
    if (std::filesystem::exists(path + ending)) return path + ending;
  return {};
}

Json measure_scenarios(const Options& o) {
  Json all = Json::array();
  const std::vector<std::string> maps = {"16room_000",  "32room_000",  "AR0011SR",      "Berlin_0_256", "Boston_0_256",
                                         "arena",       "arena2",      "brc202d",       "den312d",      "den520d",
                                         "lak303d",     "maze512-1-0", "maze512-16-0",  "maze512-2-0",  "maze512-32-0",
                                         "maze512-4-0", "maze512-8-0", "random512-10-0"};
  Team team(0);
  double gpu_seconds = 0, gpu_total = 0, cpu_seconds = 0;
  std::uint64_t count = 0, again_all = 0;
  for (const std::string& map : maps) {
    const std::string file = found_file(o.data + "/maze/" + map + ".map");
    if (file.empty()) continue;
    const Maze maze = read_maze(file);
    std::vector<Scenario> scenarios = read_scenarios(found_file(o.data + "/maze/" + map + ".map.scen"), maze.grid);
    if (o.small) scenarios.resize(std::min<std::size_t>(scenarios.size(), 8));
    DeviceGrid device(maze.grid, o.device);
    device.hops(scenarios);
    std::uint64_t again = 0;
    double begin = now();
    const auto steps = device.hops(scenarios, &again);
    const double total_ms = now() - begin, device_ms = device.stats().device.count();
    std::vector<std::int64_t> right(scenarios.size());
    begin = now();
    parallel_for(team, scenarios.size(), 1, [&](std::size_t i, std::size_t end, int) {
      for (; i < end; ++i) {
        const CellIndex from = maze.grid.index(scenarios[i].start), to = maze.grid.index(scenarios[i].goal);
        const Way way = find_way(maze.grid, {&from, 1}, {&to, 1}, {.run = {.device = DeviceKind::cpu}});
        right[i] = way.found ? static_cast<std::int64_t>(way.cost) : -1;
      }
    });
    const double cpu_ms = now() - begin;
    if (steps != right) wrong("hops of " + map);
    const auto n = static_cast<double>(scenarios.size());
    fmt::print(
        "{:<16} {:>6} scenarios: device {:9.0f} per second (with transfers {:9.0f}), {} threads {:8.0f}; {} one by one\n", map,
        scenarios.size(), n / device_ms * 1e3, n / total_ms * 1e3, team.size(), n / cpu_ms * 1e3, again);
    std::fflush(stdout);
    all.push_back({{"map", map},
                   {"scenarios", scenarios.size()},
                   {"device_ms", device_ms},
                   {"total_ms", total_ms},
                   {"cpu_ms", cpu_ms},
                   {"cpu_threads", team.size()},
                   {"one_by_one", again}});
    count += scenarios.size();
    again_all += again;
    gpu_seconds += device_ms * 1e-3;
    gpu_total += total_ms * 1e-3;
    cpu_seconds += cpu_ms * 1e-3;
  }
  if (count)
    fmt::print(
        "{} scenarios, the same steps on both: device {:.0f} per second (with transfers {:.0f}), {} threads {:.0f}; {} one by "
        "one\n",
        count, static_cast<double>(count) / gpu_seconds, static_cast<double>(count) / gpu_total, team.size(),
        static_cast<double>(count) / cpu_seconds, again_all);
  return all;
}

Json measure_nets(const Options& o) {
  Json all = Json::array();
  for (const char* name :
       {"gr4x4.in", "gr5x5.in", "gr10x10.in", "gr20x20.in", "ibm01.modified.txt", "ibm02.modified.txt", "ibm03.modified.txt"}) {
    const std::string file = found_file(o.data + "/eda/" + name);
    if (file.empty()) continue;
    const Netlist netlist = read_netlist(file);
    for (const bool sequential : {false, true}) {
      const GlobalRoute r = route_nets(netlist, {.sequential = sequential});
      fmt::print(
          "{:<20} {:<10} {:>6} nets: wirelength {:>7}, vias {}, bends {}, overflow {} (most {}), unrouted {}, {} rounds, "
          "{:.2f} s\n",
          name, sequential ? "sequential" : "negotiated", netlist.nets.size(), r.wirelength, r.vias, r.bends, r.overflow,
          r.max_overflow, r.unrouted.size(), r.rounds, Seconds(r.time).count());
      all.push_back({{"netlist", name},
                     {"router", sequential ? "sequential" : "negotiated"},
                     {"nets", netlist.nets.size()},
                     {"wirelength", r.wirelength},
                     {"vias", r.vias},
                     {"bends", r.bends},
                     {"overflow", r.overflow},
                     {"max_overflow", r.max_overflow},
                     {"unrouted", r.unrouted.size()},
                     {"rounds", r.rounds},
                     {"seconds", Seconds(r.time).count()}});
    }
  }
  return all;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) {
        fmt::print(stderr, "{} needs a value\n", word);
        std::exit(2);
      }
      return std::string(argv[++i]);
    };
    if (word == "--device")
      o.device = value() == "sim" ? DeviceKind::sim : DeviceKind::gpu;
    else if (word == "--data")
      o.data = value();
    else if (word == "--json")
      o.json = value();
    else if (word == "--small")
      o.small = true;
    else if (word == "--tune")
      o.tune = true;
    else if (word == "grids" || word == "scenarios" || word == "nets")
      o.parts.push_back(word);
    else {
      fmt::print(stderr, "unknown word '{}'\n", word);
      std::exit(2);
    }
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options o = parse(argc, argv);
    Json report = {{"schema", "hopwave-route-bench/1"}, {"commit", source_commit}};
    const DeviceInfo info = device_info();
    report["device"] = o.device == DeviceKind::sim ? "simulator" : info.name;
    report["cpu_threads"] = std::thread::hardware_concurrency();
    const double begin = now();
    const Grid small = random_walls(64, 64);
    { const DeviceGrid first(small, o.device); }
    report["first_use_ms"] = now() - begin;
    fmt::print("first use of the device: {:.0f} ms\n", now() - begin);
    if (o.wants("grids")) report["grids"] = measure_grids(o);
    if (o.wants("scenarios")) report["scenarios"] = measure_scenarios(o);
    if (o.wants("nets")) report["nets"] = measure_nets(o);
    if (!o.json.empty()) std::ofstream(o.json) << report.dump(1) << "\n";
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.parts().failure);
  }
}

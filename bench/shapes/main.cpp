// shapes-campaign: searches of every kind on composed graphs; an independent certificate checks every answer.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <thread>

#include "device/architecture.h"
#include "hopwave/hopwave.h"
#include "shapes/campaign.h"

namespace {

using namespace hopwave;
using shapes::Campaign;

/// Sets the options that are not given, depending on the device.
void complete(Campaign& campaign, const std::string& edges) {
  shapes::Config& config = campaign.config;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const bool sim = config.device == DeviceKind::sim, gpu = config.device == DeviceKind::gpu;
  config.small_launches = sim;
  // Processes take turns on a GPU, a millisecond each; threads of one process use it at the same time.
  if (campaign.jobs == 0) campaign.jobs = gpu ? 1 : cores;
  if (campaign.threads == 0) campaign.threads = gpu ? cores : 1;
  const std::size_t dots = edges.find("..");
  if (dots == std::string::npos) throw CLI::ValidationError("--edges", "is LEAST..MOST");
  config.least_edges = std::stoull(edges.substr(0, dots));
  config.most_edges = std::stoull(edges.substr(dots + 2));
  if (config.least_edges == 0 || config.least_edges > config.most_edges)
    throw CLI::ValidationError("--edges", "is LEAST..MOST, from 1");
}

std::vector<std::string> strategies_of(DeviceKind device) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies())
    if (info.device == "any" || (info.device == "cpu") == (device == DeviceKind::cpu)) names.emplace_back(info.name);
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  hopwave::device::limit_process(std::getenv("HOPWAVE_LIMITS_OF"));
  Campaign campaign;
  shapes::Config& config = campaign.config;
  std::string device = "cpu", edges;
  std::vector<std::string> sums, without;
  std::uint64_t seed = 0, count = 100;
  CLI::App app{
      "Searches composed graphs (shapes:SEED,EDGES) in every way and checks every answer with a certificate that shares "
      "no\n"
      "code with the engine. Exit code 5 if anything was wrong, with one command to reproduce it and a small graph.\n"
      "Example: shapes-campaign --device gpu --first 1 --count 100000 --json campaign.json"};
  app.add_option("--device", device, "cpu, sim or gpu")->check(CLI::IsMember({"cpu", "sim", "gpu"}))->capture_default_str();
  app.add_option("--strategy", config.strategies, "one is chosen at random for each Searcher; all: every one for the device");
  app.add_option("--first", campaign.first, "first seed")->capture_default_str();
  app.add_option("--count", count, "seeds")->capture_default_str();
  auto* const one = app.add_option("--seed", seed, "only this seed, and no named graph");
  app.add_option("--only", campaign.only, "only this named graph");
  app.add_flag("!--no-named", campaign.named, "leave out the graphs that were answered wrongly once, which run first");
  app.add_option("--edges", edges,
                 "LEAST..MOST of a graph, every power of two equally likely; default 20..20000, sim 10..400, gpu "
                 "30..80000");
  auto* const large =
      app.add_option("--large", config.large_every, "one graph in this many has more than a million arcs; 0: none");
  auto* const searches = app.add_option("--searches", config.searches, "per graph, about; default 100, sim 30, gpu 200");
  app.add_option("--oracle", config.oracle_every, "one graph in this many is also compared with a plain search")
      ->capture_default_str();
  auto* const levels = app.add_option("--levels", config.levels,
                                      "of all searches of a Searcher, about: deep graphs get fewer searches; 0: any number; "
                                      "default 0, gpu 2000");
  auto* const sessions =
      app.add_option("--sessions", config.sessions, "Searchers per graph; 0: one to three; default 0, gpu 1");
  auto* const patience =
      app.add_option("--patience", config.patience,
                     "seconds after which a Searcher gets no more searches, ten times as many beyond a million "
                     "arcs; default 0 (none), gpu .1");
  app.add_option("--without", without, "checks to leave out: levels, trace")->check(CLI::IsMember({"levels", "trace"}));
  app.add_option("--jobs", campaign.jobs, "processes; default: one per core, gpu 1")
      ->check(CLI::NonNegativeNumber)
      ->default_val(0);
  app.add_option("--threads", campaign.threads, "threads in each; default 1, gpu one per core")
      ->check(CLI::NonNegativeNumber)
      ->default_val(0);
  app.add_option("--seconds", campaign.seconds, "after that, no new graph");
  app.add_option("--grace", campaign.grace,
                 "seconds after --seconds in which graphs are finished; the others are left out and named")
      ->capture_default_str();
  app.add_option("--hang", campaign.hang, "seconds after which a graph counts as hanging")->capture_default_str();
  app.add_option("--shrink", campaign.shrink_seconds, "seconds for each of the first five failures")->capture_default_str();
  app.add_option("--stop-after", campaign.stop_after, "failures")->capture_default_str();
  app.add_option("--out", campaign.out, "folder for small graphs")->capture_default_str();
  app.add_option("--json", campaign.json, "the sums, kept every ten seconds");
  app.add_flag("--resume", campaign.resume, "continue after the seeds that --json contains");
  app.add_option("--sum", sums, "print the sum of these JSON files and do nothing else");
  try {
    app.parse(argc, argv);
    if (!sums.empty()) {
      fmt::print("{}\n", shapes::sum(sums).dump(1));
      return 0;
    }
    config.device = device == "cpu" ? DeviceKind::cpu : device == "sim" ? DeviceKind::sim : DeviceKind::gpu;
    const bool sim = config.device == DeviceKind::sim, gpu = config.device == DeviceKind::gpu;
    if (edges.empty()) edges = sim ? "10..400" : gpu ? "30..80000" : "20..20000";
    if (searches->empty()) config.searches = sim ? 30 : gpu ? 200 : 100;
    if (levels->empty()) config.levels = gpu ? 2000 : 0;
    if (sessions->empty()) config.sessions = gpu ? 1 : 0;
    if (patience->empty()) config.patience = gpu ? .1 : 0;
    if (large->empty()) config.large_every = sim ? 0 : 100;
    if (config.strategies == std::vector<std::string>{"all"}) config.strategies = strategies_of(config.device);
    for (const std::string& name : config.strategies) find_strategy(name);
    config.without = {without.begin(), without.end()};
    complete(campaign, edges);
    campaign.end = campaign.first + count;
    if (!one->empty()) campaign.first = seed, campaign.end = seed + 1, campaign.named = false;
    // The options that determine what a seed makes, and so belong to a report.
    campaign.settings =
        fmt::format(" --device {} --strategy {} --edges {} --large {} --searches {} --levels {} --sessions {} --oracle {}",
                    device, fmt::join(config.strategies, " "), edges, config.large_every, config.searches, config.levels,
                    config.sessions, config.oracle_every);
    for (const std::string& name : config.without) campaign.settings += " --without " + name;
    return shapes::run_campaign(campaign);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const Error& e) {
    fmt::print(stderr, "shapes-campaign: {}\n", e.what());
    return static_cast<int>(e.failure());
  } catch (const std::exception& e) {
    fmt::print(stderr, "shapes-campaign: {}\n", e.what());
    return 2;
  }
}

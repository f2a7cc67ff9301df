// The parent of the workers: it shares only a counter, collects their results, and distinguishes dead from living
// workers.
#include "shapes/campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <list>
#include <set>
#include <utility>

#include "core/commit.h"
#include "hopwave/error.h"
#include "hopwave/io.h"
#include "shapes/process.h"
#include "shapes/worker.h"

namespace hopwave::shapes {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

volatile std::sig_atomic_t interrupted = 0;

double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

/// The result of a finished item.
struct Done {
  Tally tally;
  struct Place {
    std::size_t session = 0, act = 0;
  };
  std::vector<Place> places;  ///< of the tally's failures
};

struct Worker {
  std::unique_ptr<Process> process;
  bool alone = false;  ///< it has one item, during which another process died
  std::size_t group = 0;
  std::map<std::uint64_t, Clock::time_point> at_work = {};
  std::map<std::uint64_t, Done> begun = {};
  bool heard = false;
  bool hangs = false;
  json lost = {};  ///< its last report
};

/// Items that were running when a process died: each is run again alone, to find the one that caused it.
struct Group {
  std::string how;
  std::vector<std::uint64_t> items;
  std::size_t left = 0;
  bool again = false;  ///< one of them died again, so the others are not the cause
};

class Parent {
 public:
  explicit Parent(const Campaign& campaign) : campaign_(campaign) {
    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    shared_ = new (memory) Shared;
  }
  ~Parent() { munmap(shared_, sizeof(Shared)); }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;

  int run() {
    device_ = device_name();
    go_on();
    for (int i = 0; i < campaign_.jobs; ++i) start();
    auto last_report = Clock::now();
    while (!workers_.empty() || take_up()) {
      step();
      const bool enough = failures_ >= static_cast<std::size_t>(campaign_.stop_after);
      if (interrupted || enough || since(began_) > campaign_.seconds) shared_->stop = true;
      if (since(began_) > campaign_.seconds + campaign_.grace) leave_out();
      if (since(last_report) < 10) continue;
      last_report = Clock::now();
      save();
      print_state("…");
    }
    merge();
    shrink_some();
    save();
    print_state("done");
    for (const Report& r : tally_.failures)
      fmt::print("\nWRONG ({}) {}, {}: {}\n  {}\n  {}\n{}", r.kind, r.graph, r.traversal, r.text, r.again, r.tool,
                 r.small.empty() ? "" : "  small graph: " + r.small + "\n");
    if (!tally_.failures.empty()) return static_cast<int>(Failure::verification);
    if (interrupted) return 128 + SIGINT;
    if (tally_.searches > 0) return 0;
    fmt::print(stderr, "shapes-campaign: no search was done, so nothing was checked\n");
    return static_cast<int>(Failure::usage);
  }

 private:
  /// Found by another process: this one must not use the device, because forked processes cannot share it.
  std::string device_name() const {
    if (campaign_.config.device != DeviceKind::gpu) return campaign_.config.device == DeviceKind::sim ? "simulator" : "cpu";
    const std::string name = in_process(
        [] {
          const DeviceInfo info = device_info();
          return info.gpu ? info.name : "! " + info.why_not;
        },
        60, "! no answer");
    if (name.starts_with("!"))
      throw Error({.failure = Failure::device, .id = "", .found = "no usable GPU: " + name, .expected = "a GPU", .hint = ""});
    return name;
  }

  void start(std::optional<std::uint64_t> only = {}, std::size_t group = 0) {
    Worker worker{.process = std::make_unique<Process>([&](const Line& line) { work(campaign_, *shared_, only, line); }),
                  .alone = only.has_value(),
                  .group = group};
    workers_.push_back(std::move(worker));
  }

  void step() {
    std::vector<pollfd> wanted;
    for (const Worker& w : workers_) wanted.push_back({w.process->descriptor(), POLLIN, 0});
    poll(wanted.data(), wanted.size(), 100);
    for (auto w = workers_.begin(); w != workers_.end();) {
      std::string how;
      const bool over = w->process->ended(how);
      for (const std::string& line : w->process->lines()) hear(*w, line);
      for (const auto& [item, begin] : w->at_work)
        if (!over && !w->hangs && since(begin) > campaign_.hang) {
          w->hangs = true;
          w->process->kill();
        }
      if (over) {
        Worker dead = std::move(*w);
        w = workers_.erase(w);
        bury(dead, dead.hangs ? no_end() : how);
      } else {
        ++w;
      }
    }
    merge();
  }

  [[nodiscard]] std::string no_end() const { return fmt::format("no end within {:g} s", campaign_.hang); }

  /// The time is up, and some workers still run: their graphs are named, and counted as not searched. Known errors are
  /// reported all the same: those that a graph's worker has sent, and deaths whose cause is not found yet.
  void leave_out() {
    for (Worker& w : workers_) {
      std::string how;
      const bool over = w.process->ended(how);
      if (!over) w.process->kill();
      for (const std::string& line : w.process->lines()) hear(w, line);
      for (auto& [item, done] : std::exchange(w.begun, {})) finish(item, std::move(done));
      if (!w.lost.is_null())
        blame(w, w.lost["lost"], how);
      else if (w.hangs || (over && !how.empty()))
        report_death(w, w.hangs ? no_end() : how);
    }
    workers_.clear();
    for (const Group& group : groups_)
      if (group.left > 0 && !group.again) accuse(group, "no time to run each alone");
    for (const std::uint64_t item : unfinished()) {
      left_out_.push_back(item_name(campaign_, item));
      done_[item] = {};
    }
    merge();
  }

  /// Returns the items that a worker has taken and that are not finished.
  [[nodiscard]] std::vector<std::uint64_t> unfinished() const {
    std::vector<std::uint64_t> items;
    const std::uint64_t end = std::min(shared_->next.load(), item_count(campaign_));
    for (std::uint64_t item = next_; item < end; ++item)
      if (!done_.contains(item)) items.push_back(item);
    return items;
  }

  /// No worker is left. Some died after they took an item and before they reported it. Such an item is run now, or
  /// later ones would never be counted. The death of that process has another cause, or bury() reports it. Once is
  /// enough.
  bool take_up() {
    std::vector<std::uint64_t> items;
    for (const std::uint64_t item : unfinished()) {
      if (taken_up_.insert(item).second)
        items.push_back(item);
      else
        blame({}, item, "no process lived long enough to start it");
    }
    merge();
    if (items.empty()) return false;
    groups_.push_back({.how = "", .items = items, .left = items.size(), .again = true});
    for (const std::uint64_t item : items) start(item, groups_.size() - 1);
    return true;
  }

  void hear(Worker& worker, const std::string& line) {
    const json j = json::parse(line, nullptr, false);
    if (j.is_discarded()) throw std::runtime_error("a worker says: " + line);
    worker.heard = true;
    if (j.contains("begin")) {
      worker.at_work[j["begin"]] = Clock::now();
    } else if (j.contains("wrong")) {
      Done& done = worker.begun[j["wrong"]];
      done.tally.failures.push_back(report_from_json(j["report"]));
      done.places.push_back({j["session"], j["act"]});
    } else if (j.contains("lost")) {
      worker.lost = j;
    } else {
      const std::uint64_t item = j.at("end");
      Done done = std::move(worker.begun[item]);
      worker.begun.erase(item);
      worker.at_work.erase(item);
      const json& o = j["outcome"];
      done.tally.add(Outcome{.vertices = o["vertices"],
                             .arcs = o["arcs"],
                             .searches = o["searches"],
                             .searched_arcs = o["searched_arcs"],
                             .compared = o["compared"],
                             .chosen = o["chosen"],
                             .spent = o["spent"]});
      finish(item, std::move(done));
    }
  }

  void finish(std::uint64_t item, Done done) {
    failures_ += done.tally.failures.size();
    done_[item] = std::move(done);
  }

  /// A process has ended. If it died, its items are run again, each alone; if that process dies too, it is reported.
  void bury(const Worker& dead, const std::string& how) {
    if (dead.alone) {
      Group& group = groups_[dead.group];
      --group.left;
      if (!dead.at_work.empty()) {
        group.again = true;
        blame(dead, dead.at_work.begin()->first, how);
      } else if (!how.empty()) {
        report_death(dead, how);
      }
      if (group.left == 0 && !group.again) accuse(group, "each alone did not fail");
      return;
    }
    if (dead.at_work.empty()) {
      if (how.empty()) return;
      heard_ = heard_ || dead.heard;
      if (!heard_) throw std::runtime_error("a worker died before its first graph: " + how);
      report_death(dead, how);
      if (!shared_->stop) start();
      return;
    }
    Group group{.how = how};
    if (!dead.lost.is_null()) group.how = dead.lost["report"]["text"].get<std::string>();
    for (const auto& [item, begin] : dead.at_work) group.items.push_back(item);
    group.left = group.items.size();
    groups_.push_back(group);
    for (const std::uint64_t item : group.items) start(item, groups_.size() - 1);
    if (!shared_->stop) start();
  }

  void blame(const Worker& dead, std::uint64_t item, const std::string& how) {
    Report report{.graph = item_name(campaign_, item),
                  .kind = dead.hangs ? "hang" : "lost",
                  .text = how,
                  .again = "shapes-campaign" + campaign_.settings + " " + option(item)};
    Done done;
    Done::Place place{~std::size_t{0}, 0};
    if (!dead.lost.is_null()) {
      report = report_from_json(dead.lost["report"]);
      place = {dead.lost["session"], dead.lost["act"]};
    }
    done.tally.failures.push_back(report);
    done.places.push_back(place);
    finish(item, std::move(done));
  }
  [[nodiscard]] std::string option(std::uint64_t item) const {
    if (item < named_count(campaign_)) return "--only " + item_name(campaign_, item);
    return "--seed " + std::to_string(campaign_.first + item - named_count(campaign_));
  }

  /// It died while it processed no graph, or only graphs that others report.
  void report_death(const Worker& dead, const std::string& how) {
    Report report{.graph = "none", .kind = "lost", .text = how + " between two graphs"};
    if (!dead.at_work.empty()) report.graph = "one of", report.text = how;
    for (const auto& [item, begin] : dead.at_work) report.graph += " " + item_name(campaign_, item) + ",";
    tally_.failures.push_back(report);
    ++failures_;
  }

  /// It died, and none of its items is known to cause that alone.
  void accuse(const Group& group, const char* why) {
    Report report{.graph = "one of", .kind = "lost", .text = fmt::format("{} ({})", group.how, why)};
    for (const std::uint64_t item : group.items) report.graph += " " + item_name(campaign_, item) + ",";
    tally_.failures.push_back(report);
    ++failures_;
  }

  /// Merges items in their order: all items before `next_` are counted.
  void merge() {
    for (auto at = done_.find(next_); at != done_.end(); at = done_.find(next_)) {
      for (std::size_t i = 0; i < at->second.tally.failures.size(); ++i)
        origins_.push_back({tally_.failures.size() + i, next_, at->second.places[i]});
      tally_.add(at->second.tally);
      done_.erase(at);
      ++next_;
    }
  }

  void shrink_some() {
    std::size_t shrunk = 0;
    for (const Source& origin : origins_) {
      if (campaign_.shrink_seconds <= 0 || shrunk == 5 || interrupted) return;
      Report& report = tally_.failures[origin.failure];
      if (report.kind == "hang" || origin.place.session == ~std::size_t{0}) continue;
      ++shrunk;
      fmt::print(stderr, "making {} smaller\n", report.graph);
      const std::string line = in_process(
          [&] { return to_json(shrink_item(campaign_, origin.item, origin.place.session, origin.place.act, report)).dump(); },
          2 * campaign_.shrink_seconds + 120, "");
      if (!line.empty() && !line.starts_with("!")) report = report_from_json(json::parse(line));
    }
  }

  [[nodiscard]] json run_row() const {
    const std::uint64_t named = named_count(campaign_);
    return {{"commit", source_commit},
            {"device", device_},
            {"settings", campaign_.settings},
            {"named", std::min(next_, named)},
            {"only", campaign_.only},
            {"first", campaign_.first},
            {"next", campaign_.first + (next_ > named ? next_ - named : 0)},
            {"graphs", tally_.graphs},
            {"searches", tally_.searches},
            {"failed", tally_.failures.size()},
            {"left_out", left_out_},
            {"seconds", before_ + since(began_)}};
  }

  void save() const {
    if (campaign_.json.empty()) return;
    const json all = {{"program", "shapes-campaign"},
                      {"runs", json::array({run_row()})},
                      {"seconds", before_ + since(began_)},
                      {"tally", to_json(tally_)}};
    OutputFile file(campaign_.json);
    file.write(all.dump(1) + "\n");
    file.commit();
  }

  /// Continues an interrupted campaign.
  void go_on() {
    if (campaign_.resume && campaign_.json.empty()) throw std::runtime_error("--resume needs --json");
    if (!campaign_.resume || !std::filesystem::exists(campaign_.json)) return;
    const json all = read_sums(campaign_.json);
    const json& run = all.at("runs").at(0);
    const std::uint64_t named = run.value("named", named_count(campaign_)),
                        seeds = run.at("next").get<std::uint64_t>() - campaign_.first;
    if (all.at("runs").size() != 1 || run.at("settings") != campaign_.settings || run.at("commit") != source_commit ||
        run.at("first") != campaign_.first || run.value("only", campaign_.only) != campaign_.only ||
        named > named_count(campaign_) || (seeds > 0 && named < named_count(campaign_)))
      throw std::runtime_error(campaign_.json + " is of another commit or of other settings");
    tally_ = tally_from_json(all.at("tally"));
    failures_ = tally_.failures.size();
    before_ = run.at("seconds");
    left_out_ = run.value("left_out", left_out_);
    next_ = named + seeds;
    shared_->next = next_;
  }

  void print_state(const char* what) const {
    fmt::print(stderr, "{} {} graphs ({} above a million arcs), {} searches, {} compared with the oracle, {} wrong, {:.0f} s\n",
               what, tally_.graphs, tally_.large, tally_.searches, tally_.compared, failures_, since(began_));
    if (!left_out_.empty()) fmt::print(stderr, "  left out, not finished in time: {}\n", fmt::join(left_out_, ", "));
  }

  struct Source {
    std::size_t failure;
    std::uint64_t item;
    Done::Place place;
  };

  const Campaign& campaign_;
  Shared* shared_ = nullptr;
  std::string device_;
  std::list<Worker> workers_;
  std::vector<Group> groups_;
  std::map<std::uint64_t, Done> done_;
  std::vector<Source> origins_;
  Tally tally_;
  std::uint64_t next_ = 0;
  std::size_t failures_ = 0;
  std::vector<std::string> left_out_;
  std::set<std::uint64_t> taken_up_;  ///< items that were run again because no worker had started them
  bool heard_ = false;                ///< a worker that is dead had started a graph
  double before_ = 0;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

int run_campaign(const Campaign& campaign) {
  interrupted = 0;
  signal(SIGINT, [](int) { interrupted = 1; });
  signal(SIGTERM, [](int) { interrupted = 1; });
  return Parent(campaign).run();
}

}  // namespace hopwave::shapes

// Faults in the tool: every command, with the k-th allocation, thread, open, read, write, fsync, rename or mmap failing, or the
// process killed there. Then the answer is the same or an error with its exit code, and files are absent, old or complete.
// HOPWAVE_FAULT_POINTS: points of each job, kind and mode ("all"; standard 2); HOPWAVE_FAULT_FIGURES: a file for the counts;
// HOPWAVE_FAULT_JOB: only jobs with this in their name.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <thread>

#include "faults/sweep.h"
#include "faults/tool_jobs.h"
#include "faults/tool_run.h"
#include "support/sanitized.h"

namespace hopwave::faults {
namespace of_cli_faults_test {

const std::string old_text = "what lay there before\n";

struct Point {
  std::size_t job;
  Kind kind;
  Mode mode;
  std::uint64_t call;
};

/// Which exit codes a fault of a kind may end in, beside 0 with the same answer.
bool expected_code(Kind kind, int code) {
  switch (kind) {
    case Kind::memory:
      return code == 4;
    case Kind::thread:
      return code == 4;
    case Kind::map:
      return code == 3 || code == 4;
    default:
      return code == 3;
  }
}

std::string id_in(const std::string& text) {
  static const std::regex id("\\[(HW-[A-Z0-9-]+)\\]");
  std::smatch found;
  return std::regex_search(text, found, id) ? found[1].str() : std::string();
}

/// A file that a killed process left behind: recognisable by its name.
bool is_temporary(const std::string& name) {
  static const std::regex mark(".*\\.part-[0-9]+-[0-9]+");
  return std::regex_match(name, mark);
}

class ToolFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "a sanitizer takes the calls that the preloaded library would";
    const char* only = std::getenv("HOPWAVE_FAULT_JOB");
    for (const ToolJob& job : tool_jobs())
      if (!only || job.name.find(only) != std::string::npos) jobs_.push_back(job);
    for (ToolJob& job : jobs_) {
      for (std::string& word : job.words) word = placed(word);
      job.input = placed(job.input);
    }
    for (std::vector<std::string> words : tool_inputs()) {
      for (std::string& word : words) word = placed(word);
      const auto run = test::run_tool(words);
      ASSERT_EQ(run.code, 0) << words[0] << " " << words[1] << ": " << run.err;
    }
    Place place;
    for (const ToolJob& job : jobs_) {
      clean_.push_back(place.run(job.words, job.input, {}, Kind::memory, Mode::once, 0));
      ASSERT_EQ(clean_.back().code, 0) << job.name << ": " << clean_.back().err;
      ASSERT_GT(place.state().calls[0], 100u) << job.name << ": calls are not counted";
      for (const auto& output : job.outputs) ASSERT_TRUE(clean_.back().files.contains(output)) << job.name << ": " << output;
      counts_.emplace_back();
      for (std::size_t kind = 0; kind < num_kinds; ++kind) counts_.back().push_back(place.state().calls[kind]);
    }
  }

  [[nodiscard]] std::string placed(const std::string& word) const {
    return word.starts_with("IN/") ? inputs_ / word.substr(3) : word;
  }

  void add_points(std::vector<Point>& all, Mode mode, std::initializer_list<Kind> kinds, std::uint64_t wanted) const {
    for (std::size_t job = 0; job < jobs_.size(); ++job)
      for (const Kind kind : kinds)
        for (const std::uint64_t call : points(counts_[job][static_cast<std::size_t>(kind)], wanted))
          all.push_back({job, kind, mode, call});
  }

  /// All points, by two threads, each in a folder of its own.
  void sweep(const std::vector<Point>& all) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      Place place;
      for (std::size_t i = next++; i < all.size(); i = next++) try_point(place, all[i], i % 2 == 0);
    };
    std::thread other(work);
    work();
    other.join();
  }

  void try_point(Place& place, const Point& point, bool over_old) {
    const ToolJob& job = jobs_[point.job];
    std::map<std::string, std::string> before;
    if (over_old && job.takes_old)
      for (const auto& name : job.outputs) before[name] = old_text;
    const ToolRun run = place.run(job.words, job.input, before, point.kind, point.mode, point.call);
    const bool hit = place.state().hit != 0;
    const std::string wrong = verdict(point, run, hit);
    if (wrong.empty()) {
      if (hit) figures_.add(point.kind, point.mode, outcome(run));
      return;
    }
    const std::lock_guard lock(mutex_);
    if (++failures_ <= 40)
      ADD_FAILURE() << job.name << ", " << kind_names[static_cast<std::size_t>(point.kind)] << " " << point.call << " "
                    << mode_names[static_cast<std::size_t>(point.mode)] << ": " << wrong << "\n  code " << run.code
                    << " signal " << run.signal << ": " << run.err.substr(0, 600);
  }

  static std::string outcome(const ToolRun& run) {
    if (run.signal == SIGKILL) return "killed";
    if (run.code == 0) return "same answer";
    const std::string id = id_in(run.err);
    return id.empty() ? "exit code " + std::to_string(run.code) : id;
  }

  /// What is wrong; empty if nothing is.
  std::string verdict(const Point& point, const ToolRun& run, bool hit) const {
    const ToolJob& job = jobs_[point.job];
    const ToolRun& clean = clean_[point.job];
    const bool killed = point.mode == Mode::kill || point.mode == Mode::kill_half;
    if (run.hung) return "it hangs";
    if (run.signal != 0 && !(killed && hit && run.signal == SIGKILL)) return "it died of a signal";
    if (!hit && run.code != 0) return "it failed without a fault";
    for (const auto& [name, text] : run.files) {
      const bool output = std::find(job.outputs.begin(), job.outputs.end(), name) != job.outputs.end();
      if (!output && !(killed && is_temporary(name)) && !clean.files.contains(name)) return name + " is left behind";
      if (output && text != old_text && !complete(job, clean, name, text)) return name + " is neither old nor complete";
    }
    if (run.signal != 0) return {};
    if (run.code == 0) return same(job, clean, run);
    if (!expected_code(point.kind, run.code)) return "an exit code that this fault should not have";
    // Where nothing can be written, there are no words either.
    if (point.kind != Kind::write && id_in(run.err).empty()) return "an error without its id";
    return {};
  }

  static bool complete(const ToolJob& job, const ToolRun& clean, const std::string& name, const std::string& text) {
    const std::string& whole = clean.files.at(name);
    if (job.stable_files) return text == whole;
    if (name.ends_with(".json")) return !nlohmann::json::parse(text, nullptr, false).is_discarded();
    return text.size() >= whole.size() / 2 && text.size() <= whole.size() * 2;  // times have more digits or fewer
  }

  static std::string same(const ToolJob& job, const ToolRun& clean, const ToolRun& run) {
    for (const auto& name : job.outputs) {
      const auto found = run.files.find(name);
      if (found == run.files.end()) return "it says that all is well, and " + name + " is not there";
      if (!complete(job, clean, name, found->second)) return "it says that all is well, and " + name + " is another";
    }
    if (job.stable_text && run.out != clean.out) return "it says that all is well, and standard output is another";
    return {};
  }

  test::Folder inputs_;
  std::vector<ToolJob> jobs_;
  std::vector<ToolRun> clean_;
  std::vector<std::vector<std::uint64_t>> counts_;
  Figures figures_;
  std::mutex mutex_;
  std::uint64_t failures_ = 0;
};

TEST_F(ToolFaults, EndInTheSameAnswerOrAnError) {
  const std::uint64_t wanted = points_wanted(2);
  std::vector<Point> all;
  add_points(all, Mode::once,
             {Kind::memory, Kind::thread, Kind::open, Kind::read, Kind::write, Kind::sync, Kind::rename, Kind::map}, wanted);
  add_points(all, Mode::onwards, {Kind::memory, Kind::thread, Kind::open, Kind::read, Kind::write, Kind::map}, wanted);
  add_points(all, Mode::interrupted, {Kind::read, Kind::write}, wanted);
  add_points(all, Mode::partial, {Kind::read, Kind::write}, wanted);
  add_points(all, Mode::kill, {Kind::open, Kind::write, Kind::sync, Kind::rename}, wanted);
  add_points(all, Mode::kill_half, {Kind::write}, wanted);
  sweep(all);
  EXPECT_EQ(failures_, 0u);
  if (std::getenv("HOPWAVE_FAULT_JOB")) return;
  EXPECT_GT(figures_.points(), 500u);
  figures_.write("hopwave", jobs_.size());
}

}  // namespace of_cli_faults_test
}  // namespace hopwave::faults

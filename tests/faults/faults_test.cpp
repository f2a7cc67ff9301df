// Faults in the library: every job of faults/library_jobs.cpp, with the k-th allocation, thread, open, read, write, fsync,
// rename, mmap or device call failing. Then the answer is the same or a documented error; nothing leaks, no file is half
// written, and the same job succeeds afterwards. Each job and kind runs in a process of its own, so that a crash is one
// finding. HOPWAVE_FAULT_POINTS: points of each job, kind and mode ("all"; standard 12); HOPWAVE_FAULT_FIGURES: a file for the
// counts.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/device_api.h"
#include "faults/library_jobs.h"
#include "faults/sweep.h"
#include "hopwave/error.h"
#include "support/temp_dir.h"
#include "support/tool.h"

// The simulator's table of calls, as the library sees it in this program.
#define SIM_API "_ZN7hopwave6device7sim_apiEv"
const hopwave::device::Api* real_sim_api() __asm__("__real_" SIM_API);
const hopwave::device::Api* faulty_sim_api() __asm__("__wrap_" SIM_API);

namespace hopwave::faults {
namespace of_faults_test {

/// The simulator does what a GPU does: memory that it takes for that is left to it.
struct InLaunch {
  InLaunch() { ++state().in_launch; }
  ~InLaunch() { --state().in_launch; }
  InLaunch(const InLaunch&) = delete;
  InLaunch& operator=(const InLaunch&) = delete;
};

template <auto field, class Function>
struct Faulty;
template <auto field, class... Arguments>
struct Faulty<field, device::Status (*)(Arguments...)> {
  static device::Status call(Arguments... arguments) {
    if (fails(Kind::device)) return refusal;
    const InLaunch mark;
    return (real_sim_api()->*field)(arguments...);
  }
  static inline device::Status refusal = 1000;  ///< a code that the simulator does not use
};

template <auto field>
void make_faulty(device::Api& api, device::Status refusal = 1000) {
  using Call = Faulty<field, std::remove_reference_t<decltype(api.*field)>>;
  if (!(api.*field)) return;
  Call::refusal = refusal;
  api.*field = Call::call;
}

device::Api make_faulty_api() {
  using device::Api;
  Api api = *real_sim_api();
  device::Status no_memory = 1;
  while (!api.is_out_of_memory(no_memory)) ++no_memory;
  make_faulty<&Api::device_count>(api);
  make_faulty<&Api::properties>(api);
  make_faulty<&Api::memory>(api);
  make_faulty<&Api::allocate>(api, no_memory);
  make_faulty<&Api::allocate_pinned>(api, no_memory);
  make_faulty<&Api::copy_in>(api);
  make_faulty<&Api::copy_out>(api);
  make_faulty<&Api::copy_out_pinned>(api);
  make_faulty<&Api::copy>(api);
  make_faulty<&Api::fill>(api);
  make_faulty<&Api::stream_create>(api);
  // Not stream_wait: where waiting fails, pinned memory that the device may still write to is left alone on purpose.
  make_faulty<&Api::stream_done>(api);
  make_faulty<&Api::event_create>(api);
  make_faulty<&Api::event_record>(api);
  make_faulty<&Api::event_wait>(api);
  make_faulty<&Api::event_elapsed>(api);
  make_faulty<&Api::launch>(api);
  make_faulty<&Api::launch_between>(api);
  make_faulty<&Api::blocks_per_multiprocessor>(api);
  make_faulty<&Api::largest_cluster>(api);
  return api;
}

const std::string old_text = "what lay there before\n";

int open_descriptors() {
  int count = 0;
  for (int fd = 0; fd < 256; ++fd) count += ::fcntl(fd, F_GETFD) >= 0;
  return count;
}

/// Which classes of error a fault of a kind may end in, beside the same answer.
bool expected_failure(Kind kind, Failure failure) {
  switch (kind) {
    case Kind::memory:
    case Kind::thread:
      return failure == Failure::does_not_fit;
    case Kind::map:
      return failure == Failure::input || failure == Failure::does_not_fit;
    case Kind::device:
      return failure == Failure::device || failure == Failure::does_not_fit;
    default:
      return failure == Failure::input;
  }
}

/// What came of one point: `wrong` is empty if all is well. No memory is taken for it.
struct Outcome {
  char what[64] = "";
  char wrong[200] = "";
};

/// One job in a process of its own.
class JobRun {
 public:
  JobRun(const LibraryJob& job, const std::string& folder) : job_(job), folder_(folder) {
    for (int i = 0; i < 2; ++i) answer_ = job_.run();  // what is made once only is there now
    if (!job_.output.empty()) whole_ = test::slurp(job_.output);
  }

  /// Calls of each kind in a run without faults.
  std::array<std::uint64_t, num_kinds> count() {
    State& s = state();
    for (auto& calls : s.calls) calls = 0;
    s.fail_at = 0;
    s.active = 1;
    job_.run();
    s.active = 0;
    std::array<std::uint64_t, num_kinds> counts{};
    for (std::size_t k = 0; k < num_kinds; ++k) counts[k] = s.calls[k];
    return counts;
  }

  Outcome try_point(Kind kind, Mode mode, std::uint64_t call, bool over_old) {
    Outcome outcome;
    const int descriptors = open_descriptors();
    // A leak comes again with the same fault. What is taken once and kept does not: the simulator keeps its threads' stacks,
    // and blocks that do not wait for each other need more of them in one order than in another.
    std::int64_t more = 1;
    for (int again = 0; more != 0 && again < 4 && !outcome.wrong[0]; ++again) {
      const std::int64_t live = state().live;
      begin_file(over_old);
      arm(kind, mode, call);
      run(kind, outcome);
      more = state().live - live;
    }
    if (!outcome.wrong[0] && more != 0)
      std::snprintf(outcome.wrong, sizeof outcome.wrong, "%lld blocks of memory leak (%s)", static_cast<long long>(more),
                    outcome.what);
    if (!outcome.wrong[0] && open_descriptors() != descriptors)
      std::snprintf(outcome.wrong, sizeof outcome.wrong, "a descriptor stays open (%s)", outcome.what);
    if (!outcome.wrong[0]) look_at_files(outcome);
    return outcome;
  }

 private:
  void begin_file(bool over_old) const {
    if (job_.output.empty()) return;
    std::filesystem::remove(job_.output);
    if (over_old) test::spit(job_.output, old_text);
  }
  static void arm(Kind kind, Mode mode, std::uint64_t call) {
    State& s = state();
    for (auto& calls : s.calls) calls = 0;
    s.kind = static_cast<std::uint32_t>(kind);
    s.mode = static_cast<std::uint32_t>(mode);
    s.fail_at = call;
    s.hit = 0;
  }

  void run(Kind kind, Outcome& outcome) {
    const auto say = [&](const char* what, const char* wrong = "") {
      std::snprintf(outcome.what, sizeof outcome.what, "%s", what);
      std::snprintf(outcome.wrong, sizeof outcome.wrong, "%s", wrong);
    };
    try {
      state().active = 1;
      const std::uint64_t answer = job_.run();
      state().active = 0;
      say("same answer", answer == answer_ ? "" : "another answer");
    } catch (const Error& error) {
      state().active = 0;
      say(error.id().c_str(), expected_failure(kind, error.failure()) ? "" : error.what());
    } catch (const std::bad_alloc&) {
      state().active = 0;
      say("std::bad_alloc", kind == Kind::memory || kind == Kind::map ? "" : "std::bad_alloc");
    } catch (const std::exception& error) {
      state().active = 0;
      say("another exception", error.what());
    }
  }

  void look_at_files(Outcome& outcome) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().string().find(".part-") != std::string::npos) {
        std::snprintf(outcome.wrong, sizeof outcome.wrong, "a temporary file stays");
        std::filesystem::remove(entry.path());
      }
    if (job_.output.empty()) return;
    const bool there = std::filesystem::exists(job_.output);
    const std::string text = there ? test::slurp(job_.output) : "";
    const bool complete = there && (job_.stable ? text == whole_ : text.size() == whole_.size());
    if (std::strcmp(outcome.what, "same answer") == 0 && !complete)
      std::snprintf(outcome.wrong, sizeof outcome.wrong, "it says that all is well, and the file is not complete");
    else if (there && !complete && text != old_text)
      std::snprintf(outcome.wrong, sizeof outcome.wrong, "the file is neither old nor complete");
  }

  const LibraryJob& job_;
  const std::string& folder_;
  std::uint64_t answer_ = 0;
  std::string whole_;
};

struct Plan {
  Kind kind;
  Mode mode;
};
constexpr Plan plans[] = {{Kind::memory, Mode::once},      {Kind::memory, Mode::onwards}, {Kind::thread, Mode::once},
                          {Kind::thread, Mode::onwards},   {Kind::open, Mode::once},      {Kind::read, Mode::once},
                          {Kind::read, Mode::onwards},     {Kind::write, Mode::once},     {Kind::write, Mode::onwards},
                          {Kind::sync, Mode::once},        {Kind::rename, Mode::once},    {Kind::map, Mode::once},
                          {Kind::map, Mode::onwards},      {Kind::device, Mode::once},    {Kind::device, Mode::onwards},
                          {Kind::read, Mode::interrupted}, {Kind::read, Mode::partial},   {Kind::write, Mode::interrupted},
                          {Kind::write, Mode::partial}};

/// A message from the process that runs the points.
struct Line {
  std::uint32_t plan = 0;
  std::uint64_t call = 0;  ///< `begins`: is about to be tried
  bool begins = false, hit = false;
  Outcome outcome;
};

class Sweep {
 public:
  explicit Sweep(std::uint64_t wanted) : wanted_(wanted) {}

  /// Runs every point of the job; a process that crashes is followed by one that goes on behind that point.
  void run(const LibraryJob& job, const std::string& folder) {
    std::uint32_t plan = 0;
    std::uint64_t behind = 0;
    for (int crashes = 0; crashes < 20; ++crashes) {
      int ends[2];
      ASSERT_EQ(::pipe(ends), 0);
      const pid_t child = ::fork();
      if (child == 0) {
        ::close(ends[0]);
        run_points(job, folder, plan, behind, ends[1]);
      }
      ::close(ends[1]);
      Line last;
      const bool hung = read_lines(job, ends[0], last);
      if (hung) ::kill(child, SIGKILL);
      ::close(ends[0]);
      int status = 0;
      ::waitpid(child, &status, 0);
      if (!hung && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
      ASSERT_TRUE(last.begins) << job.name << " fails without a fault: status " << status;
      fail(job, last, hung ? "it hangs" : "the process ends, status " + std::to_string(status));
      plan = last.plan;
      behind = last.call;
    }
  }

  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  [[noreturn]] void run_points(const LibraryJob& job, const std::string& folder, std::uint32_t first, std::uint64_t behind,
                               int out) {
    try {
      JobRun run(job, folder);
      const auto counts = run.count();
      for (std::uint32_t p = first; p < std::size(plans); ++p) {
        for (const std::uint64_t call : points(counts[static_cast<std::size_t>(plans[p].kind)], wanted_)) {
          if (p == first && call <= behind) continue;
          Line line{.plan = p, .call = call, .begins = true};
          put(out, line);
          line.outcome = run.try_point(plans[p].kind, plans[p].mode, call, call % 2 == 0);
          line.begins = false;
          line.hit = state().hit != 0;
          put(out, line);
        }
      }
      ::_exit(0);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", job.name.c_str(), e.what());
      ::_exit(3);
    }
  }

  static void put(int out, const Line& line) {
    if (::write(out, &line, sizeof line) != sizeof line) ::_exit(4);
  }

  /// Until the process ends; true if it hangs.
  bool read_lines(const LibraryJob& job, int in, Line& last) {
    constexpr int limit_ms = 120'000;
    for (;;) {
      pollfd waits{in, POLLIN, 0};
      if (::poll(&waits, 1, limit_ms) == 0) return true;
      Line line;
      if (::read(in, &line, sizeof line) != sizeof line) return false;
      last = line;
      if (line.begins) continue;
      if (line.outcome.wrong[0])
        fail(job, line, line.outcome.wrong);
      else if (line.hit)
        figures_.add(plans[line.plan].kind, plans[line.plan].mode, line.outcome.what);
    }
  }

  void fail(const LibraryJob& job, const Line& line, const std::string& what) {
    if (++failures_ > 60) return;
    const Plan& plan = plans[line.plan];
    ADD_FAILURE() << job.name << ", " << kind_names[static_cast<std::size_t>(plan.kind)] << " " << line.call << " "
                  << mode_names[static_cast<std::size_t>(plan.mode)] << ": " << what;
  }

  std::uint64_t wanted_, failures_ = 0;
  Figures figures_;
};

TEST(LibraryFaults, EndInTheSameAnswerOrAnError) {
  const TempDir dir;
  const std::string folder = dir.path("");
  const std::vector<LibraryJob> jobs = library_jobs(folder);
  Sweep sweep(points_wanted(16));
  const char* only = std::getenv("HOPWAVE_FAULT_JOB");
  for (const LibraryJob& job : jobs)
    if (!only || job.name.find(only) != std::string::npos) sweep.run(job, folder);
  if (only) return;
  EXPECT_GT(sweep.figures().points(), 3000u);
  sweep.figures().write("library", jobs.size());
}

}  // namespace of_faults_test
}  // namespace hopwave::faults

const hopwave::device::Api* faulty_sim_api() {
  static const hopwave::device::Api api = hopwave::faults::of_faults_test::make_faulty_api();
  return &api;
}

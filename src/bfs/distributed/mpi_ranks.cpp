// The plug-in stays loaded until the process ends: MPI libraries leave threads and handlers running.
#include "bfs/distributed/mpi_ranks.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/mpi/table.h"
#include "core/commit.h"
#include "hopwave/version.h"

namespace hopwave::ranks {
namespace {

std::string build_of(const std::string& its_version, const std::string& its_commit) {
  return its_version + " (" + its_commit + ")";
}

class MpiRank final : public Transport {
 public:
  MpiRank(const hopwave_mpi_table& mpi, const MpiOptions& options) : mpi_(mpi), report_(options.report) {
    mpi_.open(options.piece);
  }
  ~MpiRank() override { mpi_.close(); }

  [[nodiscard]] int rank() const noexcept override { return mpi_.rank(); }
  [[nodiscard]] int size() const noexcept override { return mpi_.size(); }

  [[noreturn]] void abort(const Error& error) override {
    if (report_) report_(error);
    mpi_.abort(static_cast<int>(error.failure()));
    _exit(static_cast<int>(error.failure()));  // an MPI_Abort that returns
  }

 private:
  void do_exchange(std::span<const std::span<const std::byte>> to, const Room& room) override {
    std::vector<std::uint64_t> to_bytes, from_bytes(to.size());
    std::vector<const void*> sent;
    std::vector<void*> received;
    for (const auto& bytes : to) {
      to_bytes.push_back(bytes.size());
      sent.push_back(bytes.data());
    }
    mpi_.all_to_all(to_bytes.data(), from_bytes.data());
    for (std::size_t r = 0; r < to.size(); ++r) received.push_back(room(static_cast<int>(r), from_bytes[r]));
    mpi_.exchange(sent.data(), to_bytes.data(), received.data(), from_bytes.data());
  }
  void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all, std::span<const std::uint64_t> bytes) override {
    mpi_.all_gather(mine.data(), all.data(), bytes.data());
  }
  void do_all_reduce(std::span<std::uint64_t> values, Reduce how) override {
    mpi_.all_reduce(values.data(), values.size(), static_cast<int>(how));
  }
  void do_broadcast(int root, std::span<std::byte> bytes) override { mpi_.broadcast(root, bytes.data(), bytes.size()); }
  void do_barrier() override { mpi_.barrier(); }

  const hopwave_mpi_table& mpi_;
  const std::function<void(const Error&)> report_;
};

[[noreturn]] void no_plugin(std::string found, std::string hint) {
  throw Error({.failure = Failure::usage,
               .id = "HW-RANKS-PLUGIN",
               .found = std::move(found),
               .expected = "libhopwave-mpi.so, which several processes need to search together",
               .hint = std::move(hint)});
}

const hopwave_mpi_table& load(const std::vector<std::string>& paths) {
  std::string tried;
  for (const auto& path : paths) {
    if (::access(path.c_str(), F_OK) != 0) {
      tried += (tried.empty() ? "" : ", ") + path;
      continue;
    }
    // Open MPI's own plug-ins look for its symbols among the global ones.
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) no_plugin(std::string("it cannot be loaded: ") + ::dlerror(), "is the MPI that it was built for installed?");
    const auto table = reinterpret_cast<decltype(&hopwave_mpi)>(::dlsym(library, "hopwave_mpi"));
    if (!table) no_plugin(path + " is something else", "");
    return *table();
  }
  no_plugin("a launcher started several processes, and the MPI plug-in is not there (" + tried + ")",
            "build with MPI (scripts/setup mpi), or set HOPWAVE_RANKS=off for processes that each work alone");
}

}  // namespace

std::unique_ptr<Transport> open_mpi(const MpiOptions& options) {
  const hopwave_mpi_table& table = load(options.plugins);
  if (table.version != std::string(version) || table.commit != std::string(source_commit) || table.bytes != sizeof table)
    throw Error({.failure = Failure::usage,
                 .id = "HW-RANKS-BUILD",
                 .found = "an MPI plug-in of hopwave " + build_of(table.version, table.commit),
                 .expected = build_of(version, source_commit),
                 .hint = "install tool and plug-in from one build"});
  auto transport = std::make_unique<MpiRank>(table, options);
  if (options.expected_size > 0 && transport->size() != options.expected_size)
    throw Error({.failure = Failure::usage,
                 .id = "HW-RANKS-LAUNCHER",
                 .found = "a launcher of " + std::to_string(options.expected_size) + " processes, of which MPI sees " +
                          std::to_string(transport->size()),
                 .expected = std::string("the launcher of the MPI that the plug-in was built against (") + table.mpi + ")",
                 .hint = "start it with that MPI's mpirun, or with srun and the --mpi that fits"});
  return transport;
}

void check_same(Transport& transport, const std::string& its_version, const std::string& its_commit,
                const std::vector<std::string>& words) {
  const auto bytes_of = [](const std::string& text) { return std::vector<char>(text.begin(), text.end()); };
  std::string line;
  for (const auto& word : words) line += word + '\0';
  std::vector<char> first_build = bytes_of(build_of(its_version, its_commit)), first_line = bytes_of(line);
  transport.broadcast(0, first_build);
  transport.broadcast(0, first_line);
  agree(transport, [&] {
    if (first_build != bytes_of(build_of(its_version, its_commit)))
      throw Error({.failure = Failure::usage,
                   .id = "HW-RANKS-BUILD",
                   .found = "hopwave " + build_of(its_version, its_commit),
                   .expected = "the build of rank 0, " + std::string(first_build.begin(), first_build.end())});
    if (first_line != bytes_of(line))
      throw Error({.failure = Failure::usage,
                   .id = "HW-RANKS-WORDS",
                   .found = "another command line than rank 0's",
                   .expected = "the same options on all ranks"});
  });
}

}  // namespace hopwave::ranks

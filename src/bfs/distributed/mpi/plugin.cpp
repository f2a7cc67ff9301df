// The MPI plug-in: hopwave's transport in terms of MPI 3, compiled against whichever MPI is there.
// A failing MPI call ends all ranks with MPI's own message: that is MPI's standard error handler.
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <vector>

#include "bfs/distributed/mpi/table.h"
#include "bfs/distributed/transport.h"
#include "core/commit.h"
#include "hopwave/version.h"

namespace {

using hopwave::ranks::Reduce;

MPI_Comm all = MPI_COMM_NULL;  // a copy of the world: messages of others in this process stay apart
std::uint64_t piece = std::uint64_t{1} << 30;
int my_rank = 0, ranks = 1;

void open(std::uint64_t most) {
  piece = std::clamp<std::uint64_t>(most, 1, std::uint64_t{1} << 30);
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  MPI_Comm_rank(all, &my_rank);
  MPI_Comm_size(all, &ranks);
}

void close() {
  MPI_Comm_free(&all);
  MPI_Finalize();
}

int rank() { return my_rank; }
int size() { return ranks; }

void all_to_all(const std::uint64_t* to, std::uint64_t* from) { MPI_Alltoall(to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, all); }

/// Calls use(offset, count) for each piece of a message.
template <class Use>
void in_pieces(std::uint64_t bytes, Use&& use) {
  for (std::uint64_t at = 0; at < bytes; at += piece) use(at, static_cast<int>(std::min(piece, bytes - at)));
}

/// Counts of MPI_Alltoallv are ints, and a level's messages may be longer. Pieces of one pair arrive in order.
void exchange(const void* const* to, const std::uint64_t* to_bytes, void* const* from, const std::uint64_t* from_bytes) {
  std::vector<MPI_Request> requests;
  for (int step = 0; step < ranks; ++step) {  // each begins with itself, so that not all send to one
    const int source = (my_rank + ranks - step) % ranks, target = (my_rank + step) % ranks;
    if (step == 0) {
      if (to_bytes[my_rank]) std::memcpy(from[my_rank], to[my_rank], to_bytes[my_rank]);
      continue;
    }
    in_pieces(from_bytes[source], [&](std::uint64_t at, int count) {
      MPI_Irecv(static_cast<char*>(from[source]) + at, count, MPI_BYTE, source, 0, all, &requests.emplace_back());
    });
    in_pieces(to_bytes[target], [&](std::uint64_t at, int count) {
      MPI_Isend(static_cast<const char*>(to[target]) + at, count, MPI_BYTE, target, 0, all, &requests.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void broadcast(int root, void* data, std::uint64_t bytes) {
  in_pieces(bytes, [&](std::uint64_t at, int count) { MPI_Bcast(static_cast<char*>(data) + at, count, MPI_BYTE, root, all); });
}

void all_gather(const void* mine, void* to, const std::uint64_t* bytes) {
  std::vector<int> counts, begins;
  std::uint64_t total = 0;
  for (int r = 0; r < ranks; total += bytes[r++]) {
    counts.push_back(static_cast<int>(std::min<std::uint64_t>(bytes[r], INT_MAX)));
    begins.push_back(static_cast<int>(std::min<std::uint64_t>(total, INT_MAX)));
  }
  if (total <= piece) {
    MPI_Allgatherv(mine, counts[static_cast<std::size_t>(my_rank)], MPI_BYTE, to, counts.data(), begins.data(), MPI_BYTE, all);
    return;
  }
  char* at = static_cast<char*>(to);  // one rank after the other
  for (int r = 0; r < ranks; at += bytes[r++]) {
    if (r == my_rank && bytes[r]) std::memcpy(at, mine, bytes[r]);
    broadcast(r, at, bytes[r]);
  }
}

void all_reduce(std::uint64_t* values, std::uint64_t count, int how) {
  const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX, MPI_BOR};
  static_assert(static_cast<int>(Reduce::sum) == 0 && static_cast<int>(Reduce::min) == 1 &&
                static_cast<int>(Reduce::max) == 2 && static_cast<int>(Reduce::bit_or) == 3);
  MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_UINT64_T, ops[how], all);
}

void barrier() { MPI_Barrier(all); }

void abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

constexpr const char* built_against =
#if defined(OMPI_MAJOR_VERSION)
    "Open MPI";
#elif defined(MPICH_VERSION)
    "MPICH " MPICH_VERSION;
#else
    "MPI";
#endif

}  // namespace

extern "C" [[gnu::visibility("default")]] const hopwave_mpi_table* hopwave_mpi() {
  static const hopwave_mpi_table table{sizeof(hopwave_mpi_table),
                                       hopwave::version,
                                       hopwave::source_commit,
                                       built_against,
                                       open,
                                       close,
                                       rank,
                                       size,
                                       all_to_all,
                                       exchange,
                                       all_gather,
                                       all_reduce,
                                       broadcast,
                                       barrier,
                                       abort};
  return &table;
}

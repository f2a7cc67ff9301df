// What the MPI plug-in offers: a table of C functions, so that the tool needs no MPI and the plug-in no library of ours.
// Tool and plug-in are of one build; the first three fields say so, and never move.
#pragma once

#include <cstdint>

extern "C" {

struct hopwave_mpi_table {
  std::uint64_t bytes;  ///< of this struct
  const char* version;  ///< hopwave's
  const char* commit;   ///< of the source it was built from
  const char* mpi;      ///< the MPI it was built against, a line

  /// MPI_Init. Messages are cut into pieces of at most `piece` bytes, from 1 to 2^30.
  void (*open)(std::uint64_t piece);
  /// MPI_Finalize; collective.
  void (*close)();
  int (*rank)();
  int (*size)();
  /// to[r] goes to rank r.
  void (*all_to_all)(const std::uint64_t* to, std::uint64_t* from);
  void (*exchange)(const void* const* to, const std::uint64_t* to_bytes, void* const* from, const std::uint64_t* from_bytes);
  void (*all_gather)(const void* mine, void* all, const std::uint64_t* bytes);
  void (*all_reduce)(std::uint64_t* values, std::uint64_t count, int how);  ///< how: ranks::Reduce
  void (*broadcast)(int root, void* data, std::uint64_t bytes);
  void (*barrier)();
  /// Ends all ranks, without unwinding; `code` becomes the launcher's exit code where it passes that on.
  void (*abort)(int code);
};

/// The plug-in's one symbol. Calls nothing of MPI.
const hopwave_mpi_table* hopwave_mpi();
}

// Run by cli_mpi_test under mpirun: does the MPI plug-in keep what a transport promises? Arguments: plug-in, bytes of a piece,
// and "abort" where rank 1 shall end all ranks.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bfs/distributed/mpi_ranks.h"
#include "support/transport.h"

int main(int argc, char** argv) {
  using namespace hopwave;
  if (argc < 3) return 2;
  const auto transport =
      ranks::open_mpi({.plugins = {argv[1]}, .piece = std::strtoull(argv[2], nullptr, 10), .report = [](const Error& error) {
                         std::fprintf(stderr, "reported: %s\n", error.what());
                       }});
  if (argc > 3) {
    if (transport->rank() == 1)
      transport->abort(Error({.failure = Failure::does_not_fit, .id = "HW-TEST", .found = "rank 1 ends it"}));
    for (;;) transport->barrier();
  }
  const std::string broken = testing::broken_promise(*transport);
  if (!broken.empty()) std::printf("rank %d of %d: %s\n", transport->rank(), transport->size(), broken.c_str());
  if (transport->rank() == 0) std::printf("size %d\n", transport->size());
  return broken.empty() ? 0 : 1;
}

// NCCL, which is loaded when it is wanted: nothing else needs it. Only calls that NCCL 2 has always had the same way.
// Source: NVIDIA, NCCL user guide, 2.28: point-to-point communication, group calls, communicators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hopwave::ranks {

struct NcclId {
  char bytes[128];
};

/// The calls, as nccl.h has them: a status of 0 is success, types are numbers.
struct NcclTable {
  int (*get_version)(int* version);
  int (*get_unique_id)(NcclId* id);
  int (*init_rank)(void** communicator, int ranks, NcclId id, int rank);
  int (*abort)(void* communicator);
  int (*get_async_error)(void* communicator, int* error);
  int (*send)(const void* data, std::size_t count, int type, int peer, void* communicator, void* stream);
  int (*receive)(void* data, std::size_t count, int type, int peer, void* communicator, void* stream);
  int (*group_start)();
  int (*group_end)();
  const char* (*error_text)(int status);
  const char* (*last_error)(void* communicator);
};
inline constexpr int nccl_uint32 = 3, nccl_uint64 = 5;

/// Of version 2.18 or later; null if there is none, and `why_not` says what was found. Stays loaded.
const NcclTable* find_nccl(std::string& why_not);
/// "2.28.9".
std::string nccl_version(const NcclTable& nccl);

}  // namespace hopwave::ranks

#include "bfs/distributed/nccl.h"

#include <dlfcn.h>

namespace hopwave::ranks {
namespace {

constexpr int oldest = 21800;  // 2.18.0

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

const NcclTable* find_nccl(std::string& why_not) {
  static NcclTable table;
  void* const library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    why_not = "libnccl.so.2 cannot be loaded";
    return nullptr;
  }
  if (!(find(library, "ncclGetVersion", table.get_version) && find(library, "ncclGetUniqueId", table.get_unique_id) &&
        find(library, "ncclCommInitRank", table.init_rank) && find(library, "ncclCommAbort", table.abort) &&
        find(library, "ncclCommGetAsyncError", table.get_async_error) && find(library, "ncclSend", table.send) &&
        find(library, "ncclRecv", table.receive) && find(library, "ncclGroupStart", table.group_start) &&
        find(library, "ncclGroupEnd", table.group_end) && find(library, "ncclGetErrorString", table.error_text) &&
        find(library, "ncclGetLastError", table.last_error))) {
    why_not = "libnccl.so.2 lacks calls";
    return nullptr;
  }
  int version = 0;
  table.get_version(&version);
  if (version < oldest) {
    why_not = "NCCL " + nccl_version(table) + " is too old: 2.18 or later is wanted";
    return nullptr;
  }
  return &table;
}

std::string nccl_version(const NcclTable& nccl) {
  int version = 0;
  nccl.get_version(&version);
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

}  // namespace hopwave::ranks

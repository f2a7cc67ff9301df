// The HIP backend's place in the table: this build has none.
#include "device/api.h"

namespace hopwave::device {
const Api* hip_api() { return nullptr; }
}  // namespace hopwave::device

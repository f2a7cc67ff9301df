// Which GPU this process can use.
#pragma once

#include <string>

#include "device/api.h"

namespace hopwave::device {

/// The GPU backend of this build whose driver shows a device; null, with the reason, where there is none.
const Api* usable_gpu(std::string& why_not);

}  // namespace hopwave::device

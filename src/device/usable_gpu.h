// Which GPU this process can use.
#pragma once

#include <string>

#include "core/device_api.h"

namespace hopwave::device {

/// The GPU backend of this build whose driver shows a device; null, with the reason, where there is none.
const Api* usable_gpu(std::string& why_not);
/// Could there be one: has this build a backend, and does the machine have its driver? Starts nothing.
bool may_have_gpu();
/// Throws HW-DEVICE-NONE; `instead` is what the caller can say in place of "gpu".
[[noreturn]] void refuse_without_gpu(const std::string& why_not, const std::string& instead);

}  // namespace hopwave::device

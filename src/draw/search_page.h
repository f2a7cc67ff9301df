// The page that steps through a search: buttons, arrow keys, everything in one file.
#pragma once

#include <string>

#include "draw/drawings.h"

namespace hopwave::picture {

std::string to_page(const Drawing& drawing, const Roles& roles);

}  // namespace hopwave::picture

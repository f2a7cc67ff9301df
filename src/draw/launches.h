// The launches of searches side by side: which levels each one takes.
#pragma once

#include <string>
#include <vector>

#include "draw/scene.h"

namespace hopwave::picture {

/// One search.
struct LaunchRow {
  std::string name;
  std::vector<std::string> launches;  ///< what each takes: "start", "3", "1-4"
};

/// A box per launch, in order, and between two of them the host. Rows of more than `most_launches` are cut short.
inline constexpr std::size_t most_launches = 200;
Scene draw_launches(const std::string& title, const std::vector<LaunchRow>& rows);

}  // namespace hopwave::picture

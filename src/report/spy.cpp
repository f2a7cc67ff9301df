// The picture of the matrix, binned, so that it takes one pass over the arcs and any size of graph.
// Source: GPU101's spy plot (MATLAB's spy). Ours shows density by shades, so that big graphs are no black squares.
#include "hopwave/spy.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/png_memory.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

#ifdef HOPWAVE_WITH_PNG
#include <png.h>
#endif

namespace hopwave {

SpyGrid spy_grid(const Graph& graph, std::uint32_t side) {
  SpyGrid grid;
  const VertexId n = graph.num_vertices();
  grid.side = std::min<std::uint32_t>({std::max<std::uint32_t>(side, 1), 4096, std::max<VertexId>(n, 1)});
  const std::uint64_t cells = grid.side;
  grid.counts.assign(cells * cells, 0);
  const auto cell = [&](VertexId v) { return std::uint64_t{v} * cells / n; };
  // A member takes whole rows of cells, so that no two write the same count.
  Team team(graph.num_arcs() < (1 << 16) ? 1 : 0);
  parallel_for(team, n ? cells : 0, 16, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t row = from; row < to; ++row) {
      const std::uint64_t begin = (row * n + cells - 1) / cells, end = ((row + 1) * n + cells - 1) / cells;
      for (std::uint64_t v = begin; v < end; ++v)
        for (const VertexId w : graph.out_neighbors(static_cast<VertexId>(v))) ++grid.counts[row * cells + cell(w)];
    }
  });
  for (const std::uint64_t count : grid.counts) grid.most = std::max(grid.most, count);
  return grid;
}

#ifdef HOPWAVE_WITH_PNG
namespace {

[[noreturn]] void failed(const std::string& path, const char* what) {
  refuse_png_memory(what);
  throw Error({.id = "HW-PNG-WRITE", .where = {.file = path}, .found = std::string("the picture could not be made: ") + what});
}

std::vector<unsigned char> shades(const SpyGrid& grid, std::uint32_t scale) {
  const std::size_t pixels = std::size_t{grid.side} * scale;
  std::vector<unsigned char> image(pixels * pixels);
  const double full = std::log1p(static_cast<double>(grid.most));
  for (std::size_t y = 0; y < pixels; ++y)
    for (std::size_t x = 0; x < pixels; ++x) {
      const auto count = grid.counts[y / scale * grid.side + x / scale];
      // Even a single arc is clearly seen: shades begin at a light grey.
      const double dark = count ? 0.35 + 0.65 * std::log1p(static_cast<double>(count)) / full : 0;
      image[y * pixels + x] = static_cast<unsigned char>(std::lround(255 * (1 - dark)));
    }
  return image;
}

}  // namespace

void write_spy(const SpyGrid& grid, const std::string& path) {
  const auto above = [&](std::uint64_t count) { return count > grid.most; };
  if (grid.side == 0 || grid.side > 4096 || grid.counts.size() != std::size_t{grid.side} * grid.side ||
      std::any_of(grid.counts.begin(), grid.counts.end(), above))
    throw Error({.failure = Failure::usage,
                 .id = "HW-SPY-GRID",
                 .where = {.file = path},
                 .found = std::to_string(grid.counts.size()) + " counts on a side of " + std::to_string(grid.side),
                 .expected = "side × side counts up to `most`, as spy_grid() makes them"});
  const std::uint32_t scale = std::max<std::uint32_t>(1, (256 + grid.side - 1) / grid.side);
  const auto image = shades(grid, scale);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png.height = grid.side * scale;
  png.format = PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = 0;
  if (!png_image_write_to_memory(&png, nullptr, &bytes, 0, image.data(), 0, nullptr)) failed(path, png.message);
  std::string file(bytes, '\0');
  if (!png_image_write_to_memory(&png, file.data(), &bytes, 0, image.data(), 0, nullptr)) failed(path, png.message);
  OutputFile out(path);
  out.write(std::string_view(file.data(), bytes));
  out.commit();
}
#else
void write_spy(const SpyGrid&, const std::string& path) {
  throw Error({.failure = Failure::usage,
               .id = "HW-PNG-MISSING",
               .where = {.file = path},
               .found = "this build cannot write PNG files",
               .expected = "a build with libpng",
               .hint = "install libpng-dev and build again"});
}
#endif

}  // namespace hopwave

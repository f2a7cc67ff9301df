// Plain and compressing sinks, and rows formatted by all threads.
#include "io/sink.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/refuse.h"
#include "hopwave/error.h"

#ifdef HOPWAVE_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef HOPWAVE_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

namespace hopwave::io {
namespace {

constexpr std::size_t output_bytes = std::size_t{1} << 18;

class PlainSink final : public Sink {
 public:
  explicit PlainSink(OutputFile& file) : file_(file) {}
  void write(std::string_view bytes) override { file_.write(bytes); }
  void finish() override {}

 private:
  OutputFile& file_;
};

#ifdef HOPWAVE_WITH_ZLIB
class GzipSink final : public Sink {
 public:
  GzipSink(OutputFile& file, int level) : file_(file), buffer_(output_bytes, '\0') {
    if (deflateInit2(&state_, std::clamp(level, 1, 9), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipSink() override { deflateEnd(&state_); }
  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t some = std::min<std::size_t>(bytes.size(), 1u << 30);
      state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      state_.avail_in = static_cast<uInt>(some);
      while (state_.avail_in) step(Z_NO_FLUSH);
      bytes.remove_prefix(some);
    }
  }
  void finish() override {
    int result = Z_OK;
    while (result != Z_STREAM_END) result = step(Z_FINISH);
  }

 private:
  int step(int flush) {
    state_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    state_.avail_out = static_cast<uInt>(buffer_.size());
    const int result = deflate(&state_, flush);
    file_.write({buffer_.data(), buffer_.size() - state_.avail_out});
    return result;
  }
  OutputFile& file_;
  std::string buffer_;
  z_stream state_{};
};
#endif

#ifdef HOPWAVE_WITH_ZSTD
class ZstdSink final : public Sink {
 public:
  ZstdSink(OutputFile& file, int level) : file_(file), buffer_(output_bytes, '\0'), state_(ZSTD_createCCtx()) {
    if (!state_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_compressionLevel, std::clamp(level, 1, 19));
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_checksumFlag, 1);
  }
  void write(std::string_view bytes) override { run(bytes, ZSTD_e_continue); }
  void finish() override { run({}, ZSTD_e_end); }

 private:
  void run(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool more = true; more;) {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(state_.get(), &out, &in, directive);
      if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(left))
        throw Error(
            {.id = "HW-IO-WRITE", .found = std::string("zstd: ") + ZSTD_getErrorName(left), .expected = "", .hint = ""});
      file_.write({buffer_.data(), out.pos});
      more = directive == ZSTD_e_end ? left != 0 : in.pos < in.size;
    }
  }
  struct Free {
    void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
  };
  OutputFile& file_;
  std::string buffer_;
  std::unique_ptr<ZSTD_CCtx, Free> state_;
};
#endif

#ifdef HOPWAVE_WITH_ZLIB
constexpr bool packs_gzip = true;
#else
constexpr bool packs_gzip = false;
#endif
#ifdef HOPWAVE_WITH_ZSTD
constexpr bool packs_zstd = true;
#else
constexpr bool packs_zstd = false;
#endif

}  // namespace

void Sink::report_progress(std::uint64_t done, std::uint64_t total) const {
  if (report_ && *report_ && !(*report_)({.what = "work", .done = done, .total = total}))
    throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "writing was stopped"});
}

void check_packing(std::string_view path) {
  const bool gzip = path.ends_with(".gz"), zstd = path.ends_with(".zst");
  if ((!gzip || packs_gzip) && (!zstd || packs_zstd)) return;
  core::refuse("HW-FORMAT-WRITE", std::string("this build cannot compress with ") + (gzip ? "gzip" : "zstd"), "",
               "write it plain, and compress it afterwards");
}

std::unique_ptr<Sink> make_sink(OutputFile& file, std::string_view path, [[maybe_unused]] int level) {
  check_packing(path);
#ifdef HOPWAVE_WITH_ZLIB
  if (path.ends_with(".gz")) return std::make_unique<GzipSink>(file, level);
#endif
#ifdef HOPWAVE_WITH_ZSTD
  if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(file, level);
#endif
  return std::make_unique<PlainSink>(file);
}

void write_in_order(Sink& out, std::size_t count, const std::function<void(std::size_t, std::size_t, Lines&)>& format) {
  constexpr std::size_t chunk = 4096;
  Team team(count <= chunk ? 1 : 0);
  const std::size_t window = chunk * 8 * static_cast<std::size_t>(team.size());
  std::vector<Lines> texts(window / chunk);
  for (std::size_t first = 0; first < count; first += window) {
    const std::size_t chunks = (std::min(window, count - first) + chunk - 1) / chunk;
    parallel_for(team, chunks, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        texts[i].text().clear();
        format(first + i * chunk, std::min(first + (i + 1) * chunk, count), texts[i]);
      }
    });
    for (std::size_t i = 0; i < chunks; ++i) out.write(texts[i].text());
    out.report_progress(std::min(first + window, count), count);
  }
}

void need_integer_weights(const Graph& graph, std::int64_t lowest, std::int64_t highest, const char* format) {
  graph.out().weights.with([&]<class T>(std::span<const T> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool fits = false;
      if constexpr (std::is_integral_v<T>)
        fits = values[i] >= lowest && values[i] <= highest;
      else  // below the next power of two, which a double has
        fits = std::floor(values[i]) == values[i] && values[i] >= static_cast<double>(lowest) && values[i] < 0x1p63 &&
               static_cast<std::int64_t>(values[i]) <= highest;
      if (fits) continue;
      core::refuse("HW-WRITE-WEIGHT", "the weight " + graph.out().weights.text(i),
                   "whole numbers from " + std::to_string(lowest) + " to " + std::to_string(highest) + ", the only ones " +
                       format + " has",
                   "leave the weights out, or choose another format");
    }
  });
}

void need_finite_weights(const Graph& graph, const char* format) {
  const Weights& weights = graph.out().weights;
  if (weights.whole()) return;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!std::isfinite(weights[i]))
      core::refuse("HW-WRITE-WEIGHT", "the weight " + weights.text(i),
                   std::string("finite numbers, the only ones that are read in ") + format,
                   "leave the weights out, or write .hwg");
}

void need_numeric_ids(const Graph& graph, const char* format) {
  if (graph.ids().kind() != Ids::Kind::strings) {
    if (graph.num_vertices() == 0 || graph.ids().number(0) >= 0) return;
    core::refuse("HW-WRITE-RANGE", "the id " + std::to_string(graph.ids().number(0)),
                 "ids from 0 on, which is all that is read", "write .hwg");
  }
  core::refuse("HW-WRITE-NAMES", "vertices whose ids are text", std::string("numbers, the only ids that ") + format + " has",
               "choose an edge list or .hwg");
}

}  // namespace hopwave::io

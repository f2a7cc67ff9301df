#include "cli/commands/explain/by_place.h"

#include <fmt/format.h>

#include "bfs/plan/source_text.h"
#include "cli/frame/console.h"
#include "cli/frame/counts_report.h"

namespace hopwave::cli {
namespace {

std::string per_request(std::uint64_t figure, const RequestCounts& r) {
  return fmt::format("{:.1f}", static_cast<double>(figure) / static_cast<double>(r.requests));
}

/// "pmpp_edge.cu:27"; no two folders have a file of one name. Of a listing also the line of the print.
std::string place_text(const RequestCounts& r) {
  std::string text = fmt::format("{}:{}", r.file.substr(r.file.find_last_of('/') + 1), r.line);
  if (const std::string step = source_text::figure_step(r.file, r.line); !step.empty()) text += " (" + step + ")";
  return text;
}

}  // namespace

std::vector<std::string> place_titles() {
  return {"strategy", "place", "access", "memory", "requests", "lanes", "sectors", "spread", "bank ways"};
}

std::vector<std::string> place_cells(const std::string& strategy, const RequestCounts& r) {
  return {strategy,
          place_text(r),
          std::string(memory_access_names[static_cast<std::size_t>(r.access)]),
          r.shared ? "shared" : std::string(memory_kind_names[static_cast<std::size_t>(r.kind)]),
          grouped(r.requests),
          per_request(r.accesses, r),
          r.shared ? "–" : per_request(r.transfers, r),
          r.shared ? "–" : fmt::format("{:.1f}", r.spread()),
          r.shared ? ways_text(r) : "–"};
}

}  // namespace hopwave::cli

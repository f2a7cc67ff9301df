// Counts of launches as text and JSON. docs/explain.md says what each column means.
#include "cli/frame/counts_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/frame/text_table.h"

namespace hopwave::cli {
namespace {

constexpr const char* not_counted =
    "on a GPU threads are not counted, which would slow the kernel; --device sim counts them on the same kernels";

bool all_counted(const std::vector<LaunchCounts>& launches) {
  return std::all_of(launches.begin(), launches.end(), [](const LaunchCounts& one) { return one.counted; });
}

std::string shape_text(const LaunchCounts& one) {
  return fmt::format("{} x {}{}", one.grid, one.block, one.cooperative ? " coop" : one.cluster > 1 ? " clus" : "");
}

std::string lanes_text(const LaunchCounts& one) {
  return one.working_warps ? fmt::format("{:.1f}/{}", one.average_lanes(), one.least_lanes) : "–";
}

/// Atomics, and after the slash how many of them met at one address.
std::string atomics_text(std::uint64_t all, std::uint64_t most) {
  return all ? fmt::format("{}/{}", grouped(all), grouped(most)) : "0";
}

std::string kinds_text(const ByteCounts& bytes) {
  std::string text;
  for (std::size_t k = 0; k < num_memory_kinds; ++k)
    if (bytes[k]) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", memory_kind_names[k], grouped(bytes[k]));
  return text.empty() ? "nothing" : text;
}

Json launch_json(const LaunchCounts& one) {
  const auto if_counted = [&](auto value) { return one.counted ? Json(value) : Json(nullptr); };
  return {{"level", one.level >= 0 ? Json(one.level) : Json(nullptr)},
          {"levels", one.levels},
          {"grid", one.grid},
          {"block", one.block},
          {"cluster", one.cluster},
          {"cooperative", one.cooperative},
          {"threads", one.threads()},
          {"dynamic_shared", one.dynamic_shared},
          {"static_shared", if_counted(one.static_shared)},
          {"resident_blocks", one.resident_blocks},
          {"working", if_counted(one.working)},
          {"working_warps", if_counted(one.working_warps)},
          {"average_lanes", if_counted(one.average_lanes())},
          {"least_lanes", if_counted(one.least_lanes)},
          {"divergent_warps", if_counted(one.divergent_warps)},
          {"divergence", if_counted(one.divergence())},
          {"work", if_counted(one.work)},
          {"longest", if_counted(one.longest)},
          {"labelling", if_counted(one.labelling)},
          {"labelled", if_counted(one.labelled)},
          {"shared_atomics", if_counted(one.shared_atomics)},
          {"global_atomics", if_counted(one.global_atomics)},
          {"most_shared_on_one_address", if_counted(one.most_shared)},
          {"most_global_on_one_address", if_counted(one.most_global)},
          {"read", if_counted(bytes_json(one.read))},
          {"written", if_counted(bytes_json(one.written))},
          {"requests", if_counted(requests_json(one.requests))}};
}

void note_left_out(Console& console, Stream stream, std::size_t launches, std::string_view which) {
  if (launches > most_rows)
    console.line(stream, console.dim(stream, console.fitted(stream,
                                                            fmt::format("{} launches, the {} {}; --json prints all",
                                                                        grouped(launches), most_of_many, which),
                                                            2)));
}

void print_shapes(Console& console, Stream stream, const std::vector<LaunchCounts>& launches) {
  TextTable table({{"level", 9}, {"grid x block", 16}, {"threads", 12}, {"shared", 9}, {"resident", 9}});
  std::vector<double> threads;
  for (const LaunchCounts& one : launches) threads.push_back(static_cast<double>(one.threads()));
  for (const std::size_t i : rows_shown(threads)) {
    const LaunchCounts& one = launches[i];
    table.row({level_text(one), shape_text(one), grouped(one.threads()), grouped(one.dynamic_shared),
               std::to_string(one.resident_blocks)});
  }
  table.print(console, stream);
  note_left_out(console, stream, launches.size(), "with the most threads");
  console.line(stream, console.dim(stream, console.fitted(stream, not_counted, 2)));
}

}  // namespace

std::string level_text(const LaunchCounts& one) {
  if (one.level < 0) return "–";
  if (one.level == 0) return "start";
  if (one.levels <= 1) return std::to_string(one.level);
  return fmt::format("{}-{}", one.level, one.level + static_cast<Distance>(one.levels) - 1);
}

Json bytes_json(const ByteCounts& bytes) {
  Json json = Json::object();
  for (std::size_t k = 0; k < num_memory_kinds; ++k) json[std::string(memory_kind_names[k])] = bytes[k];
  return json;
}

void print_counts(Console& console, Stream stream, const std::vector<LaunchCounts>& launches) {
  if (launches.empty()) return;
  if (!all_counted(launches)) return print_shapes(console, stream, launches);
  TextTable table({{"level", 9},
                   {"grid x block", 16},
                   {"threads", 10},
                   {"working", 9},
                   {"labelling", 9},
                   {"lanes", 9},
                   {"idle %", 7},
                   {"divergent", 9},
                   {"shared atom.", 13},
                   {"global atom.", 13},
                   {"read B", 10},
                   {"written B", 10},
                   {"shared B", 8},
                   {"resident", 8}});
  ByteCounts read{}, written{};
  RequestCounts device, shared;
  std::vector<double> work;
  for (const LaunchCounts& one : launches) {
    work.push_back(static_cast<double>(one.work));
    device.add(one.requests_of(false));
    shared.add(one.requests_of(true));
    for (std::size_t k = 0; k < num_memory_kinds; ++k) {
      read[k] += one.read[k];
      written[k] += one.written[k];
    }
  }
  for (const std::size_t i : rows_shown(work)) {
    const LaunchCounts& one = launches[i];
    table.row({level_text(one), shape_text(one), grouped(one.threads()), grouped(one.working), grouped(one.labelling),
               lanes_text(one), fmt::format("{:.0f}", 100 * one.divergence()), grouped(one.divergent_warps),
               atomics_text(one.shared_atomics, one.most_shared), atomics_text(one.global_atomics, one.most_global),
               grouped(one.read.total()), grouped(one.written.total()), grouped(one.dynamic_shared + one.static_shared),
               std::to_string(one.resident_blocks)});
  }
  table.print(console, stream);
  note_left_out(console, stream, launches.size(), "with the most work");
  const auto words = [&](const std::string& text) { return console.fitted(stream, text, 2); };
  console.line(stream, words("bytes read: " + kinds_text(read)));
  console.line(stream, words("bytes written: " + kinds_text(written)));
  console.line(stream, words(fmt::format("sectors of device memory: {} in {} of a warp, spread {:.1f}; bank ways: {}",
                                         grouped(device.transfers), plural(device.requests, "request"), device.spread(),
                                         ways_text(shared))));
  console.line(stream,
               console.dim(stream, words("one line per launch; lanes: average/least of working warps; idle: lanes' time "
                                         "spent waiting for the longest lane; atomics: all/most on one address")));
}

Json requests_json(const std::vector<RequestCounts>& requests) {
  Json all = Json::array();
  for (const RequestCounts& r : requests)
    all.push_back({{"file", r.file},
                   {"line", r.line},
                   {"access", memory_access_names[static_cast<std::size_t>(r.access)]},
                   {"memory", r.shared ? "shared" : "device"},
                   {"kind", r.shared ? Json(nullptr) : Json(memory_kind_names[static_cast<std::size_t>(r.kind)])},
                   {"requests", r.requests},
                   {"accesses", r.accesses},
                   {"transfers", r.transfers},
                   {"least_transfers", r.least_transfers},
                   {"most_transfers", r.most_transfers}});
  return all;
}

std::string ways_text(const RequestCounts& shared) {
  return shared.requests ? fmt::format("{:.1f}/{}", shared.spread(), grouped(shared.most_transfers)) : "–";
}

Json counts_json(const std::vector<LaunchCounts>& launches) {
  Json json{{"launches", Json::array()}, {"note", all_counted(launches) ? Json(nullptr) : Json(not_counted)}};
  for (const LaunchCounts& one : launches) json["launches"].push_back(launch_json(one));
  return json;
}

}  // namespace hopwave::cli

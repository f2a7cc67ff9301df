#include "cli/commands/estimate/storage_report.h"

#include <fmt/format.h>

#include "cli/frame/console.h"
#include "cli/frame/text_table.h"

namespace hopwave::cli {
namespace {

using strategy::Held;

constexpr Held representations[] = {Held::csr, Held::csc, Held::coo, Held::records};
constexpr Held kinds[] = {Held::csr,     Held::csc,    Held::coo,   Held::records, Held::levels,
                          Held::parents, Held::queues, Held::flags, Held::counters};

}  // namespace

Json to_json(const Counted& counted, const MemoryEstimate& e) {
  Json json{{"name", counted.info.name}, {"exact", counted.storage.has_value() && e.size.exact}};
  for (const Held held : representations)
    json["representations"][std::string(strategy::held_name(held))] = strategy::representation_bytes(held, counted.shape);
  if (!counted.storage) return json;
  json["bytes"] = counted.storage->bytes();
  json["arrays"] = Json::array();
  for (const auto& array : counted.storage->arrays)
    json["arrays"].push_back({{"held", strategy::held_name(array.held)}, {"what", array.what}, {"bytes", array.bytes}});
  json["uncounted"] = counted.storage->uncounted;
  json["blocks"] = Json::array();
  for (const auto& block : counted.storage->blocks) {
    const auto r = search_detail::residency(block);
    json["blocks"].push_back({{"kernel", block.kernel},
                              {"threads", block.threads},
                              {"dynamic_shared_bytes", block.dynamic_shared},
                              {"static_shared_bytes", block.static_shared},
                              {"resident", r.blocks()},
                              {"limit", r.limit()},
                              {"by_threads", r.by_threads},
                              {"by_shared", r.by_shared},
                              {"by_blocks", r.by_blocks},
                              {"by_registers", nullptr}});
  }
  return json;
}

void print_storage(const Counted& counted, const MemoryEstimate& e, const PrintLine& line) {
  std::string whole;
  for (const Held held : representations)
    whole += fmt::format("{}{} {}", whole.empty() ? "" : ", ", strategy::held_name(held),
                         bytes_text(strategy::representation_bytes(held, counted.shape)));
  line("as", whole);
  if (!counted.storage) {
    const bool cpu = counted.info.device == "cpu";
    line("holds", cpu ? fmt::format("about {} of host memory that grow with the graph: levels {}, queues and bits the rest",
                                    bytes_text(e.search_bytes), bytes_text(4 * counted.shape.vertices))
                      : fmt::format("about {} on a GPU, and buffers of fixed size. Auto chooses its traversal when it has seen "
                                    "the graph, and with it the shared memory of a block and the resident blocks",
                                    bytes_text(e.device_bytes)));
    return;
  }
  const char* about = e.size.exact ? "" : "about ";
  line("holds", fmt::format("{}{} on a GPU", about, bytes_text(counted.storage->bytes())));
  for (const Held held : kinds) {
    std::string arrays;
    for (const auto& array : counted.storage->arrays)
      if (array.held == held) arrays += fmt::format("{}{} {}", arrays.empty() ? "" : ", ", array.what, bytes_text(array.bytes));
    if (!arrays.empty()) line("", fmt::format("{}: {}", strategy::held_name(held), arrays));
  }
  if (!counted.storage->uncounted.empty()) line("", "not counted: " + counted.storage->uncounted);
  for (const auto& block : counted.storage->blocks) {
    const auto r = search_detail::residency(block);
    line("block", fmt::format("{}: {} threads, {} of shared memory; at most {} on a multiprocessor, by {} (threads allow {}, "
                              "shared memory {}, the hardware {})",
                              block.kernel, block.threads, bytes_text(block.shared()), plural(r.blocks(), "block"), r.limit(),
                              r.by_threads, r.by_shared, r.by_blocks));
  }
  line("",
       "A multiprocessor of Hopper: 2,048 threads, 32 blocks, 228 KiB. Registers are not known before the kernel is "
       "compiled, and may allow fewer.");
}

void print_storages(const std::vector<Counted>& all, Console& console) {
  TextTable table({{"strategy", 0, true}, {"graph", 0, true}, {"graph B"}, {"other B"}, {"total B"}, {"resident blocks"}}, 2);
  for (const Counted& one : all) {
    const strategy::Storage& storage = *one.storage;
    std::string graph;
    std::uint64_t graph_bytes = 0;
    for (const Held held : representations)
      if (const std::uint64_t bytes = storage.bytes(held)) {
        graph += (graph.empty() ? "" : " + ") + std::string(strategy::held_name(held));
        graph_bytes += bytes;
      }
    std::string blocks;
    for (const auto& block : storage.blocks)
      blocks += fmt::format("{}{}", blocks.empty() ? "" : ", ", search_detail::residency(block).blocks());
    table.row({std::string(one.info.name), graph, grouped(graph_bytes), grouped(storage.bytes() - graph_bytes),
               grouped(storage.bytes()), blocks});
  }
  console.result("");
  table.print(console, Stream::out);
  console.result("");
  console.result(console.fitted(
      Stream::out,
      "Other: levels, queues, flags, counters. Resident blocks: at most, on a multiprocessor of Hopper, of each kernel; "
      "registers may allow fewer.",
      0));
}

}  // namespace hopwave::cli

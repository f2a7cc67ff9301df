// hopwave estimate: bytes needed against bytes free, before anything is read.
#include "hopwave/estimate.h"

#include <fmt/format.h>

#include <memory>

#include "cli/console.h"
#include "cli/graph_input.h"
#include "cli/json.h"

namespace hopwave::cli {
namespace {

struct Arguments {
  GraphArguments graph;
  bool parents = false, with_in = false, prepare = false;
  std::int64_t searches = 1;
};

bool fits_host(const MemoryEstimate& e) { return e.host_peak() <= e.host_free; }
bool fits_device(const MemoryEstimate& e) { return e.device_bytes <= e.device_free; }

Json to_json(const Arguments& arguments, const MemoryEstimate& e, const DeviceInfo& device) {
  Json json = document("estimate");
  json["source"] = arguments.graph.graph;
  json["known"] = e.size.known;
  json["exact"] = e.size.exact;
  json["basis"] = e.size.basis;
  json["vertices"] = e.size.vertices;
  json["rows"] = e.size.rows;
  json["arcs"] = e.arcs;
  json["host"] = {{"graph_bytes", e.graph_bytes},
                  {"load_peak_bytes", e.load_peak_bytes},
                  {"search_bytes", e.search_bytes},
                  {"needed_bytes", e.host_peak()},
                  {"free_bytes", e.host_free},
                  {"total_bytes", host_memory_total()},
                  {"fits", fits_host(e)}};
  json["device"] = {{"gpu", device.gpu},
                    {"name", device.name},
                    {"needed_bytes", e.device_bytes},
                    {"free_bytes", e.device_free},
                    {"fits", device.gpu && fits_device(e)},
                    {"why_not", device.why_not}};
  return json;
}

int run(const Arguments& arguments, Context& context) {
  const auto read = read_options(arguments.graph);
  check_graph_name(arguments.graph.graph);
  auto e =
      estimate_memory(arguments.graph.graph, read,
                      {.build_in = arguments.with_in,
                       .undirected = arguments.graph.undirected,
                       .parents = arguments.parents,
                       .prepare = arguments.prepare,
                       .searches = static_cast<std::uint64_t>(checked_int("--searches", arguments.searches, 1, 0x7FFFFFFF))});
  const DeviceInfo device = device_info();
  if (device.gpu) e.device_free = device.memory_free;
  const bool fits = !e.size.known || fits_host(e);
  Console& console = context.console;
  if (context.json()) {
    console.result(dump(to_json(arguments, e, device)));
  } else if (!e.size.known) {
    console.result(fmt::format("{}: nothing can be said beforehand ({})", arguments.graph.graph, e.size.basis));
  } else {
    const auto line = [&](std::string_view label, const std::string& text) {
      console.result(console.bold(Stream::out, fmt::format("{:<8}", label)) + text);
    };
    const char* about = e.size.exact ? "" : "about ";
    line("graph", fmt::format("{}{}, {}{} as stored ({})", about, plural(e.size.vertices, "vertex", "vertices"), about,
                              plural(e.size.rows, "edge"), e.size.basis));
    line("host", fmt::format("{}{} needed ({} graph, {} while loading, {} search), {} free: {}", about,
                             bytes_text(e.host_peak()), bytes_text(e.graph_bytes), bytes_text(e.load_peak_bytes),
                             bytes_text(e.search_bytes), bytes_text(e.host_free), fits_host(e) ? "fits" : "does not fit"));
    line("gpu", device.gpu
                    ? fmt::format("{}{} needed, {} free on {}: {}", about, bytes_text(e.device_bytes),
                                  bytes_text(e.device_free), device.name, fits_device(e) ? "fits" : "does not fit")
                    : fmt::format("{}{} would be needed; no GPU here: {}", about, bytes_text(e.device_bytes), device.why_not));
  }
  return fits ? 0 : static_cast<int>(Failure::does_not_fit);
}

}  // namespace

Command estimate_command() {
  auto a = std::make_shared<Arguments>();
  Option undirected{"--undirected", "", "Every edge stands for both directions.", &a->graph.undirected};
  return {
      .name = "estimate",
      .summary = "bytes needed against bytes free, before doing it",
      .description =
          "Tells how much memory loading and searching a graph will take on the CPU and on a GPU, and how much is free, from "
          "a header, a sample of the file or a generator's spec; nothing big is read. Exit code 4 if it does not fit into "
          "the memory of this machine. Searches refuse by the same figures.",
      .examples = {{"hopwave estimate social.txt.zst", "for a file"},
                   {"hopwave estimate rmat:30,16 --undirected", "for a graph that is not there yet"}},
      .groups = {{"What",
                  {graph_argument(a->graph),
                   undirected,
                   {"--parents", "", "Count the array of parents too.", &a->parents},
                   {"--prepare", "", "Count what preparation makes on a GPU, at most.", &a->prepare},
                   {"--searches", "N", "Count what many independent searches take (bfs --mode each), up to 64 in a pass.",
                    &a->searches},
                   {"--with-in", "", "Count incoming arcs too: searches that pull on directed graphs need them.",
                    &a->with_in}}}},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli

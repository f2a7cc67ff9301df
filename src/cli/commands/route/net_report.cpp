// Global routing as the tool shows it.
#include "cli/commands/route/net_report.h"

#include <fmt/format.h>

#include <optional>

#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "route/nets.h"

namespace hopwave::cli {
namespace {

Json names(const route::Netlist& netlist, const std::vector<std::size_t>& nets) {
  Json json = Json::array();
  for (const std::size_t net : nets) json.push_back(netlist.nets[net].name);
  return json;
}

Json to_json(const route::Netlist& netlist, const route::GlobalRoute& r, const NetArguments& arguments, const RunOptions& asked,
             Seconds load) {
  Json json = document("route-nets");
  json["netlist"] = {{"source", netlist.name},   {"format", netlist.format}, {"width", netlist.width},
                     {"height", netlist.height}, {"layers", netlist.layers}, {"nets", netlist.nets.size()}};
  json["run"] = run_json({.work = r.time}, asked, load);
  json["router"] = arguments.sequential ? "sequential" : "negotiated";
  json["order"] = arguments.order;
  json["rounds"] = r.rounds;
  json["rerouted"] = r.rerouted;
  json["wirelength"] = r.wirelength;
  json["vias"] = r.vias;
  json["bends"] = r.bends;
  json["overflow"] = r.overflow;
  json["max_overflow"] = r.max_overflow;
  json["unrouted"] = names(netlist, r.unrouted);
  json["congested"] = names(netlist, r.congested);
  json["seconds"] = Seconds(r.time).count();
  return json;
}

void print(Console& console, const route::Netlist& netlist, const route::GlobalRoute& r) {
  const auto line = [&](std::string_view label, const std::string& text) { console.labelled(Stream::out, label, 12, text); };
  const auto listed = [&](const std::vector<std::size_t>& nets) {
    std::string text = grouped(nets.size());
    for (std::size_t i = 0; i < nets.size() && i < 20; ++i) text += (i ? " " : ": ") + printable(netlist.nets[nets[i]].name);
    return text + (nets.size() > 20 ? " … (--json lists all)" : "");
  };
  line("input", fmt::format("{}: {}, {} × {} tiles, {}, {}", printable(netlist.name), netlist.format, netlist.width,
                            netlist.height, plural(netlist.layers, "layer"), plural(netlist.nets.size(), "net")));
  line("wirelength", grouped(r.wirelength));
  line("vias", grouped(r.vias));
  line("bends", grouped(r.bends));
  line("overflow", fmt::format("{}, at most {} on an edge", grouped(r.overflow), grouped(r.max_overflow)));
  line("unrouted", listed(r.unrouted));
  line("congested", listed(r.congested));
  console.talk(fmt::format("{}, {} routed again, in {}", plural(static_cast<std::uint64_t>(r.rounds), "round"),
                           plural(r.rerouted, "net"), seconds_text(r.time)));
}

}  // namespace

int route_netlist(const route::Netlist& netlist, Seconds load, const NetArguments& arguments, const NetFiles& files,
                  const RunOptions& asked, Context& context) {
  route::GlobalOptions options;
  options.rounds = static_cast<int>(arguments.rounds);
  options.sequential = arguments.sequential;
  options.run = asked;
  options.order = arguments.order == "longest" ? route::NetOrder::longest
                  : arguments.order == "file"  ? route::NetOrder::file
                                               : route::NetOrder::shortest;
  std::optional<route::RoundsPage> page;
  if (!files.rounds.empty()) {
    page.emplace(netlist, files.rounds);
    options.each_round = [&](const route::GlobalRoute& round) { page->add(round); };
  }
  route::GlobalRoute result;
  {
    Progress progress(context.console, "routing");
    options.run.progress = [&](const Step& step) {
      progress.steps(fmt::format("round {}, overflow {}", step.done + 1, grouped(step.amount)));
      return !context.interrupted();
    };
    result = route::route_nets(netlist, options);
  }
  if (!files.solution.empty()) route::write_solution(netlist, result, files.solution);
  if (!files.picture.empty()) route::write_picture(netlist, result, files.picture);
  if (page) page->write(result.rounds);
  if (context.json())
    context.console.result(dump(to_json(netlist, result, arguments, asked, load)));
  else if (files.solution != "-")
    print(context.console, netlist, result);
  return result.unrouted.empty() && result.congested.empty() ? 0 : static_cast<int>(Failure::no);
}

}  // namespace hopwave::cli

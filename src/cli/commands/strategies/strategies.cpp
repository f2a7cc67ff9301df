// hopwave strategies: what can search, where it comes from and its parameters.
#include <fmt/format.h>

#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "cli/frame/text_table.h"
#include "core/refuse.h"
#include "hopwave/search.h"
#include "hopwave/strategy_source.h"

namespace hopwave::cli {
namespace of_strategies {

struct Arguments {
  std::vector<std::string> words;
  bool source = false, steps = false;
  std::string as = "hopwave";
};

std::vector<std::string> need_names(const Needs& needs) {
  std::vector<std::string> names;
  if (needs.out) names.emplace_back("csr");
  if (needs.in) names.emplace_back("csc");
  if (needs.arc_sources) names.emplace_back("coo");
  if (needs.cooperative) names.emplace_back("cooperative-launch");
  if (needs.clusters) names.emplace_back("clusters");
  return names;
}

Json to_json(const StrategyInfo& info) {
  Json parameters = Json::array();
  for (const auto& p : info.parameters)
    parameters.push_back({{"name", p.name}, {"default", p.standard}, {"min", p.lowest}, {"max", p.highest}, {"help", p.help}});
  return {{"name", info.name},
          {"summary", info.summary},
          {"source", info.source},
          {"device", info.device},
          {"differs", info.differs},
          {"needs", need_names(info.needs)},
          {"native_parents", info.native_parents},
          {"method", info.work.method},
          {"over", info.work.over},
          {"frontier", info.work.frontier},
          {"thread", info.work.thread},
          {"parameters", parameters}};
}

std::string need_text(const Needs& needs) {
  std::string text;
  for (const auto& name : need_names(needs)) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

void list(Console& console, const std::vector<StrategyInfo>& all) {
  TextTable table({{"name", 8, true}, {"device", 6, true}, {"summary", 0, true}}, 2);
  for (const auto& info : all) table.row({std::string(info.name), std::string(info.device), std::string(info.summary)});
  table.print(console, Stream::out);
}

void show(Console& console, const StrategyInfo& info) {
  const auto line = [&](std::string_view label, std::string_view text) {
    if (!text.empty()) console.labelled(Stream::out, label, 11, text);
  };
  line("name", info.name);
  line("summary", info.summary);
  line("source", info.source);
  line("device", info.device == "gpu"   ? "gpu (and the simulator: --device sim)"
                 : info.device == "sim" ? "the simulator alone"
                                        : info.device);
  line("needs", need_text(info.needs));
  line("method", info.work.method);
  line("over", info.work.over);
  line("frontier", info.work.frontier);
  line("thread", info.work.thread);
  line("parents", info.native_parents ? "written by the strategy" : "derived from distances");
  line(info.device == "sim" ? "faults" : "differs", info.differs);
  for (const auto& p : info.parameters)
    line("parameter", fmt::format("{}={} ({} to {}): {}", p.name, p.standard, p.lowest, p.highest, p.help));
}

/// The text of a strategy's kernels, the steps of a listing, or both.
void show_text(const Arguments& a, Context& context) {
  const std::string& name = a.words[1];
  const std::string source = a.source ? strategy_source(name, a.as == "cuda" ? KernelWords::cuda : KernelWords::hopwave) : "";
  const std::vector<ListingStep> steps = a.steps ? listing_steps(name) : std::vector<ListingStep>();
  if (context.json()) {
    Json json = to_json(find_strategy(name));
    if (a.source) json["text"] = source;
    if (a.steps) {
      json["steps"] = Json::array();
      for (const ListingStep& step : steps) json["steps"].push_back({{"place", step.place}, {"what", step.what}});
    }
    return context.console.result(dump(json));
  }
  TextTable table({{"print", 8, true}, {"what a thread does", 0, true}}, 2);
  for (const ListingStep& step : steps) table.row({step.place, step.what});
  if (a.steps) table.print(context.console, Stream::out);
  if (a.steps && a.source) context.console.result("");
  if (a.source) context.console.result(source.substr(0, source.find_last_not_of('\n') + 1));
}

int run(const Arguments& arguments, Context& context) {
  const auto& words = arguments.words;
  const bool literal = !words.empty() && words.front() == "literal";
  if (!words.empty() && words.front() != "show" && words.front() != "list" && !literal)
    core::refuse("HW-USAGE-ARGUMENT", "'" + words.front() + "' after 'hopwave strategies'", "list, literal, or show NAME");
  const bool one = !words.empty() && words.front() == "show";
  if (words.size() != (words.empty() ? 0u : one ? 2u : 1u))
    core::refuse("HW-USAGE-ARGUMENT", plural(words.size(), "word") + " after 'hopwave strategies'",
                 "list, literal, or show NAME");
  if ((arguments.source || arguments.steps) && !one)
    core::refuse("HW-USAGE-OPTION", arguments.source ? "--source without a strategy" : "--steps without a listing",
                 "hopwave strategies show NAME");
  if (arguments.as == "cuda" && !arguments.source)
    core::refuse("HW-USAGE-OPTION", "--as without --source", "hopwave strategies show NAME --source --as cuda");
  if (arguments.source || arguments.steps) {
    show_text(arguments, context);
  } else if (context.json()) {
    Json json = Json::array();
    if (one)
      json = to_json(find_strategy(words[1]));
    else
      for (const auto& info : literal ? literal_strategies() : strategies()) json.push_back(to_json(info));
    context.console.result(dump(json));
  } else if (one) {
    show(context.console, find_strategy(words[1]));
  } else {
    if (!literal) list(context.console, strategies());
    if (!literal) context.console.result("\nPrinted listings, with their faults, for the simulator alone:");
    list(context.console, literal_strategies());
  }
  return 0;
}

}  // namespace of_strategies

Command strategies_command() {
  using namespace of_strategies;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "strategies",
      .summary = "list the ways to search, and the parameters of each",
      .description =
          "Lists every strategy of this build: where it runs, where the method comes from, what it needs of the graph and "
          "the device, and its parameters. The listings of the literature as printed, with their faults, are a list of "
          "their own (literal:…): they run in the simulator only.",
      .examples = {{"hopwave strategies", "all of them, one line each"},
                   {"hopwave strategies show cpu-direction", "one in full, with its parameters"},
                   {"hopwave strategies literal", "the printed listings alone"},
                   {"hopwave strategies show literal:pmpp-private-frontier --steps", "what figure 15.14 does, line by line"},
                   {"hopwave strategies show pmpp-edge --source --as cuda", "a strategy's kernels in the words of CUDA"},
                   {"hopwave strategies --json", "an array of objects for programs, without the printed listings"}},
      .groups =
          {{"What", {{"action", "ACTION", "list, literal, or show NAME. Without it: list.", &a->words, {}, Fill::strategy}}},
           {"Text",
            {{"--source", "",
              "With show: the text of the kernels, with what they use; of a CPU strategy and of auto "
              "the whole file.",
              &a->source},
             {"--as",
              "WORDS",
              "With --source: the words that kernels are shown in: those of the sources, or CUDA's.",
              &a->as,
              {"hopwave", "cuda"}},
             {"--steps", "", "With show, of a printed listing: the print's lines, and what a thread does there.", &a->steps}}}},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli

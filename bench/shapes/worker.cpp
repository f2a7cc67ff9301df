#include "shapes/worker.h"

#include <unistd.h>

#include <thread>

#include "core/stopwatch.h"
#include "shapes/process.h"
#include "shapes/shrink.h"

namespace hopwave::shapes {

using nlohmann::json;

std::uint64_t named_count(const Campaign& campaign) {
  if (!campaign.only.empty()) return 1;
  return campaign.named ? named_graphs().size() : 0;
}

std::uint64_t item_count(const Campaign& campaign) {
  return named_count(campaign) + (campaign.only.empty() ? campaign.end - campaign.first : 0);
}

namespace {

const Named& named_item(const Campaign& campaign, std::uint64_t item) {
  if (campaign.only.empty()) return named_graphs()[item];
  for (const Named& named : named_graphs())
    if (named.name == campaign.only) return named;
  throw std::runtime_error("no named graph " + campaign.only);
}

std::uint64_t seed_of(const Campaign& campaign, std::uint64_t item) { return campaign.first + item - named_count(campaign); }

std::string again(const Campaign& campaign, std::uint64_t item) {
  const bool named = item < named_count(campaign);
  return "shapes-campaign" + campaign.settings +
         (named ? " --only " + named_item(campaign, item).name : " --seed " + std::to_string(seed_of(campaign, item)));
}

json to_json(const Outcome& o) {
  return {{"vertices", o.vertices}, {"arcs", o.arcs},     {"searches", o.searches}, {"searched_arcs", o.searched_arcs},
          {"compared", o.compared}, {"chosen", o.chosen}, {"spent", o.spent}};
}

Report make_report(const Campaign& campaign, std::uint64_t item, const Trial& trial, const Wrong& wrong) {
  Report report{.graph = trial.name, .kind = wrong.kind, .text = wrong.text, .again = again(campaign, item)};
  if (wrong.session < trial.sessions.size()) {
    const Session& session = trial.sessions[wrong.session];
    report.traversal = session.options.strategy + ", " + session.way;
    if (item >= named_count(campaign) && wrong.act < session.acts.size())
      report.tool = command_line(trial.name, session, session.acts[wrong.act], trial.build);
  }
  return report;
}

void run_item(const Campaign& campaign, std::uint64_t item, const Line& line) {
  line(json{{"begin", item}}.dump());
  Trial trial;
  try {
    const core::Stopwatch watch;
    trial = make_item(campaign, item);
    const double making = watch.seconds();
    Outcome outcome = run_trial(trial, campaign.config);
    outcome.spent["graph"] = making;
    for (const Wrong& wrong : outcome.failures)
      line(json{{"wrong", item},
                {"session", wrong.session},
                {"act", wrong.act},
                {"report", to_json(make_report(campaign, item, trial, wrong))}}
               .dump());
    line(json{{"end", item}, {"outcome", to_json(outcome)}}.dump());
  } catch (const DeviceLost& lost) {
    line(json{{"lost", item},
              {"session", lost.wrong().session},
              {"act", lost.wrong().act},
              {"report", to_json(make_report(campaign, item, trial, lost.wrong()))}}
             .dump());
    _exit(6);
  } catch (const std::exception& e) {
    const Wrong wrong{"error", e.what(), trial.sessions.size(), 0};
    line(json{
        {"wrong", item}, {"session", wrong.session}, {"act", 0}, {"report", to_json(make_report(campaign, item, trial, wrong))}}
             .dump());
    line(json{{"end", item}, {"outcome", to_json(Outcome{})}}.dump());
  }
}

/// Returns whether a case fails in the same way. A device lost on the way would spoil all that follows.
Fails same_failure(const Config& config, const std::string& kind) {
  const auto alike = [kind](const std::string& other) {
    const auto answer = [](const std::string& k) { return k == "answer" || k == "oracle"; };
    return kind == other || (answer(kind) && answer(other));
  };
  const auto kind_here = [&config](const Case& c) -> std::string {
    Outcome outcome;
    const auto wrong = run_session(c.graph(), c.session, false, config, outcome);
    return wrong ? wrong->kind : "";
  };
  if (kind != "lost")
    return [=, dead = false](const Case& c) mutable {
      try {
        return !dead && alike(kind_here(c));
      } catch (const DeviceLost&) {
        dead = true;
        return false;
      }
    };
  return [=](const Case& c) { return in_process([&] { return "survived" + kind_here(c); }, 60, "lost") == "lost"; };
}

}  // namespace

std::string item_name(const Campaign& campaign, std::uint64_t item) {
  return item < named_count(campaign) ? named_item(campaign, item).name : "seed " + std::to_string(seed_of(campaign, item));
}

Trial make_item(const Campaign& campaign, std::uint64_t item) {
  if (item < named_count(campaign)) return named_trial(named_item(campaign, item), campaign.config);
  return make_trial(seed_of(campaign, item), campaign.config);
}

void work(const Campaign& campaign, Shared& shared, std::optional<std::uint64_t> only, const Line& line) {
  if (only) {
    if (campaign.taken) campaign.taken(*only);
    return run_item(campaign, *only, line);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < campaign.threads; ++t)
    threads.emplace_back([&] {
      while (!shared.stop.load()) {
        const std::uint64_t item = shared.next.fetch_add(1);
        if (item >= item_count(campaign)) return;
        if (campaign.taken) campaign.taken(item);
        run_item(campaign, item, line);
      }
    });
  for (std::thread& t : threads) t.join();
}

Report shrink_item(const Campaign& campaign, std::uint64_t item, std::size_t session, std::size_t act, const Report& report) {
  const Trial trial = make_item(campaign, item);
  Report shrunk = report;
  if (session >= trial.sessions.size() || act >= trial.sessions[session].acts.size()) return shrunk;
  const Fails fails = same_failure(campaign.config, report.kind);
  const Case whole = case_of(trial.graph, trial.build, trial.sessions[session]);
  if (!fails(whole)) {
    shrunk.text += " (not again)";
    return shrunk;
  }
  const Case small = shrink(whole, act, fails, campaign.shrink_seconds);
  shrunk.small =
      campaign.out + "/" +
      (item < named_count(campaign) ? item_name(campaign, item) : "seed-" + std::to_string(seed_of(campaign, item))) + ".txt";
  write_edge_list(small, shrunk.small);
  shrunk.tool = command_line(shrunk.small, small.session, small.session.acts.back(), small.build) +
                (small.directed ? "" : " --undirected");
  return shrunk;
}

}  // namespace hopwave::shapes

// Drawings are inline SVG that shrink with the page; threads are boxes of HTML, which wrap on a narrow one. Without a script
// all steps are below each other, and every vertex is in a table.
#include "draw/search_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/people_text.h"
#include "core/xml.h"
#include "draw/style.h"

namespace hopwave::picture {
namespace {

using core::xml_escape;

constexpr std::string_view sheet = R"(
*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0;background:var(--ground-f);color:var(--words-f);font:15px/1.45 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.25rem;margin:0 0 .3rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:.4rem 0}
p{margin:.3rem 0}.quiet{color:var(--soft-f)}
nav{position:sticky;top:0;background:var(--ground-f);padding:.5rem 0;display:flex;gap:.5rem;align-items:center;flex-wrap:wrap;z-index:1}
button{font:inherit;padding:.35rem .8rem;border:1px solid var(--soft-f);border-radius:.3rem;background:var(--panel-f);color:inherit}
button:disabled{opacity:.4}
svg.hopwave{display:block;width:100%;height:auto;max-height:75vh;margin:.3rem auto}
.threads,.queue{display:flex;flex-wrap:wrap;gap:.3rem;margin:.4rem 0 .8rem;padding:0;list-style:none}
.threads li{min-width:2.9rem;text-align:center;font-size:.75rem;color:var(--soft-f)}
.threads b,.threads i{display:block;font:.85rem/1.45 system-ui,sans-serif;border-radius:.2rem;color:var(--words-f)}
.threads b{border:1px solid var(--works-s);padding:.1rem .35rem;background:var(--works-f);color:var(--on-f)}
.threads .idle b{background:none;border-color:var(--idle-s);color:var(--soft-f)}
.threads i{margin-top:.15rem;border:1px dashed var(--look-s);padding:0 .3rem;white-space:pre-line}
.threads i.new{background:var(--found-f);border:1px solid var(--found-s);color:var(--on-f)}
.threads i.also{border:1px solid var(--also-s)}
.threads li:focus,.threads li:hover{outline:2px solid var(--soft-f)}.threads li.kept{outline:3px solid var(--look-s)}
input{flex:1 1 8rem;min-width:6rem}
.dim use:not(.lit){opacity:.25}use.lit{filter:drop-shadow(0 0 2px var(--words-f))}
.threads .lit b{outline:2px solid var(--look-s)}
details{margin:1rem 0}summary{cursor:pointer}table{border-collapse:collapse}
th,td{padding:.1rem .8rem .1rem 0;text-align:left;border-bottom:1px solid var(--idle-s)}td+td{text-align:right}
.queue li{border:1px solid var(--idle-s);border-radius:.2rem;padding:.05rem .4rem}
.queue li:first-child{border:0;color:var(--soft-f);padding-left:0}
.sums{overflow-x:auto}.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:0 1.2rem}.one{min-width:0}
main:has(.pair){max-width:84rem}h3{font-size:.95rem;margin:.3rem 0}
.key span{display:inline-block;margin-right:.9rem;white-space:nowrap}.key i{display:inline-block;width:.8rem;height:.8rem;
border-radius:50%;border:2px solid;margin-right:.3rem;vertical-align:-.1rem}
)";

constexpr std::string_view script = R"(
const steps = [...document.querySelectorAll("section")], last = steps.length - 1, $ = id => document.getElementById(id);
const threads = document.querySelectorAll(".threads li");
let now = 0, timer = 0, kept = "";
function show(k, link = true) {
  now = Math.max(0, Math.min(last, k));
  steps.forEach((s, i) => { s.hidden = i !== now; });
  $("where").textContent = now + " / " + last;
  $("back").disabled = now === 0; $("on").disabled = now === last;
  $("bar").value = now;
  $("bar").setAttribute("aria-valuetext", steps[now].querySelector("h2").textContent);
  if (link) history.replaceState(null, "", "#" + steps[now].id);
}
function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => now === last ? play(false) : show(now + 1), 1200) : 0;
  $("play").textContent = on ? "❚❚ pause" : "▶ play";
  if (on) show(now === last ? 0 : now + 1);
}
function linked() {
  const k = steps.findIndex(s => "#" + s.id === location.hash);
  show(k < 0 ? 0 : k, false);  // an address that is set while the page loads would scroll it
}
// What the pointer or the focus is on: a thread lights its vertices and arcs, a vertex the threads that look at it.
function light(element) {
  for (const e of document.querySelectorAll(".lit, .dim")) e.classList.remove("lit", "dim");
  const thread = element?.closest(".threads li"), on = element?.closest("use");
  const about = use => $(use.getAttribute("href").slice(1)).dataset;
  const vertex = on && about(on).vertex;
  if (!thread && !vertex) return;
  // Of two searches side by side a thread is one's, and a vertex both's.
  const both = steps[now].querySelectorAll(".one"), searches = both.length ? [...both] : [steps[now]];
  for (const search of searches.filter(s => !thread || s.contains(thread))) {
    const seen = new Map(), parts = [...search.querySelectorAll("use")];  // worker -> vertices
    for (const t of search.querySelectorAll(".threads li")) seen.set(t.value, t.dataset.checks ? [t.dataset.checks] : []);
    for (const {worker, vertices} of parts.map(about)) if (worker) seen.get(Number(worker)).push(...vertices.split(" "));
    const lit = thread ? seen.get(thread.value) : [vertex];
    search.querySelector("svg")?.classList.add("dim");
    for (const p of parts)
      if (lit.includes(about(p).vertex) || (thread && Number(about(p).worker) === thread.value)) p.classList.add("lit");
    for (const t of vertex ? search.querySelectorAll(".threads li") : [])
      t.classList.toggle("lit", seen.get(t.value).includes(vertex));
  }
}
// A thread that is clicked stays marked in every step.
function keep(thread) {
  const name = t => t.firstChild.textContent;
  kept = kept === name(thread) ? "" : name(thread);
  for (const t of threads) t.classList.toggle("kept", name(t) === kept);
}
$("back").onclick = () => { play(false); show(now - 1); };
$("on").onclick = () => { play(false); show(now + 1); };
$("play").onclick = () => play(!timer);
$("bar").max = last;
$("bar").oninput = e => { play(false); show(Number(e.target.value)); };
addEventListener("keydown", e => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest?.("input, summary")) return;
  const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last}[e.key];
  if (to !== undefined) { e.preventDefault(); play(false); show(to); }
  else if (e.key === "Enter" && e.target.closest?.(".threads li")) keep(e.target.closest(".threads li"));
  else if (e.key === " " && !e.target.closest?.("button")) { e.preventDefault(); play(!timer); }
});
addEventListener("pointerover", e => light(e.target));
addEventListener("focusin", e => light(e.target));
addEventListener("click", e => { const t = e.target.closest(".threads li"); if (t) keep(t); });
addEventListener("hashchange", linked);
for (const t of threads) t.tabIndex = 0;
document.querySelector("nav").hidden = false;
linked();
)";

/// A box per look that finds something; looks in vain, of which there may be thousands, have one together.
std::string boxes(const Subject& subject, const std::vector<Look>& looks) {
  std::string html;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const Outcome outcome = looks[i].outcome;
    html += outcome == Outcome::labels ? "<i class=\"new\">" : outcome == Outcome::also ? "<i class=\"also\">" : "<i>";
    html += xml_escape(subject.names[looks[i].vertex]);
    for (; outcome == Outcome::seen && i + 1 < looks.size() && looks[i + 1].outcome == Outcome::seen; ++i)
      html += "\n" + xml_escape(subject.names[looks[i + 1].vertex]);
    html += "</i>";
  }
  return html;
}

std::string queue(const Subject& subject, const std::string& words, const std::vector<VertexId>& entries) {
  std::string html = "<ul class=\"queue\"><li>" + words + (entries.empty() ? ": empty" : "") + "</li>";
  for (const VertexId v : entries) html += "<li>" + xml_escape(subject.names[v]) + "</li>";
  return html + "</ul>\n";
}

/// `number`: the first worker's in its step; moved on to that of the next launch.
std::string threads(const Subject& subject, const Launch& launch, std::size_t& number) {
  std::uint32_t blocks = 1;
  for (const Worker& worker : launch.workers) blocks = std::max(blocks, worker.block + 1);
  std::string html = fmt::format("<p>{}<br><span class=\"quiet\">{}</span></p>\n<ol class=\"threads\">\n",
                                 xml_escape(launch.what), describe(launch));
  std::size_t left_out = 0;
  for (const Worker& worker : launch.workers) {
    const std::size_t mine = number++;
    if (!is_drawn(launch, worker)) {
      ++left_out;
      continue;
    }
    const std::string block = blocks > 1 ? fmt::format("b{} ", worker.block) : "";
    // What a thread looks at, its part of the drawing states.
    const bool checks = worker.looks.empty() && worker.checks != no_vertex;
    html +=
        fmt::format("<li value={}{}{}>{}t{}<b>{}</b>", mine, worker.works ? "" : " class=idle",
                    checks ? fmt::format(" data-checks={}", worker.checks) : "", block, worker.thread, xml_escape(worker.item));
    html += boxes(subject, worker.looks) + "</li>\n";
  }
  html += "</ol>\n";
  if (left_out) html += fmt::format("<p class=\"quiet\">and {} without work</p>\n", core::plural(left_out, "thread"));
  for (const PrivateQueue& q : launch.queues)
    html += queue(subject, fmt::format("block {} in shared memory, to place {} on:", q.block, q.place), q.entries);
  if (launch.next) html += queue(subject, "queue of the next level", *launch.next);
  return html;
}

/// Every vertex with its level and the parent that the search gave it.
std::string table(const Subject& subject) {
  std::string html =
      "<details>\n<summary>All vertices</summary>\n<table>\n<tr><th>vertex</th><th>level</th><th>parent</th></tr>\n";
  for (VertexId v = 0; v < subject.size(); ++v)
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", xml_escape(subject.names[v]),
                        subject.level[v] == unreached ? "not reached" : std::to_string(subject.level[v]),
                        subject.parent[v] == no_vertex ? "–" : xml_escape(subject.names[subject.parent[v]]));
  return html + "</table>\n</details>\n";
}

/// The levels that a search takes a step for.
std::set<Distance> levels_of(const std::vector<SearchOnPage>& searches) {
  std::set<Distance> levels;
  for (const SearchOnPage& one : searches)
    for (const Step& step : one.roles.steps) levels.insert(step.level);
  return levels;
}

/// What the threads of each search did in all.
std::string sums(const std::vector<SearchOnPage>& searches) {
  std::string html =
      "<div class=\"sums\"><table>\n<tr><th>strategy</th><th>steps</th><th>launches</th><th>threads</th><th>at "
      "work</th><th>looks</th>"
      "<th>find a new vertex</th></tr>\n";
  for (const SearchOnPage& one : searches) {
    std::size_t launches = 0, threads = 0, at_work = 0, looks = 0, news = 0;
    for (const Step& step : one.roles.steps)
      for (const Launch& launch : step.launches) {
        ++launches;
        threads += launch.workers.size();
        for (const Worker& worker : launch.workers) {
          at_work += worker.works;
          looks += worker.looks.size();
          for (const Look& look : worker.looks) news += look.outcome != Outcome::seen;
        }
      }
    html += fmt::format("<tr><td>{}</td><td>{}</td>", xml_escape(one.drawing.subject.strategy), one.roles.steps.size());
    for (const std::size_t count : {launches, threads, at_work, looks, news})
      html += one.roles.threads ? fmt::format("<td>{}</td>", count) : "<td>–</td>";
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string key_of(const std::vector<LegendEntry>& entries) {
  std::string html = "<p class=\"key\">";
  for (const auto& [style, words] : entries)
    html += fmt::format("<span><i style=\"background:var(--{0}-f);border-color:var(--{0}-s)\"></i>{1}</span> ",
                        appearance_of(style).name, words);
  return html + "</p>\n";
}

std::string page_of(const Page& page) {
  const std::string title = xml_escape(page.title);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}{}</style>\n</head>\n",
      title, style_variables() + style_sheet(), sheet);
  html += fmt::format("<body>\n<main>\n<h1>{}</h1>\n<p class=\"quiet\">{}</p>\n", title, xml_escape(page.rule));
  html +=
      "<nav hidden><button id=\"back\" aria-label=\"step back\">← back</button><span id=\"where\" aria-live=\"polite\"></span>"
      "<button id=\"on\" aria-label=\"next step\">on →</button><button id=\"play\">▶ play</button>"
      "<input id=\"bar\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"step\"><span class=\"quiet\">or the arrow keys and "
      "the "
      "space bar</span></nav>\n";
  html += page.drawings.parts() + page.key;
  for (const PageStep& step : page.steps)
    html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", step.id, xml_escape(step.heading), step.body);
  return html + page.after + "</main>\n<script>" + std::string(script) + "</script>\n</body>\n</html>\n";
}

std::string to_page(const std::string& title, const std::vector<SearchOnPage>& searches) {
  const bool several = searches.size() > 1;
  const SearchOnPage& first = searches.front();
  bool with_threads = false;
  Page page{.title = title, .rule = several ? "" : first.roles.rule};
  for (const SearchOnPage& one : searches) {
    with_threads |= one.roles.threads;
    if (several) page.rule += (page.rule.empty() ? "" : " ") + one.drawing.subject.strategy + ": " + one.roles.rule;
  }
  page.key = key_of(legend_of(with_threads));
  // Of two searches each has a column, which names its strategy.
  const auto columns = [&](const auto& body_of) {
    std::string all;
    for (const SearchOnPage& one : searches) {
      if (several) all += "<div class=\"one\"><h3>" + xml_escape(one.drawing.subject.strategy) + "</h3>\n";
      all += body_of(one);
      if (several) all += "</div>\n";
    }
    return several ? "<div class=\"pair\">\n" + all + "</div>\n" : all;
  };
  page.steps.push_back({"tree", several ? "The trees that are found" : "The tree that is found",
                        columns([&](const SearchOnPage& one) { return page.drawings.draw(draw_tree(one.drawing)); }) +
                            (several ? sums(searches) : "")});
  for (const Distance level : levels_of(searches)) {
    std::string heading;
    std::string body = columns([&](const SearchOnPage& one) {
      const auto step =
          std::find_if(one.roles.steps.begin(), one.roles.steps.end(), [&](const Step& s) { return s.level == level; });
      if (step == one.roles.steps.end()) return std::string("<p>It has ended.</p>\n");
      if (heading.empty()) heading = describe(*step);
      std::string html = page.drawings.draw(draw_step(one.drawing, *step));
      std::size_t number = 0;
      for (const Launch& launch : step->launches) html += threads(one.drawing.subject, launch, number);
      return html;
    });
    page.steps.push_back({fmt::format("step-{}", level), heading, std::move(body)});
  }
  if (with_threads)
    page.after =
        "<p class=\"quiet\">The pointer on a thread shows its vertices and arcs, on a vertex the threads that look at it. A "
        "click "
        "marks a thread in every step.</p>\n";
  page.after += table(first.drawing.subject);
  return page_of(page);
}

}  // namespace hopwave::picture

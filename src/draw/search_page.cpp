// Drawings are inline SVG that shrink with the page; threads are boxes of HTML, which wrap on a narrow one. Without a script
// all steps are below each other, and every vertex is in a table.
#include "draw/search_page.h"

#include <fmt/format.h>

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
.thread{min-width:2.9rem;text-align:center;font-size:.85rem}
.thread small{color:var(--soft-f);display:block}
.item{display:block;border:1px solid var(--idle-s);border-radius:.2rem;padding:.1rem .35rem;color:var(--soft-f)}
.at-work .item{background:var(--works-f);border-color:var(--works-s);color:var(--on-f)}
.eye{display:block;margin-top:.15rem;border-radius:.2rem;border:1px dashed var(--look-s);padding:0 .3rem}
.eye.new{background:var(--found-f);border:1px solid var(--found-s);color:var(--on-f)}
.eye.also{border:1px solid var(--also-s)}
.thread:focus,.thread:hover{outline:2px solid var(--soft-f)}.thread.kept{outline:3px solid var(--look-s)}
input{flex:1 1 8rem;min-width:6rem}
.dim circle:not(.lit),.dim path:not(.lit){opacity:.25}.hopwave circle.lit{stroke-width:4}.hopwave .line.lit{stroke-width:4.5}
.thread.lit .item{outline:2px solid var(--look-s)}
details{margin:1rem 0}summary{cursor:pointer}table{border-collapse:collapse}
th,td{padding:.1rem .8rem .1rem 0;text-align:left;border-bottom:1px solid var(--idle-s)}td+td{text-align:right}
.queue li{border:1px solid var(--idle-s);border-radius:.2rem;padding:.05rem .4rem}
.queue li:first-child{border:0;color:var(--soft-f);padding-left:0}
.key span{display:inline-block;margin-right:.9rem;white-space:nowrap}.key i{display:inline-block;width:.8rem;height:.8rem;
border-radius:50%;border:2px solid;margin-right:.3rem;vertical-align:-.1rem}
)";

constexpr std::string_view script = R"(
const steps = [...document.querySelectorAll("section")], last = steps.length - 1, $ = id => document.getElementById(id);
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
  const thread = element?.closest(".thread"), vertex = element?.closest("[data-vertex]")?.dataset.vertex;
  const words = text => (text ?? "").split(" ").filter(w => w);
  const vertices = thread ? words(thread.dataset.looks) : vertex ? [vertex] : [];
  const arcs = words(thread?.dataset.arcs), either = a => a.split("-").reverse().join("-");
  for (const svg of document.querySelectorAll("svg.hopwave")) svg.classList.toggle("dim", vertices.length > 0);
  for (const c of document.querySelectorAll("[data-vertex]")) c.classList.toggle("lit", vertices.includes(c.dataset.vertex));
  for (const p of document.querySelectorAll("[data-arc]"))
    p.classList.toggle("lit", arcs.includes(p.dataset.arc) || arcs.includes(either(p.dataset.arc)));
  for (const t of document.querySelectorAll(".thread"))
    t.classList.toggle("lit", vertex !== undefined && words(t.dataset.looks).includes(vertex));
}
// A thread that is clicked stays marked in every step.
function keep(thread) {
  kept = kept === thread.dataset.thread ? "" : thread.dataset.thread;
  for (const t of document.querySelectorAll(".thread")) t.classList.toggle("kept", t.dataset.thread === kept);
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
  else if (e.key === "Enter" && e.target.closest?.(".thread")) keep(e.target.closest(".thread"));
  else if (e.key === " " && !e.target.closest?.("button")) { e.preventDefault(); play(!timer); }
});
addEventListener("pointerover", e => light(e.target));
addEventListener("focusin", e => light(e.target));
addEventListener("click", e => { const t = e.target.closest(".thread"); if (t) keep(t); });
addEventListener("hashchange", linked);
document.querySelector("nav").hidden = false;
linked();
)";

std::string eye(const Subject& subject, const Look& look) {
  const char* const kind = look.outcome == Outcome::labels ? " new" : look.outcome == Outcome::also ? " also" : "";
  const char* const words = look.outcome == Outcome::labels ? "labels"
                            : look.outcome == Outcome::also ? "also finds"
                                                            : "looks at";
  const std::string name = xml_escape(subject.names[look.vertex]);
  return fmt::format("<span class=\"eye{}\" title=\"{} {}\">{}</span>", kind, words, name, name);
}

std::string queue(const Subject& subject, const std::string& words, const std::vector<VertexId>& entries) {
  std::string html = "<ul class=\"queue\"><li>" + words + (entries.empty() ? ": empty" : "") + "</li>";
  for (const VertexId v : entries) html += "<li>" + xml_escape(subject.names[v]) + "</li>";
  return html + "</ul>\n";
}

/// The vertices that a thread has to do with, and the arcs that it looks along.
std::string about(const Worker& worker) {
  std::set<VertexId> vertices;
  std::string looks, arcs;
  if (worker.checks != no_vertex) vertices.insert(worker.checks);
  for (const Look& look : worker.looks) {
    vertices.insert({look.from, look.to});
    arcs += fmt::format("{}{}-{}", arcs.empty() ? "" : " ", look.from, look.to);
  }
  for (const VertexId v : vertices) looks += fmt::format("{}{}", looks.empty() ? "" : " ", v);
  return fmt::format(" data-thread=\"{}.{}\" data-looks=\"{}\" data-arcs=\"{}\"", worker.block, worker.thread, looks, arcs);
}

std::string threads(const Subject& subject, const Launch& launch) {
  std::uint32_t blocks = 1;
  for (const Worker& worker : launch.workers) blocks = std::max(blocks, worker.block + 1);
  std::string html = fmt::format("<p>{}<br><span class=\"quiet\">{}</span></p>\n<div class=\"threads\">\n",
                                 xml_escape(launch.what), describe(launch));
  std::size_t left_out = 0;
  for (const Worker& worker : launch.workers) {
    if (!is_drawn(launch, worker)) {
      ++left_out;
      continue;
    }
    const std::string block = blocks > 1 ? fmt::format("b{} ", worker.block) : "";
    const std::string tip =
        worker.checks == no_vertex ? "" : " title=\"checks the level of " + xml_escape(subject.names[worker.checks]) + "\"";
    html += fmt::format("<div class=\"thread{}\" tabindex=\"0\"{}{}><small>{}t{}</small><span class=\"item\">{}</span>",
                        worker.works ? " at-work" : "", about(worker), tip, block, worker.thread, xml_escape(worker.item));
    for (const Look& look : worker.looks) html += eye(subject, look);
    html += "</div>\n";
  }
  html += "</div>\n";
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
  html += page.key;
  for (const PageStep& step : page.steps)
    html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", step.id, xml_escape(step.heading), step.body);
  return html + page.after + "</main>\n<script>" + std::string(script) + "</script>\n</body>\n</html>\n";
}

std::string to_page(const Drawing& drawing, const Roles& roles) {
  Page page{.title = drawing.subject.title, .rule = roles.rule, .key = key_of(legend_of(roles.threads))};
  page.steps.push_back({"tree", "The tree that is found", to_inline_svg(draw_tree(drawing))});
  for (const Step& step : roles.steps) {
    std::string body = to_inline_svg(draw_step(drawing, step));
    for (const Launch& launch : step.launches) body += threads(drawing.subject, launch);
    page.steps.push_back({fmt::format("step-{}", step.level), describe(step), std::move(body)});
  }
  if (roles.threads)
    page.after =
        "<p class=\"quiet\">The pointer on a thread shows its vertices and arcs, on a vertex the threads that look at it. A "
        "click "
        "marks a thread in every step.</p>\n";
  page.after += table(drawing.subject);
  return page_of(page);
}

}  // namespace hopwave::picture

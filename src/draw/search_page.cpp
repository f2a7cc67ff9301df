// Drawings are inline SVG that shrink with the page; threads are boxes of HTML, which wrap on a narrow one.
#include "draw/search_page.h"

#include <fmt/format.h>

#include "core/xml.h"

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
.queue li{border:1px solid var(--idle-s);border-radius:.2rem;padding:.05rem .4rem}
.queue li:first-child{border:0;color:var(--soft-f);padding-left:0}
.key span{display:inline-block;margin-right:.9rem;white-space:nowrap}.key i{display:inline-block;width:.8rem;height:.8rem;
border-radius:50%;border:2px solid;margin-right:.3rem;vertical-align:-.1rem}
)";

constexpr std::string_view script = R"(
const steps = [...document.querySelectorAll("section")], where = document.getElementById("where");
const back = document.getElementById("back"), on = document.getElementById("on");
let now = 0;
function show(k) {
  now = Math.max(0, Math.min(steps.length - 1, k));
  steps.forEach((s, i) => { s.hidden = i !== now; });
  where.textContent = now + " / " + (steps.length - 1);
  back.disabled = now === 0; on.disabled = now === steps.length - 1;
}
back.onclick = () => show(now - 1);
on.onclick = () => show(now + 1);
addEventListener("keydown", e => {
  if (e.altKey || e.ctrlKey || e.metaKey) return;
  const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1}[e.key];
  if (to !== undefined) { e.preventDefault(); show(to); }
});
document.querySelector("nav").hidden = false;
show(0);
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

std::string threads(const Subject& subject, const Launch& launch) {
  std::uint32_t blocks = 1;
  for (const Worker& worker : launch.workers) blocks = std::max(blocks, worker.block + 1);
  std::string html = fmt::format("<p>{}<br><span class=\"quiet\">{}</span></p>\n<div class=\"threads\">\n",
                                 xml_escape(launch.what), describe(launch));
  for (const Worker& worker : launch.workers) {
    const std::string block = blocks > 1 ? fmt::format("b{} ", worker.block) : "";
    const std::string tip =
        worker.checks == no_vertex ? "" : " title=\"checks the level of " + xml_escape(subject.names[worker.checks]) + "\"";
    html += fmt::format("<div class=\"thread{}\"{}><small>{}t{}</small><span class=\"item\">{}</span>",
                        worker.works ? " at-work" : "", tip, block, worker.thread, xml_escape(worker.item));
    for (const Look& look : worker.looks) html += eye(subject, look);
    html += "</div>\n";
  }
  html += "</div>\n";
  for (const PrivateQueue& q : launch.queues)
    html += queue(subject, fmt::format("block {} in shared memory, to place {} on:", q.block, q.place), q.entries);
  if (launch.next) html += queue(subject, "queue of the next level", *launch.next);
  return html;
}

std::string key(bool with_threads) {
  const auto entry = [](const char* style, const char* words) {
    return fmt::format("<span><i style=\"background:var(--{0}-f);border-color:var(--{0}-s)\"></i>{1}</span> ", style, words);
  };
  std::string html = "<p class=\"key\">" + entry("frontier", with_threads ? "level before, thread at work" : "level before") +
                     entry("found", "labelled in this step") + entry("visited", "labelled earlier") +
                     entry("unvisited", with_threads ? "unvisited, idle thread" : "unvisited");
  if (with_threads) html += entry("also", "also new to it: one store is kept") + entry("look", "looked at, nothing new");
  return html + "</p>\n";
}

}  // namespace

std::string to_page(const Drawing& drawing, const Roles& roles) {
  const std::string title = xml_escape(drawing.subject.title);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}{}</style>\n</head>\n",
      title, style_variables() + style_sheet(), sheet);
  html += fmt::format("<body>\n<main>\n<h1>{}</h1>\n<p class=\"quiet\">{}</p>\n", title, xml_escape(roles.rule));
  html +=
      "<nav hidden><button id=\"back\" aria-label=\"step back\">← back</button><span id=\"where\" aria-live=\"polite\"></span>"
      "<button id=\"on\" aria-label=\"next step\">on →</button><span class=\"quiet\">or the arrow keys</span></nav>\n";
  html += key(roles.threads);
  html += "<section>\n<h2>The tree that is found</h2>\n" + to_inline_svg(draw_tree(drawing)) + "</section>\n";
  for (const Step& step : roles.steps) {
    html += "<section>\n<h2>" + xml_escape(describe(step)) + "</h2>\n" + to_inline_svg(draw_step(drawing, step));
    for (const Launch& launch : step.launches) html += threads(drawing.subject, launch);
    html += "</section>\n";
  }
  return html + "</main>\n<script>" + std::string(script) + "</script>\n</body>\n</html>\n";
}

}  // namespace hopwave::picture

// hopwave report: one offline page, and the pictures as files, from bench files.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/files.h"
#include "report/page.h"

namespace hopwave::cli {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string output, pictures;
};

int run(const Arguments& arguments, Context& context) {
  std::vector<report::BenchFile> files;
  for (const auto& name : arguments.files) files.push_back(report::bench_from_json(read_file(name, "a bench file"), name));
  const auto pictures = report::draw_pictures(files);
  write_file(arguments.output, report::html_page(files));
  if (!arguments.pictures.empty()) {
    std::filesystem::create_directories(arguments.pictures);
    for (const auto& p : pictures) write_file(arguments.pictures + "/" + p.name + ".svg", p.svg);
  }
  context.console.talk(fmt::format("{}: {}", arguments.output, plural(pictures.size(), "picture")));
  return 0;
}

}  // namespace

Command report_command() {
  auto a = std::make_shared<Arguments>();
  OptionGroup files{"Files",
                    {{.names = "FILE",
                      .value = "FILE",
                      .help = "Bench files: JSON from hopwave bench --export-json.",
                      .target = &a->files,
                      .fill = Fill::file,
                      .required = true},
                     {"-o,--output", "FILE", "The page.", &a->output, {}, Fill::output},
                     {"--pictures",
                      "DIRECTORY",
                      "Also write every picture as an SVG file into this directory.",
                      &a->pictures,
                      {},
                      Fill::file}}};
  a->output = "report.html";
  return {.name = "report",
          .summary = "draw measurements as one offline HTML page",
          .description =
              "Draws what bench files hold: strategies × graphs as bars and as a slow-down matrix, heat maps where grid and "
              "block were "
              "scanned, levels where traced, TEPS against scale, loading, roofline, and the pictures of the graphs. The page "
              "needs no "
              "network and reads on a phone and on paper.",
          .examples = {{"hopwave report r.json -o report.html", "one page"},
                       {"hopwave report day1.json day2.json -o both.html --pictures figures", "two files, and SVGs"}},
          .groups = {std::move(files)},
          .run = [a](Context& context) { return run(*a, context); },
          .json = false};
}

}  // namespace hopwave::cli

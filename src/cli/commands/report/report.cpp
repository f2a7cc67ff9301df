// hopwave report: one offline page, and the pictures as files, from bench files.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/frame/bench_files.h"
#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/files.h"
#include "cli/frame/result_file.h"
#include "core/refuse.h"
#include "measure/report_page.h"

namespace hopwave::cli {
namespace of_report {

struct Arguments {
  std::vector<std::string> files;
  std::string output, pictures;
};

/// The page never takes the place of what it is drawn from.
void check_no_input(const Arguments& arguments) {
  std::error_code ignored;
  for (const auto& name : arguments.files)
    if (name == arguments.output || std::filesystem::equivalent(name, arguments.output, ignored))
      core::refuse("HW-USAGE-VALUE", "-o " + arguments.output + ", which is one of the bench files",
                   "another file for the page", "-o report.html");
}

/// Makes the folder of the pictures. Throws HW-IO-WRITE where it or a picture in it cannot be written.
void make_folder(const std::string& folder, const std::vector<report::Picture>& pictures) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem && !std::filesystem::is_directory(folder, problem)) problem = std::make_error_code(std::errc::not_a_directory);
  if (problem)
    throw Error({.failure = Failure::input,
                 .id = "HW-IO-WRITE",
                 .where = {.file = folder},
                 .found = "cannot create: " + problem.message(),
                 .expected = "a directory for the pictures"});
  for (const auto& p : pictures) check_output(folder + "/" + p.name + ".svg");
}

int run(const Arguments& arguments, Context& context) {
  check_no_input(arguments);
  std::vector<report::BenchFile> files;
  std::vector<report::ResultFile> others;
  for (const auto& name : arguments.files) {
    const std::string text = read_results(name);
    if (report::is_bench_file(text))
      files.push_back(report::bench_from_json(text, name));
    else
      others.push_back(report::tables_from_json(text, name));
  }
  const auto pictures = report::draw_pictures(files);
  const std::string page = report::html_page(files, others);
  if (!arguments.pictures.empty()) make_folder(arguments.pictures, pictures);  // before anything is written
  write_result(arguments.output, page);
  if (!arguments.pictures.empty())
    for (const auto& p : pictures) write_file(arguments.pictures + "/" + p.name + ".svg", p.svg);
  std::size_t tables = 0;
  for (const auto& file : others) tables += file.tables.size();
  std::string made = others.empty() || !pictures.empty() ? plural(pictures.size(), "picture") : "";
  if (tables) made += (made.empty() ? "" : ", ") + plural(tables, "table") + " of files that are no bench files";
  context.console.talk(fmt::format("{}: {}", arguments.output, made));
  return 0;
}

}  // namespace of_report

Command report_command() {
  using namespace of_report;
  auto a = std::make_shared<Arguments>();
  OptionGroup files{
      "Files",
      {{.names = "FILE",
        .value = "FILE",
        .help = "Bench files: JSON from hopwave bench --export-json. Of other JSON with rows in it the page has tables.",
        .target = &a->files,
        .fill = Fill::file,
        .required = true},
       {"-o,--output", "FILE", "The page; none of the bench files.", &a->output, {}, Fill::output},
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
              "Draws what bench files hold: the result of a Graph500 run, strategies × graphs by source and as a slow-down "
              "matrix, heat maps where grid and "
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

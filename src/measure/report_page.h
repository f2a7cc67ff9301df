// The report: one HTML page without any outside reference, made of the pictures of one or more bench files.
#pragma once

#include <string>
#include <vector>

#include "measure/bench_file.h"
#include "measure/result_tables.h"

namespace hopwave::report {

struct Picture {
  std::string name;     ///< a file name without ending: "slowdown", "heat-survey-simple-streets-64"
  std::string caption;  ///< one or two sentences under the picture
  std::string svg;
  bool in_page = true;  ///< false: a file of its own, which the page shows as part of another picture
};

/// Every picture that the measurements allow: each Graph500 run's result and searches, slow-down matrix (of several
/// strategies), every source, heat maps (where grid and block vary; several also as one picture), levels (where traced), TEPS
/// against scale (if several R-MAT scales were measured), loading, roofline (GPU), arcs and degrees.
std::vector<Picture> draw_pictures(const std::vector<BenchFile>& files);

/// The page: pictures, tables, environment and the command of each bench file, and the tables of other results.
std::string html_page(const std::vector<BenchFile>& files, const std::vector<ResultFile>& others = {});

}  // namespace hopwave::report

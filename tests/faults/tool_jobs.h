// The tool's commands as jobs for the fault tests: words, the files they read and the files they write.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/row_words.h"

namespace hopwave::faults {

struct ToolJob {
  std::string name;
  std::vector<std::string> words;    ///< "IN/…" names a file of the folder of inputs
  std::vector<std::string> outputs;  ///< files in the working folder
  std::string input = {};            ///< standard input, a file
  bool stable_text = false;          ///< standard output is the same each time
  bool stable_files = true;          ///< so are the files; else they hold times
  bool takes_old = true;             ///< any file may lie under an output's name before
};

/// How the files of the folder of inputs are made, in this order.
inline std::vector<std::vector<std::string>> tool_inputs() {
  return {{"gen", "rmat:7,6,3", "-o", "IN/g.txt", "-q"},
          {"convert", "IN/g.txt", "IN/g.hwg", "-q"},
          {"gen", "grid:9x9", "-o", "IN/grid.hwg", "-q"},
          {"convert", "IN/g.txt", "IN/g.mtx.gz", "-q"},
          {"convert", "IN/g.txt", "IN/g.txt.zst", "-q"},
          {"convert", "IN/g.txt", "IN/g.npz", "-q"},
          {"convert", "IN/g.txt", "IN/g.sg", "-q"},
          {"convert", "IN/g.txt", "IN/g.gr", "--to", "dimacs", "-q"},
          {"route", "random:50x50,10,1", "--picture", "IN/maze.png", "-q"},
          {"bench", "grid:5x10", "--strategy", "cpu-sequential", "--runs", "1", "--warmup", "0", "--sources", "1",
           "--export-json", "IN/bench.json", "-q"}};
}

inline std::vector<ToolJob> tool_jobs() {
  std::vector<ToolJob> jobs = {
      {"bfs text", {"bfs", "IN/g.txt", "-s", "maxdeg", "-o", "out.tsv", "--threads", "2"}, {"out.tsv"}},
      {"bfs csv", {"bfs", "IN/g.hwg", "-s", "maxdeg", "--parents", "--ties", "min", "-o", "out.csv"}, {"out.csv"}},
      {"bfs json", {"bfs", "IN/g.mtx.gz", "-s", "first", "-o", "out.json", "--verify"}, {"out.json"}},
      {"bfs npy each", {"bfs", "IN/g.npz", "-s", "random:5@1", "--mode", "each", "-o", "out.npy"}, {"out.npy"}},
      {"bfs rodinia zst", {"bfs", "IN/g.sg", "-s", "first", "--format", "rodinia", "-o", "out.zst"}, {"out.zst"}},
      {"bfs sim", {"bfs", "IN/g.gr", "-s", "maxdeg", "--device", "sim", "-o", "out.txt.gz"}, {"out.txt.gz"}},
      {"bfs partitioned",
       {"bfs", "IN/g.gr", "-s", "maxdeg", "--device", "sim", "--gpus", "3", "--partition", "--parents", "-o", "out.txt"},
       {"out.txt"}},
      {"bfs sim prepared",
       {"bfs", "grid:12x12", "-s", "first", "--device", "sim", "--prepare", "--explain", "-o", "out"},
       {"out"}},
      {"bfs stdin", {"bfs", "-", "-s", "maxdeg", "-o", "-", "-q"}, {}, "IN/g.txt", true},
      {"bfs picture png",
       {"bfs", "pmpp", "-s", "0", "--strategy", "pmpp-private-frontier", "--device", "sim", "--layout", "levels", "--picture",
        "steps.png"},
       {"steps.png"}},
      {"bfs picture page", {"bfs", "pmpp", "-s", "0", "--layout", "levels", "--picture", "steps.html"}, {"steps.html"}},
      {"path", {"path", "IN/grid.hwg", "0", "80", "--json"}, {}},
      {"path text", {"path", "grid:9x9", "0", "80", "-q"}, {}, "", true},
      {"reach", {"reach", "IN/g.txt.zst", "-s", "maxdeg", "-o", "out.txt"}, {"out.txt"}},
      {"scc condensation", {"scc", "IN/g.txt", "-o", "labels.tsv", "--condensation", "dag.txt"}, {"labels.tsv", "dag.txt"}},
      {"betweenness edges", {"betweenness", "IN/g.txt", "--edges", "-o", "rows.tsv"}, {"rows.tsv"}},
      {"info", {"info", "IN/g.hwg", "--spy", "spy.png"}, {"spy.png"}},
      {"convert gz", {"convert", "IN/g.hwg", "out.mtx.gz"}, {"out.mtx.gz"}},
      {"convert npz", {"convert", "IN/g.txt", "out.npz"}, {"out.npz"}},
      {"convert hwg prepared",
       {"convert", "IN/g.txt", "out.hwg", "--undirected", "--prepare", "--device", "sim"},
       {"out.hwg"},
       "",
       false,
       false},
      {"convert stdin", {"convert", "-", "-", "--to", "edge-list", "-q"}, {}, "IN/g.txt.zst", true},
      {"gen", {"gen", "grid:40x40", "-o", "out.txt.zst"}, {"out.txt.zst"}},
      {"gen list", {"gen"}, {}, "", true},
      {"route", {"route", "maze:41x41,1", "-o", "way.txt", "--picture", "way.svg"}, {"way.txt", "way.svg"}},
      {"route sim", {"route", "random:40x40,20,1", "--device", "sim", "--picture", "way.png"}, {"way.png"}},
      {"route png", {"route", "IN/maze.png", "-o", "way"}, {"way"}},
      {"route animate", {"route", "random:30x30,20,1", "--animate", "wave.html", "-o", "way"}, {"wave.html", "way"}},
      {"bench",
       {"bench", "grid:5x10", "--strategy", "cpu-sequential", "--runs", "1", "--warmup", "0", "--sources", "1", "--export-json",
        "r.json", "--export-csv", "r.csv"},
       {"r.json", "r.csv"},
       "",
       false,
       false},
      {"report", {"report", "IN/bench.json", "-o", "page.html"}, {"page.html"}},
      {"tune",
       {"tune", "grid:5x8", "--strategy", "cpu-direction", "--sources", "1", "--runs", "1", "-o", "tuning.json"},
       {"tuning.json"},
       "",
       false,
       false,
       false},
      {"estimate", {"estimate", "IN/g.mtx.gz", "--json"}, {}},
      {"strategies", {"strategies", "show", "auto"}, {}, "", true},
      {"help", {"help", "--man", "bfs"}, {}, "", true},
      {"completions", {"completions", "bash"}, {}, "", true},
      {"doctor", {"doctor"}, {}},
  };
  for (const algorithm::Row* row : algorithm::rows())
    for (const std::string device : {"cpu", "sim"}) {
      const std::string name(row->name);
      const std::string graph = name == "matching" ? "IN/grid.hwg" : "IN/g.txt";  // a matching takes no odd cycle
      ToolJob job{name + " " + device, {name, graph, "--device", device, "-o", "rows.tsv"}, {"rows.tsv"}};
      const auto needed = testing::needed_words(*row, "0", "1");
      job.words.insert(job.words.end(), needed.begin(), needed.end());
      if (!row->checks.empty()) job.words.emplace_back("--verify");
      jobs.push_back(std::move(job));
    }
  return jobs;
}

}  // namespace hopwave::faults

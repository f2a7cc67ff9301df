// The tool around its commands: help, man pages and completions from one table, errors, exit codes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/places.h"
#include "support/refused.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/xml.h"

namespace hopwave::test {
namespace of_cli_test {

using nlohmann::json;

json table() { return json::parse(run_tool({"help", "--json"}).out); }

TEST(Cli, EveryOptionIsInHelpManAndCompletions) {
  const std::string bash = run_tool({"completions", "bash"}).out, zsh = run_tool({"completions", "zsh"}).out,
                    fish = run_tool({"completions", "fish"}).out;
  const auto commands = table()["commands"];
  int options = 0;
  for (const auto& command : commands) {
    const std::string name = command["name"];
    const auto help = run_tool({name, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.out, run_tool({"help", name}).out);
    EXPECT_LT(help.out.find("Examples:"), help.out.find("Usage:")) << name;
    const std::string man = run_tool({"help", "--man", name}).out;
    EXPECT_TRUE(holds(run_tool({"--help"}).out, "\n  " + name)) << name;
    for (const auto& option : command["options"]) {
      EXPECT_FALSE(option["help"].get<std::string>().empty());
      for (const std::string& word : option["names"].get<std::vector<std::string>>()) {
        ++options;
        std::string roff;
        for (const char c : word) roff += c == '-' ? "\\-" : std::string(1, c);
        EXPECT_TRUE(holds(help.out, word)) << name << word;
        EXPECT_TRUE(holds(man, "\\fB" + roff + "\\fR")) << name << word;
        EXPECT_TRUE(holds(bash, word)) << word;
        EXPECT_TRUE(holds(zsh, word)) << word;
        EXPECT_TRUE(holds(fish, word.starts_with("--") ? "-l " + word.substr(2) : "-s " + word.substr(1))) << word;
      }
    }
  }
  EXPECT_GT(options, 60);
}

TEST(Cli, BashCompletes) {
  const auto run = run_shell(
      "source <($HOPWAVE completions bash) || exit 1\n"
      "try() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _hopwave; echo \"${COMPREPLY[@]}\"; }\n"
      "try hopwave bf\ntry hopwave bfs --max\ntry hopwave bfs x --device s\ntry hopwave bfs x --strategy cpu-seq\ntry hopwave "
      "bfs stree\n"
      "try hopwave bfs pmp\ntry hopwave bfs x --device =\ntry hopwave bfs x --device = s\ntry hopwave bfs x -s ma\n"
      "try hopwave bfs x --param bes\ntry hopwave bfs x --param alph\ntry hopwave bfs x --param alpha = 4\n"
      "try hopwave bfs rmat : 2\ncd $(mktemp -d); touch 'two words.txt' && try hopwave bfs two; echo ${#COMPREPLY[@]}");
  EXPECT_EQ(run.out,
            "bfs\n--max-depth\nsim\ncpu-sequential\nstreets:\npmpp\nauto cpu gpu sim\nsim\nmaxdeg\nbest\nalpha=\n\n\n"
            "two words.txt\n1\n")
      << run.err;
}

/// In a live shell, where the line shows what was inserted: nothing quoted and no blank behind what goes on.
TEST(Cli, BashInsertsWhatIsMeant) {
  const Folder folder;
  spit(folder / "rc",
       "source <($HOPWAVE completions bash)\nPS1=\nbind 'set enable-bracketed-paste off'\nhopwave() { printf '<%s>' \"$@\"; "
       "echo; }\n");
  const auto run =
      run_shell("cd " + (folder / "") +
                "; touch 'two words.txt'; printf 'hopwave bfs rma\\t20 --device=s\\t--strategy cpu-seq\\t-s rand\\t3\\n"
                "hopwave bfs two\\t\\nexit\\n' | timeout 20 bash --rcfile rc -i");
  EXPECT_TRUE(holds(run.out, "<bfs><rmat:20><--device=sim><--strategy><cpu-sequential><-s><random:3>")) << run.out << run.err;
  EXPECT_TRUE(holds(run.out, "<bfs><two words.txt>")) << run.out << run.err;
}

TEST(Cli, ShellsAcceptTheScripts) {
  EXPECT_EQ(run_shell("$HOPWAVE completions bash | bash -n").code, 0);
  const Folder folder;
  if (have("zsh")) {
    EXPECT_EQ(run_shell("$HOPWAVE completions zsh > " + (folder / "_hopwave") + " && zsh -n " + (folder / "_hopwave")).code, 0);
  }
  if (have("fish")) {
    EXPECT_EQ(run_shell("$HOPWAVE completions fish | fish -n").code, 0);
  }
  if (!have("zsh") || !have("fish")) GTEST_SKIP() << "zsh or fish is not here";
}

TEST(Cli, FishCompletes) {
  if (!have("fish")) GTEST_SKIP() << "fish is not here";
  const auto run = run_shell(
      "fish -c \"function hopwave; end; $HOPWAVE completions fish | source; complete -C 'hopwave bfs x --device s'; "
      "complete -C 'hopwave bf'\"");
  EXPECT_EQ(run.out.substr(0, 4), "sim\t") << run.err;
  EXPECT_TRUE(holds(run.out, "\nbfs\t")) << run.out;
}

/// In a live shell: zsh finds fault with a table of options only when it completes.
TEST(Cli, ZshCompletes) {
  if (!have("zsh")) GTEST_SKIP() << "zsh is not here";
  Folder folder;
  spit(folder / "drive",
       "zmodload zsh/zpty || exit 9\nzpty z zsh -f -i\n"
       "zpty -w z 'PS1=; fpath=(" +
           (folder / "") +
           " $fpath); autoload -Uz compinit; compinit -u -D; hopwave() { : }; bindkey \"^I\" complete-word; print ready''now'\n"
           "zpty -r -m z out '*readynow*'\n"
           "zpty -w -n z $'hopwave bfs x --max\\t3 --device s\\t--strategy cpu-seq\\t-s 1 -s 2 --param a=1 --prep\\t'\n"
           "zpty -r -m z out '*--prepare*'\nprint -r -- ${(V)out}\n");
  ASSERT_EQ(run_shell("$HOPWAVE completions zsh > " + (folder / "_hopwave")).code, 0);
  const auto run = run_shell("timeout 30 zsh -f " + (folder / "drive"));
  for (const char* word : {"--max-depth", "--device sim", "--strategy cpu-sequential", "--prepare"})
    EXPECT_TRUE(holds(run.out, word)) << word << "\n" << run.out << run.err;
  EXPECT_FALSE(holds(run.out, "invalid")) << run.out;
}

TEST(Cli, ManPagesRender) {
  if (!have("groff")) GTEST_SKIP() << "groff is not here";
  const auto commands = table()["commands"];
  for (const auto& command : commands) {
    const auto run = run_shell("$HOPWAVE help --man " + command["name"].get<std::string>() +
                               " | groff -man -ww -Tutf8 -Kutf8 -P-c -P-b -P-u");
    EXPECT_EQ(run.err, "") << command["name"];
    EXPECT_TRUE(holds(run.out, "EXIT STATUS"));
  }
}

TEST(Cli, VersionAndHelp) {
  EXPECT_EQ(run_tool({"--version"}).out.substr(0, 8), "hopwave ");
  EXPECT_EQ(run_tool({"--help"}).code, 0);
  const auto nothing = run_tool(std::vector<std::string>{});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.out, "");
}

/// By what people do, not by the alphabet: a search stands before its tools, and each command once.
TEST(Cli, HelpIsOrderedByWhatPeopleDo) {
  const std::string help = run_tool({"--help"}).out, man = run_tool({"help", "--man"}).out;
  std::size_t at = 0;
  for (const char* part : {"\nSearch:\n", "\n  bfs ", "\n  path ", "\n  info ", "\n  convert ", "\n  bench ", "\n  doctor ",
                           "\n  completions ", "\nOptions:\n"}) {
    const std::size_t found = help.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " after\n" << help.substr(0, at);
    at = found;
  }
  const json commands = table()["commands"];  // a name of its own: a temporary ends before the loop begins
  for (const auto& command : commands) {
    const std::string name = command["name"], in_help = "\n  " + name + " ", in_man = ".BR hopwave\\-" + name + " (1)";
    EXPECT_TRUE(holds(help, in_help) && help.find(in_help) == help.rfind(in_help)) << name;
    EXPECT_TRUE(holds(man, in_man) && man.find(in_man) == man.rfind(in_man)) << name;
  }
}

TEST(Cli, UsageErrorsNameTheWayOut) {
  const struct {
    std::vector<std::string> words;
    const char *id, *hint;
  } cases[] = {
      {{"bsf"}, "HW-USAGE-COMMAND", "did you mean 'bfs'"},
      {{"bfs", "chain:3", "--sorce", "0"}, "HW-USAGE-OPTION", "did you mean --source"},
      {{"bfs", "chain:3", "-s", "0", "--device", "gpuu"}, "HW-USAGE-VALUE", "did you mean 'gpu'"},
      {{"bfs", "chain:3", "-s", "0", "--max-depth", "ten"}, "HW-USAGE-VALUE", "a whole number"},
      {{"bfs", "chain:3", "-s", "0", "--max-depth", "-2"}, "HW-USAGE-VALUE", "from -1"},
      {{"bfs", "chain:3", "-s"}, "HW-USAGE-VALUE", "--source"},
      {{"bfs"}, "HW-USAGE-MISSING", "GRAPH"},
      {{"bfs", "chain:3", "chain:4"}, "HW-USAGE-ARGUMENT", "one argument too many"},
      {{"bfs", "chain:3", "-s", "0", "--strategy", "cpu-sequentail"}, "HW-STRATEGY-UNKNOWN", "cpu-sequential"},
      {{"bfs", "chain:3", "-s", "0", "--threads", "-1"}, "HW-USAGE-VALUE", "--threads"},
      {{"path", "chain:3", "-5", "0"}, "HW-USAGE-OPTION", "write --"},
      {{"strategies", "shwo", "x"}, "HW-USAGE-ARGUMENT", "show NAME"},
      {{"gen", "rmat:5"}, "HW-USAGE-MISSING", "-o FILE"},
  };
  for (const auto& c : cases) {
    const auto run = run_tool(c.words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(holds(run.err, std::string("[") + c.id + "]")) << c.words.front() << run.err;
    EXPECT_TRUE(holds(run.err, c.hint)) << run.err;
  }
}

TEST(Cli, ErrorsAreJsonToo) {
  Folder folder;
  const std::string bad = folder / "bad.mtx";
  spit(bad, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n");
  const auto input = run_tool({"bfs", bad, "-s", "1", "--json"});
  EXPECT_EQ(input.code, 3);
  auto error = json::parse(input.out)["error"];
  EXPECT_EQ(error["exit_code"], 3);
  EXPECT_EQ(error["file"], bad);
  EXPECT_EQ(error["line"], 3);
  EXPECT_EQ(error["id"].get<std::string>().substr(0, 3), "HW-");
  EXPECT_TRUE(holds(input.err, bad + ":3:"));
  const auto usage = run_tool({"bfs", "--json", "chain:3", "--nonsense"});
  EXPECT_EQ(usage.code, 2);
  EXPECT_EQ(json::parse(usage.out)["error"]["id"], "HW-USAGE-OPTION");
}

TEST(Cli, ExitCodes) {
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "0"}).code, 0);
  EXPECT_EQ(run_tool({"path", "chain:3", "0", "2"}).code, 0);
  EXPECT_EQ(run_tool({"bfs", "/no/such/file", "-s", "0"}).code, 3);
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "0", "-o", "/no/such/folder/x"}).code, 3);
  EXPECT_EQ(run_tool({"estimate", "rmat:31,4096"}).code, 4);
  const auto refused = run_tool({"bfs", "rmat:31,4096", "-s", "0"});
  EXPECT_EQ(refused.code, 4);
  EXPECT_TRUE(holds(refused.err, "HW-MEMORY-HOST")) << refused.err;
  EXPECT_TRUE(holds(refused.err, "TiB") && holds(refused.err, "hint")) << refused.err;
}

TEST(Cli, WrongAnswersHaveAnExitCode) {
  // A scenario that claims a shorter optimum than there is: the search's answer and the file's disagree.
  Folder folder;
  const std::string map = folder / "open.map", scen = folder / "open.map.scen";
  spit(map, "type octile\nheight 3\nwidth 3\nmap\n...\n...\n...\n");
  const auto row = [](const char* length) { return std::string("version 1\n0\topen.map\t3\t3\t0\t0\t2\t0\t") + length + "\n"; };
  spit(scen, row("2.0"));
  const auto right = run_tool({"route", map, "--scen", scen, "--check"});
  EXPECT_EQ(right.code, 0) << right.out << right.err;
  spit(scen, row("1.0"));
  EXPECT_EQ(run_tool({"route", map, "--scen", scen, "--check"}).code, 5);
}

TEST(Cli, ADeviceThatIsNotThereHasAnExitCode) {
  const auto doctor = json::parse(run_tool({"doctor", "--json"}).out);
  if (doctor["gpu"]["usable"]) GTEST_SKIP() << "this machine has a GPU";
  const auto run = run_tool({"bfs", "chain:3", "-s", "0", "--device", "gpu"});
  EXPECT_EQ(run.code, 6) << run.err;
  EXPECT_TRUE(holds(run.err, "hint")) << run.err;
}

TEST(Cli, BenchPutsStrategiesWhereTheyBelong) {
  const auto rows = [](const char* device) {
    const auto run = run_in_ticks({"bench", "chain:9", "--strategy", "cpu-sequential,pmpp-edge", "--device", device, "--runs",
                                   "1", "--sources", "1", "--json"});  // what was measured is above 0
    EXPECT_EQ(run.code, 0) << run.err;
    auto measurements = json::parse(run.out)["measurements"];
    for (const auto& m : measurements) EXPECT_GT(m["graph"].value("build_ms", 0.0), 0) << m.dump();
    return measurements;
  };
  const auto both = rows("sim");
  ASSERT_EQ(both.size(), 2u);
  for (const auto& m : both) EXPECT_TRUE(m.value("verified", false)) << m.dump();
  const auto one = rows("cpu");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_TRUE(one[0].value("verified", false)) << one[0].dump();
  EXPECT_TRUE(holds(one[1].value("skipped", ""), "pmpp-edge")) << one[1].dump();
}

TEST(Cli, BenchTellsTheCommandThatGivesItAgain) {
  const auto command = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--device", "cpu", "--json"});
    return json::parse(run_tool(words).out)["environment"]["command"].get<std::string>();
  };
  EXPECT_EQ(command({"bench", "graph500", "--scale", "5", "--edgefactor=4"}),
            "hopwave bench graph500 --scale 5 --edgefactor=4 --device cpu --json");
  EXPECT_EQ(command({"bench", "chain:5", "--undirected", "--no-verify", "--threads", "1", "--runs", "2", "--time-limit", "9"}),
            "hopwave bench chain:5 --undirected --no-verify --threads 1 --runs 2 --time-limit 9 --device cpu --json");
  // A shell takes it as it was.
  Folder folder;
  const std::string file = folder / "it's one.txt";
  spit(file, "0 1\n1 2\n");
  EXPECT_TRUE(command({"bench", file, "--runs", "1"}).ends_with("/it'\\''s one.txt' --runs 1 --device cpu --json"));
}

TEST(Cli, BenchHasALimitOfTime) {
  for (const std::vector<std::string> what :
       {std::vector<std::string>{"chain:5000"}, {"graph500", "--scale", "8"}, {"gap", "rmat:8"}}) {
    std::vector<std::string> words = {"bench"};
    words.insert(words.end(), what.begin(), what.end());
    words.insert(words.end(), {"--device", "cpu", "--time-limit", "1e-9"});
    const auto run = run_tool(words);
    EXPECT_EQ(run.code, 124) << what[0] << ": " << run.err;
    EXPECT_TRUE(holds(run.err, "HW-TIME-LIMIT")) << what[0] << ": " << run.err;
  }
}

TEST(Cli, BenchHasASchedule) {
  const auto bench = [](const char* device) {
    return run_tool({"bench", "rmat:5,8", "--strategy", "cpu-sequential,pmpp-edge", "--device", device, "--schedule", "weak",
                     "--runs", "1", "--sources", "1", "--json"});
  };
  const auto run = bench("sim");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto told = json::parse(run.out);
  EXPECT_EQ(told["measurements"].size(), 2u);
  for (const auto& m : told["measurements"]) EXPECT_TRUE(m.value("verified", false)) << m.dump();
  EXPECT_EQ(bench("cpu").code, 2);
}

TEST(Cli, HeadersThatLieAreBadInput) {
  Folder folder;
  const std::string lie = folder / "lie.mtx";
  spit(lie, "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 9000000000\n1 1\n");
  const auto run = run_tool({"bfs", lie, "-s", "1"});
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_FALSE(holds(run.err, "HW-MEMORY")) << run.err;
}

TEST(Cli, ColourAndProgressOnlyWhereWanted) {
  const std::vector<std::string> words = {"bfs", "chain:3", "-s", "0"};
  EXPECT_FALSE(holds(run_tool(words).out, "\033["));
  EXPECT_FALSE(holds(run_tool({"bfs", "rmat:14", "-s", "random:99", "--mode", "each"}).err, "\r"));
  auto colored = words;
  colored.insert(colored.end(), {"--color", "always"});
  EXPECT_TRUE(holds(run_tool(colored).out, "\033["));
  if (!have("script")) GTEST_SKIP() << "script(1) is not here";
  if (run_shell("script -qec true /dev/null").code != 0) GTEST_SKIP() << "no pseudo-terminal can be had here";
  int searches = 30;
  const auto terminal = [&](const std::string& before, const std::string& more) {
    return run_shell("script -qec \"" + before + " $HOPWAVE bfs grid:300x300 -s random:" + std::to_string(searches) +
                     "@1 --mode each --strategy cpu-sequential" + more + "\" /dev/null")
        .out;
  };
  // What is over soon shows no progress: more work until this machine needs long enough.
  std::string shown = terminal("TERM=xterm", "");
  for (; searches <= 30'000 && !holds(shown, "\rsearching search "); shown = terminal("TERM=xterm", "")) searches *= 10;
  EXPECT_TRUE(holds(shown, "\rsearching search "));
  EXPECT_TRUE(holds(shown, "\033[1m"));
  EXPECT_FALSE(holds(terminal("TERM=xterm NO_COLOR=1", ""), "\033[1m"));
  EXPECT_FALSE(holds(terminal("TERM=xterm", " --quiet"), "searching"));
}

/// Generating, building and writing count what is done: a bar, and the time left.
TEST(Cli, MakingAGraphShowsTheTimeLeft) {
  if (!testing::whole()) GTEST_SKIP() << "what is shown with time does not depend on a sanitizer";
  if (!have("script")) GTEST_SKIP() << "script(1) is not here";
  if (run_shell("script -qec true /dev/null").code != 0) GTEST_SKIP() << "no pseudo-terminal can be had here";
  const Folder folder;
  std::string missing = "all";
  for (int scale = 14; scale <= 21 && !missing.empty(); ++scale) {  // until this machine needs more than .3 s for each
    const std::string shown =
        run_shell("script -qec \"stty cols 80; TERM=xterm $HOPWAVE gen rmat:" + std::to_string(scale) + ",16 -o " +
                  (folder / "a-name-of-many-letters-that-fills-the-line.txt") + "\" /dev/null")
            .out;
    missing.clear();
    // The last line has a long name: the time left must have room beside it.
    for (const std::string stage : {"\rgenerating ", "\rbuilding the graph [", "\rwriting "}) {
      bool told = false;
      for (auto at = shown.find(stage); at != std::string::npos && !told; at = shown.find(stage, at + 1)) {
        const std::string line = shown.substr(at, shown.find('\r', at + 1) - at);
        told = holds(line, "%") && holds(line, " left");
      }
      if (!told) missing += stage.substr(1) + ", ";
    }
  }
  EXPECT_EQ(missing, "");
}

TEST(Cli, QuietIsQuiet) {
  const auto run = run_tool({"bfs", "chain:3", "-s", "0", "-q"});
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(holds(run.out, "reached"));
}

TEST(Cli, StrategiesAsAnArray) {
  const auto all = json::parse(run_tool({"strategies", "--json"}).out);
  ASSERT_TRUE(all.is_array());
  std::set<std::string> names;
  for (const auto& s : all) {
    for (const char* key : {"name", "device", "source", "needs", "parameters"}) EXPECT_TRUE(s.contains(key)) << s;
    EXPECT_TRUE(names.insert(s["name"]).second);
    EXPECT_EQ(json::parse(run_tool({"strategies", "show", s["name"], "--json"}).out), s);
  }
  for (const char* name : {"auto", "cpu-sequential", "pmpp-vertex-push"}) EXPECT_TRUE(names.contains(name));
}

TEST(Cli, InfoOfKnownGraphs) {
  const auto info = [](const std::string& spec) { return json::parse(run_tool({"info", spec, "--json"}).out); };
  auto chain = info("chain:5");
  EXPECT_EQ(chain["vertices"], 5);
  EXPECT_EQ(chain["edges"], 4);
  EXPECT_EQ(chain["arcs"], 8);
  EXPECT_EQ(chain["components"], 1);
  EXPECT_EQ(chain["diameter"], 4);
  EXPECT_EQ(chain["diameter_estimate"], 4);
  EXPECT_EQ(chain["max_degree"], 2);
  EXPECT_DOUBLE_EQ(chain["average_degree"], 1.6);
  EXPECT_EQ(chain["median_degree"], 2);
  auto grid = info("grid:7x5");
  EXPECT_EQ(grid["edges"], 7 * 4 + 6 * 5);
  EXPECT_EQ(grid["diameter"], 10);
  Folder folder;
  spit(folder / "loops.txt", "0 1\n0 1\n1 1\n");
  auto loops = info(folder / "loops.txt");
  EXPECT_EQ(loops["edges"], 3);
  EXPECT_EQ(loops["self_loops"], 1);
  EXPECT_EQ(json::parse(run_tool({"info", folder / "loops.txt", "--clean", "--json"}).out)["edges"], 1);
}

TEST(Cli, SlashdotAsTheSurveyCounts) {
  const std::string file = std::string(hopwave::testing::places::shared_data) + "/survey/soc-Slashdot0902.txt.zst";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
  auto info = json::parse(run_tool({"info", file, "--json", "--searches", "0"}).out);
  EXPECT_EQ(info["vertices"], 82168);
  EXPECT_EQ(info["edges"], 948464);
  EXPECT_EQ(info["self_loops"], 78303);
}

TEST(Cli, PlotsOfDegreesAndLevels) {
  Folder folder;
  // Degrees of a star: 19 of 1 and one of 19; from its centre, which has most arcs: 1 and 19 vertices.
  const auto plot = json::parse(run_tool({"info", "star:20", "--plot", "-", "--json"}).out).at("plot");
  const auto bin = [](int first, int last, int vertices) {
    return json{{"first", first}, {"last", last}, {"vertices", vertices}};
  };
  EXPECT_EQ(plot.at("degrees"), json::array({bin(1, 1, 19), bin(16, 31, 1)}));
  EXPECT_EQ(plot.at("levels"), json::array({bin(0, 0, 1), bin(1, 1, 19)}));
  EXPECT_EQ(plot.at("from"), 0);
  // A chain of 100: from 1, the first of those with two arcs, levels 0 to 98 in bins of 5.
  const auto levels = json::parse(run_tool({"info", "chain:100", "--plot", "-", "--json"}).out).at("plot").at("levels");
  ASSERT_EQ(levels.size(), 20u);
  EXPECT_EQ(levels.front(), bin(0, 4, 6));
  EXPECT_EQ(levels.back(), bin(95, 98, 4));
  const std::string text = run_tool({"info", "star:20", "--plot", "-"}).out;
  EXPECT_NE(text.find("\n         1        19  ████"), std::string::npos) << text;
  EXPECT_NE(text.find("\n     16–31         1  ████"), std::string::npos) << text;
  const std::string svg = folder / "plot.svg";
  ASSERT_EQ(run_tool({"info", "chain:100", "--plot", svg}).code, 0);
  EXPECT_EQ(xml_fault(slurp(svg)), "");
  EXPECT_NE(slurp(svg).find("level 95 to 98: 4 vertices"), std::string::npos);
  expect_refused({"info", "star:20", "--plot", folder / "p.png"}, 2, "HW-PICTURE-ENDING", "");
  expect_refused({"info", "star:20", "--spy", svg, "--plot", svg}, 2, "HW-USAGE-OPTION", "--spy and --plot");
  const std::string nothing = folder / "nothing.mtx";
  spit(nothing, "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  ASSERT_EQ(run_tool({"info", nothing, "--plot", svg}).code, 0);
  EXPECT_EQ(slurp(svg).find("level 95"), std::string::npos) << "an empty graph has an empty plot";
}

TEST(Cli, SpyWritesAPicture) {
  Folder folder;
  const std::string png = folder / "m.png", svg = folder / "m.svg", matrix = folder / "m.mtx";
  ASSERT_EQ(run_tool({"info", "grid:30x30", "--spy", png}).code, 0);
  EXPECT_EQ(slurp(png).substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(run_tool({"info", "grid:3x3", "--spy", png, "--spy-size", "4097"}).code, 2);
  expect_refused({"info", "grid:3x3", "--spy", folder / "m.gif"}, 2, "HW-SPY-ENDING", "");

  // Figure 15.2: the rows 0 to 2 of the textbook's matrix have runs of 2, 2 and 3 entries.
  ASSERT_EQ(run_tool({"info", "pmpp", "--spy", svg}).code, 0);
  const std::string text = slurp(svg);
  EXPECT_EQ(xml_fault(text), "");
  EXPECT_NE(text.find("d=\"M1 0h2v1h-2zM3 1h2v1h-2zM5 2h3v1h-3zM4 3h1v1h-1zM8 3h1v1h-1z"), std::string::npos) << text;
  EXPECT_NE(text.find(">pmpp: 9 × 9, 15 entries</text>"), std::string::npos);
  for (int v = 0; v < 9; ++v) {
    const std::string id = ">" + std::to_string(v) + "</text>";
    EXPECT_NE(text.find(id, text.find(id) + 1), std::string::npos) << "row and column " << v;
  }
  ASSERT_EQ(run_tool({"info", "chain:1000", "--spy", svg, "--spy-size", "10"}).code, 0);
  for (const char* const id : {">0</text>", ">200</text>", ">800</text>"}) EXPECT_NE(slurp(svg).find(id), std::string::npos);
  EXPECT_EQ(slurp(svg).find(">100</text>"), std::string::npos) << "some ids are enough for many vertices";

  spit(matrix, "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0\n2 1 3\n");
  ASSERT_EQ(run_tool({"info", matrix, "--spy", svg}).code, 0);
  EXPECT_NE(slurp(svg).find("M1 0h1v1h-1z"), std::string::npos) << "an explicit zero is an entry";
  const auto dropped = run_tool({"info", matrix, "--drop-zeros", "--spy", svg});
  EXPECT_NE(dropped.out.find("1 explicit zeros dropped"), std::string::npos) << dropped.out;
  EXPECT_EQ(slurp(svg).find("M1 0h1v1h-1z"), std::string::npos);
  EXPECT_NE(slurp(svg).find("M0 1h1v1h-1z"), std::string::npos);
  EXPECT_EQ(run_tool({"info", "pmpp", "--drop-zeros"}).code, 2);
}

TEST(Cli, ConvertKeepsEverything) {
  Folder folder;
  const std::string text = folder / "a.txt", mtx = folder / "a.mtx", back = folder / "b.txt";
  spit(text, "1 2\n1 2\n3 3\n2 1\n");
  ASSERT_EQ(run_tool({"convert", text, mtx}).code, 0);
  ASSERT_EQ(run_tool({"convert", mtx, back}).code, 0);
  auto counts = json::parse(run_tool({"info", back, "--json"}).out);
  EXPECT_EQ(counts["edges"], 4);
  EXPECT_EQ(counts["duplicates"], 1);
  EXPECT_EQ(run_tool({"bfs", back, "-s", "1", "-o", "-"}).out, "1\t0\n2\t1\n3\t-1\n");
  EXPECT_EQ(run_tool({"gen", "chain:3", "-o", "-", "--to", "edge-list", "-q"}).err, "");
}

/// Parallel edges and self-loops are kept, and a search does not have to drop them: nothing is built.
TEST(Cli, ConvertWritesFilesThatOpenReady) {
  Folder folder;
  const std::string text = folder / "a.txt", ready = folder / "a.hwg", lean = folder / "b.hwg";
  spit(text, "1 2\n1 2\n3 3\n2 3\n3 1\n");
  ASSERT_EQ(run_tool({"convert", text, ready}).code, 0);
  ASSERT_EQ(run_tool({"convert", text, lean, "--no-in"}).code, 0);
  EXPECT_EQ(json::parse(run_tool({"info", ready, "--json"}).out)["edges"], 5);
  EXPECT_EQ(json::parse(run_tool({"info", ready, "--json", "--clean"}).out)["edges"], 3);
  for (const char* direction : {"out", "in"}) {
    const std::vector<std::string> search{"bfs",         ready,     "-s",         "1",           "--json",
                                          "--direction", direction, "--strategy", "cpu-parallel"};
    const auto found = json::parse(run_tool(search).out);
    EXPECT_EQ(found["graph"]["duplicates"], 1);
    EXPECT_EQ(found["graph"]["self_loops"], 1);
    EXPECT_EQ(found["graph"]["duplicates_kept"], false);
    EXPECT_EQ(found["seconds"]["build"], 0);
    EXPECT_EQ(found["seconds"]["prepare"], 0);
  }
  EXPECT_GT(std::filesystem::file_size(ready), std::filesystem::file_size(lean));
  expect_refused({"convert", text, folder / "a.mtx", "--no-in"}, 2, "HW-USAGE-OPTION", "");
}

TEST(Cli, ACacheIsKeptOnDemand) {
  Folder folder;
  const std::string text = folder / "a.txt", cache = text + ".cache.hwg";
  spit(text, "1 2\n1 2\n3 3\n2 3\n3 1\n");
  const std::vector<std::string> plain{"bfs", text, "-s", "1", "--json"};
  const auto with = [&](const char* when) {
    auto words = plain;
    words.insert(words.end(), {"--cache", when});
    return words;
  };
  const auto format = [](const Outcome& outcome) { return json::parse(outcome.out)["graph"]["format"]; };
  const auto here = [&](const std::vector<std::string>& words, const char* variable) {
    return run_tool(Call{.words = words, .environment = {variable}});
  };
  EXPECT_EQ(format(run_tool(plain)), "edge-list");
  EXPECT_EQ(format(here(with("off"), "HOPWAVE_CACHE=on")), "edge-list");
  EXPECT_EQ(format(here(plain, "HOPWAVE_CACHE=")), "edge-list");
  EXPECT_FALSE(std::filesystem::exists(cache));
  EXPECT_EQ(format(run_tool(with("on"))), "edge-list");
  ASSERT_TRUE(std::filesystem::exists(cache));
  EXPECT_EQ(format(here(plain, "HOPWAVE_CACHE=on")), "hwg");
  EXPECT_EQ(format(here(with("on"), "HOPWAVE_CACHE=off")), "hwg");
  EXPECT_EQ(format(run_tool(plain)), "edge-list");
  EXPECT_EQ(json::parse(run_tool({"info", text, "--json", "--cache", "on"}).out)["edges"], 5);
  spit(text, "1 2\n1 2\n3 3\n2 3\n3 1\n9 9\n");
  EXPECT_EQ(json::parse(run_tool({"info", text, "--json", "--cache", "on"}).out)["edges"], 6);
  const auto refused = here(plain, "HOPWAVE_CACHE=yes");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("HW-USAGE-VALUE"), std::string::npos) << refused.err;
  EXPECT_EQ(run_tool(with("maybe")).code, 2);
  spit(cache, "mine");
  const auto noted = run_tool(with("on"));
  EXPECT_NE(noted.err.find("is not a cache"), std::string::npos) << noted.err;
  EXPECT_EQ(json::parse(noted.out)["graph"]["notes"].size(), 1u);
  EXPECT_EQ(slurp(cache), "mine");
}

TEST(Cli, ConvertKeepsAPreparation) {
  Folder folder;
  const std::string text = folder / "a.txt", hwg = folder / "a.hwg";
  spit(text, "1 2\n1 2\n3 3\n2 3\n3 1\n");
  const auto made = run_tool({"convert", text, hwg, "--prepare", "--device", "sim", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(json::parse(made.out)["preparation"]["kind"],
            "shared-memory");  // arcs have a direction: it wants incoming ones beside it
  const auto found = run_tool({"bfs", hwg, "-s", "1", "--device", "sim", "--prepare", "--verify", "-o", "-"});
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.out, "1\t0\n2\t1\n3\t2\n");
  EXPECT_NE(found.err.find("used the preparation that is stored with the graph"), std::string::npos) << found.err;
  EXPECT_EQ(run_tool({"convert", text, folder / "a.mtx", "--prepare", "--device", "sim"}).code, 2);
}

/// Specs are estimated as they come out; every generator is known.
TEST(Cli, EstimateKnowsEveryGenerator) {
  const auto all = json::parse(run_tool({"gen", "--json"}).out);
  for (const auto& g : all) {
    const auto e = json::parse(run_tool({"estimate", g["example"], "--json"}).out);
    EXPECT_TRUE(e.value("known", false)) << g["example"] << ": add it to src/estimate/graph_size.cpp";
  }
  for (const char* spec : {"rmat:8,4", "kron:7", "uniform:8,3", "grid:10x20", "grid:4x5x6", "mesh:30x20", "maze:30x20",
                           "streets:40", "chain:9", "star:9", "tree:5", "complete:9", "graphgen:1000", "hub-chain:5,20,7",
                           "pmpp", "genrmf:3,5,1,9", "rlg:5,4,9", "gridcut:7x5"}) {
    auto e = json::parse(run_tool({"estimate", spec, "--json"}).out);
    auto i = json::parse(run_tool({"info", spec, "--json"}).out);
    const double near = e["exact"] ? 0 : 0.3;
    EXPECT_NEAR(e["vertices"].get<double>(), i["vertices"].get<double>(), near * i["vertices"].get<double>()) << spec;
    EXPECT_NEAR(e["rows"].get<double>(), i["graph"]["rows"].get<double>(), near * i["graph"]["rows"].get<double>()) << spec;
  }
}

TEST(Cli, EstimateOfFiles) {
  Folder folder;
  for (const char* name : {"g.txt", "g.txt.zst", "g.mtx", "g.graph", "g.gr", "g.hwg", "g.sg"}) {
    ASSERT_EQ(run_tool({"gen", "rmat:13,8", "--clean", "-o", folder / name}).code, 0) << name;
    auto e = json::parse(run_tool({"estimate", folder / name, "--json"}).out);
    auto i = json::parse(run_tool({"info", folder / name, "--json"}).out);
    ASSERT_TRUE(e.value("known", false)) << name;
    EXPECT_NEAR(e["rows"].get<double>(), i["edges"].get<double>(), 0.15 * i["edges"].get<double>()) << name << e;
    EXPECT_NEAR(e["vertices"].get<double>(), i["vertices"].get<double>(), 0.5 * i["vertices"].get<double>()) << name << e;
  }
}

TEST(Cli, EstimateAndDoctor) {
  auto e = json::parse(run_tool({"estimate", "rmat:20,16", "--json"}).out);
  EXPECT_TRUE(e["exact"]);
  EXPECT_EQ(e["vertices"], 1 << 20);
  EXPECT_EQ(e["rows"], 16 << 20);
  EXPECT_GT(e["host"]["needed_bytes"], e["host"]["graph_bytes"]);
  // Preparing makes the rows once more, with three words a vertex and its first four neighbours beside them, or rows of several
  // hops on thin graphs, whose bound is larger there.
  const auto added = [](const std::string& spec) {
    const auto bytes = [&](auto... more) {
      return json::parse(run_tool({"estimate", spec, "--json", more...}).out)["device"]["needed_bytes"].template get<double>();
    };
    return bytes("--prepare") - bytes();
  };
  EXPECT_NEAR(added("rmat:20,16"), 8.0 * (16 << 20) + 32.0 * (1 << 20), 1e3);
  EXPECT_NEAR(added("streets:300"), 290.0 * 300 * 300, 8e6);
  auto d = json::parse(run_tool({"doctor", "--json"}).out);
  for (const char* key : {"cpu", "memory", "gpu", "findings"}) EXPECT_TRUE(d.contains(key));
  EXPECT_GT(d["memory"]["free_bytes"], 0);
  EXPECT_EQ(run_tool({"doctor"}).code, 0);
}

}  // namespace of_cli_test
}  // namespace hopwave::test

// Graphviz as a child process: the graph goes in by its standard input, places come back in its format "plain".
// Also the graph in Graphviz's language as a file of its own.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>

#include "core/clock.h"
#include "core/utf8.h"
#include "draw/layout.h"

extern char** environ;

namespace hopwave::picture {
namespace {

constexpr double points_an_inch = 72, edge = 34;
constexpr int longest_ms = 10'000;  ///< a graph of this size takes it milliseconds

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : core::as_utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out + '"';
}

/// Vertices of a level are side by side.
std::string ranks(const Subject& subject) {
  std::string dot;
  Distance last = -1;
  for (const Distance d : subject.level) last = std::max(last, d);
  for (Distance d = 0; d <= last; ++d) {
    dot += "  {rank=same";
    for (VertexId v = 0; v < subject.size(); ++v)
      if (subject.level[v] == d) dot += fmt::format(" {}", v);
    dot += "}\n";
  }
  return dot;
}

/// What the layout needs: numbers for names, circles of the size that is drawn, and levels as rows: only arcs from one level to
/// the next decide the vertical order. An edge of both directions is there as its arc down.
std::string bare_dot(const Subject& subject) {
  std::string dot = fmt::format(
      "digraph g {{\nnode [shape=circle fixedsize=true width={0:.3f} label=\"\"]\nnodesep=0.35 ranksep=0.55 "
      "overlap=false\n",
      2 * radius_for(subject) / points_an_inch);
  for (VertexId v = 0; v < subject.size(); ++v) dot += fmt::format("{}\n", v);
  for (VertexId v = 0; v < subject.size(); ++v)
    for (const VertexId w : subject.forward[v]) {
      const bool down = subject.level[v] != unreached && subject.level[w] == subject.level[v] + 1;
      if (down)
        dot += fmt::format("{} -> {}\n", v, w);
      else if (!subject.symmetric || (v <= w && subject.level[v] == subject.level[w]))
        dot += fmt::format("{} -> {} [constraint=false]\n", v, w);
    }
  const auto deepest = std::max_element(subject.level.begin(), subject.level.end()) - subject.level.begin();
  for (VertexId v = 0; v < subject.size(); ++v)  // below the last row
    if (subject.level[v] == unreached) dot += fmt::format("{} -> {} [style=invis]\n", deepest, v);
  return dot + ranks(subject) + "}\n";
}

/// A child process with its standard input and output; killed and waited for with the object.
class Child {
 public:
  explicit Child(const std::string& program) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
    std::string name = program, how = "-Tplain";
    std::array<char*, 3> words{name.data(), how.data(), nullptr};
    if (::posix_spawnp(&pid_, program.c_str(), &actions, nullptr, words.data(), environ)) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    socket_ = ends[0];
  }
  ~Child() {
    if (socket_ >= 0) ::close(socket_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Everything that it answers; nothing if it is not there, fails or takes too long.
  std::optional<std::string> ask(std::string_view text) {
    if (pid_ <= 0) return std::nullopt;
    for (; !text.empty();) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return std::nullopt;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    ::shutdown(socket_, SHUT_WR);
    return read_all();
  }

 private:
  std::optional<std::string> read_all() {
    const auto deadline = core::Clock::real() + std::chrono::milliseconds(longest_ms);
    std::string answer;
    std::array<char, 4096> part{};
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - core::Clock::real()).count();
      pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
      if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) <= 0) return std::nullopt;
      const ssize_t got = ::read(socket_, part.data(), part.size());
      if (got < 0) return std::nullopt;
      if (got == 0) return answer;
      answer.append(part.data(), static_cast<std::size_t>(got));
    }
  }

  pid_t pid_ = -1;
  int socket_ = -1;
};

}  // namespace

std::optional<Layout> layout_by_graphviz(const Subject& subject, const std::string& program) {
  const auto answer = Child(program).ask(bare_dot(subject));
  if (!answer) return std::nullopt;
  Layout layout;
  layout.radius = radius_for(subject);
  layout.at.resize(subject.size());
  std::vector<bool> placed(subject.size());
  double height = 0;
  std::istringstream lines(*answer);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "graph") {
      double scale = 0, width = 0;
      words >> scale >> width >> height;
      layout.width = width * points_an_inch + 2 * edge;
      layout.height = height * points_an_inch + 2 * edge;
    } else if (kind == "node") {
      VertexId v = no_vertex;
      Point p;
      if (!(words >> v >> p.x >> p.y) || v >= subject.size()) return std::nullopt;
      layout.at[v] = {p.x * points_an_inch + edge, (height - p.y) * points_an_inch + edge};
      placed[v] = true;
    }
  }
  if (std::find(placed.begin(), placed.end(), false) != placed.end()) return std::nullopt;
  return layout;
}

std::string to_dot(const Subject& subject) {
  const char* const joins = subject.symmetric ? "--" : "->";
  std::string dot = fmt::format("{} {} {{\n  label={}\n  node [shape=circle style=filled fillcolor=white]\n",
                                subject.symmetric ? "graph" : "digraph", quoted("bfs"), quoted(subject.title));
  for (VertexId v = 0; v < subject.size(); ++v) {
    const Distance d = subject.level[v];
    const std::string words = d == unreached ? "" : fmt::format(" xlabel=\"{}\"", d);
    dot += fmt::format("  {} [label={}{}{}]\n", v, quoted(subject.names[v]), words, d == 0 ? " fillcolor=\"#ffc857\"" : "");
  }
  dot += ranks(subject);
  for (VertexId v = 0; v < subject.size(); ++v)
    for (const VertexId w : subject.forward[v]) {
      if (subject.symmetric && w < v) continue;
      const bool tree = subject.parent[w] == v || (subject.symmetric && subject.parent[v] == w);
      dot += fmt::format("  {} {} {}{}\n", v, joins, w, tree ? " [penwidth=2.5]" : " [color=\"#8a939e\"]");
    }
  return dot + "}\n";
}

}  // namespace hopwave::picture

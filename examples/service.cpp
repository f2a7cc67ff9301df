// A service: threads answer requests about one graph, each within a time limit, and a shutdown ends running requests.
#include <hopwave/hopwave.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <optional>
#include <queue>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Request {
  std::int64_t user;
  int most_hops;
};

class Service {
 public:
  explicit Service(int threads) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }

  void ask(Request request) {
    const std::lock_guard lock(mutex_);
    waiting_.push(request);
    ++unanswered_;
  }

  /// Ends when all requests are answered.
  std::vector<std::string> finish() {
    for (;; std::this_thread::yield()) {
      const std::lock_guard lock(mutex_);
      if (unanswered_ == 0) break;
    }
    workers_.clear();  // jthread: asks each thread to stop, and waits for it
    return answers_;
  }

 private:
  void work(const std::stop_token& stop) {
    // The graph is shared; each thread has its own searcher, with one thread, since requests run in parallel.
    hopwave::Searcher searcher(graph_, {.run = {.device = hopwave::DeviceKind::cpu, .threads = 1}});
    searcher.set_limits({.stop = stop, .time = hopwave::Seconds(5)});  // for each request
    while (const auto request = next(stop)) say(answer(searcher, *request));
  }

  std::string answer(hopwave::Searcher& searcher, const Request& request) const try {
    const hopwave::VertexId source = graph_.vertex(request.user);
    const hopwave::Reached near = searcher.reach({.sources = {source}, .max_depth = request.most_hops});
    return std::to_string(request.user) + ": " + std::to_string(near.vertex.size() - 1) + " within " +
           std::to_string(request.most_hops) + " hops";
  } catch (const hopwave::Error& error) {
    // HW-IDS-UNKNOWN: the client's mistake. HW-TIME-LIMIT, HW-CANCELLED: the searcher can be used again at once.
    return std::to_string(request.user) + ": " + error.id();
  }

  std::optional<Request> next(const std::stop_token& stop) {
    for (; !stop.stop_requested(); std::this_thread::yield()) {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) continue;
      const Request request = waiting_.front();
      waiting_.pop();
      return request;
    }
    return std::nullopt;
  }

  void say(std::string text) {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(text));
    --unanswered_;
  }

  const hopwave::Graph graph_ = hopwave::load_graph("grid:1000x1000");
  std::mutex mutex_;
  std::queue<Request> waiting_;
  int unanswered_ = 0;  ///< those that wait, and those at work
  std::vector<std::string> answers_;
  std::vector<std::jthread> workers_;  // last: the threads use all of the above
};

}  // namespace

int main() try {
  Service service(4);
  for (const Request& request : {Request{500'500, 1}, Request{500'500, 3}, Request{0, 2}, Request{2'000'000, 2}})
    service.ask(request);
  std::vector<std::string> answers = service.finish();
  std::sort(answers.begin(), answers.end());
  for (const std::string& line : answers) std::cout << line << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}

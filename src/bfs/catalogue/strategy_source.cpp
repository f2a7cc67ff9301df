// strategy_source(): the kernels of a file, what they use of the shared headers, and CUDA's words for ours.
#include "hopwave/strategy_source.h"

#include <algorithm>
#include <functional>
#include <regex>
#include <set>

#include "bfs/catalogue/catalogue.h"
#include "bfs/plan/source_text.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {
namespace {

using source_text::File;

/// A definition that begins at the left margin, with the comment above it.
struct Block {
  std::string text;
  std::string name;
  bool kernel = false;
};

bool has_word(const std::string& text, const std::string& word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !part(text[at - 1])) && (at + word.size() == text.size() || !part(text[at + word.size()]))) return true;
  return false;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

/// Kernels, functions that kernels call, structs and constants. What is of the host's side is left out.
std::vector<Block> blocks_of(const File& file) {
  static const std::regex kernel(R"(^(template <.*>\n)?HW_KERNEL (HW_BOUNDS\(.*\) )?void (\w+))");
  static const std::regex listing(R"(^void (\w+)\()");
  static const std::regex helper(R"(^(template <.*>\n)*HW_DEVICE [^(]*?(\w+)\()");
  static const std::regex type(R"(^(template <.*>\n)?struct (\w+))");
  static const std::regex constant(R"(^(inline )?constexpr [\w: ]+ (\w+) =)");
  static const std::regex after_code(R"(\s*//.*)");
  const bool printed = file.path.find("/literal/") != std::string_view::npos;
  std::vector<Block> blocks;
  std::string comment, code;
  std::ptrdiff_t depth = 0;
  for (const std::string& line : lines_of(file.text)) {
    if (code.empty() && (line.empty() || line.starts_with("#") || line.starts_with("}") || line.starts_with("namespace"))) {
      comment.clear();
      continue;
    }
    if (code.empty() && line.starts_with("//")) {
      comment += line + "\n";
      continue;
    }
    code += line + "\n";
    const std::string bare = std::regex_replace(line, after_code, "");
    depth += std::count(bare.begin(), bare.end(), '{') - std::count(bare.begin(), bare.end(), '}');
    if (depth != 0 || !(bare.ends_with(";") || bare.ends_with("}"))) continue;
    std::smatch found;
    if (std::regex_search(code, found, printed ? listing : kernel))
      blocks.push_back({comment + code, found[printed ? 1 : 3], true});
    else if (std::regex_search(code, found, helper) || std::regex_search(code, found, type) ||
             std::regex_search(code, found, constant))
      blocks.push_back({comment + code, found[2], false});
    comment.clear();
    code.clear();
  }
  return blocks;
}

const File& file_of(std::string_view name) {
  std::string stem(name.starts_with("literal:") ? name.substr(8) : name);
  std::replace(stem.begin(), stem.end(), '-', '_');
  const std::string folder = name.starts_with("literal:") ? "/literal/" : "/";
  for (const File& file : source_text::files())
    for (const char* ending : {".cu", ".cpp"})
      if (file.path.ends_with(folder + stem + ending) &&
          (file.path.find("/literal/") != std::string_view::npos) == name.starts_with("literal:"))
        return file;
  throw Error({.failure = Failure::usage, .id = "HW-STRATEGY-SOURCE", .found = "no text of " + std::string(name)});
}

/// The kernels of the file and those of shared headers that it names, after what they use: first that of headers.
std::string kernels_of(const File& file) {
  std::vector<Block> all;
  for (const File& header : source_text::files())
    if (header.path.ends_with(".h"))
      for (Block& block : blocks_of(header)) all.push_back(std::move(block));
  const std::string whole(file.text);
  std::set<std::string> wanted;
  for (const Block& block : all)
    if (block.kernel && has_word(whole, block.name)) wanted.insert(block.name);
  for (Block& block : blocks_of(file)) {
    if (block.kernel) wanted.insert(block.name);
    all.push_back(std::move(block));
  }
  for (bool more = true; more;) {
    more = false;
    for (const Block& user : all)
      for (const Block& used : all)
        if (wanted.contains(user.name) && !used.kernel && has_word(user.text, used.name))
          more |= wanted.insert(used.name).second;
  }
  std::string text;
  for (const Block& block : all)
    if (wanted.contains(block.name)) text += (text.empty() ? "" : "\n") + block.text;
  return text;
}

using Arguments = std::vector<std::string>;

/// Replaces each call `word(a, b)` by what `by` makes of its arguments.
void replace_calls(std::string& text, const std::string& word, const std::function<std::string(const Arguments&)>& by) {
  for (std::size_t at = text.find(word + "("); at != std::string::npos; at = text.find(word + "(", at)) {
    Arguments arguments(1);
    int depth = 1;
    std::size_t end = at + word.size() + 1;
    for (; depth > 0 && end < text.size(); ++end) {
      const char c = text[end];
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      if (depth == 0) break;
      if (c == ',' && depth == 1)
        arguments.emplace_back();
      else if (c != ' ' || !arguments.back().empty())
        arguments.back() += c;
    }
    const std::string now = by(arguments);
    text.replace(at, end + 1 - at, now);
  }
}

/// The word that a pointer points at: x of "&x".
std::string target(const std::string& pointer) { return pointer.starts_with("&") ? pointer.substr(1) : "*" + pointer; }

std::string in_cuda(std::string text, bool listing) {
  const auto replace = [&](const char* word, const char* by) { text = std::regex_replace(text, std::regex(word), by); };
  if (listing) {
    replace(R"((^|\n)void )", "$1__global__ void ");
    replace(R"(Printed<const (\w+( \w+)?)> )", "const $1* ");
    replace(R"(Printed<(\w+( \w+)?)> )", "$1* ");
    replace_calls(text, "HW_PRINTED_SHARED_ONE", [](const Arguments& a) { return "__shared__ " + a[0] + " " + a[1]; });
    replace_calls(text, "HW_PRINTED_SHARED",
                  [](const Arguments& a) { return "__shared__ " + a[0] + " " + a[1] + "[" + a[2] + "]"; });
    replace_calls(text, "HW_PRINTED_DYNAMIC",
                  [](const Arguments& a) { return "extern __shared__ " + a[0] + " " + a[1] + "[]"; });
    replace_calls(text, "HW_PRINTED_PART", [](const Arguments& a) {
      return "extern __shared__ " + a[0] + " words[]; " + a[0] + "* " + a[1] + " = words + " + a[2];
    });
    if (has_word(text, "Lists"))
      text = "struct Lists {\n  const int *list, *begin, *length;\n  int vertices;\n  int* result;\n};\n\n" + text;
    if (has_word(text, "not_visited")) text = "constexpr unsigned not_visited = 0xFFFFFFFFu;\n\n" + text;
    if (has_word(text, "far_away")) text = "constexpr int far_away = 1 << 30;\n\n" + text;
    replace(R"(&\*(\w+))", "$1");
  }
  const std::pair<const char*, const char*> words[] = {
      {R"(\bHW_KERNEL\b)", "__global__"},
      {R"(\bHW_DEVICE\b)", "__device__"},
      {R"(\bHW_UNROLL\b)", "_Pragma(\"unroll\")"},
      {R"(\bHW_CHECK\()", "assert("},
      {R"(\bdev::thread\(\))", "threadIdx.x"},
      {R"(\bdev::block\(\))", "blockIdx.x"},
      {R"(\bdev::block_size\(\))", "blockDim.x"},
      {R"(\bdev::grid_size\(\))", "gridDim.x"},
      {R"(\bdev::global_thread\(\))", "(blockIdx.x * blockDim.x + threadIdx.x)"},
      {R"(\bdev::global_threads\(\))", "(gridDim.x * blockDim.x)"},
      {R"(\bdev::lane\(\))", "(threadIdx.x % 32)"},
      {R"(\bdev::lanes\b)", "32"},
      {R"(\bdev::all_lanes\b)", "0xffffffffu"},
      {R"(\bdev::LaneMask\b)", "unsigned"},
      {R"(\bdev::sync_block\(\))", "__syncthreads()"},
      {R"(\bdev::sync_block_or\()", "__syncthreads_or("},
      {R"(\bdev::sync_grid\(\))", "cooperative_groups::this_grid().sync()"},
      {R"(\bdev::fetch_add\()", "atomicAdd("},
      {R"(\bdev::fetch_min\()", "atomicMin("},
      {R"(\bdev::compare_exchange\()", "atomicCAS("},
      {R"(\bdev::ballot\()", "__ballot_sync("},
      {R"(\bdev::shuffle\()", "__shfl_sync("},
      {R"(\bdev::reduce_add\()", "__reduce_add_sync("},
      {R"(\bdev::popcount\()", "__popc("},
      {R"(\bdev::find_first_set\()", "__ffs("},
      {R"(\bdev::read_only\()", "__ldg("}};
  for (const auto& [word, by] : words) replace(word, by);
  const auto plain = [](const Arguments& a) { return target(a[0]); };
  const auto assigned = [](const Arguments& a) { return target(a[0]) + " = " + a[1]; };
  const auto atomic = [](const Arguments& a) { return "cuda::atomic_ref(" + target(a[0]) + ")"; };
  replace_calls(text, "dev::peek", plain);
  replace_calls(text, "dev::plain_read", plain);
  replace_calls(text, "dev::plain_write", assigned);
  replace_calls(text, "dev::load", [&](const Arguments& a) { return atomic(a) + ".load(cuda::memory_order_relaxed)"; });
  replace_calls(text, "dev::store",
                [&](const Arguments& a) { return atomic(a) + ".store(" + a[1] + ", cuda::memory_order_relaxed)"; });
  replace_calls(text, "HW_SHARED", [](const Arguments& a) { return "__shared__ " + a[0] + " " + a[1] + "[" + a[2] + "]"; });
  replace_calls(text, "HW_DYNAMIC_SHARED", [](const Arguments& a) { return "extern __shared__ " + a[0] + " " + a[1] + "[]"; });
  replace_calls(text, "HW_SHARED_PARTS", [](const Arguments& a) { return "extern __shared__ " + a[0] + " " + a[1] + "[]"; });
  replace_calls(text, "dev::shared_part", [](const Arguments& a) { return a[0]; });
  replace(R"((\S) {2,}// )", "$1  // ");  // comments are in no column any more
  return text;
}

}  // namespace
}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

std::string strategy_source(std::string_view name, KernelWords words) {
  const StrategyInfo& info = find_strategy(name);
  const source_text::File& file = search_detail::file_of(info.name);
  const std::string kernels = search_detail::kernels_of(file);
  if (!kernels.empty()) return words == KernelWords::cuda ? search_detail::in_cuda(kernels, info.device == "sim") : kernels;
  if (words == KernelWords::cuda)
    throw Error({.failure = Failure::usage,
                 .id = "HW-STRATEGY-SOURCE",
                 .found = "CUDA's words for " + std::string(info.name) + ", which has no kernel of its own",
                 .expected = "a printed listing or a strategy of the literature for GPUs",
                 .hint = info.name == "auto" ? "docs/engine/index.md has the folders of its kernels" : "it runs on the CPU"});
  return std::string(file.text);
}

std::vector<ListingStep> listing_steps(std::string_view name) {
  const StrategyInfo& info = find_strategy(name);
  if (info.device != "sim")
    throw Error({.failure = Failure::usage,
                 .id = "HW-STRATEGY-SOURCE",
                 .found = "the steps of " + std::string(info.name),
                 .expected = "a printed listing",
                 .hint = "`hopwave strategies literal` lists them"});
  std::vector<ListingStep> steps;
  for (source_text::Step& step : source_text::steps_of(search_detail::file_of(info.name).text))
    steps.push_back({.place = std::move(step.place), .what = std::move(step.what)});
  return steps;
}

}  // namespace hopwave::inline v0_1

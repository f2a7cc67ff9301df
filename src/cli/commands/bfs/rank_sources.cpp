#include "cli/commands/bfs/rank_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/rank_components.h"

namespace hopwave::cli {
namespace {

using ranks::Reduce;

/// What a word means, as rank 0 understands it: a kind, and two numbers.
enum Kind : std::uint64_t { vertex, first, most_arcs, largest_component, random };
struct Meaning {
  std::uint64_t kind, number, seed;
};

Meaning understand(const ranks::About& about, const std::string& word, std::uint64_t seed) {
  if (const auto v = about.ids.find(word)) return {vertex, *v, 0};
  if (const auto drawn = parse_random(word, seed)) return {random, drawn->count, drawn->seed};
  if (word == "first") return {first, 0, 0};
  if (word == "maxdeg") return {most_arcs, 0, 0};
  if (word == "lcc") return {largest_component, 0, 0};
  return {vertex, find_vertex(about.ids, about.read.source, word, "source"), 0};
}

/// The least of the vertices with most arcs out.
VertexId with_most_arcs(ranks::Transport& transport, const ranks::Share& share, EdgeIndex& degree) {
  EdgeIndex mine = 0;
  for (VertexId row = 0; row < share.count(); ++row) mine = std::max(mine, share.out.degree(row));
  degree = transport.all_reduce(mine, Reduce::max);
  std::uint64_t least = no_vertex;
  for (VertexId row = 0; row < share.count() && least == no_vertex; ++row)
    if (share.out.degree(row) == degree) least = share.begin() + row;
  return static_cast<VertexId>(transport.all_reduce(least, Reduce::min));
}

/// The draws of one process, of which each rank judges those that are its own.
void add_random(ranks::Transport& transport, const ranks::Share& share, const RandomSources& drawn, Sources& sources) {
  std::uint64_t able = 0, found = 0;
  for (VertexId row = 0; row < share.count(); ++row) able += share.out.degree(row) > 0;
  able = transport.all_reduce(able, Reduce::sum);
  ranks::agree(transport, [&] { drawn.check(able); });
  std::unordered_set<VertexId> taken;
  for (std::uint64_t draw = 0; found < drawn.count; draw += 64) {
    std::uint64_t has_arcs = 0;
    for (unsigned i = 0; i < 64; ++i) {
      const VertexId v = drawn.vertex(draw + i, share.cut.num_vertices());
      if (share.has(v) && share.out.degree(v - share.begin()) > 0) has_arcs |= std::uint64_t{1} << i;
    }
    has_arcs = transport.all_reduce(has_arcs, Reduce::bit_or);
    for (unsigned i = 0; i < 64 && found < drawn.count; ++i) {
      const VertexId v = drawn.vertex(draw + i, share.cut.num_vertices());
      if ((has_arcs >> i & 1) == 0 || !taken.insert(v).second) continue;
      sources.vertices.push_back(v);
      ++found;
    }
  }
  sources.how = drawn.how();
}

void add(ranks::Transport& transport, ranks::Share& share, const Meaning& meaning, Sources& sources) {
  if (meaning.kind == random) return add_random(transport, share, {meaning.number, meaning.seed}, sources);
  auto v = static_cast<VertexId>(meaning.number);
  if (meaning.kind == first) sources.how = "the first vertex";
  if (meaning.kind == most_arcs) {
    EdgeIndex degree = 0;
    v = with_most_arcs(transport, share, degree);
    sources.how = fmt::format("the vertex with most arcs out: {}", grouped(degree));
  }
  if (meaning.kind == largest_component) {
    v = in_largest_component(transport, share);
    sources.how = "the first vertex of the largest component with an arc out";
  }
  sources.vertices.push_back(v);
}

}  // namespace

Sources find_sources(ranks::Transport& transport, ranks::Share& share, const ranks::About& about,
                     const SourceArguments& arguments, std::uint64_t seed) {
  Sources sources;
  const auto words = source_words(arguments);
  std::vector<Meaning> meanings;
  ranks::agree(transport, [&] {
    if (transport.rank() != 0) return;
    if (share.cut.num_vertices() == 0) refuse_no_vertices(about.read.source);
    if (words.empty() && !about.default_source) refuse_no_source();
    if (words.empty()) meanings.push_back({vertex, *about.default_source, 0});
    for (const auto& word : words) meanings.push_back(understand(about, word, seed));
  });
  transport.broadcast(0, meanings);
  if (words.empty()) sources.how = "the file names it";
  for (const Meaning& meaning : meanings) add(transport, share, meaning, sources);
  return sources;
}

VertexId find_vertex(ranks::Transport& transport, const ranks::About& about, const std::string& name, const char* what) {
  if (name.empty()) return no_vertex;
  std::vector<VertexId> found;
  ranks::agree(transport, [&] {
    if (transport.rank() == 0) found.push_back(find_vertex(about.ids, about.read.source, name, what));
  });
  transport.broadcast(0, found);
  return found[0];
}

}  // namespace hopwave::cli

// What `hopwave closeness` has found so far: a row a source, written to the result in the end, or kept in a file beside it
// when the command is ended early, so that --resume goes on from there.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "hopwave/closeness.h"
#include "hopwave/graph.h"

namespace hopwave::cli {

struct ClosenessRows {
  std::vector<SourceDistances> rows;  ///< of the first sources, in their order
  DistanceSummary summary;

  void add(const LevelCounts& counts);
};

/// Whether kept rows belong to this run: the graph, the sources, the direction.
struct ClosenessKey {
  std::uint64_t graph = 0, sources = 0;
  std::string direction;
};
ClosenessKey closeness_key(const Graph& graph, const std::vector<VertexId>& sources, const std::string& direction);

/// OUTPUT.part
std::string part_of(const std::string& output);
void keep_rows(const std::string& output, const ClosenessKey& key, const ClosenessRows& found);
/// Throws HW-RESUME (input) where there is nothing kept, it belongs to something else, or was changed.
ClosenessRows resume_rows(const std::string& output, const ClosenessKey& key, std::size_t sources);

/// Keeps a document beside OUTPUT, with a checksum.
void write_part(const std::string& output, Json json);
/// What an ended run has kept beside OUTPUT, which must be of this kind and belong to this run; throws HW-RESUME.
Json read_part(const std::string& output, const char* schema, const ClosenessKey& key);
/// Throws HW-RESUME.
[[noreturn]] void cannot_resume(const std::string& file, std::string found, std::string expected);
Json row_json(const SourceDistances& row);
/// Throws Json::exception.
SourceDistances row_of(const Json& json);

/// The kept rows are not needed any more.
void forget_rows(const std::string& output);

/// Throws HW-FORMAT-WRITE for a name that asks for another format.
void check_closeness_output(const std::string& output);
/// Rows of id, closeness, harmonic, eccentricity, reached and distance_sum; .csv with a header row, others with a comment.
void write_closeness(const std::string& output, const Graph& graph, const std::vector<VertexId>& sources,
                     const std::vector<SourceDistances>& rows, const Context& context);

}  // namespace hopwave::cli

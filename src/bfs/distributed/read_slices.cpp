#include "bfs/distributed/read_slices.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "bfs/distributed/agree.h"
#include "core/stopwatch.h"
#include "io/hwg.h"
#include "io/hwg_bytes.h"
#include "io/hwg_slice.h"

namespace hopwave::ranks {
namespace {

/// As load_graph() decides whether a stored graph is used as it is.
bool is_as_asked(const io::HwgSlices& file, const ReadOptions& read, const BuildOptions& build) {
  const bool extra = file.has("extra.sources");
  if (extra && (build.keep_duplicates || build.keep_self_loops)) return false;
  if ((read.undirected || build.make_undirected) && file.header().directed != 0) return false;
  const io::HwgHistory past = file.history();
  const BuildReport& was = extra ? past.parted : past.build;
  return !(!build.keep_duplicates && was.duplicates_kept && was.duplicates > 0) &&
         !(!build.keep_self_loops && was.self_loops_kept && was.self_loops > 0);
}

class Reader {
 public:
  Reader(Transport& transport, const io::HwgSlices& file, const Cut& cut)
      : transport_(transport), file_(file), cut_(cut), rank_(transport.rank()) {}

  Rows rows(const std::string& direction) {
    const VertexId begin = cut_.begin(rank_), end = cut_.end(rank_);
    const bool last = rank_ + 1 == transport_.size();  // it has the offset after the last row
    io::HwgSlices::Part<EdgeIndex> offsets;
    agree(transport_, [&] { offsets = file_.offsets(direction + ".offsets", begin, end + (last ? 1u : 0u), last ? 0 : 1); });
    check_sums(direction + ".offsets", offsets.sums);
    io::HwgSlices::Part<VertexId> neighbors;
    agree(transport_, [&] {
      check_offsets(offsets.values, last);
      const EdgeIndex first = offsets.values[0];
      neighbors = file_.neighbors(direction + ".neighbors", first, offsets.values[end - begin]);
      for (EdgeIndex& offset : offsets.values) offset -= first;
    });
    check_sums(direction + ".neighbors", neighbors.sums);
    agree(transport_, [&] {
      const auto n = static_cast<VertexId>(file_.header().vertices);
      if (std::any_of(neighbors.values.begin(), neighbors.values.end(), [&](VertexId v) { return v >= n; })) refuse();
    });
    Rows rows{std::move(offsets.values), std::move(neighbors.values)};
    agree(transport_, [&] {
      // The owners of neighbours are found in one go along a row: out of order, they would get vertices of others.
      for (VertexId row = 0; row < end - begin; ++row)
        if (!std::ranges::is_sorted(rows.row(row))) refuse();
    });
    return rows;
  }

 private:
  void check_offsets(const Array<EdgeIndex>& offsets, bool last) const {
    if (!std::is_sorted(offsets.begin(), offsets.end()) || offsets[offsets.size() - 1] > file_.header().arcs ||
        (rank_ == 0 && offsets[0] != 0) || (last && offsets[offsets.size() - 1] != file_.header().arcs))
      refuse();
  }

  [[noreturn]] void refuse() const {
    io::fail_hwg(file_.name(), "HW-HWG-ARRAYS", "arrays that are no graph",
                 "offsets that never fall and neighbours that exist, in ascending order");
  }

  /// Pieces in order of the ranks that summed them up are the pieces in order.
  void check_sums(const std::string& section, const io::HwgSlices::Sums& sums) {
    const std::vector<std::uint64_t>& mine = sums.own;
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(transport_.size()));
    counts[static_cast<std::size_t>(rank_)] = mine.size();
    transport_.all_reduce(counts, Reduce::sum);
    std::uint64_t all = 0;
    for (const std::uint64_t count : counts) all += count;
    std::vector<std::uint64_t> of_all(all);
    transport_.all_gather<std::uint64_t>(mine, of_all, counts);
    agree(transport_, [&] { file_.check(section, of_all, sums.others); });
  }

  Transport& transport_;
  const io::HwgSlices& file_;
  const Cut& cut_;
  const int rank_;
};

About about(const io::HwgSlices& file) {
  About about;
  about.ids = file.ids();
  io::HwgHistory past = file.history();
  about.build = file.has("extra.sources") ? past.parted : past.build;
  about.read.source = file.name();
  about.read.format = "hwg";
  about.read.details = std::move(past.details);
  about.read.repairs = std::move(past.repairs);
  about.read.bytes = about.read.text_bytes = file.file_bytes();
  about.read.rows = file.header().arcs + file.extra_arcs();
  if (file.header().default_source != io::hwg::no_source)
    about.default_source = static_cast<VertexId>(file.header().default_source);
  return about;
}

bool may_be_sliced(const std::string& path, const ReadOptions& read) {
  return (read.format.empty() || read.format == "hwg") && !read.drop_zeros && !read.directed &&
         !read.bipartite.value_or(false) && io::is_hwg_file(path);
}

}  // namespace

bool has_slices(const std::string& path, const ReadOptions& read, const BuildOptions& build) {
  return may_be_sliced(path, read) && is_as_asked(io::HwgSlices(path), read, build);
}

std::optional<Sliced> read_slices(Transport& transport, const std::string& path, const ReadOptions& read,
                                  const BuildOptions& build) {
  const core::Stopwatch watch;
  // A rank without the file would not know that it is a .hwg: rank 0 says so.
  std::vector<std::uint64_t> first{may_be_sliced(path, read) ? std::uint64_t{1} : 0};
  transport.broadcast(0, first);
  if (first[0] == 0) return std::nullopt;
  std::unique_ptr<io::HwgSlices> file;
  agree(transport, [&] { file = std::make_unique<io::HwgSlices>(path); });
  first = {file->header().checksum};
  transport.broadcast(0, first);
  agree(transport, [&] {
    if (first[0] != file->header().checksum)
      throw Error({.id = "HW-RANKS-FILE",
                   .where = {.file = path},
                   .found = "another file than rank 0 sees under this name",
                   .expected = "the same file on all machines"});
  });
  bool as_asked = false;
  agree(transport, [&] { as_asked = is_as_asked(*file, read, build); });
  if (!as_asked) return std::nullopt;

  Sliced sliced;
  std::vector<VertexId> cut;
  agree(transport, [&] {
    if (transport.rank() != 0) return;
    cut = Cut::balanced(transport.size(), static_cast<VertexId>(file->header().vertices), [&](VertexId v) {
            return file->arcs_before(v);
          }).first();
    sliced.about = about(*file);
  });
  transport.broadcast(0, cut);
  Share& share = sliced.share;
  share.cut = Cut(std::move(cut));
  share.rank = transport.rank();
  share.directed = file->header().directed != 0;
  share.num_arcs = file->header().arcs;
  Reader reader(transport, *file, share.cut);
  share.out = reader.rows("out");
  if (share.directed && file->has("in.offsets")) share.in = reader.rows("in");
  sliced.about.read.read = watch.elapsed();
  return sliced;
}

}  // namespace hopwave::ranks

// A thread's knowledge is shared by all that met with it: a barrier makes one new object for all its threads.
#include "simulator/race_finder.h"

#include <algorithm>
#include <utility>

#include "core/mix.h"

namespace hopwave::sim {

namespace {
bool writes(Touch touch) { return touch != Touch::read && touch != Touch::atomic_read && touch != Touch::acquire; }
bool is_atomic(Touch touch) { return touch != Touch::read && touch != Touch::write; }
/// Of 64 bits 32, which differ where they do, but for one in four billion.
u32 folded(u64 bits) { return bits >> 32 ? static_cast<u32>(core::mix(bits)) : static_cast<u32>(bits); }
template <class Moment>
void raise(Moment& into, Moment to) {
  into = std::max(into, to);
}
}  // namespace

void RaceFinder::begin(Races& into, const device::LaunchShape& shape, std::size_t slots) {
  into_ = &into;
  now_ = 1;
  block_size_ = shape.block;
  cluster_ = std::max(1u, shape.cluster);
  constexpr std::size_t most_pages = 1 << 14;  // of other launches' memory
  if (++launch_ == 0 || pages_.size() > most_pages) {
    pages_.clear();
    std::ranges::fill(recent_, Recent{});
    launch_ = 1;
  }
  places_.clear();
  fences_.reset();
  releases_.clear();
  start_ = std::make_shared<const Known>();
  known_.assign(slots * shape.block, start_);
}

void RaceFinder::begin_block(std::size_t first, std::size_t threads) { std::fill_n(&known_[first], threads, start_); }

// ---- accesses ----------------------------------------------------------------------------------------------------------

RaceFinder::Cell& RaceFinder::cell(std::uintptr_t word) {
  const std::uintptr_t number = word / page_cells;
  Recent& recent = recent_[number % recent_pages];
  if (recent.number != number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    recent = {number, page.get()};
  }
  Cell& cell = recent.page->cells[word % page_cells];
  if (cell.launch != launch_) cell = {launch_, 0};
  return cell;
}

bool RaceFinder::before(const Seen& seen, const ThreadView& view, const Known& known) const {
  if (seen.when < known.all) return true;
  if (seen.block == view.block) {
    if (seen.thread == view.thread || seen.when < known.block || seen.when < known.warps[seen.thread / lanes]) return true;
    if (seen.thread / lanes == view.warp && seen.when < known.lanes[seen.thread % lanes]) return true;
  }
  if (seen.block / cluster_ == view.block / cluster_ && seen.when < known.cluster) return true;
  if (!known.others) return false;
  const Others& others = *known.others;
  if (seen.when < others.all) return true;
  if (const auto at = others.blocks.find(seen.block); at != others.blocks.end() && seen.when < at->second) return true;
  const auto at = others.threads.find(u64{seen.block} * block_size_ + seen.thread);
  return at != others.threads.end() && seen.when < at->second;
}

void RaceFinder::access_word(std::size_t thread, const ThreadView& view, std::uintptr_t key, const Place& made, bool shared) {
  Cell& word = cell(key);
  const Seen& mine = made.seen[0];
  Place* own = nullptr;
  for (u32 i = word.places; i; i = places_[i - 1].next) {
    Place& place = places_[i - 1];
    if (place.touch == made.touch && place.mask == made.mask && place.at.line() == made.at.line() && place.at == made.at)
      own = &place;
    if (!(place.mask & made.mask) || (!writes(place.touch) && !writes(made.touch)) ||
        (is_atomic(place.touch) && is_atomic(made.touch)))
      continue;
    for (u32 k = 0; k < 1u + place.two; ++k) {
      const Seen& other = place.seen[k];
      // Another cluster's shared memory was at this address.
      if (shared && other.block / cluster_ != view.block / cluster_) continue;
      if (before(other, view, *known_[thread])) continue;
      const bool different = writes(place.touch) && writes(made.touch) ? other.now != mine.now
                             : writes(made.touch)                      ? other.now != mine.now
                                                                       : other.old != other.now;
      into_->add({place.at, other.block, other.thread, writes(place.touch), is_atomic(place.touch)},
                 {made.at, view.block, view.thread, writes(made.touch), is_atomic(made.touch)}, shared, different);
      break;
    }
  }
  if (!own) {
    places_.push_back(made);
    places_.back().next = word.places;
    word.places = static_cast<u32>(places_.size());
    return;
  }
  if (own->seen[0].thread != mine.thread || own->seen[0].block != mine.block) {
    own->seen[1] = own->seen[0];
    own->two = true;
  }
  own->seen[0] = mine;
}

void RaceFinder::access(std::size_t thread, const ThreadView& view, const void* p, u32 bytes, Touch touch, u64 old, u64 now,
                        bool shared, const SourceLocation& at) {
  Place made{.touch = touch, .at = at, .seen = {{view.block, view.thread, now_, folded(old), folded(now)}}};
  const auto first = reinterpret_cast<std::uintptr_t>(p);
  for (std::uintptr_t byte = first; byte < first + bytes;) {
    const std::uintptr_t end = std::min(first + bytes, (byte | 3) + 1);
    made.mask = static_cast<unsigned char>(((1u << (end - byte)) - 1) << (byte & 3));
    access_word(thread, view, byte >> 2, made, shared);
    byte = end;
  }
  if (touch == Touch::acquire) {
    if (const auto from = releases_.find(first); from != releases_.end()) acquire(thread, from->second);
  } else if (touch == Touch::release) {
    releases_[first] = released(thread, view);
  } else if (touch == Touch::release_atomic) {
    join(releases_[first], released(thread, view));
  }
}

// ---- order -------------------------------------------------------------------------------------------------------------

void RaceFinder::join(std::shared_ptr<const Others>& into, const std::shared_ptr<const Others>& more) {
  if (!more || into == more) return;
  if (!into) {
    into = more;
    return;
  }
  auto both = std::make_shared<Others>(*into);
  raise(both->all, more->all);
  for (const auto& [block, moment] : more->blocks) raise(both->blocks[block], moment);
  for (const auto& [one, moment] : more->threads) raise(both->threads[one], moment);
  into = std::move(both);
}

void RaceFinder::join_times(Known& into, const Known& more) {
  raise(into.all, more.all);
  raise(into.cluster, more.cluster);
  raise(into.block, more.block);
  for (u32 w = 0; w < max_warps; ++w) raise(into.warps[w], more.warps[w]);
  join(into.others, more.others);
}

/// What these threads know together, but for lanes of their warps. Threads that met before have the same object.
RaceFinder::Known RaceFinder::joined(std::size_t first, std::size_t threads) const {
  Known all = *known_[first];
  std::fill(std::begin(all.lanes), std::end(all.lanes), 0);
  const Known* last = known_[first].get();
  for (std::size_t t = first + 1; t < first + threads; ++t)
    if (const Known* const one = known_[t].get(); one != last) join_times(all, *(last = one));
  return all;
}

void RaceFinder::give(std::size_t first, std::size_t threads, Known&& known) {
  std::fill_n(&known_[first], threads, std::make_shared<const Known>(std::move(known)));
}

void RaceFinder::meet_block(std::size_t first, std::size_t threads) {
  Known all = joined(first, threads);
  all.block = ++now_;
  give(first, threads, std::move(all));
}

void RaceFinder::meet_part(std::size_t first, std::size_t threads) {
  Known all = joined(first, threads);
  ++now_;
  std::fill_n(all.warps, threads / lanes, now_);
  give(first, threads, std::move(all));
}

void RaceFinder::meet_cluster(std::size_t first, std::size_t threads) {
  Known all = joined(first, threads);
  all.cluster = ++now_;
  all.block = 0;
  std::fill(std::begin(all.warps), std::end(all.warps), 0);
  give(first, threads, std::move(all));
}

void RaceFinder::meet_grid() { give(0, known_.size(), {.all = ++now_}); }

void RaceFinder::meet_warp(std::size_t first_of_warp, u64 mask) {
  Known all;
  ++now_;
  for (u32 lane = 0; lane < lanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const Known& one = *known_[first_of_warp + lane];
    join_times(all, one);
    for (u32 l = 0; l < lanes; ++l) raise(all.lanes[l], one.lanes[l]);
  }
  for (u32 lane = 0; lane < lanes; ++lane)
    if (mask >> lane & 1) all.lanes[lane] = now_;
  const auto common = std::make_shared<const Known>(std::move(all));
  for (u32 lane = 0; lane < lanes; ++lane)
    if (mask >> lane & 1) known_[first_of_warp + lane] = common;
}

/// What the thread has done and knows, for those that acquire it.
std::shared_ptr<const RaceFinder::Others> RaceFinder::released(std::size_t thread, const ThreadView& view) {
  const Known& known = *known_[thread];
  auto made = known.others ? std::make_shared<Others>(*known.others) : std::make_shared<Others>();
  ++now_;
  raise(made->all, known.all);
  if (known.cluster)
    for (u32 rank = 0; rank < cluster_; ++rank) raise(made->blocks[view.block - view.cluster_rank + rank], known.cluster);
  if (known.block) raise(made->blocks[view.block], known.block);
  const u64 first = u64{view.block} * block_size_;
  for (u32 t = 0; t < block_size_; ++t) {
    const Moment warp = known.warps[t / lanes], lane = t / lanes == view.warp ? known.lanes[t % lanes] : 0;
    if (const Moment moment = std::max(warp, lane); moment > known.block) raise(made->threads[first + t], moment);
  }
  made->threads[first + view.thread] = now_;
  return made;
}

void RaceFinder::acquire(std::size_t thread, const std::shared_ptr<const Others>& from) {
  if (!from || known_[thread]->others == from) return;
  auto more = std::make_shared<Known>(*known_[thread]);
  join(more->others, from);
  known_[thread] = std::move(more);
}

/// One order for all fences.
void RaceFinder::fence(std::size_t thread, const ThreadView& view) {
  acquire(thread, fences_);
  fences_ = released(thread, view);
  acquire(thread, fences_);
}

void RaceFinder::take_all(std::size_t thread) {
  auto more = std::make_shared<Known>(*known_[thread]);
  more->all = ++now_;
  known_[thread] = std::move(more);
}

}  // namespace hopwave::sim

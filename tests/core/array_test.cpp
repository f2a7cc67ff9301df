// Array: copies are copies, what is shared cannot be written to, and memory goes back with its last user.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "hopwave/hopwave.h"
#include "support/error_id.h"

namespace hopwave {
namespace of_array_test {

using testing::id_of;

// Nobody can write to a graph, to a preparation or to a table of ids, however it is held.
template <class Values>
constexpr bool writable = !std::is_const_v<std::remove_reference_t<decltype(std::declval<Values&>()[0])>> ||
                          !std::is_const_v<std::remove_pointer_t<decltype(std::declval<Values&>().data())>> ||
                          !std::is_const_v<std::remove_pointer_t<decltype(std::declval<Values&>().begin())>> ||
                          !std::is_const_v<typename decltype(std::declval<Values&>().span())::element_type>;
static_assert(writable<Array<int>> && !writable<const Array<int>>);
static_assert(!writable<Array<const int>>);
static_assert(!writable<decltype(Adjacency::offsets)> && !writable<decltype(Adjacency::neighbors)>);
static_assert(std::is_const_v<std::remove_pointer_t<decltype(std::declval<Weights&>().data())>> &&
              std::is_same_v<decltype(std::declval<Weights&>()[0]), double>);
static_assert(!writable<decltype(Preparation::arrays)::value_type::second_type>);
static_assert(!std::is_constructible_v<Array<int>, Array<const int>>);
static_assert(std::is_nothrow_move_constructible_v<Array<int>> && std::is_nothrow_move_assignable_v<Array<int>>);

TEST(Array, CopiesAreCopies) {
  const Graph g = build_graph(generate("chain:4"));
  const Result r = search(g, {.sources = {0}, .parents = true}, {.run = {.device = DeviceKind::cpu}});
  auto d = r.distance;
  d[2] = 77;
  EXPECT_EQ(r.distance[2], 2);
  Result copy = r;
  copy.parent[3] = 0;
  copy = r;
  copy.distance[1] = 5;
  EXPECT_EQ(r.parent[3], 2u);
  EXPECT_EQ(r.distance[1], 1);
  EdgeList list = generate("chain:4"), other = list;
  other.edges[0].source = 3;
  EXPECT_EQ(list.edges[0].source, 0u);
}

// nonsense: Array::span Array::data Array::begin Array::end Array::size Array::empty
TEST(Array, MovesLeaveAnEmptyArray) {
  auto a = Array<int>::filled(3, 7);
  const int* values = a.data();
  Array<int> b = std::move(a);
  EXPECT_EQ(b.data(), values);
  EXPECT_TRUE(a.empty() && a.size() == 0 && !a.data());   // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(a.begin() == a.end() && a.span().empty());  // NOLINT(bugprone-use-after-move)
  b = Array<int>();
  EXPECT_TRUE(b.empty());
  b = Array<int>::filled(2, 1);
  auto& self = b;
  b = std::move(self);
  EXPECT_EQ(b.size(), 2u);
  b = self;
  EXPECT_EQ(b[1], 1);
}

TEST(Array, WhatIsFilledBecomesWhatIsRead) {
  auto a = Array<int>::filled(3, 7);
  const Array<const int> kept = a;  // the caller goes on with its own
  a[1] = 8;
  EXPECT_EQ(kept[1], 7);
  const int* values = a.data();
  const Array<const int> moved = std::move(a);
  EXPECT_EQ(moved.data(), values);
  const Array<const int> same = moved;
  EXPECT_EQ(same.data(), values);
}

TEST(Array, MemoryGoesBackWithItsLastUser) {
  bool gone = false;
  int values[4] = {1, 2, 3, 4};
  {
    Array<const int> last;
    {
      Array<int> pooled(std::shared_ptr<void>(values, [&](void*) { gone = true; }), values, 4);
      const Array<int> copy = pooled;
      pooled[0] = 9;
      EXPECT_EQ(copy[0], 1);
      const Array<const int> shared = std::move(pooled);
      last = shared;
      last.truncate(2);
      EXPECT_EQ(shared.size(), 4u);
    }
    EXPECT_FALSE(gone);
    EXPECT_EQ(last[0], 9);
  }
  EXPECT_TRUE(gone);
}

/// In a template: there clang 14 never destroys the parameter of an assignment that takes its value from `{}`.
template <class Values>
struct Holder {
  Values values;
  void let_go() { values = {}; }
};

TEST(Array, AssigningNothingGivesMemoryBack) {
  auto owner = std::make_shared<std::vector<int>>(3, 7);
  const std::weak_ptr<std::vector<int>> watch = owner;
  Holder<Array<int>> own{Array<int>(owner, owner->data(), owner->size())};
  Holder<Array<const int>> shared{Array<const int>(owner, owner->data(), owner->size())};
  owner.reset();
  own.let_go();
  EXPECT_TRUE(own.values.empty());
  EXPECT_FALSE(watch.expired()) << "the other array holds it";
  shared.let_go();
  EXPECT_TRUE(shared.values.empty());
  EXPECT_TRUE(watch.expired()) << "leaked";
}

// nonsense: Array::Array Array::copy_of Array::filled Array::at Array::truncate
TEST(Array, RefusesWhatCannotBe) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(id_of([] { Array<std::uint64_t> a(most / 8 + 2); }), "HW-MEMORY");  // 8 bytes, were it not seen
  EXPECT_EQ(id_of([] { Array<char> a(most); }), "HW-MEMORY");
  EXPECT_EQ(id_of([] { (void)Array<std::uint64_t>::filled(most / 8 + 2, 1); }), "HW-MEMORY");
  auto a = Array<int>::filled(3, 7);
  const Array<const int> c = a;
  EXPECT_EQ(a.at(2), 7);
  EXPECT_EQ(id_of([&] { a.at(3) = 1; }), "HW-ARRAY-INDEX");
  EXPECT_EQ(id_of([&] { (void)c.at(most); }), "HW-ARRAY-INDEX");
  EXPECT_EQ(id_of([&] { (void)Array<int>().at(0); }), "HW-ARRAY-INDEX");
  int value = 0;
  EXPECT_EQ(id_of([&] { Array<int>(nullptr, &value, 1); }), "HW-ARRAY-OWNER");
  EXPECT_EQ(id_of([&] { Array<const int>(nullptr, nullptr, 1); }), "HW-ARRAY-OWNER");
  a.truncate(most);
  EXPECT_EQ(a.size(), 3u);
  EXPECT_TRUE(Array<int>::copy_of({}).empty());
  EXPECT_TRUE(Array<int>::filled(0, 1).empty());
}

}  // namespace of_array_test
}  // namespace hopwave

// The device layer on the simulator: buffers, launches, timers, and errors wherever a call fails.
#include "device/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "device/kernel.h"
#include "hopwave/error.h"
#include "simulator/scheduler.h"
#include "support/error_id.h"

namespace hopwave::device {
namespace of_device_test {

namespace dev = sim::dev;
using u32 = std::uint32_t;
using testing::id_of;
using u64 = std::uint64_t;

template <class T>
std::vector<T> values_of(const Buffer<T>& buffer) {
  std::vector<T> values(buffer.size());
  buffer.download(values);
  return values;
}

u64 live_allocations(const Device& device) { return static_cast<sim::Scheduler*>(device.stream())->live_allocations; }

// ---- device and buffers --------------------------------------------------------------------------------------------------

TEST(Device, IsThereFourTimes) {
  Device device(*sim_api());
  EXPECT_EQ(device.properties().name, "simulator");
  EXPECT_TRUE(device.properties().cooperative && device.properties().clusters);
  EXPECT_EQ(device.properties().lanes, static_cast<int>(dev::lanes));
  EXPECT_EQ(id_of([] { Device(*sim_api(), {.ordinal = 4}); }), "HW-DEVICE-NONE");
  EXPECT_EQ(Device(*sim_api(), {.ordinal = 3}).properties().name, "simulator");
  EXPECT_EQ(id_of([] { Device(*sim_api(), {.ordinal = -1}); }), "HW-DEVICE-NONE");
}

TEST(Buffer, CopiesMovesAndReleases) {
  Device device(*sim_api());
  std::vector<u32> values(100);
  std::iota(values.begin(), values.end(), 7u);
  {
    Buffer<u32> a(device, std::span<const u32>(values));
    EXPECT_EQ(values_of(a), values);
    const std::vector<u32> three = {1, 2, 3};
    a.upload(three, 50);
    EXPECT_EQ(a.value(51), 2u);
    EXPECT_EQ(a.value(53), 60u);
    Buffer<u32> b = std::move(a);
    EXPECT_EQ(a.data(), nullptr);  // NOLINT: moved-from is empty
    EXPECT_EQ(b.value(99), 106u);
    Buffer<u32>& same = b;
    b = std::move(same);
    EXPECT_EQ(b.size(), 100u);
    b = Buffer<u32>(device, 3);
    b.fill_bytes(0);
    EXPECT_EQ(values_of(b), std::vector<u32>(3, 0));
    Buffer<u32> none(device, 0);
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(live_allocations(device), 1u);
  }
  EXPECT_EQ(live_allocations(device), 0u);
}

TEST(Buffer, WaitsAreCounted) {
  Device device(*sim_api());
  Buffer<u32> a(device, 4);
  a.fill_bytes(1);
  const u64 before = device.round_trips();
  EXPECT_EQ(a.value(3), 0x01010101u);
  device.wait();
  EXPECT_EQ(device.round_trips() - before, 2u);
}

TEST(Buffer, TooLargeSaysHowMuch) {
  Device device(*sim_api());
  try {
    Buffer<char> huge(device, std::size_t{1} << 50);
    FAIL() << "a petabyte was granted";
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "HW-DEVICE-MEMORY");
    EXPECT_EQ(e.failure(), Failure::does_not_fit);
    EXPECT_NE(std::string(e.what()).find("1.0 PiB"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("free"), std::string::npos) << e.what();
  }
}

// ---- launches ------------------------------------------------------------------------------------------------------------

struct Pair {
  u32 a;
  double b;
};
void store_arguments(double* out, u32 a, double b, bool c, Pair d, const u32* e, u64 f) {
  if (dev::global_thread() != 0) return;
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d.a;
  out[4] = d.b;
  out[5] = *e;
  out[6] = static_cast<double>(f);
}

TEST(Launch, PassesArguments) {
  Device device(*sim_api());
  Buffer<double> out(device, 7);
  Buffer<u32> e(device, 1);
  e.upload(std::vector<u32>{11});
  launch(device, {{.grid = 3, .block = 40}}, store_arguments, out.data(), 3, 0.5f, true, Pair{8, 1.25}, e.data(), 1u << 31);
  EXPECT_EQ(values_of(out), (std::vector<double>{3, .5, 1, 8, 1.25, 11, 2147483648.}));
  EXPECT_EQ(device.launches(), 1u);
}

void indices(u32* out) {
  const u32 i = dev::global_thread();
  out[i] = dev::block() * 1000000 + dev::thread() * 100 + dev::warp() * 10 + (dev::lane() == dev::thread() % dev::lanes) +
           2 * (dev::global_threads() == dev::grid_size() * dev::block_size());
}

TEST(Launch, RunsEveryThreadOnce) {
  for (const u32 block : {1u, 31u, 32u, 33u, 255u, 1024u}) {
    Device device(*sim_api());
    Buffer<u32> out(device, 5 * block);
    launch(device, {{.grid = 5, .block = block}}, indices, out.data());
    const auto got = values_of(out);
    for (u32 i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], i / block * 1000000 + i % block * 100 + i % block / dev::lanes * 10 + 3) << block << " " << i;
  }
}

void nothing() {}

TEST(Launch, RefusesWhatDoesNotFit) {
  Device device(*sim_api());
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = 0, .block = 32}}, nothing); }), "HW-DEVICE-CALL");
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = 1, .block = 0}}, nothing); }), "HW-DEVICE-CALL");
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = 1, .block = 1025}}, nothing); }), "HW-DEVICE-CALL");
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = 1, .block = 32, .shared_bytes = 300000}}, nothing); }), "HW-DEVICE-CALL");
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = 3, .block = 32, .cluster = 2}}, nothing); }), "HW-DEVICE-CALL");
  const u32 most = device.resident_grid(reinterpret_cast<const void*>(nothing), 256);
  EXPECT_GE(most, 4u);
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = most + 1, .block = 256, .cooperative = true}}, nothing); }), "HW-DEVICE-CALL");
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = most, .block = 256, .cooperative = true}}, nothing); }), "none");
  EXPECT_EQ(device.largest_cluster(reinterpret_cast<const void*>(nothing), 16, 256, 1000), 16u);
  EXPECT_EQ(device.largest_cluster(reinterpret_cast<const void*>(nothing), 16, 1024, 1000), 4u);
  EXPECT_EQ(id_of([&] { launch(device, {{.grid = 8, .block = 1024, .cluster = 8}}, nothing); }), "HW-DEVICE-CALL");
  EXPECT_EQ(device.largest_cluster(reinterpret_cast<const void*>(nothing), 12, 256, 1000), 8u);
}

void throws() {
  if (dev::thread() == 5) throw std::runtime_error("from a kernel");
  dev::sync_block();
}

TEST(Launch, PassesExceptionsOnAndGoesOn) {
  Device device(*sim_api());
  for (int i = 0; i < 3; ++i) EXPECT_THROW(launch(device, {{.grid = 2, .block = 64}}, throws), std::runtime_error);
  Buffer<u32> out(device, 64);
  launch(device, {{.grid = 1, .block = 64}}, indices, out.data());
  EXPECT_EQ(out.value(63) / 100, 63u);
}

// ---- timers that start with a launch -------------------------------------------------------------------------------------

std::string told;  ///< what the backend was asked for, in order
Api telling_api() {
  Api api = *sim_api();
  api.event_record = [](EventHandle event, StreamHandle stream) {
    told += "record ";
    return sim_api()->event_record(event, stream);
  };
  api.launch = [](const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, StreamHandle stream) {
    told += "launch ";
    return sim_api()->launch(shape, kernel, arguments, thunk, stream);
  };
  api.fill = [](void* p, int byte, std::size_t bytes, StreamHandle stream) {
    told += "fill ";
    return sim_api()->fill(p, byte, bytes, stream);
  };
  api.launch_between = [](void** kept, EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel,
                          void** arguments, Thunk thunk, StreamHandle stream) {
    told += "between ";
    return sim_api()->launch_between(kept, from, to, shape, kernel, arguments, thunk, stream);
  };
  return api;
}

TEST(Timer, StartsAndStopsWithALaunchThatStandsAlone) {
  const Api together = telling_api();
  Api apart = together;
  apart.launch_between = nullptr;
  Device device(together), plain(apart);
  const auto told_by = [](Device& d, int fills_before, int launches, int fills_after) {
    Buffer<u32> a(d, 64);
    Timer timer(d);
    told.clear();
    timer.start_with_launch();
    for (int i = 0; i < fills_before; ++i) a.fill_bytes(0);
    for (int i = 0; i < launches; ++i) launch(d, {{.grid = 1, .block = 64}}, indices, a.data());
    for (int i = 0; i < fills_after; ++i) a.fill_bytes(0);
    timer.stop();
    EXPECT_GE(timer.elapsed(), Milliseconds());
    return told;
  };
  EXPECT_EQ(told_by(device, 0, 1, 0), "between ");
  EXPECT_EQ(told_by(device, 0, 2, 0), "between launch record ");
  EXPECT_EQ(told_by(device, 0, 1, 1), "between fill record ");
  EXPECT_EQ(told_by(device, 1, 1, 0), "record fill launch record ");
  EXPECT_EQ(told_by(device, 0, 0, 0), "record record ");
  EXPECT_EQ(told_by(plain, 0, 1, 0), "record launch record ");
  {
    Timer forgotten(device);
    forgotten.start_with_launch();
  }
  told.clear();
  launch(device, {{}}, nothing);
  EXPECT_EQ(told, "launch ");
}

TEST(Wait, EndsWithWhatALaunchWritesOrAnError) {
  Device device(*sim_api());
  HostValue<u64> box(device);
  const u64 before = device.round_trips();
  device.wait_until([&] { return *box.data() == 0; });
  EXPECT_EQ(device.round_trips() - before, 1u);
  EXPECT_EQ(id_of([&] { device.wait_until([&] { return *box.data() != 0; }); }), "HW-DEVICE-CALL");
}

// ---- failing calls -------------------------------------------------------------------------------------------------------

void add_one(u32* p, u32 n) {
  const u32 i = dev::global_thread();
  if (i < n) dev::fetch_add(&p[i], 1u);
}

/// A small program that uses each kind of call.
u32 program(Device& device) {
  const std::vector<u32> values(50, 4);
  Buffer<u32> a(device, std::span<const u32>(values)), b(device, 50);
  Timer timer(device);
  timer.start();
  b.fill_bytes(0);
  device.copy(b.data(), a.data(), 50 * sizeof(u32));
  const u32 grid = std::min(2u, device.resident_grid(reinterpret_cast<const void*>(add_one), 32));
  launch(device, {{.grid = grid, .block = 32}}, add_one, b.data(), 50u);
  device.largest_cluster(reinterpret_cast<const void*>(add_one), 8, 32, 0);
  timer.stop();
  device.wait();
  EXPECT_GE(timer.elapsed(), Milliseconds());
  return b.value(49);
}

TEST(Failure, OfAnyCallIsAnErrorAndLeaksNothing) {
  u64 failed = 0;
  for (u64 k = 1;; ++k) {
    Device device(*sim_api());
    device.fail_call(k);
    const std::string id = id_of([&] { EXPECT_EQ(program(device), 5u); });
    EXPECT_EQ(live_allocations(device), 0u) << k;
    if (id == "none") break;
    ++failed;
    EXPECT_TRUE(id == "HW-DEVICE-CALL" || id == "HW-DEVICE-MEMORY") << k << ": " << id;
    EXPECT_EQ(program(device), 5u) << "the device must go on working after call " << k;
  }
  EXPECT_EQ(failed, 15u);
}

// A backend whose third launch breaks the device for good.
int broken_calls = 0;
bool broken = false;
Status breaking_launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, StreamHandle stream) {
  ++broken_calls;
  if (broken_calls == 3) broken = true;
  return broken ? 700 : sim_api()->launch(shape, kernel, arguments, thunk, stream);
}
Status counting_release(void* p, StreamHandle stream) {
  broken_calls += broken ? 100 : 0;
  return sim_api()->release(p, stream);
}

TEST(Failure, ThatSticksEndsTheDevice) {
  broken_calls = 0;
  broken = false;
  Api api = *sim_api();
  api.launch = breaking_launch;
  api.release = counting_release;
  api.is_sticky = [](Status s) { return s == 700; };
  std::vector<void*> left;
  {
    Device device(api);
    Buffer<u32> a(device, 10);
    left.push_back(a.data());
    left.push_back(device.stream());
    a.fill_bytes(0);
    launch(device, {{}}, add_one, a.data(), 10u);
    launch(device, {{}}, add_one, a.data(), 10u);
    EXPECT_EQ(id_of([&] { launch(device, {{}}, add_one, a.data(), 10u); }), "HW-DEVICE-LOST");
    EXPECT_EQ(id_of([&] { launch(device, {{}}, add_one, a.data(), 10u); }), "HW-DEVICE-LOST");
    EXPECT_EQ(id_of([&] { (void)a.value(0); }), "HW-DEVICE-LOST");
    EXPECT_EQ(id_of([&] { Buffer<u32> more(device, 1); }), "HW-DEVICE-LOST");
    EXPECT_EQ(id_of([&] { Timer timer(device); }), "HW-DEVICE-LOST");
  }
  EXPECT_EQ(broken_calls, 3) << "a lost device must be left alone";
  sim_api()->release(left[0], left[1]);
  sim_api()->stream_destroy(left[1]);
}

TEST(Failure, WithoutADriverIsAnError) {
  Api api = *sim_api();
  api.device_count = [](int* count) { return *count = 0, 0; };
  EXPECT_EQ(id_of([&] { Device device(api); }), "HW-DEVICE-NONE");
  api.device_count = [](int*) { return 35; };
  EXPECT_EQ(id_of([&] { Device device(api); }), "HW-DEVICE-NONE");
}

TEST(Failure, OfARealDeviceIsClean) {
  if (!cuda_api()) GTEST_SKIP() << "this build has no CUDA";
  const std::string id = id_of([] { Device device(*cuda_api()); });
  EXPECT_TRUE(id == "none" || id == "HW-DEVICE-NONE") << id;
}

}  // namespace of_device_test
}  // namespace hopwave::device

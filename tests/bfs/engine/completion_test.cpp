// Letters from a launch to the host, in the simulator: whole, the newest, and none when the launch before them failed.
#include "bfs/engine/completion.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "hopwave/error.h"

namespace hopwave::sim::engine {
namespace of_completion_test {

struct Words {
  dev::u32 word[75];  // more than a warp writes at once
  bool operator==(const Words&) const = default;
};

void fill(Words* to, dev::u32 first) {
  for (dev::u32 i = dev::thread(); i < 75; i += dev::block_size()) to->word[i] = first + i;
}
void fails(Words*) { throw std::runtime_error("from a kernel"); }

Words counted(dev::u32 first) {
  Words words;
  for (dev::u32 i = 0; i < 75; ++i) words.word[i] = first + i;
  return words;
}

TEST(Completion, BringsTheNewestLetterWhole) {
  device::Device device(*device::sim_api());
  device::Buffer<Words> said(device, 1);
  Completion<Words> completion(device);
  for (dev::u32 i = 0; i < 5; ++i) {
    device::launch(device, {{.grid = 1, .block = 40}}, fill, said.data(), i * 1000);
    completion.send(said.data());
    if (i % 2) continue;  // not every record is taken
    EXPECT_EQ(completion.take(), counted(i * 1000));
    EXPECT_EQ(completion.take(), counted(i * 1000)) << "it stays until the next";
  }
  Completion<Words> other(device);
  other = std::move(completion);
  EXPECT_EQ(other.take(), counted(4000));
}

TEST(Completion, IsNotThereWhenItWasNotSent) {
  device::Device device(*device::sim_api());
  device::Buffer<Words> said(device, 1);
  said.fill_bytes(0);
  Completion<Words> completion(device);
  EXPECT_THROW(device::launch(device, {{.grid = 1, .block = 1}}, fails, said.data()), std::runtime_error);
  device.fail_call(1);
  EXPECT_THROW(completion.send(said.data()), Error);
  EXPECT_THROW((void)completion.take(), Error) << "an older record must not be taken for it";
  completion.send(said.data());
  EXPECT_EQ(completion.take(), Words{});
}

}  // namespace of_completion_test
}  // namespace hopwave::sim::engine

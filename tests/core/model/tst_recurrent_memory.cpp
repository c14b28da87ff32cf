// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recurrent_memory.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Counts the steps of a memory. The input at position p is 2^p and a state is the sum of
/// its inputs, so the bits of a state show its positions.
struct Counted {
  Counted() : memory(at::zeros({10, 1}, at::kDouble), 3) {
    memory.write(0, at::pow(2.0, at::arange(10, at::kDouble)).view({10, 1}));
  }
  RecurrentMemory::Step step() {
    return [this](const Tensor& state, const Tensor& inputs) {
      ++steps;
      widest = std::max(widest, inputs.size(0));
      const Tensor newest = inputs.select(0, inputs.size(0) - 1);
      return state.defined() ? state + newest : newest.clone();
    };
  }
  double after(std::int64_t from, std::int64_t end) {
    const Tensor state = memory.state(from, end, step());
    return state.defined() ? state.item<double>() : 0.0;
  }
  double of(const std::vector<std::int64_t>& positions) {
    return memory.state(positions, step()).item<double>();
  }

  RecurrentMemory memory;
  int steps = 0;
  std::int64_t widest = 0;
};

}  // namespace

class tst_recurrent_memory : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void memoryContinuesFromAHeldState();
  void aPositionMayBeWrittenAgainAndAgain();
  void earlierStatesAreComputedFromTheInputs();
  void subsetsOfInputsContinueFromAHeldState();
  void newInputsDiscardLaterStates();
  void recentReturnsTheConvolutionsInputs();
  void recentInputsSufficeOnlyForAGrowingText();
};

void tst_recurrent_memory::memoryContinuesFromAHeldState() {
  Counted counted;
  QCOMPARE(counted.after(0, 4), 15.0);
  QCOMPARE(counted.steps, 4);
  QCOMPARE(counted.after(0, 6), 63.0);
  QCOMPARE(counted.after(0, 5), 31.0);  // the previous state is held, too
  QCOMPARE(counted.steps, 6);
  QCOMPARE(counted.widest, std::int64_t{3});
  QCOMPARE(counted.after(0, 0), 0.0);
}

/// One step suffices each time, from the held state before the position.
void tst_recurrent_memory::aPositionMayBeWrittenAgainAndAgain() {
  Counted counted;
  counted.after(0, 8);
  for (int again = 1; again <= 4; ++again) {
    counted.memory.write(7, at::full({1, 1}, 128.0, at::kDouble));
    QCOMPARE(counted.after(0, 8), 255.0);
    QCOMPARE(counted.steps, 8 + again);
  }
}

void tst_recurrent_memory::earlierStatesAreComputedFromTheInputs() {
  Counted counted;
  counted.after(0, 8);
  QCOMPARE(counted.after(0, 3), 7.0);
  QCOMPARE(counted.steps, 8 + 3);
  QCOMPARE(counted.after(2, 4), 12.0);
}

void tst_recurrent_memory::subsetsOfInputsContinueFromAHeldState() {
  Counted counted;
  QCOMPARE(counted.of({0, 2, 3}), 13.0);
  QCOMPARE(counted.of({0, 2, 3, 7}), 141.0);
  QCOMPARE(counted.steps, 4);
  QCOMPARE(counted.of({0, 2}), 5.0);
  QCOMPARE(counted.of({1}), 2.0);
  QCOMPARE(counted.steps, 4 + 2 + 1);
}

void tst_recurrent_memory::newInputsDiscardLaterStates() {
  Counted counted;
  counted.after(0, 6);
  counted.of({1, 4});
  counted.memory.write(4, at::full({1, 1}, 1000.0, at::kDouble));
  QCOMPARE(counted.after(0, 5), 1015.0);
  QCOMPARE(counted.of({1, 4}), 1002.0);
}

void tst_recurrent_memory::recentReturnsTheConvolutionsInputs() {
  const Counted counted;
  QCOMPARE(counted.memory.recent(0, 5).sum().item<double>(), 8.0 + 16.0);
  QCOMPARE(counted.memory.recent(4, 5).sum().item<double>(), 16.0);
  QCOMPARE(counted.memory.recent(0, 0).size(0), std::int64_t{0});
  QCOMPARE(counted.memory.recent({1, 5, 7}).sum().item<double>(), 32.0 + 128.0);
}

/// With a kernel of 4, the last three inputs suffice, however long the text is.
void tst_recurrent_memory::recentInputsSufficeOnlyForAGrowingText() {
  RecurrentMemory all(at::zeros({20, 1}, at::kDouble), 4);
  RecurrentMemory recent(at::zeros({3, 1}, at::kDouble), 4, HeldInputs::Recent);
  const auto write = [&](std::int64_t first, std::int64_t count) {
    const Tensor inputs =
        at::pow(2.0, at::arange(first, first + count, at::kDouble)).view({count, 1});
    for (RecurrentMemory* memory : {&all, &recent}) {
      memory->write(first, inputs);
      memory->keep(0, first + count, at::full({1}, double(first + count), at::kDouble));
    }
  };
  const RecurrentMemory::Step never = [](const Tensor& state, const Tensor&) {
    return state;
  };
  for (const auto& [first, count] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 2}, {2, 1}, {3, 7}, {10, 1}, {11, 2}, {13, 5}}) {
    write(first, count);
    const std::int64_t end = first + count;
    QVERIFY(at::equal(recent.recent(0, end), all.recent(0, end)));
    for (RecurrentMemory* memory : {&all, &recent})
      QCOMPARE(memory->state(0, end, never).item<double>(), double(end));
  }
  const std::vector<std::int64_t> chosen{0, 2};
  QCOMPARE(all.recent(chosen).size(0), std::int64_t{2});
  QVERIFY_THROWS_EXCEPTION(std::logic_error, recent.recent(chosen));
  QVERIFY_THROWS_EXCEPTION(std::logic_error, recent.state(chosen, never));
  for (RecurrentMemory* memory : {&all, &recent})
    QVERIFY_THROWS_EXCEPTION(std::logic_error,
                             memory->write(0, at::zeros({1, 2}, at::kDouble)));
  QVERIFY_THROWS_EXCEPTION(std::logic_error, recent.state(0, 6, never));
  QVERIFY_THROWS_EXCEPTION(std::logic_error, recent.recent(0, 9));
  write(0, 1);  // a new text begins
  QVERIFY(at::equal(recent.recent(0, 1), all.recent(0, 1)));
}

EQUIPATCH_TEST(tst_recurrent_memory)
#include "tst_recurrent_memory.moc"

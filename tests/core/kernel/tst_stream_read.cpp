// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/stream_read.h"

#include <cstring>
#include <vector>

#include "core/base/random.h"
#include "core/kernel/threads.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_stream_read : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { setKernelThreads(1); }
  void readsEveryWordOnce_data();
  void readsEveryWordOnce();
};

void tst_stream_read::readsEveryWordOnce_data() {
  QTest::addColumn<int>("bytes");
  QTest::addColumn<int>("threads");
  for (const int bytes : {0, 7, 8, 255, 256, 1000, 100'003, 3'000'001})
    for (const int threads : {1, 2, 5})
      QTest::addRow("%d on %d", bytes, threads) << bytes << threads;
}

void tst_stream_read::readsEveryWordOnce() {
  QFETCH(int, bytes);
  QFETCH(int, threads);
  setKernelThreads(threads);
  Random random(static_cast<std::uint64_t>(bytes));
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes));
  for (std::byte& byte : memory) byte = static_cast<std::byte>(random.next());
  std::uint64_t expected = 0;
  for (std::size_t at = 0; at + 8 <= memory.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, memory.data() + at, 8);
    expected ^= word;
  }
  QCOMPARE(streamRead(memory), expected);
  QCOMPARE(streamRead(memory, StreamSpacing::Near), expected);
}

EQUIPATCH_TEST(tst_stream_read)
#include "tst_stream_read.moc"

#include <dlfcn.h>

#include "core/text/sentencepiece/sentencepiece_library.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sentencepiece_loader : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void givesSeparateInstances();
  void keepsTheLibrarysSymbolsOutOfTheProgram();
};

void tst_sentencepiece_loader::givesSeparateInstances() {
  const auto first = openSentencePieceLibrary();
  const auto second = openSentencePieceLibrary();
  QVERIFY(first && second);
  QVERIFY(first.get() != second.get());
}

void tst_sentencepiece_loader::keepsTheLibrarysSymbolsOutOfTheProgram() {
  const auto library = openSentencePieceLibrary();
  // Were its Protocol Buffers visible here, libtorch's would be bound to them and crash.
  QVERIFY(!dlsym(RTLD_DEFAULT,
                 "_ZN6google8protobuf11MessageLite13MergeFromImplEPNS0_"
                 "2io16CodedInputStreamENS1_10ParseFlagsE"));
  QVERIFY(!dlsym(RTLD_DEFAULT, "_ZN6google8protobuf2io17CodedOutputStreamD1Ev"));
  QVERIFY(!dlsym(RTLD_DEFAULT, "_ZN13sentencepiece22SentencePieceProcessorC1Ev"));
}

EQUIPATCH_TEST(tst_sentencepiece_loader)
#include "tst_sentencepiece_loader.moc"

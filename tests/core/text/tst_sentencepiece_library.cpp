// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_library.h"

#include <dlfcn.h>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_sentencepiece_library : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void describesItsPieces();
  void encodesWithSpans();
  void reportsAnInvalidModel();
  void reportsPiecesThatItsTrieRefuses();
  void instancesHaveSeparateModels();
  void keepsTheLibrarysSymbolsOutOfTheProgram();

 private:
  std::unique_ptr<SentencePieceLibrary> m_library;
};

void tst_sentencepiece_library::initTestCase() {
  m_library = openSentencePieceLibrary();
  QCOMPARE(m_library->load(readBytes(data("tokenizers/sentencepiece/tokenizer.model"))),
           std::string());
}

void tst_sentencepiece_library::describesItsPieces() {
  QVERIFY(m_library->size() > 256);
  QCOMPARE(m_library->piece(m_library->bos()), std::string("<s>"));
  QVERIFY(m_library->isControl(m_library->bos()));
  QVERIFY(!m_library->isByte(m_library->bos()));
  int unknown = 0;
  for (int id = 0; id < m_library->size(); ++id) unknown += m_library->isUnknown(id);
  QCOMPARE(unknown, 1);
}

void tst_sentencepiece_library::encodesWithSpans() {
  std::vector<SentencePieceLibrary::Piece> pieces;
  QCOMPARE(m_library->encode("the cat", pieces), std::string());
  QVERIFY(!pieces.empty());
  QCOMPARE(pieces.front().begin, std::size_t(0));
  QCOMPARE(pieces.back().end, std::size_t(7));
}

void tst_sentencepiece_library::reportsAnInvalidModel() {
  QVERIFY(!openSentencePieceLibrary()->load("no model").empty());
}

/// The library throws its own exception for a piece that begins with a null byte.
void tst_sentencepiece_library::reportsPiecesThatItsTrieRefuses() {
  const std::string unknown("\x0a\x09\x0a\x05<unk>\x18\x02", 11);
  const std::string piece("\x0a\x04\x0a\x02\0a", 6);
  const std::string problem = openSentencePieceLibrary()->load(unknown + piece);
  QVERIFY2(problem.find("zero-length key") != std::string::npos, problem.c_str());
}

void tst_sentencepiece_library::instancesHaveSeparateModels() {
  // Appended fields extend a message's lists: this model has one piece more.
  const std::string larger = readBytes(data("tokenizers/sentencepiece/tokenizer.model")) +
                             std::string("\x0A\x0A\x0A\x03new\x15\0\0\0\0", 12);
  const auto other = openSentencePieceLibrary();
  QCOMPARE(other->load(larger), std::string());
  QCOMPARE(m_library->size(), 400);
  QCOMPARE(other->size(), 401);
  QCOMPARE(other->piece(400), std::string("new"));
}

void tst_sentencepiece_library::keepsTheLibrarysSymbolsOutOfTheProgram() {
  const auto library = openSentencePieceLibrary();
  // If its Protocol Buffers were visible here, libtorch would be bound to them and crash.
  QVERIFY(!dlsym(RTLD_DEFAULT,
                 "_ZN6google8protobuf11MessageLite13MergeFromImplEPNS0_"
                 "2io16CodedInputStreamENS1_10ParseFlagsE"));
  QVERIFY(!dlsym(RTLD_DEFAULT, "_ZN6google8protobuf2io17CodedOutputStreamD1Ev"));
  QVERIFY(!dlsym(RTLD_DEFAULT, "_ZN13sentencepiece22SentencePieceProcessorC1Ev"));
}

EQUIPATCH_TEST(tst_sentencepiece_library)
#include "tst_sentencepiece_library.moc"

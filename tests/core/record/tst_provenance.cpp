// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/provenance.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_provenance : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void onlyWeightsCount();
  void saysWhichFile();
};

namespace {

Provenance one() {
  Provenance origin;
  origin.configSha256 = "c0ffee";
  origin.tensorFiles = {{"a.safetensors", "11"}, {"b.safetensors", "22"}};
  return origin;
}

}  // namespace

void tst_provenance::onlyWeightsCount() {
  Provenance other = one();
  other.program = "9";
  other.processor = "another";
  other.threads = 77;
  other.startTime = "later";
  QCOMPARE(differentWeights(one(), other).size(), 0u);
}

void tst_provenance::saysWhichFile() {
  Provenance other = one();
  other.configSha256 = "decaf";
  other.tensorFiles[1].headerSha256 = "33";
  QCOMPARE(differentWeights(one(), other),
           (std::vector<std::string>{"config.json is another one",
                                     "b.safetensors has another header"}));
  other = one();
  other.tensorFiles.pop_back();
  QCOMPARE(differentWeights(one(), other),
           std::vector<std::string>{"1 tensor files instead of 2"});
}

EQUIPATCH_TEST(tst_provenance)
#include "tst_provenance.moc"

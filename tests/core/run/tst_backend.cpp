// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/backend.h"

#include "core/lab/experiment.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_backend : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void isLoadedOnce();
  void experimentsHaveTheListedNames();
};

void tst_backend::isLoadedOnce() {
  const Backend& first = backend();
  QCOMPARE(&backend(), &first);
  QVERIFY(first.torchVersion().find('.') != std::string::npos);
  first.useThreads(1);
  QCOMPARE(first.threads(), 1);
}

void tst_backend::experimentsHaveTheListedNames() {
  std::vector<std::string> names;
  for (const Experiment& experiment : backend().experiments())
    names.push_back(experiment.name);
  QCOMPARE(names,
           std::vector<std::string>(kExperimentNames.begin(), kExperimentNames.end()));
}

EQUIPATCH_TEST(tst_backend)
#include "tst_backend.moc"

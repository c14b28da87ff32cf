// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <torch/version.h>

#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_torch_backend : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theProgramLoadsThisBackend();
  void forwardPredictsTheComparisonsFirstToken();
};

void tst_torch_backend::theProgramLoadsThisBackend() {
  QCOMPARE(&backend(), equipatchBackend());
  QCOMPARE(backend().torchVersion(), std::string(TORCH_VERSION));
}

void tst_torch_backend::forwardPredictsTheComparisonsFirstToken() {
  const test::TinySession tiny({}, DType::F64);
  const std::vector<TokenId> ids{TokenId(3), TokenId(1), TokenId(4)};
  const auto logits =
      backend().computeLogits(*tiny.session, ids, SiteCapture::LogitsOnly).front();
  const auto last = logits.values.end() - logits.shape.back();
  const auto best = std::max_element(last, logits.values.end()) - last;

  RunRequest request{.prompt = test::tokensOf({3, 1, 4}), .steps = 1};
  const auto comparison = backend().makeComparison(tiny.session, std::move(request));
  SilentProgress silent;
  comparison->prefill(silent);
  QCOMPARE(comparison->step()->contextual.front().id.value, std::int64_t(best));
}

EQUIPATCH_TEST(tst_torch_backend)
#include "tst_torch_backend.moc"

#include "core/backend/torch_session.h"

#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_torch_session : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void holdsTheModelInItsDtype();
  void sixteenBitsMayBeComputedInFloat32();
};

void tst_torch_session::holdsTheModelInItsDtype() {
  const test::TinySession tiny({}, DType::F64);
  const Transformer& transformer = transformerOf(*tiny.session);
  QVERIFY(transformer.arithmetic().dtype() == DType::F64);
  QCOMPARE(transformer.spec().layerCount(), tiny.session->spec().layerCount());
}

void tst_torch_session::sixteenBitsMayBeComputedInFloat32() {
  using test::Computing;
  const auto opened = [](DType dtype, Computing computing) {
    return test::TinySession({}, dtype, computing).session;
  };
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16}) {
    const bool narrow = dtype == DType::BF16 || dtype == DType::F16;
    QVERIFY(!opened(dtype, Computing::Native)->computesFloat32());
    const auto session = opened(dtype, Computing::Float32);
    QCOMPARE(session->computesFloat32(), narrow);
    QVERIFY(!transformerOf(*session).arithmetic().rounds());
  }
}

EQUIPATCH_TEST(tst_torch_session)
#include "tst_torch_session.moc"

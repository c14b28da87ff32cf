// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/run/parity.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

/// A writable copy of a golden folder.
class GoldenCopy {
 public:
  /// @param place folder in tests/data
  explicit GoldenCopy(const char* name, const char* place = "golden") {
    for (const auto& file : fs::directory_iterator(test::data(fs::path(place) / name)))
      fs::copy_file(file.path(), folder() / file.path().filename());
    for (const auto& file : fs::directory_iterator(folder()))
      fs::permissions(file.path(), fs::perms::owner_all);
  }
  fs::path folder() const { return m_folder.path().toStdString(); }

  /// Overwrites the four bytes that begin `fromEnd` bytes before the end of the file.
  void overwrite(const char* file, std::size_t fromEnd, float value) const {
    std::fstream stream(folder() / file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(-static_cast<std::streamoff>(fromEnd), std::ios::end);
    stream.write(reinterpret_cast<const char*>(&value), sizeof value);
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace

class tst_parity : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void goldenCheckpointsEqualHuggingFace_data();
  void goldenCheckpointsEqualHuggingFace();
  void patchedTokensMatchInFloat32AndFloat64();
  void bfloat16DistancesStayWithinTheNoiseFloor_data();
  void bfloat16DistancesStayWithinTheNoiseFloor();
  void changedWeightsAreDetected();
  void theTowersModulesAreCompared();
  void visionReferencesNeedTheirPictures();
  void aMissingOrDamagedReferenceIsReported();
  void stepsAreLimitedByThePositions();
  void stopsOnRequest();
};

void tst_parity::goldenCheckpointsEqualHuggingFace_data() {
  QTest::addColumn<QString>("folder");
  for (const fs::path& folder : goldenFolders())
    QTest::addRow("%s", folder.filename().c_str())
        << QString::fromStdString(folder.string());
}

void tst_parity::goldenCheckpointsEqualHuggingFace() {
  QFETCH(QString, folder);
  SilentProgress silent;
  const GoldenResult result = checkGolden(folder.toStdString(), silent);
  QVERIFY2(result.equal(), qPrintable(QString::number(result.largest())));
  QVERIFY(result.logits > 0.0);  // transformers sums in another order
  QVERIFY(!result.architecture.empty());
}

void tst_parity::patchedTokensMatchInFloat32AndFloat64() {
  SilentProgress silent;
  const fs::path folder = test::data("golden/gemma3_text");
  for (const DType dtype : {DType::F32, DType::F64}) {
    const PatchResult result = checkPatch({folder, dtype, 12}, silent);
    QCOMPARE(result.steps, 12);
    QCOMPARE(result.matches, 12);
    QVERIFY(result.bareLinf > 0.1);
    QVERIFY2(result.passes(), qPrintable(QString::number(result.ratio())));
  }
}

void tst_parity::bfloat16DistancesStayWithinTheNoiseFloor_data() {
  goldenCheckpointsEqualHuggingFace_data();
}

void tst_parity::bfloat16DistancesStayWithinTheNoiseFloor() {
  QFETCH(QString, folder);
  SilentProgress silent;
  const PatchResult result = checkPatch({folder.toStdString(), DType::BF16, 12}, silent);
  QCOMPARE(result.steps, 12);
  QVERIFY(result.floor > 0.0);
  QVERIFY(result.floor < result.bareLinf);  // or the floor would hide a missing patch
  QVERIFY2(result.passes(), qPrintable(QString::number(result.floorShare())));
}

void tst_parity::changedWeightsAreDetected() {
  const GoldenCopy copy("llama2_gqa");
  const GoldenCopy untouched("llama2_gqa");
  SilentProgress silent;
  QVERIFY(checkGolden(untouched.folder(), silent).equal());
  copy.overwrite("model.safetensors", 64, 3.0F);  // in the last tensor
  const GoldenResult result = checkGolden(copy.folder(), silent);
  QVERIFY(!result.equal());
  QVERIFY(result.largest() > kGoldenTolerance);
}

void tst_parity::theTowersModulesAreCompared() {
  const GoldenCopy copy("gemma3_mm", "images");
  std::size_t fromEnd = 0;
  {
    const auto file = SafetensorsFile::open(copy.folder() / "golden.safetensors");
    const TensorView& module = file.tensors().at("vis_attn_out.1");
    const std::span<const std::byte> all = module.owner->bytes();
    fromEnd = static_cast<std::size_t>(all.data() + all.size() - module.bytes.data());
  }
  copy.overwrite("golden.safetensors", fromEnd, 1000.0F);
  SilentProgress silent;
  const GoldenResult result = checkGolden(copy.folder(), silent);
  QVERIFY(result.modules > kGoldenTolerance);
  QVERIFY(result.hidden <= kGoldenTolerance);
}

void tst_parity::visionReferencesNeedTheirPictures() {
  const GoldenCopy copy("gemma3_mm", "images");
  SilentProgress silent;
  const GoldenResult same = checkGolden(copy.folder(), silent);
  QVERIFY2(same.equal(), qPrintable(QString::number(same.largest())));
  QVERIFY(!same.greedy);  // the reference has no greedy_ids
  fs::copy_file(copy.folder() / "image0.png", copy.folder() / "image1.png",
                fs::copy_options::overwrite_existing);
  const GoldenResult other = checkGolden(copy.folder(), silent);
  QVERIFY(!other.equal());
  QVERIFY(other.hidden > 0.1);
  QVERIFY(other.logits > kGoldenTolerance);
  fs::remove(copy.folder() / "image1.png");
  QVERIFY_ERROR(checkGolden(copy.folder(), silent), "image");
}

void tst_parity::aMissingOrDamagedReferenceIsReported() {
  const GoldenCopy copy("llama2_gqa");
  SilentProgress silent;
  fs::resize_file(copy.folder() / "golden.safetensors", 100);
  QVERIFY_ERROR(checkGolden(copy.folder(), silent), "golden.safetensors");
  fs::remove(copy.folder() / "golden.safetensors");
  QVERIFY_ERROR(checkGolden(copy.folder(), silent), "golden.safetensors");
  fs::copy_file(copy.folder() / "model.safetensors",
                copy.folder() / "golden.safetensors");
  QVERIFY_ERROR(checkGolden(copy.folder(), silent), "input_ids", "missing");
}

void tst_parity::stepsAreLimitedByThePositions() {
  SilentProgress silent;
  const PatchResult result =
      checkPatch({test::data("golden/gemma3_text"), DType::F32, 1'000'000}, silent);
  QCOMPARE(result.steps, 128);  // the model has 128 positions
  // The 31 prompt tokens do not fit beside 107 steps, so the prompt is cut before the
  // second image.
  const PatchResult seen =
      checkPatch({test::data("images/gemma3_mm"), DType::F64, 107}, silent);
  QCOMPARE(seen.steps, 107);
  QVERIFY2(seen.passes(), qPrintable(QString::number(seen.ratio())));
  // With 105 steps, the prompt would end with the image's last token.
  const PatchResult before =
      checkPatch({test::data("images/gemma3_mm"), DType::F64, 105}, silent);
  QCOMPARE(before.steps, 105);
}

void tst_parity::stopsOnRequest() {
  test::StoppedProgress stopped;
  const fs::path folder = test::data("golden/gemma3_text");
  QVERIFY_THROWS_EXCEPTION(Error, checkGolden(folder, stopped));
  QVERIFY_THROWS_EXCEPTION(Error, checkPatch({folder, DType::F32, 5}, stopped));
}

EQUIPATCH_TEST(tst_parity)
#include "tst_parity.moc"

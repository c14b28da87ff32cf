// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/resident_weights.h"

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/kernel/threads.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

namespace fs = std::filesystem;

const std::vector<DType> kRunTypes{DType::F64, DType::F32, DType::BF16, DType::F16};

std::map<std::string, ResidentWeight> residentWeights(const Checkpoint& checkpoint,
                                                      DType dtype) {
  SilentProgress silent;
  return readResidentWeights(checkpoint, Arithmetic(dtype, at::kCPU), silent);
}

/// Distributes the tensors of a folder's model.safetensors over two shards.
void split(const fs::path& folder) {
  const fs::path whole = folder / "model.safetensors";
  nlohmann::json index;
  {
    const SafetensorsFile file = SafetensorsFile::open(whole);
    for (const bool odd : {false, true}) {
      const std::string shard = odd ? "b.safetensors" : "a.safetensors";
      std::vector<TensorPlan> plan;
      bool next = false;
      for (const auto& [name, view] : file.tensors())
        if ((next = !next) == odd) plan.push_back({name, view.dtype, view.shape});
      SafetensorsWriter writer(folder / shard, plan);
      for (const TensorPlan& tensor : plan) {
        writer.append(tensor.name, file.tensors().at(tensor.name).bytes);
        index["weight_map"][tensor.name] = shard;
      }
      writer.finish();
    }
  }
  fs::remove(whole);
  std::ofstream(folder / kTensorIndexFile) << index;
}

/// The largest tensors are read in several pieces. One tensor holds q, k and v in gpt2
/// (side by side, transposed), gpt_neox (head by head) and phi3 (q of all heads, then k,
/// then v).
TinyModel large(const std::string& family) {
  return {.family = family,
          .width = 640,
          .mlpWidth = 2560,
          .layers = 1,
          .heads = 8,
          .kvHeads = 8,
          .headDim = 80,
          .dtype = DType::F32};
}

}  // namespace

class tst_resident_weights : public TestCase {
  Q_OBJECT

  void prepare() override { m_folder.emplace(); }

 private Q_SLOTS:
  void cleanup() { m_folder.reset(); }
  void bitsAreThoseOfMappedWeights_data();
  void bitsAreThoseOfMappedWeights();
  void largeTensorsAreReadInPieces_data();
  void largeTensorsAreReadInPieces();
  void normsAreComputedDuringReading();
  void shardsGiveTheBitsOfMappedWeights();
  void aTiedHeadStaysTheEmbedding();
  void weightsLieInOneBlockOutsideTheFile();
  void cachedPagesAreDropped();
  void misalignedTensorsAreAligned();
  void readingStopsBetweenPieces();
  void aFileThatBecameShorterIsRefused();
  void numberOfReadingThreadsIsBounded();

 private:
  fs::path folder() const { return m_folder->path().toStdString(); }

  static void compare(const Checkpoint& checkpoint, DType dtype) {
    const auto resident = residentWeights(checkpoint, dtype);
    const Arithmetic arithmetic(dtype, at::kCPU);
    for (const auto& [name, weight] : checkpoint.weights()) {
      const bool staysInItsFile = weight.scales || name == "per_layer_embed";
      QCOMPARE(resident.contains(name), !staysInItsFile);
      if (staysInItsFile) continue;
      const auto& [tensor, norm] = resident.at(name);
      QVERIFY2(sameBits(tensor, loadTensor(weight, arithmetic)), name.c_str());
      QVERIFY(tensor.is_contiguous());
      QCOMPARE(tensor.scalar_type(), toTorch(dtype));
      if (norm != 0.0) QVERIFY2(norm == frobeniusNorm(tensor), name.c_str());
    }
  }

  std::optional<QTemporaryDir> m_folder;
};

void tst_resident_weights::bitsAreThoseOfMappedWeights_data() {
  QTest::addColumn<QString>("name");
  for (const std::string& name : goldenNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void tst_resident_weights::bitsAreThoseOfMappedWeights() {
  QFETCH(QString, name);
  const Checkpoint checkpoint =
      Checkpoint::open(test::data("golden/" + name.toStdString()));
  for (const DType dtype : kRunTypes) compare(checkpoint, dtype);
}

void tst_resident_weights::largeTensorsAreReadInPieces_data() {
  QTest::addColumn<QString>("family");
  for (const char* family : {"llama", "gpt2", "gpt_neox", "phi3"})
    QTest::newRow(family) << QString(family);
}

void tst_resident_weights::largeTensorsAreReadInPieces() {
  QFETCH(QString, family);
  writeTinyCheckpoint(folder(), large(family.toStdString()));
  const Checkpoint checkpoint = Checkpoint::open(folder());
  for (const DType dtype : {DType::F32, DType::BF16}) compare(checkpoint, dtype);
}

void tst_resident_weights::normsAreComputedDuringReading() {
  TinyModel model = large("llama");
  model.width = 1500;  // a piece of the usual size ends within a row
  model.headDim = 50;
  writeTinyCheckpoint(folder(), model);
  const Checkpoint checkpoint = Checkpoint::open(folder());
  for (const DType dtype : {DType::F32, DType::BF16}) {
    const auto resident = residentWeights(checkpoint, dtype);
    for (const char* name : {"W_gate", "W_up", "W_down"}) {
      const auto& [tensor, norm] = resident.at(layerWeight(0, name));
      QVERIFY(norm > 0.0 && norm == frobeniusNorm(tensor));
    }
    QCOMPARE(resident.at("embed").norm, 0.0);
  }
}

void tst_resident_weights::shardsGiveTheBitsOfMappedWeights() {
  writeTinyCheckpoint(folder(), {.dtype = DType::BF16});
  split(folder());
  const Checkpoint checkpoint = Checkpoint::open(folder());
  QCOMPARE(checkpoint.files().size(), std::size_t{2});
  for (const DType dtype : {DType::BF16, DType::F32}) compare(checkpoint, dtype);
}

void tst_resident_weights::aTiedHeadStaysTheEmbedding() {
  writeTinyCheckpoint(folder(), {.moreConfig = R"({"tie_word_embeddings": true})"});
  SilentProgress silent;
  for (const DType dtype : {DType::F32, DType::BF16}) {
    const Weights weights =
        Weights::load(Checkpoint::open(folder()), Arithmetic(dtype, at::kCPU), silent,
                      WeightPlace::Resident);
    QCOMPARE(weights.head.weight.data_ptr(), weights.embed.data_ptr());
  }
}

void tst_resident_weights::weightsLieInOneBlockOutsideTheFile() {
  writeTinyCheckpoint(folder());
  std::map<std::string, ResidentWeight> resident;
  std::map<std::string, Tensor> before;
  std::set<const std::byte*> places;
  {
    const Checkpoint checkpoint = Checkpoint::open(folder());
    resident = residentWeights(checkpoint, DType::F32);
    std::size_t bytes = 0;
    for (const auto& [name, weight] : resident) {
      const Tensor& tensor = weight.tensor;
      const auto* place = static_cast<const std::byte*>(tensor.data_ptr());
      const auto file = checkpoint.weight(name).stored.owner->bytes();
      QVERIFY(place < file.data() || place >= file.data() + file.size());
      QCOMPARE(reinterpret_cast<std::uintptr_t>(place) % 64, std::uintptr_t{0});
      before[name] = tensor.clone();
      places.insert(place);
      bytes += tensor.nbytes() + 64;
    }
    QCOMPARE(places.size(), resident.size());
    QVERIFY(std::size_t(*places.rbegin() - *places.begin()) <= bytes);
  }
  m_folder.reset();  // the weights need neither the checkpoint nor its files
  for (const auto& [name, weight] : resident)
    QVERIFY(sameBits(weight.tensor, before[name]));
}

void tst_resident_weights::cachedPagesAreDropped() {
  const fs::path disk = diskForTests();
  if (disk.empty()) QSKIP("no folder for temporary files is on a disk with enough room");
  const TemporaryFolder place(disk);
  writeTinyCheckpoint(place.path(), large("llama"));
  const fs::path file = place.path() / "model.safetensors";
  // The reader can drop only clean pages. This call writes dirty ones to the disk.
  dropCachedPages(file);
  const auto resident = residentWeights(Checkpoint::open(place.path()), DType::F32);
  QVERIFY(!resident.empty());
  const double share = cachedShare(file);
  QVERIFY2(share < 0.25, qPrintable(QString::number(share)));
}

void tst_resident_weights::misalignedTensorsAreAligned() {
  writeTinyCheckpoint(folder());
  misalign(folder() / "model.safetensors");
  const Checkpoint checkpoint = Checkpoint::open(folder());
  QVERIFY(!checkpoint.weight("embed").stored.aligned());
  for (const DType dtype : kRunTypes) compare(checkpoint, dtype);
}

void tst_resident_weights::readingStopsBetweenPieces() {
  TinyModel model = large("llama");
  model.layers = 3;
  writeTinyCheckpoint(folder(), model);
  const Checkpoint checkpoint = Checkpoint::open(folder());
  const Arithmetic arithmetic(DType::F32, at::kCPU);
  StoppedProgress stopped;
  QVERIFY_ERROR(readResidentWeights(checkpoint, arithmetic, stopped), "stopped");
  Patience late(1);
  QVERIFY_ERROR(readResidentWeights(checkpoint, arithmetic, late), "stopped");
  QCOMPARE(late.asked, 2);
  QVERIFY(late.fractions.empty() || late.fractions.back() < 1.0);
}

void tst_resident_weights::aFileThatBecameShorterIsRefused() {
  writeTinyCheckpoint(folder());
  const Checkpoint checkpoint = Checkpoint::open(folder());
  const fs::path path = folder() / "model.safetensors";
  fs::resize_file(path, fs::file_size(path) - 100);
  SilentProgress silent;
  QVERIFY_ERROR(
      readResidentWeights(checkpoint, Arithmetic(DType::BF16, at::kCPU), silent),
      "model.safetensors: ends at byte");
}

void tst_resident_weights::numberOfReadingThreadsIsBounded() {
  const int before = kernelThreads();
  setKernelThreads(1);
  QCOMPARE(readingThreads(), 4);
  setKernelThreads(5);
  QCOMPARE(readingThreads(), 5);
  setKernelThreads(1000);
  QVERIFY(readingThreads() < 100);
  setKernelThreads(before);
}

EQUIPATCH_TEST(tst_resident_weights)
#include "tst_resident_weights.moc"

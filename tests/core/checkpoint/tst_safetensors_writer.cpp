// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include <QTemporaryDir>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "tests/support/full_disk.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_safetensors_writer : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void writtenTensorsAreReadBack();
  void tensorsMayBeWrittenInTurns();
  void everyTensorIsAligned();
  void anUnfinishedFileDoesNotAppear();
  void replacesAFileOnlyWhenFinished();
  void reportsWriteErrors();
  void anExceededFileSizeLimitIsNamed();
  void invalidTensorPlansAreRefused();
  void misuseThrowsLogicErrors();
  void theTestHelperRoundsToNearestEven();

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  bool leavesParts() const {
    return !QDir(m_folder.path()).entryList({QStringLiteral("*.partial*")}).isEmpty();
  }
  QTemporaryDir m_folder;
};

void tst_safetensors_writer::writtenTensorsAreReadBack() {
  const std::vector<double> wide{1.0, -2.5, 1e300};
  const std::vector<float> logits{0.25F, -1.0F};
  const std::vector<std::int64_t> ids{7};
  SafetensorsWriter writer(path("a"),
                           {{"logits", DType::F32, {1, 2}},
                            {"wide ü\"", DType::F64, {3}},
                            {"ids", DType::I64, {}},
                            {"none", DType::F32, {0, 5}}},
                           {{"model", "tiny"}});
  writer.append("logits", std::span<const float>(logits));
  writer.append("wide ü\"", std::span<const double>(wide));
  writer.append("ids", std::span<const std::int64_t>(ids));
  writer.finish();

  const SafetensorsFile file = SafetensorsFile::open(path("a"));
  QCOMPARE(file.tensors().size(), std::size_t{4});
  QCOMPARE(file.metadata().at("model"), std::string("tiny"));
  const TensorView& view = file.tensors().at("wide ü\"");
  QVERIFY(view.dtype == DType::F64);
  QCOMPARE(view.shape, (std::vector<std::int64_t>{3}));
  QVERIFY(std::memcmp(view.bytes.data(), wide.data(), 24) == 0);
  QVERIFY(std::memcmp(file.tensors().at("logits").bytes.data(), logits.data(), 8) == 0);
  QVERIFY(file.tensors().at("ids").shape.empty());
  QCOMPARE(file.tensors().at("none").shape, (std::vector<std::int64_t>{0, 5}));
}

void tst_safetensors_writer::tensorsMayBeWrittenInTurns() {
  SafetensorsWriter writer(path("b"), {{"x", DType::F32, {2}}, {"y", DType::F32, {2}}});
  const float numbers[] = {1.0F, 2.0F, 3.0F, 4.0F};
  const std::span<const float> all(numbers);
  writer.append("y", all.subspan(2, 1));
  writer.append("x", all.subspan(0, 1));
  writer.append("y", all.subspan(3, 1));
  writer.append("x", all.subspan(1, 1));
  writer.finish();
  const SafetensorsFile file = SafetensorsFile::open(path("b"));
  QVERIFY(std::memcmp(file.tensors().at("x").bytes.data(), numbers, 8) == 0);
  QVERIFY(std::memcmp(file.tensors().at("y").bytes.data(), numbers + 2, 8) == 0);
}

void tst_safetensors_writer::everyTensorIsAligned() {
  SafetensorsWriter writer(path("c"), {{"a", DType::U8, {3}},
                                       {"b", DType::F64, {1}},
                                       {"c", DType::BF16, {1}},
                                       {"d", DType::F32, {1}}});
  const std::vector<std::byte> zeros(8);
  writer.append("a", std::span(zeros).first(3));
  writer.append("b", zeros);
  writer.append("c", std::span(zeros).first(2));
  writer.append("d", std::span(zeros).first(4));
  writer.finish();
  const SafetensorsFile file = SafetensorsFile::open(path("c"));
  for (const auto& [name, view] : file.tensors()) QVERIFY2(view.aligned(), name.c_str());
}

void tst_safetensors_writer::anUnfinishedFileDoesNotAppear() {
  {
    SafetensorsWriter writer(path("d"), {{"x", DType::F32, {1}}});
    QVERIFY(!std::filesystem::exists(path("d")));
  }
  QVERIFY(!std::filesystem::exists(path("d")));
  QVERIFY(!leavesParts());
}

void tst_safetensors_writer::replacesAFileOnlyWhenFinished() {
  test::writeSafetensors(path("e"), {{"old", {1}, {1.0F}}});
  { SafetensorsWriter writer(path("e"), {{"new", DType::F32, {1}}}); }
  QVERIFY(SafetensorsFile::open(path("e")).tensors().contains("old"));
  test::writeSafetensors(path("e"), {{"new", {1}, {1.0F}}});
  QVERIFY(SafetensorsFile::open(path("e")).tensors().contains("new"));
  QVERIFY(!leavesParts());
}

void tst_safetensors_writer::reportsWriteErrors() {
  const std::vector<TensorPlan> plan{{"x", DType::F32, {1}}};
  QVERIFY_ERROR(SafetensorsWriter(path("nowhere/f"), plan), "nowhere/f",
                "there is no folder", "make it");
  std::filesystem::create_directory(path("folder"));
  QVERIFY_ERROR(test::writeSafetensors(path("folder"), {{"x", {1}, {1.0F}}}), "folder",
                "cannot be put in place");
  QVERIFY(!leavesParts());
  std::filesystem::create_symlink("/dev/full", path("device"));
  QVERIFY_ERROR(SafetensorsWriter(path("device"), plan), "device", "pipe or device");
}

void tst_safetensors_writer::anExceededFileSizeLimitIsNamed() {
  const std::vector<float> many(100'000);
  const QString sentence = test::errorOf([&] {
    const test::FullDisk disk(4096);
    test::writeSafetensors(path("full"), {{"x", {100'000}, many}});
  });
  QVERIFY2(sentence.contains("see ulimit -f"), qPrintable(sentence));
  QVERIFY(!std::filesystem::exists(path("full")));
}

void tst_safetensors_writer::invalidTensorPlansAreRefused() {
  const auto write = [&](const std::vector<TensorPlan>& plan) {
    SafetensorsWriter writer(path("g"), plan);
  };
  QVERIFY_ERROR(write({{"x", DType::F32, {1}}, {"x", DType::F64, {1}}}), "\"x\"",
                "both be written under the name");
  QVERIFY_ERROR(write({{"", DType::F32, {1}}}), "name");
  QVERIFY_ERROR(write({{"__metadata__", DType::F32, {1}}}), "__metadata__");
  QVERIFY_ERROR(write({{"\xFF", DType::F32, {1}}}), "UTF-8");
  QVERIFY_ERROR(write({{"x", DType::F32, {-1}}}), "\"x\"", "negative");
  QVERIFY_ERROR(write({{"x", DType::F32, {INT64_MAX, 8}}}), "64 bits");
  QVERIFY(!leavesParts());
}

void tst_safetensors_writer::misuseThrowsLogicErrors() {
  SafetensorsWriter writer(path("h"), {{"x", DType::F32, {1}}});
  const std::vector<std::byte> five(5);
  QVERIFY_THROWS_EXCEPTION(std::logic_error, writer.append("y", five));
  QVERIFY_THROWS_EXCEPTION(std::logic_error, writer.append("x", five));
  QVERIFY_THROWS_EXCEPTION(std::logic_error, writer.finish());
}

void tst_safetensors_writer::theTestHelperRoundsToNearestEven() {
  using test::roundedTo;
  // Just above 1, the spacing is 2^-7 in bfloat16 and 2^-10 in float16.
  QCOMPARE(roundedTo(1.0F + std::ldexp(1.0F, -8), DType::BF16), 1.0F);
  QCOMPARE(roundedTo(1.0F + 3 * std::ldexp(1.0F, -8), DType::BF16), 1.015625F);
  QCOMPARE(roundedTo(1.0F + std::ldexp(1.0F, -11), DType::F16), 1.0F);
  QCOMPARE(roundedTo(-1.0F - 3 * std::ldexp(1.0F, -11), DType::F16), -1.001953125F);
  QCOMPARE(roundedTo(2047.9F, DType::F16), 2048.0F);
  QCOMPARE(roundedTo(std::ldexp(3.0F, -25), DType::F16), std::ldexp(1.0F, -23));
  QCOMPARE(roundedTo(0.0F, DType::F16), 0.0F);
  QCOMPARE(roundedTo(65504.0F, DType::F16), 65504.0F);
  QVERIFY(std::isinf(roundedTo(65520.0F, DType::F16)));
  QCOMPARE(test::toBytes({1.0F}, DType::F16),
           (std::vector<std::byte>{std::byte{0x00}, std::byte{0x3C}}));
  QCOMPARE(test::toBytes({-2.0F}, DType::BF16),
           (std::vector<std::byte>{std::byte{0x00}, std::byte{0xC0}}));
}

EQUIPATCH_TEST(tst_safetensors_writer)
#include "tst_safetensors_writer.moc"

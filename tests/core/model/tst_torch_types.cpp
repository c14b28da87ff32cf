// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/torch_types.h"

#include <ATen/Parallel.h>

#include <map>

#include "core/kernel/threads.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_torch_types : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyTypeHasItsCounterpart();
  void unknownTypesAreRefused();
  void cpuIsADevice();
  void unknownDeviceNamesAreRefused_data();
  void unknownDeviceNamesAreRefused();
  void longDeviceNamesAreCutInErrors();
  void missingDevicesAreRefused();
  void kernelAndTorchThreadsAreSetTogether();
};

void tst_torch_types::everyTypeHasItsCounterpart() {
  const std::map<DType, at::ScalarType> expected{
      {DType::F64, at::kDouble},    {DType::F32, at::kFloat}, {DType::F16, at::kHalf},
      {DType::BF16, at::kBFloat16}, {DType::I64, at::kLong},  {DType::I32, at::kInt},
      {DType::I16, at::kShort},     {DType::I8, at::kChar},   {DType::U8, at::kByte},
      {DType::Bool, at::kBool}};
  for (const auto& [dtype, type] : expected) {
    QCOMPARE(toTorch(dtype), type);
    QCOMPARE(at::elementSize(toTorch(dtype)), byteSize(dtype));
    QCOMPARE(at::isFloatingType(toTorch(dtype)), isFloating(dtype));
  }
}

void tst_torch_types::unknownTypesAreRefused() {
  QVERIFY_ERROR(toTorch(static_cast<DType>(99)), "element type");
}

void tst_torch_types::cpuIsADevice() {
  QVERIFY(deviceFromName("cpu").is_cpu());
}

void tst_torch_types::unknownDeviceNamesAreRefused_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"", "CPU", "cpu:0", "gpu", "cud", "cuda:", "cuda:x", "cuda:-1",
                           "cuda: 1", "cuda:1x", "cuda:+1", "cuda1", "cuda:1:2",
                           "cuda:9999", "cuda:99999999999999999999", "mps"})
    QTest::newRow(*name ? name : "no name") << QString(name);
}

void tst_torch_types::unknownDeviceNamesAreRefused() {
  QFETCH(QString, name);
  const std::string quoted = "\"" + name.toStdString() + "\"";
  QVERIFY_ERROR(deviceFromName(name.toStdString()), quoted.c_str(),
                "cpu, cuda or cuda:N");
  try {
    deviceFromName(name.toStdString());
    QFAIL("was accepted");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::BadInput);
  }
}

/// A run file may name any device.
void tst_torch_types::longDeviceNamesAreCutInErrors() {
  try {
    deviceFromName(std::string(100'000, 'x'));
    QFAIL("was accepted");
  } catch (const Error& error) {
    QVERIFY(std::string_view(error.what()).size() < 500);
  }
}

void tst_torch_types::missingDevicesAreRefused() {
  if (at::hasCUDA()) QCOMPARE(deviceFromName("cuda").type(), at::kCUDA);
  // 255 and 256 would become −1 and 0 in libtorch's eight-bit DeviceIndex.
  for (const char* name : {"cuda:99", "cuda:128", "cuda:255", "cuda:256", "cuda:999"}) {
    QVERIFY_ERROR(deviceFromName(name), name, "not available", "cpu");
    try {
      deviceFromName(name);
      QFAIL("was accepted");
    } catch (const Error& error) {
      QCOMPARE(error.kind(), ErrorKind::Unsupported);
    }
  }
}

void tst_torch_types::kernelAndTorchThreadsAreSetTogether() {
  const int kernels = kernelThreads(), torch = at::get_num_threads();
  for (const int threads : {1, 2, 3}) {
    setComputeThreads(threads);
    QCOMPARE(kernelThreads(), threads);
    QCOMPARE(at::get_num_threads(), threads);
  }
  {
    const ComputeThreads computing(1);  // 3 before
    QCOMPARE(at::get_num_threads(), 1);
  }
  QCOMPARE(at::get_num_threads(), 3);
  QCOMPARE(kernelThreads(), 3);
  setComputeThreads(torch);
  setKernelThreads(kernels);
}

EQUIPATCH_TEST(tst_torch_types)
#include "tst_torch_types.moc"

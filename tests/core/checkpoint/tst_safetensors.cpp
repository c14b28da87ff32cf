// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <array>
#include <cstring>
#include <fstream>

#include "core/base/file_map.h"
#include "core/base/temporary_folder.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::string lengthBytes(std::uint64_t length) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> (8 * i));
  return bytes;
}

/// A complete file: length, header, `dataBytes` bytes 0, 1, 2, …
std::string file(const std::string& header, std::size_t dataBytes) {
  std::string data(dataBytes, '\0');
  for (std::size_t i = 0; i < dataBytes; ++i) data[i] = static_cast<char>(i);
  return lengthBytes(header.size()) + header + data;
}

std::string entry(const std::string& name, const std::string& dtype,
                  const std::string& shape, const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

}  // namespace

class tst_safetensors : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsTensorsAndMetadata();
  void theOrderInTheHeaderDoesNotMatter();
  void scalarsAndEmptyTensorsAreRead();
  void viewsOutliveTheFile();
  void readsMisalignedData();
  void readsAllDTypes();
  void opensAGoldenFile();
  void acceptsAFileWithoutTensors();
  void invalidAndUnsupportedFilesAreRefused_data();
  void invalidAndUnsupportedFilesAreRefused();
  void everyTruncationIsAnError();
  void formatsShapes();
  void detectsAlignment();
  void openingReadsLittleMoreThanTheHeader();
  void theSampleHashCoversPiecesOfLargeFiles();

 private:
  SafetensorsFile open(const std::string& content) {
    const std::filesystem::path path = m_folder.filePath("t.safetensors").toStdString();
    std::filesystem::remove(path);  // earlier views keep their mapping
    std::ofstream(path, std::ios::binary) << content;
    return SafetensorsFile::open(path);
  }
  QTemporaryDir m_folder;
};

/// Opening must not touch the mapping, because this fetches large pages of tensors.
void tst_safetensors::openingReadsLittleMoreThanTheHeader() {
  const std::filesystem::path disk = test::diskForTests();
  if (disk.empty()) QSKIP("no folder for temporary files is on a disk with enough room");
  const TemporaryFolder folder(disk);
  const std::filesystem::path path = folder.path() / "t.safetensors";
  constexpr std::size_t kData = 64'000'000, kMost = 3'000'000;
  const std::string size = std::to_string(kData);
  const std::string header = "{\"__metadata__\":{\"a\":\"" + std::string(100'000, 'a') +
                             "\"}," +
                             entry("b", "U8", "[" + size + "]", "[0," + size + "]") + "}";
  std::ofstream(path, std::ios::binary) << lengthBytes(header.size()) << header;
  std::filesystem::resize_file(path, 8 + header.size() + kData);
  dropCachedPages(path);
  if (cachedShare(path) > 0.0) QSKIP("this system keeps the file's pages");
  const auto opened = SafetensorsFile::open(path);
  QCOMPARE(opened.tensors().at("b").bytes.size(), kData);
  QVERIFY(cachedShare(path) < double(kMost) / double(kData));
}

void tst_safetensors::theSampleHashCoversPiecesOfLargeFiles() {
  const auto digest = [](const QByteArray& bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
  };
  const auto sampleOf = [&](const QByteArray& data) {
    const std::string size = std::to_string(data.size());
    const std::string header =
        "{" + entry("a", "U8", "[" + size + "]", "[0," + size + "]") + "}";
    return open(lengthBytes(header.size()) + header + data.toStdString())
        .dataSampleSha256();
  };
  QCOMPARE(sampleOf({}), digest({}));
  QByteArray whole(1 << 24, 'a');
  whole[5'000'000] = 'b';
  QCOMPARE(sampleOf(whole), digest(whole));

  constexpr qsizetype kSize = (1 << 24) + 255'000, kPiece = 1 << 16;
  QByteArray large(kSize, 'a');
  for (qsizetype at = 0; at < kSize; at += 1000) large[at] = static_cast<char>(at / 7000);
  QByteArray pieces;
  for (qsizetype piece = 0; piece < 256; ++piece)
    pieces += large.mid(piece * (kSize - kPiece) / 255, kPiece);
  const std::string sample = sampleOf(large);
  QCOMPARE(sample, digest(pieces));
  large[kSize - 1] = 'c';
  QVERIFY(sampleOf(large) != sample);
}

void tst_safetensors::readsTensorsAndMetadata() {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"}," +
                             entry("a", "F32", "[2,1]", "[0,8]") + "," +
                             entry("b", "U8", "[3]", "[8,11]") + "}   ";
  const SafetensorsFile opened = open(file(header, 11));
  QCOMPARE(opened.tensors().size(), std::size_t{2});
  QCOMPARE(opened.metadata().at("format"), std::string("pt"));
  QCOMPARE(std::string(opened.header()), header);
  const TensorView& b = opened.tensors().at("b");
  QVERIFY(b.dtype == DType::U8);
  QCOMPARE(b.shape, (std::vector<std::int64_t>{3}));
  QCOMPARE(b.bytes.size(), std::size_t{3});
  QCOMPARE(std::to_integer<int>(b.bytes[0]), 8);
  QCOMPARE(std::to_integer<int>(b.bytes[2]), 10);
  QCOMPARE(std::to_integer<int>(opened.tensors().at("a").bytes[7]), 7);
}

void tst_safetensors::theOrderInTheHeaderDoesNotMatter() {
  const std::string header = "{" + entry("z", "U8", "[1]", "[5,6]") + "," +
                             entry("m", "U8", "[2]", "[0,2]") + "," +
                             entry("a", "U8", "[3]", "[2,5]") + "}";
  const SafetensorsFile opened = open(file(header, 6));
  QCOMPARE(std::to_integer<int>(opened.tensors().at("z").bytes[0]), 5);
  QCOMPARE(std::to_integer<int>(opened.tensors().at("a").bytes[0]), 2);
}

void tst_safetensors::scalarsAndEmptyTensorsAreRead() {
  const std::string header =
      "{" + entry("scalar", "F32", "[]", "[0,4]") + "," +
      entry("empty", "F32", "[9223372036854775807,9223372036854775807,0]", "[4,4]") +
      "," + entry("first", "I8", "[0]", "[0,0]") + "}";
  const SafetensorsFile opened = open(file(header, 4));
  QCOMPARE(opened.tensors().at("scalar").elements(), std::int64_t{1});
  QCOMPARE(opened.tensors().at("empty").elements(), std::int64_t{0});
  QVERIFY(opened.tensors().at("empty").bytes.empty());
}

void tst_safetensors::viewsOutliveTheFile() {
  TensorView view;
  view = open(file("{" + entry("a", "U8", "[4]", "[0,4]") + "}", 4)).tensors().at("a");
  QCOMPARE(view.owner.use_count(), 1L);
  QCOMPARE(std::to_integer<int>(view.bytes[3]), 3);
}

void tst_safetensors::readsMisalignedData() {
  std::string header = "{" + entry("a", "F32", "[1]", "[0,4]") + "}";
  while (header.size() % 4 != 1) header += ' ';
  const TensorView view = open(file(header, 4)).tensors().at("a");
  QVERIFY(!view.aligned());
  std::uint32_t number = 0;
  std::memcpy(&number, view.bytes.data(), 4);
  QCOMPARE(number, 0x03020100U);
}

void tst_safetensors::readsAllDTypes() {
  const std::pair<const char*, int> sizes[] = {
      {"F64", 8}, {"F32", 4}, {"F16", 2}, {"I64", 8}, {"BF16", 2},
      {"I32", 4}, {"I16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}};
  for (const auto& [name, size] : sizes) {
    const std::string end = std::to_string(3 * size);
    const std::string header = "{" + entry("a", name, "[3]", "[0," + end + "]") + "}";
    const SafetensorsFile opened = open(file(header, static_cast<std::size_t>(3 * size)));
    QVERIFY(safetensorsName(opened.tensors().at("a").dtype) == name);
  }
}

void tst_safetensors::opensAGoldenFile() {
  const SafetensorsFile opened =
      SafetensorsFile::open(test::data("golden/llama2_gqa/golden.safetensors"));
  QCOMPARE(opened.tensors().at("logits").shape, (std::vector<std::int64_t>{1, 24, 192}));
  QVERIFY(opened.tensors().at("input_ids").dtype == DType::I64);
  QCOMPARE(opened.tensors().at("input_ids").bytes.size(), std::size_t{24 * 8});
}

void tst_safetensors::acceptsAFileWithoutTensors() {
  QVERIFY(open(file("{}", 0)).tensors().empty());
  QVERIFY(open(file("{\"__metadata__\":null}", 0)).metadata().empty());
}

void tst_safetensors::invalidAndUnsupportedFilesAreRefused_data() {
  QTest::addColumn<QByteArray>("content");
  QTest::addColumn<QStringList>("parts");
  const auto row = [](const char* name, const std::string& content, QStringList parts) {
    QTest::newRow(name) << QByteArray::fromStdString(content) << parts;
  };
  const auto header = [](const std::string& text, std::size_t data) {
    return file("{" + text + "}", data);
  };
  row("empty file", "", {"8 bytes", "found 0", "download"});
  row("seven bytes", std::string(7, 'x'), {"found 7"});
  row("header over 100 MB", lengthBytes(100'000'001) + "{}",
      {"100000001", "at most 100000000"});
  row("header length 2^64 - 1", lengthBytes(~std::uint64_t{0}) + "{}",
      {"18446744073709551615"});
  row("header beyond the file", lengthBytes(3) + "{}",
      {"claims 3", "only 2", "download"});
  row("header of 0 bytes", lengthBytes(0), {"'{'"});
  row("not UTF-8", file("{\"\xFF\":1}", 0), {"byte 2", "UTF-8"});
  row("not JSON", file("{\"a\":", 0), {"not valid JSON"});
  row("something after the JSON", file("{}x", 0), {"not valid JSON"});
  row("a list", file("[]", 0), {"'{'", "object"});
  row("space before the object", file(" {}", 0), {"'{'"});
  row("nested deeply", file("{\"a\":" + std::string(5000, '['), 0), {"nested"});
  row("entry is a number", header("\"a\":1", 0), {"tensor \"a\"", "object", "found 1"});
  row("entry is null", header("\"a\":null", 0), {"tensor \"a\"", "object"});
  row("without dtype", header("\"a\":{\"shape\":[1],\"data_offsets\":[0,1]}", 1),
      {"tensor \"a\"", "\"dtype\" is missing"});
  row("without shape", header("\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}", 1),
      {"tensor \"a\"", "no shape"});
  row("without offsets", header("\"a\":{\"dtype\":\"U8\",\"shape\":[1]}", 1),
      {"tensor \"a\"", "data_offsets", "found 0"});
  row("one offset", header(entry("a", "U8", "[1]", "[0]"), 1), {"found 1 offsets"});
  row("three offsets", header(entry("a", "U8", "[1]", "[0,1,1]"), 1), {"found 3"});
  row("offsets of text", header(entry("a", "U8", "[1]", "[0,\"1\"]"), 1), {"\"1\""});
  row("unknown dtype", header(entry("a", "F8_E4M3", "[1]", "[0,1]"), 1),
      {"tensor \"a\"", "\"F8_E4M3\"", "convert"});
  row("dtype is a number",
      header("\"a\":{\"dtype\":1,\"shape\":[1],\"data_offsets\":[0,1]}", 1),
      {"\"dtype\"", "a string"});
  row("shape is an object", header(entry("a", "U8", "{}", "[0,1]"), 1),
      {"\"shape\"", "list"});
  row("negative extent", header(entry("a", "U8", "[-1]", "[0,1]"), 1), {"found -1"});
  row("fractional extent", header(entry("a", "U8", "[1.5]", "[0,1]"), 1), {"found 1.5"});
  row("extent of 2^63", header(entry("a", "U8", "[9223372036854775808]", "[0,1]"), 1),
      {"found 9223372036854775808"});
  row("extent of text", header(entry("a", "U8", "[\"1\"]", "[0,1]"), 1), {"\"shape\""});
  std::string manyAxes = "[1";
  for (int i = 1; i < 100; ++i) manyAxes += ",1";
  row("a hundred axes", header(entry("a", "U8", manyAxes + "]", "[0,1]"), 1),
      {"at most 64"});
  row("elements overflow",
      header(entry("a", "U8", "[4294967296,4294967296,4294967296]", "[0,1]"), 1),
      {"2^64", "[4294967296, 4294967296, 4294967296]"});
  row("byte count is 0 modulo 2^64",
      header(entry("a", "U8", "[4294967297,4294967296,4294967296,1]", "[0,0]"), 0),
      {"2^64"});
  row("bytes overflow", header(entry("a", "F64", "[2305843009213693952]", "[0,0]"), 0),
      {"2^64"});
  row("fewer bytes than the shape", header(entry("a", "F32", "[2]", "[0,4]"), 4),
      {"[2] of F32", "needs 8", "which is 4"});
  row("more bytes than the shape", header(entry("a", "F32", "[2]", "[0,12]"), 12),
      {"needs 8", "which is 12"});
  row("offsets reversed", header(entry("a", "U8", "[1]", "[1,0]"), 1),
      {"reversed", "bytes 1 to 0"});
  row("negative offset", header(entry("a", "U8", "[1]", "[-1,0]"), 1),
      {"data_offsets", "-1"});
  row("offset of 2^64 - 1",
      header(entry("a", "U8", "[1]", "[0,18446744073709551615]"), 1),
      {"18446744073709551615"});
  row("outside the file", header(entry("a", "U8", "[5]", "[0,5]"), 4),
      {"tensor \"a\"", "0 to 5", "only 4", "download"});
  row("overlap",
      header(entry("a", "U8", "[2]", "[0,2]") + "," + entry("b", "U8", "[2]", "[1,3]"),
             3),
      {"tensor \"b\"", "byte 1", "overlaps", "byte 2"});
  row("same place twice",
      header(entry("a", "U8", "[2]", "[0,2]") + "," + entry("b", "U8", "[2]", "[0,2]"),
             2),
      {"overlaps"});
  row("hole",
      header(entry("a", "U8", "[2]", "[0,2]") + "," + entry("b", "U8", "[1]", "[3,4]"),
             4),
      {"tensor \"b\"", "byte 3", "hole", "byte 2"});
  row("hole at the front", header(entry("a", "U8", "[1]", "[1,2]"), 2),
      {"hole", "byte 0"});
  row("bytes after the last", header(entry("a", "U8", "[2]", "[0,2]"), 5),
      {"byte 2", "3 more bytes"});
  row("bytes without tensors", file("{}", 1), {"1 more bytes"});
  row("metadata holds a number", header("\"__metadata__\":{\"a\":1}", 0),
      {"__metadata__", "strings", "\"a\""});
  row("metadata is a list", header("\"__metadata__\":[]", 0), {"__metadata__"});
  row("a name twice",
      header(entry("a", "U8", "[1]", "[0,1]") + "," + entry("a", "U8", "[1]", "[0,1]"),
             1),
      {"\"a\"", "twice"});
  row("a name twice, escaped",
      header(
          entry("a", "U8", "[1]", "[0,1]") + "," + entry("\\u0061", "U8", "[1]", "[1,2]"),
          2),
      {"\"a\"", "twice"});
  row("dtype twice",
      header("\"a\":{\"dtype\":\"U8\",\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[0,"
             "1]}",
             1),
      {"\"dtype\"", "twice"});
}

void tst_safetensors::invalidAndUnsupportedFilesAreRefused() {
  QFETCH(QByteArray, content);
  QFETCH(QStringList, parts);
  const QString sentence = test::errorOf([&] { open(content.toStdString()); });
  QVERIFY2(!sentence.isEmpty(), "was opened");
  QVERIFY2(sentence.contains("t.safetensors"), qPrintable(sentence));
  for (const QString& part : parts)
    QVERIFY2(sentence.contains(part),
             qPrintable("'" + sentence + "' lacks '" + part + "'"));
  QVERIFY(!sentence.contains('\n'));
}

void tst_safetensors::everyTruncationIsAnError() {
  const std::string whole = file("{" + entry("a", "F32", "[2,3]", "[0,24]") + "," +
                                     entry("b", "BF16", "[2]", "[24,28]") + "}",
                                 28);
  QCOMPARE(open(whole).tensors().size(), std::size_t{2});
  for (std::size_t length = 0; length < whole.size(); ++length)
    QVERIFY_ERROR(open(whole.substr(0, length)), "t.safetensors");
}

void tst_safetensors::formatsShapes() {
  const std::vector<std::int64_t> shape{2048, 1152};
  QCOMPARE(shapeText(shape), std::string("[2048, 1152]"));
  QCOMPARE(shapeText({}), std::string("[]"));
}

void tst_safetensors::detectsAlignment() {
  alignas(8) std::array<std::byte, 16> memory{};
  TensorView view;
  view.dtype = DType::BF16;
  view.bytes = std::span(memory).subspan(2, 8);
  QVERIFY(view.aligned());
  view.dtype = DType::F32;
  QVERIFY(!view.aligned());
  view.bytes = std::span(memory).subspan(4, 8);
  QVERIFY(view.aligned());
  view.dtype = DType::F64;
  QVERIFY(!view.aligned());
  view.dtype = DType::U8;
  view.bytes = std::span(memory).subspan(3, 8);
  QVERIFY(view.aligned());
}

EQUIPATCH_TEST(tst_safetensors)
#include "tst_safetensors.moc"

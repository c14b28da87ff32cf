// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <QTemporaryDir>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_json : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void parsesWhatPythonWrites();
  void parseErrorsAreReported();
  void refusesInvalidUtf8();
  void refusesDeepNesting();
  void bracketsInStringsDoNotNest();
  void theLastOfRepeatedKeysWinsOrTheyAreRefused();
  void errorsQuoteOnlyPartOfTheDocument();
  void readsFilesWithinTheirLimit();
  void onlyIntegersInRangeAreAccepted();
  void onlyFiniteNumbersAreAccepted();
  void nullValuesAreReadAsAbsent();
  void missingValuesAndOtherTypesAreRefused();
  void integersReadsOneIntegerOrAList();
  void reportsUnreadKeys();
  void refusesNonObjects();
  void foundNumberQuotesOnlyNumbers();
};

void tst_json::parsesWhatPythonWrites() {
  const Json parsed = parseJson(
      "{\n  \"a\": [1, -2.5e-06, true, null],\n  \"\\u00e9\": \"\\ud83d\\ude00\"\n}",
      "x");
  QCOMPARE(parsed["a"][1].get<double>(), -2.5e-6);
  QCOMPARE(parsed["é"].get<std::string>(), std::string("😀"));
}

void tst_json::parseErrorsAreReported() {
  QVERIFY_ERROR(parseJson("{\n \"a\": 1,\n \"b\" 2}", "config.json"), "config.json",
                "line 3, column 6", "damaged");
  QVERIFY_ERROR(parseJson("", "x"), "line 1, column 1");
  QVERIFY_ERROR(parseJson("{\"a\": 1", "x"), "not valid JSON", "incomplete");
  QVERIFY_ERROR(parseJson("{} trailing", "x"), "column 6", "end of input");
  QVERIFY_ERROR(parseJson("[NaN]", "x"), "not valid JSON");
  QVERIFY_ERROR(parseJson("[1e999]", "x"), "(number overflow parsing '1e999')");
  QVERIFY_ERROR(parseJson("[\"\\ud800\"]", "x"), "not valid JSON");
}

void tst_json::refusesInvalidUtf8() {
  QVERIFY_ERROR(parseJson("{\"a\": \"\xC3(\"}", "x"), "byte 7", "not UTF-8");
  QVERIFY_ERROR(parseJson("\xFF", "x"), "byte 0");
}

void tst_json::refusesDeepNesting() {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  QVERIFY(parseJson(nested(256), "x").is_array());
  QVERIFY_ERROR(parseJson(nested(257), "x"), "nested deeper than 256", "column 257");
  QVERIFY_ERROR(parseJson(std::string(1'000'000, '['), "x"), "nested deeper");
  QVERIFY_ERROR(parseJson(std::string(1'000'000, ']'), "x"), "not valid JSON");
}

void tst_json::bracketsInStringsDoNotNest() {
  const std::string text = "[\"\\\"" + std::string(1000, '[') + "\\\\\", 1]";
  QCOMPARE(parseJson(text, "x").size(), std::size_t{2});
  QVERIFY_ERROR(parseJson("[\"abc\\", "x"), "not valid JSON");
}

void tst_json::theLastOfRepeatedKeysWinsOrTheyAreRefused() {
  const std::string text = R"({"a": 1, "b": {"a": 0}, "a": 2})";
  QCOMPARE(parseJson(text, "x")["a"].get<int>(), 2);
  QVERIFY_ERROR(parseJson(text, "x", RepeatedKeys::Refuse), "\"a\" occurs twice");
  QCOMPARE(parseJson(R"({"a": 1, "b": {"a": 0}, "c": [{"a": 1}, {"a": 2}]})", "x",
                     RepeatedKeys::Refuse)
               .size(),
           std::size_t{3});
  QVERIFY_ERROR(parseJson(R"({"b": {"a": 0, "a": 0}})", "x", RepeatedKeys::Refuse),
                "\"a\" occurs twice");
}

void tst_json::errorsQuoteOnlyPartOfTheDocument() {
  for (const std::string start : {"{\"a\": \"", "{\"a\": \"; expected "}) {
    const std::string text = start + std::string(100'000, 'y');
    const QString sentence = test::errorOf([&] { parseJson(text, "x"); });
    QVERIFY(!sentence.isEmpty());
    QVERIFY2(sentence.size() < 500, qPrintable(sentence.left(600)));
    QVERIFY(!sentence.contains("yyy"));
  }
  const Json object = {{"a", std::string(100'000, 'y')}};
  JsonObject reader(object, "x");
  const QString wrongType = test::errorOf([&] { reader.number("a"); });
  QVERIFY(!wrongType.isEmpty() && wrongType.size() < 500);
}

void tst_json::readsFilesWithinTheirLimit() {
  QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("a.json").toStdString();
  QVERIFY_ERROR(readJsonFile(path, 100), "a.json", "no such file");
  std::ofstream(path) << R"({"a": [1, 2]})";
  QCOMPARE(readJsonFile(path, 13)["a"].size(), std::size_t{2});
  QVERIFY_ERROR(readJsonFile(path, 12), "a.json", "13 bytes", "12");
  std::ofstream(path, std::ios::trunc).flush();
  QVERIFY_ERROR(readJsonFile(path, 12), "a.json", "not valid JSON");
}

void tst_json::onlyIntegersInRangeAreAccepted() {
  const Json object = parseJson(
      R"({"five": 5, "float": 5.0, "huge": 18446744073709551615, "text": "5",
          "low": -9223372036854775808, "over": 1e3})",
      "c");
  JsonObject reader(object, "config.json");
  QCOMPARE(reader.integer("five", 1, 5), std::int64_t{5});
  QCOMPARE(reader.integer("low", INT64_MIN, 0), std::int64_t{INT64_MIN});
  QVERIFY_ERROR(reader.integer("five", 6, 9), "config.json", "\"five\"", "from 6 to 9",
                "found 5");
  QVERIFY_ERROR(reader.integer("five", 1, 4), "found 5");
  QVERIFY_ERROR(reader.integer("float", 1, 9), "found 5.0");
  QVERIFY_ERROR(reader.integer("over", 1, 9999), "found 1000.0");
  QVERIFY_ERROR(reader.integer("huge", INT64_MIN, INT64_MAX),
                "found 18446744073709551615");
  QVERIFY_ERROR(reader.integer("text", 1, 9), "found \"5\"");
  QVERIFY_ERROR(reader.integer("none", 1, 9), "\"none\" is missing", "from 1 to 9");
  QVERIFY(!reader.optionalInteger("none", 1, 9).has_value());
}

void tst_json::onlyFiniteNumbersAreAccepted() {
  const Json object = {{"a", 3}, {"b", 0.5}, {"c", INFINITY}, {"d", NAN}, {"e", true}};
  JsonObject reader(object, "x");
  QCOMPARE(reader.number("a"), 3.0);
  QCOMPARE(reader.number("b"), 0.5);
  QVERIFY_ERROR(reader.number("c"), "a finite number");
  QVERIFY_ERROR(reader.number("d"), "a finite number");
  QVERIFY_ERROR(reader.number("e"), "found true");
  QVERIFY_ERROR(reader.number("f"), "\"f\" is missing");
}

void tst_json::nullValuesAreReadAsAbsent() {
  const Json object = {{"a", nullptr}, {"b", 1}};
  JsonObject reader(object, "x");
  QVERIFY(!reader.has("a"));
  QVERIFY(!reader.optionalNumber("a").has_value());
  QVERIFY(!reader.optionalString("a").has_value());
  QVERIFY(reader.boolean("a", true));
  QVERIFY(reader.integers("a", 0, 9).empty());
  QVERIFY(reader.member("a") == nullptr);
  QVERIFY(reader.isExplicitNull("a"));
  QVERIFY(!reader.isExplicitNull("b"));
  QVERIFY(!reader.isExplicitNull("c"));
}

void tst_json::missingValuesAndOtherTypesAreRefused() {
  const Json object = {{"text", "silu"}, {"flag", false}, {"list", {1, 2, 3}}};
  JsonObject reader(object, "x");
  QCOMPARE(reader.string("text"), std::string("silu"));
  QCOMPARE(reader.boolean("flag", true), false);
  QVERIFY_ERROR(reader.boolean("text", true), "\"text\"", "true or false", "\"silu\"");
  QVERIFY_ERROR(reader.string("list"), "a string", "a list of 3");
  QVERIFY_ERROR(reader.string("absent"), "\"absent\" is missing");
  QVERIFY_ERROR(reader.neededMember("absent"), "x: \"absent\" is missing");
}

void tst_json::integersReadsOneIntegerOrAList() {
  const Json object = {{"one", 7},
                       {"list", {1, 106}},
                       {"empty", Json::array()},
                       {"bad", {1, "x"}},
                       {"over", {1, 200}}};
  JsonObject reader(object, "x");
  QCOMPARE(reader.integers("one", 0, 199), (std::vector<std::int64_t>{7}));
  QCOMPARE(reader.integers("list", 0, 199), (std::vector<std::int64_t>{1, 106}));
  QVERIFY(reader.integers("empty", 0, 199).empty());
  QVERIFY(reader.integers("none", 0, 199).empty());
  QVERIFY_ERROR(reader.integers("bad", 0, 199), "\"bad\"", "\"x\"");
  QVERIFY_ERROR(reader.integers("over", 0, 199), "\"over\"", "200");
  QVERIFY_ERROR(reader.integers("one", 8, 9), "\"one\"");
}

void tst_json::reportsUnreadKeys() {
  const Json object = {{"z", 1}, {"a", 2}, {"m", nullptr}, {"k", 3}};
  JsonObject reader(object, "x");
  reader.integer("a", 0, 9);
  reader.ignore({"k", "not there"});
  QCOMPARE(reader.unread(), (std::vector<std::string>{"m", "z"}));
  reader.has("z");
  reader.isExplicitNull("m");
  QVERIFY(reader.unread().empty());
}

void tst_json::refusesNonObjects() {
  const Json list = {1, 2};
  QVERIFY_ERROR(JsonObject(list, "config.json"), "config.json", "a JSON object",
                "a list of 2");
}

void tst_json::foundNumberQuotesOnlyNumbers() {
  QCOMPARE(foundNumber(Json(2.5)), std::string("2.5"));
  QCOMPARE(foundNumber(Json(std::string(1000, 'x'))), std::string("no number"));
}

EQUIPATCH_TEST(tst_json)
#include "tst_json.moc"

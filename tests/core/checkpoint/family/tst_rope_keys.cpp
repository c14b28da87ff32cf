#include "core/checkpoint/family/rope_keys.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const Json kLlama3 = {{"rope_type", "llama3"},
                      {"factor", 32.0},
                      {"low_freq_factor", 1.5},
                      {"high_freq_factor", 4.5},
                      {"original_max_position_embeddings", 4096}};

RopeSpec read(const Json& config, std::vector<std::string>* unread = nullptr) {
  JsonObject object(config, "config.json");
  std::vector<std::string> ignored;
  return readRope(object, 10000.0, unread ? *unread : ignored);
}

RopeSpec scaled(const Json& table) {
  return read({{"rope_scaling", table}});
}

Json without(Json table, const char* key) {
  table.erase(key);
  return table;
}

Json with(Json table, const char* key, const Json& value) {
  table[key] = value;
  return table;
}

}  // namespace

class tst_rope_keys : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void plainRotationByDefault();
  void linearScaling();
  void llama3Scaling();
  void theNewerTableHoldsItsBase();
  void bothTablesMustAgree();
  void otherScalingsAreNamed_data();
  void otherScalingsAreNamed();
  void incompleteTables();
  void membersNobodyReadsAreListed();
};

void tst_rope_keys::plainRotationByDefault() {
  QVERIFY(read(Json::object()) == RopeSpec{});
  QVERIFY(read({{"rope_scaling", nullptr}, {"rope_parameters", nullptr}}) == RopeSpec{});
  RopeSpec expected;
  expected.theta = 5e5;
  QVERIFY(read({{"rope_theta", 500000}}) == expected);
  QVERIFY(scaled(Json::object()) == RopeSpec{});
  QVERIFY(scaled({{"rope_type", "default"}}) == RopeSpec{});
}

void tst_rope_keys::linearScaling() {
  RopeSpec expected;
  expected.scaling = RopeScaling::Linear;
  expected.factor = 8.0;
  QVERIFY(scaled({{"rope_type", "linear"}, {"factor", 8}}) == expected);
  QVERIFY(scaled({{"type", "linear"}, {"factor", 8.0}}) == expected);
  QVERIFY(scaled({{"type", "linear"}, {"rope_type", "linear"}, {"factor", 8}}) ==
          expected);
}

void tst_rope_keys::llama3Scaling() {
  const RopeSpec rope = read({{"rope_theta", 5e5}, {"rope_scaling", kLlama3}});
  QVERIFY(rope.scaling == RopeScaling::Llama3);
  QCOMPARE(rope.theta, 5e5);
  QCOMPARE(rope.factor, 32.0);
  QCOMPARE(rope.lowFreqFactor, 1.5);
  QCOMPARE(rope.highFreqFactor, 4.5);
  QCOMPARE(rope.originalPositions, std::int64_t{4096});
}

void tst_rope_keys::theNewerTableHoldsItsBase() {
  RopeSpec expected;
  expected.theta = 5e5;
  QVERIFY(read({{"rope_parameters", {{"rope_theta", 5e5}, {"rope_type", "default"}}}}) ==
          expected);
  QVERIFY(read({{"rope_theta", 1.0}, {"rope_parameters", {{"rope_theta", 5e5}}}}) ==
          expected);
  QVERIFY(read({{"rope_theta", 5e5}, {"rope_parameters", {{"rope_type", "default"}}}}) ==
          expected);
  QVERIFY(read({{"rope_parameters", with(kLlama3, "rope_theta", 5e5)}}) ==
          read({{"rope_theta", 5e5}, {"rope_scaling", kLlama3}}));
}

void tst_rope_keys::bothTablesMustAgree() {
  const Json parameters = with(kLlama3, "rope_theta", 5e5);
  QVERIFY(read({{"rope_parameters", parameters}, {"rope_scaling", kLlama3}}) ==
          read({{"rope_parameters", parameters}}));
  QVERIFY_ERROR(read({{"rope_parameters", parameters},
                      {"rope_scaling", with(kLlama3, "factor", 8)}}),
                "rope_scaling", "rope_parameters", "the same");
}

void tst_rope_keys::otherScalingsAreNamed_data() {
  QTest::addColumn<QString>("name");
  for (const char* name :
       {"yarn", "dynamic", "longrope", "su", "mrope", "proportional", ""})
    QTest::newRow(*name ? name : "empty") << QString(name);
}

void tst_rope_keys::otherScalingsAreNamed() {
  QFETCH(QString, name);
  const std::string quoted = "\"" + name.toStdString() + "\"";
  for (const char* key : {"type", "rope_type"}) {
    const Json table = {{key, name.toStdString()}, {"factor", 2.0}};
    try {
      scaled(table);
      QFAIL("was accepted");
    } catch (const Error& error) {
      QVERIFY(error.kind() == ErrorKind::Unsupported);
      QVERIFY2(QString(error.what()).contains(quoted.c_str()), error.what());
      QVERIFY2(QString(error.what()).contains("\"rope_scaling\""), error.what());
    }
  }
}

void tst_rope_keys::incompleteTables() {
  QVERIFY_ERROR(scaled({{"rope_type", "linear"}}), "\"rope_scaling\"", "\"factor\"",
                "missing");
  QVERIFY_ERROR(scaled({{"factor", 2.0}}), "\"rope_type\" is missing");
  for (const char* key : {"factor", "low_freq_factor", "high_freq_factor",
                          "original_max_position_embeddings"})
    QVERIFY_ERROR(scaled(without(kLlama3, key)), key, "missing");
  QVERIFY_ERROR(scaled(with(kLlama3, "high_freq_factor", 1.5)), "less than", "1.5");
  QVERIFY_ERROR(scaled(with(kLlama3, "factor", 0)), "factor", "positive");
  QVERIFY_ERROR(scaled(with(kLlama3, "original_max_position_embeddings", 0)), "found 0");
  QVERIFY_ERROR(scaled(with(kLlama3, "type", "linear")), "llama3", "linear", "agree");
  QVERIFY_ERROR(scaled("linear"), "rope_scaling", "a JSON object");
  QVERIFY_ERROR(read({{"rope_theta", -1}}), "rope_theta", "positive");
  QVERIFY_ERROR(read({{"rope_parameters", {{"partial_rotary_factor", 0.5}}}}),
                "partial_rotary_factor", "0.5");
}

void tst_rope_keys::membersNobodyReadsAreListed() {
  std::vector<std::string> unread;
  read({{"rope_scaling", with(kLlama3, "mrope_section", {1, 2})}}, &unread);
  QCOMPARE(unread, (std::vector<std::string>{"rope_scaling.mrope_section"}));
}

EQUIPATCH_TEST(tst_rope_keys)
#include "tst_rope_keys.moc"

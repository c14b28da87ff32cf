// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/rope_keys.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const Json kLlama3 = {{"rope_type", "llama3"},
                      {"factor", 32.0},
                      {"low_freq_factor", 1.5},
                      {"high_freq_factor", 4.5},
                      {"original_max_position_embeddings", 4096}};

constexpr RopeDefaults kRopeDefaults{
    .theta = 10000.0, .partial = std::nullopt, .headDim = 16, .maxPositions = 4096};
const RopeSpec kPlain{.dims = 16};

RopeSpec readTable(const Json& config, std::vector<std::string>* unread = nullptr) {
  JsonObject object(config, "config.json");
  std::vector<std::string> ignored;
  return readRope(object, kRopeDefaults, unread ? *unread : ignored);
}

RopeSpec scaled(const Json& table) {
  return readTable({{"rope_scaling", table}});
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
  void rotationIsUnscaledByDefault();
  void linearScalingIsRead();
  void llama3ScalingIsRead();
  void yarnScalingIsReadAndChecked();
  void yarnMagnitudeIsReadOrComputed();
  void dynamicScalingIsRead();
  void longropeIsReadIfTheFamilyAllowsIt();
  void invalidLongropeTablesAreRefused();
  void aPartOfEachHeadCanRotate();
  void oddOrTooFewRotatedDimsAreRefused();
  void ropeTablesPerLayerTypeAreRefused();
  void ropeParametersMayHoldTheta();
  void olderAndNewerTablesMustAgree();
  void unsupportedScalingsAreRefusedByName_data();
  void unsupportedScalingsAreRefusedByName();
  void invalidTablesAreRefused();
  void unreadMembersAreListed();
};

void tst_rope_keys::rotationIsUnscaledByDefault() {
  QVERIFY(readTable(Json::object()) == kPlain);
  QVERIFY(readTable({{"rope_scaling", nullptr}, {"rope_parameters", nullptr}}) == kPlain);
  RopeSpec expected = kPlain;
  expected.theta = 5e5;
  QVERIFY(readTable({{"rope_theta", 500000}}) == expected);
  QVERIFY(scaled(Json::object()) == kPlain);
  QVERIFY(scaled({{"rope_type", "default"}}) == kPlain);
}

void tst_rope_keys::linearScalingIsRead() {
  RopeSpec expected = kPlain;
  expected.scaling = RopeScaling::Linear;
  expected.factor = 8.0;
  QVERIFY(scaled({{"rope_type", "linear"}, {"factor", 8}}) == expected);
  QVERIFY(scaled({{"type", "linear"}, {"factor", 8.0}}) == expected);
  QVERIFY(scaled({{"type", "linear"}, {"rope_type", "linear"}, {"factor", 8}}) ==
          expected);
}

void tst_rope_keys::llama3ScalingIsRead() {
  const RopeSpec rope = readTable({{"rope_theta", 5e5}, {"rope_scaling", kLlama3}});
  QVERIFY(rope.scaling == RopeScaling::Llama3);
  QCOMPARE(rope.theta, 5e5);
  QCOMPARE(rope.factor, 32.0);
  QCOMPARE(rope.lowFreqFactor, 1.5);
  QCOMPARE(rope.highFreqFactor, 4.5);
  QCOMPARE(rope.originalPositions, std::int64_t{4096});
}

void tst_rope_keys::yarnScalingIsReadAndChecked() {
  const RopeSpec rope = scaled({{"rope_type", "yarn"},
                                {"factor", 4},
                                {"original_max_position_embeddings", 1024},
                                {"beta_fast", 16},
                                {"beta_slow", 2},
                                {"truncate", false}});
  QVERIFY(rope.scaling == RopeScaling::Yarn);
  QCOMPARE(rope.factor, 4.0);
  QCOMPARE(rope.originalPositions, std::int64_t{1024});
  QCOMPARE(rope.betaFast, 16.0);
  QCOMPARE(rope.betaSlow, 2.0);
  QVERIFY(!rope.truncate);
  const RopeSpec defaults = scaled({{"type", "yarn"}, {"factor", 4}});
  QCOMPARE(defaults.originalPositions, std::int64_t{4096});
  QCOMPARE(defaults.betaFast, 32.0);
  QCOMPARE(defaults.betaSlow, 1.0);
  QVERIFY(defaults.truncate);
  // The factor defaults to max_position_embeddings over the original length.
  QCOMPARE(scaled({{"type", "yarn"}, {"original_max_position_embeddings", 512}}).factor,
           8.0);
  QVERIFY_ERROR(scaled({{"type", "yarn"}, {"factor", 4}, {"beta_fast", 1}}), "beta_slow",
                "beta_fast");
  QVERIFY_ERROR(readTable({{"rope_theta", 1.0},
                           {"rope_scaling", {{"type", "yarn"}, {"factor", 4}}}}),
                "rope_theta", "greater than 1");
}

void tst_rope_keys::yarnMagnitudeIsReadOrComputed() {
  const auto magnitude = [](Json table) {
    table["rope_type"] = "yarn";
    return scaled(table).magnitude;
  };
  const double usual = 0.1 * std::log(40.0) + 1.0;
  QCOMPARE(magnitude({{"factor", 40}}), usual);
  QCOMPARE(magnitude({{"factor", 0.5}}), 1.0);
  QCOMPARE(magnitude({{"factor", 40}, {"attention_factor", 1.5}}), 1.5);
  QCOMPARE(magnitude({{"factor", 40}, {"mscale", 1.0}, {"mscale_all_dim", 1.0}}), 1.0);
  QCOMPARE(magnitude({{"factor", 40}, {"mscale", 0.707}, {"mscale_all_dim", 0.5}}),
           (0.0707 * std::log(40.0) + 1.0) / (0.05 * std::log(40.0) + 1.0));
  QCOMPARE(magnitude({{"factor", 40}, {"mscale", 0.707}}), usual);  // not used alone
  QCOMPARE(magnitude({{"factor", 40}, {"mscale", 1}, {"mscale_all_dim", 0}}), usual);
  QVERIFY_ERROR(magnitude({{"factor", 40}, {"attention_factor", 0}}), "attention_factor");
  QVERIFY_ERROR(magnitude({{"factor", 40}, {"mscale", -9}, {"mscale_all_dim", 1}}),
                "mscale", "positive");
}

/// Dynamic scaling begins beyond max_position_embeddings; transformers does not read
/// original_max_position_embeddings.
void tst_rope_keys::dynamicScalingIsRead() {
  std::vector<std::string> unread;
  const RopeSpec rope = readTable(
      {{"rope_scaling",
        {{"type", "dynamic"}, {"factor", 2.0}, {"original_max_position_embeddings", 7}}}},
      &unread);
  QVERIFY(rope.scaling == RopeScaling::Dynamic);
  QCOMPARE(rope.factor, 2.0);
  QCOMPARE(rope.originalPositions, std::int64_t{4096});
  QCOMPARE(unread,
           (std::vector<std::string>{"rope_scaling.original_max_position_embeddings"}));
  QVERIFY_ERROR(scaled({{"type", "dynamic"}}), "factor", "missing");
}

namespace {

const Json kLongRope = {{"type", "longrope"},
                        {"short_factor", {1, 1, 1, 1, 1, 1, 1, 2}},
                        {"long_factor", {1, 2, 3, 4, 5, 6, 7, 8.5}}};

RopeSpec longRope(const Json& table) {
  const Json config = {{"rope_scaling", table}};
  JsonObject object(config, "config.json");
  RopeDefaults defaults = kRopeDefaults;
  defaults.longRopeOriginal = 1024;
  std::vector<std::string> ignored;
  return readRope(object, defaults, ignored);
}

}  // namespace

void tst_rope_keys::longropeIsReadIfTheFamilyAllowsIt() {
  const RopeSpec rope = longRope(kLongRope);
  QVERIFY(rope.scaling == RopeScaling::LongRope);
  QCOMPARE(rope.originalPositions, std::int64_t{1024});
  QCOMPARE(rope.shortFactors[7], 2.0);
  QCOMPARE(rope.longFactors[7], 8.5);
  QCOMPARE(rope.factor, 4.0);
  QCOMPARE(rope.magnitude, std::sqrt(1.0 + std::log(4.0) / std::log(1024.0)));
  const RopeSpec other = longRope(
      with(with(kLongRope, "original_max_position_embeddings", 4096), "type", "su"));
  QCOMPARE(other.originalPositions, std::int64_t{4096});
  QCOMPARE(other.magnitude, 1.0);  // the length is not extended
  QCOMPARE(longRope(with(kLongRope, "attention_factor", 1.25)).magnitude, 1.25);
  QVERIFY_ERROR(scaled(kLongRope), "longrope", "not computed");
  QVERIFY(longRope({{"type", "linear"}, {"factor", 2}}).scaling == RopeScaling::Linear);
  QVERIFY_ERROR(longRope({{"type", "mrope"}, {"factor", 2}}), "mrope", "and longrope");
}

void tst_rope_keys::invalidLongropeTablesAreRefused() {
  QVERIFY_ERROR(longRope(without(kLongRope, "long_factor")), "long_factor", "list");
  QVERIFY_ERROR(longRope(with(kLongRope, "short_factor", {1, 2})), "2 factors",
                "expected 8");
  QVERIFY_ERROR(longRope(with(kLongRope, "short_factor", {1, 1, 1, 1, 1, 1, 1, 0})),
                "at least 1e-6", "found 0");
  QVERIFY_ERROR(longRope(with(kLongRope, "short_factor", {1, 1, 1, 1, 1, 1, 1, "x"})),
                "at least 1e-6", "found no number");
  QVERIFY_ERROR(longRope(with(kLongRope, "long_mscale", 1.2)), "long_mscale");
  QVERIFY_ERROR(longRope(with(kLongRope, "factor", 8)), "factor", "max_position");
}

void tst_rope_keys::aPartOfEachHeadCanRotate() {
  RopeDefaults half = kRopeDefaults;
  half.partial = 0.5;
  const auto dims = [&](const Json& config) {
    JsonObject object(config, "config.json");
    std::vector<std::string> unread;
    return readRope(object, half, unread).dims;
  };
  QCOMPARE(dims(Json::object()), std::int64_t{8});
  QCOMPARE(dims({{"partial_rotary_factor", 0.25}}), std::int64_t{4});
  QCOMPARE(dims({{"rope_parameters", {{"partial_rotary_factor", 0.75}}}}),
           std::int64_t{12});
  QCOMPARE(dims({{"partial_rotary_factor", 0.25}, {"rope_parameters", Json::object()}}),
           std::int64_t{4});
  // "rope_scaling" may omit the fraction that "rope_parameters" has.
  const Json linear{{"type", "linear"}, {"factor", 2}};
  const Json quarter = with(linear, "partial_rotary_factor", 0.25);
  QCOMPARE(dims({{"rope_parameters", quarter}, {"rope_scaling", linear}}),
           std::int64_t{4});
  QVERIFY_ERROR(dims({{"rope_parameters", linear}, {"rope_scaling", quarter}}),
                "the same");
  QVERIFY_ERROR(dims({{"partial_rotary_factor", -0.5}}), "more than 0");
  QVERIFY_ERROR(dims({{"rope_parameters", {{"partial_rotary_factor", 2}}}}), "at most 1");
  QVERIFY_ERROR(readTable({{"partial_rotary_factor", 0.5}}), "partial_rotary_factor",
                "0.5", "only 1");
}

void tst_rope_keys::oddOrTooFewRotatedDimsAreRefused() {
  const auto withHead = [](std::int64_t headDim, const Json& config) {
    RopeDefaults defaults = kRopeDefaults;
    defaults.headDim = headDim;
    JsonObject object(config, "config.json");
    std::vector<std::string> unread;
    return readRope(object, defaults, unread).dims;
  };
  QCOMPARE(withHead(2, Json::object()), std::int64_t{2});
  QVERIFY_ERROR(withHead(7, Json::object()), "7", "even");
  QVERIFY_ERROR(withHead(1, Json::object()), "at least 2");
  // Dynamic scaling has the exponent dims / (dims − 2).
  QVERIFY_ERROR(withHead(2, {{"rope_scaling", {{"type", "dynamic"}, {"factor", 2}}}}),
                "at least 4");
}

void tst_rope_keys::ropeTablesPerLayerTypeAreRefused() {
  QVERIFY_ERROR(readTable({{"rope_parameters",
                            {{"full_attention", {{"rope_theta", 1e6}}},
                             {"sliding_attention", {{"rope_theta", 1e4}}}}}}),
                "rope_parameters", "each kind of layer");
}

void tst_rope_keys::ropeParametersMayHoldTheta() {
  RopeSpec expected = kPlain;
  expected.theta = 5e5;
  QVERIFY(readTable({{"rope_parameters",
                      {{"rope_theta", 5e5}, {"rope_type", "default"}}}}) == expected);
  QVERIFY(readTable({{"rope_theta", 1.0}, {"rope_parameters", {{"rope_theta", 5e5}}}}) ==
          expected);
  QVERIFY(readTable({{"rope_theta", 5e5},
                     {"rope_parameters", {{"rope_type", "default"}}}}) == expected);
  QVERIFY(readTable({{"rope_parameters", with(kLlama3, "rope_theta", 5e5)}}) ==
          readTable({{"rope_theta", 5e5}, {"rope_scaling", kLlama3}}));
}

void tst_rope_keys::olderAndNewerTablesMustAgree() {
  const Json parameters = with(kLlama3, "rope_theta", 5e5);
  QVERIFY(readTable({{"rope_parameters", parameters}, {"rope_scaling", kLlama3}}) ==
          readTable({{"rope_parameters", parameters}}));
  QVERIFY_ERROR(readTable({{"rope_parameters", parameters},
                           {"rope_scaling", with(kLlama3, "factor", 8)}}),
                "rope_scaling", "rope_parameters", "the same");
}

void tst_rope_keys::unsupportedScalingsAreRefusedByName_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"longrope", "su", "mrope", "proportional", ""})
    QTest::newRow(*name ? name : "empty") << QString(name);
}

void tst_rope_keys::unsupportedScalingsAreRefusedByName() {
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

void tst_rope_keys::invalidTablesAreRefused() {
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
  QVERIFY_ERROR(readTable({{"rope_theta", -1}}), "rope_theta", "positive");
  QVERIFY_ERROR(readTable({{"rope_parameters", {{"partial_rotary_factor", 0.5}}}}),
                "partial_rotary_factor", "0.5");
}

void tst_rope_keys::unreadMembersAreListed() {
  std::vector<std::string> unread;
  readTable({{"rope_scaling", with(kLlama3, "mrope_section", {1, 2})}}, &unread);
  QCOMPARE(unread, (std::vector<std::string>{"rope_scaling.mrope_section"}));
}

EQUIPATCH_TEST(tst_rope_keys)
#include "tst_rope_keys.moc"

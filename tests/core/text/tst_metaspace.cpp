#include "core/text/metaspace.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_metaspace : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsBothSpellings();
  void refusesContradictions();
};

namespace {

MetaspaceSettings readSettings(Json fields) {
  fields["type"] = "Metaspace";
  Component component(fields, "f");
  const MetaspaceSettings settings = readMetaspace(component);
  component.requireAllRead();
  return settings;
}

}  // namespace

void tst_metaspace::readsBothSpellings() {
  QCOMPARE(readSettings({{"replacement", "▁"}}).scheme, PrependScheme::Always);
  QCOMPARE(readSettings({{"replacement", "▁"}}).replacement, std::string("▁"));
  const auto scheme = [](Json fields) {
    fields["replacement"] = "_";
    fields["str_rep"] = "_";
    return readSettings(fields).scheme;
  };
  QCOMPARE(scheme({{"prepend_scheme", "first"}}), PrependScheme::First);
  QCOMPARE(scheme({{"prepend_scheme", "never"}}), PrependScheme::Never);
  QCOMPARE(scheme({{"add_prefix_space", false}}), PrependScheme::Never);
  QCOMPARE(scheme({{"add_prefix_space", true}}), PrependScheme::Always);
  QCOMPARE(scheme({{"add_prefix_space", true}, {"prepend_scheme", "first"}}),
           PrependScheme::First);
}

void tst_metaspace::refusesContradictions() {
  QVERIFY_ERROR(readSettings({{"replacement", "ab"}}), "one character", "\"ab\"");
  QVERIFY_ERROR(readSettings({{"replacement", ""}}), "one character");
  QVERIFY_ERROR(readSettings({{"replacement", "_"}, {"prepend_scheme", "odd"}}),
                "\"odd\"");
  QVERIFY_ERROR(readSettings({{"replacement", "_"},
                              {"prepend_scheme", "always"},
                              {"add_prefix_space", false}}),
                "contradicts", "always");
}

EQUIPATCH_TEST(tst_metaspace)
#include "tst_metaspace.moc"

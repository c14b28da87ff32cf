// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/component.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_component : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsTypeAndFields();
  void refusesNonComponents();
  void namesUnknownSettings();
  void metaspaceReadsOldAndNewKeys();
  void metaspaceRefusesContradictions();
};

void tst_component::readsTypeAndFields() {
  const Json json{{"type", "X"}, {"flag", true}, {"name", "n"}, {"list", {1, 2}}};
  Component component(json, "f: decoder");
  QCOMPARE(component.type(), std::string("X"));
  QVERIFY(component.boolean("flag", false));
  QVERIFY(component.boolean("absent", true));
  QCOMPARE(component.string("name"), std::string("n"));
  QCOMPARE(component.children("list").size(), std::size_t{2});
  component.requireAllRead();
}

void tst_component::refusesNonComponents() {
  QVERIFY_ERROR(Component(Json::array(), "f: decoder"), "f: decoder", "object", "array");
  QVERIFY_ERROR(Component(Json{{"a", 1}}, "f: decoder"), "f: decoder", "type");
  QVERIFY_ERROR(Component(Json{{"type", 3}}, "f: decoder"), "f: decoder", "type");
  const Json json{{"type", "X"}, {"list", 3}};
  QVERIFY_ERROR(Component(json, "f: decoder").children("list"), "of type X", "list");
}

void tst_component::namesUnknownSettings() {
  const Json json{{"type", "Nmt"}, {"odd", 1}};
  const Component component(json, "f: normalizer");
  QVERIFY_ERROR(component.requireAllRead(), "f: normalizer of type Nmt", "\"odd\"");
  QCOMPARE(component.unknownType().kind(), ErrorKind::Unsupported);
  QCOMPARE(std::string(component.unknownType().what()),
           std::string("f: normalizer of type Nmt is not supported"));
}

namespace {

MetaspaceSettings readSettings(Json fields) {
  fields["type"] = "Metaspace";
  Component component(fields, "f");
  const MetaspaceSettings settings = readMetaspace(component);
  component.requireAllRead();
  return settings;
}

}  // namespace

void tst_component::metaspaceReadsOldAndNewKeys() {
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

void tst_component::metaspaceRefusesContradictions() {
  QVERIFY_ERROR(readSettings({{"replacement", "ab"}}), "one character", "\"ab\"");
  QVERIFY_ERROR(readSettings({{"replacement", ""}}), "one character");
  QVERIFY_ERROR(readSettings({{"replacement", "_"}, {"prepend_scheme", "odd"}}),
                "\"odd\"");
  QVERIFY_ERROR(readSettings({{"replacement", "_"},
                              {"prepend_scheme", "always"},
                              {"add_prefix_space", false}}),
                "contradicts", "always");
}

EQUIPATCH_TEST(tst_component)
#include "tst_component.moc"

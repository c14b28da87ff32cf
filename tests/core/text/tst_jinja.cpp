// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/chat/jinja.h"

#include <QDate>
#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// The settings in which Hugging Face differs from Jinja2's defaults, and the limits on
/// hostile templates.
class tst_jinja : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void rendersTemplates_data();
  void rendersTemplates();
  void strftimeNowWritesTheCurrentDate();
  void reportsRefusalsOfTheTemplate();
  void namesTheLineOfAMistake();
  void endsHostileTemplates_data();
  void endsHostileTemplates();
  void rendersLongConversations();
  void rendersWithPythonInAnotherFolder();
  void pythonMayNotReadTheHomeFolder();
  void namesTheMissingPackage();
  void stopsOnRequest();
};

namespace {

std::string rendered(const std::string& text, const Json& variables = Json::object()) {
  return renderJinja({.source = "chat_template.jinja",
                      .text = text,
                      .variables = variables,
                      .pythons = pythonsOfThisMachine()});
}

/// Whether one of `pythons` has Jinja2.
bool hasJinja(const std::vector<std::filesystem::path>& pythons) {
  const Json variables = Json::object();
  try {
    renderJinja(
        {.source = "t", .text = "yes", .variables = variables, .pythons = pythons});
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource) throw;
    return false;
  }
}

}  // namespace

void tst_jinja::initTestCase() {
  static const bool present = hasJinja(pythonsOfThisMachine());
  if (!present) QSKIP("no Python with Jinja2 on this machine");
}

void tst_jinja::rendersTemplates_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, const char* text, const char* expected) {
    QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(expected);
  };
  row("trim_blocks, lstrip_blocks", "a\n  {% if true %}\nb\n  {% endif %}\nc", "a\nb\nc");
  row("one newline at the end", "a\n\n", "a\n");
  row("breaks",
      "{% for i in range(9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}",
      "012");
  row("continues",
      "{% for i in range(4) %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}"
      "{% endfor %}",
      "023");
  row("tojson does not escape",
      R"({{ {"b": "<é & 'x'>", "a": [1, none, true]} | tojson }})",
      R"({"b": "<é & 'x'>", "a": [1, null, true]})");
  row("tojson indents", R"({{ [1] | tojson(indent=2) }})", "[\n  1\n]");
  row("nothing is escaped", "{{ '<b>' }}", "<b>");
  row("namespaces",
      "{% set ns = namespace(n=0) %}{% for i in [1,2] %}{% set ns.n = ns.n + i %}"
      "{% endfor %}{{ ns.n }}",
      "3");
  row("generation marks", "{% generation %}x{{ 1 }}{% endgeneration %}y", "x1y");
  row("macros", "{% macro m(a, b='!') %}{{ a }}{{ b }}{% endmacro %}{{ m('x') }}", "x!");
  row("slices and methods",
      "{{ [1,2,3][1:] }}{{ ' a '.strip() }}{{ 'ab'.startswith('a') }}", "[2, 3]aTrue");
  row("undefined", "[{{ nothing }}]{% if nothing is defined %}1{% else %}0{% endif %}",
      "[]0");
  row("text from variables", "{{ word | trim }}{{ none_at_all is none }}",
      "日本🤗True");
}

void tst_jinja::rendersTemplates() {
  QFETCH(QString, text);
  QFETCH(QString, expected);
  const Json variables{{"word", "  日本🤗\n"}, {"none_at_all", nullptr}};
  QCOMPARE(QString::fromStdString(rendered(text.toStdString(), variables)), expected);
}

void tst_jinja::strftimeNowWritesTheCurrentDate() {
  const auto today = [] { return QDate::currentDate().toString("yyyy-MM-dd"); };
  const QString before = today();
  const QString written =
      QString::fromStdString(rendered("{{ strftime_now('%Y-%m-%d') }}"));
  QVERIFY(written == before || written == today());
}

void tst_jinja::reportsRefusalsOfTheTemplate() {
  QVERIFY_ERROR(rendered("{{ raise_exception('Roles must alternate\nuser/assistant') }}"),
                "chat_template.jinja", "refuses", "Roles must alternate user/assistant");
  QVERIFY_ERROR(rendered(R"({{ raise_exception('half \ud83d a pair') }})"),
                "chat_template.jinja", "refuses", "half ? a pair");
}

void tst_jinja::namesTheLineOfAMistake() {
  QVERIFY_ERROR(rendered("a\n{% if %}"), "chat_template.jinja", "line 2");
  QVERIFY_ERROR(rendered("{{ 1 + 'a' }}"), "TypeError");
  QVERIFY_ERROR(rendered("{{ messages[0]['role'] }}"), "messages");
}

void tst_jinja::endsHostileTemplates_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* text, const char* part) {
    QTest::newRow(name) << text << part;
  };
  row("computes for ever",
      "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}"
      "{% endfor %}",
      "5 seconds of computing");
  row("computes in one call", "{{ ('a' * 3000000) | wordwrap(1) | length }}",
      "5 seconds of computing");
  row("takes all memory", "{{ ('a' * 1000000000) | length }}", "memory");
  row("takes much memory", "{{ ('a' * 250000000) | length }}", "256 MiB of memory");
  row("takes it in one call", "{{ '%0250000000d' % 1 }}", "256 MiB of memory");
  row("has none left for the answer", "{% set s = 'a' * 200000000 %}{{ s }}",
      "256 MiB of memory");
  row("writes too much", "{{ 'a' * 40000000 }}", "1 MiB, the limit");
  row("multiplies twice", "{{ ('a' * 1000000) * 30 }}", "1 MiB, the limit");
  row("wraps words", "{{ ('a ' * 600000) | wordwrap(1) }}", "1 MiB, the limit");
  row("refuses at length", "{{ raise_exception('no' * 5000000) }}", "refuses");
  row("a range too long", "{% for i in range(999999999) %}{% endfor %}", "Range too big");
  row("reaches for the interpreter", "{{ ''.__class__.__mro__[1].__subclasses__() }}",
      "SecurityError");
  row("changes a list", "{{ [1].append(2) }}", "SecurityError");
  row("includes a file", "{% include '/etc/passwd' %}", "loader");
}

void tst_jinja::endsHostileTemplates() {
  QFETCH(QString, text);
  QFETCH(QString, part);
  if (part.endsWith("memory") && qEnvironmentVariableIsSet("EQUIPATCH_EMULATED"))
    QSKIP("qemu sets no memory limit, because its own memory would count");
  QVERIFY_ERROR(rendered(text.toStdString()), "chat_template.jinja", part);
}

/// The limits on memory and text grow with the conversation.
void tst_jinja::rendersLongConversations() {
  std::string word = "🤗";
  word.append(8'000'000, 'a');
  const Json variables{{"word", word}};
  QVERIFY(rendered("{{ word }}{{ word | trim }}", variables) == word + word);
  const Json shorter{{"word", std::string(2'000'000, 'a')}};
  QVERIFY_ERROR(rendered("{{ word * 5 }}", shorter), " 8 MiB, the limit");
  // In the JSON answer, each two-byte letter is escaped to six bytes.
  std::string letters;
  for (int count = 0; count < 6'000'000; ++count) letters += "п";
  QVERIFY(rendered("{{ word }}", Json{{"word", letters}}) == letters);
}

namespace {

/// @returns the Python of a new virtual environment
std::filesystem::path virtualEnvironment(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::create_symlink("/usr/bin/python3", folder / "bin/python3");
  std::ofstream(folder / "pyvenv.cfg")
      << "home = /usr/bin\ninclude-system-site-packages = true\n";
  return folder / "bin/python3";
}

}  // namespace

void tst_jinja::rendersWithPythonInAnotherFolder() {
  const auto system = PythonPlace::inspect("/usr/bin/python3");
  if (!system || system->program != "/usr/bin/python3" || !hasJinja({"/usr/bin/python3"}))
    QSKIP("the system's Python lies elsewhere or has no Jinja2");
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  const std::filesystem::path script = path / "python3";
  std::ofstream(script) << "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  QCOMPARE(PythonPlace::inspect(script)->program,
           std::filesystem::path("/usr/bin/python3"));
  const Json variables = Json::object();
  for (const auto& python : {script, virtualEnvironment(path / "environment")})
    QCOMPARE(
        renderJinja(
            {.source = "t", .text = "x", .variables = variables, .pythons = {python}}),
        std::string("x"));
}

void tst_jinja::pythonMayNotReadTheHomeFolder() {
  if (!PythonPlace::inspect("/usr/bin/python3"))
    QSKIP("the system's Python lies elsewhere");
  QVERIFY(!PythonPlace::inspect("/nonexistent"));
  QVERIFY(!PythonPlace::inspect("/bin/false"));
  const QTemporaryDir home;
  const std::filesystem::path path = home.path().toStdString();
  const test::ChangedEnvironment environment("HOME", home.path().toUtf8());
  const auto inside = PythonPlace::inspect(virtualEnvironment(path / "inside"));
  const auto itself = PythonPlace::inspect(virtualEnvironment(path));
  QVERIFY(inside && itself);
  QCOMPARE(std::ranges::count(inside->readable, path / "inside") > 0, true);
  for (const auto& place : {inside, itself})
    for (const std::filesystem::path& readable : place->readable)
      QVERIFY2(readable != path && readable != path.parent_path() && readable != "/",
               readable.c_str());
}

void tst_jinja::namesTheMissingPackage() {
  const Json variables = Json::object();
  const auto renderedBy = [&](std::vector<std::filesystem::path> pythons) {
    return renderJinja(
        {.source = "t", .text = "x", .variables = variables, .pythons = pythons});
  };
  QVERIFY_ERROR(renderedBy({}), "python3-jinja2", "install");
  QVERIFY_ERROR(renderedBy({"/nonexistent/python3"}), "python3-jinja2");
  auto pythons = pythonsOfThisMachine();
  pythons.insert(pythons.begin(), "/nonexistent/python3");
  QCOMPARE(renderedBy(pythons), std::string("x"));
  QVERIFY_ERROR(renderedBy({"/bin/false"}), "python3-jinja2");
}

void tst_jinja::stopsOnRequest() {
  std::stop_source source;
  source.request_stop();
  const Json variables = Json::object();
  QVERIFY_ERROR(renderJinja({.source = "t",
                             .text = "x",
                             .variables = variables,
                             .pythons = pythonsOfThisMachine()},
                            source.get_token()),
                "stopped");
}

EQUIPATCH_TEST(tst_jinja)
#include "tst_jinja.moc"

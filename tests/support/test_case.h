#pragma once

#include <QRegularExpression>
#include <QString>
#include <QTest>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "tests/support/test_registry.h"

namespace equipatch::test {

struct Entry {
  const char* name;
  std::function<std::unique_ptr<QObject>()> make;
};
std::vector<Entry>& entries();

/// Base of every test class. Silence is an invariant: a warning that a test did not
/// announce with QTest::ignoreMessage fails it.
class TestCase : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { QTest::failOnWarning(QRegularExpression(".*")); }
};

/// Runs `action` and returns the sentence of the Error it throws, or "" when it throws
/// none.
template <typename Action>
QString errorOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

}  // namespace equipatch::test

/// Verifies that `expression` throws an Error whose sentence contains every given part.
/// The parts are copied, so that they may come from temporaries (qPrintable).
#define QVERIFY_ERROR(expression, ...)                                     \
  do {                                                                     \
    const QString sentence_ =                                              \
        equipatch::test::errorOf([&] { static_cast<void>(expression); });  \
    const std::vector<QString> parts_{__VA_ARGS__};                        \
    QVERIFY2(!sentence_.isEmpty(), "no Error was thrown by " #expression); \
    for (const QString& part_ : parts_)                                    \
      QVERIFY2(sentence_.contains(part_),                                  \
               qPrintable("'" + sentence_ + "' lacks '" + part_ + "'"));   \
  } while (false)

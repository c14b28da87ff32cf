// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QTest>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace equipatch::test {

struct Entry {
  const char* name;
  std::function<std::unique_ptr<QObject>()> make;
};
/// The test classes of this executable, in the order of registration.
std::vector<Entry>& entries();

/// Adds a test class to `entries`; see EQUIPATCH_TEST.
struct Registration {
  Registration(const char* name, std::function<std::unique_ptr<QObject>()> make);
};

/// Base of every test class. A warning fails the test unless QTest::ignoreMessage
/// announced it. Override prepare() instead of init(): Qt Test calls only the most
/// derived init().
class TestCase : public QObject {
  Q_OBJECT

 protected:
  /// Called before each test.
  virtual void prepare() {}

 private Q_SLOTS:
  virtual void init() final {
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    prepare();
  }
};

/// @returns the message of the Error that `action` throws, or "".
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

/// Registers a test class under its name. Goes between the class and its .moc.
#define EQUIPATCH_TEST(Class)                                      \
  static const equipatch::test::Registration registration_##Class( \
      #Class, [] { return std::unique_ptr<QObject>(new Class); });

/// Verifies that `expression` throws an Error whose message contains every given part.
/// The parts are copied, so they may point into temporaries (qPrintable).
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

#pragma once

#include <QObject>
#include <functional>
#include <memory>

namespace equipatch::test {

/// Test classes of an executable, registered before main by EQUIPATCH_TEST.
struct Registration {
  Registration(const char* name, std::function<std::unique_ptr<QObject>()> make);
};

}  // namespace equipatch::test

/// Put after a test class, before including its .moc: makes ctest find it.
#define EQUIPATCH_TEST(Class)                                      \
  static const equipatch::test::Registration registration_##Class( \
      #Class, [] { return std::unique_ptr<QObject>(new Class); });

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <map>

namespace equipatch::test {

/// Changes environment variables of this process; the destructor restores them.
class ChangedEnvironment {
 public:
  ChangedEnvironment() = default;
  ChangedEnvironment(const QByteArray& name, const QByteArray& value) {
    set(name, value);
  }
  ~ChangedEnvironment() { restore(); }
  ChangedEnvironment(const ChangedEnvironment&) = delete;
  ChangedEnvironment& operator=(const ChangedEnvironment&) = delete;

  void set(const QByteArray& name, const QByteArray& value) {
    keep(name);
    qputenv(name.constData(), value);
  }
  void unset(const QByteArray& name) {
    keep(name);
    qunsetenv(name.constData());
  }
  /// Gives every changed variable the value that it had before.
  void restore() {
    for (const auto& [name, value] : m_before)
      value.isNull() ? qunsetenv(name.constData()) : qputenv(name.constData(), value);
    m_before.clear();
  }

 private:
  void keep(const QByteArray& name) {
    m_before.try_emplace(name, qgetenv(name.constData()));
  }

  std::map<QByteArray, QByteArray> m_before;  ///< null: was not set
};

}  // namespace equipatch::test

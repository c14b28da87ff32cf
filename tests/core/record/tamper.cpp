// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/record/tamper.h"

#include <sqlite3.h>

#include <memory>
#include <stdexcept>

namespace equipatch::test {
namespace {

using Connection = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

Connection connect(const std::filesystem::path& path) {
  sqlite3* connection = nullptr;
  sqlite3_open(path.c_str(), &connection);
  return {connection, sqlite3_close};
}

int keepFirst(void* target, int, char** cells, char**) {
  auto& text = *static_cast<QString*>(target);
  if (text.isNull()) text = QString::fromUtf8(cells[0] ? cells[0] : "NULL");
  return 0;
}

}  // namespace

void tamper(const std::filesystem::path& path, const QString& sql) {
  const Connection connection = connect(path);
  if (sqlite3_exec(connection.get(), sql.toUtf8().constData(), nullptr, nullptr,
                   nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(connection.get()));
}

QString cell(const std::filesystem::path& path, const QString& sql) {
  const Connection connection = connect(path);
  QString text;
  if (sqlite3_exec(connection.get(), sql.toUtf8().constData(), keepFirst, &text,
                   nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(connection.get()));
  return text;
}

}  // namespace equipatch::test

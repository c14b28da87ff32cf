#include "ui/run/run_store.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace equipatch {
namespace {

constexpr int kLongestStem = 80;

QString plain(QString name) {
  static const QRegularExpression kOther(QStringLiteral("[^\\w.-]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return name.replace(kOther, QStringLiteral("_")).left(kLongestStem);
}

}  // namespace

QString datedFile(const QString& folder, const DatedName& called) {
  const QDir place(folder);
  if (!place.mkpath(QStringLiteral("."))) return {};
  const QString now =
      QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_HH-mm-ss"));
  const QString name = now + u'_' + plain(called.name);
  QString path = place.filePath(name + called.suffix);
  for (int number = 2; QFileInfo::exists(path); ++number)
    path = place.filePath(name + u'_' + QString::number(number) + called.suffix);
  return path;
}

}  // namespace equipatch

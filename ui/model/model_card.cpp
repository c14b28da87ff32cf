#include "ui/model/model_card.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("ModelCard", text);
}

QString parameterText(std::int64_t count) {
  const double number = double(count);
  if (number >= 1e9) return QString::number(number / 1e9, 'f', 2) + QStringLiteral(" G");
  if (number >= 1e6) return QString::number(number / 1e6, 'f', 1) + QStringLiteral(" M");
  if (number >= 1e3) return QString::number(number / 1e3, 'f', 0) + QStringLiteral(" k");
  return QString::number(count);
}

QString unreadText(const std::vector<std::string>& names, const QString& where) {
  QStringList list;
  for (const std::string& name : names) list << QString::fromStdString(name);
  return list.isEmpty() ? QString()
                        : tr("\nnot used of %1: %2").arg(where, list.join(u", "));
}

}  // namespace

QString modelCard(const LoadedModel& model) {
  const std::string_view dtype = torchName(model.dtype);
  QString text =
      tr("%1\n%2 × width %3\n%4 weights, %5 on %6")
          .arg(QString::fromStdString(model.spec.architecture),
               countText(model.spec.layerCount(), QStringLiteral("layer")),
               QString::number(model.spec.width), parameterText(model.parameters),
               QString::fromUtf8(dtype.data(), qsizetype(dtype.size())),
               QString::fromStdString(model.device));
  if (!model.tokenizer) text += tr("\nno tokenizer");
  text += unreadText(model.unreadKeys, QStringLiteral("config.json"));
  return text + unreadText(model.unreadTensors, tr("the tensors"));
}

}  // namespace equipatch

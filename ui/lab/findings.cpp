#include "ui/lab/findings.h"

#include "ui/chart/number_text.h"
#include "ui/chart/translated.h"

namespace equipatch {
namespace {

QString escaped(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString row(const LabScalar& scalar) {
  const QString unit = scalar.unit.empty() ? QString() : u' ' + escaped(scalar.unit);
  const QString paper = scalar.paper
                            ? tr("paper: about %1").arg(numberText(*scalar.paper)) + unit
                            : QString();
  return QStringLiteral(
             "<tr><td align=right><b>%1%2</b></td><td>&nbsp;&nbsp;%3</td>"
             "<td>&nbsp;&nbsp;%4</td></tr>")
      .arg(numberText(scalar.value), unit, escaped(scalar.name), paper);
}

}  // namespace

QString findingsText(const LabResult& result) {
  QString text = QStringLiteral("<table cellspacing=2>");
  for (const LabScalar& scalar : result.scalars) text += row(scalar);
  text += QStringLiteral("</table>");
  for (const std::string& note : result.notes)
    text += QStringLiteral("<p>%1</p>").arg(escaped(note));
  return text;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_picker.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "ui/model/model_items.h"

namespace equipatch {
namespace {

constexpr int kPopupWidth = 520;  // wide enough for a name and its parity
constexpr int kVisibleRows = 14;

}  // namespace

ModelPicker::ModelPicker(QWidget* parent) : QComboBox(parent) {
  setEditable(true);
  setInsertPolicy(QComboBox::NoInsert);
  setCompleter(nullptr);  // a completer would also offer headings
  lineEdit()->setPlaceholderText(tr("Choose a model"));
  setToolTip(
      tr("A model of the list, or a folder in Hugging Face layout: config.json, "
         "*.safetensors and a tokenizer"));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(10);
  setMaxVisibleItems(kVisibleRows);
  setModel(&m_items);
  setItemDelegate(new ModelDelegate(this));
  showModels(nullptr);
  view()->installEventFilter(this);
  view()->viewport()->installEventFilter(this);
  // Qt would activate the entry that the field names, and so load its model, when the
  // field loses the focus.
  disconnect(lineEdit(), &QLineEdit::editingFinished, this, nullptr);
  connect(this, &QComboBox::activated, this, &ModelPicker::chosen);
  connect(lineEdit(), &QLineEdit::textEdited, this,
          [this](const QString& typed) { m_text = typed; });
  connect(lineEdit(), &QLineEdit::returnPressed, this, &ModelPicker::modelPicked);
}

void ModelPicker::setModelText(const QString& text) {
  m_text = text;
  setEditText(text);
}

void ModelPicker::showModels(std::shared_ptr<const ModelList> list) {
  const QString text = currentText();
  const bool isFirst = !m_list;
  m_list = std::move(list);
  model_items::fill(m_items, m_list.get());
  setCurrentIndex(-1);
  setEditText(text);
  if (isFirst && text.isEmpty()) suggestBundled();
}

void ModelPicker::suggestBundled() {
  if (!m_list || m_list->models.empty()) return;
  const ListedModel& first = m_list->models.front();
  if (first.origin == ModelOrigin::Bundled && first.entry.loadable())
    setModelText(QString::fromStdString(first.entry.name));
}

const ListedModel* ModelPicker::listed() const {
  if (!m_list) return nullptr;
  const std::string name = model().toStdString();
  const auto found = std::find_if(
      m_list->models.begin(), m_list->models.end(), [&](const ListedModel& listed) {
        return listed.entry.name == name || listed.entry.folder == name;
      });
  return found == m_list->models.end() ? nullptr : &*found;
}

QString ModelPicker::missing() const {
  return m_missing.model == model() && !listed() ? m_missing.reason : QString();
}

void ModelPicker::showPopup() {
  m_pointed = QModelIndex();
  view()->setMinimumWidth(std::max(width(), kPopupWidth));
  QComboBox::showPopup();
}

/// The arrow and page keys only open the list: by default, each press would load another
/// model.
void ModelPicker::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
      showPopup();
      return event->accept();
    default:
      QComboBox::keyPressEvent(event);
  }
}

void ModelPicker::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

bool ModelPicker::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseMove)
    m_pointed = view()->indexAt(static_cast<QMouseEvent*>(event)->pos());
  const bool isKey = watched == view() && event->type() == QEvent::KeyPress;
  if (isKey && filterKey(*static_cast<QKeyEvent*>(event))) return true;
  return QComboBox::eventFilter(watched, event);
}

/// Handles a key press in the list. @returns whether the list must ignore the key
bool ModelPicker::filterKey(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Delete) {
    m_pointed = QModelIndex();
    return false;
  }
  const QString folder = usedFolderAtHand();
  if (!folder.isEmpty()) Q_EMIT forgetRequested(folder);
  return !folder.isEmpty();
}

/// The folder of the row under the mouse, else of the current row; empty unless the row's
/// folder was used before. A disabled row is never current, but can be under the mouse.
QString ModelPicker::usedFolderAtHand() const {
  const QModelIndex pointed = m_pointed;
  const QModelIndex row = pointed.isValid() ? pointed : view()->currentIndex();
  return row.data(model_items::UsedRole).toString();
}

void ModelPicker::chosen(int row) {
  const auto kind = model_items::Kind(itemData(row, model_items::KindRole).toInt());
  if (kind == model_items::Kind::Browse) {
    setModelText(m_text);
    Q_EMIT browseRequested();
    return;
  }
  setModelText(itemText(row));
  Q_EMIT modelPicked();
}

}  // namespace equipatch

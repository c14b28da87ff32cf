// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QMimeData>
#include <QMouseEvent>
#include <QTextBlock>
#include <QTextFragment>
#include <algorithm>
#include <utility>

#include "ui/prompt/picture_in_text.h"
#include "ui/prompt/prompt_view.h"

namespace equipatch {
namespace {

/// A copied or dragged part of a prompt, including its images.
class PartsMimeData final : public QMimeData {
 public:
  explicit PartsMimeData(PromptParts parts) : m_parts(std::move(parts)) {
    setText(m_parts.written());
  }
  const PromptParts& parts() const { return m_parts; }

 private:
  PromptParts m_parts;
};

bool isImageAlone(const QMimeData& source) {
  return source.hasImage() && !source.hasText();
}

}  // namespace

void PromptView::showParts(const PromptParts& parts) {
  setPlainText({});
  document()->setUndoRedoEnabled(false);
  spaceLines();
  insertParts(QTextCursor(document()), parts);
  document()->setUndoRedoEnabled(true);
  moveCursor(QTextCursor::Start);
}

void PromptView::setParts(const PromptParts& parts) {
  QTextCursor cursor(document());
  cursor.select(QTextCursor::Document);
  insertParts(cursor, parts);
}

void PromptView::insertParts(QTextCursor cursor, const PromptParts& parts) {
  cursor.beginEditBlock();
  cursor.removeSelectedText();
  int from = 0;
  const auto insertUpTo = [&](int end) {
    cursor.insertText(parts.text.mid(from, end - from), QTextCharFormat());
    from = end + 1;
  };
  for (const PromptParts::Place& place : parts.pictures) {
    insertUpTo(place.position);
    cursor.insertText(QString(QChar::ObjectReplacementCharacter),
                      pictureFormat(place.picture));
  }
  insertUpTo(int(parts.text.size()));
  cursor.endEditBlock();
}

void PromptView::insertPictures(const Pictures& pictures) {
  PromptParts parts;
  for (const auto& picture : pictures) parts.append(picture);
  const QTextCursor offered = std::exchange(m_offered, QTextCursor());
  const QTextCursor place = offered.isNull() ? textCursor() : offered;
  insertParts(place, parts);
  if (place.position() == textCursor().position()) ensureCursorVisible();
}

PromptParts PromptView::parts() const {
  return partsFrom(0, document()->characterCount() - 1);
}

PromptParts PromptView::partsFrom(int begin, int end) const {
  PromptParts parts{.text = text().mid(begin, end - begin)};
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    for (auto part = block.begin(); !part.atEnd(); ++part) {
      const QTextFragment fragment = part.fragment();
      const auto picture = pictureOf(fragment.charFormat());
      if (!picture) continue;
      const int last = std::min(fragment.position() + fragment.length(), end);
      for (int at = std::max(fragment.position(), begin); at < last; ++at)
        if (document()->characterAt(at) == QChar::ObjectReplacementCharacter)
          parts.pictures.push_back({at - begin, picture});
    }
  return parts;
}

QMimeData* PromptView::createMimeDataFromSelection() const {
  const QTextCursor cursor = textCursor();
  return new PartsMimeData(partsFrom(cursor.selectionStart(), cursor.selectionEnd()));
}

bool PromptView::canInsertFromMimeData(const QMimeData* source) const {
  if (source->hasUrls()) return !pictureFiles(*source).isEmpty();
  return isImageAlone(*source) || QTextEdit::canInsertFromMimeData(source);
}

void PromptView::insertFromMimeData(const QMimeData* source) {
  if (!source) return;
  if (const auto* copied = dynamic_cast<const PartsMimeData*>(source)) {
    insertParts(textCursor(), copied->parts());
    return ensureCursorVisible();
  }
  if (const QStringList files = pictureFiles(*source); !files.isEmpty()) {
    m_offered = textCursor();
    return Q_EMIT filesOffered(files);
  }
  if (isImageAlone(*source)) {
    m_offered = textCursor();
    return Q_EMIT imageOffered(qvariant_cast<QImage>(source->imageData()));
  }
  QString text = source->text();
  textCursor().insertText(text.remove(QChar::ObjectReplacementCharacter),
                          QTextCharFormat());
  ensureCursorVisible();  // as QTextEdit::insertFromMimeData does
}

/// The index of the image at a place of the viewport; −1 for none.
int PromptView::pictureAt(const QPoint& place) const {
  const std::vector<PromptParts::Place> pictures = parts().pictures;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    if (rectOf(pictures[i].position).contains(place)) return int(i);
  return -1;
}

void PromptView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int picture = pictureAt(event->pos());
  if (picture < 0) return QTextEdit::mouseDoubleClickEvent(event);
  Q_EMIT pictureActivated(picture);
}

}  // namespace equipatch

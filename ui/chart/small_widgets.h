// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QBoxLayout>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace equipatch {

/// A tooltip that shows `text` as it is. Qt would take a token such as "<b>" for HTML.
QString plainToolTip(const QString& text);

/// A line of text of any width. Where the text does not fit, the label elides its middle,
/// because both ends identify a chart; a label with a briefer text shows the text's part
/// before ", " or " by " or, if that does not fit, the briefer text. The tooltip then
/// begins with the whole text.
class ElidedLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  /// Sets the briefer text; empty: none.
  void setBrief(const QString& brief);
  /// The text as drawn.
  QString shown() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void reserveWidth();

  QString m_brief;
};

/// A sentence with room for two lines, whatever its length, so that widgets below it
/// never move; the tooltip has the whole sentence.
class SentenceLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit SentenceLabel(QWidget* parent = nullptr);

  void setSentence(const QString& sentence);
  QString shown() const;  ///< the text as drawn; ends with an ellipsis if it is cut
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
  bool hasHeightForWidth() const override { return false; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Paragraphs in the middle of a place of any size. Where there is no room for all of
/// them, the last one stays, at worst shortened; the tooltip then has the whole text.
class FittingLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit FittingLabel(QWidget* parent = nullptr);

  /// The text as drawn.
  QString shown() const;
  QSize minimumSizeHint() const override { return {}; }
  bool hasHeightForWidth() const override { return false; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect room() const;
  bool fits(const QString& words) const;
};

/// A list of choices that shortens its current text where there is no room for it.
class ChoiceBox final : public QComboBox {
  Q_OBJECT

 public:
  /// Item data: the words that replace the item's text where it does not fit.
  static constexpr int kBriefRole = Qt::UserRole + 1;

  using QComboBox::QComboBox;
  /// The current text as drawn.
  QString shown() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Scrolls its content vertically. If the horizontal scroll bar is off, the area is wide
/// enough for its content and the vertical bar, so that nothing is cut. Narrow content
/// may use smaller type and be less high. It may then fit beside the bar, but not at the
/// full width without the bar, and the bar would appear and disappear without end. In
/// this case the bar stays until the area's size changes.
class VerticalArea final : public QScrollArea {
  Q_OBJECT

 public:
  using QScrollArea::QScrollArea;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void countTurn(const QResizeEvent& event);

  QSize m_size;     ///< of the area when it was last resized
  int m_turns = 0;  ///< changes of the content's width since then, in quick succession
  QElapsedTimer m_sinceTurn;
};

/// A name with its ampersands doubled, as the text of a button or menu entry. Qt
/// underlines the letter after a single ampersand.
QString withAmpersands(QString name);

/// A scroll area that owns `content`, gives it the area's width and scrolls only
/// vertically.
QScrollArea* scrollable(QWidget* content);

/// Makes the rows of a list at least as high as the boxes in which its items are ticked.
void makeRoomForTickBoxes(QAbstractItemView& view);

/// Adds a button that the Return key never presses in a dialog, even while the button has
/// the focus; the space bar then presses it.
/// @param name of the object
QPushButton* addButton(QBoxLayout& row, const char* name, const QString& text,
                       const QString& toolTip);

}  // namespace equipatch

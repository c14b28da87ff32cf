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

/// A line of text. If the text does not fit, the label elides its middle, because both
/// ends identify a chart. A label with a brief text shows the part before ", " or " by "
/// instead or, if this part does not fit, the brief text. The tooltip begins with a text
/// that does not fit.
class ElidedLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  /// @param brief empty: none
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

/// A sentence that always occupies two lines, so that widgets below never move. The
/// tooltip has the whole sentence.
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

/// Centred paragraphs in a space of any size. If not all paragraphs fit, the label shows
/// the last paragraph, shortened if necessary, and the tooltip has the whole text.
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

/// A combo box that shortens its current text if the text does not fit.
class ChoiceBox final : public QComboBox {
  Q_OBJECT

 public:
  /// Role of an item's brief text, which is drawn if the item's text does not fit.
  static constexpr int kBriefRole = Qt::UserRole + 1;

  using QComboBox::QComboBox;
  /// The current text as drawn.
  QString shown() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Scrolls its content vertically. If the horizontal scroll bar is off, the area is wide
/// enough for its content and the vertical bar. Content that fits beside the bar, but not
/// at the full width, would make the bar appear and disappear without end. The bar then
/// stays until the area's size changes.
class VerticalArea final : public QScrollArea {
  Q_OBJECT

 public:
  using QScrollArea::QScrollArea;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void countWidthChange(const QResizeEvent& event);

  QSize m_size;       ///< of the area when it was last resized
  int m_changes = 0;  ///< of the content's width since then, in quick succession
  QElapsedTimer m_sinceChange;
};

/// Doubles the ampersands of a name, for the text of a button or menu entry, where Qt
/// underlines the letter after a single ampersand.
QString withAmpersands(QString name);

/// A scroll area that owns `content`, gives it the area's width and scrolls vertically.
QScrollArea* scrollable(QWidget* content);

/// Makes the rows of a list at least as high as the items' check boxes.
void makeRoomForTickBoxes(QAbstractItemView& view);

/// Adds a button that the Return key never presses in a dialog, even while the button has
/// the focus.
/// @param name the object's name
QPushButton* addButton(QBoxLayout& row, const char* name, const QString& text,
                       const QString& toolTip);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPointer>
#include <QTextDocument>
#include <QVBoxLayout>
#include <cmath>

namespace equipatch {
namespace {

constexpr int kLeastLines = 5;  // minimum height of the text
constexpr int kStateLines = 5;  // reserved for m_state

/// Shows text only: links do not open, and images are not loaded.
class PlainBrowser final : public QTextBrowser {
 public:
  explicit PlainBrowser(QWidget* parent) : QTextBrowser(parent) { setOpenLinks(false); }
  QVariant loadResource(int, const QUrl&) override { return {}; }
};

}  // namespace

LessonPanel::LessonPanel(LessonPlayer& player, QWidget* parent)
    : QWidget(parent),
      m_player(player),
      m_place(new QLabel(this)),
      m_title(new QLabel(this)),
      m_text(new PlainBrowser(this)),
      m_state(new QLabel(this)),
      m_hint(makeButton("lessonHint", tr("Hint"), QKeySequence(tr("Alt+I")))),
      m_solve(makeButton("lessonSolve", tr("Show me"), QKeySequence(tr("Alt+M")))),
      m_back(makeButton("lessonBack", tr("Back"), QKeySequence(tr("Alt+Left")))),
      m_next(makeButton("lessonNext", tr("Next"), QKeySequence(tr("Alt+Right")))),
      m_try(makeButton("lessonTry", tr("Try it yourself"), {})),
      m_end(makeButton("lessonEnd", tr("End"), {})),
      m_follow(makeButton("lessonFollow", tr("Next lesson"), {})) {
  setObjectName(QStringLiteral("lessonPanel"));
  setFocusPolicy(Qt::ClickFocus);
  setAutoFillBackground(true);  // covers a line that Qt leaves of an unused tab bar
  installEventFilter(this);
  compose();
  connect(m_back, &QPushButton::clicked, &player, &LessonPlayer::back);
  connect(m_next, &QPushButton::clicked, this,
          [this] { m_player.isLast() ? Q_EMIT endRequested() : m_player.next(); });
  connect(m_try, &QPushButton::clicked, this,
          [this] { m_player.setTrying(!m_player.isTrying()); });
  connect(m_end, &QPushButton::clicked, this, &LessonPanel::endRequested);
  connect(m_follow, &QPushButton::clicked, this, [this] {
    m_player.isLast() ? Q_EMIT followRequested()
                      : m_player.jump(std::exchange(m_leftAt, 0));
  });
  connect(m_solve, &QPushButton::clicked, &player, &LessonPlayer::solve);
  connect(m_hint, &QPushButton::clicked, this, [this] {
    m_hinted = true;
    showStep();
  });
  connect(&player, &LessonPlayer::changed, this, &LessonPanel::showStep);
}

QPushButton* LessonPanel::makeButton(const char* name, const QString& text,
                                     const QKeySequence& key) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(QString::fromLatin1(name));
  button->installEventFilter(this);
  nameButton(button, text, key);
  return button;
}

void LessonPanel::nameButton(QPushButton* button, const QString& text,
                             const QKeySequence& key) {
  button->setText(text);
  button->setShortcut(key);  // after setText, which removes the shortcut
  if (!key.isEmpty())
    button->setToolTip(tr("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
}

void LessonPanel::compose() {
  m_place->setObjectName(QStringLiteral("muted"));
  m_title->setObjectName(QStringLiteral("panelHeading"));
  m_text->setObjectName(QStringLiteral("lessonText"));
  m_text->setAccessibleName(tr("The lesson"));
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setMinimumHeight(kLeastLines * fontMetrics().lineSpacing());
  m_state->setObjectName(QStringLiteral("lessonState"));
  m_place->setTextFormat(Qt::PlainText);
  for (QLabel* label : {m_title, m_state}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(4);
  auto* top = new QHBoxLayout;
  top->addWidget(m_place, 1);
  top->addWidget(m_end);
  layout->addLayout(top);
  layout->addLayout(makeRow({m_back, m_next, m_try}, {2, 2, 3}));
  layout->addLayout(makeRow({m_hint, m_solve}, {1, 1}));
  layout->addLayout(makeRow({m_follow}, {1}));
  m_follow->hide();
  layout->addSpacing(3);
  layout->addWidget(m_title);
  layout->addWidget(m_text, 1);
  layout->addWidget(m_state);
}

/// @param shares relative widths of the buttons, whatever their texts
QLayout* LessonPanel::makeRow(std::initializer_list<QPushButton*> buttons,
                              std::initializer_list<int> shares) {
  auto* row = new QHBoxLayout;
  auto share = shares.begin();
  for (QPushButton* button : buttons) {
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(button, *share++);
  }
  return row;
}

void LessonPanel::setFollowing(const QString& title) {
  m_following = title;
}

void LessonPanel::setLeftAt(int page) {
  m_leftAt = page;
}

void LessonPanel::showFollow() {
  const bool isEnd = m_player.isLast() && !m_following.isEmpty();
  const bool isLeft = m_player.isFirst() && m_leftAt > 0;
  m_follow->setVisible(isEnd || isLeft);
  m_follow->setText(isLeft ? tr("Continue with page %1").arg(m_leftAt + 1)
                           : tr("Next lesson"));
}

int LessonPanel::wantedHeight() const {
  const int text = int(std::ceil(m_text->document()->size().height()));
  const int state =
      m_player.step().question ? kStateLines * fontMetrics().lineSpacing() : 0;
  return layout()->totalMinimumHeightForWidth(width()) - m_text->minimumHeight() + text +
         state;
}

void LessonPanel::enlargeText(double most, int room) {
  constexpr double kStep = 0.1;
  for (int step = 0; most - step * kStep > 1.0; ++step) {
    setTextSize(most - step * kStep);
    if (wantedHeight() <= room) return;
  }
  setTextSize(1.0);
}

void LessonPanel::setTextSize(double factor) {
  QFont text = m_text->font(), title;
  text.setPointSizeF(text.pointSizeF() * factor);
  if (factor > 1.0) title.setPointSizeF(text.pointSizeF());
  m_text->document()->setDefaultFont(text);
  m_title->setFont(title);
}

/// Handles the arrow keys, which would otherwise move the focus between buttons.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& pressed = static_cast<const QKeyEvent&>(*event);
  if (pressed.modifiers() & ~Qt::KeypadModifier)
    return QWidget::eventFilter(watched, event);
  switch (pressed.key()) {
    case Qt::Key_Left:
      Q_EMIT keyMoved(-1, 0);
      return true;
    case Qt::Key_Right:
      Q_EMIT keyMoved(1, 0);
      return true;
    case Qt::Key_Up:
      Q_EMIT keyMoved(0, 1);
      return true;
    case Qt::Key_Down:
      Q_EMIT keyMoved(0, -1);
      return true;
    default:
      return QWidget::eventFilter(watched, event);
  }
}

/// Qt would move the focus from a disabled or hidden button to some other widget. The
/// panel takes the focus instead, and gives it to Next as soon as Next is enabled.
void LessonPanel::keepFocus(const QWidget* focused) {
  const bool isOurs = focused && (focused == this || isAncestorOf(focused));
  if (!isOurs) return;
  const bool hasLostIt = window()->focusWidget() != focused;  // in inactive windows, too
  if (m_next->isEnabled() &&
      (focused == this || !focused->isEnabled() || focused->isHidden() || hasLostIt))
    m_next->setFocus();
  else if (!focused->isEnabled() || focused->isHidden())
    setFocus();
}

void LessonPanel::showStep() {
  const QPointer<QWidget> focused = window()->focusWidget();
  showText();
  const bool acting = m_player.isActing();
  m_back->setEnabled(!m_player.isFirst());
  m_next->setEnabled(!acting && !m_player.isTrying());
  showFollow();
  nameButton(m_next, m_player.isLast() ? tr("Finish") : tr("Next"), m_next->shortcut());
  m_try->setText(m_player.isTrying() ? tr("Return") : tr("Try it yourself"));
  showQuestion();
  keepFocus(focused);
}

void LessonPanel::showText() {
  if (m_shown == m_player.index()) return;
  m_shown = m_player.index();
  m_hinted = false;
  const LessonStep& step = m_player.step();
  m_place->setText(
      tr("Lesson, page %1 of %2").arg(m_shown + 1).arg(m_player.lesson().steps.size()));
  m_title->setText(QString::fromStdString(step.title));
  // Lessons may come from strangers, so HTML in them is not interpreted.
  m_text->document()->setMarkdown(
      QString::fromStdString(step.text),
      QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
          QTextDocument::MarkdownNoHTML);
  m_text->moveCursor(QTextCursor::Start);
}

QString LessonPanel::helpText(const std::string& hint) const {
  QStringList lines;
  const QString gap = m_player.gap();
  if (m_player.isAnswered())
    lines << (gap.isEmpty() ? tr("✓ You have solved this page.")
                            : tr("✓ You have solved this page. Your latest try does not "
                                 "solve it: %1.")
                                  .arg(gap));
  else if (!gap.isEmpty())
    lines << tr("Not yet: %1.").arg(gap);
  if (m_hinted) lines << QString::fromStdString(hint);
  return lines.join(u'\n');
}

void LessonPanel::showQuestion() {
  const auto& question = m_player.step().question;
  // Also open if the page was solved on an earlier visit: teachers show the solution.
  const bool open = question && !m_player.isAnswerShown();
  m_hint->setVisible(question.has_value());
  m_hint->setEnabled(open && !question->hint.empty() && !m_hinted);
  m_solve->setVisible(question.has_value());
  m_solve->setEnabled(open && !m_player.isActing());
  QString state;
  if (!m_player.problem().isEmpty())
    state = m_player.problem();
  else if (m_player.isActing())
    state = tr("One moment…");
  else if (question && m_player.isAnswerShown())
    state = tr("✓ That is it.");
  else if (open && (m_hinted || m_player.isAnswered() || !m_player.gap().isEmpty()))
    state = helpText(question->hint);
  else if (open)
    state = tr("Do it in the window: the lesson notices when it is done.");
  else if (m_player.isTrying())
    state = tr("Use the window as you like. Return shows this page again.");
  else if (m_player.isLast() && !m_following.isEmpty())
    state = tr("The next lesson: %1.").arg(m_following);
  m_state->setText(state);
  m_state->setVisible(!state.isEmpty());
  if (m_state->heightForWidth(m_state->width()) >
      kStateLines * fontMetrics().lineSpacing())
    Q_EMIT stateHeightChanged();
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_entry.h"

#include <QButtonGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include "ui/chart/legend.h"

namespace equipatch {

namespace {

const QString kPictureFolderKey = QStringLiteral("prompt/pictureFolder");

}  // namespace

PromptEntry::PromptEntry(const Theme& theme, PictureShelf& shelf, QWidget& editor)
    : QObject(&editor), m_shelf(shelf) {
  m_switch = makeSwitch(editor);
  makeViews(theme, editor);
  connect(m_edit, &QTextEdit::textChanged, this, &PromptEntry::textChanged);
  connectPictures();
  showForm();
}

void PromptEntry::connectPictures() {
  connect(m_edit, &PromptView::filesOffered, &m_shelf, &PictureShelf::readFiles);
  connect(m_edit, &PromptView::imageOffered, &m_shelf, &PictureShelf::readImage);
  connect(&m_shelf, &PictureShelf::read, m_edit, &PromptView::insertPictures);
  connect(&m_shelf, &PictureShelf::failed, m_edit, &PromptView::forgetOffer);
}

void PromptEntry::addTo(QVBoxLayout& layout) {
  layout.addLayout(m_switch);
  layout.addWidget(m_edit, 3);
  layout.addWidget(m_rendered, 3);
}

QLayout* PromptEntry::makeSwitch(QWidget& editor) {
  m_raw = new QRadioButton(tr("Raw text"), &editor);
  m_raw->setObjectName(QStringLiteral("rawText"));
  m_raw->setToolTip(tr("The model reads the text as it is"));
  m_chat = new QRadioButton(tr("Chat"), &editor);
  m_chat->setObjectName(QStringLiteral("chat"));
  m_ids = new QRadioButton(tr("Ids"), &editor);
  m_ids->setObjectName(QStringLiteral("tokenIds"));
  m_ids->setAccessibleName(tr("Token ids"));
  m_ids->setToolTip(tr("The prompt is a list of token ids, such as 2, 17, 42"));
  auto* group = new QButtonGroup(this);
  const auto offer = [&](QRadioButton* button, PromptForm form) {
    group->addButton(button);
    connect(button, &QRadioButton::clicked, this, [this, form] {
      Q_EMIT formChosen(form);
      setForm(form);
    });
  };
  offer(m_raw, PromptForm::Text);
  offer(m_chat, PromptForm::Chat);
  offer(m_ids, PromptForm::Ids);
  auto* row = new FlowLayout;  // several rows where the dock is narrow
  for (QWidget* part :
       {static_cast<QWidget*>(m_raw), static_cast<QWidget*>(m_chat),
        static_cast<QWidget*>(m_ids), makeInsert(editor), makeSamples(editor)})
    row->addWidget(part);
  return row;
}

QWidget* PromptEntry::makeInsert(QWidget& editor) {
  m_insert = new QToolButton(&editor);
  m_insert->setObjectName(QStringLiteral("insertPicture"));
  m_insert->setText(tr("Image…"));
  m_insert->setFocusPolicy(Qt::TabFocus);
  connect(m_insert, &QToolButton::clicked, this, &PromptEntry::choosePictures);
  setPictureSupport({});
  return m_insert;
}

void PromptEntry::choosePictures() {
  QSettings settings;
  const QStringList paths = QFileDialog::getOpenFileNames(
      m_edit->window(), tr("Insert images"),
      settings.value(kPictureFolderKey, QDir::homePath()).toString(),
      tr("Images (*.png *.jpg *.jpeg *.webp *.ppm *.pgm *.pnm);;All files (*)"));
  if (paths.isEmpty()) return;
  settings.setValue(kPictureFolderKey, QFileInfo(paths.first()).path());
  m_shelf.readFiles(paths);
}

QWidget* PromptEntry::makeSamples(QWidget& editor) {
  auto* button = new QToolButton(&editor);
  button->setObjectName(QStringLiteral("samplePrompts"));
  button->setText(tr("Samples ▾"));
  button->setAccessibleName(tr("Samples"));
  button->setToolTip(tr("Prompts to begin with"));
  button->setFocusPolicy(Qt::TabFocus);
  button->setPopupMode(QToolButton::InstantPopup);
  auto* samples = new QMenu(button);
  fillWithSamplePrompts(*samples);
  connect(samples, &QMenu::triggered, this,
          [this](const QAction* action) { takeSample(action->data().toInt()); });
  button->setMenu(samples);
  return button;
}

void PromptEntry::takeSample(int place) {
  const SamplePrompt& sample = samplePrompts()[std::size_t(place)];
  if (isIds()) setForm(PromptForm::Text);  // a sample is no list of ids
  setParts(sample.parts());
  if (!sample.picture.isEmpty()) return Q_EMIT pictureSampleChosen();
  if (sample.bundled) Q_EMIT textSampleChosen();
}

void PromptEntry::makeViews(const Theme& theme, QWidget& editor) {
  m_edit = new PromptView(theme, m_shelf, &editor);
  m_edit->setObjectName(QStringLiteral("prompt"));
  m_edit->setAccessibleName(tr("Prompt"));
  m_rendered = new PromptView(theme, m_shelf, &editor);
  m_rendered->setObjectName(QStringLiteral("renderedChat"));
  m_rendered->setAccessibleName(tr("The chat as the model reads it"));
  m_rendered->setReadOnly(true);
  m_rendered->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                      Qt::TextSelectableByKeyboard);
}

void PromptEntry::setParts(const PromptParts& parts) {
  // Without earlier edits, undo could only bring back the empty text.
  const QTextDocument& document = *m_edit->document();
  if (document.isEmpty() && !document.isUndoAvailable()) return m_edit->showParts(parts);
  m_edit->setParts(parts);
}

void PromptEntry::setForm(PromptForm form) {
  m_form = form;
  showForm();
}

void PromptEntry::setChatSupport(const ChatSupport& support) {
  m_chatPossible = support.possible;
  m_chat->setEnabled(support.possible);
  m_chat->setToolTip(
      support.possible
          ? tr("The text is a user's message, which the model's chat template renders")
          : support.reason);
  showForm();
}

void PromptEntry::setPictureSupport(const PictureSupport& support) {
  m_insert->setEnabled(support.possible);
  m_insert->setToolTip(support.possible
                           ? tr("Insert an image at the cursor; images can also be "
                                "dropped or pasted into the prompt")
                           : support.reason);
}

void PromptEntry::showForm() {
  (isChat() ? m_chat : isIds() ? m_ids : m_raw)->setChecked(true);
  m_rendered->setVisible(isChat());
  m_edit->setPlaceholderText(isIds() ? tr("Type token ids, such as 2 17 42")
                                     : tr("Type a prompt, or take one of the samples"));
  Q_EMIT formChanged();
}

}  // namespace equipatch

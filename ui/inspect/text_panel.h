// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QPushButton>
#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include "core/record/context_effect.h"
#include "ui/chart/theme.h"
#include "ui/run/bare_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The texts of the contextual and the patched pass and, on request, a text that the
/// model generates without the absorbed part and the patch. A click on a token, or the
/// left or right arrow key, selects a step.
class TextPanel final : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive the panel.
  struct Sources {
    const RunModel& model;
    Selection& selection;
    const RunController& controller;
    BareText& bare;
    const Theme& theme;
  };
  explicit TextPanel(const Sources& sources, QWidget* parent = nullptr);

  QTextBrowser* browser() const { return m_browser; }
  QPushButton* bareButton() const { return m_write; }
  QPushButton* loadButton() const { return m_load; }

 Q_SIGNALS:
  /// The user asks to load the run's model.
  void modelRequested();

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void connectAll();
  void showState();
  void requestBare();
  void showSoon();
  void showTexts();
  QString tokensOf(const PassText& pass, bool patched) const;
  QString bareParagraph() const;

  Sources m_sources;
  QTextBrowser* m_browser;
  QPushButton *m_write, *m_load;
  QString m_bareText;
  QString m_problem;              ///< shown in place of m_bareText; empty: none
  QTimer m_soon;                  ///< combines several changes into one update
  QElapsedTimer m_shown;          ///< since the last update of the texts
  qint64 m_restMilliseconds = 0;  ///< least time between updates
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMainWindow>
#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "ui/lab/lab_controller.h"
#include "ui/lesson/hand_view.h"
#include "ui/window/chart_grid.h"
#include "ui/window/run_desk.h"

namespace equipatch {

/// The window as a lesson uses it: does the lesson's actions, tells the quantities that
/// its conditions name, finds the parts that it lights up, and puts everything back.
class LessonStage final : public QObject {
  Q_OBJECT

 public:
  /// All outlive the stage.
  struct Parts {
    QMainWindow& window;
    ModelPanel& models;
    PromptEditor& prompt;
    RunDesk& runs;
    const RunModel& model;
    Selection& selection;
    const RunController& controller;
    const ChartGrid& charts;
    LabController& lab;
    /// Opens the lab and starts the experiment of this name; false when there is none.
    std::function<bool(const QString&)> startLab;
  };
  explicit LessonStage(const Parts& parts);

  /// Begins an action. Emits `failed` when nothing has the name that the argument gives.
  void begin(const LessonAction& action);
  /// True if the action begun last has had its effect.
  bool isDone() const { return !m_done || m_done(); }
  void stopWaiting() { m_done = {}; }

  std::optional<double> number(std::string_view quantity) const;
  std::optional<std::string> text(std::string_view quantity) const;
  bool holds(const LessonCondition& condition) const;

  /// Brings the parts to the front.
  QList<QWidget*> show(const std::vector<LessonPart>& parts);

  /// Keeps the window's state, which `restore` brings back.
  void remember();
  void restore();

 Q_SIGNALS:
  /// The state of the window changed, so an action may now be done, or a condition hold.
  void changed();
  /// One sentence for the reader.
  void failed(const QString& sentence);

 private:
  struct Remembered {
    QByteArray layout;
    PromptParts prompt;
    PromptForm form = PromptForm::Text;
    std::string absorbed;
    SessionRequest model;
    RunRequest run;
    std::filesystem::path file;                ///< of the run on display
    std::vector<std::filesystem::path> files;  ///< of all runs in the list
  };

  void connectAll();
  void set(const LessonAction& action);
  void setMethod(const LessonAction& action);
  void run();
  void startLab(const std::string& experiment);
  void selectStep(const std::string& argument);
  void setStrength(double alpha);
  ChartView* chart(const std::string& name) const;
  QWidget* widgetOf(LessonPart part);
  HandView* hand();
  /// The row of the selected step and layer; of layer 0 when none is selected.
  std::optional<HandTable> handTableNow() const;
  void showHand();
  QWidget* dock(const char* name) const;
  const StepRecord* step() const;
  std::optional<double> runNumber(std::string_view quantity) const;
  void closeRunsOfTheLesson();
  void showEarlierRun();

  Parts m_parts;
  HandView* m_hand = nullptr;  ///< the window owns it
  std::function<bool()> m_done;
  std::optional<Remembered> m_before;
  bool m_restores = false;  ///< the run shown before the lesson must still be restored
};

}  // namespace equipatch

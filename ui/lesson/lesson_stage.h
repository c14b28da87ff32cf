// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMainWindow>
#include <QScrollArea>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "ui/lesson/hand_view.h"
#include "ui/lesson/lesson_picture.h"
#include "ui/lesson/lesson_window.h"
#include "ui/lesson/window_memory.h"

namespace equipatch {

/// The window as a lesson uses it: does actions, measures the quantities of conditions,
/// shows the parts that a step lights up, and restores the window at the end.
class LessonStage final : public QObject {
  Q_OBJECT

 public:
  using Parts = LessonWindow;
  explicit LessonStage(const Parts& parts);

  /// The folder of the lesson's file, which also holds the lesson's pictures.
  void setFolder(const QString& folder) { m_folder = folder; }
  /// Emits `failed` if the action is impossible.
  void begin(const LessonAction& action);
  /// True if the action begun last is complete.
  bool isDone() const { return !m_done || m_done(); }
  /// The run on display; null while it has no step, or the run controller is not idle.
  std::shared_ptr<const RunHeader> finishedRun() const;
  /// Forgets the action begun last; a job that it started goes on.
  void stopWaiting();
  RunView view() const { return m_memory.view(); }
  void restoreView(const RunView& view) { m_memory.restoreView(view); }
  /// How many runs of the lesson the list has.
  std::size_t listedRuns() const { return m_memory.newRows().size(); }
  /// How many of the lesson's runs stay in the list when the next run begins; none: all.
  /// Repeated actions thus give their runs the same numbers.
  void setKeptRuns(std::optional<std::size_t> kept) { m_keptRuns = kept; }

  /// A quantity that is a number, or a text; empty while it has no value.
  std::optional<double> number(std::string_view quantity) const;
  std::optional<std::string> text(std::string_view quantity) const;
  /// The quantity "answer" as a reader sees it; a run must be on display.
  std::string readableAnswer() const;
  bool holds(const LessonCondition& condition) const;
  /// Empty where the quantity has no value.
  QString valueText(std::string_view quantity) const;
  /// See `gapText`.
  QString gap(const LessonCondition& condition) const;
  /// Whether nothing is being loaded, and neither a run nor an experiment is computed.
  bool isIdle() const;
  /// Whether the selected step is yet to be computed at the panel's strength and layers.
  bool lacksReading() const;
  /// The chart called logits, sizes, map or errors.
  ChartView* chart(const std::string& name) const;
  /// The docks that are in front of others, by the names of their parts.
  std::vector<std::string> tabsInFront() const;

  /// Whether only lit parts are shown, as on a projector. Takes effect with `show`.
  void setFocused(bool focused) { m_isFocused = focused; }
  bool isFocused() const { return m_isFocused; }
  /// Brings the parts to the front. @returns their widgets, in the same order
  QList<QWidget*> show(const std::vector<LessonPart>& parts);
  /// Puts the lab beside the lesson's text.
  void placeLab();

  /// Whether a lesson may begin: no run is computed, and nothing is being loaded except
  /// by the lesson that is played or by `restore`.
  bool isFree() const;
  /// Keeps the window's state for `restore`, unless a state is kept already. Always
  /// stops a load or a run, but not the lab, and removes the run from the display.
  /// @param lesson the title, for the labels of the lesson's runs
  void remember(const std::string& lesson);
  /// Hides what is shown for lessons only, and stops and hides the lab. Then call
  /// `remember` for another lesson, or `restore`.
  void leave();
  /// Calls `leave` and brings the window's state back.
  void restore();

 Q_SIGNALS:
  /// The window's state changed; an action may be complete, or a condition may hold.
  void changed();
  void failed(const QString& sentence);

 private:
  void connectAll();
  void reportStop(const QObject& controller);
  void set(const LessonAction& action);
  void setMethod(const LessonAction& action);
  void insertPicture(const QString& name);
  bool endLending();
  void placePicture(std::shared_ptr<const PictureFile> picture);
  void absorb(const std::string& part);
  bool isChosenModelLoaded() const;
  bool waits(const LessonAction& action);
  void beginWaiting();
  void run(LessonVerb verb);
  void mapPicture(const LessonImageMap& map);
  void startLab(const std::string& experiment);
  void keepLabInFront();
  void selectStep(const std::string& argument);
  void setStrength(double alpha);
  void setLayers(const std::string& layers);
  void awaitReading();
  /// Whether a step is selected and the model of its run is loaded.
  bool isStepComputable() const;
  void showListedRun(std::size_t number);
  QWidget* widgetOf(LessonPart part);
  void showOnly(const QList<QWidget*>& lit);
  QScrollArea* stepArea() const;
  void scrollToStrength();
  HandView* hand();
  LessonPicture* picture();
  /// For the selected step and layer; for layer 0 if no layer is selected.
  std::optional<HandTable> handTableNow() const;
  void showHand();
  QWidget* dock(const char* name) const;
  void bringToFront(const std::string& tab);
  const StepRecord* step() const;
  std::optional<double> runNumber(std::string_view quantity) const;

  Parts m_parts;
  QString m_folder;
  HandView* m_hand = nullptr;          ///< the window owns it
  LessonPicture* m_picture = nullptr;  ///< the window owns it
  std::function<bool()> m_done;        ///< is the action begun last complete? Empty: yes
  WindowMemory m_memory;
  std::optional<LessonAction> m_waiting;  ///< begins when the job under way has ended
  std::optional<std::size_t> m_keptRuns;
  int m_begun = 0;  ///< changes whenever an action begins or is forgotten
  const QObject* m_awaited = nullptr;  ///< whose job the action begun last waits for
  bool m_awaitsRun = false;            ///< the action begun last starts runs
  bool m_isFocused = false, m_isStrengthLit = false;
  int m_lendings = 0;     ///< pictures of the lesson that are being read
  bool m_isLent = false;  ///< the action begun last waits for the last picture
};

}  // namespace equipatch

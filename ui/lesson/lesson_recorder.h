// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "ui/lesson/lesson_stage.h"
#include "ui/lesson/recorded_run.h"
#include "ui/lesson/recording.h"

namespace equipatch {

/// Records what the user does in the window as the steps of a lesson. Observes the
/// window's state, not its buttons, because many things can be done in several ways.
class LessonRecorder final : public QObject {
  Q_OBJECT

 public:
  /// @param parts, stage outlive the recorder.
  LessonRecorder(const LessonStage::Parts& parts, const LessonStage& stage,
                 QObject* parent = nullptr);

  bool isRecording() const { return m_isRecording; }
  const Recording& recording() const { return m_recording; }

  void begin();
  /// Begins a step, to which the next action belongs.
  void addStep();
  /// Also records what is still missing, such as settings changed since the last run.
  Recording finish();

 Q_SIGNALS:
  /// The recording began, or one of its steps was added or changed.
  void changed();

 private:
  /// The window's state at one moment.
  struct Seen {
    std::shared_ptr<const RunHeader> run;
    int step = Selection::kNone;
    int layer = Selection::kNone;
    int percent = 100;              ///< the patch's strength
    std::vector<bool> layers;       ///< whether each layer's patch is applied
    std::array<bool, 4> tables{};   ///< in the order of kChartNames
    std::vector<std::string> tabs;  ///< in front
    std::shared_ptr<const LabResult> lab;
  };

  void connectAll();
  Seen seen() const;
  void look();
  void takeRun(const Seen& at);
  bool takeListed(const Seen& at);
  void listRuns(const RunHeader& run, bool isGrid);
  void takeView(const Seen& now);
  void takeLab(const Seen& now);
  bool isOfDisplay(const MappedImage& map) const;
  void takeMap(const MappedImage& map, int quantity);
  void takeSettings();
  RecordedRun settings() const;
  /// The actions that, after a run, set the step, layer, strength and patched layers of
  /// `at`.
  std::vector<LessonAction> viewActions(const Seen& at) const;
  void needRun();
  void add(LessonAction action, std::vector<LessonPart> lit);
  void addStep(LessonStep step);
  void keep(const RecordedRun& run);
  void lose(const QString& sentence);
  void observe();

  const LessonStage::Parts m_parts;
  const LessonStage& m_stage;
  Recording m_recording;
  Seen m_seen;
  /// The files of the runs that the list will have when the lesson is played, in the
  /// list's order; an empty path matches no run.
  std::vector<std::filesystem::path> m_listed;
  std::vector<LessonAction> m_settings;  ///< of the panels, at the start or the last run
  bool m_isRecording = false;
  bool m_needsRun = false;  ///< an older run is on display, not recorded yet
  bool m_hadRun = false;    ///< a run was displayed at the last `observe`
  bool m_isGrid = false;    ///< the newest runs belong to a grid
};

/// Conditions that hold now and that a step with these actions may expect.
std::vector<LessonCondition> conditionsNow(const LessonStage& stage,
                                           const std::vector<LessonAction>& actions);

}  // namespace equipatch

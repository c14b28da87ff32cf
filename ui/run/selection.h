#pragma once

#include <QObject>

namespace equipatch {

/// Which step and layer the user looks at, shared by all views so that none knows
/// another. Follows the newest step until the user selects one.
class Selection : public QObject {
  Q_OBJECT

 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  static constexpr int kNone = -1;

  int step() const { return m_step; }    ///< kNone while there are no steps
  int layer() const { return m_layer; }  ///< kNone when no layer is selected
  bool isFollowing() const { return m_following; }

  /// A run begins: nothing is selected, following.
  void reset();
  /// Tells how many steps there are; moves along when following.
  void setStepCount(int count);
  void setLayerCount(int count);

  /// By the user: stops following, also on the newest step. Out of range is clamped.
  void selectStep(int step);
  void moveStep(int by);
  /// Out of range, kNone included, deselects.
  void selectLayer(int layer);
  void moveLayer(int by);

 public Q_SLOTS:
  void followNewest();

 Q_SIGNALS:
  void stepChanged(int step);
  void layerChanged(int layer);
  void followingChanged(bool following);

 private:
  void setStep(int step);
  void setFollowing(bool following);

  int m_step = kNone;
  int m_layer = kNone;
  int m_stepCount = 0;
  int m_layerCount = 0;
  bool m_following = true;
};

}  // namespace equipatch
